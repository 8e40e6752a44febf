//! Facts about a vocabulary that are found out ahead: where tokens leave runs, and with which
//! suffixes.
//!
//! In: a prepared vocabulary. Out: [`LazyVocabulary`], which all matchers share. It has a
//! [`KnownRun`] for each kind of run with which a text has gone on, and for those that walks have
//! met more than once. What holds: in a run, tokens with the same suffix are all allowed or all
//! refused. So a walk over the suffixes, some hundreds for a JSON string, takes the place of a walk
//! over the vocabulary.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use maskwright_core::layout::END_OF_TEXT;

use super::characters::Characters;
use super::room::Room;
use super::suffix_trie::SuffixTrie;
use crate::compile::{Compiler, PreparedVocabulary};
use crate::mask::trie::TokenTrie;
use crate::mask::trie::exits::{Exits, RunKind};
use crate::vocabulary::VocabularyError;

/// The most kinds of runs that are known. One takes a megabyte if many tokens leave it.
const MAX_KNOWN: usize = 32;
/// The most kinds that are remembered because they were met once.
const MAX_MET: usize = 256;
/// Suffixes are collected only for kinds whose runs at most so many tokens leave.
const MAX_LEAVING: u32 = 1 << 13;

/// A prepared vocabulary with the facts that the first tier has found out about it.
#[derive(Debug)]
pub struct LazyVocabulary {
    compiler: Compiler,
    prepared: Arc<PreparedVocabulary>,
    /// Whether there is a token for each single byte. Then tokens can finish whatever bytes can
    /// finish.
    pub(super) spells_all_bytes: bool,
    pub(super) characters: Characters,
    kinds: Mutex<Kinds>,
    /// What matchers may hold.
    pub(super) room: Arc<Room>,
}

/// Kinds of runs. Both lists begin with the kind that was used last.
#[derive(Debug, Default)]
struct Kinds {
    known: Vec<Arc<KnownRun>>,
    /// Kinds that were met once.
    met: VecDeque<RunKind>,
}

/// A kind of run in a vocabulary.
#[derive(Debug)]
pub(super) struct KnownRun {
    pub(super) kind: RunKind,
    pub(super) exits: Exits,
    /// See [`KnownRun::suffixes`].
    suffixes: OnceLock<Option<Suffixes>>,
}

/// The tokens that leave runs of a kind, by what they have from the byte on that leaves it.
#[derive(Debug)]
pub(super) struct Suffixes {
    /// The mask of the tokens that stay in the run.
    pub(super) inside: Vec<u32>,
    pub(super) trie: SuffixTrie,
    /// The bytes that leave the run.
    pub(super) leaving: Vec<u8>,
}

impl LazyVocabulary {
    /// The vocabulary of a compiler, before any kind of run has been met, with room for so many
    /// bytes of matchers.
    ///
    /// # Errors
    /// If the compiler's vocabulary was read from tables that it does not pack.
    pub(super) fn without_runs(
        compiler: &Compiler,
        most: usize,
    ) -> Result<Arc<Self>, VocabularyError> {
        let prepared = compiler.prepared()?;
        Ok(Arc::new(LazyVocabulary {
            spells_all_bytes: spells_all_bytes(prepared),
            characters: Characters::new(prepared.trie()),
            prepared: prepared.clone(),
            compiler: compiler.clone(),
            kinds: Mutex::default(),
            room: Room::of(most),
        }))
    }

    /// The bytes that all matchers hold now.
    pub(crate) fn matcher_bytes(&self) -> usize {
        self.room.bytes()
    }

    /// The number of matchers.
    pub(crate) fn matchers(&self) -> usize {
        self.room.matchers()
    }

    /// The compiler for the same vocabulary.
    pub fn compiler(&self) -> &Compiler {
        &self.compiler
    }

    /// The prepared vocabulary.
    #[doc(hidden)]
    pub fn prepared(&self) -> &Arc<PreparedVocabulary> {
        &self.prepared
    }

    /// The facts about a kind of run. Unless they are wanted at once, there are none when a kind is
    /// met for the first time: within a walk many kinds are met that never come again. Kinds that
    /// have not been met for long are forgotten, so that there is room for others. There are none
    /// either for a kind that most nodes of the trie leave: a walk passes few nodes there, and the
    /// facts would take milliseconds.
    pub(super) fn run(&self, kind: RunKind, at_once: bool) -> Option<Arc<KnownRun>> {
        let lock = || self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        let mut kinds = lock();
        if let Some(known) = kinds.known(kind) {
            return Some(known);
        }
        if !kinds.met_before(kind) && !at_once {
            return None;
        }
        drop(kinds);
        let trie = self.prepared.trie();
        if Exits::count(&trie.nodes, kind) > trie.nodes.len() / 2 {
            return None;
        }
        let exits = trie.exits.of(&trie.nodes, kind);
        let known = Arc::new(KnownRun {
            suffixes: OnceLock::new(),
            kind,
            exits,
        });
        // Another thread may have found it meanwhile.
        let mut kinds = lock();
        Some(kinds.known(kind).unwrap_or_else(|| {
            kinds.met.retain(|&met| met != kind);
            kinds.known.truncate(MAX_KNOWN - 1);
            kinds.known.insert(0, known.clone());
            known
        }))
    }
}

impl KnownRun {
    /// The suffixes of the tokens that leave runs of the kind; `None` if these are too many. They
    /// are found out when a mask first needs them.
    pub(super) fn suffixes(&self, trie: &TokenTrie) -> Option<&Suffixes> {
        let found = || Suffixes::new(trie, self.kind, &self.exits);
        self.suffixes.get_or_init(found).as_ref()
    }

    /// These suffixes, if some mask has needed them.
    pub(super) fn known_suffixes(&self) -> Option<&Suffixes> {
        self.suffixes.get()?.as_ref()
    }
}

impl Kinds {
    /// The facts about a kind, which becomes the kind used last.
    fn known(&mut self, kind: RunKind) -> Option<Arc<KnownRun>> {
        let at = self.known.iter().position(|known| known.kind == kind)?;
        self.known[..=at].rotate_right(1);
        self.known.first().cloned()
    }

    /// Remembers that a kind has been met. Returns whether it had been met before.
    fn met_before(&mut self, kind: RunKind) -> bool {
        let is_met = self.met.contains(&kind);
        if !is_met {
            self.met.truncate(MAX_MET - 1);
            self.met.push_front(kind);
        }
        is_met
    }
}

impl Suffixes {
    /// The suffixes of a kind; `None` if too many tokens leave its runs.
    fn new(trie: &TokenTrie, kind: RunKind, exits: &Exits) -> Option<Self> {
        // A token that stays by one of its ranks and leaves by the other is in no one set.
        if !trie.twice.is_empty() {
            return None;
        }
        let nodes = &trie.nodes;
        let is_text = |exit: &u32| {
            let here = &nodes[*exit];
            !kind.refuses(here) && here.symbol != END_OF_TEXT
        };
        let leaving = exits.below(nodes, 0, u32::MAX).filter(is_text);
        let leaving = leaving.map(|exit| nodes[exit].last - nodes[exit].first);
        if leaving.sum::<u32>() > MAX_LEAVING {
            return None;
        }
        let mut inside = trie.all.clone();
        let mut tops = Vec::new();
        for exit in exits.below(nodes, 0, u32::MAX) {
            let here = &nodes[exit];
            for &id in &trie.ids[here.first as usize..here.last as usize] {
                inside[id as usize / 32] &= !(1 << (id % 32));
            }
            if is_text(&exit) {
                tops.push((exit, nodes[0].steps_to(here)));
            }
        }
        let goes_on = |byte: u8| kind.has(byte) || kind.text && byte >= 0x80;
        Some(Suffixes {
            inside,
            trie: SuffixTrie::new(trie, tops),
            leaving: (0..=255).filter(|&byte| !goes_on(byte)).collect(),
        })
    }
}

fn spells_all_bytes(vocabulary: &PreparedVocabulary) -> bool {
    let nodes = &vocabulary.trie().nodes;
    let bytes = nodes.children(nodes.children_of(0)).iter();
    let bytes = bytes.filter(|child| child.symbol < END_OF_TEXT);
    let alone = bytes.filter(|child| nodes[child.node].first < nodes[child.node].own);
    alone.count() == 256
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::Vocabulary;

    /// However many kinds have been met, a new one is known when it is met again, and one that is
    /// in use stays known.
    #[test]
    fn kinds_are_learnt_after_many_others() {
        let tokens = (0..=255u8)
            .map(|byte| vec![byte])
            .chain([b"ab".to_vec(), vec![]]);
        let vocabulary = Vocabulary::from_tokens(tokens.collect(), vec![257]);
        let compiler = Compiler::new(&vocabulary).expect("the vocabulary is fine");
        let words = LazyVocabulary::new(&compiler).expect("the vocabulary is fine");
        let kind = |number: u64| RunKind {
            bytes: [number << 32 | 0xFFFF_FFFF, u64::MAX, u64::MAX, 0],
            text: false,
        };
        assert!(words.run(kind(0), false).is_none() && words.run(kind(0), false).is_some());
        for number in 1..1000 {
            assert!(words.run(kind(number), false).is_none());
            if number % 3 == 0 {
                let known = words.run(kind(number), false);
                assert_eq!(known.map(|known| known.kind), Some(kind(number)));
            }
            assert!(words.run(kind(0), false).is_some());
        }
        let kinds = words.kinds.lock().expect("no thread has panicked");
        assert_eq!(kinds.known.len(), MAX_KNOWN);
        assert!(kinds.met.len() <= MAX_MET);
    }
}
