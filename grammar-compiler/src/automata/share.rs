//! Sharing: equal rules become one.
//!
//! In: a [`Grammar`]. Out: the same language under the same numbers. All references to one of
//! several equal rules name the last of them, and each other one is a mere reference to it. A
//! schema with thirty names of one kind then has one rule to build, to call and to compute masks
//! for.

use crate::maps::KeyedMap;
use std::sync::Arc;

use crate::grammar::check::for_each_ref;
use crate::grammar::{Expr, Grammar, Graph, RuleId};

/// Lets equal rules share one right part, if it refers to no rule. Rules with references are not
/// shared: a shared rule is called from more places, which changes what is called at all, and made
/// an SQL-like grammar need several stacks.
pub fn share(grammar: &Grammar) -> Grammar {
    let mut rules = grammar.rules.clone();
    let mut same: Vec<RuleId> = (0..rules.len() as u32).map(RuleId).collect();
    let mut known: KeyedMap<&Expr, RuleId> = KeyedMap::default();
    let regular =
        (grammar.rules.iter().enumerate().rev()).filter(|(_, rule)| is_regular(&rule.expr));
    for (at, rule) in regular {
        let last = *known.entry(&rule.expr).or_insert(same[at]);
        if last != same[at] && same[at] != grammar.root {
            same[at] = last;
            rules[at].expr = Expr::Ref(last);
        }
    }
    rules
        .iter_mut()
        .for_each(|rule| rename(&mut rule.expr, &same));
    Grammar::new(rules, grammar.root)
}

/// Whether a right part refers to no rule.
pub fn is_regular(expr: &Expr) -> bool {
    let mut refers = false;
    for_each_ref(expr, &mut |_| refers = true);
    !refers
}

fn rename(expr: &mut Expr, same: &[RuleId]) {
    match expr {
        Expr::Ref(id) => {
            if let Some(&first) = same.get(id.0 as usize) {
                *id = first;
            }
        }
        Expr::Seq(items) | Expr::Alt(items) => items.iter_mut().for_each(|item| rename(item, same)),
        Expr::Repeat { expr, .. } => rename(expr, same),
        Expr::Graph(graph) => {
            let states = &mut Arc::<Graph>::make_mut(graph).states;
            let edges = states.iter_mut().flat_map(|state| &mut state.edges);
            edges.for_each(|(part, _)| rename(part, same));
        }
        Expr::Literal(_)
        | Expr::Class(_)
        | Expr::Bytes(_)
        | Expr::Tokens(_)
        | Expr::Terminal(_)
        | Expr::Words(_)
        | Expr::Bounded(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::share;
    use crate::source::Source;
    use crate::syntax::ebnf;

    #[test]
    fn equal_rules_are_one() {
        let text = "root ::= a b c d\na ::= x \"1\"\nb ::= y \"1\"\nx ::= [0-9]\ny ::= [0-9]\nc ::= \"(\" c \")\" | x\nd ::= \"(\" d \")\" | y\n";
        let grammar = ebnf::parse(&Source::new("shared", text), &Default::default())
            .unwrap()
            .grammar;
        let shared = share(&grammar).to_string();
        // Rules that refer to others are not shared.
        insta::assert_snapshot!(shared, @r#"
        root ::= a b c d
        a ::= y "1"
        b ::= y "1"
        x ::= y
        y ::= [0-9]
        c ::= "(" c ")" | y
        d ::= "(" d ")" | y
        "#);
    }
}
