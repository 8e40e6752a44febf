//! A C program decodes a JSON text through the header and the static library, and says at each step
//! what the Rust matcher says. Another one drives the sampler for llama.cpp.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use maskwright_compiler::{Compiler, source::Source, syntax::ebnf, vocabulary::Vocabulary};
use maskwright_core::{Grammar, Matcher};
use tempfile::TempDir;

/// A text of `json-decode/json.ebnf`.
const JSON: &str =
    r#"{"name": "Zo\u00eb", "tags": [[], [true, null, {"a": -1.5e3}]], "on": false}"#;

/// A grammar without a bound on its stacks, and a text.
const PALINDROMES: (&str, &str) = (
    r#"root ::= "a" root "a" | "in" root "ni" | "(" root ")" | [a-z]?"#,
    "aain((ainazania))niaa",
);

/// How C is compiled.
const FLAGS: [&str; 5] = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-g"];
/// What the static library asks for.
const LIBRARIES: [&str; 3] = ["-lpthread", "-ldl", "-lm"];

/// The folder of this package.
fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The C compiler, if there is one.
fn compiler(variable: &str, name: &str) -> Option<String> {
    let name = env::var(variable).unwrap_or(name.to_string());
    let version = Command::new(&name).arg("--version").output();
    version
        .is_ok_and(|run| run.status.success())
        .then_some(name)
}

/// The static library that was built with this test: it lies beside it.
fn library() -> PathBuf {
    env::current_exe()
        .unwrap()
        .with_file_name("libmaskwright_c.a")
}

/// Tables of a grammar, the same beside themselves, and tables of a vocabulary.
fn tables(text: &str) -> [Vec<u8>; 3] {
    let examples = folder().join("../../examples");
    let source = Source::new("grammar.ebnf", text);
    let grammar = ebnf::parse(&source, &Default::default()).unwrap().grammar;
    let vocabulary = Vocabulary::open(examples.join("cortex-m/vocabulary.tiktoken")).unwrap();
    let end = vocabulary.size();
    let vocabulary = vocabulary
        .with_size(end + 1)
        .unwrap()
        .with_eos([end])
        .unwrap();
    let compiler = Compiler::new(&vocabulary).unwrap();
    let alone = compiler.compile(&grammar).unwrap();
    let beside = compiler.beside(&alone.grammar().unwrap()).unwrap();
    let beside = beside.compile(&grammar).unwrap();
    let packed = vocabulary.pack().unwrap();
    [alone.into_tables(), beside.into_tables(), packed]
}

/// What the C program is to print, and the tokens that it is to decode.
fn expected(tables: &[u8], vocabulary: &[u8], text: &str) -> (String, Vec<u32>) {
    let vocabulary = maskwright_core::Vocabulary::load(vocabulary).unwrap();
    let grammar = Grammar::load(tables)
        .unwrap()
        .with_vocabulary(vocabulary)
        .unwrap();
    let mut matcher = Matcher::<32, 64>::new(&grammar).unwrap();
    let (mut lines, mut tokens, mut rest) = (String::new(), Vec::new(), text.as_bytes());
    while !matcher.is_finished() {
        let mut words = vec![0; grammar.mask_words()];
        matcher.mask().fill(&mut words).unwrap();
        let bytes = words.iter().flat_map(|word| word.to_le_bytes());
        let hash = bytes.fold(0x811c_9dc5_u32, |hash, byte| {
            (hash ^ byte as u32).wrapping_mul(0x0100_0193)
        });
        let (mut ids, mut forced) = ([0; 64], [0; 64]);
        writeln!(
            lines,
            "{hash:08x} {} {} {} {}",
            matcher.mask().count(),
            matcher.is_complete() as u32,
            matcher.forced_tokens(&mut ids),
            matcher.forced_bytes(&mut forced),
        )
        .unwrap();
        let fits = |id: &u32| rest.starts_with(vocabulary.bytes(*id));
        let token = matcher
            .mask()
            .iter()
            .filter(fits)
            .max_by_key(|id| vocabulary.bytes(*id).len());
        tokens.push(token.expect("the text is a sentence"));
        matcher.accept_token(tokens[tokens.len() - 1]).unwrap();
        rest = &rest[vocabulary.bytes(tokens[tokens.len() - 1]).len()..];
    }
    writeln!(lines, "finished").unwrap();
    (lines, tokens)
}

/// A folder with the files that the C programs read, what [`expected`] says, and the number of
/// tokens.
fn inputs(grammar: &str, text: &str) -> (TempDir, String, usize) {
    let out = tempfile::tempdir().unwrap();
    let [tables, beside, vocabulary] = tables(grammar);
    let (lines, tokens) = expected(&tables, &vocabulary, text);
    let bytes: Vec<u8> = tokens.iter().flat_map(|id| id.to_ne_bytes()).collect();
    for (name, bytes) in [
        ("tables", &tables),
        ("beside", &beside),
        ("vocabulary", &vocabulary),
        ("tokens", &bytes),
    ] {
        fs::write(out.path().join(name), bytes).unwrap();
    }
    (out, lines, tokens.len())
}

/// Runs a command, which must succeed; what it printed.
fn run(command: &mut Command) -> String {
    let run = command.output().unwrap();
    let message = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{message}");
    String::from_utf8_lossy(&run.stdout).into_owned()
}

/// [`inputs`] for a text in JSON.
fn json() -> (TempDir, String, usize) {
    let file = folder().join("../../examples/json-decode/json.ebnf");
    inputs(&fs::read_to_string(&file).unwrap(), JSON)
}

#[test]
fn a_program_in_c_says_what_the_matcher_says() {
    decodes(json(), &[]);
}

#[test]
fn a_program_in_c_follows_a_graph() {
    let (grammar, text) = PALINDROMES;
    let inputs = inputs(grammar, text);
    let tables = fs::read(inputs.0.path().join("tables")).unwrap();
    assert!(!Grammar::load(&tables).unwrap().stacks_are_proved());
    decodes(inputs, &["graph"]);
}

/// Builds and runs the program that decodes.
fn decodes((out, lines, _): (TempDir, String, usize), arguments: &[&str]) {
    let Some(compiler) = compiler("CC", "cc") else {
        eprintln!("not run: there is no C compiler");
        return;
    };
    let program = out.path().join("decode");
    run(Command::new(compiler)
        .args(FLAGS)
        .arg(folder().join("tests/decode.c"))
        .arg(library())
        .args(LIBRARIES)
        .arg("-I")
        .arg(folder().join("include"))
        .arg("-o")
        .arg(&program));
    let printed = run(Command::new(program)
        .args(arguments)
        .current_dir(out.path()));
    assert_eq!(printed, lines);
}

#[test]
fn the_sampler_for_llama_cpp_allows_what_the_matcher_allows() {
    let Some(compiler) = compiler("CC", "cc") else {
        eprintln!("not run: there is no C compiler");
        return;
    };
    let (out, _, tokens) = json();
    let includes = ["include", "llama", "tests/llama"].map(|name| folder().join(name));
    let includes: Vec<_> = (includes.iter())
        .flat_map(|name| ["-I".as_ref(), name.as_os_str()])
        .collect();
    let (sampler, program) = (out.path().join("sampler.o"), out.path().join("sample"));
    // What the sampler allocates is counted.
    run(Command::new(&compiler)
        .args(FLAGS)
        .args(["-c", "-Dmalloc=counted_malloc", "-Dfree=counted_free"])
        .args(&includes)
        .arg(folder().join("llama/maskwright_llama.c"))
        .arg("-o")
        .arg(&sampler));
    run(Command::new(&compiler)
        .args(FLAGS)
        .args(&includes)
        .arg(folder().join("tests/llama/sample.c"))
        .arg(sampler)
        .arg(library())
        .args(LIBRARIES)
        .arg("-o")
        .arg(&program));
    let printed = run(Command::new(program).current_dir(out.path()));
    assert_eq!(printed, format!("{tokens} tokens\n"));
}

#[test]
fn the_headers_are_for_c_plus_plus() {
    let Some(compiler) = compiler("CXX", "c++") else {
        eprintln!("not run: there is no C++ compiler");
        return;
    };
    let syntax = ["-std=c++11", "-fsyntax-only", "-x", "c++"];
    for header in ["include/maskwright.h", "llama/maskwright_llama.h"] {
        run(Command::new(&compiler)
            .args(&FLAGS[1..])
            .args(syntax)
            .arg("-I")
            .arg(folder().join("include"))
            .arg("-I")
            .arg(folder().join("tests/llama"))
            .arg(folder().join(header)));
    }
}
