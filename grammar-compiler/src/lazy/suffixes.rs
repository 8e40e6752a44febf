//! Walks over suffixes: where tokens leave a run whose suffixes are known.
//!
//! In: a run, and the suffixes of the tokens that leave runs of its kind. Out: the mask of these
//! tokens, and of those that stay in the run. What holds: each suffix is walked once for all
//! situations of the run from which it leads to the same.

use super::GaveUp;
use super::masks::Walk;
use super::runs::Run;
use super::situations::{DEAD, SituationId};
use super::vocabulary::Suffixes;

/// The situations of a run in classes. From all situations of a class, each byte that leaves the
/// run leads to the same situation.
#[derive(Default)]
pub(super) struct ExitClasses {
    /// The first situation of each class.
    firsts: Vec<SituationId>,
    /// The class of the situation after each number of steps.
    of_step: Vec<usize>,
}

impl Walk<'_> {
    /// Sorts the situations of a run by what the bytes that leave it lead to.
    pub(super) fn alike(&mut self, run: &Run, suffixes: &Suffixes) -> Result<ExitClasses, GaveUp> {
        let mut alike = ExitClasses::default();
        for step in 0..=run.last() {
            let row = *self.situations.row(run.after(step))?;
            let mut class = alike.firsts.len();
            for (at, &first) in alike.firsts.iter().enumerate() {
                let first = self.situations.row(first)?;
                let mut leaving = suffixes.leaving.iter().map(|&byte| usize::from(byte));
                if leaving.all(|byte| row[byte] == first[byte]) {
                    class = at;
                    break;
                }
            }
            if class == alike.firsts.len() {
                alike.firsts.push(run.after(step));
            }
            alike.of_step.push(class);
        }
        Ok(alike)
    }

    /// Allows the tokens that stay in a run, and those that leave it with a suffix that leads
    /// somewhere.
    pub(super) fn leave_by_suffixes(
        &mut self,
        run: &Run,
        suffixes: &Suffixes,
        alike: &ExitClasses,
    ) -> Result<(), GaveUp> {
        self.mask.copy_from_slice(&suffixes.inside);
        let nodes = &self.trie.nodes;
        if !run.is_endless() {
            // What goes on after the last step of the run is walked by itself.
            let beyond = run.known.exits.beyond(nodes, 0, run.length());
            let mut passed = Vec::new();
            (run.known.exits).along(nodes, 0, beyond, |node| passed.push(node));
            let end = run.after(run.length());
            let row = *self.situations.row(end)?;
            for node in passed {
                let here = &nodes[node];
                self.refuse(here.first, here.last);
                if row
                    .get(usize::from(here.symbol))
                    .is_some_and(|&to| to != DEAD)
                {
                    self.exit(node, end, &run.known.kind)?;
                }
            }
        }
        for (class, &first) in alike.firsts.iter().enumerate() {
            let mut pending = vec![(0, first)];
            while let Some((node, situation)) = pending.pop() {
                let row = self.situations.row(situation)?;
                for &(byte, child) in suffixes.trie.children(node) {
                    let to = row[usize::from(byte)];
                    if to == DEAD {
                        continue;
                    }
                    if !suffixes.trie.children(child).is_empty() {
                        pending.push((child, to));
                    }
                    let tokens = suffixes.trie.tokens(child).iter();
                    for &(id, _) in tokens.filter(|of| alike.is_in(class, of.1, run)) {
                        self.mask[id as usize / 32] |= 1 << (id % 32);
                    }
                }
            }
        }
        Ok(())
    }
}

impl ExitClasses {
    /// Whether a token that leaves a run after so many steps does so from a situation of a class.
    fn is_in(&self, class: usize, steps: u32, run: &Run) -> bool {
        let step = match run.is_endless() {
            true => steps.min(run.last()),
            false => steps,
        };
        self.of_step.get(step as usize) == Some(&class)
    }
}
