//! The LR(0) automaton → the look-ahead of each reduction.
//!
//! After F. DeRemer and T. Pennello, "Efficient Computation of LALR(1) Look-Ahead Sets", TOPLAS
//! 4(4), 1982. The nodes are the transitions on nonterminals. With the terms of the paper:
//!
//! - (p, A) *reads* (r, C) if A leads from p to r, and C from r, and C derives the empty text.
//! - (p, B) *includes* (p', A) if there is a production A → β B γ, β leads from p' to p, and γ
//!   derives the empty text.
//! - (q, A → ω) *looks back* at (p, A) if ω leads from p to q.
//!
//! One thing is not as in the paper, but as in Lark: an item A → β · δ in the kernel of a state p,
//! where A leads somewhere from p, counts as if it began in p. So (q, B) includes (p, A) for each
//! symbol B in δ with a nullable rest, where what stands before it in δ leads from p to q. Such a
//! pair makes look-ahead sets larger than those of the paper. The texts accepted stay the same, but
//! the contextual lexer looks for more terminals, and more reductions collide.

use crate::automaton::{Automaton, Closer};
use crate::bnf::{Bnf, Item, Next};
use crate::budget::Budget;
use crate::digraph::{Relation, Sets, close};
use crate::error::Error;
use crate::sort::sorted;

/// Words of sets, and pairs of a relation, that may be made.
const LARGEST: usize = 1 << 25;

/// The look-ahead of all reductions.
pub(crate) struct Lookahead {
    /// The reductions: state, production and a row of `follow`, sorted. A reduction's look-ahead is
    /// the union of its rows. Column `t` is terminal `t`; the last column is the end of the text.
    pub(crate) back: Vec<(u32, u32, u32)>,
    pub(crate) follow: Sets,
    /// The state in which the transition of each row begins.
    pub(crate) from: Vec<u32>,
}

/// Computes the look-ahead.
pub(crate) fn lookahead(
    bnf: &Bnf,
    automaton: &Automaton,
    budget: &mut Budget,
) -> Result<Lookahead, Error> {
    let nodes = Nodes::new(automaton);
    let mut relations = Relations {
        bnf,
        automaton,
        nodes: &nodes,
        includes: Vec::new(),
        back: Vec::new(),
    };
    relations.find(budget)?;
    let (includes, back) = (relations.includes, relations.back);
    let states = automaton.transitions.len();
    let back = sorted(&back, states, |of| of.0 as usize, budget)?;
    let columns = bnf.terminals.len() + 1;
    if Sets::size(nodes.count(), columns) > LARGEST {
        return Err(too_many("look-ahead sets"));
    }
    let mut follow = Sets::new(nodes.count(), columns);
    let reads = directly(bnf, automaton, &nodes, &mut follow, budget)?;
    let reads = Relation::new(nodes.count(), &reads, budget)?;
    close(&mut follow, &reads, budget)?;
    let includes = Relation::new(nodes.count(), &includes, budget)?;
    close(&mut follow, &includes, budget)?;
    let from = nodes.from;
    Ok(Lookahead { back, follow, from })
}

fn too_many(what: &str) -> Error {
    Error::too_large(format!("the {what} of the LALR tables are too large"), None)
}

/// Numbers for the transitions on nonterminals.
struct Nodes {
    /// The number of each state's first one.
    begins: Vec<u32>,
    /// How many transitions on terminals stand before it in the state's list.
    terminals: Vec<u32>,
    /// The state of each.
    from: Vec<u32>,
}

impl Nodes {
    fn new(automaton: &Automaton) -> Self {
        let (mut begins, mut terminals, mut from) = (vec![0], Vec::new(), Vec::new());
        for (state, transitions) in automaton.transitions.iter().enumerate() {
            let count = transitions.partition_point(|(next, _)| matches!(next, Next::Terminal(_)));
            terminals.push(count as u32);
            from.resize(from.len() + transitions.len() - count, state as u32);
            begins.push(from.len() as u32);
        }
        Self {
            begins,
            terminals,
            from,
        }
    }

    fn count(&self) -> usize {
        self.from.len()
    }

    /// The transition of a state on a nonterminal, and the state after it.
    fn find(&self, automaton: &Automaton, state: u32, nonterminal: u32) -> Option<(u32, u32)> {
        let skipped = self.terminals[state as usize] as usize;
        let transitions = &automaton.transitions[state as usize][skipped..];
        let symbol = Next::Nonterminal(nonterminal);
        let place = transitions.binary_search_by_key(&symbol, |&(symbol, _)| symbol);
        let place = place.ok()?;
        Some((
            self.begins[state as usize] + place as u32,
            transitions[place].1,
        ))
    }
}

/// Puts the terminals that can be shifted after each transition into its set; returns *reads*.
fn directly(
    bnf: &Bnf,
    automaton: &Automaton,
    nodes: &Nodes,
    sets: &mut Sets,
    budget: &mut Budget,
) -> Result<Vec<(u32, u32)>, Error> {
    let mut reads = Vec::new();
    let mut node = 0;
    for (state, transitions) in automaton.transitions.iter().enumerate() {
        for &(_, after) in &transitions[nodes.terminals[state] as usize..] {
            let (begin, skipped) = (
                nodes.begins[after as usize],
                nodes.terminals[after as usize],
            );
            for (place, &(symbol, _)) in automaton.transitions[after as usize].iter().enumerate() {
                budget.spend(1)?;
                match symbol {
                    Next::Terminal(terminal) => sets.insert(node as usize, terminal as usize),
                    Next::Nonterminal(next) if bnf.is_nullable[next as usize] => {
                        reads.push((node, begin + place as u32 - skipped));
                    }
                    _ => {}
                }
            }
            node += 1;
        }
        if reads.len() > LARGEST {
            return Err(too_many("relations"));
        }
    }
    if let Next::Nonterminal(start) = bnf.next[bnf.root().first as usize]
        && let Some((node, _)) = nodes.find(automaton, 0, start)
    {
        sets.insert(node as usize, bnf.terminals.len());
    }
    Ok(reads)
}

/// Finds *includes* and *looks back*.
struct Relations<'r> {
    bnf: &'r Bnf,
    automaton: &'r Automaton,
    nodes: &'r Nodes,
    includes: Vec<(u32, u32)>,
    back: Vec<(u32, u32, u32)>,
}

impl Relations<'_> {
    fn find(&mut self, budget: &mut Budget) -> Result<(), Error> {
        let mut closer = Closer::new(self.bnf);
        for (state, kernel) in self.automaton.kernels.iter().enumerate() {
            for &item in closer.closure(kernel, budget)? {
                self.follow_item(state as u32, item, budget)?;
            }
            if self.includes.len() > LARGEST || self.back.len() > LARGEST {
                return Err(too_many("relations"));
            }
        }
        Ok(())
    }

    /// Follows the symbols behind an item's dot, from a state that contains it.
    fn follow_item(&mut self, from: u32, item: Item, budget: &mut Budget) -> Result<(), Error> {
        let production = self.bnf.production(item);
        let Some((node, _)) = self
            .nodes
            .find(self.automaton, from, production.nonterminal)
        else {
            return Ok(());
        };
        let (mut state, mut at) = (from, item as usize);
        loop {
            budget.spend(1)?;
            let after = match self.bnf.next[at] {
                Next::End(number) => {
                    if item == production.first {
                        self.back.push((state, number, node));
                    }
                    return Ok(());
                }
                Next::Nonterminal(nonterminal) => {
                    let found = self.nodes.find(self.automaton, state, nonterminal);
                    if let Some((inner, _)) = found
                        && self.bnf.is_rest_nullable[at + 1]
                    {
                        self.includes.push((inner, node));
                    }
                    found.map(|(_, after)| after)
                }
                terminal @ Next::Terminal(_) => self.automaton.after(state, terminal),
            };
            // There always is a next state: `from` contains the item.
            let Some(after) = after else { return Ok(()) };
            (state, at) = (after, at + 1);
        }
    }
}
