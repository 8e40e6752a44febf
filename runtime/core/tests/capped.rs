//! Grammars whose number of stacks is not proved: without the feature they are refused, with it
//! masks hold what is accepted, and no text is stranded.

mod support;

use std::collections::BTreeSet;

use maskwright_core::{Grammar, Matcher, MatcherError, Vocabulary};
use support::{Set, Spec, StateSpec, To};

/// `(a|b)* a (a|b){count}`: after each `a` it may be that `count` more bytes end the text. The last
/// token ends the text. `newest_first` says which reading of an `a` comes first.
fn nth_from_the_end(count: u32, cap: u32, newest_first: bool) -> Spec {
    let texts = [
        "a", "b", "ab", "ba", "aa", "bbb", "abab", "babababa", "x", "",
    ];
    let tokens = texts.map(|text| text.as_bytes().to_vec()).to_vec();
    let longest = |state: u32| {
        if state == 0 {
            u32::MAX
        } else {
            count + 1 - state
        }
    };
    let mut spec = Spec::new(b"ab", tokens, vec![9]);
    let (a, b, end) = (1, 2, spec.end());
    let (first, second) = if newest_first { (1, 0) } else { (0, 1) };
    let split = spec.leaf(&[(first, false, 0, 0), (second, false, 0, 0)]);
    for state in 0..=count + 1 {
        let is_taken = |id: &u32| {
            let text = texts[*id as usize];
            !text.is_empty() && text != "x" && text.len() as u32 <= longest(state)
        };
        let mut ids: BTreeSet<u32> = (0..9).filter(is_taken).collect();
        ids.extend((state == count + 1).then_some(9));
        spec.sets.push(Set::Accept(ids));
        let mask = spec.node(&[(state, 0)], None);
        let next = match state {
            0 => vec![(a, split), (b, To::State(0))],
            _ if state == count + 1 => vec![(end, To::State(count + 2))],
            _ => vec![(a, To::State(state + 1)), (b, To::State(state + 1))],
        };
        spec.states.push(StateSpec {
            edges: next,
            mask,
            ..StateSpec::default()
        });
    }
    let nothing = spec.node(&[], None);
    spec.states.push(StateSpec {
        mask: nothing,
        ..StateSpec::default()
    });
    (spec.max_stacks, spec.proved) = (cap, false);
    spec
}

fn with_grammar(spec: &Spec, check: impl FnOnce(&Grammar<'_>)) {
    let (tables, vocabulary) = (spec.pack(), spec.pack_vocabulary());
    let vocabulary = Vocabulary::load(&vocabulary).unwrap();
    let grammar = Grammar::load(&tables).unwrap();
    // Without the bytes of tokens they cannot be tried.
    assert_eq!(
        Matcher::<4, 8>::new(&grammar).unwrap_err(),
        MatcherError::StacksNotProved {
            cap: spec.max_stacks as usize
        }
    );
    check(&grammar.with_vocabulary(vocabulary).unwrap());
}

#[cfg(not(feature = "capped"))]
#[test]
fn they_are_refused() {
    with_grammar(&nth_from_the_end(20, 8, true), |grammar| {
        let error = Matcher::<4, 8>::new(grammar).unwrap_err();
        assert_eq!(error, MatcherError::StacksNotProved { cap: 8 });
        assert!(error.to_string().contains("`capped`"));
        let state = maskwright_core::State::<4, 8>::new(grammar);
        assert_eq!(state.unwrap_err(), error);
    });
}

#[cfg(feature = "capped")]
mod with_the_feature {
    use super::*;
    use maskwright_core::{AcceptError, MaskPool, PoolSlot};
    use support::Random;

    fn accepted<const STACKS: usize>(matcher: &Matcher<'_, 0, STACKS>) -> Vec<u32> {
        let is_accepted = |&id: &u32| { *matcher }.accept_token(id).is_ok();
        (0..matcher.grammar().vocab_size())
            .filter(is_accepted)
            .collect()
    }

    #[test]
    fn masks_are_what_is_accepted_and_never_empty() {
        let mut random = Random(71);
        let (mut refused, mut ended) = (0, 0);
        for (count, newest_first) in [1, 2, 5, 20, 200]
            .into_iter()
            .flat_map(|count| [(count, true), (count, false)])
        {
            with_grammar(&nth_from_the_end(count, 4, newest_first), |grammar| {
                // The union of the sets, as if each stack were alone.
                let all: Vec<u32> = (0..8).collect();
                let words = grammar.mask_words();
                let mut masks = MaskPool::new(vec![0; 4 * words], [PoolSlot::default(); 4], words);
                let mut matcher = Matcher::<0, 4>::new(grammar).unwrap();
                for _ in 0..4_000 {
                    let mask: Vec<u32> = matcher.mask().iter().collect();
                    assert_eq!(mask, accepted(&matcher));
                    assert!(!mask.is_empty());
                    assert!(mask.contains(&0) || mask.contains(&9));
                    refused += all.iter().filter(|id| !mask.contains(id)).count();
                    assert_eq!(matcher.mask().count(), mask.len());
                    let mut row = vec![!0; words];
                    matcher.mask().fill(&mut row).unwrap();
                    assert!((0..10).all(|id| (row[0] >> id & 1 == 1) == mask.contains(&id)));
                    assert!((0..11).all(|id| matcher.mask().contains(id) == mask.contains(&id)));
                    let mut logits = [1.0; 10];
                    matcher.mask().apply(&mut logits);
                    assert!((0..10).all(|id| (logits[id as usize] == 1.0) == mask.contains(&id)));
                    assert_eq!(matcher.mask().argmax(&[1.0; 10]), Some(mask[0]));
                    masks.begin_step();
                    let found = masks.row_of(&matcher).unwrap();
                    assert!(found.is_new);
                    assert_eq!(masks.row(found.row), row);
                    let id = mask[random.below(mask.len())];
                    matcher.accept_token(id).unwrap();
                    if matcher.is_finished() {
                        ended += 1;
                        matcher.reset();
                    }
                }
            });
        }
        assert!(refused > 100 && ended > 100, "{refused} {ended}");
    }

    #[test]
    fn the_first_stacks_are_kept_however_the_bytes_come() {
        let mut refused = 0;
        for newest_first in [true, false] {
            with_grammar(&nth_from_the_end(6, 3, newest_first), |grammar| {
                let mut random = Random(4);
                for _ in 0..500 {
                    let start = Matcher::<0, 3>::new(grammar).unwrap();
                    let (mut whole, mut single) = (start, start);
                    let text: Vec<u8> = (0..12).map(|_| b"ab"[random.below(2)]).collect();
                    let taken = whole.accept_bytes(&text);
                    let one_by_one: Result<(), AcceptError> = text
                        .iter()
                        .try_for_each(|&byte| single.accept_bytes(&[byte]));
                    assert_eq!(taken, one_by_one);
                    assert!(taken.is_err() || whole.state() == single.state());
                    refused += taken.is_err() as usize;
                }
            });
        }
        assert!((50..950).contains(&refused), "{refused}");
    }
}
