//! Which rules of a grammar can finish, and which are used.
//!
//! In: a [`Grammar`]. Out: the rules that no text matches, and the rules that the root never reaches.
//! Both take time linear in the size of the grammar.

use crate::grammar::{self, Expr, Grammar, RuleId};

/// The rules that no text matches, in order: every way through them leads to such a rule again, or to a class without
/// characters.
pub fn unproductive_rules(grammar: &Grammar) -> Vec<RuleId> {
    let mut graph = ExprGraph {
        nodes: Vec::new(),
        waiting: vec![Vec::new(); grammar.rules.len()],
        ready: Vec::new(),
    };
    for (index, rule) in grammar.rules.iter().enumerate() {
        graph.add(&rule.expr, Parent::Rule(index));
    }
    let mut productive = vec![false; graph.waiting.len()];
    while let Some(node) = graph.ready.pop() {
        match graph.nodes[node].parent {
            Parent::Node(parent) => graph.finish_one(parent),
            Parent::Rule(rule) => {
                if !std::mem::replace(&mut productive[rule], true) {
                    for waiting in std::mem::take(&mut graph.waiting[rule]) {
                        graph.finish_one(waiting);
                    }
                }
            }
        }
    }
    (0..)
        .zip(productive)
        .take(grammar.rules.len())
        .filter(|(_, productive)| !productive)
        .map(|(id, _)| RuleId(id))
        .collect()
}

/// The rules that can play no part, because the root does not reach them, in order.
pub fn unused_rules(grammar: &Grammar) -> Vec<RuleId> {
    let mut used = vec![false; grammar.rules.len()];
    let mut pending = vec![grammar.root];
    while let Some(id) = pending.pop() {
        let index = id.0 as usize;
        if let (Some(seen), Some(rule)) = (used.get_mut(index), grammar.rules.get(index))
            && !std::mem::replace(seen, true)
        {
            for_each_ref(&rule.expr, &mut |id| pending.push(id));
        }
    }
    (0..)
        .zip(used)
        .filter(|(_, used)| !used)
        .map(|(id, _)| RuleId(id))
        .collect()
}

/// Calls `visit` for every rule that `expr` names, in order.
pub fn for_each_ref(expr: &Expr, visit: &mut impl FnMut(RuleId)) {
    match expr {
        Expr::Literal(_)
        | Expr::Class(_)
        | Expr::Bytes(_)
        | Expr::Tokens(_)
        | Expr::Words(_)
        | Expr::Bounded(_) => {}
        Expr::Seq(parts) | Expr::Alt(parts) => {
            for part in parts {
                for_each_ref(part, visit);
            }
        }
        Expr::Graph(graph) => {
            for (part, _) in graph.states.iter().flat_map(|s| &s.edges) {
                for_each_ref(part, visit);
            }
        }
        Expr::Repeat { expr, .. } => for_each_ref(expr, visit),
        Expr::Ref(id) => visit(*id),
    }
}

/// The expressions of a grammar as a graph: which can finish once others can.
struct ExprGraph {
    nodes: Vec<ExprNode>,
    /// For each rule, and each state of an automaton inside a rule, the nodes that wait for it.
    waiting: Vec<Vec<usize>>,
    /// Expressions that can finish and whose parents do not know it yet.
    ready: Vec<usize>,
}

struct ExprNode {
    parent: Parent,
    /// How many parts must still be seen to finish.
    missing: usize,
}

#[derive(Clone, Copy)]
enum Parent {
    Node(usize),
    Rule(usize),
}

impl ExprGraph {
    fn add(&mut self, expr: &Expr, parent: Parent) {
        let missing = match expr {
            Expr::Literal(_) => 0,
            Expr::Class(ranges) => usize::from(ranges.is_empty()),
            Expr::Bytes(ranges) => usize::from(ranges.is_empty()),
            Expr::Tokens(set) => usize::from(set.is_empty()),
            Expr::Words(words) => usize::from(words.is_empty()),
            Expr::Bounded(words) => usize::from(words.is_empty()),
            Expr::Seq(parts) => parts.len(),
            Expr::Alt(_) | Expr::Ref(_) | Expr::Graph(_) => 1,
            Expr::Repeat { min, .. } => usize::from(*min > 0),
        };
        let node = self.node(parent, missing);
        match expr {
            Expr::Literal(_)
            | Expr::Class(_)
            | Expr::Bytes(_)
            | Expr::Tokens(_)
            | Expr::Words(_)
            | Expr::Bounded(_) => {}
            Expr::Seq(parts) | Expr::Alt(parts) => {
                for part in parts {
                    self.add(part, Parent::Node(node));
                }
            }
            Expr::Repeat { expr, .. } => self.add(expr, Parent::Node(node)),
            Expr::Graph(graph) => self.add_graph(graph, node),
            Expr::Ref(id) => {
                if let Some(waiting) = self.waiting.get_mut(id.0 as usize) {
                    waiting.push(node);
                }
            }
        }
    }

    /// An automaton can finish if its start can: a state if it is final, or if a part and the state behind it can.
    fn add_graph(&mut self, graph: &grammar::Graph, node: usize) {
        let first = self.waiting.len();
        let states = graph.states.iter();
        self.waiting.extend(states.map(|_| Vec::new()));
        for (at, state) in graph.states.iter().enumerate() {
            let any = self.node(Parent::Rule(first + at), usize::from(!state.is_final));
            for (part, target) in &state.edges {
                let both = self.node(Parent::Node(any), 2);
                self.add(part, Parent::Node(both));
                let behind = self.node(Parent::Node(both), 1);
                if let Some(waiting) = self.waiting.get_mut(first + *target as usize) {
                    waiting.push(behind);
                }
            }
        }
        if let Some(waiting) = self.waiting.get_mut(first) {
            waiting.push(node);
        }
    }

    fn node(&mut self, parent: Parent, missing: usize) -> usize {
        let node = self.nodes.len();
        self.nodes.push(ExprNode { parent, missing });
        if missing == 0 {
            self.ready.push(node);
        }
        node
    }

    /// One part of `node` can finish.
    fn finish_one(&mut self, node: usize) {
        let missing = &mut self.nodes[node].missing;
        if *missing > 0 {
            *missing -= 1;
            if *missing == 0 {
                self.ready.push(node);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::Rule;

    fn grammar(exprs: Vec<Expr>) -> Grammar {
        let rules = exprs.into_iter().map(|expr| Rule {
            name: String::new(),
            expr,
            span: Default::default(),
            places: Vec::new(),
        });
        Grammar {
            rules: rules.collect(),
            root: RuleId(0),
        }
    }

    fn r(id: u32) -> Expr {
        Expr::Ref(RuleId(id))
    }

    #[test]
    fn finds_rules_that_never_finish() {
        let grammar = grammar(vec![
            Expr::Alt(vec![r(1), Expr::Literal("a".into())]),
            Expr::Seq(vec![Expr::Literal("x".into()), r(2)]),
            Expr::Alt(vec![r(1), r(2), Expr::Class(vec![])]),
            Expr::Repeat {
                expr: Box::new(r(3)),
                min: 0,
                max: None,
            },
            Expr::Repeat {
                expr: Box::new(r(4)),
                min: 1,
                max: None,
            },
            Expr::Seq(vec![r(0), r(3), r(0)]),
            Expr::Alt(vec![]),
            Expr::Seq(vec![]),
        ]);
        assert_eq!(unproductive_rules(&grammar), [1, 2, 4, 6].map(RuleId));
    }

    #[test]
    fn finds_rules_that_the_root_does_not_reach() {
        let grammar = grammar(vec![
            Expr::Seq(vec![r(2), r(0)]),
            r(3),
            Expr::Literal("".into()),
            r(1),
        ]);
        assert_eq!(unused_rules(&grammar), [1, 3].map(RuleId));
    }

    #[test]
    fn a_long_chain_in_the_worst_order_is_fast() {
        let mut exprs: Vec<Expr> = (1..200_000).map(r).collect();
        exprs.push(Expr::Literal("a".into()));
        assert_eq!(unproductive_rules(&grammar(exprs)), []);
    }
}
