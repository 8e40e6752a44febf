//! The states that characters beyond ASCII lead to.
//!
//! Worth (`docs/ablation.md`): without it a compile takes 9 % longer at the median.

use crate::maps::IdMap;

use maskwright_core::layout::END_OF_TEXT;

use super::words::{Action, Transitions};
use crate::mask::trie::Text;
use crate::pda::{Class, Classes, Pda, StateId};

/// For each state and position within a character the state that all characters beyond ASCII lead
/// to.
pub struct Characters<'a> {
    transitions: &'a Transitions,
    pda: &'a Pda,
    /// For each position the classes of symbols that may follow, each with the position after it.
    symbols: IdMap<Text, Vec<(Class, Text)>>,
    known: IdMap<(StateId, Text), Option<StateId>>,
}

impl<'a> Characters<'a> {
    /// Nothing is known yet.
    pub fn new(transitions: &'a Transitions, pda: &'a Pda) -> Self {
        Characters {
            transitions,
            pda,
            symbols: IdMap::default(),
            known: IdMap::default(),
        }
    }

    /// The state to which every character beyond ASCII leads from `state`, if it is the same for
    /// all of them, nothing else begins with their bytes, and finishing needs as many frames within
    /// a character as before it.
    pub fn lead_from(&mut self, state: StateId) -> Option<StateId> {
        self.lead((state, Text::Closed))
    }

    fn lead(&mut self, here: (StateId, Text)) -> Option<StateId> {
        if let Some(&known) = self.known.get(&here) {
            return known;
        }
        let (state, text) = here;
        let transitions = self.transitions;
        let lead = self.pda.classes.lead();
        let symbols = self.symbols.remove(&text);
        let symbols = symbols.unwrap_or_else(|| symbols_after(text, &self.pda.classes));
        let mut found = None;
        let is_one = symbols.iter().all(|&(class, then)| {
            let to = match (then, transitions.action(state, class)) {
                (Text::Broken, action) => {
                    // No token of several bytes contains the lead of a terminal, so its edges are
                    // ignored here.
                    let is_lead = text == Text::Closed && Some(class) == lead;
                    return is_lead || action == Action::Refuse;
                }
                (Text::Closed, Action::Goto(to)) => Some(to),
                (text, Action::Goto(to)) if transitions.need(to) == transitions.need(state) => {
                    self.lead((to, text))
                }
                _ => None,
            };
            to.is_some() && *found.get_or_insert(to) == to
        });
        self.symbols.insert(text, symbols);
        let found = found.flatten().filter(|_| is_one);
        self.known.insert(here, found);
        found
    }
}

/// The classes of the symbols that may begin a character beyond ASCII, or within a character of all
/// symbols, each with the position after it.
fn symbols_after(text: Text, classes: &Classes) -> Vec<(Class, Text)> {
    let symbols = match text {
        Text::Closed => 0x80..END_OF_TEXT,
        _ => 0..END_OF_TEXT + 1,
    };
    let mut after: Vec<(Class, Text)> = Vec::new();
    for symbol in symbols {
        let class = u8::try_from(symbol).map_or(classes.end(), |byte| classes.of(byte));
        let then = (class, text.then(symbol));
        if after.last() != Some(&then) && !after.contains(&then) {
            after.push(then);
        }
    }
    after
}
