//! The tokens that calls are written in.
//!
//! In: a format, and the names of the vocabulary's tokens. Out: the tokens whose names stand in a
//! call, whichever tool is called and whatever its arguments are. What holds: a grammar that names
//! them has the same text around calls for all tools. Without that, an added token such as `<|"|>`
//! would be text for tools without strings, and a delimiter for others.

use super::format::{Piece, ToolFormat};
use crate::grammar::{Expr, Grammar, Rule, TokenSet};
use crate::syntax::ParseOptions;
use crate::syntax::json_schema::lower::markups;
use crate::syntax::spell::Speller;

/// Adds a rule that names the tokens of a format's calls, and that nothing leads into.
pub(super) fn name_delimiters(grammar: &mut Grammar, format: &ToolFormat, options: &ParseOptions) {
    let speller = Speller::new(&options.tokens, options.tags.spelled);
    let calls = format.calls().iter().flat_map(|call| call.pieces());
    let texts = calls.filter_map(|piece| match piece {
        Piece::Text(text) => Some(text.clone()),
        Piece::Place(_) => None,
    });
    let own = format.form().map(|form| form.form());
    let form = own.or_else(|| format.arguments().form().copied());
    let notation = format.arguments().notation();
    let texts: Vec<String> = texts.chain(markups(form.as_ref(), notation)).collect();
    let pieces = texts.iter().flat_map(|text| speller.pieces(text));
    let tokens = TokenSet::of(pieces.filter_map(|piece| piece.token));
    if !tokens.is_empty() {
        let rule = Rule::new("delimiters", Expr::Tokens(tokens));
        grammar.rules.push(rule);
    }
}
