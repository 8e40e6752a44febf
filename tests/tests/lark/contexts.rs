//! Which terminals may follow an expression depends on its context. A bracket is taken by an edge
//! that looks at the stack, so states are not copied for the contexts that brackets close.

use crate::compiled::{Words, with_lexer};
use maskwright_compiler::Options;
use maskwright_compiler::limits::Limits;
use maskwright_compiler::syntax::GrammarText;
use maskwright_compiler::syntax::lark::{LarkLexer, LarkOptions};
use std::fmt::Write;

/// Expressions of this many levels of operators, within brackets of these kinds.
fn expressions(levels: usize, brackets: &[(char, char)]) -> String {
    let mut text = "start: l0 \";\"\n".to_owned();
    for level in 0..levels {
        let next = level + 1;
        writeln!(text, "l{level}: l{next} (\"+{level}\" l{next})*").unwrap();
    }
    let within: Vec<String> = brackets
        .iter()
        .map(|(open, close)| format!("\"{open}\" l0 (\",\" l0)* \"{close}\""))
        .collect();
    let within = within.join(" | ");
    writeln!(text, "l{levels}: NAME | \"not\" l{levels} | {within}").unwrap();
    text + "NAME: /[a-z]+/\n%ignore / +/\n"
}

fn states(text: &str, lexer: LarkLexer) -> usize {
    let words = Words::new([]);
    let compiler = words.compiler.with_options(Options::default());
    let text = GrammarText::lark(text).lark_options(with_lexer(lexer));
    compiler.compile_text(&text).unwrap().report().states
}

#[test]
fn brackets_do_not_multiply_states() {
    let brackets = [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>')];
    for lexer in [LarkLexer::Longest, LarkLexer::Dynamic] {
        let one = states(&expressions(6, &brackets[..1]), lexer);
        let four = states(&expressions(6, &brackets), lexer);
        println!("{lexer:?}: {one} states with one kind of brackets, {four} with four");
        // The states between the brackets of a kind are not those of another.
        assert!(four < 2 * one, "{lexer:?}: {one}, {four}");
    }
}

#[test]
fn a_parser_of_lark_looks_at_the_top_frame() {
    // What may follow a number depends on the stack; that the number may go on does not.
    let sums = "start: sum\nsum: \"=\" NUM | sum \",\" sum \"..\"\nNUM: /[0-9]+(\\.[0-9]+)?/";
    // A call can be called, too, and brackets lie within brackets.
    let calls = "start: (call \";\")+\ncall: called \"(\" (value (\",\" value)*)? \")\"\n\
        called: NAME | call | called \"[\" value \"]\" | \"(\" value \")\"\n\
        value: called | NUM | \"in\" value \"if\" value \"is\" value\n\
        NAME: /[a-z]+/\nNUM: /[0-9]+/\n%ignore / +/";
    let texts: [(&str, &str, (bool, bool)); 12] = [
        (sums, "=1.5", (true, true)),
        (sums, "=1.5,=1.5..", (true, true)),
        (sums, "=1..", (false, false)),
        (sums, "=1,=1.", (true, false)),
        (
            calls,
            "a(b)(c)[d](in a(b) if 1 is c[in 2 if d is e]);",
            (true, true),
        ),
        (calls, "(a)(b, (c)(d)[1])(1);x();", (true, true)),
        (calls, "a(in b is", (false, false)),
        (calls, "a(in b if c is", (true, false)),
        (calls, "a(in (b if", (false, false)),
        (calls, "a(in b[in c if", (true, false)),
        (calls, "a(b if", (false, false)),
        (calls, "a(b[in in c if d is e if", (true, false)),
    ];
    let words = Words::new([]);
    for lexer in [LarkLexer::Contextual, LarkLexer::Basic] {
        for (grammar, text, verdict) in texts {
            let options = LarkOptions::default().lexer(lexer);
            let tables = words.compile(grammar, options, Limits::default());
            let found = words.verdict(&tables.unwrap(), text.as_bytes());
            assert_eq!(found, verdict, "{lexer:?}: {text}\n{grammar}");
        }
    }
}
