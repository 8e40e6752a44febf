//! Sets of tokens as terminals of a grammar.
//!
//! A grammar with such a terminal is for one vocabulary only. The terminal stands for exactly one
//! token id, whatever bytes the token has; no text that is spelled by other tokens matches it.

use std::sync::Arc;

/// The tokens that a terminal takes: these, or all but these.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TokenSet {
    /// Ascending, each once.
    ids: Arc<[u32]>,
    all_but: bool,
    /// See [`TokenSet::limit`].
    limit: Option<u16>,
    /// How a limit is spelled, once that is known.
    spelling: Option<[u8; 2]>,
}

impl TokenSet {
    /// These tokens.
    pub fn of(ids: impl IntoIterator<Item = u32>) -> Self {
        TokenSet::new(ids, false)
    }

    /// All tokens of the vocabulary but these.
    pub fn all_but(ids: impl IntoIterator<Item = u32>) -> Self {
        TokenSet::new(ids, true)
    }

    fn new(ids: impl IntoIterator<Item = u32>, all_but: bool) -> Self {
        let mut ids: Vec<u32> = ids.into_iter().collect();
        ids.sort_unstable();
        ids.dedup();
        TokenSet {
            ids: ids.into(),
            all_but,
            limit: None,
            spelling: None,
        }
    }

    /// No token at all. The matcher takes this terminal by itself, after this many tokens in a row
    /// that end where it is possible. A text that is limited to `tokens` tokens has this terminal
    /// wherever a token can end; behind the terminal only the end of the text follows.
    pub fn limit(tokens: u16) -> Self {
        TokenSet {
            ids: Arc::default(),
            all_but: false,
            limit: Some(tokens),
            spelling: None,
        }
    }

    /// The same limit with its spelling.
    pub(crate) fn spelled(&self, spelling: [u8; 2]) -> Self {
        TokenSet {
            spelling: Some(spelling),
            ..self.clone()
        }
    }

    /// How a limit is spelled.
    pub(crate) fn spelling(&self) -> Option<[u8; 2]> {
        self.spelling
    }

    /// The number of tokens of a [`limit`](Self::limit).
    pub fn tokens_before(&self) -> Option<u16> {
        self.limit
    }

    /// The ids that are named, ascending: those that are in the set, or those that are not.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// Whether the set is all tokens but those that are named.
    pub fn is_all_but(&self) -> bool {
        self.all_but
    }

    /// Whether a token is in the set.
    pub fn contains(&self, id: u32) -> bool {
        self.ids.binary_search(&id).is_ok() != self.all_but
    }

    /// Whether nothing takes the terminal, whatever the vocabulary.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty() && !self.all_but && self.limit.is_none()
    }
}
