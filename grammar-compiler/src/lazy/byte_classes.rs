//! Classes of bytes: which threads each byte leads to from a situation.
//!
//! In: threads, each with its edges. Out: [`ByteClasses`]: the bytes in classes that no edge tells
//! apart, and the threads that the bytes of each class lead to. What holds: neighbouring classes
//! may lead to the same threads, as where an edge lies beside another to the same position.

use super::GaveUp;
use super::rules::Rules;
use super::thread::Thread;

/// Classes of bytes that no edge of a situation tells apart, and the threads that the bytes of each
/// class lead to.
#[derive(Clone, Debug, Default)]
pub(super) struct ByteClasses {
    /// The first byte of each class, ascending.
    pub(super) firsts: Vec<u16>,
    /// The threads of each class; behind those of the last class lie lists that are not in use.
    pub(super) targets: Vec<Vec<Thread>>,
}

impl ByteClasses {
    /// Sorts the bytes into classes that no edge of `threads`, all of which can take bytes, tells
    /// apart, and finds the threads that each class leads to.
    ///
    /// # Errors
    /// If the step has too much work.
    pub(super) fn cut(&mut self, threads: &[Thread], rules: &mut Rules) -> Result<(), GaveUp> {
        // A bit for each byte at which a class begins.
        let mut begins = [1_u64, 0, 0, 0];
        let edges = threads.iter().map(|thread| rules.bytes(thread.at).len());
        let edges = edges.sum();
        rules.work.spend(edges)?;
        let mut begin = |byte: u8| begins[usize::from(byte / 64)] |= 1 << (byte % 64);
        for &(low, high, _) in threads.iter().flat_map(|thread| rules.bytes(thread.at)) {
            begin(low);
            if let Some(past) = high.checked_add(1) {
                begin(past);
            }
        }
        self.firsts.clear();
        for (from, mut left) in (0..).step_by(64).zip(begins) {
            while left != 0 {
                self.firsts.push(from + left.trailing_zeros() as u16);
                left &= left - 1;
            }
        }
        let mut of_byte = [0_u8; 256];
        for (class, &first) in self.firsts.iter().enumerate() {
            of_byte[usize::from(first)..].fill(class as u8);
        }
        let classes = self.firsts.len();
        if self.targets.len() < classes {
            self.targets.resize(classes, Vec::new());
        }
        self.targets[..classes].iter_mut().for_each(Vec::clear);
        let edges = threads.iter().flat_map(|thread| rules.bytes(thread.at));
        let spans = edges.map(|&(low, high, _)| classes.min(usize::from(high - low) + 1));
        let spans = spans.sum();
        rules.work.spend(spans)?;
        for &Thread { at, stack } in threads {
            for &(low, high, to) in rules.bytes(at) {
                let [first, last] = [low, high].map(|byte| usize::from(of_byte[usize::from(byte)]));
                let target = Thread { at: to, stack };
                self.targets[first..=last]
                    .iter_mut()
                    .for_each(|part| part.push(target));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Rules;
    use crate::bits::Bits;
    use crate::grammar::{Expr, Grammar, Rule, RuleId};
    use crate::lazy::situations::{DEAD, Situations};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// A byte of one of these ranges and then its letter.
    fn grammar(ranges: &[(u8, u8, char)]) -> Grammar {
        let part = |&(low, high, letter): &(u8, u8, char)| {
            let range = Expr::Bytes(vec![(low, high)]);
            Expr::Seq(vec![range, Expr::Literal(letter.into())])
        };
        let root = Rule {
            name: "root".into(),
            expr: Expr::Alt(ranges.iter().map(part).collect()),
            span: Default::default(),
            places: Vec::new(),
        };
        Grammar::new(vec![root], RuleId(0))
    }

    /// Compares the letters that may follow each byte with those of the ranges that have it.
    fn check(ranges: &[(u8, u8, char)]) {
        let rules = Rules::new(grammar(ranges).into(), Bits::default()).unwrap();
        let (mut situations, start) = Situations::new(rules).unwrap();
        for byte in 0..=u8::MAX {
            let has = |of: &&(u8, u8, char)| (of.0..=of.1).contains(&byte);
            let expected = ranges.iter().filter(has).map(|of| of.2 as usize);
            let expected: BTreeSet<usize> = expected.collect();
            let to = situations.row(start).unwrap()[usize::from(byte)];
            let found: BTreeSet<usize> = match to {
                DEAD => BTreeSet::new(),
                to => {
                    let row = situations.row(to).unwrap();
                    (0..256).filter(|&next| row[next] != DEAD).collect()
                }
            };
            assert_eq!(found, expected, "{byte}");
        }
    }

    #[test]
    fn each_byte_may_be_a_class() {
        let ranges = (0..=u8::MAX).map(|byte| (byte, byte, char::from(b'a' + byte % 3)));
        check(&ranges.collect::<Vec<_>>());
    }

    proptest! {
        #[test]
        fn bytes_lead_where_their_edges_do(
            ranges in proptest::collection::vec((any::<u8>(), any::<u8>(), 0..5_u8), 1..9),
        ) {
            let ranges = ranges.into_iter();
            let ranges = ranges.map(|(a, b, nth)| (a.min(b), a.max(b), char::from(b'a' + nth)));
            check(&ranges.collect::<Vec<_>>());
        }
    }
}
