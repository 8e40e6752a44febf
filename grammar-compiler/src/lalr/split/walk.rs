//! What follows the prefixes of right sides in each state.
//!
//! In: [`Tables`] and [`Prefixes`]. Out: [`Splitter`], which has walked over all nodes that the
//! starts lead to.

use std::collections::BTreeSet;

use maskwright_lalr::{Part, Symbol, Tables};

use super::prefixes::Prefixes;
use super::{DOING, END};
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded};
use crate::maps::own_keys;

/// A state of the parser, and the part of a right side that it has taken since its nonterminal
/// began. What follows does not depend on where it began.
pub(super) type Node = (u32, u32);

/// The next part of a right side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum RightPart {
    /// A symbol, by number.
    Symbol(u32),
    /// A nonterminal in a state, by the number of the node at which it begins.
    Copy(u32),
}

/// How a production ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum End {
    /// Whatever follows.
    Free,
    /// With a guard, by number.
    Guarded(u32),
}

own_keys!(RightPart, End);

/// What follows a node.
#[derive(Clone, Default)]
pub(super) struct OfNode {
    pub(super) parts: Vec<(RightPart, u32)>,
    /// How productions can end here.
    pub(super) ends: Vec<End>,
}

pub(super) struct Splitter<'a> {
    pub(super) tables: &'a Tables,
    prefixes: &'a Prefixes,
    one_set: bool,
    pub(super) nodes: Interner<Node>,
    /// The nodes at which a nonterminal begins, each in a state in which it can.
    pub(super) starts: Vec<u32>,
    /// What follows each node, once it has been walked over.
    pub(super) of_nodes: Vec<Option<OfNode>>,
    pub(super) symbols: Interner<(u32, u32)>,
    pub(super) sets: Interner<Vec<u32>>,
    /// The number of the set of each state, where it is known.
    set_of: Vec<Option<u32>>,
    pub(super) guards: Interner<Vec<u32>>,
    deadline: &'a Deadline,
}

impl<'a> Splitter<'a> {
    /// Nothing walked over yet.
    pub(super) fn new(
        tables: &'a Tables,
        prefixes: &'a Prefixes,
        one_set: bool,
        deadline: &'a Deadline,
    ) -> Self {
        Splitter {
            tables,
            prefixes,
            one_set,
            nodes: Interner::new(),
            starts: Vec::new(),
            of_nodes: Vec::new(),
            symbols: Interner::new(),
            sets: Interner::new(),
            set_of: vec![None; tables.states.len()],
            guards: Interner::new(),
            deadline,
        }
    }

    /// The number of the set of terminals that a state can take.
    pub(super) fn set(&mut self, state: u32) -> u32 {
        if let Some(known) = self.set_of[state as usize] {
            return known;
        }
        let of = &self.tables.states[state as usize];
        let reduced = of.reductions.iter().filter_map(|of| match of.0 {
            Symbol::Terminal(terminal) => Some(terminal),
            Symbol::End => None,
        });
        let all = of.shifts.iter().map(|shift| shift.0).chain(reduced);
        let all: BTreeSet<u32> = match self.one_set {
            true => BTreeSet::new(),
            false => all.collect(),
        };
        let set = self.sets.intern(all.into_iter().collect());
        self.set_of[state as usize] = Some(set);
        set
    }

    fn node(&mut self, node: Node) -> u32 {
        let number = self.nodes.intern(node);
        self.of_nodes.resize(self.nodes.values.len(), None);
        number
    }

    /// The node at which a nonterminal begins in a state.
    pub(super) fn start(&mut self, state: u32, nonterminal: u32) -> u32 {
        let known = self.nodes.values.len();
        let start = self.node((state, nonterminal));
        if start as usize == known {
            self.starts.push(start);
        }
        start
    }

    /// The nonterminal that begins at a start.
    pub(super) fn nonterminal(&self, start: u32) -> u32 {
        self.nodes.values[start as usize].1
    }

    /// Walks over all nodes that the parts of right sides lead to from one. Says whether the tables
    /// have them.
    pub(super) fn walk(&mut self, start: u32) -> Result<bool, LimitExceeded> {
        let mut due = vec![start];
        while let Some(number) = due.pop() {
            if self.of_nodes[number as usize].is_none() {
                let Some(of) = self.of_node(self.nodes.values[number as usize])? else {
                    return Ok(false);
                };
                due.extend(of.parts.iter().rev().map(|part| part.1));
                self.of_nodes[number as usize] = Some(of);
            }
        }
        Ok(true)
    }

    fn of_node(&mut self, (state, prefix): Node) -> Result<Option<OfNode>, LimitExceeded> {
        let of_state = &self.tables.states[state as usize];
        let prefix = &self.prefixes.all[prefix as usize];
        self.deadline
            .ticks(1 + prefix.parts.len() + of_state.dropped.len(), DOING)?;
        let mut of = OfNode::default();
        for &(part, longer) in &prefix.parts {
            let (list, key) = match part {
                Part::Terminal(terminal) => (&of_state.shifts, terminal),
                Part::Nonterminal(nonterminal) => (&of_state.gotos, nonterminal),
            };
            let Ok(at) = list.binary_search_by_key(&key, |to| to.0) else {
                return Ok(None);
            };
            let next = list[at].1;
            let part = match part {
                Part::Terminal(terminal) => {
                    let set = self.set(next);
                    RightPart::Symbol(self.symbols.intern((terminal, set)))
                }
                Part::Nonterminal(nonterminal) => RightPart::Copy(self.start(state, nonterminal)),
            };
            of.parts.push((part, self.node((next, longer))));
        }
        for &production in &prefix.ends {
            let end = self.end(state, production);
            of.ends.push(end);
        }
        of.parts.sort_unstable();
        of.ends.sort_unstable();
        of.ends.dedup();
        Ok(Some(of))
    }

    /// How a production ends in a state.
    fn end(&mut self, state: u32, production: u32) -> End {
        let dropped = self.tables.states[state as usize].dropped.iter();
        let dropped = dropped.filter(|of| of.1 == production);
        let number = |symbol| match symbol {
            Symbol::Terminal(terminal) => terminal,
            Symbol::End => END,
        };
        let dropped: Vec<u32> = dropped.map(|of| number(of.0)).collect();
        match dropped.is_empty() {
            true => End::Free,
            false => End::Guarded(self.guards.intern(dropped)),
        }
    }
}
