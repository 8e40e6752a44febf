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
use crate::pda::{Class, Pda, State, TreeId};

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

/// A class and a payload as they are in tables; those of rows ascend by class.
type Entry = u32;

fn class(entry: Entry) -> Class {
    (entry >> edge::CLASS_SHIFT) as Class
}

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
        let payload = |tree: TreeId| programs.payloads[tree as usize];
        entries.clear();
        entries.extend(all.map(|&(class, tree)| edge::entry(class, payload(tree))));
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
    let numbers = number(rows.iter().copied().flatten().copied());
    // How many of the rows to come have each entry, and which of those before might be parents for it.
    let mut left = vec![0u32; numbers.iter().max().map_or(0, |&most| most as usize + 1)];
    numbers.iter().for_each(|&entry| left[entry as usize] += 1);
    let mut having = Having::new(left.len());
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
            for candidate in having.of(entry) {
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
                    having.add(entry, at);
                }
            }
        }
    }
    Ok(parents)
}

/// For each entry the first few rows that have it.
struct Having {
    /// Of each entry how many there are, and the last one's place among all.
    of_entry: Vec<(usize, usize)>,
    /// Rows, and the place of the one before that has the same entry.
    all: Vec<(usize, usize)>,
}

impl Having {
    fn new(entries: usize) -> Self {
        Having {
            of_entry: vec![(0, 0); entries],
            all: Vec::new(),
        }
    }

    /// Adds a row, unless there are enough.
    fn add(&mut self, entry: u32, row: usize) {
        let (count, last) = &mut self.of_entry[entry as usize];
        if *count < CANDIDATES {
            self.all.push((row, *last));
            (*count, *last) = (*count + 1, self.all.len() - 1);
        }
    }

    /// The rows that have an entry.
    fn of(&self, entry: u32) -> impl Iterator<Item = usize> {
        let (count, mut next) = self.of_entry[entry as usize];
        (0..count).map(move |_| {
            let (row, before) = self.all[next];
            next = before;
            row
        })
    }
}

/// The entries of `row` that differ from those of `parent`; classes that only the parent has are refused.
fn difference(row: &[Entry], parent: &[Entry]) -> Vec<Entry> {
    let refused = |&lost: &Entry| edge::entry(class(lost), edge::REFUSE);
    let mut out = Vec::with_capacity(row.len());
    let mut parent = parent;
    for &entry in row {
        let before = parent
            .iter()
            .take_while(|&&other| class(other) < class(entry));
        let before = before.count();
        out.extend(parent[..before].iter().map(refused));
        parent = &parent[before..];
        match parent {
            [other, others @ ..] if class(*other) == class(entry) => {
                parent = others;
                if *other != entry {
                    out.push(entry);
                }
            }
            _ => out.push(entry),
        }
    }
    out.extend(parent.iter().map(refused));
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
        classes: Vec::new(),
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
    /// The classes of the row being laid.
    classes: Vec<Class>,
    /// The classes of rows, and where none of the same fits before: entries and bases are only ever taken, never given back.
    shapes: Sequences<Class>,
    from: Vec<usize>,
}

impl Overlay {
    /// Lays a row, which has entries, at the first base where it fits.
    fn lay(&mut self, row: &[Entry]) -> usize {
        self.first_unused = self.used.first_free(self.first_unused);
        self.classes.clear();
        self.classes.extend(row.iter().map(|&entry| class(entry)));
        let (lead, last) = (class(row[0]) as usize, class(row[row.len() - 1]) as usize);
        let shape = self.shapes.intern(&self.classes) as usize;
        self.from.resize(self.shapes.len(), 0);
        let mut base = self.first_unused.saturating_sub(lead).max(self.from[shape]);
        // Sixty-four bases at a time: a bit for each at which the row collides.
        let base = loop {
            let used = row
                .iter()
                .map(|&entry| self.used.window(base + class(entry) as usize));
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
        for &entry in row {
            let place = base + class(entry) as usize;
            self.edges[place] = entry;
            self.used.take(place);
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
