//! What a terminal matches, as an automaton.

/// Index of a state in [`TerminalDfa::states`].
pub type StateId = u32;

/// Index of a condition in [`TerminalDfa::conditions`].
pub type ConditionId = u32;

/// The automaton of a terminal. State 0 is the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TerminalDfa {
    /// The states. All can be reached, and from each a match can.
    pub states: Vec<State>,
    /// The conditions that matches have on the text behind them.
    pub conditions: Vec<Condition>,
    /// The largest number of characters that the terminal matches, if there is one.
    pub max_width: Option<u32>,
}

impl TerminalDfa {
    /// The length of the longest match at the start of `text` whose condition, if it has one, holds
    /// in what follows it there; the end of `text` is the end of all text.
    ///
    /// This is the match that [`Matching`](crate::Matching) asks for. It takes time linear in the
    /// length of the text, times the number of conditional matches that do not hold.
    pub fn longest(&self, text: &[u8]) -> Option<usize> {
        let mut matches: Vec<(usize, Accept)> = Vec::new();
        let mut state = self.states.first()?;
        let mut length = 0;
        loop {
            match state.accept {
                Accept::Never => {}
                Accept::Always => {
                    matches.clear();
                    matches.push((length, state.accept));
                }
                Accept::If(_) => matches.push((length, state.accept)),
            }
            let Some(next) = text.get(length).and_then(|&byte| self.after(state, byte)) else {
                break;
            };
            state = next;
            length += 1;
        }
        let holds = |&&(length, accept): &&(usize, Accept)| {
            self.holds(accept, text.get(length..).unwrap_or_default())
        };
        matches.iter().rev().find(holds).map(|&(length, _)| length)
    }

    /// Where a byte leads from a state.
    fn after(&self, state: &State, byte: u8) -> Option<&State> {
        let to = target(&state.next, byte)?;
        self.states.get(to as usize)
    }

    /// Whether a match is one if this text follows.
    pub(crate) fn holds(&self, accept: Accept, text: &[u8]) -> bool {
        let Accept::If(mut id) = accept else {
            return accept.is_always();
        };
        for &byte in text {
            let condition = self.conditions.get(id as usize);
            match condition.and_then(|condition| target(&condition.next, byte)) {
                Some(After::Depends(next)) => id = next,
                known => return known == Some(After::Holds),
            }
        }
        self.conditions
            .get(id as usize)
            .is_some_and(|condition| condition.at_end)
    }
}

/// What the ranges say of a byte.
fn target<T: Copy>(ranges: &[(u8, u8, T)], byte: u8) -> Option<T> {
    let after = ranges.partition_point(|&(low, ..)| low <= byte);
    let &(_, high, to) = ranges.get(after.checked_sub(1)?)?;
    (byte <= high).then_some(to)
}

/// A state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Where bytes lead: ranges, ascending and disjoint, neighbours with one target joined. A byte
    /// in none of them leads nowhere.
    pub next: Vec<(u8, u8, StateId)>,
    /// Whether what has been read is a match.
    pub accept: Accept,
}

/// Whether what has been read is a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Accept {
    /// It is none.
    Never,
    /// It is one.
    Always,
    /// It is one if the text behind it fulfils this condition (a look-ahead).
    If(ConditionId),
}

impl Accept {
    /// Whether it is a match, whatever follows.
    pub(crate) fn is_always(self) -> bool {
        self == Accept::Always
    }
}

/// A condition on the text behind a match, of which some has been read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// What each byte leads to: ranges, ascending, disjoint, and together all bytes.
    pub next: Vec<(u8, u8, After)>,
    /// Whether the condition holds if the text ends here.
    pub at_end: bool,
}

/// What is known of a condition after a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum After {
    /// It holds, whatever follows.
    Holds,
    /// It does not hold, whatever follows.
    Fails,
    /// It depends on what follows, by this condition. Both outcomes are possible.
    Depends(ConditionId),
}
