//! A state says what a matcher says, is an error for other tables, and becomes bytes and a state
//! again, whatever the bytes are.

mod support;

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use maskwright_core::{
    AcceptError, Grammar, MatcherError, OtherGrammar, State, StateError, Vocabulary, crc32,
};
use support::{Random, Spec, brackets, returning, splitting};

fn with_grammar(spec: &Spec, check: impl FnOnce(&Grammar<'_>)) {
    let (tables, vocabulary) = (spec.pack(), spec.pack_vocabulary());
    let vocabulary = Vocabulary::load(&vocabulary).unwrap();
    let grammar = Grammar::load(&tables).unwrap();
    check(&grammar.with_vocabulary(vocabulary).unwrap());
}

/// Takes a token of the mask, or begins again.
fn go<const DEPTH: usize, const STACKS: usize>(
    state: &mut State<DEPTH, STACKS>,
    grammar: &Grammar<'_>,
    random: &mut Random,
) {
    let mask: Vec<u32> = state.mask(grammar).unwrap().iter().collect();
    if mask.is_empty() {
        *state = State::new(grammar).unwrap();
    } else {
        let id = mask[random.below(mask.len())];
        state.accept_token(grammar, id).unwrap();
    }
}

fn bytes_of<const DEPTH: usize, const STACKS: usize>(state: &State<DEPTH, STACKS>) -> Vec<u8> {
    let mut bytes = vec![0; State::<DEPTH, STACKS>::MAX_BYTES];
    let len = state.write_to(&mut bytes).unwrap();
    assert_eq!(len, state.byte_len());
    bytes.truncate(len);
    bytes
}

#[test]
fn a_state_says_what_a_matcher_says() {
    for spec in [brackets(), splitting(), returning()] {
        with_grammar(&spec, |grammar| {
            let mut random = Random(5);
            let mut state = State::<6, 2>::new(grammar).unwrap();
            for _ in 0..500 {
                let matcher = state.matcher(grammar).unwrap();
                assert_eq!(matcher.state(), state);
                let mask: Vec<u32> = state.mask(grammar).unwrap().iter().collect();
                assert_eq!(mask, matcher.mask().iter().collect::<Vec<_>>());
                assert_eq!(state.is_complete(grammar), Ok(matcher.is_complete()));
                assert_eq!(state.is_finished(), matcher.is_finished());
                let (mut own, mut its) = ([0; 9], [0; 9]);
                let len = state.forced_bytes(grammar, &mut own).unwrap();
                assert_eq!((len, own), (matcher.forced_bytes(&mut its), its));
                let (mut own, mut its) = ([0; 9], [0; 9]);
                let len = state.forced_tokens(grammar, &mut own).unwrap();
                assert_eq!((len, own), (matcher.forced_tokens(&mut its), its));
                let draft = [(); 5].map(|()| random.below(spec.tokens.len()) as u32);
                let taken = state.check_draft(grammar, &draft).unwrap();
                assert_eq!(taken, matcher.check_draft(&draft));
                let before = state;
                assert_eq!(state.accept_draft(grammar, &draft), Ok(taken));
                state = before;
                for id in 0..spec.tokens.len() as u32 {
                    let (mut state, mut matcher) = (state, matcher);
                    let taken = state.accept_token(grammar, id);
                    assert_eq!(taken, matcher.accept_token(id));
                    assert_eq!(matcher.state(), state);
                    assert!(taken.is_ok() || state == before);
                }
                go(&mut state, grammar, &mut random);
            }
        });
    }
}

#[test]
fn only_live_frames_count() {
    with_grammar(&brackets(), |grammar| {
        let at = |text: &[u8]| {
            let mut state = State::<6>::new(grammar).unwrap();
            state.accept_bytes(grammar, text).unwrap();
            state
        };
        // One has been three frames high, the other has not.
        let (high, low) = (at(b"(((x))"), at(b"(x"));
        assert_eq!(high, low);
        let hasher = RandomState::new();
        assert_eq!(hasher.hash_one(high), hasher.hash_one(low));
        assert_eq!(bytes_of(&high), bytes_of(&low));
        assert_ne!(at(b"((x"), low);
        assert_ne!(at(b"("), low);
        assert_eq!(HashSet::from([high, low, at(b"(")]).len(), 2);
        let finished = |text: &[u8]| {
            let mut state = at(text);
            state.finish(grammar).unwrap();
            state
        };
        assert_eq!(finished(b"x"), finished(b"(x)"));
        assert_ne!(finished(b"x"), at(b"x"));
    });
}

#[test]
fn a_state_of_other_tables_is_an_error() {
    let (one, mut two) = (brackets(), brackets());
    two.states[0].need = 1;
    with_grammar(&one, |one| {
        with_grammar(&two, |two| {
            let mut state = State::<4>::new(one).unwrap();
            let before = state;
            assert_eq!(state.tables(), one.id());
            assert_eq!(state.mask(two).unwrap_err(), OtherGrammar);
            assert_eq!(state.matcher(two).unwrap_err(), OtherGrammar);
            assert_eq!(state.accept_token(two, 0), Err(AcceptError::OtherGrammar));
            assert_eq!(
                state.accept_bytes(two, b"("),
                Err(AcceptError::OtherGrammar)
            );
            assert_eq!(state.accept_bytes(two, b""), Err(AcceptError::OtherGrammar));
            assert_eq!(state.finish(two), Err(AcceptError::OtherGrammar));
            assert_eq!(state.accept_draft(two, &[0]), Err(OtherGrammar));
            assert_eq!(state.check_draft(two, &[0]), Err(OtherGrammar));
            assert_eq!(state.forced_bytes(two, &mut [0; 4]), Err(OtherGrammar));
            assert_eq!(state.forced_tokens(two, &mut [0; 4]), Err(OtherGrammar));
            assert_eq!(state.is_complete(two), Err(OtherGrammar));
            assert_eq!(state, before);
            assert_ne!(state, State::<4>::new(two).unwrap());
            let bytes = bytes_of(&state);
            assert_eq!(
                State::<4>::read_from(&bytes, two),
                Err(StateError::OtherGrammar)
            );
        });
    });
    // A copy of the tables elsewhere is the same grammar.
    with_grammar(&one, |first| {
        let mut state = State::<4>::new(first).unwrap();
        with_grammar(&one, |second| state.accept_bytes(second, b"(").unwrap());
    });
}

#[test]
fn bytes_are_a_state_again_in_any_size() {
    for spec in [brackets(), splitting(), returning()] {
        with_grammar(&spec, |grammar| {
            let mut random = Random(9);
            let mut state = State::<5, 2>::new(grammar).unwrap();
            for _ in 0..300 {
                let bytes = bytes_of(&state);
                assert_eq!(State::<5, 2>::read_from(&bytes, grammar), Ok(state));
                let larger = State::<40, 7>::read_from(&bytes, grammar).unwrap();
                assert_eq!(bytes_of(&larger), bytes);
                let short = bytes.len() - 1;
                let mut buffer = [7; 100];
                assert_eq!(
                    state.write_to(&mut buffer[..short]),
                    Err(StateError::BufferTooShort {
                        needed: bytes.len(),
                        found: short
                    })
                );
                assert_eq!(buffer, [7; 100]);
                go(&mut state, grammar, &mut random);
            }
        });
    }
}

#[test]
fn a_state_that_does_not_fit_is_an_error() {
    with_grammar(&brackets(), |grammar| {
        let mut state = State::<6>::new(grammar).unwrap();
        state.accept_bytes(grammar, b"((((x").unwrap();
        let bytes = bytes_of(&state);
        assert_eq!(
            State::<3>::read_from(&bytes, grammar),
            Err(StateError::DepthTooSmall { needed: 4 })
        );
        assert!(State::<4>::read_from(&bytes, grammar).is_ok());
    });
    with_grammar(&splitting(), |grammar| {
        let state = State::<6, 2>::new(grammar).unwrap();
        let error = MatcherError::StacksTooFew {
            needed: 2,
            proved: true,
        };
        assert_eq!(
            State::<6>::read_from(&bytes_of(&state), grammar),
            Err(StateError::NoMatcher(error))
        );
    });
}

/// Writes the checksum of a state that was changed.
fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    if let Some(end) = bytes.len().checked_sub(4) {
        let checksum = crc32(&bytes[..end]).to_le_bytes();
        bytes[end..].copy_from_slice(&checksum);
    }
    bytes
}

#[test]
fn hostile_bytes_are_an_error_or_a_state_that_can_be_used() {
    let (mut read, mut refused) = (0, 0);
    for spec in [brackets(), splitting(), returning()] {
        with_grammar(&spec, |grammar| {
            let mut random = Random(31);
            let mut state = State::<5, 2>::new(grammar).unwrap();
            for _ in 0..20 {
                let bytes = bytes_of(&state);
                let mut hostile: Vec<Vec<u8>> = (0..bytes.len())
                    .map(|len| seal(bytes[..len].to_vec()))
                    .collect();
                hostile.extend((0..9).map(|more| seal([&bytes[..], &vec![1; more]].concat())));
                for at in 0..bytes.len() {
                    for value in [0, 1, 2, 3, 5, 6, 127, 128, 255] {
                        let mut changed = bytes.clone();
                        changed[at] = value;
                        // Without a new checksum any change is seen.
                        if changed != bytes {
                            assert!(State::<5, 2>::read_from(&changed, grammar).is_err());
                        }
                        hostile.push(seal(changed));
                    }
                }
                for bytes in hostile {
                    match State::<5, 2>::read_from(&bytes, grammar) {
                        Err(_) => refused += 1,
                        Ok(mut state) => {
                            read += 1;
                            assert_eq!(bytes_of(&state), bytes);
                            for id in 0..grammar.vocab_size() {
                                let _ = state.mask(grammar).unwrap().contains(id);
                                let _ = { state }.accept_token(grammar, id);
                            }
                            let _ = state.forced_bytes(grammar, &mut [0; 9]);
                            let _ = state.accept_bytes(grammar, b"(x))ab");
                        }
                    }
                }
                go(&mut state, grammar, &mut random);
            }
        });
    }
    assert!(read > 500 && refused > 10_000, "{read} {refused}");
}

#[test]
fn what_is_wrong_is_said() {
    with_grammar(&splitting(), |grammar| {
        let mut state = State::<5, 2>::new(grammar).unwrap();
        state.accept_bytes(grammar, b"aa").unwrap();
        let bytes = bytes_of(&state);
        // Two stacks: one of no frames, one of two.
        assert_eq!(bytes.len(), 44 + 6 + 6 + 4);
        let with = |at: usize, value: u8| {
            let mut bytes = bytes.clone();
            bytes[at] = value;
            State::<5, 2>::read_from(&seal(bytes), grammar)
        };
        assert_eq!(with(0, b'm'), Err(StateError::Foreign));
        assert_eq!(with(4, 4), Err(StateError::Version { found: 4 }));
        assert_eq!(with(8, !bytes[8]), Err(StateError::OtherGrammar));
        assert_eq!(with(6, 1), Err(StateError::Corrupt("bytes are left over")));
        assert_eq!(with(6, 3), Err(StateError::Corrupt("bytes are missing")));
        assert_eq!(with(40, 99), Err(StateError::Corrupt("no such state")));
        let last = bytes.len() - 6;
        for frame in [0, 2] {
            assert_eq!(with(last, frame), Err(StateError::Corrupt("no such frame")));
        }
        let mut twice = bytes[..bytes.len() - 4].to_vec();
        let second = twice.split_off(46);
        let twice = [&twice[..40], &second, &second, &[0; 4]].concat();
        assert_eq!(
            State::<5, 2>::read_from(&seal(twice), grammar),
            Err(StateError::Corrupt("two stacks are equal"))
        );
        let mut three = [&bytes[..bytes.len() - 4], &[3, 0, 0, 0, 0, 0], &[0; 4]].concat();
        three[6] = 3;
        assert_eq!(
            State::<5, 2>::read_from(&seal(three), grammar),
            Err(StateError::StacksTooFew)
        );
    });
}
