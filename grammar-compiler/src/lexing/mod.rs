//! Lexers compiled into the automaton.
//!
//! In: a grammar over the terminals of a [`Lexer`](crate::grammar::Lexer). Out: a [`Pda`] over
//! bytes that takes exactly the texts that the lexer cuts into a sentence of the grammar. What
//! holds after: each state of it can be finished on every stack on which it is met.
//!
//! ```text
//! Grammar over terminals ── symbols ──▶ Grammar over symbols ── automata, lr ──▶ Pda over symbols
//!                                                        Pda over bytes ◀── product ──┘
//! ```
//!
//! A *symbol* is a set of terminals that match the same text. The [`product`] runs the parser's
//! automaton beside the [`scanner`]'s, which reads a terminal byte by byte. Where a terminal ends
//! and could go on, the automaton follows both; the reading that ended it early carries the longer
//! try along as an *obligation*: the try must not match after all.
//!
//! In between, `exact` or `after` says which terminals compete in each state, and `live` what can
//! be finished, so that the product enters nothing else; `finish` merges equal states.

mod after;
mod byte_classes;
mod exact;
mod finish;
mod lexemes;
mod live;
mod lookahead;
mod obligation;
mod obligations;
mod product;
mod rivals;
mod scanner;
mod symbols;

pub(crate) use symbols::{SymbolGrammar, over_symbols};

use lexemes::Lexemes;

use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::pda::{Pda, StateId, through};

/// An automaton over bytes, and for each state the states over symbols that it stands for.
pub(crate) struct OverBytes {
    pub(crate) pda: Pda,
    pub(crate) origins: Vec<Vec<StateId>>,
}

/// The automaton over bytes of a grammar whose automaton over symbols is `parser`; `None` if no
/// text is a sentence.
///
/// # Errors
///
/// If a limit is passed.
pub(crate) fn over_bytes(
    parser: &Pda,
    grammar: &SymbolGrammar,
    limits: &Limits,
    deadline: &Deadline,
) -> Result<Option<OverBytes>, LimitExceeded> {
    let parser = match &grammar.split {
        Some(split) => after::after_symbols(parser, split, grammar.symbols.len(), deadline)?,
        None => exact::exact(parser, grammar, limits, deadline)?,
    };
    let symbols = parser.pda.classes.clone();
    let mut lexemes = Lexemes::new(grammar, symbols, limits, deadline)?;
    let Some(parser) = live::live(parser, grammar, &mut lexemes, limits, deadline)? else {
        return Ok(None);
    };
    let product = product::product(&parser, &mut lexemes, limits, deadline)?;
    let over_bytes = finish::finish(product, limits, deadline)?;
    Ok(Some(OverBytes {
        origins: through(&over_bytes.origins, &parser.origins),
        pda: over_bytes.pda,
    }))
}
