//! Whether a token could be meant in two ways at once.
//!
//! In: an automaton over spellings, and the [`Terminals`]. Out: nothing, or an error. What holds
//! after: a token that is a terminal may also be text, or end a sequence. No state allows it in
//! both meanings. So a matcher decides by its state, and needs no copy of its stacks to try both.

use super::Terminals;
use crate::error::{Code, Diagnostic, Error};
use crate::limits::Deadline;
use crate::pda::stacks::Stacks;
use crate::pda::{Alternative, Class, Pda, StateId};
use crate::vocabulary::Vocabulary;

/// The steps that a state takes.
const STATE_STEPS: usize = 16;

/// Checks an automaton.
///
/// # Errors
/// If a token could have both meanings in some state. With several stacks, if any terminal is text.
pub fn check(
    terminals: &Terminals,
    pda: &Pda,
    stacks: Stacks,
    vocabulary: &Vocabulary,
    deadline: &Deadline,
) -> Result<(), Error> {
    let lead = pda.classes.of(terminals.lead);
    let texts = classes(terminals, pda, |id, is_text| {
        is_text && vocabulary.eos().binary_search(&id).is_err()
    });
    let ends = classes(terminals, pda, |id, _| {
        vocabulary.eos().binary_search(&id).is_ok()
    });
    let others = terminals.others.map(|symbol| pda.classes.of(symbol));
    let texts: Vec<Class> = texts.into_iter().chain(others).collect();
    for state in pda.state_ids() {
        let behind = behind(pda, state, lead);
        let steps = STATE_STEPS * (1 + behind.len());
        deadline.ticks(steps, "looking for tokens with two meanings")?;
        let takes = |of: &[Class]| {
            let edges = behind.iter().flat_map(|&to| &pda.states[to.index()].edges);
            edges.into_iter().any(|(class, _)| of.contains(class))
        };
        let edges = &pda.states[state.index()].edges;
        let has_text = edges
            .iter()
            .any(|&(class, _)| class != lead && class != pda.classes.end());
        if takes(&texts) && (has_text || stacks != Stacks::Proved(1)) {
            return Err(refused("in one place a token can be text, or any token"));
        }
        let has_end = edges.iter().any(|&(class, _)| class == pda.classes.end());
        if takes(&ends) && (has_end || stacks != Stacks::Proved(1)) {
            return Err(refused(
                "a token that ends a sequence can end the text, or go on with it, in one place",
            ));
        }
    }
    Ok(())
}

/// The classes of the symbols of some tokens.
fn classes(terminals: &Terminals, pda: &Pda, of: impl Fn(u32, bool) -> bool) -> Vec<Class> {
    let tokens = terminals
        .tokens
        .iter()
        .filter(|token| of(token.id, token.is_text));
    let symbols = tokens.filter_map(|token| token.symbol);
    let mut classes: Vec<Class> = symbols.map(|symbol| pda.classes.of(symbol)).collect();
    classes.sort_unstable();
    classes.dedup();
    classes
}

/// The states that the lead can lead to, with any stack.
pub(super) fn behind(pda: &Pda, state: StateId, lead: Class) -> Vec<StateId> {
    let (mut from, mut seen, mut behind) = (vec![state], vec![state], Vec::new());
    while let Some(state) = from.pop() {
        let Some(tree) = pda.edge(state, lead) else {
            continue;
        };
        pda.leaves(tree, &mut |leaf: &[Alternative]| {
            for alternative in leaf {
                match alternative.again {
                    true if seen.contains(&alternative.next) => {}
                    true => {
                        seen.push(alternative.next);
                        from.push(alternative.next);
                    }
                    false => behind.push(alternative.next),
                }
            }
        });
    }
    behind.sort_unstable();
    behind.dedup();
    behind
}

fn refused(what: &str) -> Error {
    Diagnostic::error(Code::TokenOrText, format!("{what}, so that a matcher cannot tell which is meant"))
        .help("put a delimiter between the two, such as a token that is named, or leave those tokens out of the set by name")
        .into()
}
