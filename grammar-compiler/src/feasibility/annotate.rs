//! Kinds of stacks, by what can be finished on them.
//!
//! In: [`ControlExits`] and what can be pushed where. Out: all *kinds* of stacks, that of the empty
//! stack first, each with the frames that can be pushed on it and the kinds that result. Stacks are
//! of one kind if they have the same top frames and each control that may go on there has the same
//! need. The needs of a stack follow from its top frame and the needs of the stack below, so kinds
//! are found from the empty stack upwards. There are finitely many, since peaks are bounded.

use super::control::{ControlId, ControlMachine, GramId};
use super::exits::{ControlExit, ControlExits};
use super::reach::Reach;
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded};
use crate::pda::marks::{KindId, Push, StackKind};
/// The top frames, and the need of each control.
type NeedsKey = (GramId, Vec<(ControlId, u8)>);

/// Finds all kinds of stacks.
///
/// # Errors
///
/// If the deadline passes, or there are more than `limit` kinds.
pub fn annotate(
    machine: &mut ControlMachine<'_>,
    reach: &Reach,
    exits: &ControlExits,
    limit: usize,
    deadline: &Deadline,
) -> Result<Vec<StackKind>, LimitExceeded> {
    let bottom = machine.bottom();
    let mut keys: Interner<NeedsKey> = Interner::new();
    keys.intern((bottom, needs(exits, bottom, &[])));
    let mut kinds = Vec::new();
    while let Some((gram, lives)) = keys.values.get(kinds.len()).cloned() {
        deadline.check("finding what the vocabulary can finish")?;
        let mut kind = StackKind::default();
        for &control in &exits.controls[gram.index()] {
            if let Some(state) = machine.state_of(control) {
                let need = lives.binary_search_by_key(&control, |l| l.0);
                kind.needs.insert(state, need.ok().map(|at| lives[at].1));
            }
        }
        for &frame in &reach.pushes[gram.index()] {
            let pushed = machine.pushed(gram, frame);
            let key = (pushed, needs(exits, pushed, &lives));
            // The needs of all states are exact, so frames reserve nothing.
            let to = KindId::new(keys.intern(key));
            kind.pushes.insert(frame, Push { to, reserve: 0 });
        }
        if kinds.len() >= limit {
            return Err(LimitExceeded::new(
                "states",
                limit,
                "what this vocabulary can finish depends on too much of the stack",
            ));
        }
        kinds.push(kind);
    }
    Ok(kinds)
}

/// The need of each control on a stack, given those on the stack without the top frame.
fn needs(exits: &ControlExits, gram: GramId, below: &[(ControlId, u8)]) -> Vec<(ControlId, u8)> {
    let need = |&control: &ControlId| {
        let peaks = exits.of(control, gram)?;
        let ways = peaks.iter().filter_map(|(exit, &peak)| match exit {
            ControlExit::End => Some(peak),
            ControlExit::Popped(next) => {
                let at = below.binary_search_by_key(next, |b| b.0).ok()?;
                Some(peak.max(below[at].1.saturating_sub(1)))
            }
        });
        Some((control, ways.min()?))
    };
    exits.controls[gram.index()]
        .iter()
        .filter_map(need)
        .collect()
}
