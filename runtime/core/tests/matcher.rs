//! The matcher on automata written by hand.

mod support;

use maskwright_core::{
    AcceptError, BorrowedMatcher, Grammar, Head, Matcher, MatcherError, Vocabulary,
};
use support::{Random, Spec, To, brackets, digits, returning, splitting};

/// Runs `check` with the grammar that a spec packs to, its vocabulary attached.
fn with_grammar(spec: &Spec, check: impl FnOnce(&Grammar<'_>)) {
    let (tables, vocabulary) = (spec.pack(), spec.pack_vocabulary());
    let vocabulary = Vocabulary::load(&vocabulary).unwrap();
    check(
        &Grammar::load(&tables)
            .unwrap()
            .with_vocabulary(vocabulary)
            .unwrap(),
    );
}

/// The ids of the mask that accept says, each tried on a copy.
fn accepted<const DEPTH: usize, const STACKS: usize>(
    matcher: &Matcher<'_, DEPTH, STACKS>,
) -> Vec<u32> {
    (0..matcher.grammar().vocab_size())
        .filter(|&id| { *matcher }.accept_token(id).is_ok())
        .collect()
}

/// Walks at random; at each step the mask is what `is_prefix` says of the text with each token.
fn walk<const DEPTH: usize, const STACKS: usize>(
    spec: &Spec,
    is_prefix: fn(&[u8], usize) -> bool,
    is_text: fn(&[u8]) -> bool,
) {
    with_grammar(spec, |grammar| {
        let mut random = Random(0x9e37_79b9);
        for _ in 0..200 {
            let mut matcher = Matcher::<DEPTH, STACKS>::new(grammar).unwrap();
            let mut text = Vec::new();
            while !matcher.is_finished() {
                assert_eq!(
                    matcher.is_complete(),
                    is_text(&text),
                    "{}",
                    text.escape_ascii()
                );
                let mask: Vec<u32> = matcher.mask().iter().collect();
                assert_eq!(mask, accepted(&matcher), "{}", text.escape_ascii());
                let expected =
                    (0..grammar.vocab_size()).filter(|&id| match &spec.tokens[id as usize][..] {
                        [] => spec.eos.contains(&id) && is_text(&text),
                        token => is_prefix(&[&text, token].concat(), DEPTH),
                    });
                assert_eq!(
                    mask,
                    expected.collect::<Vec<_>>(),
                    "{}",
                    text.escape_ascii()
                );
                assert_eq!(matcher.mask().is_empty(), mask.is_empty());
                let Some(&id) = mask.get(random.below(mask.len())) else {
                    panic!("an empty mask before the end")
                };
                matcher.accept_token(id).unwrap();
                text.extend_from_slice(&spec.tokens[id as usize]);
            }
            assert_eq!(matcher.mask().count(), 0);
            assert_eq!(matcher.accept_bytes(b"x"), Err(AcceptError::NotAllowed));
            assert_eq!(
                matcher.accept_token(spec.eos[0]),
                Err(AcceptError::NotAllowed)
            );
        }
    });
}

fn opening(text: &[u8]) -> (usize, &[u8]) {
    let height = text.iter().take_while(|&&b| b == b'(').count();
    (height, &text[height..])
}

#[test]
fn brackets_look_at_frames() {
    fn is_prefix(text: &[u8], depth: usize) -> bool {
        let (height, rest) = opening(text);
        let closed = rest.strip_prefix(b"x").unwrap_or(b"");
        height <= depth
            && (rest.is_empty()
                || rest[0] == b'x' && closed.iter().all(|&b| b == b')') && closed.len() <= height)
    }
    fn is_text(text: &[u8]) -> bool {
        let (height, rest) = opening(text);
        is_prefix(text, usize::MAX) && rest.len() == height + 1
    }
    walk::<3, 1>(&brackets(), is_prefix, is_text);
    walk::<1, 1>(&brackets(), is_prefix, is_text);
    walk::<40, 3>(&brackets(), is_prefix, is_text);
}

#[test]
fn rows_are_read_through_coarse_maps() {
    fn is_prefix(text: &[u8], _: usize) -> bool {
        let mut last = b',';
        text.iter().all(|&byte| {
            let before = std::mem::replace(&mut last, byte);
            b"012".contains(&byte) || byte == b',' && before != b','
        })
    }
    fn is_text(text: &[u8]) -> bool {
        is_prefix(text, 0) && text.last().is_some_and(|&byte| byte != b',')
    }
    walk::<1, 1>(&digits(), is_prefix, is_text);
}

#[test]
fn splits_carry_two_stacks() {
    fn is_prefix(text: &[u8], depth: usize) -> bool {
        let height = text.iter().take_while(|&&b| b == b'a').count();
        let rest = &text[height..];
        rest == b"c"
            || rest.iter().all(|&b| b == b'b')
                && rest.len() <= height
                && (rest.is_empty() || height <= depth)
    }
    fn is_text(text: &[u8]) -> bool {
        let height = text.iter().take_while(|&&b| b == b'a').count();
        let rest = &text[height..];
        rest == b"c" || rest.iter().all(|&b| b == b'b') && rest.len() == height
    }
    walk::<3, 2>(&splitting(), is_prefix, is_text);
    walk::<9, 2>(&splitting(), is_prefix, is_text);
}

#[test]
fn symbols_are_taken_again_after_a_return() {
    fn is_prefix(text: &[u8], depth: usize) -> bool {
        let (height, rest) = opening(text);
        height <= depth && (rest.is_empty() || rest == b"x")
    }
    walk::<5, 1>(&returning(), is_prefix, |text| opening(text).1 == b"x");
}

#[test]
fn a_refusal_changes_nothing() {
    with_grammar(&splitting(), |grammar| {
        let mut matcher = Matcher::<8, 2>::new(grammar).unwrap();
        matcher.accept_bytes(b"aa").unwrap();
        let before: Vec<u32> = matcher.mask().iter().collect();
        assert_eq!(matcher.accept_bytes(b"bbb"), Err(AcceptError::NotAllowed));
        assert_eq!(matcher.accept_token(99), Err(AcceptError::NotAllowed));
        assert_eq!(matcher.accept_token(7), Err(AcceptError::NotAllowed));
        assert_eq!(matcher.mask().iter().collect::<Vec<_>>(), before);
        matcher.accept_bytes(b"bb").unwrap();
        assert!(matcher.is_complete());
    });
}

#[test]
fn too_deep_is_told_apart() {
    with_grammar(&brackets(), |grammar| {
        let mut matcher = Matcher::<2>::new(grammar).unwrap();
        assert_eq!(matcher.accept_bytes(b"((("), Err(AcceptError::TooDeep));
        matcher.accept_bytes(b"((").unwrap();
        assert_eq!(matcher.accept_bytes(b"("), Err(AcceptError::TooDeep));
        assert_eq!(matcher.accept_bytes(b"y"), Err(AcceptError::NotAllowed));
    });
}

#[test]
fn headroom_to_finish_is_kept() {
    // After `(`, finishing needs two frames more.
    let mut spec = brackets();
    spec.states[0].need = 2;
    with_grammar(&spec, |grammar| {
        assert_eq!(grammar.least_depth(), 2);
        assert_eq!(
            Matcher::<1>::new(grammar).unwrap_err(),
            MatcherError::DepthTooSmall { needed: 2 }
        );
        let mut matcher = Matcher::<2>::new(grammar).unwrap();
        assert_eq!(matcher.accept_bytes(b"("), Err(AcceptError::TooDeep));
        // In the middle of the bytes there is no such rule.
        matcher.accept_bytes(b"(x").unwrap();
    });
}

#[test]
fn too_many_stacks_is_an_error() {
    let mut spec = splitting();
    with_grammar(&spec, |grammar| {
        let error = Matcher::<8, 1>::new(grammar).unwrap_err();
        assert_eq!(
            error,
            MatcherError::StacksTooFew {
                needed: 2,
                proved: true
            }
        );
    });
    // Tables that say one stack is proved to be enough, though it is not.
    spec.max_stacks = 1;
    with_grammar(&spec, |grammar| {
        let mut matcher = Matcher::<8, 1>::new(grammar).unwrap();
        assert_eq!(matcher.accept_bytes(b"a"), Err(AcceptError::TooManyStacks));
        matcher.accept_bytes(b"c").unwrap();
        assert!(matcher.is_complete());
    });
}

#[test]
fn equal_stacks_are_merged() {
    let mut spec = brackets();
    let twice = spec.leaf(&[(1, false, 0, 0), (1, false, 0, 0)]);
    spec.states[0].edges[1].1 = twice;
    with_grammar(&spec, |grammar| {
        let mut matcher = Matcher::<8>::new(grammar).unwrap();
        matcher.accept_bytes(b"(x)").unwrap();
        assert!(matcher.is_complete());
    });
}

#[test]
fn rows_have_parents_and_refusals() {
    let mut spec = brackets();
    // A state like 0, but that refuses `(`.
    let like = support::StateSpec {
        edges: vec![(1, To::Refuse)],
        parent: Some(0),
        ..spec.states[0].clone()
    };
    let enter = spec.leaf(&[(3, false, 0, 1)]);
    spec.states.push(like);
    spec.states[0].edges[0].1 = enter;
    with_grammar(&spec, |grammar| {
        let mut matcher = Matcher::<8>::new(grammar).unwrap();
        assert_eq!(matcher.accept_bytes(b"(("), Err(AcceptError::NotAllowed));
        matcher.accept_bytes(b"(x)").unwrap();
    });
}

#[test]
fn forced_bytes_and_tokens() {
    with_grammar(&brackets(), |grammar| {
        let mut matcher = Matcher::<8>::new(grammar).unwrap();
        let (mut bytes, mut tokens) = ([0; 8], [0; 8]);
        assert_eq!(matcher.forced_bytes(&mut bytes), 0);
        matcher.accept_bytes(b"(((x").unwrap();
        assert_eq!(matcher.forced_bytes(&mut bytes), 3);
        assert_eq!(&bytes[..3], b")))");
        assert_eq!(matcher.forced_bytes(&mut bytes[..2]), 2);
        assert_eq!(matcher.forced_tokens(&mut tokens), 0);
        matcher.accept_bytes(b"))").unwrap();
        assert_eq!(matcher.forced_tokens(&mut tokens), 2);
        assert_eq!(tokens[..2], [1, 11]);
        matcher.accept_bytes(b")").unwrap();
        assert_eq!(matcher.forced_bytes(&mut bytes), 0);
        matcher.finish().unwrap();
        assert_eq!(matcher.forced_bytes(&mut bytes), 0);
        assert_eq!(matcher.forced_tokens(&mut tokens), 0);
    });
}

#[test]
fn drafts_forks_and_rollback() {
    with_grammar(&brackets(), |grammar| {
        let mut matcher = Matcher::<8>::new(grammar).unwrap();
        let checkpoint = matcher;
        assert_eq!(matcher.check_draft(&[0, 2, 1, 1, 11]), 3);
        assert_eq!(matcher.check_draft(&[0, 2, 1, 11, 0]), 4);
        assert_eq!(matcher.mask().count(), checkpoint.mask().count());
        assert_eq!(matcher.accept_draft(&[0, 2, 0]), 2);
        assert!(matcher.mask().contains(1) && !matcher.mask().contains(0));
        matcher.rollback(&checkpoint);
        assert!(matcher.mask().contains(0) && !matcher.mask().contains(1));
        matcher.accept_bytes(b"x").unwrap();
        matcher.finish().unwrap();
        matcher.reset();
        assert!(matcher.mask().contains(0));
    });
}

#[test]
fn without_a_vocabulary_only_bytes_are_taken() {
    let tables = brackets().pack();
    let grammar = Grammar::load(&tables).unwrap();
    let mut matcher = Matcher::<8>::new(&grammar).unwrap();
    assert_eq!(matcher.accept_token(2), Err(AcceptError::NoVocabulary));
    matcher.accept_bytes(b"x").unwrap();
    matcher.accept_token(11).unwrap();
    assert!(matcher.is_finished());
}

#[test]
fn a_matcher_is_small() {
    assert!(
        size_of::<Matcher<'_, 32>>() <= 96,
        "{}",
        size_of::<Matcher<'_, 32>>()
    );
}

#[test]
fn a_matcher_in_lent_memory_says_the_same() {
    for spec in [brackets(), splitting(), returning()] {
        with_grammar(&spec, |grammar| {
            let mut random = Random(19);
            let (depth, stacks) = (5, grammar.max_stacks());
            let mut heads = vec![Head::default(); BorrowedMatcher::heads(stacks)];
            let mut frames = vec![9; BorrowedMatcher::frames(depth, stacks).unwrap()];
            let made = BorrowedMatcher::new(grammar, depth, &mut heads, &mut frames);
            let mut live = made.unwrap().live();
            let mut other = Matcher::<5, 2>::new(grammar).unwrap();
            for _ in 0..2_000 {
                // As a copy of the memory that lies elsewhere.
                (heads, frames) = (heads.clone(), frames.clone());
                let mut own =
                    BorrowedMatcher::resume(grammar, depth, live, &mut heads, &mut frames);
                let mask: Vec<u32> = other.mask().iter().collect();
                assert_eq!(own.mask().iter().collect::<Vec<_>>(), mask);
                assert_eq!(own.is_complete(), other.is_complete());
                assert_eq!(own.is_finished(), other.is_finished());
                let (mut ours, mut theirs) = ([0; 9], [0; 9]);
                let len = own.forced_bytes(&mut ours);
                assert_eq!((len, ours), (other.forced_bytes(&mut theirs), theirs));
                let (mut ours, mut theirs) = ([0; 9], [0; 9]);
                let len = own.forced_tokens(&mut ours);
                assert_eq!((len, ours), (other.forced_tokens(&mut theirs), theirs));
                let draft = [(); 4].map(|()| random.below(spec.tokens.len()) as u32);
                assert_eq!(own.check_draft(&draft), other.check_draft(&draft));
                assert_eq!(own.accept_draft(&draft), other.accept_draft(&draft));
                assert_eq!(own.accept_bytes(b""), Ok(()));
                if own.is_finished() {
                    own.reset();
                    other.reset();
                }
                let text = [b"(", b"x", b")", b"a", b"b", b"c"][random.below(6)];
                assert_eq!(own.accept_bytes(text), other.accept_bytes(text));
                live = own.live();
            }
        });
    }
    with_grammar(&splitting(), |grammar| {
        assert_eq!(BorrowedMatcher::frames(65_536, 1), None);
        assert_eq!(BorrowedMatcher::frames(1, 65_536), None);
        // Too little memory is too few stacks, and memory of another matcher no danger.
        let (mut heads, mut frames) = ([Head::default(); 6], [7; 17]);
        let few = BorrowedMatcher::new(grammar, 3, &mut heads, &mut frames);
        assert!(matches!(
            few.unwrap_err(),
            MatcherError::StacksTooFew { .. }
        ));
        for live in [0, 1, 2, 3, u16::MAX] {
            let mut any = BorrowedMatcher::resume(grammar, 2, live, &mut heads, &mut frames);
            let _ = (any.mask().count(), any.accept_bytes(b"ab"), any.live());
        }
        let mut none: [u16; 0] = [];
        let mut any = BorrowedMatcher::resume(grammar, 0, 1, &mut heads, &mut none);
        let _ = (any.mask().count(), any.accept_bytes(b"c"));
    });
}
