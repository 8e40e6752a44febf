//! The plain texts, `-?(0|[1-9][0-9]*)(\.[0-9]+)?`, that an observer of their digits accepts.
//!
//! In: an [`Observer`]. Out: the minimal automaton. The observer sees values only: it must give the
//! same answer for all texts of one value.

use super::texts::explore;
use crate::grammar::words::Words;
use std::hash::Hash;

/// Follows the digits of a text.
pub trait Observer {
    /// What it has to know about the digits so far.
    type State: Clone + Eq + Hash;

    /// Before the first digit.
    fn begin(&mut self, negative: bool) -> Self::State;
    /// After a digit before the point; `None` if nothing can be accepted any more.
    fn integer(&mut self, state: &Self::State, digit: u8) -> Option<Self::State>;
    /// After the point.
    fn point(&mut self, state: &Self::State) -> Option<Self::State>;
    /// After a digit after the point.
    fn fraction(&mut self, state: &Self::State, digit: u8) -> Option<Self::State>;
    /// Whether a number that ends here is accepted.
    fn accepts(&self, state: &Self::State) -> bool;
}

/// Where in the syntax a text is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum PlainNumberPlace {
    /// Before the first digit; after the sign, if there is one.
    Begin,
    /// After the digit 0 that stands alone before the point.
    Zero,
    Integer,
    Point,
    Fraction,
}

/// The automaton of the texts that `observer` accepts.
pub fn texts<O: Observer, E>(
    mut observer: O,
    admit: impl FnMut(usize) -> Result<(), E>,
) -> Result<Words, E> {
    // The observer takes part in the steps, so whether a text may end is found with the step to its
    // end.
    let start = ((PlainNumberPlace::Begin, None), false);
    explore(
        start,
        admit,
        |((at, state), _): &((PlainNumberPlace, Option<O::State>), bool), byte| {
            let (at, state) = match (at, byte) {
                (PlainNumberPlace::Begin, b'-') if state.is_none() => {
                    (PlainNumberPlace::Begin, observer.begin(true))
                }
                (PlainNumberPlace::Begin | PlainNumberPlace::Integer, b'0'..=b'9') => {
                    let before = match state {
                        Some(state) => state.clone(),
                        None => observer.begin(false),
                    };
                    let at = match (at, byte) {
                        (PlainNumberPlace::Begin, b'0') => PlainNumberPlace::Zero,
                        _ => PlainNumberPlace::Integer,
                    };
                    (at, observer.integer(&before, byte - b'0')?)
                }
                (PlainNumberPlace::Zero | PlainNumberPlace::Integer, b'.') => {
                    (PlainNumberPlace::Point, observer.point(state.as_ref()?)?)
                }
                (PlainNumberPlace::Point | PlainNumberPlace::Fraction, b'0'..=b'9') => {
                    let after = observer.fraction(state.as_ref()?, byte - b'0')?;
                    (PlainNumberPlace::Fraction, after)
                }
                _ => return None,
            };
            let may_end = matches!(
                at,
                PlainNumberPlace::Zero | PlainNumberPlace::Integer | PlainNumberPlace::Fraction
            );
            let is_final = may_end && observer.accepts(&state);
            Some(((at, Some(state)), is_final))
        },
        |&(_, is_final)| is_final,
    )
}
