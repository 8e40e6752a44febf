//! Patterns made of patterns, and bytes that are no UTF-8.

use super::{compile, ends, regex, text, texts};
use crate::{Matching, Options, Pattern, TerminalDfa, terminal};
use proptest::prelude::*;

fn matches(dfa: &TerminalDfa, text: &str) -> bool {
    ends(dfa, text.as_bytes()).contains(&text.len())
}

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec!["a", "b", "é", ".", "[ab]", "[^a]", "(?!b)", "(?<=a)"]);
    leaf.prop_map(str::to_owned)
        .prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                (inner.clone(), inner.clone()).prop_map(|(one, two)| format!("{one}{two}")),
                (inner.clone(), inner.clone()).prop_map(|(one, two)| format!("(?:{one}|{two})")),
                (inner.clone()).prop_map(|one| format!("(?:{one})*")),
                inner.prop_map(|one| format!("(?:{one}){{1,2}}")),
            ]
        })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 150,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn operations_are_those_of_sets(one in expression(), two in expression()) {
        // What may follow a part is part of the operand.
        let (one, two) = (regex(&format!("(?:{one})a*")), regex(&format!("(?:{two})b?")));
        let options = Options::default();
        let both = Pattern::Intersection(vec![one.clone(), two.clone()]);
        let not = Pattern::Complement(Box::new(one.clone()));
        let first = Pattern::Shortest(Box::new(one.clone()));
        let compiled: Result<Vec<_>, _> = ([&one, &two, &not, &first, &both].into_iter())
            .map(|pattern| terminal(pattern, &options, &mut || true))
            .collect();
        let Ok(compiled) = compiled else {
            return Ok(());
        };
        let [one, two, not, first, both] = &compiled[..] else {
            unreachable!();
        };
        for text in texts(&['a', 'b', 'é'], 4) {
            let text: String = text.into_iter().collect();
            let begin = text.char_indices().map(|(at, _)| &text[..at]);
            let is_first = matches(one, &text) && begin.into_iter().all(|t| !matches(one, t));
            prop_assert_eq!(matches(not, &text), !matches(one, &text));
            prop_assert_eq!(matches(first, &text), is_first);
            prop_assert_eq!(matches(both, &text), matches(one, &text) && matches(two, &text));
        }
    }
}

#[test]
fn substrings_are_runs_of_neighbours() {
    let parts = ["ab", "é", "", "ab", "b"];
    let pattern = Pattern::Substring(parts.map(str::to_owned).to_vec().into());
    let runs: Vec<String> = (0..=parts.len())
        .flat_map(|from| (from..=parts.len()).map(move |to| parts[from..to].concat()))
        .collect();
    for matching in [Matching::Longest, Matching::Preferred] {
        let dfa = compile(&pattern, matching).unwrap();
        assert_eq!(dfa.max_width, Some(6));
        for text in texts(&['a', 'b', 'é'], 6) {
            let text: String = text.into_iter().collect();
            assert_eq!(matches(&dfa, &text), runs.contains(&text), "{text}");
        }
    }
}

#[test]
fn unions_are_ordered_only_if_preferred() {
    let union = Pattern::Union(vec![text("a"), text("ab"), regex("x.*?y"), regex("x[xy]")]);
    let longest = compile(&union, Matching::Longest).unwrap();
    assert_eq!(longest.longest(b"ab"), Some(2));
    assert_eq!(ends(&longest, b"xxyxy"), [2, 3]);
    let preferred = compile(&union, Matching::Preferred).unwrap();
    assert_eq!(preferred.longest(b"ab"), Some(1));
    assert_eq!(ends(&preferred, b"xxyxy"), [2, 3]);
    assert_eq!(ends(&preferred, b"xyxy"), [2]);
}

#[test]
fn what_a_lazy_part_stands_in_is_preferred() {
    // ESCAPED_STRING of Lark, whose parts are terminals.
    let inner = Pattern::Sequence(vec![regex(".*?"), regex(r"(?<!\\)(\\\\)*?")]);
    let string = Pattern::Sequence(vec![text("\""), inner, text("\"")]);
    for matching in [Matching::Longest, Matching::Preferred] {
        let dfa = compile(&string, matching).unwrap();
        assert_eq!(ends(&dfa, br#""a\"b" "c""#), [6]);
        assert_eq!(ends(&dfa, br#""\\" """#), [4]);
    }
}

#[test]
fn bytes_that_are_no_utf8() {
    let options = Options {
        invalid_utf8: true,
        ..Options::default()
    };
    let sources = [regex("."), regex("[^a]"), Pattern::AnyCharacter];
    for pattern in sources {
        let dfa = terminal(&pattern, &options, &mut || true).unwrap();
        assert_eq!(dfa.longest(b"\xff"), Some(1));
        assert_eq!(dfa.longest(b"\x80\x80"), Some(1));
        assert_eq!(dfa.longest("é".as_bytes()), Some(2));
        assert_eq!(dfa.longest(b"\xe2\x82x"), Some(1));
        let strict = compile(&pattern, Matching::Longest).unwrap();
        assert_eq!(strict.longest(b"\xff"), None);
        assert_eq!(strict.longest(b"\xed\xa0\x80"), None);
    }
    let not = Pattern::Complement(Box::new(text("a")));
    let dfa = terminal(&not, &options, &mut || true).unwrap();
    assert_eq!(ends(&dfa, b"a\xffb"), [0, 2, 3]);
    let class = terminal(&regex("[é]"), &options, &mut || true).unwrap();
    assert_eq!(class.longest(b"\xc3"), None);
}
