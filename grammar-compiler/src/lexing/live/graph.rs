//! What can happen, terminal by terminal.
//!
//! In: the parser's automaton and the points of terminals. Out: [`LiveGraph`]: its nodes are what a
//! control of the automaton goes on with on some top frames. Between two terminals a control goes
//! on with an *outlook*: the [signals](Signal) that can come next, and whether the text may end. A
//! control that is taking a symbol goes on with the ghost of the terminal that has ended.

use std::collections::{BTreeMap, BTreeSet};

use super::super::lexemes::{GhostId, Lexemes, StartId};
use super::DOING;
use crate::feasibility::control::{Control, ControlId, ControlMachine, ControlStep, GramId};
use crate::feasibility::tokens::BETWEEN;
use crate::id::id;
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded};
use crate::maps::{IdMap, own_keys};
use crate::pda::{Class, FrameId, Pda, StateId};

/// A terminal that ends: its symbol, if the parser sees one, and what it leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Signal {
    pub(super) symbol: Option<Class>,
    pub(super) ghost: GhostId,
}

own_keys!(Signal);

id! {
    /// Number of a [`Signal`].
    pub(super) struct SignalId;
}

id! {
    /// An outlook: signals, and whether the text may end.
    pub(super) struct OutlookId;
}

id! {
    /// A node.
    pub(super) struct NodeId;
}

id! {
    /// Nodes one of which goes on when the top frame is popped.
    pub(super) struct ReturnId;
}

/// What follows a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Follow {
    /// A node on the same stack, or with a frame pushed.
    Stay(NodeId),
    Call(NodeId),
    /// One of these, by what lies below the top frame.
    Return(ReturnId),
    /// The text has ended.
    End,
}

/// A control with the number of what it goes on with.
pub(super) type Going = (ControlId, u32);

/// In place of a ghost: the text ends.
const ENDS: u32 = u32::MAX;

/// The graph.
pub(super) struct LiveGraph<'g, 'a> {
    pub(super) pda: &'g Pda,
    pub(super) machine: ControlMachine<'g>,
    lexemes: &'g mut Lexemes<'a>,
    /// For each state the terminals that compete.
    pub(super) starts: &'g [StartId],
    pub(super) signals: Interner<Signal>,
    outlooks: Interner<(Vec<SignalId>, bool)>,
    of_ghost: IdMap<(StartId, GhostId), OutlookId>,
    pub(super) nodes: Interner<(Going, GramId)>,
    pub(super) follows: Vec<Vec<Follow>>,
    pub(super) returns: Interner<(Going, GramId)>,
    /// For each of them its nodes.
    pub(super) members: Vec<Vec<NodeId>>,
    returns_of: Vec<Vec<ReturnId>>,
    /// For each gram those that can lie under it, and the frames that can be pushed on it.
    under: Vec<BTreeSet<GramId>>,
    pub(super) pushes: Vec<BTreeSet<FrameId>>,
}

impl<'g, 'a> LiveGraph<'g, 'a> {
    /// All that can be reached.
    pub(super) fn new(
        pda: &'g Pda,
        machine: ControlMachine<'g>,
        starts: &'g [StartId],
        lexemes: &'g mut Lexemes<'a>,
        deadline: &Deadline,
    ) -> Result<Self, LimitExceeded> {
        let mut graph = LiveGraph {
            pda,
            machine,
            lexemes,
            starts,
            signals: Interner::new(),
            outlooks: Interner::new(),
            of_ghost: IdMap::default(),
            nodes: Interner::new(),
            follows: Vec::new(),
            returns: Interner::new(),
            members: Vec::new(),
            returns_of: Vec::new(),
            under: Vec::new(),
            pushes: Vec::new(),
        };
        let bottom = graph.machine.bottom();
        let ghost = graph.lexemes.at_start();
        let start = graph.between(pda.start, ghost)?;
        graph.node(start, bottom);
        while graph.follows.len() < graph.nodes.values.len() {
            deadline.tick(DOING)?;
            let follows = graph.follow(NodeId::at(graph.follows.len()), deadline)?;
            graph.follows.push(follows);
        }
        graph.resize();
        Ok(graph)
    }

    fn resize(&mut self) {
        let grams = self.machine.gram_count();
        self.returns_of.resize_with(grams, Vec::new);
        self.under.resize_with(grams, BTreeSet::new);
        self.pushes.resize_with(grams, BTreeSet::new);
    }

    pub(super) fn node(&mut self, going: Going, gram: GramId) -> NodeId {
        NodeId::new(self.nodes.intern((going, gram)))
    }

    /// The node of a control on these frames, if it was met.
    pub(super) fn known(&self, going: Going, gram: GramId) -> Option<NodeId> {
        let key = (going, gram);
        let number = self.nodes.find(&key, |node| *node == key)?;
        Some(NodeId::new(number))
    }

    /// A state between two terminals.
    fn between(&mut self, state: StateId, ghost: GhostId) -> Result<Going, LimitExceeded> {
        let outlook = self.outlook(self.starts[state.index()], ghost)?;
        let control = Control::At {
            state,
            node: BETWEEN,
        };
        Ok((self.machine.control(control), outlook.number()))
    }

    /// The control that takes a symbol in a state.
    pub(super) fn taking(&mut self, state: StateId, symbol: Class) -> ControlId {
        self.machine.control(Control::Again {
            state,
            node: BETWEEN,
            class: symbol,
        })
    }

    /// The state, if a node is between two terminals, and its outlook.
    pub(super) fn at(&self, node: NodeId) -> Option<(StateId, OutlookId)> {
        let ((control, with), _) = self.nodes.values[node.index()];
        let state = self.machine.state_of(control)?;
        let goes_on = !self.machine.has_ended(state);
        goes_on.then(|| (state, OutlookId::new(with)))
    }

    /// The signals of an outlook, and whether the text may end.
    pub(super) fn of_outlook(&self, outlook: OutlookId) -> &(Vec<SignalId>, bool) {
        &self.outlooks.values[outlook.index()]
    }

    /// For each start the ghosts after which it was met.
    pub(super) fn ghosts(&self) -> BTreeMap<StartId, BTreeSet<GhostId>> {
        let mut ghosts: BTreeMap<StartId, BTreeSet<GhostId>> = BTreeMap::new();
        self.of_ghost.keys().for_each(|&(start, ghost)| {
            ghosts.entry(start).or_default().insert(ghost);
        });
        ghosts
    }

    /// The control that takes the end of the text in a state, with what it goes on with.
    pub(super) fn ending(&mut self, state: StateId) -> Going {
        let end = self.pda.classes.end();
        (self.taking(state, end), ENDS)
    }

    fn follow(&mut self, node: NodeId, deadline: &Deadline) -> Result<Vec<Follow>, LimitExceeded> {
        let (going, gram) = self.nodes.values[node.index()];
        let mut follows = Vec::new();
        match (self.machine.state_of(going.0), self.at(node)) {
            (Some(_), None) => follows.push(Follow::End),
            (_, Some((state, outlook))) => {
                let (signals, may_end) = self.of_outlook(outlook).clone();
                deadline.ticks(signals.len(), DOING)?;
                for signal in signals {
                    let going = self.after(state, signal)?;
                    follows.push(Follow::Stay(self.node(going, gram)));
                }
                if may_end {
                    let going = self.ending(state);
                    follows.push(Follow::Stay(self.node(going, gram)));
                }
            }
            (None, None) => {
                for step in self.machine.steps(going.0, gram) {
                    self.resize();
                    let follow = self.step(step, going.1, gram)?;
                    follows.push(follow);
                }
            }
        }
        follows.sort_unstable();
        follows.dedup();
        Ok(follows)
    }

    /// What goes on in a state after a signal.
    pub(super) fn after(
        &mut self,
        state: StateId,
        signal: SignalId,
    ) -> Result<Going, LimitExceeded> {
        let Signal { symbol, ghost } = self.signals.values[signal.index()];
        match symbol {
            None => self.between(state, ghost),
            Some(symbol) => Ok((self.taking(state, symbol), ghost.number())),
        }
    }

    fn step(
        &mut self,
        step: ControlStep,
        with: u32,
        gram: GramId,
    ) -> Result<Follow, LimitExceeded> {
        Ok(match step {
            ControlStep::End => Follow::End,
            ControlStep::Stay(next) => {
                let going = self.going(next, with)?;
                Follow::Stay(self.node(going, gram))
            }
            ControlStep::Call(frame, callee, next) => {
                let going = self.going(next, with)?;
                self.pushes[gram.index()].insert(frame);
                if self.under[callee.index()].insert(gram) {
                    for of in self.returns_of[callee.index()].clone() {
                        let (going, _) = self.returns.values[of.index()];
                        let member = self.node(going, gram);
                        self.members[of.index()].push(member);
                    }
                }
                Follow::Call(self.node(going, callee))
            }
            ControlStep::Return(next) => {
                let going = self.going(next, with)?;
                Follow::Return(self.returning(going, gram))
            }
        })
    }

    fn returning(&mut self, going: Going, gram: GramId) -> ReturnId {
        let id = ReturnId::new(self.returns.intern((going, gram)));
        if id.index() == self.members.len() {
            let under = self.under[gram.index()].clone().into_iter();
            let members = under.map(|below| self.node(going, below)).collect();
            self.members.push(members);
            self.returns_of[gram.index()].push(id);
        }
        id
    }

    /// A control that has come up, with what it goes on with.
    fn going(&mut self, control: ControlId, with: u32) -> Result<Going, LimitExceeded> {
        match self.machine.state_of(control) {
            Some(state) if self.machine.has_ended(state) => Ok((control, ENDS)),
            Some(state) => self.between(state, GhostId::new(with)),
            None => Ok((control, with)),
        }
    }

    /// The outlook of a ghost where some terminals compete.
    fn outlook(&mut self, start: StartId, ghost: GhostId) -> Result<OutlookId, LimitExceeded> {
        if let Some(&known) = self.of_ghost.get(&(start, ghost)) {
            return Ok(known);
        }
        let of_ghost = self.lexemes.of_ghost(ghost);
        let mut points = Vec::new();
        let mut is_met = crate::bits::Bits::default();
        for &(class, behind) in of_ghost.next.iter() {
            let first = self.lexemes.first(start, class, behind);
            points.extend(first.filter(|point| is_met.insert(point.index())));
        }
        let mut signals = BTreeSet::new();
        while let Some(point) = points.pop() {
            let steps = self.lexemes.steps(point)?;
            for &(ended, ghost) in &steps.ends {
                if let Some(symbol) = self.lexemes.symbol(start, ended) {
                    let symbol = Some(symbol);
                    signals.insert(self.signal(Signal { symbol, ghost }));
                }
                if self.lexemes.has_ignored(ended) {
                    signals.insert(self.signal(Signal {
                        symbol: None,
                        ghost,
                    }));
                }
            }
            let longer = steps.longer.iter();
            points.extend(longer.filter(|point| is_met.insert(point.index())));
        }
        let outlook = (signals.into_iter().collect(), of_ghost.at_end);
        let outlook = OutlookId::new(self.outlooks.intern(outlook));
        self.of_ghost.insert((start, ghost), outlook);
        Ok(outlook)
    }

    fn signal(&mut self, signal: Signal) -> SignalId {
        SignalId::new(self.signals.intern(signal))
    }
}
