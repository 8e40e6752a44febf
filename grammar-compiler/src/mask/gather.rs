//! What several threads joined, as one.
//!
//! In: [`Joined`] for each thread, all states together. Out: [`Gathered`]: the same nodes, those that no walk tells apart once,
//! and numbered from the roots. Neither depends on which thread met what, so nor does anything that is made from them.

use super::join::{Joined, RawNode};
use super::set::{Ranks, SetId};
use super::tree::NodeId;
use crate::grouped::Grouped;
use crate::intern::number;
use crate::limits::{Deadline, LimitExceeded};
use crate::partition::coarsest;

/// The nodes of all states.
pub struct Gathered {
    /// Token sets, equal ones once.
    pub sets: Vec<Ranks>,
    /// The nodes; all but roots lead to some token.
    pub nodes: Vec<RawNode>,
    /// The root of each state's tree.
    pub roots: Vec<NodeId>,
}

/// Gathers the nodes of so many states; nothing is asked of those that are in no part.
pub fn gather(
    parts: Vec<Joined>,
    states: usize,
    deadline: &Deadline,
) -> Result<Gathered, LimitExceeded> {
    let mut all = parts.into_iter().reduce(together).unwrap_or_default();
    let nothing = all.nodes.len() as NodeId;
    all.nodes.push(RawNode::default());
    let mut roots = vec![nothing; states];
    for &(state, root) in &all.roots {
        roots[state as usize] = root;
    }
    let useful = useful(&all.nodes);
    for node in &mut all.nodes {
        node.kids.retain(|&(_, kid)| useful[kid as usize]);
    }
    let blocks = blocks(&all.nodes, deadline)?;
    Ok(numbered(all, &roots, &blocks))
}

/// The nodes of both.
fn together(mut all: Joined, part: Joined) -> Joined {
    let offset = all.nodes.len() as NodeId;
    let sets = part.sets.values.into_iter();
    let sets: Vec<SetId> = sets.map(|set| all.sets.intern(set)).collect();
    let nodes = part.nodes.into_iter().map(|mut node| {
        (node.sets.iter_mut()).for_each(|(_, set)| *set = sets[*set as usize]);
        (node.kids.iter_mut()).for_each(|(_, kid)| *kid += offset);
        node
    });
    all.nodes.extend(nodes);
    let roots = part.roots.into_iter();
    all.roots
        .extend(roots.map(|(state, root)| (state, root + offset)));
    all
}

/// Which nodes lead to a token at all.
fn useful(nodes: &[RawNode]) -> Vec<bool> {
    let users = users(nodes);
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

/// For each node those that lead to it.
fn users(nodes: &[RawNode]) -> Grouped {
    let edges = (0..).zip(nodes);
    let edges = edges.flat_map(|(at, node)| node.kids.iter().map(move |kid| (kid.1, at)));
    Grouped::new(nodes.len(), edges)
}

/// For each node the block of those that no walk tells apart from it.
fn blocks(nodes: &[RawNode], deadline: &Deadline) -> Result<Vec<u32>, LimitExceeded> {
    let sets = number(nodes.iter().map(|node| &node.sets));
    let sign = |node: NodeId, blocks: &[u32], words: &mut Vec<u32>| {
        let kids = nodes[node as usize].kids.iter();
        words.extend(kids.flat_map(|&(frame, kid)| [u32::from(frame), blocks[kid as usize]]));
    };
    coarsest(&sets, &users(nodes), sign, || {
        deadline.check("merging mask nodes")
    })
}

/// One node of each block, and its sets, numbered in the order in which they are met from the roots on.
fn numbered(all: Joined, roots: &[NodeId], blocks: &[u32]) -> Gathered {
    let (mut sets, mut nodes) = (all.sets.values, all.nodes);
    let mut order: Vec<NodeId> = Vec::new();
    let mut ids: Vec<Option<NodeId>> = vec![None; nodes.len()];
    let mut id_of = |node: NodeId, order: &mut Vec<NodeId>| {
        *ids[blocks[node as usize] as usize].get_or_insert_with(|| {
            order.push(node);
            order.len() as NodeId - 1
        })
    };
    let roots = roots.iter().map(|&root| id_of(root, &mut order)).collect();
    let mut set_ids: Vec<Option<SetId>> = vec![None; sets.len()];
    let mut gathered = Gathered {
        sets: Vec::new(),
        nodes: Vec::new(),
        roots,
    };
    while let Some(&at) = order.get(gathered.nodes.len()) {
        let mut node = std::mem::take(&mut nodes[at as usize]);
        for (_, set) in &mut node.sets {
            *set = *set_ids[*set as usize].get_or_insert_with(|| {
                gathered.sets.push(std::mem::take(&mut sets[*set as usize]));
                gathered.sets.len() as SetId - 1
            });
        }
        for (_, kid) in &mut node.kids {
            *kid = id_of(*kid, &mut order);
        }
        gathered.nodes.push(node);
    }
    gathered
}
