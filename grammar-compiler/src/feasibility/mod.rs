//! Vocabulary feasibility: the texts that a vocabulary can finish.
//!
//! In: a [`Pda`] and the vocabulary's [`TokenTrie`]. Out: [`Feasible`]: an automaton with the same
//! sentences in which a state alone says whether some sequence of whole tokens finishes the text
//! from there, whatever lies on the stack, and how many frames that needs. Masks made from it offer
//! a token only if the text can be finished after it *in this vocabulary*, so no mask is empty
//! before the end.
//!
//! Vocabularies with a token for each byte spell every text. There is nothing to do for them, nor
//! if each class that the grammar takes has a token of one byte. Otherwise:
//!
//! 1. `tokens`: an automaton of the texts that sequences of tokens spell, in symbol classes.
//! 2. `control`: the pushdown automaton beside that one, one frame a step.
//! 3. `reach`: the states and pushes that can be met on each stack; `exits`: how a stack loses its
//!    top frame by whole tokens.
//! 4. `annotate`: from the empty stack upwards, which controls can finish on which stacks.
//! 5. [`marks`](crate::pda::marks): states and frames are split where the answer depends on the
//!    stack.
//!
//! Between two bytes of a token the automaton may be in a state that nothing finishes. A matcher
//! looks at the states after whole tokens only (and after the bytes that it is given at once).

mod annotate;
pub(crate) mod control;
mod error;
mod exits;
pub(crate) mod reach;
pub(crate) mod tokens;

pub use error::{FeasibilityError, in_no_token, unspellable};

use control::ControlMachine;
use tokens::TokenTexts;

use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::mask::TokenTrie;
use crate::pda::headroom::Headroom;
use crate::pda::marks::{MarkedPda, mark};
use crate::pda::{Class, Pda, StateId};

/// An automaton whose states say what a vocabulary can finish.
#[derive(Clone, Debug)]
pub struct Feasible {
    /// The automaton.
    pub pda: Pda,
    /// The needs of completions by whole tokens. They are exact, whatever lies on the stack, so
    /// frames reserve nothing. No sequence of tokens finishes a state without a need.
    pub headroom: Headroom,
    /// For each state the states before that it stands for, ascending.
    pub origins: Vec<Vec<StateId>>,
    /// Classes that the grammar takes and that are in no token.
    pub never: Vec<Class>,
}

/// The automaton for a vocabulary; `None` if the vocabulary can finish every text that the
/// automaton can finish.
///
/// # Errors
///
/// If a limit is passed, or the vocabulary cannot spell any sentence.
pub fn feasible(
    pda: &Pda,
    tokens: &TokenTrie,
    limits: &Limits,
    deadline: &Deadline,
) -> Result<Option<Feasible>, FeasibilityError> {
    let Some(texts) = TokenTexts::new(pda, tokens, deadline)? else {
        return Ok(None);
    };
    let feasible = refined(pda, &texts, limits, deadline)?;
    if feasible.finishes() {
        return Ok(Some(feasible));
    }
    let missing = texts.missing().to_vec();
    let mut helpful = Vec::new();
    for &class in &missing {
        if refined(pda, &texts.with(class), limits, deadline)?.finishes() {
            helpful.push(class);
        }
    }
    Err(FeasibilityError::Unspellable { helpful, missing })
}

/// The automaton, refined by the texts that sequences of tokens can finish.
fn refined(
    pda: &Pda,
    texts: &TokenTexts,
    limits: &Limits,
    deadline: &Deadline,
) -> Result<Feasible, LimitExceeded> {
    let mut machine = ControlMachine::new(pda, texts);
    let reach = reach::reach(&mut machine, pda.start, deadline)?;
    let exits = exits::exits(&mut machine, &reach, deadline)?;
    let kinds = annotate::annotate(&mut machine, &reach, &exits, limits.states, deadline)?;
    let MarkedPda {
        pda,
        headroom,
        origins,
    } = mark(pda, &kinds, limits.states, deadline)?;
    Ok(Feasible {
        pda,
        headroom,
        origins,
        never: texts.never(),
    })
}

impl Feasible {
    /// Whether some sequence of tokens is a sentence.
    fn finishes(&self) -> bool {
        self.headroom.states[self.pda.start.index()].is_some()
    }
}
