//! The notation: lines, names, operators, strings.

use super::reads;

#[test]
fn definitions_go_on_in_lines_that_begin_with_a_bar() {
    let expected = ["start: <\"a\" | \"b\">"];
    reads("start: \"a\" | \"b\"", &expected);
    reads("start: \"a\"\n  | \"b\"\n", &expected);
    reads("start: \"a\"\n\n\n  | \"b\"", &expected);
    reads(
        "start: \"a\" # one\n // two\n# three\n\t| \"b\" // four",
        &expected,
    );
    reads("start: \"a\" \\\n  | \\\n \"b\"", &expected);
    reads("\u{feff}\r\nstart: \"a\"\r\n  | \"b\"\r\n", &expected);
    reads("start: ( \"a\"\n  | \"b\"\n  )\n", &expected);
    reads("start: \"a\" \\  \n\"b\"", &["start: (\"a\" \"b\")"]);
}

#[test]
fn empty_texts() {
    reads("start:", &["start: ()"]);
    reads("start: | \"a\"", &["start: <() | \"a\">"]);
    reads("start: \"\" \"a\"", &["start: (() \"a\")"]);
    reads(
        "start: A\nA: \"\" | \"x\"",
        &["start: A", "A: <\"\" | \"x\">"],
    );
}

#[test]
fn marks_of_the_tree_do_not_count() {
    reads(
        "?start: _a -> foo | \"b\" -> bar\n!_a: \"x\"",
        &["start: <_a | \"b\">", "_a: \"x\""],
    );
    reads(
        "!?start: a-b | fooBar\na-b: \"x\"\nfooBar: \"y\"",
        &["start: <a-b | fooBar>", "a-b: \"x\"", "fooBar: \"y\""],
    );
    reads("start: \"a\"->b", &["start: \"a\""]);
    reads("start: b->c\nb: \"x\"", &["start: b", "b: \"x\""]);
}

#[test]
fn names_are_terminals_by_their_first_letter() {
    reads(
        "start: Foo __X _y1\nFoo: /a/\n__X: /b/\n_y1: \"c\"",
        &["start: (Foo __X _y1)", "_y1: \"c\"", "Foo: /a/", "__X: /b/"],
    );
}

#[test]
fn operators() {
    for (operator, shown) in [
        ("?", "?"),
        ("*", "*"),
        ("+", "+"),
        ("~3", "{3,3}"),
        (" ~ 3", "{3,3}"),
        ("~2..4", "{2,4}"),
        ("~0", "{0,0}"),
        ("{3}", "{3,3}"),
        ("{2,4}", "{2,4}"),
        ("{2,}", "{2,}"),
        ("{,4}", "{0,4}"),
        ("{0,}", "*"),
        ("{ 2 , 4 }", "{2,4}"),
    ] {
        reads(
            &format!("start: \"a\"{operator}"),
            &[&format!("start: \"a\"{shown}")],
        );
        reads(
            &format!("start: a{operator}\na: \"x\""),
            &[&format!("start: a{shown}"), "a: \"x\""],
        );
    }
    reads(
        "start: [\"a\" \"b\" | \"c\"]~2",
        &["start: <(\"a\" \"b\") | \"c\">?{2,2}"],
    );
    reads("start: (\"a\"?)*", &["start: \"a\"?*"]);
}

#[test]
fn strings() {
    for (source, text) in [
        (r#""\n\t\r\f\b""#, "\n\t\r\u{c}\u{8}"),
        (r#""\\\"\/""#, "\\\"/"),
        (r#""\x41\u00e9\U0001F600""#, "Aé😀"),
        (r#""\ud83d\ude00""#, "😀"),
        (r#""\'""#, "\\'"),
        (r#""\d""#, "\\d"),
        (r"'\''", "'"),
        (r#"'"'"#, "\""),
        ("\"//#\"", "//#"),
    ] {
        reads(&format!("start: {source}"), &[&format!("start: {text:?}")]);
    }
    reads("start: \"if\"i", &["start: IF", "IF: \"if\"i"]);
    reads(
        "start: \"a\" .. \"z\" \"α\"..\"ω\"",
        &[
            "start: (__ANON_0 __ANON_1)",
            "__ANON_0: 'a'..'z'",
            "__ANON_1: 'α'..'ω'",
        ],
    );
}

#[test]
fn regular_expressions() {
    reads(
        r"start: /a\/b\\/imsxu /[^x]/",
        &[
            "start: (__ANON_0 __ANON_1)",
            r"__ANON_0: /a\/b\\/imsx",
            "__ANON_1: /[^x]/",
        ],
    );
    reads("start: /a\nb/", &["start: __ANON_0", "__ANON_0: /a\nb/"]);
}

#[test]
fn tokens_of_the_vocabulary() {
    reads(
        "start: <|tool|> <[17,20-29]>* <[^3]> <[*]>",
        &["start: (Named(\"<|tool|>\") Ids([(17, 17), (20, 29)])* NotIds([(3, 3)]) Any)"],
    );
}

#[test]
fn embedded_grammars() {
    reads(
        "start: %json {\"a\": {\"}\": \"{\"}} \"x\" | @other",
        &["start: <(%json {\"a\": {\"}\": \"{\"}} \"x\") | @other>"],
    );
    reads(
        "start: %lark {\n start: \"}\" /}/ x{2} // }\n %json {}\n}?",
        &[r#"start: %lark "\n start: \"}\" /}/ x{2} // }\n %json {}\n"?"#],
    );
    reads("start: %json true", &["start: %json true"]);
    reads(
        "start: %regex {\"substring_chunks\": [\"a\", \"bc\"]}",
        &["start: __ANON_0", "__ANON_0: substring [\"a\", \"bc\"]"],
    );
    reads(
        "start: A\nA: %regex {\"substring_words\": \"ab  c, d\"} \"!\"",
        &[
            "start: A",
            "A: (substring [\"ab\", \"  \", \"c\", \",\", \" \", \"d\"] \"!\")",
        ],
    );
    reads(
        "start: %regex {\"substring_chars\": \"aé\"}",
        &["start: __ANON_0", "__ANON_0: substring [\"a\", \"é\"]"],
    );
}

#[test]
fn recursion_is_read() {
    reads(
        "start: start \"a\" | start?",
        &["start: <(start \"a\") | start?>"],
    );
}

#[test]
fn what_no_start_reaches_is_left_out() {
    reads(
        "start: a\na: \"x\"\nb: B c\nc: /y/\nB: /z/",
        &["start: a", "a: \"x\""],
    );
}
