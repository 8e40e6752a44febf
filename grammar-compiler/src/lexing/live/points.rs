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
    /// What a text may have left behind: the points at which a terminal begins then, and whether
    /// the text may end.
    ghosts: Vec<(GhostId, Vec<u32>, bool)>,
    /// For each point those that lead to it, by place.
    before: Vec<Vec<u32>>,
    /// For each point the signals of the terminals that end there.
    ends: Vec<Vec<Signal>>,
    /// The signals of ignored terminals: the points at which another terminal begins then, and
    /// whether the text may end.
    stays: Vec<(Signal, Vec<u32>, bool)>,
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
        let of_ghost = |&ghost: &GhostId| {
            let to = firsts(start, ghost, lexemes, &mut met);
            (ghost, to, lexemes.of_ghost(ghost).at_end)
        };
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
                        let to = firsts(start, ghost, lexemes, &mut met);
                        all.before.resize_with(met.values.len(), Vec::new);
                        let may_end = lexemes.of_ghost(ghost).at_end;
                        all.stays.push((signal, to, may_end));
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
            for (at, (signal, to, at_end)) in self.stays.iter().enumerate() {
                let ends = *at_end && may_end;
                let goes_on = ends || to.iter().any(|&place| live.contains(place as usize));
                if open[at] && goes_on {
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
        let is_dead = |(_, to, at_end): &&(GhostId, Vec<u32>, bool)| {
            let goes_on = to.iter().any(|&place| live.contains(place as usize));
            !(goes_on || *at_end && may_end)
        };
        let between = self.ghosts.iter().filter(is_dead).map(|of| of.0);
        let mut dead = DeadPoints {
            within: within.collect(),
            between: between.collect(),
        };
        dead.within.sort_unstable();
        dead
    }
}

/// The places of the points at which terminals begin after a ghost.
fn firsts(
    start: StartId,
    ghost: GhostId,
    lexemes: &mut Lexemes<'_>,
    met: &mut Interner<PointId>,
) -> Vec<u32> {
    let mut all = Vec::new();
    for &(class, behind) in lexemes.of_ghost(ghost).next.iter() {
        if let Some(point) = lexemes.first(start, class, behind) {
            all.push(met.intern(point));
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}
