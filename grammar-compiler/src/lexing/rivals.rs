//! Terminals that make a difference to one another.
//!
//! In: the automata of terminals. Out: [`Rivals`]: for each terminal those of which it matches a
//! text that begins with a shorter match of theirs.

use super::SymbolGrammar;
use crate::bits::Bits;
use crate::limits::{Deadline, LimitExceeded};
use crate::maps::IdSet;
use maskwright_regular::{Accept, TerminalDfa};

/// The stage, as a passed limit names it.
const DOING: &str = "finding which terminals compete";

/// For each terminal those that end differently if it competes.
pub(super) struct Rivals(Vec<Bits>);

impl Rivals {
    /// Whether a terminal makes a difference to one of these.
    pub(super) fn has_among(&self, terminal: u16, others: &Bits) -> bool {
        let of = &self.0[usize::from(terminal)];
        of.iter().any(|other| others.contains(other))
    }
}

/// Finds all pairs of terminals that make a difference.
pub(super) fn rivals(
    grammar: &SymbolGrammar,
    deadline: &Deadline,
) -> Result<Rivals, LimitExceeded> {
    let all = grammar.competitors();
    let mut rivals = vec![Bits::default(); all.len()];
    for (long, of_long) in all.iter().enumerate() {
        for (short, of_short) in all.iter().enumerate() {
            deadline.tick(DOING)?;
            if long == short || !extends(of_long.dfa, of_short.dfa, deadline)? {
                continue;
            }
            rivals[long].insert(short);
            // A lazy one ends all others where it matches.
            if of_short.is_lazy {
                rivals[short].insert(long);
            }
        }
    }
    Ok(Rivals(rivals))
}

/// Whether some match of `long` begins with a shorter match of `short`.
fn extends(
    long: &TerminalDfa,
    short: &TerminalDfa,
    deadline: &Deadline,
) -> Result<bool, LimitExceeded> {
    if long.states.is_empty() || short.states.is_empty() {
        return Ok(false);
    }
    let mut met: IdSet<(u32, u32)> = IdSet::default();
    met.insert((0, 0));
    let mut due = vec![(0, 0)];
    while let Some((at, other)) = due.pop() {
        let state = &long.states[at as usize];
        let others = short.states[other as usize].next.len();
        deadline.ticks(1 + state.next.len() * others, DOING)?;
        if short.states[other as usize].accept != Accept::Never && !state.next.is_empty() {
            return Ok(true);
        }
        for &(low, high, to) in &state.next {
            for &(first, last, next) in &short.states[other as usize].next {
                if first.max(low) <= last.min(high) && met.insert((to, next)) {
                    due.push((to, next));
                }
            }
        }
    }
    Ok(false)
}
