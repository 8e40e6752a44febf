//! One reading of a text, where there is no room for all.
//!
//! In: stacks, and symbols for which a step had no room. Out: one stack that takes them all, if
//! there is one. It is looked for one reading at a time, in the memory of one stack: a reading is
//! told by the choices it makes, the stack it begins with among them, and the next reading makes
//! the last choice that is open another way.
//!
//! *Why no text gets stuck.* The mask holds the tokens that some stack alone can take, with its
//! frames. For such a token there is a reading, it is found here if not before, and what is left of
//! it can be finished.

use super::Full;
use super::heads::Heads;
use super::nodes::Nodes;
use super::words::{NO_FRAMES, clear, edges};
use crate::head::Head;
use crate::step::{self, Choose, Stepped};
use crate::tables::Grammar;

/// Choices of a reading that are made another way; later ones are made the first way only.
const CHOICES: usize = 128;
/// Readings that are tried.
const READINGS: u32 = 1 << 14;

/// The choices of a reading.
struct Choices {
    /// What was chosen, and among how many.
    made: [(u16, u16); CHOICES],
    /// Choices made so far in this reading.
    count: usize,
    /// Whether some reading made more choices than are kept.
    is_cut: bool,
}

impl Choose for Choices {
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
}

impl Choices {
    /// The next reading; `None` if all were tried.
    fn next(&mut self) -> Option<()> {
        let made = self.made.get_mut(..self.count)?;
        let open = made
            .iter()
            .rposition(|(chosen, among)| chosen + 1 < *among)?;
        let (before, after) = self.made.split_at_mut_checked(open + 1)?;
        before.last_mut()?.0 += 1;
        after.fill((0, 0));
        self.count = 0;
        Some(())
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
    only(head, frames, (own, words)).map(Some)
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
    for _ in 0..READINGS {
        let mut head = choose_stack(&graph, frames, &mut choices).ok_or(Full)?;
        let takes = |class| {
            let stepped = step::choosing(grammar, &mut head, frames, class, &mut choices);
            stepped == Stepped::Moved
        };
        if classes.clone().all(takes) && is_wanted(head) {
            return Ok(Some(head));
        }
        if choices.next().is_none() {
            return if choices.is_cut { Err(Full) } else { Ok(None) };
        }
    }
    Err(Full)
}

/// One of the stacks of a graph; its frames are written to `frames`.
fn choose_stack(
    (heads, words): &(Heads<'_>, &[u16]),
    frames: &mut [u16],
    choices: &mut Choices,
) -> Option<Head> {
    let head = heads.get(choices.choose(heads.len()))?;
    let mut node = head.tokens;
    for to in frames.get_mut(..usize::from(head.height))?.iter_mut().rev() {
        let edges = edges(words, node);
        [*to, node] = *edges.get(choices.choose(edges.len()))?;
    }
    Some(head)
}

/// Makes a graph of one stack.
fn only(head: Head, frames: &[u16], memory: (&mut [Head], &mut [u16])) -> Result<(), Full> {
    clear(memory.1);
    let mut nodes = Nodes::new(memory, 1);
    let mut tokens = NO_FRAMES;
    for &frame in frames {
        tokens = nodes.push(frame, tokens)?;
    }
    nodes.set_head(0, Head { tokens, ..head })
}
