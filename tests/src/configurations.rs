//! What a matcher of some depth may take, by search over configurations.
//!
//! A configuration is a state with all of its frames. The oracle knows the automaton as item sets
//! left it, before states were merged and before anything was said about what completions need; it
//! looks at no mask and no need. A text can be finished with `depth` frames if the search finds the
//! end of the text without ever having more on a stack.

use maskwright_compiler::pda::interpret::{Stack, step};
use maskwright_compiler::pda::{Class, Pda, TreeId};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Configurations looked at in one search before it is given up.
const MOST: usize = 60_000;

/// The oracle of one automaton and one depth.
pub struct Configurations<'a> {
    pda: &'a Pda,
    depth: usize,
    /// The classes that differ in some edge of each state.
    classes: Vec<Vec<Class>>,
    /// What earlier searches found of configurations, and those from which they were given up.
    known: HashMap<Stack, bool>,
    given_up: HashSet<Stack>,
}

/// The search was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenUp;

impl<'a> Configurations<'a> {
    /// The oracle of `pda` for matchers of this depth.
    pub fn new(pda: &'a Pda, depth: usize) -> Self {
        let again: Vec<bool> = (0..pda.trees.len())
            .map(|tree| pda.takes_again(TreeId::at(tree)))
            .collect();
        let classes = pda.states.iter().map(|state| {
            let mut seen = HashSet::new();
            let differ = state
                .edges
                .iter()
                .filter(|edge| again[edge.1.index()] || seen.insert(edge.1));
            differ.map(|edge| edge.0).collect()
        });
        Configurations {
            classes: classes.collect(),
            pda,
            depth,
            known: HashMap::new(),
            given_up: HashSet::new(),
        }
    }

    /// The configurations at the beginning of a text.
    pub fn start(&self) -> Vec<Stack> {
        vec![(self.pda.start, Vec::new())]
    }

    /// Those after a symbol that have no more frames than there may be.
    pub fn step(&self, stacks: &[Stack], class: Class) -> Vec<Stack> {
        let mut next = step(self.pda, stacks, class);
        next.retain(|stack| stack.1.len() <= self.depth);
        next
    }

    /// Those after a byte.
    pub fn step_byte(&self, stacks: &[Stack], byte: u8) -> Vec<Stack> {
        self.step(stacks, self.pda.classes.of(byte))
    }

    /// Whether the text may end here.
    pub fn is_complete(&self, stacks: &[Stack]) -> bool {
        !self.step(stacks, self.pda.classes.end()).is_empty()
    }

    /// Whether some completion from one of these never has more frames on its stack than there may
    /// be.
    ///
    /// # Errors
    /// If the search would take too long.
    pub fn can_finish(&mut self, stacks: &[Stack]) -> Result<bool, GivenUp> {
        let mut outcome = Ok(false);
        for stack in stacks {
            match self.search(stack) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(GivenUp) => outcome = Err(GivenUp),
            }
        }
        outcome
    }

    /// Best first: what has few frames goes before what has many.
    fn search(&mut self, from: &Stack) -> Result<bool, GivenUp> {
        if let Some(&known) = self.known.get(from) {
            return Ok(known);
        }
        if self.given_up.contains(from) {
            return Err(GivenUp);
        }
        let mut before: HashMap<Stack, Option<Stack>> = HashMap::from([(from.clone(), None)]);
        let mut open: BTreeMap<(usize, usize), Stack> = BTreeMap::new();
        open.insert((0, 0), from.clone());
        let mut found = None;
        while let Some((_, stack)) = open.pop_first() {
            if before.len() > MOST {
                self.given_up.insert(from.clone());
                return Err(GivenUp);
            }
            if self.known.get(&stack) == Some(&true)
                || self.is_complete(std::slice::from_ref(&stack))
            {
                found = Some(stack);
                break;
            }
            if self.known.contains_key(&stack) {
                continue;
            }
            let here = [stack.clone()];
            for &class in &self.classes[stack.0.index()] {
                for next in self.step(&here, class) {
                    if !before.contains_key(&next) {
                        open.insert((next.1.len(), before.len()), next.clone());
                        before.insert(next, Some(stack.clone()));
                    }
                }
            }
        }
        let Some(last) = found else {
            // All that can be reached has been looked at, and the end was not there.
            self.known
                .extend(before.into_keys().map(|stack| (stack, false)));
            return Ok(false);
        };
        let mut at = Some(last);
        while let Some(stack) = at {
            at = before.remove(&stack).flatten();
            self.known.insert(stack, true);
        }
        Ok(true)
    }
}
