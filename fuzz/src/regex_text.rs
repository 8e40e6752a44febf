//! The parser of regular expressions.

use crate::{Target, grammar_text};
use maskwright_compiler::GrammarText;
use maskwright_compiler::grammar::interpret;

/// This target.
pub const TARGET: Target = Target {
    name: "regex_text",
    run,
    seeds: &[
        r"^\d{4}-(0[1-9]|1[0-2])-[0-3]\d$",
        r"(?i)[a-f&&~~--\]\-\\[:alpha:][^\w\s]{2,}(?<name>x)*?",
        r"(?-u:\xFF[^\x00-\x7F])|\p{Greek}|\u{1F600}\ud83d\ude00\cJ\0",
        r#"[\w!#$%&'*+/=?^_`{|}~\-(),:;<>@[\].]|\\"+|{a}b{,3}"#,
        r"^$|(^a|b$)(?s:.)(?-s).(a|)",
    ],
    words: &[
        "a",
        "b",
        "|",
        "(",
        ")",
        "(?:",
        "(?i)",
        "(?-u:",
        "(?s-i:",
        "(?<n>",
        "(?P<n>",
        "(?=",
        "(?!",
        "(?<=",
        "(?>",
        "(?x)",
        "(?m)",
        "*",
        "+",
        "?",
        "{2}",
        "{1,}",
        "{,3}",
        "{5,2}",
        "{",
        "}",
        "[",
        "]",
        "[^",
        "[^]",
        "[]",
        "[:alpha:]",
        "[[:",
        "-",
        "&&",
        "~~",
        "--",
        "^",
        "$",
        ".",
        "\\",
        "\\d",
        "\\W",
        "\\b",
        "\\1",
        "\\k<n>",
        "\\p{L}",
        "\\P{",
        "\\x41",
        "\\x{",
        "\\u00e9",
        "\\ud83d",
        "\\ude00",
        "\\u{1F600}",
        "\\U0001F600",
        "\\cA",
        "\\0",
        "\\Z",
        "\\A",
        "\\/",
        "/",
        "é",
        "😀",
        "\u{0}",
        "\n",
        "#",
        " ",
        "99999999999",
        "((((((((((",
        "))))))))))",
    ],
};

/// Reads `data` as a pattern; what it reads must print to text that reads back.
pub fn run(data: &[u8]) {
    let pattern = String::from_utf8_lossy(data);
    match GrammarText::regex(&*pattern).parse(&grammar_text::limits()) {
        Err(error) => {
            let drawn = error.render(false).len() + error.render(true).len();
            assert!(
                drawn > 0 && !error.message().is_empty(),
                "an error that says nothing"
            );
        }
        Ok(parsed) => {
            grammar_text::reads_back(&parsed.grammar);
            for warning in &parsed.warnings {
                assert!(!warning.render(Some(&parsed.sources), false).is_empty());
            }
            interpret::accepts(&parsed.grammar, "aab");
        }
    }
}
