//! The trees of a short text, by the grammar as it stands.
//!
//! In: a [`Grammar`] and a text. Out: [`Forest`]: for each rule, and each place where it may begin and end, up to two different
//! trees. A tree's nodes are rules: two ways through a regular right part that call the same rules at the same places
//! are one tree, and rules that match nothing are left out. Independent of the automata, which have long merged readings.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap as HashMap;

use crate::grammar::{Expr, Grammar, RuleId};

/// Trees kept for the same rule, beginning and end: enough to tell one reading from several.
const MOST: usize = 2;

/// A node: a rule from one place to another, and the nodes within.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// The rule.
    pub rule: RuleId,
    /// Where it begins, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The rules that it calls, in order.
    pub children: Vec<NodeId>,
}

/// Index of a node.
pub type NodeId = u32;

/// Where an expression may end, each with the nodes met on the way, up to [`MOST`] different lists.
type Ways = BTreeMap<usize, BTreeSet<Vec<NodeId>>>;

/// The trees of a text.
pub struct Forest<'g> {
    grammar: &'g Grammar,
    text: &'g [u8],
    nodes: Vec<Node>,
    ids: HashMap<Node, NodeId>,
    /// For each rule and beginning: for each end its trees.
    trees: HashMap<(u32, usize), BTreeMap<usize, Vec<NodeId>>>,
    /// Expressions that may still be looked at.
    budget: usize,
}

impl<'g> Forest<'g> {
    /// All trees of all rules in `text`; `None` if more than `budget` expressions had to be looked at.
    pub fn new(grammar: &'g Grammar, text: &'g [u8], budget: usize) -> Option<Self> {
        let mut forest = Forest {
            grammar,
            text,
            nodes: Vec::new(),
            ids: HashMap::default(),
            trees: HashMap::default(),
            budget,
        };
        for start in (0..=text.len()).rev() {
            while forest.round(start)? {}
        }
        Some(forest)
    }

    /// The trees of the whole text.
    pub fn roots(&self) -> &[NodeId] {
        let of_root = self.trees.get(&(self.grammar.root.0, 0));
        let of_text = of_root.and_then(|ends| ends.get(&self.text.len()));
        of_text.map_or(&[], Vec::as_slice)
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// Looks at all rules that begin at `start`; whether there was a new tree.
    fn round(&mut self, start: usize) -> Option<bool> {
        let grammar = self.grammar;
        let mut grown = false;
        for (rule, body) in grammar.rules.iter().enumerate() {
            let ways = self.ways(&body.expr, start)?;
            for (end, lists) in ways {
                for children in lists {
                    let node = Node {
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

    fn add(&mut self, node: Node) -> bool {
        let of_start = self.trees.entry((node.rule.0, node.start)).or_default();
        let trees = of_start.entry(node.end).or_default();
        if trees.len() == MOST || self.ids.contains_key(&node) {
            return false;
        }
        let id = self.nodes.len() as NodeId;
        trees.push(id);
        self.nodes.push(node.clone());
        self.ids.insert(node, id);
        true
    }

    /// The ways through `expr` from `at`. Expressions nest no deeper than front ends allow.
    fn ways(&mut self, expr: &Expr, at: usize) -> Option<Ways> {
        self.budget = self.budget.checked_sub(1)?;
        let rest = self.text.get(at..).unwrap_or(&[]);
        let to = |length: usize| Some(Ways::from([(at + length, BTreeSet::from([Vec::new()]))]));
        match expr {
            Expr::Literal(literal) if rest.starts_with(literal.as_bytes()) => to(literal.len()),
            Expr::Class(ranges) => {
                let first = first_char(rest);
                let fits = |c: &char| ranges.iter().any(|&(low, high)| (low..=high).contains(c));
                match first.filter(fits) {
                    Some(first) => to(first.len_utf8()),
                    None => Some(Ways::new()),
                }
            }
            Expr::Bytes(ranges) => {
                let fits = |b: &&u8| ranges.iter().any(|(low, high)| (low..=high).contains(b));
                match rest.first().filter(fits) {
                    Some(_) => to(1),
                    None => Some(Ways::new()),
                }
            }
            Expr::Literal(_) => Some(Ways::new()),
            Expr::Words(words) => {
                let mut out = Ways::new();
                let mut states = BTreeSet::from([0]);
                for end in at..=self.text.len() {
                    if states.iter().any(|&state| words.is_final(state)) {
                        out.insert(end, BTreeSet::from([Vec::new()]));
                    }
                    let byte = self.text.get(end);
                    let next = byte.map(|&b| states.iter().flat_map(move |&s| words.step(s, b)));
                    states = next.map(Iterator::collect).unwrap_or_default();
                }
                Some(out)
            }
            Expr::Graph(graph) => self.walk(at, |state, visit| {
                let state = graph.states.get(state)?;
                for (part, target) in &state.edges {
                    visit(part, *target as usize);
                }
                Some(state.is_final)
            }),
            Expr::Seq(parts) => self.walk(at, |done, visit| {
                if let Some(part) = parts.get(done) {
                    visit(part, done + 1);
                }
                Some(done == parts.len())
            }),
            Expr::Alt(parts) => self.walk(at, |done, visit| {
                if done == 0 {
                    parts.iter().for_each(|part| visit(part, 1));
                }
                Some(done == 1)
            }),
            Expr::Repeat { expr, min, max } => {
                let (min, max) = (*min as usize, max.map(|max| max as usize));
                self.walk(at, |done, visit| {
                    if max.is_none_or(|max| done < max) {
                        // Without an upper bound, counting ends at the lower one.
                        let counted = if max.is_none() {
                            min.min(done + 1)
                        } else {
                            done + 1
                        };
                        visit(expr, counted);
                    }
                    Some(done >= min)
                })
            }
            Expr::Ref(rule) => {
                let ends = self.trees.get(&(rule.0, at)).into_iter().flatten();
                let lists = |end: usize, trees: &[NodeId]| match end == at {
                    true => BTreeSet::from([Vec::new()]),
                    false => trees.iter().map(|&id| vec![id]).collect(),
                };
                Some(ends.map(|(&end, trees)| (end, lists(end, trees))).collect())
            }
        }
    }

    /// The ways through a small automaton whose edges are expressions: `edges` visits those of a state, and says whether it
    /// is final.
    fn walk<'e>(
        &mut self,
        at: usize,
        edges: impl Fn(usize, &mut dyn FnMut(&'e Expr, usize)) -> Option<bool>,
    ) -> Option<Ways> {
        let mut out = Ways::new();
        let mut seen: BTreeMap<(usize, usize), BTreeSet<Vec<NodeId>>> = BTreeMap::new();
        let mut pending = vec![(at, 0, Vec::new())];
        while let Some((at, state, path)) = pending.pop() {
            let paths = seen.entry((at, state)).or_default();
            if paths.len() == MOST || !paths.insert(path.clone()) {
                continue;
            }
            let mut parts = Vec::new();
            let is_final = edges(state, &mut |part, target| parts.push((part, target)));
            if is_final.unwrap_or(false) {
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
}

/// The character at the start of `bytes`, if they begin with a whole one.
fn first_char(bytes: &[u8]) -> Option<char> {
    let bytes = bytes.get(..bytes.len().min(4))?;
    bytes.utf8_chunks().next()?.valid().chars().next()
}
