//! CSR adjacency (compressed sparse row): members by group.

/// For each group of `0..count` its members, all in one allocation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Csr<T = u32> {
    first: Vec<u32>,
    members: Vec<T>,
}

impl<T: Copy + Default> Csr<T> {
    /// Pairs of a group, below `count`, and a member; members keep their order.
    pub(crate) fn new(count: usize, pairs: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        // `first[group + 2]` counts the members, then becomes the place of the first one. Filling
        // moves it to `first[group + 1]`.
        let mut first = vec![0; count + 2];
        (pairs.clone()).for_each(|(group, _)| first[group as usize + 2] += 1);
        for at in 2..first.len() {
            first[at] += first[at - 1];
        }
        let mut members = vec![T::default(); first[count + 1] as usize];
        pairs.for_each(|(group, member)| {
            let next = &mut first[group as usize + 1];
            members[*next as usize] = member;
            *next += 1;
        });
        Csr { first, members }
    }

    /// The members of all groups, one group after the other.
    pub(crate) fn into_members(self) -> Vec<T> {
        self.members
    }

    /// The members of a group.
    pub(crate) fn of(&self, group: u32) -> &[T] {
        let group = group as usize;
        &self.members[self.first[group] as usize..self.first[group + 1] as usize]
    }
}
