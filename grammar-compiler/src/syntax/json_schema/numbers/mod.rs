//! Sets of numbers as finite automata over their texts.
//!
//! In: bounds, divisors and single numbers, as exact [`Decimal`]s. Out: [`NumberSet`], on which
//! union, intersection and difference are exact; and of a set, the JSON texts of its numbers
//! ([`json_text`]).
//!
//! A set is the minimal automaton of all *plain* texts, `-?(0|[1-9][0-9]*)(\.[0-9]+)?`, of its
//! numbers: with 1 it has `1`, `1.0` and `1.00`, with 0 also `-0`. So a text is in it exactly if
//! its value is, equal sets have equal automata, and texts with an exponent follow from the plain
//! ones (`scientific`).
//!
//! | module | sets |
//! |---|---|
//! | `decimal` | exact numbers |
//! | `texts` | automata over texts of numbers, and their algebra |
//! | `plain` | the automaton of the plain texts that an observer of digits accepts |
//! | `bound`, `multiple` | such observers: comparison with a number, divisibility |
//! | `set` | [`NumberSet`] |
//! | `scientific`, `full` | texts with exponents |
//! | `format` | the sets of `int32`, `double` and so on |
//! | `forms` | which of all these texts are offered |
//! | `digits` | bounds on the numbers of their digits |

mod bound;
mod decimal;
mod digits;
mod format;
mod forms;
mod full;
mod multiple;
mod plain;
mod scientific;
mod set;
#[cfg(test)]
mod tests;
mod texts;
mod values;

pub use decimal::Decimal;
pub use digits::Digits;
pub use format::of_format;
pub use forms::{NumberForms, json_text, without_negative_zero};
pub use set::NumberSet;
pub use values::values;

use std::fmt;

/// A set of numbers needs an automaton with too many states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumbersTooLarge {
    /// What is too large.
    pub what: String,
    /// How many states are allowed.
    pub limit: usize,
}

impl fmt::Display for NumbersTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NumbersTooLarge { what, limit } = self;
        write!(f, "{what} needs more than {limit} automaton states")
    }
}

impl std::error::Error for NumbersTooLarge {}

/// States that the automaton of a set of numbers may have.
const STATES: usize = 20_000;
