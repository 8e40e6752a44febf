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
use super::nodes::{Nodes, edges};
use crate::error::AcceptError;
use crate::head::Head;
use crate::layout::state::NEVER;
use crate::stack::{Stacks, Storage};
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
}

impl Choose for Choices {
    fn choose(&mut self, ways: usize) -> usize {
        if ways < 2 {
            return 0;
        }
        let Some((chosen, among)) = self.made.get_mut(self.count) else {
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

impl<S: Storage> Stacks<S> {
    /// Takes symbols with one reading, and drops all others.
    ///
    /// # Errors
    /// If no stack can take them. The stacks are then not fit for use.
    #[cold]
    pub(super) fn take_single(
        &mut self,
        grammar: &Grammar<'_>,
        classes: impl Iterator<Item = u32> + Clone,
    ) -> Result<(), AcceptError> {
        let (live, depth) = (self.heads().len(), self.storage.depth());
        let can_finish = |head: Head| {
            let need = grammar.state(head.state).map_or(NEVER, |state| state.need);
            need != NEVER && usize::from(head.height) + need as usize <= depth
        };
        let taken = self.storage.exchange(|heads, from, to| {
            let room = to.len().checked_sub(depth).ok_or(Full)?;
            let (words, frames) = to.split_at_mut_checked(room).ok_or(Full)?;
            let all = heads.get(..live).unwrap_or(&[]);
            let head = find(grammar, (all, from), classes, frames, can_finish).ok_or(Full)?;
            let frames = frames.get(..usize::from(head.height)).unwrap_or(&[]);
            let first = heads.first_mut().ok_or(Full)?;
            *first = only(head, frames, words)?;
            Ok(())
        });
        self.set_live(1);
        taken.map_err(|Full| AcceptError::TooManyStacks)
    }

    /// Whether one reading can take a symbol.
    #[cold]
    pub(super) fn has_reading(&mut self, grammar: &Grammar<'_>, class: u32) -> bool {
        let (live, depth) = (self.heads().len(), self.storage.depth());
        let mut has_one = false;
        // Nothing is exchanged: the other words are the frames of a stack.
        let _ = self.storage.exchange(|heads, from, to| {
            let all = heads.get(..live).unwrap_or(&[]);
            let frames = to.get_mut(..depth).unwrap_or(&mut []);
            let classes = core::iter::once(class);
            has_one = find(grammar, (all, from), classes, frames, |_| true).is_some();
            Err(Full)
        });
        has_one
    }
}

/// The stack of the first reading that takes symbols and is as asked for; its frames lie in
/// `frames`.
fn find(
    grammar: &Grammar<'_>,
    graph: (&[Head], &[u16]),
    classes: impl Iterator<Item = u32> + Clone,
    frames: &mut [u16],
    is_wanted: impl Fn(Head) -> bool,
) -> Option<Head> {
    let mut choices = Choices {
        made: [(0, 0); CHOICES],
        count: 0,
    };
    for _ in 0..READINGS {
        let mut head = choose_stack(graph, frames, &mut choices)?;
        let takes = |class| {
            let stepped = step::choosing(grammar, &mut head, frames, class, &mut choices);
            stepped == Stepped::Moved
        };
        if classes.clone().all(takes) && is_wanted(head) {
            return Some(head);
        }
        choices.next()?;
    }
    None
}

/// One of the stacks of a graph; its frames are written to `frames`.
fn choose_stack(
    (heads, words): (&[Head], &[u16]),
    frames: &mut [u16],
    choices: &mut Choices,
) -> Option<Head> {
    let head = *heads.get(choices.choose(heads.len()))?;
    let mut node = head.tokens;
    for to in frames.get_mut(..usize::from(head.height))?.iter_mut().rev() {
        let edges = edges(words, node);
        [*to, node] = *edges.get(choices.choose(edges.len()))?;
    }
    Some(head)
}

/// A graph of one stack, in these words.
fn only(head: Head, frames: &[u16], words: &mut [u16]) -> Result<Head, Full> {
    // Without frames there may be no words.
    if let Some(first) = words.first_mut() {
        *first = 1;
    }
    let mut nodes = Nodes::new(words);
    let below = frames
        .iter()
        .try_fold(0, |node, &frame| nodes.push(frame, node));
    Ok(Head {
        tokens: below?,
        ..head
    })
}
