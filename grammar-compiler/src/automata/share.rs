//! Rules with one right part.
//!
//! In: a [`Grammar`]. Out: the same language under the same numbers. Of the rules that are alike all references name the
//! first one; each other one only refers to it. A schema with thirty names of one kind then has one rule to build,
//! to call and to compute masks for.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap as HashMap;
use std::sync::Arc;

use crate::grammar::check::for_each_ref;
use crate::grammar::{Expr, Grammar, Graph, Rule, RuleId};

/// Lets equal rules share one right part, if it refers to no rule that stays. Others, if they were one, would be called from more
/// places: what to call is chosen by that, and an SQL-like grammar came to need several stacks.
pub fn share(grammar: &Grammar) -> Grammar {
    let mut same: Vec<RuleId> = (0..grammar.rules.len() as u32).map(RuleId).collect();
    let mut known: HashMap<Expr, RuleId> = HashMap::default();
    let mut rules = grammar.rules.clone();
    for id in callees_first(grammar) {
        let rule: &mut Rule = &mut rules[id.0 as usize];
        rename(&mut rule.expr, &same);
        if !is_regular(&rule.expr) {
            continue;
        }
        match known.get(&rule.expr) {
            Some(&first) if id != grammar.root => {
                same[id.0 as usize] = first;
                rule.expr = Expr::Ref(first);
            }
            Some(_) => {}
            None => {
                known.insert(rule.expr.clone(), id);
            }
        }
    }
    Grammar {
        rules,
        root: grammar.root,
    }
}

/// Whether a right part refers to no rule.
pub fn is_regular(expr: &Expr) -> bool {
    let mut refers = false;
    for_each_ref(expr, &mut |_| refers = true);
    !refers
}

fn callees_first(grammar: &Grammar) -> Vec<RuleId> {
    let mut graph: DiGraph<(), (), u32> = DiGraph::new();
    grammar.rules.iter().for_each(|_| {
        graph.add_node(());
    });
    for (caller, rule) in (0..).zip(&grammar.rules) {
        for_each_ref(&rule.expr, &mut |callee| {
            graph.add_edge(
                NodeIndex::new(caller),
                NodeIndex::new(callee.0 as usize),
                (),
            );
        });
    }
    let components = kosaraju_scc(&graph).into_iter().flatten();
    components.map(|node| RuleId(node.index() as u32)).collect()
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
        Expr::Literal(_) | Expr::Class(_) | Expr::Bytes(_) | Expr::Words(_) => {}
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
        // Rules that refer to others stay apart.
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
