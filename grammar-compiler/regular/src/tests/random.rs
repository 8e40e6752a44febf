//! Random regular expressions, over all short texts, against the slow matchers.

use super::oracle::Oracle;
use super::{compile, ends, flagged, regex, texts};
use crate::budget::Budget;
use crate::node::Node;
use crate::{ErrorKind, Flags, Matching, Options, TerminalDfa, terminal};
use std::cell::Cell;
use std::collections::BTreeSet;

/// A sequence of numbers that is the same each time.
pub(super) struct Random(pub(super) u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % bound
    }

    fn pick(&mut self, from: &[&str]) -> String {
        from[self.below(from.len())].to_owned()
    }

    pub(super) fn expression(&mut self, depth: usize, is_lazy: bool) -> String {
        let count = [1, 1, 2, 3][self.below(4)];
        let parts: Vec<_> = (0..count).map(|_| self.sequence(depth, is_lazy)).collect();
        parts.join("|")
    }

    fn sequence(&mut self, depth: usize, is_lazy: bool) -> String {
        let count = [1, 1, 2, 2, 3][self.below(5)];
        (0..count).map(|_| self.part(depth, is_lazy)).collect()
    }

    fn part(&mut self, depth: usize, is_lazy: bool) -> String {
        let mut part = match self.below(20) {
            18 => return self.pick(&[r"\b", r"\B", "^", "(?m:^)", "(?m:$)"]),
            _ if depth == 0 => self.leaf(),
            0..=9 => self.leaf(),
            10..=13 => format!("(?:{})", self.expression(depth - 1, is_lazy)),
            14 => format!("(?={})", self.expression(depth - 1, is_lazy)),
            15 | 16 => format!("(?!{})", self.expression(depth - 1, is_lazy)),
            _ => {
                let begin = self.pick(&["(?<=", "(?<!"]);
                let inner = [
                    "a",
                    "b",
                    "ab",
                    ".b",
                    r"\W",
                    "(?:a|b)(?!b)",
                    "a(?=b)",
                    "a*b",
                    "ba??",
                ];
                format!("{begin}{})", self.pick(&inner))
            }
        };
        if self.below(5) < 2 {
            part += match self.below(if is_lazy { 12 } else { 7 }) {
                0 => "*",
                1 => "+",
                2 => "?",
                3 => "{2}",
                4 => "{,2}",
                5 => "{1,2}",
                6 => "{1,}",
                7 => "*?",
                8 => "+?",
                9 => "??",
                10 => "{0,2}?",
                _ => "{1,3}?",
            };
        }
        part
    }

    fn leaf(&mut self) -> String {
        let leaves = [
            "a", "b", "a", "b", "é", ".", "[ab]", "[^a]", "[^bé]", r"\w", r"\W", "(?:)",
        ];
        self.pick(&leaves)
    }
}

/// Words are ASCII, for automata of Unicode's are large.
fn tree(source: &str, is_ascii: bool) -> Node {
    let mut clock = || true;
    let mut budget = Budget::new(1000, 0..0, &mut clock);
    let flags = Flags {
        ascii: is_ascii,
        ..Flags::default()
    };
    crate::regex::parse(source, flags, 0, false, &mut budget).unwrap()
}

/// The automaton, if it is small.
fn small(source: &str, is_ascii: bool, matching: Matching) -> Option<TerminalDfa> {
    let options = Options {
        matching,
        states: 1000,
        invalid_utf8: false,
    };
    let mut looks = 4000;
    let clock = &mut || {
        looks -= 1;
        looks > 0
    };
    match terminal(
        &flagged(source, if is_ascii { "a" } else { "" }),
        &options,
        clock,
    ) {
        Ok(dfa) => Some(dfa),
        Err(error) if error.kind == ErrorKind::Empty => Some(TerminalDfa {
            states: Vec::new(),
            conditions: Vec::new(),
            max_width: None,
        }),
        Err(error) => {
            assert!(
                matches!(error.kind, ErrorKind::TooLarge | ErrorKind::OutOfTime),
                "{source}"
            );
            None
        }
    }
}

fn bytes(text: &[char]) -> usize {
    text.iter().map(|c| c.len_utf8()).sum()
}

fn check_preferred(seed: u64, patterns: usize, alphabet: &[char], length: usize) {
    let is_ascii = true;
    let texts = texts(alphabet, length);
    let mut random = Random(seed);
    let mut checked = 0;
    for _ in 0..patterns {
        let source = random.expression(2, true);
        let node = tree(&source, is_ascii);
        let Some(dfa) = small(&source, is_ascii, Matching::Preferred) else {
            continue;
        };
        checked += 1;
        for text in &texts {
            let oracle = Oracle {
                text,
                fuel: Cell::new(20_000),
            };
            let expected = oracle.preferred(&node).map(|end| bytes(&text[..end]));
            if oracle.fuel.get() == 0 {
                break;
            }
            let all: String = text.iter().collect();
            assert_eq!(dfa.longest(all.as_bytes()), expected, "{source} on {all:?}");
        }
    }
    assert!(
        checked * 10 > patterns * 9,
        "only {checked} of {patterns} were small"
    );
}

#[test]
fn preferred_matches_are_those_of_backtracking() {
    check_preferred(0x9e37_79b9_7f4a_7c15, 1500, &['a', 'b', 'é'], 6);
}

#[test]
fn preferred_matches_with_line_feeds() {
    check_preferred(0x1234_5678_9abc_def1, 600, &['a', 'b', '\n', '-'], 5);
}

#[test]
fn languages_have_all_ends() {
    let texts = texts(&['a', 'b', 'é'], 6);
    let mut random = Random(0x0dd0_1234_5678_9abc);
    let mut checked = 0;
    let is_ascii = true;
    for _ in 0..1000 {
        let source = random.expression(2, false);
        let node = tree(&source, is_ascii);
        if node.has_lazy {
            continue;
        }
        let Some(dfa) = small(&source, is_ascii, Matching::Longest) else {
            continue;
        };
        checked += 1;
        for text in &texts {
            let oracle = Oracle {
                text,
                fuel: Cell::new(usize::MAX),
            };
            let expected: Vec<usize> = (oracle.ends(&node, &BTreeSet::from([0])).into_iter())
                .map(|end| bytes(&text[..end]))
                .collect();
            let all: String = text.iter().collect();
            assert_eq!(ends(&dfa, all.as_bytes()), expected, "{source} on {all:?}");
            assert_eq!(
                dfa.longest(all.as_bytes()),
                expected.last().copied(),
                "{source}"
            );
        }
    }
    assert!(checked > 700, "only {checked} were checked");
}

#[test]
fn words_are_those_of_unicode() {
    let texts = texts(&['a', 'é', '-'], 5);
    let mut random = Random(0x5eed);
    for _ in 0..60 {
        let source = random.expression(1, true);
        let node = tree(&source, false);
        let Some(dfa) = small(&source, false, Matching::Preferred) else {
            continue;
        };
        for text in &texts {
            let oracle = Oracle {
                text,
                fuel: Cell::new(usize::MAX),
            };
            let expected = oracle.preferred(&node).map(|end| bytes(&text[..end]));
            let all: String = text.iter().collect();
            assert_eq!(dfa.longest(all.as_bytes()), expected, "{source} on {all:?}");
        }
    }
}

#[test]
fn automata_are_the_same_each_time() {
    let mut random = Random(77);
    for _ in 0..100 {
        let source = random.expression(2, true);
        let one = compile(&regex(&source), Matching::Preferred);
        assert_eq!(
            one,
            compile(&regex(&source), Matching::Preferred),
            "{source}"
        );
    }
}
