//! The empty word and unproductive rules.
//!
//! In: one automaton a rule. Out: [`ConsumingRules`]: no machine but the root accepts the empty word, so every call
//! consumes a byte; calls of a rule that could be empty may be skipped instead. No machine calls a machine without
//! words, and every state can finish.

use super::minimize::minimize;
use super::{AutomataError, Dfa, Machine, MachineId, Nfa, PassBounds};

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
    let productive = fixpoint(&machines, true);
    machines
        .iter_mut()
        .for_each(|m| drop_calls(&mut m.body, &productive));
    let nullable = fixpoint(&machines, false);
    let mut out = Vec::with_capacity(machines.len() + 1);
    let mut whole = None;
    for (m, machine) in machines.into_iter().enumerate() {
        let mut calls = machine.body.calls().iter();
        let body = match calls.any(|e| nullable[e.0.place()]) {
            true => bounds.minimal(&pass_over(&machine.body, &nullable), &machine.name)?,
            false => machine.body,
        };
        if m == root.place() {
            whole = Some(Machine {
                name: "text".to_owned(),
                body: body.clone(),
            });
        }
        out.push(Machine {
            body: without_empty_word(body),
            name: machine.name,
        });
    }
    out.push(whole.ok_or(AutomataError::NoSentence)?);
    let productive = fixpoint(&out, true);
    out.iter_mut()
        .for_each(|m| drop_calls(&mut m.body, &productive));
    let root = MachineId::at(out.len() - 1);
    if !productive[root.place()] {
        return Err(AutomataError::NoSentence);
    }
    Ok(ConsumingRules {
        machines: out,
        root,
    })
}

/// The machines that have a word made of calls to such machines and, if `with_bytes`, of bytes.
fn fixpoint(machines: &[Machine], with_bytes: bool) -> Vec<bool> {
    let mut holds = vec![false; machines.len()];
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); machines.len()];
    for (m, machine) in machines.iter().enumerate() {
        let calls = machine.body.calls();
        calls.iter().for_each(|e| callers[e.0.place()].push(m));
    }
    let mut pending: Vec<usize> = (0..machines.len()).collect();
    let mut walk = WordWalk::default();
    while let Some(m) = pending.pop() {
        if !holds[m] && walk.has_word(&machines[m].body, with_bytes, &holds) {
            holds[m] = true;
            pending.extend(&callers[m]);
        }
    }
    holds
}

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
            let calls = state.calls.iter().filter(|e| holds[e.0.place()]);
            stack.extend(calls.map(|e| e.1));
        }
        false
    }
}

/// Drops the calls of all other machines; `dfa` is minimal, and stays so.
fn drop_calls(dfa: &mut Dfa, keep: &[bool]) {
    if dfa.calls().iter().all(|e| keep[e.0.place()]) {
        return;
    }
    *dfa = minimize(&dfa.with_calls(|machine| keep[machine.place()].then_some(machine)));
}

/// Adds empty edges past the calls of nullable machines.
fn pass_over(dfa: &Dfa, nullable: &[bool]) -> Nfa {
    let mut nfa = dfa.to_nfa();
    let over = nfa.calls.iter().filter(|(_, e)| nullable[e.0.place()]);
    nfa.empty.extend(over.map(|&(from, (_, to))| (from, to)));
    nfa
}

fn without_empty_word(mut dfa: Dfa) -> Dfa {
    let start = dfa.state(dfa.start);
    if !start.is_final {
        return dfa;
    }
    let (bytes, calls) = (start.bytes.to_vec(), start.calls.to_vec());
    dfa.start = dfa.push(false, bytes, calls);
    minimize(&dfa)
}
