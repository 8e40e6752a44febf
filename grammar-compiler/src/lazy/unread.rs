//! Rules whose right parts have not been read yet.
//!
//! In: the numbers of such rules. Out: the last of them in which a byte was to be taken. What
//! holds: a text may come up to the start of such a rule, and not into it; the rule counts as one
//! that has sentences, none of which is empty.

use std::ops::Range;
use std::sync::Arc;

use super::GaveUp;
use super::position::PositionId;
use crate::bits::Bits;
use crate::grammar::RuleId;

/// Rules whose right parts have not been read yet.
#[derive(Clone, Debug)]
pub(super) struct Unread {
    rules: Arc<Bits>,
    /// Those of them that a text has come to, each with its positions.
    entered: Vec<(Range<u32>, RuleId)>,
    /// The last one in which a byte was to be taken.
    needed: Option<RuleId>,
}

impl Unread {
    /// These rules, none of which a text has come to.
    pub(super) fn new(rules: Arc<Bits>) -> Self {
        Unread {
            rules,
            entered: Vec::new(),
            needed: None,
        }
    }

    /// The same rules, none of which a text has come to.
    pub(super) fn renewed(&self) -> Self {
        Self::new(self.rules.clone())
    }

    /// A text has come to a rule, which has these positions.
    pub(super) fn enter(&mut self, rule: RuleId, positions: Range<u32>) {
        if self.rules.contains(rule.0 as usize) {
            self.entered.push((positions, rule));
        }
    }

    /// Refuses to take a byte at a position of one of the rules, and notes the rule.
    ///
    /// # Errors
    /// If it is such a position.
    #[inline]
    pub(super) fn check(&mut self, at: PositionId) -> Result<(), GaveUp> {
        let mut entered = self.entered.iter();
        match entered.find(|entered| entered.0.contains(&at.number())) {
            Some(&(_, rule)) => {
                self.needed = Some(rule);
                Err(GaveUp)
            }
            None => Ok(()),
        }
    }

    /// The rule that has not been read and in which a byte was to be taken, if there was one.
    pub(super) fn needed(&self) -> Option<RuleId> {
        self.needed
    }
}
