//! The syntax of patterns, and how they are refused.

use crate::limits::Deadline;
use crate::syntax::json_schema::strings::{pattern, read_pattern};

/// The characters of a one-character pattern among some that matter.
fn class(source: &str) -> String {
    let all = "\0\u{7}\u{8}\t\n\u{b}\u{c}\r \"$'-/09:@AZ[\\]^_`az{}~\u{80}\u{a0}éσЖ\u{1680}\u{2028}\u{d7ff}\u{e000}\u{feff}💩𐀀";
    let language = pattern(&format!("^(?:{source})$"), &Deadline::never())
        .unwrap_or_else(|e| panic!("/{source}/: {e}"));
    (all.chars().filter(|c| language.contains(&c.to_string()))).collect()
}

#[test]
fn classes() {
    assert_eq!(class(r"\d"), "09");
    assert_eq!(class(r"\w"), "09AZ_az");
    assert_eq!(
        class(r"\s"),
        "\t\n\u{b}\u{c}\r \u{a0}\u{1680}\u{2028}\u{feff}"
    );
    assert_eq!(class(r"[^\W\d_]"), "AZaz");
    assert_eq!(class(r"[\s\S]"), class("[^]"));
    assert_eq!(class(r"[\D\d]"), class("[^]"));
    assert_eq!(
        class(r"[^\S\n\r]"),
        "\t\u{b}\u{c} \u{a0}\u{1680}\u{2028}\u{feff}"
    );
    assert_eq!(class("[]"), "");
    assert!(!class(".").contains(['\n', '\r', '\u{2028}']) && class(".").contains('💩'));
    assert_eq!(class(r"[\b]"), "\u{8}");
    assert_eq!(class(r"[a\-z]"), "-az");
    assert_eq!(class("[-a]"), "-a");
    assert_eq!(class("[a-]"), "-a");
    assert_eq!(class(r"[\d-z]"), "-09z");
    assert_eq!(class(r"[!-\d]"), "-09");
    assert_eq!(class("[[^]"), "[^");
    assert_eq!(class("[^-`]"), class(r"[^\-`]"));
    assert_eq!(class("[^-`]").len(), class("[^]").len() - 2);
    assert_eq!(class(r"[\^-`]"), "^_`");
    assert_eq!(class("[$]"), "$");
    assert_eq!(class(r"[\]\\]"), r"\]");
    assert_eq!(class("[^\\u0000-\\uFFFF]"), "💩𐀀");
    assert_eq!(class(r"[\u0000-\ud7ff\ue000-\u{10FFFF}]"), class("[^]"));
    assert_eq!(class(r"[^\ud800-\udfff]"), class("[^]"));
    assert_eq!(class(r"[\ud83d\udca9-\u{1f4aa}]"), "💩");
}

#[test]
fn escapes() {
    assert_eq!(class(r"\-|\_|\'|\/|\:|\@|\~"), "'-/:@_~");
    assert_eq!(class(r"\$|\^|\[|\]|\{|\}"), "$[]^{}");
    assert_eq!(class(r"\0|\t|\n|\v|\f|\r|\cG"), "\0\u{7}\t\n\u{b}\u{c}\r");
    assert_eq!(class(r"\x41|\u005a|\u{61}|\u{00007a}"), "AZaz");
    assert_eq!(class(r"\uD83D\uDCA9|\u{1f4a9}|💩"), "💩");
    assert_eq!(class("]|}|{"), "]{}");
}

#[test]
fn properties() {
    assert_eq!(class(r"\p{L}"), "AZazéσЖ𐀀");
    assert_eq!(class(r"\p{Letter}"), class(r"\p{L}"));
    assert_eq!(class(r"\p{General_Category=Lu}"), "AZЖ");
    assert_eq!(class(r"\p{Script=Greek}"), "σ");
    assert_eq!(class(r"[\p{sc=Cyrl}\P{ASCII}]"), class(r"\P{ASCII}"));
    assert_eq!(class(r"[^\p{L}\P{ASCII}]"), class(r"[\0-@[-`{-~]"));
    assert_eq!(class(r"\p{Zl}"), "\u{2028}");
    assert_eq!(class(r"\p{digit}"), "09");
}

/// Also where U+D7FF ends one range and U+E000 begins the next.
#[test]
fn classes_and_their_negations_share_no_character_and_leave_none_out() {
    let pairs = [
        (r"\W", r"\w"),
        (r"\S", r"\s"),
        (r"\D", r"\d"),
        (r"\p{L}", r"\P{L}"),
        (r"\p{C}", r"\P{C}"),
        (r"\p{Cn}", r"\P{Cn}"),
        (r"\p{Co}", r"\P{Co}"),
        (r"\p{Any}", r"\P{Any}"),
        (r"\0-\ud7ff\ue000-\u{10ffff}", r"\P{Any}"),
        (r"\ud7ff\ue000", r"\0-\ud7fe\ue001-\u{10ffff}"),
        (r"\ud7fe-\ue000", r"\0-\ud7fd\ue001-\u{10ffff}"),
    ];
    for (inside, outside) in pairs {
        assert_eq!(
            class(&format!("[^{inside}]")),
            class(&format!("[{outside}]"))
        );
        assert_eq!(
            class(&format!("[^{outside}]")),
            class(&format!("[{inside}]"))
        );
        assert_eq!(class(&format!("[{inside}{outside}]")), class("[^]"));
        assert_eq!(class(&format!("[^{inside}{outside}]")), "");
    }
}

#[test]
fn braces_that_are_no_quantifier() {
    for (source, text) in [
        ("^{$", "{"),
        ("^{}$", "{}"),
        ("^{a}b{c{2}$", "{a}b{cc"),
        ("^x{1$", "x{1"),
        (r"^\{1,2\}$", "{1,2}"),
        ("^a{2}{$", "aa{"),
    ] {
        assert_eq!(
            pattern(source, &Deadline::never()).unwrap().words(1),
            Some(vec![text.to_string()]),
            "/{source}/"
        );
    }
}

/// What the flag `u` forbids is doubted or refused, and nothing else is: verdicts of V8 (Node 20),
/// `new RegExp(pattern, 'u')`.
#[test]
fn what_the_flag_u_forbids() {
    let allowed = [
        r"[\-]",
        r"\/",
        r"[\/]",
        r"\^\$\\\.\*\+\?\(\)\[\]\{\}\|",
        "[--a]",
        "[a-]",
        "[-a]",
        "[^]",
        "[]",
        r"\p{digit}",
        r"\p{Script=Greek}",
        r"\p{Any}",
        r"\cA",
        r"\0",
        r"[\b]",
        r"\u{61}",
        "a{2}",
        "a{2,}",
        "a{2,3}",
        "(?<a>x)",
        "[{]",
        "[}]",
        "[[]",
    ];
    for source in allowed {
        let read =
            read_pattern(source, &Deadline::never()).unwrap_or_else(|e| panic!("/{source}/: {e}"));
        assert_eq!(read.doubts, [], "/{source}/");
    }
    let doubted = [
        (r"[\d-z]", 1..5),
        ("(?=a)*", 0..5),
        ("(?!a){2}", 0..5),
        (r"a\-", 1..3),
        ("a]", 1..2),
        ("}", 0..1),
        ("x{", 1..2),
        ("{}", 0..1),
        ("x{a}", 1..2),
        ("a{1}{", 4..5),
        (r"\_", 0..2),
        (r"[\_]", 1..3),
        (r"[\w-\d]", 1..6),
        (r"\é", 0..3),
        ("a{-1}", 1..2),
        ("a{1", 1..2),
    ];
    for (source, span) in doubted {
        let read =
            read_pattern(source, &Deadline::never()).unwrap_or_else(|e| panic!("/{source}/: {e}"));
        assert_eq!(read.doubts[0].span, span, "/{source}/");
    }
    // Most other dialects read them otherwise.
    for (source, span, help) in [
        ("^x{,3}$", 2..6, "`{0,3}`"),
        (r"^\d{2, 3}$", 3..9, "`{2,3}`"),
        ("x{ 2}", 1..5, "`{2}`"),
        ("x{2,}{,}", 5..8, "`{0,}`"),
        ("{,1}", 0..4, "`{0,1}`"),
        ("[[:alpha:]]+", 1..10, "`A-Za-z`"),
        ("[^[:space:]]", 2..11, "`\\s`"),
        ("[[:^digit:]]", 1..11, "`[^0-9]`"),
        ("[[:alpha:][:digit:]]", 1..10, "`A-Za-z`"),
    ] {
        let error = pattern(source, &Deadline::never()).expect_err(source);
        assert_eq!(error.span, span, "/{source}/: {error}");
        assert!(error.help.contains(help), "/{source}/: {error}");
    }
}

/// Legal, and surely not meant.
#[test]
fn a_class_that_looks_like_one_of_posix_is_doubted() {
    let read = read_pattern("^[[:alpha:]$", &Deadline::never()).unwrap();
    assert_eq!(read.doubts[0].span, 2..11);
    assert!(
        read.language.contains("[") && read.language.contains(":") && !read.language.contains("b")
    );
    assert_eq!(
        read_pattern("[[:beta:]", &Deadline::never())
            .unwrap()
            .doubts,
        []
    );
}

/// As JavaScript writes its regular expressions. In the paths of a URI slashes are meant.
#[test]
fn slashes_around_a_pattern_are_doubted() {
    let doubts = |source: &str| read_pattern(source, &Deadline::never()).unwrap().doubts;
    for (source, inside) in [
        ("/^[a-z]+$/i", "`^[a-z]+$`, with small"),
        ("/^x/", "`^x`"),
        ("/x$/", "`x$`"),
        ("/x/gi", "`x`, with small"),
    ] {
        let doubts = doubts(source);
        let [doubt] = &doubts[..] else {
            panic!("{source}: {doubts:?}");
        };
        assert!(doubt.help.contains(inside), "{source}: {doubt}");
        assert_eq!(doubt.span, 0..source.len());
    }
    for source in ["/", "//", "/docs/", "/api/v1", "^/x/i", "/x/items", "a/b$"] {
        assert_eq!(doubts(source), [], "{source}");
    }
}

#[test]
fn each_kind_of_doubt_is_told_once() {
    let doubts = read_pattern(r"]\_}\%{\!", &Deadline::never())
        .unwrap()
        .doubts;
    let spans: Vec<_> = doubts.iter().map(|doubt| doubt.span.clone()).collect();
    assert_eq!(spans, [0..1, 1..3]);
}

#[test]
fn groups() {
    for source in [
        "^(a)(?:b)(?<name>c)$",
        "^(?<日本>abc)$",
        "^a(?:)(b)?c$|^abc$",
    ] {
        assert!(
            pattern(source, &Deadline::never()).unwrap().contains("abc"),
            "/{source}/"
        );
    }
    let deep = |depth: usize| "(".repeat(depth) + &")".repeat(depth);
    assert!(pattern(&deep(200), &Deadline::never()).unwrap().is_any());
    assert!(pattern(&deep(201), &Deadline::never()).is_err());
    assert!(pattern(&"(".repeat(1_000_000), &Deadline::never()).is_err());
    let looks = "(?=a|".repeat(190) + &")".repeat(190);
    assert!(pattern(&looks, &Deadline::never()).is_ok());
}

#[test]
fn refusals() {
    for (source, span, message) in [
        (r"(a)\1", 3..5, "back-reference"),
        (r"(?<x>a)\k<x>", 7..9, "back-reference"),
        ("(?i)a", 0..3, "not supported"),
        ("x(?P<n>a)", 1..4, "not supported"),
        ("(?>a)", 0..3, "not supported"),
        ("(?<>a)", 0..4, "name"),
        ("(?<a", 0..4, "name"),
        ("a)", 1..2, "without a `(`"),
        ("a(b", 1..2, "without a `)`"),
        ("a[b", 1..2, "without a `]`"),
        ("[a\\", 2..3, "at the end"),
        ("a\\", 1..2, "at the end"),
        ("*a", 0..1, "anything to repeat"),
        ("a**", 2..3, "anything to repeat"),
        ("a++", 2..3, "anything to repeat"),
        ("a{2}{3}", 4..5, "anything to repeat"),
        ("{1}", 0..1, "anything to repeat"),
        ("^*", 1..2, "anything to repeat"),
        ("(?<=a)*", 6..7, "anything to repeat"),
        ("a{3,2}", 1..6, "out of order"),
        ("é[z-a]", 3..6, "out of order"),
        (r"a\Z", 1..3, "no meaning"),
        (r"\A", 0..2, "no meaning"),
        (r"\08", 0..2, "no meaning"),
        (r"\u12", 0..2, "no meaning"),
        (r"\u{110000}", 0..10, "no meaning"),
        (r"\xé1", 0..2, "no meaning"),
        (r"\c1", 0..3, "no meaning"),
        (r"\ud800", 0..6, "half of a surrogate"),
        (r"[\ud800-\udbff]", 0..15, "half of a surrogate"),
        (r"\p{Nope}", 0..8, "unknown property"),
        (r"\p{Age=3.0}", 0..11, "unknown property"),
        (r"\pL", 0..3, "without braces"),
        (r"\PZ", 0..3, "without braces"),
        (r"\p1", 0..2, "unknown property"),
        (r"\p{", 0..2, "unknown property"),
    ] {
        let error = pattern(source, &Deadline::never()).expect_err(source);
        assert!(error.message.contains(message), "/{source}/: {error}");
        assert_eq!(error.span, span, "/{source}/: {error}");
        assert!(!error.help.is_empty());
    }
}
