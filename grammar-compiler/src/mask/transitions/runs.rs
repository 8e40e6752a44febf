//! Runs: chains of states along which most bytes lead without touching the stack.
//!
//! In: the transitions. Out: [`StateRuns`]: for each state its run and the next state of it, and
//! the kinds of runs along which walks are taken. Worth (`docs/ablation.md`): without runs, and so
//! without default transitions and regions, a compile takes 79 % longer at the median.

use super::characters::Characters;
use super::words::{Action, Transitions};
use crate::mask::trie::exits::{RunKind, count};
use crate::pda::{Pda, State, StateId};

/// Strings that lead from a state along a chain of states.
///
/// No string of the run's bytes touches the stack, up to the run's length, and all states that it
/// passes have the same need. A loop is a run without end; a run ends where a block of a counted
/// repetition does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateRun {
    /// What the run goes on with.
    pub kind: RunKind,
    /// The greatest number of characters of the run.
    pub length: u32,
    /// The number of its kind among [`StateRuns::kinds`], if walks are taken along it.
    pub along: Option<u32>,
}

impl StateRun {
    const NONE: Self = StateRun {
        kind: RunKind {
            bytes: [0; 4],
            text: false,
        },
        length: 0,
        along: None,
    };
}

/// Walks are taken along runs of at most this many kinds: the exits of each take a few bytes for
/// each node of the trie.
const MAX_KINDS: usize = 32;

/// The run of each state.
pub struct StateRuns {
    of_state: Vec<StateRun>,
    /// For each state the next one of its run.
    next: Vec<StateId>,
    /// The kinds of runs along which walks are taken.
    pub kinds: Vec<RunKind>,
}

impl StateRuns {
    /// The runs of the states of `pda`.
    pub fn new(transitions: &Transitions, pda: &Pda, characters: &mut Characters) -> Self {
        let steps = steps(transitions, pda, characters);
        let mut of_state = runs(transitions, &steps);
        let next = pda.state_ids().zip(&steps);
        let next: Vec<StateId> = next
            .map(|(state, step)| step.map_or(state, |(next, _)| next))
            .collect();
        let kinds = number_kinds(&mut of_state, &next);
        StateRuns {
            of_state,
            next,
            kinds,
        }
    }

    /// The same with further states, which are copies of these states; `copy_of` gives the copy of
    /// a state, if it has one.
    pub fn with_copies(
        mut self,
        states: impl Iterator<Item = StateId>,
        copy_of: impl Fn(StateId) -> Option<StateId>,
    ) -> Self {
        for state in states {
            let next = copy_of(self.next(state));
            let copy = StateId::at(self.of_state.len());
            self.next.push(next.unwrap_or(copy));
            self.of_state.push(*self.of(state));
        }
        self
    }

    /// The run that begins in `state`.
    #[inline]
    pub fn of(&self, state: StateId) -> &StateRun {
        &self.of_state[state.index()]
    }

    /// The runs of all states.
    pub fn iter(&self) -> impl Iterator<Item = &StateRun> {
        self.of_state.iter()
    }

    /// The next state of the run that begins in `state`; `state` itself where the run is a loop or
    /// there is none.
    #[inline]
    pub fn next(&self, state: StateId) -> StateId {
        self.next[state.index()]
    }

    /// Whether some run along which walks are taken ends: something is counted.
    pub fn count(&self) -> bool {
        let ends = |run: &StateRun| run.along.is_some() && run.length < u32::MAX;
        self.of_state.iter().any(ends)
    }
}

/// The states along a run, found as they are asked for.
pub struct RunChain<'a> {
    runs: &'a StateRuns,
    first: StateId,
    /// The states after the first one, as far as they differ.
    later: Vec<StateId>,
}

impl<'a> RunChain<'a> {
    /// The states of the run that begins in `state`.
    pub fn new(runs: &'a StateRuns, state: StateId) -> Self {
        RunChain {
            runs,
            first: state,
            later: Vec::new(),
        }
    }

    /// The state that this number of steps leads to.
    pub fn after(&mut self, steps: u32) -> StateId {
        let Some(at) = (steps as usize).checked_sub(1) else {
            return self.first;
        };
        while self.later.len() <= at {
            let last = self.later.last().copied().unwrap_or(self.first);
            let next = self.runs.next(last);
            if next == last {
                return last;
            }
            self.later.push(next);
        }
        self.later[at]
    }
}

/// For each state the state that most bytes lead to, and the bytes and characters that lead there.
fn steps(
    transitions: &Transitions,
    pda: &Pda,
    characters: &mut Characters,
) -> Vec<Option<(StateId, RunKind)>> {
    let of_classes = bytes_of(pda);
    let sizes: Vec<u32> = of_classes.iter().map(count).collect();
    let mut targets = Vec::new();
    let step = |(state, edges): (StateId, &State)| {
        let goes = || {
            let classes = edges.edges.iter().map(|edge| edge.0);
            classes.filter_map(|class| match transitions.action(state, class) {
                Action::Goto(next) => Some((next, class as usize)),
                _ => None,
            })
        };
        let next = most(
            goes().map(|(next, class)| (next, sizes[class])),
            &mut targets,
        )?;
        transitions.need(next)?;
        let mut bytes = [0; 4];
        for (_, class) in goes().filter(|to| to.0 == next) {
            let of_class = &of_classes[class];
            bytes.iter_mut().zip(of_class).for_each(|(a, b)| *a |= b);
        }
        let mut kind = RunKind { bytes, text: false };
        if kind.is_wide() && bytes[2] | bytes[3] == 0 {
            kind.text = characters.lead_from(state) == Some(next);
        }
        Some((next, kind))
    };
    pda.state_ids().zip(&pda.states).map(step).collect()
}

/// The run of each state: along the state that most bytes lead to.
fn runs(transitions: &Transitions, next: &[Option<(StateId, RunKind)>]) -> Vec<StateRun> {
    let mut runs: Vec<Option<StateRun>> = vec![None; next.len()];
    let mut way: Vec<(StateId, RunKind)> = Vec::new();
    for state in 0..next.len() {
        let mut at = StateId::at(state);
        let mut run = loop {
            match (runs[at.index()], next[at.index()]) {
                (Some(run), _) => break run,
                (None, None) => break StateRun::NONE,
                (None, Some((to, kind))) if to == at => {
                    break StateRun {
                        kind,
                        length: u32::MAX,
                        along: None,
                    };
                }
                (None, Some((to, kind))) => {
                    // A chain that comes back to itself is cut anywhere.
                    runs[at.index()] = Some(StateRun::NONE);
                    way.push((at, kind));
                    at = to;
                }
            }
        };
        runs[at.index()] = Some(run);
        while let Some((before, kind)) = way.pop() {
            let is_as_needy = transitions.need(before) == transitions.need(at);
            run = if is_as_needy {
                longer(run, kind)
            } else {
                StateRun::NONE
            };
            runs[before.index()] = Some(run);
            at = before;
        }
    }
    runs.into_iter()
        .map(|run| run.unwrap_or(StateRun::NONE))
        .collect()
}

/// Numbers the kinds of runs along which walks are taken: runs that go on as they begin. In a run
/// of single bytes characters can only be counted if they are ASCII.
fn number_kinds(runs: &mut [StateRun], next: &[StateId]) -> Vec<RunKind> {
    let mut kinds: Vec<RunKind> = Vec::new();
    for state in 0..runs.len() {
        let (run, next) = (runs[state], next[state].index());
        let [_, _, high, highest] = run.kind.bytes;
        let goes_on = next == state || runs[next].kind == run.kind && high | highest == 0;
        if !(goes_on && run.kind.is_wide()) {
            continue;
        }
        let mut known = kinds.iter().position(|&kind| kind == run.kind);
        if known.is_none() && kinds.len() < MAX_KINDS {
            known = Some(kinds.len());
            kinds.push(run.kind);
        }
        runs[state].along = known.map(|id| id as u32);
    }
    kinds
}

/// The state that most bytes lead to. `steps` gives states with numbers of bytes; `targets` is
/// scratch in which they are summed up.
fn most(
    steps: impl Iterator<Item = (StateId, u32)>,
    targets: &mut Vec<(StateId, u32)>,
) -> Option<StateId> {
    targets.clear();
    for (next, bytes) in steps {
        match targets.iter_mut().find(|target| target.0 == next) {
            Some(target) => target.1 += bytes,
            None => targets.push((next, bytes)),
        }
    }
    let most = targets.iter().max_by_key(|&&(next, bytes)| (bytes, next));
    most.filter(|most| most.1 > 0).map(|most| most.0)
}

/// The bytes of each class.
fn bytes_of(pda: &Pda) -> Vec<[u64; 4]> {
    let mut bytes = vec![[0; 4]; pda.classes.count as usize];
    for byte in 0..=255u8 {
        bytes[pda.classes.of(byte) as usize][byte as usize / 64] |= 1 << (byte % 64);
    }
    bytes
}

/// The run that begins with a step of `kind` and goes on as `run` does, unless that would leave out
/// most bytes of the step.
fn longer(run: StateRun, kind: RunKind) -> StateRun {
    let both = [0, 1, 2, 3].map(|at| kind.bytes[at] & run.kind.bytes[at]);
    let (kind, length) = match 2 * count(&both) > count(&kind.bytes) {
        true => {
            let text = kind.text && run.kind.text;
            let both = RunKind { bytes: both, text };
            (both, run.length.saturating_add(1))
        }
        false => (kind, 1),
    };
    StateRun {
        kind,
        length,
        along: None,
    }
}
