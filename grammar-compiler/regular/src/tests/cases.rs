//! Hand-written cases: a regular expression, texts, and where the match in each ends.

use super::{compile, flagged, regex};
use crate::{Accept, After, Matching};

/// The regular expression, its flags, and texts with the length of the match of Python's `re`; none
/// is -1.
type Case<'c> = (&'c str, &'c str, &'c [(&'c str, i64)]);

fn check(cases: &[Case<'_>], matching: Matching) {
    for &(source, flags, texts) in cases {
        let dfa = compile(&flagged(source, flags), matching);
        let dfa = dfa.unwrap_or_else(|error| panic!("{source}: {error}"));
        for &(text, expected) in texts {
            let found = dfa
                .longest(text.as_bytes())
                .map_or(-1, |length| length as i64);
            assert_eq!(found, expected, "{source} on {text:?}");
        }
    }
}

#[test]
fn terminals_of_real_grammars() {
    let cases: &[Case] = &[
        (
            r#""(?!"").*?(?<!\\)(\\\\)*?""#,
            "",
            &[
                (r#""""#, 2),
                (r#""""""#, -1),
                (r#""a" "b""#, 3),
                (r#""a\"b""#, 6),
                (r#""a\\"b""#, 5),
                (r#""a"#, -1),
                ("\"a\n\"", -1),
                (r#""é""#, 4),
            ],
        ),
        (
            r#""""(.|\n)*?(?<!\\)(\\\\)*?""""#,
            "",
            &[
                (r#""""""""#, 6),
                ("\"\"\"a\nb\"\"\"\"\"\"", 9),
                (r#""""a\"""b""""#, 12),
            ],
        ),
        (
            r"/\*(.|\n)*?\*/",
            "",
            &[("/* a\n */ */", 8), ("/**/*/", 4), ("/*/", -1)],
        ),
        (r"/\*.*?\*/", "s", &[("/***/ */", 5)]),
        (
            r#"U(?=[ "\(])"#,
            "",
            &[("U ", 1), ("U\"", 1), ("U(", 1), ("U", -1), ("Ux", -1)],
        ),
        (
            r"[ \t]*=(?!=|>)",
            "",
            &[(" \t=", 3), ("= ", 1), ("==", -1), ("=>", -1), ("=", 1)],
        ),
        (
            r#"(?:(?!\$\$\{)(?!\$\{)(?!%%\{)(?!%\{)[^"\\]|\\.|(?:\$(?!\$?\{))|(?:%(?!%?\{)))+"#,
            "",
            &[
                ("ab${c", 2),
                ("ab$${c", 2),
                ("ab$c%", 5),
                ("a%{", 1),
                ("a\\\"b\"", 4),
                ("${", -1),
                ("$", 1),
            ],
        ),
        (r"X(?![a-z])", "", &[("X", 1), ("XA", 1), ("Xa", -1)]),
        (r"(?i:abc)d", "", &[("aBCd", 4), ("abcD", -1)]),
        (r"[^\W\d]\w*", "", &[("é1_ ", 4), ("1a", -1), ("_", 1)]),
        (r"\((?!\*)", "", &[("(", 1), ("(*", -1), ("()", 1)]),
        (r"#[^\n]*(?=\n|$)", "", &[("#ab\nc", 3), ("#ab", 3)]),
        (r"a|ab", "", &[("ab", 1)]),
    ];
    check(cases, Matching::Preferred);
}

#[test]
fn languages() {
    let cases: &[Case] = &[
        ("a|ab", "", &[("ab", 2), ("abc", 2)]),
        ("(a|ab)(c|bcd)", "", &[("abcd", 4)]),
        ("a|ab(?=c)", "", &[("abd", 1), ("abc", 2)]),
        ("", "", &[("", 0), ("a", 0)]),
    ];
    check(cases, Matching::Longest);
}

#[test]
fn syntax() {
    let cases: &[Case] = &[
        (r"\/\-\é", "", &[("/-é", 4)]),
        (
            r"\x41\u00e9\U0001f600\n\t\r\f\v\a\0\012",
            "",
            &[("Aé\u{1f600}\n\t\r\x0c\x0b\x07\0\n", 15)],
        ),
        (r"\101", "", &[("A", 1)]),
        (r"[\b\7\012]+", "", &[("\x08\x07\n", 3)]),
        ("a{", "", &[("a{", 2)]),
        ("a{,x}{}", "", &[("a{,x}{}", 7)]),
        ("a{,2}", "", &[("aaa", 2), ("", 0)]),
        ("a{,}b", "", &[("aab", 3)]),
        ("[]a]+", "", &[("]a]b", 3)]),
        ("[^]a]+", "", &[("b\n]", 2)]),
        ("[[:alpha:]]", "", &[("a]", 2), ("z]", -1), (":]", 2)]),
        ("[a&&b]+", "", &[("a&b", 3)]),
        ("[a-]+", "", &[("a-b", 2)]),
        ("[+--]+", "", &[("+,-.", 3)]),
        ("(?P<n>a)(?:b)(?#c)*", "", &[("abbb", 4)]),
        ("(?i)(?s)a.", "", &[("A\n", 2)]),
        ("(?s-i:a.)b", "i", &[("a\nB", 3), ("A\nb", -1)]),
        (" a b # c\n [ ] \\ ", "x", &[("ab  ", 4)]),
        ("a +", "x", &[("aa", 2)]),
        (".", "", &[("\n", -1), ("é", 2)]),
        (r"\w+", "", &[("aé١_-", 6), ("e\u{301}", 1)]),
        (r"\w+", "a", &[("aé", 1)]),
        (r"\s+", "", &[(" \u{1c}\u{a0}\u{2028}x", 7)]),
        (r"\s+", "a", &[(" \u{1c}", 1)]),
        (r"\d+\D", "", &[("1١a", 4)]),
        (r"\p{Greek}\P{L}\pL", "", &[("α1a", 4)]),
        ("s", "i", &[("S", 1), ("ſ", 2)]),
        ("s", "ia", &[("S", 1), ("ſ", -1)]),
        ("[^s]", "i", &[("S", -1), ("ſ", -1), ("t", 1)]),
        (r"[\W]", "i", &[("ι", -1), ("-", 1)]),
    ];
    check(cases, Matching::Preferred);
}

#[test]
fn anchors() {
    let cases: &[Case] = &[
        ("^ab$", "", &[("ab", 2), ("abc", 2)]),
        (r"\Aab\Z", "", &[("abc", 2)]),
        ("(?:a$){1}", "", &[("ab", 1)]),
        ("(?:a$|b$)", "", &[("ac", 1)]),
        ("a(?:^b|c)", "", &[("ab", -1), ("ac", 2)]),
        ("a\n^b", "m", &[("a\nb", 3)]),
        ("(?:a|\n)+^b", "m", &[("a\nb", 3), ("ab", -1)]),
        ("a$", "m", &[("a", 1), ("a\nb", 1), ("ab", -1)]),
        ("a$\n", "m", &[("a\n", 2)]),
        (r"a(?=\Z)", "", &[("a", 1), ("a\n", -1)]),
        (r"a(?=$)", "", &[("a", 1), ("a\n", 1), ("a\n\n", -1)]),
        (r"\bab\b", "", &[("ab", 2), ("ab-", 2), ("abé", -1)]),
        (r"\bab\b", "a", &[("abé", 2)]),
        (r"a\B.", "", &[("ab", 2), ("a-", -1)]),
        (r"\B-", "", &[("-", 1)]),
    ];
    check(cases, Matching::Preferred);
}

#[test]
fn empty_iterations() {
    let cases: &[Case] = &[
        ("(|a)*", "", &[("aaa", 0)]),
        ("(|a)+", "", &[("aaa", 0)]),
        ("(a|)*b", "", &[("aab", 3)]),
        ("(a??)*", "", &[("aa", 0)]),
        ("(?:(?!b)){1,2}(?:(a{2}-|a{2}|(?=-)){,2})", "", &[("aa", 2)]),
        ("(?:a*)*?b", "", &[("aab", 3)]),
    ];
    check(cases, Matching::Preferred);
}

#[test]
fn conditions_are_minimal() {
    let dfa = compile(&regex("X(?![a-z])"), Matching::Longest).unwrap();
    assert_eq!(dfa.states.len(), 2);
    assert_eq!(dfa.states[1].accept, Accept::If(0));
    let condition = &dfa.conditions[0];
    assert!(condition.at_end);
    let expected = [
        (0, b'a' - 1, After::Holds),
        (b'a', b'z', After::Fails),
        (b'z' + 1, 0xff, After::Holds),
    ];
    assert_eq!(condition.next, expected);
    let plain = compile(&regex("X"), Matching::Longest).unwrap();
    for source in [
        "X(?=a|)",
        "X(?=a|(?!a))",
        "X(?!(?=a)b)",
        r"X(?:(?=a)|(?!a))",
    ] {
        assert_eq!(
            compile(&regex(source), Matching::Longest).unwrap(),
            plain,
            "{source}"
        );
        assert_eq!(
            compile(&regex(source), Matching::Preferred).unwrap(),
            plain,
            "{source}"
        );
    }
}

#[test]
fn widths_are_those_of_python() {
    let widths = [
        ("abc|é", Some(3)),
        ("a*", None),
        ("a{2,5}b?", Some(6)),
        ("a(?=bcd)", Some(1)),
        ("(?:(?=a))*b", Some(1)),
        ("(?:a+){0}b", Some(1)),
    ];
    for (source, width) in widths {
        let dfa = compile(&regex(source), Matching::Longest).unwrap();
        assert_eq!(dfa.max_width, width, "{source}");
    }
}
