//! Why a grammar with sets of tokens is refused.

use super::MAX_LIMITS;
use crate::error::{Code, Diagnostic, Error};
use crate::grammar::{Expr, Rule};
use crate::vocabulary::{TokenNameError, Vocabulary};

pub(super) fn check_ids(rule: &Rule, vocabulary: &Vocabulary) -> Result<(), Error> {
    let mut wrong = None;
    rule.expr.any(&mut |part| {
        if let Expr::Tokens(set) = part {
            let mut ids = set.ids().iter();
            wrong = ids
                .find(|&&id| id >= vocabulary.size())
                .map(|&id| (id, part));
        }
        wrong.is_some()
    });
    let Some((id, part)) = wrong else {
        return Ok(());
    };
    let size = vocabulary.size();
    let error = TokenNameError::OutOfRange { id, size };
    Err(Diagnostic::error(error.code(), error.to_string())
        .at(rule.place_of(part), "")
        .help("compile the grammar for the vocabulary that it was read for")
        .into())
}

pub(super) fn too_many(most: usize) -> Error {
    let message = format!("the grammar tells more than {most} groups of tokens apart");
    Diagnostic::error(Code::LimitExceeded, message)
        .help("name fewer tokens one by one: tokens that always stand together are one group")
        .into()
}

pub(super) fn too_many_limits(limits: usize) -> Error {
    let message =
        format!("the grammar has {limits} different limits of tokens, more than {MAX_LIMITS}");
    Diagnostic::error(Code::LimitExceeded, message)
        .help("give several texts the same limit")
        .into()
}

pub(super) fn no_lead() -> Error {
    let message = "the grammar names tokens, and uses or meets every byte that no text has";
    Diagnostic::error(Code::LimitExceeded, message)
        .help("take raw bytes from 0xF5 to 0xFF out of the grammar")
        .into()
}
