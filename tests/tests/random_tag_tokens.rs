//! Random structural tags of all types, for a vocabulary with control, added and stop tokens: what
//! a matcher takes is what the format takes, read slowly, token by token; every mask is what the
//! matcher takes; and what a mask allows can be finished.
//!
//! `MASKWRIGHT_TAGS=n` checks n formats, `MASKWRIGHT_SEED=n` draws others.

use maskwright::{AcceptError, Grammar, Matcher};
use maskwright_compiler::Compiler;
use maskwright_compiler::syntax::GrammarText;
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_tests::random::Random;
use maskwright_tests::tags::{WrittenTokens, accepts_tokens};
use maskwright_tests::{random_tag, random_token_tag};
use serde_json::{Value, json};
use std::collections::BTreeMap;

type Tried<'t> = Matcher<'t, 64, 16>;

fn number(name: &str, default: usize) -> usize {
    let asked = std::env::var(name).ok();
    let asked = asked.and_then(|asked| asked.parse().ok());
    asked.unwrap_or(default)
}

fn vocabulary(tokens: &WrittenTokens) -> Compiler {
    let texts = tokens.texts.iter().map(|text| text.as_bytes().to_vec());
    let special = random_token_tag::special(tokens);
    let is_added = |named: &&(u32, String)| !special.contains(named);
    let added: Vec<(u32, String)> = tokens.names.iter().filter(is_added).cloned().collect();
    let vocabulary = Vocabulary::from_tokens(texts.collect(), tokens.ends.clone())
        .with_special(special)
        .with_added(added);
    Compiler::new(&vocabulary).unwrap()
}

/// What the tests have seen.
#[derive(Default, Debug)]
struct Seen {
    compiled: usize,
    refused: BTreeMap<&'static str, usize>,
    taken: usize,
    strings: usize,
    masks: usize,
    finished: usize,
}

struct Checked<'a> {
    format: &'a Value,
    tokens: &'a WrittenTokens,
    grammar: &'a Grammar<'a>,
}

impl Checked<'_> {
    fn start(&self) -> Option<Tried<'_>> {
        Matcher::new(self.grammar).ok()
    }

    /// Whether the matcher takes a string of tokens to its end; nothing if it has too few frames to
    /// say.
    fn takes(&self, ids: &[u32]) -> Option<bool> {
        let mut matcher = self.start()?;
        for &id in ids {
            match matcher.accept_token(id) {
                Ok(()) if matcher.is_finished() => return Some(false),
                Ok(()) => {}
                Err(AcceptError::TooDeep) => return None,
                Err(_) => return Some(false),
            }
        }
        Some(matcher.is_complete())
    }

    /// Compares a string of tokens with the oracle.
    fn compare(&self, ids: &[u32], seen: &mut Seen) {
        let Some(found) = self.takes(ids) else {
            return;
        };
        let expected = accepts_tokens(self.format, ids, self.tokens);
        let texts: Vec<&str> = ids.iter().map(|&id| self.shown(id)).collect();
        assert_eq!(found, expected, "{texts:?} {ids:?} in\n{}", self.format);
        seen.taken += usize::from(expected);
        seen.strings += 1;
    }

    fn shown(&self, id: u32) -> &str {
        let name = self.tokens.names.iter().find(|(named, _)| *named == id);
        name.map_or(&self.tokens.texts[id as usize], |(_, name)| name)
    }

    /// Walks at random: each mask is what the matcher takes, and a text that the masks end is one
    /// of the format's.
    fn walk(&self, steps: usize, random: &mut Random, seen: &mut Seen) {
        let Some(mut matcher) = self.start() else {
            return;
        };
        let mut path = Vec::new();
        for step in 0..steps {
            let mut allowed = Vec::new();
            let mut mask = vec![0u32; self.grammar.mask_words()];
            matcher.mask().fill(&mut mask).unwrap();
            for id in 0..self.tokens.texts.len() as u32 {
                let offered = mask[id as usize / 32] >> (id % 32) & 1 == 1;
                let taken = matcher.clone().accept_token(id);
                assert_eq!(
                    offered,
                    taken.is_ok(),
                    "token {id} ({}) after {path:?} in\n{}: {taken:?}",
                    self.shown(id),
                    self.format
                );
                if offered {
                    allowed.push(id);
                }
            }
            seen.masks += 1;
            assert!(
                !allowed.is_empty(),
                "no token after {path:?} in\n{}",
                self.format
            );
            if matcher.is_complete() && (step % 4 == 3 || random.below(4) == 0) {
                self.compare(&path, seen);
                seen.finished += 1;
            }
            // Rare tokens as often as the others.
            let special: Vec<u32> = allowed.iter().copied().filter(|&id| id >= 32).collect();
            let some = match random.below(3) {
                0 => &allowed,
                _ if special.is_empty() => &allowed,
                _ => &special,
            };
            let &id = random.pick(some).unwrap();
            matcher.accept_token(id).unwrap();
            if matcher.is_finished() {
                return;
            }
            path.push(id);
        }
    }
}

fn check(
    format: &Value,
    compiler: &Compiler,
    tokens: &WrittenTokens,
    random: &mut Random,
    seen: &mut Seen,
) {
    let text = json!({"type": "structural_tag", "format": format}).to_string();
    let text = GrammarText::structural_tag(text).tokens(compiler.tokens());
    let compiled = text.parse(&compiler.options().limits);
    let compiled = compiled.and_then(|parsed| compiler.compile(&parsed.grammar));
    let compiled = match compiled {
        Ok(compiled) => compiled,
        Err(error) => {
            *seen.refused.entry(error.code().as_str()).or_default() += 1;
            return;
        }
    };
    seen.compiled += 1;
    let packed = compiler.prepared().unwrap().vocabulary().pack().unwrap();
    let loaded = maskwright::Vocabulary::load(&packed).unwrap();
    let grammar = Grammar::load(compiled.tables());
    let grammar = grammar.unwrap_or_else(|error| panic!("{error}\n{format}"));
    let grammar = grammar.with_vocabulary(loaded).unwrap();
    let checked = Checked {
        format,
        tokens,
        grammar: &grammar,
    };
    checked.compare(&[], seen);
    for _ in 0..40 {
        let mut symbols = random_token_tag::sample(random, format, tokens);
        if !symbols.is_empty() && random.below(4) == 0 {
            let at = random.below(symbols.len());
            symbols.remove(at);
        }
        let ids = random_token_tag::spell(random, &symbols, tokens);
        if ids.len() <= 16 {
            checked.compare(&ids, seen);
        }
    }
    for _ in 0..2 {
        checked.walk(10, random, seen);
    }
}

#[test]
fn tokens_are_taken_as_the_format_takes_them() {
    let tokens = random_token_tag::tokens();
    let compiler = vocabulary(&tokens);
    let mut random = Random::new(number("MASKWRIGHT_SEED", 24) as u64);
    let mut seen = Seen::default();
    for round in 0..number("MASKWRIGHT_TAGS", 600) {
        let format = match round % 8 {
            0 => random_tag::format(&mut random, 2),
            _ => random_token_tag::format(&mut random, 1 + round % 2),
        };
        check(&format, &compiler, &tokens, &mut random, &mut seen);
    }
    println!("{seen:?}");
    let refused: usize = seen.refused.values().sum();
    assert!(
        seen.compiled > refused / 2
            && seen.taken * 10 > seen.strings
            && seen.taken * 10 < 9 * seen.strings
    );
}
