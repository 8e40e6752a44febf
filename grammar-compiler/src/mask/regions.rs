//! Regions: a loop that goes on with most bytes, and the states from which all ways lead back to it.
//!
//! In: the dense table and its runs. Out: [`Regions`]: which region a state is in, and a copy of each region that several have
//! in common. Every string of a JSON text is one: characters beyond ASCII and escapes lead back to where the string goes on,
//! and a schema has one wherever a key that it does not name or a value may stand. They differ in what follows the closing quote
//! alone. So walks are taken through the copy, up to where it is left, once for all of them.

use rustc_hash::FxHashMap as HashMap;

use super::descend::{Descent, Gather, Question, Start};
use super::rows::{Action, Rows};
use crate::intern::Interner;
use crate::pda::headroom::Need;
use crate::pda::{Class, Pda, StateId};

/// The longest way back to a loop: escapes of two code units have twelve steps.
const MAX_STEPS: usize = 16;

/// A state of a region that others are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The loop, the only state from which the region is left.
    pub home: StateId,
    /// This state in the copy of the region.
    pub copy: StateId,
}

/// What a state of a copy does with a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Leads to the loop.
    Home,
    /// Leads to the state with this signature.
    Inner(u32),
    /// Leaves the region.
    Leave,
}

/// What tells a state from others in its region.
type Signature = Vec<(Class, Step)>;
/// A state of a copy: the numbers of its loop's signature and of its own.
type Key = (u32, u32);

/// A state of a copy: one that it was made from, and what it does with each class that is not refused.
pub struct Copied {
    /// The state it was made from.
    pub from: StateId,
    /// By class the next state of the copy; none where the region is left.
    pub steps: Vec<(Class, Option<StateId>)>,
}

/// All regions that others are like.
pub struct Regions {
    /// For each state of one where it is there.
    pub of: Vec<Option<Region>>,
    /// The states of the copies, which are numbered after those of the automaton.
    pub copies: Vec<Copied>,
}

/// Finds regions that are alike.
pub fn regions(pda: &Pda, needs: &[Need], rows: &Rows) -> Regions {
    let mut finder = Finder {
        pda,
        rows,
        homes: vec![None; pda.states.len()],
        order: Vec::new(),
        signatures: Interner::new(),
        of_state: vec![0; pda.states.len()],
    };
    finder.find_homes(needs);
    finder.sign();
    finder.copy()
}

/// Where the ways from a state lead.
enum Way {
    /// All to one loop.
    Home(StateId),
    /// Not yet known.
    Unknown,
    /// To several loops, to none, or to the stack.
    Elsewhere,
}

struct Finder<'a> {
    pda: &'a Pda,
    rows: &'a Rows,
    /// For each state of a region the loop that all ways lead to.
    homes: Vec<Option<StateId>>,
    /// These states, loops first; no state but a loop leads to a later one of its region.
    order: Vec<StateId>,
    signatures: Interner<Signature>,
    /// For each of these states its signature.
    of_state: Vec<u32>,
}

impl Finder<'_> {
    fn is_loop(&self, state: StateId) -> bool {
        self.homes[state as usize] == Some(state)
    }

    fn find_homes(&mut self, needs: &[Need]) {
        let rows = self.rows;
        let states = 0..self.pda.states.len() as StateId;
        let is_loop =
            |&state: &StateId| rows.run(state).along.is_some() && rows.next(state) == state;
        let (loops, mut others): (Vec<StateId>, Vec<StateId>) = states.partition(is_loop);
        for &home in &loops {
            self.homes[home as usize] = Some(home);
        }
        if loops.len() < 2 {
            return;
        }
        self.order = loops;
        for _ in 0..MAX_STEPS {
            let before = self.order.len();
            others.retain(|&state| {
                let home = match self.way(state) {
                    Way::Unknown => return true,
                    Way::Home(home) if needs[state as usize] == needs[home as usize] => home,
                    Way::Home(_) | Way::Elsewhere => return false,
                };
                self.homes[state as usize] = Some(home);
                self.order.push(state);
                false
            });
            if self.order.len() == before {
                break;
            }
        }
    }

    /// Where the ways from a state lead, by where those from the states that follow it do.
    fn way(&self, state: StateId) -> Way {
        let mut way = Way::Elsewhere;
        for &(class, _) in &self.pda.states[state as usize].edges {
            let next = match self.rows.action(state, class) {
                Action::Refuse => continue,
                Action::Goto(next) => self.homes[next as usize],
                Action::Tree(_) | Action::Leave => return Way::Elsewhere,
            };
            way = match (next, way) {
                (None, _) => return Way::Unknown,
                (Some(next), Way::Home(home)) if next != home => return Way::Elsewhere,
                (Some(next), _) => Way::Home(next),
            };
        }
        way
    }

    /// Signs all states of regions, the loops last.
    fn sign(&mut self) {
        for is_loop in [false, true] {
            for at in 0..self.order.len() {
                let state = self.order[at];
                if self.is_loop(state) == is_loop {
                    let signature = self.signature(state);
                    self.of_state[state as usize] = self.signatures.intern(signature);
                }
            }
        }
    }

    fn signature(&self, state: StateId) -> Signature {
        let home = self.homes[state as usize];
        let steps = self.pda.states[state as usize].edges.iter();
        let steps = steps.filter_map(|&(class, _)| {
            let step = match self.rows.action(state, class) {
                Action::Refuse => return None,
                Action::Goto(next) if Some(next) == home => Step::Home,
                Action::Goto(next) if self.homes[next as usize] == home => {
                    Step::Inner(self.of_state[next as usize])
                }
                Action::Goto(_) | Action::Tree(_) | Action::Leave => Step::Leave,
            };
            Some((class, step))
        });
        steps.collect()
    }

    /// Copies each region that several have in common.
    fn copy(self) -> Regions {
        let mut users = vec![0; self.signatures.values.len()];
        for &state in self.order.iter().filter(|&&state| self.is_loop(state)) {
            users[self.of_state[state as usize] as usize] += 1;
        }
        let states = self.pda.states.len();
        let mut of = vec![None; states];
        let mut ids: HashMap<Key, StateId> = HashMap::default();
        let mut copied: Vec<(StateId, Key)> = Vec::new();
        for &state in &self.order {
            let Some(home) = self.homes[state as usize] else {
                continue;
            };
            let key = (self.of_state[home as usize], self.of_state[state as usize]);
            if users[key.0 as usize] > 1 {
                let copy = *ids.entry(key).or_insert_with(|| {
                    copied.push((state, key));
                    (states + copied.len() - 1) as StateId
                });
                of[state as usize] = Some(Region { home, copy });
            }
        }
        let copies = copied.into_iter();
        let copies = copies.map(|(from, key)| Copied {
            from,
            steps: self.steps(key, &ids),
        });
        Regions {
            of,
            copies: copies.collect(),
        }
    }

    /// What a state of a copy does.
    fn steps(
        &self,
        (of_home, of_here): Key,
        ids: &HashMap<Key, StateId>,
    ) -> Vec<(Class, Option<StateId>)> {
        let next = |step| match step {
            Step::Home => ids.get(&(of_home, of_home)).copied(),
            Step::Inner(of_next) => ids.get(&(of_home, of_next)).copied(),
            Step::Leave => None,
        };
        let steps = self.signatures.values[of_here as usize].iter();
        steps.map(|&(class, step)| (class, next(step))).collect()
    }
}

impl Descent<'_> {
    /// Takes subtrees through a region to where they leave it.
    pub(super) fn through(
        &mut self,
        start: Start,
        region: Region,
        steps: u32,
        gather: &mut Gather,
    ) {
        let summary = self.summary(start.nodes, region.copy, steps);
        if let Some(height) = self.height(start) {
            let pieces = self.summaries.tokens(&summary).iter();
            gather
                .tokens
                .extend(pieces.map(|&(_, piece)| (height, piece)));
        }
        for at in summary.questions {
            let Question { class, at } = self.summaries.question(at);
            self.follow(start, (region.home, class, at.nodes), steps, gather);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Rows, regions};
    use crate::automaton;
    use crate::source::Source;
    use crate::syntax::{ParseOptions, ebnf};

    #[test]
    fn strings_that_lie_in_several_places_are_copied_once() {
        // Three places for strings, of which two are left alike.
        let text = r#"root ::= "<" s "'a" | "[" s "'b" | "{" s "!"
                      s ::= ([^'!\\] | "\\" [a-z] | "\\u" [0-9] [0-9])*"#;
        let source = Source::new("test", text);
        let parsed = ebnf::parse(&source, &ParseOptions::default()).unwrap();
        let automaton = automaton(&parsed.grammar, &Default::default()).unwrap();
        let rows = Rows::new(&automaton.pda, &automaton.headroom);
        let found = regions(&automaton.pda, &automaton.headroom.states, &rows);
        let of_copy = |copy| {
            let same = found.of.iter().flatten().filter(|of| of.copy == copy);
            same.count()
        };
        let states = automaton.pda.states.len();
        let copies = states..states + found.copies.len();
        assert!(found.copies.len() > 5, "the loop, escapes and characters");
        for copy in copies {
            assert_eq!(of_copy(copy as u32), 2);
        }
    }
}
