//! Grammars that a build script has compiled beside others make the masks that they make alone,
//! with no further calls.

use maskwright::{Grammar, Matcher};
use maskwright_tests::random::Random;

mod alone {
    include!(concat!(env!("OUT_DIR"), "/alone.rs"));
}
mod beside {
    include!(concat!(env!("OUT_DIR"), "/beside.rs"));
}
mod beside_file {
    include!(concat!(env!("OUT_DIR"), "/beside_file.rs"));
}

type Tables = Grammar<'static>;

/// Walks at random under both grammars, and compares their masks. How many tokens were taken.
fn compare(alone: &'static Tables, other: &'static Tables) -> usize {
    let mut words = [0, 0].map(|_| vec![0; alone.mask_words()]);
    let mut taken = 0;
    for seed in 0..6 {
        let mut random = Random::new(seed);
        let mut both = [alone, other].map(|grammar| Matcher::<32>::new(grammar).unwrap());
        for step in 0..60 {
            for (matcher, words) in both.iter().zip(&mut words) {
                matcher.mask().fill(words).unwrap();
            }
            assert!(words[0] == words[1], "walk {seed}, step {step}");
            let allowed: Vec<u32> = both[0].mask().iter().collect();
            let Some(&token) = random.pick(&allowed) else {
                break;
            };
            for matcher in &mut both {
                matcher.accept_token(token).unwrap();
            }
            taken += 1;
        }
    }
    taken
}

#[test]
fn tables_beside_others_have_the_same_masks_and_are_smaller() {
    assert_eq!(beside::OBJECT.as_bytes(), alone::OBJECT.as_bytes());
    for (alone, beside) in [
        (&alone::SEARCH, &beside::SEARCH),
        (&alone::MAIL, &beside::MAIL),
        (&alone::MAIL, &beside_file::MAIL),
    ] {
        assert_eq!(beside.stands_beside(), Some(alone::OBJECT.checksum()));
        assert_eq!(alone.stands_beside(), None);
        let sizes = [alone, beside].map(|grammar| grammar.as_bytes().len());
        assert!(2 * sizes[1] < sizes[0], "{sizes:?}");
        assert!(compare(alone, beside) > 100);
    }
}

#[test]
fn matchers_of_the_emitted_types_decode() {
    let text = br#"{"to": ["a@b.c"], "text": "hello"}"#;
    let mut matcher = beside::MailMatcher::<32>::new(&beside::MAIL).unwrap();
    matcher.accept_bytes(text).unwrap();
    assert!(matcher.is_complete());
    let mut matcher = beside_file::MailMatcher::<32>::new(&beside_file::MAIL).unwrap();
    matcher.accept_bytes(text).unwrap();
    assert!(matcher.is_complete());
}
