//! The automaton's edges as walks read them: a dense table, and each state's runs.

use rustc_hash::FxHashMap as HashMap;

use crate::pda::need::Need;
use crate::pda::{Alternative, Class, Pda, StateId, Tree, TreeId};

/// What a state does with a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Nothing: the symbol is refused.
    Refuse,
    /// Goes on, whatever the stack.
    Goto(StateId),
    /// Asks the stack.
    Tree(TreeId),
}

/// The dense table.
pub struct Rows {
    classes: usize,
    actions: Vec<Action>,
    /// For each state and class the least class that comes to the same there.
    alike: Vec<Class>,
    runs: Vec<Run>,
}

/// Any string of these bytes that is no longer than this never touches the stack, and finishing needs as many frames from each
/// state on its way as from the first one. A loop is a run without end; a run ends where a block of a counted repetition does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    bytes: [u64; 4],
    length: u32,
}

impl Run {
    const NONE: Self = Run {
        bytes: [0; 4],
        length: 0,
    };
}

impl Rows {
    /// The dense table of `pda`.
    pub fn new(pda: &Pda, needs: &[Need]) -> Self {
        let classes = pda.classes.count as usize;
        let mut actions = vec![Action::Refuse; classes * pda.states.len()];
        let mut alike: Vec<Class> = Vec::with_capacity(actions.len());
        for (s, state) in pda.states.iter().enumerate() {
            let row = &mut actions[s * classes..][..classes];
            for &(class, tree) in &state.edges {
                row[class as usize] = action(pda, tree);
            }
            let mut least: HashMap<Action, Class> = HashMap::default();
            alike.extend((0..).zip(row.iter()).map(|(class, &action)| match action {
                // The symbol is taken again from another state, which may tell the classes apart.
                Action::Tree(tree) if pda.takes_again(tree) => class,
                _ => *least.entry(action).or_insert(class),
            }));
        }
        let runs = runs(pda, needs, &actions);
        Rows {
            classes,
            actions,
            alike,
            runs,
        }
    }

    /// What `state` does with `class`.
    pub fn action(&self, state: StateId, class: Class) -> Action {
        self.actions[state as usize * self.classes + class as usize]
    }

    /// The least class that comes to the same in `state` as this one.
    pub fn alike(&self, state: StateId, class: Class) -> Class {
        self.alike[state as usize * self.classes + class as usize]
    }

    /// Whether any string of so many of these bytes leads from `state` to states like it, as a [`Run`] does.
    pub fn is_run(&self, state: StateId, bytes: &[u64; 4], length: u32) -> bool {
        let run = &self.runs[state as usize];
        length <= run.length && bytes.iter().zip(&run.bytes).all(|(b, r)| b & !r == 0)
    }
}

/// The run of each state: along the state that most bytes lead to.
fn runs(pda: &Pda, needs: &[Need], actions: &[Action]) -> Vec<Run> {
    let classes = pda.classes.count as usize;
    let next: Vec<Option<(StateId, [u64; 4])>> = (0..pda.states.len())
        .map(|state| most(pda, &actions[state * classes..][..classes]))
        .map(|most| most.filter(|next| needs[next.0 as usize].is_some()))
        .collect();
    let mut runs: Vec<Option<Run>> = vec![None; next.len()];
    let mut way: Vec<(StateId, [u64; 4])> = Vec::new();
    for state in 0..next.len() {
        let mut at = state as StateId;
        let mut run = loop {
            match (runs[at as usize], next[at as usize]) {
                (Some(run), _) => break run,
                (None, None) => break Run::NONE,
                (None, Some((to, bytes))) if to == at => {
                    break Run {
                        bytes,
                        length: u32::MAX,
                    };
                }
                (None, Some((to, bytes))) => {
                    // A way that comes back to itself is cut anywhere.
                    runs[at as usize] = Some(Run::NONE);
                    way.push((at, bytes));
                    at = to;
                }
            }
        };
        runs[at as usize] = Some(run);
        while let Some((before, bytes)) = way.pop() {
            let is_alike = needs[before as usize] == needs[at as usize];
            run = if is_alike {
                longer(run, bytes)
            } else {
                Run::NONE
            };
            runs[before as usize] = Some(run);
            at = before;
        }
    }
    runs.into_iter()
        .map(|run| run.unwrap_or(Run::NONE))
        .collect()
}

/// The state that most bytes lead to without touching the stack, and these bytes.
fn most(pda: &Pda, row: &[Action]) -> Option<(StateId, [u64; 4])> {
    let mut targets: Vec<(StateId, u8)> = (0..=255u8)
        .filter_map(|byte| match row[pda.classes.of(byte) as usize] {
            Action::Goto(next) => Some((next, byte)),
            _ => None,
        })
        .collect();
    targets.sort_unstable();
    let most = targets
        .chunk_by(|a, b| a.0 == b.0)
        .max_by_key(|c| c.len())?;
    let mut bytes = [0; 4];
    for &(_, byte) in most {
        bytes[byte as usize / 64] |= 1 << (byte % 64);
    }
    Some((most[0].0, bytes))
}

/// The run that begins with one of `bytes` and goes on with `run`, unless that would leave most of the bytes out.
fn longer(run: Run, bytes: [u64; 4]) -> Run {
    let count = |bytes: &[u64; 4]| bytes.iter().map(|word| word.count_ones()).sum::<u32>();
    let both = [0, 1, 2, 3].map(|at| bytes[at] & run.bytes[at]);
    match 2 * count(&both) > count(&bytes) {
        true => Run {
            bytes: both,
            length: run.length.saturating_add(1),
        },
        false => Run { bytes, length: 1 },
    }
}

fn action(pda: &Pda, tree: TreeId) -> Action {
    match &pda.trees[tree as usize] {
        Tree::Leaf(leaf) => match leaf.as_slice() {
            [] => Action::Refuse,
            [
                Alternative {
                    pop: 0,
                    push: None,
                    next,
                    again: false,
                },
            ] => Action::Goto(*next),
            _ => Action::Tree(tree),
        },
        Tree::Look { .. } => Action::Tree(tree),
    }
}
