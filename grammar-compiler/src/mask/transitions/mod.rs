//! The automaton's transitions as walks read them: one immutable table, and what is derived from
//! it.
//!
//! In: a [`Pda`](crate::pda::Pda) and its headroom. Out: a [`Table`]. It is made in this order, and
//! nothing changes what was made before:
//!
//! 1. [`Transitions`]: for each state and class one word, with the needs of states and the reserves
//!    of frames.
//! 2. [`runs`]: for each state the chain of states along which most bytes lead without touching the
//!    stack, and the [`characters`] beyond ASCII that lead along it as well.
//! 3. [`defaults`]: for each state another state that it agrees with except on a few classes.
//! 4. [`regions`]: loops with the states from which all ways lead back to them, and one copy of
//!    those that are equal but for where they are left. The copies are more states: transitions and
//!    runs are extended by them, once.
//! 5. [`shapes`]: what the copies do with each byte. Walks through them are kept for other grammars
//!    by shape.
//! 6. [`stays`]: for each state the strings that stay in its run.
//! 7. [`narrow`]: the states that take only a few symbols.

mod characters;
mod defaults;
mod narrow;
mod regions;
mod runs;
mod shapes;
mod stays;
mod table;
#[cfg(test)]
mod tests;
mod words;

pub use defaults::DefaultTransition;
pub use regions::Region;
pub use runs::{RunChain, StateRun};
pub use shapes::{InShape, Shapes};
pub use table::Table;
pub use words::{Action, Transitions};
