//! Rows read back as the runtime reads them.

use proptest::prelude::*;

use super::entries::{REFUSE, RowEntry, class, entry, target};
use super::meta_classes::{self, MetaClasses};
use super::{overlay, parents};
use crate::intern::Sequences;
use crate::limits::{Deadline, Limits};
use crate::pda::Class;

/// Distinct rows as they are packed, and where they lie.
struct PackedRows {
    rows: Vec<Vec<RowEntry>>,
    own: MetaClasses,
    edges: Vec<RowEntry>,
    bases: Vec<u32>,
}

fn pack(rows: &[Vec<RowEntry>], classes: Class) -> PackedRows {
    let mut distinct: Sequences<RowEntry> = Sequences::new();
    rows.iter().for_each(|row| {
        distinct.intern(row);
    });
    let rows: Vec<&[RowEntry]> = distinct.iter().collect();
    let deadline = Deadline::start(&Limits::default());
    let parents = parents::choose(&rows, &deadline).unwrap();
    let own = meta_classes::choose(&rows, &parents, classes, &deadline).unwrap();
    let (edges, bases) = overlay::overlay(&own.rows, &deadline).unwrap();
    let rows = rows.into_iter().map(<[RowEntry]>::to_vec).collect();
    PackedRows {
        rows,
        own,
        edges,
        bases,
    }
}

impl PackedRows {
    /// The target of a class, read through the map of a row.
    fn entry(&self, row: usize, of: Class) -> Option<u32> {
        let map = self.own.rows[row].map.checked_sub(1);
        let meta_class = map.map_or(of, |map| Class::from(self.own.maps[map][of as usize]));
        let place = self.bases[row] as usize + usize::from(meta_class);
        let &entry = self.edges.get(place)?;
        (class(entry) == meta_class).then_some(target(entry))
    }

    fn read(&self, row: usize, class: Class) -> Option<u32> {
        let parent = || {
            self.own.rows[row]
                .parent
                .and_then(|parent| self.entry(parent, class))
        };
        let target = self.entry(row, class).or_else(parent);
        target.filter(|&target| target != REFUSE)
    }

    fn check(&self, classes: Class) {
        for (at, row) in self.rows.iter().enumerate() {
            for of in 0..classes {
                let entry = row.iter().find(|&&entry| class(entry) == of);
                let expected = entry.map(|&entry| target(entry));
                assert_eq!(self.read(at, of), expected, "row {at}, class {of}");
            }
        }
    }
}

/// Rows whose classes come in groups that mostly have one target.
fn rows(classes: Class) -> impl Strategy<Value = Vec<Vec<RowEntry>>> {
    let groups = prop::collection::vec(0..4u8, classes as usize);
    let row = move |groups: Vec<u8>| {
        let targets = prop::array::uniform4(prop::option::of(1..7u32));
        let odd = prop::option::of((0..classes, 1..40u32));
        (targets, odd).prop_map(move |(targets, odd)| {
            let target = |class: Class| match odd {
                Some((odd, target)) if odd == class => Some(target),
                _ => targets[groups[class as usize] as usize],
            };
            let entry = |class| Some(entry(class, target(class)?));
            (0..classes).filter_map(entry).collect()
        })
    };
    let rows = move |groups| prop::collection::vec(row(groups), 1..60);
    prop::collection::vec(groups.prop_flat_map(rows), 1..4).prop_map(|rows| rows.concat())
}

proptest! {
    #[test]
    fn rows_answer_as_before(rows in rows(23)) {
        pack(&rows, 23).check(23);
    }

    #[test]
    fn rows_of_all_classes_answer_as_before(rows in rows(257)) {
        let packed = pack(&rows, 257);
        prop_assert!(packed.own.maps.is_empty());
        packed.check(257);
    }
}

#[test]
fn classes_that_rows_do_not_tell_apart_are_one() {
    // Ten digits go on to the row's own state; what follows differs from row to row.
    let row = |own: u32| -> Vec<RowEntry> {
        let digits = (10..20).map(|class| entry(class, own));
        digits.chain([entry(25, 1000 + own)]).collect()
    };
    let rows: Vec<_> = (1..51).map(row).collect();
    let packed = pack(&rows, 30);
    packed.check(30);
    assert_eq!(packed.own.maps.len(), 1);
    let entries: usize = packed.own.rows.iter().map(|row| row.entries.len()).sum();
    assert_eq!(entries, 2 * rows.len());
}
