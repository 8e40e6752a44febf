//! What can be finished, found terminal by terminal.
//!
//! In: the parser's automaton, with the terminals that compete in each state. Out: [`LiveParser`]:
//! the same automaton in which a state alone says which points of terminals can be finished in it,
//! whatever lies on the stack. So the product enters nothing that cannot be finished. Where a
//! terminal ends whatever follows, the parser's edge says whether it can, and the state need not:
//! otherwise each state would know which bracket closes what it is in.
//!
//! Behind a terminal all that counts is its symbol and its ghost: two texts that end with the same
//! of both, in the same state on the same stack, have the same continuations. So it is decided for
//! a pushdown system whose letters are these pairs, which are few, and not for bytes:
//!
//! 1. `graph`: the controls of that system, on the top frames on which they can be met.
//! 2. `bounds`: what can be finished on all stacks, and what on none.
//! 3. `exits`, `kinds`: the rest, stack by stack.
//! 4. `points`: which points can be finished within a terminal.
//! 5. [`marks`](crate::pda::marks): states are split where the answer depends on the stack, of those
//!    stacks on which they are met.

mod bounds;
mod exits;
mod graph;
mod kinds;
mod points;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use self::graph::{LiveGraph, Signal, SignalId};
use self::kinds::{Dead, Met};
use self::points::{DeadPoints, StartPoints};
use super::SymbolGrammar;
use super::exact::Parser;
use super::lexemes::{GhostId, Lexemes, PointId, StartId};
use super::obligations::{NONE, Obligations};
use crate::bits::Bits;
use crate::feasibility::control::ControlMachine;
use crate::feasibility::tokens::TokenTexts;
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::maps::IdMap;
use crate::pda::marks::{StackKind, mark_by, states_met};
use crate::pda::{Pda, StateId, through};

/// The stage, as a passed limit names it.
const DOING: &str = "finding where terminals can end";

/// The automaton over symbols.
pub(super) struct LiveParser {
    pub(super) pda: Pda,
    /// For each state the states before that it stands for.
    pub(super) origins: Vec<Vec<StateId>>,
    /// For each state the terminals that compete.
    pub(super) starts: Vec<StartId>,
    /// For each state the number of the set that is dead in it.
    dead: Vec<u32>,
    /// What cannot be finished; `None` for a state that is never met.
    sets: Vec<Option<DeadSet>>,
}

/// [`DeadPoints`], to be asked.
struct DeadSet {
    within: Bits,
    between: Vec<GhostId>,
}

impl LiveParser {
    fn dead(&self, state: StateId) -> Option<&DeadSet> {
        self.sets[self.dead[state.place()] as usize].as_ref()
    }

    /// Whether a point can be finished in a state, on every stack on which it is met. A point at
    /// which a terminal ends whatever follows is not asked for.
    pub(super) fn lives(&self, state: StateId, point: PointId) -> bool {
        let dead = self.dead(state);
        dead.is_some_and(|dead| !dead.within.contains(point.place()))
    }

    /// Whether a state can be finished between two terminals.
    pub(super) fn lives_between(
        &self,
        state: StateId,
        obligations: Obligations,
        lexemes: &mut Lexemes<'_>,
    ) -> bool {
        let ghost = lexemes.between(obligations);
        let dead = self.dead(state);
        dead.is_some_and(|dead| dead.between.binary_search(&ghost).is_err())
    }
}

/// What can be finished; `None` if no text can.
pub(super) fn live(
    parser: Parser,
    grammar: &SymbolGrammar,
    lexemes: &mut Lexemes<'_>,
    limits: &Limits,
    deadline: &Deadline,
) -> Result<Option<LiveParser>, LimitExceeded> {
    let starts = starts(&parser, grammar, lexemes, deadline)?;
    let found = found(&parser, &starts, lexemes, limits, deadline)?;
    let live = split(parser, starts, found, limits, deadline)?;
    let start = live.pda.start;
    let lives = live.lives_between(start, NONE, lexemes);
    Ok(lives.then_some(live))
}

/// For each state the terminals that compete in it.
fn starts(
    parser: &Parser,
    grammar: &SymbolGrammar,
    lexemes: &mut Lexemes<'_>,
    deadline: &Deadline,
) -> Result<Vec<StartId>, LimitExceeded> {
    let mut known: IdMap<Vec<usize>, StartId> = IdMap::default();
    let terminals = grammar.lexer.terminals.len() + grammar.raw.len();
    let mut starts = Vec::new();
    for taken in &parser.competing {
        let taken_symbols: Vec<usize> = taken.iter().collect();
        deadline.ticks(1 + taken_symbols.len(), DOING)?;
        let start = match known.get(&taken_symbols) {
            Some(start) => *start,
            None => {
                deadline.ticks(terminals * grammar.symbols.len(), DOING)?;
                let start = lexemes.start(competing(&parser.pda, grammar, taken));
                known.insert(taken_symbols, start);
                start
            }
        };
        starts.push(start);
    }
    Ok(starts)
}

/// The terminals that compete where the parser may take these classes of symbols.
fn competing(pda: &Pda, grammar: &SymbolGrammar, taken: &Bits) -> Vec<u16> {
    let of_lexer = grammar.lexer.terminals.len();
    let all = 0..(of_lexer + grammar.raw.len()) as u16;
    let class = |symbol: usize| pda.classes.of(symbol as u8);
    let is_taken = |terminal: &u16| {
        if grammar.lexer.all_compete && usize::from(*terminal) < of_lexer {
            return true;
        }
        let symbols = grammar.symbols.iter().enumerate();
        let mut of = symbols.filter(|(_, set)| set.binary_search(terminal).is_ok());
        // A terminal whose symbols are all taken for the sake of others adds nothing to them.
        let mut any = false;
        of.all(|(symbol, _)| {
            any = true;
            taken.contains(class(symbol).into())
        }) && any
    };
    all.filter(|terminal| grammar.is_ignored(*terminal) || is_taken(terminal))
        .collect()
}

/// What was found.
struct Found {
    kinds: Vec<StackKind>,
    /// For each state, and each label of its kinds, the number of the set that is dead there.
    of_labels: Vec<Vec<u32>>,
    dead: Vec<DeadPoints>,
}

fn found(
    parser: &Parser,
    starts: &[StartId],
    lexemes: &mut Lexemes<'_>,
    limits: &Limits,
    deadline: &Deadline,
) -> Result<Found, LimitExceeded> {
    let pda = &parser.pda;
    let texts = TokenTexts::of_all_bytes(pda);
    let machine = ControlMachine::of_frames(pda, &texts);
    let mut graph = LiveGraph::new(pda, machine, starts, lexemes, deadline)?;
    let fates = bounds::fates(&graph, deadline)?;
    let exits = exits::exits(&graph, &fates, deadline)?;
    let mut labels: Vec<Interner<Dead>> = vec![Interner::new(); pda.states.len()];
    let (kinds, met) = kinds::kinds(&mut graph, &fates, &exits, &mut labels, limits, deadline)?;
    let ghosts = graph.ghosts();
    let signals = graph.signals.values.clone();
    drop(graph);
    let mut within: BTreeMap<StartId, StartPoints> = BTreeMap::new();
    let mut dead: Interner<DeadPoints> = Interner::new();
    let mut known: IdMap<(StartId, Vec<SignalId>, bool), u32> = IdMap::default();
    let mut of_labels = Vec::with_capacity(labels.len());
    let none = BTreeSet::new();
    for ((labels, &start), met) in labels.iter().zip(starts).zip(&met) {
        let mut of_state = Vec::new();
        for dead_here in &labels.values {
            // What never comes in a state is as good as dead there.
            let (live, may_end) = live_of(met, dead_here);
            let key = (start, live.clone(), may_end);
            if let Some(&known) = known.get(&key) {
                of_state.push(known);
                continue;
            }
            if let Entry::Vacant(free) = within.entry(start) {
                let ghosts = ghosts.get(&start).unwrap_or(&none);
                free.insert(StartPoints::new(start, ghosts, lexemes, deadline)?);
            }
            let points = &within[&start];
            let live: BTreeSet<Signal> = live.iter().map(|of| signals[of.place()]).collect();
            deadline.ticks(1 + points.len(), DOING)?;
            let number = dead.intern(points.dead(&live, may_end));
            known.insert(key, number);
            of_state.push(number);
        }
        of_labels.push(of_state);
    }
    Ok(Found {
        kinds,
        of_labels,
        dead: dead.values,
    })
}

/// The signals that can come in a state and are not dead, and whether the text can end.
fn live_of((signals, end): &Met, (dead, end_is_dead): &Dead) -> (Vec<SignalId>, bool) {
    let live = signals.iter().filter(|of| dead.binary_search(of).is_err());
    (live.copied().collect(), *end && !end_is_dead)
}

/// The automaton in which a state alone says which points are dead in it.
fn split(
    parser: Parser,
    starts: Vec<StartId>,
    found: Found,
    limits: &Limits,
    deadline: &Deadline,
) -> Result<LiveParser, LimitExceeded> {
    let Found {
        mut kinds,
        of_labels,
        dead,
    } = found;
    let set = |dead: DeadPoints| {
        let mut within = Bits::default();
        within.extend(dead.within.iter().map(|point| point.place()));
        let between = dead.between;
        Some(DeadSet { within, between })
    };
    let mut sets: Vec<Option<DeadSet>> = dead.into_iter().map(set).collect();
    let never_met = sets.len() as u32;
    sets.push(None);
    let mut of_states = only_sets(&mut kinds, &of_labels, deadline)?;
    if of_states.iter().any(|of| of.is_several()) {
        let met = match states_met(&parser.pda, &kinds, limits.states, deadline) {
            Ok(met) => met,
            // Too many to be told apart: a state is taken to be met wherever its top frame is.
            Err(limit) if limit.limit == "states" => Vec::new(),
            Err(limit) => return Err(limit),
        };
        for (kind, met) in kinds.iter_mut().zip(&met) {
            kind.needs.retain(|state, _| met.contains(state.place()));
        }
        of_states = only_sets(&mut kinds, &of_labels, deadline)?;
    }
    if !of_states.iter().any(|of| of.is_several()) {
        return Ok(LiveParser {
            dead: of_states.iter().map(|of| of.one(never_met)).collect(),
            pda: parser.pda,
            origins: parser.origins,
            starts,
            sets,
        });
    }
    let mut labels: Interner<(StartId, u32)> = Interner::new();
    let marked = mark_by(
        &parser.pda,
        &kinds,
        limits.states,
        deadline,
        |state, label| {
            let of_labels = &of_labels[state.place()];
            let dead = label.and_then(|label| of_labels.get(usize::from(label)));
            let dead = dead.copied().unwrap_or(never_met);
            labels.intern((starts[state.place()], dead))
        },
    )?;
    let of_states = marked.labels.iter().map(|&of| labels.values[of as usize]);
    Ok(LiveParser {
        starts: of_states.clone().map(|of| of.0).collect(),
        dead: of_states.map(|of| of.1).collect(),
        origins: through(&marked.origins, &parser.origins),
        pda: marked.pda,
        sets,
    })
}

/// The sets that are dead in a state, on some kinds of stacks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SetsHere {
    None,
    One(u32),
    Several,
}

impl SetsHere {
    fn is_several(self) -> bool {
        self == SetsHere::Several
    }

    fn one(self, otherwise: u32) -> u32 {
        match self {
            SetsHere::One(set) => set,
            _ => otherwise,
        }
    }

    fn add(&mut self, set: u32) {
        *self = match *self {
            SetsHere::None => SetsHere::One(set),
            SetsHere::One(known) if known == set => SetsHere::One(set),
            _ => SetsHere::Several,
        };
    }
}

/// The sets of each state. Labels with one set become one label, so that kinds which differ in
/// nothing else are one mark.
fn only_sets(
    kinds: &mut [StackKind],
    of_labels: &[Vec<u32>],
    deadline: &Deadline,
) -> Result<Vec<SetsHere>, LimitExceeded> {
    let mut sets = vec![SetsHere::None; of_labels.len()];
    for (state, label) in kinds.iter_mut().flat_map(|kind| &mut kind.needs) {
        let of_labels = &of_labels[state.place()];
        deadline.ticks(1 + of_labels.len(), DOING)?;
        let set = label.and_then(|label| of_labels.get(usize::from(label)).copied());
        let Some(set) = set else {
            continue;
        };
        // There are fewer than 256 labels.
        let first = of_labels.iter().position(|of| *of == set);
        *label = first.map(|first| first as u8);
        sets[state.place()].add(set);
    }
    Ok(sets)
}
