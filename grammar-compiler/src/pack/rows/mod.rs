//! Rows of edges, overlaid.
//!
//! In: the edges of a [`Pda`]. Out: [`Rows`], whose entries name trees; where these lie is not
//! known yet ([`Rows::edges`]), so that rows can be laid out while masks are computed. First come
//! [`DistinctRows`]: equal rows are kept once, and a row much like another keeps only what differs
//! and names the other as its parent ([`parents`]). Classes that a row does not tell apart become
//! one ([`meta_classes`]). The rows are then laid over each other where their entries do not
//! collide ([`overlay`]).

mod class_set;
mod entries;
mod meta_classes;
mod overlay;
mod parents;
#[cfg(test)]
mod tests;

use maskwright_core::layout::{edge, state};

use self::entries::{EMPTY, RowEntry, TARGET, class, entry, target};
use super::limit::too_large;
use super::programs::Programs;
use crate::intern::Sequences;
use crate::limits::{Deadline, LimitExceeded};
use crate::pda::{Class, Pda, State, StateId, reorder};

/// Rows laid over each other.
#[derive(Debug)]
pub struct Rows {
    /// The overlaid entries.
    entries: Vec<RowEntry>,
    /// The row of each state.
    pub of_state: Vec<StateRow>,
    /// The meta-class maps, one after the other: for each class the class that it is taken as.
    pub maps: Vec<u8>,
}

/// Where a state's row lies, and the map that it is read through: [`state::row`].
#[derive(Clone, Copy, Debug)]
pub struct StateRow {
    /// Its own.
    pub base: u32,
    /// Its parent.
    pub parent: Option<u32>,
}

/// The rows of all states, equal ones once, and their parents.
pub struct DistinctRows {
    rows: Sequences<RowEntry>,
    /// The row of each state.
    of_state: Vec<u32>,
    /// For each row the one that it is stored as a difference to.
    parents: Vec<Option<usize>>,
    classes: Class,
}

/// Finds the distinct rows, and chooses parents.
pub fn distinct_rows(pda: &Pda, deadline: &Deadline) -> Result<DistinctRows, LimitExceeded> {
    if pda.states.len() >= edge::PAYLOAD as usize {
        return Err(too_large("states", edge::PAYLOAD as usize));
    }
    if pda.trees.len() >= TARGET as usize {
        return Err(too_large("edges", TARGET as usize));
    }
    let mut rows: Sequences<RowEntry> = Sequences::with_capacity(pda.states.len());
    let mut entries = Vec::new();
    let of_state = |state: &State| {
        entries.clear();
        let all = state.edges.iter();
        entries.extend(all.map(|&(class, tree)| entry(class, tree.number() + 1)));
        rows.intern(&entries)
    };
    let of_state = pda.states.iter().map(of_state).collect();
    let parents = parents::choose(&rows.iter().collect::<Vec<_>>(), deadline)?;
    Ok(DistinctRows {
        rows,
        of_state,
        parents,
        classes: pda.classes.count,
    })
}

impl DistinctRows {
    /// Lays the rows over each other.
    pub fn lay_out(&self, deadline: &Deadline) -> Result<Rows, LimitExceeded> {
        let rows: Vec<&[RowEntry]> = self.rows.iter().collect();
        let own = meta_classes::choose(&rows, &self.parents, self.classes, deadline)?;
        let (entries, bases) = overlay::overlay(&own.rows, deadline)?;
        let place = |row: usize| state::row(bases[row], own.rows[row].map as u8);
        let record = |&row: &u32| StateRow {
            base: place(row as usize),
            parent: own.rows[row as usize].parent.map(place),
        };
        Ok(Rows {
            of_state: self.of_state.iter().map(record).collect(),
            entries,
            maps: own.maps.concat(),
        })
    }
}

impl Rows {
    /// Renumbers the states.
    pub fn number_states(&mut self, number: &[StateId]) {
        reorder(&mut self.of_state, number);
    }

    /// The entries as tables have them, once it is known where the programs of trees lie.
    pub fn edges(&self, programs: &Programs) -> Vec<u32> {
        let packed = |&of: &RowEntry| match target(of).checked_sub(1) {
            _ if of == EMPTY => edge::EMPTY,
            None => edge::entry(class(of), edge::REFUSE),
            Some(tree) => edge::entry(class(of), programs.payloads[tree as usize]),
        };
        self.entries.iter().map(packed).collect()
    }
}
