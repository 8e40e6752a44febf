//! Keys: two clients whose texts have one XXH3 each get their own masks.
//!
//! Results are found by digests that nobody knows how to make two texts for. Before, they were
//! found by XXH3, for which [`pairs`] makes as many as anybody wants.

mod pairs;

use maskwright_compiler::build::Cache;
use maskwright_compiler::link::registry::{Registry, RegistryOptions};
use maskwright_compiler::syntax::tools::ToolOptions;
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_compiler::{Compiler, GrammarText};
use maskwright_tests::effort;
use pairs::pair;
use std::fs;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// What stood before the text in the keys of earlier versions, modulo a block of XXH3, so that the
/// pairs of the tests below had one key: of a schema by itself, of a tool, of a tag, and of a
/// grammar in a folder.
const BEFORE: [usize; 4] = [171, 67, 26, 0];
/// Bytes of a block of XXH3.
const BLOCK: usize = 1_024;

/// Places at which texts may begin in what is hashed: those of earlier versions, and some or all
/// others.
fn places() -> Vec<usize> {
    let step = if effort::is_full() { 1 } else { 61 };
    BEFORE.into_iter().chain((0..BLOCK).step_by(step)).collect()
}

/// A token for each byte, and one that ends a text.
fn compiler() -> Compiler {
    let tokens = (0..=255u8).map(|byte| vec![byte]).chain([vec![]]).collect();
    Compiler::new(&Vocabulary::from_tokens(tokens, vec![256])).unwrap()
}

fn registry(options: RegistryOptions) -> Registry {
    Registry::new(&compiler(), options).unwrap()
}

/// A kind of request whose text has letters that outputs have, too.
struct Request {
    head: &'static str,
    tail: &'static str,
    of: fn(&str) -> GrammarText,
    /// What stands before the letters in an output.
    output: &'static str,
}

const SCHEMA: Request = Request {
    head: r#"{"const": ""#,
    tail: r#""}"#,
    of: |text| GrammarText::schema(text),
    output: "\"",
};
const TOOLS: Request = Request {
    head: r#"{"type": "object", "properties": {"a": {"const": ""#,
    tail: r#""}}, "required": ["a"], "additionalProperties": false}"#,
    of: |schema| {
        let tools = format!(r#"[{{"name": "f", "inputSchema": {schema}}}]"#);
        GrammarText::tools(tools).tool_options(ToolOptions::format("qwen_3"))
    },
    output: "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"",
};
const TAG: Request = Request {
    head: r#"{"const": ""#,
    tail: r#""}"#,
    of: |schema| {
        let tag = |begin: &str, schema: &str| {
            format!(
                r#"{{"type": "tag", "begin": "{begin}", "content": {{"type": "json_schema", "json_schema": {schema}}}, "end": ["</t>"]}}"#
            )
        };
        let tags = [tag("<a>", schema), tag("<b>", "true")].join(", ");
        GrammarText::structural_tag(format!(
            r#"{{"type": "structural_tag", "format": {{"type": "triggered_tags", "triggers": ["<"], "tags": [{tags}]}}}}"#
        ))
    },
    output: "<a>\"",
};

impl Request {
    /// The letters of a text.
    fn letters<'t>(&self, text: &'t str) -> &'t str {
        &text[self.head.len()..text.len() - self.tail.len()]
    }

    /// Whether a registry gives each of two texts its own masks.
    fn check(&self, registry: &Registry, texts: &[String; 2], wait: bool) {
        let letters = texts.each_ref().map(|text| self.letters(text).as_bytes());
        let differ = (0..letters[0].len()).find(|&at| letters[0][at] != letters[1][at]);
        let differ = differ.expect("the texts differ");
        for (text, own, other) in [
            (&texts[0], letters[0], letters[1]),
            (&texts[1], letters[1], letters[0]),
        ] {
            let handle = registry.get(&(self.of)(text)).unwrap();
            if wait {
                handle.wait().unwrap();
            }
            let mut matcher = handle.matcher().unwrap();
            matcher.accept_bytes(self.output.as_bytes()).unwrap();
            matcher.accept_bytes(&own[..differ]).unwrap();
            let mut row = [0; 9];
            matcher.fill(&mut row).unwrap();
            let is_allowed = |letter: u8| row[letter as usize / 32] >> (letter % 32) & 1 == 1;
            assert!(is_allowed(own[differ]), "the client's own letter");
            assert!(!is_allowed(other[differ]), "the other client's letter");
            matcher.accept_bytes(&own[differ..]).unwrap();
        }
    }

    fn pair(&self, before: usize) -> [String; 2] {
        pair(before, self.head, self.tail)
    }
}

#[test]
fn pairs_differ_and_have_one_xxh3() {
    for before in 0..BLOCK {
        for request in [SCHEMA, TOOLS, TAG] {
            let texts = request.pair(before);
            assert_ne!(texts[0], texts[1]);
            for behind in [0, 1, 100, 5_000] {
                let hashed = texts.each_ref().map(|text| {
                    let head: Vec<u8> = (0..before).map(|at| (31 * at) as u8).collect();
                    let all = [&head, text.as_bytes(), &vec![7; behind]].concat();
                    (xxh3_64(&all), xxh3_128(&all))
                });
                assert_eq!(hashed[0], hashed[1], "behind {before} bytes");
            }
        }
    }
}

#[test]
fn each_client_of_a_registry_gets_the_masks_of_its_own_text() {
    // Nothing is compiled: the first tier has masks from the texts themselves.
    let registry = registry(RegistryOptions::default().threads(0));
    for request in [SCHEMA, TOOLS, TAG] {
        for before in places() {
            request.check(&registry, &request.pair(before), false);
        }
    }
}

#[test]
fn compiled_parts_and_grammars_are_those_of_their_own_texts() {
    let folder = folder("compiled");
    let options = || {
        RegistryOptions::default()
            .threads(2)
            .folder(Some(folder.clone()))
    };
    for request in [SCHEMA, TOOLS, TAG] {
        for before in BEFORE {
            let texts = request.pair(before);
            // The second registry is another process for the folder.
            for _ in 0..2 {
                let registry = registry(options());
                request.check(&registry, &texts, true);
                assert_eq!(registry.metrics().files_refused, 0);
            }
        }
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_folder_has_tables_of_each_grammar_by_itself() {
    let folder = folder("tables");
    let (cached, plain) = (compiler().with_cache(Cache::at(&folder)), compiler());
    for before in places() {
        for text in pair(before, "root ::= \"", "\"") {
            let text = GrammarText::ebnf(text);
            let tables = cached.compile_text(&text).unwrap().into_tables();
            assert!(tables == plain.compile_text(&text).unwrap().into_tables());
        }
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// A folder that does not exist yet.
fn folder(name: &str) -> PathBuf {
    let name = format!("maskwright-keys-{name}-{}", std::process::id());
    std::env::temp_dir().join(name)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

/// All files of a folder change places, so that each part stands where another one is looked for.
#[test]
fn parts_that_were_exchanged_are_refused_and_told() {
    let folder = folder("exchanged");
    let options = || {
        RegistryOptions::default()
            .threads(1)
            .folder(Some(folder.clone()))
    };
    let texts = TOOLS.pair(0);
    TOOLS.check(&registry(options()), &texts, true);
    let before = files(&folder);
    assert_eq!(before.len(), 4, "an outer part, a base and two pieces");
    let contents: Vec<Vec<u8>> = before.iter().map(|file| fs::read(file).unwrap()).collect();
    for (file, other) in before.iter().zip(contents.iter().cycle().skip(1)) {
        fs::write(file, other).unwrap();
    }
    let with_exchanged = registry(options());
    TOOLS.check(&with_exchanged, &texts, true);
    assert_eq!(with_exchanged.metrics().files_refused, 4);
    let mut told: Vec<PathBuf> = Vec::new();
    for refused in with_exchanged.warnings() {
        assert!(
            refused.to_string().contains("the entry of something else"),
            "{refused}"
        );
        told.push(refused.path);
    }
    told.sort();
    assert_eq!(told, before);
    // They have been written anew.
    let after = registry(options());
    TOOLS.check(&after, &texts, true);
    assert_eq!(after.metrics().files_refused, 0);
    assert!(
        files(&folder)
            .iter()
            .zip(&contents)
            .all(|(file, content)| fs::read(file).unwrap() == *content)
    );
    fs::remove_dir_all(&folder).unwrap();
}
