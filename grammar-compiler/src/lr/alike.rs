//! Classes that an item set does not tell apart.
//!
//! In: an item set. Out: the classes that some item may consume, each with the least one that comes to the same: its edge is
//! computed once for all of them. A class after which some item may return is left to itself, since the frames may tell
//! it from others.

use rustc_hash::FxHashMap as HashMap;

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
    for item in items {
        let node = &positions.nodes[item.node as usize];
        if node.is_final {
            returning.union(&positions.follow[node.machine as usize]);
        }
    }
    // A class after which an item may return is alike to none, whatever consumes it.
    let mut consumers = consumers(positions, items);
    consumers.retain(|of| !returning.contains(of.0 as usize));
    consumers.sort_by_key(|of| of.0);
    let whats: Vec<Consumer> = consumers.iter().map(|of| of.1).collect();
    let mut least: HashMap<&[Consumer], Class> = HashMap::default();
    let mut alike: Vec<(Class, Class)> = Vec::new();
    let mut at = 0;
    for of_class in consumers.chunk_by(|a, b| a.0 == b.0) {
        let class = of_class[0].0;
        let what = &whats[at..at + of_class.len()];
        at += of_class.len();
        alike.push((class, *least.entry(what).or_insert(class)));
    }
    let returning = returning
        .iter()
        .map(|class| (class as Class, class as Class));
    alike.extend(returning);
    alike.sort_unstable();
    alike
}

/// Each class with what consumes it: by the items, and by the machines that they call, and those call at their starts.
fn consumers(positions: &Positions, items: &[Item]) -> Vec<(Class, Consumer)> {
    let mut nodes: Vec<u32> = items.iter().map(|item| item.node).collect();
    let mut entered = Bits::default();
    let mut consumers: Vec<(Class, Consumer)> = Vec::new();
    while let Some(at) = nodes.pop() {
        let node = &positions.nodes[at as usize];
        let steps = node.steps.iter();
        consumers.extend(steps.map(|&(class, to)| (class, Consumer::Step(at, to))));
        for &(machine, _) in &node.calls {
            if entered.insert(machine as usize) {
                let start = positions.starts[machine as usize];
                let first = positions.nodes[start as usize].first.iter();
                consumers.extend(first.map(|class| (class as Class, Consumer::Call(machine))));
                nodes.push(start);
            }
        }
    }
    consumers
}
