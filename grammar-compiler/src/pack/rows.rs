//! Rows of edges, overlaid.
//!
//! In: the edges of a [`Pda`] and their payloads. Out: [`Rows`]. Equal rows are kept once. A row much like another
//! keeps only what differs and names the other as its parent. The rows are then laid over each other where
//! their entries do not collide (row displacement, after Tarjan and Yao, *Storing a sparse table*, 1979); since
//! no two rows share a base, the class in an entry tells whose it is.

use rustc_hash::FxHashMap as HashMap;

use maskwright_core::layout::{edge, state};

use super::programs::Programs;
use super::too_large;
use crate::limits::{Deadline, LimitExceeded};
use crate::pda::{Class, Pda};

/// Packed rows.
pub struct Rows {
    /// The overlaid entries.
    pub edges: Vec<u32>,
    /// The row of each state.
    pub of_state: Vec<Row>,
}

/// Where a state's row lies.
#[derive(Clone, Copy)]
pub struct Row {
    /// Its base.
    pub base: u32,
    /// The base of its parent, or `NO_PARENT`.
    pub parent: u32,
}

/// The entries of a row: class and payload, ascending by class.
type Entries = Vec<(Class, u32)>;

/// How many rows with an entry in common are compared before a parent is chosen.
const CANDIDATES: usize = 16;

/// Packs the rows of all states.
pub fn pack(pda: &Pda, programs: &Programs, deadline: &Deadline) -> Result<Rows, LimitExceeded> {
    if pda.states.len() >= edge::PAYLOAD as usize {
        return Err(too_large("states", edge::PAYLOAD as usize));
    }
    let mut rows: Vec<Entries> = Vec::new();
    let mut ids: HashMap<Entries, usize> = HashMap::default();
    let mut row_of = Vec::with_capacity(pda.states.len());
    for state in &pda.states {
        let entries: Entries = state
            .edges
            .iter()
            .map(|&(c, tree)| (c, programs.payload(pda, tree)))
            .collect();
        let next = rows.len();
        let id = *ids.entry(entries.clone()).or_insert(next);
        if id == next {
            rows.push(entries);
        }
        row_of.push(id);
    }
    let parents = choose_parents(&rows, deadline)?;
    let own: Vec<Entries> = (rows.iter().zip(&parents))
        .map(|(row, parent)| parent.map_or(row.clone(), |p| difference(row, &rows[p])))
        .collect();
    let (edges, bases) = overlay(&own, deadline)?;
    let record = |&row: &usize| Row {
        base: bases[row],
        parent: parents[row].map_or(state::NO_PARENT, |p| bases[p]),
    };
    Ok(Rows {
        of_state: row_of.iter().map(record).collect(),
        edges,
    })
}

/// For each row the earlier one without a parent that it shares most with, where that saves something.
fn choose_parents(
    rows: &[Entries],
    deadline: &Deadline,
) -> Result<Vec<Option<usize>>, LimitExceeded> {
    let mut by_entry: HashMap<(Class, u32), Vec<usize>> = HashMap::default();
    let mut parents = vec![None; rows.len()];
    // Entries that each row has in common with the one looked at, and the rows that have any.
    let (mut votes, mut voted) = (vec![0usize; rows.len()], Vec::new());
    for (at, row) in rows.iter().enumerate() {
        if at % 1024 == 1023 {
            deadline.check("packing rows")?;
        }
        for entry in row {
            for &candidate in by_entry.get(entry).map_or(&[][..], Vec::as_slice) {
                if votes[candidate] == 0 {
                    voted.push(candidate);
                }
                votes[candidate] += 1;
            }
        }
        let cost = |candidate: usize, shared: usize| row.len() + rows[candidate].len() - 2 * shared;
        let voted = voted.drain(..);
        let best = voted
            .map(|c| (cost(c, std::mem::take(&mut votes[c])), c))
            .min();
        match best {
            // A difference of nothing would share its base with others like it: rows are distinct, so it is not.
            Some((cost, candidate)) if cost + 1 < row.len() => parents[at] = Some(candidate),
            _ => {
                for entry in row {
                    let list = by_entry.entry(*entry).or_default();
                    if list.len() < CANDIDATES {
                        list.push(at);
                    }
                }
            }
        }
    }
    Ok(parents)
}

/// The entries of `row` that differ from those of `parent`; classes that only the parent has are refused.
fn difference(row: &Entries, parent: &Entries) -> Entries {
    let mut out: Entries = row
        .iter()
        .copied()
        .filter(|e| parent.binary_search(e).is_err())
        .collect();
    let has = |class: Class| row.binary_search_by_key(&class, |e| e.0).is_ok();
    out.extend(
        parent
            .iter()
            .filter(|e| !has(e.0))
            .map(|e| (e.0, edge::REFUSE)),
    );
    out.sort_unstable();
    out
}

/// Lays rows over each other, the longest first, each at the first base where it fits.
fn overlay(rows: &[Entries], deadline: &Deadline) -> Result<(Vec<u32>, Vec<u32>), LimitExceeded> {
    let mut order: Vec<usize> = (0..rows.len()).filter(|&r| !rows[r].is_empty()).collect();
    order.sort_by_key(|&r| (std::cmp::Reverse(rows[r].len()), r));
    let mut edges: Vec<u32> = Vec::new();
    let mut bases = vec![0u32; rows.len()];
    let mut taken: Vec<bool> = Vec::new();
    let mut first_free = 0usize;
    let mut tries = 0usize;
    // Where no row of these classes fits before: entries and bases are only ever taken, never given back.
    let mut from: HashMap<Vec<Class>, usize> = HashMap::default();
    for &row in &order {
        let entries = &rows[row];
        while edges.get(first_free).is_some_and(|&e| e != edge::EMPTY) {
            first_free += 1;
        }
        let lead = entries[0].0 as usize;
        let from = from
            .entry(entries.iter().map(|e| e.0).collect())
            .or_default();
        let mut base = first_free.saturating_sub(lead).max(*from);
        let fits = |base: usize, taken: &[bool]| {
            !taken.get(base).copied().unwrap_or_default()
                && entries.iter().all(|e| {
                    edges
                        .get(base + e.0 as usize)
                        .is_none_or(|&e| e == edge::EMPTY)
                })
        };
        while !fits(base, &taken) {
            base += 1;
            tries += 1;
            if tries.is_multiple_of(4096) {
                deadline.check("packing rows")?;
            }
        }
        let end = base + entries[entries.len() - 1].0 as usize + 1;
        if end > edges.len() {
            edges.resize(end, edge::EMPTY);
        }
        for &(class, payload) in entries {
            edges[base + class as usize] = edge::entry(class, payload);
        }
        if base >= taken.len() {
            taken.resize(base + 1, false);
        }
        taken[base] = true;
        *from = base + 1;
        bases[row] = base as u32;
    }
    let end = u32::try_from(edges.len()).map_err(|_| too_large("edges", u32::MAX as usize))?;
    (0..rows.len())
        .filter(|&r| rows[r].is_empty())
        .for_each(|r| bases[r] = end);
    Ok((edges, bases))
}
