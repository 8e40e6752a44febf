//! What uses what.

/// For each thing what uses it, in one allocation.
pub(super) struct Uses {
    first: Vec<u32>,
    users: Vec<u32>,
}

impl Uses {
    /// Pairs of what is used, below `count`, and its user.
    pub fn new(count: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut first = vec![0; count + 1];
        (pairs.clone()).for_each(|(used, _)| first[used as usize + 1] += 1);
        for used in 0..count {
            first[used + 1] += first[used];
        }
        let mut users = vec![0; first[count] as usize];
        let mut next = first.clone();
        for (used, user) in pairs {
            let at = &mut next[used as usize];
            users[*at as usize] = user;
            *at += 1;
        }
        Uses { first, users }
    }

    /// The users of `used`.
    pub fn of(&self, used: u32) -> &[u32] {
        let used = used as usize;
        &self.users[self.first[used] as usize..self.first[used + 1] as usize]
    }
}
