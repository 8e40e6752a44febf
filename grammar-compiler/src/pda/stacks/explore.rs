//! All sets of stacks that can be alive at once.
//!
//! In: a [`Pda`] that splits. Out: the greatest number of stacks in a [`Config`] that a split leads
//! to, if such configurations are few. Every state begins an exploration, over all frames that can
//! lie under it. So an exploration stops at a configuration of a single stack whose frames are all
//! unknown: the exploration of its state continues from there.

use std::collections::VecDeque;

use crate::maps::IdSet;

use super::super::{Class, Pda, Tree, TreeId};
use super::config::Config;
use crate::limits::{Deadline, LimitExceeded};

/// If more stacks than this may be alive at once, the search for a bound ends.
pub const MOST: usize = 16;
/// Configurations that are looked at; one counts as often as it has stacks.
const MAX_STEPS: usize = 100_000;

/// The most stacks that can be alive at once, if the search ends.
///
/// # Errors
///
/// If the deadline passes.
pub fn explore(pda: &Pda, deadline: &Deadline) -> Result<Option<u32>, LimitExceeded> {
    let mut explorer = Explorer::new(pda);
    let mut most = 1;
    let mut steps = 0;
    while let Some(config) = explorer.queue.pop_front() {
        deadline.check("bounding the number of stacks")?;
        let count = config.count();
        steps += count;
        if count > MOST || steps > MAX_STEPS {
            return Ok(None);
        }
        if config.class.is_some() {
            config.advance(pda, &mut |next| explorer.add(next));
        } else {
            most = most.max(count);
            for class in explorer.traits.classes(pda, &config) {
                explorer.add(config.consume(class));
            }
        }
    }
    Ok(Some(most as u32))
}

struct Explorer {
    traits: Traits,
    seen: IdSet<Config>,
    queue: VecDeque<Config>,
}

impl Explorer {
    /// An exploration that begins at all splits.
    fn new(pda: &Pda) -> Self {
        let traits = Traits::new(pda);
        let mut queue = VecDeque::new();
        for (id, state) in pda.state_ids().zip(&pda.states) {
            for &(class, tree) in &state.edges {
                if traits.splits[tree.index()] {
                    queue.push_back(Config::start(pda, id, class));
                }
            }
        }
        Explorer {
            traits,
            seen: IdSet::default(),
            queue,
        }
    }

    fn add(&mut self, config: Config) {
        if !config.is_lone() && !self.seen.contains(&config) {
            self.seen.insert(config.clone());
            self.queue.push_back(config);
        }
    }
}

/// What is known of each tree.
struct Traits {
    splits: Vec<bool>,
    /// Some alternative takes the symbol again.
    again: Vec<bool>,
}

impl Traits {
    fn new(pda: &Pda) -> Self {
        let (mut splits, mut again) = (Vec::new(), Vec::new());
        // A tree stands behind the trees that it leads to.
        for tree in &pda.trees {
            let (splitting, taking) = match tree {
                Tree::Leaf(leaf) => (leaf.len() > 1, leaf.iter().any(|a| a.again)),
                Tree::Look { branches, .. } => {
                    let below = |of: &[bool]| branches.iter().any(|b| of[b.1.index()]);
                    (below(&splits), below(&again))
                }
            };
            splits.push(splitting);
            again.push(taking);
        }
        Traits { splits, again }
    }

    /// The classes that some stack can consume, ascending; of several with the same effect, the
    /// first.
    fn classes(&self, pda: &Pda, config: &Config) -> Vec<Class> {
        let mut edges: Vec<(Class, usize, TreeId)> = Vec::new();
        for (at, state) in config.states().enumerate() {
            let of_state = pda.states[state.index()].edges.iter();
            edges.extend(of_state.map(|&(class, tree)| (class, at, tree)));
        }
        edges.sort_unstable();
        let mut met: IdSet<Vec<(usize, TreeId)>> = IdSet::default();
        let mut out = Vec::new();
        for same in edges.chunk_by(|a, b| a.0 == b.0) {
            let trees: Vec<_> = same.iter().map(|e| (e.1, e.2)).collect();
            // What follows a symbol that is taken again depends on the symbol itself.
            if trees.iter().any(|t| self.again[t.1.index()]) || met.insert(trees) {
                out.push(same[0].0);
            }
        }
        out
    }
}
