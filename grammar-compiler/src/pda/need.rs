//! How much higher a stack may have to grow before it can be finished.
//!
//! In: a [`Pda`]. Out: for each state its *need*: whatever frames lie on the stack, some completion never rises more
//! than that many frames above the present height. A matcher with room for `DEPTH` frames stays
//! where `height + need <= DEPTH`; from there it can always be finished, so a bound on the stack never leads to a dead end.
//!
//! Need is a solution of: choose the symbol that costs least, knowing the frames that its edges look at, where
//! frames below are chosen by an adversary among those that can lie there. A step that pops a frame which was there before is
//! progress by itself, so its cost may be assumed (an outer iteration, from below); popping a frame that the completion
//! has pushed itself is not, so it is known how many of those lie on top, up to `OWN`. Among the steps that are no
//! progress a completion must be well-founded (an inner iteration, from above). The adversary is stronger than any
//! real stack; everywhere a bound that holds for every grammar may be taken instead: see [`needs`].

use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;

use super::{Alternative, Class, FrameId, Pda, StateId, Tree, TreeId};
use crate::limits::{Deadline, LimitExceeded};
use crate::lr::{MAX_SPREAD, Positions};

/// How many frames finishing from a state may need above the present height; `None` if it cannot be finished, which
/// happens only where a vocabulary cannot spell what is missing.
pub type Need = Option<u8>;

/// The greatest need that tables can say.
pub const MAX_NEED: u8 = maskwright_core::layout::state::MAX_NEED as u8;

/// Frames pushed by a completion that are told from those that were there before.
const OWN: u8 = 3;

/// No completion found yet.
const UNKNOWN: i32 = i32::MAX / 2;

/// The need of each state.
///
/// Two bounds hold for every state. A stack is never more than [`MAX_SPREAD`] + 2 frames higher than where an item in its state was
/// entered. Following the shortest completion of one item, then of what it returns to, and so on, pushes at most one
/// frame a byte, so the bytes of the longest such completion and `MAX_SPREAD + 2` are enough. Following the one with the
/// fewest calls within calls, each such call is entered at most `MAX_SPREAD + 3` frames above its caller.
///
/// # Errors
///
/// If a state needs more frames than a table can say, or the deadline passes.
pub fn needs(
    pda: &Pda,
    positions: &Positions,
    deadline: &Deadline,
) -> Result<Vec<Need>, LimitExceeded> {
    let mut solver = Solver::new(pda, general_bound(positions));
    let users = solver.users();
    let mut steps = 0u32;
    loop {
        solver.need.fill(UNKNOWN);
        let mut queue: Vec<usize> = (0..solver.need.len()).collect();
        let mut queued = vec![true; solver.need.len()];
        while let Some(variable) = queue.pop() {
            queued[variable] = false;
            // Nothing is less than no need.
            if solver.need[variable] == 0 {
                continue;
            }
            steps += 1;
            if steps.is_multiple_of(256) {
                deadline.check("bounding stacks")?;
            }
            let value = solver.evaluate(variable);
            if value < solver.need[variable] {
                solver.need[variable] = value;
                for &user in &users[variable] {
                    if !std::mem::replace(&mut queued[user], true) {
                        queue.push(user);
                    }
                }
            }
        }
        if solver.need == solver.assumed {
            break;
        }
        solver.assumed.clone_from(&solver.need);
    }
    let narrow = |&need: &i32| match u8::try_from(need) {
        Ok(need) if need <= MAX_NEED => Ok(Some(need)),
        _ => Err(LimitExceeded {
            limit: "frames",
            value: MAX_NEED as u64,
            what: "finishing a sentence needs too many nested calls".to_owned(),
        }),
    };
    solver.need[..pda.states.len()].iter().map(narrow).collect()
}

fn general_bound(positions: &Positions) -> i32 {
    let spread = MAX_SPREAD as u32;
    let by_calls = positions.deepest_completion().saturating_mul(spread + 3);
    let bound = (positions.longest_completion().min(by_calls)).saturating_add(spread + 2);
    i32::try_from(bound).unwrap_or(UNKNOWN).min(UNKNOWN)
}

/// One variable for each state, then one for each state that takes a symbol again; then the same with one frame of the
/// completion's own on top, and so on up to `OWN`.
struct Solver<'a> {
    pda: &'a Pda,
    /// A bound that holds for every variable.
    general: i32,
    need: Vec<i32>,
    /// What each variable is assumed to be after a step that leaves the stack lower.
    assumed: Vec<i32>,
    /// The edges that each variable chooses from.
    choices: Vec<Vec<(Class, TreeId)>>,
    /// The variable of a state in which a class is taken again.
    again: HashMap<(StateId, Class), usize>,
}

/// A step of a completion.
struct Step {
    /// What follows.
    variable: usize,
    /// Whether a frame has been popped that was there before.
    is_progress: bool,
}

impl<'a> Solver<'a> {
    fn new(pda: &'a Pda, general: i32) -> Self {
        let mut solver = Solver {
            pda,
            general,
            need: vec![],
            assumed: vec![],
            choices: vec![],
            again: HashMap::default(),
        };
        let mut pairs = BTreeSet::new();
        for state in &pda.states {
            let mut choices = Vec::new();
            let mut seen = BTreeSet::new();
            for &(class, tree) in &state.edges {
                let before = pairs.len();
                let mut repeats = false;
                pda.leaves(tree, &mut |leaf| {
                    for alternative in leaf.iter().filter(|a| a.again) {
                        repeats = true;
                        pairs.insert((alternative.next, class));
                    }
                });
                if seen.insert(tree) || repeats || pairs.len() > before {
                    choices.push((class, tree));
                }
            }
            solver.choices.push(choices);
        }
        for (state, class) in pairs {
            solver.again.insert((state, class), solver.choices.len());
            solver.choices.push(
                pda.edge(state, class)
                    .map(|tree| (class, tree))
                    .into_iter()
                    .collect(),
            );
        }
        let variables = solver.choices.len() * (usize::from(OWN) + 1);
        solver.need = vec![UNKNOWN; variables];
        solver.assumed = vec![0; variables];
        solver
    }

    /// For each variable those whose value may depend on it.
    fn users(&self) -> Vec<Vec<usize>> {
        let mut out: Vec<Vec<usize>> = vec![Vec::new(); self.need.len()];
        for (base, choices) in self.choices.iter().enumerate() {
            for &(class, tree) in choices {
                self.pda.leaves(tree, &mut |leaf| {
                    for alternative in leaf {
                        for own in 0..=OWN {
                            let user = base + usize::from(own) * self.choices.len();
                            if let Some(step) = self.step(alternative, class, own) {
                                out[step.variable].push(user);
                            }
                        }
                    }
                });
            }
        }
        for users in &mut out {
            users.sort_unstable();
            users.dedup();
        }
        out
    }

    /// Where an alternative leads, with `own` frames of the completion's own on top; none if they would be too many.
    fn step(&self, alternative: &Alternative, class: Class, own: u8) -> Option<Step> {
        let again = alternative
            .again
            .then(|| self.again.get(&(alternative.next, class)))
            .flatten();
        let base = again.copied().unwrap_or(alternative.next as usize);
        let left = own.saturating_sub(alternative.pop) + u8::from(alternative.push.is_some());
        (left <= OWN).then(|| Step {
            variable: base + usize::from(left) * self.choices.len(),
            is_progress: alternative.pop > own,
        })
    }

    fn evaluate(&self, variable: usize) -> i32 {
        // The state after the end of the text has no edges and needs nothing.
        let base = variable % self.choices.len();
        let own = (variable / self.choices.len()) as u8;
        let is_state = base < self.pda.states.len();
        match self.choices[base].as_slice() {
            [] if is_state => 0,
            choices => self.game(choices, own).max(0).min(self.general),
        }
    }

    /// The least cost of one of these edges: at once, or after looking at the next frame that one of them looks at.
    fn game(&self, trees: &[(Class, TreeId)], own: u8) -> i32 {
        let mut best = UNKNOWN;
        let mut look: Option<u8> = None;
        for &(class, tree) in trees {
            match &self.pda.trees[tree as usize] {
                Tree::Leaf(alternatives) => {
                    let costs = alternatives.iter().map(|a| {
                        let rise = a.push.is_some() as i32 - a.pop as i32;
                        let rest = match self.step(a, class, own) {
                            None => UNKNOWN,
                            Some(step) if step.is_progress => self.assumed[step.variable],
                            Some(step) => self.need[step.variable],
                        };
                        if rest == UNKNOWN {
                            UNKNOWN
                        } else {
                            rise + rest
                        }
                    });
                    best = best.min(costs.min().unwrap_or(UNKNOWN));
                }
                Tree::Look { depth, .. } => look = Some(look.map_or(*depth, |d| d.min(*depth))),
            }
        }
        match look {
            Some(depth) if best > 0 => best.min(self.worst(trees, depth, own)),
            _ => best,
        }
    }

    /// The cost after looking at `depth`, for the worst frame that can lie there.
    fn worst(&self, trees: &[(Class, TreeId)], depth: u8, own: u8) -> i32 {
        let mut frames: BTreeSet<FrameId> = BTreeSet::new();
        for (_, tree) in trees {
            if let Tree::Look {
                depth: at,
                branches,
            } = &self.pda.trees[*tree as usize]
                && *at == depth
            {
                frames.extend(branches.iter().map(|b| b.0));
            }
        }
        let mut worst = i32::MIN;
        for frame in frames {
            let below: Vec<_> = trees
                .iter()
                .filter_map(|&(class, tree)| Some((class, self.branch(tree, depth, frame)?)))
                .collect();
            if below.iter().any(|e| self.is_live(e.1)) {
                worst = worst.max(self.game(&below, own));
            }
        }
        if worst == i32::MIN { UNKNOWN } else { worst }
    }

    fn branch(&self, tree: TreeId, depth: u8, frame: FrameId) -> Option<TreeId> {
        match &self.pda.trees[tree as usize] {
            Tree::Look {
                depth: at,
                branches,
            } if *at == depth => branches
                .binary_search_by_key(&frame, |b| b.0)
                .ok()
                .map(|at| branches[at].1),
            _ => Some(tree),
        }
    }

    fn is_live(&self, tree: TreeId) -> bool {
        let mut live = false;
        self.pda.leaves(tree, &mut |leaf| live |= !leaf.is_empty());
        live
    }
}
