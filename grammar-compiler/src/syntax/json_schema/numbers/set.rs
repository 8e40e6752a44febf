//! Sets of numbers.

use super::bound::Bound;
use super::decimal::Decimal;
use super::multiple::Multiple;
use super::plain::{Observer, texts};
use super::texts::{are_disjoint, combine, walk};
use super::{NumbersTooLarge, STATES};
use crate::grammar::words::Words;
use std::cmp::Ordering;
use std::convert::Infallible;
use std::sync::{Arc, LazyLock};

/// Pairs of states after which two sets pass for not disjoint.
const PAIRS: usize = 1_000_000;

/// A set of numbers: of values, whatever their texts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NumberSet {
    /// The minimal automaton of all plain texts of its numbers.
    plain: Arc<Words>,
}

static ALL: LazyLock<NumberSet> = LazyLock::new(|| {
    let zero = Decimal::zero();
    NumberSet::observed(Bound::new(&zero, |_| true))
});
static EMPTY: LazyLock<NumberSet> = LazyLock::new(|| {
    let zero = Decimal::zero();
    NumberSet::observed(Bound::new(&zero, |_| false))
});
static INTEGERS: LazyLock<NumberSet> = LazyLock::new(|| NumberSet::observed(Multiple::of_one()));
static FRACTIONS: LazyLock<NumberSet> = LazyLock::new(|| INTEGERS.complement());

impl NumberSet {
    /// Every number.
    pub fn all() -> Self {
        ALL.clone()
    }

    /// No number.
    pub fn empty() -> Self {
        EMPTY.clone()
    }

    /// The numbers without a fractional part, 1.0 and 1e2 among them.
    pub fn integers() -> Self {
        INTEGERS.clone()
    }

    /// The numbers not below `bound`; without `bound` itself if `exclusive`.
    pub fn at_least(bound: &Decimal, exclusive: bool) -> Self {
        Self::observed(if exclusive {
            Bound::new(bound, Ordering::is_gt)
        } else {
            Bound::new(bound, Ordering::is_ge)
        })
    }

    /// The numbers not above `bound`; without `bound` itself if `exclusive`.
    pub fn at_most(bound: &Decimal, exclusive: bool) -> Self {
        Self::observed(if exclusive {
            Bound::new(bound, Ordering::is_lt)
        } else {
            Bound::new(bound, Ordering::is_le)
        })
    }

    /// The products of `divisor` and an integer.
    ///
    /// # Errors
    ///
    /// If an automaton for that has more than 20,000 states: about so many remainders may be told
    /// apart.
    pub fn multiple_of(divisor: &Decimal) -> Result<Self, NumbersTooLarge> {
        if *divisor == Decimal::zero() {
            return Ok(Self::equal(divisor));
        }
        let what = || {
            format!(
                "divisibility by {}",
                String::from_utf8_lossy(&divisor.plain())
            )
        };
        let plain = texts(Multiple::of(divisor)?, admit(what))?;
        Ok(NumberSet {
            plain: Arc::new(plain),
        })
    }

    /// `number` alone.
    pub fn equal(number: &Decimal) -> Self {
        Self::observed(Bound::new(number, Ordering::is_eq))
    }

    /// These numbers.
    ///
    /// # Errors
    ///
    /// If the automaton would have too many states.
    pub fn one_of(numbers: &[Decimal]) -> Result<Self, NumbersTooLarge> {
        match numbers {
            [] => Ok(Self::empty()),
            [number] => Ok(Self::equal(number)),
            _ => {
                // Halves, so that each number takes part in few unions.
                let (left, right) = numbers.split_at(numbers.len() / 2);
                Self::one_of(left)?.union(&Self::one_of(right)?)
            }
        }
    }

    /// The numbers of both.
    ///
    /// # Errors
    ///
    /// If the automaton would have too many states.
    pub fn intersect(&self, other: &Self) -> Result<Self, NumbersTooLarge> {
        self.combine(other, "the intersection of sets of numbers", |l, r| l && r)
    }

    /// The numbers of either.
    ///
    /// # Errors
    ///
    /// If the automaton would have too many states.
    pub fn union(&self, other: &Self) -> Result<Self, NumbersTooLarge> {
        self.combine(other, "the union of sets of numbers", |l, r| l || r)
    }

    /// The numbers of this set that are not in `other`.
    ///
    /// # Errors
    ///
    /// If the automaton would have too many states.
    pub fn minus(&self, other: &Self) -> Result<Self, NumbersTooLarge> {
        self.combine(other, "the difference of sets of numbers", |l, r| l && !r)
    }

    /// All other numbers.
    pub fn complement(&self) -> Self {
        let unbounded = |_| Ok::<_, Infallible>(());
        let Ok(plain) = combine(&ALL.plain, &self.plain, |l, r| l && !r, unbounded);
        NumberSet {
            plain: Arc::new(plain),
        }
    }

    /// Whether no number is in it.
    pub fn is_empty(&self) -> bool {
        *self == *EMPTY
    }

    /// Whether every number is in it.
    pub fn is_all(&self) -> bool {
        *self == *ALL
    }

    /// Whether no number is in both. For sets so large that their intersection is an error, `false`
    /// may also mean that the answer was not found.
    pub fn is_disjoint(&self, other: &Self) -> bool {
        are_disjoint(&self.plain, &other.plain, PAIRS).unwrap_or(false)
    }

    /// Whether all of its numbers are integers. As for [`is_disjoint`](Self::is_disjoint), `true`
    /// is sure.
    pub fn is_integral(&self) -> bool {
        self.is_disjoint(&FRACTIONS)
    }

    /// Whether `number` is in it.
    pub fn contains(&self, number: &Decimal) -> bool {
        walk(&self.plain, 0, &number.plain()).is_some_and(|state| self.plain.is_final(state))
    }

    /// The automaton of all plain texts of its numbers.
    pub(super) fn plain(&self) -> &Words {
        &self.plain
    }

    pub(super) fn observed(observer: impl Observer) -> Self {
        let Ok(plain) = texts(observer, |_| Ok::<_, Infallible>(()));
        NumberSet {
            plain: Arc::new(plain),
        }
    }

    fn combine(
        &self,
        other: &Self,
        what: &str,
        keep: fn(bool, bool) -> bool,
    ) -> Result<Self, NumbersTooLarge> {
        let plain = combine(&self.plain, &other.plain, keep, admit(|| what.to_owned()))?;
        Ok(NumberSet {
            plain: Arc::new(plain),
        })
    }
}

/// Allows [`STATES`] states.
pub fn admit(what: impl Fn() -> String) -> impl Fn(usize) -> Result<(), NumbersTooLarge> {
    move |states| {
        if states <= STATES {
            return Ok(());
        }
        Err(NumbersTooLarge {
            what: what(),
            limit: STATES,
        })
    }
}
