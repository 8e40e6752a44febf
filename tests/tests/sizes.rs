//! The sizes of tables, and their hashes, are those in `sizes.md`, so that growth shows in review.
//!
//! ```sh
//! UPDATE_SIZES=1 cargo test -p maskwright-tests --test sizes
//! ```

use maskwright_compiler::grammar::Grammar;
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::json_schema;
use maskwright_compiler::{Compiler, vocabulary::Vocabulary};
use maskwright_tests::harness::parse;
use maskwright_tests::suite;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::fmt::Write;
use std::{env, fs};
use xxhash_rust::xxh3::xxh3_64;

const UPDATE: &str = "UPDATE_SIZES=1 cargo test -p maskwright-tests --test sizes";

const GRAMMARS: [&str; 7] = [
    "arithmetic",
    "json",
    "json_compact",
    "xml_like",
    "c_like",
    "sql",
    "counted",
];

/// One tool, as a call of it is often described.
const ONE_TOOL: &str = r#"{
  "type": "object",
  "properties": {
    "name": { "const": "get_weather" },
    "arguments": {
      "type": "object",
      "properties": {
        "city": { "type": "string" },
        "unit": { "enum": ["celsius", "fahrenheit"] },
        "days": { "type": "integer", "minimum": 1, "maximum": 14 }
      },
      "required": ["city"],
      "additionalProperties": false
    }
  },
  "required": ["name", "arguments"],
  "additionalProperties": false
}"#;

#[derive(Deserialize)]
struct Line<'a> {
    name: String,
    #[serde(borrow)]
    schema: &'a RawValue,
}

#[test]
fn sizes_are_those_written_down() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/sizes.md");
    let found = document();
    if env::var_os("UPDATE_SIZES").is_some() {
        fs::write(path, found).unwrap();
        return;
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    let gone = expected.lines().filter(|line| !found.contains(line));
    let come = found.lines().filter(|line| !expected.contains(line));
    let changed: Vec<String> = gone
        .map(|line| format!("- {line}"))
        .chain(come.map(|line| format!("+ {line}")))
        .collect();
    assert!(
        found == expected,
        "tests/sizes.md is not what compiling gives. If the change is meant, run\n\n    {UPDATE}\n\n{}",
        changed.join("\n")
    );
}

fn document() -> String {
    let mut text = format!(
        "# Sizes of tables

What compiling gives for some grammars, with default options. A test compares; after a change that is meant, this writes
the file anew:

```sh
{UPDATE}
```

`first 32,000` are the tokens of cl100k_base below 31,999, and one that ends a text. *Sets* are the distinct sets of tokens, *hash* is XXH3 of the tables;
*beside* are the bytes of tables that stand beside those of `benches/beside.json`, an object with a property of each basic type.

| grammar | vocabulary | states | sets | bytes | hash | beside |
|---|---|---:|---:|---:|---|---:|
"
    );
    let grammars = grammars();
    let object = from_schema("object", &read("benches/beside.json"));
    let of_one_tool = |name: &str| name.starts_with("tool");
    for (name, vocabulary) in vocabularies() {
        let compiler = Compiler::new(&vocabulary).unwrap();
        let other = compiler.compile(&object).unwrap();
        let beside = compiler.beside(&other.grammar().unwrap()).unwrap();
        let is_small = vocabulary.size() < 100_000;
        for (grammar_name, grammar) in &grammars {
            if !is_small || of_one_tool(grammar_name) || grammar_name == "json" {
                let _ = writeln!(
                    text,
                    "| {grammar_name} | {name} | {}",
                    row(grammar, &compiler, &beside)
                );
            }
        }
    }
    text
}

fn row(grammar: &Grammar, compiler: &Compiler, beside: &Compiler) -> String {
    let compiled = compiler.compile(grammar).unwrap();
    let beside = beside.compile(grammar).unwrap();
    let (report, tables) = (compiled.report(), compiled.tables());
    let kinds = report.sets;
    let sets =
        kinds.bitmaps + kinds.accept_lists + kinds.reject_lists + kinds.deltas + kinds.shared;
    let (states, bytes, hash) = (report.states, tables.len(), xxh3_64(tables));
    let beside = beside.tables().len();
    format!("{states} | {sets} | {bytes} | `{hash:016x}` | {beside} |")
}

fn vocabularies() -> [(&'static str, Vocabulary); 3] {
    let cl100k = Vocabulary::named("cl100k_base").unwrap();
    let tokens = cl100k.iter().take(31_999).map(<[u8]>::to_vec);
    let small = Vocabulary::from_tokens(tokens.chain([Vec::new()]).collect(), vec![31_999]);
    let o200k = Vocabulary::named("o200k_base").unwrap();
    [
        ("cl100k_base", cl100k),
        ("o200k_base", o200k),
        ("first 32,000", small),
    ]
}

/// A file of the repository.
fn read(path: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    fs::read_to_string(format!("{folder}/{path}")).unwrap()
}

fn from_schema(name: &str, text: &str) -> Grammar {
    let source = Source::new(name, text);
    let grammar = json_schema::parse(&source, &Default::default());
    grammar.unwrap().grammar
}

/// Grammars of the suite, one tool, the tools of an example, and the schemas that the benchmarks
/// have of their own.
fn grammars() -> Vec<(String, Grammar)> {
    let suite = GRAMMARS.map(|name| {
        (
            name.to_owned(),
            parse(name, &suite::entry(name).ebnf).unwrap(),
        )
    });
    let tools = read("examples/cortex-m/tool.json");
    let tools = [("tool: get_weather", ONE_TOOL), ("tools: cortex-m", &tools)];
    let tools = tools.map(|(name, text)| (name.to_owned(), from_schema(name, text)));
    let lines = read("benches/peers/work/schemas.jsonl");
    let own = lines.lines().map(|line| {
        let line: Line = serde_json::from_str(line).unwrap();
        let grammar = from_schema(&line.name, line.schema.get());
        (line.name, grammar)
    });
    suite.into_iter().chain(tools).chain(own).collect()
}
