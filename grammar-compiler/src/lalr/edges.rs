//! The edges of the automaton.
//!
//! In: the tables, and the frames known so far. Out: a decision tree for each node and terminal. A
//! node is a state of the parser, or a reduction of which the states are being popped. A reduction
//! pops and takes the terminal again; what needs no pop goes on within the same edge, so an edge
//! looks at the top frame at most.

use std::rc::Rc;

use maskwright_lalr::{Symbol, Tables};

use super::DOING;
use super::frames::StateFrames;
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::maps::IdMap;
use crate::pda::trees::TreeBuilder;
use crate::pda::{Alternative, FrameId, StateId, Tree, TreeId};

/// Actions within one edge; more are a circle in which the stack grows.
const MOST_ACTIONS: u32 = 200;

/// Branches of all trees together, some hundred megabytes.
const MOST_BRANCHES: usize = 1 << 25;

/// A reduction to a nonterminal, and how many states of the parser are popped for it yet. The state
/// below them is uncovered.
type Reduction = (u32, u32);

/// What a stack of the parser is like, as far as an edge knows it.
#[derive(Clone, Debug)]
struct KnownStack {
    top: u32,
    /// States that are not on the stack of the automaton, the top first.
    added: Vec<u32>,
    /// The top frame, if it is looked at, and how many of its states are popped.
    looked: Option<FrameId>,
    popped: usize,
    actions: u32,
    /// The stack before some of the actions. Where it comes again, the actions are a circle, which
    /// takes no symbol (Brent's search for cycles).
    before: Option<Rc<KnownStack>>,
}

impl KnownStack {
    /// Whether the same actions follow.
    fn is_like(&self, other: &KnownStack) -> bool {
        (self.top, self.looked, self.popped) == (other.top, other.looked, other.popped)
            && self.added == other.added
    }
}

/// Builds edges.
pub(super) struct EdgeBuilder<'a> {
    tables: &'a Tables,
    limits: &'a Limits,
    deadline: &'a Deadline,
    pub(super) frames: StateFrames,
    trees: TreeBuilder,
    /// The branches of all trees.
    branches: usize,
    /// Reductions that are nodes; they are numbered after the states and the end of the text.
    reductions: Interner<Reduction>,
    known: IdMap<(u32, Option<u32>), TreeId>,
}

impl<'a> EdgeBuilder<'a> {
    pub(super) fn new(tables: &'a Tables, limits: &'a Limits, deadline: &'a Deadline) -> Self {
        EdgeBuilder {
            tables,
            limits,
            deadline,
            frames: StateFrames::new(tables),
            trees: TreeBuilder::new(),
            branches: 0,
            reductions: Interner::new(),
            known: IdMap::default(),
        }
    }

    /// Forgets the trees that were made.
    pub(super) fn forget(&mut self) {
        self.known.clear();
    }

    pub(super) fn into_trees(self) -> Vec<Tree> {
        self.trees.into_all()
    }

    /// The number of nodes known so far.
    pub(super) fn nodes(&self) -> u32 {
        self.ended() + 1 + self.reductions.values.len() as u32
    }

    /// The node after the end of the text.
    fn ended(&self) -> u32 {
        self.tables.states.len() as u32
    }

    /// The tree of a node for any of these terminals.
    pub(super) fn edge(
        &mut self,
        node: u32,
        terminals: impl Iterator<Item = Symbol>,
    ) -> Result<Option<TreeId>, LimitExceeded> {
        let mut all = TreeBuilder::REFUSES;
        for symbol in terminals {
            let tree = self.tree(node, symbol)?;
            all = self.trees.join(all, tree);
        }
        Ok((all != TreeBuilder::REFUSES).then_some(all))
    }

    /// The tree of a node for a terminal.
    fn tree(&mut self, node: u32, symbol: Symbol) -> Result<TreeId, LimitExceeded> {
        let key = match symbol {
            Symbol::Terminal(terminal) => (node, Some(terminal)),
            Symbol::End => (node, None),
        };
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let ended = self.ended();
        let tree = match node.checked_sub(ended + 1) {
            Some(reduction) => {
                let (nonterminal, left) = self.reductions.values[reduction as usize];
                let frames = self.that_go_on(nonterminal, left)?;
                self.look(frames, symbol, (nonterminal, left), 0)?
            }
            None if node == ended => TreeBuilder::REFUSES,
            None => {
                let stack = KnownStack {
                    top: node,
                    added: Vec::new(),
                    looked: None,
                    popped: 0,
                    actions: 0,
                    before: None,
                };
                self.follow(stack, symbol)?
            }
        };
        self.known.insert(key, tree);
        Ok(tree)
    }

    /// Follows the actions for a symbol.
    fn follow(&mut self, mut stack: KnownStack, symbol: Symbol) -> Result<TreeId, LimitExceeded> {
        self.deadline.tick(DOING)?;
        if (stack.before.as_ref()).is_some_and(|before| before.is_like(&stack)) {
            return Ok(TreeBuilder::REFUSES);
        }
        if stack.actions.is_power_of_two() {
            stack.before = None;
            stack.before = Some(Rc::new(stack.clone()));
        }
        if stack.actions > MOST_ACTIONS || self.trees.len() > self.limits.branches {
            return Err(self.too_many());
        }
        let state = &self.tables.states[stack.top as usize];
        if let Symbol::Terminal(terminal) = symbol {
            if let Ok(at) = state
                .shifts
                .binary_search_by_key(&terminal, |shift| shift.0)
            {
                return self.shifted(stack, state.shifts[at].1);
            }
        } else if state.accepts {
            let next = StateId::new(self.ended());
            return Ok(self.trees.leaf(vec![Alternative {
                pop: 0,
                push: None,
                next,
                again: false,
            }]));
        }
        match state.reductions.binary_search_by_key(&symbol, |of| of.0) {
            Ok(at) => {
                let production = self.tables.productions[state.reductions[at].1 as usize];
                let reduction = (production.nonterminal, production.length);
                self.reduced(stack, symbol, reduction)
            }
            Err(_) => Ok(TreeBuilder::REFUSES),
        }
    }

    /// The symbol is taken.
    fn shifted(&mut self, stack: KnownStack, to: u32) -> Result<TreeId, LimitExceeded> {
        let mut pushed = vec![stack.top];
        pushed.extend(&stack.added);
        let mut pop = 0;
        // What is left of a frame of which some states are popped is pushed again.
        if let Some(frame) = stack.looked.filter(|_| stack.popped > 0) {
            pushed.extend(&self.frames.states(frame)[stack.popped..]);
            pop = 1;
        }
        let push = self.frames.frame(pushed)?;
        Ok(self.trees.leaf(vec![Alternative {
            pop,
            push: Some(push),
            next: StateId::new(to),
            again: false,
        }]))
    }

    /// Takes the states of a production off the stack.
    fn reduced(
        &mut self,
        mut stack: KnownStack,
        symbol: Symbol,
        (nonterminal, count): Reduction,
    ) -> Result<TreeId, LimitExceeded> {
        stack.actions += 1;
        let Some(left) = count.checked_sub(1) else {
            stack.added.insert(0, stack.top);
            return self.uncovered(stack, symbol, nonterminal);
        };
        let of_added = (left as usize).min(stack.added.len());
        stack.added.drain(..of_added);
        let left = left - of_added as u32;
        if !stack.added.is_empty() {
            return self.uncovered(stack, symbol, nonterminal);
        }
        match stack.looked {
            Some(frame) => self.pop_frame(stack, frame, symbol, (nonterminal, left)),
            None if left > 0 && self.frames.are_single() => {
                let pop = u8::try_from(left).map_err(|_| {
                    LimitExceeded::new(
                        "frames",
                        u8::MAX,
                        "an alternative of a rule has too many parts",
                    )
                })?;
                Ok(self.pops(pop, (nonterminal, 0)))
            }
            None => {
                let frames = self.that_go_on(nonterminal, left)?;
                self.look(frames, symbol, (nonterminal, left), stack.actions)
            }
        }
    }

    /// The frames on which a reduction to a nonterminal can go on. All frames are looked at.
    fn that_go_on(&self, nonterminal: u32, left: u32) -> Result<Vec<FrameId>, LimitExceeded> {
        self.deadline.ticks(self.frames.len(), DOING)?;
        Ok(self.frames.that_go_on(nonterminal, left, self.tables))
    }

    /// Looks at the top frame.
    fn look(
        &mut self,
        frames: Vec<FrameId>,
        symbol: Symbol,
        reduction: Reduction,
        actions: u32,
    ) -> Result<TreeId, LimitExceeded> {
        let mut branches = Vec::with_capacity(frames.len());
        for frame in frames {
            let stack = KnownStack {
                top: 0,
                added: Vec::new(),
                looked: Some(frame),
                popped: 0,
                actions,
                before: None,
            };
            branches.push((frame, self.pop_frame(stack, frame, symbol, reduction)?));
        }
        let (before, count) = (self.trees.len(), branches.len());
        let tree = self.trees.look(0, branches);
        if self.trees.len() > before {
            self.branches += count;
        }
        match self.branches <= MOST_BRANCHES {
            true => Ok(tree),
            false => Err(self.too_many()),
        }
    }

    fn too_many(&self) -> LimitExceeded {
        LimitExceeded::new(
            "branches",
            self.limits.branches,
            "one symbol ends too many rules at once",
        )
    }

    /// Takes states off the frame that is looked at, and off those below it.
    fn pop_frame(
        &mut self,
        mut stack: KnownStack,
        frame: FrameId,
        symbol: Symbol,
        (nonterminal, left): Reduction,
    ) -> Result<TreeId, LimitExceeded> {
        let of_frame = (self.frames.states(frame).len() - stack.popped) as u32;
        if left >= of_frame {
            let pop_all = self.frames.are_single();
            let left = left - of_frame;
            return Ok(match u8::try_from(left) {
                Ok(more) if pop_all && more < u8::MAX => self.pops(1 + more, (nonterminal, 0)),
                _ => self.pops(1, (nonterminal, left)),
            });
        }
        stack.popped += left as usize;
        self.uncovered(stack, symbol, nonterminal)
    }

    /// Pops frames and goes on with a reduction.
    fn pops(&mut self, pop: u8, reduction: Reduction) -> TreeId {
        let node = self.ended() + 1 + self.reductions.intern(reduction);
        self.trees.leaf(vec![Alternative {
            pop,
            push: None,
            next: StateId::new(node),
            again: true,
        }])
    }

    /// Goes on in the state that follows the one that is uncovered.
    fn uncovered(
        &mut self,
        mut stack: KnownStack,
        symbol: Symbol,
        nonterminal: u32,
    ) -> Result<TreeId, LimitExceeded> {
        let uncovered = match (stack.added.first(), stack.looked) {
            (Some(&state), _) => state,
            (None, Some(frame)) => self.frames.states(frame)[stack.popped],
            (None, None) => return Ok(TreeBuilder::REFUSES),
        };
        let gotos = &self.tables.states[uncovered as usize].gotos;
        match gotos.binary_search_by_key(&nonterminal, |goto| goto.0) {
            Ok(at) => {
                stack.top = gotos[at].1;
                self.follow(stack, symbol)
            }
            Err(_) => Ok(TreeBuilder::REFUSES),
        }
    }
}
