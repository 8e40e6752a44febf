//! The letters of a pattern: characters that all of its classes treat alike.

use crate::syntax::json_schema::strings::bounds::{Budget, LanguageError};
use crate::syntax::json_schema::strings::class::{self, CharEdge};
use crate::syntax::json_schema::strings::determinize::pieces;
use crate::syntax::json_schema::strings::intern::SequenceInterner;

/// The letters, numbered.
pub(super) struct Alphabet {
    /// Of each letter, the classes that it is in, sorted.
    letters: Vec<Vec<u32>>,
    /// Of each class, its letters, sorted.
    classes: Vec<Vec<u32>>,
    /// Of each letter, its characters.
    ranges: Vec<Vec<(char, char)>>,
}

impl Alphabet {
    pub(super) fn new(
        classes: &[Vec<(char, char)>],
        budget: &mut Budget<'_>,
    ) -> Result<Alphabet, LanguageError> {
        let edges: Vec<CharEdge> = ((0u32..).zip(classes))
            .flat_map(|(class, ranges)| ranges.iter().map(move |&(l, h)| (l, h, class)))
            .collect();
        let mut numbers = SequenceInterner::new();
        let mut pieces: Vec<CharEdge> = (pieces(&edges, budget)?.into_iter())
            .map(|(low, high, classes)| (low, high, numbers.number(classes).0))
            .collect();
        pieces.extend(class::gaps(&pieces, numbers.number(Vec::new()).0));
        let mut alphabet = Alphabet {
            letters: Vec::new(),
            classes: vec![Vec::new(); classes.len()],
            ranges: Vec::new(),
        };
        while let Some(classes) = numbers.get(alphabet.letters.len() as u32) {
            let letter = alphabet.letters.len() as u32;
            let members = |&class: &u32| alphabet.classes[class as usize].push(letter);
            classes.iter().for_each(members);
            alphabet.letters.push(classes.to_vec());
            alphabet.ranges.push(Vec::new());
        }
        for (low, high, letter) in pieces {
            alphabet.ranges[letter as usize].push((low, high));
        }
        Ok(alphabet)
    }

    /// Whether a letter is in a class.
    pub(super) fn has(&self, letter: u32, class: u32) -> bool {
        self.letters[letter as usize].binary_search(&class).is_ok()
    }

    /// The letters in groups, each sorted: those in the same of these classes are in one.
    pub(super) fn groups(
        &self,
        classes: &[u32],
        budget: &mut Budget<'_>,
    ) -> Result<Vec<Vec<u32>>, LanguageError> {
        let mut group_of = vec![0usize; self.letters.len()];
        let mut count = 1;
        for &class in classes {
            let members = &self.classes[class as usize];
            budget.work(members.len() / 4 + 1)?;
            let mut part_of = vec![None; count];
            for &letter in members {
                let group = &mut group_of[letter as usize];
                *group = *part_of[*group].get_or_insert_with(|| {
                    count += 1;
                    count - 1
                });
            }
        }
        budget.work(group_of.len() / 4 + 1)?;
        let mut groups = vec![Vec::new(); count];
        for (letter, &group) in (0..).zip(&group_of) {
            groups[group].push(letter);
        }
        groups.retain(|group| !group.is_empty());
        groups.sort_unstable();
        Ok(groups)
    }

    /// The edges where groups of letters lead to their targets.
    pub(super) fn edges(
        &self,
        targets: &[(Vec<u32>, u32)],
        budget: &mut Budget<'_>,
    ) -> Result<Vec<CharEdge>, LanguageError> {
        let mut all: Vec<CharEdge> = Vec::new();
        for (group, to) in targets {
            for &letter in group {
                let ranges = &self.ranges[letter as usize];
                budget.work(ranges.len())?;
                all.extend(ranges.iter().map(|&(low, high)| (low, high, *to)));
            }
        }
        all.sort();
        let mut edges = Vec::new();
        all.into_iter()
            .for_each(|edge| class::push(&mut edges, edge));
        Ok(edges)
    }
}
