//! Keys of the cache: a digest of everything that a result depends on.
//!
//! In: fields, in a fixed order. Out: [`Key`]. What holds: two results with one key are the same
//! result, as [`Digest`] says; and every key depends on the version and the sources of this
//! compiler and on the format version.

use maskwright_core::layout::FORMAT_VERSION;

use crate::digest::{Digest, Digester};
use crate::grammar::{Grammar, digest};
use crate::limits::{Limits, Tuning};
use crate::options::Options;
use crate::vocabulary::Vocabulary;

/// What a result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum EntryKind {
    /// The tables of a grammar, with their report and warnings.
    Grammar = 1,
    /// The tables of a vocabulary, with the names of its tokens.
    Vocabulary = 2,
    /// The tokens of a vocabulary that was made by the caller: part of other keys only.
    Tokens = 3,
    /// A part of a linked grammar.
    Part = 4,
}

impl EntryKind {
    const fn name(self) -> &'static str {
        match self {
            EntryKind::Grammar => "grammar, report and warnings",
            EntryKind::Vocabulary => "vocabulary",
            EntryKind::Tokens => "tokens",
            EntryKind::Part => "part",
        }
    }
}

/// A name for a result in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(super) kind: EntryKind,
    pub(super) digest: Digest,
}

/// Takes in fields and makes a [`Key`] of them.
pub(crate) struct KeyBuilder {
    kind: EntryKind,
    fields: Digester,
}

impl KeyBuilder {
    /// A key for a kind of result.
    pub(crate) fn new(kind: EntryKind) -> Self {
        let mut key = KeyBuilder {
            kind,
            fields: Digester::new(kind.name()),
        };
        key.bytes(env!("CARGO_PKG_VERSION").as_bytes());
        key.bytes(env!("MASKWRIGHT_SOURCES").as_bytes());
        key.number(u64::from(FORMAT_VERSION));
        key
    }

    pub(crate) fn number(&mut self, number: u64) {
        self.fields.number(number);
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.fields.bytes(bytes);
    }

    pub(crate) fn key(&mut self, key: Key) {
        self.number(key.kind as u64);
        self.digest(key.digest);
    }

    pub(crate) fn digest(&mut self, digest: Digest) {
        self.fields.digest(digest);
    }

    pub(crate) fn finish(self) -> Key {
        Key {
            kind: self.kind,
            digest: self.fields.finish(),
        }
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
                    together,
                },
            threads: _,
            deterministic,
        } = options;
        let Limits {
            grammar_bytes,
            nesting,
            repetition,
            automaton_states,
            states,
            branches,
            table_bytes,
            time,
            work,
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
        ];
        sizes.into_iter().for_each(|&size| self.number(size as u64));
        self.number(u64::from(*repetition));
        self.number(*expansion);
        self.number(u64::from(*block));
        self.number(u64::from(*share));
        self.number(*together);
        self.bytes(&time.as_nanos().to_le_bytes());
        self.number(*work);
        self.number(u64::from(*deterministic));
    }

    /// All that tables can depend on in a vocabulary: the tokens, which of them end a text, and the
    /// names.
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
        let mut key = KeyBuilder::new(EntryKind::Part);
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
            options_key(|options| options.tuning.together = 0),
            options_key(|options| options.limits.automaton_states += 1),
            options_key(|options| options.limits.states += 1),
            options_key(|options| options.limits.branches += 1),
            options_key(|options| options.limits.table_bytes += 1),
            options_key(|options| options.limits.time += Duration::from_nanos(1)),
            options_key(|options| options.deterministic = true),
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
                let mut key = KeyBuilder::new(EntryKind::Part);
                key.grammar(&Grammar::new(vec![rule], RuleId(0)));
                key.finish()
            })
            .collect();
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[..index].contains(key), "grammar {index}");
        }
    }
}
