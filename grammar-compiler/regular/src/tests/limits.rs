//! Limits on time, size and depth.

use super::{compile, regex};
use crate::{ErrorKind, Matching, Options, Pattern, terminal};
use std::sync::Arc;

fn kind(pattern: &Pattern, options: &Options) -> Option<ErrorKind> {
    terminal(pattern, options, &mut || true)
        .err()
        .map(|error| error.kind)
}

#[test]
fn ends_when_the_clock_says_so() {
    let sources = [
        "(a|b)*a(a|b){12}",
        "a{0,3000}b",
        "[a-z]*a[a-z]{200}",
        r"(?!.{0,20}x)(?=.*b.{9})\w+",
        r"(?:(?:a{500}){500}){500}",
    ];
    for source in sources {
        for limit in [0, 1, 2, 5, 20] {
            let mut looks = 0;
            let result = terminal(&regex(source), &Options::default(), &mut || {
                looks += 1;
                looks <= limit
            });
            let kind = result.err().map(|error| error.kind);
            match looks > limit {
                true => {
                    assert_eq!(kind, Some(ErrorKind::OutOfTime), "{source}");
                    assert_eq!(looks, limit + 1, "{source}");
                }
                false => assert_eq!(kind, Some(ErrorKind::TooLarge), "{source}"),
            }
        }
    }
}

#[test]
fn refuses_what_is_too_large() {
    let options = Options {
        states: 2000,
        ..Options::default()
    };
    let sources = [
        "(a|b)*a(a|b){14}",
        "(?:a{0,100000}){100000}",
        "(?:(?:(?:a{1000}){1000}){1000}){1000}",
        "a{99999999999}",
        "(?:[^a]{100}){100}",
    ];
    for source in sources {
        assert_eq!(
            kind(&regex(source), &options),
            Some(ErrorKind::TooLarge),
            "{source}"
        );
    }
    let deep = |count: usize| regex(&format!("{}a{}", "(".repeat(count), ")".repeat(count)));
    assert_eq!(kind(&deep(250), &options), None);
    assert_eq!(kind(&deep(251), &options), Some(ErrorKind::TooLarge));
    let looks = |count: usize| regex(&format!("{}a{}", "(?=b|".repeat(count), ")".repeat(count)));
    assert_eq!(kind(&looks(250), &options), None);
}

#[test]
fn refuses_what_is_shared_too_often() {
    let mut pattern = regex("ab?");
    for _ in 0..64 {
        let shared = Pattern::Shared(Arc::new(pattern));
        pattern = Pattern::Sequence(vec![shared.clone(), shared]);
    }
    assert_eq!(
        kind(&pattern, &Options::default()),
        Some(ErrorKind::TooLarge)
    );
}

#[test]
fn a_count_that_may_begin_anywhere_is_no_power_set() {
    for source in [
        "[a-z]*a[a-z]{0,200}",
        "(?:a|b)*a(?:a|b){0,200}?",
        "(?=b*a(?:ab?){0,50}x).*",
    ] {
        let dfa = compile(&regex(source), Matching::Longest).unwrap();
        assert!(dfa.states.len() < 400, "{source}: {}", dfa.states.len());
    }
}

#[test]
fn large_counts_are_possible() {
    let dfa = compile(&regex("a{0,10000}b"), Matching::Longest).unwrap();
    assert_eq!(dfa.states.len(), 10_002);
    assert_eq!(dfa.max_width, Some(10_001));
    let text = format!("{}b", "a".repeat(10_000));
    assert_eq!(dfa.longest(text.as_bytes()), Some(10_001));
    assert_eq!(dfa.longest(format!("a{text}").as_bytes()), None);
    let empty = compile(&regex("(?:(?:){1000000}){1000000}a"), Matching::Longest).unwrap();
    assert_eq!(empty.states.len(), 2);
}
