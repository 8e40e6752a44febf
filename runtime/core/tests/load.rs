//! Tables from anywhere: whatever is in them, loading and what follows it never panics.

mod support;

use maskwright_core::layout::{HEADER_WORDS, TableSection, header, vocabulary};
use maskwright_core::{Grammar, LoadError, Matcher, Vocabulary};
use support::{Random, Set, Spec, brackets, digits, returning, seal, splitting, words};

/// All kinds of sets and records in one.
fn everything() -> Spec {
    let mut spec = splitting();
    let bitmap = spec.sets.len() as u32;
    spec.sets.push(Set::Bitmap([0, 2, 5].into()));
    spec.sets
        .push(Set::Delta(bitmap, [1, 3].into(), [5].into()));
    spec.sets.push(Set::Reject([4].into()));
    spec.sets.push(Set::Bitmap([0, 1, 5].into()));
    let planes = vec![bitmap, bitmap + 3];
    spec.sets
        .push(Set::Levels(planes, 3, [2].into(), [5].into()));
    let all = [0, 1, 2, 4].map(|at| (bitmap + at, at as u8));
    let all = spec.node(&all, None);
    spec.states[1].mask = all;
    spec
}

/// Takes tokens at random and asks for everything.
fn exercise(grammar: &Grammar<'_>, is_checked: bool, random: &mut Random) {
    let Ok(mut matcher) = Matcher::<6, 2>::new(grammar) else {
        return;
    };
    let mut words = vec![0; grammar.mask_words()];
    let mut logits = vec![1.0; grammar.vocab_size() as usize];
    for _ in 0..8 {
        let mask = matcher.mask();
        mask.fill(&mut words).unwrap();
        let given = mask.iter().count();
        if is_checked {
            assert_eq!(mask.count(), given);
            assert!(mask.iter().all(|id| mask.contains(id)));
        }
        mask.apply(&mut logits);
        mask.argmax(&logits);
        matcher.forced_bytes(&mut [0; 8]);
        matcher.forced_tokens(&mut [0; 4]);
        let _ = matcher.accept_token(random.below(grammar.vocab_size() as usize + 1) as u32);
        let _ = matcher.accept_bytes(&[b"abc(x)"[random.below(6)]]);
    }
}

/// Loads the tables with each word changed in several ways, the checksum made right again.
fn mutate(spec: &Spec) -> (usize, usize) {
    let (tables, vocabulary) = (spec.pack(), spec.pack_vocabulary());
    let vocabulary = Vocabulary::load(&vocabulary).unwrap();
    let (mut loaded, mut refused) = (0, 0);
    let mut random = Random(77);
    let original = words(&tables);
    for at in 0..original.len() {
        let mut values = vec![
            0,
            1,
            original[at].wrapping_add(1),
            original[at].wrapping_sub(1),
            u32::MAX,
            !original[at],
        ];
        values.extend((0..32).map(|bit| original[at] ^ 1 << bit));
        for value in values {
            let mut changed = original.clone();
            changed[at] = value;
            let changed = seal(changed);
            match Grammar::load(&changed) {
                Err(_) => refused += 1,
                Ok(grammar) => {
                    loaded += 1;
                    exercise(&grammar, true, &mut random);
                    if let Ok(grammar) = grammar.with_vocabulary(vocabulary) {
                        exercise(&grammar, true, &mut random);
                    }
                }
            }
        }
    }
    (loaded, refused)
}

#[test]
fn changed_words_never_panic() {
    for spec in [brackets(), digits(), everything(), returning()] {
        let (loaded, refused) = mutate(&spec);
        assert!(
            loaded > 50 && refused > 1000,
            "{loaded} loaded, {refused} refused"
        );
    }
}

#[test]
fn unvalidated_tables_never_panic_either() {
    // What `from_static` trusts: only the header is checked.
    let tables = everything().pack();
    let original = words(&tables);
    let mut random = Random(5);
    for _ in 0..4000 {
        let mut changed = original.clone();
        for _ in 0..=random.below(3) {
            let at = HEADER_WORDS + random.below(changed.len() - HEADER_WORDS);
            changed[at] ^= 1 << random.below(32);
        }
        exercise(
            &Grammar::from_static(Vec::leak(seal(changed))),
            false,
            &mut random,
        );
    }
}

#[test]
fn cut_off_and_extended_tables_are_refused() {
    let tables = everything().pack();
    for len in 0..tables.len() {
        let error = Grammar::load(&tables[..len]).unwrap_err();
        if len >= 12 {
            assert_eq!(
                error,
                LoadError::Length {
                    expected: tables.len() as u64,
                    found: len as u64
                }
            );
        }
    }
    for more in 1..9 {
        let longer = [&tables[..], &vec![0; more]].concat();
        assert!(matches!(
            Grammar::load(&longer),
            Err(LoadError::Length { .. })
        ));
    }
}

#[test]
fn errors_say_what_and_where() {
    let spec = everything();
    let tables = spec.pack();
    let with = |at: usize, value: u32| {
        let mut changed = words(&tables);
        changed[at] = value;
        seal(changed)
    };
    assert_eq!(
        Grammar::load(b"PK\x03\x04").unwrap_err(),
        LoadError::Foreign {
            expected: "grammar"
        }
    );
    let vocabulary = spec.pack_vocabulary();
    assert_eq!(
        Grammar::load(&vocabulary).unwrap_err(),
        LoadError::Foreign {
            expected: "grammar"
        }
    );
    assert_eq!(
        Grammar::load(&with(header::VERSION, 99)).unwrap_err(),
        LoadError::Version { found: 99 }
    );
    let mut flipped = tables.clone();
    *flipped.last_mut().unwrap() ^= 1;
    assert!(matches!(
        Grammar::load(&flipped),
        Err(LoadError::Checksum { .. })
    ));
    let of = |section: TableSection, word: usize| {
        words(&tables)[header::SECTIONS + 2 * section as usize] as usize + word
    };
    let cases = [
        (header::START, 1000, "header", header::START),
        (of(TableSection::Classes, 3), 0x7f, "classes", 3),
        (of(TableSection::States, 2), 1 << 20, "states", 2),
        (of(TableSection::States, 3), 2, "states", 3),
        (header::STATES, 1, "header", header::STATES),
        (header::STATES, 1000, "header", header::STATES),
        (of(TableSection::Programs, 0), 0, "programs", 0),
        (of(TableSection::Masks, 2), 9999, "masks", 2),
        (of(TableSection::SetIndex, 1), 0, "set_index", 1),
        (of(TableSection::Sets, 0), 9, "sets", 0),
        (of(TableSection::Eos, 0), 8, "eos", 0),
    ];
    for (at, value, in_section, at_word) in cases {
        match Grammar::load(&with(at, value)) {
            Err(LoadError::Corrupt { section, word, .. }) => {
                assert_eq!((section, word), (in_section, at_word))
            }
            other => panic!("{in_section}: {other:?}"),
        }
    }
}

#[test]
fn coarse_maps_are_checked() {
    let tables = digits().pack();
    let at =
        |section: TableSection| words(&tables)[header::SECTIONS + 2 * section as usize] as usize;
    // A class that does not exist; a map that does not exist, in a row and in a parent.
    let cases = [
        (at(TableSection::Classes) + 65, 0xff, "classes", 65),
        (at(TableSection::States) + 2, 0xff00_0000, "states", 2),
        (at(TableSection::States) + 7, 0x0500_0000, "states", 7),
    ];
    for (at, bits, in_section, at_word) in cases {
        let mut changed = words(&tables);
        changed[at] |= bits;
        match Grammar::load(&seal(changed)) {
            Err(LoadError::Corrupt { section, word, .. }) => {
                assert_eq!((section, word), (in_section, at_word))
            }
            other => panic!("{in_section}: {other:?}"),
        }
    }
}

#[test]
fn vocabularies_are_checked() {
    let spec = brackets();
    let tables = spec.pack_vocabulary();
    let vocabulary = Vocabulary::load(&tables).unwrap();
    assert_eq!(vocabulary.size() as usize, spec.tokens.len());
    for (id, token) in spec.tokens.iter().enumerate() {
        assert_eq!(vocabulary.bytes(id as u32), token);
    }
    assert_eq!(vocabulary.bytes(u32::MAX), b"");
    for len in 0..tables.len() {
        Vocabulary::load(&tables[..len]).unwrap_err();
    }
    let original = words(&tables);
    for at in 0..original.len() {
        for bit in 0..32 {
            let mut changed = original.clone();
            changed[at] ^= 1 << bit;
            let changed = seal(changed);
            if let Ok(vocabulary) = Vocabulary::load(&changed) {
                (0..vocabulary.size())
                    .for_each(|id| assert!(vocabulary.bytes(id).len() <= changed.len()));
            }
        }
    }
    let mut other = original.clone();
    other[vocabulary::HASH] ^= 1;
    let other = seal(other);
    let grammar = spec.pack();
    let attached = Grammar::load(&grammar)
        .unwrap()
        .with_vocabulary(Vocabulary::load(&other).unwrap());
    assert!(matches!(attached, Err(LoadError::OtherVocabulary { .. })));
}

#[test]
fn large_vocabularies_have_blocks() {
    let mut random = Random(3);
    let token = |_| (0..random.below(40)).map(|i| i as u8).collect();
    let spec = Spec::new(b"x", (0..1000).map(token).collect(), vec![]);
    let tables = spec.pack_vocabulary();
    let vocabulary = Vocabulary::load(&tables).unwrap();
    assert!((0..1000).all(|id| vocabulary.bytes(id as u32) == spec.tokens[id]));
}
