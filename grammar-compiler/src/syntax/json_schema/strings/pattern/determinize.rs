//! Determinization of a program with assertions.
//!
//! A state of the result holds, for each look-behind, the matches of it under way that began at any
//! place before, and the main set of branches. Every character is read in this order: look-behinds,
//! inner ones first, so that what they say here is known when their assertions are met; then the
//! main set, and with it what it needs of the rest. A look-ahead met becomes a need of its branch;
//! so does a look-behind, whose matches that end here may have needs of their own.

use super::alphabet::Alphabet;
use super::formula::{ALWAYS, FormulaBranch, Formulas, NEVER, NO_NEEDS, SetNeed};
use super::program::{ACCEPT, Op, Program};
use crate::maps::{KeyedMap, KeyedSet};
use crate::syntax::json_schema::strings::bounds::{Budget, LanguageError};
use crate::syntax::json_schema::strings::intern::SequenceInterner;
use crate::syntax::json_schema::strings::{Language, LanguageState, minimize};

/// The texts that the program accepts from its start.
pub(super) fn determinize(
    program: &Program,
    budget: &mut Budget<'_>,
) -> Result<Language, LanguageError> {
    let alphabet = Alphabet::new(&program.classes, budget)?;
    let mut run = Determinizer {
        program,
        alphabet: &alphabet,
        formulas: Formulas::new(&program.ranks),
        seen: Seen::default(),
        budget,
    };
    let mut keys = SequenceInterner::new();
    keys.number(run.arrive(None)?);
    let mut states: Vec<LanguageState> = Vec::new();
    while let Some(key) = keys.get(states.len() as u32) {
        let classes = run.classes(&key)?;
        let mut targets = Vec::new();
        for group in alphabet.groups(&classes, run.budget)? {
            let Some(&letter) = group.first() else {
                continue;
            };
            let next = run.arrive(Some((&key, letter)))?;
            if next.last() == Some(&NEVER) {
                continue;
            }
            let (to, is_new) = keys.number(next);
            if is_new {
                run.budget.state()?;
            }
            targets.push((group, to));
        }
        let main = key.last().copied().unwrap_or(NEVER);
        states.push(LanguageState {
            is_final: run.holds_at_end(main),
            edges: alphabet.edges(&targets, run.budget)?,
        });
    }
    minimize::minimize(states, budget.deadline())
}

/// What is known of the place between two characters.
struct Here {
    /// What each assertion says, once it is known: a set of branches.
    assertions: Vec<Option<u32>>,
    /// Where sets lead on the letter before.
    steps: KeyedMap<u32, u32>,
}

/// The branches met since it was cleared.
#[derive(Default)]
struct Seen {
    /// By node, for branches without needs: when they were met.
    nodes: Vec<u32>,
    now: u32,
    others: KeyedSet<FormulaBranch>,
}

impl Seen {
    fn clear(&mut self, nodes: usize) {
        self.others.clear();
        self.now = self.now.wrapping_add(1);
        if self.nodes.len() != nodes || self.now == 0 {
            self.nodes = vec![0; nodes];
            self.now = 1;
        }
    }

    /// Whether the branch is met for the first time.
    fn insert(&mut self, branch: FormulaBranch) -> bool {
        match branch.needs {
            NO_NEEDS => {
                std::mem::replace(&mut self.nodes[branch.node as usize], self.now) != self.now
            }
            _ => self.others.insert(branch),
        }
    }
}

struct Determinizer<'p, 'b, 'd> {
    program: &'p Program,
    alphabet: &'p Alphabet,
    formulas: Formulas<'p>,
    seen: Seen,
    budget: &'b mut Budget<'d>,
}

impl Determinizer<'_, '_, '_> {
    /// The state at the start, or after a letter: the sets of the look-behinds, then the main one.
    fn arrive(&mut self, from: Option<(&[u32], u32)>) -> Result<Vec<u32>, LanguageError> {
        let program = self.program;
        let mut here = Here {
            assertions: vec![None; program.assertions.len()],
            steps: KeyedMap::default(),
        };
        let mut key = Vec::new();
        for (id, assertion) in program.assertions.iter().enumerate() {
            if !assertion.is_behind {
                continue;
            }
            let mut starts = vec![begin(assertion.start)];
            if let Some((sets, letter)) = from {
                starts.extend(self.advance(sets[key.len()], letter, &mut here)?);
            }
            let (ended, under_way) = (self.close(starts, &mut here)?.into_iter())
                .partition(|b: &FormulaBranch| b.node == ACCEPT);
            here.assertions[id] = Some(self.formulas.set(ended));
            key.push(self.formulas.set(under_way));
        }
        let main = match from {
            None => {
                let branches = self.close(vec![begin(program.start)], &mut here)?;
                self.formulas.set(branches)
            }
            Some((sets, letter)) => self.step(sets[key.len()], letter, &mut here)?,
        };
        if main == ALWAYS || main == NEVER {
            key.fill(NEVER);
        }
        self.budget.work(self.formulas.take_work())?;
        key.push(main);
        Ok(key)
    }

    /// The classes of the nodes in these sets and in what they need: on them a step depends.
    fn classes(&mut self, sets: &[u32]) -> Result<Vec<u32>, LanguageError> {
        let mut sets = sets.to_vec();
        let mut seen: KeyedSet<u32> = KeyedSet::default();
        let mut classes = Vec::new();
        while let Some(set) = sets.pop() {
            if !seen.insert(set) {
                continue;
            }
            let branches = self.formulas.branches(set);
            self.budget.work(branches.len())?;
            for branch in branches.iter() {
                let needs = self.formulas.needs(branch.needs);
                sets.extend(needs.iter().map(|need| need.set));
                if let Op::Class(class, _) = self.program.nodes[branch.node as usize] {
                    classes.push(class);
                }
            }
        }
        classes.sort_unstable();
        classes.dedup();
        Ok(classes)
    }

    /// What must hold after `letter` for `set` to hold before it.
    fn step(&mut self, set: u32, letter: u32, here: &mut Here) -> Result<u32, LanguageError> {
        if set == NEVER || set == ALWAYS {
            return Ok(set);
        }
        if let Some(&next) = here.steps.get(&set) {
            return Ok(next);
        }
        let starts = self.advance(set, letter, here)?;
        let branches = self.close(starts, here)?;
        let next = self.formulas.set(branches);
        self.budget.work(self.formulas.take_work())?;
        here.steps.insert(set, next);
        Ok(next)
    }

    /// The branches of `set` after `letter`, where assertions are not yet looked at.
    fn advance(
        &mut self,
        set: u32,
        letter: u32,
        here: &mut Here,
    ) -> Result<Vec<FormulaBranch>, LanguageError> {
        let branches = self.formulas.branches(set);
        self.budget.work(branches.len())?;
        let mut result = Vec::with_capacity(branches.len());
        for branch in branches.iter() {
            let node = match self.program.nodes[branch.node as usize] {
                Op::Class(class, next) if self.alphabet.has(letter, class) => next,
                Op::Accept => ACCEPT,
                _ => continue,
            };
            if let Some(needs) = self.step_needs(branch.needs, letter, here)? {
                result.push(FormulaBranch { node, needs });
            }
        }
        Ok(result)
    }

    /// The needs after `letter`; `None` if they cannot hold.
    fn step_needs(
        &mut self,
        needs: u32,
        letter: u32,
        here: &mut Here,
    ) -> Result<Option<u32>, LanguageError> {
        let mut result = Some(NO_NEEDS);
        for need in self.formulas.needs(needs).iter() {
            let set = self.step(need.set, letter, here)?;
            let is_negative = need.is_negative;
            result =
                result.and_then(|needs| self.formulas.and(needs, SetNeed { set, is_negative }));
        }
        Ok(result)
    }

    /// Where the branches lead without a character: to nodes that read one or accept.
    fn close(
        &mut self,
        mut stack: Vec<FormulaBranch>,
        here: &mut Here,
    ) -> Result<Vec<FormulaBranch>, LanguageError> {
        let program = self.program;
        // An assertion met on the way closes branches of its own.
        let mut seen = std::mem::take(&mut self.seen);
        seen.clear(program.nodes.len());
        let mut result = Vec::new();
        while let Some(branch) = stack.pop() {
            self.budget.work(1)?;
            if !seen.insert(branch) {
                continue;
            }
            match &program.nodes[branch.node as usize] {
                Op::Accept | Op::Class(..) => result.push(branch),
                Op::Split(nodes) => {
                    stack.extend(nodes.iter().map(|&node| FormulaBranch { node, ..branch }));
                }
                &Op::Look {
                    assertion,
                    is_negative,
                    next: node,
                } => {
                    let set = self.look(assertion, here)?;
                    let needs = self
                        .formulas
                        .and(branch.needs, SetNeed { set, is_negative });
                    stack.extend(needs.map(|needs| FormulaBranch { node, needs }));
                }
            }
        }
        self.seen = seen;
        Ok(result)
    }

    /// What an assertion says here.
    fn look(&mut self, assertion: u32, here: &mut Here) -> Result<u32, LanguageError> {
        if let Some(set) = here.assertions[assertion as usize] {
            return Ok(set);
        }
        let start = self.program.assertions[assertion as usize].start;
        let branches = self.close(vec![begin(start)], here)?;
        let set = self.formulas.set(branches);
        here.assertions[assertion as usize] = Some(set);
        Ok(set)
    }

    /// Whether the empty rest is one that `set` holds of.
    fn holds_at_end(&self, set: u32) -> bool {
        self.formulas.branches(set).iter().any(|branch| {
            let needs = self.formulas.needs(branch.needs);
            branch.node == ACCEPT
                && (needs.iter()).all(|need| self.holds_at_end(need.set) != need.is_negative)
        })
    }
}

fn begin(node: u32) -> FormulaBranch {
    let needs = NO_NEEDS;
    FormulaBranch { node, needs }
}
