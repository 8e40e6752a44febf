//! Divisibility by a number, digit by digit.
//!
//! A divisor is `factor × 10^scale`. If the scale is negative, the automaton follows the digits up
//! to that many places after the point modulo the factor, and all later digits must be 0. Otherwise
//! it follows the digits before the point modulo the divisor itself. Remainders that no further
//! digits distinguish are one state: of the million remainders of 1000000, seven are left.

use super::decimal::Decimal;
use super::plain::Observer;
use super::{NumbersTooLarge, STATES};
use crate::maps::KeyedMap;

/// Accepts the multiples of a number.
pub struct Multiple {
    modulus: u128,
    /// Places after the point that count.
    places: u32,
    /// For each way in which remainders behave, the first of them.
    classes: KeyedMap<Vec<Option<u128>>, u128>,
}

/// Remainders are multiplied by ten.
const MODULUS: u128 = u128::MAX / 16;

impl Multiple {
    /// The multiples of 1.
    pub fn of_one() -> Self {
        Multiple {
            modulus: 1,
            places: 0,
            classes: KeyedMap::default(),
        }
    }

    /// The multiples of `divisor`, which is not 0.
    pub fn of(divisor: &Decimal) -> Result<Self, NumbersTooLarge> {
        let too_large = || NumbersTooLarge {
            what: format!(
                "divisibility by {}",
                String::from_utf8_lossy(&divisor.plain())
            ),
            limit: STATES,
        };
        let (factor, scale) = divisor.scaled().ok_or_else(too_large)?;
        let power = u32::try_from(scale.max(0)).map_err(|_| too_large())?;
        let modulus = 10u128
            .checked_pow(power)
            .and_then(|power| power.checked_mul(factor))
            .filter(|modulus| (1..=MODULUS).contains(modulus))
            .ok_or_else(too_large)?;
        // Digits tell all remainders modulo this apart.
        if coprime_to_ten(modulus) > STATES as u128 {
            return Err(too_large());
        }
        Ok(Multiple {
            modulus,
            places: u32::try_from(-scale.min(0)).map_err(|_| too_large())?,
            classes: KeyedMap::default(),
        })
    }

    /// The first remainder that behaves like this one.
    fn class(&mut self, remainder: u128) -> u128 {
        if self.places > 0 {
            return remainder;
        }
        let modulus = self.modulus;
        // For 0, 1, 2, … further digits: the number that they have to be, if they can.
        let (mut shifted, mut power) = (remainder, 1u128);
        let mut behaviour = Vec::new();
        loop {
            let wanted = (modulus - shifted) % modulus;
            behaviour.push((wanted < power).then_some(wanted));
            if power >= modulus {
                break;
            }
            shifted = shifted * 10 % modulus;
            power *= 10;
        }
        *self.classes.entry(behaviour).or_insert(remainder)
    }
}

/// The greatest divisor of `number` that has no factor with ten in common.
fn coprime_to_ten(mut number: u128) -> u128 {
    for factor in [2, 5] {
        while number.is_multiple_of(factor) {
            number /= factor;
        }
    }
    number
}

/// The digits so far: their remainder, and how many more of them count.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Remainder {
    remainder: u128,
    places: u32,
}

impl Observer for Multiple {
    type State = Remainder;

    fn begin(&mut self, _: bool) -> Remainder {
        Remainder {
            remainder: 0,
            places: self.places,
        }
    }

    fn integer(&mut self, state: &Remainder, digit: u8) -> Option<Remainder> {
        let remainder = (state.remainder * 10 + u128::from(digit)) % self.modulus;
        Some(Remainder {
            remainder: self.class(remainder),
            ..*state
        })
    }

    fn point(&mut self, state: &Remainder) -> Option<Remainder> {
        // Digits that may follow change nothing.
        let is_settled = state.places == 0 && state.remainder != 0;
        (!is_settled).then_some(*state)
    }

    fn fraction(&mut self, state: &Remainder, digit: u8) -> Option<Remainder> {
        match state.places.checked_sub(1) {
            Some(places) => Some(Remainder {
                remainder: (state.remainder * 10 + u128::from(digit)) % self.modulus,
                places,
            }),
            None => (digit == 0).then_some(*state),
        }
    }

    fn accepts(&self, state: &Remainder) -> bool {
        let shift = |remainder, _| remainder * 10 % self.modulus;
        (0..state.places).fold(state.remainder, shift) == 0
    }
}
