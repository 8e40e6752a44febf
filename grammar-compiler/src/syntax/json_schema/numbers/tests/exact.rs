//! Numbers as `mantissa × 10^exponent` on wide integers, and sets as conditions: slow and plain.

use std::cmp::Ordering;

#[derive(Clone, Copy, Debug)]
pub struct Exact {
    mantissa: i128,
    exponent: i64,
}

impl Exact {
    /// Reads a text that is known to be a JSON number.
    pub fn read(text: &str) -> Self {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let exponent: i64 = exponent.parse().unwrap();
        let mut exact = Exact {
            mantissa: format!("{integer}{fraction}").parse().unwrap(),
            exponent: exponent - fraction.len() as i64,
        };
        if exact.mantissa == 0 {
            exact.exponent = 0;
        }
        while exact.mantissa != 0 && exact.mantissa % 10 == 0 {
            exact.mantissa /= 10;
            exact.exponent += 1;
        }
        exact
    }

    pub fn is_integer(self) -> bool {
        self.exponent >= 0
    }

    /// Whether it is a multiple of `divisor`, which is not 0.
    pub fn is_multiple_of(self, divisor: Exact) -> bool {
        let (mut dividend, factor) = (self.mantissa, divisor.mantissa);
        let shift = self.exponent - divisor.exponent;
        if shift < 0 {
            // The mantissa has no factor of ten to give, unless it is 0.
            let power = (-shift < 30).then(|| 10i128.pow(-shift as u32));
            return dividend == 0 || power.is_some_and(|p| dividend % (factor * p) == 0);
        }
        for _ in 0..shift {
            dividend = dividend % factor * 10;
        }
        dividend % factor == 0
    }

    /// The power of ten of the first digit.
    fn order(self) -> i64 {
        self.exponent + i64::from(self.mantissa.unsigned_abs().ilog10())
    }
}

impl PartialEq for Exact {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Exact {}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Exact {
    fn cmp(&self, other: &Self) -> Ordering {
        let signs = self.mantissa.signum().cmp(&other.mantissa.signum());
        if signs.is_ne() || self.mantissa == 0 {
            return signs;
        }
        let by_order = self.order().cmp(&other.order());
        let magnitude = by_order.then_with(|| {
            let least = self.exponent.min(other.exponent);
            let aligned = |number: &Exact| {
                number.mantissa.unsigned_abs() * 10u128.pow((number.exponent - least) as u32)
            };
            aligned(self).cmp(&aligned(other))
        });
        if self.mantissa < 0 {
            magnitude.reverse()
        } else {
            magnitude
        }
    }
}

/// Whether `text` is a JSON number.
pub fn is_json(text: &str) -> bool {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let unsigned = mantissa.strip_prefix('-').unwrap_or(mantissa);
    let (integer, fraction) = match unsigned.split_once('.') {
        Some((integer, fraction)) => (integer, Some(fraction)),
        None => (unsigned, None),
    };
    is_digits(integer)
        && (integer == "0" || !integer.starts_with('0'))
        && fraction.is_none_or(is_digits)
        && exponent.is_none_or(|e| is_digits(e.strip_prefix(['+', '-']).unwrap_or(e)))
}

/// Whether `text`, a JSON number, is in normalised scientific form, or a zero with an exponent.
pub fn is_normalised(text: &str) -> bool {
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    let unsigned = mantissa.strip_prefix('-').unwrap_or(mantissa);
    let integer = unsigned.split('.').next().unwrap_or_default();
    let is_zero = unsigned.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    integer.len() == 1 && (is_zero || integer != "0")
}
