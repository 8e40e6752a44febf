//! JSON's whole syntax of numbers, for sets that the sign alone decides.
//!
//! In: [`Signs`]. Out: the automaton of all JSON texts of such numbers, `12.5e3` and `0e0` among
//! them. Only the sign of a text, and whether one of its digits is not 0, matter.

use super::decimal::Decimal;
use super::set::NumberSet;
use super::texts::explore;
use crate::grammar::words::Words;
use std::convert::Infallible;

/// Which signs the numbers of a set have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signs {
    negative: bool,
    zero: bool,
    positive: bool,
}

impl Signs {
    /// How many there are.
    pub const COUNT: usize = 8;

    /// The number of these signs, less than [`COUNT`](Self::COUNT).
    pub fn number(self) -> usize {
        let Signs {
            negative,
            zero,
            positive,
        } = self;
        usize::from(negative) | usize::from(zero) << 1 | usize::from(positive) << 2
    }

    /// The signs of `set`, if it has all numbers of each.
    pub fn of(set: &NumberSet) -> Option<Self> {
        let signs = Self::among(set);
        (signs.set() == *set).then_some(signs)
    }

    /// The signs of `set`, if it has all integers of each and nothing else.
    pub fn of_integers(set: &NumberSet) -> Option<Self> {
        let signs = Self::among(set);
        let all = signs.set().intersect(&NumberSet::integers()).ok()?;
        (all == *set).then_some(signs)
    }

    /// The signs of -1, 0 and 1 as far as they are in `set`.
    fn among(set: &NumberSet) -> Self {
        let has = |text| Decimal::parse(text).is_some_and(|number| set.contains(&number));
        Signs {
            negative: has("-1"),
            zero: has("0"),
            positive: has("1"),
        }
    }

    fn set(self) -> NumberSet {
        let zero = Decimal::zero();
        let half = |negative: bool, with_zero: bool| {
            if negative {
                NumberSet::at_most(&zero, !with_zero)
            } else {
                NumberSet::at_least(&zero, !with_zero)
            }
        };
        match (self.negative, self.zero, self.positive) {
            (true, true, true) => NumberSet::all(),
            (true, false, true) => NumberSet::equal(&zero).complement(),
            (true, zero, false) => half(true, zero),
            (false, zero, true) => half(false, zero),
            (false, true, false) => NumberSet::equal(&zero),
            (false, false, false) => NumberSet::empty(),
        }
    }
}

/// Where in the syntax a text is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum FullNumberPlace {
    Start,
    Minus,
    Zero,
    Integer,
    Point,
    Fraction,
    E,
    ExponentSign,
    Exponent,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct FullNumberState {
    at: FullNumberPlace,
    negative: bool,
    /// Whether all digits so far are 0.
    zero: bool,
}

/// All JSON texts of numbers with these signs; of integers only those that need no look at how
/// digits and exponent fit together: fractional parts of zeros and exponents without a minus.
pub fn texts(signs: Signs, integral: bool) -> Words {
    let step = |&FullNumberState { at, negative, zero }: &FullNumberState, byte: u8| {
        let next = match (at, byte) {
            (FullNumberPlace::Start, b'-') => FullNumberPlace::Minus,
            (FullNumberPlace::Start | FullNumberPlace::Minus, b'0') => FullNumberPlace::Zero,
            (FullNumberPlace::Start | FullNumberPlace::Minus, b'1'..=b'9') => {
                FullNumberPlace::Integer
            }
            (FullNumberPlace::Integer, b'0'..=b'9') => FullNumberPlace::Integer,
            (FullNumberPlace::Zero | FullNumberPlace::Integer, b'.') => FullNumberPlace::Point,
            (FullNumberPlace::Point | FullNumberPlace::Fraction, b'1'..=b'9') if integral => {
                return None;
            }
            (FullNumberPlace::Point | FullNumberPlace::Fraction, b'0'..=b'9') => {
                FullNumberPlace::Fraction
            }
            (
                FullNumberPlace::Zero | FullNumberPlace::Integer | FullNumberPlace::Fraction,
                b'e' | b'E',
            ) => FullNumberPlace::E,
            (FullNumberPlace::E, b'-') if integral => return None,
            (FullNumberPlace::E, b'+' | b'-') => FullNumberPlace::ExponentSign,
            (
                FullNumberPlace::E | FullNumberPlace::ExponentSign | FullNumberPlace::Exponent,
                b'0'..=b'9',
            ) => FullNumberPlace::Exponent,
            _ => return None,
        };
        Some(FullNumberState {
            at: next,
            negative: negative || next == FullNumberPlace::Minus,
            zero: zero && (next == FullNumberPlace::Exponent || !matches!(byte, b'1'..=b'9')),
        })
    };
    let is_final = |&FullNumberState { at, negative, zero }: &FullNumberState| {
        let has_sign = match (zero, negative) {
            (true, _) => signs.zero,
            (false, true) => signs.negative,
            (false, false) => signs.positive,
        };
        has_sign
            && matches!(
                at,
                FullNumberPlace::Zero
                    | FullNumberPlace::Integer
                    | FullNumberPlace::Fraction
                    | FullNumberPlace::Exponent
            )
    };
    let start = FullNumberState {
        at: FullNumberPlace::Start,
        negative: false,
        zero: true,
    };
    let Ok(words) = explore(start, |_| Ok::<_, Infallible>(()), step, is_final);
    words
}
