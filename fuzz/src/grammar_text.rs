//! The parser of the grammar language.

use crate::Target;
use maskwright_compiler::grammar::{Grammar, Rule, interpret};
use maskwright_compiler::limits::Limits;
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::{ParseOptions, ebnf::parse};

/// This target.
pub const TARGET: Target = Target {
    name: "grammar_text",
    run,
    seeds: &[
        "root ::= value\nvalue ::= \"{\" (pair (\",\" pair)*)? \"}\" | [0-9]+ # end\npair ::= \"\\\"\" [^\"\\\\\\x00-\\x1f]* \"\\\":\" value\n",
        "root ::= expr\nexpr ::= expr [-+] term | term\nterm ::= /[0-9]+(\\.\\d+)?/i | \"(\" expr \")\"{1,3}",
        "root ::= Regex(\"a\\\\d+\", flags=\"is\", json_string=true) Substring(\"ab\", \"\", \"c\") | \"\\uD83D\\uDE00\\U0001F600\\n\" .",
        "root[max_tokens=1] ::= TagDispatch((\"a\", b), excludes=()) (=\"b\") <[12]> !<x>\nb.c-d_1 ::= ( | ) {,3} {2, -1}",
        "root ::= a\na ::= a? b*\nb ::= () | a | /(?-u:[\\x80-\\xFF])/ | /^(?:x|y$)|[^\\s\\S]/",
    ],
    words: &[
        "root",
        "a",
        "b",
        "::=",
        " ::= ",
        "|",
        "(",
        ")",
        "*",
        "+",
        "?",
        "{",
        "}",
        "{2}",
        "{1,}",
        "{,3}",
        "{5,2}",
        ",",
        "=",
        "\"",
        "\"a\"",
        "[",
        "]",
        "[^",
        "[a-z]",
        "-",
        "\\",
        "\\\"",
        "\\x41",
        "\\u00e9",
        "\\uD83D",
        "\\uDE00",
        "\\U0001F600",
        "\\d",
        "\\]",
        "/",
        "/a/",
        "/i",
        "(?=",
        "(?i)",
        "(?-u:",
        "Regex(",
        "Substring(",
        "flags=",
        "json_string=true",
        "TagDispatch(",
        "Token(",
        "<",
        ">",
        "!",
        "(=",
        "#",
        "\n",
        "\r\n",
        "\t",
        " ",
        ".",
        "é",
        "😀",
        "\u{0}",
        "\u{FEFF}",
        "99999999999",
        "root ::= \"a\"\n",
        "((((((((((",
        "))))))))))",
        "??????????",
    ],
};

/// Bounds that keep one input short.
pub(crate) fn limits() -> Limits {
    Limits::default().repetition(40)
}

/// Reads `data` as a grammar; what it reads must print to text that reads back.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let options = ParseOptions::default().limits(limits());
    let source = Source::new("fuzz", text);
    match parse(&source, &options) {
        Err(error) => {
            let drawn = error.render(false).len() + error.render(true).len();
            assert!(
                drawn > 0 && !error.message().is_empty(),
                "an error that says nothing"
            );
        }
        Ok(parsed) => {
            for warning in &parsed.warnings {
                assert!(!warning.render(Some(&parsed.sources), true).is_empty());
            }
            // What is embedded has names that the grammar language does not.
            if parsed.files.is_empty() && !parsed.has_schema {
                reads_back(&parsed.grammar);
            }
            interpret::accepts(&parsed.grammar, "aab");
        }
    }
}

/// Prints the grammar and reads it back.
pub(crate) fn reads_back(grammar: &Grammar) {
    let printed = grammar.to_string();
    let root = grammar.rules[grammar.root.0 as usize].name.clone();
    // A printed group counts as one that is written.
    let limits = limits().nesting(1000).grammar_bytes(usize::MAX);
    let again = parse(
        &Source::new("printed", printed.clone()),
        &ParseOptions::from(limits).root(root),
    );
    let again = again.unwrap_or_else(|error| panic!("printed grammar cannot be read:\n{error}"));
    assert_eq!(printed, again.grammar.to_string());
    assert_eq!(rules(grammar), rules(&again.grammar));
}

/// The rules without their places.
fn rules(grammar: &Grammar) -> Vec<Rule> {
    let rules = grammar.rules.iter().cloned();
    rules.map(Rule::without_places).collect()
}
