//! What stands for `parts` in a compiler without the feature `tags`: no grammar is a part.

use std::convert::Infallible;

use crate::limits::Deadline;
use crate::mask::{Masks, TokenTrie};
use crate::pack::Beside;
use crate::pda::Pda;
use crate::pda::stacks::Stacks;
use crate::terminals::{Ending, Terminals};

/// The part of a linked grammar that a compile makes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartOf<'a> {
    pub(crate) exits: &'a [u32],
    pub(crate) reserved: &'a [u32],
    never: Infallible,
}

pub(crate) fn check(_: &Pda, _: Stacks, _: &Terminals, _: &[u32]) -> Result<(), &'static str> {
    Ok(())
}

pub(crate) fn find(_: &Pda, _: &Terminals, part: PartOf<'_>, _: &Deadline) -> Option<Vec<Ending>> {
    match part.never {}
}

pub(crate) fn split(_: &mut Masks, _: &TokenTrie, part: PartOf<'_>, _: Option<&Beside>) {
    match part.never {}
}
