//! The first tier: masks made on demand from a grammar are those of the oracle and of the tables, and a matcher goes over from one to the other at any token.
//!
//! `PROPTEST_CASES=n` checks n grammars and n schemas.

use maskwright::{OwnedGrammar, OwnedMatcher, OwnedVocabulary};
use maskwright_compiler::error::Error;
use maskwright_compiler::grammar::Grammar;
use maskwright_compiler::lazy::{Bounds, LazyMatcher, LazyVocabulary, Tables, TieredMatcher};
use maskwright_compiler::link::registry::{Registry, RegistryOptions, ServedMatcher};
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::json_schema;
use maskwright_compiler::syntax::tools::{ToolFormat, ToolOptions};
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_compiler::{Compiler, GrammarText};
use maskwright_tests::harness::{parse, unhurried};
use maskwright_tests::oracle::{self, Chart, Trie, allowed_tokens};
use maskwright_tests::random::Random;
use maskwright_tests::tokenizer::Tokenizer;
use maskwright_tests::{effort, random_grammar, random_schema, suite};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// Frames of the tables' matchers: more than any text here needs.
const DEPTH: usize = 2_000;

fn runner() -> TestRunner {
    let config = Config {
        cases: effort::cases(),
        failure_persistence: None,
        max_shrink_iters: 1000,
        ..Config::default()
    };
    let seed = TestRng::from_seed(RngAlgorithm::ChaCha, &[3; 32]);
    TestRunner::new_with_rng(config, seed)
}

fn lazy(vocabulary: &Vocabulary) -> Arc<LazyVocabulary> {
    LazyVocabulary::new(&Compiler::new(vocabulary).unwrap()).unwrap()
}

/// Bounds that are passed all the time, so that a matcher forgets at nearly each byte.
fn tight() -> Bounds {
    Bounds::default().situations(4).frames(4).positions(16)
}

fn ids(mask: &[u32]) -> Vec<u32> {
    let all = 0..mask.len() as u32 * 32;
    all.filter(|id| mask[*id as usize / 32] >> (id % 32) & 1 == 1)
        .collect()
}

/// The tokens of random grammars, and one for each byte.
fn letters() -> Vocabulary {
    let mut tokens = random_grammar::tokens();
    tokens.extend((0..=255).map(|byte| vec![byte]));
    tokens.push(Vec::new());
    let eos = vec![tokens.len() as u32 - 1];
    Vocabulary::from_tokens(tokens, eos)
}

/// Walks along random tokens; each mask is the oracle's.
fn walk_beside_oracle(ebnf: &str, words: &Arc<LazyVocabulary>, seed: u64) -> Result<bool, String> {
    let grammar = parse("random", ebnf).map_err(|error| error.to_string())?;
    let Ok(matcher) = LazyMatcher::new(Arc::new(grammar), words.clone()) else {
        return Ok(false);
    };
    let mut matcher = match seed % 2 {
        0 => matcher,
        _ => matcher.bounds(tight()),
    };
    let vocabulary = words.prepared().vocabulary().clone();
    let trie = Trie::new((0..).zip(vocabulary.iter()));
    let cfg = oracle::grammar_from_ebnf(ebnf)?;
    let mut chart = Chart::new(&cfg);
    let mut random = Random::new(seed);
    for _ in 0..15 {
        let Ok(mask) = matcher.mask() else {
            return Ok(false);
        };
        let mut expected = allowed_tokens(&mut chart, &trie);
        if chart.is_sentence() {
            expected.extend(vocabulary.eos());
        }
        expected.sort_unstable();
        let found = ids(&mask);
        if found != expected {
            return Err(format!("the mask is {found:?}, not {expected:?}"));
        }
        if matcher.is_complete() != chart.is_sentence() {
            return Err("the ends differ".to_owned());
        }
        let mut forced = [0; 1];
        let is_forced = matcher.forced_bytes(&mut forced) == 1;
        let possible = (0..=255).filter(|&byte| {
            let is_possible = chart.push(byte);
            if is_possible {
                chart.pop();
            }
            is_possible
        });
        let possible: Vec<u8> = possible.collect();
        let expected = !chart.is_sentence() && possible.len() == 1;
        if is_forced != expected || is_forced && possible != forced {
            return Err(format!("forced: {is_forced} {forced:?}, not {possible:?}"));
        }
        let refused = random.below(vocabulary.size() as usize) as u32;
        if !found.contains(&refused) && matcher.accept_token(refused).is_ok() {
            return Err(format!("{refused} is taken though the mask has it not"));
        }
        let text = found.iter().filter(|id| !vocabulary.eos().contains(id));
        let text: Vec<u32> = text.copied().collect();
        let Some(&next) = random.pick(&text) else {
            break;
        };
        if matcher.accept_token(next).is_err() {
            return Err(format!("{next} is refused though the mask has it"));
        }
        chart.push_all(vocabulary.bytes(next));
    }
    Ok(true)
}

#[test]
fn masks_are_the_oracles() {
    let words = lazy(&letters());
    let (followed, all) = (Cell::new(0), Cell::new(0));
    let bump = |cell: &Cell<u32>| cell.set(cell.get() + 1);
    let result = runner().run(&random_grammar::grammars(), |ast| {
        let ebnf = ast.to_string();
        for seed in 0..4 {
            bump(&all);
            match walk_beside_oracle(&ebnf, &words, seed) {
                Ok(true) => bump(&followed),
                Ok(false) => {}
                Err(error) => return Err(TestCaseError::fail(format!("{error}\n{ebnf}"))),
            }
        }
        Ok(())
    });
    println!("{} of {} walks were followed", followed.get(), all.get());
    if let Err(error) = result {
        panic!("{error}");
    }
    // Some of them call each other in a circle before the first byte.
    assert!(followed.get() * 4 > all.get() * 3);
}

/// A grammar with its tables, and what both tiers need.
struct Both {
    grammar: Arc<Grammar>,
    tables: OwnedGrammar,
    words: Arc<LazyVocabulary>,
}

impl Both {
    fn new(grammar: Grammar, words: &Arc<LazyVocabulary>) -> Result<Self, Error> {
        let compiled = words
            .compiler()
            .with_options(unhurried().capped(false))
            .compile(&grammar)?;
        let packed = words.prepared().vocabulary().pack().unwrap();
        let tables = OwnedGrammar::load(compiled.into_tables()).unwrap();
        Ok(Both {
            grammar: Arc::new(grammar),
            tables: (tables.with_vocabulary(&OwnedVocabulary::load(packed).unwrap())).unwrap(),
            words: words.clone(),
        })
    }

    fn first(&self) -> LazyMatcher {
        LazyMatcher::new(self.grammar.clone(), self.words.clone()).expect("the first tier follows")
    }

    /// Follows a text, or random tokens where it is at its end; each mask is that of the tables.
    fn walk(&self, text: &[u8], steps: usize, random: &mut Random) {
        let vocabulary = self.words.prepared().vocabulary();
        let mut first = self.first();
        if random.below(2) == 1 {
            first = first.bounds(tight());
        }
        let mut tables = OwnedMatcher::new(&self.tables, DEPTH).unwrap();
        let mut rest = text;
        for _ in 0..steps {
            let mask = first.mask().unwrap();
            let mut row = vec![0; mask.len()];
            tables.with_mask(|mask| mask.fill(&mut row)).unwrap();
            assert!(
                row[..] == mask[..],
                "before {:?}",
                String::from_utf8_lossy(rest)
            );
            assert_eq!(first.is_complete(), tables.is_complete());
            let mut forced = [[0; 24]; 2];
            let lens = [
                first.forced_bytes(&mut forced[0]),
                tables.forced_bytes(&mut forced[1]),
            ];
            assert_eq!(forced[0][..lens[0]], forced[1][..lens[1]]);
            let mut forced = [[0; 8]; 2];
            let lens = [
                first.forced_tokens(&mut forced[0]),
                tables.forced_tokens(&mut forced[1]),
            ];
            assert_eq!(forced[0][..lens[0]], forced[1][..lens[1]]);
            let refused = random.below(vocabulary.size() as usize) as u32;
            if mask[refused as usize / 32] >> (refused % 32) & 1 == 0 {
                assert!(first.accept_token(refused).is_err());
            }
            let mut allowed = ids(&mask);
            // A token that ends sequences may be a terminal as well.
            allowed.retain(|id| !first.is_complete() || !vocabulary.eos().contains(id));
            let along = allowed
                .iter()
                .filter(|&&id| rest.starts_with(vocabulary.bytes(id)));
            let along: Vec<u32> = along.copied().collect();
            let Some(&next) = random.pick(&along).or_else(|| random.pick(&allowed)) else {
                break;
            };
            rest = rest
                .strip_prefix(vocabulary.bytes(next))
                .unwrap_or_default();
            assert_eq!(first.accept_token(next), Ok(()));
            assert_eq!(tables.accept_token(next), Ok(()));
        }
    }
}

#[test]
fn masks_of_random_schemas_are_those_of_tables() {
    let words = lazy(&Tokenizer::train().vocabulary());
    let schemas = prop_oneof![random_schema::schemas(), random_schema::recursive_schemas()];
    let compiled = Cell::new(0);
    let result = runner().run(&(schemas, any::<u64>()), |(schema, seed)| {
        let source = Source::new("schema.json", schema.to_string());
        let Ok(parsed) = json_schema::parse(&source, &Default::default()) else {
            return Ok(());
        };
        let Ok(both) = Both::new(parsed.grammar, &words) else {
            return Ok(());
        };
        compiled.set(compiled.get() + 1);
        let mut random = Random::new(seed);
        (0..4).for_each(|_| both.walk(b"", 30, &mut random));
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    assert!(compiled.get() > effort::cases() / 4);
}

#[test]
fn masks_along_the_suite_are_those_of_tables() {
    let words = lazy(&Tokenizer::train().vocabulary());
    let mut followed = 0;
    for entry in suite::load() {
        // The last one takes half a minute.
        if entry.name == "sql_unreserved" {
            continue;
        }
        let grammar = parse(&entry.name, &entry.ebnf).unwrap();
        let Ok(both) = Both::new(grammar, &words) else {
            continue;
        };
        if LazyMatcher::new(both.grammar.clone(), words.clone()).is_err() {
            println!("{} is not followed", entry.name);
            continue;
        }
        followed += 1;
        let mut random = Random::new(9);
        let most = effort::of(12) as usize;
        for sentence in entry.sentences.iter().take(most) {
            both.walk(sentence, sentence.len() + 4, &mut random);
        }
    }
    assert!(followed > 20, "only {followed} grammars are followed");
}

/// Strings whose characters are counted, objects whose names are like others, patterns: where masks are not walked node by node.
#[test]
fn masks_of_wide_runs_are_those_of_tables() {
    let words = lazy(&Tokenizer::train().vocabulary());
    let schemas = [
        (
            r#"{"type": "string", "minLength": 3, "maxLength": 40}"#,
            r#""the text of a string, é, and more of it"#,
        ),
        (
            r#"{"type": "string", "minLength": 1, "maxLength": 5000}"#,
            r#""the text of a string \" and \n more of it"#,
        ),
        (
            r#"{"type": "object", "properties": {"name": {"type": "integer"}, "names": {"enum": ["x", "name"]}}}"#,
            r#"{"nam": "name", "name": 3, "other": [{"name": "#,
        ),
        (
            r#"{"type": "string", "pattern": "^[^ .]{2,30}$"}"#,
            r#""some-text"#,
        ),
        (
            r#"{"type": "string", "pattern": "^([a-z]+-)*[0-9]{12,14}$"}"#,
            r#""abc-cab-01234567890123"#,
        ),
        (
            r#"{"type": "string", "pattern": "([0-9a-fA-F]{3}){1,2}"}"#,
            r#""the text has fa é b\\ and ab0, and goes on"#,
        ),
        (
            r#"{"type": "object", "patternProperties": {"([0-9a-f]{3}){1,2}": {"type": "integer"}, "^name": {"type": "string"}}, "additionalProperties": {"enum": ["x", "fab"]}}"#,
            r#"{"name": "name", "fab": 3, "ä fa": "fab", "fafa0": 1}"#,
        ),
        (
            r#"{"type": "string", "pattern": "(ab|cd.)e"}"#,
            r#""abd cd.e text"#,
        ),
        (
            r#"{"type": "array", "items": {"type": "string"}, "minItems": 15, "maxItems": 17}"#,
            r#"["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q"]"#,
        ),
    ];
    for (schema, text) in schemas {
        let source = Source::new("schema.json", schema);
        let parsed = json_schema::parse(&source, &Default::default()).unwrap();
        let both = Both::new(parsed.grammar, &words).unwrap();
        let mut random = Random::new(4);
        (0..3).for_each(|_| both.walk(text.as_bytes(), text.len() + 60, &mut random));
        let long = [text.as_bytes(), &b"abc".repeat(400)].concat();
        both.walk(&long, 300, &mut random);
    }
}

/// Tokens longer than what is left to a bound, and shorter ones: at each distance from the bounds, of counts in one another too, and where an iteration may be empty.
#[test]
fn masks_of_counts_with_long_tokens_are_those_of_tables() {
    let trained = Tokenizer::train().vocabulary();
    let mut tokens: Vec<Vec<u8>> = trained.iter().map(<[u8]>::to_vec).collect();
    for count in [
        2, 3, 5, 8, 13, 15, 16, 17, 18, 21, 31, 33, 34, 40, 63, 65, 66, 80,
    ] {
        let texts = ["a", " ", "ab", "\\n", "é"];
        tokens.extend(texts.map(|text| text.repeat(count).into_bytes()));
        tokens.push(["a".repeat(count).as_bytes(), b"\"]"].concat());
        tokens.push(["ab".repeat(count).as_bytes(), b"\""].concat());
    }
    let words = lazy(&Vocabulary::from_tokens(tokens, trained.eos().to_vec()));
    let grammars = [
        r#"root ::= "\"" [^"\\]{0,100} "\"""#,
        r#"root ::= "\"" [^"\\]{70,75} "\"""#,
        r#"root ::= "\"" [^"\\]{40,} "\"""#,
        r#"root ::= "\"" ("a" "b"?){12,90} "\"""#,
        r#"root ::= "\"" ("a"? "b"?){20,60} "\"""#,
        r#"root ::= "\"" (("a" "b"?){0,20} " "?){14,40} "\"""#,
        r#"root ::= "[" ("\"" [ab]{0,20} "\"" ","?){1,15} "]""#,
    ];
    for ebnf in grammars {
        let both = Both::new(parse("counts", ebnf).unwrap(), &words).unwrap();
        let mut random = Random::new(11);
        for repeated in ["a", "ab", "é"] {
            let text = format!("\"{}", repeated.repeat(120));
            both.walk(text.as_bytes(), 130, &mut random);
        }
        (0..4).for_each(|_| both.walk(b"", 40, &mut random));
    }
}

/// A matcher of a schema, over the tokens of a trained vocabulary.
fn of_schema(schema: &str) -> LazyMatcher {
    let source = Source::new("schema.json", schema);
    let parsed = json_schema::parse(&source, &Default::default()).unwrap();
    LazyMatcher::new(
        parsed.grammar.into(),
        lazy(&Tokenizer::train().vocabulary()),
    )
    .unwrap()
}

#[test]
fn texts_may_be_long() {
    let mut counted = of_schema(r#"{"type": "string", "maxLength": 60000}"#);
    counted.accept_bytes(b"\"").unwrap();
    let first = counted.mask().unwrap();
    for _ in 0..500 {
        counted.accept_bytes(&[b'a'; 100]).unwrap();
        assert!(counted.mask().unwrap() == first);
    }
    counted.rollback(256).unwrap();
    counted.accept_bytes(&[b'a'; 25_600]).unwrap();
    counted.accept_bytes(&[b'a'; 10_000]).unwrap();
    let mut forced = [0; 2];
    assert_eq!(counted.forced_bytes(&mut forced), 1);
    assert_eq!(forced[0], b'"');
    assert!(counted.accept_bytes(b"a").is_err());
    counted.accept_bytes(b"\"").unwrap();
    assert!(counted.is_complete());
    counted.rollback(2).unwrap();
    assert!(counted.mask().unwrap() == first);
}

#[test]
fn texts_may_be_nested_deeply() {
    let mut nested = of_schema("{}");
    nested.accept_bytes(&[b'['; 100]).unwrap();
    nested.accept_bytes(b"0").unwrap();
    let within = nested.mask().unwrap();
    nested.rollback(1).unwrap();
    for _ in 0..30_000 {
        nested.accept_bytes(b"[").unwrap();
    }
    nested.accept_bytes(b"0").unwrap();
    assert!(nested.mask().unwrap() == within);
    for _ in 0..30_099 {
        nested.accept_bytes(b"]").unwrap();
    }
    assert!(!nested.is_complete());
    nested.accept_bytes(b"]").unwrap();
    assert!(nested.is_complete());
}

#[test]
fn what_the_first_tier_does_not_follow() {
    let follows = |ebnf: &str, vocabulary: &Vocabulary| {
        let words = lazy(vocabulary);
        let text = GrammarText::ebnf(ebnf).tokens(words.compiler().tokens());
        let grammar = text.parse(&Default::default()).unwrap().grammar;
        let matcher = LazyMatcher::new(Arc::new(grammar), words);
        matcher.is_ok_and(|mut matcher| matcher.mask().is_ok())
    };
    assert!(follows(r#"root ::= "a" root | "b""#, &letters()));
    // Rules that call themselves before the first byte: one directly, others in a circle.
    assert!(follows(r#"root ::= root "a" | "b""#, &letters()));
    let circle = "root ::= other \"a\" | \"b\"\nother ::= root \"c\" | \"d\"";
    assert!(!follows(circle, &letters()));
    // A token is a terminal; one of a byte, so that no text has this byte.
    let special = with_special();
    assert!(follows(r#"root ::= "a" <[265]>"#, &special));
    assert!(!follows(r#"root ::= "a" <[98]>"#, &special));
    // No token for some bytes, so that bytes do not say what tokens can finish.
    let few = Vocabulary::from_tokens(vec![b"a".to_vec(), b"b".to_vec(), vec![]], vec![2]);
    assert!(!follows(r#"root ::= "a" root | "b""#, &few));
}

/// Rules that call themselves before anything else.
#[test]
fn masks_of_left_recursive_rules_are_those_of_tables() {
    let words = lazy(&letters());
    let grammars = [
        r#"root ::= root "a" | "b""#,
        r#"root ::= root "a" root | "b" | "c""#,
        r#"root ::= root "a" | root "b" "c" | """#,
        "root ::= sum
        sum ::= sum \"a\" product | sum \"b\" product | product
        product ::= product \"c\" value | value
        value ::= \"ab\"+ | \"(\" sum \")\"",
        "root ::= \"c\" list? \"b\"
        list ::= list \"a\" root | root",
        r#"root ::= (root "a" | "b")? "c""#,
        r#"root ::= (root | "b") ("a" | "c")"#,
    ];
    for ebnf in grammars {
        for seed in 0..8 {
            let walked = walk_beside_oracle(ebnf, &words, seed);
            let is_followed = walked.unwrap_or_else(|error| panic!("{error}\n{ebnf}"));
            assert!(is_followed, "not followed:\n{ebnf}");
        }
    }
}

/// All bytes, texts of several bytes, an added token that is text too, special ones, and two that end a sequence.
fn with_special() -> Vocabulary {
    let mut tokens: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    let texts = [
        "<tool>", "ab", "abc", "a:b", "<to", "\n\n", "1\n", "éa", "l>",
    ];
    tokens.extend(texts.map(|text| text.as_bytes().to_vec()));
    let first = tokens.len() as u32;
    let names = ["<|start|>", "<|message|>", "<|call|>", "<|end|>"];
    tokens.resize(tokens.len() + names.len(), Vec::new());
    let eos = vec![first + 2, first + 3];
    let named = |(id, name): (u32, &str)| (id, name.to_owned());
    Vocabulary::from_tokens(tokens, eos)
        .with_special((first..).zip(names).map(named))
        .with_added([named((256, "<tool>"))])
}

#[test]
fn masks_of_grammars_that_name_tokens_are_those_of_tables() {
    let words = lazy(&with_special());
    let tags = [
        r#"{"type": "triggered_tags", "triggers": ["<tool>"], "tags": [{"begin": "<tool>a:", "content": {"type": "any_text"}, "end": "\n\n"}]}"#,
        r#"{"type": "triggered_tags", "triggers": ["<|start|>a"], "tags": [{"begin": "<|start|>a<|message|>", "content": {"type": "json_schema", "json_schema": {"type": "object"}}, "end": "\n<|call|>"}]}"#,
        r#"{"type": "tag", "begin": "", "content": {"type": "any_text"}, "end": "\n<|message|>"}"#,
        r#"{"type": "sequence", "elements": [{"begin": "a", "content": {"type": "any_text"}, "end": "<|call|>"}, {"value": "b"}]}"#,
        r#"{"type": "sequence", "elements": [{"type": "token", "token": "<|start|>"}, {"type": "exclude_token", "exclude_tokens": ["<|call|>", 97]}, {"type": "token", "token": "<|message|>"}]}"#,
        r#"{"begin": {"type": "token", "token": "<|start|>"}, "content": {"type": "any_tokens", "exclude_tokens": [98]}, "end": {"type": "token", "token": "<|message|>"}}"#,
        r#"{"type": "token_triggered_tags", "trigger_tokens": ["<|start|>"], "tags": [{"begin": {"type": "token", "token": "<|start|>"}, "content": {"value": "1"}, "end": {"type": "token", "token": "<|message|>"}}]}"#,
        r#"{"type": "tag", "begin": "", "content": {"type": "any_text", "max_chars": 40}, "end": "\n<|message|>"}"#,
    ];
    let tags = tags.map(|format| {
        let text = format!(r#"{{"type": "structural_tag", "format": {format}}}"#);
        GrammarText::structural_tag(text)
    });
    let ebnf = [
        r#"root ::= "a"* (<[265]> | <[266]>) ("b" | <[266]>)*"#,
        r#"root ::= <[267]> root | "b""#,
        r#"root ::= root <[265]> "c" | [^a]"#,
        r#"root ::= <[256]> [a-c]{0,30} <[265]>"#,
    ];
    let ebnf = ebnf.map(GrammarText::ebnf);
    for text in tags.into_iter().chain(ebnf) {
        let text = text.tokens(words.prepared().names());
        let parsed = text.parse(&Default::default());
        let grammar = parsed.unwrap_or_else(|error| panic!("{error}")).grammar;
        let shown = grammar.to_string();
        let both = Both::new(grammar, &words).unwrap_or_else(|error| panic!("{error}\n{shown}"));
        let mut random = Random::new(12);
        for text in ["", "x<tool>a:ab\n\n", "a1\n", "\n\nabc"] {
            (0..6).for_each(|_| both.walk(text.as_bytes(), 40, &mut random));
        }
    }
}

/// All bytes, some texts, and as special tokens what looks like the name of one in a format.
fn of_format(format: &ToolFormat) -> Vocabulary {
    let mut tokens: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    let texts = [
        "\": ", "{\"", "\"}", "}}", "\", \"", "name", "get", "now", "city", "</", "\n\n", "}\n",
    ];
    tokens.extend(texts.map(|text| text.as_bytes().to_vec()));
    let text = format.source().text();
    let mut names = BTreeSet::new();
    for (open, close) in [("<|", "|>"), ("<｜", "｜>"), ("[", "]"), ("<", ">")] {
        for (at, _) in text.match_indices(open) {
            let Some(length) = text[at..].find(close) else {
                continue;
            };
            let name = &text[at..at + length + close.len()];
            let is_plain = |c: char| c.is_alphanumeric() || "<>[]|｜_▁/".contains(c);
            if name.len() < 40 && name.len() > 4 && name.chars().all(is_plain) {
                names.insert(name.to_owned());
            }
        }
    }
    let first = tokens.len() as u32;
    tokens.resize(tokens.len() + names.len() + 1, Vec::new());
    let eos = tokens.len() as u32 - 1;
    Vocabulary::from_tokens(tokens, vec![eos]).with_special((first..).zip(names))
}

/// Tools of every format, with special tokens in the vocabulary.
#[test]
fn masks_of_tools_with_special_tokens_are_those_of_tables() {
    let tools = r#"[{"name": "get", "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}, "n": {"type": "integer"}}, "required": ["n"]}},
        {"name": "now", "inputSchema": {"type": "object", "properties": {}}}]"#;
    let (mut followed, mut named) = (0, 0);
    for name in ToolFormat::names() {
        let format = ToolFormat::named(name, &Default::default());
        let words = lazy(&of_format(&format.unwrap().unwrap()));
        let text = GrammarText::tools(tools)
            .tool_options(ToolOptions::format(name))
            .tokens(words.prepared().names());
        let grammar = match text.parse(&Default::default()) {
            Ok(parsed) => parsed.grammar,
            Err(error) => panic!("{name}: {error}"),
        };
        let both = match Both::new(grammar, &words) {
            Ok(both) => both,
            Err(error) => {
                println!("{name} is refused: {error}");
                continue;
            }
        };
        if LazyMatcher::new(both.grammar.clone(), words.clone()).is_err() {
            println!("{name} is not followed");
            continue;
        }
        followed += 1;
        named += u32::from(format!("{:?}", both.grammar).contains("Tokens("));
        let mut random = Random::new(13);
        (0..4).for_each(|_| both.walk(b"", 60, &mut random));
    }
    println!("{followed} formats, {named} with tokens");
    assert!(followed > 35 && named > 20);
}

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

    fn wait(&self) -> &Result<OwnedGrammar, Error> {
        self.shown
            .get_or_init(|| self.kept.get().expect("there are tables").clone())
    }
}

fn list_of_strings() -> Both {
    let schema = r#"{"type": "array", "items": {"type": ["string", "integer"]}}"#;
    let source = Source::new("schema.json", schema);
    let parsed = json_schema::parse(&source, &Default::default()).unwrap();
    Both::new(parsed.grammar, &lazy(&Tokenizer::train().vocabulary())).unwrap()
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
        let mut tiered = TieredMatcher::new(both.first(), later.clone(), 8);
        let mut plain = OwnedMatcher::new(&both.tables, 8).unwrap();
        let mut rows = [vec![0; 200], vec![0; 200]];
        for step in 0..=tokens.len() {
            if step == at {
                // Going back works before the tables, and after them past the token at which they came.
                if step >= 2 {
                    tiered.rollback(2).unwrap();
                    assert_eq!(tiered.accept_draft(&tokens[step - 2..step]), 2);
                }
                later.wait();
            }
            tiered.fill(&mut rows[0]).unwrap();
            plain.with_mask(|mask| mask.fill(&mut rows[1])).unwrap();
            assert_eq!(rows[0], rows[1], "{step} of {at}");
            assert_eq!(tiered.has_tables(), step >= at);
            assert_eq!(tiered.is_complete(), plain.is_complete());
            let Some(&token) = tokens.get(step) else {
                break;
            };
            assert_eq!(tiered.accept_token(token), plain.accept_token(token));
            if step >= 3 {
                tiered.rollback(3).unwrap();
                tiered
                    .accept_bytes(vocabulary.bytes(tokens[step - 2]))
                    .unwrap();
                assert_eq!(tiered.accept_draft(&tokens[step - 1..=step]), 2);
            }
        }
        tiered.accept_token(vocabulary.eos()[0]).unwrap();
        assert!(tiered.is_finished());
        tiered.rollback(1).unwrap();
        assert!(tiered.is_complete() && !tiered.is_finished());
    }
}

/// At each token, with tables and without: a state is read back where it stood, and damaged ones are refused.
#[test]
fn states_of_tiered_matchers_are_bytes() {
    let both = list_of_strings();
    let vocabulary = both.words.prepared().vocabulary().clone();
    for at in 0..6 {
        let later = Arc::new(Later::default());
        later.kept.set(Ok(both.tables.clone())).unwrap();
        let mut tiered = TieredMatcher::new(both.first(), later.clone(), 8);
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
        let early = tiered.to_bytes();
        let read = |bytes: &[u8], tables: &Arc<Later>| {
            TieredMatcher::from_bytes(both.first(), tables.clone(), 8, bytes)
        };
        let mut again = read(&early, &later).unwrap();
        assert!(!again.has_tables());
        again.fill(&mut rows[1]).unwrap();
        assert_eq!(rows[0], rows[1]);
        assert_eq!(again.is_finished(), tiered.is_finished());
        again.rollback(at).unwrap();
        later.wait();
        tiered.fill(&mut rows[1]).unwrap();
        assert!(tiered.has_tables() && rows[0] == rows[1]);
        for bytes in [&early, &tiered.to_bytes()] {
            let mut late = read(bytes, &later).unwrap();
            late.fill(&mut rows[1]).unwrap();
            assert!(late.has_tables() && rows[0] == rows[1]);
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
    later.wait();
    let mut refused = TieredMatcher::new(both.first(), later, 8);
    refused.accept_bytes(b"abcba").unwrap();
    assert!(refused.is_complete() && !refused.has_tables());

    let later = Arc::new(Later::default());
    later.kept.set(Ok(both.tables.clone())).unwrap();
    let mut deep = TieredMatcher::new(both.first(), later.clone(), 3);
    deep.accept_bytes(b"aaaaaaaa").unwrap();
    later.wait();
    deep.accept_bytes(b"caaaaaaaa").unwrap();
    assert!(deep.is_complete() && !deep.has_tables());
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
    assert!(matches!(late, ServedMatcher::Whole(_)));
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
