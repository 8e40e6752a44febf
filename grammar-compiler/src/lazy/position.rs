//! Numbers of positions in the automata of rules.

use crate::id::id;

id! {
    /// A position in the automaton of a rule. [`Rules`](super::rules::Rules) numbers the positions
    /// of all rules that a text has entered.
    pub(super) struct PositionId;
}
