//! Exits: the trie nodes at which tokens leave a run.
//!
//! In: the trie and a [`RunKind`]. Out: [`Exits`]: the nodes whose symbols a run of that kind does
//! not go on with. Everything below a node that is not below one of its exits stays in the run, so
//! a walk visits exits only: within a JSON string a twentieth of the vocabulary's trie.
//!
//! Worth (`docs/ablation.md`): without exits, and so without default transitions and regions, a
//! compile takes 79 % longer at the median. To keep exits for other grammars gains only in
//! processes that compile many small ones.

use std::sync::{Arc, Mutex, PoisonError};

use maskwright_core::layout::END_OF_TEXT;

use super::nodes::{TrieNode, TrieNodes};
use super::text::{BEYOND_ASCII, BROKEN, Text};

/// The bytes and characters that a run goes on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RunKind {
    /// These bytes.
    pub bytes: [u64; 4],
    /// Whether it goes on with all characters beyond ASCII, in UTF-8.
    pub text: bool,
}

/// Kinds of fewer bytes than this have too many exits.
const WIDE: u32 = 24;

impl RunKind {
    /// Whether exits of runs of this kind are worth finding.
    pub fn is_wide(&self) -> bool {
        count(&self.bytes) >= WIDE
    }

    /// Whether a run goes on with the byte alone.
    pub fn has(&self, byte: u8) -> bool {
        self.bytes[byte as usize / 64] >> (byte % 64) & 1 == 1
    }

    /// Whether a node's symbol is refused wherever a run of this kind has come to it: no text has
    /// it there.
    pub fn refuses(&self, node: &TrieNode) -> bool {
        self.text && node.text == Text::Broken && node.symbol != END_OF_TEXT
    }

    /// Whether a run does not go on with a symbol.
    fn leaves(&self, symbol: u16) -> bool {
        match u8::try_from(symbol) {
            Ok(byte) => !self.has(byte),
            Err(_) => symbol != BEYOND_ASCII,
        }
    }
}

/// The number of bytes of a set.
pub fn count(bytes: &[u64; 4]) -> u32 {
    bytes.iter().map(|word| word.count_ones()).sum()
}

/// The exits of the kinds that walks have met. They depend on nothing but the trie, and most
/// grammars have the same few kinds.
#[derive(Clone, Debug, Default)]
pub struct KeptExits(Arc<Mutex<Vec<(RunKind, Exits)>>>);

/// The number of kinds whose exits are kept.
const MAX_KEPT: usize = 16;

impl KeptExits {
    /// The exits of a kind, if some walk has found them.
    pub fn known(&self, kind: RunKind) -> Option<Exits> {
        // The list is consistent even if another thread has panicked.
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|of| of.0 == kind)?;
        // The kind met last comes first.
        kept[..=at].rotate_right(1);
        Some(kept[0].1.clone())
    }

    /// The exits of a kind in `trie`, which is the trie that these are kept for.
    pub fn of(&self, trie: &TrieNodes, kind: RunKind) -> Exits {
        if let Some(known) = self.known(kind) {
            return known;
        }
        let exits = Exits::new(trie, kind);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have found them meanwhile.
        if kept.iter().all(|of| of.0 != kind) {
            kept.truncate(MAX_KEPT - 1);
            kept.insert(0, (kind, exits.clone()));
        }
        exits
    }
}

/// The nodes with which runs of a kind do not go on, for each symbol.
fn leaving(trie: &TrieNodes, kind: RunKind) -> impl Iterator<Item = &[u32]> {
    let symbols = (0..=BROKEN).filter(move |&symbol| kind.leaves(symbol));
    symbols.map(move |symbol| match kind.text {
        true => trie.of_character(symbol),
        false => trie.of_symbol(symbol),
    })
}

/// The nodes whose symbols a run does not go on with, ascending. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Exits {
    nodes: Arc<[u32]>,
    /// A bit for each node that is an exit, and for each word of these bits the number of exits
    /// before it.
    bits: Arc<[(u64, u32)]>,
}

impl Exits {
    /// The number of exits of runs of a kind.
    pub fn count(trie: &TrieNodes, kind: RunKind) -> usize {
        leaving(trie, kind).map(<[u32]>::len).sum()
    }

    /// Finds the exits of runs of a kind, in time linear in their number.
    pub fn new(trie: &TrieNodes, kind: RunKind) -> Self {
        let mut bits: Vec<(u64, u32)> = vec![(0, 0); trie.len() / 64 + 1];
        for &node in leaving(trie, kind).flatten() {
            bits[node as usize / 64].0 |= 1 << (node % 64);
        }
        let mut nodes: Vec<u32> = Vec::with_capacity(Exits::count(trie, kind));
        for (first, (word, before)) in (0..).step_by(64).zip(&mut bits) {
            *before = nodes.len() as u32;
            let mut left = *word;
            while left != 0 {
                nodes.push(first + left.trailing_zeros());
                left &= left - 1;
            }
        }
        Exits {
            nodes: nodes.into(),
            bits: bits.into(),
        }
    }

    /// The number of exits up to a node, the node included.
    fn up_to(&self, node: u32) -> usize {
        let (word, before) = self.bits[node as usize / 64];
        let upper = 63 - node % 64;
        before as usize + (word << upper).count_ones() as usize
    }

    /// The place of the first exit that does not lie below `exit`, which has the place `at`. Most
    /// exits have nothing below them.
    fn after(&self, trie: &TrieNodes, at: usize, exit: u32) -> usize {
        match trie[exit].end {
            end if end == exit + 1 => at + 1,
            end => self.up_to(end - 1),
        }
    }

    /// Whether a node is an exit.
    pub fn has(&self, node: u32) -> bool {
        self.bits[node as usize / 64].0 >> (node % 64) & 1 == 1
    }

    /// Whether exits lie behind a node and before `end`.
    pub fn are_below(&self, node: u32, end: u32) -> bool {
        self.up_to(end - 1) > self.up_to(node)
    }

    /// The nodes below `node` that lie one step beyond a run of `length` steps, ascending.
    pub fn beyond<'a>(&self, trie: &'a TrieNodes, node: u32, length: u32) -> &'a [u32] {
        let top = &trie[node];
        // Mostly no token is so long.
        if u32::from(top.length) <= length {
            return &[];
        }
        let depth = u32::from(top.depth).checked_add(length);
        depth.map_or(&[][..], |depth| {
            let all = trie.at_depth(depth as usize + 1);
            let all = &all[all.partition_point(|&n| n <= node)..];
            &all[..lower(all, top.end)]
        })
    }

    /// Calls `visit` with each node of `below` that a run leads to from `node`. The nodes of
    /// `below` are ascending, and lie below `node`.
    pub fn along(&self, trie: &TrieNodes, node: u32, below: &[u32], mut visit: impl FnMut(u32)) {
        if below.is_empty() {
            return;
        }
        let mut at = self.up_to(node);
        let mut past = 0;
        for &below in below {
            while let Some(&exit) = self.nodes.get(at).filter(|&&exit| exit <= below) {
                past = trie[exit].end;
                at = self.after(trie, at, exit);
            }
            if below >= past {
                visit(below);
            }
        }
    }

    /// The nodes at which ways from `node` first leave a run of at most `length` steps, ascending.
    pub fn below<'a>(&'a self, trie: &'a TrieNodes, node: u32, length: u32) -> Below<'a> {
        let top = &trie[node];
        let over = self.beyond(trie, node, length);
        Below {
            exits: self,
            trie,
            at: self.up_to(node),
            end: top.end,
            over,
        }
    }
}

/// The number of ascending nodes that lie before another node. Mostly they are few.
fn lower(nodes: &[u32], past: u32) -> usize {
    let mut reach = 8;
    while nodes.get(reach).is_some_and(|&node| node < past) {
        reach *= 4;
    }
    let from = if reach > 8 { reach / 4 } else { 0 };
    let around = &nodes[from..nodes.len().min(reach)];
    from + around.partition_point(|&node| node < past)
}

/// See [`Exits::below`].
pub struct Below<'a> {
    exits: &'a Exits,
    trie: &'a TrieNodes,
    at: usize,
    end: u32,
    /// The nodes one step beyond the run that have not been passed.
    over: &'a [u32],
}

impl Iterator for Below<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let all = &self.exits.nodes;
        let exit = all.get(self.at).copied().filter(|&n| n < self.end);
        let Some(&over) = self.over.first() else {
            let next = exit.map(|exit| self.exits.after(self.trie, self.at, exit));
            self.at = next.unwrap_or(self.at);
            return exit;
        };
        let node = exit.map_or(over, |exit| exit.min(over));
        let past = self.trie[node].end;
        if Some(node) == exit {
            self.at = self.exits.after(self.trie, self.at, node);
        } else {
            self.at = self.exits.up_to(past - 1);
        }
        let passed = self.over.iter().take_while(|&&n| n < past).count();
        self.over = &self.over[passed..];
        Some(node)
    }
}

#[cfg(test)]
mod tests {
    use super::{Exits, RunKind, Text, TrieNodes};
    use proptest::prelude::*;

    /// Where ways leave a run, found node by node: with the steps along it, or none for symbols
    /// that no text has.
    fn leave(
        trie: &TrieNodes,
        kind: RunKind,
        length: u32,
        (node, text, steps): (u32, Text, u32),
        out: &mut Vec<(u32, Option<u32>)>,
    ) {
        for child in trie.children(trie.children_of(node)) {
            let then = text.then(child.symbol);
            let byte = u8::try_from(child.symbol).ok();
            if kind.text && then == Text::Broken && byte.is_some() {
                out.push((child.node, None));
                continue;
            }
            let goes_on = byte.is_some_and(|byte| kind.has(byte) || kind.text && byte >= 0x80);
            let begins = !kind.text || !matches!(byte, Some(0x80..=0xBF));
            if !goes_on || begins && steps == length {
                out.push((child.node, Some(steps)));
                continue;
            }
            let steps = steps + u32::from(begins);
            leave(trie, kind, length, (child.node, then, steps), out);
        }
    }

    fn tokens() -> impl Strategy<Value = Vec<Vec<u8>>> {
        let byte =
            proptest::sample::select(b"aab\"\n\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80".to_vec());
        let text = proptest::sample::select(vec!["a", "b", "\"", "é", "中", "😀", "\u{7FF}"]);
        let text =
            proptest::collection::vec(text, 0..6).prop_map(|parts| parts.concat().into_bytes());
        let token = prop_oneof![proptest::collection::vec(byte, 0..7), text];
        proptest::collection::vec(token, 1..60)
    }

    proptest! {
        #[test]
        fn exits_are_where_runs_end(
            tokens in tokens(),
            bytes in proptest::collection::vec(proptest::sample::select(b"ab\n".to_vec()), 1..4),
            text in any::<bool>(),
            length in prop_oneof![1u32..4, Just(u32::MAX)],
        ) {
            let mut kind = RunKind { bytes: [0; 4], text };
            bytes.iter().for_each(|&b| kind.bytes[b as usize / 64] |= 1 << (b % 64));
            let mut tokens = tokens;
            tokens.retain(|token| !token.is_empty());
            tokens.sort_unstable();
            let trie = TrieNodes::new(tokens.iter().map(Vec::as_slice), None, 1);
            let exits = Exits::new(&trie, kind);
            for (node, top) in (0..).zip(trie.iter()) {
                if matches!(top.text, Text::Open(..)) {
                    continue;
                }
                let mut expected = Vec::new();
                leave(&trie, kind, length, (node, Text::Closed, 0), &mut expected);
                let found = exits.below(&trie, node, length).map(|exit| {
                    let here = &trie[exit];
                    (exit, (!kind.refuses(here)).then(|| top.steps_to(here)))
                });
                prop_assert_eq!(found.collect::<Vec<_>>(), expected);
            }
        }
    }
}
