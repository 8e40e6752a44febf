//! Earley's algorithm: one set of items a byte, used as a stack.
//!
//! In: a reduced [`Cfg`]. [`Chart::push`] adds the set after one more byte, [`Chart::pop`] takes it
//! back, so a trie of tokens is walked without redoing common prefixes. Nullable nonterminals are
//! stepped over when they are predicted (Aycock and Horspool 2002), so that one pass a set is
//! enough.

use super::cfg::{Cfg, Next};

/// A slot and the index of the set in which its production began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Item {
    slot: u32,
    origin: u32,
}

/// What a finished set is asked for: items before a byte, and items before a nonterminal.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    scans: usize,
    waits: usize,
    complete: bool,
}

/// The sets after each byte of a prefix.
#[derive(Clone, Debug)]
pub struct Chart<'g> {
    cfg: &'g Cfg,
    /// Items before a byte set, of all sets in order.
    scans: Vec<(u32, Item)>,
    /// Items before a nonterminal, of all sets in order, ascending by nonterminal within a set.
    waits: Vec<(u32, Item)>,
    /// Where each set ends in `scans` and `waits`.
    ends: Vec<Bounds>,
    work: Work,
}

/// The set under construction.
#[derive(Clone, Debug)]
struct Work {
    items: Vec<Item>,
    /// For each item the previous one with its slot, or `NONE`.
    previous: Vec<u32>,
    /// For each slot the last item with it, or `NONE`.
    last: Vec<u32>,
    predicted: Vec<bool>,
}

const NONE: u32 = u32::MAX;

impl Work {
    fn add(&mut self, item: Item) {
        let head = self.last[item.slot as usize];
        let mut at = head;
        while at != NONE {
            if self.items[at as usize].origin == item.origin {
                return;
            }
            at = self.previous[at as usize];
        }
        self.last[item.slot as usize] = self.items.len() as u32;
        self.items.push(item);
        self.previous.push(head);
    }

    fn clear(&mut self) {
        for item in self.items.drain(..) {
            self.last[item.slot as usize] = NONE;
        }
        self.previous.clear();
        self.predicted.fill(false);
    }
}

impl<'g> Chart<'g> {
    /// The chart of the empty prefix.
    pub fn new(cfg: &'g Cfg) -> Self {
        let work = Work {
            items: Vec::new(),
            previous: Vec::new(),
            last: vec![NONE; cfg.slots.len()],
            predicted: vec![false; cfg.starts.len()],
        };
        let mut chart = Chart {
            cfg,
            scans: Vec::new(),
            waits: Vec::new(),
            ends: Vec::new(),
            work,
        };
        chart.predict(0, 0);
        chart.close();
        chart
    }

    /// The number of bytes of the prefix.
    pub fn len(&self) -> usize {
        self.ends.len() - 1
    }

    /// Is the prefix empty?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Is the prefix a sentence?
    pub fn is_sentence(&self) -> bool {
        self.ends.last().is_some_and(|bounds| bounds.complete)
    }

    /// Appends a byte if some sentence begins with the prefix and it; otherwise changes nothing.
    pub fn push(&mut self, byte: u8) -> bool {
        let from = self
            .ends
            .iter()
            .rev()
            .nth(1)
            .map_or(0, |bounds| bounds.scans);
        for i in from..self.scans.len() {
            let (set, item) = self.scans[i];
            if self.cfg.contains(set, byte) {
                self.work.add(Item {
                    slot: item.slot + 1,
                    origin: item.origin,
                });
            }
        }
        let viable = !self.work.items.is_empty();
        if viable {
            self.close();
        }
        viable
    }

    /// Appends all of `bytes`, or nothing.
    pub fn push_all(&mut self, bytes: &[u8]) -> bool {
        let length = self.len();
        let viable = bytes.iter().all(|&byte| self.push(byte));
        if !viable {
            self.truncate(length);
        }
        viable
    }

    /// Takes the last byte back.
    pub fn pop(&mut self) {
        self.truncate(self.len().saturating_sub(1));
    }

    /// Takes back all but the first `length` bytes.
    pub fn truncate(&mut self, length: usize) {
        self.ends.truncate(length + 1);
        if let Some(bounds) = self.ends.last() {
            self.scans.truncate(bounds.scans);
            self.waits.truncate(bounds.waits);
        }
    }

    fn predict(&mut self, nonterminal: u32, origin: u32) {
        let known = &mut self.work.predicted[nonterminal as usize];
        if !std::mem::replace(known, true) {
            for &slot in &self.cfg.starts[nonterminal as usize] {
                self.work.add(Item { slot, origin });
            }
        }
    }

    /// Completes the set under construction by prediction and completion, and stores it.
    fn close(&mut self) {
        let here = self.ends.len() as u32;
        let waits_begin = self.waits.len();
        let mut complete = false;
        let mut at = 0;
        while let Some(&item) = self.work.items.get(at) {
            at += 1;
            let advanced = Item {
                slot: item.slot + 1,
                origin: item.origin,
            };
            match self.cfg.slots[item.slot as usize] {
                Next::Bytes(set) => self.scans.push((set, item)),
                Next::Nonterminal(n) => {
                    self.waits.push((n, item));
                    self.predict(n, here);
                    if self.cfg.nullable[n as usize] {
                        self.work.add(advanced);
                    }
                }
                Next::End(0) => complete = true,
                Next::End(_) if item.origin == here => {}
                Next::End(n) => self.complete(n, item.origin as usize),
            }
        }
        self.work.clear();
        self.waits[waits_begin..].sort_unstable_by_key(|wait| wait.0);
        self.ends.push(Bounds {
            scans: self.scans.len(),
            waits: self.waits.len(),
            complete,
        });
    }

    /// Moves the items of set `origin` that wait for `n` over it.
    fn complete(&mut self, n: u32, origin: usize) {
        let begin = if origin == 0 {
            0
        } else {
            self.ends[origin - 1].waits
        };
        let waits = &self.waits[begin..self.ends[origin].waits];
        let first = waits.partition_point(|wait| wait.0 < n);
        for wait in waits[first..].iter().take_while(|wait| wait.0 == n) {
            self.work.add(Item {
                slot: wait.1.slot + 1,
                origin: wait.1.origin,
            });
        }
    }
}
