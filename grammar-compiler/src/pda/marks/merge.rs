//! Marks: kinds of stacks that need not be told apart.
//!
//! In: all kinds, that of the empty stack first. Out: [`Marks`]: a *mark* for each kind, such that
//! a mark alone says the need of each state and the result of each push. A kind says nothing about
//! states that are not met on it, nor about frames that are not pushed on it. So kinds that do not
//! contradict each other are merged: by refining a partition, each kind joining the first group of
//! its block that fits.

use std::collections::BTreeMap;

use super::{Push, StackKind};
use crate::id::id;
use crate::limits::{Deadline, LimitExceeded};
use crate::pda::needs::Need;
use crate::pda::{FrameId, StateId};

id! {
    /// The mark of a stack: an index in [`Marks::marks`].
    pub struct Mark;
}

/// All marks, and what they say.
#[derive(Debug)]
pub struct Marks {
    /// For each mark the needs of states and the results of pushes.
    pub marks: Vec<StackKind<Mark>>,
    /// The mark of the empty stack.
    pub bottom: Mark,
    /// The mark of each kind.
    pub of_kind: Vec<Mark>,
}

impl Marks {
    /// A mark for each kind.
    pub fn of_kinds(kinds: &[StackKind]) -> Self {
        let marks: Vec<Mark> = (0..kinds.len()).map(Mark::at).collect();
        Marks {
            marks: kinds.iter().map(|kind| renamed(kind, &marks)).collect(),
            bottom: Mark::new(0),
            of_kind: marks,
        }
    }

    /// The need of a state: `None` if no sequence of tokens finishes it.
    pub fn need(&self, mark: Mark, state: StateId) -> Need {
        self.marks[mark.index()]
            .needs
            .get(&state)
            .copied()
            .flatten()
    }

    /// The result of a push.
    pub fn pushed(&self, mark: Mark, frame: FrameId) -> Option<Push<Mark>> {
        self.marks[mark.index()].pushes.get(&frame).copied()
    }
}

/// Merges kinds into marks.
///
/// # Errors
///
/// If the deadline passes.
pub fn merge(kinds: &[StackKind], deadline: &Deadline) -> Result<Marks, LimitExceeded> {
    merge_within(kinds, vec![Mark::new(0); kinds.len()], deadline)
}

/// Merges kinds of one block into marks.
///
/// # Errors
///
/// If the deadline passes.
pub fn merge_within(
    kinds: &[StackKind],
    mut blocks: Vec<Mark>,
    deadline: &Deadline,
) -> Result<Marks, LimitExceeded> {
    // Seeds may have any numbers; pushes name the blocks of a round only from the next one on.
    let mut count = usize::from(blocks.iter().all(|block| *block == Mark::new(0)));
    loop {
        deadline.check("merging kinds of stacks")?;
        let (next, marks) = round(kinds, &blocks);
        blocks = next;
        if marks.len() == count {
            return Ok(Marks {
                marks,
                bottom: blocks[0],
                of_kind: blocks,
            });
        }
        count = marks.len();
    }
}

/// Splits each block into groups that agree.
fn round(kinds: &[StackKind], blocks: &[Mark]) -> (Vec<Mark>, Vec<StackKind<Mark>>) {
    let mut groups: Vec<StackKind<Mark>> = Vec::new();
    let mut of_block: BTreeMap<Mark, Vec<Mark>> = BTreeMap::new();
    let mut next = Vec::with_capacity(blocks.len());
    for (kind, &block) in kinds.iter().zip(blocks) {
        let kind = renamed(kind, blocks);
        let groups_here = of_block.entry(block).or_default();
        let fits = groups_here
            .iter()
            .copied()
            .find(|&g| agree(&groups[g.index()], &kind));
        let group = fits.unwrap_or_else(|| {
            let new = Mark::at(groups.len());
            groups_here.push(new);
            groups.push(StackKind::default());
            new
        });
        groups[group.index()].needs.extend(kind.needs);
        groups[group.index()].pushes.extend(kind.pushes);
        next.push(group);
    }
    // Pushes name the blocks that came in; where none was split, a block's only group has the same
    // members.
    (next, groups)
}

fn renamed(kind: &StackKind, blocks: &[Mark]) -> StackKind<Mark> {
    let push = |(&frame, push): (&FrameId, &Push)| {
        let to = blocks[push.to.index()];
        let reserve = push.reserve;
        (frame, Push { to, reserve })
    };
    StackKind {
        needs: kind.needs.clone(),
        pushes: kind.pushes.iter().map(push).collect(),
    }
}

fn agree(group: &StackKind<Mark>, kind: &StackKind<Mark>) -> bool {
    let needs = kind
        .needs
        .iter()
        .all(|(state, need)| group.needs.get(state).is_none_or(|n| n == need));
    needs
        && kind
            .pushes
            .iter()
            .all(|(frame, to)| group.pushes.get(frame).is_none_or(|t| t == to))
}
