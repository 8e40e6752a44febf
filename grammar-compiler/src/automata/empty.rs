//! The empty word and unproductive rules.
//!
//! In: one automaton a rule. Out: [`ConsumingRules`]: no machine but the root accepts the empty
//! word, so every call consumes a byte; calls of a rule that could be empty may be skipped instead.
//! No machine calls a machine without words, and every state can finish.

use super::minimize::minimize_within;
use super::{AutomataError, Dfa, Machine, MachineId, Nfa, PassBounds};
use crate::limits::{Deadline, LimitExceeded};

/// The name of the machine of whole texts, which has the words of the root rule.
pub(crate) const WHOLE: &str = "text";

/// Machines whose calls all match at least one byte.
#[derive(Clone, Debug)]
pub struct ConsumingRules {
    /// One machine a rule, then the root.
    pub machines: Vec<Machine>,
    /// The root machine. Nothing calls it, and it may accept the empty word.
    pub root: MachineId,
}

/// Removes empty words and unproductive calls.
///
/// # Errors
///
/// If the root has no words, or a limit is passed.
pub fn remove(
    mut machines: Vec<Machine>,
    root: MachineId,
    bounds: &PassBounds,
) -> Result<ConsumingRules, AutomataError> {
    let deadline = bounds.deadline;
    let productive = fixpoint(&machines, true, deadline)?;
    for machine in &mut machines {
        drop_calls(&mut machine.body, &productive, deadline)?;
    }
    let nullable = fixpoint(&machines, false, deadline)?;
    let mut out = Vec::with_capacity(machines.len() + 1);
    let mut whole = None;
    for (m, machine) in machines.into_iter().enumerate() {
        let mut calls = machine.body.calls().iter();
        let body = match calls.any(|e| nullable[e.0.index()]) {
            true => bounds.minimal(&pass_over(&machine.body, &nullable), &machine.name)?,
            false => machine.body,
        };
        if m == root.index() {
            whole = Some(Machine {
                name: WHOLE.to_owned(),
                body: body.clone(),
            });
        }
        out.push(Machine {
            body: without_empty_word(body, deadline)?,
            name: machine.name,
        });
    }
    out.push(whole.ok_or(AutomataError::NoSentence)?);
    let productive = fixpoint(&out, true, deadline)?;
    for machine in &mut out {
        drop_calls(&mut machine.body, &productive, deadline)?;
    }
    let root = MachineId::at(out.len() - 1);
    if !productive[root.index()] {
        return Err(AutomataError::NoSentence);
    }
    Ok(ConsumingRules {
        machines: out,
        root,
    })
}

/// The machines that have a word made of calls to such machines and, if `with_bytes`, of bytes.
///
/// # Errors
/// If the deadline passes.
fn fixpoint(
    machines: &[Machine],
    with_bytes: bool,
    deadline: &Deadline,
) -> Result<Vec<bool>, LimitExceeded> {
    let mut holds = vec![false; machines.len()];
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); machines.len()];
    for (m, machine) in machines.iter().enumerate() {
        let calls = machine.body.calls();
        calls.iter().for_each(|e| callers[e.0.index()].push(m));
    }
    let mut pending: Vec<usize> = (0..machines.len()).collect();
    let mut walk = WordWalk::default();
    while let Some(m) = pending.pop() {
        deadline.tick(DOING)?;
        if !holds[m] && walk.has_word(&machines[m].body, with_bytes, &holds) {
            holds[m] = true;
            pending.extend(&callers[m]);
        }
        deadline.ticks(walk.seen.len(), DOING)?;
    }
    Ok(holds)
}

/// What is being done.
const DOING: &str = "looking for words of rules";

/// The state of a search for words.
#[derive(Default)]
struct WordWalk {
    seen: Vec<bool>,
    stack: Vec<u32>,
}

impl WordWalk {
    fn has_word(&mut self, dfa: &Dfa, with_bytes: bool, holds: &[bool]) -> bool {
        let WordWalk { seen, stack } = self;
        seen.clear();
        seen.resize(dfa.len(), false);
        stack.clear();
        stack.push(dfa.start);
        while let Some(s) = stack.pop() {
            let state = dfa.state(s);
            if state.is_final {
                return true;
            }
            if std::mem::replace(&mut seen[s as usize], true) {
                continue;
            }
            if with_bytes {
                stack.extend(state.bytes.iter().map(|e| e.2));
            }
            let calls = state.calls.iter().filter(|e| holds[e.0.index()]);
            stack.extend(calls.map(|e| e.1));
        }
        false
    }
}

/// Drops the calls of all other machines; `dfa` is minimal, and stays so.
fn drop_calls(dfa: &mut Dfa, keep: &[bool], deadline: &Deadline) -> Result<(), LimitExceeded> {
    if dfa.calls().iter().any(|e| !keep[e.0.index()]) {
        let kept = dfa.with_calls(|machine| keep[machine.index()].then_some(machine));
        *dfa = minimize_within(&kept, deadline)?;
    }
    Ok(())
}

/// Adds empty edges past the calls of nullable machines.
fn pass_over(dfa: &Dfa, nullable: &[bool]) -> Nfa {
    let mut nfa = dfa.to_nfa();
    let over = nfa.calls.iter().filter(|(_, e)| nullable[e.0.index()]);
    nfa.empty.extend(over.map(|&(from, (_, to))| (from, to)));
    nfa
}

fn without_empty_word(mut dfa: Dfa, deadline: &Deadline) -> Result<Dfa, LimitExceeded> {
    let start = dfa.state(dfa.start);
    if !start.is_final {
        return Ok(dfa);
    }
    let (bytes, calls) = (start.bytes.to_vec(), start.calls.to_vec());
    dfa.start = dfa.push(false, bytes, calls);
    minimize_within(&dfa, deadline)
}
