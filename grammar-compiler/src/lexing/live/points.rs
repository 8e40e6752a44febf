//! Which points can be finished, given what can be finished behind the terminals.
//!
//! In: the terminals that compete, and the signals behind which a text can be finished. Out: the
//! points among those that can be reached at which it cannot.

use std::collections::BTreeSet;

use super::super::lexemes::{GhostId, Lexemes, PointId, StartId};
use super::DOING;
use super::graph::Signal;
use crate::bits::Bits;
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded};

/// The points that can be reached after a start.
pub(super) struct StartPoints {
    points: Vec<PointId>,
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
        for &ghost in ghosts {
            firsts(start, ghost, lexemes, &mut met);
        }
        let mut all = StartPoints {
            points: Vec::new(),
            before: vec![Vec::new(); met.values.len()],
            ends: Vec::new(),
            stays: Vec::new(),
        };
        while let Some(&point) = met.values.get(all.ends.len()) {
            let place = all.ends.len() as u32;
            let steps = lexemes.steps(point)?;
            deadline.ticks(1 + steps.longer.len(), DOING)?;
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

    /// The points that cannot be finished, ascending, where these signals can come.
    pub(super) fn dead(&self, signals: &BTreeSet<Signal>, may_end: bool) -> Vec<PointId> {
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
        let places = (0..self.points.len()).filter(|&place| !live.contains(place));
        let mut dead: Vec<PointId> = places.map(|place| self.points[place]).collect();
        dead.sort_unstable();
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
