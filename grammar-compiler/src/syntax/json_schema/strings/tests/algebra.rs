//! The operations, each against its definition on all short strings.

use super::*;
use crate::limits::Limits;
use crate::syntax::json_schema::strings::{LanguageError, MAX_STATES, pattern};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn boolean_operations((a, b) in (states(), states())) {
        let (l, m) = (language(&a), language(&b));
        let (both, either) = (l.intersect(&m, &Deadline::never()).unwrap(), l.union(&m, &Deadline::never()).unwrap());
        let (minus, not) = (l.minus(&m, &Deadline::never()).unwrap(), l.complement());
        for text in short_strings() {
            let (in_a, in_b) = (accepts(&a, &text), accepts(&b, &text));
            prop_assert_eq!(l.contains(&text), in_a);
            prop_assert_eq!(both.contains(&text), in_a && in_b);
            prop_assert_eq!(either.contains(&text), in_a || in_b);
            prop_assert_eq!(minus.contains(&text), in_a && !in_b);
            prop_assert_eq!(not.contains(&text), !in_a);
        }
        // Equal sets are equal values, however they came about.
        prop_assert_eq!(&not.complement(), &l);
        prop_assert_eq!(&both.union(&minus, &Deadline::never()).unwrap(), &l);
        prop_assert_eq!(&not.intersect(&m.complement(), &Deadline::never()).unwrap().complement(), &either);
        prop_assert_eq!(&l.minus(&minus, &Deadline::never()).unwrap(), &both);
        prop_assert_eq!(l.is_disjoint(&m, &Deadline::never()), both.is_empty());
        prop_assert_eq!(l.is_subset(&m, &Deadline::never()), minus.is_empty());
        prop_assert!(both.is_subset(&l, &Deadline::never()) && l.is_subset(&either, &Deadline::never()));
        prop_assert!(minus.is_disjoint(&m, &Deadline::never()));
        prop_assert_eq!(l.union(&not, &Deadline::never()).unwrap(), Language::any());
        prop_assert_eq!(Language::from_states(l.states().to_vec(), &Deadline::never()).unwrap(), l);
    }

    #[test]
    fn sequences((a, b) in (states(), states()), (min, more) in (0u32..3, prop::option::of(0u32..3))) {
        let (l, m) = (language(&a), language(&b));
        let (concat, max) = (l.concat(&m, &Deadline::never()).unwrap(), more.map(|more| min + more));
        let repeat = l.repeat(min, max, &Deadline::never()).unwrap();
        for text in short_strings() {
            let cuts: Vec<usize> = (text.char_indices().map(|c| c.0)).chain([text.len()]).collect();
            let split = cuts.iter().any(|&c| accepts(&a, &text[..c]) && accepts(&b, &text[c..]));
            prop_assert_eq!(concat.contains(&text), split);
            // The numbers of strings of `a` that the text can be cut into, up to the greatest that
            // matters.
            let most = max.unwrap_or(min + text.len() as u32) as usize;
            let mut ways: Vec<Vec<bool>> = vec![cuts.iter().map(|&c| c == 0).collect()];
            for _ in 0..most {
                let last = &ways[ways.len() - 1];
                let next = cuts.iter().map(|&end| {
                    (cuts.iter().zip(last)).any(|(&c, &way)| way && c <= end && accepts(&a, &text[c..end]))
                });
                let next = next.collect();
                ways.push(next);
            }
            let expected = ways.iter().skip(min as usize).any(|way| way[cuts.len() - 1]);
            prop_assert_eq!(repeat.contains(&text), expected, "{:?} {} {:?}", text, min, max);
        }
    }

    #[test]
    fn measures(a in states(), min in 0u64..4, max in prop::option::of(0u64..4)) {
        let l = language(&a);
        let members: Vec<String> = short_strings().into_iter().filter(|t| accepts(&a, t)).collect();
        let lengths = || members.iter().map(|t| t.chars().count() as u64);
        let bounded = l.with_length(min, max, &Deadline::never()).unwrap();
        for text in short_strings() {
            let length = text.chars().count() as u64;
            let inside = min <= length && max.is_none_or(|max| length <= max);
            prop_assert_eq!(bounded.contains(&text), inside && accepts(&a, &text));
        }
        if let Some(least) = lengths().min() {
            prop_assert_eq!(l.lengths().map(|l| l.0), Some(least));
            let shortest = l.shortest().unwrap();
            prop_assert!(l.contains(&shortest) && shortest.chars().count() as u64 == least);
        }
        if let Some((_, Some(longest))) = l.lengths() && longest <= 4 {
            prop_assert_eq!(lengths().max(), Some(longest));
        }
        if let Some(words) = l.words(50) {
            prop_assert!(words.iter().all(|w| l.contains(w)));
            prop_assert!(words.windows(2).all(|w| w[0] != w[1]));
            prop_assert_eq!(Language::literals(words.iter().map(String::as_str), &Deadline::never()).unwrap(), l);
        }
    }
}

#[test]
fn constants() {
    assert!(Language::any().is_any() && !Language::any().is_empty());
    assert!(Language::empty().is_empty() && !Language::empty().is_any());
    assert_eq!(Language::empty().complement(), Language::any());
    assert_eq!(
        Language::from_states(Vec::new(), &Deadline::never()),
        Ok(Language::empty())
    );
    assert_eq!(
        Language::literals([], &Deadline::never()),
        Ok(Language::empty())
    );
    assert_eq!(
        Language::literals(["ab"], &Deadline::never()),
        Ok(Language::literal("ab"))
    );
    assert_eq!(Language::class(&[('b', 'a')]), Language::empty());
    assert_eq!(
        Language::class(&[('c', 'd'), ('a', 'c'), ('e', 'e')]),
        Language::class(&[('a', 'e')])
    );
    let everything = Language::class(&[('\0', '\u{d7ff}'), ('\u{e000}', char::MAX)]);
    assert_eq!(
        everything.repeat(0, None, &Deadline::never()),
        Ok(Language::any())
    );
}

#[test]
fn thousands_of_literals() {
    let words: Vec<String> = (0..5000)
        .map(|i| format!("key-{}-{}", i * 7919 % 5003, i))
        .collect();
    let all = Language::literals(words.iter().map(String::as_str), &Deadline::never()).unwrap();
    let half =
        Language::literals(words[..2500].iter().map(String::as_str), &Deadline::never()).unwrap();
    assert_eq!(all.words(5000).map(|w| w.len()), Some(5000));
    assert_eq!(all.words(4999), None);
    assert_eq!(
        all.minus(&half, &Deadline::never())
            .unwrap()
            .words(5000)
            .map(|w| w.len()),
        Some(2500)
    );
    assert!(half.is_subset(&all, &Deadline::never()) && !all.is_subset(&half, &Deadline::never()));
    assert!(half.is_disjoint(
        &all.minus(&half, &Deadline::never()).unwrap(),
        &Deadline::never()
    ));
    assert!(words.iter().all(|w| all.contains(w)) && !all.complement().contains(&words[17]));
}

#[test]
fn what_passes_the_bounds_is_refused() {
    let letter = Language::class(&[('a', 'z')]);
    assert!(
        letter
            .repeat(0, Some(u32::MAX), &Deadline::never())
            .is_err()
    );
    assert!(
        letter
            .repeat(MAX_STATES as u32, None, &Deadline::never())
            .is_err()
    );
    assert!(
        Language::any()
            .with_length(0, Some(u64::MAX), &Deadline::never())
            .is_err()
    );
    assert!(
        Language::any()
            .with_length(u64::MAX, None, &Deadline::never())
            .is_err()
    );
    // Few states, many edges.
    assert!(pattern(r"^\p{L}{0,5000}$", &Deadline::never()).is_err());
    assert_eq!(
        letter.with_length(0, Some(u64::MAX), &Deadline::never()),
        Ok(letter.clone())
    );
    // Two to the 40 states, minimal or not.
    assert!(pattern("a.{40}$", &Deadline::never()).is_err());
    let error = letter.repeat(30_000, None, &Deadline::never()).unwrap_err();
    assert!(error.to_string().contains("more than"), "{error}");
}

#[test]
fn no_operation_goes_on_when_the_time_is_over() {
    let never = Deadline::never();
    let over = || Deadline::start(&Limits::default().with_clock(|_| true));
    let of = |text: &str| pattern(text, &never).unwrap();
    // Automata of a hundred states each, whose products have ten thousand.
    let (a, b) = (of("^(a{100})*$"), of("^([ab]{101})*$"));
    let list: Vec<String> = (0..10_000u32).map(|at| format!("{at:06}")).collect();
    let results = [
        a.intersect(&b, &over()),
        a.union(&b, &over()),
        b.minus(&a, &over()),
        of("^.{3000}$").concat(&of("^.{3000}$"), &over()),
        a.repeat(100, Some(100), &over()),
        of("a.{12}b").with_length(0, Some(100), &over()),
        Language::literals(list.iter().map(String::as_str), &over()),
        Language::from_states(of("a.{12}b").states().to_vec(), &over()),
    ];
    for (at, result) in results.into_iter().enumerate() {
        assert!(
            matches!(result, Err(LanguageError::Time(_))),
            "{at}: {result:?}"
        );
    }
    let refused = pattern("a.{12}b", &over()).unwrap_err();
    assert!(refused.message.contains("limit `time`"), "{refused}");
    let (no, yes) = (of("^(a{100})*b$"), of("^([ac]{101})*c$"));
    assert!(no.is_disjoint(&yes, &never) && !no.is_disjoint(&yes, &over()));
    let (part, whole) = (of("^(a{10100})*$"), a);
    assert!(part.is_subset(&whole, &never) && !part.is_subset(&whole, &over()));
}
