use super::lint;
use crate::limits::{Deadline, Limits};
use crate::source::Source;
use crate::syntax::{ParseOptions, ebnf::parse};

/// Codes and messages of the warnings about a grammar.
fn found(text: &str) -> Vec<(&'static str, String)> {
    let source = Source::new("g", text);
    let parsed = parse(&source, &ParseOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    lint(&parsed.grammar, &Deadline::start(&Limits::default()))
        .into_iter()
        .map(|warning| (warning.code().as_str(), warning.message().to_owned()))
        .collect()
}

fn codes(text: &str) -> Vec<&'static str> {
    found(text).into_iter().map(|warning| warning.0).collect()
}

#[test]
fn rules_that_consume_nothing() {
    let empty = [
        "root ::= \"a\" e\ne ::= \"\"",
        "root ::= \"a\" e\ne ::= () | e e",
        "root ::= \"a\" e\ne ::= \"x\"{0}",
        "root ::= \"a\" e\ne ::= (\"x\" /[^\\s\\S]/)?",
    ];
    for text in empty {
        assert_eq!(codes(text), ["empty-rule"], "{text}");
    }
    for text in [
        "root ::= \"a\" e\ne ::= \"\" | \"b\"",
        "root ::= e\ne ::= f*\nf ::= \"x\" | e",
    ] {
        assert_eq!(codes(text), [""; 0], "{text}");
    }
}

#[test]
fn alternatives_that_add_nothing() {
    let (code, message) = &found("root ::= \"a\" | \"b\" | \"a\"")[0];
    assert_eq!(*code, "unreachable-alternative");
    assert_eq!(
        message,
        "alternative 3 in rule `root` is the same as alternative 1"
    );
    let (code, message) = &found("root ::= \"a\" | \"b\" /[^\\s\\S]/")[0];
    assert_eq!(*code, "unreachable-alternative");
    assert_eq!(message, "alternative 2 in rule `root` matches no text");
    // Inside of groups too; but what only overlaps is not the same.
    assert_eq!(
        codes("root ::= \"x\" (\"a\" | \"\" | \"\")*"),
        ["unreachable-alternative"]
    );
    assert_eq!(
        codes("root ::= \"a\" | [a-z] | \"a\" \"b\" | \"ab\"?"),
        [""; 0]
    );
}

#[test]
fn loops_over_blanks() {
    let unbounded = [
        "root ::= \"a\" [ \\t\\n]* \"b\"",
        "root ::= \"a\" \" \"+ \"b\"",
        "root ::= \"a\" (\" \" | \"\\n\"){2,} \"b\"",
        "root ::= \"a\" ws \"b\"\nws ::= ([ \\t\\n] ws)?",
        "root ::= \"a\" ws \"b\"\nws ::= \"\" | more\nmore ::= ws one\none ::= \" \"",
        "root ::= \"a\" ws*\nws ::= \" \" | \"\\r\\n\"",
        "root ::= /a\\s*b/",
    ];
    for text in unbounded {
        assert_eq!(codes(text), ["unbounded-whitespace"], "{text}");
    }
    let bounded = [
        "root ::= \"a\" [ \\t\\n]{0,8} \"b\"",
        "root ::= \"\\\"\" [^\"]* \"\\\"\"",
        "root ::= (\"a\" \" \")*",
        "root ::= \"a\" ws\nws ::= \" \" | ws",
        "root ::= word (\" \" word)*\nword ::= [a-z]+",
    ];
    for text in bounded {
        assert_eq!(codes(text), [""; 0], "{text}");
    }
    assert_eq!(
        codes("root ::= \"a\"\nws ::= \" \"*"),
        ["unused-rule"],
        "an unused rule is enough"
    );
}

#[test]
fn many_loops_over_blanks_are_one_warning() {
    let text = "root ::= a b c\na ::= \"a\" \" \"*\nb ::= \"b\" \" \"*\nc ::= \"c\" \" \"*";
    let [(_, message)] = found(text).try_into().unwrap();
    assert_eq!(
        message,
        "rule `a` and 2 others let blanks go on without end"
    );
}

#[test]
fn a_long_chain_in_the_worst_order_is_fast() {
    let mut text = String::from("root ::= r0\n");
    for rule in 0..20_000 {
        text.push_str(&format!("r{rule} ::= r{}\n", rule + 1));
    }
    text.push_str("r20000 ::= \"\"\n");
    assert_eq!(found(&text).len(), 20_002);
}
