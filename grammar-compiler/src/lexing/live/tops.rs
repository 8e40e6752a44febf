//! The dead points of a state, by the top frame of its stack.
//!
//! In: the parser's automaton, kinds of stacks, and the label of each state on them. Out:
//! [`LiveParser`]: a frame that is pushed on stacks on which it makes a difference is several, so
//! that the top frame says what kind its stack is of. States stay as they are: where the answer
//! depends on the stack, the product looks at the top frame. So there is no copy of each state
//! within an expression for everything that the expression may stand in.

use std::collections::BTreeMap;

use super::{DOING, DeadHere};
use crate::limits::{Deadline, LimitExceeded};
use crate::maps::IdMap;
use crate::pda::marks::{Mark, StackKind, merge_within};
use crate::pda::trees::TreeBuilder;
use crate::pda::{Alternative, BOTTOM, Class, FrameId, Pda, State, Tree, TreeId};

/// An automaton whose top frames say which points are dead.
pub(super) struct ByTops {
    pub(super) pda: Pda,
    /// The dead points of each state.
    pub(super) dead: Vec<DeadHere>,
}

/// Tells frames apart by the kinds of the stacks that they are the top of. `set` is the number of
/// the set that is dead in a state with a label; a state without one is never met.
pub(super) fn by_tops(
    pda: &Pda,
    kinds: &[StackKind],
    set: impl Fn(usize, u8) -> Option<u32>,
    deadline: &Deadline,
) -> Result<ByTops, LimitExceeded> {
    let tops = tops(kinds);
    let seeds = tops.iter().map(|top| Mark::at(top.place())).collect();
    let marks = merge_within(kinds, seeds, deadline)?;
    // The number of each mark among those of its frame decides the number of the refined frame.
    let mut of_frame: Vec<Vec<Mark>> = vec![Vec::new(); pda.under.len()];
    let mut top_of: BTreeMap<Mark, FrameId> = BTreeMap::new();
    for (&top, &mark) in tops.iter().zip(&marks.of_kind) {
        if top_of.insert(mark, top).is_none() {
            of_frame[top.place()].push(mark);
        }
    }
    let mut refined: IdMap<Mark, FrameId> = IdMap::default();
    let mut all: Vec<Vec<FrameId>> = Vec::with_capacity(of_frame.len());
    let mut mark_of: Vec<Option<Mark>> = Vec::new();
    for marks in &of_frame {
        let first = mark_of.len();
        // One that is never pushed keeps a number.
        mark_of.extend(marks.iter().copied().map(Some));
        if marks.is_empty() {
            mark_of.push(None);
        }
        for (place, &mark) in (first..).zip(marks) {
            refined.insert(mark, frame(place)?);
        }
        all.push(
            (first..mark_of.len())
                .map(frame)
                .collect::<Result<_, _>>()?,
        );
    }
    let mut dead: Vec<BTreeMap<FrameId, u32>> = vec![BTreeMap::new(); pda.states.len()];
    for (mark, says) in marks.marks.iter().enumerate() {
        let Some(&top) = refined.get(&Mark::at(mark)) else {
            continue;
        };
        deadline.ticks(1 + says.needs.len(), DOING)?;
        for (state, label) in &says.needs {
            let set = label.and_then(|label| set(state.place(), label));
            dead[state.place()].extend(set.map(|set| (top, set)));
        }
    }
    let dead = dead.into_iter().map(DeadHere::new).collect();
    if mark_of.len() == pda.under.len() {
        let pda = pda.clone();
        return Ok(ByTops { pda, dead });
    }
    let pushed = |below: FrameId, frame: FrameId| {
        let mark = mark_of.get(below.place()).copied().flatten()?;
        let push = marks.marks[mark.place()].pushes.get(&frame)?;
        refined.get(&push.to).copied()
    };
    let mut refiner = TopRefiner {
        pda,
        all: &all,
        pushed: &pushed,
        trees: TreeBuilder::new(),
        known: IdMap::default(),
        deadline,
    };
    let mut states = Vec::with_capacity(pda.states.len());
    for state in &pda.states {
        let edges = refiner.edges(&state.edges)?;
        let top = Vec::new();
        states.push(State { edges, top });
    }
    Ok(ByTops {
        pda: Pda {
            classes: pda.classes.clone(),
            start: pda.start,
            states,
            under: vec![Vec::new(); mark_of.len()],
            trees: refiner.trees.into_all(),
        },
        dead,
    })
}

fn frame(place: usize) -> Result<FrameId, LimitExceeded> {
    let number = u16::try_from(place).map_err(|_| {
        LimitExceeded::new(
            "frames",
            u16::MAX,
            "the grammar needs too many stack frames",
        )
    })?;
    Ok(FrameId::new(number))
}

/// The top frame of the stacks of each kind.
fn tops(kinds: &[StackKind]) -> Vec<FrameId> {
    let mut tops = vec![BOTTOM; kinds.len()];
    for (&frame, push) in kinds.iter().flat_map(|kind| &kind.pushes) {
        tops[push.to.place()] = frame;
    }
    tops
}

struct TopRefiner<'a> {
    pda: &'a Pda,
    /// For each frame those that it has become.
    all: &'a [Vec<FrameId>],
    /// What a frame becomes that is pushed on another one, which is refined.
    pushed: &'a dyn Fn(FrameId, FrameId) -> Option<FrameId>,
    trees: TreeBuilder,
    /// Whole trees.
    known: IdMap<TreeId, TreeId>,
    deadline: &'a Deadline,
}

/// The frames that were looked at, by depth.
type Looks = Vec<(u8, FrameId)>;

impl TopRefiner<'_> {
    fn edges(&mut self, edges: &[(Class, TreeId)]) -> Result<Vec<(Class, TreeId)>, LimitExceeded> {
        let mut out = Vec::with_capacity(edges.len());
        for &(class, tree) in edges {
            let refined = match self.known.get(&tree) {
                Some(&known) => known,
                None => self.tree(tree, &mut Looks::new())?,
            };
            self.known.insert(tree, refined);
            if refined != TreeBuilder::REFUSES {
                out.push((class, refined));
            }
        }
        Ok(out)
    }

    fn tree(&mut self, tree: TreeId, looks: &mut Looks) -> Result<TreeId, LimitExceeded> {
        let pda = self.pda;
        self.deadline.tick(DOING)?;
        match &pda.trees[tree.place()] {
            Tree::Leaf(alternatives) => {
                let mut all = TreeBuilder::REFUSES;
                for &alternative in alternatives {
                    let one = self.alternative(alternative, looks)?;
                    all = self.trees.join(all, one);
                }
                Ok(all)
            }
            Tree::Look { depth, branches } => {
                let mut refined = Vec::new();
                for &(frame, branch) in branches {
                    for &frame in &self.all[frame.place()] {
                        looks.push((*depth, frame));
                        refined.push((frame, self.tree(branch, looks)?));
                        looks.pop();
                    }
                }
                Ok(self.trees.look(*depth, refined))
            }
        }
    }

    fn alternative(
        &mut self,
        alternative: Alternative,
        looks: &mut Looks,
    ) -> Result<TreeId, LimitExceeded> {
        let Some(frame) = alternative.push else {
            return Ok(self.trees.leaf(vec![alternative]));
        };
        if let [only] = self.all[frame.place()][..] {
            return Ok(self.onto(alternative, Some(only)));
        }
        let depth = alternative.pop;
        if let Some(&(_, below)) = looks.iter().find(|look| look.0 == depth) {
            let pushed = (self.pushed)(below, frame);
            return Ok(self.onto(alternative, pushed));
        }
        let mut branches = Vec::new();
        for below in self.all.iter().flatten() {
            self.deadline.tick(DOING)?;
            let pushed = (self.pushed)(*below, frame);
            branches.push((*below, self.onto(alternative, pushed)));
        }
        // Frames on which it is never pushed stay: a tree joined with this may be met there.
        Ok(self.trees.look(depth, branches))
    }

    /// An alternative that pushes a refined frame, if it pushes one at all.
    fn onto(&mut self, alternative: Alternative, push: Option<FrameId>) -> TreeId {
        match push {
            None => TreeBuilder::REFUSES,
            Some(_) => self.trees.leaf(vec![Alternative {
                push,
                ..alternative
            }]),
        }
    }
}
