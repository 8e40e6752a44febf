//! Keys of the cache: a hash of everything that a result depends on.
//!
//! In: fields, in a fixed order. Out: [`Key`], 128 bits. What holds: two sequences of fields with the
//! same key are the same sequence (fields carry their length), except for chance collisions of XXH3;
//! and every key depends on the version and the sources of this compiler and on the format version.

use maskwright_core::layout::FORMAT_VERSION;
use xxhash_rust::xxh3::Xxh3;

use crate::grammar::{Grammar, digest};
use crate::limits::{Limits, Tuning};
use crate::options::Options;
use crate::vocabulary::Vocabulary;

/// A name for a result in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key(u128);

impl Key {
    /// As the name of a file.
    pub(crate) fn file_name(self) -> String {
        format!("{:032x}", self.0)
    }

    pub(crate) fn to_bytes(self) -> [u8; 16] {
        self.0.to_le_bytes()
    }
}

/// Takes in fields and makes a [`Key`] of them.
pub(crate) struct KeyBuilder(Xxh3);

impl KeyBuilder {
    /// A key for a kind of result, such as `"grammar"`.
    pub(crate) fn new(kind: &str) -> Self {
        let mut key = KeyBuilder(Xxh3::new());
        key.bytes(kind.as_bytes());
        key.bytes(env!("CARGO_PKG_VERSION").as_bytes());
        key.bytes(env!("MASKWRIGHT_SOURCES").as_bytes());
        key.number(u64::from(FORMAT_VERSION));
        key
    }

    pub(crate) fn number(&mut self, number: u64) {
        self.0.update(&number.to_le_bytes());
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.update(bytes);
    }

    pub(crate) fn key(&mut self, key: Key) {
        self.bytes(&key.to_bytes());
    }

    pub(crate) fn finish(self) -> Key {
        Key(self.0.digest128())
    }

    /// Every option that can change a result or whether there is one.
    pub(crate) fn options(&mut self, options: &Options) {
        // Tables do not depend on the number of threads.
        let Options {
            limits,
            tuning:
                Tuning {
                    expansion,
                    block,
                    share,
                },
            threads: _,
            deterministic,
            capped,
        } = options;
        let Limits {
            grammar_bytes,
            nesting,
            repetition,
            automaton_states,
            states,
            branches,
            table_bytes,
            stacks,
            time,
            cancel: _,
            clock: _,
            request: _,
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
        self.number(u64::from(*share));
        self.bytes(&time.as_nanos().to_le_bytes());
        self.number(u64::from(*deterministic));
        self.number(u64::from(*capped));
    }

    /// All that tables can depend on in a vocabulary: the tokens, which of them end a text, and the names.
    pub(crate) fn vocabulary(&mut self, vocabulary: &Vocabulary) {
        self.number(u64::from(vocabulary.size()));
        vocabulary.iter().for_each(|token| self.bytes(token));
        self.number(vocabulary.eos().len() as u64);
        vocabulary
            .eos()
            .iter()
            .for_each(|&id| self.number(u64::from(id)));
        self.number(vocabulary.special().len() as u64);
        self.number(vocabulary.added().len() as u64);
        for (id, name) in vocabulary.special().chain(vocabulary.added()) {
            self.number(u64::from(id));
            self.bytes(name.as_bytes());
        }
    }

    /// The rules, without their places in the text.
    pub(crate) fn grammar(&mut self, grammar: &Grammar) {
        let mut bytes = Vec::new();
        digest::write(grammar, &mut bytes);
        self.bytes(&bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::{Expr, Rule, RuleId};
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
            options_key(|options| options.tuning.expansion += 1),
            options_key(|options| options.tuning.block += 1),
            options_key(|options| options.tuning.share = false),
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
