//! Regions: loops that go on with most bytes, each with the states from which all ways lead back to
//! it.
//!
//! In: the transitions and the runs. Out: [`Regions`]: for each state the region that it is in, and
//! one copy of regions that are equal but for where they are left. Every string of a JSON text is a
//! region: escapes and characters beyond ASCII lead back to where the string goes on. A schema has
//! one wherever a value or a key that it does not name may stand, and these differ only in what
//! follows the closing quote. Walks are taken through the copy, up to where it is left, once for
//! all of them. Other grammars have copies of the same [shape](super::shapes), so what walks find
//! in one is kept for them.
//!
//! Worth (`docs/ablation.md`): without them a compile takes 4 % longer at the 90th percentile.

use crate::maps::{IdMap, own_keys};

use super::runs::StateRuns;
use super::words::{Action, CopiedRow, Transitions};
use crate::intern::Sequences;
use crate::pda::{Class, Pda, StateId};

/// The longest way back to a loop: escapes of two code units have twelve steps.
const MAX_STEPS: usize = 16;

/// Where a state is in a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The loop, the only state from which the region is left.
    pub home: StateId,
    /// This state in the copy of the region.
    pub copy: StateId,
}

/// What a state of a copy does with a class.
#[derive(Clone, Copy)]
enum RegionStep {
    /// Leads to the loop.
    Home,
    /// Leads to the state with this signature.
    Inner(u32),
    /// Leaves the region.
    Leave,
}

/// A class that a state does not refuse, and its step. A state's steps are its signature: two
/// states of regions have equal signatures if walks through them agree. One word, since all
/// signatures are hashed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct SignedStep(u64);

own_keys!(SignedStep);

impl SignedStep {
    fn new(class: Class, step: RegionStep) -> Self {
        let step = match step {
            RegionStep::Home => 0,
            RegionStep::Leave => 1,
            RegionStep::Inner(signature) => u64::from(signature) + 2,
        };
        SignedStep(step << 16 | u64::from(class))
    }

    fn parts(self) -> (Class, RegionStep) {
        let step = match self.0 >> 16 {
            0 => RegionStep::Home,
            1 => RegionStep::Leave,
            inner => RegionStep::Inner((inner - 2) as u32),
        };
        (self.0 as u16 as Class, step)
    }
}

/// A state of a copy: the number of its loop's signature, and of its own.
type CopyKey = (u32, u32);

/// A state of a copy.
pub struct Copied {
    /// A state that it is the copy of.
    pub from: StateId,
    /// Whether that is a loop.
    pub is_loop: bool,
    /// What it does with each class that it does not refuse.
    pub row: CopiedRow,
}

/// The regions of an automaton, and their copies.
pub struct Regions {
    /// For each state of the automaton where it is in a region.
    pub of: Vec<Option<Region>>,
    /// The states of the copies, which are numbered after those of the automaton.
    pub copies: Vec<Copied>,
}

/// Finds regions, and makes one copy of those that differ only in where they are left.
pub fn regions(transitions: &Transitions, pda: &Pda, runs: &StateRuns) -> Regions {
    let mut finder = RegionFinder {
        pda,
        transitions,
        runs,
        homes: vec![None; pda.states.len()],
        elsewhere: vec![false; pda.states.len()],
        order: Vec::new(),
        signatures: Sequences::new(),
        of_state: vec![0; pda.states.len()],
    };
    finder.find_homes();
    finder.sign();
    finder.copy()
}

/// Where the ways from a state lead.
enum RegionWay {
    /// All to one loop.
    Home(StateId),
    /// Not yet known.
    Unknown,
    /// Its ways lead to several loops, to none, or touch the stack.
    Elsewhere,
}

struct RegionFinder<'a> {
    pda: &'a Pda,
    transitions: &'a Transitions,
    runs: &'a StateRuns,
    /// For each state of a region its loop.
    homes: Vec<Option<StateId>>,
    /// For each state whether it is known to be in no region.
    elsewhere: Vec<bool>,
    /// These states, loops first; no state but a loop leads to a later one of its region.
    order: Vec<StateId>,
    signatures: Sequences<SignedStep>,
    /// For each of these states its signature.
    of_state: Vec<u32>,
}

impl RegionFinder<'_> {
    fn is_loop(&self, state: StateId) -> bool {
        self.homes[state.index()] == Some(state)
    }

    /// Finds the loops, and then, step by step, the states from which all ways lead back to one of
    /// them.
    fn find_homes(&mut self) {
        let (runs, transitions) = (self.runs, self.transitions);
        let states = self.pda.state_ids();
        let is_loop =
            |&state: &StateId| runs.of(state).along.is_some() && runs.next(state) == state;
        let (loops, mut others): (Vec<StateId>, Vec<StateId>) = states.partition(is_loop);
        // Most states lead to later ones, so most are found to be in no region in the first round.
        others.reverse();
        for &home in &loops {
            self.homes[home.index()] = Some(home);
        }
        self.order = loops;
        for _ in 0..MAX_STEPS {
            let before = self.order.len();
            others.retain(|&state| {
                let home = match self.way(state) {
                    RegionWay::Unknown => return true,
                    RegionWay::Home(home) if transitions.need(state) == transitions.need(home) => {
                        home
                    }
                    RegionWay::Home(_) | RegionWay::Elsewhere => {
                        self.elsewhere[state.index()] = true;
                        return false;
                    }
                };
                self.homes[state.index()] = Some(home);
                self.order.push(state);
                false
            });
            if self.order.len() == before {
                break;
            }
        }
    }

    /// Where all ways from a state lead, given that for the states that follow it.
    fn way(&self, state: StateId) -> RegionWay {
        let mut way = RegionWay::Elsewhere;
        for &(class, _) in &self.pda.states[state.index()].edges {
            let next = match self.transitions.action(state, class) {
                Action::Refuse => continue,
                Action::Goto(next) if self.elsewhere[next.index()] => return RegionWay::Elsewhere,
                Action::Goto(next) => self.homes[next.index()],
                Action::Tree(_) | Action::Leave => return RegionWay::Elsewhere,
            };
            way = match (next, way) {
                (None, _) => return RegionWay::Unknown,
                (Some(next), RegionWay::Home(home)) if next != home => return RegionWay::Elsewhere,
                (Some(next), _) => RegionWay::Home(next),
            };
        }
        way
    }

    /// Numbers the signatures of all states of regions, the loops last.
    fn sign(&mut self) {
        let mut signature = Vec::new();
        for is_loop in [false, true] {
            for at in 0..self.order.len() {
                let state = self.order[at];
                if self.is_loop(state) == is_loop {
                    signature.clear();
                    signature.extend(self.signature(state));
                    self.of_state[state.index()] = self.signatures.intern(&signature);
                }
            }
        }
    }

    fn signature(&self, state: StateId) -> impl Iterator<Item = SignedStep> {
        let home = self.homes[state.index()];
        let steps = self.pda.states[state.index()].edges.iter();
        steps.filter_map(move |&(class, _)| {
            let step = match self.transitions.action(state, class) {
                Action::Refuse => return None,
                Action::Goto(next) if Some(next) == home => RegionStep::Home,
                Action::Goto(next) if self.homes[next.index()] == home => {
                    RegionStep::Inner(self.of_state[next.index()])
                }
                Action::Goto(_) | Action::Tree(_) | Action::Leave => RegionStep::Leave,
            };
            Some(SignedStep::new(class, step))
        })
    }

    /// Copies the regions.
    fn copy(self) -> Regions {
        let states = self.pda.states.len();
        let mut of = vec![None; states];
        let mut ids: IdMap<CopyKey, StateId> = IdMap::default();
        let mut copied: Vec<(StateId, CopyKey)> = Vec::new();
        for &state in &self.order {
            let Some(home) = self.homes[state.index()] else {
                continue;
            };
            let key = (self.of_state[home.index()], self.of_state[state.index()]);
            let copy = *ids.entry(key).or_insert_with(|| {
                copied.push((state, key));
                StateId::at(states + copied.len() - 1)
            });
            of[state.index()] = Some(Region { home, copy });
        }
        let copies = copied.into_iter();
        let copies = copies.map(|(from, key)| Copied {
            from,
            is_loop: self.is_loop(from),
            row: self.row(key, &ids),
        });
        Regions {
            of,
            copies: copies.collect(),
        }
    }

    /// What a state of a copy does.
    fn row(&self, (of_home, of_here): CopyKey, ids: &IdMap<CopyKey, StateId>) -> CopiedRow {
        let next = |step| match step {
            RegionStep::Home => ids.get(&(of_home, of_home)).copied(),
            RegionStep::Inner(of_next) => ids.get(&(of_home, of_next)).copied(),
            RegionStep::Leave => None,
        };
        let steps = self.signatures.get(of_here).iter();
        let steps = steps.map(|step| step.parts());
        steps.map(|(class, step)| (class, next(step))).collect()
    }
}
