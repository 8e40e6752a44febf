//! The positions of all machines in one numbering, each with what can come next.
//!
//! In: a [`Network`]. Out: [`Positions`] over symbol classes; the root machine goes on with the end
//! of the text where it is final, so the end needs no special case later.
//!
//! Some bytes may stand for *guards*: a step by a guard takes no symbol, and is free unless the
//! next symbol is one that the guard forbids.

use super::byte_classes::{classes, first_bytes};
use super::distinct::Distinct;
use super::item::Sharing;
use crate::automata::{MachineId, Network, ROOT};
use crate::bits::Bits;
use crate::csr::Csr;
use crate::limits::{Deadline, LimitExceeded};
use crate::maps::IdMap;
use crate::pda::{Class, Classes};

/// Unions of sets between two looks at the clock.
const BETWEEN_CHECKS: usize = 1024;

/// Consecutive classes that lead to one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionStep {
    /// The first class.
    pub first: Class,
    /// The last class.
    pub last: Class,
    /// Where they lead.
    pub to: u32,
}

/// A step that takes no symbol.
#[derive(Clone, Copy, Debug)]
struct GuardStep {
    from: u32,
    guard: usize,
    to: u32,
}

/// What may follow guards.
#[derive(Clone, Copy, Debug)]
pub struct Guards<'a> {
    /// The byte of the first guard; the others follow it.
    pub first: usize,
    /// For each guard the bytes that must not follow; the end of the text is [`Guards::END`].
    pub forbid: &'a [Vec<u16>],
}

impl Guards<'_> {
    /// The end of the text among what a guard forbids.
    pub const END: u16 = 256;
    /// No guards at all.
    pub const NONE: Guards<'static> = Guards {
        first: 256,
        forbid: &[],
    };
}

/// A position: a state of a machine's automaton.
#[derive(Clone, Debug)]
pub struct MachinePosition {
    /// Its machine.
    pub machine: MachineId,
    /// The machine may return here.
    pub is_final: bool,
    /// The machine can only return here.
    pub is_leaf: bool,
    /// Classes that can be consumed here without returning.
    pub first: Bits,
    /// The machine may return here, perhaps behind guards.
    pub may_return: bool,
    /// Where its symbol edges and calls end; they begin where those of the node before end.
    ends: (u32, u32),
}

/// All positions.
#[derive(Clone, Debug)]
pub struct Positions {
    /// Symbol classes.
    pub classes: Classes,
    /// The positions.
    pub nodes: Vec<MachinePosition>,
    /// The symbol edges of all positions, and their calls.
    steps: Vec<PositionStep>,
    calls: Vec<(MachineId, u32)>,
    /// The steps by guards, ascending by position, and the classes that each guard forbids.
    guard_steps: Vec<GuardStep>,
    forbidden: Vec<Bits>,
    /// The start of each machine.
    pub starts: Vec<u32>,
    /// For each machine the first one with the same start.
    pub entered_as: Vec<MachineId>,
    /// For each machine the one that returns from a call of it: for a way through a block, one of
    /// the block's ends.
    pub returned_as: Vec<MachineId>,
    /// For each machine the one that is entered with it: for the end of a block, the block.
    pub parts_of: Vec<MachineId>,
    /// For each machine a position where it can only return: what is left of an item whose return
    /// is deferred.
    pub returning: Vec<u32>,
    /// For each machine the positions that a return of it can resume, ascending.
    resumes: Csr,
    /// For each machine the machines that may return right after it has returned to them,
    /// ascending.
    returns_with: Csr<MachineId>,
    /// For each machine the classes that can be consumed after it returns.
    pub follow: Vec<Bits>,
    /// The rules of the machines, for messages.
    pub names: Vec<String>,
    /// Which items share a stack.
    pub sharing: Sharing,
}

impl Positions {
    /// Numbers the positions of `network`, which has no guards.
    ///
    /// # Errors
    ///
    /// If the deadline passes.
    pub fn new(network: &Network, deadline: &Deadline) -> Result<Self, LimitExceeded> {
        Positions::guarded(network, Guards::NONE, deadline)
    }

    /// Numbers the positions of a network with guards.
    ///
    /// # Errors
    ///
    /// If the deadline passes.
    pub fn guarded(
        network: &Network,
        guards: Guards<'_>,
        deadline: &Deadline,
    ) -> Result<Self, LimitExceeded> {
        let classes = classes(network, guards.forbid);
        let firsts = first_bytes(&classes);
        let forbidden = guards.forbid.iter().map(|bytes| {
            let mut forbidden = Bits::default();
            forbidden.extend(bytes.iter().map(|&byte| match u8::try_from(byte) {
                Ok(byte) => usize::from(classes.of(byte)),
                Err(_) => usize::from(classes.end()),
            }));
            forbidden
        });
        let forbidden = forbidden.collect();
        let mut out = Positions {
            classes,
            guard_steps: vec![],
            forbidden,
            nodes: vec![],
            steps: vec![],
            calls: vec![],
            starts: vec![],
            entered_as: vec![],
            returned_as: vec![],
            parts_of: vec![],
            returning: vec![],
            resumes: Csr::default(),
            returns_with: Csr::default(),
            follow: vec![],
            names: network.machines.iter().map(|m| m.name.clone()).collect(),
            sharing: Sharing::default(),
        };
        let positions: usize = network.machines.iter().map(|m| m.body.len()).sum();
        for (m, machine) in (0..).map(MachineId::new).zip(&network.machines) {
            let offset = out.nodes.len() as u32;
            out.starts.push(machine.body.start + offset);
            for state in machine.body.states() {
                out.add_steps(&firsts, state.bytes, offset, guards.first);
                let calls = state.calls.iter();
                out.calls.extend(calls.map(|&(m, to)| (m, to + offset)));
                // `root' ::= root EOF`: where the root may end it steps by the end of the text.
                if m == ROOT && state.is_final {
                    let end = out.classes.end();
                    out.steps.push(PositionStep {
                        first: end,
                        last: end,
                        to: positions as u32,
                    });
                }
                out.push(m, m != ROOT && state.is_final, m != ROOT && state.is_leaf());
            }
        }
        out.push(ROOT, false, false);
        out.add_ways(network);
        for machine in (0..network.machines.len()).map(MachineId::at) {
            out.returning.push(out.nodes.len() as u32);
            out.push(machine, true, false);
        }
        out.compute_returns();
        out.compute_first(deadline)?;
        out.compute_follow(network.machines.len(), deadline)?;
        Ok(out)
    }

    /// Lets calls of ways enter their blocks, and return at their ends.
    fn add_ways(&mut self, network: &Network) {
        let all = || (0..network.machines.len()).map(MachineId::at);
        self.returned_as = all().collect();
        self.parts_of = all().collect();
        let first: Vec<u32> = (self.starts.iter().zip(&network.machines))
            .map(|(start, machine)| start - machine.body.start)
            .collect();
        for &(block, state, end) in network.ways.ends() {
            let node = &mut self.nodes[(first[block.index()] + state) as usize];
            node.machine = end;
            node.is_final = true;
            node.may_return = true;
            let body = network.machines[block.index()].body.state(state);
            node.is_leaf = body.bytes.is_empty() && body.calls.is_empty();
            self.parts_of[end.index()] = block;
        }
        for &(machine, way) in network.ways.all() {
            self.starts[machine.index()] = first[way.block.index()] + way.start;
            self.returned_as[machine.index()] = way.end;
        }
        let mut by_start: IdMap<u32, MachineId> = IdMap::default();
        let entered = all().zip(&self.starts);
        self.entered_as = entered
            .map(|(machine, &start)| match network.ways.of(machine) {
                Some(_) => *by_start.entry(start).or_insert(machine),
                None => machine,
            })
            .collect();
    }

    /// Symbol edges of a position, ascending by class.
    pub fn steps(&self, node: u32) -> &[PositionStep] {
        let from = node
            .checked_sub(1)
            .map_or(0, |n| self.nodes[n as usize].ends.0);
        &self.steps[from as usize..self.nodes[node as usize].ends.0 as usize]
    }

    /// Calls of a position, ascending by machine.
    pub fn calls(&self, node: u32) -> &[(MachineId, u32)] {
        let from = node
            .checked_sub(1)
            .map_or(0, |n| self.nodes[n as usize].ends.1);
        &self.calls[from as usize..self.nodes[node as usize].ends.1 as usize]
    }

    /// The target of a position for a class.
    pub fn step(&self, node: u32, class: Class) -> Option<u32> {
        let steps = self.steps(node);
        let at = steps.partition_point(|step| step.last < class);
        let step = steps.get(at).filter(|step| step.first <= class);
        step.map(|step| step.to)
    }

    /// Where guards let a position go if `class` follows.
    pub fn through_guards(&self, node: u32, class: Class) -> impl Iterator<Item = u32> + '_ {
        let lets =
            move |step: &&GuardStep| !self.forbidden[step.guard].contains(usize::from(class));
        self.guard_steps_of(node)
            .iter()
            .filter(lets)
            .map(|step| step.to)
    }

    /// Whether a position has guards.
    pub fn has_guards(&self, node: u32) -> bool {
        !self.guard_steps_of(node).is_empty()
    }

    /// Whether each machine that is called takes a symbol, whatever its guards let through.
    pub fn calls_take_symbols(&self) -> bool {
        let mut starts = self.starts.iter().skip(1);
        starts.all(|&start| !self.nodes[start as usize].may_return)
    }

    fn guard_steps_of(&self, node: u32) -> &[GuardStep] {
        if self.guard_steps.is_empty() {
            return &[];
        }
        let from = self.guard_steps.partition_point(|step| step.from < node);
        let behind = &self.guard_steps[from..];
        &behind[..behind.partition_point(|step| step.from == node)]
    }

    /// Adds a position, whose edges have been added.
    fn push(&mut self, machine: MachineId, is_final: bool, is_leaf: bool) {
        self.nodes.push(MachinePosition {
            machine,
            is_final,
            is_leaf,
            may_return: is_final,
            first: Bits::default(),
            ends: (self.steps.len() as u32, self.calls.len() as u32),
        });
    }

    /// Adds the edges of a state by class. A state treats all bytes of a class alike, so the first
    /// byte stands for all.
    fn add_steps(
        &mut self,
        firsts: &[u8],
        bytes: &[(u8, u8, u32)],
        offset: u32,
        first_guard: usize,
    ) {
        let from = self.nodes.len() as u32;
        for &(low, high, to) in bytes {
            for guard in usize::from(low).max(first_guard)..=usize::from(high) {
                self.guard_steps.push(GuardStep {
                    from,
                    guard: guard - first_guard,
                    to: to + offset,
                });
            }
            let Some(last) = first_guard.checked_sub(1) else {
                continue;
            };
            let high = high.min(last.min(255) as u8);
            if high < low {
                continue;
            }
            let first = firsts.partition_point(|&byte| byte < low);
            let past = firsts.partition_point(|&byte| byte <= high);
            if first < past {
                self.steps.push(PositionStep {
                    first: first as Class,
                    last: (past - 1) as Class,
                    to: to + offset,
                });
            }
        }
    }

    /// Finds where machines may return behind guards.
    fn compute_returns(&mut self) {
        let mut has_grown = true;
        while has_grown {
            has_grown = false;
            for step in &self.guard_steps {
                if self.nodes[step.to as usize].may_return {
                    let from = &mut self.nodes[step.from as usize].may_return;
                    has_grown |= !std::mem::replace(from, true);
                }
            }
        }
    }

    /// Adds to the first classes of positions what guards let through.
    fn first_through_guards(&mut self) -> bool {
        let mut has_grown = false;
        for step in &self.guard_steps {
            let to = self.nodes[step.to as usize].first.clone();
            let forbidden = &self.forbidden[step.guard];
            let first = &mut self.nodes[step.from as usize].first;
            to.each(|class| {
                if !forbidden.contains(class) {
                    has_grown |= first.insert(class);
                }
            });
        }
        has_grown
    }

    fn compute_first(&mut self, deadline: &Deadline) -> Result<(), LimitExceeded> {
        for at in 0..self.nodes.len() {
            let mut first = Bits::default();
            for step in self.steps(at as u32) {
                first.insert_all(usize::from(step.first)..=usize::from(step.last));
            }
            self.nodes[at].first = first;
        }
        let calls = (0..self.nodes.len() as u32).flat_map(|at| {
            let calls = self.calls(at).iter();
            let entered = |machine: MachineId| self.entered_as[machine.index()].number();
            calls.map(move |&(machine, _)| (entered(machine), at))
        });
        let callers = Csr::new(self.starts.len(), calls);
        let mut begins = vec![None; self.nodes.len()];
        for (&machine, &start) in self.entered_as.iter().zip(&self.starts) {
            if let Some(at) = begins.get_mut(start as usize) {
                *at = Some(machine);
            }
        }
        loop {
            // A position can go on with whatever the machines that it calls can begin with.
            let Positions { nodes, starts, .. } = &mut *self;
            spread(starts.len(), &callers, deadline, |machine, at| {
                let start = starts[machine.index()];
                if at == start {
                    return None;
                }
                let first = std::mem::take(&mut nodes[start as usize].first);
                let has_grown = nodes[at as usize].first.union(&first);
                nodes[start as usize].first = first;
                begins[at as usize].filter(|_| has_grown)
            })?;
            if !self.first_through_guards() {
                return Ok(());
            }
        }
    }

    /// Whether a return of `machine`, or a chain of returns, can resume at a position that can go
    /// on with `class` and for which `is` holds.
    pub fn any_resume(
        &self,
        machine: MachineId,
        class: Class,
        mut is: impl FnMut(u32) -> bool,
    ) -> bool {
        let class = usize::from(class);
        let mut goes_on = |machine: MachineId| {
            let mut resumes = self.resumes.of(machine.number()).iter();
            resumes.any(|&at| self.nodes[at as usize].first.contains(class) && is(at))
        };
        if goes_on(machine) {
            return true;
        }
        let mut chain = Distinct::default();
        chain.insert(machine);
        let mut next = 0;
        while let Some(&machine) = chain.get(next) {
            if next > 0 && goes_on(machine) {
                return true;
            }
            next += 1;
            let callers = self.returns_with.of(machine.number()).iter();
            for &caller in callers.filter(|&&m| self.follow[m.index()].contains(class)) {
                chain.insert(caller);
            }
        }
        false
    }

    fn compute_follow(
        &mut self,
        machines: usize,
        deadline: &Deadline,
    ) -> Result<(), LimitExceeded> {
        let returned = |&(machine, at): &(MachineId, u32)| (self.returned_as[machine.index()], at);
        let mut resumes: Vec<(MachineId, u32)> = self.calls.iter().map(returned).collect();
        resumes.sort_unstable();
        resumes.dedup();
        let by_callee = resumes.iter().map(|&(callee, at)| (callee.number(), at));
        self.resumes = Csr::new(machines, by_callee);
        let returns = resumes.iter().filter_map(|&(callee, at)| {
            let node = &self.nodes[at as usize];
            node.may_return.then_some((callee, node.machine))
        });
        let mut returns: Vec<(MachineId, MachineId)> = returns.collect();
        returns.sort_unstable();
        returns.dedup();
        let by_callee = returns.iter().map(|&(callee, of)| (callee.number(), of));
        self.returns_with = Csr::new(machines, by_callee);
        let by_caller = returns.iter().map(|&(callee, of)| (of.number(), callee));
        let callees = Csr::new(machines, by_caller);
        self.follow = vec![Bits::default(); machines];
        for &(callee, at) in &resumes {
            self.follow[callee.index()].union(&self.nodes[at as usize].first);
        }
        // If a return of `callee` can make `of` return too, everything that follows `of` follows
        // `callee`.
        spread(machines, &callees, deadline, |of, callee| {
            let follow = std::mem::take(&mut self.follow[of.index()]);
            let has_grown = self.follow[callee.index()].union(&follow);
            self.follow[of.index()] = follow;
            has_grown.then_some(callee)
        })
    }
}

/// Passes on what each machine has to the members of `to` until nothing is new. `pass` returns the
/// machine that has received something new.
fn spread<T: Copy + Default>(
    machines: usize,
    to: &Csr<T>,
    deadline: &Deadline,
    mut pass: impl FnMut(MachineId, T) -> Option<MachineId>,
) -> Result<(), LimitExceeded> {
    let mut pending: Vec<MachineId> = (0..machines).map(MachineId::at).collect();
    let mut is_pending = vec![true; machines];
    let mut passed = 0usize;
    while let Some(machine) = pending.pop() {
        is_pending[machine.index()] = false;
        for &other in to.of(machine.number()) {
            if passed.is_multiple_of(BETWEEN_CHECKS) {
                deadline.check("numbering positions")?;
            }
            passed += 1;
            if let Some(grown) = pass(machine, other).filter(|&grown| grown != machine)
                && !std::mem::replace(&mut is_pending[grown.index()], true)
            {
                pending.push(grown);
            }
        }
    }
    Ok(())
}
