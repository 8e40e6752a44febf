//! Errors of the notation: their words and places.

use super::all_refused;

#[test]
fn lines() {
    all_refused(&[
        (
            "a: 1\n",
            "expected the end of the definition, found `1`",
            "1",
        ),
        ("a: (\n", "expected `)`, found the end of the grammar", ""),
        (
            "A\n",
            "expected `:` after the name `A`, found the end of the grammar",
            "",
        ),
        (
            "A\nb: \"x\"",
            "expected `:` after the name `A`, found the end of the line",
            "\n",
        ),
        ("a->\n", "expected `:` after the name `a`, found `->`", "->"),
        ("a: b??", "misplaced operator `?`", "?"),
        ("start: \"a\"+?", "misplaced operator `?`", "?"),
        ("a: x{2}{3}", "misplaced operator `{`", "{"),
        ("a:*\n", "misplaced operator `*`", "*"),
        (
            "start: !",
            "expected the end of the definition, found `!`",
            "!",
        ),
        (
            "start: \"a\" b: c",
            "expected the end of the definition, found `:`",
            ":",
        ),
        (
            "start: \"a\"\n  \"b\"",
            "expected the name of a rule or terminal, or a directive, found a string",
            "\"b\"",
        ),
        (
            "start: (\"a\"\n \"b\")",
            "expected `)`, found the end of the line",
            "\n",
        ),
        (
            "start: [\"a\"",
            "expected `]`, found the end of the grammar",
            "",
        ),
        ("start: é\né: \"x\"", "unexpected 'é'", "é"),
        ("start: a \\ b", "unexpected '\\\\'", "\\"),
        (
            "start: \"a\" ->",
            "expected the name of an alias after `->`, found the end of the grammar",
            "",
        ),
    ]);
}

#[test]
fn strings_and_regular_expressions() {
    all_refused(&[
        (
            "start: \"a\nb\"",
            "this string has no end on its line",
            "\"a",
        ),
        (
            "start: 'a\\\n'",
            "this string has no end on its line",
            "'a\\",
        ),
        ("start: /a\nb", "this regular expression has no end", "/a"),
        (
            "start: \"\\x4\"",
            "expected 2 hexadecimal digits after this escape",
            "\\x",
        ),
        (
            "start: \"\\ud800x\"",
            "this escape is no character of Unicode",
            "\\u",
        ),
        (
            "start: \"\\U00110000\"",
            "this escape is no character of Unicode",
            "\\U",
        ),
        (
            "start: \"\\xé\"",
            "expected 2 hexadecimal digits after this escape",
            "\\x",
        ),
        ("start: /a/l", "the flag `l` depends on a locale", "l"),
        (
            "start: \"a\"..\"bc\"",
            "the ends of a range are single characters",
            "\"a\"..\"bc\"",
        ),
        (
            "start: \"b\"..\"a\"",
            "this range of characters is empty",
            "\"b\"..\"a\"",
        ),
        (
            "start: \"a\"i..\"b\"",
            "a range has no flags",
            "\"a\"i..\"b\"",
        ),
        ("start: \"a\"../b/", "expected a string after `..`", "/b/"),
    ]);
}

#[test]
fn counts() {
    all_refused(&[
        (
            "start: \"a\"~3..2",
            "the range of counts 3..2 is empty",
            "~3..2",
        ),
        (
            "start: \"a\"{7,6}",
            "the range of counts 7..6 is empty",
            "{7,6}",
        ),
        ("start: \"a\"{-1,}", "a count cannot be negative", "-"),
        ("start: \"a\"~-1", "a count cannot be negative", "-"),
        ("start: \"a\"{,}", "expected a count, found `}`", "}"),
        ("start: \"a\"{}", "expected a count, found `}`", "}"),
        ("start: a{}\na: \"x\"", "expected a count, found `}`", "}"),
        ("start: \"a\"{2.5}", "`2.5` is not a count", "2.5"),
        (
            "start: \"a\"{999999999999}",
            "`999999999999` is not a count",
            "999999999999",
        ),
        (
            "start: \"a\"{2",
            "expected `}`, found the end of the grammar",
            "",
        ),
    ]);
}

#[test]
fn directives() {
    all_refused(&[
        ("%foo\nstart: \"a\"", "`%foo` cannot begin a line", "%foo"),
        (
            "%json {}\nstart: \"a\"",
            "`%json` cannot begin a line",
            "%json",
        ),
        (
            "% x\nstart: \"a\"",
            "expected the name of a directive after `%`",
            "%",
        ),
        (
            "%llguidance {\"foo\": true}\nstart: \"a\"",
            "`%llguidance` has no setting `foo`",
            "\"foo\"",
        ),
        (
            "%grammar_options {\"allow_initial_skip\": 1}\nstart: \"a\"",
            "`allow_initial_skip` must be `true` or `false`",
            "\"allow_initial_skip\"",
        ),
        (
            "%llguidance {\"a\" true}\nstart: \"a\"",
            "expected `:` in this JSON",
            "t",
        ),
        (
            "%llguidance\nstart: \"a\"",
            "expected `{` after `%llguidance`",
            "%llguidance",
        ),
        ("start: %json []", "expected `{` after `%json`", "%json"),
        ("start: %json {\"a\": {}", "this `{` is not closed", "{"),
        (
            "start: %lark { start: \"}\" ",
            "this `{` is not closed",
            "{",
        ),
        (
            "start: %regex {\"foobar\": true}",
            "`%regex` has no key `foobar`",
            "\"foobar\"",
        ),
        ("start: %regex {}", "`%regex` has no key", "{}"),
        (
            "start: %regex {\"substring_chars\": [\"a\"]}",
            "`substring_chars` must be a string",
            "\"substring_chars\"",
        ),
        (
            "start: %regex {\"substring_chunks\": \"a\"}",
            "`substring_chunks` must be a list of strings",
            "\"substring_chunks\"",
        ),
        (
            "start: %regex {\"substring_chars\": \"a\", \"substring_words\": \"a\"}",
            "`%regex` has more than one key",
            "{\"substring_chars\": \"a\", \"substring_words\": \"a\"}",
        ),
    ]);
}

#[test]
fn tokens_of_the_vocabulary() {
    let numbers = "expected numbers of tokens, such as `<[17,20-29]>`";
    all_refused(&[
        (
            "start: <unterminated",
            "this token has no `>`",
            "<unterminated",
        ),
        (
            "start: <bad token>",
            "the name of this token is not valid",
            "<bad token>",
        ),
        ("start: <>", "the name of this token is not valid", "<>"),
        (
            "start: <[200-100]>",
            "the range 200-100 of tokens is empty",
            "<[200-100]>",
        ),
        ("start: <[*,100]>", numbers, "<[*,100]>"),
        ("start: <[^*]>", numbers, "<[^*]>"),
        ("start: <[1-2-3]>", numbers, "<[1-2-3]>"),
        ("start: <[,]>", numbers, "<[,]>"),
        ("start: <[1, 2]>", numbers, "<[1, 2]>"),
        ("start: <[1>", numbers, "<[1>"),
        (
            "start: @\"x\"",
            "expected the name of a grammar after `@`, found a string",
            "\"x\"",
        ),
    ]);
}
