//! Which texts of the numbers of a set are offered.

use super::digits::{Digits, bounded};
use super::full::{self, Signs};
use super::set::{NumberSet, admit};
use super::texts::{combine, explore, step};
use super::{NumbersTooLarge, scientific};
use crate::grammar::words::Words;
use crate::setters::setters;
use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

/// The forms that numbers may have beside digits with an optional point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct NumberForms {
    /// Exponents, `1.5e+16`. Only integers are never written so, unless `integral_fractions` is on
    /// too.
    pub exponents: bool,
    /// Fractional parts of zeros, `1.0`, where only integers are allowed. Where others are allowed,
    /// numbers without a fractional part may always be written so.
    pub integral_fractions: bool,
    /// How many digits numbers may have.
    pub digits: Digits,
}

setters!(NumberForms {
    exponents: bool,
    integral_fractions: bool,
    digits: Digits,
});

impl Default for NumberForms {
    fn default() -> Self {
        NumberForms {
            exponents: true,
            integral_fractions: false,
            digits: Digits::default(),
        }
    }
}

/// The JSON texts of the numbers of `set` that have no more digits than `forms` allow.
///
/// # Errors
///
/// If the automaton would have too many states.
pub fn json_text(set: &NumberSet, forms: NumberForms) -> Result<Arc<Words>, NumbersTooLarge> {
    let words = texts(set, forms)?;
    match forms.digits.are_unbounded() {
        true => Ok(words),
        false => Ok(Arc::new(bounded(&words, forms.digits)?)),
    }
}

/// The JSON texts of the numbers of `set`.
///
/// No text of another number is among them. All texts without an exponent are, in the forms
/// allowed. Of texts with an exponent there are
/// - all, if the sign alone decides what is in the set: all numbers, those at least 0, and so on;
/// - otherwise the normalised ones: one digit before the point, not 0 unless all are; any exponent,
///   also `e-07` and `e+100`. No automaton could tell about `0.000…05e99` whether it is at least 5;
/// - of those, the ones with up to 17 digits, as many as a 64-bit float has, where more digits
///   would have to be counted: for integers and multiples, and for numbers that begin like a bound
///   of more digits;
/// - none, if that too would take too many states. For multiples of 1000, say.
fn texts(set: &NumberSet, forms: NumberForms) -> Result<Arc<Words>, NumbersTooLarge> {
    let is_integral = set.is_integral();
    if is_integral && !forms.integral_fractions {
        return Ok(Arc::new(integers(set.plain())));
    }
    if !forms.exponents {
        return Ok(Arc::new(set.plain().clone()));
    }
    if let Some(signs) = Signs::of(set) {
        return Ok(Arc::new(full::texts(signs, false)));
    }
    if is_integral && let Some(signs) = Signs::of_integers(set) {
        return all_integers(set, signs);
    }
    Ok(Arc::new(with_exponents(set, set.plain().clone())?))
}

/// All texts of `set`, which has all integers of these signs. Most schemas ask for those of one
/// such set, so they are kept.
fn all_integers(set: &NumberSet, signs: Signs) -> Result<Arc<Words>, NumbersTooLarge> {
    static KNOWN: [OnceLock<Arc<Words>>; Signs::COUNT] = [const { OnceLock::new() }; Signs::COUNT];
    let known = &KNOWN[signs.number()];
    if let Some(words) = known.get() {
        return Ok(Arc::clone(words));
    }
    let words = either(set.plain(), &full::texts(signs, true))?;
    let words = with_exponents(set, words)?;
    Ok(Arc::clone(known.get_or_init(|| Arc::new(words))))
}

/// These texts, and those of `set` in scientific notation.
fn with_exponents(set: &NumberSet, words: Words) -> Result<Words, NumbersTooLarge> {
    match scientific::texts(set.plain()) {
        Some(more) => either(&words, &more),
        None => Ok(words),
    }
}

fn either(left: &Words, right: &Words) -> Result<Words, NumbersTooLarge> {
    let what = || "the texts of a set of numbers".to_owned();
    combine(left, right, |l, r| l || r, admit(what))
}

/// The texts without a point.
fn integers(words: &Words) -> Words {
    let Ok(words) = explore(
        0,
        |_| Ok::<_, Infallible>(()),
        |&state, byte| match byte {
            b'.' => None,
            _ => step(words, state, byte),
        },
        |&state| words.is_final(state),
    );
    words
}

/// These texts but `-0` and what goes on from it: many parsers take it for a float, and refuse it
/// as an integer.
pub fn without_negative_zero(words: &Words) -> Words {
    let Ok(words) = explore(
        (0, false),
        |_| Ok::<_, Infallible>(()),
        |&(state, negative), byte| match byte {
            b'0' if negative => None,
            _ => Some((step(words, state, byte)?, byte == b'-')),
        },
        |&(state, _)| words.is_final(state),
    );
    words
}
