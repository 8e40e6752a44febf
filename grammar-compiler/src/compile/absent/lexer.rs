//! What stands for `lexer` in a compiler without the feature `lark`: no grammar has a lexer.

use super::stage::{BuildItemSets, Stage};
use crate::automata::Network;
use crate::error::{Code, Diagnostic, Error};
use crate::grammar::Grammar;
use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::lr::Built;
use crate::pda::{Pda, StateId};

/// A grammar over symbols.
pub(super) enum SymbolGrammar {}

/// An automaton over bytes, and for each state the states over symbols that it stands for.
pub(super) struct OverBytes {
    pub(super) pda: Pda,
    pub(super) origins: Vec<Vec<StateId>>,
}

pub(super) fn over_symbols(
    _: &Grammar,
    _: &Limits,
    _: &Deadline,
) -> Result<Option<SymbolGrammar>, LimitExceeded> {
    Ok(None)
}

pub(super) fn parsed(
    of: &mut SymbolGrammar,
    _: &mut BuildItemSets<'_>,
    _: &Limits,
    _: &mut Vec<Stage>,
    _: &Deadline,
) -> Result<Option<(Network, Built)>, Error> {
    match *of {}
}

pub(super) fn over_bytes(
    _: &Pda,
    of: &SymbolGrammar,
    _: &Limits,
    _: &Deadline,
) -> Result<Option<OverBytes>, LimitExceeded> {
    match *of {}
}

pub(super) fn never_cut(_: &Grammar) -> Diagnostic {
    Diagnostic::error(Code::NeverMatches, "no text is a sentence")
}

pub(super) fn check_unproved(_: &Grammar) -> Result<(), Diagnostic> {
    Ok(())
}
