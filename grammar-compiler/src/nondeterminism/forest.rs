//! The trees of a short text, by the grammar as it stands.
//!
//! In: a [`Grammar`] and a text. Out: [`Forest`]: for each rule, and each place where it may begin
//! and end, up to two different trees. A tree's nodes are rules: two ways through a regular right
//! part that call the same rules at the same places are one tree, and rules that match nothing are
//! left out. It does not depend on the automata, which have merged readings long before.

use std::collections::{BTreeMap, BTreeSet};

use crate::maps::{IdMap, own_keys};

use crate::grammar::{Expr, Grammar, RuleId};
use crate::id::id;
use crate::limits::Deadline;

/// Trees kept for the same rule, beginning and end: enough to tell one reading from several.
const MOST: usize = 2;

/// A node: a rule from one place to another, and the nodes within.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Derivation {
    /// The rule.
    pub rule: RuleId,
    /// Where it begins, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The rules that it calls, in order.
    pub children: Vec<DerivationId>,
}

own_keys!(Derivation);

id! {
    /// Index of a [`Derivation`].
    pub struct DerivationId;
}

/// Where an expression may end, each with the nodes met on the way, up to [`MOST`] different lists.
type EndWays = BTreeMap<usize, BTreeSet<Vec<DerivationId>>>;

/// The trees of a text.
pub struct Forest<'g> {
    grammar: &'g Grammar,
    text: &'g [u8],
    nodes: Vec<Derivation>,
    ids: IdMap<Derivation, DerivationId>,
    /// For each rule and beginning: for each end its trees.
    trees: IdMap<(u32, usize), BTreeMap<usize, Vec<DerivationId>>>,
    /// Expressions that may still be looked at.
    budget: usize,
    deadline: &'g Deadline,
}

impl<'g> Forest<'g> {
    /// All trees of all rules in `text`; `None` if more than `budget` expressions had to be looked
    /// at, or the time is over.
    pub fn new(
        grammar: &'g Grammar,
        text: &'g [u8],
        budget: usize,
        deadline: &'g Deadline,
    ) -> Option<Self> {
        let mut forest = Forest {
            grammar,
            text,
            nodes: Vec::new(),
            ids: IdMap::default(),
            trees: IdMap::default(),
            budget,
            deadline,
        };
        for start in (0..=text.len()).rev() {
            while forest.round(start)? {}
        }
        Some(forest)
    }

    /// The trees of the whole text.
    pub fn roots(&self) -> &[DerivationId] {
        let of_root = self.trees.get(&(self.grammar.root.0, 0));
        let of_text = of_root.and_then(|ends| ends.get(&self.text.len()));
        of_text.map_or(&[], Vec::as_slice)
    }

    /// The grammar.
    pub fn grammar(&self) -> &'g Grammar {
        self.grammar
    }

    /// Whether a rule can match nothing at a place.
    pub(super) fn can_be_empty(&self, rule: RuleId, at: usize) -> bool {
        let ends = self.trees.get(&(rule.0, at));
        ends.is_some_and(|ends| ends.contains_key(&at))
    }

    /// A node.
    pub fn node(&self, id: DerivationId) -> &Derivation {
        &self.nodes[id.index()]
    }

    /// Looks at all rules that begin at `start`; returns whether there was a new tree.
    fn round(&mut self, start: usize) -> Option<bool> {
        let grammar = self.grammar;
        let mut grown = false;
        for (rule, body) in grammar.rules.iter().enumerate() {
            let ways = self.ways(&body.expr, start)?;
            for (end, lists) in ways {
                for children in lists {
                    let node = Derivation {
                        rule: RuleId(rule as u32),
                        start,
                        end,
                        children,
                    };
                    grown |= self.add(node);
                }
            }
        }
        Some(grown)
    }

    fn add(&mut self, node: Derivation) -> bool {
        let of_start = self.trees.entry((node.rule.0, node.start)).or_default();
        let trees = of_start.entry(node.end).or_default();
        if trees.len() == MOST || self.ids.contains_key(&node) {
            return false;
        }
        let id = DerivationId::at(self.nodes.len());
        trees.push(id);
        self.nodes.push(node.clone());
        self.ids.insert(node, id);
        true
    }

    /// The ways through `expr` from `at`. Expressions nest no deeper than front ends allow.
    fn ways(&mut self, expr: &Expr, at: usize) -> Option<EndWays> {
        self.budget = self.budget.checked_sub(1)?;
        if self.deadline.stops("working out the trees of a text") {
            return None;
        }
        if let Some(ends) = self.ends(expr, at) {
            let alone = BTreeSet::from([Vec::new()]);
            return Some(ends.into_iter().map(|end| (end, alone.clone())).collect());
        }
        let Expr::Ref(rule) = expr else {
            return self.walk(expr, at);
        };
        let ends = self.trees.get(&(rule.0, at)).into_iter().flatten();
        let lists = |end: usize, trees: &[DerivationId]| match end == at {
            true => BTreeSet::from([Vec::new()]),
            false => trees.iter().map(|&id| vec![id]).collect(),
        };
        Some(ends.map(|(&end, trees)| (end, lists(end, trees))).collect())
    }

    /// The ways through what is made of other expressions.
    fn walk(&mut self, expr: &Expr, at: usize) -> Option<EndWays> {
        let mut out = EndWays::new();
        let mut seen: BTreeMap<(usize, usize), BTreeSet<Vec<DerivationId>>> = BTreeMap::new();
        let mut pending = vec![(at, 0, Vec::new())];
        while let Some((at, state, path)) = pending.pop() {
            if self.deadline.stops("working out the trees of a text") {
                return None;
            }
            let paths = seen.entry((at, state)).or_default();
            if paths.len() == MOST || !paths.insert(path.clone()) {
                continue;
            }
            let mut parts = Vec::new();
            if edges(expr, state, &mut |part, target| parts.push((part, target))) {
                let lists = out.entry(at).or_default();
                if lists.len() < MOST {
                    lists.insert(path.clone());
                }
            }
            for (part, target) in parts {
                for (end, lists) in self.ways(part, at)? {
                    for more in lists {
                        pending.push((end, target, [path.as_slice(), &more].concat()));
                    }
                }
            }
        }
        Some(out)
    }

    /// Where an expression without parts may end that begins at `at`; `None` for others.
    pub(super) fn ends(&self, expr: &Expr, at: usize) -> Option<Vec<usize>> {
        let rest = self.text.get(at..).unwrap_or(&[]);
        let within = |ranges: &[(char, char)], c| ranges.iter().any(|r| (r.0..=r.1).contains(&c));
        let length = match expr {
            Expr::Literal(literal) => {
                (rest.starts_with(literal.as_bytes())).then_some(literal.len())
            }
            Expr::Class(ranges) => {
                let first = first_char(rest).filter(|&first| within(ranges, first));
                first.map(char::len_utf8)
            }
            Expr::Bytes(ranges) => {
                let fits = |b: &&u8| ranges.iter().any(|(low, high)| (low..=high).contains(b));
                rest.first().filter(fits).map(|_| 1)
            }
            Expr::Words(words) => {
                let step =
                    |state, byte, out: &mut BTreeSet<u32>| out.extend(words.step(state, byte));
                return Some(self.words(at, |state| words.is_final(state), step));
            }
            Expr::Bounded(words) => {
                let step = |pair, byte, out: &mut BTreeSet<u32>| out.extend(words.step(pair, byte));
                return Some(self.words(at, |pair| words.is_final(pair), step));
            }
            _ => return None,
        };
        Some(length.map(|length| at + length).into_iter().collect())
    }

    /// Where the words of an automaton may end that begin at `at`. `step` adds the states that a
    /// byte leads to.
    fn words(
        &self,
        at: usize,
        is_final: impl Fn(u32) -> bool,
        step: impl Fn(u32, u8, &mut BTreeSet<u32>),
    ) -> Vec<usize> {
        let mut out = Vec::new();
        let mut states = BTreeSet::from([0]);
        for end in at..=self.text.len() {
            if states.iter().any(|&state| is_final(state)) {
                out.push(end);
            }
            let mut next = BTreeSet::new();
            if let Some(&byte) = self.text.get(end) {
                states
                    .iter()
                    .for_each(|&state| step(state, byte, &mut next));
            }
            states = next;
        }
        out
    }
}

/// Reads an expression with parts as a small automaton that starts in state 0: visits the edges of
/// a state, and returns whether the state is final.
pub(super) fn edges<'e>(
    expr: &'e Expr,
    state: usize,
    visit: &mut dyn FnMut(&'e Expr, usize),
) -> bool {
    match expr {
        Expr::Graph(graph) => {
            let Some(state) = graph.states.get(state) else {
                return false;
            };
            for (part, target) in &state.edges {
                visit(part, *target as usize);
            }
            state.is_final
        }
        Expr::Seq(parts) => {
            if let Some(part) = parts.get(state) {
                visit(part, state + 1);
            }
            state == parts.len()
        }
        Expr::Alt(parts) => {
            if state == 0 {
                parts.iter().for_each(|part| visit(part, 1));
            }
            state == 1
        }
        Expr::Repeat { expr, min, max } => {
            let (min, max) = (*min as usize, max.map(|max| max as usize));
            if max.is_none_or(|max| state < max) {
                // Without an upper bound, counting ends at the lower one.
                let counted = match max {
                    None => min.min(state + 1),
                    Some(_) => state + 1,
                };
                visit(expr, counted);
            }
            state >= min
        }
        _ => false,
    }
}

/// The character at the start of `bytes`, if they begin with a whole one.
fn first_char(bytes: &[u8]) -> Option<char> {
    let bytes = bytes.get(..bytes.len().min(4))?;
    bytes.utf8_chunks().next()?.valid().chars().next()
}
