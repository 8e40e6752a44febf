//! Rows of edges, overlaid.
//!
//! In: the edges of a [`Pda`] and their payloads. Out: [`Rows`]. Equal rows are kept once. A row much like another
//! keeps only what differs and names the other as its parent ([`parents`]). Classes that it does not tell apart are one ([`coarse`]). The rows are then
//! laid over each other where their entries do not collide ([`overlay`]).

mod class_set;
mod coarse;
mod overlay;
mod parents;
#[cfg(test)]
mod tests;

use maskwright_core::layout::{edge, state};

use super::programs::Programs;
use super::too_large;
use crate::intern::Sequences;
use crate::limits::{Deadline, LimitExceeded};
use crate::pda::{Class, Pda, State, TreeId};

/// Packed rows.
pub struct Rows {
    /// The overlaid entries.
    pub edges: Vec<u32>,
    /// The row of each state.
    pub of_state: Vec<Row>,
    /// The coarse maps, one after the other: of each the class that each class is taken as.
    pub maps: Vec<u8>,
}

/// Where a state's row lies, and the map that it is read through: [`state::row`].
#[derive(Clone, Copy)]
pub struct Row {
    /// Its own.
    pub base: u32,
    /// Its parent, or `NO_PARENT`.
    pub parent: u32,
}

/// A class and a payload as they are in tables; those of rows ascend by class.
type Entry = u32;

fn class(entry: Entry) -> Class {
    (entry >> edge::CLASS_SHIFT) as Class
}

/// The payload of an entry, and whether it is a program.
fn payload(entry: Entry) -> u32 {
    entry & (edge::PAYLOAD | edge::PROGRAM)
}

/// Packs the rows of all states.
pub fn pack(pda: &Pda, programs: &Programs, deadline: &Deadline) -> Result<Rows, LimitExceeded> {
    if pda.states.len() >= edge::PAYLOAD as usize {
        return Err(too_large("states", edge::PAYLOAD as usize));
    }
    let mut rows: Sequences<Entry> = Sequences::new();
    let mut entries = Vec::new();
    let of_state = |state: &State| {
        let all = state.edges.iter();
        let payload = |tree: TreeId| programs.payloads[tree as usize];
        entries.clear();
        entries.extend(all.map(|&(class, tree)| edge::entry(class, payload(tree))));
        rows.intern(&entries)
    };
    let row_of: Vec<u32> = pda.states.iter().map(of_state).collect();
    let rows: Vec<&[Entry]> = rows.iter().collect();
    let parents = parents::choose(&rows, deadline)?;
    let own = coarse::choose(&rows, &parents, pda.classes.count);
    let (edges, bases) = overlay::overlay(&own.rows, deadline)?;
    let place = |row: usize| state::row(bases[row], own.rows[row].map as u8);
    let record = |&row: &u32| Row {
        base: place(row as usize),
        parent: own.rows[row as usize]
            .parent
            .map_or(state::NO_PARENT, place),
    };
    Ok(Rows {
        of_state: row_of.iter().map(record).collect(),
        edges,
        maps: own.maps.concat(),
    })
}
