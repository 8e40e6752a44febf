//! Many stacks at once: a graph whose nodes are sets of stacks.
//!
//! In: a step of a grammar that has no bound on its stacks. Out: all stacks after it, each state
//! and height once. What holds between steps: the stacks of a head have one height, no two heads
//! have the same state and height, and equal sets are one node.
//!
//! The graph is the graph-structured stack of Tomita (1985), read from the top as a deterministic
//! automaton: the frames of a node differ, and each leads to the node of the stacks below it. All
//! stacks of a node have the same number of frames, so the graph has no cycles, and the work for a
//! symbol grows with its nodes, not with its stacks.
//!
//! ```text
//! heads   state, height, node      as for stacks that lie by themselves, which keep a count there
//! words   0: words in use          node 0 is the stack without frames
//!         n: c, then c pairs       a frame and the node below it; frames ascend, nodes below
//!                                  come first
//!         the last ones            heads for which the others have no room
//! ```
//!
//! *Memory.* Heads and words are those of a matcher of `DEPTH` times `STACKS` frames. Memory that
//! can grow does so, up to 65,535 words. Where a token needs more than there is, a matcher keeps
//! one stack that can take it and drops the others: see [`single`].

mod compact;
pub(crate) mod heads;
mod index;
mod nodes;
mod paths;
mod sets;
pub(crate) mod single;
mod step;
mod words;

pub(crate) use compact::{check, compact};
pub(crate) use heads::Heads;
pub(crate) use nodes::Nodes;
pub(crate) use sets::{Visit, any as any_set};
pub(crate) use step::{Step, Taken};
pub(crate) use words::{clear, used};

/// The least number of stacks in whose memory a graph of one reading always fits.
pub(crate) const LEAST_STACKS: usize = 8;

/// The most frames of a stack in a graph: sets are walked frame by frame, by functions that call
/// themselves.
pub(crate) const MOST_FRAMES: usize = 1_024;

/// Which of two runs of words are the graph's: those that were, or the others beside them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Words {
    Same,
    Others,
}

/// There is no room for the result of a step, or it takes too much work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;
