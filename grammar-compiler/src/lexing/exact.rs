//! The terminals that the parser may take, exactly.
//!
//! In: the automaton over symbols. Out: the same, with states split where it depends on the stack
//! which terminals compete: those that the parser may take there, whatever the reading. Only
//! terminals matter that are longer than a match of another one that may be taken in the state:
//! the others do not change where any terminal ends.
//!
//! The classes that can be taken on a stack follow from its top frames and from what can be taken
//! below after returns, so kinds of stacks are found from the empty stack upwards, as
//! [`crate::feasibility`] finds what can be finished.

use std::collections::BTreeSet;

use super::SymbolGrammar;
use super::lookahead::lookahead;
use super::rivals::rivals;
use crate::bits::Bits;
use crate::feasibility::control::{Control, ControlId, ControlMachine, ControlStep, GramId};
use crate::feasibility::reach::{Reach, reach};
use crate::feasibility::tokens::{BETWEEN, TokenTexts};
use crate::grammar::lexer::Discipline;
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::maps::IdMap;
use crate::pda::marks::{KindId, Push, StackKind, mark_by};
use crate::pda::{Class, Pda, StateId, Tree, TreeId};

/// The stage, as a passed limit names it.
const DOING: &str = "finding which terminals compete";

/// The automaton over symbols, and for each state the classes that compete there.
pub(super) struct Parser {
    pub(super) pda: Pda,
    /// For each state the states before that it stands for.
    pub(super) origins: Vec<Vec<StateId>>,
    pub(super) competing: Vec<Bits>,
}

/// Splits states where it depends on the stack which terminals compete.
///
/// # Errors
///
/// If a limit is passed.
pub(super) fn exact(
    pda: &Pda,
    grammar: &SymbolGrammar,
    limits: &Limits,
    deadline: &Deadline,
) -> Result<Parser, LimitExceeded> {
    let lookahead = lookahead(pda, deadline)?;
    let as_it_is = |competing| Parser {
        pda: pda.clone(),
        origins: pda.state_ids().map(|state| vec![state]).collect(),
        competing,
    };
    // Elsewhere terminals compete with none, or as in the states of Lark's LALR parser.
    let is_longest = grammar.lexer.discipline == Discipline::LongestOfAll;
    if !is_longest || grammar.tables().is_some() {
        return Ok(as_it_is(lookahead));
    }
    let relevant = relevant(pda, grammar, &lookahead, deadline)?;
    if relevant.iter().all(Vec::is_empty) {
        return Ok(as_it_is(lookahead));
    }
    let texts = TokenTexts::of_all_bytes(pda);
    let mut search = Search {
        machine: ControlMachine::new(pda, &texts),
        relevant: &relevant,
        outcomes: IdMap::default(),
        asked: Vec::new(),
        deadline,
    };
    let reached = reach(&mut search.machine, pda.start, deadline)?;
    search.ask(&reached)?;
    let mut labels = vec![Interner::new(); pda.states.len()];
    let kinds = search.kinds(&reached, &mut labels, limits)?;
    if labels.iter().all(|of| of.values.len() <= 1) {
        let of_state = |state: StateId, all: &Bits| {
            let allowed = labels[state.index()].values.first();
            without(all, &relevant[state.index()], allowed)
        };
        let states = pda.state_ids().zip(&lookahead);
        return Ok(as_it_is(
            states.map(|(state, all)| of_state(state, all)).collect(),
        ));
    }
    let allowed = |state: StateId, label: Option<u8>| {
        let allowed = label.and_then(|label| labels[state.index()].values.get(usize::from(label)));
        without(&lookahead[state.index()], &relevant[state.index()], allowed)
    };
    let mut sets: Interner<Vec<u32>> = Interner::new();
    let marked = mark_by(pda, &kinds, limits.states, deadline, |state, label| {
        let set = allowed(state, label);
        sets.intern(set.iter().map(|class| class as u32).collect())
    })?;
    let competing = marked.labels.iter().map(|&set| {
        let mut bits = Bits::default();
        for &class in &sets.values[set as usize] {
            bits.insert(class as usize);
        }
        bits
    });
    Ok(Parser {
        competing: competing.collect(),
        pda: marked.pda,
        origins: marked.origins,
    })
}

/// A set without the relevant classes that are not among those that are allowed.
fn without(all: &Bits, relevant: &[Class], allowed: Option<&Vec<Class>>) -> Bits {
    let is_left_out = |class: usize| {
        relevant.iter().any(|&of| usize::from(of) == class)
            && allowed.is_some_and(|allowed| !allowed.iter().any(|&of| usize::from(of) == class))
    };
    let mut out = Bits::default();
    for class in all.iter().filter(|&class| !is_left_out(class)) {
        out.insert(class);
    }
    out
}

/// For each state the classes of terminals that make a difference to others which may be taken in
/// it, and that are taken after returns.
fn relevant(
    pda: &Pda,
    grammar: &SymbolGrammar,
    lookahead: &[Bits],
    deadline: &Deadline,
) -> Result<Vec<Vec<Class>>, LimitExceeded> {
    let rivals = rivals(grammar, deadline)?;
    let symbols: Vec<(Class, &Vec<u16>)> = (0u8..=255)
        .zip(&grammar.symbols)
        .map(|(symbol, set)| (pda.classes.of(symbol), set))
        .collect();
    let mut out = Vec::with_capacity(pda.states.len());
    for state in pda.state_ids() {
        deadline.ticks(1 + symbols.len(), DOING)?;
        let taken = &lookahead[state.index()];
        let mut possible = Bits::default();
        for (class, set) in &symbols {
            if taken.contains(usize::from(*class)) {
                set.iter().for_each(|&terminal| {
                    possible.insert(usize::from(terminal));
                });
            }
        }
        let mut classes = BTreeSet::new();
        for &(class, set) in &symbols {
            let matters = |terminal: &u16| rivals.has_among(*terminal, &possible);
            if taken.contains(usize::from(class))
                && pda
                    .edge(state, class)
                    .is_some_and(|tree| depends(pda, tree))
                && set.iter().any(matters)
            {
                classes.insert(class);
            }
        }
        out.push(classes.into_iter().collect());
    }
    Ok(out)
}

/// Whether it depends on the stack that an edge takes its class.
fn depends(pda: &Pda, tree: TreeId) -> bool {
    match &pda.trees[tree.index()] {
        Tree::Leaf(alternatives) => alternatives.iter().all(|alternative| alternative.again),
        Tree::Look { .. } => true,
    }
}

/// What a control comes to on a stack of which the top frames are known.
#[derive(Clone, Debug, Default)]
struct Outcome {
    /// It takes its symbol without losing the top frame.
    takes: bool,
    /// What goes on when the top frame is lost.
    popped: Vec<ControlId>,
}

struct Search<'a> {
    machine: ControlMachine<'a>,
    relevant: &'a [Vec<Class>],
    outcomes: IdMap<(ControlId, GramId), Outcome>,
    /// For each gram the controls that are asked about.
    asked: Vec<BTreeSet<ControlId>>,
    deadline: &'a Deadline,
}

impl Search<'_> {
    /// Finds all controls that matter on each gram.
    fn ask(&mut self, reached: &Reach) -> Result<(), LimitExceeded> {
        let grams = self.machine.gram_count();
        let mut under: Vec<BTreeSet<GramId>> = vec![BTreeSet::new(); grams];
        for caller in (0..grams).map(GramId::at) {
            for &frame in &reached.pushes[caller.index()] {
                let callee = self.machine.pushed(caller, frame);
                under[callee.index()].insert(caller);
            }
        }
        self.asked = vec![BTreeSet::new(); grams];
        let mut due: Vec<(ControlId, GramId)> = Vec::new();
        for gram in (0..grams).map(GramId::at) {
            for &state in &reached.states[gram.index()] {
                self.deadline.tick(DOING)?;
                for &class in &self.relevant[state.index()] {
                    due.push((self.again(state, class), gram));
                }
            }
        }
        while let Some((control, gram)) = due.pop() {
            self.deadline.tick(DOING)?;
            if self.asked[gram.index()].insert(control) {
                let popped = self.outcome(control, gram)?.popped;
                let below = under[gram.index()].iter();
                self.deadline.ticks(below.len() * popped.len(), DOING)?;
                due.extend(below.flat_map(|&below| popped.iter().map(move |&next| (next, below))));
            }
        }
        Ok(())
    }

    /// The control that takes a class in a state.
    fn again(&mut self, state: StateId, class: Class) -> ControlId {
        self.machine.control(Control::Again {
            state,
            node: BETWEEN,
            class,
        })
    }

    fn outcome(&mut self, control: ControlId, gram: GramId) -> Result<Outcome, LimitExceeded> {
        if let Some(known) = self.outcomes.get(&(control, gram)) {
            return Ok(known.clone());
        }
        let mut outcome = Outcome::default();
        let mut met = BTreeSet::from([control]);
        let mut due = vec![control];
        while let Some(next) = due.pop() {
            self.deadline.tick(DOING)?;
            for step in self.machine.steps(next, gram) {
                match step {
                    ControlStep::End => outcome.takes = true,
                    ControlStep::Stay(to)
                    | ControlStep::Call(_, _, to)
                    | ControlStep::Return(to)
                        if self.machine.has_taken(to) =>
                    {
                        outcome.takes = true;
                    }
                    ControlStep::Stay(to) | ControlStep::Call(_, _, to) => {
                        if met.insert(to) {
                            due.push(to);
                        }
                    }
                    ControlStep::Return(to) => outcome.popped.push(to),
                }
            }
        }
        outcome.popped.sort_unstable();
        outcome.popped.dedup();
        self.outcomes.insert((control, gram), outcome.clone());
        Ok(outcome)
    }

    /// All kinds of stacks. The need of a state on one is the number of the set of relevant classes
    /// that it takes there.
    fn kinds(
        &mut self,
        reached: &Reach,
        labels: &mut [Interner<Vec<Class>>],
        limits: &Limits,
    ) -> Result<Vec<StackKind>, LimitExceeded> {
        let too_many = LimitExceeded::new(
            "states",
            limits.states,
            "which terminals compete depends on too much of the stack",
        );
        let bottom = self.machine.bottom();
        let mut keys: Interner<(GramId, Vec<ControlId>)> = Interner::new();
        let live = self.live(bottom, &[])?;
        keys.intern((bottom, live));
        let mut kinds = Vec::new();
        while let Some((gram, live)) = keys.values.get(kinds.len()).cloned() {
            self.deadline.check(DOING)?;
            let mut kind = StackKind::default();
            for &state in &reached.states[gram.index()] {
                self.deadline.tick(DOING)?;
                let mut set = Vec::new();
                for &class in &self.relevant[state.index()] {
                    let control = self.again(state, class);
                    if live.binary_search(&control).is_ok() {
                        set.push(class);
                    }
                }
                let label = labels[state.index()].intern(set);
                let label = u8::try_from(label).map_err(|_| too_many.clone())?;
                kind.needs.insert(state, Some(label));
            }
            for &frame in &reached.pushes[gram.index()] {
                let pushed = self.machine.pushed(gram, frame);
                let key = (pushed, self.live(pushed, &live)?);
                let to = KindId::new(keys.intern(key));
                kind.pushes.insert(frame, Push { to, reserve: 0 });
            }
            if kinds.len() >= limits.states {
                return Err(too_many);
            }
            kinds.push(kind);
        }
        Ok(kinds)
    }

    /// The controls that take their symbols on a stack, given those on the stack below.
    fn live(&mut self, gram: GramId, below: &[ControlId]) -> Result<Vec<ControlId>, LimitExceeded> {
        let asked = self.asked.get(gram.index()).cloned().unwrap_or_default();
        let comes_to = |next: &ControlId| below.binary_search(next).is_ok();
        let mut live = Vec::new();
        for control in asked {
            let outcome = self.outcome(control, gram)?;
            self.deadline.ticks(1 + outcome.popped.len(), DOING)?;
            if outcome.takes || outcome.popped.iter().any(comes_to) {
                live.push(control);
            }
        }
        Ok(live)
    }
}
