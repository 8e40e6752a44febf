//! Tables that stand beside others share their sets, and no other tables do in their place.

mod support;

use maskwright_core::layout::header;
use maskwright_core::{Grammar, LoadError, MaskPool, PoolSlot, Vocabulary};
use support::{MANY, Random, Set, Spec, fresh, go, many_masks, start};

/// The same grammar with each set but a few taken from tables, where the sets have the same ids in
/// another order.
fn sharing(alone: &Spec, other: &Grammar<'_>) -> Spec {
    let last = alone.sets.len() as u32 - 1;
    let mut spec = alone.clone();
    spec.sets = (0..)
        .zip(&alone.sets)
        .map(|(id, of)| match of {
            Set::Accept(_) if id % 4 == 1 => of.clone(),
            Set::Delta(..) => of.clone(),
            _ => Set::Shared(last - id),
        })
        .collect();
    spec.beside = (last + 1, other.checksum());
    spec
}

/// The sets of a grammar in the opposite order.
fn reversed(alone: &Spec) -> Spec {
    let last = alone.sets.len() as u32 - 1;
    let mut spec = alone.clone();
    spec.sets.reverse();
    for set in &mut spec.sets {
        if let Set::Delta(base, ..) = set {
            *base = last - *base;
        }
    }
    for state in &mut spec.states {
        state.mask = 0;
    }
    spec.masks.clear();
    let none = spec.node(&[], None);
    assert_eq!(none, 0);
    spec
}

fn words(grammar: &Grammar<'_>, state: usize) -> Vec<u32> {
    let mut matcher = start(grammar);
    go(&mut matcher, state);
    fresh(&matcher, grammar.mask_words())
}

#[test]
fn shared_sets_are_those_of_the_other_tables() {
    for size in [1_000, 70_000] {
        let spec = many_masks(size, &mut Random(41));
        let (alone, other) = (spec.pack(), reversed(&spec).pack());
        let (alone, other) = (
            Grammar::load(&alone).unwrap(),
            Grammar::load(&other).unwrap(),
        );
        let tables = sharing(&spec, &other).pack();
        assert!(2 * tables.len() < alone.as_bytes().len() || size == 1_000);
        let grammar = Grammar::load_beside(&tables, &other).unwrap();
        assert_eq!(grammar.stands_beside(), Some(other.checksum()));
        assert_eq!((alone.stands_beside(), other.stands_beside()), (None, None));
        for state in 0..MANY {
            assert_eq!(words(&grammar, state), words(&alone, state));
        }
        // Tables that stand alone may be loaded beside any.
        assert!(Grammar::load_beside(alone.as_bytes(), &other).is_ok());
    }
}

#[test]
fn the_same_tables_beside_others_are_other_tables() {
    // Two grammars of one checksum, which no loading tells apart; tables stand beside either.
    let spec = many_masks(1_000, &mut Random(12));
    let mut other = spec.clone();
    let mut random = Random(13);
    let lists = other.sets.iter_mut().take(16);
    lists.for_each(|set| *set = Set::Accept(random.ids(1_000, 40)));
    let (one, two) = (reversed(&spec).pack(), reversed(&other).pack());
    let two = with_checksum(two, support::words(&one)[header::CHECKSUM]);
    let (one, two) = (Grammar::load(&one).unwrap(), Grammar::load(&two).unwrap());
    assert_eq!(one.checksum(), two.checksum());
    assert_ne!(one.id(), two.id());
    let tables = sharing(&spec, &one).pack();
    let beside_one = Grammar::load_beside(&tables, &one).unwrap();
    let beside_two = Grammar::load_beside(&tables, &two).unwrap();
    assert_ne!(beside_one.id(), beside_two.id());
    assert!((0..MANY).any(|at| words(&beside_one, at) != words(&beside_two, at)));
    // Nor do rows of a pool take the one for the other.
    let row_words = one.mask_words();
    let (rows, slots) = (vec![0; 64 * row_words], [PoolSlot::default(); 64]);
    let mut masks = MaskPool::new(rows, slots, row_words);
    for grammar in [&beside_one, &beside_two, &one, &two].repeat(2) {
        for state in 0..MANY {
            let mut matcher = start(grammar);
            go(&mut matcher, state);
            masks.begin_step();
            let found = masks.row_of(&matcher).unwrap();
            assert_eq!(masks.row(found.row), fresh(&matcher, row_words));
        }
    }
}

/// Tables of another grammar hash, whose checksum is this one: the hash takes up the difference.
fn with_checksum(tables: Vec<u8>, checksum: u32) -> Vec<u8> {
    let with = |low: u32, high: u32| {
        let mut words = support::words(&tables);
        (words[header::GRAMMAR_HASH], words[header::GRAMMAR_HASH + 1]) = (low, high);
        support::seal(words)
    };
    let checksum_of = |hash: u64| {
        let sealed = with(hash as u32, (hash >> 32) as u32);
        support::words(&sealed)[header::CHECKSUM]
    };
    // A checksum is linear in the bits: those of the hash are chosen by elimination.
    let zero = checksum_of(0);
    let mut rest = checksum ^ zero;
    // By the highest bit: a difference of checksums, and the bits of the hash that make it.
    let mut basis = [(0u32, 0u64); 32];
    for bit in 0..64 {
        let (mut value, mut hash) = (checksum_of(1 << bit) ^ zero, 1u64 << bit);
        while value != 0 {
            let (other, bits) = &mut basis[value.ilog2() as usize];
            if *other == 0 {
                (*other, *bits) = (value, hash);
                break;
            }
            (value, hash) = (value ^ *other, hash ^ *bits);
        }
    }
    let mut chosen = 0;
    while rest != 0 {
        let (other, bits) = basis[rest.ilog2() as usize];
        assert_ne!(other, 0);
        (rest, chosen) = (rest ^ other, chosen ^ bits);
    }
    with(chosen as u32, (chosen >> 32) as u32)
}

#[test]
fn the_vocabulary_comes_with_the_other_tables() {
    let spec = many_masks(1_000, &mut Random(2));
    let (other, vocabulary) = (reversed(&spec).pack(), spec.pack_vocabulary());
    let other = Grammar::load(&other).unwrap();
    let attached = other
        .with_vocabulary(Vocabulary::load(&vocabulary).unwrap())
        .unwrap();
    let tables = sharing(&spec, &other).pack();
    assert!(
        Grammar::load_beside(&tables, &other)
            .unwrap()
            .vocabulary()
            .is_none()
    );
    assert!(
        Grammar::load_beside(&tables, &attached)
            .unwrap()
            .vocabulary()
            .is_some()
    );
}

#[test]
fn other_tables_are_refused() {
    let spec = many_masks(1_000, &mut Random(6));
    let other = reversed(&spec).pack();
    let other = Grammar::load(&other).unwrap();
    let sharing = sharing(&spec, &other);
    let tables = sharing.pack();
    let expected = other.checksum();
    let missing = LoadError::OtherTables {
        expected,
        found: None,
    };
    assert_eq!(Grammar::load(&tables).unwrap_err(), missing);
    assert!(missing.to_string().contains("load_beside"));

    let alone = spec.pack();
    let wrong = Grammar::load(&alone).unwrap();
    let found = Some(wrong.checksum());
    assert_eq!(
        Grammar::load_beside(&tables, &wrong).unwrap_err(),
        LoadError::OtherTables { expected, found }
    );

    // A set that is not there, and a plane that is no bitmap.
    let corrupt = |spec: &Spec| {
        let tables = spec.pack();
        matches!(
            Grammar::load_beside(&tables, &other),
            Err(LoadError::Corrupt {
                section: "sets",
                ..
            })
        )
    };
    let mut past = sharing.clone();
    past.sets[1] = Set::Shared(spec.sets.len() as u32);
    assert!(corrupt(&past));
    let mut plane = sharing.clone();
    plane.sets[17] = Set::Shared(spec.sets.len() as u32 - 1);
    assert!(corrupt(&plane));

    // Tables that share cannot be shared from: their sets are not there.
    let grammar = Grammar::load_beside(&tables, &other).unwrap();
    let mut twice = sharing.clone();
    twice.beside.1 = grammar.checksum();
    twice.sets[1] = Set::Shared(1);
    let twice = twice.pack();
    assert!(matches!(
        Grammar::load_beside(&twice, &grammar),
        Err(LoadError::Corrupt {
            section: "sets",
            ..
        })
    ));

    // Those of another vocabulary.
    let mut foreign = support::words(other.as_bytes());
    foreign[header::VOCABULARY_HASH] ^= 1;
    let foreign = support::seal(foreign);
    let foreign = Grammar::load(&foreign).unwrap();
    let mut beside = sharing.clone();
    beside.beside.1 = foreign.checksum();
    let beside = beside.pack();
    assert!(matches!(
        Grammar::load_beside(&beside, &foreign),
        Err(LoadError::OtherVocabulary { .. })
    ));
}
