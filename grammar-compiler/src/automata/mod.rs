//! Finite automata for rule bodies, over bytes and calls.
//!
//! In: a [`Grammar`]. Out: a [`Network`]: one minimal deterministic automaton for the
//! root and one for each rule that is *called*; every other rule has been inlined. After this stage
//! there are no code points, no empty words hidden in calls, no unproductive rules, and no
//! left or tail recursion that a loop can express. Only a call costs a frame at run time.
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

mod calls;
pub mod count;
pub mod cut;
pub mod determinize;
mod dfa;
pub mod empty;
pub mod inline;
pub mod interpret;
pub mod minimize;
mod nfa;
pub mod recursion;
pub mod share;
pub mod thompson;

pub use dfa::{Dfa, DfaState};
pub use nfa::Nfa;

use crate::grammar::{Grammar, RuleId};
use crate::id::id;
use crate::limits::{Deadline, LimitExceeded, Limits, Tuning};
use recursion::Called;

id! {
    /// Index of a machine: a rule's automaton.
    pub struct MachineId;
}

impl From<RuleId> for MachineId {
    /// The machine of a rule: it has the rule's number until [`recursion`] numbers the machines of the network.
    fn from(rule: RuleId) -> Self {
        MachineId::new(rule.0)
    }
}

/// A rule's automaton with its name.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// The rule's name; for a span between delimiters the name of its rule and the delimiters.
    pub name: String,
    /// Its body. Only the root machine may accept the empty word.
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
pub const ROOT: MachineId = MachineId::new(0);

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
    tuning: &Tuning,
    deadline: &Deadline,
) -> Result<Network, AutomataError> {
    let bounds = PassBounds { limits, deadline };
    let counted = count::count(share::share(grammar), tuning, &bounds)?;
    let cut = cut::cut(counted.grammar);
    let mut machines = Vec::with_capacity(cut.rules.len());
    for rule in &cut.rules {
        let nfa = thompson::build(&rule.expr, limits.automaton_states)
            .map_err(|e| bounds.limit(e, &rule.name))?;
        machines.push(Machine {
            name: rule.name.clone(),
            body: bounds.minimal(&nfa, &rule.name)?,
        });
    }
    let rules = empty::remove(machines, grammar.root.into(), &bounds)?;
    let called = Called {
        spans: &cut.spans,
        blocks: &counted.blocks,
        limited: &cut.limited,
    };
    recursion::eliminate(rules, called, &bounds)
}

/// The bounds under which the passes work.
#[derive(Clone, Copy)]
pub struct PassBounds<'a> {
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

impl PassBounds<'_> {
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
