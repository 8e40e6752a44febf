//! Partitions that are refined by marking elements and splitting the marked ones off.
//!
//! The largest part of a block that is split keeps its number, so an element gets another one at
//! most log n times, and only what refers to an element with another number need be looked at
//! again: Jacobs and Wißmann, *Fast Coalgebraic Bisimilarity Minimization* (2023), section 4.

use crate::csr::Csr;
use crate::intern::Sequences;
use std::ops::Range;

/// The coarsest partition, finer than that by `group`, in which the elements of a block have one
/// signature: the words that `sign` writes down, given the block of each element. `users` are for
/// each element those whose signatures it is in. Each round asks `go_on`.
pub(crate) fn coarsest<E>(
    group: &[u32],
    users: &Csr,
    mut sign: impl FnMut(u32, &[u32], &mut Vec<u32>),
    mut go_on: impl FnMut() -> Result<(), E>,
) -> Result<Vec<u32>, E> {
    let mut partition = Partition::new(group);
    partition.mark_all();
    let mut signatures = Sequences::with_capacity(partition.marked().count());
    let mut signature = vec![0; group.len()];
    let mut words = Vec::new();
    loop {
        go_on()?;
        for element in partition.marked() {
            words.clear();
            sign(element, &partition.of, &mut words);
            signature[element as usize] = signatures.intern(&words);
        }
        let moved = partition.split(&signature);
        if moved.is_empty() {
            return Ok(partition.of);
        }
        let users = moved.iter().flat_map(|&element| users.of(element));
        users.for_each(|&user| partition.mark(user));
    }
}

/// The elements by their group, those of a group ascending.
fn by_group(group: &[u32]) -> Vec<u32> {
    let elements = 0..group.len() as u32;
    match group.iter().max() {
        // Groups are mostly numbered one after the other.
        Some(&last) if (last as usize) < group.len() => {
            let pairs = group.iter().copied().zip(elements);
            Csr::new(group.len(), pairs).into_members()
        }
        _ => {
            let mut order: Vec<u32> = elements.collect();
            order.sort_unstable_by_key(|&element| (group[element as usize], element));
            order
        }
    }
}

/// A partition of `0..n`. A block that is split keeps its number for its largest part.
pub(crate) struct Partition {
    /// The block of each element.
    pub of: Vec<u32>,
    /// The elements, those of a block side by side, the marked ones first.
    order: Vec<u32>,
    /// Where in `order` each element is.
    place: Vec<u32>,
    blocks: Vec<BlockRange>,
    /// The blocks with marked elements.
    touched: Vec<u32>,
}

/// Where in the order a block is.
#[derive(Clone, Copy)]
struct BlockRange {
    first: u32,
    /// Past its marked elements.
    marked: u32,
    past: u32,
}

impl Partition {
    /// The elements by `group`.
    pub fn new(group: &[u32]) -> Self {
        let order = by_group(group);
        let mut partition = Partition {
            of: vec![0; group.len()],
            place: vec![0; group.len()],
            blocks: Vec::new(),
            touched: Vec::new(),
            order: Vec::new(),
        };
        let mut first = 0;
        for members in order.chunk_by(|&a, &b| group[a as usize] == group[b as usize]) {
            for (place, &element) in (first..).zip(members) {
                partition.place[element as usize] = place;
                partition.of[element as usize] = partition.blocks.len() as u32;
            }
            let past = first + members.len() as u32;
            let marked = first;
            partition.blocks.push(BlockRange {
                first,
                marked,
                past,
            });
            first = past;
        }
        partition.order = order;
        partition
    }

    /// Marks an element, unless it is alone in its block.
    pub fn mark(&mut self, element: u32) {
        let number = self.of[element as usize];
        let block = &mut self.blocks[number as usize];
        let (from, to) = (self.place[element as usize], block.marked);
        if from < to || block.past - block.first == 1 {
            return;
        }
        if to == block.first {
            self.touched.push(number);
        }
        block.marked += 1;
        let other = self.order[to as usize];
        self.order.swap(from as usize, to as usize);
        self.place[element as usize] = to;
        self.place[other as usize] = from;
    }

    /// Marks every element that is not alone.
    pub fn mark_all(&mut self) {
        (0..self.of.len() as u32).for_each(|element| self.mark(element));
    }

    /// The marked elements.
    pub fn marked(&self) -> impl Iterator<Item = u32> {
        let blocks = self.touched.iter().map(|&b| self.blocks[b as usize]);
        blocks
            .flat_map(|b| &self.order[b.first as usize..b.marked as usize])
            .copied()
    }

    /// Splits the marked elements of each block by `group`, and from the others; no element is
    /// marked then. Gives the elements whose block has another number now.
    pub fn split(&mut self, group: &[u32]) -> Vec<u32> {
        let mut moved = Vec::new();
        let mut parts = Vec::new();
        for number in std::mem::take(&mut self.touched) {
            self.parts(number, group, &mut parts);
            let largest = (0..parts.len()).max_by_key(|&part| parts[part].len());
            for (part, places) in parts.drain(..).enumerate() {
                let block = BlockRange {
                    first: places.start,
                    marked: places.start,
                    past: places.end,
                };
                if Some(part) == largest {
                    self.blocks[number as usize] = block;
                    continue;
                }
                let members = &self.order[places.start as usize..places.end as usize];
                for &element in members {
                    self.of[element as usize] = self.blocks.len() as u32;
                }
                moved.extend_from_slice(members);
                self.blocks.push(block);
            }
        }
        moved
    }

    /// Sorts the marked elements of a block by `group`; adds the places of each group, and of what
    /// is not marked.
    fn parts(&mut self, number: u32, group: &[u32], parts: &mut Vec<Range<u32>>) {
        let block = self.blocks[number as usize];
        let marked = &mut self.order[block.first as usize..block.marked as usize];
        marked.sort_unstable_by_key(|&element| (group[element as usize], element));
        for (place, &element) in (block.first..).zip(&*marked) {
            self.place[element as usize] = place;
        }
        let mut first = block.first;
        let groups = marked.chunk_by(|&a, &b| group[a as usize] == group[b as usize]);
        for size in groups.map(|members| members.len() as u32) {
            parts.push(first..first + size);
            first += size;
        }
        if first < block.past {
            parts.push(first..block.past);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::by_group;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn elements_are_in_the_order_of_their_groups(dense in proptest::collection::vec(0u32..8, 0..40), sparse in proptest::collection::vec(any::<u32>(), 0..40)) {
            for group in [dense, sparse] {
                let mut expected: Vec<u32> = (0..group.len() as u32).collect();
                expected.sort_by_key(|&element| group[element as usize]);
                prop_assert_eq!(by_group(&group), expected);
            }
        }
    }
}
