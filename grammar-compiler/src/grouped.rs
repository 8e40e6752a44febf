//! Numbers by a number that they belong to.

/// For each of `0..count` the numbers that belong to it, all in one allocation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grouped {
    first: Vec<u32>,
    members: Vec<u32>,
}

impl Grouped {
    /// Pairs of a group, below `count`, and a member; members keep their order.
    pub(crate) fn new(count: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut first = vec![0; count + 1];
        (pairs.clone()).for_each(|(group, _)| first[group as usize + 1] += 1);
        for group in 0..count {
            first[group + 1] += first[group];
        }
        let mut members = vec![0; first[count] as usize];
        let mut next = first.clone();
        for (group, member) in pairs {
            let at = &mut next[group as usize];
            members[*at as usize] = member;
            *at += 1;
        }
        Grouped { first, members }
    }

    /// The members of a group.
    pub(crate) fn of(&self, group: u32) -> &[u32] {
        let group = group as usize;
        &self.members[self.first[group] as usize..self.first[group + 1] as usize]
    }
}
