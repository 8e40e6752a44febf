//! Classes that an item set does not tell apart.
//!
//! In: an item set. Out: the classes that some item may consume, each with the least one that comes to the same: its edge is
//! computed once for all of them. A class after which some item may return is left to itself, since the frames may tell
//! it from others.

use rustc_hash::FxHashMap as HashMap;
use std::collections::{BTreeMap, BTreeSet};

use super::bits::Bits;
use super::item::Item;
use super::positions::Positions;
use crate::automata::MachineId;
use crate::pda::Class;

/// What consumes a class: a step from a node to another, or a call of a machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Consumer {
    Step(u32, u32),
    Call(MachineId),
}

/// The classes of an item set, ascending, each with the least class that has the same edge.
pub fn classes(positions: &Positions, items: &[Item]) -> Vec<(Class, Class)> {
    let mut returning = Bits::default();
    let mut consumers: BTreeMap<Class, Vec<Consumer>> = BTreeMap::new();
    let mut nodes: Vec<u32> = items.iter().map(|item| item.node).collect();
    for &node in &nodes {
        let node = &positions.nodes[node as usize];
        if node.is_final {
            returning.union(&positions.follow[node.machine as usize]);
        }
    }
    let mut entered: BTreeSet<MachineId> = BTreeSet::new();
    while let Some(at) = nodes.pop() {
        let node = &positions.nodes[at as usize];
        for &(class, to) in &node.steps {
            let consumer = Consumer::Step(at, to);
            consumers.entry(class).or_default().push(consumer);
        }
        for &(machine, _) in node.calls.iter().filter(|call| entered.insert(call.0)) {
            let start = positions.starts[machine as usize];
            for class in positions.nodes[start as usize].first.iter() {
                let consumer = Consumer::Call(machine);
                consumers.entry(class as Class).or_default().push(consumer);
            }
            nodes.push(start);
        }
    }
    for class in returning.iter() {
        consumers.entry(class as Class).or_default();
    }
    let mut least: HashMap<Vec<Consumer>, Class> = HashMap::default();
    let consumers = consumers.into_iter();
    let alike = consumers.map(|(class, consumers)| {
        if returning.contains(class as usize) {
            (class, class)
        } else {
            (class, *least.entry(consumers).or_insert(class))
        }
    });
    alike.collect()
}
