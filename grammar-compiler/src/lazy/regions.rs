//! Regions: situations among which all plain text leads, though it does not leave them as they are.
//!
//! In: a situation. Out: its region, by the [kind](RunKind) of text that leads from each situation
//! of the region to another one of it. What holds: a token of such text, but for a few characters
//! beyond ASCII, is allowed in each of these situations, whichever of them it passes. So a walk has
//! to follow only the tokens that leave the region.
//!
//! A pattern that may match anywhere in a string makes regions: how much of it has matched differs
//! from letter to letter, while every text can go on.

use std::sync::Arc;

use super::GaveUp;
use super::characters::CharRange;
use super::runs::Runs;
use super::situations::{DEAD, Row, SituationId, Situations};
use super::vocabulary::{KnownRun, LazyVocabulary};
use crate::mask::trie::exits::RunKind;

/// The most situations of a region.
const MAX_MEMBERS: usize = 256;

/// The most situations of a region to which much text leads at once, as from one count to the next.
/// More of them are hardly ever a region.
const MAX_WIDE: usize = 16;

/// A situation is one of those if so many bytes of ASCII lead to it from another.
const WIDE_BYTES: usize = 32;

/// The fewest bytes of ASCII that lead on from each situation of a region.
const LEAST_BYTES: u32 = 64;

impl Runs {
    /// What is known of the text that stays in the region of a situation, if it has one and tokens
    /// that leave it are known by their suffixes.
    ///
    /// # Errors
    /// If a bound is passed.
    pub(super) fn region(
        &mut self,
        situations: &mut Situations,
        first: SituationId,
        vocabulary: &LazyVocabulary,
    ) -> Result<Option<Arc<KnownRun>>, GaveUp> {
        let Some((bytes, except)) = self.closed(situations, first)? else {
            return Ok(None);
        };
        let kind = RunKind {
            bytes: [bytes as u64, (bytes >> 64) as u64, 0, 0],
            text: true,
        };
        let known = self.known(kind, u32::MAX, vocabulary);
        let trie = vocabulary.prepared().trie();
        let known = known.filter(|known| known.suffixes(trie).is_some());
        if known.is_some() {
            self.add_exceptions(&except);
        }
        Ok(known)
    }

    /// The bytes of ASCII with which, and with characters beyond, no text leaves the situations
    /// that it leads to from a situation; and the characters beyond with which it may.
    fn closed(
        &mut self,
        situations: &mut Situations,
        first: SituationId,
    ) -> Result<Option<(u128, Vec<CharRange>)>, GaveUp> {
        let mut bytes = u128::MAX;
        let mut except = Vec::new();
        let mut members = vec![first];
        let mut wide = 1;
        let (mut at, mut of_lead) = (0, 0);
        loop {
            if let Some(&member) = members.get(at) {
                at += 1;
                let row = *situations.row(member)?;
                // The member met last: neighbours mostly lead to the same one.
                let mut last = member;
                for byte in 0..128_u8 {
                    let to = row[usize::from(byte)];
                    if bytes >> byte & 1 == 0 || to == last {
                        continue;
                    }
                    if members.contains(&to) {
                        last = to;
                        continue;
                    }
                    if to != DEAD && is_wide(situations.row(to)?) {
                        members.push(to);
                        let bytes = row[..128].iter().filter(|at| **at == to).count();
                        wide += usize::from(bytes >= WIDE_BYTES);
                    } else {
                        bytes &= !(1 << byte);
                    }
                }
            } else if let Some(&member) = members.get(of_lead) {
                // Targets beyond ASCII take longer: they are found when the bytes of ASCII have
                // come to an end.
                of_lead += 1;
                let Some(lead) = self.leads.of(situations, member)? else {
                    return Ok(None);
                };
                except.extend(lead.except.iter().copied());
                if !members.contains(&lead.to) {
                    members.push(lead.to);
                }
            } else {
                break;
            }
            let is_large = members.len() > MAX_MEMBERS || wide > MAX_WIDE;
            if bytes.count_ones() < LEAST_BYTES || is_large {
                return Ok(None);
            }
        }
        except.sort_unstable();
        except.dedup();
        Ok(Some((bytes, except)))
    }
}

/// Whether most text leads on.
fn is_wide(row: &Row) -> bool {
    let leads = row[..128].iter().filter(|to| **to != DEAD).count();
    leads as u32 >= LEAST_BYTES
}
