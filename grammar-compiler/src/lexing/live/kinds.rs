//! Kinds of stacks, by what can be finished on them.
//!
//! In: a [`LiveGraph`], fates and exits. Out: all kinds, that of the empty stack first. Stacks are
//! of one kind if they have the same top frames, and the same nodes can be finished on them of
//! those whose fate depends on the stack. That follows from the top frames and the kind of the
//! stack below, so kinds are found from the empty stack upwards.

use std::collections::{BTreeMap, BTreeSet};

use super::DOING;
use super::bounds::Fate;
use super::exits::Exits;
use super::graph::{LiveGraph, NodeId, SignalId};
use crate::feasibility::control::GramId;
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::pda::StateId;
use crate::pda::marks::{KindId, Push, StackKind};

/// What cannot be finished in a state: signals, and whether the end of the text is among it.
pub(super) type Dead = (Vec<SignalId>, bool);

/// What can come in each state at all: signals, and the end of the text.
pub(super) type Met = (BTreeSet<SignalId>, bool);

/// The top frames, and the nodes that can be finished of those whose fate depends on the stack.
type KindKey = (GramId, Vec<NodeId>);

/// All kinds, and what can come in each state. The label of a state on a kind is a place in `dead`:
/// that of the signals that are dead there.
pub(super) fn kinds(
    graph: &mut LiveGraph<'_, '_>,
    fates: &[Fate],
    exits: &Exits,
    dead: &mut [Interner<Dead>],
    limits: &Limits,
    deadline: &Deadline,
) -> Result<(Vec<StackKind>, Vec<Met>), LimitExceeded> {
    let too_many = LimitExceeded::new(
        "states",
        limits.states,
        "where terminals can end depends on too much of the stack",
    );
    let on_grams = OnGrams::new(graph, fates, deadline)?;
    let bottom = graph.machine.bottom();
    let mut keys: Interner<KindKey> = Interner::new();
    keys.intern((bottom, on_grams.live(graph, fates, exits, bottom, None)));
    let mut kinds = Vec::new();
    while let Some((gram, live)) = keys.values.get(kinds.len()).cloned() {
        let mut kind = StackKind::default();
        for (&state, taken) in &on_grams.states[gram.index()] {
            deadline.ticks(1 + taken.signals.len(), DOING)?;
            let is_dead = |node: &NodeId| match fates[node.index()] {
                Fate::Always => false,
                Fate::Never => true,
                Fate::Depends => live.binary_search(node).is_err(),
            };
            let signals = taken.signals.iter().filter(|of| is_dead(of.1));
            let signals = signals.map(|of| *of.0).collect();
            let of_state = (signals, taken.end.as_ref().is_some_and(is_dead));
            let label = dead[state.index()].intern(of_state);
            let label = u8::try_from(label).map_err(|_| too_many.clone())?;
            kind.needs.insert(state, Some(label));
        }
        for frame in graph.pushes[gram.index()].clone() {
            let pushed = graph.machine.pushed(gram, frame);
            let below = Some((gram, live.as_slice()));
            deadline.ticks(1 + on_grams.depends[pushed.index()].len(), DOING)?;
            let key = (pushed, on_grams.live(graph, fates, exits, pushed, below));
            let to = KindId::new(keys.intern(key));
            kind.pushes.insert(frame, Push { to, reserve: 0 });
        }
        if kinds.len() >= limits.states {
            return Err(too_many);
        }
        kinds.push(kind);
    }
    let mut met: Vec<Met> = vec![Met::default(); dead.len()];
    for (state, taken) in on_grams.states.iter().flatten() {
        deadline.ticks(1 + taken.signals.len(), DOING)?;
        let (signals, end) = &mut met[state.index()];
        signals.extend(taken.signals.keys());
        *end |= taken.end.is_some();
    }
    Ok((kinds, met))
}

/// The nodes at which a state takes each signal that can come there, and the end of the text.
#[derive(Default)]
struct Taken {
    signals: BTreeMap<SignalId, NodeId>,
    end: Option<NodeId>,
}

/// What is met on each gram.
struct OnGrams {
    states: Vec<BTreeMap<StateId, Taken>>,
    /// The nodes whose fate depends on the stack, ascending.
    depends: Vec<BTreeSet<NodeId>>,
}

impl OnGrams {
    fn new(
        graph: &mut LiveGraph<'_, '_>,
        fates: &[Fate],
        deadline: &Deadline,
    ) -> Result<Self, LimitExceeded> {
        let grams = graph.machine.gram_count();
        let mut states: Vec<BTreeMap<StateId, Taken>> = Vec::new();
        states.resize_with(grams, BTreeMap::new);
        let mut depends = vec![BTreeSet::new(); grams];
        for (place, &fate) in fates.iter().enumerate() {
            let node = NodeId::at(place);
            let gram = graph.nodes.values[place].1;
            if fate == Fate::Depends {
                depends[gram.index()].insert(node);
            }
            let Some((state, outlook)) = graph.at(node) else {
                continue;
            };
            let (signals, may_end) = graph.of_outlook(outlook).clone();
            deadline.ticks(1 + signals.len(), DOING)?;
            for signal in signals {
                let going = graph.after(state, signal)?;
                if let Some(node) = graph.known(going, gram) {
                    let taken = states[gram.index()].entry(state).or_default();
                    taken.signals.insert(signal, node);
                }
            }
            let taken = states[gram.index()].entry(state).or_default();
            if may_end {
                let going = graph.ending(state);
                taken.end = graph.known(going, gram);
            }
        }
        Ok(OnGrams { states, depends })
    }

    /// The nodes of a gram that can be finished, given those on the stack below.
    fn live(
        &self,
        graph: &LiveGraph<'_, '_>,
        fates: &[Fate],
        exits: &Exits,
        gram: GramId,
        below: Option<(GramId, &[NodeId])>,
    ) -> Vec<NodeId> {
        let goes_on = |going, (gram, live): (GramId, &[NodeId])| {
            let node = graph.known(going, gram);
            node.is_some_and(|node| match fates[node.index()] {
                Fate::Always => true,
                Fate::Never => false,
                Fate::Depends => live.binary_search(&node).is_ok(),
            })
        };
        let can = |node: &&NodeId| {
            let mut exits = exits.of(**node);
            exits.any(|exit| match (exit, below) {
                (None, _) => true,
                (Some(going), Some(below)) => goes_on(going, below),
                (Some(_), None) => false,
            })
        };
        let depends = self.depends[gram.index()].iter();
        depends.filter(can).copied().collect()
    }
}
