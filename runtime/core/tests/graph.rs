//! Grammars whose number of stacks is not proved: a graph of stacks beside stacks that are kept one
//! by one, in plenty of memory and in too little.

mod support;

use std::collections::BTreeSet;

use maskwright_core::{Grammar, Matcher, MatcherError, Vocabulary};
use support::{Set, Spec, StateSpec, To};

/// `(a|b)* a (a|b){count}`: after each `a` it may be that `count` more bytes end the text. The last
/// token ends the text.
fn nth_from_the_end(count: u32) -> Spec {
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
    let split = spec.leaf(&[(1, false, 0, 0), (0, false, 0, 0)]);
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
    (spec.max_stacks, spec.proved) = (8, false);
    spec
}

fn with_grammar(spec: &Spec, check: impl FnOnce(&Grammar<'_>)) {
    let (tables, vocabulary) = (spec.pack(), spec.pack_vocabulary());
    let vocabulary = Vocabulary::load(&vocabulary).unwrap();
    let grammar = Grammar::load(&tables).unwrap();
    check(&grammar.with_vocabulary(vocabulary).unwrap());
}

#[cfg(not(feature = "graph"))]
#[test]
fn they_are_refused_without_the_feature() {
    with_grammar(&nth_from_the_end(20), |grammar| {
        let error = Matcher::<4, 8>::new(grammar).unwrap_err();
        assert_eq!(error, MatcherError::StacksNotProved);
        assert!(error.to_string().contains("`graph`"));
        let state = maskwright_core::State::<4, 8>::new(grammar);
        assert_eq!(state.unwrap_err(), error);
    });
}

#[cfg(feature = "graph")]
mod with_the_feature {
    use super::*;
    use maskwright_core::{
        AcceptError, BorrowedMatcher, Head, MaskPool, PoolSlot, State, StateError,
    };
    use support::Random;

    fn accepted<const DEPTH: usize, const STACKS: usize>(
        matcher: &Matcher<'_, DEPTH, STACKS>,
    ) -> Vec<u32> {
        let is_accepted = |&id: &u32| { *matcher }.accept_token(id).is_ok();
        (0..matcher.grammar().vocab_size())
            .filter(is_accepted)
            .collect()
    }

    #[test]
    fn memory_that_is_too_small_is_refused() {
        with_grammar(&nth_from_the_end(3), |grammar| {
            let error = Matcher::<4, 7>::new(grammar).unwrap_err();
            let (needed, proved) = (8, false);
            assert_eq!(error, MatcherError::StacksTooFew { needed, proved });
            assert!(Matcher::<4, 8>::new(grammar).is_ok());
            let error = Matcher::<1025, 8>::new(grammar).unwrap_err();
            assert_eq!(error, MatcherError::TooLarge { most: 1024 });
        });
    }

    /// In plenty of memory and in too little.
    #[test]
    fn a_matcher_in_lent_memory_says_the_same() {
        beside_lent::<8>();
        beside_lent::<64>();
    }

    fn beside_lent<const STACKS: usize>() {
        const DEPTH: usize = 5;
        let mut random = Random(37);
        let (mut taken, mut refused) = (0, 0);
        for _ in 0..200 {
            let spec = automaton(&mut random).spec;
            let tables = spec.pack();
            let grammar = Grammar::load(&tables).unwrap();
            let stacks = BorrowedMatcher::for_graph(STACKS);
            let mut heads = vec![Head::default(); BorrowedMatcher::heads(stacks)];
            let mut words = vec![9; BorrowedMatcher::frames(DEPTH, stacks).unwrap()];
            let made = BorrowedMatcher::new(&grammar, DEPTH, &mut heads, &mut words);
            let mut live = made.unwrap().live();
            let mut other = Matcher::<DEPTH, STACKS>::new(&grammar).unwrap();
            for _ in 0..40 {
                // As a copy of the memory that lies elsewhere.
                (heads, words) = (heads.clone(), words.clone());
                let mut own =
                    BorrowedMatcher::resume(&grammar, DEPTH, live, &mut heads, &mut words);
                assert_eq!(own.is_complete(), other.is_complete());
                assert_eq!(own.is_finished(), other.is_finished());
                let (mut ours, mut theirs) = ([0; 9], [0; 9]);
                let len = own.forced_bytes(&mut ours);
                assert_eq!((len, ours), (other.forced_bytes(&mut theirs), theirs));
                if random.below(8) == 0 {
                    assert_eq!(own.finish(), other.finish());
                }
                if own.is_finished() {
                    own.reset();
                    other.reset();
                }
                let text = [&b"a"[..], b"b", b"ab", b"bba"][random.below(4)];
                let step = own.accept_bytes(text);
                assert_eq!(step, other.accept_bytes(text));
                taken += usize::from(step.is_ok());
                refused += usize::from(step.is_err());
                live = own.live();
            }
        }
        assert!(taken > 1_000 && refused > 200, "{taken} {refused}");
    }

    #[test]
    fn tokens_in_lent_memory_are_those_of_a_matcher() {
        const STACKS: usize = 8;
        with_grammar(&nth_from_the_end(20), |grammar| {
            let mut random = Random(5);
            let stacks = BorrowedMatcher::for_graph(STACKS);
            let mut heads = vec![Head::default(); BorrowedMatcher::heads(stacks)];
            let mut words = vec![0; BorrowedMatcher::frames(0, stacks).unwrap()];
            let mut own = BorrowedMatcher::new(grammar, 0, &mut heads, &mut words).unwrap();
            let mut other = Matcher::<0, STACKS>::new(grammar).unwrap();
            for _ in 0..500 {
                let mask: Vec<u32> = own.mask().iter().collect();
                assert_eq!(mask, other.mask().iter().collect::<Vec<_>>());
                let draft = [(); 3].map(|()| random.below(10) as u32);
                assert_eq!(own.check_draft(&draft), other.check_draft(&draft));
                let (mut ours, mut theirs) = ([0; 9], [0; 9]);
                let len = own.forced_tokens(&mut ours);
                assert_eq!((len, ours), (other.forced_tokens(&mut theirs), theirs));
                let id = mask[random.below(mask.len())];
                assert_eq!(own.accept_token(id), other.accept_token(id));
                if own.is_finished() {
                    own.reset();
                    other.reset();
                }
            }
        });
    }

    /// Walks at random, and compares every view of each mask with what is accepted.
    fn walk<const STACKS: usize>(count: u32, steps: usize) -> (usize, usize) {
        let mut random = Random(71);
        let (mut dropped, mut ended) = (0, 0);
        with_grammar(&nth_from_the_end(count), |grammar| {
            let words = grammar.mask_words();
            let mut masks = MaskPool::new(vec![0; 4 * words], [PoolSlot::default(); 4], words);
            let mut matcher = Matcher::<0, STACKS>::new(grammar).unwrap();
            let mut text: Vec<u8> = Vec::new();
            for _ in 0..steps {
                let mask: Vec<u32> = matcher.mask().iter().collect();
                assert_eq!(mask, accepted(&matcher));
                assert!(mask.contains(&0) || mask.contains(&9));
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
                assert_eq!(masks.row(found.row), row);
                // Nothing but the texts of which too many readings are open may have lost some.
                let back = text.len().checked_sub(count as usize + 1);
                let is_end = back.is_some_and(|at| text[at] == b'a');
                dropped += usize::from(!mask.contains(&8) && mask.contains(&9) != is_end);
                let id = mask[random.below(mask.len())];
                matcher.accept_token(id).unwrap();
                text.extend(grammar.vocabulary().unwrap().bytes(id));
                if matcher.is_finished() {
                    ended += 1;
                    matcher.reset();
                    text.clear();
                }
            }
        });
        (dropped, ended)
    }

    #[test]
    fn all_readings_are_kept_where_there_is_room() {
        for (dropped, ended) in [
            walk::<8>(1, 2_000),
            walk::<16>(5, 2_000),
            walk::<512>(200, 2_000),
        ] {
            assert_eq!(dropped, 0);
            assert!(ended > 3, "{ended}");
        }
    }

    #[test]
    fn masks_are_what_is_accepted_and_never_empty_where_there_is_none() {
        let walks = [
            walk::<8>(5, 4_000),
            walk::<8>(20, 4_000),
            walk::<9>(200, 4_000),
        ];
        assert!(walks.iter().all(|(dropped, _)| *dropped > 0), "{walks:?}");
    }

    const STATES: u32 = 4;
    const FRAMES: u32 = 3;

    /// The ways of an edge: next state, whether the symbol is taken again, frames to pop, and a
    /// frame to push.
    type Ways = Vec<(u32, bool, u8, u32)>;

    /// An automaton with the ways of each state and class by the two frames on the top, 0 where
    /// there is none.
    struct Automaton {
        spec: Spec,
        ways: Vec<Vec<[[Ways; FRAMES as usize]; FRAMES as usize]>>,
    }

    fn some_ways(random: &mut Random, height: u8) -> Ways {
        let mut way = || {
            let pop = random.below(usize::from(height) + 1) as u8;
            let push = random.below(FRAMES as usize) as u32;
            match pop > 0 && random.below(3) == 0 {
                true => (random.below(STATES as usize) as u32, true, pop, 0),
                false => (random.below(STATES as usize) as u32, false, pop, push),
            }
        };
        let ways: BTreeSet<_> = (0..3).map(|_| way()).collect();
        let count = random.below(4);
        ways.into_iter().take(count).collect()
    }

    fn automaton(random: &mut Random) -> Automaton {
        let texts = ["a", "b", "ab", "bba", ""].map(|text| text.as_bytes().to_vec());
        let mut spec = Spec::new(b"ab", texts.to_vec(), vec![4]);
        spec.frames = FRAMES;
        (spec.max_stacks, spec.proved) = (8, false);
        let nothing = spec.node(&[], None);
        let mut all = Vec::new();
        for _ in 0..STATES {
            let mut of_state = Vec::new();
            let mut edges = Vec::new();
            for class in 1..=spec.end() {
                let ways = [0_u8, 1, 2].map(|top| {
                    [0_u8, 1, 2].map(|below| {
                        let height = u8::from(top > 0) + u8::from(top > 0 && below > 0);
                        some_ways(random, height)
                    })
                });
                let looks = ways.each_ref().map(|ways| {
                    let leaves = ways.each_ref().map(|ways| spec.leaf(ways));
                    spec.look(1, leaves[0], &[(1, leaves[1]), (2, leaves[2])])
                });
                edges.push((
                    class,
                    spec.look(0, looks[0], &[(1, looks[1]), (2, looks[2])]),
                ));
                of_state.push(ways);
            }
            spec.states.push(StateSpec {
                edges,
                mask: nothing,
                ..StateSpec::default()
            });
            all.push(of_state);
        }
        Automaton { spec, ways: all }
    }

    type Stacks = BTreeSet<(u32, Vec<u32>)>;

    impl Automaton {
        /// The stacks after a class, each by itself.
        fn step(&self, stacks: &Stacks, class: usize, depth: usize) -> Stacks {
            let mut pending: Vec<_> = stacks.iter().cloned().collect();
            let mut after = Stacks::new();
            while let Some((state, frames)) = pending.pop() {
                let frame = |at: usize| frames.iter().rev().nth(at).map_or(0, |&f| f as usize);
                let ways = &self.ways[state as usize][class][frame(0)][frame(1)];
                for &(next, again, pop, push) in ways {
                    let mut moved = frames[..frames.len() - usize::from(pop)].to_vec();
                    if again {
                        pending.push((next, moved));
                        continue;
                    }
                    moved.extend((push > 0).then_some(push));
                    if moved.len() <= depth {
                        after.insert((next, moved));
                    }
                }
            }
            after
        }
    }

    #[test]
    fn a_graph_is_its_stacks() {
        const DEPTH: usize = 4;
        let mut random = Random(5);
        let (mut taken, mut most) = (0, 0);
        for _ in 0..400 {
            let automaton = automaton(&mut random);
            with_grammar(&automaton.spec, |grammar| {
                let mut known: Vec<(Stacks, State<DEPTH, 256>)> = Vec::new();
                for _ in 0..12 {
                    let mut matcher = Matcher::<DEPTH, 256>::new(grammar).unwrap();
                    let mut stacks = Stacks::from([(0, Vec::new())]);
                    for _ in 0..24 {
                        let is_complete = !automaton.step(&stacks, 2, DEPTH).is_empty();
                        assert_eq!(matcher.is_complete(), is_complete);
                        let class = random.below(2);
                        let next = automaton.step(&stacks, class, DEPTH);
                        let step = matcher.accept_bytes(&[b"ab"[class]]);
                        assert_eq!(step.is_ok(), !next.is_empty(), "{step:?} {next:?}");
                        if next.is_empty() {
                            break;
                        }
                        (stacks, taken) = (next, taken + 1);
                        most = most.max(stacks.len());
                        let state = matcher.state();
                        let mut bytes = [0; State::<DEPTH, 256>::MAX_BYTES];
                        let len = state.write_to(&mut bytes).unwrap();
                        assert_eq!(len, state.byte_len());
                        let read = State::<DEPTH, 256>::read_from(&bytes[..len], grammar);
                        assert_eq!(read, Ok(state));
                        known.push((stacks.clone(), state));
                    }
                }
                // Two texts stand at the same point if and only if their stacks are equal.
                for (one, state) in &known {
                    for (other, second) in &known {
                        assert_eq!(one == other, state == second, "{one:?} {other:?}");
                    }
                }
            });
        }
        assert!(taken > 5_000 && most > 30, "{taken} {most}");
    }

    /// A matcher that owns its memory begins with the least and makes room: it loses no reading.
    #[cfg(feature = "alloc")]
    #[test]
    fn memory_grows_without_losing_a_stack() {
        use maskwright_core::{OwnedGrammar, OwnedMatcher};
        const DEPTH: usize = 5;
        let mut random = Random(9);
        let (mut taken, mut most) = (0, 0);
        for _ in 0..300 {
            let automaton = automaton(&mut random);
            let grammar = OwnedGrammar::load(automaton.spec.pack()).unwrap();
            let view = grammar.view();
            let start = OwnedMatcher::with_stacks(&grammar, DEPTH, 8).unwrap();
            for _ in 0..4 {
                let (mut matcher, mut stacks) = (start.fork(), Stacks::from([(0, Vec::new())]));
                let mut roomy = vec![State::<DEPTH, 512>::new(&view).unwrap()];
                let mut before = Vec::new();
                for _ in 0..24 {
                    let class = random.below(2);
                    let next = automaton.step(&stacks, class, DEPTH);
                    let step = matcher.accept_bytes(&[b"ab"[class]]);
                    assert_eq!(step.is_ok(), !next.is_empty(), "{step:?} {next:?}");
                    if next.is_empty() {
                        break;
                    }
                    before.push(stacks);
                    (stacks, taken) = (next, taken + 1);
                    most = most.max(stacks.len());
                    let is_complete = !automaton.step(&stacks, 2, DEPTH).is_empty();
                    assert_eq!(matcher.is_complete(), is_complete);
                    let mut state = *roomy.last().unwrap();
                    state.accept_bytes(&view, &[b"ab"[class]]).unwrap();
                    let mut bytes = [0; State::<DEPTH, 512>::MAX_BYTES];
                    let len = state.write_to(&mut bytes).unwrap();
                    roomy.push(state);
                    // The order of a graph does not depend on its memory.
                    assert_eq!(matcher.to_bytes(), bytes[..len]);
                    let bytes = matcher.to_bytes();
                    let read = OwnedMatcher::from_bytes(&bytes, &grammar, DEPTH);
                    assert!(read.unwrap() == matcher);
                    if random.below(6) == 0 {
                        matcher.rollback(1).unwrap();
                        stacks = before.pop().unwrap();
                        roomy.pop();
                    }
                }
            }
        }
        assert!(taken > 3_000 && most > 50, "{taken} {most}");
    }

    /// In the least memory a text is taken only if it could be, and by one reading at least.
    #[test]
    fn one_reading_is_kept_in_the_least_memory() {
        const DEPTH: usize = 6;
        let mut random = Random(6);
        let (mut refused, mut taken, mut undecided) = (0, 0, 0);
        for _ in 0..400 {
            let automaton = automaton(&mut random);
            with_grammar(&automaton.spec, |grammar| {
                let mut matcher = Matcher::<DEPTH, 8>::new(grammar).unwrap();
                let mut stacks = Stacks::from([(0, Vec::new())]);
                for _ in 0..40 {
                    let class = random.below(2);
                    stacks = automaton.step(&stacks, class, DEPTH);
                    match matcher.accept_bytes(&[b"ab"[class]]) {
                        Ok(()) => assert!(!stacks.is_empty()),
                        Err(error) => {
                            // Not all readings were tried, and none of those that were takes it.
                            undecided += usize::from(error == AcceptError::TooManyStacks);
                            refused += usize::from(!stacks.is_empty());
                            break;
                        }
                    }
                    taken += 1;
                }
            });
        }
        assert!(refused > 3 && taken > 1_000, "{refused} {taken}");
        assert!(undecided * 5 < refused, "{undecided} {refused}");
    }

    /// Damaged bytes are refused or are a state that can be followed.
    #[test]
    fn states_are_not_trusted() {
        let mut random = Random(8);
        let (mut refused, mut read) = (0, 0);
        for _ in 0..60 {
            let automaton = automaton(&mut random);
            with_grammar(&automaton.spec, |grammar| {
                let mut matcher = Matcher::<4, 64>::new(grammar).unwrap();
                while random.below(12) > 0 {
                    let _ = matcher.accept_bytes(&[b"ab"[random.below(2)]]);
                }
                let mut bytes = [0; State::<4, 64>::MAX_BYTES];
                let len = matcher.state().write_to(&mut bytes).unwrap();
                for _ in 0..300 {
                    let mut damaged = bytes[..len].to_vec();
                    let at = 4 + random.below(len - 8);
                    damaged[at] = random.below(256) as u8;
                    if random.below(4) == 0 {
                        damaged.truncate(len - 2 * random.below(4));
                    }
                    let end = damaged.len() - 4;
                    let checksum = maskwright_core::crc32(&damaged[..end]).to_le_bytes();
                    damaged[end..].copy_from_slice(&checksum);
                    match State::<4, 64>::read_from(&damaged, grammar) {
                        Err(error) => {
                            refused += usize::from(matches!(error, StateError::Corrupt(_)));
                        }
                        Ok(mut state) => {
                            read += 1;
                            for _ in 0..8 {
                                let byte = b"ab"[random.below(2)];
                                let _ = state.accept_bytes(grammar, &[byte]);
                                state.mask(grammar).unwrap().count();
                            }
                        }
                    }
                }
            });
        }
        assert!(refused > 1_000 && read > 40, "{refused} {read}");
    }
}
