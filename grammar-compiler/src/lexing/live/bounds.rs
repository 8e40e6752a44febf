//! What can be finished on all stacks, and on none.
//!
//! In: a [`LiveGraph`]. Out: [`Fate`] of each node. Both bounds are least fixed points, found in
//! time linear in the graph. A node can be finished on all stacks if one of its steps leads to such
//! a node; a return, if it does whatever lies below. It can be finished on no stack if no step
//! leads to one that could, whatever lies below. Only what lies between is looked at stack by
//! stack.

use super::DOING;
use super::graph::{Follow, LiveGraph, NodeId, ReturnId};
use crate::limits::{Deadline, LimitExceeded};

/// Whether a node can be finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// On each stack with its frames on top.
    Always,
    /// On none.
    Never,
    /// That depends on the stack, or is not known.
    Depends,
}

/// The fate of each node.
pub(super) fn fates(
    graph: &LiveGraph<'_, '_>,
    deadline: &Deadline,
) -> Result<Vec<Fate>, LimitExceeded> {
    let users = Users::new(graph);
    let could = users.spread(graph, deadline, |_| 1)?;
    let can = users.spread(graph, deadline, |members| members)?;
    let fate = |(&could, &can): (&bool, &bool)| match (could, can) {
        (_, true) => Fate::Always,
        (true, false) => Fate::Depends,
        (false, false) => Fate::Never,
    };
    Ok(could.iter().zip(&can).map(fate).collect())
}

/// Who depends on a node or a return.
struct Users {
    of_node: Vec<Vec<NodeId>>,
    of_return: Vec<Vec<NodeId>>,
    /// The returns that a node belongs to.
    returns: Vec<Vec<ReturnId>>,
    ends: Vec<NodeId>,
}

impl Users {
    fn new(graph: &LiveGraph<'_, '_>) -> Self {
        let nodes = graph.follows.len();
        let mut users = Users {
            of_node: vec![Vec::new(); nodes],
            of_return: vec![Vec::new(); graph.members.len()],
            returns: vec![Vec::new(); nodes],
            ends: Vec::new(),
        };
        for (place, follows) in graph.follows.iter().enumerate() {
            let node = NodeId::at(place);
            for follow in follows {
                match follow {
                    Follow::Stay(next) | Follow::Call(next) => {
                        users.of_node[next.index()].push(node);
                    }
                    Follow::Return(of) => users.of_return[of.index()].push(node),
                    Follow::End => users.ends.push(node),
                }
            }
        }
        for (place, members) in graph.members.iter().enumerate() {
            for member in members {
                users.returns[member.index()].push(ReturnId::at(place));
            }
        }
        users
    }

    /// The nodes from which the end is reached, where a return counts once as many of its members
    /// do as `enough` says.
    fn spread(
        &self,
        graph: &LiveGraph<'_, '_>,
        deadline: &Deadline,
        enough: impl Fn(usize) -> usize,
    ) -> Result<Vec<bool>, LimitExceeded> {
        let mut reaches = vec![false; graph.follows.len()];
        let mut left: Vec<usize> = (graph.members.iter())
            .map(|members| enough(members.len()))
            .collect();
        let mut due = Vec::new();
        let mut reach = |node: NodeId, due: &mut Vec<NodeId>| {
            if !std::mem::replace(&mut reaches[node.index()], true) {
                due.push(node);
            }
        };
        (self.ends.iter()).for_each(|&node| reach(node, &mut due));
        while let Some(node) = due.pop() {
            deadline.ticks(1 + self.of_node[node.index()].len(), DOING)?;
            for &user in &self.of_node[node.index()] {
                reach(user, &mut due);
            }
            for of in &self.returns[node.index()] {
                left[of.index()] = left[of.index()].wrapping_sub(1);
                if left[of.index()] == 0 {
                    for &user in &self.of_return[of.index()] {
                        reach(user, &mut due);
                    }
                }
            }
        }
        Ok(reaches)
    }
}
