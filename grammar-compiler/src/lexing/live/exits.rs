//! How nodes whose fate depends on the stack leave their top frame.
//!
//! In: a [`LiveGraph`] and the fates of its nodes. Out: [`Exits`]: for each such node what goes on
//! when its top frame is popped; or that the text can be finished before. This is saturation, over
//! the few nodes that need it.

use std::collections::BTreeSet;

use super::DOING;
use super::bounds::Fate;
use super::graph::{Follow, Going, LiveGraph, NodeId};
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded};

/// The text can be finished without popping the top frame.
const FINISHES: u32 = 0;

/// The exits of nodes.
pub(super) struct Exits {
    /// What goes on; exits are numbered from 1.
    goings: Interner<Going>,
    of_node: Vec<BTreeSet<u32>>,
}

impl Exits {
    /// Whether a node finishes the text, or what goes on in its place.
    pub(super) fn of(&self, node: NodeId) -> impl Iterator<Item = Option<Going>> + '_ {
        let exits = self.of_node[node.index()].iter();
        exits.map(|exit| Some(self.goings.values[exit.checked_sub(1)? as usize]))
    }
}

/// The exits of the nodes whose fate depends on the stack.
pub(super) fn exits(
    graph: &LiveGraph<'_, '_>,
    fates: &[Fate],
    deadline: &Deadline,
) -> Result<Exits, LimitExceeded> {
    let mut search = Search {
        graph,
        fates,
        goings: Interner::new(),
        of_node: vec![BTreeSet::new(); fates.len()],
        users: vec![BTreeSet::new(); fates.len()],
        due: Vec::new(),
    };
    for (place, follows) in graph.follows.iter().enumerate() {
        if fates[place] != Fate::Depends {
            continue;
        }
        deadline.ticks(1 + follows.len(), DOING)?;
        let node = NodeId::at(place);
        for &follow in follows {
            match follow {
                Follow::End => search.offer(node, FINISHES),
                Follow::Stay(next) => search.goes_on(node, next, false),
                Follow::Call(next) => search.goes_on(node, next, true),
                Follow::Return(of) => {
                    let going = graph.returns.values[of.index()].0;
                    let exit = search.goings.intern(going) + 1;
                    search.offer(node, exit);
                }
            }
        }
    }
    while let Some((node, exit)) = search.due.pop() {
        let users: Vec<(NodeId, bool)> = search.users[node.index()].iter().copied().collect();
        deadline.ticks(1 + users.len(), DOING)?;
        for (user, calls) in users {
            search.pass_on(user, exit, calls);
        }
    }
    Ok(Exits {
        goings: search.goings,
        of_node: search.of_node,
    })
}

struct Search<'s, 'g, 'a> {
    graph: &'s LiveGraph<'g, 'a>,
    fates: &'s [Fate],
    goings: Interner<Going>,
    of_node: Vec<BTreeSet<u32>>,
    /// For each node those that have its exits, and whether they are a frame below.
    users: Vec<BTreeSet<(NodeId, bool)>>,
    due: Vec<(NodeId, u32)>,
}

impl Search<'_, '_, '_> {
    fn offer(&mut self, node: NodeId, exit: u32) {
        if self.of_node[node.index()].insert(exit) {
            self.due.push((node, exit));
        }
    }

    /// A node goes on with another one, perhaps a frame higher.
    fn goes_on(&mut self, node: NodeId, next: NodeId, calls: bool) {
        match self.fates[next.index()] {
            Fate::Never => {}
            Fate::Always => self.offer(node, FINISHES),
            Fate::Depends => {
                if self.users[next.index()].insert((node, calls)) {
                    let known: Vec<u32> = self.of_node[next.index()].iter().copied().collect();
                    for exit in known {
                        self.pass_on(node, exit, calls);
                    }
                }
            }
        }
    }

    fn pass_on(&mut self, user: NodeId, exit: u32, calls: bool) {
        match exit.checked_sub(1) {
            Some(going) if calls => {
                let going = self.goings.values[going as usize];
                let gram = self.graph.nodes.values[user.index()].1;
                if let Some(next) = self.graph.known(going, gram) {
                    self.goes_on(user, next, false);
                }
            }
            _ => self.offer(user, exit),
        }
    }
}
