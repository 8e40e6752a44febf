//! From what walks found to one mask tree a state.
//!
//! In: an automaton, its headroom and a vocabulary's trie. Out: [`Masks`]. The walks of all states are joined into nodes, on several
//! threads; nodes without tokens are dropped, equal sets and equal nodes are kept once, and sets change places where tables get
//! smaller so.

use super::gather::gather;
use super::join::{Joined, RawNode, join};
use super::near::Near;
use super::rows::Rows;
use super::set::{Ranks, SetId};
use super::shares::on_threads;
use super::trie::TokenTrie;
use super::walk::{PlaceId, Walker};
use super::{covered, enlarge, factor, push, subsets};
use crate::limits::{Deadline, LimitExceeded};
use crate::lr::Bits;
use crate::pda::headroom::Headroom;
use crate::pda::{FrameId, Pda, StateId, reorder};

/// Fewer states are walked on one thread: much of what a walk comes to is found again on each.
const FEW: usize = 128;
/// A thread has so many states at least.
const SHARE: usize = 64;

/// Index of a node in [`Masks::nodes`].
pub type NodeId = u32;

/// The masks of all states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Masks {
    /// Token sets, equal ones once.
    pub sets: Vec<Ranks>,
    /// Tree nodes; a node may lead back to itself, one frame further down.
    pub nodes: Vec<MaskNode>,
    /// The root of each state's tree.
    pub roots: Vec<NodeId>,
}

impl Masks {
    /// Gives each frame another number.
    pub fn number_frames(&mut self, number: &[FrameId]) {
        for children in self.nodes.iter_mut().map(|node| &mut node.children) {
            children
                .iter_mut()
                .for_each(|child| child.0 = number[child.0 as usize]);
            children.sort_unstable_by_key(|child| child.0);
        }
    }

    /// Gives each state another number.
    pub fn number_states(&mut self, number: &[StateId]) {
        reorder(&mut self.roots, number);
    }

    /// How many nodes name each of so many sets.
    pub fn uses(&self, sets: usize) -> Vec<usize> {
        let mut uses = vec![0; sets];
        for (_, set) in self.nodes.iter().flat_map(|node| &node.sets) {
            uses[*set as usize] += 1;
        }
        uses
    }
}

/// A node of a mask tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MaskNode {
    /// Token sets that hold here, each with the frames it needs above the present height.
    pub sets: Vec<(u8, SetId)>,
    /// For the frames that can lie at this depth, the node to go on with; empty if there is no need to look.
    pub children: Vec<(FrameId, Option<NodeId>)>,
}

/// How many of `threads` are worth having for the masks of so many states: one for few, unless the grammar counts.
pub fn worthwhile(threads: usize, states: usize, counts: bool) -> usize {
    match states {
        ..FEW if !counts => 1,
        _ => threads.min(states / SHARE).max(1),
    }
}

/// Computes the masks of all states, on so many threads; they do not depend on it.
///
/// # Errors
///
/// If the deadline passes, or a token needs more frames than a table can say.
pub fn build(
    pda: &Pda,
    headroom: &Headroom,
    trie: &TokenTrie,
    threads: usize,
    deadline: &Deadline,
) -> Result<Masks, LimitExceeded> {
    let parts = joined(pda, headroom, trie, threads, deadline)?;
    let gathered = gather(parts, headroom.states.len(), deadline)?;
    let masks = Masks {
        nodes: listed(pda, gathered.nodes, &gathered.roots),
        sets: gathered.sets,
        roots: gathered.roots,
    };
    let tokens = trie.ids.len();
    let masks = push::push_down(masks, tokens);
    let masks = push::trim(enlarge::enlarge(masks, tokens));
    let masks = push::trim(covered::leave_out(masks, tokens));
    let masks = push::trim(factor::factor(masks, tokens));
    Ok(push::trim(subsets::split_off(masks, tokens)))
}

/// Walks from all states of which something is asked, and joins what each thread found.
fn joined(
    pda: &Pda,
    headroom: &Headroom,
    trie: &TokenTrie,
    threads: usize,
    deadline: &Deadline,
) -> Result<Vec<Joined>, LimitExceeded> {
    let rows = Rows::new(pda, headroom);
    let near = match rows.counts() {
        true => Near::new(pda, headroom, trie.longest() + 1),
        false => Near::nothing(),
    };
    // Nothing is asked of a state that no token leads to.
    let asked = (0..).zip(&headroom.states);
    let asked: Vec<(StateId, u8)> = asked
        .filter_map(|(state, need)| Some((state, (*need)?)))
        .collect();
    let parts = on_threads(asked.len(), threads, |mut share| {
        let mut walker = Walker::new(pda, trie, &rows, &near);
        let states = share.by_ref().map(|at| asked[at]);
        let part =
            walk(&mut walker, states, deadline).and_then(|starts| join(&walker, &starts, deadline));
        if part.is_err() {
            share.stop();
        }
        part
    });
    parts.into_iter().collect()
}

/// Walks from the starts of states, given with their needs, and from every place met, one state after the other.
fn walk(
    walker: &mut Walker,
    states: impl Iterator<Item = (StateId, u8)>,
    deadline: &Deadline,
) -> Result<Vec<(StateId, PlaceId, u8)>, LimitExceeded> {
    let mut starts = Vec::new();
    for (state, need) in states {
        starts.push((state, walker.start(state), need));
        while walker.walk_on() {
            if walker.walked().is_multiple_of(256) {
                deadline.check("walking the vocabulary")?;
            }
        }
    }
    Ok(starts)
}

/// For each node the frames that can lie where it looks.
fn possible(pda: &Pda, nodes: &[RawNode], roots: &[NodeId]) -> Vec<Bits> {
    let mut possible = vec![Bits::default(); nodes.len()];
    let mut add = |node: NodeId, frames: &[FrameId]| {
        frames.iter().for_each(|&frame| {
            possible[node as usize].insert(frame as usize);
        });
    };
    for (state, &root) in pda.states.iter().zip(roots) {
        add(root, &state.top);
    }
    for &(frame, kid) in nodes.iter().flat_map(|node| &node.kids) {
        add(kid, &pda.under[frame as usize]);
    }
    possible
}

/// The nodes with every frame that can lie somewhere and what it leads to, if some frame leads to a token at all.
fn listed(pda: &Pda, nodes: Vec<RawNode>, roots: &[NodeId]) -> Vec<MaskNode> {
    let possible = possible(pda, &nodes, roots);
    let of_node = |(RawNode { sets, kids }, possible): (RawNode, &Bits)| {
        let mut children = Vec::new();
        if !kids.is_empty() {
            children.extend(possible.iter().map(|frame| {
                let kid = kids.binary_search_by_key(&(frame as FrameId), |kid| kid.0);
                (frame as FrameId, kid.ok().map(|at| kids[at].1))
            }));
        }
        MaskNode { sets, children }
    };
    nodes.into_iter().zip(&possible).map(of_node).collect()
}
