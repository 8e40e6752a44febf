//! Distinguishes built-in calls from references to rules.
//!
//! In: the words of a grammar. Out: the same, in which `Regex`, `Substring`, `json_schema`,
//! `grammar`, `Token`, `ExcludeToken`, `TagDispatch` and `TokenTagDispatch` before `(` are calls,
//! unless the grammar defines a rule of that name.

use super::lexer::Spanned;
use super::token::{CallName, Token};
use crate::maps::KeyedSet;

/// Marks the calls among `tokens`.
pub(super) fn mark_calls(tokens: &mut [Spanned<'_>]) {
    let defined: KeyedSet<&str> = tokens
        .iter()
        .filter_map(|(_, token, _)| {
            if let Token::Define(name) = token {
                Some(*name)
            } else {
                None
            }
        })
        .collect();
    for index in 1..tokens.len() {
        let Some([(_, word, _), (_, Token::OpenParen, _)]) = tokens.get_mut(index - 1..=index)
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
            "Token" => *word = Token::TokenCall(CallName::Token),
            "ExcludeToken" => *word = Token::TokenCall(CallName::ExcludeToken),
            "TagDispatch" => *word = Token::TokenCall(CallName::TagDispatch),
            "TokenTagDispatch" => *word = Token::TokenCall(CallName::TokenTagDispatch),
            _ => {}
        }
    }
}
