//! The numbers of a finite set, one by one.

use super::set::{NumberSet, admit};
use super::texts::{combine, explore};
use crate::grammar::words::Words;
use crate::limits::Deadline;
use crate::syntax::json_schema::strings::{Language, LanguageState};

/// The numbers of `set`, each in its shortest plain text, if there are no more than `at_most`.
pub fn values(set: &NumberSet, at_most: usize, deadline: &Deadline) -> Option<Vec<String>> {
    let shortest = shortest_texts()?;
    let limit = || "a set of numbers".to_owned();
    let words = combine(set.plain(), &shortest, |l, r| l && r, admit(limit)).ok()?;
    let states = words.states.into_iter().map(|state| LanguageState {
        is_final: state.is_final,
        edges: (state.edges.into_iter())
            .map(|(low, high, to)| (char::from(low), char::from(high), to))
            .collect(),
    });
    let language = Language::from_states(states.collect(), deadline).ok()?;
    language.words(at_most)
}

/// How far a plain text has been read of which none is shorter.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum PlainReading {
    Nothing,
    Minus,
    Zero,
    MinusZero,
    Whole,
    Point,
    /// Fraction digits; whether the last is not zero.
    Fraction(bool),
}

/// `-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?` without `-0`.
fn shortest_texts() -> Option<Words> {
    let step = |at: &PlainReading, byte: u8| match (at, byte) {
        (PlainReading::Nothing, b'-') => Some(PlainReading::Minus),
        (PlainReading::Nothing, b'0') => Some(PlainReading::Zero),
        (PlainReading::Minus, b'0') => Some(PlainReading::MinusZero),
        (PlainReading::Nothing | PlainReading::Minus, b'1'..=b'9')
        | (PlainReading::Whole, b'0'..=b'9') => Some(PlainReading::Whole),
        (PlainReading::Zero | PlainReading::MinusZero | PlainReading::Whole, b'.') => {
            Some(PlainReading::Point)
        }
        (PlainReading::Point | PlainReading::Fraction(_), b'0'..=b'9') => {
            Some(PlainReading::Fraction(byte != b'0'))
        }
        _ => None,
    };
    let is_final = |at: &PlainReading| {
        matches!(
            at,
            PlainReading::Zero | PlainReading::Whole | PlainReading::Fraction(true)
        )
    };
    let limit = || "a number's text".to_owned();
    explore(PlainReading::Nothing, admit(limit), step, is_final).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::json_schema::numbers::Decimal;

    fn number(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    #[test]
    fn finite_sets_are_listed() {
        let within = |low: &str, high: &str, step: &str| {
            NumberSet::at_least(&number(low), false)
                .intersect(&NumberSet::at_most(&number(high), false))
                .unwrap()
                .intersect(&NumberSet::multiple_of(&number(step)).unwrap())
                .unwrap()
        };
        let values = |set: &NumberSet, at_most| values(set, at_most, &Deadline::never());
        let mut values_of = values(&within("-1", "0.5", "0.5"), 10).unwrap();
        values_of.sort();
        assert_eq!(values_of, ["-0.5", "-1", "0", "0.5"]);
        assert_eq!(values(&within("1", "20", "1"), 10), None);
        assert_eq!(values(&NumberSet::empty(), 10), Some(vec![]));
        assert_eq!(values(&NumberSet::all(), 10), None);
    }
}
