//! Facts about each rule's language.
//!
//! In: a [`Grammar`] whose rules can all finish. Out: [`RuleFacts`]: whether a rule has a word that
//! is not empty, and whether it has blanks only; the rules that call each other in a circle.

use crate::components::{components, cycles};
use crate::grammar::{Expr, Grammar, RuleId, check};

/// Ranges of more characters are not all blanks.
const MOST_BLANKS: u32 = 32;

/// What is known of the rules of a grammar.
pub(super) struct RuleFacts {
    /// Whether the rule has a word that is not empty.
    consumes: Vec<bool>,
    /// Whether the rule's words are made of blanks only.
    blank: Vec<bool>,
    /// The cycle that each rule is on; a rule on none has a number of its own.
    circle: Vec<usize>,
    /// Whether the rules with a number reach themselves.
    is_circle: Vec<bool>,
}

impl RuleFacts {
    pub(super) fn new(grammar: &Grammar) -> Self {
        let count = grammar.rules.len();
        let users = users(grammar);
        let mut facts = RuleFacts {
            consumes: vec![false; count],
            blank: vec![true; count],
            circle: vec![0; count],
            is_circle: Vec::new(),
        };
        facts.find_circles(grammar);
        let mut pending: Vec<usize> = (0..count).collect();
        while let Some(rule) = pending.pop() {
            if !facts.consumes[rule] && facts.consumes_some(&grammar.rules[rule].expr) {
                facts.consumes[rule] = true;
                pending.extend(&users[rule]);
            }
        }
        pending.extend(0..count);
        while let Some(rule) = pending.pop() {
            if facts.blank[rule] && !facts.is_blank(&grammar.rules[rule].expr) {
                facts.blank[rule] = false;
                pending.extend(&users[rule]);
            }
        }
        facts
    }

    fn find_circles(&mut self, grammar: &Grammar) {
        let count = grammar.rules.len();
        let mut edges = Vec::new();
        for (from, rule) in (0..).zip(&grammar.rules) {
            check::for_each_ref(&rule.expr, &mut |to| {
                if (to.0 as usize) < count {
                    edges.push((from, to.0));
                }
            });
        }
        let components = components(count, &edges);
        for (number, members) in components.iter().enumerate() {
            for &member in members {
                self.circle[member as usize] = number;
            }
        }
        self.is_circle = vec![false; components.len()];
        for cycle in cycles(count, &edges) {
            self.is_circle[self.circle[cycle[0] as usize]] = true;
        }
    }

    /// Whether a rule has a word that is not empty.
    pub(super) fn can_consume(&self, rule: usize) -> bool {
        self.consumes.get(rule).copied().unwrap_or(false)
    }

    /// Whether two rules lead back to each other.
    pub(super) fn in_one_circle(&self, rule: usize, other: RuleId) -> bool {
        let circle = |rule: usize| self.circle.get(rule).copied();
        circle(rule) == circle(other.0 as usize)
            && circle(rule).is_some_and(|circle| self.is_circle[circle])
    }

    /// Whether some text matches `expr`, given that all rules can finish.
    pub(super) fn is_productive(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Literal(_) | Expr::Ref(_) => true,
            Expr::Class(ranges) => !ranges.is_empty(),
            Expr::Bytes(ranges) => !ranges.is_empty(),
            Expr::Tokens(set) => !set.is_empty(),
            Expr::Terminal(_) => true,
            Expr::Words(words) => !words.is_empty(),
            Expr::Bounded(words) => !words.is_empty(),
            Expr::Graph(graph) => !graph.states.is_empty(),
            Expr::Seq(parts) => parts.iter().all(|part| self.is_productive(part)),
            Expr::Alt(parts) => parts.iter().any(|part| self.is_productive(part)),
            Expr::Repeat { expr, min, .. } => *min == 0 || self.is_productive(expr),
        }
    }

    /// Whether `expr` has a word that is not empty.
    pub(super) fn consumes_some(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Literal(text) => !text.is_empty(),
            Expr::Class(ranges) => !ranges.is_empty(),
            Expr::Bytes(ranges) => !ranges.is_empty(),
            Expr::Ref(id) => self.can_consume(id.0 as usize),
            Expr::Seq(parts) => {
                parts.iter().any(|part| self.consumes_some(part)) && self.is_productive(expr)
            }
            Expr::Alt(parts) => parts.iter().any(|part| self.consumes_some(part)),
            Expr::Repeat { expr, max, .. } => *max != Some(0) && self.consumes_some(expr),
            // An automaton that a front end has computed counts as having such a word.
            Expr::Tokens(_)
            | Expr::Terminal(_)
            | Expr::Words(_)
            | Expr::Bounded(_)
            | Expr::Graph(_) => true,
        }
    }

    /// Whether all words of `expr` are made of blanks.
    pub(super) fn is_blank(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Literal(text) => text.chars().all(char::is_whitespace),
            Expr::Class(ranges) => ranges.iter().all(|&(low, high)| {
                high as u32 - low as u32 <= MOST_BLANKS && (low..=high).all(char::is_whitespace)
            }),
            Expr::Bytes(ranges) => ranges
                .iter()
                .all(|&(low, high)| (low..=high).all(|byte| byte.is_ascii_whitespace())),
            Expr::Ref(id) => self.blank.get(id.0 as usize).copied().unwrap_or(false),
            Expr::Seq(parts) | Expr::Alt(parts) => parts.iter().all(|part| self.is_blank(part)),
            Expr::Repeat { expr, .. } => self.is_blank(expr),
            Expr::Tokens(_)
            | Expr::Terminal(_)
            | Expr::Words(_)
            | Expr::Bounded(_)
            | Expr::Graph(_) => false,
        }
    }
}

/// For each rule the rules that name it.
fn users(grammar: &Grammar) -> Vec<Vec<usize>> {
    let mut users = vec![Vec::new(); grammar.rules.len()];
    for (user, rule) in grammar.rules.iter().enumerate() {
        check::for_each_ref(&rule.expr, &mut |id| {
            if let Some(users) = users.get_mut(id.0 as usize) {
                users.push(user);
            }
        });
    }
    users
}
