//! JSON's whole syntax of numbers, for sets that the sign alone decides.
//!
//! In: [`Signs`]. Out: the automaton of all JSON texts of such numbers, `12.5e3` and `0e0` among them. Only the
//! sign of a text, and whether one of its digits is not 0, matter.

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
enum At {
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
struct State {
    at: At,
    negative: bool,
    /// Whether all digits so far are 0.
    zero: bool,
}

/// All JSON texts of numbers with these signs; of integers only those that need no look at how digits and exponent
/// fit together: fractional parts of zeros and exponents without a minus.
pub fn texts(signs: Signs, integral: bool) -> Words {
    let step = |&State { at, negative, zero }: &State, byte: u8| {
        let next = match (at, byte) {
            (At::Start, b'-') => At::Minus,
            (At::Start | At::Minus, b'0') => At::Zero,
            (At::Start | At::Minus, b'1'..=b'9') => At::Integer,
            (At::Integer, b'0'..=b'9') => At::Integer,
            (At::Zero | At::Integer, b'.') => At::Point,
            (At::Point | At::Fraction, b'1'..=b'9') if integral => return None,
            (At::Point | At::Fraction, b'0'..=b'9') => At::Fraction,
            (At::Zero | At::Integer | At::Fraction, b'e' | b'E') => At::E,
            (At::E, b'-') if integral => return None,
            (At::E, b'+' | b'-') => At::ExponentSign,
            (At::E | At::ExponentSign | At::Exponent, b'0'..=b'9') => At::Exponent,
            _ => return None,
        };
        Some(State {
            at: next,
            negative: negative || next == At::Minus,
            zero: zero && (next == At::Exponent || !matches!(byte, b'1'..=b'9')),
        })
    };
    let is_final = |&State { at, negative, zero }: &State| {
        let has_sign = match (zero, negative) {
            (true, _) => signs.zero,
            (false, true) => signs.negative,
            (false, false) => signs.positive,
        };
        has_sign && matches!(at, At::Zero | At::Integer | At::Fraction | At::Exponent)
    };
    let start = State {
        at: At::Start,
        negative: false,
        zero: true,
    };
    let Ok(words) = explore(start, |_| Ok::<_, Infallible>(()), step, is_final);
    words
}
