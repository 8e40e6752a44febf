//! The part that the pieces of a format stand beside.
//!
//! In: a part with values of every kind, compiled once for a format. Out: [`PieceBase`], whose token sets and endings the pieces of the format share.

use std::sync::OnceLock;

use maskwright_core::OwnedPart;

use crate::digest::Digest;
use crate::pack::Beside;
use crate::parts::Prefix;

/// A part that pieces stand beside: they do not store the token sets that it has.
#[derive(Debug)]
pub(super) struct PieceBase {
    pub(super) part: OwnedPart,
    /// The digest of its tables.
    pub(super) digest: Digest,
    pub(super) beside: Beside,
    /// The endings of the part: pieces have them too, so that all of them are compiled with one trie.
    pub(super) endings: Vec<Prefix>,
}

/// The base of a format, once a piece has needed it; `None` in it if there is none.
pub(super) type BaseCell = OnceLock<Option<PieceBase>>;
