//! Symbol classes that an item set does not tell apart, in runs.
//!
//! In: an item set. Out: the classes that some item may consume, in runs. Each run names the least
//! class that has the same edge, so the edge is computed once for all classes that share it. A
//! class before which some item may return, or passes a guard, shares its edge with no other class,
//! since the edges may differ under some frames.

use std::ops::Range;

use super::item::Item;
use super::positions::Positions;
use crate::automata::MachineId;
use crate::bits::Bits;
use crate::pda::{Class, StateId};

/// Consecutive classes with the same edge.
#[derive(Clone, Copy, Debug)]
pub struct ClassRun {
    /// The first class.
    pub first: Class,
    /// The last class.
    pub last: Class,
    /// The least of all classes that have the same edge.
    pub least: Class,
}

impl ClassRun {
    /// How many classes there are.
    pub fn len(&self) -> usize {
        usize::from(self.last - self.first) + 1
    }
}

/// The consumer of a class: a step from one position to another, or a call of a machine. `Return`
/// stands for a class before which an item may return: no other class has the same consumer, so the
/// class shares its edge with none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Consumer {
    Step(u32, u32),
    Call(MachineId),
    Return(Class),
}

/// Consecutive classes, and one consumer of them.
#[derive(Clone, Copy)]
struct Consumed {
    first: Class,
    last: Class,
    by: Consumer,
}

/// The runs of classes of all item sets, side by side.
#[derive(Default)]
pub struct ClassRuns {
    /// The runs of all item sets.
    pub all: Vec<ClassRun>,
    ends: Vec<usize>,
}

impl ClassRuns {
    /// Where the runs of a state's item set are, ascending.
    pub fn of(&self, state: StateId) -> Range<usize> {
        let set = state.index();
        set.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[set]
    }

    /// Adds the runs of the next item set. Answers how many steps and calls were looked at.
    pub fn add(&mut self, positions: &Positions, items: &[Item]) -> usize {
        let looked_at = match *items {
            [item] if is_plain(positions, item.node) => {
                let steps = positions.steps(item.node);
                self.all.extend(steps.iter().map(|step| {
                    ClassRun {
                        first: step.first,
                        last: step.last,
                        least: (steps.iter().find(|other| other.to == step.to))
                            .map_or(step.first, |s| s.first),
                    }
                }));
                steps.len()
            }
            _ => classes(positions, items, &mut self.all),
        };
        self.ends.push(self.all.len());
        looked_at
    }
}

/// Whether a position has steps only: no call, no return.
fn is_plain(positions: &Positions, node: u32) -> bool {
    !positions.nodes[node as usize].may_return
        && positions.calls(node).is_empty()
        && !positions.has_guards(node)
}

/// Adds the runs of an item set, ascending. Answers how many there were before they were joined.
fn classes(positions: &Positions, items: &[Item], out: &mut Vec<ClassRun>) -> usize {
    let from = out.len();
    let mut runs = consumed(positions, items);
    let looked_at = runs.len();
    runs.sort_unstable_by_key(|run| (run.first, run.by));
    if runs.is_sorted_by(|before, after| before.last < after.first) {
        runs.sort_unstable_by_key(|run| (run.by, run.first));
        for same in runs.chunk_by(|a, b| a.by == b.by) {
            add(out, same.iter().map(|run| (run.first, run.last)));
        }
    } else {
        let (mut pieces, consumers) = cut(&runs);
        let by = |piece: &ClassCut| &consumers[piece.2.clone()];
        pieces.sort_unstable_by(|a, b| by(a).cmp(by(b)).then(a.0.cmp(&b.0)));
        for same in pieces.chunk_by(|a, b| by(a) == by(b)) {
            add(out, same.iter().map(|piece| (piece.0, piece.1)));
        }
    }
    out[from..].sort_unstable_by_key(|run| run.first);
    looked_at
}

/// Adds runs of classes with the same consumers, ascending.
fn add(out: &mut Vec<ClassRun>, runs: impl Iterator<Item = (Class, Class)> + Clone) {
    let of = |(first, last), least| ClassRun { first, last, least };
    if let Some((least, _)) = runs.clone().next() {
        out.extend(runs.map(|run| of(run, least)));
    }
}

/// The first and the last class of a piece, and the place of its consumers.
type ClassCut = (Class, Class, Range<usize>);

/// The pieces that overlapping runs cut each other into, and the consumers of all pieces in one
/// list.
fn cut(consumed: &[Consumed]) -> (Vec<ClassCut>, Vec<Consumer>) {
    let mut cuts: Vec<Class> = consumed
        .iter()
        .flat_map(|run| [run.first, run.last + 1])
        .collect();
    cuts.sort_unstable();
    cuts.dedup();
    let mut pieces = Vec::with_capacity(cuts.len());
    let mut consumers: Vec<Consumer> = Vec::with_capacity(consumed.len());
    let mut open: Vec<Consumed> = Vec::new();
    let mut next = consumed.iter().peekable();
    for pair in cuts.windows(2) {
        open.retain(|run| run.last >= pair[0]);
        open.extend(std::iter::from_fn(|| {
            next.next_if(|run| run.first == pair[0])
        }));
        if !open.is_empty() {
            let from = consumers.len();
            consumers.extend(open.iter().map(|run| run.by));
            consumers[from..].sort_unstable();
            pieces.push((pair[0], pair[1] - 1, from..consumers.len()));
        }
    }
    (pieces, consumers)
}

/// The consumers of each class: the items, the machines that they call, and the machines that these
/// call at their starts.
fn consumed(positions: &Positions, items: &[Item]) -> Vec<Consumed> {
    let mut returning = Bits::default();
    for item in items {
        let node = &positions.nodes[item.node as usize];
        if positions.has_guards(item.node) {
            returning.union(&node.first);
        }
        if node.may_return {
            returning.union(&positions.follow[node.machine.index()]);
        }
    }
    let mut consumed = Vec::new();
    let mut nodes: Vec<u32> = items.iter().map(|item| item.node).collect();
    let mut entered = Bits::default();
    while let Some(at) = nodes.pop() {
        consumed.extend(positions.steps(at).iter().map(|step| Consumed {
            first: step.first,
            last: step.last,
            by: Consumer::Step(at, step.to),
        }));
        for &(machine, _) in positions.calls(at) {
            let machine = positions.entered_as[machine.index()];
            if entered.insert(machine.index()) {
                let start = positions.starts[machine.index()];
                let runs = positions.nodes[start as usize].first.runs();
                consumed.extend(runs.map(|(first, last)| Consumed {
                    first: first as Class,
                    last: last as Class,
                    by: Consumer::Call(machine),
                }));
                nodes.push(start);
                if positions.has_guards(start) {
                    returning.union(&positions.nodes[start as usize].first);
                }
            }
        }
    }
    returning.each(|class| {
        let class = class as Class;
        consumed.push(Consumed {
            first: class,
            last: class,
            by: Consumer::Return(class),
        });
    });
    consumed
}
