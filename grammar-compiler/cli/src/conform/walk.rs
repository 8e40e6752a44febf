//! Walking sentences token by token under the masks, and timing it.
//!
//! A sentence is cut into tokens by longest match. Before each token the mask is written into a
//! buffer and must hold the token; at the end it must hold the end tokens. The time of a mask is
//! that of writing it, the time of a token that of accepting it; what reading the clock costs is
//! measured first and taken off.

use super::Problem;
use super::cases::{Case, Group};
use super::height::is_too_deep;
use super::judge::Setup;
use crate::matcher::matcher;
use crate::output::quoted;
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_core::OwnedMatcher;
use std::collections::HashMap;
use std::time::Instant;

/// Tokens that a walk goes on for where its sentence gets too deep.
const WANDERED: usize = 64;
/// Tokens among which such a walk chooses.
const TRIED: usize = 8;

/// Walks sentences, and adds up how it went.
pub struct Walker<'v> {
    vocabulary: &'v Vocabulary,
    /// The first id of each token's bytes.
    ids: HashMap<&'v [u8], u32>,
    longest: usize,
    clock_ns: f64,
    /// Sentences walked.
    pub sentences: usize,
    /// Sentences that the vocabulary has no tokens for.
    pub unspelled: usize,
    /// Tokens walked.
    pub tokens: usize,
    /// Tokens that were not in the mask or were refused.
    pub refused: usize,
    /// The time of each mask, in nanoseconds.
    pub mask_ns: Vec<f64>,
    /// The time of each accepted token, in nanoseconds.
    pub accept_ns: Vec<f64>,
}

impl<'v> Walker<'v> {
    /// A walker over sentences in tokens of `vocabulary`.
    pub fn new(vocabulary: &'v Vocabulary) -> Self {
        let mut ids = HashMap::new();
        for (id, token) in (0..)
            .zip(vocabulary.iter())
            .filter(|(_, token)| !token.is_empty())
        {
            ids.entry(token).or_insert(id);
        }
        let longest = ids.keys().map(|token| token.len()).max().unwrap_or(0);
        Walker {
            vocabulary,
            ids,
            longest,
            clock_ns: clock_ns(),
            sentences: 0,
            unspelled: 0,
            tokens: 0,
            refused: 0,
            mask_ns: Vec::new(),
            accept_ns: Vec::new(),
        }
    }

    /// Walks the sentences of a group, but those in `without`, under the masks of its tables.
    pub fn walk(
        &mut self,
        group: &Group,
        without: &[&str],
        setup: &Setup<'_>,
        tables: &[u8],
    ) -> Vec<Problem> {
        let mut problems = Vec::new();
        let loaded = setup.load(tables).map_err(|error| error.to_string());
        match loaded.and_then(|grammar| {
            matcher(&grammar, setup.depth_of(&grammar)).map_err(|failure| failure.to_string())
        }) {
            Err(message) => problems.push(group.problem("token-refused", message, None)),
            Ok(mut matcher) => {
                let walked = group.cases.iter().filter(|case| case.accept);
                for case in
                    walked.filter(|case| !without.iter().any(|text| text.as_bytes() == case.input))
                {
                    matcher.reset();
                    let problem = self.walk_case(case, setup.depth.is_some(), &mut matcher);
                    problems.extend(
                        problem.map(|detail| group.problem("token-refused", detail, Some(case))),
                    );
                }
            }
        }
        self.refused += problems.len();
        problems
    }

    /// Walks one sentence; what went wrong, if anything did. Where a depth was given, another way
    /// is walked too from the middle, and from where the sentence gets too deep.
    fn walk_case(
        &mut self,
        case: &Case,
        depth_is_given: bool,
        matcher: &mut OwnedMatcher,
    ) -> Option<String> {
        let Some(tokens) = self.tokenize(&case.input) else {
            self.unspelled += 1;
            return None;
        };
        self.sentences += 1;
        let mut mask = vec![0; matcher.grammar().view().mask_words()];
        for (index, &id) in tokens.iter().enumerate() {
            self.tokens += 1;
            let filled = self.fill(matcher, &mut mask);
            let token = || {
                format!(
                    "token {index}, {} (id {id})",
                    quoted(self.vocabulary.bytes(id))
                )
            };
            if let Err(message) = filled {
                return Some(format!("{}: {message}", token()));
            }
            if !contains(&mask, id) {
                if depth_is_given && is_too_deep(&case.input, matcher) {
                    return self
                        .wander(case, matcher)
                        .map(|problem| format!("{}: {problem}", token()));
                }
                return Some(format!("{} is not in the mask", token()));
            }
            // From the middle on also another way than that of the sentence.
            if depth_is_given && index == tokens.len() / 2 {
                let wandered = self.wander(case, &mut matcher.fork());
                if let Some(problem) = wandered {
                    return Some(format!("instead of {}: {problem}", token()));
                }
            }
            let start = Instant::now();
            let accepted = matcher.accept_token(id);
            let elapsed = start.elapsed().as_nanos() as f64;
            self.accept_ns.push((elapsed - self.clock_ns).max(0.0));
            if let Err(error) = accepted {
                return Some(format!("token {index} (id {id}): {error}"));
            }
        }
        if let Err(message) = self.fill(matcher, &mut mask) {
            return Some(message);
        }
        let mut ends = self.vocabulary.eos().iter();
        let missing = ends.find(|&&id| !contains(&mask, id));
        missing.map(|id| format!("the end token {id} is not in the mask after the last token"))
    }

    /// Goes on for some tokens, of a few allowed ones always the one that opens the most brackets;
    /// what went wrong, if anything did.
    fn wander(&self, case: &Case, matcher: &mut OwnedMatcher) -> Option<String> {
        let mut random = case.input.len() as u64 | 1;
        let mut next = |below: usize| {
            // Marsaglia's xorshift: the same walk in each run.
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random % below as u64) as usize
        };
        let opens = |id: u32| {
            let bytes = self.vocabulary.bytes(id).iter();
            bytes.filter(|byte| b"[{(".contains(byte)).count()
        };
        for step in 0..WANDERED {
            let allowed: Vec<u32> = matcher.with_mask(|mask| mask.iter().collect());
            if allowed.is_empty() {
                return Some(format!("a dead end {step} tokens later"));
            }
            let some = (0..TRIED).map(|_| allowed[next(allowed.len())]);
            let id = some.max_by_key(|&id| opens(id))?;
            if self.vocabulary.eos().contains(&id) {
                break;
            }
            if let Err(error) = matcher.accept_token(id) {
                return Some(format!(
                    "{step} tokens later, token {id}, which is in the mask: {error}"
                ));
            }
        }
        None
    }

    /// Writes the mask, timed.
    fn fill(&mut self, matcher: &OwnedMatcher, mask: &mut [u32]) -> Result<(), String> {
        let start = Instant::now();
        let filled = matcher.with_mask(|of_text| of_text.fill(mask));
        let elapsed = start.elapsed().as_nanos() as f64;
        self.mask_ns.push((elapsed - self.clock_ns).max(0.0));
        filled.map_err(|error| error.to_string())
    }

    /// Cuts a text into tokens by longest match; `None` where no token fits.
    fn tokenize(&self, mut text: &[u8]) -> Option<Vec<u32>> {
        let mut tokens = Vec::new();
        while !text.is_empty() {
            let longest = self.longest.min(text.len());
            let (id, rest) = (1..=longest).rev().find_map(|length| {
                let (token, rest) = text.split_at_checked(length)?;
                Some((*self.ids.get(token)?, rest))
            })?;
            tokens.push(id);
            text = rest;
        }
        Some(tokens)
    }
}

/// What reading the clock twice costs, in nanoseconds: the median of many.
fn clock_ns() -> f64 {
    let mut samples: Vec<u128> = (0..1001)
        .map(|_| Instant::now().elapsed().as_nanos())
        .collect();
    samples.sort_unstable();
    samples
        .get(samples.len() / 2)
        .map_or(0.0, |&median| median as f64)
}

/// Whether a token is in a mask.
fn contains(mask: &[u32], id: u32) -> bool {
    let word = mask.get(id as usize / 32);
    word.is_some_and(|word| word >> (id % 32) & 1 == 1)
}
