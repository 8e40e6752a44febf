//! Regions: situations among which all plain text leads, though it does not leave them as they are.
//!
//! In: a situation. Out: its region, by the [kind](RunKind) of text that leads from each situation of the region to another one of it. What holds: a token of such text is
//! allowed in each of these situations, whichever of them it passes. So a walk has to follow only the tokens that leave the region.
//!
//! A pattern that may match anywhere in a string makes regions: how much of it has matched differs from letter to letter, while every text can go on.

use std::sync::Arc;

use super::Beyond;
use super::runs::Runs;
use super::situations::{NOWHERE, Row, SituationId, Situations};
use super::vocabulary::{KnownRun, LazyVocabulary};
use crate::mask::trie::Text;
use crate::mask::trie::exits::RunKind;

/// The most situations of a region.
const MAX_MEMBERS: usize = 64;

/// The fewest bytes of ASCII that lead on from each situation of a region.
const LEAST_BYTES: u32 = 64;

impl Runs {
    /// What is known of the text that stays in the region of a situation, if it has one and tokens that leave it are known by their suffixes.
    ///
    /// # Errors
    /// If a bound is passed.
    pub(super) fn region(
        &mut self,
        situations: &mut Situations,
        first: SituationId,
        vocabulary: &LazyVocabulary,
    ) -> Result<Option<Arc<KnownRun>>, Beyond> {
        let Some(bytes) = self.closed(situations, first)? else {
            return Ok(None);
        };
        let kind = RunKind {
            bytes: [bytes as u64, (bytes >> 64) as u64, 0, 0],
            text: true,
        };
        let known = self.known(kind, true, vocabulary);
        let trie = vocabulary.prepared().trie();
        Ok(known.filter(|known| known.suffixes(trie).is_some()))
    }

    /// The bytes of ASCII with which, and with characters beyond, no text leaves the situations that it leads to from a situation.
    fn closed(
        &mut self,
        situations: &mut Situations,
        first: SituationId,
    ) -> Result<Option<u128>, Beyond> {
        let mut bytes = u128::MAX;
        let mut members = vec![first];
        let mut at = 0;
        while let Some(&member) = members.get(at) {
            at += 1;
            let Some(beyond) = self.lead(situations, member, Text::Closed)? else {
                return Ok(None);
            };
            let row = *situations.row(member)?;
            let mut targets = vec![beyond];
            for byte in 0..128_u8 {
                let to = row[usize::from(byte)];
                let is_member = members.contains(&to) || targets.contains(&to);
                if bytes >> byte & 1 == 0 || is_member {
                    continue;
                }
                if to != NOWHERE && is_wide(situations.row(to)?) {
                    targets.push(to);
                } else {
                    bytes &= !(1 << byte);
                }
            }
            if bytes.count_ones() < LEAST_BYTES {
                return Ok(None);
            }
            targets.retain(|to| !members.contains(to));
            members.extend(targets);
            if members.len() > MAX_MEMBERS {
                return Ok(None);
            }
        }
        Ok(Some(bytes))
    }
}

/// Whether most text leads on.
fn is_wide(row: &Row) -> bool {
    let leads = row[..128].iter().filter(|to| **to != NOWHERE).count();
    leads as u32 >= LEAST_BYTES
}
