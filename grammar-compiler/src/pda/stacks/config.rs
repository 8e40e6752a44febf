//! Sets of stacks that are alive at once, as far as they are known.
//!
//! A [`Config`] is a list of groups. The stacks of a **group** have descended from one stack. The
//! frames that they have pushed since are written out; below these all of them share the same
//! frames, of which only the possible top ones are known. So two stacks of a group are equal
//! exactly if the same frames are written out for both. Equal stacks are merged, as at run time.
//! Nothing is known about how stacks of different groups relate: they count as different.
//!
//! When a stack pops its last written frame, the top of the shared frames is *revealed*: the
//! configuration branches over the frames that can lie there. When a stack has more than
//! [`MAX_KNOWN`] written frames, its group is divided by the lowest of them. Both steps only add
//! configurations, so a bound for all configurations is a bound for all sets of real stacks.

use super::super::{Alternative, BOTTOM, Class, FrameId, Pda, StateId, Tree, TreeId};
use crate::maps::own_keys;

/// Frames of a stack that are written out at most.
pub const MAX_KNOWN: usize = 4;

/// A stack of a group.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroupStack {
    /// It has not consumed the symbol yet.
    pub pending: bool,
    /// Its state.
    pub state: StateId,
    /// Its frames above what the group shares, the top last.
    pub frames: Vec<FrameId>,
}

impl GroupStack {
    /// The same stack, with the shared frame below it known.
    #[must_use]
    pub fn on(&self, top: FrameId) -> GroupStack {
        let mut out = self.clone();
        if top != BOTTOM {
            out.frames.insert(0, top);
        }
        out
    }
}

/// Stacks above shared frames.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StackGroup {
    /// The stacks, ascending, each once.
    pub stacks: Vec<GroupStack>,
    /// The frames that can lie on top of the shared ones.
    pub tops: Vec<FrameId>,
}

/// Stacks that are alive at once.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Config {
    /// The symbol that pending stacks are to consume.
    pub class: Option<Class>,
    /// The groups, ascending; equal ones stand for different stacks.
    pub groups: Vec<StackGroup>,
}

own_keys!(Config);

/// The outcome of a tree on a group.
pub enum Resolved<'a> {
    /// A leaf.
    Leaf(&'a [Alternative]),
    /// A shared frame has to be revealed first.
    Reveal,
}

impl Config {
    /// One stack in `state` that is to consume `class`.
    pub fn start(pda: &Pda, state: StateId, class: Class) -> Self {
        let stack = GroupStack {
            pending: true,
            state,
            frames: Vec::new(),
        };
        let tops = pda.states[state.index()].top.clone();
        Config {
            class: Some(class),
            groups: vec![StackGroup {
                stacks: vec![stack],
                tops,
            }],
        }
    }

    /// Number of stacks.
    pub fn count(&self) -> usize {
        self.groups.iter().map(|group| group.stacks.len()).sum()
    }

    /// Whether there is at most one stack, of which nothing is known but its state. Every
    /// exploration begins that way.
    pub fn is_lone(&self) -> bool {
        let is_bare = |stack: &GroupStack| stack.frames.is_empty();
        match self.groups.as_slice() {
            [] => true,
            [group] => matches!(group.stacks.as_slice(), [stack] if is_bare(stack)),
            _ => false,
        }
    }

    /// The states of all stacks.
    pub fn states(&self) -> impl Iterator<Item = StateId> + '_ {
        let stacks = self.groups.iter().flat_map(|group| &group.stacks);
        stacks.map(|stack| stack.state)
    }

    /// All stacks are to consume `class`.
    pub fn consume(&self, class: Class) -> Self {
        let mut out = self.clone();
        out.class = Some(class);
        let stacks = out.groups.iter_mut().flat_map(|group| &mut group.stacks);
        stacks.for_each(|stack| stack.pending = true);
        out
    }

    /// Moves one pending stack, and visits each configuration that this can lead to.
    pub fn advance(&self, pda: &Pda, visit: &mut impl FnMut(Config)) {
        let Some(class) = self.class else { return };
        let is_pending = |group: &StackGroup| group.stacks.iter().position(|stack| stack.pending);
        let pending = self.groups.iter().enumerate();
        let Some((at, stack)) = (pending.rev()).find_map(|(at, g)| Some((at, is_pending(g)?)))
        else {
            return visit(Config {
                class: None,
                groups: self.groups.clone(),
            });
        };
        let with = |group: StackGroup, moved: bool| {
            let mut groups = self.groups.clone();
            groups.swap_remove(at);
            if moved {
                group.split(&mut groups);
            } else {
                groups.push(group);
            }
            groups.sort_unstable();
            let settled = |g: &StackGroup| g.stacks.iter().all(|s| !s.pending);
            let class = Some(class).filter(|_| !groups.iter().all(settled));
            Config { class, groups }
        };
        self.groups[at].advance(pda, class, stack, &mut |group, moved| {
            visit(with(group, moved))
        });
    }
}

impl StackGroup {
    /// Visits the group after one stack has moved, or with a frame revealed; the flag says which.
    fn advance(
        &self,
        pda: &Pda,
        class: Class,
        at: usize,
        visit: &mut impl FnMut(StackGroup, bool),
    ) {
        let GroupStack { state, frames, .. } = &self.stacks[at];
        let resolved = match pda.edge(*state, class) {
            Some(tree) => resolve(pda, tree, frames, self.is_at_bottom()),
            None => Resolved::Leaf(&[]),
        };
        match resolved {
            Resolved::Leaf(alternatives) => visit(self.replace(at, alternatives), true),
            Resolved::Reveal => {
                for &top in &self.tops {
                    visit(self.reveal(pda, top), false);
                }
            }
        }
    }

    /// The same group, given which frame lies on top of what is shared.
    fn reveal(&self, pda: &Pda, top: FrameId) -> StackGroup {
        let mut out = self.clone();
        if top == BOTTOM {
            out.tops = vec![BOTTOM];
        } else {
            out.tops = pda.under[top.index()].clone();
            out.stacks.iter_mut().for_each(|s| *s = s.on(top));
        }
        out
    }

    fn is_at_bottom(&self) -> bool {
        self.tops == [BOTTOM]
    }

    /// The group after one of its stacks has taken the alternatives of a leaf.
    fn replace(&self, at: usize, leaf: &[Alternative]) -> StackGroup {
        let mut out = self.clone();
        let GroupStack { frames, .. } = out.stacks.remove(at);
        out.stacks.extend(stacks_after(leaf, &frames));
        out.stacks.sort_unstable();
        out.stacks.dedup();
        out
    }

    /// Adds the group to `groups`. Frames that all of its stacks have written alike become shared;
    /// if too many frames are still written out, the group is added in parts.
    fn split(mut self, groups: &mut Vec<StackGroup>) {
        let lowest = |stack: &GroupStack| stack.frames.first().copied();
        loop {
            let Some(first) = self.stacks.first() else {
                return;
            };
            let low = lowest(first);
            let alike = self.stacks.iter().all(|s| lowest(s) == low);
            match (alike, low) {
                (true, Some(low)) => {
                    self.tops = vec![low];
                    self.stacks
                        .iter_mut()
                        .for_each(|s| s.frames = s.frames.split_off(1));
                }
                (true, None) => break,
                (false, _) if self.stacks.iter().all(|s| s.frames.len() <= MAX_KNOWN) => break,
                (false, _) => {
                    let part = |stacks: Vec<GroupStack>| StackGroup {
                        stacks,
                        tops: self.tops.clone(),
                    };
                    let (with, without): (Vec<GroupStack>, Vec<GroupStack>) =
                        (self.stacks.iter().cloned()).partition(|s| lowest(s) == low);
                    part(with).split(groups);
                    self = part(without);
                }
            }
        }
        groups.push(self);
    }
}

/// The outcome of a tree on these frames. Below them lies the bottom, or what is not known.
pub fn resolve<'a>(
    pda: &'a Pda,
    mut tree: TreeId,
    frames: &[FrameId],
    at_bottom: bool,
) -> Resolved<'a> {
    loop {
        match &pda.trees[tree.index()] {
            Tree::Leaf(leaf) => {
                let deepest = leaf.iter().map(|a| a.pop as usize).max().unwrap_or(0);
                return if deepest > frames.len() && !at_bottom {
                    Resolved::Reveal
                } else {
                    Resolved::Leaf(leaf)
                };
            }
            Tree::Look { depth, branches } => {
                let frame = match frames.len().checked_sub(1 + *depth as usize) {
                    Some(at) => frames[at],
                    None if at_bottom => BOTTOM,
                    None => return Resolved::Reveal,
                };
                match branches.binary_search_by_key(&frame, |b| b.0) {
                    Ok(branch) => tree = branches[branch].1,
                    Err(_) => return Resolved::Leaf(&[]),
                }
            }
        }
    }
}

/// The stacks that a leaf leads to.
pub fn stacks_after(leaf: &[Alternative], frames: &[FrameId]) -> Vec<GroupStack> {
    let stacks = leaf.iter().filter_map(|alternative| {
        let kept = frames.len().checked_sub(alternative.pop as usize)?;
        let mut frames = frames[..kept].to_vec();
        frames.extend(alternative.push);
        Some(GroupStack {
            pending: alternative.again,
            state: alternative.next,
            frames,
        })
    });
    stacks.collect()
}
