//! Drops alternatives that others dominate.
//!
//! In: a [`Pda`] that splits. Out: one with the same sentences and perhaps fewer alternatives. An
//! alternative is dropped if another one at the same leaf *dominates* it: that one can end every
//! text that this one can end, and never has a higher stack. So hidden left recursion that counts
//! needs one stack: the lowest stack takes whatever the others take.
//!
//! Dominance is shown by simulation. Both stacks share all frames but the top ones; whatever the
//! first does on a symbol, some alternative of the second dominates that in turn, under all frames
//! that can lie below. Claims are assumed until one is refuted, which leaves the greatest
//! simulation. Each step of the proof consumes a symbol or pops. So where a dropped alternative
//! would accept a text, the kept ones accept it step by step in its place, and all drops hold
//! together.

use crate::maps::{IdSet, own_keys};

use super::stacks::config::{GroupStack, Resolved, resolve, stacks_after};
use super::{Alternative, BOTTOM, Class, FrameId, Pda, Tree, TreeId};
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded};

/// Frames by which two stacks may differ.
const MAX_FRAMES: usize = 4;
/// Edges that one symbol is followed along; there are several if it is taken again.
const MAX_EDGES: usize = 8;
/// Frames that may be looked at to drop an alternative.
const MAX_LOOK: usize = 3;
/// Comparisons of sets of stacks.
const MAX_STEPS: usize = 100_000;
/// Comparisons of stacks: sets may be large.
const MAX_PAIRS: usize = 10_000_000;
const DOING: &str = "comparing stacks";

/// The automaton without dominated alternatives; `None` if there are none.
///
/// # Errors
///
/// If the deadline passes.
pub fn drop_dominated(pda: &Pda, deadline: &Deadline) -> Result<Option<Pda>, LimitExceeded> {
    let mut rewriter = Rewriter::new(pda, deadline);
    let mut out = pda.clone();
    for (s, state) in pda.states.iter().enumerate() {
        deadline.check(DOING)?;
        for (at, &(class, tree)) in state.edges.iter().enumerate() {
            if rewriter.splits[tree.index()] {
                let tops = &state.top;
                let tree = rewriter.tree(class, tree, &mut Vec::new(), tops);
                out.states[s].edges[at].1 = tree;
            }
        }
    }
    deadline.confirm(DOING)?;
    out.trees = rewriter.trees.values;
    Ok(rewriter.dropped.then_some(out))
}

struct Rewriter<'a> {
    pda: &'a Pda,
    splits: Vec<bool>,
    trees: Interner<Tree>,
    proofs: Proofs<'a>,
    dropped: bool,
}

impl<'a> Rewriter<'a> {
    fn new(pda: &'a Pda, deadline: &'a Deadline) -> Self {
        let mut splits: Vec<bool> = Vec::new();
        let mut trees = Interner::new();
        for tree in &pda.trees {
            trees.intern(tree.clone());
            splits.push(match tree {
                Tree::Leaf(leaf) => leaf.len() > 1,
                Tree::Look { branches, .. } => branches.iter().any(|b| splits[b.1.index()]),
            });
        }
        Rewriter {
            pda,
            splits,
            trees,
            proofs: Proofs::new(pda, deadline),
            dropped: false,
        }
    }

    /// The tree with fewer alternatives, below the frames `known` (the top first), under which one
    /// of `tops` lies.
    fn tree(
        &mut self,
        class: Class,
        tree: TreeId,
        known: &mut Vec<FrameId>,
        tops: &[FrameId],
    ) -> TreeId {
        let pda = self.pda;
        if !self.splits[tree.index()] || self.proofs.is_tired() {
            return tree;
        }
        match &pda.trees[tree.index()] {
            Tree::Leaf(leaf) => self.leaf(class, leaf, known, tops),
            Tree::Look { depth, branches } if *depth as usize == known.len() => {
                let branches = branches.iter().map(|&(frame, branch)| {
                    (
                        frame,
                        self.under(known, frame, |this, known, tops| {
                            this.tree(class, branch, known, tops)
                        }),
                    )
                });
                let branches = branches.collect();
                self.look(*depth, branches)
            }
            // A frame that is known already.
            Tree::Look { depth, branches } if (*depth as usize) < known.len() => {
                let frame = known[*depth as usize];
                match branches.binary_search_by_key(&frame, |b| b.0) {
                    Ok(at) => self.tree(class, branches[at].1, known, tops),
                    Err(_) => TreeId::new(self.trees.intern(Tree::Leaf(Vec::new()))),
                }
            }
            // The frame at this depth has not been looked at, since only one can lie there, or all
            // have the same outcome so far.
            Tree::Look { .. } => {
                let branches = tops.iter().map(|&frame| {
                    let branch = self.under(known, frame, |this, known, tops| {
                        this.tree(class, tree, known, tops)
                    });
                    (frame, branch)
                });
                let branches = branches.collect();
                self.look(known.len() as u8, branches)
            }
        }
    }

    /// Calls `visit` with one more frame known.
    fn under<T>(
        &mut self,
        known: &mut Vec<FrameId>,
        frame: FrameId,
        visit: impl FnOnce(&mut Self, &mut Vec<FrameId>, &[FrameId]) -> T,
    ) -> T {
        let pda = self.pda;
        known.push(frame);
        let tops: &[FrameId] = match frame {
            BOTTOM => &[BOTTOM],
            frame => &pda.under[frame.index()],
        };
        let out = visit(self, known, tops);
        known.pop();
        out
    }

    fn look(&mut self, depth: u8, branches: Vec<(FrameId, TreeId)>) -> TreeId {
        match branches.first() {
            Some(&(_, first)) if branches.iter().all(|b| b.1 == first) => first,
            _ => TreeId::new(self.trees.intern(Tree::Look { depth, branches })),
        }
    }

    fn leaf(
        &mut self,
        class: Class,
        leaf: &[Alternative],
        known: &mut Vec<FrameId>,
        tops: &[FrameId],
    ) -> TreeId {
        self.proofs.count(leaf.len(), leaf.len());
        let kept = self.kept(class, leaf, known, tops);
        let is_fewer = kept.len() < leaf.len();
        self.dropped |= is_fewer;
        let at_bottom = tops == [BOTTOM];
        let is_last = at_bottom || known.len() >= MAX_LOOK || self.proofs.is_tired();
        if kept.len() == 1 || is_last {
            return TreeId::new(self.trees.intern(Tree::Leaf(kept)));
        }
        // With one more frame known, more alternatives may be dominated.
        let dropped = self.dropped;
        let mut branches = Vec::new();
        for &frame in tops {
            let branch = self.under(known, frame, |this, known, tops| {
                this.leaf(class, &kept, known, tops)
            });
            branches.push((frame, branch));
        }
        let unchanged = TreeId::new(self.trees.intern(Tree::Leaf(kept)));
        if branches.iter().all(|b| b.1 == unchanged) {
            self.dropped = dropped;
            return unchanged;
        }
        self.look(known.len() as u8, branches)
    }

    /// The alternatives that the others do not dominate.
    fn kept(
        &mut self,
        class: Class,
        leaf: &[Alternative],
        known: &[FrameId],
        tops: &[FrameId],
    ) -> Vec<Alternative> {
        let frames: Vec<FrameId> = (known.iter().rev().copied())
            .filter(|&f| f != BOTTOM)
            .collect();
        let pop = leaf.iter().map(|a| a.pop as usize).max();
        if pop.unwrap_or(0) > frames.len() && tops != [BOTTOM] {
            return leaf.to_vec();
        }
        let mut kept = leaf.to_vec();
        // The highest stacks first: lower ones are better kept.
        let mut order: Vec<usize> = (0..leaf.len()).collect();
        order.sort_by_key(|&at| (leaf[at].pop, leaf[at].push.is_none()));
        for at in order {
            let others: Vec<Alternative> =
                kept.iter().copied().filter(|a| *a != leaf[at]).collect();
            if others.is_empty() || self.proofs.is_tired() {
                break;
            }
            let one = stacks_after(&leaf[at..=at], &frames);
            if self
                .proofs
                .prove(class, one, stacks_after(&others, &frames), tops)
            {
                kept = others;
            }
        }
        kept
    }
}

/// The claim that `other` dominates `one`: it can end every text that `one` can end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Claim {
    one: GroupStack,
    other: GroupStack,
    tops: Vec<FrameId>,
}

own_keys!(Claim);

struct Proofs<'a> {
    pda: &'a Pda,
    refuted: IdSet<Claim>,
    proved: IdSet<Claim>,
    /// Claims taken for granted.
    assumed: IdSet<Claim>,
    /// The assumed claims that are still to be examined.
    open: Vec<Claim>,
    steps: usize,
    pairs: usize,
    deadline: &'a Deadline,
}

impl<'a> Proofs<'a> {
    fn new(pda: &'a Pda, deadline: &'a Deadline) -> Self {
        Proofs {
            pda,
            refuted: IdSet::default(),
            proved: IdSet::default(),
            assumed: IdSet::default(),
            open: Vec::new(),
            steps: 0,
            pairs: 0,
            deadline,
        }
    }

    /// Whether the budget of comparisons is used up, or the time is over.
    fn is_tired(&self) -> bool {
        self.steps > MAX_STEPS || self.pairs > MAX_PAIRS
    }

    /// Counts a comparison of sets of stacks, by their sizes.
    fn count(&mut self, one: usize, others: usize) {
        let pairs = one.saturating_add(1).saturating_mul(others + 1);
        self.steps += 1;
        self.pairs = match self.deadline.stops_after(pairs, DOING) {
            true => usize::MAX,
            false => self.pairs.saturating_add(pairs),
        };
    }

    /// Whether `others` together dominate `one`; stacks that are pending consume `class` first.
    fn prove(
        &mut self,
        class: Class,
        one: Vec<GroupStack>,
        others: Vec<GroupStack>,
        tops: &[FrameId],
    ) -> bool {
        loop {
            self.assumed.clear();
            self.open.clear();
            let refuted = self.refuted.len();
            if !self.dominated(class, one.clone(), others.clone(), tops, MAX_EDGES) {
                return false;
            }
            while let Some(claim) = self.open.pop() {
                if !self.holds_once(&claim) {
                    self.refuted.insert(claim);
                }
            }
            if self.is_tired() {
                return false;
            }
            if self.refuted.len() == refuted {
                self.proved.extend(self.assumed.drain());
                return true;
            }
        }
    }

    /// Whether a claim holds for each first symbol, given all that is assumed.
    fn holds_once(&mut self, claim: &Claim) -> bool {
        let pending = |stack: &GroupStack| GroupStack {
            pending: true,
            ..stack.clone()
        };
        let pda = self.pda;
        let edges = &pda.states[claim.one.state.index()].edges;
        edges.iter().all(|&(class, _)| {
            let (one, other) = (pending(&claim.one), pending(&claim.other));
            self.dominated(class, vec![one], vec![other], &claim.tops, MAX_EDGES)
        })
    }

    /// Whether each stack of `one` is dominated by one of `others`. Stacks that are pending consume
    /// `class` first, along at most `edges` edges.
    fn dominated(
        &mut self,
        class: Class,
        mut one: Vec<GroupStack>,
        others: Vec<GroupStack>,
        tops: &[FrameId],
        edges: usize,
    ) -> bool {
        self.count(one.len(), others.len());
        one.retain(|a| {
            let is_dominated =
                |b: &GroupStack| a == b || (!b.pending && !a.pending && self.claim(a, b, tops));
            !others.iter().any(is_dominated)
        });
        if one.is_empty() {
            return true;
        }
        let is_pending = |stacks: &[GroupStack]| stacks.iter().position(|s| s.pending);
        let (next, of_one) = match (is_pending(&one), is_pending(&others)) {
            _ if edges == 0 || self.is_tired() => return false,
            (Some(at), _) => (one[at].clone(), true),
            (None, Some(at)) => (others[at].clone(), false),
            (None, None) => return false,
        };
        let pda = self.pda;
        let at_bottom = tops == [BOTTOM];
        let leaf = match pda.edge(next.state, class) {
            Some(tree) => resolve(pda, tree, &next.frames, at_bottom),
            None => Resolved::Leaf(&[]),
        };
        match leaf {
            Resolved::Leaf(leaf) => {
                let moved = stacks_after(leaf, &next.frames);
                let step = |stacks: &[GroupStack]| {
                    let rest = stacks.iter().filter(|s| **s != next).cloned();
                    rest.chain(moved.iter().cloned()).collect()
                };
                if of_one {
                    one = step(&one);
                    self.dominated(class, one, others, tops, edges - 1)
                } else {
                    let others = step(&others);
                    self.dominated(class, one, others, tops, edges - 1)
                }
            }
            Resolved::Reveal => tops.iter().all(|&top| {
                let below: &[FrameId] = match top {
                    BOTTOM => &[BOTTOM],
                    top => &pda.under[top.index()],
                };
                let reveal = |stacks: &[GroupStack]| -> Vec<GroupStack> {
                    stacks.iter().map(|stack| stack.on(top)).collect()
                };
                self.dominated(class, reveal(&one), reveal(&others), below, edges - 1)
            }),
        }
    }

    /// Assumes that `other` dominates `one`, unless that has been refuted or must not be claimed.
    fn claim(&mut self, one: &GroupStack, other: &GroupStack, tops: &[FrameId]) -> bool {
        let shared = (one.frames.iter().zip(&other.frames))
            .take_while(|(a, b)| a == b)
            .count();
        let above = |stack: &GroupStack| GroupStack {
            frames: stack.frames[shared..].to_vec(),
            ..stack.clone()
        };
        let claim = Claim {
            one: above(one),
            other: above(other),
            tops: match shared.checked_sub(1) {
                Some(top) => vec![one.frames[top]],
                None => tops.to_vec(),
            },
        };
        let (height, other_height) = (claim.one.frames.len(), claim.other.frames.len());
        if claim.one == claim.other || self.proved.contains(&claim) {
            return true;
        }
        if other_height > height || height > MAX_FRAMES || self.refuted.contains(&claim) {
            return false;
        }
        if self.assumed.insert(claim.clone()) {
            self.open.push(claim);
        }
        true
    }
}
