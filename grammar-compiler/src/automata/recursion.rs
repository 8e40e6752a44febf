//! Recursion, and which rules are called.
//!
//! In: [`ConsumingRules`]. Out: a [`Network`], whose machines call only machines of the network;
//! all other calls have been inlined. Left and tail recursion have become loops (the cycle handling
//! of Pre³, made exact). Self-embedding recursion remains, as calls.
//!
//! Which rules are called:
//!
//! * those over blocks of counted repetitions;
//! * texts that are limited in tokens;
//! * spans between brackets, all of one kind if any of that kind is recursive: then alternatives
//!   push and pop at the same bytes;
//! * spans between quotes, if a kind of quote would be copied to two places or more and rules are
//!   shared;
//! * where a cycle remains, a rule on it, preferably one that begins and ends with bytes of its
//!   own;
//! * as long as all bodies together would be large, the rule whose copies would take most states;
//! * rules of some size used in two or more places, if nothing can follow inside them once they may
//!   end and rules are shared.

mod cycle;
mod hub;

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::maps::IdSet;

use super::calls::Calls;
use super::empty::ConsumingRules;
use super::ways::{WayMarks, Ways};
use super::{AutomataError, Dfa, Machine, MachineId, Network, PassBounds, ROOT, inline};
use crate::limits::LimitExceeded;

/// A machine of at least this many states is worth a call of its own.
const SHARED_SIZE: usize = 8;
/// As long as all bodies together have more states than this, copied rules are called.
const BODIES_SIZE: u64 = 1_500;
/// With more rules than this, several of the most copied rules are chosen at a time, since each
/// choice looks at all rules.
const MANY_RULES: usize = 2_000;
/// Beyond this many states a body calls its largest part rather than inlining it.
const INLINE_SIZE: usize = 30_000;

/// The machines that are called, or may be.
#[derive(Clone, Copy, Debug)]
pub struct Called<'a> {
    /// Spans between delimiters, with their opening delimiter: some are called.
    pub spans: &'a [(MachineId, char)],
    /// Blocks of counted repetitions: all are called.
    pub blocks: &'a [MachineId],
    /// The ways through some of these.
    pub ways: &'a [WayMarks],
    /// Texts that are limited in tokens: all are called.
    pub limited: &'a [MachineId],
}

/// Eliminates recursion, and inlines the rules that need not be called. Rules are shared if `share`
/// is set.
///
/// # Errors
///
/// If a limit on automaton states or time is passed.
pub fn eliminate(
    rules: ConsumingRules,
    Called {
        spans,
        blocks,
        ways,
        limited,
    }: Called<'_>,
    share: bool,
    bounds: &PassBounds,
) -> Result<Network, AutomataError> {
    let mut called = vec![false; rules.machines.len()];
    for &machine in blocks.iter().chain(limited) {
        called[machine.index()] = true;
    }
    let mut eliminator = Eliminator {
        sizes: vec![0; rules.machines.len()],
        calls: Calls::new(&rules.machines),
        machines: rules.machines,
        called,
        root: rules.root,
        blocks,
        ways,
        share,
        bounds,
    };
    eliminator.call_recursive_spans(spans);
    eliminator.break_cycles()?;
    if share {
        eliminator.call_copied_quotes(spans);
    }
    eliminator.call_what_is_copied_most()?;
    let order = eliminator.callees_first();
    // Machines that come later in `order` do not change before a machine is closed, so the number
    // of its copies stays the same.
    let copies = eliminator.copies(&order);
    for machine in order {
        eliminator.close(machine, copies[machine.index()])?;
    }
    Ok(eliminator.network())
}

struct Eliminator<'a> {
    machines: Vec<Machine>,
    calls: Calls,
    called: Vec<bool>,
    /// The number of states of each closed machine, once everything is inlined.
    sizes: Vec<usize>,
    root: MachineId,
    blocks: &'a [MachineId],
    ways: &'a [WayMarks],
    share: bool,
    bounds: &'a PassBounds<'a>,
}

impl Eliminator<'_> {
    fn put(&mut self, m: MachineId, body: Dfa) {
        self.calls.update(m, &body);
        self.machines[m.index()].body = body;
    }

    fn all(&self) -> Vec<MachineId> {
        (0..self.machines.len()).map(MachineId::at).collect()
    }

    /// Components of the call graph without called machines that hold a cycle; callees first.
    fn cycles(&self, members: &[MachineId]) -> Vec<Vec<MachineId>> {
        let is_inlined = |c: MachineId| !self.called[c.index()];
        self.calls.cycles(members, is_inlined)
    }

    fn call_recursive_spans(&mut self, spans: &[(MachineId, char)]) {
        let mut recursive = vec![false; self.machines.len()];
        let cycles = self.calls.cycles(&self.all(), |_| true);
        cycles
            .into_iter()
            .flatten()
            .for_each(|m| recursive[m.index()] = true);
        let kinds: BTreeSet<char> = spans
            .iter()
            .filter(|s| recursive[s.0.index()])
            .map(|s| s.1)
            .collect();
        for &(span, kind) in spans {
            self.called[span.index()] = kinds.contains(&kind);
        }
    }

    /// Whether every word of `m` begins and ends with bytes of its own, and nothing can follow
    /// inside it once it may end. A cycle through such a machine is self-embedding, so some machine
    /// on it has to be called; this is the best one.
    fn is_delimited(&self, m: MachineId) -> bool {
        let body = &self.machines[m.index()].body;
        let leaf = |to: u32| body.state(to).is_leaf();
        body.state(body.start).calls.is_empty()
            && body
                .states()
                .all(|s| (!s.is_final || s.is_leaf()) && !s.calls.iter().any(|e| leaf(e.1)))
    }

    fn simplify(&mut self, m: MachineId) -> Result<(), LimitExceeded> {
        if self.calls.is_calling(m, m) {
            let Machine { name, body } = &self.machines[m.index()];
            self.put(m, inline::loops(body.clone(), m, self.bounds, name)?);
        }
        Ok(())
    }

    /// Machines reachable from the root, callees first; calls of called machines do not count as an
    /// order.
    fn callees_first(&self) -> Vec<MachineId> {
        let is_inlined = |c: MachineId| !self.called[c.index()];
        self.calls.callees_first(self.root, is_inlined)
    }

    /// How often each machine's body would stand in the called machines and the root, if nothing
    /// more were called.
    fn copies(&self, callees_first: &[MachineId]) -> Vec<u64> {
        let mut copies = vec![0u64; self.machines.len()];
        for &m in callees_first.iter().rev() {
            if self.called[m.index()] || m == self.root {
                copies[m.index()] = 1;
            }
            let mine = copies[m.index()];
            for callee in self.calls.of(m) {
                copies[callee.index()] = copies[callee.index()].saturating_add(mine);
            }
        }
        copies
    }

    /// How many states each machine's body would have after inlining, at most.
    fn inlined_sizes(&self, callees_first: &[MachineId]) -> Vec<u64> {
        let mut sizes = vec![0u64; self.machines.len()];
        for &m in callees_first {
            let states = self.machines[m.index()].body.len();
            let parts = self.parts(m).map(|part| sizes[part.index()]);
            sizes[m.index()] = parts.fold(states as u64, u64::saturating_add);
        }
        sizes
    }

    /// The machines that `m` calls and that are to be inlined, once for each state that a call
    /// leads to.
    fn parts(&self, m: MachineId) -> impl Iterator<Item = MachineId> {
        let callees = self.calls.of(m);
        callees.filter(|&callee| !self.called[callee.index()])
    }

    /// Calls the rule whose copies take most states, until all bodies together are small.
    fn call_what_is_copied_most(&mut self) -> Result<(), LimitExceeded> {
        // Calling a machine only removes edges from the graph, so this order remains valid.
        let live = self.callees_first();
        let at_once = 1 + live.len() / MANY_RULES;
        loop {
            self.bounds.deadline.check("choosing which rules to call")?;
            let (sizes, copies) = (self.inlined_sizes(&live), self.copies(&live));
            let is_body = |m: MachineId| self.called[m.index()] || m == self.root;
            let total = live
                .iter()
                .filter(|&&m| is_body(m))
                .fold(0u64, |sum, &m| sum.saturating_add(sizes[m.index()]));
            let saved = |m: MachineId| {
                copies[m.index()]
                    .saturating_sub(1)
                    .saturating_mul(sizes[m.index()])
            };
            let is_worth = |m: MachineId| total > BODIES_SIZE && saved(m) > 8 * SHARED_SIZE as u64;
            let candidates = live.iter().copied().filter(|&m| !is_body(m) && is_worth(m));
            let mut best: Vec<(u64, Reverse<MachineId>)> =
                candidates.map(|m| (saved(m), Reverse(m))).collect();
            if best.is_empty() {
                return Ok(());
            }
            let past = at_once.min(best.len());
            best.select_nth_unstable_by_key(past - 1, |&candidate| Reverse(candidate));
            for &(_, Reverse(m)) in &best[..past] {
                self.called[m.index()] = true;
            }
        }
    }

    fn call_copied_quotes(&mut self, spans: &[(MachineId, char)]) {
        let copies = self.copies(&self.callees_first());
        for kind in ['"', '\'', '`'] {
            let of_kind = || spans.iter().filter(|s| s.1 == kind).map(|s| s.0.index());
            if of_kind().map(|m| copies[m]).fold(0u64, u64::saturating_add) >= 2 {
                of_kind().for_each(|m| self.called[m] = true);
            }
        }
    }

    /// Inlines those callees of `m` that are not to be called, and decides whether `m` itself is to
    /// be called. A machine with a single copy is left alone until that copy is made; otherwise a
    /// long chain of rules would be copied once for each link.
    fn close(&mut self, m: MachineId, copies: u64) -> Result<(), LimitExceeded> {
        let rest = self.call_the_largest(m)?;
        if copies <= 1 && !self.called[m.index()] && m != self.root {
            self.sizes[m.index()] = rest + self.machines[m.index()].body.len();
            return Ok(());
        }
        let Machine { name, body } = &self.machines[m.index()];
        if self.parts(m).next().is_some() {
            let nfa = inline::inline(body, &self.machines, |c| !self.called[c.index()]);
            self.put(m, self.bounds.minimal(&nfa, name)?);
        }
        self.simplify(m)?;
        let is_shared = self.share && copies >= 2 && self.is_worth_a_call(m);
        if is_shared && m != self.root {
            self.called[m.index()] = true;
        }
        self.sizes[m.index()] = self.machines[m.index()].body.len();
        Ok(())
    }

    /// Chooses to call the largest parts of `m` as long as inlining all of them would pass
    /// `INLINE_SIZE`; returns the size of the others.
    fn call_the_largest(&mut self, m: MachineId) -> Result<usize, LimitExceeded> {
        let deadline = &self.bounds.deadline;
        let mut parts: Vec<(usize, MachineId)> = (self.parts(m))
            .map(|part| (self.sizes[part.index()], part))
            .collect();
        deadline.check("inlining rules")?;
        parts.sort_unstable_by_key(|&(size, part)| (Reverse(size), part));
        let mut total: usize = parts.iter().map(|part| part.0).sum();
        let mut left = parts.len();
        for same in parts.chunk_by(|a, b| a.1 == b.1) {
            deadline.ticks(same.len(), "inlining rules")?;
            if total <= INLINE_SIZE || left <= 1 {
                break;
            }
            self.called[same[0].1.index()] = true;
            total -= same.iter().map(|part| part.0).sum::<usize>();
            left -= same.len();
        }
        Ok(total)
    }

    fn is_worth_a_call(&self, m: MachineId) -> bool {
        let body = &self.machines[m.index()].body;
        let ends_for_good = body.states().all(|s| !s.is_final || s.is_leaf());
        let start_again = body
            .states()
            .any(|s| s.targets().any(|to| to == body.start));
        body.len() >= SHARED_SIZE && ends_for_good && !start_again
    }

    /// The root and the called machines that it reaches, renumbered with the root first.
    fn network(mut self) -> Network {
        let blocks: IdSet<MachineId> = self.blocks.iter().copied().collect();
        let mut ids = vec![None; self.machines.len()];
        let mut order = vec![self.root];
        ids[self.root.index()] = Some(ROOT);
        let mut at = 0;
        while let Some(&m) = order.get(at) {
            for callee in self.calls.callees(m) {
                if ids[callee.index()].is_none() {
                    ids[callee.index()] = Some(MachineId::at(order.len()));
                    order.push(callee);
                }
            }
            at += 1;
        }
        let machines = order.iter().map(|&m| {
            let Machine { name, body } = std::mem::take(&mut self.machines[m.index()]);
            let body = body.with_calls(|machine| ids[machine.index()]);
            Machine { name, body }
        });
        let mut machines: Vec<Machine> = machines.collect();
        let named = self.ways.iter().filter_map(|marks| {
            Some(WayMarks {
                way: ids[marks.way.index()]?,
                block: ids[marks.block.index()]?,
                entry: ids[marks.entry.index()]?,
                end: ids[marks.end.index()]?,
            })
        });
        let ways = Ways::take(&named.collect::<Vec<_>>(), &mut machines);
        Network {
            machines,
            ways,
            blocks: order.iter().filter(|m| blocks.contains(m)).count(),
        }
    }
}
