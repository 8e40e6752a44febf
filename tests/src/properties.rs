//! What holds for every matcher, whatever the grammar and the number of frames.

use crate::harness::{Built, STACKS, TestMatcher, pick};
use crate::random::Random;
use maskwright::{AcceptError, Grammar, Matcher, MatcherError};

/// For every id, those past the vocabulary's end included: it is in the mask if and only if it is
/// accepted, where the stacks suffice; the text can go on after it; and an error changes nothing.
///
/// # Panics
/// If one of this does not hold.
pub fn assert_mask_is_acceptance<const DEPTH: usize>(
    name: &str,
    matcher: &Matcher<'_, DEPTH, STACKS>,
) {
    let mask = matcher.mask();
    for id in 0..matcher.grammar().vocab_size() + 3 {
        let mut copy = *matcher;
        match copy.accept_token(id) {
            Ok(()) => {
                assert!(
                    mask.contains(id),
                    "{name}: {id} is accepted, but not in the mask"
                );
                let ended = copy.is_finished();
                assert_eq!(
                    copy.mask().is_empty(),
                    ended,
                    "{name}: a dead end after {id}"
                );
            }
            Err(AcceptError::TooManyStacks) => {}
            Err(error) => {
                assert!(
                    !mask.contains(id),
                    "{name}: {id} is in the mask, but: {error}"
                );
                // Comparing whole masks is slow: for some of the refused tokens.
                if id % 61 == 0 {
                    let unchanged = copy.mask().iter().eq(mask.iter());
                    assert!(unchanged, "{name}: an error changed the matcher");
                }
            }
        }
    }
}

/// Walks with room for `DEPTH` frames only: no dead ends, masks agree with acceptance, and nothing
/// is allowed that a matcher with room does not allow. `false` if no text can be finished with so
/// few.
///
/// # Panics
/// If one of this does not hold.
pub fn walk_at_depth<const DEPTH: usize>(built: &Built<'_>, grammar: &Grammar<'_>) -> bool {
    let name = &built.name;
    let start = match Matcher::<DEPTH, STACKS>::new(grammar) {
        Ok(matcher) => matcher,
        Err(MatcherError::DepthTooSmall { needed }) => {
            assert!(
                needed > DEPTH,
                "{name}: {needed} frames needed, {DEPTH} are too few"
            );
            return false;
        }
        Err(error) => panic!("{name}: {error}"),
    };
    assert!(grammar.least_depth() <= DEPTH);
    let mut random = Random::new(DEPTH as u64);
    for _ in 0..2 {
        let (mut tight, mut wide) = (start, TestMatcher::new(grammar).unwrap());
        for _ in 0..12 {
            let ids: Vec<u32> = tight.mask().iter().collect();
            assert!(!ids.is_empty(), "{name}: a dead end at depth {DEPTH}");
            let also = ids.iter().all(|&id| wide.mask().contains(id));
            // With a cap on stacks, the one may have dropped others than the other.
            if !also && !grammar.stacks_are_proved() {
                break;
            }
            assert!(also, "{name}: depth {DEPTH} allows more");
            let Some(id) = pick(&ids, built.words, &mut random) else {
                break;
            };
            let taken = [tight.accept_token(id), wide.accept_token(id)];
            if taken.contains(&Err(AcceptError::TooManyStacks)) {
                break;
            }
            assert_eq!(taken, [Ok(()); 2], "{name}: {id}");
            if random.below(4) == 0 {
                assert_mask_is_acceptance(name, &tight);
            }
        }
    }
    true
}
