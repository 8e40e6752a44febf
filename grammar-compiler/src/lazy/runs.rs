//! Runs: chains of situations along which most bytes lead.
//!
//! In: a situation. Out: its [`Run`], if it is wide and of a known kind: a loop, as in free text, a chain, as where characters are counted, or a chain that leads to a loop, as where a string has a least
//! length. What holds: texts of the kind lead along the run, so that a walk visits only the places where tokens leave it.

use std::sync::Arc;

use rustc_hash::FxHashMap as HashMap;

use super::Beyond;
use super::situations::{NOWHERE, Row, SituationId, Situations};
use super::vocabulary::{KnownRun, LazyVocabulary};
use crate::mask::trie::Text;
use crate::mask::trie::exits::{RunKind, count};

/// The steps along a chain that one walk takes at once. Few tokens have more characters.
const MAX_STEPS: usize = 24;

/// Where most bytes lead in a situation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    kind: RunKind,
    next: SituationId,
}

/// A run that begins in a situation.
pub(super) struct Run {
    /// The facts about its kind.
    pub(super) known: Arc<KnownRun>,
    /// The situation after each number of steps.
    situations: Vec<SituationId>,
    /// Whether the last situation is a loop, in which all further steps stay.
    is_endless: bool,
}

impl Run {
    /// The greatest number of characters of the run.
    pub(super) fn length(&self) -> u32 {
        match self.is_endless {
            true => u32::MAX,
            false => self.last(),
        }
    }

    /// The number of steps to the last situation.
    pub(super) fn last(&self) -> u32 {
        self.situations.len() as u32 - 1
    }

    /// Whether any number of steps stays in it.
    pub(super) fn is_endless(&self) -> bool {
        self.is_endless
    }

    /// The situation after so many steps, which must be at most the length of the run.
    pub(super) fn after(&self, steps: u32) -> SituationId {
        self.situations[self.last().min(steps) as usize]
    }
}

/// The runs of situations.
#[derive(Clone, Debug, Default)]
pub(super) struct Runs {
    /// For each situation its step, if that is wide.
    steps: HashMap<SituationId, Option<Step>>,
    known: Vec<Arc<KnownRun>>,
    /// The kinds that this mask asked for and that were not known.
    unknown: Vec<RunKind>,
    /// The byte that begins terminals: no text has it.
    not_text: Option<u8>,
    /// The situation that all characters beyond ASCII lead to.
    leads: HashMap<(SituationId, Text), Option<SituationId>>,
}

impl Runs {
    /// Runs of which none is known. No text has the byte `not_text`.
    pub(super) fn new(not_text: Option<u8>) -> Self {
        Runs {
            not_text,
            ..Runs::default()
        }
    }

    /// The run that begins in a situation, if it is wide and its kind is known. A kind that is wanted at once becomes known.
    ///
    /// # Errors
    /// If a bound is passed.
    pub(super) fn of(
        &mut self,
        situations: &mut Situations,
        (first, at_once): (SituationId, bool),
        vocabulary: &LazyVocabulary,
    ) -> Result<Option<Run>, Beyond> {
        let Some(step) = self.step(situations, first)? else {
            return Ok(None);
        };
        let Some(known) = self.known(step.kind, at_once, vocabulary) else {
            return Ok(None);
        };
        let mut run = vec![first];
        let mut next = step.next;
        let mut is_endless = next == first;
        while !is_endless && run.len() <= MAX_STEPS {
            run.push(next);
            match self.step(situations, next)? {
                Some(further) if further.kind == step.kind => {
                    is_endless = further.next == next;
                    next = further.next;
                }
                _ => break,
            }
        }
        Ok(Some(Run {
            known,
            situations: run,
            is_endless,
        }))
    }

    /// Begins another mask, which may ask again for kinds that were not known.
    pub(super) fn begin_mask(&mut self) {
        self.unknown.clear();
    }

    /// The facts about a kind.
    pub(super) fn known(
        &mut self,
        kind: RunKind,
        at_once: bool,
        vocabulary: &LazyVocabulary,
    ) -> Option<Arc<KnownRun>> {
        let known = self.known.iter().find(|known| known.kind == kind);
        if let Some(known) = known {
            return Some(known.clone());
        }
        // A kind that is not known yet stays so until the next mask.
        if !at_once && self.unknown.contains(&kind) {
            return None;
        }
        let Some(known) = vocabulary.run(kind, at_once) else {
            self.unknown.push(kind);
            return None;
        };
        self.known.push(known.clone());
        Some(known)
    }

    /// Forgets the runs of all situations, since situations get new numbers.
    pub(super) fn forget(&mut self) {
        self.steps.clear();
        self.leads.clear();
    }

    /// The loop that most bytes lead to from a situation, if there is one. It may be the situation itself.
    ///
    /// # Errors
    /// If a bound is passed.
    pub(super) fn loop_from(
        &mut self,
        situations: &mut Situations,
        from: SituationId,
    ) -> Result<Option<SituationId>, Beyond> {
        let Some(Step { next, .. }) = self.step(situations, from)? else {
            return Ok(None);
        };
        let further = self.step(situations, next)?;
        Ok(further.map(|further| further.next).filter(|&to| to == next))
    }

    /// The wide step of a situation.
    fn step(
        &mut self,
        situations: &mut Situations,
        from: SituationId,
    ) -> Result<Option<Step>, Beyond> {
        if let Some(&known) = self.steps.get(&from) {
            return Ok(known);
        }
        let found = self.find(situations, from)?;
        self.steps.insert(from, found);
        Ok(found)
    }

    fn find(
        &mut self,
        situations: &mut Situations,
        from: SituationId,
    ) -> Result<Option<Step>, Beyond> {
        let Some((next, bytes)) = most(situations.row(from)?) else {
            return Ok(None);
        };
        let mut kind = RunKind { bytes, text: false };
        if !kind.is_wide() {
            return Ok(None);
        }
        if bytes[2] | bytes[3] == 0 {
            kind.text = self.lead(situations, from, Text::Closed)? == Some(next);
        } else if next != from {
            // Bytes of characters cannot be counted one by one.
            return Ok(None);
        }
        Ok(Some(Step { kind, next }))
    }

    /// The situation that every character beyond ASCII leads to, or every end of such a character. `None` if they lead to different ones, or if something else begins with their bytes.
    pub(super) fn lead(
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
        let not_text = self.not_text;
        for byte in (first..=0xFF_u8).filter(|&byte| Some(byte) != not_text) {
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

/// The situation that most bytes lead to, and these bytes.
fn most(row: &Row) -> Option<(SituationId, [u64; 4])> {
    let mut targets: Vec<(SituationId, [u64; 4])> = Vec::new();
    for (byte, &to) in row.iter().enumerate().filter(|(_, to)| **to != NOWHERE) {
        let known = targets.iter().position(|target| target.0 == to);
        let at = known.unwrap_or_else(|| {
            targets.push((to, [0; 4]));
            targets.len() - 1
        });
        targets[at].1[byte / 64] |= 1 << (byte % 64);
    }
    targets
        .into_iter()
        .max_by_key(|(to, bytes)| (count(bytes), *to))
}
