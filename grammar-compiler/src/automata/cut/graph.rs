//! Spans of automata.
//!
//! In: the states of a [`Graph`]. Out: the same words, with a call in place of each span that can
//! be cut: from an edge with an opening delimiter to the edges with the closing one, if all of
//! these lead to the same state, and no word ends within the span.

use std::sync::Arc;

use super::{Cutter, closes, opens};
use crate::grammar::{Expr, Graph, GraphState, RuleId};
use crate::intern::Interner;
use crate::limits::LimitExceeded;

/// The stage, as a passed limit names it.
const DOING: &str = "cutting rules at delimiters";

/// The most states of a span that is cut.
const MOST_STATES: usize = 10_000;

/// The most spans within one another that are cut.
const MOST_NESTED: usize = 50;

/// An edge: its state, and its place there.
type EdgePlace = (usize, usize);

/// The edges that have been looked at, or are being looked at, and how many of these lie around
/// the one looked at now.
#[derive(Default)]
struct Looked {
    met: Interner<(u32, u32)>,
    nested: usize,
}

impl Cutter<'_> {
    /// Cuts the spans of an automaton, the innermost first.
    pub(super) fn graph(
        &mut self,
        states: &mut [GraphState],
        name: &str,
    ) -> Result<(), LimitExceeded> {
        let mut looked = Looked::default();
        for state in 0..states.len() {
            for edge in 0..states[state].edges.len() {
                self.cut_edge(states, (state, edge), &mut looked, name)?;
            }
        }
        Ok(())
    }

    /// Cuts the span that an edge opens, if it opens one that can be cut.
    fn cut_edge(
        &mut self,
        states: &mut [GraphState],
        (state, edge): EdgePlace,
        looked: &mut Looked,
        name: &str,
    ) -> Result<(), LimitExceeded> {
        let (part, to) = &states[state].edges[edge];
        let (to, delimiter) = (*to, self.delimiter_of(part));
        let Some(open) = delimiter.filter(|&char| opens(char)) else {
            return Ok(());
        };
        let known = looked.met.values.len();
        let number = looked.met.intern((state as u32, edge as u32)) as usize;
        if number < known || looked.nested == MOST_NESTED {
            return Ok(());
        }
        looked.nested += 1;
        let span = self.span_behind(states, (open, to), looked, name)?;
        looked.nested -= 1;
        let Some((span, end)) = span else {
            return Ok(());
        };
        let (part, _) = states[state].edges[edge].clone();
        let mut of_span = vec![GraphState {
            is_final: false,
            edges: vec![(part, 1)],
        }];
        of_span.extend(span);
        let graph = Expr::Graph(Arc::new(Graph { states: of_span }));
        let id = self.span(graph, open, name);
        states[state].edges[edge] = (Expr::Ref(RuleId(id)), end);
        Ok(())
    }

    /// The states of the span behind an opening delimiter, numbered from 1, its end last; and the
    /// state that it leads to.
    fn span_behind(
        &mut self,
        states: &mut [GraphState],
        (open, start): (char, u32),
        looked: &mut Looked,
        name: &str,
    ) -> Result<Option<(Vec<GraphState>, u32)>, LimitExceeded> {
        let mut within: Interner<u32> = Interner::new();
        within.intern(start);
        let mut ends = Vec::new();
        let mut at = 0;
        while let Some(&state) = within.values.get(at) {
            at += 1;
            let place = state as usize;
            if states[place].is_final || within.values.len() > MOST_STATES {
                return Ok(None);
            }
            for edge in 0..states[place].edges.len() {
                self.deadline.tick(DOING)?;
                self.cut_edge(states, (place, edge), looked, name)?;
                let (part, to) = &states[place].edges[edge];
                match self.delimiter_of(part) {
                    None => {
                        within.intern(*to);
                    }
                    Some(close) if closes(open, close) => ends.push(*to),
                    Some(_) => return Ok(None),
                }
            }
        }
        ends.sort_unstable();
        ends.dedup();
        let [end] = ends[..] else {
            return Ok(None);
        };
        let last = 1 + within.values.len() as u32;
        let number = |state: u32| within.find(&state, |of| *of == state).map(|at| 1 + at);
        let renamed = |&state: &u32| {
            let edges = states[state as usize].edges.iter();
            let edges = edges.filter_map(|(part, to)| {
                let to = match self.delimiter_of(part) {
                    None => number(*to)?,
                    Some(_) => last,
                };
                Some((part.clone(), to))
            });
            GraphState {
                is_final: false,
                edges: edges.collect(),
            }
        };
        let mut span: Vec<GraphState> = within.values.iter().map(renamed).collect();
        span.push(GraphState {
            is_final: true,
            edges: Vec::new(),
        });
        Ok(Some((span, end)))
    }
}
