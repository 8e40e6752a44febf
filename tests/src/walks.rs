//! Random steps that prefer what nests, and the way out: no mask is empty before the end, and every
//! walk can still end.
//!
//! In: a grammar that owns its tables, with a vocabulary that has each byte as a token, and a
//! depth. Out: [`Steps`], or the [`DeadEnd`] that was met. What is checked at each step: the mask
//! holds a token, `accept` takes the token chosen and some others of the mask, and now and then it
//! takes exactly the tokens of the mask. After the last step a search follows masks to the end, by
//! tokens of one byte.
//!
//! Other than [`depth`](crate::depth) this knows only the runtime: it looks at no automaton, so
//! walks are long and grammars large.

use crate::random::Random;
use maskwright::{OwnedGrammar, OwnedMatcher};
use maskwright_compiler::vocabulary::Vocabulary;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::ops::AddAssign;

/// Of so many steps, all tokens of the vocabulary are tried at one.
const ALL_TRIED_OF: usize = 16;
/// Tokens of the mask that are tried at each other step.
const TRIED: usize = 4;
/// Tokens among which a step chooses, at most.
const CHOICES: usize = 6;
/// States that a search for the end looks at before it is given up.
const MOST: usize = 100_000;

/// How much was walked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// Walks from the beginning of a text.
    pub walks: u64,
    /// Tokens chosen at random and taken.
    pub steps: u64,
    /// Tokens whose verdict was compared to the mask.
    pub tried: u64,
    /// Walks that ended by themselves.
    pub ended: u64,
    /// Walks that a search led to their end.
    pub led_out: u64,
    /// Searches that were given up.
    pub given_up: u64,
}

impl AddAssign for Steps {
    fn add_assign(&mut self, other: Self) {
        self.walks += other.walks;
        self.steps += other.steps;
        self.tried += other.tried;
        self.ended += other.ended;
        self.led_out += other.led_out;
        self.given_up += other.given_up;
    }
}

/// Where a walk cannot go on, or a mask and `accept` differ.
#[derive(Clone, Debug)]
pub struct DeadEnd {
    /// What is wrong.
    pub what: String,
    /// The grammar, as the walker was told it.
    pub grammar: String,
    /// The frames that stacks may have.
    pub depth: usize,
    /// The text so far.
    pub text: Vec<u8>,
}

impl fmt::Display for DeadEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} at depth {}, after \"{}\"",
            self.what,
            self.depth,
            self.text.escape_ascii()
        )?;
        write!(f, "{}", self.grammar)
    }
}

/// Walks over one grammar with one depth.
pub struct Walker<'a> {
    grammar: &'a str,
    vocabulary: &'a Vocabulary,
    start: OwnedMatcher,
    /// The ids of tokens of one byte.
    bytes: Vec<u32>,
    /// Of states that were met, those from which a way to the end is known.
    ends: HashSet<Vec<u8>>,
    random: Random,
}

/// Of states that a search met, the state before and the token in between.
type Before = HashMap<Vec<u8>, Option<(Vec<u8>, u32)>>;

/// What a step prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prefer {
    /// Tokens that open more brackets and quotes than they close.
    Brackets,
    /// Tokens after which there are more frames.
    Frames,
}

impl<'a> Walker<'a> {
    /// A walker. `grammar` is what a dead end shows.
    ///
    /// # Panics
    /// If no matcher of this depth can be made, or a byte of some token is not a token itself.
    pub fn new(
        grammar: &'a str,
        tables: &OwnedGrammar,
        vocabulary: &'a Vocabulary,
        depth: usize,
        seed: u64,
    ) -> Self {
        let start = OwnedMatcher::new(tables, depth);
        let start = start.unwrap_or_else(|error| panic!("{error}, at depth {depth}: {grammar}"));
        let ids = 0..vocabulary.size();
        let bytes: HashMap<u8, u32> = ids
            .clone()
            .filter_map(|id| match vocabulary.bytes(id) {
                [byte] => Some((*byte, id)),
                _ => None,
            })
            .collect();
        let mut all = ids.flat_map(|id| vocabulary.bytes(id));
        assert!(
            all.all(|byte| bytes.contains_key(byte)),
            "some byte is no token"
        );
        let mut bytes: Vec<u32> = bytes.into_values().collect();
        bytes.sort_unstable();
        Walker {
            grammar,
            vocabulary,
            // One state to go back to: tokens are tried, and taken back.
            start: start.with_history(1),
            bytes,
            ends: HashSet::new(),
            random: Random::new(seed),
        }
    }

    /// Walks so many steps in all, at most `longest` from the beginning of a text, and from there
    /// to its end.
    ///
    /// # Errors
    /// The first dead end.
    pub fn walk(&mut self, steps: u64, longest: u64) -> Result<Steps, Box<DeadEnd>> {
        let mut all = Steps::default();
        while all.steps < steps {
            let prefer = match all.walks % 3 {
                0 => Prefer::Frames,
                _ => Prefer::Brackets,
            };
            all += self.walk_once(longest.min(steps - all.steps), prefer)?;
        }
        Ok(all)
    }

    fn walk_once(&mut self, longest: u64, prefer: Prefer) -> Result<Steps, Box<DeadEnd>> {
        let (mut matcher, mut text) = (self.start.fork(), Vec::new());
        let mut done = Steps {
            walks: 1,
            ..Steps::default()
        };
        while done.steps < longest {
            let mask: Vec<u32> = matcher.with_mask(|mask| mask.iter().collect());
            let compared = self.compare(&mut matcher, &mask);
            done.tried += compared.map_err(|what| self.dead_end(what, &matcher, &text))?;
            let Some(id) = self.choose(&mut matcher, &mask, prefer) else {
                return Err(self.dead_end("the mask is empty".to_owned(), &matcher, &text));
            };
            if let Err(error) = matcher.accept_token(id) {
                let what = format!("the mask holds {}, {error}", self.show(id));
                return Err(self.dead_end(what, &matcher, &text));
            }
            done.steps += 1;
            if matcher.is_finished() {
                done.ended = 1;
                return Ok(done);
            }
            text.extend_from_slice(self.vocabulary.bytes(id));
        }
        match self.lead_out(&matcher) {
            Ok(true) => done.led_out = 1,
            Ok(false) => done.given_up = 1,
            Err((what, more)) => {
                return Err(self.dead_end(what, &matcher, &[text, more].concat()));
            }
        }
        Ok(done)
    }

    fn dead_end(&self, what: String, matcher: &OwnedMatcher, text: &[u8]) -> Box<DeadEnd> {
        Box::new(DeadEnd {
            what,
            grammar: self.grammar.to_owned(),
            depth: matcher.depth(),
            text: text.to_vec(),
        })
    }

    fn show(&self, id: u32) -> String {
        format!("{id}, \"{}\"", self.vocabulary.bytes(id).escape_ascii())
    }

    /// Tries tokens, and takes them back; how many.
    fn compare(&mut self, matcher: &mut OwnedMatcher, mask: &[u32]) -> Result<u64, String> {
        let tried: Vec<u32> = match self.random.below(ALL_TRIED_OF) {
            0 => (0..self.vocabulary.size()).collect(),
            _ => (0..TRIED)
                .filter_map(|_| self.random.pick(mask).copied())
                .collect(),
        };
        for &id in &tried {
            let result = matcher.accept_token(id);
            if result.is_ok() && matcher.rollback(1).is_err() {
                return Err("a token was not taken back".to_owned());
            }
            if result.is_ok() != mask.binary_search(&id).is_ok() {
                let show = self.show(id);
                return Err(format!("the mask is wrong about {show}: {result:?}"));
            }
        }
        Ok(tried.len() as u64)
    }

    /// A token of the mask: of some the one that is preferred, seldom the end.
    fn choose(&mut self, matcher: &mut OwnedMatcher, mask: &[u32], prefer: Prefer) -> Option<u32> {
        let mut best = *self.random.pick(mask)?;
        let mut score = self.score(matcher, best, prefer);
        for _ in 0..self.random.below(CHOICES) {
            let other = *self.random.pick(mask)?;
            let other_score = self.score(matcher, other, prefer);
            if other_score > score {
                (best, score) = (other, other_score);
            }
        }
        Some(best)
    }

    fn score(&self, matcher: &mut OwnedMatcher, id: u32, prefer: Prefer) -> isize {
        if self.vocabulary.eos().contains(&id) {
            return isize::MIN;
        }
        match prefer {
            Prefer::Brackets => {
                let bytes = self.vocabulary.bytes(id).iter();
                let one = |byte: &u8| match byte {
                    b'[' | b'{' | b'(' | b'<' | b'"' | b'1' => 1,
                    b']' | b'}' | b')' | b'>' => -1,
                    _ => 0,
                };
                bytes.map(one).sum()
            }
            Prefer::Frames => {
                // What the mask and `accept` say has been compared; a token that is refused is met
                // when it is chosen.
                let is_taken = matcher.accept_token(id).is_ok();
                let frames = matcher.to_bytes().len() as isize;
                if is_taken && matcher.rollback(1).is_err() {
                    return isize::MIN;
                }
                frames
            }
        }
    }

    /// Whether a way to the end is found, by tokens of one byte, those that leave few frames first;
    /// `false` if the search was given up.
    ///
    /// # Errors
    /// What is wrong, and the text that leads there: all that can be reached was looked at, and the
    /// end was not there, or a mask and `accept` differ.
    fn lead_out(&mut self, from: &OwnedMatcher) -> Result<bool, (String, Vec<u8>)> {
        let first = from.to_bytes();
        let mut before: Before = HashMap::from([(first.clone(), None)]);
        let mut open = BTreeMap::from([((first.len(), 0), (first, from.fork()))]);
        let mut number = 0;
        while let Some((_, (key, mut matcher))) = open.pop_first() {
            if matcher.is_complete() || self.ends.contains(&key) {
                let mut at = Some(key);
                while let Some(key) = at {
                    at = before.remove(&key).flatten().map(|(before, _)| before);
                    self.ends.insert(key);
                }
                return Ok(true);
            }
            if number > MOST {
                return Ok(false);
            }
            let wrong =
                |before: &Before, what: &str| Err((what.to_owned(), self.text_to(before, &key)));
            let allowed = matcher.with_mask(|mask| {
                let bytes = self.bytes.iter().copied();
                let ids: Vec<u32> = bytes.filter(|&id| mask.contains(id)).collect();
                ids
            });
            if allowed.is_empty() {
                return wrong(&before, "the mask holds no byte");
            }
            for id in allowed {
                if matcher.accept_token(id).is_err() {
                    return wrong(
                        &before,
                        &format!("the mask holds {}, which is refused", self.show(id)),
                    );
                }
                if let Entry::Vacant(place) = before.entry(matcher.to_bytes()) {
                    let next = place.key().clone();
                    place.insert(Some((key.clone(), id)));
                    number += 1;
                    open.insert((next.len(), number), (next, matcher.fork()));
                }
                if matcher.rollback(1).is_err() {
                    return wrong(&before, "a token was not taken back");
                }
            }
        }
        Err(("no way leads to the end".to_owned(), Vec::new()))
    }

    /// The text that a search went to come to a state.
    fn text_to(&self, before: &Before, key: &[u8]) -> Vec<u8> {
        let (mut text, mut at) = (Vec::new(), key);
        while let Some(Some((earlier, id))) = before.get(at) {
            text.extend(self.vocabulary.bytes(*id).iter().rev());
            at = earlier;
        }
        text.reverse();
        text
    }
}
