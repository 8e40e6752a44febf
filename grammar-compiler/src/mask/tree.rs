//! From what walks found to one mask tree a state.
//!
//! In: an automaton, its needs and a vocabulary's trie. Out: [`Masks`]. The walks of all states are joined into nodes; nodes
//! without tokens are dropped, equal sets and equal nodes are kept once, and sets change places where tables get smaller so.

use super::join::{RawNode, join};
use super::merge::merge_equal;
use super::rows::Rows;
use super::set::{Ranks, SetId};
use super::trie::TokenTrie;
use super::walk::{PlaceId, Walker};
use super::{enlarge, factor, push, subsets};
use crate::grouped::Grouped;
use crate::limits::{Deadline, LimitExceeded};
use crate::lr::Bits;
use crate::pda::need::Need;
use crate::pda::{FrameId, Pda};

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

/// Computes the masks of all states.
///
/// # Errors
///
/// If the deadline passes, or a token needs more frames than a table can say.
pub fn build(
    pda: &Pda,
    needs: &[Need],
    trie: &TokenTrie,
    deadline: &Deadline,
) -> Result<Masks, LimitExceeded> {
    let rows = Rows::new(pda, needs);
    let mut walker = Walker::new(pda, needs, trie, &rows);
    // Nothing is asked of a state that no token leads to.
    let starts: Vec<Option<(PlaceId, u8)>> = (0..)
        .zip(needs)
        .map(|(s, need)| need.map(|need| (walker.start(s), need)))
        .collect();
    walk_all(&mut walker, deadline)?;
    let joined = join(&mut walker, &starts, deadline)?;
    let possible = possible(pda, &joined.nodes, &joined.roots);
    let masks = merge_equal(Masks {
        sets: joined.sets,
        nodes: listed(joined.nodes, &possible),
        roots: joined.roots,
    });
    let tokens = trie.ids.len();
    let masks = push::push_down(masks, tokens);
    let masks = push::trim(enlarge::enlarge(masks, tokens));
    let masks = push::trim(factor::factor(masks, tokens));
    Ok(push::trim(subsets::split_off(masks, tokens)))
}

/// Walks from every place until no new one is met.
fn walk_all(walker: &mut Walker, deadline: &Deadline) -> Result<(), LimitExceeded> {
    let mut at = 0;
    while at < walker.count() {
        if at % 256 == 255 {
            deadline.check("walking the vocabulary")?;
        }
        walker.found(at as PlaceId);
        at += 1;
    }
    Ok(())
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
fn listed(raw: Vec<RawNode>, possible: &[Bits]) -> Vec<MaskNode> {
    let useful = useful(&raw);
    let of_node = |(node, possible): (RawNode, &Bits)| {
        let mut kids = node.kids;
        kids.retain(|&(_, kid)| useful[kid as usize]);
        let mut children = Vec::new();
        if !kids.is_empty() {
            children.extend(possible.iter().map(|frame| {
                let kid = kids.binary_search_by_key(&(frame as FrameId), |kid| kid.0);
                (frame as FrameId, kid.ok().map(|at| kids[at].1))
            }));
        }
        MaskNode {
            sets: node.sets,
            children,
        }
    };
    raw.into_iter().zip(possible).map(of_node).collect()
}

/// Which nodes lead to a token at all.
fn useful(nodes: &[RawNode]) -> Vec<bool> {
    let edges = (0..).zip(nodes);
    let edges = edges.flat_map(|(at, node)| node.kids.iter().map(move |kid| (kid.1, at)));
    let users = Grouped::new(nodes.len(), edges);
    let mut useful = vec![false; nodes.len()];
    let mut stack: Vec<NodeId> = (0..)
        .zip(nodes)
        .filter(|(_, node)| !node.sets.is_empty())
        .map(|(at, _)| at)
        .collect();
    while let Some(at) = stack.pop() {
        if !std::mem::replace(&mut useful[at as usize], true) {
            stack.extend(users.of(at));
        }
    }
    useful
}
