//! How much memory a grammar takes.
//!
//! In: a [`Grammar`]. Out: about how many bytes it takes. What holds: an automaton that stands in
//! several places is counted once.

use crate::maps::IdSet;

use super::{BoundedWords, Expr, Grammar, Graph, Rule, Words};
use crate::source::Span;

impl Grammar {
    /// About how many bytes of memory it takes.
    pub(crate) fn memory(&self) -> usize {
        let mut counter = Counter::default();
        self.rules.iter().for_each(|rule| counter.add_rule(rule));
        counter.bytes
    }
}

/// Adds up bytes.
#[derive(Default)]
struct Counter {
    bytes: usize,
    /// The automata that have been counted, by where they lie in memory.
    met: IdSet<usize>,
}

impl Counter {
    fn add_rule(&mut self, rule: &Rule) {
        let places = size_of::<Span>() * rule.places.capacity();
        self.bytes += size_of::<Rule>() + rule.name.capacity() + places;
        self.add(&rule.expr);
    }

    /// Adds what a right part holds; the part itself lies in what holds it.
    fn add(&mut self, expr: &Expr) {
        match expr {
            Expr::Literal(text) => self.bytes += text.capacity(),
            Expr::Class(ranges) => self.bytes += size_of::<(char, char)>() * ranges.capacity(),
            Expr::Bytes(ranges) => self.bytes += size_of::<(u8, u8)>() * ranges.capacity(),
            Expr::Terminal(_) => {}
            Expr::Tokens(set) => self.bytes += size_of_val(set.ids()),
            Expr::Words(words) => self.add_words(words),
            Expr::Bounded(words) => self.add_bounded(words),
            Expr::Graph(graph) => self.add_graph(graph),
            Expr::Seq(parts) | Expr::Alt(parts) => {
                self.bytes += size_of::<Expr>() * parts.capacity();
                parts.iter().for_each(|part| self.add(part));
            }
            Expr::Repeat { expr, .. } => {
                self.bytes += size_of::<Expr>();
                self.add(expr);
            }
            Expr::Ref(_) => {}
        }
    }

    /// Whether what lies at this place in memory has not been counted.
    fn is_new<T>(&mut self, of: &T) -> bool {
        self.met.insert(std::ptr::from_ref(of).addr())
    }

    fn add_words(&mut self, words: &Words) {
        if self.is_new(words) {
            let edges: usize = words
                .states
                .iter()
                .map(|state| state.edges.capacity())
                .sum();
            let states = words.states.capacity();
            self.bytes += size_of::<super::WordState>() * states;
            self.bytes += size_of::<(u8, u8, u32)>() * edges;
        }
    }

    fn add_bounded(&mut self, words: &BoundedWords) {
        if self.is_new(words) {
            // Two numbers for each state.
            let states = words.words().states.len();
            self.bytes += size_of::<BoundedWords>() + 2 * size_of::<u32>() * states;
            self.add_words(words.words());
            if let Some(core) = words.core() {
                self.add_words(core.words());
            }
        }
    }

    fn add_graph(&mut self, graph: &Graph) {
        if self.is_new(graph) {
            self.bytes += size_of::<super::GraphState>() * graph.states.capacity();
            for state in &graph.states {
                self.bytes += size_of::<(Expr, u32)>() * state.edges.capacity();
                state.edges.iter().for_each(|(part, _)| self.add(part));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::limits::Limits;
    use crate::syntax::GrammarText;

    fn memory(text: &str) -> usize {
        let parsed = GrammarText::ebnf(text).parse(&Limits::default());
        parsed.unwrap().grammar.memory()
    }

    #[test]
    fn what_a_text_becomes_is_counted() {
        let small = memory("root ::= \"a\"");
        assert!(small < 1_000, "{small}");
        let long = memory(&format!("root ::= \"{}\"", "a".repeat(100_000)));
        assert!((100_000..250_000).contains(&long), "{long}");
        // Few characters of the text, and hundreds of ranges each.
        let classes = memory(&format!("root ::= {}", r"/\p{L}/ ".repeat(100)));
        assert!(classes > 100 * 500 * 8, "{classes}");
    }
}
