//! Decision trees as words.
//!
//! In: the trees of a [`Pda`], and what its frames reserve. Out: [`Programs`]: the words, in which
//! a tree comes after the trees it leads to, and for each tree what an edge holds. A look has a
//! branch for each run of frames. That is safe, because a tree lists every frame that can lie where
//! it looks.

use maskwright_core::layout::{edge, program};

use super::frames::runs;
use super::limit::too_large;
use crate::limits::LimitExceeded;
use crate::pda::{Alternative, FrameId, Pda, Tree, TreeId};

/// Packed trees.
pub struct Programs {
    /// The words.
    pub words: Vec<u32>,
    /// For each tree what an edge holds: the next state, if that is all there is to the tree,
    /// otherwise the offset of its program. [`NONE`] for trees that no edge has.
    pub payloads: Vec<u32>,
    offsets: Vec<Option<u32>>,
}

/// No payload.
const NONE: u32 = u32::MAX;
/// The number of payloads; the last one refuses.
const MAX_WORDS: usize = edge::PAYLOAD as usize;

/// Packs the trees that edges of `pda` refer to.
pub fn pack(pda: &Pda, reserves: &[u8]) -> Result<Programs, LimitExceeded> {
    let mut programs = Programs {
        words: Vec::new(),
        payloads: vec![NONE; pda.trees.len()],
        offsets: vec![None; pda.trees.len()],
    };
    for &(_, tree) in pda.states.iter().flat_map(|s| &s.edges) {
        if programs.payloads[tree.index()] == NONE {
            programs.payloads[tree.index()] = match pda.trees[tree.index()].goto() {
                Some(next) => next.number(),
                None => programs.add(pda, reserves, tree)? | edge::PROGRAM,
            };
        }
    }
    Ok(programs)
}

impl Programs {
    /// Adds a tree and all below it; the depth of trees is bounded by how deep an edge looks.
    fn add(&mut self, pda: &Pda, reserves: &[u8], tree: TreeId) -> Result<u32, LimitExceeded> {
        if let Some(offset) = self.offsets[tree.index()] {
            return Ok(offset);
        }
        let record = match &pda.trees[tree.index()] {
            Tree::Leaf(alternatives) => leaf(alternatives, reserves)?,
            Tree::Look { depth, branches } => {
                let mut pairs = Vec::with_capacity(branches.len());
                for &(frame, branch) in branches {
                    pairs.push((frame, self.add(pda, reserves, branch)?));
                }
                look(*depth, &pairs)?
            }
        };
        let offset = self.words.len();
        if offset + record.len() > MAX_WORDS {
            return Err(too_large("words of conditional edges", MAX_WORDS));
        }
        self.words.extend(record);
        self.offsets[tree.index()] = Some(offset as u32);
        Ok(offset as u32)
    }
}

fn leaf(alternatives: &[Alternative], reserves: &[u8]) -> Result<Vec<u32>, LimitExceeded> {
    let count = u16::try_from(alternatives.len())
        .map_err(|_| too_large("alternatives in one edge", u16::MAX as usize))?;
    let mut words = vec![program::leaf(count)];
    for alternative in alternatives {
        words.push(program::alternative(
            alternative.next.number(),
            alternative.again,
            alternative.pop,
        ));
        words.push(alternative.push.map_or(0, |frame| {
            program::push(frame.number(), reserves[frame.index()])
        }));
    }
    Ok(words)
}

fn look(depth: u8, branches: &[(FrameId, u32)]) -> Result<Vec<u32>, LimitExceeded> {
    let mut runs = runs(branches);
    let first = runs.next().map_or(0, |run| run.1);
    let pairs: Vec<_> = runs.collect();
    let count = u16::try_from(pairs.len())
        .map_err(|_| too_large("frames in one look", u16::MAX as usize))?;
    let mut words = vec![program::look(depth, count), first];
    words.extend(pairs.iter().flat_map(|&(frame, to)| [u32::from(frame), to]));
    Ok(words)
}
