//! A pushdown automaton as a picture.
//!
//! In: an [`Automaton`]. Out: [`Drawing`]: its states, with the rules that their items are in, and
//! its edges as arrows: a set of bytes, where there is one a condition on the frames of the stack,
//! then the stack operations. From there [`dot`] makes text for Graphviz, and [`svg`] a picture,
//! which [`layout`] puts in layers.

pub mod dot;
mod labels;
pub mod layout;
pub mod svg;
mod symbols;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

use maskwright_compiler::Automaton;
use maskwright_compiler::pda::{Alternative, Class, FrameId, Pda, StateId, Tree, TreeId};
use maskwright_compiler::rules_of;

/// What is drawn.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The state to start in.
    pub start: StateId,
    /// The states.
    pub nodes: Vec<Node>,
    /// The edges, ascending by where they begin; edges that differ only in their symbols are one.
    pub arrows: Vec<Arrow>,
}

/// A state.
#[derive(Clone, Debug)]
pub struct Node {
    /// The rules that its items are in.
    pub rules: Vec<String>,
    /// Whether the end of the text leads here.
    pub is_end: bool,
}

/// Edges between two states with the same condition and operations.
#[derive(Clone, Debug)]
pub struct Arrow {
    /// Where it begins.
    pub from: StateId,
    /// Where it leads.
    pub to: StateId,
    /// The symbols.
    pub symbols: String,
    /// Depth and frame of each look on the way; depth 0 is the top.
    pub conditions: Vec<(u8, FrameId)>,
    /// Frames popped.
    pub pop: u8,
    /// The frame pushed then.
    pub push: Option<FrameId>,
    /// The symbol is read again from the next state.
    pub again: bool,
}

/// Names without those that have been before: machines of one rule have its name.
fn distinct(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut out = Vec::new();
    for name in names {
        if !out.contains(&name) {
            out.push(name);
        }
    }
    out
}

impl Drawing {
    /// The drawing of an automaton as tables are made from it.
    pub fn new(automaton: &Automaton) -> Self {
        let pda = &automaton.pda;
        let ends = end_states(pda);
        let name = |machine: usize| automaton.network.machines[machine].name.clone();
        let nodes = (0..pda.states.len()).map(|state| Node {
            rules: distinct(rules_of(automaton, state).into_iter().map(name)),
            is_end: ends.contains(&StateId::at(state)),
        });
        let arrow = |((from, conditions, alternative), classes): (Key, BTreeSet<Class>)| Arrow {
            from,
            to: alternative.next,
            symbols: symbols::symbols(pda, &classes),
            conditions,
            pop: alternative.pop,
            push: alternative.push,
            again: alternative.again,
        };
        Drawing {
            start: pda.start,
            nodes: nodes.collect(),
            arrows: arrows(pda).into_iter().map(arrow).collect(),
        }
    }
}

/// The condition and the operations, without the symbols; empty if there are none.
impl fmt::Display for Arrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        for &(depth, frame) in &self.conditions {
            let word = if out.is_empty() { "if" } else { " and" };
            write!(out, "{word} f{}", frame.number())?;
            if depth > 0 {
                write!(out, " at {depth}")?;
            }
        }
        if self.pop > 0 {
            write!(out, " pop {}", self.pop)?;
        }
        if let Some(frame) = self.push {
            write!(out, " push f{}", frame.number())?;
        }
        if self.again {
            out.push_str(" read again");
        }
        f.write_str(out.trim_start())
    }
}

/// Everything about an arrow but its symbols.
type Key = (StateId, Vec<(u8, FrameId)>, Alternative);

/// The states that the end of the text leads to.
fn end_states(pda: &Pda) -> BTreeSet<StateId> {
    let mut ends = BTreeSet::new();
    for edges in pda.states.iter().map(|state| &state.edges) {
        for &(_, tree) in edges.iter().filter(|edge| edge.0 == pda.classes.end()) {
            pda.leaves(tree, &mut |leaf| {
                ends.extend(leaf.iter().filter(|a| !a.again).map(|a| a.next))
            });
        }
    }
    ends
}

fn arrows(pda: &Pda) -> BTreeMap<Key, BTreeSet<Class>> {
    let mut arrows: BTreeMap<Key, BTreeSet<Class>> = BTreeMap::new();
    for (from, state) in pda.state_ids().zip(&pda.states) {
        for &(class, tree) in &state.edges {
            let mut add = |conditions: &[(u8, FrameId)], alternative| {
                let key = (from, conditions.to_vec(), alternative);
                arrows.entry(key).or_default().insert(class);
            };
            walk(pda, tree, &mut Vec::new(), &mut add);
        }
    }
    arrows
}

fn walk(
    pda: &Pda,
    tree: TreeId,
    conditions: &mut Vec<(u8, FrameId)>,
    visit: &mut impl FnMut(&[(u8, FrameId)], Alternative),
) {
    match pda.trees.get(tree.index()) {
        Some(Tree::Leaf(alternatives)) => alternatives
            .iter()
            .for_each(|&alternative| visit(conditions, alternative)),
        Some(Tree::Look { depth, branches }) => {
            for &(frame, branch) in branches {
                conditions.push((*depth, frame));
                walk(pda, branch, conditions, visit);
                conditions.pop();
            }
        }
        None => {}
    }
}
