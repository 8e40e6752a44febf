//! What patterns match, and how they are refused.

use super::*;
use crate::grammar::interpret::{accepts, accepts_bytes};
use proptest::prelude::*;

fn parsed(pattern: &str) -> Result<Grammar, Error> {
    parse(&Source::new("<pattern>", pattern), &ParseOptions::default()).map(|parsed| parsed.grammar)
}

fn check(pattern: &str, sentences: &[&str], others: &[&str]) {
    let grammar = parsed(pattern).unwrap_or_else(|error| panic!("{error}"));
    for text in sentences {
        assert!(accepts(&grammar, text), "/{pattern}/ must match {text:?}");
    }
    for text in others {
        assert!(
            !accepts(&grammar, text),
            "/{pattern}/ must not match {text:?}"
        );
    }
}

fn code(pattern: &str) -> &'static str {
    parsed(pattern).map_or_else(|error| error.code().as_str(), |_| "matches")
}

#[test]
fn repetition_and_alternatives() {
    check("a*b+c?", &["b", "aaabbc"], &["c", ""]);
    check(
        "(ab){2,3}|x{2}|y{1,}",
        &["abab", "ababab", "xx", "y"],
        &["ab", "x", ""],
    );
    check("a{1,3}?b*?c+?d??", &["ac", "aaabccd"], &["c", "aaaac"]);
    check("(a|)b|", &["b", "ab", ""], &["a"]);
    check("", &[""], &["a"]);
}

#[test]
fn classes() {
    check(r"[a-c\d_\-][^\w][^]", &["b-\n", "_ x"], &["bxx"]);
    check(r"[[:digit:][]", &["7", "["], &[":", "]"]);
    check("[a[b][&&][a-c-]", &["[&a", "b&-"], &["]&a", "[&0"]);
    check("[+--]", &["+", ",", "-"], &["."]);
    check("[a-z-9]", &["-", "9", "m"], &["8"]);
    check("[a&&b]", &["a", "&", "b"], &["c"]);
    check(r"[\w-]", &["-", "a"], &["+"]);
    check(r"[\b]", &["\u{8}"], &["b"]);
    check(r"\p{Greek}\P{L}", &["σ1"], &["aa", "σσ"]);
    check(r"\s\S\d\D\w\W", &["\u{b}é0x_é"], &["\u{a0}é0x_é"]);
    check(r"[^\S ]", &["\t"], &[" ", "a"]);
    let others = ["\u{d7ff}", "\u{e000}", "a", "\u{10000}"];
    check(r"[^\x00-\ud7ff\ue000-\uffff]", &others[3..], &others[..3]);
}

#[test]
fn escapes() {
    check(
        r"\/\-\@\<\>\ \{\é\e\0\cJ\x41\u00e9\u{1F600}\ud83d\ude00\a",
        &["/-@<> {é\u{1b}\0\nAé😀😀\u{7}"],
        &[],
    );
    check(r"[\r\n\$\u0010-\u006F\]\--]+", &["\r\n$ -"], &["~"]);
    check("{a}b{c{2}", &["{a}b{cc"], &[]);
    check(r"\Aab\Z", &["ab"], &[]);
}

#[test]
fn case() {
    check("(?i)aΣ[b-c]", &["aΣb", "AΣC"], &["aσb"]);
    check("(?i)[^k]", &["a", "\u{212A}"], &["k", "K"]);
    check("a(?i:b)c", &["abc", "aBc"], &["abC"]);
    check("a((?i)b|c)d", &["aBd", "aCd"], &["aBD"]);
    check("(?i)a(?-i)b", &["Ab"], &["AB"]);
    for upper in [r"(?i)\p{Lu}", r"(?i)[\p{Lu}]", "(?i)[[:upper:]]"] {
        check(upper, &["a", "A"], &["1", "é"]);
    }
}

#[test]
fn dot() {
    check("a.c", &["a\nc", "aéc"], &["ac"]);
    check("(?-s)a.c", &["aéc"], &["a\nc"]);
    check("(?-s:.)(?s).", &["x\n"], &["\nx"]);
}

#[test]
fn anchors() {
    check("^abc$", &["abc"], &["^abc$"]);
    check("^$|^a$|(^b|c)d$", &["", "a", "bd", "cd"], &["b"]);
    check("(?:(?:^a))$", &["a"], &[]);
    check("(a$)?b", &["b"], &["ab"]);
    check("a|b^c|d$e", &["a"], &["bc", "de"]);
    check("(^a|b$|c){1}", &["a", "b", "c"], &[]);
    check("^^a$$", &["a"], &[]);
    assert_eq!(code("a*^b"), "unsupported-anchor");
    assert_eq!(code("(^a)*"), "unsupported-anchor");
    assert_eq!(code("a$b"), "never-matches");
}

#[test]
fn bytes() {
    let grammar = parsed(r"(?-u:\xFF[\x80-\x8F]a.)").unwrap();
    assert!(accepts_bytes(&grammar, b"\xFF\x81a\n"));
    assert!(!accepts_bytes(&grammar, b"\xFF\x91a\n"));
    assert!(!accepts_bytes(&grammar, "ÿ\u{81}a\n".as_bytes()));
    assert_eq!(code("(?-u:é)"), "not-a-byte");
    assert_eq!(code("(?-u:[é])"), "not-a-byte");
}

#[test]
fn refusals_by_code() {
    for (pattern, expected) in [
        ("a(?=b)", "unsupported-lookaround"),
        ("a(?!b)", "unsupported-lookaround"),
        ("(?<=a)b", "unsupported-lookaround"),
        ("(?<!a)b", "unsupported-lookaround"),
        (r"(a)\1", "unsupported-backreference"),
        (r"(?<n>a)\k<n>", "unsupported-backreference"),
        ("(?P<n>a)(?P=n)", "unsupported-backreference"),
        (r"a\b", "unsupported-word-boundary"),
        (r"a\B", "unsupported-word-boundary"),
        (r"\b{start}a", "unsupported-word-boundary"),
        ("(?>a)", "unsupported-atomic-group"),
        ("(?m)^a", "unsupported-regex-flag"),
        ("(?x) a", "unsupported-regex-flag"),
        ("a++", "double-repetition"),
        ("a{2}{3}", "double-repetition"),
        ("a???", "double-repetition"),
        ("a{5,2}", "invalid-repetition"),
        ("a{,5}", "invalid-repetition"),
        ("a{99999999999}", "limit-exceeded"),
        ("a{0,4294967296}", "limit-exceeded"),
        ("a{4294967296,}", "limit-exceeded"),
        ("a{100001}", "limit-exceeded"),
        ("*", "nothing-to-repeat"),
        ("[z-a]", "invalid-range"),
        (r"[a-\d]", "invalid-range"),
        ("[]", "empty-class"),
        ("[a", "unclosed-class"),
        ("(a", "unclosed-group"),
        ("a)", "unopened-group"),
        (r"\q", "bad-escape"),
        ("a\\", "bad-escape"),
        (r"\ud83d", "bad-escape"),
        (r"\012", "bad-escape"),
        (r"\p{Nonsense}", "unknown-class"),
        ("(?P<1>a)", "regex-syntax"),
    ] {
        assert_eq!(code(pattern), expected, "/{pattern}/");
    }
}

#[test]
fn messages() {
    let drawn: Vec<String> = [
        "é(?=b)",
        r"(a)\1",
        "a++",
        r"x\b",
        "[z-a]",
        "a*^b",
        "a$b",
        "(?m)a",
        r"\p{Nonsense}",
        "[]",
    ]
    .iter()
    .map(|pattern| parsed(pattern).unwrap_err().to_string())
    .collect();
    insta::assert_snapshot!("messages", drawn.join("\n\n"));
}

#[test]
fn literals_grow_together() {
    let grammar = parsed(r"ab\.c(?:d)").unwrap();
    assert_eq!(grammar.rules[0].expr, Expr::Literal("ab.cd".into()));
}

#[test]
fn nesting_is_limited() {
    let nested = |depth: usize| format!("{}a{}", "(?:b|c".repeat(depth), ")*".repeat(depth));
    assert_eq!(code(&nested(200)), "matches");
    assert_eq!(code(&nested(201)), "limit-exceeded");
    assert_eq!(code(&"(".repeat(1_000_000)), "limit-exceeded");
    assert_eq!(code(&"a?*".repeat(1_000_000)), "double-repetition");
}

/// Patterns over a small alphabet, with what two engines read alike.
fn pattern() -> impl Strategy<Value = String> {
    let atom = prop::sample::select(vec![
        "a",
        "b",
        "ab",
        ".",
        "[ab]",
        "[^a]",
        "[a-c1]",
        r"\d",
        r"\W",
        r"[^\s]",
        "^",
        "$",
        "",
        r"\n",
        "(?i)a",
        "(?i:B)",
        r"\x61",
        "(?-s:.)",
        r"\A",
        r"\z",
        "[[:digit:]]",
        r"\p{Lu}",
        r"(?i:\p{Lu})",
    ]);
    let atom = atom.prop_map(str::to_owned);
    atom.prop_recursive(4, 20, 4, |inner| {
        let several = prop::collection::vec(inner.clone(), 1..4);
        let operator = prop::sample::select(vec![
            "*", "+", "?", "{2}", "{1,3}", "{2,}", "*?", "+?", "??", "{0,2}?", "{0}",
        ]);
        prop_oneof![
            several.clone().prop_map(|parts| parts.concat()),
            several.prop_map(|parts| format!("({})", parts.join("|"))),
            (inner.clone(), operator)
                .prop_map(|(inner, operator)| format!("(?:{inner}){operator}")),
            inner.prop_map(|inner| format!("(?<n>{inner})").replace("?<n>", "")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_same_texts_match_as_in_another_engine(
        pattern in pattern(),
        texts in prop::collection::vec("[abcA1\n ]{0,5}", 8),
    ) {
        let whole = regex::Regex::new(&format!(r"\A(?s:{pattern})\z")).unwrap();
        match parsed(&pattern) {
            Ok(grammar) => {
                for text in texts {
                    prop_assert_eq!(accepts(&grammar, &text), whole.is_match(&text), "/{}/ {:?}", pattern, text);
                }
            }
            Err(error) if error.code() == "never-matches" => {
                for text in texts {
                    prop_assert!(!whole.is_match(&text), "/{}/ {:?}", pattern, text);
                }
            }
            Err(error) => prop_assert_eq!(error.code(), "unsupported-anchor", "{}", error),
        }
    }
}
