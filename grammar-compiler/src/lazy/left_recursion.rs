//! Which rules can begin with themselves.
//!
//! In: a [`Grammar`]. Out: [`LeftRecursion`]: the rules that can, in circles, and which rules may
//! take the empty text, or another one. What holds: the answers are exact. A call behind parts that
//! may be empty counts as a beginning, so hidden left recursion is found as well.

use super::Beyond;
use super::productive::{Facts, has_sentence, reaches_end};
use super::work::Work;
use crate::bits::Bits;
use crate::components::cycles;
use crate::grammar::{Expr, Grammar, Graph, RuleId, Words};
use crate::maps::IdMap;

/// What has to be known of a grammar in which rules begin with themselves.
#[derive(Clone, Debug)]
pub(super) struct LeftRecursion {
    /// The rules that may take the empty text.
    empty: Bits,
    /// The rules that may take another text.
    filled: Bits,
    /// The rules that begin with each other.
    circles: Vec<Vec<RuleId>>,
    /// The circle of each of them.
    circle_of: IdMap<RuleId, u32>,
}

/// Which texts a rule or a part of one takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Texts {
    /// Whether it takes the empty one.
    pub(super) empty: bool,
    /// Whether it takes another one.
    pub(super) others: bool,
}

impl LeftRecursion {
    /// What is known of a grammar whose rules with sentences are these; `None` if no rule begins
    /// with itself, which is so for nearly all grammars. Rules that have not been read begin with a
    /// byte.
    ///
    /// # Errors
    /// If it takes long.
    pub(super) fn find(
        grammar: &Grammar,
        facts: &Facts,
        (productive, unread): (&Bits, &Bits),
        work: &mut Work,
    ) -> Result<Option<Self>, Beyond> {
        let is_read = |rule: usize| !unread.contains(rule);
        let empty = facts.least(work, |rule, known, units| {
            is_read(rule) && may_be_empty(&grammar.rules[rule].expr, known, units)
        })?;
        let (mut begins, mut edges, mut units) = (Vec::new(), Vec::new(), 0);
        for (at, rule) in (0..)
            .zip(&grammar.rules)
            .filter(|of| is_read(of.0 as usize))
        {
            begins.clear();
            beginnings(&rule.expr, &empty, &mut begins, &mut units);
            edges.extend(begins.iter().map(|&to| (at, to)));
        }
        work.spend(units + edges.len())?;
        let circles = circles(grammar.rules.len(), &edges);
        if circles.is_empty() {
            return Ok(None);
        }
        let filled = facts.least(work, |rule, known, units| {
            !is_read(rule) || has_text(&grammar.rules[rule].expr, (productive, known), units)
        })?;
        let circle_of = (0..).zip(&circles);
        let circle_of = circle_of.flat_map(|(at, members)| members.iter().map(move |&of| (of, at)));
        Ok(Some(LeftRecursion {
            circle_of: circle_of.collect(),
            empty,
            filled,
            circles,
        }))
    }

    /// The rules that begin with each other and among which this one is; none if it does not begin
    /// with itself.
    pub(super) fn circle(&self, rule: RuleId) -> &[RuleId] {
        let circle = self.circle_of.get(&rule);
        circle.map_or(&[], |&at| &self.circles[at as usize])
    }

    /// The texts of a rule.
    pub(super) fn texts_of(&self, rule: RuleId) -> Texts {
        let rule = rule.0 as usize;
        Texts {
            empty: self.empty.contains(rule),
            others: self.filled.contains(rule),
        }
    }

    /// The texts of a right part, if these rules have sentences.
    pub(super) fn texts_of_part(&self, expr: &Expr, productive: &Bits) -> Texts {
        Texts {
            empty: may_be_empty(expr, &self.empty, &mut 0),
            others: has_text(expr, (productive, &self.filled), &mut 0),
        }
    }

    /// Adds a rule behind those of the grammar.
    pub(super) fn add(&mut self, rule: RuleId, texts: Texts) {
        if texts.empty {
            self.empty.insert(rule.0 as usize);
        }
        if texts.others {
            self.filled.insert(rule.0 as usize);
        }
    }
}

/// The circles of a graph, each ascending.
fn circles(count: usize, edges: &[(u32, u32)]) -> Vec<Vec<RuleId>> {
    let ascending = |mut cycle: Vec<u32>| {
        cycle.sort_unstable();
        cycle.into_iter().map(RuleId).collect()
    };
    cycles(count, edges).into_iter().map(ascending).collect()
}

/// Whether a right part may take the empty text, if these rules may. The parts that are looked at
/// are added to `looks`.
fn may_be_empty(expr: &Expr, empty: &Bits, looks: &mut usize) -> bool {
    *looks += 1;
    let mut inner = |part: &Expr| may_be_empty(part, empty, looks);
    match expr {
        Expr::Literal(text) => text.is_empty(),
        Expr::Class(_) | Expr::Bytes(_) | Expr::Tokens(_) | Expr::Terminal(_) => false,
        Expr::Words(words) => words.is_final(0),
        Expr::Bounded(words) => words.is_final(0),
        Expr::Seq(parts) => parts.iter().all(inner),
        Expr::Alt(parts) => parts.iter().any(inner),
        Expr::Repeat { expr, min, max } => *min == 0 || *max == Some(0) || inner(expr),
        Expr::Graph(graph) => reaches_end(graph, inner),
        Expr::Ref(rule) => empty.contains(rule.0 as usize),
    }
}

/// Adds the rules with which a right part may begin.
fn beginnings(expr: &Expr, empty: &Bits, begins: &mut Vec<u32>, looks: &mut usize) {
    *looks += 1;
    match expr {
        Expr::Ref(rule) => begins.push(rule.0),
        Expr::Seq(parts) => {
            for part in parts {
                beginnings(part, empty, begins, looks);
                if !may_be_empty(part, empty, looks) {
                    break;
                }
            }
        }
        Expr::Alt(parts) => {
            parts
                .iter()
                .for_each(|part| beginnings(part, empty, begins, looks));
        }
        Expr::Repeat { expr, .. } => beginnings(expr, empty, begins, looks),
        Expr::Graph(graph) => {
            for (part, _) in states_before_text(graph, empty, looks) {
                beginnings(part, empty, begins, looks);
            }
        }
        Expr::Literal(_)
        | Expr::Class(_)
        | Expr::Bytes(_)
        | Expr::Tokens(_)
        | Expr::Terminal(_)
        | Expr::Words(_)
        | Expr::Bounded(_) => {}
    }
}

/// The edges of the states that a graph comes to without a byte.
fn states_before_text<'g>(
    graph: &'g Graph,
    empty: &Bits,
    looks: &mut usize,
) -> Vec<&'g (Expr, u32)> {
    let (mut seen, mut pending, mut found) = (Bits::default(), vec![0], Vec::new());
    while let Some(at) = pending.pop() {
        let Some(state) = graph.states.get(at).filter(|_| seen.insert(at)) else {
            continue;
        };
        for edge in &state.edges {
            found.push(edge);
            if may_be_empty(&edge.0, empty, looks) {
                pending.push(edge.1 as usize);
            }
        }
    }
    found
}

/// Whether a right part may take a text that is not empty, if the `productive` rules have sentences
/// and the `filled` ones have such a text.
fn has_text(expr: &Expr, (productive, filled): (&Bits, &Bits), looks: &mut usize) -> bool {
    *looks += 1;
    match expr {
        Expr::Literal(text) => !text.is_empty(),
        Expr::Class(_) | Expr::Bytes(_) => has_sentence(expr, productive, looks),
        Expr::Tokens(_) | Expr::Terminal(_) => false,
        Expr::Words(words) => has_long_word(words, looks),
        // Its edges lead where words can end.
        Expr::Bounded(words) => words.edges(0).next().is_some(),
        Expr::Seq(parts) => {
            let are_productive = parts
                .iter()
                .all(|part| has_sentence(part, productive, looks));
            are_productive
                && parts
                    .iter()
                    .any(|part| has_text(part, (productive, filled), looks))
        }
        Expr::Alt(parts) => parts
            .iter()
            .any(|part| has_text(part, (productive, filled), looks)),
        Expr::Repeat { expr, max, .. } => {
            *max != Some(0) && has_text(expr, (productive, filled), looks)
        }
        Expr::Graph(graph) => graph_has_text(graph, (productive, filled), looks),
        Expr::Ref(rule) => filled.contains(rule.0 as usize),
    }
}

/// Whether an automaton has a word that is not empty.
fn has_long_word(words: &Words, looks: &mut usize) -> bool {
    let mut seen = Bits::default();
    let mut pending = vec![0];
    let mut is_start = true;
    while let Some(at) = pending.pop() {
        *looks += 1;
        if !is_start && words.is_final(at) {
            return true;
        }
        is_start = false;
        let edges = words
            .states
            .get(at as usize)
            .map_or(&[][..], |state| &state.edges);
        let behind = edges.iter().map(|edge| edge.2);
        pending.extend(behind.filter(|&to| seen.insert(to as usize)));
    }
    false
}

/// Whether a way through a graph takes a text that is not empty.
fn graph_has_text(graph: &Graph, known: (&Bits, &Bits), looks: &mut usize) -> bool {
    let mut seen = [Bits::default(), Bits::default()];
    let mut pending = vec![(0, false)];
    while let Some((at, is_filled)) = pending.pop() {
        let seen = &mut seen[usize::from(is_filled)];
        let Some(state) = graph.states.get(at).filter(|_| seen.insert(at)) else {
            continue;
        };
        if state.is_final && is_filled {
            return true;
        }
        for (part, to) in &state.edges {
            if has_sentence(part, known.0, looks) {
                let is_filled = is_filled || has_text(part, known, looks);
                pending.push((*to as usize, is_filled));
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lazy::productive::productive;
    use crate::source::Source;
    use crate::syntax::ebnf;

    fn circles(text: &str) -> Vec<Vec<String>> {
        let source = Source::new("test.ebnf", text);
        let grammar = ebnf::parse(&source, &Default::default()).unwrap().grammar;
        let (facts, work) = (Facts::new(&grammar), &mut Work::of_step(0));
        let productive = productive(&grammar, &facts, work).unwrap();
        let found = LeftRecursion::find(&grammar, &facts, (&productive, &Bits::default()), work);
        let Some(found) = found.unwrap() else {
            return Vec::new();
        };
        let name = |rule: &RuleId| grammar.rules[rule.0 as usize].name.to_string();
        let mut names: Vec<Vec<String>> = (found.circles.iter())
            .map(|circle| circle.iter().map(name).collect())
            .collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn rules_that_begin_with_themselves_are_found() {
        let none: [&[&str]; 0] = [];
        assert_eq!(circles(r#"root ::= "a" root | "b""#), none);
        assert_eq!(circles(r#"root ::= ("a" | "b"?  "c") root | "b""#), none);
        assert_eq!(circles(r#"root ::= root "a" | "b""#), [["root"]]);
        assert_eq!(circles(r#"root ::= "b"? root "a" | "b""#), [["root"]]);
        assert_eq!(circles(r#"root ::= ("b" | root)* "a""#), [["root"]]);
        assert_eq!(
            circles("root ::= a | \"x\"\na ::= n root\nn ::= \"\" | n \"b\""),
            [vec!["n"], vec!["root", "a"],]
        );
    }
}
