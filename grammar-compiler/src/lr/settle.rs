//! From moved items to the next item set: immediate returns, trimming, splitting.
//!
//! In: [`Moved`]. Out: one [`Settled`] for each stack that goes on: an item set whose least depth
//! is 0, the frame to push, and the number of frames to pop, because no item needs them any more.
//! The frame has only the entries through which some item may return.

use std::collections::BTreeSet;

use super::DOING;
use super::closure::{KnownGotos, Moved, NewEntry, Origin, Unknown};
use super::distinct::Distinct;
use super::item::{GotoEntry, Item, MAX_SPREAD, SAME, Sharing, Tried, returns_of};
use super::positions::Positions;
use crate::automata::{MachineId, ROOT};
use crate::bits::Bits;
use crate::limits::Deadline;

/// The next item set of one stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// Frames to pop.
    pub pop: u8,
    /// The frame to push then; empty for none.
    pub frame: Vec<GotoEntry>,
    /// The items, ascending.
    pub items: Vec<Item>,
    /// The symbol is still to be consumed.
    pub again: bool,
}

/// The outcome of most symbols: one item that is alone on its stack and need not return at once,
/// and the number of frames to pop.
pub fn alone(positions: &Positions, moved: &Moved) -> Option<(Item, u8)> {
    let Moved {
        items,
        entries,
        deferred,
    } = moved;
    let ([(node, Origin::Old(depth))], [], []) = (&items[..], &entries[..], &deferred[..]) else {
        return None;
    };
    let item = Item {
        node: *node,
        depth: 0,
        tried: Tried::default(),
    };
    (!only_returns(positions, *node)).then_some((item, *depth))
}

/// Settles the items that have consumed a symbol. When the deadline passes, what it answers is not
/// the whole, and must not be used.
///
/// # Errors
///
/// With the depth of a frame that must be known.
pub fn settle(
    positions: &Positions,
    moved: &Moved,
    known: &impl KnownGotos,
    deadline: &Deadline,
) -> Result<Vec<Settled>, Unknown> {
    let Moved {
        items,
        entries,
        deferred,
    } = moved;
    let group = |items| ItemGroup {
        items,
        entries: entries.to_vec(),
    };
    let mut groups = Vec::new();
    if let Some(returned) = return_at_once(positions, (items, entries), known, deadline)? {
        group(returned).split(positions, deadline, &mut groups);
    }
    if groups.len() != 1 {
        // Items whose return is deferred may share a stack with the others: the part of a counted
        // block runs beside the whole one.
        let mut waiting = Vec::new();
        group(items.clone()).split(positions, deadline, &mut waiting);
        if groups.is_empty() || waiting.len() == 1 {
            groups = waiting;
        }
    }
    let pending = ItemGroup {
        items: (deferred.iter())
            .map(|p| {
                let returning = positions.returning[p.machine.index()];
                (returning, Origin::Old(p.depth))
            })
            .collect(),
        entries: Vec::new(),
    };
    let tried = |node: u32, depth: u8| {
        // What has been tried would tell apart what else is one state.
        if positions.sharing == Sharing::Apart {
            return Tried::default();
        }
        let machine = positions.nodes[node as usize].machine;
        let mut deferred = deferred.iter();
        let of = deferred.find(|p| (p.machine, p.depth) == (machine, depth));
        of.map(|p| p.tried).unwrap_or_default()
    };
    let settled = |group: ItemGroup| group.finish(false, |_, _| Tried::default());
    let mut out: Vec<Settled> = groups.into_iter().filter_map(settled).collect();
    if !pending.items.is_empty() {
        let mut groups = Vec::new();
        pending.split(positions, deadline, &mut groups);
        out.extend(groups.into_iter().filter_map(|g| g.finish(true, tried)));
    }
    Ok(out)
}

/// Whether an item can do nothing but return.
fn only_returns(positions: &Positions, node: u32) -> bool {
    let position = &positions.nodes[node as usize];
    position.is_leaf && position.machine != ROOT
}

/// The items, with each one that can only return replaced by what it returns to; `None` if there is
/// no such item.
fn return_at_once(
    positions: &Positions,
    (items, entries): (&[(u32, Origin)], &[NewEntry]),
    known: &impl KnownGotos,
    deadline: &Deadline,
) -> Result<Option<Vec<(u32, Origin)>>, Unknown> {
    let returns = |node: u32| only_returns(positions, node);
    if !items.iter().any(|item| returns(item.0)) {
        return Ok(None);
    }
    let mut stack = items.to_vec();
    let mut seen = Distinct::default();
    let mut out = Vec::new();
    let mut by_machine: Vec<NewEntry> = entries.to_vec();
    by_machine.sort_by_key(|entry| entry.machine);
    while let Some(item) = stack.pop() {
        if deadline.stops(DOING) {
            break;
        }
        if !seen.insert(item) {
            continue;
        }
        let (node, origin) = item;
        if !returns(node) {
            out.push(item);
            continue;
        }
        let machine = positions.nodes[node as usize].machine;
        match origin {
            Origin::New => {
                let from = by_machine.partition_point(|entry| entry.machine < machine);
                let of = by_machine[from..].iter();
                let of = of.take_while(|entry| entry.machine == machine);
                stack.extend(of.map(|entry| (entry.resume, entry.caller)));
            }
            Origin::Old(depth) if depth > positions.sharing.at_once() => out.push(item),
            Origin::Old(depth) => {
                let entries = returns_of(known.frame(depth)?, machine).iter();
                let below = |entry: &GotoEntry| match entry.depth {
                    SAME => depth,
                    under => depth + 1 + under,
                };
                stack.extend(entries.map(|entry| (entry.resume, Origin::Old(below(entry)))));
            }
        }
    }
    Ok(Some(out))
}

/// Items that share a stack.
struct ItemGroup {
    items: Vec<(u32, Origin)>,
    entries: Vec<NewEntry>,
}

impl ItemGroup {
    /// Splits the group until the depths in each part lie close together, always at the widest gap
    /// (of equal ones the deepest), and adds the parts.
    fn split(self, positions: &Positions, deadline: &Deadline, out: &mut Vec<ItemGroup>) {
        let group = self.trim(positions);
        if positions.sharing == Sharing::Apart {
            return group.part(positions, deadline, out);
        }
        let (least, most) = (group.depths().min(), group.depths().max());
        if most.unwrap_or(0) - least.unwrap_or(0) <= MAX_SPREAD {
            out.push(group);
            return;
        }
        let depths: BTreeSet<u8> = group.depths().collect();
        let depths: Vec<u8> = depths.into_iter().collect();
        let gaps = depths.windows(2).map(|pair| (pair[1] - pair[0], pair[1]));
        let Some((_, cut)) = gaps.max() else {
            out.push(group);
            return;
        };
        for deep in [false, true] {
            let keeps =
                |origin: Origin| matches!(origin, Origin::Old(depth) if (depth >= cut) == deep);
            let part = ItemGroup {
                items: group
                    .items
                    .iter()
                    .copied()
                    .filter(|i| i.1 == Origin::New || keeps(i.1))
                    .collect(),
                entries: (group.entries.iter().copied())
                    .filter(|e| e.caller == Origin::New || keeps(e.caller))
                    .collect(),
            };
            part.split(positions, deadline, out);
        }
    }

    /// Adds each item in its own group, once for each depth at which what it returns to may
    /// have been entered.
    fn part(self, positions: &Positions, deadline: &Deadline, out: &mut Vec<ItemGroup>) {
        let depths: BTreeSet<u8> = self.depths().collect();
        for item in self.items {
            let of = |depth| {
                // Each part has its own copy of the entries.
                if deadline.stops_after(self.entries.len(), DOING) {
                    return None;
                }
                let callers = self.entries.iter().copied();
                let is_one = |entry: &NewEntry| match entry.caller {
                    Origin::New => true,
                    Origin::Old(of) => of == depth,
                };
                let group = ItemGroup {
                    items: vec![item],
                    entries: callers.filter(is_one).collect(),
                };
                Some(group.trim(positions)).filter(|group| !group.items.is_empty())
            };
            match item.1 {
                Origin::New => out.extend(depths.iter().copied().filter_map(of)),
                Origin::Old(_) => out.push(ItemGroup {
                    items: vec![item],
                    entries: Vec::new(),
                }),
            }
        }
    }

    /// Depths on the old stack that are needed.
    fn depths(&self) -> impl Iterator<Item = u8> {
        let callers = self.entries.iter().map(|e| e.caller);
        let origins = self.items.iter().map(|i| i.1).chain(callers);
        origins.filter_map(|origin| match origin {
            Origin::Old(depth) => Some(depth),
            Origin::New => None,
        })
    }

    /// Drops new items whose machine no entry was made for, and entries that no item can return
    /// through.
    fn trim(mut self, positions: &Positions) -> ItemGroup {
        // All ends of a block are entered with it.
        let part_of = |machine: MachineId| positions.parts_of[machine.index()];
        let machine = |node: u32| part_of(positions.nodes[node as usize].machine);
        if self.entries.is_empty() {
            self.items.retain(|i| i.1 != Origin::New);
            return self;
        }
        let entered_at_once = self.entries.iter().filter(|e| e.caller == Origin::New);
        // From the machine that calls to the one that is called, and back.
        let mut calls: Vec<(MachineId, MachineId)> = entered_at_once
            .map(|e| (machine(e.resume), part_of(e.machine)))
            .collect();
        let from_outside = self
            .entries
            .iter()
            .filter(|e| e.caller != Origin::New)
            .map(|e| part_of(e.machine))
            .collect();
        calls.sort_unstable();
        let entered = reach(from_outside, &calls);
        self.items
            .retain(|i| i.1 != Origin::New || entered.contains(machine(i.0).index()));
        let live = self
            .items
            .iter()
            .filter(|i| i.1 == Origin::New)
            .map(|i| machine(i.0))
            .collect();
        let mut callers = calls;
        callers.iter_mut().for_each(|call| *call = (call.1, call.0));
        callers.sort_unstable();
        let needed = reach(live, &callers);
        self.entries.retain(|e| {
            needed.contains(part_of(e.machine).index())
                && (e.caller != Origin::New || entered.contains(machine(e.resume).index()))
        });
        self
    }

    fn finish(self, again: bool, tried: impl Fn(u32, u8) -> Tried) -> Option<Settled> {
        if self.items.is_empty() {
            return None;
        }
        let pop = self.depths().min().unwrap_or(0);
        let pushed = !self.entries.is_empty() as u8;
        let mut frame: Vec<GotoEntry> = (self.entries.iter())
            .map(|e| GotoEntry {
                machine: e.machine,
                resume: e.resume,
                depth: match e.caller {
                    Origin::New => SAME,
                    Origin::Old(depth) => depth - pop,
                },
            })
            .collect();
        frame.sort_unstable();
        frame.dedup();
        let mut items: Vec<Item> = (self.items.iter())
            .map(|&(node, origin)| Item {
                node,
                depth: match origin {
                    Origin::New => 0,
                    Origin::Old(depth) => depth - pop + pushed,
                },
                tried: match origin {
                    Origin::New => Tried::default(),
                    Origin::Old(depth) => tried(node, depth),
                },
            })
            .collect();
        items.sort_unstable();
        items.dedup();
        Some(Settled {
            pop,
            frame,
            items,
            again,
        })
    }
}

/// Everything that `links`, which ascend, lead to from `stack`.
fn reach(mut stack: Vec<MachineId>, links: &[(MachineId, MachineId)]) -> Bits {
    let mut seen = Bits::default();
    while let Some(m) = stack.pop() {
        if seen.insert(m.index()) {
            let from = links.partition_point(|link| link.0 < m);
            let of = links[from..].iter().take_while(|link| link.0 == m);
            stack.extend(of.map(|link| link.1));
        }
    }
    seen
}
