//! Situations of a text, and the situations that bytes lead to from them.
//!
//! In: a grammar's automata. Out: [`Situations`]: a deterministic automaton whose states are sets
//! of threads with their stacks, and which is made as far as texts and walks reach. What holds: two
//! texts in one situation can be continued by the same texts; every situation can be finished.

use crate::maps::IdMap;

use super::byte_classes::ByteClasses;
use super::closure::Closures;
use super::position::PositionId;
use super::rules::Rules;
use super::thread::Thread;
use super::work::Work;
use super::{GaveUp, MAX_SITUATIONS};
use crate::id::id;
use crate::intern::Sequences;

id! {
    /// A situation.
    pub struct SituationId;
}

/// The situation of a text that cannot be finished.
pub(super) const DEAD: SituationId = SituationId::new(u32::MAX);

/// No row has been made.
const UNKNOWN: u32 = u32::MAX;

/// Where each byte leads from a situation.
pub(super) type Row = [SituationId; 256];

/// Where bytes lead: the first of them, one past the last, and the situation.
type RowStep = (u16, u16, SituationId);

/// Rows in chunks. Where rows are added, those that are there do not move: thousands of them are
/// megabytes.
#[derive(Clone, Debug, Default)]
struct Rows(Vec<Vec<Row>>);

/// Rows of a chunk.
const CHUNK: usize = 64;

impl Rows {
    /// Adds a row with some steps. Returns its number.
    fn push(&mut self, steps: &[RowStep]) -> u32 {
        if self.0.last().is_none_or(|last| last.len() == CHUNK) {
            self.0.push(Vec::with_capacity(CHUNK));
        }
        let at = self.0.len() - 1;
        let chunk = &mut self.0[at];
        chunk.push([DEAD; 256]);
        if let Some(row) = chunk.last_mut() {
            for &(first, past, to) in steps {
                row[usize::from(first)..usize::from(past)].fill(to);
            }
        }
        (at * CHUNK + chunk.len() - 1) as u32
    }

    /// The row with a number.
    #[inline]
    fn get(&self, number: u32) -> &Row {
        &self.0[number as usize / CHUNK][number as usize % CHUNK]
    }
}

/// The situations met so far.
#[derive(Clone, Debug)]
pub(super) struct Situations {
    pub(super) closures: Closures,
    /// The threads of each situation; those of one in which the text may end have
    /// [`Thread::COMPLETE`] last.
    pub(super) threads: Sequences<Thread>,
    complete: Vec<bool>,
    /// For each situation the number of its row among those made, or [`UNKNOWN`].
    row_of: Vec<u32>,
    made: Rows,
    /// The situations that single threads lead to: after most bytes one thread is left.
    of_thread: IdMap<Thread, SituationId>,
    /// For situations and numbers of iterations: see [`Situations::endless`].
    endless: IdMap<(SituationId, u32), SituationId>,
    closed: Vec<Thread>,
    edges: Vec<(u8, u8, PositionId)>,
    parts: ByteClasses,
    steps: Vec<RowStep>,
}

/// Units of work for a row.
const ROW: usize = 32;

/// A class of bytes is compared with so many classes before it.
const RECENT: usize = 3;

impl Situations {
    /// Situations of which only the start is known.
    ///
    /// # Errors
    /// If the grammar has no sentence, or its start passes a bound.
    pub(super) fn new(rules: Rules) -> Result<(Self, SituationId), GaveUp> {
        let mut situations = Situations::none(rules);
        let start = situations.closures.start()?;
        let start = situations.of(&[start])?;
        Ok((situations, start))
    }

    /// Situations of which none is known.
    pub(super) fn none(rules: Rules) -> Self {
        Situations {
            closures: Closures::new(rules),
            threads: Sequences::new(),
            complete: Vec::new(),
            row_of: Vec::new(),
            made: Rows::default(),
            of_thread: IdMap::default(),
            endless: IdMap::default(),
            closed: Vec::new(),
            edges: Vec::new(),
            parts: ByteClasses::default(),
            steps: Vec::new(),
        }
    }

    /// About how many bytes of memory they take.
    pub(super) fn memory(&self) -> usize {
        let rows = size_of::<Row>() * CHUNK * self.made.0.len();
        let known = size_of::<(Thread, SituationId)>() * self.of_thread.capacity();
        let endless = size_of::<((SituationId, u32), SituationId)>() * self.endless.capacity();
        let single = (size_of::<bool>() + size_of::<u32>()) * self.complete.capacity();
        rows + known + endless + single + self.threads.memory() + self.closures.memory()
    }

    /// A step begins that takes this many bytes of a text.
    pub(super) fn begin_step(&mut self, bytes: usize) {
        self.closures.rules.work = Work::of_step(bytes);
    }

    /// Whether the text may end in a situation.
    pub(super) fn is_complete(&self, situation: SituationId) -> bool {
        self.complete[situation.index()]
    }

    /// The threads of a situation that take bytes beyond ASCII.
    pub(super) fn beyond_ascii(&self, situation: SituationId) -> Vec<Thread> {
        let threads = self.threads.get(situation.number()).iter();
        let takes =
            |at| (self.closures.rules.bytes(at).iter()).any(|&(_, high, _)| !high.is_ascii());
        let taking = threads.filter(|of| **of != Thread::COMPLETE && takes(of.at));
        taking.copied().collect()
    }

    /// The situation that each byte leads to. It is computed once for each situation, in time that
    /// grows with the edges of its threads.
    ///
    /// # Errors
    /// If a bound is passed.
    #[inline]
    pub(super) fn row(&mut self, situation: SituationId) -> Result<&Row, GaveUp> {
        let at = situation.index();
        if self.row_of[at] == UNKNOWN {
            self.make_row(situation)?;
        }
        Ok(self.made.get(self.row_of[at]))
    }

    /// Makes the row of a situation.
    #[cold]
    fn make_row(&mut self, situation: SituationId) -> Result<(), GaveUp> {
        let mut steps = std::mem::take(&mut self.steps);
        steps.clear();
        let threads = self.threads.get(situation.number());
        self.closures.rules.work.spend(ROW + threads.len())?;
        for thread in threads {
            self.closures.rules.check_read(thread.at)?;
        }
        let threads = threads.strip_suffix(&[Thread::COMPLETE]).unwrap_or(threads);
        match threads {
            &[thread] if self.has_own_bytes(thread) => self.steps_of_thread(thread, &mut steps)?,
            _ => {
                let mut parts = std::mem::take(&mut self.parts);
                parts.cut(threads, &mut self.closures.rules)?;
                self.steps_of_classes(&mut parts, &mut steps)?;
                self.parts = parts;
            }
        }
        self.row_of[situation.index()] = self.made.push(&steps);
        self.steps = steps;
        Ok(())
    }

    /// Whether the edges of a thread have no byte in common.
    fn has_own_bytes(&self, thread: Thread) -> bool {
        let edges = self.closures.rules.bytes(thread.at);
        edges.windows(2).all(|pair| pair[0].1 < pair[1].0)
    }

    /// The steps of one thread, whose edges have no byte in common.
    fn steps_of_thread(
        &mut self,
        Thread { at, stack }: Thread,
        steps: &mut Vec<RowStep>,
    ) -> Result<(), GaveUp> {
        let mut edges = std::mem::take(&mut self.edges);
        edges.clear();
        edges.extend_from_slice(self.closures.rules.bytes(at));
        let mut last = None;
        for &(low, high, at) in &edges {
            let to = match last {
                Some((known, to)) if known == at => to,
                _ => self.of(&[Thread { at, stack }])?,
            };
            last = Some((at, to));
            steps.push((low.into(), u16::from(high) + 1, to));
        }
        self.edges = edges;
        Ok(())
    }

    /// The steps of classes of bytes.
    fn steps_of_classes(
        &mut self,
        parts: &mut ByteClasses,
        steps: &mut Vec<RowStep>,
    ) -> Result<(), GaveUp> {
        // The last classes that differed from those before them, each with where it leads. Often
        // one byte in the middle parts a class of many.
        let mut recent = [(0, DEAD); RECENT];
        for (nth, &first) in parts.firsts.iter().enumerate() {
            let targets = &mut parts.targets[nth];
            if targets.is_empty() {
                continue;
            }
            targets.sort_unstable();
            targets.dedup();
            let targets = &parts.targets[nth];
            let is_known =
                |&&(at, to): &&(usize, SituationId)| to != DEAD && parts.targets[at] == *targets;
            let to = match recent.iter().find(is_known) {
                Some(&(_, to)) => to,
                None => {
                    let to = self.of(targets)?;
                    recent.rotate_right(1);
                    recent[0] = (nth, to);
                    to
                }
            };
            let past = parts.firsts.get(nth + 1).copied().unwrap_or(256);
            steps.push((first, past, to));
        }
        Ok(())
    }

    /// The situation of threads that have just taken a byte.
    pub(super) fn of(&mut self, threads: &[Thread]) -> Result<SituationId, GaveUp> {
        if let [thread] = threads
            && let Some(&known) = self.of_thread.get(thread)
        {
            return Ok(known);
        }
        let mut closed = std::mem::take(&mut self.closed);
        if self.closures.close(threads, &mut closed)? {
            closed.push(Thread::COMPLETE);
        }
        let id = self.intern(&closed)?;
        self.closed = closed;
        if let [thread] = threads {
            self.of_thread.insert(*thread, id);
        }
        Ok(id)
    }

    /// The situation of closed threads, ascending.
    pub(super) fn intern(&mut self, closed: &[Thread]) -> Result<SituationId, GaveUp> {
        let id = SituationId::new(self.threads.intern(closed));
        if id.index() == self.complete.len() {
            if id.index() >= MAX_SITUATIONS {
                return Err(GaveUp);
            }
            self.complete.push(closed.last() == Some(&Thread::COMPLETE));
            self.row_of.push(UNKNOWN);
        }
        Ok(id)
    }

    /// The same situation without counts whose bounds cannot be reached in so many iterations. A
    /// text of at most so many bytes can be continued alike from both, but for where it may end.
    ///
    /// # Errors
    /// If a bound is passed.
    pub(super) fn endless(
        &mut self,
        situation: SituationId,
        iterations: u32,
    ) -> Result<SituationId, GaveUp> {
        if !self.closures.rules.have_bounds() {
            return Ok(situation);
        }
        if let Some(&known) = self.endless.get(&(situation, iterations)) {
            return Ok(known);
        }
        let mut stacks = IdMap::default();
        let mut threads = self.threads.get(situation.number()).to_vec();
        for thread in &mut threads {
            if *thread != Thread::COMPLETE {
                *thread = self.closures.endless(*thread, iterations, &mut stacks)?;
            }
        }
        self.closures.unite(&mut threads)?;
        let endless = self.intern(&threads)?;
        self.endless.insert((situation, iterations), endless);
        Ok(endless)
    }
}
