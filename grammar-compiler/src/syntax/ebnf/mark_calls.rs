//! Tells calls of what is built in from references to rules.
//!
//! In: the words of a grammar. Out: the same, in which `Regex`, `Substring`, `json_schema` and `grammar` before `(` are calls, unless
//! the grammar defines a rule of that name; calls that are not supported are refused.

use super::lexer::Spanned;
use super::token::Token;
use crate::error::Diagnostic;
use crate::source::Span;
use std::collections::HashSet;

/// Marks the calls among `tokens`; the result is what is to be said about them.
pub(super) fn mark_calls(tokens: &mut [Spanned<'_>]) -> Vec<Diagnostic> {
    let defined: HashSet<&str> = tokens
        .iter()
        .filter_map(|(_, token, _)| {
            if let Token::Define(name) = token {
                Some(*name)
            } else {
                None
            }
        })
        .collect();
    let mut diagnostics = Vec::new();
    for index in 1..tokens.len() {
        let Some([(start, word, end), (_, Token::OpenParen, _)]) =
            tokens.get_mut(index - 1..=index)
        else {
            continue;
        };
        let Token::Name(name) = *word else { continue };
        if defined.contains(name) {
            continue;
        }
        match name {
            "Regex" => *word = Token::RegexCall,
            "Substring" => *word = Token::SubstringCall,
            "json_schema" => *word = Token::SchemaCall,
            "grammar" => *word = Token::GrammarCall,
            "TagDispatch" | "TokenTagDispatch" => diagnostics.push(refuse(
                "unsupported-tag-dispatch",
                name,
                Span::new(*start, *end),
            )),
            "Token" | "ExcludeToken" => {
                diagnostics.push(refuse("unsupported-token", name, Span::new(*start, *end)));
            }
            _ => {}
        }
    }
    diagnostics
}

fn refuse(code: &'static str, name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(code, format!("`{name}(…)` is not supported"))
        .at(span, "")
        .help("say in rules what the text may be")
}
