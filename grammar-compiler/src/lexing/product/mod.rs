//! The parser's automaton beside the scanner's.
//!
//! In: the automaton over symbols, which says in each state which points can be finished. Out: a
//! [`Pda`] over bytes. Its states are [`Node`]s, each of which can be finished on every stack on
//! which it is met; which frames can lie where is not known yet.
//!
//! Within a terminal the state of the parser is either a part of the state (where the terminals
//! that begin there have few states), or the top frame, so that all states of the parser share the
//! states of terminals like names and strings.
//!
//! `take` is what happens when a terminal has ended, `end` the end of the text; `seen` is an edge of
//! the parser seen from before a change of the stack.

mod end;
mod seen;
mod take;

use self::seen::Looked;
use self::take::unchanged;
use super::lexemes::{EndedId, GhostId, Lexemes, PointId, StartId};
use super::live::{Asked, LiveParser, Lives};
use super::obligations::{NONE, Obligations};
use crate::bits::Bits;
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::maps::{IdMap, own_keys};
use crate::pda::trees::TreeBuilder;
use crate::pda::{Alternative, Class, Classes, FrameId, Pda, State, StateId, TreeId};
use std::collections::BTreeMap;

/// The stage, as a passed limit names it.
const DOING: &str = "compiling the lexer into the automaton";

/// Where the terminals that begin in a state of the parser have at most this many states, these are
/// copied for it; otherwise the state of the parser is pushed.
const COPIED: usize = 12;

/// A state of the product. The obligations are those after all bytes that were taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    /// Between two terminals.
    Between(StateId, Obligations),
    /// Within a terminal. Without a state of the parser, that is the top frame.
    Within(Option<StateId>, PointId),
    /// The parser takes a symbol, whose terminal has left a ghost behind; then a terminal begins
    /// with the next byte, or the text ends.
    Taking(StateId, Class, GhostId),
    /// The parser takes a symbol that ended with the byte of this class, which is the next one but
    /// counts as taken.
    Ending(StateId, Class, Obligations, u8),
    /// The parser takes the end of the text again.
    Finishing(StateId),
}

own_keys!(Node);

/// The automaton over bytes, and the state of the parser of each of its states.
pub(super) struct Product {
    pub(super) pda: Pda,
    pub(super) origins: Vec<Vec<StateId>>,
}

/// Builds the product.
///
/// # Errors
///
/// If a limit is passed.
pub(super) fn product<'a>(
    parser: &'a LiveParser,
    lexemes: &mut Lexemes<'a>,
    limits: &Limits,
    deadline: &Deadline,
) -> Result<Product, LimitExceeded> {
    let mut builder = Builder {
        live: parser,
        parser: &parser.pda,
        limits,
        deadline,
        lexemes,
        trees: TreeBuilder::new(),
        nodes: Interner::new(),
        edges: Vec::new(),
        callers: Vec::new(),
        due: Vec::new(),
        is_copied: BTreeMap::new(),
        frames: Interner::new(),
        lives: IdMap::default(),
    };
    let start = builder.node(Node::Between(parser.pda.start, NONE), None)?;
    while let Some((node, caller)) = builder.due.pop() {
        builder.explore(node, caller)?;
    }
    Ok(builder.finish(start))
}

/// The edges of a node by class and caller.
type Edges = BTreeMap<(Class, Option<FrameId>), TreeId>;

struct Builder<'b, 'a> {
    live: &'b LiveParser,
    parser: &'b Pda,
    limits: &'b Limits,
    deadline: &'b Deadline,
    lexemes: &'b mut Lexemes<'a>,
    trees: TreeBuilder,
    nodes: Interner<Node>,
    edges: Vec<Edges>,
    /// For each node that the parser's state is a frame of, the states that were met.
    callers: Vec<Bits>,
    /// Nodes to be explored, with the state of the parser in the top frame.
    due: Vec<(StateId, Option<StateId>)>,
    is_copied: BTreeMap<StartId, bool>,
    /// States of the parser that are frames.
    frames: Interner<StateId>,
    /// What was asked for, and where it lives.
    lives: IdMap<(StateId, Asked), Lives>,
}

impl Builder<'_, '_> {
    /// The number of a node. It is due for `caller` if it was not met with it.
    fn node(&mut self, node: Node, caller: Option<StateId>) -> Result<StateId, LimitExceeded> {
        let id = StateId::new(self.nodes.intern(node));
        if id.index() == self.edges.len() {
            if id.index() >= self.limits.automaton_states {
                return Err(LimitExceeded::new(
                    "automaton_states",
                    self.limits.automaton_states,
                    "the lexer and the rules together need too many states",
                ));
            }
            self.edges.push(Edges::new());
            self.callers.push(Bits::default());
        }
        let met = caller.map_or(0, |caller| caller.index() + 1);
        if self.callers[id.index()].insert(met) {
            self.due.push((id, caller));
        }
        Ok(id)
    }

    /// The terminals that compete in a state of the parser.
    fn start(&self, state: StateId) -> StartId {
        self.live.starts[state.index()]
    }

    /// Whether the states of the terminals that compete are copied for each state of the parser.
    fn is_copied(&mut self, start: StartId) -> Result<bool, LimitExceeded> {
        if let Some(&known) = self.is_copied.get(&start) {
            return Ok(known);
        }
        let is_copied = self.lexemes.reaches_few(start, COPIED)?;
        self.is_copied.insert(start, is_copied);
        Ok(is_copied)
    }

    fn frame(&mut self, state: StateId) -> Result<FrameId, LimitExceeded> {
        FrameId::numbered(self.parser.under.len() + self.frames.intern(state) as usize)
    }

    /// Finds the edges of a node on the stacks on which `caller` is the top frame.
    fn explore(&mut self, id: StateId, caller: Option<StateId>) -> Result<(), LimitExceeded> {
        let node = self.nodes.values[id.index()];
        self.deadline.ticks(1 + self.lexemes.classes(), DOING)?;
        self.deadline.confirm(DOING)?;
        let frame = match (node, caller) {
            (Node::Within(None, ..), Some(caller)) => Some(self.frame(caller)?),
            _ => None,
        };
        match node {
            // The text has ended.
            Node::Between(state, _) if self.parser.states[state.index()].edges.is_empty() => {}
            Node::Between(state, obligations) => {
                let left = self.lexemes.between(obligations);
                let ghost = self.lexemes.of_ghost(left);
                for &(class, behind) in ghost.next.iter() {
                    let tree = self.begin((state, left), behind, class)?;
                    self.set(id, class.into(), frame, tree);
                }
                if ghost.at_end {
                    let tree = self.end_between(state)?;
                    self.set(id, self.end(), frame, tree);
                }
            }
            Node::Within(of, point) => {
                if let Some(state) = of.or(caller) {
                    self.within(id, (state, of), point, frame)?;
                }
            }
            Node::Taking(state, symbol, ghost) => {
                let of = self.lexemes.of_ghost(ghost);
                for of_class in of.next.chunk_by(|a, b| a.0 == b.0) {
                    let mut tree = TreeBuilder::REFUSES;
                    for &(class, behind) in of_class {
                        let next = Some((class, behind));
                        let taken = self.take(state, symbol, 0, ghost, next)?;
                        tree = self.trees.join(tree, taken);
                    }
                    self.set(id, of_class[0].0.into(), frame, tree);
                }
                if of.at_end {
                    let tree = self.take(state, symbol, 0, ghost, None)?;
                    self.set(id, self.end(), frame, tree);
                }
            }
            Node::Finishing(state) => {
                let tree = self.end_between(state)?;
                self.set(id, self.end(), frame, tree);
            }
            Node::Ending(state, symbol, obligations, class) => {
                let tree = self.mapped(state, symbol, 0, &mut |builder, total, looked| {
                    builder.take_last((total, looked), symbol, obligations, class)
                })?;
                self.set(id, class.into(), frame, tree);
            }
        }
        Ok(())
    }

    fn end(&self) -> Class {
        self.lexemes.classes() as Class
    }

    fn set(&mut self, id: StateId, class: Class, frame: Option<FrameId>, tree: TreeId) {
        if tree != TreeBuilder::REFUSES {
            self.edges[id.index()].insert((class, frame), tree);
        }
    }

    /// A byte between two terminals, given what the text has left behind before it, and the
    /// obligations behind it.
    fn begin(
        &mut self,
        (state, left): (StateId, GhostId),
        behind: Obligations,
        class: u8,
    ) -> Result<TreeId, LimitExceeded> {
        let start = self.start(state);
        let Some(point) = self.lexemes.first(start, class, behind) else {
            return Ok(TreeBuilder::REFUSES);
        };
        if let Some(ends) = self.ends_at_once(point) {
            let stays = unchanged(0, state);
            return self.end_at_once(stays, &ends, point, class, &Looked::default());
        }
        let asked = Asked::First(left, point);
        let stays = unchanged(0, state);
        self.where_lives(asked, stays, &Looked::default(), &mut |builder| {
            let entered = builder.enter(state, point)?;
            Ok(builder.trees.leaf(vec![entered]))
        })
    }

    /// The sets of terminals that end at a point whatever follows, if nothing goes on there.
    fn ends_at_once(&mut self, point: PointId) -> Option<Vec<EndedId>> {
        let (scan, _) = self.lexemes.of_point(point);
        self.lexemes.ends_at_once(scan)
    }

    /// The first byte of a terminal that goes on.
    fn enter(&mut self, state: StateId, point: PointId) -> Result<Alternative, LimitExceeded> {
        let is_copied = self.is_copied(self.start(state))?;
        let (node, push) = match is_copied {
            true => (Node::Within(Some(state), point), None),
            false => (Node::Within(None, point), Some(self.frame(state)?)),
        };
        Ok(Alternative {
            pop: 0,
            push,
            next: self.node(node, (!is_copied).then_some(state))?,
            again: false,
        })
    }

    /// The edges within a terminal, in a state of the parser.
    fn within(
        &mut self,
        id: StateId,
        (state, of): (StateId, Option<StateId>),
        before: PointId,
        frame: Option<FrameId>,
    ) -> Result<(), LimitExceeded> {
        let start = self.start(state);
        let steps = self.lexemes.steps(before)?;
        let pushed = u8::from(of.is_none());
        let symbols: Vec<(Option<Class>, bool, GhostId)> = (steps.ends.iter())
            .map(|&(ended, ghost)| {
                let symbol = self.lexemes.symbol(start, ended);
                (symbol, self.lexemes.has_ignored(ended), ghost)
            })
            .collect();
        for (class, step) in (0u8..).zip(&steps.classes) {
            let mut tree = TreeBuilder::REFUSES;
            for &point in &step.longer {
                let longer = self.longer((state, of), (before, point), class)?;
                tree = self.trees.join(tree, longer);
            }
            for &(end, behind) in &step.ends {
                let (symbol, is_ignored, ghost) = symbols[end];
                if let Some(symbol) = symbol {
                    let next = Some((class, behind));
                    let taken = self.take(state, symbol, pushed, ghost, next)?;
                    tree = self.trees.join(tree, taken);
                }
                if is_ignored {
                    let stays = unchanged(pushed, state);
                    let stays = self.taken(stays, behind, class, &Looked::default())?;
                    tree = self.trees.join(tree, stays);
                }
            }
            self.set(id, class.into(), frame, tree);
        }
        let tree = self.end_within(state, of, &steps.ends)?;
        self.set(id, self.end(), frame, tree);
        Ok(())
    }

    /// A terminal goes on from a point to another one, in a state of the parser.
    fn longer(
        &mut self,
        (state, of): (StateId, Option<StateId>),
        (before, point): (PointId, PointId),
        class: u8,
    ) -> Result<TreeId, LimitExceeded> {
        let stays = unchanged(u8::from(of.is_none()), state);
        let looked = Looked::default();
        if let Some(ends) = self.ends_at_once(point) {
            return self.end_at_once(stays, &ends, point, class, &looked);
        }
        let asked = Asked::Behind(before, point);
        self.where_lives(asked, stays, &looked, &mut |builder| {
            let longer = match of {
                Some(_) => builder.enter(state, point)?,
                None => Alternative {
                    pop: 0,
                    push: None,
                    next: builder.node(Node::Within(None, point), Some(state))?,
                    again: false,
                },
            };
            Ok(builder.trees.leaf(vec![longer]))
        })
    }

    fn finish(mut self, start: StateId) -> Product {
        let mut states = Vec::with_capacity(self.edges.len());
        for edges in std::mem::take(&mut self.edges) {
            let mut of_class: BTreeMap<Class, Vec<(Option<FrameId>, TreeId)>> = BTreeMap::new();
            for ((class, frame), tree) in edges {
                of_class.entry(class).or_default().push((frame, tree));
            }
            let edges = of_class.into_iter().map(|(class, trees)| match trees[..] {
                [(None, tree)] => (class, tree),
                _ => {
                    let branches = trees
                        .into_iter()
                        .filter_map(|(frame, tree)| Some((frame?, tree)));
                    (class, self.trees.look(0, branches.collect()))
                }
            });
            states.push(State {
                edges: edges.collect(),
                top: Vec::new(),
            });
        }
        let origin = |node: &Node| match *node {
            Node::Between(state, ..)
            | Node::Within(Some(state), ..)
            | Node::Taking(state, ..)
            | Node::Ending(state, ..)
            | Node::Finishing(state) => vec![state],
            Node::Within(None, ..) => Vec::new(),
        };
        let frames = self.parser.under.len() + self.frames.values.len();
        Product {
            origins: self.nodes.values.iter().map(origin).collect(),
            pda: Pda {
                classes: Classes {
                    of_byte: self.lexemes.scanner.classes.of_byte,
                    count: self.lexemes.scanner.classes.count() as Class + 1,
                    token_lead: None,
                    limits: Vec::new(),
                },
                start,
                states,
                trees: self.trees.into_all(),
                under: vec![Vec::new(); frames],
            },
        }
    }
}
