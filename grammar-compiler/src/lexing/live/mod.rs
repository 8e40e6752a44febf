//! What can be finished, found terminal by terminal.
//!
//! In: the parser's automaton, with the terminals that compete in each state. Out: [`LiveParser`]:
//! the same automaton in which a state says which points of terminals can be finished in it, alone
//! or with the top frame of its stack. So the product enters nothing that cannot be finished. Where
//! a terminal ends whatever follows, the parser's edge says whether it can, and the state need not:
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
//! 5. `tops`: frames are told apart where the answer depends on more of the stack than they say. Or
//!    `states`: states are, of those stacks on which they are met.

mod bounds;
mod exits;
mod graph;
mod kinds;
mod points;
mod states;
mod tops;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use self::graph::{LiveGraph, Signal, SignalId};
use self::kinds::{Dead, Met};
use self::points::{DeadPoints, StartPoints};
use self::states::by_states;
use self::tops::by_tops;
use super::SymbolGrammar;
use super::exact::Parser;
use super::lexemes::{GhostId, Lexemes, PointId, StartId};
use super::obligations::NONE;
use crate::bits::Bits;
use crate::feasibility::control::ControlMachine;
use crate::feasibility::tokens::TokenTexts;
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::maps::{IdMap, own_keys};
use crate::pda::headroom::Need;
use crate::pda::marks::StackKind;
use crate::pda::{BOTTOM, FrameId, Pda, StateId};

/// The stage, as a passed limit names it.
const DOING: &str = "finding where terminals can end";

/// The automaton over symbols.
pub(super) struct LiveParser {
    pub(super) pda: Pda,
    /// For each state the states before that it stands for.
    pub(super) origins: Vec<Vec<StateId>>,
    /// For each state the terminals that compete.
    pub(super) starts: Vec<StartId>,
    /// The dead points of each state.
    dead: Vec<DeadHere>,
    /// The sets that are dead, by number.
    sets: Vec<DeadSet>,
}

/// [`DeadPoints`], to be asked.
struct DeadSet {
    within: Bits,
    between: Vec<GhostId>,
}

/// The number of the set that is dead in a state.
enum DeadHere {
    /// The state is never met.
    Unmet,
    /// The same on all stacks.
    One(u32),
    /// By the top frame, ascending.
    ByTop(Vec<(FrameId, u32)>),
}

impl DeadHere {
    fn new(by_top: BTreeMap<FrameId, u32>) -> Self {
        let mut sets = by_top.values();
        match sets.next() {
            None => DeadHere::Unmet,
            Some(&first) if sets.all(|&set| set == first) => DeadHere::One(first),
            Some(_) => DeadHere::ByTop(by_top.into_iter().collect()),
        }
    }
}

/// Where something can be finished in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Lives {
    /// On every stack on which it is asked for.
    Always,
    /// On none.
    Never,
    /// That depends on the top frame: all that there can be, ascending, and whether it lives there.
    ByTop(Rc<[(FrameId, bool)]>),
}

/// A question about a state. A point at which a terminal ends whatever follows is not asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Asked {
    /// A point.
    Point(PointId),
    /// The second point, of the stacks on which the first one, before it, can be finished.
    Behind(PointId, PointId),
    /// The first point of a terminal, of the stacks on which the state can be finished between two
    /// terminals after this.
    First(GhostId, PointId),
    /// The state between two terminals, after this.
    Between(GhostId),
}

own_keys!(Asked);

impl DeadSet {
    fn has_point(&self, point: PointId) -> bool {
        self.within.contains(point.index())
    }

    fn has_between(&self, left: GhostId) -> bool {
        self.between.binary_search(&left).is_ok()
    }

    fn has(&self, asked: Asked) -> bool {
        match asked {
            Asked::Point(point) | Asked::Behind(_, point) | Asked::First(_, point) => {
                self.has_point(point)
            }
            Asked::Between(left) => self.has_between(left),
        }
    }

    /// Whether it is not asked for on stacks on which this is dead.
    fn leaves_out(&self, asked: Asked) -> bool {
        match asked {
            Asked::Point(_) | Asked::Between(_) => false,
            Asked::Behind(before, _) => self.has_point(before),
            Asked::First(left, _) => self.has_between(left),
        }
    }
}

impl LiveParser {
    /// Where something can be finished in a state.
    pub(super) fn lives(&self, state: StateId, asked: Asked) -> Lives {
        let of = |set: u32| &self.sets[set as usize];
        let by_top = match &self.dead[state.index()] {
            DeadHere::One(set) if !of(*set).has(asked) => return Lives::Always,
            DeadHere::Unmet | DeadHere::One(_) => return Lives::Never,
            DeadHere::ByTop(by_top) => by_top,
        };
        let met = || by_top.iter().filter(|top| !of(top.1).leaves_out(asked));
        if met().all(|top| of(top.1).has(asked)) {
            return Lives::Never;
        }
        if !met().any(|top| of(top.1).has(asked)) {
            return Lives::Always;
        }
        let lives = |&(top, set): &(FrameId, u32)| {
            let set = of(set);
            (top, !set.leaves_out(asked) && !set.has(asked))
        };
        Lives::ByTop(by_top.iter().map(lives).collect())
    }

    /// Whether something can be finished in a state with this frame on top.
    pub(super) fn lives_on(&self, state: StateId, top: FrameId, asked: Asked) -> bool {
        let set = match &self.dead[state.index()] {
            DeadHere::Unmet => None,
            DeadHere::One(set) => Some(*set),
            DeadHere::ByTop(by_top) => {
                let at = by_top.binary_search_by_key(&top, |of| of.0);
                at.ok().map(|at| by_top[at].1)
            }
        };
        set.is_some_and(|set| !self.sets[set as usize].has(asked))
    }
}

/// States or frames are told apart where the answer depends on the stack.
#[derive(Clone, Copy, Debug)]
enum ToldApart {
    /// Frames. The grammar of a parser's runs has few kinds of stacks for each.
    Frames,
    /// States. Where several readings go on there are many kinds, and wide looks cost more than
    /// copies of states.
    States,
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
    let by = match grammar.split {
        Some(_) => ToldApart::Frames,
        None => ToldApart::States,
    };
    let live = split(parser, starts, found, by, limits, deadline)?;
    let asked = Asked::Between(lexemes.between(NONE));
    let lives = live.lives_on(live.pda.start, BOTTOM, asked);
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
    of_labels: SetsOfLabels,
    dead: Vec<DeadPoints>,
}

/// For each state, and each label that it has on some kind, the number of the set that is dead
/// there.
struct SetsOfLabels(Vec<Vec<u32>>);

impl SetsOfLabels {
    /// The set of a state with a label; one without is never met.
    fn get(&self, state: StateId, label: Need) -> Option<u32> {
        self.0[state.index()].get(usize::from(label?)).copied()
    }
}

/// The parser's automaton once a state says which points are dead, alone or with its top frame.
struct Apart {
    pda: Pda,
    /// For each state the states before that it stands for.
    origins: Vec<Vec<StateId>>,
    /// For each state the terminals that compete.
    starts: Vec<StartId>,
    dead: Vec<DeadHere>,
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
            deadline.ticks(1 + met.0.len(), DOING)?;
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
            let live: BTreeSet<Signal> = live.iter().map(|of| signals[of.index()]).collect();
            deadline.ticks(1 + points.len(), DOING)?;
            let number = dead.intern(points.dead(&live, may_end));
            known.insert(key, number);
            of_state.push(number);
        }
        of_labels.push(of_state);
    }
    Ok(Found {
        kinds,
        of_labels: SetsOfLabels(of_labels),
        dead: dead.values,
    })
}

/// The signals that can come in a state and are not dead, and whether the text can end.
fn live_of((signals, end): &Met, (dead, end_is_dead): &Dead) -> (Vec<SignalId>, bool) {
    let live = signals.iter().filter(|of| dead.binary_search(of).is_err());
    (live.copied().collect(), *end && !end_is_dead)
}

/// The automaton in which a state says which points are dead, alone or with its top frame.
fn split(
    parser: Parser,
    starts: Vec<StartId>,
    found: Found,
    by: ToldApart,
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
        within.extend(dead.within.iter().map(|point| point.index()));
        let between = dead.between;
        DeadSet { within, between }
    };
    let sets = dead.into_iter().map(set).collect();
    only_sets(&mut kinds, &of_labels, deadline)?;
    let apart = match by {
        ToldApart::Frames => by_tops(parser, starts, (&kinds, &of_labels), deadline)?,
        ToldApart::States => by_states(parser, starts, (kinds, &of_labels), limits, deadline)?,
    };
    Ok(LiveParser {
        pda: apart.pda,
        origins: apart.origins,
        starts: apart.starts,
        dead: apart.dead,
        sets,
    })
}

/// Labels with one set become one label, so that kinds which differ in nothing else are one mark.
fn only_sets(
    kinds: &mut [StackKind],
    of_labels: &SetsOfLabels,
    deadline: &Deadline,
) -> Result<(), LimitExceeded> {
    for (&state, label) in kinds.iter_mut().flat_map(|kind| &mut kind.needs) {
        let of_state = &of_labels.0[state.index()];
        deadline.ticks(1 + of_state.len(), DOING)?;
        let set = of_labels.get(state, *label);
        let first = of_state.iter().position(|&of| Some(of) == set);
        // There are fewer than 256 labels.
        *label = first.map(|first| first as u8);
    }
    Ok(())
}
