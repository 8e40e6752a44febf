//! Rows laid over each other (row displacement, after Tarjan and Yao, *Storing a sparse table*,
//! 1979).
//!
//! In: rows of entries. Out: all entries, and where each row begins. What holds after: no two rows
//! that have entries begin at the same place, so the class in an entry tells whose it is.
//!
//! Worth (`docs/ablation.md`): rows laid end to end make tables 52 % larger at the median.

use maskwright_core::layout::state::ROW_OFFSET;

use super::super::limit::too_large;
use super::entries::{EMPTY, RowEntry, class};
use super::meta_classes::OwnRow;
use crate::intern::Sequences;
use crate::limits::{Deadline, LimitExceeded};
use crate::pda::Class;

/// Lays rows over each other, the longest first; returns the entries and the base of each row.
pub fn overlay(
    rows: &[OwnRow],
    deadline: &Deadline,
) -> Result<(Vec<RowEntry>, Vec<u32>), LimitExceeded> {
    let mut order: Vec<usize> = (0..rows.len())
        .filter(|&r| !rows[r].entries.is_empty())
        .collect();
    order.sort_by_key(|&r| (std::cmp::Reverse(rows[r].entries.len()), r));
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
        bases[row] = overlay.lay(&rows[row].entries) as u32;
    }
    let edges = overlay.edges;
    let end = u32::try_from(edges.len())
        .ok()
        .filter(|&end| end <= ROW_OFFSET);
    let end = end.ok_or_else(|| too_large("edges", ROW_OFFSET as usize))?;
    (0..rows.len())
        .filter(|&r| rows[r].entries.is_empty())
        .for_each(|r| bases[r] = end);
    Ok((edges, bases))
}

/// Rows laid over each other so far.
struct Overlay {
    edges: Vec<RowEntry>,
    /// Where there are entries.
    used: Places,
    first_unused: usize,
    /// The bases of rows.
    bases: Places,
    /// The classes of the row being laid.
    classes: Vec<Class>,
    /// For the classes of each row laid so far a base before which no row with the same classes
    /// fits; places are only taken, never given back.
    shapes: Sequences<Class>,
    from: Vec<usize>,
}

impl Overlay {
    /// Lays a row, which has entries, at the first base where it fits.
    fn lay(&mut self, row: &[RowEntry]) -> usize {
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
            self.edges.resize(base + last + 1, EMPTY);
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
