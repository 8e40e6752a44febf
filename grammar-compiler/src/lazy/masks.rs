//! The walk: which tokens a situation allows.
//!
//! In: a situation and the vocabulary's trie. Out: its token mask, a bit for each id. What holds: a token is in the mask if and only if its bytes lead somewhere from the
//! situation, or the text may end there and the token ends it.

use maskwright_core::layout::END_OF_TEXT;

use super::Beyond;
use super::loops::Loops;
use super::situations::{NOWHERE, SituationId, Situations};
use crate::mask::trie::exits::{Exits, RunKind};
use crate::mask::trie::{Text, TokenTrie, TrieNode};

/// Subtrees of fewer nodes are walked node by node.
const WORTH_EXITS: u32 = 48;

/// A walk of the trie.
pub(super) struct Walk<'a> {
    trie: &'a TokenTrie,
    situations: &'a mut Situations,
    loops: &'a mut Loops,
    /// Nodes still to be visited, each with the situation at it.
    pending: Vec<(u32, SituationId)>,
    mask: &'a mut [u32],
}

impl<'a> Walk<'a> {
    /// Writes the mask of a situation.
    ///
    /// # Errors
    /// If a bound is passed; what was written does not matter then.
    pub(super) fn fill(
        trie: &'a TokenTrie,
        (situations, loops): (&'a mut Situations, &'a mut Loops),
        situation: SituationId,
        mask: &'a mut [u32],
    ) -> Result<(), Beyond> {
        mask.fill(0);
        let is_complete = situations.is_complete(situation);
        let mut walk = Walk {
            trie,
            situations,
            loops,
            pending: vec![(0, situation)],
            mask,
        };
        while let Some((node, situation)) = walk.pending.pop() {
            walk.visit(node, situation)?;
        }
        let root = trie.nodes.children(trie.nodes.children_of(0));
        let end = root.last().filter(|child| child.symbol == END_OF_TEXT);
        if let Some(end) = end.filter(|_| is_complete) {
            let end = &trie.nodes[end.node];
            walk.allow(end.first, end.own);
        }
        Ok(())
    }

    /// Allows the tokens below a node whose way ends in a child, and goes on with the children.
    fn visit(&mut self, node: u32, situation: SituationId) -> Result<(), Beyond> {
        let nodes = &self.trie.nodes;
        let here = &nodes[node];
        if here.end - node >= WORTH_EXITS
            && let Some((kind, exits)) = self.loops.of(self.situations, situation, self.trie)?
            && !(kind.text && matches!(here.text, Text::Open(..)))
        {
            let (kind, exits) = (*kind, exits.clone());
            return self.leave(node, situation, (kind, &exits));
        }
        let row = self.situations.row(situation)?;
        for child in nodes.children(nodes.children_of(node)) {
            let to = row.get(usize::from(child.symbol)).copied();
            if let Some(to) = to.filter(|&to| to != NOWHERE) {
                let below = &nodes[child.node];
                if below.end > child.node + 1 {
                    self.pending.push((child.node, to));
                }
                allow(
                    self.mask,
                    &self.trie.ids[below.first as usize..below.own as usize],
                );
            }
        }
        Ok(())
    }

    /// Allows the tokens below a node that stay in a loop, and goes on where ways leave it.
    fn leave(
        &mut self,
        node: u32,
        situation: SituationId,
        (kind, exits): (RunKind, &Exits),
    ) -> Result<(), Beyond> {
        let nodes = &self.trie.nodes;
        let top = &nodes[node];
        // What ends at the node itself was allowed where the way came to it.
        let mut from = top.own;
        if node == 0 && self.trie.twice.is_empty() {
            self.mask.copy_from_slice(&self.trie.all);
            for exit in exits.below(nodes, node, u32::MAX) {
                let here = &nodes[exit];
                self.refuse(here.first, here.last);
                self.exit(exit, here, situation, kind)?;
            }
            return Ok(());
        }
        for exit in exits.below(nodes, node, u32::MAX) {
            let here = &nodes[exit];
            self.allow(from, here.first);
            from = here.last;
            self.exit(exit, here, situation, kind)?;
        }
        self.allow(from, top.last);
        Ok(())
    }

    /// Goes on at a node whose symbol leaves a loop.
    fn exit(
        &mut self,
        exit: u32,
        here: &TrieNode,
        situation: SituationId,
        kind: RunKind,
    ) -> Result<(), Beyond> {
        if kind.refuses(here) {
            return Ok(());
        }
        let to = self
            .situations
            .row(situation)?
            .get(usize::from(here.symbol));
        if let Some(&to) = to.filter(|&&to| to != NOWHERE) {
            self.allow(here.first, here.own);
            if here.end > exit + 1 {
                self.pending.push((exit, to));
            }
        }
        Ok(())
    }

    /// Allows the tokens of a range of ranks.
    fn allow(&mut self, from: u32, to: u32) {
        allow(
            self.mask,
            &self.trie.ids[from as usize..to.max(from) as usize],
        );
    }

    /// Takes the tokens of a range of ranks out again.
    fn refuse(&mut self, from: u32, to: u32) {
        for &id in &self.trie.ids[from as usize..to as usize] {
            self.mask[id as usize / 32] &= !(1 << (id % 32));
        }
    }
}

fn allow(mask: &mut [u32], ids: &[u32]) {
    for &id in ids {
        mask[id as usize / 32] |= 1 << (id % 32);
    }
}
