//! The reader of tables in C says what the Rust matcher says: of every mask and every verdict along
//! random walks, and of tables that were damaged.

mod program;
mod script;

use maskwright_compiler::Compiler as GrammarCompiler;
use maskwright_compiler::syntax::GrammarText;
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_tests::effort;
use maskwright_tests::harness::{compiled_suite, unhurried};
use maskwright_tests::random::Random;
use maskwright_tests::tokenizer::Tokenizer;
use program::{Compiler, folder};
use script::{CHECKSUM, Script, Walk, checksum, walks};
use std::fs;
use std::path::PathBuf;

/// Tables of a grammar and of its vocabulary.
struct Tables {
    name: String,
    grammar: Vec<u8>,
    vocabulary: Vec<u8>,
}

impl Tables {
    /// Writes both into files, and has them loaded.
    fn files(&self, compiler: &Compiler) -> [PathBuf; 2] {
        [("tables", &self.grammar), ("vocabulary", &self.vocabulary)]
            .map(|(name, bytes)| compiler.file(name, bytes))
    }
}

/// The grammars of the suite over a small vocabulary.
fn suite() -> Vec<Tables> {
    let tables = compiled_suite().iter().map(|built| Tables {
        name: built.name.clone(),
        grammar: built.tables.clone(),
        vocabulary: built.words.tables.clone(),
    });
    tables.collect()
}

/// Whole objects, counted strings, nested ones, dates, and sets that are levels.
const SCHEMAS: [&str; 3] = [
    r#"{"type": "object", "properties": {
        "name": {"type": "string", "maxLength": 40},
        "count": {"type": "integer", "minimum": 0, "maximum": 4000},
        "tags": {"type": "array", "maxItems": 40,
            "items": {"type": "string", "pattern": "^[a-z]{2,9}$"}},
        "kind": {"enum": ["alpha", "beta", "gamma"]}}, "required": ["name", "count"]}"#,
    r##"{"type": "object", "properties": {
        "title": {"type": "string", "maxLength": 64},
        "child": {"$ref": "#"},
        "date": {"type": "string", "format": "date"}}, "required": ["title"]}"##,
    r#"{"type": "array", "items": {"type": "array", "items": {"type": "number"}}}"#,
];

/// Text of at most six tokens, and tokens that are terminals.
const TAGS: [&str; 2] = [
    r#"{"type": "structural_tag", "format": {"type": "sequence", "elements": [
        {"type": "tag", "begin": "<a>", "end": "</a>",
            "content": {"type": "any_text", "max_tokens": 6}},
        {"type": "const_string", "value": "ok"}]}}"#,
    r#"{"type": "structural_tag", "format": {"type": "sequence", "elements": [
        {"type": "token", "token": 3}, {"type": "any_tokens", "exclude_tokens": [5, 6]},
        {"type": "token", "token": 6}]}}"#,
];

fn compiler(vocabulary: &Vocabulary) -> GrammarCompiler {
    let compiler = GrammarCompiler::new(vocabulary).unwrap();
    compiler.with_options(unhurried())
}

/// Tables of texts for a vocabulary.
fn compiled(vocabulary: &Vocabulary, texts: &[GrammarText]) -> Vec<Tables> {
    let compiler = compiler(vocabulary);
    let packed = vocabulary.pack().unwrap();
    let tables = texts.iter().enumerate().map(|(at, text)| {
        let text = text.clone().tokens(compiler.tokens());
        let grammar = text.parse(&Default::default()).unwrap().grammar;
        Tables {
            name: format!("grammar {at}"),
            grammar: compiler.compile(&grammar).unwrap().into_tables(),
            vocabulary: packed.clone(),
        }
    });
    tables.collect()
}

fn schemas() -> Vec<GrammarText> {
    SCHEMAS.map(GrammarText::schema).into()
}

fn tags() -> Vec<GrammarText> {
    TAGS.map(GrammarText::structural_tag).into()
}

/// Compares along walks; how many tables were refused since their stacks are a graph.
fn compare(compiler: &Compiler, all: &[Tables], steps: usize) -> usize {
    let program = compiler.build("driver", &[]);
    let mut graphs = 0;
    for (seed, tables) in all.iter().enumerate() {
        let [grammar, vocabulary] = tables.files(compiler);
        let mut script = Script::default();
        script.read(&grammar, Some(&vocabulary));
        match script.load(&tables.grammar, &tables.vocabulary) {
            Some(grammar) => {
                script.describe(&grammar);
                walks(&mut script, &grammar, steps, &mut Random::new(seed as u64));
            }
            None => graphs += 1,
        }
        compiler.compare(&tables.name, &program, &script);
    }
    graphs
}

#[test]
fn masks_and_verdicts_of_the_suite_are_those_of_the_matcher() {
    let Some(compiler) = Compiler::find("c-suite") else {
        return;
    };
    let vocabulary = Tokenizer::train().vocabulary();
    let mut all = suite();
    all.extend(compiled(&vocabulary, &schemas()));
    all.extend(compiled(&vocabulary, &tags()));
    let graphs = compare(&compiler, &all, effort::of(400) as usize);
    assert!((1..all.len() / 4).contains(&graphs), "{graphs}");
}

#[test]
fn masks_over_a_real_vocabulary_are_those_of_the_matcher() {
    let Some(compiler) = Compiler::find("c-real") else {
        return;
    };
    let vocabulary = Vocabulary::named("cl100k_base").unwrap();
    let all = compiled(&vocabulary, &schemas());
    assert_eq!(compare(&compiler, &all, effort::of(60) as usize), 0);
}

#[test]
fn masks_of_tables_beside_others_are_those_of_the_matcher() {
    let Some(compiler) = Compiler::find("c-beside") else {
        return;
    };
    let vocabulary = Tokenizer::train().vocabulary();
    let [base, own] = [0, 1].map(|at| schemas()[at].clone());
    let tables = compiled(&vocabulary, &[base]).remove(0);
    let [base, words] = tables.files(&compiler);
    let mut script = Script::default();
    script.read(&base, Some(&words));
    let loaded = script.load(&tables.grammar, &tables.vocabulary).unwrap();
    let beside = self::compiler(&vocabulary).beside(&loaded).unwrap();
    let own = own.parse(&Default::default()).unwrap().grammar;
    let own = beside.compile(&own).unwrap().into_tables();
    script.read(&compiler.file("beside", &own), None);
    assert!(script.load(&own, &tables.vocabulary).is_none());
    script.read(&base, None);
    script.load(&tables.grammar, &tables.vocabulary).unwrap();
    script.read(&compiler.file("beside", &own), None);
    let grammar = script.load_beside(&own, &loaded).unwrap();
    script.describe(&grammar);
    walks(&mut script, &grammar, 200, &mut Random::new(1));
    let program = compiler.build("driver", &[]);
    compiler.compare("beside", &program, &script);
}

/// Damages tables one byte at a time, mostly with a checksum that fits, and walks in those that are
/// loaded all the same; how many were, and how many were refused.
fn damage(script: &mut Script, tables: &Tables, times: usize, random: &mut Random) -> [usize; 2] {
    let mut bytes = [tables.grammar.clone(), tables.vocabulary.clone()];
    let mut counts = [0; 2];
    for _ in 0..times {
        let which = usize::from(random.below(10) == 0);
        let command = ['p', 'q'][which];
        let damaged = &mut bytes[which];
        let before = damaged.clone();
        // The header more often than its length asks for.
        let header = random.below(4) == 0;
        let at = random.below(if header {
            damaged.len().min(160)
        } else {
            damaged.len()
        });
        damaged[at] = match random.below(3) {
            0 => damaged[at] ^ 1 << random.below(8),
            1 => random.bits() as u8,
            _ => damaged[at].wrapping_add(1),
        };
        script.patch(command, at, &damaged[at..=at]);
        if random.below(8) > 0 {
            let sum = checksum(damaged);
            damaged[CHECKSUM..CHECKSUM + 4].copy_from_slice(&sum);
            script.patch(command, CHECKSUM, &sum);
        }
        let grammar = script.load(&bytes[0], &bytes[1]);
        counts[usize::from(grammar.is_none())] += 1;
        if let Some(grammar) = grammar {
            walks(script, &grammar, 4, random);
        }
        script.patch(command, CHECKSUM, &before[CHECKSUM..CHECKSUM + 4]);
        script.patch(command, at, &before[at..=at]);
        bytes[which] = before;
    }
    counts
}

#[test]
fn damaged_tables_are_refused_as_the_library_refuses_them() {
    let Some(compiler) = Compiler::find("c-damaged") else {
        return;
    };
    let programs = [
        compiler.build("driver", &[]),
        compiler.build("unchecked", &["MASKWRIGHT_NO_CHECK"]),
    ];
    let vocabulary = Tokenizer::train().vocabulary();
    let mut all = suite();
    all.extend(compiled(&vocabulary, &schemas()));
    all.extend(compiled(&vocabulary, &tags()));
    let (mut random, mut counts) = (Random::new(6), [0; 2]);
    for tables in &all {
        let [grammar, vocabulary] = tables.files(&compiler);
        let mut script = Script::default();
        script.read(&grammar, Some(&vocabulary));
        let times = effort::of(240) as usize;
        let more = damage(&mut script, tables, times, &mut random);
        counts = [counts[0] + more[0], counts[1] + more[1]];
        for len in [0, 3, 4, 8, 12, 100, tables.grammar.len() - 4] {
            script.cut(len);
            script.load(&tables.grammar[..len], &tables.vocabulary);
        }
        compiler.compare(&tables.name, &programs[0], &script);
        // A build that checks nothing reads wrongly at worst.
        compiler.run(&programs[1], &script);
    }
    let [loaded, refused] = counts;
    println!("{loaded} loaded, {refused} refused");
    assert!(loaded > 100 && refused > 1_000, "{loaded} {refused}");
}

#[test]
fn another_vocabulary_is_refused() {
    let Some(compiler) = Compiler::find("c-other") else {
        return;
    };
    let tables = suite().remove(0);
    let mut tokenizer = Tokenizer::train();
    tokenizer.tokens[900] = b"something else".to_vec();
    let other = tokenizer.vocabulary().pack().unwrap();
    let [grammar, _] = tables.files(&compiler);
    let mut script = Script::default();
    script.read(&grammar, Some(&compiler.file("other", &other)));
    assert!(script.load(&tables.grammar, &other).is_none());
    assert_eq!(script.expected, "16\n");
    let program = compiler.build("driver", &[]);
    compiler.compare("another vocabulary", &program, &script);
}

#[test]
fn wrong_calls_are_refused() {
    let Some(compiler) = Compiler::find("c-calls") else {
        return;
    };
    let tables = suite().remove(0);
    let [grammar, vocabulary] = tables.files(&compiler);
    let mut script = Script::default();
    script.read(&grammar, Some(&vocabulary));
    let loaded = script.load(&tables.grammar, &tables.vocabulary).unwrap();
    Walk::new(&mut script, &loaded, 20).unwrap().wrong_calls();
    let program = compiler.build("driver", &[]);
    compiler.compare("wrong calls", &program, &script);
}

#[test]
fn every_build_of_the_reader_compiles() {
    let Some(compiler) = Compiler::find("c-builds") else {
        return;
    };
    let macros = ["MASKWRIGHT_NO_CHECK", "MASKWRIGHT_NO_TERMINALS"];
    for kept in 0..1 << macros.len() {
        let of = |(at, name): (usize, &'static str)| (kept >> at & 1 == 0).then_some(name);
        let some: Vec<&str> = macros.into_iter().enumerate().filter_map(of).collect();
        compiler.build("some", &some);
    }
}

/// Names of statuses and their numbers.
fn statuses(header: &str) -> Vec<(String, u32)> {
    let pair = |line: &str| {
        let (name, rest) = line.trim().split_once(" = ")?;
        let number = rest.split(|c: char| !c.is_ascii_digit()).next()?;
        let name = name.strip_prefix("MASKWRIGHT_STATUS_")?;
        Some((name.to_owned(), number.parse().ok()?))
    };
    header.lines().filter_map(pair).collect()
}

#[test]
fn the_header_has_the_numbers_of_the_library_and_both_files_are_short() {
    let read = |name: PathBuf| fs::read_to_string(name).unwrap();
    let own = read(folder().join("maskwright.h"));
    let library = statuses(&read(folder().join("../c/include/maskwright.h")));
    let added: Vec<_> = (statuses(&own).into_iter())
        .filter(|pair| !library.contains(pair))
        .collect();
    assert_eq!(added, [("NOT_SUPPORTED".to_owned(), 64)]);
    assert!(library.iter().all(|(_, number)| *number < 64));
    let reader = read(folder().join("maskwright.c"));
    assert!(reader.lines().count() <= 1_500);
}
