//! Comparison with a number, digit by digit.

use super::decimal::Decimal;
use super::plain::Observer;
use std::cmp::Ordering;

/// Accepts the numbers whose order with respect to a bound is one of those wanted.
pub struct Bound {
    negative: bool,
    integer: Vec<u8>,
    fraction: Vec<u8>,
    is_wanted: fn(Ordering) -> bool,
}

impl Bound {
    /// The numbers `x` for which `is_wanted(x.cmp(bound))`.
    pub fn new(bound: &Decimal, is_wanted: fn(Ordering) -> bool) -> Self {
        Bound {
            negative: bound.is_negative(),
            integer: bound.integer_digits(),
            fraction: bound.fraction_digits(),
            is_wanted,
        }
    }

    fn is_zero(&self) -> bool {
        self.integer == [0] && self.fraction.is_empty()
    }
}

/// How the digits so far compare with those of the bound.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum BoundProgress {
    /// The order of the value is known.
    Known(Ordering),
    /// Digits before the point: how many, and how they compare with as many of the bound's.
    Integer {
        negative: bool,
        read: usize,
        order: Ordering,
    },
    /// Digits after the point, all equal so far.
    Fraction { negative: bool, read: usize },
}

/// The order of values from that of their magnitudes.
fn signed(negative: bool, magnitude: Ordering) -> Ordering {
    if negative {
        magnitude.reverse()
    } else {
        magnitude
    }
}

impl Bound {
    /// The order of magnitudes when the digits before the point have ended.
    fn integer_order(&self, read: usize, order: Ordering) -> Ordering {
        read.cmp(&self.integer.len()).then(order)
    }

    fn order(&self, state: BoundProgress) -> Ordering {
        match state {
            BoundProgress::Known(order) => order,
            BoundProgress::Integer {
                negative,
                read,
                order,
            } => {
                let rest = if self.fraction.is_empty() {
                    Ordering::Equal
                } else {
                    Ordering::Less
                };
                signed(negative, self.integer_order(read, order).then(rest))
            }
            BoundProgress::Fraction { negative, read } => signed(
                negative,
                read.min(self.fraction.len()).cmp(&self.fraction.len()),
            ),
        }
    }
}

impl Observer for Bound {
    type State = BoundProgress;

    fn begin(&mut self, negative: bool) -> BoundProgress {
        // A number of the other sign is on its side of the bound; -0 is not below 0.
        match (negative, self.negative) {
            (false, true) => BoundProgress::Known(Ordering::Greater),
            (true, false) if !self.is_zero() => BoundProgress::Known(Ordering::Less),
            _ => BoundProgress::Integer {
                negative,
                read: 0,
                order: Ordering::Equal,
            },
        }
    }

    fn integer(&mut self, state: &BoundProgress, digit: u8) -> Option<BoundProgress> {
        let &BoundProgress::Integer {
            negative,
            read,
            order,
        } = state
        else {
            return Some(*state);
        };
        Some(match self.integer.get(read) {
            Some(bound) => BoundProgress::Integer {
                negative,
                read: read + 1,
                order: order.then(digit.cmp(bound)),
            },
            None => BoundProgress::Known(signed(negative, Ordering::Greater)),
        })
    }

    fn point(&mut self, state: &BoundProgress) -> Option<BoundProgress> {
        let &BoundProgress::Integer {
            negative,
            read,
            order,
        } = state
        else {
            return Some(*state);
        };
        Some(match self.integer_order(read, order) {
            Ordering::Equal => BoundProgress::Fraction { negative, read: 0 },
            order => BoundProgress::Known(signed(negative, order)),
        })
    }

    fn fraction(&mut self, state: &BoundProgress, digit: u8) -> Option<BoundProgress> {
        let &BoundProgress::Fraction { negative, read } = state else {
            return Some(*state);
        };
        let bound = self.fraction.get(read).copied().unwrap_or(0);
        Some(match digit.cmp(&bound) {
            Ordering::Equal => BoundProgress::Fraction {
                negative,
                read: (read + 1).min(self.fraction.len()),
            },
            order => BoundProgress::Known(signed(negative, order)),
        })
    }

    fn accepts(&self, state: &BoundProgress) -> bool {
        (self.is_wanted)(self.order(*state))
    }
}
