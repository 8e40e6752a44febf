//! Whether a matcher can count the tokens of a text that is limited.
//!
//! In: an automaton over spellings, the headroom of its states, and the [`Terminals`]. Out:
//! nothing, or an error. What holds after:
//!
//! - while a matcher is in a limited text, nothing else can be read there ([`check_readings`] looks
//!   at item sets, since later stages merge equal states);
//! - one stack is enough;
//! - wherever the symbol of a limit can be taken, the lead looks at no frame and changes none, and
//!   the symbol pushes none;
//! - the state behind the symbol can be finished with no more frames than the state before.
//!
//! So a matcher that counts one number beside its stack never comes to an empty mask.

use super::Terminals;
use crate::error::{Code, Diagnostic, Error};
use crate::grammar::{Expr, Grammar};
use crate::limits::Deadline;
use crate::lr::Built;
use crate::pda::headroom::Headroom;
use crate::pda::stacks::Stacks;
use crate::pda::{Class, Pda, StateId, TreeId};

/// Checks that an item set with a position in a limited text has such positions only.
///
/// # Errors
/// If some text could be read as limited or as something else.
pub fn check_readings(
    terminals: &Terminals,
    grammar: &Grammar,
    built: &Built,
    deadline: &Deadline,
) -> Result<(), Error> {
    let positions = &built.positions;
    let class = |byte| positions.classes.of(byte);
    let symbols: Vec<Class> = terminals
        .limits
        .iter()
        .map(|limit| class(limit.symbol))
        .collect();
    if symbols.is_empty() {
        return Ok(());
    }
    let limit_at = |node: u32| {
        let behind = positions.step(node, class(terminals.lead))?;
        let mut symbols = symbols.iter();
        symbols.find(|&&symbol| positions.step(behind, symbol).is_some())
    };
    for items in built.item_sets() {
        deadline.ticks(1 + items.len(), "looking for limits of tokens")?;
        let mut limits = items.iter().map(|item| limit_at(item.node));
        let first = limits.next().flatten();
        if limits.any(|limit| limit != first) {
            return Err(refused(
                grammar,
                "a text with a limit on its tokens can be read as something else too, so a matcher cannot know whether to count",
                "begin and end the limited text with delimiters or tokens that belong to it alone",
            ));
        }
    }
    Ok(())
}

/// Checks an automaton.
///
/// # Errors
/// If its tokens cannot be counted, or if a text that has used up its tokens cannot be ended.
pub fn check(
    terminals: &Terminals,
    grammar: &Grammar,
    pda: &Pda,
    headroom: &Headroom,
    stacks: Stacks,
) -> Result<(), Error> {
    if terminals.limits.is_empty() {
        return Ok(());
    }
    if stacks != Stacks::Proved(1) {
        return Err(refused(
            grammar,
            "a text is limited to some tokens where the grammar has several readings",
            "end the text with a text or a token that it cannot contain",
        ));
    }
    let lead = pda.classes.of(terminals.lead);
    let limits = terminals.limits.iter();
    let limits: Vec<Class> = limits.map(|limit| pda.classes.of(limit.symbol)).collect();
    for state in pda.state_ids() {
        for behind in super::overlap::behind(pda, state, lead) {
            let edges = pda.states[behind.index()].edges.iter();
            for &(_, tree) in edges.filter(|(class, _)| limits.contains(class)) {
                if plain(pda, state, lead) != Some(behind) {
                    return Err(refused(
                        grammar,
                        "a text is limited to some tokens where what is around it decides how it goes on",
                        "put a delimiter before and behind the text",
                    ));
                }
                if !can_close(pda, headroom, state, tree) {
                    return Err(refused(
                        grammar,
                        "a text that has had its tokens cannot be ended by the tokens of this vocabulary",
                        "take a vocabulary with a token for each byte, or leave the limit out",
                    ));
                }
            }
        }
    }
    Ok(())
}

/// The state that a symbol leads to whatever lies on the stack, which stays as it is.
fn plain(pda: &Pda, state: StateId, class: Class) -> Option<StateId> {
    let tree = pda.edge(state, class)?;
    let (mut found, mut is_plain) = (None, true);
    pda.leaves(tree, &mut |leaf| {
        is_plain &= found.is_none();
        match leaf {
            [one] if !one.again && one.pop == 0 && one.push.is_none() => found = Some(one.next),
            _ => is_plain = false,
        }
    });
    found.filter(|_| is_plain)
}

/// For a state in which a token can end: whether closing the text there needs no more frames than
/// the state itself.
fn can_close(pda: &Pda, headroom: &Headroom, state: StateId, tree: TreeId) -> bool {
    let need = |state: StateId| headroom.states[state.index()];
    let Some(open) = need(state) else {
        return true;
    };
    let mut can_close = true;
    pda.leaves(tree, &mut |leaf| {
        can_close &= match leaf {
            [one] => {
                let closed = need(one.next).map(|closed| closed.saturating_sub(one.pop));
                !one.again && one.push.is_none() && closed.is_some_and(|closed| closed <= open)
            }
            _ => false,
        };
    });
    can_close
}

/// The error, at the first text that is limited.
fn refused(grammar: &Grammar, what: &str, help: &str) -> Error {
    let mut is_limited = |part: &Expr| matches!(part, Expr::Graph(graph) if graph.is_limited());
    let rule = grammar
        .rules
        .iter()
        .find(|rule| rule.expr.any(&mut is_limited));
    let diagnostic = Diagnostic::error(Code::TokenLimit, what).help(help);
    match rule {
        Some(rule) => diagnostic.at(rule.span, "this text").into(),
        None => diagnostic.into(),
    }
}
