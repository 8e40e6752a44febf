//! Many characters of free text, counted by rules over blocks of them.
//!
//! In: delimiters and a count. Out: [`RegionBlocks`]: rules for texts of exactly one block, and for
//! texts that end within one. What holds: a text has one way through the rules, and each character
//! decides it, so whole and part run in step, as with counted [repetition](crate::automata::count).
//! What differs is that a delimiter can lie across the end of a block. So a rule is for the
//! prefixes of delimiters with which its text begins and ends:
//!
//! ```text
//! whole (p, q): exactly n characters behind p, no delimiter; then the text ends with q
//! part (p, e):  fewer than n characters behind p, and then e: the end, or the rest of a delimiter
//! ```
//!
//! With P prefixes, n characters in a block and K in all, that takes P³·n states for the rules, and
//! P·K/n to count blocks. Blocks of blocks would take fewer, but a state of the pushdown automaton
//! for each way through all their frames.

use super::delimiters::{DelimiterSteps, Delimiters, Next};
use super::{TextRegion, terminal};
use crate::grammar::{Expr, Graph, GraphState, RuleId};
use crate::limits::{Deadline, Limits};
use crate::syntax::trie::{PrefixId, Symbol, Trie};
use std::collections::{BTreeMap, BTreeSet};

/// Fewer characters than this get a state each.
const FEW: u32 = 512;
/// Where the text may end without a delimiter, what follows may begin as the text goes on. Then
/// blocks take several stacks, and states do not, so only more characters than this part of the
/// limit for states are counted in blocks.
const PART: usize = 32;

/// No delimiter whose text has a least length is longer, in characters.
pub(super) const LONGEST: u64 = 64;

/// How characters are counted.
pub(super) struct Plan {
    /// The characters of the whole text.
    pub(super) count: u32,
    /// Those before the first block.
    pub(super) before: u32,
    /// Those of a block.
    block: u32,
}

/// How the characters of a region are counted in blocks; `None` if each gets a state. They do if
/// they are few, if tokens are counted too, or if the rules of blocks would pass the limit for
/// states, since single states may still stay below it.
fn plan(region: &TextRegion, prefixes: usize, block: u32, limits: &Limits) -> Option<Plan> {
    let count = region.max_chars?;
    let prefixes = u32::try_from(prefixes).ok()?;
    let few = match region.may_end {
        true => u32::try_from(limits.automaton_states / PART).ok()? / prefixes,
        false => FEW,
    };
    let block = match block {
        0 if count < few => return None,
        // Twice what takes the fewest states: that is faster, with smaller tables.
        0 => (count / prefixes).saturating_mul(4).isqrt().max(16),
        block => block,
    };
    if count < block || region.max_tokens.is_some() || !region.not_first.is_empty() {
        return None;
    }
    // What is short has no part: it is before the first block.
    let before = count % block;
    let least = u64::from(region.min_chars) + LONGEST;
    let missing = match region.min_chars {
        // The first character of a text that is trimmed is not in a block.
        0 => u64::from(region.trimmed && before == 0),
        _ => least.saturating_sub(before.into()).div_ceil(block.into()),
    };
    let before = u64::from(before) + missing * u64::from(block);
    if before > count.into() {
        return None;
    }
    let before = u32::try_from(before).ok()?;
    let of_rules = u64::from(prefixes).saturating_pow(3) * u64::from(block);
    let of_blocks = u64::from(prefixes) * u64::from((count - before) / block + before);
    (of_rules.saturating_add(of_blocks) <= limits.automaton_states as u64).then_some(Plan {
        count,
        before,
        block,
    })
}

impl Plan {
    /// The number of blocks.
    pub(super) fn blocks(&self) -> u32 {
        (self.count - self.before) / self.block
    }
}

/// How a text ends within a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum End {
    /// Nothing follows.
    Text,
    /// A delimiter, or what a token has ended of one.
    Delimiter(PrefixId),
}

/// The rules.
pub(super) struct RegionBlocks {
    pub(super) plan: Plan,
    pub(super) rules: Vec<Expr>,
    next: RuleId,
    /// By the prefixes before and behind.
    whole: BTreeMap<(PrefixId, PrefixId), RuleId>,
    part: BTreeMap<(PrefixId, End), RuleId>,
}

/// The rules for the characters of a region, if they are counted in blocks. The rules are to have
/// the numbers from `next` on.
pub(super) fn write(
    region: &TextRegion,
    delimiters: &Delimiters,
    block: u32,
    limits: &Limits,
    next: RuleId,
) -> Option<RegionBlocks> {
    let steps = reachable(delimiters);
    let plan = plan(region, steps.len(), block, limits)?;
    let mut blocks = RegionBlocks {
        plan,
        rules: Vec::new(),
        next,
        whole: BTreeMap::new(),
        part: BTreeMap::new(),
    };
    let deadline = Deadline::start(limits);
    for &from in steps.keys() {
        // If the time is over, the lowering of the region says so.
        if deadline.stops("counting characters in blocks") {
            break;
        }
        blocks.add(delimiters, &steps, from, region.may_end);
    }
    Some(blocks)
}

/// The steps of all nodes that free text can be at.
fn reachable(delimiters: &Delimiters) -> BTreeMap<PrefixId, DelimiterSteps> {
    let mut found = BTreeMap::new();
    let mut pending = vec![Trie::ROOT];
    while let Some(node) = pending.pop() {
        if found.contains_key(&node) {
            continue;
        }
        let steps = delimiters.steps(node);
        pending.extend(steps.characters.values().filter_map(|next| match next {
            Next::Free(to) => Some(*to),
            Next::Complete(_) => None,
        }));
        found.insert(node, steps);
    }
    found
}

impl RegionBlocks {
    /// The rules over a block from a node, and where they lead.
    pub(super) fn whole(&self, from: PrefixId) -> impl Iterator<Item = (RuleId, PrefixId)> {
        let rules = self
            .whole
            .range((from, Trie::ROOT)..(after(from), Trie::ROOT));
        rules.map(|(&(_, to), &rule)| (rule, to))
    }

    /// The rules of what ends within a block, and with what.
    pub(super) fn part(&self, from: PrefixId) -> impl Iterator<Item = (RuleId, End)> {
        let rules = self.part.range((from, End::Text)..(after(from), End::Text));
        rules.map(|(&(_, end), &rule)| (rule, end))
    }

    fn rule(&mut self, expr: Expr) -> RuleId {
        self.rules.push(expr);
        RuleId(self.next.0 + self.rules.len() as u32 - 1)
    }

    /// The rules over a block from a node.
    fn add(
        &mut self,
        delimiters: &Delimiters,
        steps: &BTreeMap<PrefixId, DelimiterSteps>,
        from: PrefixId,
        may_end: bool,
    ) {
        let block = RegionBlock::new(delimiters, steps, from, self.plan.block);
        for &(to, state) in &block.last {
            let whole = self.rule(block.to(&[], &[state]));
            self.whole.insert((from, to), whole);
        }
        for (&end, edges) in &block.ends {
            let part = self.rule(block.to(edges, &[]));
            self.part.insert((from, End::Delimiter(end)), part);
        }
        if may_end {
            let within: Vec<u32> = (0..block.within).collect();
            let part = self.rule(block.to(&[], &within));
            self.part.insert((from, End::Text), part);
        }
    }
}

/// One block from a node, as a graph whose states are characters so far and the prefix then.
struct RegionBlock {
    edges: Vec<Vec<(Expr, u32)>>,
    /// States before the last character come first: so many.
    within: u32,
    /// The states behind it, by prefix.
    last: Vec<(PrefixId, u32)>,
    /// The edges that complete a delimiter: the states that they leave, and their symbols.
    ends: BTreeMap<PrefixId, Vec<(u32, Expr)>>,
}

impl RegionBlock {
    fn new(
        delimiters: &Delimiters,
        steps: &BTreeMap<PrefixId, DelimiterSteps>,
        from: PrefixId,
        characters: u32,
    ) -> Self {
        let mut block = RegionBlock {
            edges: Vec::new(),
            within: 0,
            last: Vec::new(),
            ends: BTreeMap::new(),
        };
        let mut layer = BTreeSet::from([from]);
        for _ in 0..characters {
            let first = block.edges.len() as u32;
            let next_first = first + layer.len() as u32;
            let targets = layer.iter().flat_map(|node| free_targets(&steps[node]));
            let targets: BTreeSet<PrefixId> = targets.collect();
            let number = |to: PrefixId| next_first + targets.range(..to).count() as u32;
            for (state, node) in (first..).zip(&layer) {
                let steps = &steps[node];
                let mut edges = vec![(Expr::Class(steps.others()), number(Trie::ROOT))];
                for (&c, &next) in &steps.characters {
                    let symbol = terminal(Symbol::Char(c));
                    match next {
                        Next::Free(to) => edges.push((symbol, number(to))),
                        Next::Complete(to) => block.end(delimiters, to, state, symbol),
                    }
                }
                for &(id, to) in &steps.tokens {
                    block.end(delimiters, to, state, terminal(Symbol::Token(id)));
                }
                block.edges.push(edges);
            }
            layer = targets;
        }
        block.within = block.edges.len() as u32;
        block.last = layer.into_iter().zip(block.within..).collect();
        block
    }

    fn end(&mut self, delimiters: &Delimiters, to: PrefixId, state: u32, symbol: Expr) {
        if delimiters.live[to.index()] {
            self.ends.entry(to).or_default().push((state, symbol));
        }
    }

    /// The texts that end in these states, or with these symbols in others.
    fn to(&self, ends: &[(u32, Expr)], finals: &[u32]) -> Expr {
        let last = self.within + self.last.len() as u32;
        let states = (0..=last).map(|state| GraphState {
            is_final: finals.contains(&state) || state == last && !ends.is_empty(),
            edges: self.edges.get(state as usize).cloned().unwrap_or_default(),
        });
        let mut graph = Graph {
            states: states.collect(),
        };
        for (state, symbol) in ends {
            graph.states[*state as usize]
                .edges
                .push((symbol.clone(), last));
        }
        graph.trim();
        Expr::Graph(reachable_part(graph).into())
    }
}

/// The states that can be reached. In a graph that is trimmed, each of them can finish.
fn reachable_part(mut graph: Graph) -> Graph {
    let mut order = vec![0];
    let mut numbers = BTreeMap::from([(0, 0)]);
    let mut at = 0;
    while let Some(&state) = order.get(at) {
        for (_, to) in &mut graph.states[state as usize].edges {
            let next = order.len() as u32;
            let number = *numbers.entry(*to).or_insert(next);
            if number == next {
                order.push(*to);
            }
            *to = number;
        }
        at += 1;
    }
    let states = order
        .into_iter()
        .map(|state| std::mem::take(&mut graph.states[state as usize]));
    Graph {
        states: states.collect(),
    }
}

/// The nodes that free text is at after one more character.
fn free_targets(steps: &DelimiterSteps) -> impl Iterator<Item = PrefixId> {
    let named = steps.characters.values().filter_map(|next| match next {
        Next::Free(to) => Some(*to),
        Next::Complete(_) => None,
    });
    named.chain([Trie::ROOT])
}

/// The node with the next number.
fn after(node: PrefixId) -> PrefixId {
    PrefixId::at(node.index() + 1)
}
