//! Finite automata for rule bodies, over bytes and calls.
//!
//! In: a [`Grammar`]. Out: a [`Network`]: one minimal deterministic automaton for the
//! root and one for each rule that is *called*; every other rule has been inlined. After this stage
//! there are no code points, no empty words hidden in calls, no unproductive rules, and no
//! left or tail recursion that a loop can express. A call costs a frame at run time, everything else does not.
//!
//! The passes, in order:
//!
//! | pass | holds afterwards |
//! |---|---|
//! | [`share`] | equal rules are one |
//! | [`count`] | long counted repetitions are calls of rules over blocks |
//! | [`cut`] | spans between matching delimiters are rules of their own, marked as called |
//! | [`thompson`] | each rule is a nondeterministic automaton over bytes and calls |
//! | [`determinize`], [`minimize`] | each rule is a minimal deterministic automaton |
//! | [`empty`] | calls match at least one byte, and every state can finish |
//! | [`recursion`] | the only calls left are to called rules |

pub mod count;
pub mod cut;
pub mod determinize;
pub mod empty;
pub mod inline;
pub mod interpret;
pub mod minimize;
pub mod recursion;
pub mod share;
pub mod thompson;

use crate::grammar::Grammar;
use crate::limits::{Deadline, LimitExceeded, Limits};

/// Index of a machine: a rule's automaton.
pub type MachineId = u32;

/// What an edge of a rule's automaton consumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Label {
    /// One byte of this inclusive range.
    Bytes(u8, u8),
    /// A sentence of this machine.
    Call(MachineId),
}

/// A nondeterministic automaton with empty edges.
#[derive(Clone, Debug, Default)]
pub struct Nfa {
    /// The state to start in.
    pub start: u32,
    /// The states.
    pub states: Vec<NfaState>,
}

/// A state of an [`Nfa`].
#[derive(Clone, Debug, Default)]
pub struct NfaState {
    /// Whether a word may end here.
    pub is_final: bool,
    /// Edges that consume nothing.
    pub empty: Vec<u32>,
    /// Edges that consume a byte or a call.
    pub edges: Vec<(Label, u32)>,
}

impl Nfa {
    /// Adds a state without edges.
    pub fn push(&mut self) -> u32 {
        self.states.push(NfaState::default());
        self.states.len() as u32 - 1
    }
}

/// A deterministic automaton over bytes and calls: at most one edge for each byte and for each machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dfa {
    /// The state to start in.
    pub start: u32,
    /// The states.
    pub states: Vec<DfaState>,
}

/// A state of a [`Dfa`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DfaState {
    /// Whether a word may end here.
    pub is_final: bool,
    /// Byte edges `(low, high, target)`: ascending and disjoint.
    pub bytes: Vec<(u8, u8, u32)>,
    /// Call edges `(machine, target)`: ascending by machine.
    pub calls: Vec<(MachineId, u32)>,
}

impl DfaState {
    /// The target for a byte.
    pub fn step(&self, byte: u8) -> Option<u32> {
        let at = self.bytes.partition_point(|&(_, high, _)| high < byte);
        self.bytes
            .get(at)
            .filter(|&&(low, _, _)| low <= byte)
            .map(|&(_, _, to)| to)
    }

    /// All targets, those of byte edges first.
    pub fn targets(&self) -> impl Iterator<Item = u32> + Clone + '_ {
        self.bytes
            .iter()
            .map(|&(_, _, to)| to)
            .chain(self.calls.iter().map(|&(_, to)| to))
    }

    /// Final and without edges: a word that reaches it has ended.
    pub fn is_leaf(&self) -> bool {
        self.is_final && self.bytes.is_empty() && self.calls.is_empty()
    }
}

impl Dfa {
    /// The same automaton with room for empty edges.
    pub fn to_nfa(&self) -> Nfa {
        let states = self.states.iter().map(|state| NfaState {
            is_final: state.is_final,
            empty: Vec::new(),
            edges: (state
                .bytes
                .iter()
                .map(|&(low, high, to)| (Label::Bytes(low, high), to)))
            .chain(
                state
                    .calls
                    .iter()
                    .map(|&(machine, to)| (Label::Call(machine), to)),
            )
            .collect(),
        });
        Nfa {
            start: self.start,
            states: states.collect(),
        }
    }
}

/// A rule's automaton with its name.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// The rule's name; for a span between delimiters the name of its rule and the delimiters.
    pub name: String,
    /// Its body. No word is empty, but in the root machine.
    pub body: Dfa,
}

/// The result of this stage: machines that call each other.
#[derive(Clone, Debug)]
pub struct Network {
    /// The machines; the first is the root, which nothing calls.
    pub machines: Vec<Machine>,
    /// How many of them run over blocks of counted repetitions.
    pub blocks: usize,
}

/// The machine that the whole text must match.
pub const ROOT: MachineId = 0;

/// Why a grammar has no automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AutomataError {
    /// The root matches no text at all.
    NoSentence,
    /// A limit was passed.
    Limit(LimitExceeded),
}

impl From<LimitExceeded> for AutomataError {
    fn from(limit: LimitExceeded) -> Self {
        AutomataError::Limit(limit)
    }
}

/// Turns a grammar into machines.
///
/// # Errors
///
/// If the root matches no text, or a limit on automaton states or time is passed.
pub fn build(
    grammar: &Grammar,
    limits: &Limits,
    deadline: &Deadline,
) -> Result<Network, AutomataError> {
    let work = Work { limits, deadline };
    let counted = count::count(&share::share(grammar), &work)?;
    let cut = cut::cut(&counted.grammar);
    let mut machines = Vec::with_capacity(cut.rules.len());
    for rule in &cut.rules {
        let nfa = thompson::build(&rule.expr, limits.automaton_states)
            .map_err(|e| work.limit(e, &rule.name))?;
        machines.push(Machine {
            name: rule.name.clone(),
            body: work.minimal(&nfa, &rule.name)?,
        });
    }
    let rules = empty::remove(machines, grammar.root.0, &work)?;
    recursion::eliminate(rules, &cut.spans, &counted.blocks, &work)
}

/// The bounds under which the passes work.
#[derive(Clone, Copy)]
pub struct Work<'a> {
    /// The limits.
    pub limits: &'a Limits,
    /// When the compile must have ended.
    pub deadline: &'a Deadline,
}

/// An automaton would have more states than allowed, or took too long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blowup {
    /// Too many states.
    States,
    /// The deadline has passed.
    Time(LimitExceeded),
}

impl Work<'_> {
    /// The minimal deterministic automaton of `nfa`, the body of the rule `name`.
    ///
    /// # Errors
    ///
    /// If a limit is passed.
    pub fn minimal(&self, nfa: &Nfa, name: &str) -> Result<Dfa, LimitExceeded> {
        let dfa = determinize::determinize(nfa, self.limits.automaton_states, self.deadline);
        let dfa = dfa.map_err(|e| self.limit(e, name))?;
        minimize::minimize_within(&dfa, self.deadline)
    }

    fn limit(&self, blowup: Blowup, name: &str) -> LimitExceeded {
        match blowup {
            Blowup::Time(limit) => limit,
            Blowup::States => LimitExceeded {
                limit: "automaton_states",
                value: self.limits.automaton_states as u64,
                what: format!(
                    "rule `{name}` needs too many automaton states; shorten its counted repetitions or split it"
                ),
            },
        }
    }
}
