//! A matcher that works from the grammar itself.
//!
//! In: a grammar, then tokens or bytes. Out: at each point the mask. What holds: an error changes
//! nothing.

use std::collections::VecDeque;
use std::sync::Arc;

use maskwright_core::{AcceptError, RollbackError};

use super::accept_failure::AcceptFailure;
use super::forget::Used;
use super::masks::Walk;
use super::productive::has_terminals;
use super::room::Held;
use super::rules::Rules;
use super::runs::Runs;
use super::situations::{DEAD, SituationId, Situations};
use super::terminals::{Meaning, TokenTerminals};
use super::vocabulary::LazyVocabulary;
use super::{Bounds, GaveUp};
use crate::bits::Bits;
use crate::grammar::{Grammar, RuleId};

/// The number of states that are kept for going back: as many as an
/// [`OwnedMatcher`](maskwright_core::OwnedMatcher) keeps.
const HISTORY: usize = 256;
/// The number of masks that are kept: within a string each token asks for the same mask.
const KEPT_MASKS: usize = 64;
/// The number of masks that are kept where there is too little room.
const FEW_MASKS: usize = 4;

/// Near the bounds of a count, tokens of at most so many bytes have the mask of a situation where
/// nothing is counted. The longer ones, which are few, are walked.
const CORRECTED: [u32; 3] = [64, 32, 16];

/// A matcher that follows a text by the grammar alone, without tables. It is `Send`, and its
/// situations are its own.
///
/// The first mask takes microseconds for grammars of any size. A byte that has been taken from the
/// same situation before takes nanoseconds; one in free text that has not, some hundred
/// microseconds for 100,000 tokens, since the whole vocabulary is at stake. A text may be of any
/// length, and its stacks have no limit of depth but memory: half a million frames.
#[derive(Clone, Debug)]
pub struct LazyMatcher {
    vocabulary: Arc<LazyVocabulary>,
    /// What is known of the tokens that the grammar names, if it names some.
    terminals: Option<Arc<TokenTerminals>>,
    situations: Situations,
    runs: Runs,
    /// The situation; `None` once the text has ended.
    at: Option<SituationId>,
    /// The situations before the last tokens.
    history: VecDeque<Option<SituationId>>,
    /// The masks used last, the newest first.
    masks: VecDeque<(SituationId, Arc<[u32]>)>,
    bounds: Bounds,
    /// The amounts that were left after the matcher forgot last.
    kept: Used,
    /// The bytes that were left then.
    kept_bytes: usize,
    held: Held,
}

const REFUSED: AcceptFailure = AcceptFailure::Refused(AcceptError::NotAllowed);

impl LazyMatcher {
    /// A matcher at the beginning of a text.
    ///
    /// # Errors
    /// If the first tier cannot follow texts of the grammar: it limits the tokens of a text, has a
    /// lexer or no sentence, or the vocabulary has no token for some byte.
    pub fn new(grammar: Arc<Grammar>, vocabulary: Arc<LazyVocabulary>) -> Result<Self, GaveUp> {
        Self::with_unread(grammar, Bits::default(), vocabulary)
    }

    /// The same for a grammar of which some rules have not been read. Their right parts do not
    /// matter. Where a text or a token takes a byte in one of them, the matcher does not follow,
    /// and [`needed`](Self::needed) says which rule it is.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub(crate) fn with_unread(
        grammar: Arc<Grammar>,
        unread: Bits,
        vocabulary: Arc<LazyVocabulary>,
    ) -> Result<Self, GaveUp> {
        if !vocabulary.spells_all_bytes || grammar.lexer.is_some() {
            return Err(GaveUp);
        }
        let (grammar, terminals) = match has_terminals(&grammar) {
            false => (grammar, None),
            true => {
                let (grammar, terminals) = TokenTerminals::new(&grammar, &vocabulary)?;
                (grammar, Some(Arc::new(terminals)))
            }
        };
        let (situations, start) = Situations::new(Rules::new(grammar, unread)?)?;
        let mut matcher = LazyMatcher {
            held: Held::new(&vocabulary.room),
            kept_bytes: 0,
            vocabulary,
            situations,
            runs: Runs::new(terminals.as_ref().map(|terminals| terminals.lead())),
            terminals,
            at: Some(start),
            history: VecDeque::new(),
            masks: VecDeque::new(),
            bounds: Bounds::default(),
            kept: Used::default(),
        };
        matcher.count();
        Ok(matcher)
    }

    /// About how many bytes of memory the matcher takes, without the grammar.
    fn memory(&self) -> usize {
        let masks = self.masks.len() * size_of_val(&*self.vocabulary.prepared().trie().all);
        masks + self.situations.memory() + self.runs.memory()
    }

    /// Counts what the matcher holds now.
    fn count(&mut self) {
        self.held.set(self.memory());
    }

    /// Whether the matcher holds more than its share of the room, and enough for forgetting to be
    /// worth its time.
    fn passes_share(&self) -> bool {
        self.held.share().is_some_and(|share| {
            let before = self.kept_bytes;
            self.memory() > share.max(before + before / 2)
        })
    }

    /// The rule that has not been read and in which a byte was to be taken, if there was one.
    pub(crate) fn needed(&self) -> Option<RuleId> {
        self.situations.closures.rules.needed()
    }

    /// The matcher with other bounds on what it keeps. The fewer it keeps, the more often it works
    /// things out again.
    pub fn bounds(self, bounds: Bounds) -> Self {
        LazyMatcher { bounds, ..self }
    }

    /// Forgets if the bounds are passed. The situation `at`, with which the matcher is working, is
    /// kept; its new number is returned.
    fn make_room(&mut self, at: SituationId) -> SituationId {
        let passes_share = self.passes_share();
        if !passes_share && !self.situations.used().passes(&self.bounds, &self.kept) {
            return at;
        }
        if passes_share {
            self.masks.truncate(FEW_MASKS);
        }
        let points = self.history.iter().chain([&self.at]).flatten();
        let masks = self.masks.iter().map(|kept| &kept.0);
        let needed = points.chain(masks).chain([&at]).copied();
        let numbers = self.situations.forget(needed);
        self.kept = self.situations.used();
        self.kept_bytes = self.memory();
        let Some(numbers) = numbers else {
            return at;
        };
        self.runs.forget();
        self.kept_bytes = self.memory();
        let now = |situation: &mut SituationId| {
            *situation = numbers.get(situation).copied().unwrap_or(*situation);
        };
        let points = self.history.iter_mut().chain([&mut self.at]);
        points.flatten().for_each(now);
        self.masks.iter_mut().for_each(|kept| now(&mut kept.0));
        numbers.get(&at).copied().unwrap_or(at)
    }

    /// Takes a token.
    ///
    /// # Errors
    /// If it is not allowed here, or a bound is passed.
    pub fn accept_token(&mut self, id: u32) -> Result<(), AcceptFailure> {
        let at = self.at.ok_or(REFUSED)?;
        self.situations.begin_step(0);
        let at = self.after_token(at, id);
        self.count();
        self.go(at?);
        Ok(())
    }

    /// The situation that a token leads to; `None` if the token ends the text.
    fn after_token(
        &mut self,
        at: SituationId,
        id: u32,
    ) -> Result<Option<SituationId>, AcceptFailure> {
        let at = self.make_room(at);
        let vocabulary = self.vocabulary.prepared().vocabulary().clone();
        let is_eos = vocabulary.eos().contains(&id);
        let meaning = match &self.terminals {
            Some(terminals) => {
                let place = (&mut self.situations, at);
                terminals.meaning(place, &vocabulary, id)?.ok_or(REFUSED)?
            }
            None if is_eos => Meaning::End,
            None => Meaning::Text,
        };
        match meaning {
            Meaning::End if self.situations.is_complete(at) => Ok(None),
            Meaning::End => Err(REFUSED),
            Meaning::Terminal(bytes) => self.after_bytes(at, &bytes).map(Some),
            Meaning::Text => match vocabulary.bytes(id) {
                [] => Err(REFUSED),
                bytes => self.after_text(at, bytes).map(Some),
            },
        }
    }

    /// The situation that a text leads to.
    fn after_text(&mut self, at: SituationId, bytes: &[u8]) -> Result<SituationId, AcceptFailure> {
        let lead = self.terminals.as_ref().map(|terminals| terminals.lead());
        match lead.is_some_and(|lead| bytes.contains(&lead)) {
            true => Err(REFUSED),
            false => self.after_bytes(at, bytes),
        }
    }

    fn after_bytes(
        &mut self,
        mut at: SituationId,
        bytes: &[u8],
    ) -> Result<SituationId, AcceptFailure> {
        for &byte in bytes {
            at = self.make_room(at);
            at = self.situations.row(at)?[usize::from(byte)];
            if at == DEAD {
                return Err(REFUSED);
            }
        }
        Ok(at)
    }

    /// Takes bytes; for [`rollback`](Self::rollback) they are one token.
    ///
    /// # Errors
    /// If they are not allowed here, or a bound is passed.
    pub fn accept_bytes(&mut self, bytes: &[u8]) -> Result<(), AcceptFailure> {
        if bytes.is_empty() {
            return Ok(());
        }
        let at = self.at.ok_or(REFUSED)?;
        self.situations.begin_step(bytes.len());
        let at = self.after_text(at, bytes);
        self.count();
        self.go(Some(at?));
        Ok(())
    }

    fn go(&mut self, to: Option<SituationId>) {
        if self.history.len() == HISTORY {
            self.history.pop_front();
        }
        self.history.push_back(self.at);
        self.at = to;
    }

    /// Goes back by so many tokens.
    ///
    /// # Errors
    /// If fewer are kept: the last 256 are.
    pub fn rollback(&mut self, tokens: usize) -> Result<(), RollbackError> {
        let kept = self.history.len();
        let left = kept.checked_sub(tokens);
        let left = left.ok_or(RollbackError::new(tokens, kept))?;
        if let Some(&at) = self.history.get(left) {
            self.at = at;
        }
        self.history.truncate(left);
        Ok(())
    }

    /// The mask: a bit for each token that may come next.
    ///
    /// # Errors
    /// If a bound is passed.
    pub fn mask(&mut self) -> Result<Arc<[u32]>, GaveUp> {
        match self.at {
            Some(at) => {
                self.situations.begin_step(0);
                let mask = self.mask_at(at);
                self.count();
                mask
            }
            None => Ok(vec![0; self.vocabulary.prepared().trie().all.len()].into()),
        }
    }

    fn mask_at(&mut self, at: SituationId) -> Result<Arc<[u32]>, GaveUp> {
        let at = self.make_room(at);
        self.runs.begin_mask();
        let mask = self.mask_of(at)?;
        let Some(terminals) = &self.terminals else {
            return Ok(mask);
        };
        let mut mask = mask.to_vec();
        terminals.correct(&mut self.situations, at, &mut mask)?;
        Ok(mask.into())
    }

    /// The mask of the tokens that are text, and of those that end it.
    fn mask_of(&mut self, at: SituationId) -> Result<Arc<[u32]>, GaveUp> {
        if let Some(known) = self.kept_mask(at) {
            return Ok(known);
        }
        let mask = match self.mask_without_counts(at)? {
            Some(mask) => mask,
            None => self.walked_mask(at)?,
        };
        self.keep_mask(at, &mask);
        Ok(mask)
    }

    /// The mask of a loop, by a walk from the loop alone. If it were made from the mask of another
    /// situation, as [`mask_of`](Self::mask_of) does, that one could be made from this one.
    fn loop_mask(&mut self, at: SituationId) -> Result<Arc<[u32]>, GaveUp> {
        if let Some(known) = self.kept_mask(at) {
            return Ok(known);
        }
        let mut mask = self.no_mask();
        let automaton = (&mut self.situations, &mut self.runs);
        Walk::fill(&self.vocabulary, automaton, at, Arc::make_mut(&mut mask))?;
        self.keep_mask(at, &mask);
        Ok(mask)
    }

    /// A mask that is kept, which is now the one used last.
    fn kept_mask(&mut self, at: SituationId) -> Option<Arc<[u32]>> {
        let place = self.masks.iter().position(|kept| kept.0 == at)?;
        let kept = self.masks.remove(place)?;
        self.masks.push_front(kept.clone());
        Some(kept.1)
    }

    fn keep_mask(&mut self, at: SituationId, mask: &Arc<[u32]>) {
        self.masks.truncate(KEPT_MASKS - 1);
        self.masks.push_front((at, mask.clone()));
    }

    /// A mask that allows nothing.
    fn no_mask(&self) -> Arc<[u32]> {
        let words = self.vocabulary.prepared().trie().all.len();
        std::iter::repeat_n(0, words).collect()
    }

    /// The mask of a situation where something is counted, made from the mask of one where it is
    /// not. `None` if nothing is counted, or if a bound is too near.
    fn mask_without_counts(&mut self, at: SituationId) -> Result<Option<Arc<[u32]>>, GaveUp> {
        let trie = self.vocabulary.prepared().trie();
        let longest = trie.nodes.longest();
        let endless = self.situations.endless(at, longest)?;
        if endless != at {
            return self.mask_of(endless).map(Some);
        }
        // One spelling of a token does not correct what another has allowed.
        let is_corrected = trie.twice.is_empty();
        for bytes in CORRECTED
            .into_iter()
            .filter(|&bytes| is_corrected && bytes < longest)
        {
            let endless = self.situations.endless(at, bytes)?;
            if endless == at {
                continue;
            }
            let found = self.runs.loop_from(&mut self.situations, endless)?;
            if found.is_some() {
                let mut mask = self.mask_of(endless)?;
                let automaton = (&mut self.situations, &mut self.runs);
                let corrected = Arc::make_mut(&mut mask);
                Walk::correct(&self.vocabulary, automaton, (at, bytes), corrected)?;
                return Ok(Some(mask));
            }
        }
        Ok(None)
    }

    /// The mask by a walk of the trie.
    fn walked_mask(&mut self, at: SituationId) -> Result<Arc<[u32]>, GaveUp> {
        let trie = self.vocabulary.prepared().trie();
        let mut base = None;
        if trie.twice.is_empty() {
            let found = self.runs.loop_from(&mut self.situations, at)?;
            base = found.filter(|&base| base != at);
        }
        let mut mask: Arc<[u32]> = match base {
            Some(base) => self.loop_mask(base)?,
            None => self.no_mask(),
        };
        // The mask of the base is copied here, since it is kept.
        let words = Arc::make_mut(&mut mask);
        let automaton = (&mut self.situations, &mut self.runs);
        match base {
            Some(base) => Walk::differ(&self.vocabulary, automaton, (at, base), words)?,
            None => Walk::fill(&self.vocabulary, automaton, at, words)?,
        }
        Ok(mask)
    }

    /// Writes the bytes that must come next, as far as the buffer goes; returns how many.
    pub fn forced_bytes(&mut self, buffer: &mut [u8]) -> usize {
        let Some(mut at) = self.at else { return 0 };
        self.situations.begin_step(0);
        let lead = self.terminals.as_ref().map(|terminals| terminals.lead());
        let mut count = 0;
        for slot in buffer {
            at = self.make_room(at);
            if self.situations.is_complete(at) {
                break;
            }
            let Ok(row) = self.situations.row(at) else {
                break;
            };
            if lead.is_some_and(|lead| row[usize::from(lead)] != DEAD) {
                break;
            }
            let mut possible = (0..=255u8).filter(|&byte| row[usize::from(byte)] != DEAD);
            let (Some(byte), None) = (possible.next(), possible.next()) else {
                break;
            };
            at = row[usize::from(byte)];
            *slot = byte;
            count += 1;
        }
        count
    }

    /// Writes the tokens that come next while the mask holds exactly one, as far as the buffer and
    /// the bounds go; returns how many.
    pub fn forced_tokens(&mut self, buffer: &mut [u32]) -> usize {
        let mut at = self.at;
        let mut count = 0;
        self.situations.begin_step(0);
        for slot in buffer {
            let Some(here) = at.map(|at| self.make_room(at)) else {
                break;
            };
            let Ok(mask) = self.mask_at(here) else { break };
            let Some(only) = only(&mask) else { break };
            let Ok(to) = self.after_token(here, only) else {
                break;
            };
            (*slot, at) = (only, to);
            count += 1;
        }
        count
    }

    /// How many tokens of a draft, from its first, could be taken one after the other. The matcher
    /// stays where it is.
    pub fn check_draft(&mut self, draft: &[u32]) -> usize {
        let mut at = self.at;
        let mut count = 0;
        for &id in draft {
            self.situations.begin_step(0);
            let Some(Ok(to)) = at.map(|here| self.after_token(here, id)) else {
                break;
            };
            (at, count) = (to, count + 1);
        }
        self.count();
        count
    }

    /// The hash of the vocabulary.
    pub(super) fn vocabulary_hash(&self) -> u64 {
        self.vocabulary.prepared().vocabulary_hash()
    }

    /// Whether the text may end here.
    pub fn is_complete(&self) -> bool {
        self.at.is_some_and(|at| self.situations.is_complete(at))
    }

    /// Whether the text has ended.
    pub fn is_finished(&self) -> bool {
        self.at.is_none()
    }
}

/// The token of a mask that allows exactly one.
fn only(mask: &[u32]) -> Option<u32> {
    let mut words = (0u32..).zip(mask).filter(|(_, word)| **word != 0);
    let (at, word) = words.next()?;
    let is_only = word.is_power_of_two() && words.next().is_none();
    is_only.then(|| at * 32 + word.trailing_zeros())
}
