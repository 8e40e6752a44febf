//! Which terminals may follow an expression depends on its context. A bracket is taken by an edge
//! that looks at the stack, so states are not copied for the contexts that brackets close.

use crate::compiled::{Words, with_lexer};
use maskwright_compiler::Options;
use maskwright_compiler::syntax::GrammarText;
use maskwright_compiler::syntax::lark::LarkLexer;
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
