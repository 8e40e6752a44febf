//! Sets against conditions on exact numbers, text by text.

mod exact;
mod random;

use super::*;
use crate::grammar::words::Words;
use exact::{Exact, is_json, is_normalised};

fn number(text: &str) -> Decimal {
    Decimal::parse(text).unwrap_or_else(|| panic!("{text} is a number"))
}

fn at_least(text: &str) -> NumberSet {
    NumberSet::at_least(&number(text), false)
}

fn at_most(text: &str) -> NumberSet {
    NumberSet::at_most(&number(text), false)
}

fn between(least: &str, most: &str) -> NumberSet {
    at_least(least).intersect(&at_most(most)).unwrap()
}

fn multiple_of(text: &str) -> NumberSet {
    NumberSet::multiple_of(&number(text)).unwrap()
}

fn accepts(words: &Words, text: &str) -> bool {
    let end = text
        .bytes()
        .try_fold(0, |state, byte| words.step(state, byte).next());
    end.is_some_and(|state| words.is_final(state))
}

const ALL_FORMS: [NumberForms; 4] = [
    forms(false, false),
    forms(false, true),
    forms(true, false),
    forms(true, true),
];

const fn forms(exponents: bool, integral_fractions: bool) -> NumberForms {
    NumberForms {
        exponents,
        integral_fractions,
        digits: Digits {
            integer: None,
            fraction: None,
            exponent: None,
        },
    }
}

/// Calls `check` with every text over `letters` of at most `length` letters.
fn each_text(letters: &[u8], length: usize, check: &mut impl FnMut(&str)) {
    fn extend(text: &mut String, letters: &[u8], left: usize, check: &mut impl FnMut(&str)) {
        check(text);
        if left == 0 {
            return;
        }
        for &letter in letters {
            text.push(letter.into());
            extend(text, letters, left - 1, check);
            text.pop();
        }
    }
    extend(&mut String::new(), letters, length, check);
}

/// A set, and the condition for being in it.
type Case = (&'static str, NumberSet, fn(Exact) -> bool);

fn cases() -> Vec<Case> {
    fn n(text: &str) -> Exact {
        Exact::read(text)
    }
    let exclusive = |least, most| {
        let above = NumberSet::at_least(&number(least), true);
        let below = NumberSet::at_most(&number(most), true);
        above.intersect(&below).unwrap()
    };
    let integers = NumberSet::integers;
    vec![
        ("all", NumberSet::all(), |_| true),
        ("none", NumberSet::empty(), |_| false),
        ("integers", integers(), Exact::is_integer),
        ("at least 0", at_least("0"), |x| x >= n("0")),
        ("above 0", NumberSet::at_least(&number("0"), true), |x| {
            x > n("0")
        }),
        ("not 0", NumberSet::equal(&number("0")).complement(), |x| {
            x != n("0")
        }),
        ("at most -1.5", at_most("-1.5"), |x| x <= n("-1.5")),
        ("0 to 1", between("0", "1"), |x| x >= n("0") && x <= n("1")),
        ("within -0.5 and 15", exclusive("-0.5", "15"), |x| {
            x > n("-0.5") && x < n("15")
        }),
        ("9.15 to 591", between("9.15", "591"), |x| {
            x >= n("9.15") && x <= n("591")
        }),
        ("1e-05 to 0.0005", between("1e-05", "0.0005"), |x| {
            x >= n("1e-5") && x <= n("5e-4")
        }),
        ("15", NumberSet::equal(&number("15")), |x| x == n("15")),
        (
            "not 15",
            NumberSet::equal(&number("15")).complement(),
            |x| x != n("15"),
        ),
        (
            "-0.5 or 1e9",
            { NumberSet::one_of(&[number("-0.5"), number("1e9"), number("-0.5")]).unwrap() },
            |x| x == n("-0.5") || x == n("1e9"),
        ),
        (
            "integers 0 to 100",
            { integers().intersect(&between("0", "100")).unwrap() },
            |x| x.is_integer() && x >= n("0") && x <= n("100"),
        ),
        (
            "integers at least -9",
            { integers().intersect(&at_least("-9")).unwrap() },
            |x| x.is_integer() && x >= n("-9"),
        ),
        (
            "integers above 0",
            { integers().minus(&at_most("0")).unwrap() },
            |x| x.is_integer() && x > n("0"),
        ),
        ("no integers", integers().complement(), |x| !x.is_integer()),
        ("multiples of 7", multiple_of("7"), |x| {
            x.is_multiple_of(n("7"))
        }),
        ("multiples of 0.05", multiple_of("0.05"), |x| {
            x.is_multiple_of(n("0.05"))
        }),
        ("multiples of 1.5", multiple_of("1.5"), |x| {
            x.is_multiple_of(n("1.5"))
        }),
        ("multiples of 50", multiple_of("50"), |x| {
            x.is_multiple_of(n("50"))
        }),
        (
            "no multiples of 0.5",
            multiple_of("0.5").complement(),
            |x| !x.is_multiple_of(n("0.5")),
        ),
    ]
}

/// Whether the documentation of [`json_text`] says that this text of a number in `set` is offered.
fn is_offered(set: &NumberSet, forms: NumberForms, text: &str) -> bool {
    let integral = set.is_integral();
    if integral && !forms.integral_fractions {
        return !text.contains(['.', 'e', 'E']);
    }
    if !text.contains(['e', 'E']) {
        return true;
    }
    let whole_signs = full::Signs::of(set).is_some();
    let integral_signs = integral
        && full::Signs::of_integers(set).is_some()
        && !text.contains("e-")
        && !text.contains("E-")
        && Exact::read(text.split(['e', 'E']).next().unwrap_or_default()).is_integer();
    forms.exponents && (whole_signs || integral_signs || is_normalised(text))
}

#[test]
fn every_short_text_is_offered_if_and_only_if_it_should_be() {
    for (name, set, is_in) in cases() {
        for forms in ALL_FORMS {
            let words = json_text(&set, forms).unwrap();
            let mut check = |text: &str| {
                let expected =
                    is_json(text) && is_in(Exact::read(text)) && is_offered(&set, forms, text);
                assert_eq!(accepts(&words, text), expected, "{name}, {forms:?}: {text}");
            };
            each_text(b"-0159.eE+", 5, &mut check);
            each_text(b"-05.e", 6, &mut check);
        }
    }
}

#[test]
fn negative_zero_is_left_out_where_asked() {
    let integers = json_text(&NumberSet::integers(), NumberForms::default()).unwrap();
    let without = without_negative_zero(&integers);
    each_text(b"-015", 4, &mut |text| {
        let expected = accepts(&integers, text) && text != "-0";
        assert_eq!(accepts(&without, text), expected, "{text}");
    });
}

#[test]
fn values_are_members_whatever_their_text() {
    for (name, set, is_in) in cases() {
        each_text(b"-015.e", 5, &mut |text| {
            let value = Decimal::parse(text);
            assert_eq!(value.is_some(), is_json(text), "{text}");
            if let Some(value) = value {
                let exact = Exact::read(text);
                assert_eq!(set.contains(&value), is_in(exact), "{name}: {text}");
                assert_eq!(value.is_integer(), exact.is_integer(), "{text}");
            }
        });
    }
}

#[test]
fn numbers_are_ordered_by_value() {
    let mut texts = Vec::new();
    each_text(b"-01.e", 5, &mut |text| {
        if is_json(text) {
            texts.push((number(text), Exact::read(text)));
        }
    });
    for (left, left_exact) in &texts {
        for (right, right_exact) in &texts {
            assert_eq!(left.cmp(right), left_exact.cmp(right_exact));
            assert_eq!(left == right, left_exact == right_exact);
        }
    }
}

#[test]
fn what_python_prints_is_offered() {
    let wide = between("-1e100", "1.7976931348623157e308");
    let words = json_text(&wide, NumberForms::default()).unwrap();
    for text in [
        "1e-07",
        "1.5e+16",
        "1e+100",
        "5e-324",
        "1.7976931348623157e+308",
        "2.2250738585072014e-308",
        "-1e+100",
        "-1e+99",
        "-9.999999999999999e+99",
        "0.0",
        "-0.0",
        "123456.789",
    ] {
        assert!(accepts(&words, text), "{text}");
    }
    for text in [
        "1.7976931348623158e+308",
        "-1.0000000000000002e+100",
        "1e+309",
        "1e999",
    ] {
        assert!(!accepts(&words, text), "{text}");
    }
}

#[test]
fn automata_are_small() {
    let integers = |least, most| {
        let range = between(least, most);
        NumberSet::integers().intersect(&range).unwrap()
    };
    let states = |set: &NumberSet| json_text(set, NumberForms::default()).unwrap().states.len();
    assert_eq!(states(&integers("0", "100")), 6);
    assert_eq!(states(&integers("0", "65535")), 11);
    assert_eq!(states(&multiple_of("1000000")), 10);
    assert_eq!(multiple_of("0.01").plain().states.len(), 7);
    assert!(states(&between("0", "1")) < 30);
    assert!(states(&at_most("1.7976931348623157e308")) < 1000);
    assert!(states(&integers("-9223372036854775808", "9223372036854775807")) < 100);
}

#[test]
fn large_numbers_are_exact_or_refused() {
    let set = at_most("1e400");
    assert!(set.contains(&number("1e400")) && !set.contains(&number("1.0000001e400")));
    let words = json_text(&set, NumberForms::default()).unwrap();
    assert!(accepts(&words, "1e400") && accepts(&words, "9.99999e+399"));
    assert!(!accepts(&words, "1e401") && !accepts(&words, "1.0000001e400"));
    assert!(!accepts(&words, &format!("2{}", "0".repeat(400))));
    for text in [
        "1e5000",
        "1e-5000",
        "1e999999999999999999999",
        "1e-999999999999999999999",
    ] {
        assert_eq!(Decimal::parse(text), None, "{text}");
    }
    assert_eq!(Decimal::parse("0e999999999999999999999"), Some(number("0")));
    for text in [
        "999983",
        "0.123456789",
        "340282366920938463463374607431768211455",
        "1e100",
    ] {
        let error = NumberSet::multiple_of(&number(text)).unwrap_err();
        assert!(error.to_string().contains("divisibility"), "{error}");
    }
}

#[test]
fn texts_of_more_digits_than_a_float_are_left_out_where_they_must_be() {
    let words = json_text(&NumberSet::integers(), forms(true, true)).unwrap();
    let short = multiple_of("3");
    let thirds = json_text(&short, forms(true, true)).unwrap();
    assert!(accepts(&words, "1.2345678901234567e+16"));
    assert!(!accepts(&words, "1.2345678901234567e+15"));
    assert!(accepts(&words, "12345678901234567890e0"));
    assert!(!accepts(&words, "1.23456789012345678e+17"));
    assert!(accepts(&thirds, "1.2e1") && accepts(&thirds, "1.2e+30") && !accepts(&thirds, "1.1e1"));
    assert!(accepts(&thirds, "12.000") && !accepts(&thirds, "-1.2e0"));
}
