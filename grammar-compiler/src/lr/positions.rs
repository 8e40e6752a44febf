//! The positions of all machines in one numbering, with what can come next at each.
//!
//! In: a [`Network`]. Out: [`Positions`] over symbol classes; the root machine goes on with the end of
//! the text where it is final, so the end needs no special case later.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::BTreeSet;

use super::Bits;
use crate::automata::{MachineId, Network, ROOT};
use crate::limits::{Deadline, LimitExceeded};
use crate::pda::{Class, Classes};

/// A position: a state of a machine's automaton.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its machine.
    pub machine: MachineId,
    /// The machine may return here.
    pub is_final: bool,
    /// The machine can only return here.
    pub is_leaf: bool,
    /// Symbol edges, ascending by class.
    pub steps: Vec<(Class, u32)>,
    /// Calls, ascending by machine.
    pub calls: Vec<(MachineId, u32)>,
    /// Classes that can be consumed here without returning.
    pub first: Bits,
}

impl Node {
    /// The target for a class.
    pub fn step(&self, class: Class) -> Option<u32> {
        self.steps
            .binary_search_by_key(&class, |e| e.0)
            .ok()
            .map(|at| self.steps[at].1)
    }
}

/// All positions.
#[derive(Clone, Debug)]
pub struct Positions {
    /// Symbol classes.
    pub classes: Classes,
    /// The positions.
    pub nodes: Vec<Node>,
    /// The start of each machine.
    pub starts: Vec<u32>,
    /// For each machine a position where it can only return: what is left of an item whose return is put off.
    pub returning: Vec<u32>,
    /// For each machine the positions that a return of it, or a chain of returns, can resume; ascending.
    pub resumes: Vec<Vec<u32>>,
    /// For each machine the classes that can be consumed after it returns.
    pub follow: Vec<Bits>,
}

impl Positions {
    /// Numbers the positions of `network`.
    ///
    /// # Errors
    ///
    /// If the deadline passes.
    pub fn new(network: &Network, deadline: &Deadline) -> Result<Self, LimitExceeded> {
        let classes = classes(network);
        let firsts = first_bytes(&classes);
        let mut out = Positions {
            classes,
            nodes: vec![],
            starts: vec![],
            returning: vec![],
            resumes: vec![],
            follow: vec![],
        };
        for (m, machine) in network.machines.iter().enumerate() {
            let offset = out.nodes.len() as u32;
            out.starts.push(machine.body.start + offset);
            for state in &machine.body.states {
                let steps = class_steps(&firsts, &state.bytes, offset);
                let calls: Vec<_> = state
                    .calls
                    .iter()
                    .map(|&(m, to)| (m, to + offset))
                    .collect();
                let is_leaf = state.is_leaf();
                out.nodes.push(Node {
                    machine: m as MachineId,
                    is_final: state.is_final,
                    is_leaf,
                    steps,
                    calls,
                    first: Bits::default(),
                });
            }
        }
        out.end_the_text();
        out.add_returning(network.machines.len());
        out.compute_first(deadline)?;
        out.compute_resumes(network.machines.len(), deadline)?;
        Ok(out)
    }

    /// The greatest number of symbols that the shortest way from any position to the end of its machine takes.
    pub fn longest_completion(&self) -> u32 {
        self.worst_completion(|rest| rest.saturating_add(1), u32::saturating_add)
    }

    /// The greatest number of calls within calls that the flattest way from any position to the end of its machine takes.
    pub fn deepest_completion(&self) -> u32 {
        self.worst_completion(
            |rest| rest,
            |callee, rest| callee.saturating_add(1).max(rest),
        )
    }

    /// The greatest cost of the cheapest way from any position to the end of its machine: of a symbol before a
    /// rest, and of a call before a rest.
    fn worst_completion(&self, symbol: impl Fn(u32) -> u32, call: impl Fn(u32, u32) -> u32) -> u32 {
        let mut cost = vec![u32::MAX; self.nodes.len()];
        loop {
            let mut changed = false;
            for (at, node) in self.nodes.iter().enumerate().rev() {
                let known = |node: u32| Some(cost[node as usize]).filter(|&c| c != u32::MAX);
                let steps = (node.steps.iter()).filter_map(|e| Some(symbol(known(e.1)?)));
                let calls = node.calls.iter().filter_map(|&(machine, resume)| {
                    Some(call(known(self.starts[machine as usize])?, known(resume)?))
                });
                let is_end = node.is_final || (node.steps.is_empty() && node.calls.is_empty());
                let best = if is_end {
                    Some(0)
                } else {
                    steps.chain(calls).min()
                };
                if let Some(best) = best.filter(|&best| best < cost[at]) {
                    cost[at] = best;
                    changed = true;
                }
            }
            if !changed {
                return cost
                    .into_iter()
                    .filter(|&c| c != u32::MAX)
                    .max()
                    .unwrap_or(0);
            }
        }
    }

    fn empty_node(machine: MachineId, is_final: bool) -> Node {
        Node {
            machine,
            is_final,
            is_leaf: false,
            steps: vec![],
            calls: vec![],
            first: Bits::default(),
        }
    }

    /// `root' ::= root EOF`: finals of the root become steps by the end of the text.
    fn end_the_text(&mut self) {
        let end = self.nodes.len() as u32;
        let class = self.classes.end();
        for node in self
            .nodes
            .iter_mut()
            .filter(|n| n.machine == ROOT && n.is_final)
        {
            node.is_final = false;
            node.is_leaf = false;
            node.steps.push((class, end));
        }
        self.nodes.push(Self::empty_node(ROOT, false));
    }

    fn add_returning(&mut self, machines: usize) {
        for machine in 0..machines as MachineId {
            self.returning.push(self.nodes.len() as u32);
            self.nodes.push(Self::empty_node(machine, true));
        }
    }

    fn compute_first(&mut self, deadline: &Deadline) -> Result<(), LimitExceeded> {
        for node in &mut self.nodes {
            node.steps.iter().for_each(|e| {
                node.first.insert(e.0 as usize);
            });
        }
        loop {
            deadline.check("numbering positions")?;
            let mut changed = false;
            for at in 0..self.nodes.len() {
                for call in 0..self.nodes[at].calls.len() {
                    let start = self.starts[self.nodes[at].calls[call].0 as usize];
                    if start as usize == at {
                        continue;
                    }
                    let first = std::mem::take(&mut self.nodes[start as usize].first);
                    changed |= self.nodes[at].first.union(&first);
                    self.nodes[start as usize].first = first;
                }
            }
            if !changed {
                return Ok(());
            }
        }
    }

    fn compute_resumes(
        &mut self,
        machines: usize,
        deadline: &Deadline,
    ) -> Result<(), LimitExceeded> {
        let mut resumes = vec![BTreeSet::new(); machines];
        for node in &self.nodes {
            node.calls.iter().for_each(|&(callee, resume)| {
                resumes[callee as usize].insert(resume);
            });
        }
        loop {
            let mut changed = false;
            for machine in 0..machines {
                deadline.check("numbering positions")?;
                let outer: BTreeSet<MachineId> = (resumes[machine].iter())
                    .map(|&r| &self.nodes[r as usize])
                    .filter(|n| n.is_final)
                    .map(|n| n.machine)
                    .collect();
                for caller in outer {
                    let more: Vec<u32> = resumes[caller as usize]
                        .difference(&resumes[machine])
                        .copied()
                        .collect();
                    changed |= !more.is_empty();
                    resumes[machine].extend(more);
                }
            }
            if !changed {
                break;
            }
        }
        for set in &resumes {
            let mut follow = Bits::default();
            set.iter().for_each(|&r| {
                follow.union(&self.nodes[r as usize].first);
            });
            self.follow.push(follow);
        }
        self.resumes = resumes
            .into_iter()
            .map(|set| set.into_iter().collect())
            .collect();
        Ok(())
    }
}

/// The first byte of each class, ascending.
fn first_bytes(classes: &Classes) -> Vec<u8> {
    let mut firsts = Vec::new();
    for byte in 0..=255 {
        if usize::from(classes.of(byte)) == firsts.len() {
            firsts.push(byte);
        }
    }
    firsts
}

/// The edges of a state by class: since it treats the bytes of a class alike, the first of them tells.
fn class_steps(firsts: &[u8], bytes: &[(u8, u8, u32)], offset: u32) -> Vec<(Class, u32)> {
    let mut steps: Vec<(Class, u32)> = Vec::new();
    for &(low, high, to) in bytes {
        let classes = firsts.partition_point(|&byte| byte < low)
            ..firsts.partition_point(|&byte| byte <= high);
        steps.extend(classes.map(|class| (class as Class, to + offset)));
    }
    steps.sort_unstable();
    steps
}

/// Bytes that every position treats alike get one class; classes are numbered by their first byte.
fn classes(network: &Network) -> Classes {
    let mut of_byte = [0u8; 256];
    let mut count = 1usize;
    let mut seen: HashSet<Vec<(u8, u8, u32)>> = HashSet::default();
    let mut local = HashMap::default();
    for state in network.machines.iter().flat_map(|m| &m.body.states) {
        local.clear();
        let pattern: Vec<(u8, u8, u32)> = (state.bytes.iter())
            .map(|&(low, high, to)| {
                let next = local.len() as u32;
                (low, high, *local.entry(to).or_insert(next))
            })
            .collect();
        if count < 256 && !seen.contains(&pattern) {
            count = refine(&mut of_byte, &pattern);
            seen.insert(pattern);
        }
    }
    Classes {
        of_byte,
        count: count as Class + 1,
    }
}

/// Splits the classes by where `pattern` leads; returns their new number.
fn refine(of_byte: &mut [u8; 256], pattern: &[(u8, u8, u32)]) -> usize {
    let mut target = [u32::MAX; 256];
    for &(low, high, to) in pattern {
        target[low as usize..=high as usize].fill(to);
    }
    let mut ids = HashMap::default();
    for byte in 0..256 {
        let next = ids.len();
        of_byte[byte] = *ids.entry((of_byte[byte], target[byte])).or_insert(next) as u8;
    }
    ids.len()
}
