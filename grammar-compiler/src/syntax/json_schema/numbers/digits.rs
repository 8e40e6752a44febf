//! Bounds on how many digits the text of a number has.
//!
//! In: an automaton of texts. Out: the automaton of the texts with no more digits than allowed, so
//! that a model cannot write digits for ever.

use super::texts::{combine, explore};
use super::{NumbersTooLarge, set::admit};
use crate::grammar::words::Words;
use std::convert::Infallible;
use std::str::FromStr;

/// How many digits each part of a number may have; `None`: any number of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Digits {
    /// Before the point; at least 1.
    pub integer: Option<u16>,
    /// Behind the point; with 0 there is no point.
    pub fraction: Option<u16>,
    /// Of the exponent, leading zeros included; with 0 there is none.
    pub exponent: Option<u16>,
}

impl Digits {
    /// Whether every number of digits is allowed.
    pub fn are_unbounded(&self) -> bool {
        *self == Digits::default()
    }
}

impl FromStr for Digits {
    type Err = String;

    /// `15`, `15,6` or `15,6,3`: before the point, behind it, of the exponent.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!("expected numbers of digits, such as `15`, `15,6` or `15,6,3`, found `{text}`")
        };
        let counts: Result<Vec<u16>, _> =
            text.split(',').map(|count| count.trim().parse()).collect();
        let counts = counts.map_err(|_| wrong())?;
        match *counts.as_slice() {
            [] | [0, ..] | [_, _, _, _, ..] => Err(wrong()),
            _ => Ok(Digits {
                integer: counts.first().copied(),
                fraction: counts.get(1).copied(),
                exponent: counts.get(2).copied(),
            }),
        }
    }
}

/// A part of a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum NumberPart {
    Integer,
    Fraction,
    Exponent,
}

/// The texts among `words` that have no more digits than `digits` says.
///
/// # Errors
///
/// If the automaton would have too many states.
pub fn bounded(words: &Words, digits: Digits) -> Result<Words, NumbersTooLarge> {
    let most = |at: NumberPart| match at {
        NumberPart::Integer => digits.integer,
        NumberPart::Fraction => digits.fraction,
        NumberPart::Exponent => digits.exponent,
    };
    // Where there is no bound, there is nothing to count.
    let step = |&(at, count): &(NumberPart, u16), byte: u8| match (at, byte) {
        (_, b'0'..=b'9') => match most(at) {
            Some(most) if count >= most => None,
            Some(_) => Some((at, count + 1)),
            None => Some((at, 0)),
        },
        (NumberPart::Integer, b'.') => Some((NumberPart::Fraction, 0)),
        (NumberPart::Integer | NumberPart::Fraction, b'e' | b'E') => {
            Some((NumberPart::Exponent, 0))
        }
        _ => Some((at, count)),
    };
    let unbounded = |_| Ok::<_, Infallible>(());
    let Ok(short) = explore((NumberPart::Integer, 0), unbounded, step, |_| true);
    let what = || "the texts of a set of numbers, of so many digits,".to_owned();
    combine(words, &short, |l, r| l && r, admit(what))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::json_schema::numbers::texts::walk;
    use crate::syntax::json_schema::numbers::{NumberForms, NumberSet, json_text};

    #[test]
    fn texts_with_more_digits_are_left_out() {
        let forms = NumberForms {
            digits: "3,2,1".parse().unwrap(),
            ..NumberForms::default()
        };
        let words = json_text(&NumberSet::all(), forms).unwrap();
        let has = |text: &str| walk(&words, 0, text.as_bytes()).is_some_and(|s| words.is_final(s));
        for text in ["0", "-999", "0.25", "-123.45e-9", "1E+5", "1e0"] {
            assert!(has(text), "{text}");
        }
        for text in ["1000", "0.125", "1e10", "1e05", "1.", "1e"] {
            assert!(!has(text), "{text}");
        }
        let whole = NumberForms {
            digits: "2,0,0".parse().unwrap(),
            ..NumberForms::default()
        };
        let words = json_text(&NumberSet::all(), whole).unwrap();
        let has = |text: &str| walk(&words, 0, text.as_bytes()).is_some_and(|s| words.is_final(s));
        assert!(has("99") && has("-0") && !has("1.0") && !has("1e1") && !has("100"));
    }

    #[test]
    fn numbers_of_digits_by_name() {
        let digits = |text: &str| text.parse::<Digits>();
        assert_eq!(
            digits("15").map(|d| (d.integer, d.fraction)),
            Ok((Some(15), None))
        );
        assert_eq!(
            digits("15, 0,3").map(|d| (d.fraction, d.exponent)),
            Ok((Some(0), Some(3)))
        );
        for wrong in ["", "0", "1,2,3,4", "x", "-1", "1,", "70000"] {
            assert!(digits(wrong).is_err(), "{wrong}");
        }
    }
}
