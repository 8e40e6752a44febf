//! Grammars in the dialects of Lark: reading, compiling and walking them.
//!
//! The first byte of the input chooses how the text is cut into terminals, and which readings
//! count.

use crate::{Target, walked};
use maskwright_compiler::GrammarText;
use maskwright_compiler::syntax::lark::{LarkLexer, LarkOptions, LarkParser};

/// This target.
pub const TARGET: Target = Target {
    name: "lark_text",
    run,
    seeds: &[
        "0start: (\"if\" | NAME)+ \";\"\nNAME: /[a-z]+/\n%ignore / +/",
        "1start: e\n?e: e \"+\" t | t\nt: N | \"(\" e \")\"\nN: /[0-9]+/\n%ignore \" \"",
        "2start: A B\nA: /a(?=b{2}c?)/\nB: /b+?(?<!ab)c/ & ~(/.*cc/)\n%ignore \" \"",
        "3t{x, s}: x (s x)*\nstart: t{N, \",\"}~1..3 -> list\nN.2: \"0\"..\"9\"+",
        "4start: n::0\nn::_: \"a\" n::incr(_) %if lt(_, 5)\n | \"b\" %json {\"enum\": [1, \"x\"]}",
        "8start[lazy]: /a*b/ | <[1-3,9]> | <[^4]>\n%llguidance {\"ignore_once\": true}",
        "9start: x | y\nx[stop=\"]\"]: /[^\\n]*/\ny: %regex {\"substring_chars\": \"abab\"}",
    ],
    words: &[
        "start: ",
        "\nA: ",
        "\na: ",
        "A",
        "a",
        " | ",
        "(",
        ")",
        "[",
        "]",
        "*",
        "+",
        "?",
        "~2",
        "~0..3",
        "{2,}",
        "{,4}",
        "\"a\"",
        "\"ab\"i",
        "''",
        "/a/",
        "/(a|b)*?/s",
        "/(?=b)/",
        "/(?!a)./",
        "/(?<=a)b/",
        "/\\w{1,9}/i",
        " & ",
        "~",
        "\"a\"..\"c\"",
        "\n%ignore ",
        "%import common.WS",
        "\n%override ",
        "\n%extend ",
        "\n%declare ",
        "t{A}",
        "\nt{x}: x",
        "a::1",
        "\nb::_: ",
        " %if eq(_, 1)",
        "<[1-3]>",
        "<[*]>",
        "<b>",
        "%json {}",
        "%regex {",
        "[lazy]",
        "[suffix=\"c\"]",
        "[stop=\"c\"]",
        "[max_tokens=3]",
        ".5",
        "-> b",
        "\\",
        "\n",
        " ",
        "#",
        "//",
        "é",
        "\u{0}",
        "99999999999",
        "((((((((((",
        "))))))))))",
    ],
};

/// Reads `data` as a Lark grammar, then compiles and walks it.
pub fn run(data: &[u8]) {
    let Some((&choice, text)) = data.split_first() else {
        return;
    };
    let lexer = LarkLexer::ALL[usize::from(choice) % LarkLexer::ALL.len()];
    let parser = match choice & 8 {
        0 => LarkParser::Earley,
        _ => LarkParser::Lalr,
    };
    let options = LarkOptions::default().lexer(lexer).parser(parser);
    let text = GrammarText::lark(String::from_utf8_lossy(text)).lark_options(options);
    let text = text.tokens(walked::compiler().tokens());
    walked::walk_parsed(text.parse(&walked::limits()), data);
}
