//! The tokens that cross a boundary.
//!
//! In: linked parts, the trie of their vocabulary and a [`Crossing`]. Out: the ids of its tokens, ascending. The trie is walked below the crossing's prefix only, so this takes microseconds.

use maskwright_core::{Crossing, LinkedWalk, Parts};

use crate::mask::TokenTrie;
use crate::mask::trie::TrieNodes;

/// The tokens of a crossing. `named` are the tokens that some part names: they are not in the trie by their texts.
pub(crate) fn tokens<P: Parts>(
    parts: &P,
    trie: &TokenTrie,
    named: &[u32],
    crossing: &Crossing,
) -> Box<[u32]> {
    let mut found = Vec::new();
    let (token, length) = crossing.prefix();
    let text = parts.vocabulary().bytes(token);
    let prefix = text.get(..length).unwrap_or(&[]);
    if let (Some(start), Ok(walk)) = (below(&trie.nodes, prefix), LinkedWalk::new(parts, crossing))
    {
        walk_below(parts, trie, start, walk, &mut found);
    }
    let outer = parts.outer();
    found.retain(|&id| outer.is_text(id));
    if length == 0 {
        let follows = |id: &u32| {
            let walk = LinkedWalk::new(parts, crossing);
            walk.is_ok_and(|mut walk| walk.take_token(*id))
        };
        found.extend(named.iter().copied().filter(follows));
    }
    found.sort_unstable();
    found.dedup();
    found.into()
}

/// The node of a prefix.
fn below(nodes: &TrieNodes, prefix: &[u8]) -> Option<u32> {
    prefix.iter().try_fold(0, |node, &byte| {
        let children = nodes.children(nodes.children_of(node));
        let child = children
            .iter()
            .find(|child| child.symbol == u16::from(byte))?;
        Some(child.node)
    })
}

/// Adds the tokens below a node at which a walk stands.
fn walk_below<'p, P: Parts>(
    parts: &'p P,
    trie: &TokenTrie,
    start: u32,
    walk: LinkedWalk<'p, P>,
    found: &mut Vec<u32>,
) {
    // Where the walk stands at each node on the way down, and where the subtrees of these nodes end.
    let (mut walks, mut ends) = (vec![walk], Vec::new());
    let last = trie.nodes[start].end;
    let mut node = start + 1;
    while node < last {
        while ends.last().is_some_and(|&end| end <= node) {
            ends.pop();
        }
        let here = &trie.nodes[node];
        let depth = ends.len();
        if walks.len() == depth + 1 {
            walks.push(LinkedWalk::nowhere(parts));
        }
        let (before, behind) = walks.split_at_mut(depth + 1);
        let (Some(above), Some(next)) = (before.last(), behind.first_mut()) else {
            return;
        };
        next.copy_from(above);
        let byte = u8::try_from(here.symbol).ok();
        if !byte.is_some_and(|byte| next.step(byte)) {
            node = here.end;
            continue;
        }
        if here.first < here.own && next.can_end() {
            found.extend(&trie.ids[here.first as usize..here.own as usize]);
        }
        ends.push(here.end);
        node += 1;
    }
}
