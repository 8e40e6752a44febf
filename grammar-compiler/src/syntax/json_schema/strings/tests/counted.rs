//! Strings whose last characters are counted, against the automaton of all their lengths.

use super::*;
use crate::syntax::json_schema::strings::{CountedTails, pattern};

/// All strings of a form, as one set.
fn joined(counted: &CountedTails) -> Language {
    let tails = counted.tails.iter().map(|tail| {
        let max = tail.max.map(|max| max as u32);
        let class = tail
            .class
            .repeat(tail.min as u32, max, &Deadline::never())
            .unwrap();
        tail.beginning.concat(&class, &Deadline::never()).unwrap()
    });
    tails.fold(counted.others.clone(), |all, tail| {
        // What a string is read as is decided by its characters alone.
        assert!(all.is_disjoint(&tail, &Deadline::never()));
        all.union(&tail, &Deadline::never()).unwrap()
    })
}

fn of_pattern(text: &str) -> Language {
    pattern(text, &Deadline::never()).unwrap()
}

fn counted(language: &Language, min: u64, max: Option<u64>) -> Option<CountedTails> {
    let always = |_: &Language| Ok(true);
    language
        .counted(min, max, &Deadline::never(), always)
        .unwrap()
}

#[test]
fn beginnings_and_counts_are_the_strings_of_a_length() {
    for (text, tails) in [
        ("^https?://", 2),
        ("^[A-Z][a-z0-9]*$", 1),
        ("^[a-z]+$", 1),
        ("^[^ ]*$", 1),
        ("^(ab?|c|de(f|gh)i)[x-z]*$|^q$|^rst$", 5),
        ("^a[0-9]*$|^bc[a-f]*$", 2),
    ] {
        let language = of_pattern(text);
        for (min, max) in [
            (0, Some(0)),
            (0, Some(1)),
            (0, Some(6)),
            (1, Some(1)),
            (3, Some(30)),
            (12, Some(12)),
            (0, None),
            (9, None),
        ] {
            let lengths = language.with_length(min, max, &Deadline::never()).unwrap();
            match counted(&language, min, max) {
                Some(counted) => {
                    assert_eq!(joined(&counted), lengths, "{text} {min} {max:?}");
                    assert!(counted.tails.len() <= tails, "{text}");
                }
                // No string that long gets to a class.
                None => assert!(max.is_some_and(|max| max < 9), "{text} {min} {max:?}"),
            }
        }
    }
}

#[test]
fn one_class_is_counted_from_its_first_character() {
    let counted = counted(&of_pattern("^[a-z]+$"), 0, Some(64)).unwrap();
    let [tail] = &counted.tails[..] else {
        panic!("{counted:?}");
    };
    assert_eq!(tail.beginning, Language::literal(""));
    assert_eq!((tail.min, tail.max), (1, Some(64)));
}

#[test]
fn loops_of_more_than_one_state_are_not_counted() {
    for text in [r"\.png$", r"^(\S+ )*\S+$", "^(ab)*$", "^a*b*$", "^a*b$"] {
        assert!(counted(&of_pattern(text), 0, Some(100)).is_none(), "{text}");
    }
    // As many beginnings as there are lengths.
    assert!(counted(&of_pattern("^[a-z]{0,20}-[a-z]*$"), 0, Some(100)).is_none());
    // No loop.
    assert!(counted(&of_pattern("^[a-z]{0,20}$"), 0, Some(10)).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_set((a, min, more) in (states(), 0u64..5, prop::option::of(0u64..5))) {
        let language = language(&a);
        let max = more.map(|more| min + more);
        if let Some(counted) = counted(&language, min, max) {
            prop_assert_eq!(joined(&counted), language.with_length(min, max, &Deadline::never()).unwrap());
        }
    }
}
