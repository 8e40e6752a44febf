//! Runs machines as they are written: slow, for comparing the levels.

use crate::maps::IdMap;
use std::collections::BTreeSet;

use super::ways::Way;
use super::{MachineId, Network, ROOT};

/// Whether `text` is a sentence of `network`.
///
/// A chart as in Earley's algorithm: for each position of the text the items (machine state,
/// origin); a machine that ends resumes every item that called it at its origin.
pub fn accepts(network: &Network, text: &[u8]) -> bool {
    let mut chart = vec![MachineColumn::default(); text.len() + 1];
    chart[0].add((ROOT, network.machines[ROOT.index()].body.start, 0));
    for at in 0..=text.len() {
        let mut next = 0;
        while let Some(&item) = chart[at].order.get(next) {
            next += 1;
            let (machine, state, origin) = item;
            let node = network.machines[machine.index()].body.state(state);
            if let Some(to) = text.get(at).and_then(|&byte| node.step(byte)) {
                chart[at + 1].add((machine, to, origin));
            }
            for &(callee, resume) in node.calls {
                let way = network.ways.of(callee).unwrap_or_else(|| Way {
                    block: callee,
                    start: network.machines[callee.index()].body.start,
                    end: callee,
                });
                let callers = chart[at].callers.entry(way.end).or_default();
                callers.push((machine, resume, origin));
                chart[at].add((way.block, way.start, at));
            }
            // Called machines match at least one byte, so the callers' column is complete.
            let end = match node.is_final {
                true => Some(machine),
                false => network.ways.end(machine, state),
            };
            if let Some(end) = end.filter(|_| origin < at) {
                let callers = chart[origin].callers.get(&end).cloned().unwrap_or_default();
                callers.into_iter().for_each(|caller| chart[at].add(caller));
            }
        }
    }
    let is_end = |&(machine, state, origin): &MachineItem| {
        machine == ROOT && origin == 0 && network.machines[ROOT.index()].body.state(state).is_final
    };
    chart[text.len()].order.iter().any(is_end)
}

/// A machine's state and where the machine was entered.
type MachineItem = (MachineId, u32, usize);

#[derive(Clone, Default)]
struct MachineColumn {
    seen: BTreeSet<MachineItem>,
    order: Vec<MachineItem>,
    callers: IdMap<MachineId, Vec<MachineItem>>,
}

impl MachineColumn {
    fn add(&mut self, item: MachineItem) {
        if self.seen.insert(item) {
            self.order.push(item);
        }
    }
}
