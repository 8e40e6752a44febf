//! What all parts of a walk share.

use super::frames::WalkFrames;
use super::known::KnownId;
use super::position::WalkPosition;
use super::region_walks::RegionWalks;
use super::run_exits::RunExits;
use super::subtrees::Subtrees;
use crate::mask::transitions::Table;
use crate::mask::trie::exits::RunKind;
use crate::mask::trie::{ShallowTokens, TokenTrie, TrieNodes};
use crate::pda::{Pda, StateId};

/// The table and the trie that walks read, and the lists, pieces, stacks and exits that they have
/// met.
pub struct WalkContext<'a> {
    /// The automaton's transitions.
    pub table: &'a Table,
    /// The vocabulary's trie.
    pub trie: &'a TrieNodes,
    /// Lists of trie nodes and pieces of ranks.
    pub subtrees: Subtrees<'a>,
    /// Known frames.
    pub frames: WalkFrames<'a>,
    /// The exits of runs.
    pub exits: RunExits<'a>,
    /// Walks through copied regions.
    pub regions: RegionWalks<'a>,
    /// The tokens up to each depth of the trie.
    pub shallow: &'a ShallowTokens,
}

impl<'a> WalkContext<'a> {
    /// Nothing has been walked yet.
    pub fn new(pda: &'a Pda, table: &'a Table, tokens: &'a TokenTrie) -> Self {
        WalkContext {
            table,
            trie: &tokens.nodes,
            subtrees: Subtrees::new(&tokens.nodes, &pda.classes),
            frames: WalkFrames::new(pda, &table.transitions),
            exits: RunExits::new(tokens, &table.runs.kinds),
            regions: RegionWalks::new(tokens, &table.shapes),
            shallow: &tokens.shallow,
        }
    }

    /// Whether a state takes some symbol with which runs of a kind go on.
    pub fn takes_some(&self, state: StateId, kind: &RunKind) -> bool {
        let row = self.table.transitions.row(state);
        let is_taken =
            |symbol: u8| row[self.subtrees.lists.class_of(symbol.into()) as usize].is_taken();
        (0..=u8::MAX)
            .any(|byte| (kind.has(byte) || kind.text && !byte.is_ascii()) && is_taken(byte))
    }

    /// The position after a symbol that led to a state with some known frames.
    pub fn moved(&self, at: WalkPosition, (state, known): (StateId, KnownId)) -> WalkPosition {
        WalkPosition {
            state,
            known,
            peak: at.peak.max(self.frames.known.reserved(known)),
            ..at
        }
    }

    /// The height that a token which ends here needs; `None` if no text can be finished from here.
    pub fn height(&self, at: WalkPosition) -> Option<i16> {
        let need = self.table.transitions.need(at.state)?;
        let here = self.frames.known.len(at.known) as i16 + need as i16;
        Some(at.peak.max(here))
    }
}
