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
        waiting: Waiting::new(grammar.rules.len()),
        ready: Vec::new(),
    };
    for (index, rule) in grammar.rules.iter().enumerate() {
        graph.add(&rule.expr, Parent::Rule(index));
    }
    let mut productive = vec![false; graph.waiting.newest.len()];
    while let Some(parent) = graph.ready.pop() {
        match parent {
            Parent::Node(parent) => graph.finish_one(parent),
            Parent::Rule(rule) => {
                if !std::mem::replace(&mut productive[rule], true) {
                    while let Some(waiting) = graph.waiting.take(rule) {
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

/// The expressions of a grammar as a graph: which can finish once others can. One that can finish by itself has no node.
struct ExprGraph {
    nodes: Vec<ExprNode>,
    waiting: Waiting,
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

/// For each rule, and each state of an automaton inside a rule, the nodes that wait for it: lists in one allocation.
struct Waiting {
    /// The place of the entry that was added last.
    newest: Vec<Option<usize>>,
    /// Nodes, each with the place of the entry before.
    entries: Vec<(usize, Option<usize>)>,
}

impl ExprGraph {
    fn add(&mut self, expr: &Expr, parent: Parent) {
        match finishes_alone(expr) {
            Some(true) => self.ready.push(parent),
            Some(false) => {}
            None => self.add_composite(expr, parent),
        }
    }

    fn add_composite(&mut self, expr: &Expr, parent: Parent) {
        match expr {
            Expr::Seq(parts) => {
                let node = self.node(parent, 0);
                for part in parts
                    .iter()
                    .filter(|part| finishes_alone(part) != Some(true))
                {
                    self.nodes[node].missing += 1;
                    self.add(part, Parent::Node(node));
                }
                if self.nodes[node].missing == 0 {
                    self.ready.push(parent);
                }
            }
            Expr::Alt(parts) => {
                let node = self.node(parent, 1);
                (parts.iter()).for_each(|part| self.add(part, Parent::Node(node)));
            }
            Expr::Repeat { expr, .. } => self.add(expr, parent),
            Expr::Graph(graph) => {
                let start = self.waiting.newest.len();
                self.add_graph(graph, start);
                let node = self.node(parent, 1);
                self.waiting.add(start, node);
            }
            Expr::Ref(id) => {
                let node = self.node(parent, 1);
                self.waiting.add(id.0 as usize, node);
            }
            Expr::Literal(_)
            | Expr::Class(_)
            | Expr::Bytes(_)
            | Expr::Tokens(_)
            | Expr::Words(_)
            | Expr::Bounded(_) => {}
        }
    }

    /// An automaton whose states are numbered from `first` on can finish if its start can: a state if it is final, or if a part and the state behind it can.
    fn add_graph(&mut self, graph: &grammar::Graph, first: usize) {
        let past = first + graph.states.len();
        self.waiting.newest.resize(past, None);
        for (at, state) in (first..).zip(&graph.states) {
            if state.is_final {
                self.ready.push(Parent::Rule(at));
                continue;
            }
            for (part, target) in &state.edges {
                let alone = finishes_alone(part) == Some(true);
                let both = self.node(Parent::Rule(at), if alone { 1 } else { 2 });
                let target = first + *target as usize;
                if target < past {
                    self.waiting.add(target, both);
                }
                if !alone {
                    self.add(part, Parent::Node(both));
                }
            }
        }
    }

    fn node(&mut self, parent: Parent, missing: usize) -> usize {
        let node = self.nodes.len();
        self.nodes.push(ExprNode { parent, missing });
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

impl Waiting {
    fn new(count: usize) -> Self {
        Waiting {
            newest: vec![None; count],
            entries: Vec::new(),
        }
    }

    /// A node waits for a rule or state. For one that is not there it waits in vain.
    fn add(&mut self, of: usize, node: usize) {
        if let Some(newest) = self.newest.get_mut(of) {
            self.entries.push((node, *newest));
            *newest = Some(self.entries.len() - 1);
        }
    }

    /// Takes one of the nodes that wait.
    fn take(&mut self, of: usize) -> Option<usize> {
        let (node, before) = self.entries[self.newest[of]?];
        self.newest[of] = before;
        Some(node)
    }
}

/// Whether an expression can finish, if that does not depend on others.
fn finishes_alone(expr: &Expr) -> Option<bool> {
    match expr {
        Expr::Literal(_) | Expr::Repeat { min: 0, .. } => Some(true),
        Expr::Class(ranges) => Some(!ranges.is_empty()),
        Expr::Bytes(ranges) => Some(!ranges.is_empty()),
        Expr::Tokens(set) => Some(!set.is_empty()),
        Expr::Words(words) => Some(!words.is_empty()),
        Expr::Bounded(words) => Some(!words.is_empty()),
        Expr::Seq(_) | Expr::Alt(_) | Expr::Repeat { .. } | Expr::Graph(_) | Expr::Ref(_) => None,
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

    /// An automaton inside a rule finishes where a way leads from its start to a final state, and each part on it finishes.
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
