//! Exact decimal numbers.
//!
//! In: a number as JSON writes it. Out: its value, in one form for each value.

use std::cmp::Ordering;

/// Places before or after the point, and digits, that a number may have.
const PLACES: i64 = 4096;

/// A decimal number: `0.d₁d₂d₃… × 10^point`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decimal {
    negative: bool,
    /// The digits, neither the first nor the last of them 0; none for zero.
    digits: Vec<u8>,
    /// How many of the digits stand before the point; negative if zeros stand between; 0 for zero.
    point: i64,
}

impl Decimal {
    /// Reads a number in JSON's syntax.
    ///
    /// `None` also for a number that takes more than 4,096 places when written without an exponent:
    /// automata have a state for each place.
    pub fn parse(text: &str) -> Option<Self> {
        let (negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
            None => (text, 0),
        };
        let (integer, fraction) = match mantissa.split_once('.') {
            Some((_, "")) => return None,
            Some((integer, fraction)) => (integer, fraction),
            None => (mantissa, ""),
        };
        let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if integer.is_empty() || integer.len() > 1 && integer.starts_with('0') {
            return None;
        }
        if !is_digits(integer) || !is_digits(fraction) {
            return None;
        }
        let digits = integer.bytes().chain(fraction.bytes()).map(|d| d - b'0');
        Self::new(
            negative,
            digits.collect(),
            exponent.saturating_add(integer.len() as i64),
        )
    }

    /// Zero.
    pub fn zero() -> Self {
        Decimal {
            negative: false,
            digits: Vec::new(),
            point: 0,
        }
    }

    /// The number `0.digits × 10^point`, if it is within the limit.
    fn new(negative: bool, digits: Vec<u8>, point: i64) -> Option<Self> {
        let Some(last) = digits.iter().rposition(|&digit| digit != 0) else {
            return Some(Self::zero());
        };
        let first = digits.iter().take_while(|&&digit| digit == 0).count();
        let point = point.saturating_sub(first as i64);
        let digits = digits[first..=last].to_vec();
        let after = (digits.len() as i64).saturating_sub(point);
        (point <= PLACES && after <= PLACES && digits.len() as i64 <= PLACES).then_some(Decimal {
            negative,
            digits,
            point,
        })
    }

    /// Whether it has no fractional part.
    pub fn is_integer(&self) -> bool {
        self.digits.len() as i64 <= self.point
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// The digits before the point: `0` alone, or the first is not 0.
    pub(super) fn integer_digits(&self) -> Vec<u8> {
        match usize::try_from(self.point) {
            Ok(point) if point > 0 => (0..point)
                .map(|i| self.digits.get(i).copied().unwrap_or(0))
                .collect(),
            _ => vec![0],
        }
    }

    /// The digits after the point; the last is not 0.
    pub(super) fn fraction_digits(&self) -> Vec<u8> {
        match usize::try_from(self.point) {
            Ok(point) => self.digits.get(point..).unwrap_or(&[]).to_vec(),
            Err(_) => {
                let zeros = self.point.unsigned_abs() as usize;
                std::iter::repeat_n(0, zeros)
                    .chain(self.digits.iter().copied())
                    .collect()
            }
        }
    }

    /// Its digits as an integer and the power of ten that goes with it, if the integer is below
    /// 2^128.
    pub(super) fn scaled(&self) -> Option<(u128, i64)> {
        let mut integer = 0u128;
        for &digit in &self.digits {
            integer = integer.checked_mul(10)?.checked_add(digit.into())?;
        }
        Some((integer, self.point - self.digits.len() as i64))
    }

    /// Its shortest text without an exponent.
    pub(in crate::syntax::json_schema) fn plain(&self) -> Vec<u8> {
        let mut text = if self.negative {
            vec![b'-']
        } else {
            Vec::new()
        };
        text.extend(self.integer_digits().iter().map(|digit| digit + b'0'));
        let fraction = self.fraction_digits();
        if !fraction.is_empty() {
            text.push(b'.');
            text.extend(fraction.iter().map(|digit| digit + b'0'));
        }
        text
    }

    fn magnitude(&self, other: &Self) -> Ordering {
        let is_zero = |number: &Self| number.digits.is_empty();
        match (is_zero(self), is_zero(other)) {
            (false, false) => (self.point, &self.digits).cmp(&(other.point, &other.digits)),
            (self_is_zero, other_is_zero) => other_is_zero.cmp(&self_is_zero),
        }
    }
}

/// The value of `[+-]?[0-9]+`, clamped: beyond the limit all are alike.
fn parse_exponent(text: &str) -> Option<i64> {
    let (negative, digits) = match text.as_bytes() {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] | digits => (false, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = digits.iter().fold(0i64, |value, digit| {
        value
            .saturating_mul(10)
            .saturating_add(i64::from(digit - b'0'))
    });
    Some(if negative { -value } else { value })
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.magnitude(other),
            (true, true) => other.magnitude(self),
            (self_is_negative, other_is_negative) => other_is_negative.cmp(&self_is_negative),
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
