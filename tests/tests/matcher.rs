//! What the matcher promises whatever the grammar: masks and acceptance agree, no dead ends, copies
//! are checkpoints, drafts are tokens one by one, and all views of a mask are the same set.

use maskwright::{AcceptError, Grammar, Mask, Matcher};
use maskwright_tests::harness::{Built, DEPTH, STACKS, TestMatcher, compiled_suite, pick};
use maskwright_tests::properties::{assert_mask_is_acceptance, walk_at_depth};
use maskwright_tests::random::Random;
use maskwright_tests::suite;

/// Calls `visit` with each grammar of the suite, compiled.
fn each_grammar(mut visit: impl FnMut(&Built<'_>, &Grammar<'_>)) {
    for built in compiled_suite() {
        visit(built, &built.grammar());
    }
}

fn allowed(matcher: &Matcher<'_, DEPTH, STACKS>) -> Vec<u32> {
    matcher.mask().iter().collect()
}

/// A random token of the mask that is not an end token.
fn step(built: &Built<'_>, ids: &[u32], random: &mut Random) -> Option<u32> {
    pick(ids, built.words, random)
}

/// Takes `steps` random tokens, or fewer where the text must end.
fn wander(
    matcher: &mut TestMatcher<'_>,
    built: &Built<'_>,
    steps: usize,
    random: &mut Random,
) -> Vec<u32> {
    let mut taken = Vec::new();
    while taken.len() < steps {
        let Some(id) = step(built, &allowed(matcher), random) else {
            break;
        };
        if matcher.accept_token(id).is_err() {
            break;
        }
        taken.push(id);
    }
    taken
}

#[test]
fn mask_is_what_accept_accepts() {
    each_grammar(|built, grammar| {
        let mut random = Random::new(11);
        for _ in 0..3 {
            let mut matcher = TestMatcher::new(grammar).unwrap();
            for _ in 0..5 {
                assert_mask_is_acceptance(&built.name, &matcher);
                wander(&mut matcher, built, 3, &mut random);
            }
        }
    });
}

#[test]
fn tight_depths_have_no_dead_ends() {
    let mut checked = 0;
    each_grammar(|built, grammar| {
        checked += usize::from(walk_at_depth::<0>(built, grammar));
        checked += usize::from(walk_at_depth::<1>(built, grammar));
        checked += usize::from(walk_at_depth::<2>(built, grammar));
        checked += usize::from(walk_at_depth::<3>(built, grammar));
        checked += usize::from(walk_at_depth::<5>(built, grammar));
    });
    assert!(checked > 60, "{checked}");
}

#[test]
fn copies_are_checkpoints() {
    each_grammar(|built, grammar| {
        let mut random = Random::new(5);
        let mut matcher = TestMatcher::new(grammar).unwrap();
        let first = wander(&mut matcher, built, 6, &mut random);
        let checkpoint = matcher;
        let fork = wander(&mut matcher, built, 6, &mut random);
        let after_fork = allowed(&matcher);
        matcher.rollback(&checkpoint);
        let mut fresh = TestMatcher::new(grammar).unwrap();
        assert_eq!(fresh.accept_draft(&first), first.len());
        assert_eq!(allowed(&matcher), allowed(&fresh), "{}", built.name);
        assert_eq!(fresh.accept_draft(&fork), fork.len());
        assert_eq!(after_fork, allowed(&fresh), "{}", built.name);
        matcher.reset();
        assert_eq!(
            allowed(&matcher),
            allowed(&TestMatcher::new(grammar).unwrap()),
            "{}",
            built.name
        );
    });
}

#[test]
fn bytes_and_tokens_lead_to_the_same_place() {
    each_grammar(|built, grammar| {
        let mut random = Random::new(8);
        let mut by_token = TestMatcher::new(grammar).unwrap();
        let taken = wander(&mut by_token, built, 10, &mut random);
        let text: Vec<u8> = taken
            .iter()
            .flat_map(|&id| built.words.vocabulary.bytes(id))
            .copied()
            .collect();
        let mut by_byte = TestMatcher::new(grammar).unwrap();
        for byte in &text {
            by_byte
                .accept_bytes(&[*byte])
                .unwrap_or_else(|e| panic!("{}: {e}", built.name));
        }
        let mut at_once = TestMatcher::new(grammar).unwrap();
        at_once.accept_bytes(&text).unwrap();
        assert_eq!(allowed(&by_byte), allowed(&by_token), "{}", built.name);
        assert_eq!(allowed(&at_once), allowed(&by_token), "{}", built.name);
    });
}

#[test]
fn a_draft_is_its_tokens_one_by_one() {
    each_grammar(|built, grammar| {
        let mut random = Random::new(21);
        for _ in 0..5 {
            let mut matcher = TestMatcher::new(grammar).unwrap();
            wander(&mut matcher, built, 4, &mut random);
            let mut draft = wander(&mut matcher.clone(), built, 5, &mut random);
            if let Some(at) = random.pick(&(0..draft.len()).collect::<Vec<_>>()) {
                draft[*at] = random.below(grammar.vocab_size() as usize) as u32;
            }
            let mut one_by_one = matcher;
            let expected = draft
                .iter()
                .take_while(|&&id| one_by_one.accept_token(id).is_ok())
                .count();
            let before = allowed(&matcher);
            assert_eq!(matcher.check_draft(&draft), expected, "{}", built.name);
            assert_eq!(
                allowed(&matcher),
                before,
                "{}: checking a draft moved the matcher",
                built.name
            );
            assert_eq!(matcher.accept_draft(&draft), expected, "{}", built.name);
            assert_eq!(allowed(&matcher), allowed(&one_by_one), "{}", built.name);
        }
    });
}

#[test]
fn end_tokens_end_the_text() {
    each_grammar(|built, grammar| {
        for sentence in &suite::entry(&built.name).sentences {
            for &eos in built.words.vocabulary.eos() {
                let mut matcher = TestMatcher::new(grammar).unwrap();
                let taken = matcher.accept_bytes(sentence);
                // With a cap on stacks, sentences may be refused.
                if !(grammar.stacks_are_proved() || taken.is_ok() && matcher.is_complete()) {
                    continue;
                }
                assert!(
                    matcher.is_complete() && !matcher.is_finished(),
                    "{}",
                    built.name
                );
                matcher.accept_token(eos).unwrap();
                assert!(
                    matcher.is_finished() && matcher.mask().is_empty(),
                    "{}",
                    built.name
                );
                assert_eq!(
                    matcher.accept_token(eos),
                    Err(AcceptError::NotAllowed),
                    "{}",
                    built.name
                );
                assert_eq!(
                    matcher.accept_bytes(b"a"),
                    Err(AcceptError::NotAllowed),
                    "{}",
                    built.name
                );
            }
        }
    });
}

/// `fill`, `iter`, `count`, `contains`, `is_empty`, `apply` and `argmax` tell of one set.
fn assert_views_agree(name: &str, mask: &Mask<'_>, size: u32, random: &mut Random) {
    let set: Vec<u32> = (0..size + 40).filter(|&id| mask.contains(id)).collect();
    assert!(mask.iter().eq(set.iter().copied()), "{name}: iter");
    assert_eq!(mask.count(), set.len(), "{name}: count");
    assert_eq!(mask.is_empty(), set.is_empty(), "{name}: is_empty");

    let mut buffer = vec![0xDEAD_BEEF; mask.words() + 2];
    mask.fill(&mut buffer).unwrap();
    let filled =
        (0..32 * buffer.len() as u32).filter(|id| buffer[*id as usize / 32] >> (id % 32) & 1 == 1);
    assert!(filled.eq(set.iter().copied()), "{name}: fill");
    let short = &mut buffer[..mask.words() - 1];
    assert_eq!(
        mask.fill(short).unwrap_err().needed,
        mask.words(),
        "{name}: fill of a short buffer"
    );

    let logits: Vec<f32> = (0..size)
        .map(|_| random.below(1000) as f32 - 500.0)
        .collect();
    let mut applied = logits.clone();
    mask.apply(&mut applied);
    for (id, (&before, &after)) in logits.iter().zip(&applied).enumerate() {
        let expected = if set.binary_search(&(id as u32)).is_ok() {
            before
        } else {
            f32::NEG_INFINITY
        };
        assert_eq!(after, expected, "{name}: apply to token {id}");
    }
    let best = set.iter().copied().reduce(|best, id| {
        if logits[id as usize] > logits[best as usize] {
            id
        } else {
            best
        }
    });
    assert_eq!(mask.argmax(&logits), best, "{name}: argmax");
}

#[test]
fn all_views_of_a_mask_agree() {
    each_grammar(|built, grammar| {
        let mut random = Random::new(17);
        for _ in 0..2 {
            let mut matcher = TestMatcher::new(grammar).unwrap();
            for _ in 0..6 {
                assert_views_agree(
                    &built.name,
                    &matcher.mask(),
                    grammar.vocab_size(),
                    &mut random,
                );
                wander(&mut matcher, built, 2, &mut random);
            }
        }
    });
}

#[test]
fn forced_bytes_are_the_only_way_on() {
    let mut found = 0;
    each_grammar(|built, grammar| {
        let mut random = Random::new(29);
        let mut matcher = TestMatcher::new(grammar).unwrap();
        for _ in 0..12 {
            let mut forced = [0; 16];
            let count = matcher.forced_bytes(&mut forced);
            found += count;
            let mut along = matcher;
            for &byte in &forced[..count] {
                let choices = (0..=255).filter(|&byte| along.clone().accept_bytes(&[byte]).is_ok());
                assert!(
                    choices.eq([byte]) && !along.is_complete(),
                    "{}: {byte}",
                    built.name
                );
                along.accept_bytes(&[byte]).unwrap();
            }
            if count < forced.len() {
                let choices = (0..=255)
                    .filter(|&byte| along.clone().accept_bytes(&[byte]).is_ok())
                    .count();
                assert!(
                    choices + usize::from(along.is_complete()) != 1 || along.is_complete(),
                    "{}",
                    built.name
                );
            }
            wander(&mut matcher, built, 1, &mut random);
        }
    });
    assert!(found > 100, "{found} forced bytes");
}

#[test]
fn forced_tokens_are_masks_of_one() {
    each_grammar(|built, grammar| {
        let mut random = Random::new(31);
        let mut matcher = TestMatcher::new(grammar).unwrap();
        for _ in 0..8 {
            let mut forced = [0; 8];
            let count = matcher.forced_tokens(&mut forced);
            let mut along = matcher;
            for &id in &forced[..count] {
                assert_eq!(allowed(&along), [id], "{}", built.name);
                along.accept_token(id).unwrap();
            }
            assert!(
                count == forced.len() || along.mask().count() != 1,
                "{}",
                built.name
            );
            wander(&mut matcher, built, 1, &mut random);
        }
    });
}
