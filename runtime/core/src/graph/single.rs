//! One stack, or one reading of a text, where there is no room for all.
//!
//! In: stacks, and a token or symbols for which a step had no room. Out: one stack for which the
//! mask has the token ([`keep`]), or one that has taken all symbols, if there is one ([`take`]).
//!
//! A reading is looked for in the memory of one stack: it is told by the choices it makes, the
//! stack it begins with among them, and the next reading makes the last choice that is open another
//! way. Where a reading has come to what was tried in vain before, it is not followed again: many
//! readings of an ambiguous text come to the same.
//!
//! *Why no text gets stuck.* The mask holds the tokens that some stack alone can take, with its
//! frames, and be finished after them. The walk of the mask trees tells that stack. What it leads
//! to most often fits, since it begins with one path; if not, the choices that are left are those
//! of the token's bytes. Only if [`READINGS`] of these do not take it, the token is refused.

use super::Full;
use super::heads::{self, Heads};
use super::sets::{self, Visit};
use super::words::{NO_FRAMES, edges};
use crate::head::Head;
use crate::layout::BOTTOM;
use crate::step::{Alternative, Edge, Program};
use crate::tables::Grammar;
use crate::walk::Trees;

/// Choices of a reading that are made another way; later ones are made the first way only.
const CHOICES: usize = 128;
/// Readings that are tried.
const READINGS: u32 = 1 << 14;
/// Places that are kept because no reading goes on from there.
const DEAD: usize = if cfg!(feature = "alloc") { 4096 } else { 512 };
/// Symbols behind which places are kept; behind later ones all readings are followed.
const STEPS: usize = 64;

/// The choices of a reading.
struct Choices {
    /// What was chosen, and among how many.
    made: [(u16, u16); CHOICES],
    /// Choices made so far in this reading.
    count: usize,
    /// Whether some reading made more choices than are kept.
    is_cut: bool,
}

impl Choices {
    /// The number of a way, below `ways`.
    fn choose(&mut self, ways: usize) -> usize {
        if ways < 2 {
            return 0;
        }
        let Some((chosen, among)) = self.made.get_mut(self.count) else {
            self.is_cut = true;
            return 0;
        };
        *among = ways.min(usize::from(u16::MAX)) as u16;
        self.count += 1;
        usize::from(*chosen)
    }

    /// The next reading: the number of the choice that it makes another way; `None` if all were
    /// tried.
    fn next(&mut self) -> Option<usize> {
        let made = self.made.get_mut(..self.count)?;
        let open = made
            .iter()
            .rposition(|(chosen, among)| chosen + 1 < *among)?;
        let (before, after) = self.made.split_at_mut_checked(open + 1)?;
        before.last_mut()?.0 += 1;
        after.fill((0, 0));
        self.count = 0;
        Some(open)
    }
}

/// Takes symbols with one reading of a graph that has `live` heads: it comes to lie in `to`, and the
/// first head is its own. `None` if no reading takes them.
///
/// # Errors
/// If none was found, and not all were tried.
pub(crate) fn take(
    grammar: &Grammar<'_>,
    (own, from, to): (&mut [Head], &[u16], &mut [u16]),
    live: usize,
    depth: usize,
    classes: impl Iterator<Item = u32> + Clone,
    is_wanted: impl Fn(Head) -> bool,
) -> Result<Option<()>, Full> {
    let room = to.len().checked_sub(depth).ok_or(Full)?;
    let (words, frames) = to.split_at_mut_checked(room).ok_or(Full)?;
    let all = Heads::new(own, from, live);
    let Some(head) = find(grammar, (all, from), classes, frames, is_wanted)? else {
        return Ok(None);
    };
    let frames = frames.get(..usize::from(head.height)).unwrap_or(&[]);
    only(head, frames, (own, words)).ok_or(Full).map(Some)
}

/// Goes from a graph that has `live` heads to one of its stacks, in `to`: the first one that has a
/// set for which `is_wanted` returns true, and how many frames may still be pushed on it allows
/// that. `None` if there is none.
pub(crate) fn keep(
    trees: Trees<'_>,
    (own, from, to): (&mut [Head], &[u16], &mut [u16]),
    live: usize,
    depth: usize,
    is_wanted: &mut Visit<'_>,
) -> Option<()> {
    let (words, frames) = to.split_at_mut_checked(to.len().checked_sub(depth)?)?;
    let graph = (Heads::new(own, from, live), from);
    let head = sets::find(trees, graph, depth, is_wanted, frames)?;
    let frames = frames.get(..usize::from(head.height))?;
    only(head, frames, (own, words))
}

/// Whether one reading of a graph takes a symbol, with at most as many frames as there is room for.
///
/// # Errors
/// If none was found, and not all were tried.
pub(crate) fn takes(
    grammar: &Grammar<'_>,
    graph: (Heads<'_>, &[u16]),
    frames: &mut [u16],
    class: u32,
) -> Result<bool, Full> {
    let found = find(grammar, graph, core::iter::once(class), frames, |_| true)?;
    Ok(found.is_some())
}

/// The stack of the first reading that takes symbols and is as asked for; its frames lie in
/// `frames`.
///
/// # Errors
/// If none was found, and not all readings were tried.
fn find(
    grammar: &Grammar<'_>,
    graph: (Heads<'_>, &[u16]),
    classes: impl Iterator<Item = u32> + Clone,
    frames: &mut [u16],
    is_wanted: impl Fn(Head) -> bool,
) -> Result<Option<Head>, Full> {
    let mut choices = Choices {
        made: [(0, 0); CHOICES],
        count: 0,
        is_cut: false,
    };
    let mut dead = [0; DEAD];
    for _ in 0..READINGS {
        let mut reading = Reading::new(&graph, frames, &mut choices).ok_or(Full)?;
        let (mut met, mut count) = ([(0, 0); STEPS], 0);
        let takes = |class| {
            if reading.step(grammar, class, &mut choices).is_none() {
                return false;
            }
            let Some(here) = met.get_mut(count) else {
                return true;
            };
            let place = reading.place(count);
            *here = (choices.count, place);
            count += 1;
            dead.get(place as usize % DEAD) != Some(&place)
        };
        if classes.clone().all(takes) && is_wanted(reading.head) {
            // The frames that nothing has asked for may be any.
            reading.descend(0, |_| 0).ok_or(Full)?;
            return Ok(Some(reading.head));
        }
        let Some(open) = choices.next() else {
            return if choices.is_cut { Err(Full) } else { Ok(None) };
        };
        // Behind these places all choices have been made, unless some were not kept.
        let met = met.iter().take(if choices.is_cut { 0 } else { count });
        for &(_, place) in met.filter(|met| met.0 > open) {
            if let Some(to) = dead.get_mut(place as usize % DEAD) {
                *to = place;
            }
        }
    }
    Err(Full)
}

/// One reading: a stack of a graph, whose frames are chosen where a step asks for them. So the next
/// reading makes no choice another way that has not mattered.
struct Reading<'r> {
    head: Head,
    frames: &'r mut [u16],
    words: &'r [u16],
    /// The frames from here up are chosen; those below are of the stacks of this node.
    chosen: usize,
    below: u16,
}

impl<'r> Reading<'r> {
    fn new(
        (heads, words): &(Heads<'r>, &'r [u16]),
        frames: &'r mut [u16],
        choices: &mut Choices,
    ) -> Option<Self> {
        let head = heads.get(choices.choose(heads.len()))?;
        let height = usize::from(head.height);
        (height <= frames.len()).then_some(Reading {
            head,
            frames,
            words,
            chosen: height,
            below: head.tokens,
        })
    }

    /// All that the rest of a text after `count` symbols depends on, as one number, which is not 0
    /// (FNV-1a).
    fn place(&self, count: usize) -> u64 {
        let head = [self.head.state as u16, (self.head.state >> 16) as u16];
        let around = [
            self.head.height,
            self.chosen as u16,
            self.below,
            count as u16,
        ];
        let chosen = self.chosen..usize::from(self.head.height);
        let frames = self.frames.get(chosen).unwrap_or(&[]);
        let parts = head.iter().chain(&around).chain(frames);
        let mix = |hash: u64, part: &u16| (hash ^ u64::from(*part)).wrapping_mul(0x100_0000_01b3);
        parts.fold(0xcbf2_9ce4_8422_2325, mix) | 1
    }

    /// Chooses the frames from `to` up.
    fn descend(&mut self, to: usize, mut choose: impl FnMut(usize) -> usize) -> Option<()> {
        while self.chosen > to {
            let edges = edges(self.words, self.below);
            let [frame, below] = *edges.get(choose(edges.len()))?;
            self.chosen -= 1;
            *self.frames.get_mut(self.chosen)? = frame;
            self.below = below;
        }
        Some(())
    }

    /// Takes a symbol by one of the ways that the stack can go; `None` if that is none.
    fn step(&mut self, grammar: &Grammar<'_>, class: u32, choices: &mut Choices) -> Option<()> {
        let mut height = usize::from(self.head.height);
        let mut edge = grammar.edge(self.head.state, class);
        loop {
            let way = match edge {
                Edge::Refused => return None,
                Edge::To(next) => {
                    (self.head.state, self.head.height) = (next, height as u16);
                    return Some(());
                }
                Edge::Program(program) => self.way(grammar, program, height, choices)?,
            };
            let kept = height.checked_sub(way.pop)?;
            if way.again && kept == height {
                return None;
            }
            self.descend(kept, |ways| choices.choose(ways))?;
            height = kept;
            if way.again {
                edge = grammar.edge(way.next, class);
                continue;
            }
            if let Some(frame) = way.push {
                *self.frames.get_mut(height)? = frame;
                height += 1;
                if height + way.reserve > self.frames.len() {
                    return None;
                }
            }
            (self.head.state, self.head.height) = (way.next, height as u16);
            return Some(());
        }
    }

    /// One of the ways of a program.
    fn way(
        &mut self,
        grammar: &Grammar<'_>,
        mut program: u32,
        height: usize,
        choices: &mut Choices,
    ) -> Option<Alternative> {
        loop {
            let (depth, branches) = match grammar.program(program) {
                Program::Look { depth, branches } => (depth, branches),
                Program::Leaf(ways) => {
                    let way = ways.get(choices.choose(ways.len()))?;
                    return Some(Alternative::read(way));
                }
            };
            let frame = match height.checked_sub(depth + 1) {
                None => BOTTOM,
                Some(at) => {
                    self.descend(at, |ways| choices.choose(ways))?;
                    *self.frames.get(at)?
                }
            };
            let next = branches.branch(u32::from(frame))?;
            program = (next < program).then_some(next)?;
        }
    }
}

/// Makes a graph of one stack: a node for each frame, of three words.
fn only(head: Head, frames: &[u16], (own, words): (&mut [Head], &mut [u16])) -> Option<()> {
    let (mut tokens, mut next) = (NO_FRAMES, 1);
    let nodes = words.get_mut(1..).unwrap_or_default().as_chunks_mut().0;
    for (&frame, node) in frames.iter().zip(nodes) {
        *node = [1, frame, tokens];
        (tokens, next) = (next, next + 3);
    }
    if let Some(used) = words.first_mut() {
        *used = next;
    }
    let is_whole = usize::from(next) == 1 + 3 * frames.len();
    heads::set(own, words, 0, Head { tokens, ..head }).filter(|()| is_whole)
}
