//! Which bytes a state cannot tell apart.

use super::Determinizer;
use crate::error::Error;
use std::collections::{HashMap, HashSet};

/// Bytes in classes, numbered in the order of their first bytes.
pub(super) struct Letters {
    /// The class of each byte.
    classes: Vec<usize>,
    /// The first byte of each class.
    pub(super) first_bytes: Vec<u8>,
}

impl Letters {
    /// The neighbouring bytes of one class, with that.
    pub(super) fn runs(&self) -> impl Iterator<Item = (u8, u8, usize)> {
        let bytes: Vec<(u8, usize)> = (0..=u8::MAX).zip(self.classes.iter().copied()).collect();
        let runs: Vec<_> = bytes
            .chunk_by(|a, b| a.1 == b.1)
            .filter_map(|run| Some((run.first()?.0, run.last()?.0, run.first()?.1)))
            .collect();
        runs.into_iter()
    }

    /// Tells bytes apart that lead to different targets.
    fn refine(&mut self, next: &[(u8, u8, u32)]) {
        let mut known: HashMap<(usize, Option<u32>), usize> = HashMap::new();
        self.first_bytes.clear();
        let mut ranges = next.iter().peekable();
        for (byte, class) in (0..=u8::MAX).zip(&mut self.classes) {
            while ranges.next_if(|&&(_, high, _)| high < byte).is_some() {}
            let target = ranges
                .peek()
                .filter(|&&&(low, ..)| low <= byte)
                .map(|&&(.., to)| to);
            let count = known.len();
            let new = *known.entry((*class, target)).or_insert(count);
            if new == count {
                self.first_bytes.push(byte);
            }
            *class = new;
        }
    }
}

impl Determinizer<'_, '_, '_> {
    /// The classes of bytes that no thread in these sets, and in what they need, tells apart.
    pub(super) fn letters(&mut self, sets: &[u32]) -> Result<Letters, Error> {
        let mut sets = sets.to_vec();
        let mut seen: HashSet<u32> = HashSet::new();
        let mut leaves: Vec<u32> = Vec::new();
        while let Some(set) = sets.pop() {
            if !seen.insert(set) {
                continue;
            }
            let branches = self.formulas.branches(set);
            self.budget.work(branches.len())?;
            for branch in branches.iter() {
                let needs = self.formulas.needs(branch.needs);
                sets.extend(needs.iter().map(|need| need.set));
                if !branch.is_accepted() {
                    leaves.push(branch.leaf);
                }
            }
        }
        leaves.sort_unstable();
        leaves.dedup();
        let mut letters = Letters {
            classes: vec![0; 256],
            first_bytes: vec![0],
        };
        for leaf in leaves {
            self.budget.work(64)?;
            letters.refine(&self.program.leaves.states[leaf as usize].next);
        }
        Ok(letters)
    }
}
