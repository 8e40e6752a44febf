//! Tokens of the vocabulary that a Lark grammar names.
//!
//! In: a [`Token`] as it is written. Out: the set of its ids. What holds: all uses of sets together
//! have a bound, since a range of a few characters may be the whole vocabulary, and later stages
//! look at each id of each use.

use maskwright_lark::grammar::Token;

use super::DOING;
use crate::error::Diagnostic;
use crate::grammar::TokenSet;
use crate::limits::{Deadline, LimitExceeded};
use crate::maps::KeyedMap;
use crate::vocabulary::{TokenNameError, TokenNames};

/// Ids that all uses of sets together may have.
const MOST_IDS: usize = 1 << 23;

/// Ranges of ids: both ends are in them.
type Ranges = Vec<(u32, u32)>;

/// The sets that a grammar has named so far.
pub(super) struct TokenSets<'a> {
    names: &'a TokenNames,
    deadline: &'a Deadline,
    /// The ids of each token that was named by its text: looking one up takes long.
    by_name: KeyedMap<String, u32>,
    /// The set of each list of ranges, and of all but those.
    by_ranges: KeyedMap<(bool, Ranges), TokenSet>,
    ids_left: usize,
}

impl<'a> TokenSets<'a> {
    pub(super) fn new(names: &'a TokenNames, deadline: &'a Deadline) -> Self {
        TokenSets {
            names,
            deadline,
            by_name: KeyedMap::default(),
            by_ranges: KeyedMap::default(),
            ids_left: MOST_IDS,
        }
    }

    /// The set without tokens.
    pub(super) fn none() -> TokenSet {
        TokenSet::of([])
    }

    /// The tokens that are meant, or why there are none such.
    ///
    /// # Errors
    ///
    /// If a limit is passed.
    pub(super) fn set(
        &mut self,
        token: &Token,
    ) -> Result<Result<TokenSet, Diagnostic>, LimitExceeded> {
        Ok(match token {
            Token::Named(name) => self.named(name)?,
            Token::Ids(ranges) => self.ranges(ranges, false)?,
            Token::NotIds(ranges) => self.ranges(ranges, true)?,
            Token::Any => Ok(TokenSet::all_but([])),
        })
    }

    fn named(&mut self, name: &str) -> Result<Result<TokenSet, Diagnostic>, LimitExceeded> {
        if let Some(&id) = self.by_name.get(name) {
            return Ok(Ok(TokenSet::of([id])));
        }
        // All tokens of the vocabulary may be looked at.
        self.deadline.check(DOING)?;
        Ok(match self.names.by_name(name) {
            Ok(id) => {
                self.by_name.insert(name.to_owned(), id);
                Ok(TokenSet::of([id]))
            }
            Err(error) => Err(refused(&error)),
        })
    }

    fn ranges(
        &mut self,
        ranges: &[(u32, u32)],
        all_but: bool,
    ) -> Result<Result<TokenSet, Diagnostic>, LimitExceeded> {
        self.deadline.ticks(ranges.len(), DOING)?;
        let ranges = joined(ranges);
        if let Some(&(_, last)) = ranges.last()
            && let Err(error) = self.names.by_id(last)
        {
            return Ok(Err(refused(&error)));
        }
        let count = |&(first, last): &(u32, u32)| last as usize - first as usize + 1;
        let count: usize = ranges.iter().map(count).sum();
        self.deadline.ticks(count, DOING)?;
        let left = self.ids_left.checked_sub(count);
        self.ids_left = left.ok_or_else(|| {
            LimitExceeded::new(
                "tokens",
                MOST_IDS,
                "the sets of tokens that the grammar names are too large together",
            )
        })?;
        let key = (all_but, ranges);
        if let Some(known) = self.by_ranges.get(&key) {
            return Ok(Ok(known.clone()));
        }
        let ids = key.1.iter().flat_map(|&(first, last)| first..=last);
        let set = match all_but {
            true => TokenSet::all_but(ids),
            false => TokenSet::of(ids),
        };
        self.by_ranges.insert(key, set.clone());
        Ok(Ok(set))
    }
}

fn refused(error: &TokenNameError) -> Diagnostic {
    Diagnostic::error(error.code(), error.to_string()).help(error.help())
}

/// The same ids in ascending ranges that do not touch.
fn joined(ranges: &[(u32, u32)]) -> Ranges {
    let mut ascending = ranges.to_vec();
    ascending.sort_unstable();
    let mut joined: Ranges = Vec::with_capacity(ascending.len());
    for (first, last) in ascending {
        match joined.last_mut() {
            Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
            _ => joined.push((first, last)),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn ranges_are_joined() {
        assert_eq!(joined(&[]), []);
        assert_eq!(
            joined(&[(5, 9), (0, 2), (3, 3), (7, 20)]),
            [(0, 3), (5, 20)]
        );
        let all = [(0, u32::MAX), (4, 4), (u32::MAX, u32::MAX)];
        assert_eq!(joined(&all), [(0, u32::MAX)]);
    }
}
