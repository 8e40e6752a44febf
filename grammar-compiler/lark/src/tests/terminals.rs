//! Terminals: their patterns, names, and what Lark makes of them.

use super::reads;
use crate::{Lark, NoImports, ReadOptions, read};

#[test]
fn terminals_are_written_in_their_places() {
    reads(
        "start: A\nA: B+ (\"x\" | C)?\nB: C C\nC: /c/",
        &["start: A", "A: ((/c/ /c/)+ <\"x\" | /c/>?)"],
    );
}

#[test]
fn operators_of_terminals() {
    reads(
        "start: A\nA: /[a-z]+/ & ~/bad/ | \"x\" ~\"y\"* & B~2\nB: \"b\"",
        &[
            "start: A",
            "A: <</[a-z]+/ & ~/bad/> | <(\"x\" ~\"y\"*) & \"b\"{2,2}>>",
        ],
    );
    reads("start: A\nA: \"a\" %if true", &["start: \"a\""]);
}

#[test]
fn what_is_ignored() {
    reads(
        "start: \"a\"\nWS: /[ ]/\n%ignore WS\n%ignore \" \" | WS\n%ignore WS",
        &[
            "start: \"a\"",
            "WS: /[ ]/",
            "__IGNORE_1: <\" \" | /[ ]/>",
            "ignore WS",
            "ignore __IGNORE_1",
        ],
    );
}

#[test]
fn declared_terminals_have_no_pattern() {
    reads(
        "%declare _INDENT, _DEDENT X\nstart: _INDENT X",
        &["start: (_INDENT X)", "_INDENT: declared", "X: declared"],
    );
}

fn names(text: &str) -> Vec<String> {
    let lark = super::lark(text).unwrap();
    lark.terminals
        .into_iter()
        .map(|terminal| terminal.name)
        .collect()
}

#[test]
fn terminals_without_a_name_get_lark_s() {
    assert_eq!(
        names(r#"start: "(" "," "=>" "if" "é" "if"i /x/ "a1" "1a""#),
        [
            "LPAR", "COMMA", "__ANON_0", "IF", "É", "__ANON_1", "__ANON_2", "A1", "__ANON_3"
        ]
    );
    assert_eq!(
        names("start: \"a\" A \",\" COMMA\nA: /b/\nCOMMA: /c/"),
        ["A", "COMMA", "__ANON_0", "__ANON_1"]
    );
    assert_eq!(
        names("start: __ANON_0 /x/\n__ANON_0: /y/"),
        ["__ANON_0", "__ANON_1"]
    );
}

#[test]
fn what_equals_a_terminal_is_it() {
    assert_eq!(
        names(
            "start: \"if\" /x+/ \"a\"..\"c\" \"if\" /x+/i\nIF_: \"if\"\nX: (/x+/)\nR: \"a\"..\"c\""
        ),
        ["IF_", "X", "R", "__ANON_0"]
    );
    assert_eq!(
        names("start: \" \" \"a\"\n%ignore \" \""),
        ["__IGNORE_0", "A"]
    );
}

fn with_all(text: &str) -> Lark {
    let options = ReadOptions {
        all_terminals: true,
        lalr_order: true,
        ..ReadOptions::default()
    };
    read(text, &options, &NoImports, &mut || true).unwrap()
}

#[test]
fn all_terminals_may_stay() {
    let lark = with_all("start: A\nA: /a/\nB: /b/\nrule: \"c\"");
    let names: Vec<&str> = lark
        .terminals
        .iter()
        .map(|terminal| terminal.name.as_str())
        .collect();
    assert_eq!((names, lark.rules.len()), (vec!["A", "B", "C"], 1));
}

/// The alternatives as Lark joins them, `pattern_length` and `max_width`, as Lark 1.3.1 has them.
#[test]
fn alternatives_can_be_in_lark_s_order() {
    let unbounded = crate::UNBOUNDED;
    for (definition, shown, length, width) in [
        (r#""a" | "bcd""#, r#"<"bcd" | "a">"#, 9, 3),
        (
            r#"/b+/ | "abc" | /x{2,9}/"#,
            r#"</b+/ | /x{2,9}/ | "abc">"#,
            17,
            unbounded,
        ),
        (r#"/(?=abc)\w(?<!x)/"#, r"/(?=abc)\w(?<!x)/", 15, 1),
        (
            r#"("a.")~2..3 /\n/s "k"i?"#,
            r#"("a."{2,3} /\n/s "k"i?)"#,
            34,
            8,
        ),
        (
            r#"["+"|"-"] "0".."9"+"#,
            r#"(<"+" | "-">? '0'..'9'+)"#,
            24,
            unbounded,
        ),
        (r#""+""#, r#""+""#, 1, 1),
    ] {
        let lark = with_all(&format!("start: A\nA.1: {definition}"));
        let terminal = &lark.terminals[0];
        let found = (terminal.pattern_length, terminal.max_width);
        assert_eq!(super::show::lark(&lark)[1], format!("A.1: {shown}"));
        assert_eq!(found, (length, width), "{definition}");
    }
}

#[test]
fn the_library_common() {
    for name in [
        "DIGIT",
        "HEXDIGIT",
        "INT",
        "SIGNED_INT",
        "DECIMAL",
        "_EXP",
        "FLOAT",
        "SIGNED_FLOAT",
        "NUMBER",
        "SIGNED_NUMBER",
        "ESCAPED_STRING",
        "LCASE_LETTER",
        "UCASE_LETTER",
        "LETTER",
        "WORD",
        "CNAME",
        "WS_INLINE",
        "WS",
        "CR",
        "LF",
        "NEWLINE",
        "SH_COMMENT",
        "CPP_COMMENT",
        "C_COMMENT",
        "SQL_COMMENT",
    ] {
        let lark = super::lark(&format!("%import common.{name}\nstart: {name}")).unwrap();
        let names: Vec<&str> = lark
            .terminals
            .iter()
            .map(|found| found.name.as_str())
            .collect();
        assert_eq!(names, [name]);
    }
    reads(
        "%import common (INT,\n LF)\n%import common.DIGIT -> D\nstart: INT LF D",
        &[
            "start: (INT LF D)",
            "INT: '0'..'9'+",
            r"LF: /\n/",
            "D: '0'..'9'",
        ],
    );
}

/// Lengths that Lark 1.3.1 gives.
#[test]
fn the_library_common_has_lark_s_lengths() {
    for (name, length) in [
        ("NUMBER", 141),
        ("SIGNED_NUMBER", 155),
        ("WS_INLINE", 13),
        ("ESCAPED_STRING", 20),
        ("C_COMMENT", 13),
        ("WORD", 20),
    ] {
        let lark = super::lark(&format!("%import common.{name}\nstart: {name}")).unwrap();
        assert_eq!(lark.terminals[0].pattern_length, length, "{name}");
    }
}
