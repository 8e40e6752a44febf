//! Rows read back as the runtime reads them.

use maskwright_core::layout::edge;
use proptest::prelude::*;

use super::coarse::{self, Coarse};
use super::{Entry, class, overlay, parents};
use crate::intern::Sequences;
use crate::limits::{Deadline, Limits};
use crate::pda::Class;

/// Distinct rows as they are packed, and where they lie.
struct Packed {
    rows: Vec<Vec<Entry>>,
    own: Coarse,
    edges: Vec<u32>,
    bases: Vec<u32>,
}

fn pack(rows: &[Vec<Entry>], classes: Class) -> Packed {
    let mut distinct: Sequences<Entry> = Sequences::new();
    rows.iter().for_each(|row| {
        distinct.intern(row);
    });
    let rows: Vec<&[Entry]> = distinct.iter().collect();
    let deadline = Deadline::start(&Limits::default());
    let parents = parents::choose(&rows, &deadline).unwrap();
    let own = coarse::choose(&rows, &parents, classes);
    let (edges, bases) = overlay::overlay(&own.rows, &deadline).unwrap();
    let rows = rows.into_iter().map(<[Entry]>::to_vec).collect();
    Packed {
        rows,
        own,
        edges,
        bases,
    }
}

impl Packed {
    /// The payload of a class, read through the map of a row.
    fn entry(&self, row: usize, class: Class) -> Option<u32> {
        let map = self.own.rows[row].map.checked_sub(1);
        let class = map.map_or(u32::from(class), |map| {
            u32::from(self.own.maps[map][class as usize])
        });
        let entry = self.edges.get((self.bases[row] + class) as usize)?;
        (entry >> edge::CLASS_SHIFT == class).then_some(super::payload(*entry))
    }

    fn read(&self, row: usize, class: Class) -> Option<u32> {
        let parent = || {
            self.own.rows[row]
                .parent
                .and_then(|parent| self.entry(parent, class))
        };
        let payload = self.entry(row, class).or_else(parent);
        payload.filter(|&payload| payload != edge::REFUSE)
    }

    fn check(&self, classes: Class) {
        for (at, row) in self.rows.iter().enumerate() {
            for of in 0..classes {
                let entry = row.iter().find(|&&entry| class(entry) == of);
                let expected = entry.map(|&entry| super::payload(entry));
                assert_eq!(self.read(at, of), expected, "row {at}, class {of}");
            }
        }
    }
}

/// Rows whose classes come in groups that mostly have one payload.
fn rows(classes: Class) -> impl Strategy<Value = Vec<Vec<Entry>>> {
    let groups = prop::collection::vec(0..4u8, classes as usize);
    let row = move |groups: Vec<u8>| {
        let payloads = prop::array::uniform4(prop::option::of(0..6u32));
        let odd = prop::option::of((0..classes, 0..40u32));
        (payloads, odd).prop_map(move |(payloads, odd)| {
            let payload = |class: Class| match odd {
                Some((odd, payload)) if odd == class => Some(payload),
                _ => payloads[groups[class as usize] as usize],
            };
            let entry = |class| Some(edge::entry(class, payload(class)?));
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
    let row = |own: u32| -> Vec<Entry> {
        let digits = (10..20).map(|class| edge::entry(class, own));
        digits.chain([edge::entry(25, 1000 + own)]).collect()
    };
    let rows: Vec<_> = (0..50).map(row).collect();
    let packed = pack(&rows, 30);
    packed.check(30);
    assert_eq!(packed.own.maps.len(), 1);
    let entries: usize = packed.own.rows.iter().map(|row| row.entries.len()).sum();
    assert_eq!(entries, 2 * rows.len());
}
