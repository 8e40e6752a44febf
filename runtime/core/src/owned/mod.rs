//! Types that own their tables, with the feature `alloc`.
//!
//! In: bytes. Out: [`OwnedGrammar`] and [`OwnedVocabulary`], which share them, and
//! [`OwnedMatcher`], whose depth and number of stacks are chosen at run time. What holds
//! throughout: none of them has a lifetime, so that all can lie in one structure; tables are
//! validated once, when they are loaded, and freed with the last thing that uses them.

mod grammar;
mod history;
mod matcher;
mod owner;
mod parts;
mod refusal;

pub use grammar::{OwnedGrammar, OwnedVocabulary};
pub use matcher::OwnedMatcher;
pub use owner::Owner;
#[doc(hidden)]
pub use refusal::Followers;
pub use refusal::Refusal;
