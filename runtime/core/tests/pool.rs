//! Rows of a pool hold the masks that they were handed out for, as long as the step lasts.

mod support;

use maskwright_core::{Grammar, MaskBuffer, MaskPool, MaskRow, PoolError, PoolSlot};
use support::{MANY, Random, fresh, go, many_masks, start};

#[test]
fn rows_hold_their_masks_until_the_next_step() {
    let mut random = Random(123);
    let tables = [1_000, 70_000].map(|size| many_masks(size, &mut random).pack());
    let grammars = tables
        .each_ref()
        .map(|tables| Grammar::load(tables).unwrap());
    let row_words = grammars[1].mask_words() + 2;
    // The fewest rows that suffice, in one group and in several, and many.
    for (sequences, rows) in [(1, 1), (5, 5), (30, 30), (9, 40)] {
        let (words, slots) = (vec![!0; rows * row_words], vec![PoolSlot::default(); rows]);
        let mut masks = MaskPool::new(words, slots, row_words);
        let of = |sequence: usize| start(&grammars[sequence % 2]);
        let mut batch: Vec<_> = (0..sequences).map(of).collect();
        let (mut there, mut new) = (0, 0);
        for step in 0..300 {
            masks.begin_step();
            let mut handed_out = Vec::new();
            for (sequence, matcher) in batch.iter_mut().enumerate() {
                if step == 150 {
                    *matcher = of(sequence + 1);
                }
                go(matcher, random.below(if step % 3 == 0 { MANY } else { 6 }));
                let before = masks.words().to_vec();
                let found = masks.row_of(matcher).unwrap();
                let mask = fresh(matcher, row_words);
                assert!(found.row < rows);
                assert_eq!(masks.row(found.row), mask);
                let is_same = before[found.row * row_words..][..row_words] == mask;
                assert!(found.is_new || is_same);
                handed_out.push((found.row, mask));
                *(if found.is_new { &mut new } else { &mut there }) += 1;
            }
            for (row, mask) in handed_out {
                assert_eq!(masks.row(row), mask);
            }
        }
        assert!(new > 20 && there > 20, "{rows} rows: {there} {new}");
    }
}

#[test]
fn equal_masks_are_one_row_and_masks_come_again() {
    let tables = many_masks(1_000, &mut Random(5)).pack();
    let grammar = Grammar::load(&tables).unwrap();
    let row_words = grammar.mask_words();
    let (words, slots) = (vec![0; 256 * row_words], vec![PoolSlot::default(); 256]);
    let mut masks = MaskPool::new(words, slots, row_words);
    let mut rows = Vec::new();
    for step in 0..5 {
        masks.begin_step();
        for (state, sequence) in (0..MANY).flat_map(|state| [(state, 0), (state, 1)]) {
            let mut matcher = start(&grammar);
            go(&mut matcher, state);
            let found = masks.row_of(&matcher).unwrap();
            // A mask of more than 24 sets is never known again.
            let is_known = state % 5 != 4 || state == 4;
            assert!(!is_known || !found.is_new || (step, sequence) == (0, 0));
            if (step, sequence) == (0, 0) {
                rows.push(found.row);
            }
            assert!(!is_known || found.row == rows[state]);
        }
    }
}

#[test]
fn masks_of_few_tokens_make_room_first() {
    let tables = many_masks(1_000, &mut Random(5)).pack();
    let grammar = Grammar::load(&tables).unwrap();
    let row_words = grammar.mask_words();
    let at = |state| {
        let mut matcher = start(&grammar);
        go(&mut matcher, state);
        matcher
    };
    // Of three lists of about forty tokens at most, or of one set of hundreds at least.
    let few: Vec<_> = (0..MANY).filter(|state| state % 5 < 3).map(at).collect();
    let many = (3..MANY).step_by(5).map(at);
    let many: Vec<_> = many
        .filter(|matcher| matcher.mask().count() > 256)
        .collect();
    assert!(few.len() > 8 && (2..8).contains(&many.len()));
    let (words, slots) = (vec![0; 8 * row_words], [PoolSlot::default(); 8]);
    let mut masks = MaskPool::new(words, slots, row_words);
    for round in 0..3 {
        for matcher in many.iter().chain(&few) {
            masks.begin_step();
            let found = masks.row_of(matcher).unwrap();
            assert_eq!(masks.row(found.row), fresh(matcher, row_words));
            let is_many = matcher.mask().count() > 256;
            assert!(!is_many || found.is_new == (round == 0));
        }
    }
    // But not for ever.
    for matcher in few.iter().cycle().take(1_500) {
        masks.begin_step();
        masks.row_of(matcher).unwrap();
    }
    masks.begin_step();
    assert!(
        many.iter()
            .any(|matcher| masks.row_of(matcher).unwrap().is_new)
    );
}

#[test]
fn copies_of_a_grammar_share_rows_and_others_never_do() {
    let row_words = 1_000usize.div_ceil(32);
    let (words, slots) = (vec![0; 64 * row_words], vec![PoolSlot::default(); 64]);
    let mut masks = MaskPool::new(words, slots, row_words);
    let mut buffer = MaskBuffer::new(vec![0; row_words], [MaskRow::default()], row_words);
    let specs: Vec<_> = (0..4)
        .map(|seed| many_masks(1_000, &mut Random(seed + 1)))
        .collect();
    let mut random = Random(7);
    let (mut there, mut written) = (0, 0);
    for _ in 0..400 {
        // Loaded where the last one was dropped, most likely: an address tells nothing.
        let tables = specs[random.below(specs.len())].pack();
        let grammar = Grammar::load(&tables).unwrap();
        let copy = grammar;
        masks.begin_step();
        let mut matcher = start(&grammar);
        go(&mut matcher, random.below(6));
        let found = masks.row_of(&matcher).unwrap();
        assert_eq!(masks.row(found.row), fresh(&matcher, row_words));
        *(if found.is_new {
            &mut written
        } else {
            &mut there
        }) += 1;
        let again = matcher.state();
        let again = masks.row_of_mask(again.mask(&copy).unwrap()).unwrap();
        // A mask of more than 24 sets is never known again.
        assert!(!again.is_new || matcher.mask().count() > 0 && found.is_new);
        buffer.update(0, &matcher).unwrap();
        assert_eq!(buffer.row(0), fresh(&matcher, row_words));
        assert!(again.is_new || !buffer.update_with(0, matcher.mask()).unwrap());
    }
    assert!(there > 200 && written > 10, "{there} {written}");
}

#[test]
fn a_pool_says_when_it_is_full_or_too_small() {
    let tables = many_masks(1_000, &mut Random(8)).pack();
    let grammar = Grammar::load(&tables).unwrap();
    let needed = grammar.mask_words();
    let mut masks = MaskPool::new(vec![7; 2 * needed + 3], [PoolSlot::default(); 9], needed);
    masks.begin_step();
    let matchers = [0, 1, 2].map(|state| {
        let mut matcher = start(&grammar);
        go(&mut matcher, state);
        matcher
    });
    let rows = [0, 1].map(|at| masks.row_of(&matchers[at]).unwrap().row);
    assert_eq!(masks.row_of(&matchers[2]), Err(PoolError::Full { rows: 2 }));
    // What is there is still handed out, and the next step takes up what is not.
    assert_eq!(masks.row_of(&matchers[1]).unwrap().row, rows[1]);
    masks.begin_step();
    assert_eq!(masks.row_of(&matchers[1]).unwrap().row, rows[1]);
    assert_eq!(masks.row_of(&matchers[2]).unwrap().row, rows[0]);
    assert_eq!(masks.row(rows[0]), fresh(&matchers[2], needed));
    let (words, slots) = (vec![7; 64], [PoolSlot::default(); 2]);
    let mut short = MaskPool::new(words, slots, needed - 1);
    let error = short.row_of(&matchers[0]).unwrap_err();
    assert!(
        matches!(error, PoolError::RowTooShort(size) if size.needed == needed && size.found == needed - 1)
    );
    assert_eq!(short.words(), [7; 64]);
    for row_words in [needed, usize::MAX] {
        let mut none = MaskPool::new([0; 0], [PoolSlot::default(); 4], row_words);
        assert_eq!(none.row_of(&matchers[0]), Err(PoolError::Full { rows: 0 }));
        assert!(none.row(0).is_empty());
    }
}

#[test]
fn copies_are_the_masks_whatever_the_row_held() {
    let mut random = Random(31);
    let tables: Vec<_> = (0..3)
        .map(|seed| many_masks(1_000, &mut Random(seed + 40)).pack())
        .collect();
    let grammars: Vec<_> = tables
        .iter()
        .map(|tables| Grammar::load(tables).unwrap())
        .collect();
    let needed = grammars[0].mask_words();
    // No rows, too few, as many as a group has, and enough; then rows that are too short for the
    // masks, and longer ones.
    let sizes = [
        (0, needed),
        (1, needed),
        (8, needed),
        (96, needed),
        (96, needed - 1),
        (40, needed + 5),
    ];
    for (rows, row_words) in sizes {
        let (words, slots) = (vec![!0; rows * row_words], vec![PoolSlot::default(); rows]);
        let mut masks = MaskPool::new(words, slots, row_words);
        for width in [needed, needed + 3] {
            for step in 0..300 {
                let at = random.below(grammars.len());
                let mut matcher = start(&grammars[at]);
                go(&mut matcher, random.below(MANY));
                let mut row = vec![if step % 2 == 0 { !0 } else { 0x5A5A_5A5A }; width];
                masks.copy_to(matcher.mask(), at as u64, &mut row).unwrap();
                assert_eq!(row, fresh(&matcher, width), "{rows} rows of {row_words}");
            }
        }
        let matcher = start(&grammars[0]);
        let mut short = vec![9; needed - 1];
        let error = masks.copy_to(matcher.mask(), 0, &mut short).unwrap_err();
        assert_eq!((error.needed, error.found), (needed, needed - 1));
        assert!(short.iter().all(|&word| word == 9));
    }
}

#[test]
fn grammars_of_different_owners_share_no_copies() {
    // Two grammars whose sets have the same numbers, and other tokens.
    let specs = [61, 62].map(|seed| many_masks(1_000, &mut Random(seed)).pack());
    let grammars = specs
        .each_ref()
        .map(|tables| Grammar::load(tables).unwrap());
    let needed = grammars[0].mask_words();
    let (words, slots) = (vec![0; 16 * needed], vec![PoolSlot::default(); 16]);
    let mut masks = MaskPool::new(words, slots, needed);
    let mut differ = 0;
    for state in 0..MANY {
        let rows = [0, 1].map(|at| {
            let mut matcher = start(&grammars[at]);
            go(&mut matcher, state);
            let mut row = vec![0; needed];
            masks.copy_to(matcher.mask(), at as u64, &mut row).unwrap();
            assert_eq!(row, fresh(&matcher, needed));
            row
        });
        differ += usize::from(rows[0] != rows[1]);
    }
    assert!(differ > 3);
}
