//! The rules' automata, made when a text first comes to them.
//!
//! In: a [`Grammar`]. Out: [`Rules`]: positions of all rules entered so far in one numbering, with
//! their byte edges, empty edges and calls. What holds: from each position the end of its rule can
//! be reached, by calls of rules that have sentences. No rule calls itself before it has taken a
//! byte.
//!
//! The states of a large automaton get their positions one by one, and a state is read when a text
//! comes to it.

mod enter;

use std::ops::Range;
use std::sync::Arc;

use crate::maps::IdMap;

use super::counts::{AutomatonState, CountRules};
use super::left_recursion::LeftRecursion;
use super::position::PositionId;
use super::productive::{Facts, may_be_empty, productive};
use super::unread::Unread;
use super::work::Work;
use super::{GaveUp, MAX_POSITIONS};
use crate::bits::Bits;
use crate::grammar::{Expr, Grammar, RuleId};

/// Right parts that nest deeper than this are not looked into.
const MAX_NESTING: u32 = 24;

/// What a text can do at a position.
#[derive(Clone, Debug)]
struct Position {
    /// Whether its rule may end here.
    is_final: bool,
    bytes: Range<u32>,
    empty: Range<u32>,
    calls: Range<u32>,
    /// The state of a large automaton, if it is one.
    state: Option<AutomatonState>,
    /// Whether no text has come to it, so that nothing else is known of it. Only states of large
    /// automata are so.
    is_unread: bool,
}

/// The automata of the rules entered so far.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    grammar: Arc<Grammar>,
    /// The rules that have sentences. Rules of `counts` are added once they are made.
    productive: Bits,
    counts: CountRules,
    /// What is known of the rules that can begin with themselves, if there are some.
    left: Option<LeftRecursion>,
    /// The start of each rule that has been entered.
    starts: IdMap<RuleId, PositionId>,
    positions: Vec<Position>,
    /// The rules that have been entered, each with its first position, ascending.
    entered: Vec<(u32, RuleId)>,
    bytes: Vec<(u8, u8, PositionId)>,
    empty: Vec<PositionId>,
    calls: Vec<(RuleId, PositionId)>,
    /// The positions of states of large automata.
    states: IdMap<AutomatonState, PositionId>,
    /// Room for the edges of such a state.
    edges: Vec<(u8, u8, u32)>,
    unread: Unread,
    /// The work that is left to the step under way.
    pub(super) work: Work,
}

impl Rules {
    /// Rules of which none has been entered. Linear in the grammar. No byte leads into the rules
    /// `unread`: their right parts must begin with some byte, and do not matter otherwise.
    ///
    /// # Errors
    /// If the grammar has no sentence.
    pub(super) fn new(grammar: Arc<Grammar>, unread: Bits) -> Result<Self, GaveUp> {
        let mut work = Work::of_step(0);
        let facts = Facts::new(&grammar);
        let productive = productive(&grammar, &facts, &mut work)?;
        if !productive.contains(grammar.root.0 as usize) {
            return Err(GaveUp);
        }
        let left = LeftRecursion::find(&grammar, &facts, (&productive, &unread), &mut work)?;
        let counts = CountRules::new(grammar.rules.len());
        let unread = Unread::new(unread.into());
        let known = (productive, counts, left);
        Ok(Self::none_entered(grammar, known, unread))
    }

    /// Rules of which none has been entered. The rules of counts are moved here from `old`, which
    /// cannot be used without them.
    pub(super) fn renewed(old: &mut Rules) -> Self {
        let productive = std::mem::take(&mut old.productive);
        let counts = std::mem::replace(&mut old.counts, CountRules::new(0));
        let known = (productive, counts, old.left.take());
        let unread = old.unread.renewed();
        let work = old.work.clone();
        Rules {
            work,
            ..Self::none_entered(old.grammar.clone(), known, unread)
        }
    }

    fn none_entered(
        grammar: Arc<Grammar>,
        (productive, counts, left): (Bits, CountRules, Option<LeftRecursion>),
        unread: Unread,
    ) -> Self {
        Rules {
            grammar,
            productive,
            counts,
            left,
            starts: IdMap::default(),
            positions: Vec::new(),
            entered: Vec::new(),
            bytes: Vec::new(),
            empty: Vec::new(),
            calls: Vec::new(),
            states: IdMap::default(),
            edges: Vec::new(),
            unread,
            work: Work::of_step(0),
        }
    }

    /// About how many bytes of memory they take, without the grammar.
    pub(super) fn memory(&self) -> usize {
        let positions = size_of::<Position>() * self.positions.capacity();
        let bytes = size_of::<(u8, u8, PositionId)>() * self.bytes.capacity();
        let empty = size_of::<PositionId>() * self.empty.capacity();
        let calls = size_of::<(RuleId, PositionId)>() * self.calls.capacity();
        let states = size_of::<(AutomatonState, PositionId)>() * self.states.capacity();
        let starts = size_of::<(RuleId, PositionId)>() * self.starts.capacity();
        let entered = size_of::<(u32, RuleId)>() * self.entered.capacity();
        positions + bytes + empty + calls + states + starts + entered + self.counts.memory()
    }

    /// Gives the rules of counts back.
    pub(super) fn give_back(self, old: &mut Rules) {
        old.productive = self.productive;
        old.counts = self.counts;
        old.left = self.left;
    }

    /// The position here that `at` is in `old`.
    ///
    /// # Errors
    /// If the automaton of its rule is too large.
    pub(super) fn carry(&mut self, old: &Rules, at: PositionId) -> Result<PositionId, GaveUp> {
        if let Some(state) = old.positions[at.index()].state {
            let at = self.position(state)?;
            self.come_to(at)?;
            return Ok(at);
        }
        let (first, rule) = old.rule_of(at);
        let start = self.start(rule)?;
        // An automaton is the same each time that it is made.
        let (first_here, _) = self.rule_of(start);
        Ok(PositionId::new(at.number() - first + first_here))
    }

    /// The number of positions.
    pub(super) fn count(&self) -> usize {
        self.positions.len()
    }

    /// Where the root begins.
    ///
    /// # Errors
    /// If its automaton is too large.
    pub(super) fn root(&mut self) -> Result<PositionId, GaveUp> {
        self.start(self.grammar.root)
    }

    /// Where a rule that has sentences begins.
    ///
    /// # Errors
    /// If its automaton is too large.
    pub(super) fn start(&mut self, rule: RuleId) -> Result<PositionId, GaveUp> {
        match self.starts.get(&rule) {
            Some(&known) => Ok(known),
            None => self.enter(rule),
        }
    }

    /// Whether something is counted in a rule that has been entered.
    pub(super) fn have_bounds(&self) -> bool {
        self.counts.have_bounds()
    }

    /// For a position in a rule whose bounds cannot be reached in so many iterations: the same
    /// position in the rule that does not count.
    ///
    /// # Errors
    /// If its automaton is too large.
    pub(super) fn endless(
        &mut self,
        at: PositionId,
        iterations: u32,
    ) -> Result<Option<PositionId>, GaveUp> {
        if let Some(state) = self.positions[at.index()].state {
            let state = self.counts.uncounted(state, Some(iterations));
            return state.map(|state| self.position(state)).transpose();
        }
        let (first, rule) = self.rule_of(at);
        let grammar = &self.grammar;
        let has_empty = |expr: &Expr| may_be_empty(expr, grammar, MAX_NESTING);
        let Some(endless) = self.counts.endless(rule, iterations, has_empty) else {
            return Ok(None);
        };
        let start = self.start(endless)?;
        let (endless_first, _) = self.rule_of(start);
        Ok(Some(PositionId::new(at.number() - first + endless_first)))
    }

    /// For a position where the characters of an automaton are counted: the same position where
    /// they are not.
    ///
    /// # Errors
    /// If there are too many positions.
    pub(super) fn uncounted(&mut self, at: PositionId) -> Result<Option<PositionId>, GaveUp> {
        let state = self.positions[at.index()].state;
        let state = state.and_then(|state| self.counts.uncounted(state, None));
        state.map(|state| self.position(state)).transpose()
    }

    /// The position that a character leads to from `from`, where characters are counted, if it
    /// leads to `to` where they are not. `None` if too few characters are left.
    ///
    /// # Errors
    /// If there are too many positions.
    pub(super) fn counted(
        &mut self,
        from: PositionId,
        to: PositionId,
    ) -> Result<Option<PositionId>, GaveUp> {
        let of = |at: PositionId| self.positions[at.index()].state;
        let state = of(from).zip(of(to));
        let state = state.and_then(|(from, to)| self.counts.counted(from, to.state));
        state.map(|state| self.position(state)).transpose()
    }

    /// The position of a state of a large automaton.
    ///
    /// # Errors
    /// If there are too many positions.
    fn position(&mut self, state: AutomatonState) -> Result<PositionId, GaveUp> {
        if let Some(&known) = self.states.get(&state) {
            return Ok(known);
        }
        if self.positions.len() >= MAX_POSITIONS {
            return Err(GaveUp);
        }
        let at = PositionId::at(self.positions.len());
        self.positions.push(Position {
            is_final: false,
            bytes: 0..0,
            empty: 0..0,
            calls: 0..0,
            state: Some(state),
            is_unread: true,
        });
        self.states.insert(state, at);
        Ok(at)
    }

    /// Reads what a text can do at a position. It has to be called before a text does anything
    /// there.
    ///
    /// # Errors
    /// If there are too many positions.
    pub(super) fn come_to(&mut self, at: PositionId) -> Result<(), GaveUp> {
        let here = &self.positions[at.index()];
        let (true, Some(of)) = (here.is_unread, here.state) else {
            return Ok(());
        };
        let mut edges = std::mem::take(&mut self.edges);
        edges.clear();
        let work = &mut self.work;
        let is_final = self.counts.read(of, &mut edges, work)?.ok_or(GaveUp)?;
        work.spend(edges.len())?;
        let bytes = behind(&self.bytes, edges.len());
        for &(low, high, state) in &edges {
            let to = self.position(AutomatonState { state, ..of })?;
            self.bytes.push((low, high, to));
        }
        self.edges = edges;
        let here = &mut self.positions[at.index()];
        here.is_unread = false;
        here.is_final = is_final;
        here.bytes = bytes;
        Ok(())
    }

    /// The rule that a position is in, and its first position. Not for states of large automata.
    fn rule_of(&self, at: PositionId) -> (u32, RuleId) {
        let behind = self
            .entered
            .partition_point(|&(first, _)| first <= at.number());
        self.entered[behind.saturating_sub(1)]
    }

    /// Refuses to take a byte at a position of a rule that has not been read.
    ///
    /// # Errors
    /// If it is such a position.
    pub(super) fn check_read(&mut self, at: PositionId) -> Result<(), GaveUp> {
        self.unread.check(at)
    }

    /// The rule that has not been read and in which a byte was to be taken, if there was one.
    pub(super) fn needed(&self) -> Option<RuleId> {
        self.unread.needed()
    }

    /// Whether its rule may end at a position.
    pub(super) fn is_final(&self, at: PositionId) -> bool {
        self.positions[at.index()].is_final
    }

    /// The bytes that lead on from a position.
    pub(super) fn bytes(&self, at: PositionId) -> &[(u8, u8, PositionId)] {
        &self.bytes[range(&self.positions[at.index()].bytes)]
    }

    /// The positions that are reached without a byte.
    pub(super) fn empty(&self, at: PositionId) -> &[PositionId] {
        &self.empty[range(&self.positions[at.index()].empty)]
    }

    /// The rules called at a position, each with where the call returns to.
    pub(super) fn calls(&self, at: PositionId) -> &[(RuleId, PositionId)] {
        &self.calls[range(&self.positions[at.index()].calls)]
    }

    /// Whether a text can do nothing at a position but take a byte.
    pub(super) fn only_takes_bytes(&self, at: PositionId) -> bool {
        !self.is_final(at) && self.empty(at).is_empty() && self.calls(at).is_empty()
    }

    /// Whether a rule can do nothing but end at a position. A call that returns there needs no
    /// frame.
    pub(super) fn only_ends(&self, mut at: PositionId) -> bool {
        // Thompson's construction puts an empty edge or two before the end.
        for _ in 0..4 {
            let here = &self.positions[at.index()];
            if !here.bytes.is_empty() || !here.calls.is_empty() {
                return false;
            }
            match *self.empty(at) {
                [] => return here.is_final,
                [next] if !here.is_final => at = next,
                _ => return false,
            }
        }
        false
    }
}

fn range(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// The range of the next items behind all others.
fn behind<T>(all: &[T], items: usize) -> Range<u32> {
    all.len() as u32..(all.len() + items) as u32
}
