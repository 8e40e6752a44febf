//! What owns its tables: matchers of run-time sizes say what the others say, go back, and free what
//! they used.
#![cfg(feature = "alloc")]

mod support;

use std::sync::Arc;

use maskwright_core::{
    AcceptError, Grammar, LoadError, MaskPool, Matcher, MatcherError, OwnedGrammar, OwnedMatcher,
    OwnedVocabulary, PoolSlot, RollbackError, State, StateError, Vocabulary,
};
use support::{MANY, Random, Set, Spec, brackets, many_masks, returning, splitting};

fn owned(spec: &Spec) -> OwnedGrammar {
    let vocabulary = OwnedVocabulary::load(spec.pack_vocabulary()).unwrap();
    let grammar = OwnedGrammar::load(spec.pack()).unwrap();
    grammar.with_vocabulary(&vocabulary).unwrap()
}

fn mask_of(matcher: &OwnedMatcher) -> Vec<u32> {
    matcher.with_mask(|mask| mask.iter().collect())
}

#[test]
fn a_view_is_the_grammar() {
    for spec in [brackets(), splitting(), returning()] {
        let grammar = owned(&spec);
        let (tables, vocabulary) = (spec.pack(), spec.pack_vocabulary());
        let borrowed = Grammar::load(&tables).unwrap();
        let vocabulary = Vocabulary::load(&vocabulary).unwrap();
        let borrowed = borrowed.with_vocabulary(vocabulary).unwrap();
        let view = grammar.view();
        assert_eq!(view.as_bytes(), tables);
        assert_eq!(view.id(), borrowed.id());
        assert_eq!(format!("{view:?}"), format!("{borrowed:?}"));
        assert_eq!(view.eos().collect::<Vec<_>>(), spec.eos);
        for (id, token) in (0..).zip(&spec.tokens) {
            assert_eq!(view.vocabulary().unwrap().bytes(id), token);
        }
        assert!(view.vocabulary().unwrap().bytes(99).is_empty());
    }
}

/// Hashes in headers can be made equal by whoever chooses the texts; digests cannot.
#[test]
fn rows_of_a_pool_know_tables_by_their_digests() {
    let tables = many_masks(1_000, &mut Random(6)).pack();
    let grammar = OwnedGrammar::load(tables).unwrap();
    let row_words = grammar.view().mask_words();
    let (words, slots) = (vec![0; 16 * row_words], vec![PoolSlot::default(); 16]);
    let mut pool = MaskPool::new(words, slots, row_words);
    let mut row = |digest: Option<[u64; 2]>| {
        let grammar = match digest {
            Some(digest) => grammar.clone().with_digest(digest),
            None => grammar.clone(),
        };
        assert_eq!(grammar.id(), grammar.view().id());
        let matcher = OwnedMatcher::new(&grammar, 4).unwrap();
        let row = matcher.with_mask(|mask| pool.row_of_mask(mask)).unwrap();
        row.is_new
    };
    let digests = [None, Some([1, 2]), Some([1, 3]), Some([4, 2])];
    for is_new in [true, false] {
        for digest in digests {
            assert_eq!(row(digest), is_new, "{digest:?}");
        }
    }
    // The same equality for matchers; states go from one to the other all the same, as tables are
    // not told apart by who loaded them.
    let [one, other] = [[1, 2], [1, 3]].map(|digest| {
        let grammar = grammar.clone().with_digest(digest);
        OwnedMatcher::new(&grammar, 4).unwrap()
    });
    assert_ne!(one, other);
    assert_eq!(one, one.clone());
    let read = OwnedMatcher::from_bytes(&one.to_bytes(), other.grammar(), 4).unwrap();
    assert_eq!(read, other);
}

#[test]
fn it_says_what_a_matcher_says() {
    for spec in [brackets(), splitting(), returning()] {
        let grammar = owned(&spec);
        let view = grammar.view();
        let mut random = Random(3);
        for _ in 0..50 {
            let mut own = OwnedMatcher::new(&grammar, 4).unwrap();
            let mut other = Matcher::<4, 2>::new(&view).unwrap();
            assert_eq!((own.depth(), own.stacks()), (4, view.max_stacks()));
            while !other.is_finished() {
                let mask = mask_of(&own);
                assert_eq!(mask, other.mask().iter().collect::<Vec<_>>());
                assert_eq!(own.is_complete(), other.is_complete());
                let (mut ours, mut theirs) = ([0; 9], [0; 9]);
                let len = own.forced_bytes(&mut ours);
                assert_eq!((len, ours), (other.forced_bytes(&mut theirs), theirs));
                let (mut ours, mut theirs) = ([0; 9], [0; 9]);
                let len = own.forced_tokens(&mut ours);
                assert_eq!((len, ours), (other.forced_tokens(&mut theirs), theirs));
                let draft = [(); 5].map(|()| random.below(spec.tokens.len()) as u32);
                assert_eq!(own.check_draft(&draft), other.check_draft(&draft));
                let bytes = own.to_bytes();
                assert_eq!(bytes.len(), other.state().byte_len());
                for id in 0..spec.tokens.len() as u32 {
                    let (mut own, mut other) = (own.fork(), other);
                    assert_eq!(own.accept_token(id), other.accept_token(id));
                    let bytes = own.to_bytes();
                    assert_eq!(State::read_from(&bytes, &view), Ok(other.state()));
                }
                let id = mask[random.below(mask.len())];
                own.accept_token(id).unwrap();
                other.accept_token(id).unwrap();
                let bytes = own.to_bytes();
                assert_eq!(State::read_from(&bytes, &view), Ok(other.state()));
                let again = OwnedMatcher::from_bytes(&bytes, &grammar, 9).unwrap();
                assert_eq!(again, own);
            }
            assert!(own.is_finished() && mask_of(&own).is_empty());
            assert_eq!(own.accept_token(0), Err(AcceptError::NotAllowed));
            own.reset();
            assert_eq!(own, OwnedMatcher::new(&grammar, 4).unwrap());
        }
    }
}

#[test]
fn it_goes_back_by_tokens() {
    for spec in [brackets(), splitting(), returning()] {
        let grammar = owned(&spec);
        let mut random = Random(8);
        for limit in [0, 1, 5, 256] {
            let mut matcher = OwnedMatcher::new(&grammar, 30).unwrap();
            if limit != 256 {
                matcher = matcher.with_history(limit);
            }
            let mut past = vec![matcher.to_bytes()];
            for _ in 0..2_000 {
                let draft = [(); 3].map(|()| random.below(spec.tokens.len()) as u32);
                let before = matcher.clone();
                let taken = matcher.accept_draft(&draft);
                assert_eq!(taken, before.check_draft(&draft));
                let mut one = before.clone();
                for &id in &draft[..taken] {
                    one.accept_token(id).unwrap();
                    past.push(one.to_bytes());
                }
                assert_eq!(one, matcher);
                let kept = (past.len() - 1).min(limit);
                assert_eq!(matcher.history_len(), kept);
                let RollbackError {
                    tokens, kept: held, ..
                } = matcher.rollback(kept + 1).unwrap_err();
                assert_eq!((tokens, held), (kept + 1, kept));
                assert_eq!(matcher.to_bytes(), past[past.len() - 1]);
                matcher.rollback(0).unwrap();
                if matcher.is_finished() && limit < 2 {
                    matcher.reset();
                    past = vec![matcher.to_bytes()];
                } else if matcher.is_finished() || random.below(3) == 0 {
                    let tokens = if kept == 0 { 0 } else { random.below(kept + 1) };
                    matcher.rollback(tokens).unwrap();
                    past.truncate(past.len() - tokens);
                    // What is forgotten does not come back.
                    let first = past.len() - 1 - matcher.history_len();
                    past.drain(..first);
                    assert_eq!(matcher.to_bytes(), past[past.len() - 1]);
                }
            }
        }
    }
}

#[test]
fn bytes_and_the_end_are_taken_back_too() {
    let mut matcher = OwnedMatcher::new(&owned(&brackets()), 4).unwrap();
    matcher.accept_bytes(b"((").unwrap();
    matcher.accept_bytes(b"").unwrap();
    matcher.accept_bytes(b"x))").unwrap();
    matcher.finish().unwrap();
    assert_eq!(matcher.finish(), Err(AcceptError::NotAllowed));
    assert_eq!(matcher.history_len(), 3);
    matcher.rollback(1).unwrap();
    assert!(matcher.is_complete());
    matcher.rollback(1).unwrap();
    assert_eq!(matcher.accept_bytes(b"y"), Err(AcceptError::NotAllowed));
    matcher.accept_bytes(b"(x").unwrap();
    matcher.rollback(2).unwrap();
    assert_eq!(matcher.history_len(), 0);
    assert!(matcher.rollback(1).is_err());
    matcher.accept_bytes(b"x").unwrap();
    assert!(matcher.is_complete());
}

#[test]
fn a_tree_of_drafts_is_a_tree_of_clones() {
    let mut trunk = OwnedMatcher::new(&owned(&brackets()), 4).unwrap();
    trunk.accept_bytes(b"(").unwrap();
    let (mut left, mut right) = (trunk.clone(), trunk.fork());
    left.accept_bytes(b"x)").unwrap();
    right.accept_bytes(b"(").unwrap();
    assert!(left.is_complete() && !right.is_complete());
    assert_eq!((left.history_len(), right.history_len()), (2, 1));
    assert_eq!(trunk.history_len(), 1);
    left.rollback(2).unwrap();
    right.rollback(1).unwrap();
    assert_eq!(right, trunk);
    assert_ne!(left, trunk);
}

#[test]
fn sizes_that_cannot_be_are_errors() {
    let mut spec = brackets();
    spec.states[0].need = 2;
    let grammar = owned(&spec);
    assert_eq!(
        OwnedMatcher::new(&grammar, 1).unwrap_err(),
        MatcherError::DepthTooSmall { needed: 2 }
    );
    let most = 65_535;
    for (depth, stacks) in [(most + 1, 1), (4, most + 1), (usize::MAX, usize::MAX)] {
        assert_eq!(
            OwnedMatcher::with_stacks(&grammar, depth, stacks).unwrap_err(),
            MatcherError::TooLarge { most }
        );
    }
    let mut deep = OwnedMatcher::new(&grammar, most).unwrap();
    deep.accept_bytes(&b"(".repeat(most - 2)).unwrap();
    assert_eq!(deep.accept_bytes(b"("), Err(AcceptError::TooDeep));
    let few = OwnedMatcher::with_stacks(&owned(&splitting()), 4, 1).unwrap_err();
    assert!(matches!(few, MatcherError::StacksTooFew { needed: 2, .. }));
    let none = OwnedMatcher::with_stacks(&grammar, 4, 0).unwrap_err();
    assert!(matches!(none, MatcherError::StacksTooFew { needed: 1, .. }));
    let other = OwnedMatcher::new(&owned(&returning()), 4).unwrap();
    assert_eq!(
        OwnedMatcher::from_bytes(&other.to_bytes(), &grammar, 4).unwrap_err(),
        StateError::OtherGrammar
    );
    // Depth 0 is a depth.
    let mut flat = OwnedMatcher::new(&owned(&brackets()), 0).unwrap();
    assert_eq!(flat.accept_bytes(b"("), Err(AcceptError::TooDeep));
    flat.accept_bytes(b"x").unwrap();
    assert!(flat.is_complete());
}

#[test]
fn tables_are_freed_with_the_last_user() {
    fn is_send_and_sync<T: Send + Sync + 'static>(_: &T) {}
    let spec = brackets();
    let tables: Arc<[u8]> = spec.pack().into();
    let vocabulary: Arc<[u8]> = spec.pack_vocabulary().into();
    let (weak, weak_vocabulary) = (Arc::downgrade(&tables), Arc::downgrade(&vocabulary));
    let vocabulary = OwnedVocabulary::load(vocabulary).unwrap();
    let grammar = OwnedGrammar::load(tables).unwrap();
    let grammar = grammar.with_vocabulary(&vocabulary).unwrap();
    assert_eq!(grammar.tables().len(), spec.pack().len());
    assert!(grammar.vocabulary().is_some());
    drop(vocabulary);
    let mut matcher = OwnedMatcher::new(&grammar, 4).unwrap();
    is_send_and_sync(&grammar);
    is_send_and_sync(&matcher);
    drop(grammar);
    let thread = std::thread::spawn(move || {
        matcher.accept_token(0).unwrap();
        matcher
    });
    let matcher = thread.join().unwrap();
    let (clone, fork) = (matcher.clone(), matcher.fork());
    drop((matcher, clone));
    assert!(weak.upgrade().is_some());
    drop(fork);
    assert!(weak.upgrade().is_none() && weak_vocabulary.upgrade().is_none());
}

#[test]
fn tables_beside_others_keep_those() {
    let spec = many_masks(1_000, &mut Random(41));
    let base = OwnedGrammar::load(spec.pack()).unwrap();
    let mut sharing = spec.clone();
    for (id, set) in (0..).zip(&mut sharing.sets) {
        if !matches!(set, Set::Delta(..)) {
            *set = Set::Shared(id);
        }
    }
    sharing.beside = (spec.sets.len() as u32, base.view().checksum());
    let tables = sharing.pack();
    assert!(matches!(
        OwnedGrammar::load(&tables[..]),
        Err(LoadError::OtherTables { found: None, .. })
    ));
    let vocabulary = OwnedVocabulary::load(spec.pack_vocabulary()).unwrap();
    let base = base.with_vocabulary(&vocabulary).unwrap();
    let weak = Arc::downgrade(base.tables());
    let grammar = OwnedGrammar::load_beside(tables, &base).unwrap();
    let alone = base.clone();
    assert!(grammar.vocabulary().is_some());
    // Tables that stand alone do not keep the others.
    let other = OwnedGrammar::load_beside(brackets().pack(), &base).unwrap();
    assert!(other.view().stands_beside().is_none());
    let mut tokens = 0;
    for state in 0..MANY {
        let [mut own, mut whole] =
            [&grammar, &alone].map(|grammar| OwnedMatcher::new(grammar, 4).unwrap());
        let byte = [b'a' + state as u8];
        own.accept_bytes(&byte).unwrap();
        whole.accept_bytes(&byte).unwrap();
        assert_eq!(mask_of(&own), mask_of(&whole));
        tokens += mask_of(&own).len();
    }
    assert!(tokens > 1_000);
    drop((base, alone));
    assert!(weak.upgrade().is_some());
    assert_ne!(OwnedMatcher::new(&grammar, 4).unwrap().to_bytes().len(), 0);
    drop(grammar);
    assert!(weak.upgrade().is_none());
    drop(other);
}
