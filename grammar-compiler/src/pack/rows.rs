//! Rows of edges, overlaid.
//!
//! In: the edges of a [`Pda`] and their payloads. Out: [`Rows`]. Equal rows are kept once. A row much like another
//! keeps only what differs and names the other as its parent. The rows are then laid over each other where
//! their entries do not collide (row displacement, after Tarjan and Yao, *Storing a sparse table*, 1979); since
//! no two rows share a base, the class in an entry tells whose it is.

use std::borrow::Cow;

use maskwright_core::layout::{edge, state};

use super::programs::Programs;
use super::too_large;
use crate::intern::{Sequences, number};
use crate::limits::{Deadline, LimitExceeded};
use crate::pda::{Class, Pda, State};

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

/// Class and payload.
type Entry = (Class, u32);

/// How many rows with an entry in common are compared before a parent is chosen.
const CANDIDATES: usize = 16;

/// Packs the rows of all states.
pub fn pack(pda: &Pda, programs: &Programs, deadline: &Deadline) -> Result<Rows, LimitExceeded> {
    if pda.states.len() >= edge::PAYLOAD as usize {
        return Err(too_large("states", edge::PAYLOAD as usize));
    }
    let mut rows: Sequences<Entry> = Sequences::new();
    let mut entries = Vec::new();
    let of_state = |state: &State| {
        let all = state.edges.iter();
        entries.clear();
        entries.extend(all.map(|&(class, tree)| (class, programs.payload(pda, tree))));
        rows.intern(&entries)
    };
    let row_of: Vec<u32> = pda.states.iter().map(of_state).collect();
    let rows: Vec<&[Entry]> = (0..rows.len() as u32).map(|row| rows.get(row)).collect();
    let parents = choose_parents(&rows, deadline)?;
    let own: Vec<Cow<[Entry]>> = (rows.iter().zip(&parents))
        .map(|(row, parent)| match parent {
            Some(parent) => Cow::from(difference(row, rows[*parent])),
            None => Cow::from(*row),
        })
        .collect();
    let (edges, bases) = overlay(&own, deadline)?;
    let record = |&row: &u32| Row {
        base: bases[row as usize],
        parent: parents[row as usize].map_or(state::NO_PARENT, |parent| bases[parent]),
    };
    Ok(Rows {
        of_state: row_of.iter().map(record).collect(),
        edges,
    })
}

/// For each row the earlier one without a parent that it shares most with, where that saves something.
fn choose_parents(
    rows: &[&[Entry]],
    deadline: &Deadline,
) -> Result<Vec<Option<usize>>, LimitExceeded> {
    let numbers = number(rows.iter().copied().flatten());
    // How many of the rows to come have each entry, and which of those before might be parents for it.
    let mut left = vec![0u32; numbers.iter().max().map_or(0, |&most| most as usize + 1)];
    numbers.iter().for_each(|&entry| left[entry as usize] += 1);
    let mut having: Vec<Vec<usize>> = vec![Vec::new(); left.len()];
    let mut parents = vec![None; rows.len()];
    // Entries that each row has in common with the one looked at, and the rows that have any.
    let (mut votes, mut voted) = (vec![0usize; rows.len()], Vec::new());
    let mut numbers = &numbers[..];
    for (at, row) in rows.iter().enumerate() {
        if at % 1024 == 1023 {
            deadline.check("packing rows")?;
        }
        let (entries, others) = numbers.split_at(row.len());
        numbers = others;
        for &entry in entries {
            left[entry as usize] -= 1;
            for &candidate in &having[entry as usize] {
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
                for &entry in entries.iter().filter(|&&entry| left[entry as usize] > 0) {
                    let list = &mut having[entry as usize];
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
fn difference(row: &[Entry], parent: &[Entry]) -> Vec<Entry> {
    let mut out = Vec::new();
    let mut parent = parent.iter().copied().peekable();
    for &(class, payload) in row {
        while let Some((lost, _)) = parent.next_if(|other| other.0 < class) {
            out.push((lost, edge::REFUSE));
        }
        if parent.next_if(|other| other.0 == class) != Some((class, payload)) {
            out.push((class, payload));
        }
    }
    out.extend(parent.map(|(lost, _)| (lost, edge::REFUSE)));
    out
}

/// Lays rows over each other, the longest first; returns the entries and the base of each row.
fn overlay(
    rows: &[Cow<[Entry]>],
    deadline: &Deadline,
) -> Result<(Vec<u32>, Vec<u32>), LimitExceeded> {
    let mut order: Vec<usize> = (0..rows.len()).filter(|&r| !rows[r].is_empty()).collect();
    order.sort_by_key(|&r| (std::cmp::Reverse(rows[r].len()), r));
    let mut overlay = Overlay {
        edges: Vec::new(),
        used: Places::default(),
        first_unused: 0,
        bases: Places::default(),
        shapes: Sequences::new(),
        from: Vec::new(),
    };
    let mut bases = vec![0u32; rows.len()];
    for (at, &row) in order.iter().enumerate() {
        if at % 256 == 255 {
            deadline.check("packing rows")?;
        }
        bases[row] = overlay.lay(&rows[row]) as u32;
    }
    let edges = overlay.edges;
    let end = u32::try_from(edges.len()).map_err(|_| too_large("edges", u32::MAX as usize))?;
    (0..rows.len())
        .filter(|&r| rows[r].is_empty())
        .for_each(|r| bases[r] = end);
    Ok((edges, bases))
}

/// Rows laid over each other so far.
struct Overlay {
    edges: Vec<u32>,
    /// Where there are entries.
    used: Places,
    first_unused: usize,
    /// The bases of rows.
    bases: Places,
    /// The classes of rows, and where none of the same fits before: entries and bases are only ever taken, never given back.
    shapes: Sequences<Class>,
    from: Vec<usize>,
}

impl Overlay {
    /// Lays a row, which has entries, at the first base where it fits.
    fn lay(&mut self, row: &[Entry]) -> usize {
        self.first_unused = self.used.first_free(self.first_unused);
        let classes: Vec<Class> = row.iter().map(|entry| entry.0).collect();
        let (lead, last) = (classes[0] as usize, classes[classes.len() - 1] as usize);
        let shape = self.shapes.intern(&classes) as usize;
        self.from.resize(self.shapes.len(), 0);
        let mut base = self.first_unused.saturating_sub(lead).max(self.from[shape]);
        // Sixty-four bases at a time: a bit for each at which the row collides.
        let base = loop {
            let used = row
                .iter()
                .map(|entry| self.used.window(base + entry.0 as usize));
            match used.fold(self.bases.window(base), |all, used| all | used) {
                u64::MAX => base += 64,
                collides => break base + collides.trailing_ones() as usize,
            }
        };
        self.from[shape] = base + 1;
        self.bases.take(base);
        if base + last >= self.edges.len() {
            self.edges.resize(base + last + 1, edge::EMPTY);
        }
        for &(class, payload) in row {
            self.edges[base + class as usize] = edge::entry(class, payload);
            self.used.take(base + class as usize);
        }
        base
    }
}

/// Which places are taken, a bit each; after the last word all are free.
#[derive(Default)]
struct Places(Vec<u64>);

impl Places {
    fn take(&mut self, place: usize) {
        let word = place / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (place % 64);
    }

    /// The bits of 64 places.
    fn window(&self, first: usize) -> u64 {
        let word = |at: usize| self.0.get(at).copied().unwrap_or_default();
        let (low, high) = (word(first / 64), word(first / 64 + 1));
        match first % 64 {
            0 => low,
            shift => low >> shift | high << (64 - shift),
        }
    }

    /// The first place that is free, if those before `from` are not.
    fn first_free(&self, from: usize) -> usize {
        let words = self.0.get(from / 64..).unwrap_or_default();
        let full = words.iter().take_while(|&&word| word == u64::MAX).count();
        let word = from / 64 + full;
        word * 64 + self.window(word * 64).trailing_ones() as usize
    }
}
