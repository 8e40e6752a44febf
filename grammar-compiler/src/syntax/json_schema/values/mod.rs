//! Sets of JSON values: the combinators worked out.
//!
//! In: a [`Model`](super::model::Model). Out: [`SchemaValues`]: for a *node*, a conjunction of
//! schemas and negated schemas that must hold for one value, its
//! [`ValueShape`]: the same set as a union of cases by JSON type. After this stage there is no `allOf`, `anyOf`, `oneOf`,
//! `not`, `if` or reference: a case only says which strings, numbers, items and properties there
//! may be, and the values inside it are nodes again.
//!
//! Nodes are interned, so recursion closes: the node of `#/$defs/tree` inside itself is the same
//! node. Sets of strings and numbers are closed under complement, so negation is exact: an object
//! breaks a conjunction by lacking a required property, by having one with a value of the
//! complement, or by having some other property ([`Exists`]) that should not be there.

pub mod array;
mod bounds;
mod conditions;
pub mod constant;
mod containers;
mod evaluated;
pub mod exclusive;
pub mod expand;
pub mod node;
pub mod object;
pub mod parts;
pub mod problem;
mod scalars;
pub mod shape;
mod state;

pub use array::{ArrayCase, Contains};
pub use node::{ANY, Literal, NEVER, NodeId, ValueAtom};
pub use object::{Exists, NamedProperty, ObjectCase};
pub use problem::Problem;
pub use shape::{StringCase, ValueShape};
pub use state::{DOING, SchemaValues};
