//! Masks of matchers of any depth, compared to a [search](crate::configurations) token by token.
//!
//! In: a grammar, compiled, and a vocabulary that has a token for each byte that the grammar takes.
//! Out: [`Verdicts`]. What is checked at each step of a walk, for every token: it is in the mask if
//! and only if the search can finish the text after it.

use crate::configurations::{Configurations, GivenUp};
use crate::harness::STACKS;
use crate::random::Random;
use maskwright::{Grammar, Matcher, MatcherError};
use maskwright_compiler::pda::Pda;
use maskwright_compiler::pda::interpret::Stack;
use maskwright_compiler::vocabulary::Vocabulary;
use std::ops::AddAssign;

/// Tokens by their bytes.
pub struct Tokens {
    /// Tokens with bytes, sorted by them.
    sorted: Vec<(Vec<u8>, u32)>,
    eos: Vec<u32>,
    size: u32,
}

impl Tokens {
    /// All tokens of a vocabulary.
    pub fn new(vocabulary: &Vocabulary) -> Self {
        let eos = vocabulary.eos().to_vec();
        let with_bytes = (0..vocabulary.size())
            .filter(|id| !eos.contains(id) && !vocabulary.bytes(*id).is_empty())
            .map(|id| (vocabulary.bytes(id).to_vec(), id));
        let mut sorted: Vec<_> = with_bytes.collect();
        sorted.sort();
        Tokens {
            sorted,
            eos,
            size: vocabulary.size(),
        }
    }
}

/// How much was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdicts {
    /// Masks.
    pub masks: u64,
    /// Verdicts on tokens that were equal.
    pub equal: u64,
    /// Tokens of which the search was given up.
    pub given_up: u64,
}

impl AddAssign for Verdicts {
    fn add_assign(&mut self, other: Self) {
        self.masks += other.masks;
        self.equal += other.equal;
        self.given_up += other.given_up;
    }
}

/// A grammar under test.
pub struct Subject<'a> {
    /// For messages.
    pub name: &'a str,
    /// The automaton that item sets make.
    pub pda: &'a Pda,
    /// The compiled tables, with the vocabulary.
    pub grammar: &'a Grammar<'a>,
    /// The vocabulary.
    pub tokens: &'a Tokens,
}

/// Walks of so many steps at most, from the beginning of a text each.
#[derive(Clone, Copy, Debug)]
pub struct Walks {
    /// How many.
    pub count: usize,
    /// Steps of each.
    pub steps: usize,
}

/// Compares all masks of random walks at one depth, which is known at run time only.
///
/// # Panics
/// If a verdict differs, a mask is empty before the end, or the least depth is wrong.
pub fn compare(subject: &Subject<'_>, depth: usize, walks: Walks, seed: u64) -> Verdicts {
    macro_rules! dispatch {
        ($($n:literal)*) => {
            match depth {
                $($n => compare_at::<$n>(subject, walks, seed),)*
                _ => panic!("no matcher of depth {depth}"),
            }
        };
    }
    dispatch!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32)
}

/// The depths that a grammar is compared at: from none to its least and six more, and 16 and 32.
pub fn depths(grammar: &Grammar<'_>) -> Vec<usize> {
    let least = grammar.least_depth();
    let mut depths: Vec<usize> = (0..=least + 6).chain([16, 32]).collect();
    depths.retain(|&depth| depth <= 32);
    depths.sort_unstable();
    depths.dedup();
    depths
}

fn compare_at<const DEPTH: usize>(subject: &Subject<'_>, walks: Walks, seed: u64) -> Verdicts {
    let name = subject.name;
    let mut oracle = Configurations::new(subject.pda, DEPTH);
    let start = match Matcher::<DEPTH, STACKS>::new(subject.grammar) {
        Ok(matcher) => matcher,
        Err(MatcherError::DepthTooSmall { needed }) => {
            let start = oracle.start();
            let can_finish = oracle.can_finish(&start);
            assert_ne!(can_finish, Ok(true), "{name}: {DEPTH} frames are enough");
            assert!(needed > DEPTH, "{name}: {needed} frames, not {DEPTH}");
            return Verdicts::default();
        }
        Err(error) => panic!("{name}: {error}"),
    };
    let can_finish = oracle.can_finish(&oracle.start());
    assert_ne!(can_finish, Ok(false), "{name}: {DEPTH} frames are too few");
    let mut random = Random::new(seed);
    let mut verdicts = Verdicts::default();
    for _ in 0..walks.count {
        let (mut matcher, mut stacks, mut text) = (start, oracle.start(), Vec::new());
        for _ in 0..walks.steps {
            verdicts += compare_mask(subject, &matcher, (&mut oracle, &stacks), &text);
            let Some(id) = choose(subject, &matcher, &mut random) else {
                break;
            };
            let bytes = subject.grammar.vocabulary().map(|v| v.bytes(id));
            let bytes = bytes.unwrap_or_default();
            let taken = matcher.accept_token(id);
            let shown = String::from_utf8_lossy(&text);
            assert_eq!(taken, Ok(()), "{name}, {DEPTH}: {id} after {shown:?}");
            if matcher.is_finished() {
                break;
            }
            text.extend_from_slice(bytes);
            for &byte in bytes {
                stacks = oracle.step_byte(&stacks, byte);
            }
            stacks.retain(|stack| oracle.can_finish(std::slice::from_ref(stack)) != Ok(false));
        }
    }
    verdicts
}

/// Compares the verdicts on all tokens.
fn compare_mask<const DEPTH: usize>(
    subject: &Subject<'_>,
    matcher: &Matcher<'_, DEPTH, STACKS>,
    (oracle, stacks): (&mut Configurations<'_>, &[Stack]),
    text: &[u8],
) -> Verdicts {
    let Tokens { sorted, eos, size } = subject.tokens;
    let mut words = vec![0u32; size.div_ceil(32) as usize];
    matcher.mask().fill(&mut words).expect("a word for 32 ids");
    let is_in = |id: u32| words[id as usize / 32] >> (id % 32) & 1 == 1;
    let shown = || {
        let text = String::from_utf8_lossy(text);
        format!("{} at depth {DEPTH}, after {text:?}", subject.name)
    };
    let mut verdicts = Verdicts {
        masks: 1,
        ..Verdicts::default()
    };
    let mut allowed = vec![false; *size as usize];
    let mut judge = |id: u32, can_finish: Result<bool, GivenUp>| match can_finish {
        Ok(verdict) => {
            allowed[id as usize] = verdict;
            verdicts.equal += 1;
        }
        Err(GivenUp) => {
            allowed[id as usize] = is_in(id);
            verdicts.given_up += 1;
        }
    };
    walk(sorted, 0, stacks, oracle, &mut judge);
    let is_complete = oracle.is_complete(stacks);
    eos.iter().for_each(|&id| judge(id, Ok(is_complete)));
    for (id, &allowed) in (0..).zip(&allowed) {
        assert_eq!(
            is_in(id),
            allowed,
            "{}: token {id}, {:?}",
            shown(),
            sorted
                .iter()
                .find(|token| token.1 == id)
                .map(|t| String::from_utf8_lossy(&t.0))
        );
    }
    let is_empty = words.iter().all(|&word| word == 0);
    assert!(!is_empty, "{}: the mask is empty", shown());
    verdicts
}

/// Judges all of some tokens, which agree in their first bytes.
fn walk(
    tokens: &[(Vec<u8>, u32)],
    agreed: usize,
    stacks: &[Stack],
    oracle: &mut Configurations<'_>,
    judge: &mut impl FnMut(u32, Result<bool, GivenUp>),
) {
    if stacks.is_empty() {
        return tokens.iter().for_each(|token| judge(token.1, Ok(false)));
    }
    let ended = tokens.partition_point(|token| token.0.len() == agreed);
    let (ended, longer) = tokens.split_at(ended);
    if !ended.is_empty() {
        let can_finish = oracle.can_finish(stacks);
        ended.iter().for_each(|token| judge(token.1, can_finish));
    }
    for same in longer.chunk_by(|a, b| a.0[agreed] == b.0[agreed]) {
        let next = oracle.step_byte(stacks, same[0].0[agreed]);
        walk(same, agreed + 1, &next, oracle, judge);
    }
}

/// A token of the mask: often one that opens something, seldom the end.
fn choose<const DEPTH: usize>(
    subject: &Subject<'_>,
    matcher: &Matcher<'_, DEPTH, STACKS>,
    random: &mut Random,
) -> Option<u32> {
    let ids: Vec<u32> = matcher.mask().iter().collect();
    let opens = |id: u32| {
        let bytes = subject
            .grammar
            .vocabulary()
            .map_or(&[][..], |v| v.bytes(id));
        bytes
            .iter()
            .filter(|byte| b"[{(<\"1".contains(byte))
            .count()
            > bytes.iter().filter(|byte| b"]})>".contains(byte)).count()
    };
    let mut best = *random.pick(&ids)?;
    for _ in 0..random.below(6) {
        let other = *random.pick(&ids)?;
        let is_end = subject.tokens.eos.contains(&best);
        if is_end || opens(other) && !opens(best) {
            best = other;
        }
    }
    Some(best)
}
