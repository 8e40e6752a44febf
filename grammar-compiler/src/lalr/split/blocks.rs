//! Nodes that the same follows are one.
//!
//! In: [`Splitter`]. Out: the rules: the right sides of each nonterminal as the smallest automaton.

use std::sync::Arc;

use super::DOING;
use super::walk::{End, RightPart, Splitter};
use crate::grammar::{Expr, Graph, GraphState, Rule, RuleId};
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded};

/// What a node of each block has behind it: its block in the round before, parts and ends.
type BlockKey = (u32, Vec<(RightPart, u32)>, Vec<End>);

/// Nodes that the same parts follow are one block: a partition that is refined until it is stable.
/// Nonterminals stay apart.
pub(super) struct Blocks {
    of_node: Vec<u32>,
}

impl Blocks {
    pub(super) fn new(splitter: &Splitter<'_>, deadline: &Deadline) -> Result<Self, LimitExceeded> {
        let mut of_node = vec![0; splitter.nodes.values.len()];
        for &start in &splitter.starts {
            of_node[start as usize] = 1 + splitter.nonterminal(start);
        }
        let mut count = 0;
        loop {
            let mut known: Interner<BlockKey> = Interner::new();
            let mut next = Vec::with_capacity(of_node.len());
            for (&block, of) in of_node.iter().zip(&splitter.of_nodes) {
                let of = of.clone().unwrap_or_default();
                deadline.ticks(1 + of.parts.len(), DOING)?;
                let renamed = |&(part, to): &(RightPart, u32)| {
                    let part = match part {
                        RightPart::Copy(root) => RightPart::Copy(of_node[root as usize]),
                        symbol => symbol,
                    };
                    (part, of_node[to as usize])
                };
                let mut parts: Vec<_> = of.parts.iter().map(renamed).collect();
                parts.sort_unstable();
                next.push(known.intern((block, parts, of.ends)));
            }
            of_node = next;
            if known.values.len() == count {
                return Ok(Blocks { of_node });
            }
            count = known.values.len();
        }
    }

    /// A rule for each block in which a nonterminal begins, in the order of the first ones.
    pub(super) fn rules(
        &self,
        splitter: &Splitter<'_>,
        names: &dyn Fn(u32) -> String,
    ) -> Vec<Rule> {
        let mut of_block: Interner<u32> = Interner::new();
        let mut first = Vec::new();
        for &start in &splitter.starts {
            let rule = of_block.intern(self.of_node[start as usize]);
            if rule as usize == first.len() {
                first.push(start);
            }
        }
        let mut rule_of = vec![0; self.of_node.len()];
        for (rule, &block) in (0..).zip(&of_block.values) {
            rule_of[block as usize] = rule;
        }
        let rule = |&start: &u32| {
            let nonterminal = splitter.nonterminal(start);
            let name = names(splitter.tables.rules[nonterminal as usize]);
            Rule::new(&name, self.right(splitter, start, &rule_of))
        };
        first.iter().map(rule).collect()
    }

    /// The right sides of a nonterminal, as an automaton.
    fn right(&self, splitter: &Splitter<'_>, start: u32, rule_of: &[u32]) -> Expr {
        let symbols = splitter.symbols.values.len() as u32;
        let byte = |number: u32| Expr::Bytes(vec![(number as u8, number as u8)]);
        let block = |node: u32| self.of_node[node as usize];
        let mut met: Interner<u32> = Interner::new();
        met.intern(block(start));
        let mut due = vec![start];
        let mut states: Vec<GraphState> = Vec::new();
        // Behind a guard a right side has ended.
        let mut guarded: Vec<(usize, Expr)> = Vec::new();
        while let Some(&node) = due.get(states.len()) {
            let mut state = GraphState::default();
            let of = splitter.of_nodes[node as usize].iter();
            for &(part, to) in of.clone().flat_map(|of| &of.parts) {
                let part = match part {
                    RightPart::Symbol(symbol) => byte(symbol),
                    RightPart::Copy(root) => Expr::Ref(RuleId(rule_of[block(root) as usize])),
                };
                let next = met.intern(block(to));
                if next as usize == due.len() {
                    due.push(to);
                }
                state.edges.push((part, next));
            }
            for end in of.flat_map(|of| &of.ends) {
                match end {
                    End::Free => state.is_final = true,
                    End::Guarded(guard) => guarded.push((states.len(), byte(symbols + guard))),
                }
            }
            states.push(state);
        }
        let end = states.len() as u32;
        for (state, guard) in guarded {
            states[state].edges.push((guard, end));
        }
        states.push(GraphState {
            is_final: true,
            edges: Vec::new(),
        });
        Expr::Graph(Arc::new(Graph { states }))
    }
}
