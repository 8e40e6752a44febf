//! How much higher a stack may have to grow before it can be finished.
//!
//! In: a [`Pda`]. Out: for each state its *need*: whatever frames lie on the stack, some completion never rises more
//! than that many frames above the present height. A matcher with room for `DEPTH` frames stays
//! where `height + need <= DEPTH`; from there it can always be finished, so a bound on the stack never leads to a dead end.
//!
//! Need is a solution of: choose the symbol that costs least, knowing the frames that its edges look at, where
//! frames below are chosen by an adversary among those that can lie there. A step that pops a frame which was there before is
//! progress by itself, so its cost may be assumed (an outer iteration, from below); popping a frame that the completion
//! has pushed itself is not, so it is known how many of those lie on top, up to `OWN`. Among the steps that are no
//! progress a completion must be well-founded (an inner iteration, from above). The adversary is stronger than any
//! real stack; everywhere a bound that holds for every grammar may be taken instead: see [`needs`].
//!
//! `write` writes the choices of both sides down once, as a `game`; `solve` works the values out.

mod game;
mod solve;
mod write;

use self::solve::{UNKNOWN, solve};
use self::write::write;
use super::{Pda, StateId};
use crate::limits::{Deadline, LimitExceeded};
use crate::lr::{Completion, MAX_SPREAD, Positions};

/// How many frames finishing from a state may need above the present height; `None` if it cannot be finished, which
/// happens only where a vocabulary cannot spell what is missing.
pub type Need = Option<u8>;

/// The greatest need that tables can say.
pub const MAX_NEED: u8 = maskwright_core::layout::state::MAX_NEED as u8;

/// The need of each state.
///
/// Two bounds hold for every state. A stack is never more than [`MAX_SPREAD`] + 2 frames higher than where an item in its state was
/// entered. Following the shortest completion of one item, then of what it returns to, and so on, pushes at most one
/// frame a byte, so the bytes of the longest such completion and `MAX_SPREAD + 2` are enough. Following the one with the
/// fewest calls within calls, each such call is entered at most `MAX_SPREAD + 3` frames above its caller.
///
/// # Errors
///
/// If a state needs more frames than a table can say, or the deadline passes.
pub fn needs(
    pda: &Pda,
    positions: &Positions,
    deadline: &Deadline,
) -> Result<Vec<Need>, LimitExceeded> {
    let game = write(pda, deadline)?;
    let values = solve(&game, general_bound(positions), deadline)?;
    let narrow = |state: StateId| match u8::try_from(values[game.root(state) as usize]) {
        Ok(need) if need <= MAX_NEED => Ok(Some(need)),
        _ => Err(LimitExceeded {
            limit: "frames",
            value: MAX_NEED as u64,
            what: "finishing a sentence needs too many nested calls".to_owned(),
        }),
    };
    (0..pda.states.len() as StateId).map(narrow).collect()
}

fn general_bound(positions: &Positions) -> i32 {
    let spread = MAX_SPREAD as u32;
    let Completion { symbols, depth } = positions.completions();
    let bound = symbols.min(depth.saturating_mul(spread + 3));
    let bound = bound.saturating_add(spread + 2);
    i32::try_from(bound).unwrap_or(UNKNOWN).min(UNKNOWN)
}

#[cfg(test)]
mod tests;
