//! A matcher whose number of stacks is chosen when the tables are known.

use crate::failure::Failure;
use maskwright_core::{AcceptError, Grammar, Mask, Matcher};

/// Frames that the commands' matchers have room for.
pub const DEPTH: usize = 256;

/// A matcher of [`DEPTH`] frames for one or several stacks.
pub trait AnyMatcher<'t> {
    /// See [`Matcher::mask`].
    fn mask(&self) -> Mask<'_>;
    /// See [`Matcher::accept_token`].
    fn accept_token(&mut self, id: u32) -> Result<(), AcceptError>;
    /// See [`Matcher::accept_bytes`].
    fn accept_bytes(&mut self, bytes: &[u8]) -> Result<(), AcceptError>;
    /// See [`Matcher::is_complete`].
    fn is_complete(&self) -> bool;
    /// See [`Matcher::reset`].
    fn reset(&mut self);
    /// A copy, which goes on by itself.
    fn fork(&self) -> Box<dyn AnyMatcher<'t> + 't>;
}

impl<'t, const STACKS: usize> AnyMatcher<'t> for Matcher<'t, DEPTH, STACKS> {
    fn mask(&self) -> Mask<'_> {
        self.mask()
    }
    fn accept_token(&mut self, id: u32) -> Result<(), AcceptError> {
        self.accept_token(id)
    }
    fn accept_bytes(&mut self, bytes: &[u8]) -> Result<(), AcceptError> {
        self.accept_bytes(bytes)
    }
    fn is_complete(&self) -> bool {
        self.is_complete()
    }
    fn reset(&mut self) {
        self.reset();
    }
    fn fork(&self) -> Box<dyn AnyMatcher<'t> + 't> {
        Box::new(*self)
    }
}

/// A matcher for `grammar`, with as few stacks as it allows.
pub fn matcher<'t>(grammar: &'t Grammar<'t>) -> Result<Box<dyn AnyMatcher<'t> + 't>, Failure> {
    let made = match grammar.max_stacks() {
        0..=1 => boxed::<1>(grammar),
        2..=8 => boxed::<8>(grammar),
        _ => boxed::<64>(grammar),
    };
    made.map_err(|error| Failure::Matcher(error.to_string()))
}

fn boxed<'t, const STACKS: usize>(
    grammar: &'t Grammar<'t>,
) -> Result<Box<dyn AnyMatcher<'t> + 't>, maskwright_core::MatcherError> {
    Ok(Box::new(Matcher::<DEPTH, STACKS>::new(grammar)?))
}
