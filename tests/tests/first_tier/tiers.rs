//! A matcher that goes over from the first tier to the tables.

use super::both::Both;
use super::{lazy, letters};
use maskwright::{OwnedGrammar, OwnedMatcher, StateError};
use maskwright_compiler::error::Error;
use maskwright_compiler::lazy::{OrRefused, Tables};
use maskwright_compiler::limits::Limits;
use maskwright_compiler::link::registry::{MaskSource, Registry, RegistryOptions, ServedMatcher};
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::json_schema;
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_compiler::{Compiler, GrammarText, Options};
use maskwright_tests::harness::parse;
use maskwright_tests::tokenizer::Tokenizer;
use std::sync::{Arc, OnceLock};

/// Tables that come when the test says so.
#[derive(Default)]
struct Later {
    shown: OnceLock<Result<OwnedGrammar, Error>>,
    kept: OnceLock<Result<OwnedGrammar, Error>>,
}

impl Tables for Later {
    fn ready(&self) -> Option<&Result<OwnedGrammar, Error>> {
        self.shown.get()
    }

    fn wait(&self) -> Result<&OwnedGrammar, Error> {
        let tables = || self.kept.get().expect("there are tables").clone();
        self.shown
            .get_or_init(tables)
            .as_ref()
            .map_err(Clone::clone)
    }
}

fn list_of_strings() -> Both {
    let schema = r#"{"type": "array", "items": {"type": ["string", "integer"]}}"#;
    let source = Source::new("schema.json", schema);
    let parsed = json_schema::parse(&source, &Default::default()).unwrap();
    Both::new(parsed.grammar, &lazy(&Tokenizer::train().vocabulary())).unwrap()
}

fn has_tables(matcher: &ServedMatcher) -> bool {
    matcher.source() == MaskSource::Tables
}

#[test]
fn tables_are_gone_over_to_at_any_token() {
    let both = list_of_strings();
    let vocabulary = both.words.prepared().vocabulary().clone();
    let tokens: Vec<u32> = br#"["a b", 12, "c"]"#
        .iter()
        .map(|&byte| {
            (0..vocabulary.size())
                .find(|&id| vocabulary.bytes(id) == [byte])
                .unwrap()
        })
        .collect();
    for at in 0..=tokens.len() {
        let later = Arc::new(Later::default());
        later.kept.set(Ok(both.tables.clone())).unwrap();
        let mut tiered = ServedMatcher::tiered(both.first(), later.clone(), 8);
        let mut plain = OwnedMatcher::new(&both.tables, 8).unwrap();
        let mut rows = [vec![0; 200], vec![0; 200]];
        for step in 0..=tokens.len() {
            if step == at {
                // Going back works before the tables, and after them past the token at which they
                // came.
                if step >= 2 {
                    tiered.rollback(2).unwrap();
                    assert_eq!(tiered.accept_draft(&tokens[step - 2..step]), Ok(2));
                }
                later.wait().unwrap();
            }
            tiered.fill(&mut rows[0]).unwrap();
            plain.with_mask(|mask| mask.fill(&mut rows[1])).unwrap();
            assert_eq!(rows[0], rows[1], "{step} of {at}");
            assert_eq!(has_tables(&tiered), step >= at);
            assert_eq!(tiered.is_complete(), plain.is_complete());
            let Some(&token) = tokens.get(step) else {
                break;
            };
            let taken = plain.accept_token(token).map_err(OrRefused::from);
            assert_eq!(tiered.accept_token(token), taken);
            if step >= 3 {
                tiered.rollback(3).unwrap();
                tiered
                    .accept_bytes(vocabulary.bytes(tokens[step - 2]))
                    .unwrap();
                assert_eq!(tiered.accept_draft(&tokens[step - 1..=step]), Ok(2));
            }
        }
        tiered.accept_token(vocabulary.eos()[0]).unwrap();
        assert!(tiered.is_finished());
        tiered.rollback(1).unwrap();
        assert!(tiered.is_complete() && !tiered.is_finished());
    }
}

/// At each token, with tables and without: a state is read back where it stood, and damaged ones
/// are refused.
#[test]
fn states_of_tiered_matchers_are_bytes() {
    let both = list_of_strings();
    let vocabulary = both.words.prepared().vocabulary().clone();
    for at in 0..6 {
        let later = Arc::new(Later::default());
        later.kept.set(Ok(both.tables.clone())).unwrap();
        let mut tiered = ServedMatcher::tiered(both.first(), later.clone(), 8);
        let parts = [&b"["[..], b"\"a", b" b\"", b", 12", b"]"];
        for part in &parts[..at.min(parts.len())] {
            match part.len() {
                1 => tiered.accept_token(byte(&vocabulary, part[0])).unwrap(),
                _ => tiered.accept_bytes(part).unwrap(),
            }
        }
        if at > parts.len() - 1 {
            tiered.accept_token(vocabulary.eos()[0]).unwrap();
        }
        let mut rows = [vec![0; 200], vec![0; 200]];
        tiered.fill(&mut rows[0]).unwrap();
        let early = tiered.to_bytes().unwrap();
        let read = |bytes: &[u8], tables: &Arc<Later>| {
            ServedMatcher::tiered_from_bytes(bytes, both.first(), tables.clone(), 8)
        };
        let mut again = read(&early, &later).unwrap();
        assert!(!has_tables(&again));
        again.fill(&mut rows[1]).unwrap();
        assert_eq!(rows[0], rows[1]);
        assert_eq!(again.is_finished(), tiered.is_finished());
        again.rollback(at).unwrap();
        later.wait().unwrap();
        tiered.fill(&mut rows[1]).unwrap();
        assert!(has_tables(&tiered) && rows[0] == rows[1]);
        for bytes in [&early, &tiered.to_bytes().unwrap()] {
            let mut late = read(bytes, &later).unwrap();
            late.fill(&mut rows[1]).unwrap();
            assert!(has_tables(&late) && rows[0] == rows[1]);
            assert_eq!(late.is_finished(), tiered.is_finished());
            let mut damaged = bytes.clone();
            *damaged.last_mut().unwrap() ^= 1;
            assert!(read(&damaged, &later).is_err());
            assert!(read(&bytes[1..], &later).is_err());
        }
    }
}

/// The token of a byte.
fn byte(vocabulary: &Vocabulary, byte: u8) -> u32 {
    let mut ids = 0..vocabulary.size();
    ids.find(|&id| vocabulary.bytes(id) == [byte]).unwrap()
}

/// Tables that are refused, or too shallow for the text, do not end it.
#[test]
fn a_text_outlives_refused_tables() {
    let words = lazy(&letters());
    let palindromes = r#"root ::= "a" root "a" | "b" root "b" | "c""#;
    let grammar = parse("nested", palindromes).unwrap();
    let both = Both::new(grammar, &words).unwrap();
    let error = Compiler::new(&letters())
        .unwrap()
        .compile_text(&GrammarText::ebnf("root ::= x"));
    let later = Arc::new(Later::default());
    later.kept.set(Err(error.unwrap_err())).unwrap();
    later.wait().unwrap_err();
    let mut refused = ServedMatcher::tiered(both.first(), later, 8);
    refused.accept_bytes(b"abcba").unwrap();
    assert!(refused.is_complete() && !has_tables(&refused));

    let later = Arc::new(Later::default());
    later.kept.set(Ok(both.tables.clone())).unwrap();
    let mut deep = ServedMatcher::tiered(both.first(), later.clone(), 3);
    deep.accept_bytes(b"aaaaaaaa").unwrap();
    later.wait().unwrap();
    deep.accept_bytes(b"caaaaaaaa").unwrap();
    assert!(deep.is_complete() && !has_tables(&deep));
    // So does a state of it that is read when there are tables.
    let bytes = deep.to_bytes().unwrap();
    let read =
        |bytes: &[u8]| ServedMatcher::tiered_from_bytes(bytes, both.first(), later.clone(), 3);
    let mut again = read(&bytes).unwrap();
    again.rollback(1).unwrap();
    again.accept_bytes(b"caaaaaaaa").unwrap();
    assert!(again.is_complete() && !has_tables(&again));
    for foreign in [&b""[..], b"no state", b"MSKS no state"] {
        assert_eq!(read(foreign).err(), Some(StateError::Foreign));
    }
}

/// Where tables are refused for their size, the first tier serves the grammar from a registry, in a
/// text that is under way and in those that begin later.
#[test]
fn a_registry_serves_what_only_tables_are_refused_for() {
    let options = Options::default().limits(Limits::default().table_bytes(100));
    let compiler = Compiler::new(&letters()).unwrap().with_options(options);
    let registry = Registry::new(&compiler, RegistryOptions::default()).unwrap();
    let even = r#"root ::= "a" root "a" | "b" root "b" | """#;
    let refused = compiler.compile_text(&GrammarText::ebnf(even));
    assert_eq!(refused.unwrap_err().code(), "limit-exceeded");
    let handle = registry.get(&GrammarText::ebnf(even)).unwrap();
    let mut early = handle.matcher().unwrap();
    early.accept_bytes(b"ab").unwrap();
    handle.wait().unwrap();
    assert!(handle.is_ready() && handle.error().is_none());
    let mut late = handle.matcher().unwrap();
    late.accept_bytes(b"ab").unwrap();
    let mut rows = [vec![0; 200], vec![0; 200]];
    for (at, byte) in b"baabba".iter().enumerate() {
        early.fill(&mut rows[0]).unwrap();
        late.fill(&mut rows[1]).unwrap();
        assert_eq!(rows[0], rows[1]);
        early.accept_bytes(&[*byte]).unwrap();
        late.accept_bytes(&[*byte]).unwrap();
        assert_eq!(
            (early.is_complete(), late.is_complete()),
            (at % 4 == 1, at % 4 == 1)
        );
    }
    assert_eq!(late.source(), MaskSource::FirstTier);
}

/// A grammar that neither has tables nor is followed by the first tier is refused, with the reason
/// why there are no tables.
#[test]
fn what_no_tier_follows_is_refused() {
    let options = Options::default().limits(Limits::default().automaton_states(3));
    let compiler = Compiler::new(&letters()).unwrap().with_options(options);
    let registry = Registry::new(&compiler, RegistryOptions::default()).unwrap();
    let limited = registry.get(&GrammarText::ebnf(r#"root ::= ("a" | "bc")* "dddd""#));
    let limited = limited.unwrap();
    limited.wait().unwrap();
    assert!(limited.error().is_none());
    let tag = r#"{"type": "structural_tag", "format": {"type": "any_text", "max_tokens": 3}}"#;
    let tokens = registry.get(&GrammarText::structural_tag(tag)).unwrap();
    assert_eq!(tokens.wait().unwrap_err().code(), "limit-exceeded");
    assert_eq!(tokens.error().unwrap().code(), "limit-exceeded");
    assert_eq!(tokens.matcher().unwrap_err().code(), "limit-exceeded");
}

#[test]
fn a_registry_serves_schemas_before_their_tables() {
    let vocabulary = Tokenizer::train().vocabulary();
    let compiler = Compiler::new(&vocabulary).unwrap();
    let registry = Registry::new(&compiler, RegistryOptions::default()).unwrap();
    let schema = r#"{"type": "object", "properties": {"name": {"type": "string"}}, "additionalProperties": false}"#;
    let handle = registry.get(&GrammarText::schema(schema)).unwrap();
    let mut early = handle.matcher().unwrap();
    let mut rows = [vec![0; 200], vec![0; 200]];
    early.fill(&mut rows[0]).unwrap();
    early.accept_bytes(br#"{"na"#).unwrap();
    handle.wait().unwrap();
    let mut late = handle.matcher().unwrap();
    assert_eq!(late.source(), MaskSource::Tables);
    late.fill(&mut rows[1]).unwrap();
    assert_eq!(rows[0], rows[1]);
    late.accept_bytes(br#"{"na"#).unwrap();
    for part in [&b"me\""[..], b": ", b"\"x", b"\"", b"}"] {
        early.fill(&mut rows[0]).unwrap();
        late.fill(&mut rows[1]).unwrap();
        assert_eq!(rows[0], rows[1]);
        early.accept_bytes(part).unwrap();
        late.accept_bytes(part).unwrap();
    }
    assert!(early.is_complete() && late.is_complete());
    // A schema that is refused is so at once.
    let handle = registry.get(&GrammarText::schema(r#"{"type": "strin"}"#));
    assert!(
        handle
            .and_then(|handle| handle.matcher().map(drop))
            .is_err()
    );
}
