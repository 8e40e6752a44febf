//! Bytes that leave a situation as it is.
//!
//! In: a situation. Out: the kind of its loop, if it is wide, with the [`Exits`] of that kind in the vocabulary's trie. What holds: a string of what the kind has leads from the
//! situation back to it, so that a walk visits exits only. In free text that is most of the vocabulary; the exits of a kind are kept with the vocabulary.

use rustc_hash::FxHashMap as HashMap;

use super::Beyond;
use super::situations::{NOWHERE, SituationId, Situations};
use crate::mask::trie::exits::{Exits, RunKind};
use crate::mask::trie::{Text, TokenTrie};

/// Kinds of loops whose exits are found for one matcher, at most: finding them takes as long as some masks.
const MAX_KINDS: usize = 16;

/// The loops of situations.
#[derive(Clone, Debug, Default)]
pub(super) struct Loops {
    /// For each situation the number of its kind, if its loop is wide.
    of_situation: HashMap<SituationId, Option<usize>>,
    kinds: Vec<(RunKind, Exits)>,
    /// Where all characters beyond ASCII lead to.
    leads: HashMap<(SituationId, Text), Option<SituationId>>,
}

impl Loops {
    /// The loop of a situation, if it is wide.
    ///
    /// # Errors
    /// If a bound is passed.
    pub(super) fn of(
        &mut self,
        situations: &mut Situations,
        situation: SituationId,
        trie: &TokenTrie,
    ) -> Result<Option<&(RunKind, Exits)>, Beyond> {
        let known = match self.of_situation.get(&situation) {
            Some(&known) => known,
            None => {
                let found = self.find(situations, situation, trie)?;
                self.of_situation.insert(situation, found);
                found
            }
        };
        Ok(known.and_then(|kind| self.kinds.get(kind)))
    }

    fn find(
        &mut self,
        situations: &mut Situations,
        situation: SituationId,
        trie: &TokenTrie,
    ) -> Result<Option<usize>, Beyond> {
        let row = situations.row(situation)?;
        let mut bytes = [0; 4];
        for byte in (0..256).filter(|&byte| row[byte] == situation) {
            bytes[byte / 64] |= 1 << (byte % 64);
        }
        let mut kind = RunKind { bytes, text: false };
        if !kind.is_wide() {
            return Ok(None);
        }
        if bytes[2] | bytes[3] == 0 {
            let lead = self.lead(situations, situation, Text::Closed)?;
            kind.text = lead == Some(situation);
        }
        let known = self.kinds.iter().position(|known| known.0 == kind);
        if known.is_some() || self.kinds.len() >= MAX_KINDS {
            return Ok(known);
        }
        self.kinds.push((kind, trie.exits.of(&trie.nodes, kind)));
        Ok(Some(self.kinds.len() - 1))
    }

    /// Where every character beyond ASCII leads, or every end of one, if it is the same for all and nothing else begins with their bytes.
    fn lead(
        &mut self,
        situations: &mut Situations,
        situation: SituationId,
        text: Text,
    ) -> Result<Option<SituationId>, Beyond> {
        if let Some(&known) = self.leads.get(&(situation, text)) {
            return Ok(known);
        }
        let row = *situations.row(situation)?;
        let first = if text == Text::Closed { 0x80 } else { 0 };
        let mut lead = None;
        let mut before = None;
        for byte in first..=0xFF_u8 {
            let (to, then) = (row[usize::from(byte)], text.then(byte.into()));
            if before.replace((to, then)) == Some((to, then)) {
                continue;
            }
            let of_byte = match then {
                Text::Broken if to == NOWHERE => continue,
                Text::Closed if to != NOWHERE => Some(to),
                Text::Open(..) if to != NOWHERE => self.lead(situations, to, then)?,
                _ => None,
            };
            if of_byte.is_none() || lead.is_some_and(|lead| Some(lead) != of_byte) {
                lead = None;
                break;
            }
            lead = of_byte;
        }
        self.leads.insert((situation, text), lead);
        Ok(lead)
    }
}
