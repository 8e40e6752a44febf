//! Which points can be finished, given what can be finished behind the terminals.
//!
//! In: the terminals that compete, and the signals behind which a text can be finished. Out:
//! [`DeadPoints`]: the points among those that can be reached at which it cannot.
//!
//! A point at which a terminal ends whatever follows is not among them: the product takes its
//! symbol with the byte that leads there, by the parser's edge, which looks at the stack itself.

use std::collections::BTreeSet;

use super::super::lexemes::{GhostId, Lexemes, PointId, StartId};
use super::DOING;
use super::graph::Signal;
use crate::bits::Bits;
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded};
use crate::maps::own_keys;

/// What cannot be finished in a state, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct DeadPoints {
    /// Points within terminals that do not end there whatever follows.
    pub(super) within: Vec<PointId>,
    /// What a text has left behind, between two terminals.
    pub(super) between: Vec<GhostId>,
}

own_keys!(DeadPoints);

/// The points that can be reached after a start.
pub(super) struct StartPoints {
    points: Vec<PointId>,
    /// For each point whether a terminal ends there whatever follows.
    ends_at_once: Vec<bool>,
    /// What a text may have left behind.
    ghosts: Vec<(GhostId, Between)>,
    /// For each point those that lead to it, by place.
    before: Vec<Vec<u32>>,
    /// For each point the signals of the terminals that end there.
    ends: Vec<Vec<Signal>>,
    /// The signals of ignored terminals.
    stays: Vec<(Signal, Between)>,
}

/// What can come between two terminals.
struct Between {
    /// The places of the points at which a terminal begins.
    firsts: Vec<u32>,
    /// Whether the text may end.
    at_end: bool,
}

impl Between {
    /// Whether a text can be finished, given the live places and whether its end can come at all.
    fn goes_on(&self, live: &Bits, may_end: bool) -> bool {
        let is_live = |&place: &u32| live.contains(place as usize);
        self.at_end && may_end || self.firsts.iter().any(is_live)
    }
}

impl StartPoints {
    /// The points behind these ghosts.
    pub(super) fn new(
        start: StartId,
        ghosts: &BTreeSet<GhostId>,
        lexemes: &mut Lexemes<'_>,
        deadline: &Deadline,
    ) -> Result<Self, LimitExceeded> {
        let mut met: Interner<PointId> = Interner::new();
        let of_ghost = |&ghost: &GhostId| (ghost, between(start, ghost, lexemes, &mut met));
        let ghosts = ghosts.iter().map(of_ghost).collect();
        let mut all = StartPoints {
            points: Vec::new(),
            ends_at_once: Vec::new(),
            ghosts,
            before: vec![Vec::new(); met.values.len()],
            ends: Vec::new(),
            stays: Vec::new(),
        };
        while let Some(&point) = met.values.get(all.ends.len()) {
            let place = all.ends.len() as u32;
            let steps = lexemes.steps(point)?;
            deadline.ticks(1 + steps.longer.len(), DOING)?;
            let (scan, _) = lexemes.of_point(point);
            all.ends_at_once.push(lexemes.ends_at_once(scan).is_some());
            for &longer in &steps.longer {
                let to = met.intern(longer) as usize;
                all.before.resize_with(met.values.len(), Vec::new);
                all.before[to].push(place);
            }
            let mut signals = Vec::new();
            for &(ended, ghost) in &steps.ends {
                if let Some(symbol) = lexemes.symbol(start, ended) {
                    let symbol = Some(symbol);
                    signals.push(Signal { symbol, ghost });
                }
                if lexemes.has_ignored(ended) {
                    let signal = Signal {
                        symbol: None,
                        ghost,
                    };
                    signals.push(signal);
                    if !all.stays.iter().any(|stay| stay.0 == signal) {
                        let between = between(start, ghost, lexemes, &mut met);
                        all.before.resize_with(met.values.len(), Vec::new);
                        all.stays.push((signal, between));
                    }
                }
            }
            all.ends.push(signals);
        }
        all.points = met.values;
        Ok(all)
    }

    /// The number of points.
    pub(super) fn len(&self) -> usize {
        self.points.len()
    }

    /// What cannot be finished where these signals can come.
    pub(super) fn dead(&self, signals: &BTreeSet<Signal>, may_end: bool) -> DeadPoints {
        let mut live = Bits::default();
        let mut due: Vec<u32> = Vec::new();
        let mut open: Vec<bool> = vec![true; self.stays.len()];
        let is_live = |signal: &Signal| signal.symbol.is_some() && signals.contains(signal);
        for (place, ends) in self.ends.iter().enumerate() {
            if ends.iter().any(is_live) && live.insert(place) {
                due.push(place as u32);
            }
        }
        loop {
            while let Some(place) = due.pop() {
                for &before in &self.before[place as usize] {
                    if live.insert(before as usize) {
                        due.push(before);
                    }
                }
            }
            for (at, (signal, between)) in self.stays.iter().enumerate() {
                if open[at] && between.goes_on(&live, may_end) {
                    open[at] = false;
                    for (place, ends) in self.ends.iter().enumerate() {
                        if ends.contains(signal) && live.insert(place) {
                            due.push(place as u32);
                        }
                    }
                }
            }
            if due.is_empty() {
                break;
            }
        }
        let places = 0..self.points.len();
        let is_dead = |&place: &usize| !live.contains(place) && !self.ends_at_once[place];
        let within = places.filter(is_dead).map(|place| self.points[place]);
        let is_dead = |of: &&(GhostId, Between)| !of.1.goes_on(&live, may_end);
        let between = self.ghosts.iter().filter(is_dead).map(|of| of.0);
        let mut dead = DeadPoints {
            within: within.collect(),
            between: between.collect(),
        };
        dead.within.sort_unstable();
        dead
    }
}

/// What can come after a ghost.
fn between(
    start: StartId,
    ghost: GhostId,
    lexemes: &mut Lexemes<'_>,
    met: &mut Interner<PointId>,
) -> Between {
    let ghost = lexemes.of_ghost(ghost);
    let mut all = Vec::new();
    for &(class, behind) in ghost.next.iter() {
        if let Some(point) = lexemes.first(start, class, behind) {
            all.push(met.intern(point));
        }
    }
    all.sort_unstable();
    all.dedup();
    Between {
        firsts: all,
        at_end: ghost.at_end,
    }
}
