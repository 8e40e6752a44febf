//! Tokens as terminals: masks and accepted tokens against a direct reading of small grammars, token
//! by token.

use maskwright::{Grammar, Matcher, Vocabulary};
use maskwright_compiler::grammar::{self, Expr, Rule, RuleId, TokenSet};
use maskwright_compiler::{Compiler, vocabulary};
use std::collections::BTreeSet;

/// All bytes, some longer tokens, an added token that is text too, two special ones, two that end a
/// sequence, and padding.
const TOOL: u32 = 262;
const CALL: u32 = 263;
const SEP: u32 = 264;
const END: u32 = 265;
const RETURN: u32 = 266;
const SIZE: usize = 270;

fn vocabulary() -> vocabulary::Vocabulary {
    let mut tokens: Vec<Vec<u8>> = (0..=255u8).map(|byte| vec![byte]).collect();
    let texts = ["ab", "b<", "<tool>", "é", "a b", "c<to"];
    tokens.extend(texts.map(|text| text.as_bytes().to_vec()));
    tokens.push(b"<tool>".to_vec());
    tokens.resize(SIZE, Vec::new());
    vocabulary::Vocabulary::from_tokens(tokens, vec![END, RETURN])
        .with_special([(CALL, "<|call|>".to_owned()), (SEP, "<|sep|>".to_owned())])
        .with_added([(TOOL, "<tool>".to_owned())])
}

/// What a grammar of these tests is made of.
#[derive(Clone, Debug)]
enum Part {
    Text(&'static str),
    /// One character of these.
    Class(&'static str),
    Tokens(TokenSet),
    Seq(Vec<Part>),
    Alt(Vec<Part>),
    Star(Box<Part>),
}

use Part::{Alt, Class, Seq, Star, Text, Tokens};

impl Part {
    fn expr(&self) -> Expr {
        match self {
            Text(text) => Expr::Literal((*text).to_owned()),
            Class(all) => {
                let mut all: Vec<(char, char)> = all.chars().map(|c| (c, c)).collect();
                all.sort_unstable();
                Expr::Class(all)
            }
            Tokens(set) => Expr::Tokens(set.clone()),
            Seq(parts) => Expr::Seq(parts.iter().map(Part::expr).collect()),
            Alt(parts) => Expr::Alt(parts.iter().map(Part::expr).collect()),
            Star(part) => Expr::Repeat {
                expr: Box::new(part.expr()),
                min: 0,
                max: None,
            },
        }
    }
}

impl Part {
    /// A grammar of one rule.
    fn grammar(&self) -> grammar::Grammar {
        let rule = Rule::new("root", self.expr());
        grammar::Grammar::new(vec![rule], RuleId(0))
    }
}

fn star(part: Part) -> Part {
    Star(Box::new(part))
}

fn token(ids: &[u32]) -> Part {
    Tokens(TokenSet::of(ids.iter().copied()))
}

/// One symbol of a text that is partly tokens: a byte, or a whole token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Symbol {
    Byte(u8),
    Token(u32),
}

/// The oracle: derivatives of expressions by bytes and tokens, as Brzozowski has them, written for
/// this test alone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Language {
    Nothing,
    Empty,
    Byte(u8),
    Tokens(TokenSet),
    Seq(Box<Language>, Box<Language>),
    Alt(BTreeSet<Language>),
    Star(Box<Language>),
}

impl Language {
    fn of(part: &Part) -> Self {
        match part {
            Text(text) => text.bytes().rev().fold(Language::Empty, |rest, byte| {
                Language::Byte(byte).then(rest)
            }),
            Class(all) => {
                let of = |c: char| Language::of(&Text(Box::leak(c.to_string().into_boxed_str())));
                all.chars()
                    .fold(Language::Nothing, |so_far, c| so_far.or(of(c)))
            }
            Tokens(set) => Language::Tokens(set.clone()),
            Seq(parts) => parts
                .iter()
                .rev()
                .fold(Language::Empty, |rest, part| Language::of(part).then(rest)),
            Alt(parts) => {
                (parts.iter()).fold(Language::Nothing, |all, part| all.or(Language::of(part)))
            }
            Star(part) => Language::Star(Box::new(Language::of(part))),
        }
    }

    fn then(self, next: Language) -> Language {
        match (self, next) {
            (Language::Nothing, _) | (_, Language::Nothing) => Language::Nothing,
            (Language::Empty, next) => next,
            (first, Language::Empty) => first,
            (Language::Seq(first, second), next) => first.then(second.then(next)),
            (first, next) => Language::Seq(Box::new(first), Box::new(next)),
        }
    }

    fn or(self, other: Language) -> Language {
        let mut all = BTreeSet::new();
        for language in [self, other] {
            match language {
                Language::Nothing => {}
                Language::Alt(of) => all.extend(of),
                one => drop(all.insert(one)),
            }
        }
        match all.len() {
            0 => Language::Nothing,
            1 => all.pop_first().unwrap(),
            _ => Language::Alt(all),
        }
    }

    fn is_nullable(&self) -> bool {
        match self {
            Language::Nothing | Language::Byte(_) | Language::Tokens(_) => false,
            Language::Empty | Language::Star(_) => true,
            Language::Seq(first, second) => first.is_nullable() && second.is_nullable(),
            Language::Alt(all) => all.iter().any(Language::is_nullable),
        }
    }

    fn after(&self, symbol: Symbol) -> Language {
        match self {
            Language::Nothing | Language::Empty => Language::Nothing,
            Language::Byte(byte) if symbol == Symbol::Byte(*byte) => Language::Empty,
            Language::Tokens(set) => match symbol {
                Symbol::Token(id) if in_set(set, id) => Language::Empty,
                _ => Language::Nothing,
            },
            Language::Byte(_) => Language::Nothing,
            Language::Seq(first, second) => {
                let within = first.after(symbol).then((**second).clone());
                match first.is_nullable() {
                    true => within.or(second.after(symbol)),
                    false => within,
                }
            }
            Language::Alt(all) => (all.iter()).fold(Language::Nothing, |so_far, one| {
                so_far.or(one.after(symbol))
            }),
            Language::Star(one) => one.after(symbol).then(self.clone()),
        }
    }
}

/// Sets of all tokens but some hold none that ends a sequence and no padding.
fn in_set(set: &TokenSet, id: u32) -> bool {
    let is_real = id < END;
    set.contains(id) && (!set.is_all_but() || is_real)
}

/// The ids that some set of a part names: they are not text.
fn named(part: &Part, ids: &mut BTreeSet<u32>) {
    match part {
        Tokens(set) if !set.is_all_but() => ids.extend(set.ids()),
        Seq(parts) | Alt(parts) => parts.iter().for_each(|part| named(part, ids)),
        Star(part) => named(part, ids),
        _ => {}
    }
}

/// Where a text of tokens stands: what is left, or the end.
#[derive(Clone, Debug, PartialEq)]
enum Place {
    Before(Language),
    Ended,
}

struct Oracle {
    vocabulary: vocabulary::Vocabulary,
    named: BTreeSet<u32>,
}

impl Oracle {
    fn after(&self, place: &Place, id: u32) -> Option<Place> {
        let Place::Before(language) = place else {
            return None;
        };
        let mut next = language.after(Symbol::Token(id));
        if !self.named.contains(&id) && !self.vocabulary.bytes(id).is_empty() {
            let bytes = self.vocabulary.bytes(id).iter();
            let text = bytes.fold(language.clone(), |at, &byte| at.after(Symbol::Byte(byte)));
            next = next.or(text);
        }
        if next != Language::Nothing {
            return Some(Place::Before(next));
        }
        let ends = matches!(id, END | RETURN) && language.is_nullable();
        ends.then_some(Place::Ended)
    }
}

/// Walks all strings of up to `steps` tokens that differ in where they lead, comparing each mask
/// with the oracle.
fn check(part: &Part, steps: usize) -> usize {
    let vocabulary = vocabulary();
    let grammar = part.grammar();
    let compiler = Compiler::new(&vocabulary).unwrap();
    let compiled = compiler
        .compile(&grammar)
        .unwrap_or_else(|error| panic!("{part:?}: {error}"));
    let tables = vocabulary.pack().unwrap();
    let tokens = Vocabulary::load(&tables).unwrap();
    let grammar = Grammar::load(compiled.tables()).unwrap();
    let grammar = grammar.with_vocabulary(tokens).unwrap();
    let mut ids = BTreeSet::new();
    named(part, &mut ids);
    let oracle = Oracle {
        vocabulary,
        named: ids,
    };
    let start = Matcher::<16, 4>::new(&grammar).unwrap();
    let mut places = vec![(Place::Before(Language::of(part)), start)];
    let (mut seen, mut verdicts) = (vec![places[0].0.clone()], 0);
    for _ in 0..steps {
        let mut next = Vec::new();
        for (place, matcher) in places {
            let mut words = vec![0u32; grammar.mask_words()];
            matcher.mask().fill(&mut words).unwrap();
            for id in 0..SIZE as u32 {
                let expected = oracle.after(&place, id);
                let offered = words[id as usize / 32] >> (id % 32) & 1 == 1;
                assert_eq!(
                    offered,
                    expected.is_some(),
                    "{part:?} at {place:?}: token {id}"
                );
                let mut after = matcher;
                assert_eq!(
                    after.accept_token(id).is_ok(),
                    offered,
                    "{part:?} at {place:?}: {id}"
                );
                verdicts += 1;
                if let Some(place @ Place::Before(_)) = expected
                    && !seen.contains(&place)
                {
                    let complete = matches!(&place, Place::Before(rest) if rest.is_nullable());
                    assert_eq!(after.is_complete(), complete, "{part:?} at {place:?}");
                    seen.push(place.clone());
                    next.push((place, after));
                }
            }
        }
        places = next;
    }
    verdicts
}

#[test]
fn tokens_between_texts() {
    let text = || star(Class("abc <é"));
    let call = || Seq(vec![token(&[CALL]), Text("ab"), token(&[SEP])]);
    let grammars = [
        token(&[CALL]),
        Seq(vec![text(), token(&[CALL]), text()]),
        star(Alt(vec![Class("abc <é"), call()])),
        Seq(vec![Text("<tool>"), token(&[SEP, CALL]), Text("<tool>")]),
        // An added token that is named is not text; the same text of another token is.
        star(Alt(vec![Text("<tool>"), token(&[TOOL]), Text("ab")])),
        Alt(vec![
            Seq(vec![token(&[CALL]), Text("a")]),
            Seq(vec![token(&[CALL, SEP]), Text("b")]),
            Seq(vec![token(&[SEP]), token(&[SEP]), Text("ab")]),
        ]),
    ];
    let verdicts: usize = grammars.iter().map(|part| check(part, 6)).sum();
    assert!(verdicts > 9_000, "{verdicts}");
}

#[test]
fn tokens_that_end_a_sequence_can_be_terminals() {
    let grammars = [
        Seq(vec![Text("a"), token(&[END])]),
        Seq(vec![
            star(Class("ab")),
            Text("<"),
            token(&[END]),
            Text("c"),
            token(&[RETURN]),
        ]),
        star(Seq(vec![Text("ab"), token(&[END])])),
    ];
    let verdicts: usize = grammars.iter().map(|part| check(part, 5)).sum();
    assert!(verdicts > 1_000, "{verdicts}");
}

#[test]
fn all_tokens_but_some() {
    let any_but = |ids: &[u32]| Tokens(TokenSet::all_but(ids.iter().copied()));
    let grammars = [
        any_but(&[]),
        Seq(vec![any_but(&[CALL]), Text("ab")]),
        Seq(vec![
            token(&[CALL]),
            star(any_but(&[SEP])),
            token(&[SEP]),
            Text("ab"),
        ]),
        Seq(vec![
            star(any_but(&[CALL, 97])),
            token(&[CALL]),
            star(any_but(&[SEP, 98])),
            token(&[SEP]),
        ]),
    ];
    let verdicts: usize = grammars.iter().map(|part| check(part, 4)).sum();
    assert!(verdicts > 1_000, "{verdicts}");
}

#[test]
fn what_could_be_text_or_token_is_refused() {
    let any = || Tokens(TokenSet::all_but([]));
    let compiler = Compiler::new(&vocabulary()).unwrap();
    for part in [
        Seq(vec![star(any()), Text("a")]),
        Alt(vec![any(), Text("ab")]),
        Seq(vec![star(Class("a")), star(token(&[END]))]),
    ] {
        let grammar = part.grammar();
        let error = compiler.compile(&grammar).unwrap_err();
        assert_eq!(error.code(), "token-or-text", "{part:?}");
    }
}

/// The bytes that stand for tokens in the tables are no text.
#[test]
fn no_bytes_are_taken_for_a_token() {
    let vocabulary = vocabulary();
    let grammar = Seq(vec![star(Class("ab")), token(&[CALL])]).grammar();
    let compiler = Compiler::new(&vocabulary).unwrap();
    let compiled = compiler.compile(&grammar).unwrap();
    let grammar = compiled.grammar().unwrap();
    for first in 0..=255u8 {
        let mut matcher = Matcher::<4>::new(&grammar).unwrap();
        assert_eq!(
            matcher.accept_bytes(&[first]).is_ok(),
            matches!(first, b'a' | b'b')
        );
    }
    let matcher = Matcher::<4>::new(&grammar).unwrap();
    assert_eq!(matcher.forced_bytes(&mut [0; 4]), 0);
}
