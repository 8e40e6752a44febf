//! Keys of the cache: a hash of everything that a result depends on.
//!
//! In: fields, in a fixed order. Out: [`Key`], 128 bits. What holds: two sequences of fields with the
//! same key are the same sequence (fields carry their length), but for chance collisions of XXH3;
//! and every key depends on the version and the sources of this compiler and on the format version.

use maskwright_core::layout::FORMAT_VERSION;
use xxhash_rust::xxh3::Xxh3;

use crate::Options;
use crate::grammar::{Expr, Grammar, Rule, Words};
use crate::limits::Limits;

/// A name for a result in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key(u128);

impl Key {
    /// As the name of a file.
    pub(super) fn file_name(self) -> String {
        format!("{:032x}", self.0)
    }

    pub(super) fn to_bytes(self) -> [u8; 16] {
        self.0.to_le_bytes()
    }
}

/// Takes in fields and makes a [`Key`] of them.
pub(super) struct KeyBuilder(Xxh3);

impl KeyBuilder {
    /// A key for a kind of result, such as `"grammar"`.
    pub(super) fn new(kind: &str) -> Self {
        let mut key = KeyBuilder(Xxh3::new());
        key.bytes(kind.as_bytes());
        key.bytes(env!("CARGO_PKG_VERSION").as_bytes());
        key.bytes(env!("MASKWRIGHT_SOURCES").as_bytes());
        key.number(u64::from(FORMAT_VERSION));
        key
    }

    pub(super) fn number(&mut self, number: u64) {
        self.0.update(&number.to_le_bytes());
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.update(bytes);
    }

    pub(super) fn key(&mut self, key: Key) {
        self.bytes(&key.to_bytes());
    }

    pub(super) fn finish(self) -> Key {
        Key(self.0.digest128())
    }

    /// Every option that can change a result or whether there is one.
    pub(super) fn options(&mut self, options: &Options) {
        // Tables do not depend on the number of threads.
        let Options {
            limits,
            threads: _,
            deterministic,
            capped,
        } = options;
        let Limits {
            grammar_bytes,
            nesting,
            repetition,
            expansion,
            block,
            automaton_states,
            states,
            branches,
            table_bytes,
            stacks,
            time,
        } = limits;
        let sizes = [
            grammar_bytes,
            nesting,
            automaton_states,
            states,
            branches,
            table_bytes,
            stacks,
        ];
        sizes.into_iter().for_each(|&size| self.number(size as u64));
        self.number(u64::from(*repetition));
        self.number(*expansion);
        self.number(u64::from(*block));
        self.bytes(&time.as_nanos().to_le_bytes());
        self.number(u64::from(*deterministic));
        self.number(u64::from(*capped));
    }

    /// The rules, without their places in the text.
    pub(super) fn grammar(&mut self, grammar: &Grammar) {
        let Grammar { rules, root } = grammar;
        self.number(u64::from(root.0));
        self.number(rules.len() as u64);
        for Rule {
            name,
            expr,
            span: _,
            places: _,
        } in rules
        {
            self.bytes(name.as_bytes());
            self.expr(expr);
        }
    }

    fn words(&mut self, words: &Words) {
        self.number(7);
        self.number(words.states.len() as u64);
        for state in &words.states {
            self.number(u64::from(state.is_final));
            self.number(state.edges.len() as u64);
            for &(first, last, target) in &state.edges {
                self.ranges([(u32::from(first), u32::from(last))].into_iter());
                self.number(u64::from(target));
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Literal(text) => {
                self.number(0);
                self.bytes(text.as_bytes());
            }
            Expr::Class(ranges) => {
                self.number(1);
                self.ranges(
                    ranges
                        .iter()
                        .map(|&(first, last)| (u32::from(first), u32::from(last))),
                );
            }
            Expr::Bytes(ranges) => {
                self.number(2);
                self.ranges(
                    ranges
                        .iter()
                        .map(|&(first, last)| (u32::from(first), u32::from(last))),
                );
            }
            Expr::Seq(parts) => self.parts(3, parts),
            Expr::Alt(parts) => self.parts(4, parts),
            Expr::Repeat { expr, min, max } => {
                self.number(5);
                self.number(u64::from(*min));
                self.number(max.map_or(u64::MAX, u64::from));
                self.expr(expr);
            }
            Expr::Tokens(set) => {
                self.number(9 + u64::from(set.is_all_but()));
                self.number(set.ids().len() as u64);
                set.ids().iter().for_each(|&id| self.number(id.into()));
            }
            Expr::Words(words) => self.words(words),
            Expr::Graph(graph) => {
                self.number(8);
                self.number(graph.states.len() as u64);
                for state in &graph.states {
                    self.number(u64::from(state.is_final));
                    self.number(state.edges.len() as u64);
                    for (part, target) in &state.edges {
                        self.expr(part);
                        self.number(u64::from(*target));
                    }
                }
            }
            Expr::Ref(rule) => {
                self.number(6);
                self.number(u64::from(rule.0));
            }
        }
    }

    fn parts(&mut self, kind: u64, parts: &[Expr]) {
        self.number(kind);
        self.number(parts.len() as u64);
        for part in parts {
            self.expr(part);
        }
    }

    fn ranges(&mut self, ranges: impl ExactSizeIterator<Item = (u32, u32)>) {
        self.number(ranges.len() as u64);
        for (first, last) in ranges {
            self.number(u64::from(first) << 32 | u64::from(last));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::RuleId;
    use std::time::Duration;

    fn options_key(change: impl FnOnce(&mut Options)) -> Key {
        let mut options = Options::default();
        change(&mut options);
        let mut key = KeyBuilder::new("test");
        key.options(&options);
        key.finish()
    }

    #[test]
    fn every_option_but_threads_counts() {
        let base = options_key(|_| {});
        assert_eq!(base, options_key(|options| options.threads += 1));
        let changed = [
            options_key(|options| options.limits.grammar_bytes += 1),
            options_key(|options| options.limits.nesting += 1),
            options_key(|options| options.limits.repetition += 1),
            options_key(|options| options.limits.expansion += 1),
            options_key(|options| options.limits.block += 1),
            options_key(|options| options.limits.automaton_states += 1),
            options_key(|options| options.limits.states += 1),
            options_key(|options| options.limits.branches += 1),
            options_key(|options| options.limits.table_bytes += 1),
            options_key(|options| options.limits.stacks += 1),
            options_key(|options| options.limits.time += Duration::from_nanos(1)),
            options_key(|options| options.deterministic = true),
            options_key(|options| options.capped = true),
        ];
        for (index, key) in changed.iter().enumerate() {
            assert_ne!(*key, base);
            assert!(!changed[..index].contains(key));
        }
    }

    #[test]
    fn grammars_that_differ_have_different_keys() {
        let literal = |text: &str| Expr::Literal(text.into());
        let repeat = |min, max| Expr::Repeat {
            expr: Box::new(literal("a")),
            min,
            max,
        };
        let exprs = [
            literal(""),
            literal("ab"),
            Expr::Seq(vec![]),
            Expr::Alt(vec![]),
            Expr::Seq(vec![literal("a"), literal("b")]),
            Expr::Seq(vec![Expr::Seq(vec![literal("a")]), literal("b")]),
            Expr::Alt(vec![literal("a"), literal("b")]),
            Expr::Class(vec![('a', 'b')]),
            Expr::Class(vec![('a', 'a'), ('b', 'b')]),
            Expr::Bytes(vec![(b'a', b'b')]),
            repeat(0, None),
            repeat(1, None),
            repeat(0, Some(1)),
            repeat(0, Some(0)),
            Expr::Ref(RuleId(0)),
            Expr::Ref(RuleId(1)),
        ];
        let keys: Vec<Key> = exprs
            .into_iter()
            .map(|expr| {
                let rule = Rule {
                    name: "root".into(),
                    expr,
                    span: Default::default(),
                    places: Vec::new(),
                };
                let mut key = KeyBuilder::new("test");
                key.grammar(&Grammar {
                    rules: vec![rule],
                    root: RuleId(0),
                });
                key.finish()
            })
            .collect();
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[..index].contains(key), "grammar {index}");
        }
    }
}
