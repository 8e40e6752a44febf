//! Runs: chains of situations along which most bytes lead.
//!
//! In: a situation. Out: its [`Run`], if it is wide and of a known kind: a loop, as in free text, a
//! chain, as where characters are counted, or a chain that leads to a loop, as where a string has a
//! least length. What holds: texts of the kind lead along the run, so that a walk visits only the
//! places where tokens leave it.

use std::sync::Arc;

use crate::maps::IdMap;

use super::GaveUp;
use super::characters::CharRange;
use super::non_ascii::NonAsciiTarget;
use super::situations::{DEAD, Row, SituationId, Situations};
use super::vocabulary::{KnownRun, LazyVocabulary};
use crate::mask::trie::exits::{RunKind, count};

/// The steps along a chain that one walk takes at once. Few tokens have more characters.
const MAX_STEPS: usize = 24;

/// The facts about a kind take about as long as a walk of so many nodes.
const WORTH_LEARNING: u32 = 6_000;

/// Where most bytes lead in a situation.
#[derive(Clone, Debug)]
struct Step {
    kind: RunKind,
    next: SituationId,
    /// The characters beyond ASCII that lead elsewhere, or nowhere, though the kind is that of all
    /// text.
    except: Arc<[CharRange]>,
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
    steps: IdMap<SituationId, Option<Step>>,
    known: Vec<Arc<KnownRun>>,
    /// The kinds that this mask asked for and that were not known, each with the nodes that were
    /// walked for want of it.
    unknown: Vec<(RunKind, u32)>,
    pub(super) leads: NonAsciiTarget,
    /// The characters that lead elsewhere than the runs and regions of this walk.
    pub(super) except: Vec<CharRange>,
}

impl Runs {
    /// Runs of which none is known. No text has the byte `not_text`.
    pub(super) fn new(not_text: Option<u8>) -> Self {
        Runs {
            leads: NonAsciiTarget::new(not_text),
            ..Runs::default()
        }
    }

    /// The run that begins in a situation, if it is wide and its kind is known. Without it so many
    /// nodes of the trie have to be walked; a kind that saves a long walk becomes known.
    ///
    /// # Errors
    /// If a bound is passed.
    pub(super) fn of(
        &mut self,
        situations: &mut Situations,
        (first, nodes): (SituationId, u32),
        vocabulary: &LazyVocabulary,
    ) -> Result<Option<Run>, GaveUp> {
        let Some(step) = self.step(situations, first)? else {
            return Ok(None);
        };
        let Some(known) = self.known(step.kind, nodes, vocabulary) else {
            return Ok(None);
        };
        self.add_exceptions(&step.except);
        let mut run = vec![first];
        let mut next = step.next;
        let mut is_endless = next == first;
        while !is_endless && run.len() <= MAX_STEPS {
            run.push(next);
            match self.step(situations, next)? {
                Some(further) if further.kind == step.kind => {
                    self.add_exceptions(&further.except);
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

    /// Notes characters that lead elsewhere than a run or a region of this walk.
    pub(super) fn add_exceptions(&mut self, characters: &[CharRange]) {
        let new = |range: &&CharRange| !self.except.contains(range);
        let new: Vec<CharRange> = characters.iter().filter(new).copied().collect();
        self.except.extend(new);
    }

    /// Begins another mask, which may ask again for kinds that were not known.
    pub(super) fn begin_mask(&mut self) {
        self.unknown.clear();
    }

    /// The facts about a kind, if it is known. It becomes known when a second mask asks for it, or
    /// when so many nodes have been walked for want of it that finding the facts takes less time.
    pub(super) fn known(
        &mut self,
        kind: RunKind,
        nodes: u32,
        vocabulary: &LazyVocabulary,
    ) -> Option<Arc<KnownRun>> {
        let known = self.known.iter().find(|known| known.kind == kind);
        if let Some(known) = known {
            return Some(known.clone());
        }
        let unknown = self.unknown.iter_mut().find(|unknown| unknown.0 == kind);
        let before = unknown.as_ref().map_or(0, |unknown| unknown.1);
        let walked = before.saturating_add(nodes);
        let at_once = walked >= WORTH_LEARNING;
        let is_asked = at_once && before < WORTH_LEARNING || unknown.is_none();
        if let Some(known) = is_asked.then(|| vocabulary.run(kind, at_once)).flatten() {
            self.known.push(known.clone());
            return Some(known);
        }
        match unknown {
            Some(unknown) => unknown.1 = walked,
            None => self.unknown.push((kind, walked)),
        }
        None
    }

    /// About how many bytes of memory they take.
    pub(super) fn memory(&self) -> usize {
        let steps = size_of::<(SituationId, Option<Step>)>() * self.steps.capacity();
        steps + self.leads.memory()
    }

    /// Forgets the runs of all situations, since situations get new numbers.
    pub(super) fn forget(&mut self) {
        self.steps.clear();
        self.leads.forget();
    }

    /// The loop that most bytes lead to from a situation, if there is one. It may be the situation
    /// itself.
    ///
    /// # Errors
    /// If a bound is passed.
    pub(super) fn loop_from(
        &mut self,
        situations: &mut Situations,
        from: SituationId,
    ) -> Result<Option<SituationId>, GaveUp> {
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
    ) -> Result<Option<Step>, GaveUp> {
        if let Some(known) = self.steps.get(&from) {
            return Ok(known.clone());
        }
        let found = self.find(situations, from)?;
        self.steps.insert(from, found.clone());
        Ok(found)
    }

    fn find(
        &mut self,
        situations: &mut Situations,
        from: SituationId,
    ) -> Result<Option<Step>, GaveUp> {
        let Some((next, bytes)) = most(situations.row(from)?) else {
            return Ok(None);
        };
        let mut kind = RunKind { bytes, text: false };
        if !kind.is_wide() {
            return Ok(None);
        }
        let mut except = Arc::default();
        if bytes[2] | bytes[3] == 0 {
            let lead = self.leads.of(situations, from)?;
            if let Some(lead) = lead.filter(|lead| lead.to == next) {
                kind.text = true;
                except = lead.except;
            }
        } else if next != from {
            // Bytes of characters cannot be counted one by one.
            return Ok(None);
        }
        Ok(Some(Step { kind, next, except }))
    }
}

/// The situation that most bytes lead to, and these bytes.
fn most(row: &Row) -> Option<(SituationId, [u64; 4])> {
    let mut targets: Vec<(SituationId, [u64; 4])> = Vec::new();
    let mut from = 0;
    for same in row.chunk_by(|a, b| a == b) {
        let bytes = from..from + same.len();
        from = bytes.end;
        let to = same[0];
        if to == DEAD {
            continue;
        }
        let known = targets.iter().position(|target| target.0 == to);
        let at = known.unwrap_or_else(|| {
            targets.push((to, [0; 4]));
            targets.len() - 1
        });
        for byte in bytes {
            targets[at].1[byte / 64] |= 1 << (byte % 64);
        }
    }
    targets
        .into_iter()
        .max_by_key(|(to, bytes)| (count(bytes), *to))
}
