//! Parts of linked grammars: which automata can be parts, and which tokens cross their ends.
//!
//! In: a [`Pda`](crate::pda::Pda) whose texts end in exits, which are terminals behind the
//! vocabulary. Out: [`Ending`](crate::terminals::Ending)s, or why it is not a part.

mod check;
mod endings;
mod split;

pub(crate) use check::check;
pub(crate) use endings::{Prefix, Prefixes, find, of_part};
pub(crate) use split::split;

/// The part of a linked grammar that a compile makes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartOf<'a> {
    /// The prefixes of the vocabulary's tokens.
    pub(crate) prefixes: &'a Prefixes,
    /// The ids of the exits.
    pub(crate) exits: &'a [u32],
    /// Endings that other parts have, in their order. There are some only where there is one exit.
    pub(crate) known: &'a [Prefix],
    /// Tokens that other parts name: they are not text here either.
    pub(crate) reserved: &'a [u32],
    /// Whether others will stand beside it.
    pub(crate) is_base: bool,
}
