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
pub mod ways;

pub use dfa::{Dfa, DfaState};
pub use nfa::Nfa;
pub use ways::Ways;

use crate::grammar::{Grammar, RuleId};
use crate::id::id;
use crate::limits::{Deadline, LimitExceeded, Limits, Tuning};
use crate::threads::Threads;
use cut::CutRule;
pub use cut::Delimiters;
use recursion::Called;

/// The least number of rules of a thread.
const SHARE: usize = 8;

id! {
    /// Index of a machine: a rule's automaton.
    pub struct MachineId;
}

impl From<RuleId> for MachineId {
    /// The machine of a rule: it has the rule's number until [`recursion`] numbers the machines of
    /// the network.
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
    /// The ways through those of them that have several.
    pub ways: Ways,
}

impl Network {
    /// The machines of a parser that is given by its tables: they only say that calls may nest
    /// without bound.
    pub(crate) fn of_tables() -> Self {
        let inner = MachineId::new(1);
        let mut root = Dfa::with_capacity(1);
        root.push(true, [], [(inner, 0)]);
        let mut body = Dfa::with_capacity(2);
        body.push(false, [(0, u8::MAX, 1)], [(inner, 1)]);
        body.push(true, [], []);
        let machine = |body| Machine {
            name: "root".to_owned(),
            body,
        };
        Network {
            machines: vec![machine(root), machine(body)],
            blocks: 0,
            ways: Ways::default(),
        }
    }
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

/// Turns a grammar into machines. The machines do not depend on the number of threads.
///
/// # Errors
///
/// If the root matches no text, or a limit on automaton states or time is passed.
pub fn build(
    grammar: &Grammar,
    limits: &Limits,
    tuning: &Tuning,
    threads: &mut Threads,
    deadline: &Deadline,
) -> Result<Network, AutomataError> {
    build_with(
        (grammar, Delimiters::OfText),
        limits,
        tuning,
        threads,
        deadline,
    )
}

/// The same for a grammar whose delimiters are given.
///
/// # Errors
///
/// As [`build`].
pub fn build_with(
    (grammar, delimiters): (&Grammar, Delimiters<'_>),
    limits: &Limits,
    tuning: &Tuning,
    threads: &mut Threads,
    deadline: &Deadline,
) -> Result<Network, AutomataError> {
    let bounds = PassBounds { limits, deadline };
    let counted = count::count(share::share(grammar), tuning, &bounds)?;
    deadline.check("counting repetitions")?;
    let cut = cut::cut(counted.grammar, delimiters, deadline)?;
    deadline.check("cutting rules at delimiters")?;
    let machines = bounds.machines(&cut.rules, threads)?;
    let rules = empty::remove(machines, grammar.root.into(), &bounds)?;
    let called = Called {
        spans: &cut.spans,
        blocks: &counted.blocks,
        ways: &counted.ways,
        limited: &cut.limited,
    };
    recursion::eliminate(rules, called, tuning.share, &bounds)
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
    /// The machines of all rules. The error is that of the first rule that has one.
    fn machines(
        &self,
        rules: &[CutRule],
        threads: &mut Threads,
    ) -> Result<Vec<Machine>, LimitExceeded> {
        let most = rules.len() / SHARE;
        threads.prepare(most);
        let made = threads.share(rules.len(), most, |mut share| {
            let mut made = Vec::new();
            while let Some(at) = share.next() {
                let machine = self.machine(&rules[at]);
                if machine.is_err() {
                    share.stop_before(at);
                }
                made.push((at, machine));
            }
            made
        });
        let mut made: Vec<_> = made.into_iter().flatten().collect();
        made.sort_unstable_by_key(|machine| machine.0);
        made.into_iter().map(|machine| machine.1).collect()
    }

    fn machine(&self, rule: &CutRule) -> Result<Machine, LimitExceeded> {
        let nfa = thompson::build(&rule.expr, self.limits.automaton_states, self.deadline)
            .map_err(|e| self.limit(e, &rule.name))?;
        Ok(Machine {
            name: rule.name.clone(),
            body: self.minimal(&nfa, &rule.name)?,
        })
    }

    /// The minimal deterministic automaton of `nfa`, the body of the rule `name`.
    ///
    /// # Errors
    ///
    /// If a limit is passed.
    pub fn minimal(&self, nfa: &Nfa, name: &str) -> Result<Dfa, LimitExceeded> {
        let dfa = determinize::determinize(nfa, self.limits.automaton_states, self.deadline);
        let dfa = dfa.map_err(|e| self.limit(e, name))?;
        minimize::minimize_within(&dfa, self.deadline).map_err(|limit| limit.in_rule(name))
    }

    fn limit(&self, blowup: Blowup, name: &str) -> LimitExceeded {
        let limit = match blowup {
            Blowup::Time(limit) => limit,
            Blowup::States => LimitExceeded::new(
                "automaton_states",
                self.limits.automaton_states,
                format!(
                    "rule `{name}` needs too many automaton states; shorten its counted repetitions or split it"
                ),
            ),
        };
        limit.in_rule(name)
    }
}

#[cfg(test)]
mod tests {
    use super::{AutomataError, build};
    use crate::limits::{Deadline, Limits, Tuning};
    use crate::source::Source;
    use crate::syntax::{ParseOptions, ebnf};
    use crate::threads::Threads;

    #[test]
    fn machines_and_errors_do_not_depend_on_the_number_of_threads() {
        let rule = |at: usize, right: &str| format!("r{at} ::= \"<{at}\" {right} \">\"\n");
        let text = |large: &[usize]| {
            let right = |at| match large.contains(&at) {
                true => "[ab]* \"a\" [ab] [ab] [ab] [ab] [ab] [ab] [ab] [ab] [ab] [ab]",
                false => "[ab]+",
            };
            let names: Vec<String> = (0..80).map(|at| format!("r{at}")).collect();
            let rules = (0..80).map(|at| rule(at, right(at)));
            format!("root ::= {}\n", names.join(" | ")) + &rules.collect::<String>()
        };
        for large in [&[][..], &[75, 20, 33], &[70]] {
            let source = Source::new("rules", text(large));
            let grammar = ebnf::parse(&source, &ParseOptions::default())
                .unwrap()
                .grammar;
            let limits = Limits::default().automaton_states(500);
            let built = |threads| {
                let deadline = Deadline::start(&limits);
                let network = build(
                    &grammar,
                    &limits,
                    &Tuning::default(),
                    &mut Threads::up_to(threads),
                    &deadline,
                );
                network.map(|network| {
                    let bodies = network.machines.into_iter();
                    bodies
                        .map(|machine| format!("{machine:?}"))
                        .collect::<Vec<_>>()
                })
            };
            let one = built(1);
            if let (Err(AutomataError::Limit(limit)), Some(first)) = (&one, large.iter().min()) {
                assert!(
                    limit.what.contains(&format!("`r{first}`")),
                    "{}",
                    limit.what
                );
            }
            assert_eq!(one.is_ok(), large.is_empty());
            for threads in [2, 3, 5] {
                assert_eq!(built(threads), one, "{threads} threads");
            }
        }
    }
}
