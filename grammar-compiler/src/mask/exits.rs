//! Where tokens leave a run.
//!
//! In: the trie and a [`Kind`] of run. Out: [`Exits`]: the nodes whose symbols no run of that kind goes on with. All that lies
//! below a node and not below one of these stays in the run, so a walk visits the exits only: in the string of a JSON text a
//! twentieth of the vocabulary's trie.

use std::sync::{Arc, Mutex, PoisonError};

use maskwright_core::layout::END_OF_TEXT;

use super::trie::{BEYOND_ASCII, BROKEN, Text, TokenTrie, TrieNode};

/// What a run goes on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kind {
    /// These bytes.
    pub bytes: [u64; 4],
    /// And all characters beyond ASCII, in UTF-8.
    pub text: bool,
}

/// Kinds of fewer bytes have too many exits.
const WIDE: u32 = 24;

impl Kind {
    /// Whether it is worth while to look for exits.
    pub fn is_wide(&self) -> bool {
        count(&self.bytes) >= WIDE
    }

    /// Whether a run goes on with the byte alone.
    pub fn has(&self, byte: u8) -> bool {
        self.bytes[byte as usize / 64] >> (byte % 64) & 1 == 1
    }

    /// Whether nothing goes on with a node's symbol where a run of this kind has come to it: it is not text.
    pub fn refuses(&self, node: &TrieNode) -> bool {
        self.text && node.text == Text::Broken && node.symbol != END_OF_TEXT
    }

    /// Whether a run does not go on with a byte or a character.
    fn leaves(&self, symbol: u16) -> bool {
        match u8::try_from(symbol) {
            Ok(byte) => !self.has(byte),
            Err(_) => symbol != BEYOND_ASCII,
        }
    }
}

/// The number of bytes in a set.
pub fn count(bytes: &[u64; 4]) -> u32 {
    bytes.iter().map(|word| word.count_ones()).sum()
}

/// The exits of the kinds of runs that walks have met: they depend on nothing but the trie, and most grammars have the same few kinds.
#[derive(Clone, Debug, Default)]
pub struct ExitsOfKinds(Arc<Mutex<Vec<(Kind, Exits)>>>);

/// The exits of so many kinds are kept.
const MAX_KEPT: usize = 16;

impl ExitsOfKinds {
    /// The exits of a kind, if they are known.
    pub fn known(&self, kind: Kind) -> Option<Exits> {
        // Whatever happened elsewhere, what is there is whole.
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|of| of.0 == kind)?;
        // Those met last come first.
        kept[..=at].rotate_right(1);
        Some(kept[0].1.clone())
    }

    /// The exits of a kind in `trie`, which is the one that these are kept for.
    pub fn of(&self, trie: &TokenTrie, kind: Kind) -> Exits {
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

/// The nodes with symbols that a run does not go on with, ascending. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Exits {
    nodes: Arc<[u32]>,
    /// For each the first one that does not lie below it.
    next: Arc<[u32]>,
    /// A bit for each node that is one, and for each word of these how many there are before it.
    bits: Arc<[(u64, u32)]>,
}

impl Exits {
    /// The exits of all runs of one kind, in time linear in their number.
    pub fn new(trie: &TokenTrie, kind: Kind) -> Self {
        let of_symbol = match kind.text {
            true => &trie.characters,
            false => &trie.symbols,
        };
        let mut bits: Vec<(u64, u32)> = vec![(0, 0); trie.nodes.len() / 64 + 1];
        for symbol in (0..=BROKEN).filter(|&symbol| kind.leaves(symbol)) {
            let nodes = of_symbol.of(symbol.into()).iter();
            nodes.for_each(|&node| bits[node as usize / 64].0 |= 1 << (node % 64));
        }
        let mut nodes: Vec<u32> = Vec::new();
        for (first, (word, before)) in (0..).step_by(64).zip(&mut bits) {
            *before = nodes.len() as u32;
            let mut left = *word;
            while left != 0 {
                nodes.push(first + left.trailing_zeros());
                left &= left - 1;
            }
        }
        let mut next = vec![0; nodes.len()];
        let mut open: Vec<usize> = Vec::new();
        for (at, &node) in nodes.iter().enumerate() {
            while let Some(&above) = open.last() {
                if trie.nodes[nodes[above] as usize].end > node {
                    break;
                }
                next[above] = at as u32;
                open.pop();
            }
            open.push(at);
        }
        open.iter().for_each(|&at| next[at] = nodes.len() as u32);
        Exits {
            nodes: nodes.into(),
            next: next.into(),
            bits: bits.into(),
        }
    }

    /// How many exits there are up to a node, itself included.
    fn up_to(&self, node: u32) -> usize {
        let (word, before) = self.bits[node as usize / 64];
        let upper = 63 - node % 64;
        before as usize + (word << upper).count_ones() as usize
    }

    /// The nodes below `node` that lie one step beyond a run of so many, ascending.
    pub fn beyond<'a>(&self, trie: &'a TokenTrie, node: u32, length: u32) -> &'a [u32] {
        let top = &trie.nodes[node as usize];
        let depth = u32::from(top.depth).checked_add(length);
        let all = depth.and_then(|depth| trie.by_depth.get(depth as usize + 1));
        all.map_or(&[][..], |all| {
            let all = &all[all.partition_point(|&n| n <= node)..];
            &all[..lower(all, top.end)]
        })
    }

    /// Those of some nodes below `node`, ascending, to which a run leads.
    pub fn along(&self, trie: &TokenTrie, node: u32, below: &[u32], mut visit: impl FnMut(u32)) {
        let mut at = self.up_to(node);
        let mut past = 0;
        for &below in below {
            while let Some(&exit) = self.nodes.get(at).filter(|&&exit| exit <= below) {
                past = trie.nodes[exit as usize].end;
                at = self.next[at] as usize;
            }
            if below >= past {
                visit(below);
            }
        }
    }

    /// The places where ways from `node` leave a run of at most so many steps first, ascending.
    pub fn below<'a>(&'a self, trie: &'a TokenTrie, node: u32, length: u32) -> Below<'a> {
        let top = &trie.nodes[node as usize];
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

/// How many of some nodes, ascending, lie before another one: a few, mostly.
fn lower(nodes: &[u32], past: u32) -> usize {
    let mut reach = 8;
    while nodes.get(reach).is_some_and(|&node| node < past) {
        reach *= 4;
    }
    let from = if reach > 8 { reach / 4 } else { 0 };
    let near = &nodes[from..nodes.len().min(reach)];
    from + near.partition_point(|&node| node < past)
}

/// See [`Exits::below`].
pub struct Below<'a> {
    exits: &'a Exits,
    trie: &'a TokenTrie,
    at: usize,
    end: u32,
    /// What lies one step beyond the run, and has not been passed.
    over: &'a [u32],
}

impl Iterator for Below<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let all = &self.exits.nodes;
        let exit = all.get(self.at).copied().filter(|&n| n < self.end);
        let Some(&over) = self.over.first() else {
            self.at = exit.map_or(self.at, |_| self.exits.next[self.at] as usize);
            return exit;
        };
        let node = exit.map_or(over, |exit| exit.min(over));
        let past = self.trie.nodes[node as usize].end;
        if Some(node) == exit {
            self.at = self.exits.next[self.at] as usize;
        } else {
            self.at = self.exits.up_to(past - 1);
        }
        let covered = self.over.iter().take_while(|&&n| n < past).count();
        self.over = &self.over[covered..];
        Some(node)
    }
}

#[cfg(test)]
mod tests {
    use super::{Exits, Kind};
    use crate::mask::trie::{Text, TokenTrie};
    use crate::vocabulary::Vocabulary;
    use proptest::prelude::*;

    /// Where ways leave a run, node by node: with the steps along it, or none for what is not text.
    fn leave(
        trie: &TokenTrie,
        kind: Kind,
        length: u32,
        (node, text, steps): (u32, Text, u32),
        out: &mut Vec<(u32, Option<u32>)>,
    ) {
        let (from, to) = trie.children_of(node);
        for child in &trie.children[from as usize..to as usize] {
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
            let mut kind = Kind { bytes: [0; 4], text };
            bytes.iter().for_each(|&b| kind.bytes[b as usize / 64] |= 1 << (b % 64));
            let eos = tokens.len() as u32 - 1;
            let trie = TokenTrie::new(&Vocabulary::from_tokens(tokens, vec![eos]));
            let exits = Exits::new(&trie, kind);
            for (node, top) in (0..).zip(&trie.nodes) {
                if matches!(top.text, Text::Open(..)) {
                    continue;
                }
                let mut expected = Vec::new();
                leave(&trie, kind, length, (node, Text::Closed, 0), &mut expected);
                let found = exits.below(&trie, node, length).map(|exit| {
                    let here = &trie.nodes[exit as usize];
                    (exit, (!kind.refuses(here)).then(|| top.steps_to(here)))
                });
                prop_assert_eq!(found.collect::<Vec<_>>(), expected);
            }
        }

        #[test]
        fn text_is_utf_8(bytes in tokens().prop_map(|tokens| tokens.concat())) {
            let mut text = Text::Closed;
            for (at, &byte) in bytes.iter().enumerate() {
                text = text.then(byte.into());
                let error = std::str::from_utf8(&bytes[..=at]).err();
                let expected = match error {
                    None => text == Text::Closed,
                    Some(error) if error.error_len().is_some() => text == Text::Broken,
                    Some(_) => matches!(text, Text::Open(..)),
                };
                prop_assert!(expected, "{text:?} after {:?}", &bytes[..=at]);
                if text == Text::Broken {
                    break;
                }
            }
        }
    }
}
