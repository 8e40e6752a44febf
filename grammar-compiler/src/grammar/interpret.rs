//! A slow and simple recogniser that reads the grammar as it stands.
//!
//! In: a [`Grammar`] and a text. Out: whether the text is a sentence. Every later stage must keep
//! this meaning, so tests compare them with it.
//!
//! It is Earley's algorithm over regular right parts: an item is *what is left of a rule* together
//! with *the call it belongs to*; a call is a rule and where it began. What is left of a rule is a
//! list of frames (an expression, and how many parts or repetitions of it are done), and equal
//! lists are stored once, so that equal items can be recognised.
//!
//! ```text
//! items[0] = { the root's expression, for the call root@0 }
//! for each position p:
//!     for each item at p:
//!         character: if it matches, add the rest at the position after it
//!         sequence, alternatives, repetition: add what each may go on with, at p
//!         rule r: remember that the rest waits for the call r@p; add r's expression at p
//!         nothing left: add at p the rests of all items that wait for its call
//! ```

use super::{Expr, Grammar, RuleId};
use crate::maps::{IdMap, IdSet, own_keys};
use std::collections::BTreeMap;

/// Whether `text` is a sentence of `grammar`. Time and memory grow up to the cube and the square of
/// the length of the text.
pub fn accepts(grammar: &Grammar, text: &str) -> bool {
    accepts_bytes(grammar, text.as_bytes())
}

/// Whether `text`, which need not be UTF-8, is a sentence of `grammar`.
pub fn accepts_bytes(grammar: &Grammar, text: &[u8]) -> bool {
    let mut recogniser = Recogniser {
        grammar,
        text,
        rests: Rests::default(),
        chart: BTreeMap::new(),
        calls: IdMap::default(),
        accepted: false,
    };
    recogniser.call(grammar.root, 0, None);
    while let Some((at, mut column)) = recogniser.chart.pop_first() {
        while let Some(item) = column.pending.pop() {
            recogniser.advance(at, item);
            // Items added at `at` went into a fresh column; those that are new are moved over.
            if let Some(added) = recogniser.chart.remove(&at) {
                column.add_all(added.pending);
            }
        }
    }
    recogniser.accepted
}

/// What is left of a rule: `None` is nothing, otherwise an index into [`Rests`].
type RestId = Option<usize>;

/// An expression of which `done` parts or repetitions are done, and what is left after it.
#[derive(Clone, Copy)]
struct Frame<'g> {
    expr: &'g Expr,
    done: u32,
    after: RestId,
}

/// All lists of frames met so far, equal ones once.
#[derive(Default)]
struct Rests<'g> {
    frames: Vec<Frame<'g>>,
    known: IdMap<(*const Expr, u32, RestId), usize>,
}

impl<'g> Rests<'g> {
    fn add(&mut self, expr: &'g Expr, done: u32, after: RestId) -> RestId {
        let key = (std::ptr::from_ref(expr), done, after);
        let next = self.frames.len();
        let index = *self.known.entry(key).or_insert(next);
        if index == next {
            self.frames.push(Frame { expr, done, after });
        }
        Some(index)
    }
}

/// A rule and where it began.
type CallId = (RuleId, usize);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct RuleItem {
    rest: RestId,
    call: CallId,
}

own_keys!(RuleItem);

/// The items at one position.
#[derive(Default)]
struct RuleColumn {
    pending: Vec<RuleItem>,
    seen: IdSet<RuleItem>,
}

impl RuleColumn {
    fn add_all(&mut self, items: Vec<RuleItem>) {
        for item in items {
            if self.seen.insert(item) {
                self.pending.push(item);
            }
        }
    }
}

/// One rule begun at one position.
#[derive(Default)]
struct RuleCall {
    /// The items that go on where the call ends.
    waiting: Vec<RuleItem>,
    /// It has ended where it began.
    matches_empty: bool,
}

struct Recogniser<'g> {
    grammar: &'g Grammar,
    text: &'g [u8],
    rests: Rests<'g>,
    chart: BTreeMap<usize, RuleColumn>,
    calls: IdMap<CallId, RuleCall>,
    accepted: bool,
}

impl<'g> Recogniser<'g> {
    fn add(&mut self, at: usize, item: RuleItem) {
        self.chart.entry(at).or_default().add_all(vec![item]);
    }

    /// Begins `rule` at `at`; `waiting` goes on where it ends.
    fn call(&mut self, rule: RuleId, at: usize, waiting: Option<RuleItem>) {
        let Some(body) = self.grammar.rules.get(rule.0 as usize) else {
            return;
        };
        let id = (rule, at);
        let is_new = !self.calls.contains_key(&id);
        let call = self.calls.entry(id).or_default();
        call.waiting.extend(waiting);
        let ended_here = call.matches_empty;
        if is_new {
            let rest = self.rests.add(&body.expr, 0, None);
            self.add(at, RuleItem { rest, call: id });
        }
        if let (true, Some(waiting)) = (ended_here, waiting) {
            self.add(at, waiting);
        }
    }

    /// Ends the call of an item of which nothing is left.
    fn end(&mut self, at: usize, id: CallId) {
        self.accepted |= id == (self.grammar.root, 0) && at == self.text.len();
        let Some(call) = self.calls.get_mut(&id) else {
            return;
        };
        call.matches_empty |= id.1 == at;
        for waiting in call.waiting.clone() {
            self.add(at, waiting);
        }
    }

    /// Begins `part` at `at`; what is left behind it is `after`.
    fn begin(&mut self, at: usize, part: &'g Expr, after: RestId, call: CallId) {
        let rest = self.rests.add(part, 0, after);
        self.add(at, RuleItem { rest, call });
    }

    fn advance(&mut self, at: usize, RuleItem { rest, call }: RuleItem) {
        let Some(Frame { expr, done, after }) =
            rest.and_then(|rest| self.rests.frames.get(rest)).copied()
        else {
            return self.end(at, call);
        };
        match expr {
            Expr::Literal(_) | Expr::Class(_) | Expr::Bytes(_) => {
                if let Some(length) = matched(expr, self.text.get(at..).unwrap_or(&[])) {
                    self.add(at + length, RuleItem { rest: after, call });
                }
            }
            // A text says nothing of the tokens that it was written in.
            Expr::Tokens(_) | Expr::Terminal(_) => {}
            Expr::Words(words) => {
                let frame = Frame { expr, done, after };
                self.take(at, frame, call, words.is_final(done), |byte| {
                    words.step(done, byte)
                });
            }
            Expr::Bounded(words) => {
                let frame = Frame { expr, done, after };
                self.take(at, frame, call, words.is_final(done), |byte| {
                    words.step(done, byte)
                });
            }
            Expr::Graph(graph) => {
                let Some(state) = graph.states.get(done as usize) else {
                    return;
                };
                if state.is_final {
                    self.add(at, RuleItem { rest: after, call });
                }
                for (part, target) in &state.edges {
                    let after = self.rests.add(expr, *target, after);
                    self.begin(at, part, after, call);
                }
            }
            Expr::Seq(parts) => match parts.get(done as usize) {
                None => self.add(at, RuleItem { rest: after, call }),
                Some(part) => {
                    let after = self.rests.add(expr, done + 1, after);
                    self.begin(at, part, after, call);
                }
            },
            Expr::Alt(parts) => {
                for part in parts {
                    self.begin(at, part, after, call);
                }
            }
            Expr::Repeat { .. } => self.repeat(at, Frame { expr, done, after }, call),
            Expr::Ref(id) => self.call(*id, at, Some(RuleItem { rest: after, call })),
        }
    }

    /// Goes on in a state of an automaton: to what is behind it if a word may end there, and to the
    /// states that the next byte leads to.
    fn take<T: Iterator<Item = u32>>(
        &mut self,
        at: usize,
        Frame { expr, after, .. }: Frame<'g>,
        call: CallId,
        is_final: bool,
        step: impl Fn(u8) -> T,
    ) {
        if is_final {
            self.add(at, RuleItem { rest: after, call });
        }
        let next = self.text.get(at);
        for target in next.into_iter().flat_map(|&byte| step(byte)) {
            let rest = self.rests.add(expr, target, after);
            self.add(at + 1, RuleItem { rest, call });
        }
    }

    /// Goes on with a repetition of which `done` iterations are done.
    fn repeat(&mut self, at: usize, frame: Frame<'g>, call: CallId) {
        let Frame { expr, done, after } = frame;
        let Expr::Repeat {
            expr: inner,
            min,
            max,
        } = expr
        else {
            return;
        };
        if done >= *min {
            self.add(at, RuleItem { rest: after, call });
        }
        if max.is_none_or(|max| done < max) {
            // Without an upper bound, counting ends at the lower one.
            let counted = (done + 1).min(max.unwrap_or(*min));
            let after = self.rests.add(expr, counted, after);
            self.begin(at, inner, after, call);
        }
    }
}

/// How many bytes at the start of `text` a terminal takes, if they are a sentence of it.
fn matched(terminal: &Expr, text: &[u8]) -> Option<usize> {
    match terminal {
        Expr::Literal(literal) => text
            .starts_with(literal.as_bytes())
            .then_some(literal.len()),
        Expr::Class(ranges) => {
            let next = first_char(text)?;
            is_in(ranges, next).then_some(next.len_utf8())
        }
        Expr::Bytes(ranges) => is_in(ranges, *text.first()?).then_some(1),
        _ => None,
    }
}

fn is_in<T: Copy + PartialOrd>(ranges: &[(T, T)], value: T) -> bool {
    ranges
        .iter()
        .any(|&(first, last)| (first..=last).contains(&value))
}

/// The character at the start of `bytes`, if they begin with a whole one.
fn first_char(bytes: &[u8]) -> Option<char> {
    let bytes = bytes.get(..bytes.len().min(4))?;
    let valid = bytes.utf8_chunks().next()?.valid();
    valid.chars().next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::syntax::ebnf;

    fn check(grammar: &str, sentences: &[&str], others: &[&str]) {
        let source = Source::new("test", grammar);
        let grammar = ebnf::parse(&source, &Default::default()).unwrap().grammar;
        for text in sentences {
            assert!(
                accepts(&grammar, text),
                "{text:?} must be a sentence of\n{}",
                source.text()
            );
        }
        for text in others {
            assert!(
                !accepts(&grammar, text),
                "{text:?} must not be a sentence of\n{}",
                source.text()
            );
        }
    }

    #[test]
    fn left_recursion() {
        check(
            r#"root ::= root "+" term | term  term ::= [0-9]+ | "(" root ")""#,
            &["1", "1+22", "(1+2)+3"],
            &["", "+", "1+", "(1"],
        );
    }

    #[test]
    fn hidden_left_recursion_through_a_nullable_rule() {
        check(
            r#"root ::= opt root "x" | "y"  opt ::= "a"?"#,
            &["y", "yx", "ayx", "aayxx", "yxxx"],
            &["x", "ay", "aayx"],
        );
    }

    #[test]
    fn a_rule_that_calls_itself_and_nothing_else_besides() {
        check(
            r#"root ::= root | root root | "a" | """#,
            &["", "a", "aaaa"],
            &["b", "ab"],
        );
    }

    #[test]
    fn nullable_parts_that_end_where_they_began() {
        check(
            r#"root ::= a a "!"  a ::= b | "x"  b ::= "" | a b"#,
            &["!", "x!", "xx!", "xxx!"],
            &["", "y!"],
        );
    }

    #[test]
    fn counts() {
        check(r#"root ::= "a"{2,3}"#, &["aa", "aaa"], &["a", "aaaa"]);
        check(
            r#"root ::= ("a" | "b"?){2,} "!""#,
            &["!", "aab!", "bbbb!"],
            &["c!", "a"],
        );
        check(
            r#"root ::= ("a"{2}){0,2}"#,
            &["", "aa", "aaaa"],
            &["a", "aaa", "aaaaaa"],
        );
    }

    #[test]
    fn brackets_nest_as_deep_as_the_text() {
        let deep = format!("{}{}", "(".repeat(400), ")".repeat(400));
        check(
            r#"root ::= ("(" root ")")*"#,
            &["", "()()", "(()())", &deep],
            &["(", ")(", &deep[1..]],
        );
    }

    #[test]
    fn characters_and_bytes() {
        check("root ::= [à-ü]. ", &["éx", "é😀"], &["é", "ex"]);
        check(
            r"root ::= /(?-u:\xC3[\xA0-\xBF])/",
            &["é", "à"],
            &["Ã", "e"],
        );
    }
}
