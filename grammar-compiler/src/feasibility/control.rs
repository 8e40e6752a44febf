//! The automaton and the automaton of tokens' texts side by side; a step moves one frame at most.
//!
//! In: a [`Pda`] and a [`TokenTexts`]. Out: [`ControlMachine::steps`]: what a [`Control`] does on a
//! stack of which the top frames are known (a *gram*: as many as decision trees look at under its
//! top frame). A step leaves the stack alone, pops one frame or pushes one, as in a textbook's
//! pushdown system; an edge that pops several frames becomes several steps.
//!
//! In a machine of [single frames](ControlMachine::of_frames) a gram is the top frame alone, of
//! which there are few. There an edge that looks deeper pops what it has looked at, and pushes it
//! again.

use super::tokens::{ANYWHERE, BETWEEN, TextNode, TokenTexts};
use crate::id::id;
use crate::intern::Interner;
use crate::maps::own_keys;
use crate::pda::{Alternative, BOTTOM, Class, FrameId, Pda, StateId, Tree, TreeId};

id! {
    /// Number of a [`Control`].
    pub struct ControlId;
}

id! {
    /// Number of a gram: the top frames of a stack, the top first; shorter ones end with the
    /// bottom.
    pub struct GramId;
}

id! {
    /// Number of some frames, the top first.
    pub struct FramesId;
}

/// The next step of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Control {
    /// In a state, at a node of the tokens' texts.
    At {
        /// The state.
        state: StateId,
        /// The node.
        node: TextNode,
    },
    /// About to take a symbol again, which the tokens' texts have already moved over.
    Again {
        /// The state.
        state: StateId,
        /// The node after the symbol.
        node: TextNode,
        /// The symbol.
        class: Class,
    },
    /// Within an edge: more to pop, then perhaps to push.
    Within {
        /// Frames to pop yet.
        pop: u8,
        /// The frame to push then.
        push: Option<FrameId>,
        /// What follows.
        then: ControlId,
    },
    /// Within an edge, in a machine of single frames: about to take a symbol, which the tokens'
    /// texts have already moved over.
    Edge {
        /// The rest of the edge's tree.
        tree: TreeId,
        /// The node after the symbol.
        node: TextNode,
        /// The symbol.
        class: Class,
        /// The frames that it has looked at and popped.
        popped: FramesId,
    },
    /// In a machine of single frames: about to push frames.
    Pushing {
        /// The frames; the last one is pushed first.
        frames: FramesId,
        /// What follows.
        then: ControlId,
    },
}

own_keys!(Control);

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ControlStep {
    /// Goes on, on the same stack.
    Stay(ControlId),
    /// Pops the top frame.
    Return(ControlId),
    /// Pushes a frame: the frame, the gram then, and what goes on there.
    Call(FrameId, GramId, ControlId),
    /// The text has ended.
    End,
}

/// The automaton, as far as it has been met.
pub struct ControlMachine<'a> {
    pda: &'a Pda,
    texts: &'a TokenTexts,
    controls: Interner<Control>,
    grams: Interner<Vec<FrameId>>,
    /// The length of a gram, by its top frame; `None` in a machine of single frames.
    lengths: Option<Vec<usize>>,
    /// The frames of controls.
    frames: Interner<Vec<FrameId>>,
    /// The states after the end of the text.
    ended: Vec<bool>,
}

impl<'a> ControlMachine<'a> {
    /// Nothing met yet.
    pub fn new(pda: &'a Pda, texts: &'a TokenTexts) -> Self {
        ControlMachine {
            pda,
            texts,
            controls: Interner::new(),
            grams: Interner::new(),
            lengths: Some(lengths(pda)),
            frames: Interner::new(),
            ended: ended(pda),
        }
    }

    /// Nothing met yet; the top frame alone is a gram.
    pub fn of_frames(pda: &'a Pda, texts: &'a TokenTexts) -> Self {
        ControlMachine {
            lengths: None,
            ..ControlMachine::new(pda, texts)
        }
    }

    /// The number of a control.
    pub fn control(&mut self, control: Control) -> ControlId {
        let control = match (control, &self.lengths) {
            (Control::Again { state, node, class }, None) => match self.pda.edge(state, class) {
                Some(tree) => self.whole_edge(tree, node, class),
                None => control,
            },
            _ => control,
        };
        ControlId::new(self.controls.intern(control))
    }

    /// An edge before the first look. States with equal edges share what follows.
    fn whole_edge(&mut self, tree: TreeId, node: TextNode, class: Class) -> Control {
        Control::Edge {
            tree,
            node,
            class,
            popped: self.no_frames(),
        }
    }

    fn no_frames(&mut self) -> FramesId {
        FramesId::new(self.frames.intern(Vec::new()))
    }

    /// The state, if this control is between two tokens, or in text that tokens need not spell.
    pub fn state_of(&self, control: ControlId) -> Option<StateId> {
        match self.controls.values[control.index()] {
            Control::At {
                state,
                node: BETWEEN | ANYWHERE,
            } => Some(state),
            _ => None,
        }
    }

    /// Whether the text has ended in a state.
    pub fn has_ended(&self, state: StateId) -> bool {
        self.ended[state.index()]
    }

    /// Whether this control has taken its symbol.
    pub fn has_taken(&self, control: ControlId) -> bool {
        matches!(self.controls.values[control.index()], Control::At { .. })
    }

    /// The gram of an empty stack.
    pub fn bottom(&mut self) -> GramId {
        GramId::new(self.grams.intern(vec![BOTTOM]))
    }

    /// The gram after pushing a frame.
    pub fn pushed(&mut self, gram: GramId, frame: FrameId) -> GramId {
        let below = &self.grams.values[gram.index()];
        let length = (self.lengths.as_ref()).map_or(1, |lengths| lengths[frame.index()]);
        let frames = [frame].into_iter().chain(below.iter().copied());
        let frames = frames.take(length).collect();
        GramId::new(self.grams.intern(frames))
    }

    /// Number of grams met.
    pub fn gram_count(&self) -> usize {
        self.grams.values.len()
    }

    /// All steps of a control on a stack, each once.
    pub fn steps(&mut self, control: ControlId, gram: GramId) -> Vec<ControlStep> {
        let mut out = Vec::new();
        match self.controls.values[control.index()] {
            Control::At { state, .. } if self.ended[state.index()] => out.push(ControlStep::End),
            Control::At { state, node } => {
                let pda = self.pda;
                for &(class, tree) in &pda.states[state.index()].edges {
                    for to in self.texts.moves(node, class) {
                        self.edge(tree, gram, class, to, &mut out);
                    }
                }
            }
            Control::Again { state, node, class } => {
                if let Some(tree) = self.pda.edge(state, class) {
                    self.edge(tree, gram, class, node, &mut out);
                }
            }
            Control::Within { pop, push, then } => out.extend(self.within(pop, push, then, gram)),
            Control::Edge {
                tree,
                node,
                class,
                popped,
            } => self.look((tree, popped), gram, class, node, &mut out),
            Control::Pushing { frames, then } => out.push(self.push(frames, then, gram)),
        }
        out.sort_unstable();
        out.dedup();
        out.retain(|step| *step != ControlStep::Stay(control));
        out
    }

    fn edge(
        &mut self,
        tree: TreeId,
        gram: GramId,
        class: Class,
        to: TextNode,
        out: &mut Vec<ControlStep>,
    ) {
        if self.lengths.is_none() {
            let popped = self.no_frames();
            return self.look((tree, popped), gram, class, to, out);
        }
        for alternative in self.resolve(tree, gram) {
            let then = self.behind(alternative, class, to);
            out.extend(self.within(alternative.pop, alternative.push, then, gram));
        }
    }

    /// What follows once an alternative has changed the stack.
    fn behind(&mut self, alternative: &Alternative, class: Class, node: TextNode) -> ControlId {
        let state = alternative.next;
        self.control(match alternative.again {
            true => Control::Again { state, node, class },
            false => Control::At { state, node },
        })
    }

    /// A tree, of which some frames have been looked at and popped.
    fn look(
        &mut self,
        (mut tree, popped): (TreeId, FramesId),
        gram: GramId,
        class: Class,
        node: TextNode,
        out: &mut Vec<ControlStep>,
    ) {
        let pda = self.pda;
        let mut looked = self.frames.values[popped.index()].clone();
        let top = self.grams.values[gram.index()][0];
        loop {
            match &pda.trees[tree.index()] {
                Tree::Look { depth, branches } => {
                    let depth = usize::from(*depth);
                    let frame = match looked.get(depth) {
                        Some(&frame) => frame,
                        None if depth == looked.len() || top == BOTTOM => top,
                        None => {
                            looked.push(top);
                            let popped = FramesId::new(self.frames.intern(looked));
                            let control = Control::Edge {
                                tree,
                                node,
                                class,
                                popped,
                            };
                            return out.push(ControlStep::Return(self.control(control)));
                        }
                    };
                    match branches.binary_search_by_key(&frame, |branch| branch.0) {
                        Ok(at) => tree = branches[at].1,
                        Err(_) => return,
                    }
                }
                Tree::Leaf(alternatives) => {
                    for alternative in alternatives {
                        let then = self.behind(alternative, class, node);
                        let step = self.leave(*alternative, &looked, then, gram);
                        out.extend(step);
                    }
                    return;
                }
            }
        }
    }

    /// The first step of an alternative where these frames have been popped.
    fn leave(
        &mut self,
        alternative: Alternative,
        popped: &[FrameId],
        then: ControlId,
        gram: GramId,
    ) -> Option<ControlStep> {
        let Alternative { pop, push, .. } = alternative;
        let Some(again) = popped.get(usize::from(pop)..) else {
            let pop = pop - popped.len() as u8;
            return self.within(pop, push, then, gram);
        };
        let frames: Vec<FrameId> = push.into_iter().chain(again.iter().copied()).collect();
        if frames.is_empty() {
            return Some(ControlStep::Stay(then));
        }
        let frames = FramesId::new(self.frames.intern(frames));
        Some(self.push(frames, then, gram))
    }

    /// Pushes the last one of some frames.
    fn push(&mut self, frames: FramesId, then: ControlId, gram: GramId) -> ControlStep {
        let mut rest = self.frames.values[frames.index()].clone();
        let Some(first) = rest.pop() else {
            return ControlStep::Stay(then);
        };
        let then = match rest.is_empty() {
            true => then,
            false => {
                let frames = FramesId::new(self.frames.intern(rest));
                self.control(Control::Pushing { frames, then })
            }
        };
        ControlStep::Call(first, self.pushed(gram, first), then)
    }

    fn within(
        &mut self,
        pop: u8,
        push: Option<FrameId>,
        then: ControlId,
        gram: GramId,
    ) -> Option<ControlStep> {
        match (pop, push) {
            (0, None) => Some(ControlStep::Stay(then)),
            (0, Some(frame)) => Some(ControlStep::Call(frame, self.pushed(gram, frame), then)),
            _ if self.grams.values[gram.index()] == [BOTTOM] => None,
            (1, None) => Some(ControlStep::Return(then)),
            _ => {
                let pop = pop - 1;
                Some(ControlStep::Return(self.control(Control::Within {
                    pop,
                    push,
                    then,
                })))
            }
        }
    }

    /// The leaf of a tree on a stack.
    fn resolve(&self, mut tree: TreeId, gram: GramId) -> &'a [Alternative] {
        let frames = &self.grams.values[gram.index()];
        loop {
            match &self.pda.trees[tree.index()] {
                Tree::Leaf(alternatives) => return alternatives,
                Tree::Look { depth, branches } => {
                    let frame = frames.get(*depth as usize).copied().unwrap_or(BOTTOM);
                    match branches.binary_search_by_key(&frame, |b| b.0) {
                        Ok(at) => tree = branches[at].1,
                        Err(_) => return &[],
                    }
                }
            }
        }
    }
}

/// For each top frame the number of frames that decide all edges. A frame pushed on top leaves one
/// frame less to know below it.
fn lengths(pda: &Pda) -> Vec<usize> {
    let mut lengths = vec![1; pda.under.len()];
    for state in &pda.states {
        for &(_, tree) in &state.edges {
            match &pda.trees[tree.index()] {
                Tree::Look { depth: 0, branches } => {
                    branches.iter().for_each(|&(frame, branch)| {
                        let length = &mut lengths[frame.index()];
                        *length = deepest(pda, branch).max(*length);
                    })
                }
                Tree::Look { .. } => state.top.iter().for_each(|&frame| {
                    let length = &mut lengths[frame.index()];
                    *length = deepest(pda, tree).max(*length);
                }),
                Tree::Leaf(_) => {}
            }
        }
    }
    let longest = lengths.iter().copied().max().unwrap_or(1);
    lengths
        .iter()
        .map(|&length| length.max(longest - 1))
        .collect()
}

/// How many frames a tree looks at, counted from the top.
fn deepest(pda: &Pda, tree: TreeId) -> usize {
    match &pda.trees[tree.index()] {
        Tree::Leaf(_) => 0,
        Tree::Look { depth, branches } => {
            let below = branches.iter().map(|b| deepest(pda, b.1));
            below.max().unwrap_or(0).max(*depth as usize + 1)
        }
    }
}

/// The states that the end of the text leads to.
pub(crate) fn ended(pda: &Pda) -> Vec<bool> {
    let mut ended = vec![false; pda.states.len()];
    let edges = (pda.state_ids()).filter_map(|state| pda.edge(state, pda.classes.end()));
    for tree in edges {
        pda.leaves(tree, &mut |leaf| {
            for alternative in leaf.iter().filter(|a| !a.again) {
                ended[alternative.next.index()] = true;
            }
        });
    }
    ended
}
