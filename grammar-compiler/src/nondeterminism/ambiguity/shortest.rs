//! Shortest texts of rules, and of the text around them.
//!
//! In: a [`Grammar`]. Out: [`Shortest`]: each rule's body as a minimal automaton, how long the
//! shortest way from each of its states to the end is, and short texts.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::automata::{Dfa, Machine, MachineId, PassBounds, empty, thompson};
use crate::grammar::Grammar;
use crate::limits::Deadline;

/// A length where there is no text.
pub const NEVER: u32 = u32::MAX;
/// Longer texts are not looked for. A rule's shortest text may be exponentially long.
pub const MAX_LENGTH: u32 = 200;
/// States of all bodies together.
const MAX_STATES: usize = 20_000;
/// What is being done.
pub const DOING: &str = "looking for an ambiguous text";
/// Rules within rules in a shortest text.
const MAX_NESTING: usize = 200;

/// An edge of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BodyEdge {
    Byte(u8, u32),
    Call(MachineId, u32),
}

/// The rules' bodies with lengths of shortest texts.
pub struct Shortest {
    /// The body of each rule, without the empty word; behind them, that of the whole text.
    pub bodies: Vec<Dfa>,
    /// For each rule and state the length of the shortest way to the rule's end.
    pub rest: Vec<Vec<u32>>,
    /// The first edge of that way.
    first: Vec<Vec<Option<BodyEdge>>>,
}

/// The text around a rule in a short sentence.
#[derive(Clone, Debug, Default)]
pub struct TextAround {
    /// The text before it.
    pub before: Vec<u8>,
    /// The text after it.
    pub after: Vec<u8>,
}

impl Shortest {
    /// Works through `grammar`, unless it is too large.
    pub fn new(grammar: &Grammar, bounds: &PassBounds<'_>) -> Option<Self> {
        let mut machines = Vec::with_capacity(grammar.rules.len());
        let mut states = 0;
        for rule in &grammar.rules {
            let nfa = thompson::build(&rule.expr, MAX_STATES, bounds.deadline).ok()?;
            let body = bounds.minimal(&nfa, &rule.name).ok()?;
            states += body.len();
            if states > MAX_STATES {
                return None;
            }
            let name = rule.name.clone();
            machines.push(Machine { name, body });
        }
        // A rule that matches the empty text is left out of trees, so two ways to place it are one
        // reading.
        let rules = empty::remove(machines, grammar.root.into(), bounds).ok()?;
        let bodies: Vec<Dfa> = rules.machines.into_iter().map(|m| m.body).collect();
        let per_state = |body: &Dfa| body.len();
        let mut out = Shortest {
            rest: bodies.iter().map(|b| vec![NEVER; per_state(b)]).collect(),
            first: bodies.iter().map(|b| vec![None; per_state(b)]).collect(),
            bodies,
        };
        while out.improve(bounds.deadline) {
            bounds.deadline.check(DOING).ok()?;
        }
        bounds.deadline.confirm(DOING).ok()?;
        Some(out)
    }

    /// Shortens the ways once; returns whether any became shorter. A first edge is noted only if
    /// its way is shorter than any before, so following first edges never leads in a circle.
    fn improve(&mut self, deadline: &Deadline) -> bool {
        let mut improved = false;
        for rule in 0..self.bodies.len() {
            for state in (0..self.bodies[rule].len()).rev() {
                let of = self.bodies[rule].state(state as u32);
                let edges = 1 + of.bytes.len() + of.calls.len();
                if deadline.stops_after(edges, DOING) {
                    return false;
                }
                let (length, edge) = self.best(rule, state);
                if length < self.rest[rule][state] {
                    self.rest[rule][state] = length;
                    self.first[rule][state] = edge;
                    improved = true;
                }
            }
        }
        improved
    }

    fn best(&self, rule: usize, state: usize) -> (u32, Option<BodyEdge>) {
        let body = self.bodies[rule].state(state as u32);
        if body.is_final {
            return (0, None);
        }
        let rest = |to: u32| self.rest[rule][to as usize];
        let bytes = (body.bytes.iter()).map(|&(low, high, to)| {
            let byte = readable(low, high);
            (rest(to).saturating_add(1), Some(BodyEdge::Byte(byte, to)))
        });
        let calls = (body.calls.iter()).map(|&(callee, to)| {
            let length = self.length(callee).saturating_add(rest(to));
            (length, Some(BodyEdge::Call(callee, to)))
        });
        let best = bytes.chain(calls).min_by_key(|way| way.0);
        best.unwrap_or((NEVER, None))
    }

    /// The length of a rule's shortest text.
    pub fn length(&self, rule: MachineId) -> u32 {
        self.rest[rule.index()][self.bodies[rule.index()].start as usize]
    }

    /// A shortest text of a rule, unless that is too long.
    pub fn text(&self, rule: MachineId) -> Option<Vec<u8>> {
        if self.length(rule) > MAX_LENGTH {
            return None;
        }
        let mut out = Vec::new();
        let start = self.bodies[rule.index()].start;
        self.finish(rule, start, MAX_NESTING, &mut out)?;
        Some(out)
    }

    /// Adds the shortest way from a state to the rule's end; calls itself no deeper than `nesting`.
    fn finish(
        &self,
        rule: MachineId,
        mut state: u32,
        nesting: usize,
        out: &mut Vec<u8>,
    ) -> Option<()> {
        let nesting = nesting.checked_sub(1)?;
        while let Some(edge) = self.first[rule.index()][state as usize] {
            state = match edge {
                BodyEdge::Byte(byte, to) => {
                    out.push(byte);
                    to
                }
                BodyEdge::Call(callee, to) => {
                    let start = self.bodies[callee.index()].start;
                    self.finish(callee, start, nesting, out)?;
                    to
                }
            };
        }
        Some(())
    }

    /// The text around each rule in a short sentence; `None` for rules in no such sentence, and for
    /// those that are not reached before the deadline.
    pub fn around(&self, root: MachineId, deadline: &Deadline) -> Vec<Option<TextAround>> {
        let mut out: Vec<Option<TextAround>> = vec![None; self.bodies.len()];
        let mut queue = BinaryHeap::new();
        let mut found = vec![(root, TextAround::default())];
        queue.push(Reverse((0, 0)));
        while let Some(Reverse((_, at))) = queue.pop() {
            let (rule, around): (MachineId, TextAround) = found[at].clone();
            if out[rule.index()].is_some() {
                continue;
            }
            let body = &self.bodies[rule.index()];
            for (state, before) in (0..).zip(self.ways(rule, deadline)) {
                let Some(before) = before else { continue };
                for &(callee, to) in body.state(state).calls {
                    if deadline.stops(DOING) {
                        return out;
                    }
                    if out[callee.index()].is_some()
                        || self.rest[rule.index()][to as usize] > MAX_LENGTH
                    {
                        continue;
                    }
                    let mut after = Vec::new();
                    if self.finish(rule, to, MAX_NESTING, &mut after).is_none() {
                        continue;
                    }
                    let inner = TextAround {
                        before: [around.before.as_slice(), &before].concat(),
                        after: [after.as_slice(), &around.after].concat(),
                    };
                    let length = inner.before.len() + inner.after.len();
                    if length > MAX_LENGTH as usize {
                        continue;
                    }
                    queue.push(Reverse((length, found.len())));
                    found.push((callee, inner));
                }
            }
            out[rule.index()] = Some(around);
        }
        out
    }

    /// A shortest text from the start of a rule to each of its states, where one is short enough.
    fn ways(&self, rule: MachineId, deadline: &Deadline) -> Vec<Option<Vec<u8>>> {
        let body = &self.bodies[rule.index()];
        let mut out: Vec<Option<Vec<u8>>> = vec![None; body.len()];
        let mut queue = BinaryHeap::from([Reverse((0, body.start, Vec::new()))]);
        while let Some(Reverse((_, state, text))) = queue.pop() {
            if out[state as usize].is_some() || text.len() > MAX_LENGTH as usize {
                continue;
            }
            let edges = body.state(state).bytes.len() + body.state(state).calls.len();
            if deadline.stops_after(1 + edges, DOING) {
                return out;
            }
            let mut add = |to: u32, more: &[u8]| {
                let text = [text.as_slice(), more].concat();
                queue.push(Reverse((text.len(), to, text)));
            };
            let of = body.state(state);
            for &(low, high, to) in of.bytes {
                add(to, &[readable(low, high)]);
            }
            for &(callee, to) in of.calls {
                if let Some(text) = self.text(callee) {
                    add(to, &text);
                }
            }
            out[state as usize] = Some(text);
        }
        out
    }
}

/// A byte of a range, one that can be read if there is one.
pub fn readable(low: u8, high: u8) -> u8 {
    let preferred = [b'a'..=b'z', b'0'..=b'9', b'A'..=b'Z', b' '..=b'~'];
    let mut shared = preferred.into_iter().filter_map(|range| {
        let (first, last) = (low.max(*range.start()), high.min(*range.end()));
        (first <= last).then_some(first)
    });
    shared.next().unwrap_or(low)
}
