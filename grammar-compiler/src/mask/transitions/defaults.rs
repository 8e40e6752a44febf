//! Default transitions: states that agree with another state except on a few classes, as in D²FA.
//!
//! In: the transitions and the runs. Out: for some states a [`DefaultTransition`]. In the middle of
//! a known key, all characters but one lead to where all other keys are read: the state agrees with
//! that one but for the one character. A walk from such a state finds the same as from the other,
//! except behind the symbols at which the two differ; these are walked separately.
//!
//! Worth (`docs/ablation.md`): without them a compile takes 3 % longer at the 90th percentile, and
//! more in two further samples.

use super::runs::StateRuns;
use super::words::Transitions;
use crate::pda::{Class, Pda, StateId};

/// States that differ in more classes have no default transition.
const MAX_CLASSES: usize = 8;

/// The state that another one agrees with.
#[derive(Clone, Debug)]
pub struct DefaultTransition {
    /// The state, to which most bytes lead, and in which they stay.
    pub state: StateId,
    /// The classes with which the two states do different things, ascending.
    pub except: Vec<Class>,
}

/// For each state its default transition, if it has one.
pub fn defaults(
    transitions: &Transitions,
    pda: &Pda,
    runs: &StateRuns,
) -> Vec<Option<DefaultTransition>> {
    let default = |state: StateId| {
        let next = runs.next(state);
        let [here, there] = [state, next].map(|state| &pda.states[state.index()]);
        let stays = runs.of(next).along.is_some() && runs.next(next) == next;
        let agrees = state != next
            && stays
            && runs.of(state).along.is_none()
            && transitions.need(state) == transitions.need(next)
            && here.top == there.top;
        let except = agrees.then(|| transitions.different(state, next, MAX_CLASSES))??;
        Some(DefaultTransition {
            state: next,
            except,
        })
    };
    pda.state_ids().map(default).collect()
}
