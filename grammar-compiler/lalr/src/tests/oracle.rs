//! The short texts of a grammar, found without any automaton: sets of texts grow from nothing until
//! no rule adds to them.

use crate::{Expr, Grammar};
use std::collections::BTreeSet;

/// Texts of terminals.
pub(super) type Texts = BTreeSet<Vec<u32>>;

/// All texts of the grammar that are at most `length` long.
pub(super) fn texts(grammar: &Grammar, length: usize) -> Texts {
    let mut known = vec![Texts::new(); grammar.rules.len()];
    loop {
        let more: Vec<Texts> = grammar
            .rules
            .iter()
            .map(|rule| derived(&rule.body, &known, length))
            .collect();
        if more == known {
            break;
        }
        known = more;
    }
    grammar
        .starts
        .iter()
        .flat_map(|&start| known[start].iter().cloned())
        .collect()
}

fn derived(expr: &Expr, known: &[Texts], length: usize) -> Texts {
    match expr {
        Expr::Terminal(terminal) => Texts::from([vec![*terminal]]),
        Expr::Rule(rule) => known[*rule].clone(),
        Expr::Union(parts) => parts
            .iter()
            .flat_map(|part| derived(part, known, length))
            .collect(),
        Expr::Sequence(parts) => {
            let empty = Texts::from([Vec::new()]);
            parts.iter().fold(empty, |texts, part| {
                then(&texts, &derived(part, known, length), length)
            })
        }
        Expr::Repeat { of, min, max } => {
            let once = derived(of, known, length);
            let mut times = Texts::from([Vec::new()]);
            let mut all = Texts::new();
            // Without a bound, what `length` more rounds do not reach is too long.
            let last = max.unwrap_or(min + length as u32);
            for n in 0..=last {
                if n >= *min {
                    all.extend(times.iter().cloned());
                }
                times = then(&times, &once, length);
            }
            all
        }
    }
}

fn then(first: &Texts, second: &Texts, length: usize) -> Texts {
    let pairs = first
        .iter()
        .flat_map(|a| second.iter().map(move |b| (a, b)));
    let pairs = pairs.filter(|(a, b)| a.len() + b.len() <= length);
    pairs
        .map(|(a, b)| [a.as_slice(), b.as_slice()].concat())
        .collect()
}
