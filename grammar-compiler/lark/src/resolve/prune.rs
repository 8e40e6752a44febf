//! Leaving out what no start reaches.
//!
//! What holds after: every rule can be reached from a start; every terminal is used or ignored,
//! unless all are to stay; indices are new.

use super::rules::Written;
use crate::grammar::{Expr, Lark, Settings};

/// The result, without unused parts.
pub(super) fn prune(written: Written, settings: Settings, all_terminals: bool) -> Lark {
    let Written {
        mut rules,
        starts,
        terminals,
    } = written;
    let mut uses = Uses {
        rules: vec![false; rules.len()],
        terminals: vec![all_terminals; terminals.all.len()],
        open: Vec::new(),
    };
    starts.iter().for_each(|&rule| uses.rule(rule));
    terminals
        .ignored
        .iter()
        .for_each(|&terminal| uses.terminals[terminal] = true);
    while let Some(rule) = uses.open.pop() {
        uses.expr(&rules[rule].body);
    }
    let new_rules = renumber(&uses.rules);
    let new_terminals = renumber(&uses.terminals);
    rules
        .iter_mut()
        .for_each(|rule| rename(&mut rule.body, &new_rules, &new_terminals));
    Lark {
        rules: rules
            .into_iter()
            .zip(uses.rules)
            .filter_map(only_kept)
            .collect(),
        starts: starts.into_iter().map(|rule| new_rules[rule]).collect(),
        ignored: terminals
            .ignored
            .into_iter()
            .map(|terminal| new_terminals[terminal])
            .collect(),
        terminals: terminals
            .all
            .into_iter()
            .zip(uses.terminals)
            .filter_map(only_kept)
            .collect(),
        settings,
    }
}

fn only_kept<T>((item, is_kept): (T, bool)) -> Option<T> {
    is_kept.then_some(item)
}

struct Uses {
    rules: Vec<bool>,
    terminals: Vec<bool>,
    /// Rules that are used and whose bodies are not yet looked at.
    open: Vec<usize>,
}

impl Uses {
    fn rule(&mut self, rule: usize) {
        if !std::mem::replace(&mut self.rules[rule], true) {
            self.open.push(rule);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Terminal(terminal) => self.terminals[*terminal] = true,
            Expr::Rule(rule) => self.rule(*rule),
            Expr::Sequence(parts) | Expr::Union(parts) => {
                for part in parts {
                    self.expr(part);
                }
            }
            Expr::Repeat { of, .. } => self.expr(of),
            Expr::Token { .. } | Expr::Embedded { .. } => {}
        }
    }
}

/// The new index of each item, counting those that are kept.
fn renumber(kept: &[bool]) -> Vec<usize> {
    let mut next = 0;
    let count = |is_kept: &bool| {
        let index = next;
        next += usize::from(*is_kept);
        index
    };
    kept.iter().map(count).collect()
}

fn rename(expr: &mut Expr, rules: &[usize], terminals: &[usize]) {
    match expr {
        Expr::Terminal(terminal) => *terminal = terminals[*terminal],
        Expr::Rule(rule) => *rule = rules[*rule],
        Expr::Sequence(parts) | Expr::Union(parts) => {
            parts
                .iter_mut()
                .for_each(|part| rename(part, rules, terminals));
        }
        Expr::Repeat { of, .. } => rename(of, rules, terminals),
        Expr::Token { .. } | Expr::Embedded { .. } => {}
    }
}
