//! The first tier: masks on demand, from the grammar itself, while tables are compiled.
//!
//! In: a [`Grammar`](crate::grammar::Grammar) and a prepared vocabulary. Out: [`LazyMatcher`],
//! whose first mask takes microseconds, and what begins with it and goes over to the tables'
//! matcher between two tokens once there are tables: see
//! [`ServedMatcher::tiered`](crate::link::registry::ServedMatcher::tiered). What holds: both offer
//! the same tokens.
//!
//! This is to the compiler what a lazy DFA is to a DFA (Thompson 1968; the `hybrid` module of
//! regex-automata is the form that we know best). A text stands in a *situation*: a set of threads,
//! each a position in a rule's automaton with the stack of positions that the calls on the way
//! return to. Stacks are interned, so a situation is a few numbers. The situation that a byte leads
//! to is computed once and kept. A mask is a walk of the vocabulary's trie along these situations.
//! The cost depends on the part of the grammar that the text has reached, and not on the whole: a
//! rule's automaton is made when a text enters the rule.
//!
//! ```text
//! grammar ── rules ──▶ automata ── closure ──▶ threads ── situations ──▶ rows of bytes ── masks ──▶ mask
//! ```
//!
//! The modules, each after those that it imports:
//!
//! | module | what it has |
//! |---|---|
//! | **automata** | |
//! | `productive` | which rules have sentences: the others are left out |
//! | `left_recursion` | which rules can begin with themselves |
//! | `left_corners` | automata without left recursion |
//! | `trim` | automata without dead ends |
//! | `ends` | the states of large automata from which words can end |
//! | `counts` | long repetitions, one iteration at a time; large automata and strings of bounded length, one state at a time |
//! | `position` | numbers of positions |
//! | `work` | the work that one step may have |
//! | `unread` | rules that are read only when a text comes to them |
//! | `rules` | the automata of rules |
//! | **situations** | |
//! | `thread` | positions with stacks |
//! | `stacks` | sets of stacks |
//! | `closure` | threads, and what is reached without a byte |
//! | `byte_classes` | which threads each byte leads to |
//! | `situations` | situations, and the situations that bytes lead to |
//! | `forget` | what a matcher keeps when it forgets the rest |
//! | **the vocabulary** | |
//! | `characters` | the characters beyond ASCII that tokens have |
//! | `suffix_trie` | what tokens have behind the places where they leave a run, as a trie |
//! | `vocabulary` | facts about the vocabulary that all matchers share |
//! | `prepare` | the facts that are found before any text is read |
//! | **masks** | |
//! | `non_ascii` | the situation that nearly all characters beyond ASCII lead to |
//! | `runs` | chains of situations along which most bytes lead: most of the vocabulary in free text |
//! | `regions` | situations among which all plain text leads: most of the vocabulary where a pattern may match anywhere |
//! | `masks` | the walk of the trie |
//! | `suffixes` | the walk over the suffixes with which tokens leave a run |
//! | `terminals` | tokens that the grammar names |
//! | **matchers** | |
//! | `room` | the memory of all matchers of a vocabulary |
//! | `accept_failure`, `mask_error`, `or_refused` | why there is no token, and why no mask |
//! | `matcher` | [`LazyMatcher`] |
//! | `state` | a point in a text, written as bytes |
//! | `tiered` | `TieredMatcher` |
//!
//! Everything is bounded. A matcher that holds more than its [`Bounds`] forgets, as a lazy DFA
//! does: it keeps the situation of the text, the points that it can go back to and its masks, and
//! computes the rest again when a text or a mask needs it. It does so earlier if all matchers of a
//! registry together take more than they may. The work of a step is counted as well. If one mask or
//! one token needs more than the limits below, the first tier cannot follow ([`GaveUp`]), and the
//! matcher waits for the tables. It waits from the start if the grammar limits the tokens of a
//! text, or if the vocabulary lacks a token for some byte.

mod accept_failure;
mod byte_classes;
mod characters;
mod closure;
mod counts;
mod ends;
mod forget;
mod left_corners;
mod left_recursion;
mod logits_mask;
mod mask_error;
mod masks;
mod matcher;
mod non_ascii;
mod or_refused;
mod position;
mod prepare;
mod productive;
mod regions;
mod room;
mod rules;
mod runs;
mod situations;
mod stacks;
mod state;
mod suffix_trie;
mod suffixes;
mod terminals;
#[cfg(test)]
mod tests;
mod thread;
mod tiered;
mod trim;
mod unread;
mod vocabulary;
mod work;

pub use accept_failure::AcceptFailure;
pub use mask_error::MaskError;
pub use matcher::LazyMatcher;
pub use or_refused::OrRefused;
pub(crate) use state::{Taken, is_of_tables, is_text, read as read_text, write as write_text};
pub use tiered::Tables;
pub(crate) use tiered::{TieredMatcher, follow, take_draft, write_mask};
pub use vocabulary::LazyVocabulary;

use std::fmt;

use crate::error::{Code, Diagnostic, Error};
use crate::setters::setters;

/// The first tier cannot follow: see the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GaveUp;

impl fmt::Display for GaveUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the first tier cannot follow: wait for the tables")
    }
}

impl std::error::Error for GaveUp {}

/// The error of a text that neither tier follows.
fn too_ambiguous() -> Error {
    let message = "the text nests deeper than the tables' depth and is more ambiguous than the first tier follows";
    Diagnostic::error(Code::Build, message).into()
}

/// How much a matcher keeps. It forgets when it holds more, so a text may be of any length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bounds {
    /// Situations: each takes a kibibyte once a text or a mask has come to it. 8,192 unless told
    /// otherwise.
    pub situations: usize,
    /// Frames of all stacks together: 262,144 unless told otherwise.
    pub frames: usize,
    /// Positions in the automata of rules: 262,144 unless told otherwise.
    pub positions: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds {
            situations: 1 << 13,
            frames: 1 << 18,
            positions: 1 << 18,
        }
    }
}

setters!(Bounds {
    situations: usize,
    frames: usize,
    positions: usize,
});

/// Positions of automata, at most.
const MAX_POSITIONS: usize = 1 << 20;
/// Rules that stand for what is left of long repetitions, at most. They are not forgotten.
const MAX_COUNTS: usize = 1 << 20;
/// Threads of a situation, at most. Grammars that are nearly deterministic have a few, or one for
/// each alternative that begins with the same byte.
const MAX_THREADS: usize = 4_096;
/// Frames of all stacks, at most.
const MAX_FRAMES: usize = 1 << 20;
/// Situations, at most.
const MAX_SITUATIONS: usize = 1 << 15;
