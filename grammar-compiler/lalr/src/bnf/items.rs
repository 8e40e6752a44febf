//! Productions, laid down so that an item is one number.

use super::Derived;
use super::tree::Sym;
use crate::budget::Budget;
use crate::error::Error;
use std::ops::Range;

/// A production with a dot in it: the place of what stands behind the dot in [`Bnf::next`]. The
/// dot moves on by adding 1.
pub(crate) type Item = u32;

/// What stands behind the dot. Terminals come before nonterminals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Next {
    /// A terminal, as an index into [`Bnf::terminals`].
    Terminal(u32),
    Nonterminal(u32),
    /// Nothing: this production is complete.
    End(u32),
}

/// The productions of a grammar. The last one has the root on its left.
pub(crate) struct Bnf {
    /// All items, production by production, each production closed by [`Next::End`].
    pub(crate) next: Vec<Next>,
    /// Whether all that stands behind the dot derives the empty text.
    pub(crate) is_rest_nullable: Vec<bool>,
    /// The productions.
    pub(crate) productions: Vec<Laid>,
    /// The productions of each nonterminal.
    pub(crate) of: Vec<Range<u32>>,
    /// Whether each nonterminal derives the empty text.
    pub(crate) is_nullable: Vec<bool>,
    /// The terminals, sorted.
    pub(crate) terminals: Vec<u32>,
}

/// A production.
pub(crate) struct Laid {
    pub(crate) nonterminal: u32,
    /// The item with the dot in front.
    pub(crate) first: Item,
    pub(crate) length: u32,
    pub(crate) priority: i32,
    /// The rule it comes from.
    pub(crate) rule: usize,
}

impl Bnf {
    /// The production of the root.
    pub(crate) fn root(&self) -> &Laid {
        &self.productions[self.productions.len() - 1]
    }

    /// The production that an item belongs to.
    pub(crate) fn production(&self, item: Item) -> &Laid {
        let place = self.productions.partition_point(|p| p.first <= item);
        &self.productions[place - 1]
    }
}

/// Lays the productions down; there are `nonterminals` nonterminals, the last is the root.
pub(super) fn lay_down(
    mut derived: Vec<Derived>,
    nonterminals: u32,
    budget: &mut Budget,
) -> Result<Bnf, Error> {
    derived.sort_by_key(|derived| derived.nonterminal);
    let terminals = terminals(&derived);
    let mut next = Vec::new();
    let mut productions = Vec::new();
    let mut of = vec![0..0; nonterminals as usize];
    for from in &derived {
        let begin = productions.len() as u32;
        for alternative in &from.alternatives {
            budget.spend(alternative.len() + 1)?;
            let number = productions.len() as u32;
            productions.push(Laid {
                nonterminal: from.nonterminal,
                first: next.len() as Item,
                length: alternative.len() as u32,
                priority: from.priority,
                rule: from.rule,
            });
            next.extend(alternative.iter().map(|symbol| match symbol {
                Sym::Terminal(terminal) => Next::Terminal(place(&terminals, *terminal)),
                Sym::Nonterminal(nonterminal) => Next::Nonterminal(*nonterminal),
            }));
            next.push(Next::End(number));
        }
        of[from.nonterminal as usize] = begin..productions.len() as u32;
    }
    let is_nullable = nullable(&next, &productions, nonterminals);
    let is_rest_nullable = rests(&next, &is_nullable);
    Ok(Bnf {
        next,
        is_rest_nullable,
        productions,
        of,
        is_nullable,
        terminals,
    })
}

fn terminals(derived: &[Derived]) -> Vec<u32> {
    let alternatives = derived.iter().flat_map(|derived| &derived.alternatives);
    let mut terminals: Vec<u32> = alternatives
        .flatten()
        .filter_map(|symbol| match symbol {
            Sym::Terminal(terminal) => Some(*terminal),
            Sym::Nonterminal(_) => None,
        })
        .collect();
    terminals.sort_unstable();
    terminals.dedup();
    terminals
}

fn place(terminals: &[u32], terminal: u32) -> u32 {
    terminals.partition_point(|&other| other < terminal) as u32
}

/// The nonterminals that derive the empty text: each production counts the symbols that are not
/// known to, and a nonterminal is known once one of its productions has none left.
fn nullable(next: &[Next], productions: &[Laid], nonterminals: u32) -> Vec<bool> {
    let mut is_nullable = vec![false; nonterminals as usize];
    let mut left: Vec<u32> = productions.iter().map(|laid| laid.length).collect();
    let mut uses = vec![Vec::new(); nonterminals as usize];
    let mut production = 0;
    for symbol in next {
        match symbol {
            Next::Terminal(_) => {}
            Next::Nonterminal(nonterminal) => uses[*nonterminal as usize].push(production),
            Next::End(_) => production += 1,
        }
    }
    let mut waiting: Vec<usize> = (0..productions.len()).filter(|&p| left[p] == 0).collect();
    while let Some(production) = waiting.pop() {
        let nonterminal = productions[production].nonterminal as usize;
        if !std::mem::replace(&mut is_nullable[nonterminal], true) {
            for &user in &uses[nonterminal] {
                left[user] -= 1;
                if left[user] == 0 {
                    waiting.push(user);
                }
            }
        }
    }
    is_nullable
}

/// Whether the rest of each item derives the empty text.
fn rests(next: &[Next], is_nullable: &[bool]) -> Vec<bool> {
    let mut rests = vec![false; next.len()];
    let mut rest = true;
    for (item, symbol) in next.iter().enumerate().rev() {
        rest = match symbol {
            Next::Terminal(_) => false,
            Next::Nonterminal(nonterminal) => rest && is_nullable[*nonterminal as usize],
            Next::End(_) => true,
        };
        rests[item] = rest;
    }
    rests
}
