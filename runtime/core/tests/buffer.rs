//! Masks kept from one token to the next are those that are written anew.

mod support;

use maskwright_core::{Grammar, MaskBuffer, MaskRow};
use support::{MANY, Random, fresh, go, many_masks, start};

#[test]
fn rows_hold_the_masks_that_they_were_updated_for() {
    let mut random = Random(77);
    let tables = [1_000, 70_000].map(|size| many_masks(size, &mut random).pack());
    let grammars = tables
        .each_ref()
        .map(|tables| Grammar::load(tables).unwrap());
    let starts = grammars.each_ref().map(|grammar| start(grammar));
    let row_words = grammars[1].mask_words() + 3;
    // What lies in the words before does not matter.
    let mut masks = MaskBuffer::new(
        vec![!0; 3 * row_words],
        vec![MaskRow::default(); 3],
        row_words,
    );
    let (mut same, mut few, mut other) = (0, 0, 0);
    let mut matchers = [starts[0], starts[1], starts[1]];
    for _ in 0..6_000 {
        let row = random.below(3);
        match random.below(12) {
            0 => matchers[row] = starts[random.below(2)],
            1..4 => {}
            _ => go(&mut matchers[row], random.below(MANY)),
        }
        let before = masks.row(row).to_vec();
        let has_changed = masks.update(row, &matchers[row]).unwrap();
        assert_eq!(masks.row(row), fresh(&matchers[row], row_words));
        assert!(has_changed || before == masks.row(row));
        match (has_changed, matchers[row].mask().count()) {
            (false, _) => same += 1,
            (true, ..=256) => few += 1,
            (true, _) => other += 1,
        }
    }
    assert!(
        same > 500 && few > 500 && other > 500,
        "{same} {few} {other}"
    );
}

#[test]
fn what_does_not_fit_is_not_written() {
    let tables = many_masks(1_000, &mut Random(3)).pack();
    let grammar = Grammar::load(&tables).unwrap();
    let matcher = start(&grammar);
    let needed = grammar.mask_words();
    let mut masks = MaskBuffer::new([7; 64], [MaskRow::default(); 2], needed);
    let missing = masks.update(2, &matcher).unwrap_err();
    assert_eq!((missing.needed, missing.found), (needed, 0));
    assert_eq!((masks.row(2), masks.words()), (&[][..], &[7; 64][..]));
    let mut masks = MaskBuffer::new([7; 64], [MaskRow::default(); 2], needed - 1);
    let short = masks.update(1, &matcher).unwrap_err();
    assert_eq!((short.needed, short.found), (needed, needed - 1));
    assert_eq!(masks.words(), [7; 64]);
    let mut none = MaskBuffer::new([0; 0], [MaskRow::default(); 1], 0);
    assert!(none.update(0, &matcher).is_err() && none.row(0).is_empty());
    let huge = MaskBuffer::new([0; 1], [MaskRow::default(); 9], usize::MAX).update(8, &matcher);
    assert!(huge.is_err());
}

#[test]
fn what_a_row_held_elsewhere_does_not_count() {
    let tables = many_masks(1_000, &mut Random(5)).pack();
    let grammar = Grammar::load(&tables).unwrap();
    let matcher = start(&grammar);
    let words = grammar.mask_words();
    let mut row = [MaskRow::default()];
    assert!(
        MaskBuffer::new(vec![0; words], &mut row[..], words)
            .update(0, &matcher)
            .unwrap()
    );
    let mut other = vec![!0; words];
    let mut masks = MaskBuffer::new(&mut other[..], &mut row[..], words);
    assert!(masks.update(0, &matcher).unwrap());
    assert_eq!(masks.row(0), fresh(&matcher, words));
}
