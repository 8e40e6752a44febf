//! Walking sentences token by token under the masks, and timing it.
//!
//! A sentence is cut into tokens by longest match. Before each token the mask is written into a buffer and must
//! hold the token; at the end it must hold the end tokens. The time of a mask is that of writing it, the time of a
//! token that of accepting it; what reading the clock costs is measured first and taken off.

use super::Problem;
use super::cases::{Case, Group};
use super::judge::Setup;
use crate::failure::Failure;
use crate::matcher::{AnyMatcher, matcher};
use crate::output::quoted;
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_core::Vocabulary as VocabularyTables;
use std::collections::HashMap;
use std::time::Instant;

/// Walks sentences, and adds up how it went.
pub struct Walker<'v> {
    vocabulary: &'v Vocabulary,
    /// The vocabulary's tables.
    tables: Vec<u8>,
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
    pub fn new(vocabulary: &'v Vocabulary) -> Result<Self, Failure> {
        let tables = vocabulary
            .pack()
            .map_err(|error| Failure::Vocabulary("given".into(), error))?;
        let mut ids = HashMap::new();
        for (id, token) in (0..)
            .zip(vocabulary.iter())
            .filter(|(_, token)| !token.is_empty())
        {
            ids.entry(token).or_insert(id);
        }
        let longest = ids.keys().map(|token| token.len()).max().unwrap_or(0);
        Ok(Walker {
            vocabulary,
            tables,
            ids,
            longest,
            clock_ns: clock_ns(),
            sentences: 0,
            unspelled: 0,
            tokens: 0,
            refused: 0,
            mask_ns: Vec::new(),
            accept_ns: Vec::new(),
        })
    }

    /// Walks the sentences of a group, but those in `without`, under the masks of its tables.
    pub fn walk(
        &mut self,
        group: &Group,
        without: &[&str],
        setup: &Setup<'_>,
        tables: &[u8],
    ) -> Vec<Problem> {
        let vocabulary = std::mem::take(&mut self.tables);
        let mut problems = Vec::new();
        let loaded = VocabularyTables::load(&vocabulary)
            .and_then(|vocabulary| setup.load(tables)?.with_vocabulary(vocabulary));
        let made = loaded.as_ref().map_err(ToString::to_string);
        match made.and_then(|grammar| matcher(grammar).map_err(|failure| failure.to_string())) {
            Err(message) => problems.push(group.problem("token-refused", message, None)),
            Ok(mut matcher) => {
                let walked = group.cases.iter().filter(|case| case.accept);
                for case in walked.filter(|case| !without.contains(&case.input.as_str())) {
                    matcher.reset();
                    let problem = self.walk_case(case, matcher.as_mut());
                    problems.extend(
                        problem.map(|detail| group.problem("token-refused", detail, Some(case))),
                    );
                }
            }
        }
        self.tables = vocabulary;
        self.refused += problems.len();
        problems
    }

    /// Walks one sentence; what went wrong, if anything did.
    fn walk_case(&mut self, case: &Case, matcher: &mut dyn AnyMatcher<'_>) -> Option<String> {
        let Some(tokens) = self.tokenize(case.input.as_bytes()) else {
            self.unspelled += 1;
            return None;
        };
        self.sentences += 1;
        let mut mask = vec![0; matcher.mask().words()];
        let contains = |mask: &[u32], id: u32| {
            mask.get(id as usize / 32)
                .is_some_and(|word| word >> (id % 32) & 1 == 1)
        };
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
                return Some(format!("{} is not in the mask", token()));
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
        let missing = self
            .vocabulary
            .eos()
            .iter()
            .find(|&&id| !contains(&mask, id));
        missing.map(|id| format!("the end token {id} is not in the mask after the last token"))
    }

    /// Writes the mask, timed.
    fn fill(&mut self, matcher: &dyn AnyMatcher<'_>, mask: &mut [u32]) -> Result<(), String> {
        let start = Instant::now();
        let filled = matcher.mask().fill(mask);
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
