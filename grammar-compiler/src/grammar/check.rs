//! Which rules of a grammar can finish, and which are used.
//!
//! In: a [`Grammar`]. Out: the rules that no text matches, and the rules that the root never
//! reaches. Both take time linear in the size of the grammar.

use crate::csr::Csr;
use crate::grammar::{self, Expr, Grammar, RuleId};

/// The rules that no text matches, in order: every way through them leads to such a rule again, or
/// to a class without characters.
pub fn unproductive_rules(grammar: &Grammar) -> Vec<RuleId> {
    let mut graph = ExprGraph {
        nodes: Vec::new(),
        places: grammar.rules.len(),
        waiting: Vec::new(),
        ready: Vec::new(),
    };
    for (index, rule) in grammar.rules.iter().enumerate() {
        graph.add(&rule.expr, Parent::Rule(index));
    }
    let waiting = Csr::new(graph.places, graph.waiting.iter().copied());
    let mut productive = vec![false; graph.places];
    while let Some(parent) = graph.ready.pop() {
        match parent {
            Parent::Node(parent) => graph.finish_one(parent),
            Parent::Rule(rule) => {
                if !std::mem::replace(&mut productive[rule], true) {
                    for &node in waiting.of(rule as u32) {
                        graph.finish_one(node);
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
        | Expr::Terminal(_)
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

/// The expressions of a grammar as a graph: which can finish once others can. One that does not
/// depend on others has no node.
struct ExprGraph {
    nodes: Vec<ExprNode>,
    /// The number of rules and of states of automata inside rules.
    places: usize,
    /// Nodes, each behind the rule or state that it waits for.
    waiting: Vec<(u32, usize)>,
    /// The parents of expressions that can finish, which do not know it yet.
    ready: Vec<Parent>,
}

struct ExprNode {
    parent: Parent,
    /// How many parts must still be seen to finish.
    missing: usize,
}

#[derive(Clone, Copy)]
enum Parent {
    Node(usize),
    /// A rule, or a state of an automaton inside a rule.
    Rule(usize),
}

impl ExprGraph {
    fn add(&mut self, expr: &Expr, parent: Parent) {
        match expr {
            Expr::Literal(_) | Expr::Repeat { min: 0, .. } => self.ready.push(parent),
            Expr::Class(ranges) => self.add_leaf(ranges.is_empty(), parent),
            Expr::Bytes(ranges) => self.add_leaf(ranges.is_empty(), parent),
            Expr::Tokens(set) => self.add_leaf(set.is_empty(), parent),
            Expr::Terminal(_) => self.add_leaf(false, parent),
            Expr::Words(words) => self.add_leaf(words.is_empty(), parent),
            Expr::Bounded(words) => self.add_leaf(words.is_empty(), parent),
            Expr::Seq(parts) => self.add_parts(parts, parts.len(), parent),
            Expr::Alt(parts) => self.add_parts(parts, 1, parent),
            Expr::Repeat { expr, .. } => self.add(expr, parent),
            Expr::Graph(graph) => self.add_graph(graph, parent),
            Expr::Ref(id) => self.wait(id.0 as usize, parent),
        }
    }

    /// An expression without parts, which can finish unless it is empty.
    fn add_leaf(&mut self, is_empty: bool, parent: Parent) {
        self.ready.extend((!is_empty).then_some(parent));
    }

    /// An expression that can finish once so many of its parts can.
    fn add_parts(&mut self, parts: &[Expr], missing: usize, parent: Parent) {
        let node = self.node(parent, missing);
        (parts.iter()).for_each(|part| self.add(part, Parent::Node(node)));
    }

    /// An automaton can finish if its start can: a state if it is final, or if a part and the state
    /// behind it can.
    fn add_graph(&mut self, graph: &grammar::Graph, parent: Parent) {
        let first = self.places;
        self.places += graph.states.len();
        let past = self.places;
        for (at, state) in (first..).zip(&graph.states) {
            if state.is_final {
                self.ready.push(Parent::Rule(at));
                continue;
            }
            for (part, target) in &state.edges {
                let both = self.node(Parent::Rule(at), 2);
                self.add(part, Parent::Node(both));
                let target = first + *target as usize;
                if target < past {
                    self.waiting.push((target as u32, both));
                }
            }
        }
        if first < past {
            self.wait(first, parent);
        }
    }

    /// A rule or state is a part of `parent`. For one that is not there it waits in vain.
    fn wait(&mut self, place: usize, parent: Parent) {
        let node = self.node(parent, 1);
        if place < self.places {
            self.waiting.push((place as u32, node));
        }
    }

    fn node(&mut self, parent: Parent, missing: usize) -> usize {
        let node = self.nodes.len();
        self.nodes.push(ExprNode { parent, missing });
        if missing == 0 {
            self.ready.push(parent);
        }
        node
    }

    /// One part of `node` can finish.
    fn finish_one(&mut self, node: usize) {
        let ExprNode { parent, missing } = &mut self.nodes[node];
        if *missing > 0 {
            *missing -= 1;
            if *missing == 0 {
                self.ready.push(*parent);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::{Graph, GraphState, Rule};
    use std::sync::Arc;

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
            lexer: None,
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

    /// An automaton inside a rule finishes where a way leads from its start to a final state, and
    /// each part on it finishes.
    #[test]
    fn finds_automata_that_never_finish() {
        let letter = || Expr::Literal("a".into());
        let graph = |states: Vec<(bool, Vec<(Expr, u32)>)>| {
            let states = states.into_iter();
            let states = states.map(|(is_final, edges)| GraphState { is_final, edges });
            Expr::Graph(Arc::new(Graph {
                states: states.collect(),
            }))
        };
        let grammar = grammar(vec![
            graph(vec![(false, vec![(letter(), 1)]), (true, vec![])]),
            graph(vec![(false, vec![(letter(), 0)])]),
            graph(vec![
                (false, vec![(letter(), 1)]),
                (false, vec![(r(1), 2)]),
                (true, vec![]),
            ]),
            graph(vec![
                (false, vec![(r(1), 1), (r(0), 1)]),
                (true, vec![(r(3), 0)]),
            ]),
            graph(vec![(false, vec![(letter(), 7)])]),
            graph(vec![(true, vec![(r(1), 0)])]),
            graph(vec![]),
            Expr::Seq(vec![letter(), r(3), r(5)]),
            Expr::Seq(vec![letter(), Expr::Class(vec![])]),
        ]);
        assert_eq!(unproductive_rules(&grammar), [1, 2, 4, 6, 8].map(RuleId));
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
