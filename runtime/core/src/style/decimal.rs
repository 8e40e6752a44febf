//! Values of JSON numbers as they are written.
//!
//! In: JSON numbers. Out: whether one is an integer, and whether two are equal, exactly, whatever
//! their lengths.

/// The digits of a number without zeros around them, and the power of ten that the last one counts.
struct Decimal<'t> {
    is_negative: bool,
    whole: &'t str,
    fraction: &'t str,
    power: i64,
}

impl<'t> Decimal<'t> {
    fn new(text: &'t str) -> Self {
        let unsigned = text.strip_prefix('-');
        let is_negative = unsigned.is_some();
        let unsigned = unsigned.unwrap_or(text);
        let (digits, power) = match unsigned.split_once(['e', 'E']) {
            Some((digits, power)) => (digits, exponent(power)),
            None => (unsigned, 0),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        Decimal {
            is_negative,
            whole,
            fraction,
            power: power.saturating_sub(length(fraction)),
        }
    }

    fn digits(&self) -> impl DoubleEndedIterator<Item = u8> {
        self.whole.bytes().chain(self.fraction.bytes())
    }

    /// The zeros behind the last other digit; nothing if there is no other.
    fn zeros(&self) -> Option<i64> {
        let mut digits = self.digits().rev();
        let zeros = digits.position(|digit| digit != b'0')?;
        i64::try_from(zeros).ok()
    }
}

fn length(text: &str) -> i64 {
    i64::try_from(text.len()).unwrap_or(i64::MAX)
}

/// An exponent; one with very many digits counts as the greatest or the least.
fn exponent(text: &str) -> i64 {
    let is_negative = text.starts_with('-');
    let digits = text.trim_start_matches(['-', '+']).trim_start_matches('0');
    let size = match digits {
        "" => 0,
        _ => digits.parse().unwrap_or(i64::MAX),
    };
    if is_negative { -size } else { size }
}

/// Whether a number is an integer.
pub(super) fn is_integral(text: &str) -> bool {
    let number = Decimal::new(text);
    let zeros = number.zeros();
    zeros.is_none_or(|zeros| number.power.saturating_add(zeros) >= 0)
}

/// Whether two numbers are equal.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (Decimal::new(one), Decimal::new(other));
    let (Some(first), Some(second)) = (one.zeros(), other.zeros()) else {
        return one.zeros().is_none() && other.zeros().is_none();
    };
    let is_zero = |digit: &u8| *digit == b'0';
    let trimmed = |number: &Decimal<'_>, zeros: i64| {
        number.digits().skip_while(is_zero).count() as i64 - zeros
    };
    let length = trimmed(&one, first);
    let mine = one.digits().skip_while(is_zero).take(length as usize);
    let theirs = other.digits().skip_while(is_zero).take(length as usize);
    one.is_negative == other.is_negative
        && length == trimmed(&other, second)
        && one.power.saturating_add(first) == other.power.saturating_add(second)
        && mine.eq(theirs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_told_by_their_value() {
        for text in [
            "0", "-0", "0.0", "0e-5", "1", "-12", "1.0", "1.50e1", "100e-2", "1e400", "2E+0",
        ] {
            assert!(is_integral(text), "{text}");
        }
        for text in [
            "0.5",
            "1.5",
            "15e-1",
            "1e-400",
            "1.05e1",
            "1e-99999999999999999999",
        ] {
            assert!(!is_integral(text), "{text}");
        }
    }

    #[test]
    fn numbers_are_equal_by_their_value() {
        let equal = [
            ("1", "1.0"),
            ("10", "1e1"),
            ("0.5", "5e-1"),
            ("-0", "0.00e7"),
            ("123.4500", "12345e-2"),
            ("-7", "-0.7E+01"),
        ];
        for (one, other) in equal {
            assert!(is_same(one, other) && is_same(other, one), "{one} {other}");
        }
        for (one, other) in [("1", "-1"), ("1", "10"), ("0", "1"), ("1.1", "1.10001")] {
            assert!(
                !is_same(one, other) && !is_same(other, one),
                "{one} {other}"
            );
        }
    }
}
