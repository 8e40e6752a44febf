//! A list of distinct members, in the order in which they were added.
//!
//! Most lists of a closure have a handful of members, which are compared one by one. In a grammar
//! whose rules begin with one another they have thousands, which are found by hash.

use std::ops::Deref;

use crate::maps::{IdSet, OwnKey};

/// Lists up to this long are searched member by member.
const SHORT: usize = 16;

/// Distinct members in the order in which they were added.
#[derive(Clone, Debug)]
pub struct Distinct<T: OwnKey> {
    list: Vec<T>,
    /// All members, once there are more than [`SHORT`].
    known: IdSet<T>,
}

impl<T: OwnKey> Default for Distinct<T> {
    fn default() -> Self {
        Distinct {
            list: Vec::new(),
            known: IdSet::default(),
        }
    }
}

impl<T: Copy + OwnKey> Distinct<T> {
    /// Adds a member, unless it is there already; returns whether it was added.
    pub fn insert(&mut self, member: T) -> bool {
        if self.list.len() < SHORT {
            if self.list.contains(&member) {
                return false;
            }
        } else {
            if self.known.is_empty() {
                self.known.extend(self.list.iter().copied());
            }
            if !self.known.insert(member) {
                return false;
            }
        }
        self.list.push(member);
        true
    }

    /// Takes all members out.
    pub fn clear(&mut self) {
        self.list.clear();
        if !self.known.is_empty() {
            self.known.clear();
        }
    }
}

impl<T: OwnKey> Deref for Distinct<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_distinct_and_in_order_however_many_there_are() {
        let mut distinct = Distinct::default();
        for _ in 0..2 {
            for count in [3u32, 16, 17, 40] {
                (0..count).for_each(|member| {
                    distinct.insert(member * 7 % 41);
                });
            }
            assert!(
                distinct
                    .iter()
                    .copied()
                    .eq((0..40).map(|member| member * 7 % 41))
            );
            distinct.clear();
            assert!(distinct.is_empty());
        }
    }
}
