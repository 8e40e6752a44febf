//! Automata of rules, made when a text enters them.
//!
//! In: a rule. Out: its positions, behind those of all rules entered before. What holds: the
//! guarantees of [`Rules`]; an automaton is the same each time that it is made.

use super::{Position, Rules, behind, range};
use crate::automata::{MachineId, Nfa, thompson};
use crate::csr::Csr;
use crate::grammar::{Expr, RuleId};
use crate::lazy::counts::{AutomatonState, CountRules};
use crate::lazy::left_corners::{self, from_left_corners};
use crate::lazy::left_recursion::LeftRecursion;
use crate::lazy::position::PositionId;
use crate::lazy::productive::refers;
use crate::lazy::trim::trimmed;
use crate::lazy::{GaveUp, MAX_POSITIONS};
use crate::limits::{Deadline, Limits};

impl Rules {
    /// The automaton of a rule as it is written, with at most about so many states.
    fn written(&mut self, rule: RuleId, states: usize) -> Result<Nfa, GaveUp> {
        // The number of positions bounds the work.
        let deadline = &Deadline::start(&Limits::default());
        // Thompson's construction counts its budget in eighths.
        let states = states / 8;
        let nfa = match self.grammar.rules.get(rule.0 as usize) {
            Some(of) => {
                let left = self.left.as_ref();
                let begins_with_itself = left.is_some_and(|left| !left.circle(rule).is_empty());
                let rule_of = &mut |part: &Expr| match part {
                    // Its calls may be among those with which the rule begins.
                    Expr::Repeat { .. } if begins_with_itself && refers(part) => None,
                    part => self.counts.of_part(part),
                };
                thompson::build_with_calls(&of.expr, states, deadline, rule_of)
            }
            None => thompson::build(&self.counts.expr(rule).ok_or(GaveUp)?, states, deadline),
        };
        nfa.map_err(|_| GaveUp)
    }

    /// The automaton of a rule, which does not begin by calling itself, with at most about so many
    /// states.
    fn automaton(&mut self, rule: RuleId, states: usize) -> Result<Nfa, GaveUp> {
        let of_filled = self.counts.of_filled(rule);
        let of = of_filled.unwrap_or(rule);
        let circle = self.left.as_ref().map_or(&[][..], |left| left.circle(of));
        if circle.is_empty() && of_filled.is_none() {
            let nfa = self.written(rule, states)?;
            self.tell();
            return Ok(nfa);
        }
        let rules = match circle {
            [] => vec![of],
            circle => circle.to_vec(),
        };
        let (mut members, mut left) = (Vec::new(), states);
        for rule in rules {
            let nfa = self.written(rule, left)?;
            left = left.checked_sub(nfa.len()).ok_or(GaveUp)?;
            members.push((rule.into(), nfa));
        }
        self.tell();
        let (Some(left), counts) = (&self.left, &mut self.counts) else {
            return Err(GaveUp);
        };
        let may_be_empty = of_filled.is_none() && left.texts_of(of).empty;
        let rules = &mut Called { left, counts };
        let nfa = from_left_corners(&members, of.into(), may_be_empty, rules);
        self.tell();
        Ok(nfa)
    }

    /// Finds out what has to be known of rules that were made for counts and the like.
    fn tell(&mut self) {
        self.counts.tell(&mut self.productive, self.left.as_mut());
    }

    /// Makes the positions of a large automaton that leaves out the empty text: one for its start,
    /// which no edge leads back to.
    fn enter_filled(&mut self, rule: RuleId, of: RuleId) -> Result<PositionId, GaveUp> {
        let start = self.start(of)?;
        self.come_to(start)?;
        let edges = range(&self.positions[start.index()].bytes);
        let bytes = behind(&self.bytes, edges.len());
        self.bytes.extend_from_within(edges);
        let at = PositionId::at(self.positions.len());
        self.entered.push((at.number(), rule));
        self.positions.push(Position {
            is_final: false,
            bytes,
            empty: 0..0,
            calls: 0..0,
            state: None,
            is_unread: false,
        });
        self.starts.insert(rule, at);
        Ok(at)
    }

    /// Makes the automaton of a rule.
    pub(super) fn enter(&mut self, rule: RuleId) -> Result<PositionId, GaveUp> {
        if self.counts.is_automaton(rule) {
            let start = self.position(AutomatonState { rule, state: 0 })?;
            self.starts.insert(rule, start);
            return Ok(start);
        }
        if let Some(of) = self.counts.of_filled(rule)
            && self.counts.is_automaton(of)
        {
            return self.enter_filled(rule, of);
        }
        let left = MAX_POSITIONS.saturating_sub(self.positions.len());
        let left = left.min(self.work.left());
        let nfa = self.automaton(rule, left)?;
        if nfa.len() > left {
            return Err(GaveUp);
        }
        let edges = nfa.bytes.len() + nfa.empty.len() + nfa.calls.len();
        self.work.spend(nfa.len() + edges)?;
        let nfa = trimmed(nfa, &self.productive);
        let bytes = Csr::new(nfa.len(), nfa.bytes.iter().copied());
        let empty = Csr::new(nfa.len(), nfa.empty.iter().copied());
        let calls = Csr::new(nfa.len(), nfa.calls.iter().copied());
        let first = self.positions.len() as u32;
        self.entered.push((first, rule));
        let to = |state: u32| PositionId::new(first + state);
        for (state, &is_final) in (0..).zip(&nfa.finals) {
            let (of_bytes, of_empty, of_calls) =
                (bytes.of(state), empty.of(state), calls.of(state));
            self.positions.push(Position {
                is_final,
                bytes: behind(&self.bytes, of_bytes.len()),
                empty: behind(&self.empty, of_empty.len()),
                calls: behind(&self.calls, of_calls.len()),
                state: None,
                is_unread: false,
            });
            let edges = of_bytes.iter();
            self.bytes
                .extend(edges.map(|&(low, high, at)| (low, high, to(at))));
            self.empty.extend(of_empty.iter().map(|&at| to(at)));
            let edges = of_calls.iter();
            self.calls
                .extend(edges.map(|&(rule, at)| (RuleId(rule.number()), to(at))));
        }
        let start = to(nfa.start);
        self.starts.insert(rule, start);
        self.unread.enter(rule, first..self.positions.len() as u32);
        Ok(start)
    }
}

/// The rules that an automaton calls.
struct Called<'a> {
    left: &'a LeftRecursion,
    counts: &'a mut CountRules,
}

impl left_corners::Rules for Called<'_> {
    fn may_be_empty(&self, rule: MachineId) -> bool {
        self.left.texts_of(RuleId(rule.number())).empty
    }

    fn filled(&mut self, rule: MachineId) -> MachineId {
        let rule = RuleId(rule.number());
        let has_text = self.left.texts_of(rule).others;
        self.counts.filled(rule, has_text).into()
    }
}
