//! Random sets, built by all operations, against the conditions that the same operations build.

use super::exact::Exact;
use super::{accepts, forms, number};
use crate::syntax::json_schema::numbers::{NumberSet, NumbersTooLarge, json_text};
use proptest::prelude::*;

/// How a set is made.
#[derive(Clone, Debug)]
enum SetTree {
    AtLeast(String, bool),
    AtMost(String, bool),
    Multiple(String),
    Equal(String),
    Integers,
    And(Box<SetTree>, Box<SetTree>),
    Or(Box<SetTree>, Box<SetTree>),
    Minus(Box<SetTree>, Box<SetTree>),
    Not(Box<SetTree>),
}

impl SetTree {
    fn set(&self) -> Result<NumberSet, NumbersTooLarge> {
        Ok(match self {
            SetTree::AtLeast(bound, exclusive) => NumberSet::at_least(&number(bound), *exclusive),
            SetTree::AtMost(bound, exclusive) => NumberSet::at_most(&number(bound), *exclusive),
            SetTree::Multiple(divisor) => NumberSet::multiple_of(&number(divisor))?,
            SetTree::Equal(text) => NumberSet::equal(&number(text)),
            SetTree::Integers => NumberSet::integers(),
            SetTree::And(left, right) => left.set()?.intersect(&right.set()?)?,
            SetTree::Or(left, right) => left.set()?.union(&right.set()?)?,
            SetTree::Minus(left, right) => left.set()?.minus(&right.set()?)?,
            SetTree::Not(tree) => tree.set()?.complement(),
        })
    }

    fn has(&self, x: Exact) -> bool {
        let n = |text: &str| Exact::read(text);
        match self {
            SetTree::AtLeast(bound, exclusive) => x > n(bound) || !exclusive && x == n(bound),
            SetTree::AtMost(bound, exclusive) => x < n(bound) || !exclusive && x == n(bound),
            SetTree::Multiple(divisor) => x.is_multiple_of(n(divisor)),
            SetTree::Equal(text) => x == n(text),
            SetTree::Integers => x.is_integer(),
            SetTree::And(left, right) => left.has(x) && right.has(x),
            SetTree::Or(left, right) => left.has(x) || right.has(x),
            SetTree::Minus(left, right) => left.has(x) && !right.has(x),
            SetTree::Not(tree) => !tree.has(x),
        }
    }

    /// The numbers that it is made of.
    fn numbers(&self) -> Vec<String> {
        match self {
            SetTree::AtLeast(text, _)
            | SetTree::AtMost(text, _)
            | SetTree::Multiple(text)
            | SetTree::Equal(text) => vec![text.clone()],
            SetTree::Integers => Vec::new(),
            SetTree::And(left, right) | SetTree::Or(left, right) | SetTree::Minus(left, right) => {
                [left.numbers(), right.numbers()].concat()
            }
            SetTree::Not(tree) => tree.numbers(),
        }
    }
}

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "-?(0|[1-9][0-9]{0,3})(\\.[0-9]{1,3})?",
        1 => "-?[1-9](\\.[0-9]{1,4})?e[+-]?[0-9]{1,2}",
        1 => "-?[1-9][0-9]{8,12}",
    ]
}

fn divisors() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (1u32..16).prop_map(|n| n.to_string()),
        1 => (1u32..8).prop_map(|n| format!("{n}00")),
        2 => (1u32..30).prop_map(|n| format!("0.{n:02}")),
        1 => "1e[3-8]",
        1 => "(2\\.5|0\\.125|1e-5|64|1024)",
    ]
}

fn trees() -> impl Strategy<Value = SetTree> {
    let leaf = prop_oneof![
        3 => (texts(), any::<bool>()).prop_map(|(t, e)| SetTree::AtLeast(t, e)),
        3 => (texts(), any::<bool>()).prop_map(|(t, e)| SetTree::AtMost(t, e)),
        2 => divisors().prop_map(SetTree::Multiple),
        2 => texts().prop_map(SetTree::Equal),
        1 => Just(SetTree::Integers),
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        let pair = || {
            (
                inner.clone().prop_map(Box::new),
                inner.clone().prop_map(Box::new),
            )
        };
        prop_oneof![
            pair().prop_map(|(l, r)| SetTree::And(l, r)),
            pair().prop_map(|(l, r)| SetTree::Or(l, r)),
            pair().prop_map(|(l, r)| SetTree::Minus(l, r)),
            inner.clone().prop_map(|t| SetTree::Not(Box::new(t))),
        ]
    })
}

/// Texts near `text`: its digits changed a little, and shifted.
fn near(text: &str) -> Vec<String> {
    let mantissa = text.split(['e', 'E']).next().unwrap_or(text);
    let exponent = &text[mantissa.len()..];
    let point = if mantissa.contains('.') { "" } else { "." };
    let mut all = vec![text.to_owned()];
    for digits in ["0", "1", "9", "0001", "9999"] {
        all.push(format!("{mantissa}{point}{digits}{exponent}"));
    }
    let bytes = mantissa.as_bytes();
    for i in 0..bytes.len() {
        for digit in [bytes[i].wrapping_sub(1), bytes[i].wrapping_add(1)] {
            let mut changed = bytes.to_vec();
            changed[i] = digit;
            let changed = String::from_utf8(changed).unwrap();
            all.push(format!("{changed}{exponent}"));
            all.push(format!("{changed}e-3"));
            all.push(format!("{changed}e+2"));
        }
    }
    all.retain(|text| super::is_json(text));
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sets_have_the_numbers_that_they_should(tree in trees(), other in trees(), more in prop::collection::vec(texts(), 20)) {
        // Of three divisors the product may be too large.
        let (Ok(set), Ok(other_set)) = (tree.set(), other.set()) else {
            return Err(TestCaseError::reject("too large"));
        };
        let words = json_text(&set, forms(true, true)).unwrap();
        let integral = set.is_integral();
        let candidates = tree.numbers().iter().flat_map(|text| near(text)).collect::<Vec<_>>();
        for text in candidates.iter().chain(&more) {
            let expected = tree.has(Exact::read(text));
            prop_assert_eq!(set.contains(&number(text)), expected, "{}", text);
            if !text.contains('e') {
                prop_assert_eq!(accepts(&words, text), expected, "{}", text);
            } else if accepts(&words, text) {
                prop_assert!(expected, "{}", text);
            }
            prop_assert!(!integral || !expected || Exact::read(text).is_integer());
        }
        let Ok(both) = set.intersect(&other_set) else {
            return Err(TestCaseError::reject("too large"));
        };
        prop_assert_eq!(both.is_empty(), set.is_disjoint(&other_set));
        let by_complements = set.complement().union(&other_set.complement()).unwrap().complement();
        prop_assert_eq!(&both, &by_complements);
        prop_assert_eq!(set.minus(&other_set).unwrap(), set.intersect(&other_set.complement()).unwrap());
        prop_assert_eq!(set.minus(&both).unwrap().union(&both).unwrap(), set);
    }
}
