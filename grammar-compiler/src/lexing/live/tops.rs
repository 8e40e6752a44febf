//! The dead points of a state, by the top frame of its stack.
//!
//! In: the parser's automaton, kinds of stacks, and the label of each state on them. Out: the same
//! automaton: a frame that is pushed on stacks on which it makes a difference is several, so
//! that the top frame says what kind its stack is of. States stay as they are: where the answer
//! depends on the stack, the product looks at the top frame. So there is no copy of each state
//! within an expression for everything that the expression may stand in.

use std::collections::BTreeMap;

use super::super::exact::Parser;
use super::super::lexemes::StartId;
use super::{Apart, DOING, DeadHere, SetsOfLabels};
use crate::limits::{Deadline, LimitExceeded};
use crate::maps::IdMap;
use crate::pda::marks::{Mark, Marks, StackKind, merge_within};
use crate::pda::trees::TreeBuilder;
use crate::pda::{Alternative, BOTTOM, Class, FrameId, Pda, State, Tree, TreeId};

/// Tells frames apart by the kinds of the stacks that they are the top of.
pub(super) fn by_tops(
    parser: Parser,
    starts: Vec<StartId>,
    (kinds, of_labels): (&[StackKind], &SetsOfLabels),
    deadline: &Deadline,
) -> Result<Apart, LimitExceeded> {
    let Parser { pda, origins, .. } = parser;
    let frames = RefinedFrames::new(kinds, pda.under.len(), deadline)?;
    let mut dead: Vec<BTreeMap<FrameId, u32>> = vec![BTreeMap::new(); pda.states.len()];
    for (says, top) in frames.marks.marks.iter().zip(&frames.of_mark) {
        let Some(top) = *top else {
            continue;
        };
        deadline.ticks(1 + says.needs.len(), DOING)?;
        for (&state, &label) in &says.needs {
            let set = of_labels.get(state, label);
            dead[state.index()].extend(set.map(|set| (top, set)));
        }
    }
    Ok(Apart {
        pda: match frames.mark_of.len() == pda.under.len() {
            true => pda,
            false => TopRefiner::new(&pda, &frames, deadline).refined()?,
        },
        dead: dead.into_iter().map(DeadHere::new).collect(),
        origins,
        starts,
    })
}

/// Frames, told apart by the marks of the stacks that they are the top of.
struct RefinedFrames {
    /// Each mark has one top frame.
    marks: Marks,
    /// For each mark its refined frame.
    of_mark: Vec<Option<FrameId>>,
    /// For each frame those that it has become, ascending.
    of_frame: Vec<Vec<FrameId>>,
    /// For each refined frame its mark, unless it is never pushed.
    mark_of: Vec<Option<Mark>>,
}

impl RefinedFrames {
    fn new(kinds: &[StackKind], count: usize, deadline: &Deadline) -> Result<Self, LimitExceeded> {
        let tops = tops(kinds);
        let seeds = tops.iter().map(|top| Mark::at(top.index())).collect();
        let marks = merge_within(kinds, seeds, deadline)?;
        let mut top_of: BTreeMap<Mark, FrameId> = BTreeMap::new();
        let mut marks_of: Vec<Vec<Mark>> = vec![Vec::new(); count];
        for (&top, &mark) in tops.iter().zip(&marks.of_kind) {
            if top_of.insert(mark, top).is_none() {
                marks_of[top.index()].push(mark);
            }
        }
        let mut frames = RefinedFrames {
            of_mark: vec![None; marks.marks.len()],
            marks,
            of_frame: Vec::with_capacity(count),
            mark_of: Vec::new(),
        };
        for marks in marks_of {
            let first = frames.mark_of.len();
            for mark in marks {
                frames.of_mark[mark.index()] = Some(FrameId::numbered(frames.mark_of.len())?);
                frames.mark_of.push(Some(mark));
            }
            // One that is never pushed keeps a number.
            if frames.mark_of.len() == first {
                frames.mark_of.push(None);
            }
            let all = (first..frames.mark_of.len()).map(FrameId::numbered);
            frames.of_frame.push(all.collect::<Result<_, _>>()?);
        }
        Ok(frames)
    }

    /// What a frame becomes that is pushed on another one, which is refined.
    fn pushed(&self, below: FrameId, frame: FrameId) -> Option<FrameId> {
        let mark = self.mark_of[below.index()]?;
        let push = self.marks.pushed(mark, frame)?;
        self.of_mark[push.to.index()]
    }
}

/// The top frame of the stacks of each kind.
fn tops(kinds: &[StackKind]) -> Vec<FrameId> {
    let mut tops = vec![BOTTOM; kinds.len()];
    for (&frame, push) in kinds.iter().flat_map(|kind| &kind.pushes) {
        tops[push.to.index()] = frame;
    }
    tops
}

struct TopRefiner<'a> {
    pda: &'a Pda,
    frames: &'a RefinedFrames,
    trees: TreeBuilder,
    /// Whole trees.
    known: IdMap<TreeId, TreeId>,
    deadline: &'a Deadline,
}

/// The frames that were looked at, by depth.
type Looks = Vec<(u8, FrameId)>;

impl<'a> TopRefiner<'a> {
    fn new(pda: &'a Pda, frames: &'a RefinedFrames, deadline: &'a Deadline) -> Self {
        TopRefiner {
            pda,
            frames,
            trees: TreeBuilder::new(),
            known: IdMap::default(),
            deadline,
        }
    }

    /// The automaton over refined frames.
    fn refined(mut self) -> Result<Pda, LimitExceeded> {
        let mut states = Vec::with_capacity(self.pda.states.len());
        for state in &self.pda.states {
            let edges = self.edges(&state.edges)?;
            let top = Vec::new();
            states.push(State { edges, top });
        }
        Ok(Pda {
            classes: self.pda.classes.clone(),
            start: self.pda.start,
            states,
            under: vec![Vec::new(); self.frames.mark_of.len()],
            trees: self.trees.into_all(),
        })
    }

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
        match &pda.trees[tree.index()] {
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
                    for &frame in &self.frames.of_frame[frame.index()] {
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
        if let [only] = self.frames.of_frame[frame.index()][..] {
            return Ok(self.onto(alternative, Some(only)));
        }
        let depth = alternative.pop;
        if let Some(&(_, below)) = looks.iter().find(|look| look.0 == depth) {
            let pushed = self.frames.pushed(below, frame);
            return Ok(self.onto(alternative, pushed));
        }
        let mut branches = Vec::new();
        for &below in self.frames.of_frame.iter().flatten() {
            self.deadline.tick(DOING)?;
            let pushed = self.frames.pushed(below, frame);
            branches.push((below, self.onto(alternative, pushed)));
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
