//! Every stage looks at the clock.
//!
//! The clock of these tests counts the looks, and says when the time is over: so they do not depend
//! on the machine. Only the last tests measure time, and only where `MASKWRIGHT_LONG=1` asks for
//! it.

use maskwright_compiler::limits::Limits;
use maskwright_compiler::link::registry::{Registry, RegistryOptions};
use maskwright_compiler::syntax::lark::{LarkLexer, LarkOptions};
use maskwright_compiler::syntax::tools::ToolOptions;
use maskwright_compiler::vocabulary::{Vocabulary, VocabularyError};
use maskwright_compiler::{Compiler, GrammarText, Options};
use maskwright_tests::effort;
use maskwright_tests::hostile::{self, Hostile, HostileFile};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What the table of kinds is tested with is this part of what takes an optimised compiler some
/// hundredths of a second.
const PART: usize = 8;

/// After so many looks a request of a test is ended: what it has shown by then is enough.
const ENOUGH: usize = 600;

/// So does one that has taken this long: where looks are far apart in an unoptimised build, it
/// would take minutes.
const LONG_ENOUGH: Duration = Duration::from_secs(3);

/// So many looks may come after the one that has found the time to be over: a stage that has no
/// error stops, and the one around it says so.
const AFTER: usize = 20;

/// The bytes of a drawn error, at most: a server may log it, or send it back.
const DRAWN: usize = 1 << 16;

/// The bytes of a text that are read between two looks, at most.
const BYTES: usize = 1 << 13;

/// The looks of one request.
#[derive(Debug, Default)]
struct Looks {
    count: usize,
    /// What was being done at them.
    doing: BTreeSet<String>,
}

/// Limits whose clock says that the time is over from this look on, and its looks.
fn ends_at(look: usize) -> (Limits, Arc<Mutex<Looks>>) {
    let looks: Arc<Mutex<Looks>> = Arc::default();
    let seen = looks.clone();
    let limits = Limits::default().with_clock(move |doing| {
        let mut looks = seen.lock().unwrap();
        looks.doing.insert(doing.to_owned());
        looks.count += 1;
        looks.count > look
    });
    (limits, looks)
}

/// Limits whose clock says that the time is over once a request has looked enough, or run long
/// enough.
fn ends_when_enough() -> (Limits, Arc<Mutex<Looks>>) {
    let looks: Arc<Mutex<Looks>> = Arc::default();
    let (seen, start) = (looks.clone(), Instant::now());
    let limits = Limits::default().with_clock(move |doing| {
        let mut looks = seen.lock().unwrap();
        looks.doing.insert(doing.to_owned());
        looks.count += 1;
        looks.count > ENOUGH || start.elapsed() > LONG_ENOUGH
    });
    (limits, looks)
}

fn vocabulary() -> Vocabulary {
    let mut tokens: Vec<Vec<u8>> = (0..=255u8).map(|byte| vec![byte]).collect();
    for a in b'a'..=b'z' {
        tokens.extend((b'a'..=b'z').map(|b| vec![a, b]));
    }
    let end = tokens.len() as u32;
    tokens.push(Vec::new());
    let vocabulary = Vocabulary::from_tokens(tokens, vec![end]);
    vocabulary.with_size(40_000).unwrap()
}

/// A vocabulary that has letters in pairs only.
fn without_bytes() -> Vocabulary {
    let is_letter = |byte: &u8| byte.is_ascii_lowercase();
    let others = (0..=255u8)
        .filter(|byte| !is_letter(byte))
        .map(|byte| vec![byte]);
    let pairs = (b'a'..=b'z').flat_map(|a| (b'a'..=b'z').map(move |b| vec![a, b]));
    let mut tokens: Vec<Vec<u8>> = others.chain(pairs).collect();
    let end = tokens.len() as u32;
    tokens.push(Vec::new());
    Vocabulary::from_tokens(tokens, vec![end])
}

/// Reads and compiles a request; the message of its error, if it is refused.
fn compile(compiler: &Compiler, kind: &Hostile, size: usize, limits: Limits) -> Result<(), String> {
    let options = Options::default().threads(1).limits(limits);
    let text = (kind.text)(size, 7);
    let compiled = compiler.with_options(options).compile_text(&text);
    compiled.map(drop).map_err(|error| {
        let drawn = error.to_string().len();
        assert!(drawn <= DRAWN, "{}: an error of {drawn} bytes", kind.name);
        error.message().to_owned()
    })
}

/// The looks at a request, until it is done or has looked enough, and whether it was done.
fn looks(compiler: &Compiler, kind: &Hostile, size: usize) -> (Looks, bool) {
    let (limits, looks) = ends_when_enough();
    let result = compile(compiler, kind, size, limits);
    let is_late = result.is_err_and(|message| message.contains("limit `time`"));
    let looks = std::mem::take(&mut *looks.lock().unwrap());
    (looks, !is_late)
}

#[test]
fn there_are_kinds_enough_and_each_has_a_name() {
    let requests = hostile::requests();
    let files = hostile::files();
    let names = requests.iter().map(|kind| kind.name);
    let names: BTreeSet<&str> = names.chain(files.iter().map(|kind| kind.name)).collect();
    assert_eq!(names.len(), requests.len() + files.len());
    assert!(requests.len() >= 25, "{}", requests.len());
}

/// Whatever is done when the time is over ends at once, and says so.
#[test]
fn a_request_ends_soon_after_its_time() {
    let compiler = Compiler::new(&vocabulary()).unwrap();
    for kind in hostile::requests() {
        let size = (kind.size / PART).max(4);
        let (all, _) = looks(&compiler, &kind, size);
        let all = all.count;
        for look in BTreeSet::from([0, 1, all / 4, all / 2, all.saturating_sub(1)]) {
            let (limits, looks) = ends_at(look);
            let result = compile(&compiler, &kind, size, limits);
            let after = looks.lock().unwrap().count.saturating_sub(look);
            if after == 0 {
                continue;
            }
            let message = result.expect_err(kind.name);
            assert!(
                message.contains("limit `time`"),
                "{}, {look}: {message}",
                kind.name
            );
            assert!(
                after <= AFTER,
                "{}: {after} looks after look {look}",
                kind.name
            );
        }
    }
}

/// What is compiled when the time is over is an error, at whichever look, and never a part of the
/// result.
#[test]
fn a_result_is_whole() {
    let compiler = Compiler::new(&vocabulary()).unwrap();
    let mut wrong = Vec::new();
    for (name, text) in short_texts() {
        let compile = |limits: Limits| {
            let options = Options::default().threads(1).limits(limits);
            compiler.with_options(options).compile_text(&text)
        };
        let (limits, looks) = ends_at(usize::MAX);
        let whole = compile(limits).unwrap();
        let all = std::mem::take(&mut *looks.lock().unwrap()).count;
        // A stage that is followed by none has the last looks.
        let spread = (0..all).step_by(all.div_ceil(8).max(1));
        for look in spread.chain(all.saturating_sub(24)..all) {
            if let Ok(part) = compile(ends_at(look).0)
                && part.tables() != whole.tables()
            {
                wrong.push(format!("{name}: look {look} of {all}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Texts of each front end that compile in some hundred looks, with passes of all kinds.
fn short_texts() -> Vec<(&'static str, GrammarText)> {
    let lark = "start: e\ne: e \"+\" t | t\nt: N | N \"a\"..\"c\" | \"(\" e \")\"\n\
                N: /[0-9]+/\n%ignore \" \"";
    let lexed = |lexer| {
        let options = LarkOptions::default().lexer(lexer);
        GrammarText::lark(lark).lark_options(options)
    };
    let schema = r#"{"type": "object", "properties": {"a": {"type": "string", "maxLength": 40},
        "b": {"type": "array", "items": {"type": "integer", "minimum": 3}, "maxItems": 9}}}"#;
    let mirrored = "root ::= \"a\" root \"b\" | \"\" root \"a\" | \"b\" root \"b\" | \"\"";
    vec![
        ("mirrored", GrammarText::ebnf(mirrored)),
        (
            "expressions",
            GrammarText::ebnf("root ::= root \"+\" root | \"(\" root \")\" | [a-z]+"),
        ),
        (
            "counted",
            GrammarText::ebnf(
                "root ::= (\"a\" r \"b\" | \"c\"){2,40} r ::= root \"d\"{0,3} | [^a]*",
            ),
        ),
        ("schema", GrammarText::schema(schema)),
        ("longest", lexed(LarkLexer::Longest)),
        ("dynamic", lexed(LarkLexer::Dynamic)),
        ("contextual", lexed(LarkLexer::Contextual)),
        ("basic", lexed(LarkLexer::Basic)),
    ]
}

/// Kinds that are refused before all of the text is read, or whose text is not read word by word.
const REFUSED_EARLY: [&str; 15] = [
    // What has no meaning is passed over in one step, and counted as a whole.
    "ebnf: comments",
    "schema: blanks",
    "ebnf: groups that nest too deep",
    "ebnf: letters that are no words",
    "ebnf: operators behind an operand",
    "regex: groups that nest too deep",
    "schema: JSON that nests too deep",
    "schema: one key twice",
    "ebnf: nested groups",
    "regex: nested groups",
    "regex: anchors",
    "lark: groups of a pattern",
    "lark: members of %regex",
    "lark: imports of files",
    "lark: a long name",
];

/// A longer text takes more looks, and reading it alone one for every few thousand bytes.
#[test]
fn looks_grow_with_the_text() {
    let compiler = Compiler::new(&vocabulary()).unwrap();
    let mut wrong = Vec::new();
    for kind in hostile::requests() {
        let sizes = [(kind.size / PART).max(4), kind.size.max(4)];
        let [(small, small_done), (large, large_done)] =
            sizes.map(|size| looks(&compiler, &kind, size));
        let lengths = sizes.map(|size| bytes(&kind, size));
        if REFUSED_EARLY.contains(&kind.name) {
            continue;
        }
        let least = lengths[1] / BYTES;
        if large_done && large.count < least {
            wrong.push(format!(
                "{}: {} looks at {} bytes",
                kind.name, large.count, lengths[1]
            ));
        }
        if small_done && lengths[1] - lengths[0] > 4 * BYTES && large.count <= small.count {
            wrong.push(format!(
                "{}: {} looks at {} bytes, {} at {}",
                kind.name, small.count, lengths[0], large.count, lengths[1]
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The length of a request's text.
fn bytes(kind: &Hostile, size: usize) -> usize {
    // The text is shown among all else, so this is an upper bound; escapes double at most.
    let text = format!("{:?}", (kind.text)(size, 7));
    text.len() / 2
}

/// Stages that these requests do not reach.
const NOT_REACHED: &[&str] = &[
    // Only the command line asks for it.
    "looking for an ambiguous text",
    // Behind more looks than a request has here.
    "ordering frames",
    // Once in 64 texts of tokens that the grammar tells apart.
    "finding what the vocabulary spells",
    // Between two stages, where the first has failed.
    "building another automaton",
    // Only where a server reads a state that it wrote.
    "following the text of a saved state",
    // Where the tables have no grammar of their runs, as one of more than 256 symbols has none.
    "turning LALR tables into an automaton",
];

/// Each name of a stage in the sources is seen at some look.
#[test]
fn every_stage_looks() {
    let compiler = Compiler::new(&vocabulary()).unwrap();
    let mut seen = BTreeSet::new();
    for kind in hostile::requests() {
        seen.append(&mut looks(&compiler, &kind, kind.size.max(4)).0.doing);
    }
    // With a vocabulary that cannot spell every text.
    let compiler = Compiler::new(&without_bytes()).unwrap();
    for kind in hostile::requests() {
        if kind.name.starts_with("ebnf") {
            seen.append(&mut looks(&compiler, &kind, (kind.size / PART).max(4)).0.doing);
        }
    }
    for kind in hostile::files() {
        seen.append(&mut file_looks(&kind, kind.size).doing);
    }
    seen.append(&mut linked_looks().doing);
    seen.append(&mut looks_in_documents().doing);
    seen.append(&mut looks_at(many_literals()).doing);
    seen.append(&mut looks_at(many_arguments()).doing);
    seen.append(&mut pedantic_looks().doing);
    seen.append(&mut looks_for_two_readings().doing);
    seen.extend(NOT_REACHED.iter().map(|&doing| doing.to_owned()));
    let named = named_in_sources();
    assert!(named.len() > 40, "{named:?}");
    let missing: Vec<&String> = named.difference(&seen).collect();
    assert!(
        missing.is_empty(),
        "no kind of request is looked at while {missing:#?}"
    );
}

/// The looks at a text.
fn looks_at(text: GrammarText) -> Looks {
    let (limits, looks) = ends_when_enough();
    let options = Options::default().threads(1).limits(limits);
    let compiler = Compiler::new(&vocabulary()).unwrap();
    let _ = compiler.with_options(options).compile_text(&text);
    std::mem::take(&mut *looks.lock().unwrap())
}

/// Literals that may spell control tokens.
fn many_literals() -> GrammarText {
    let literals: Vec<String> = (0..5_000).map(|at| format!("\"<|{at}|>\"")).collect();
    GrammarText::ebnf(format!("root ::= {}\n", literals.join(" | ")))
}

/// Arguments whose kinds a reader has to be told.
fn many_arguments() -> GrammarText {
    let kinds = r#"{"anyOf": [{"type": "string"}, {"type": "integer"}]}"#;
    let arguments: Vec<String> = (0..5_000).map(|at| format!("\"a{at}\": {kinds}")).collect();
    let schema = format!(
        r#"{{"type": "object", "properties": {{{}}}}}"#,
        arguments.join(", ")
    );
    let tools = format!(r#"[{{"name": "f", "inputSchema": {schema}}}]"#);
    GrammarText::tools(tools).tool_options(ToolOptions::format("qwen_3_coder"))
}

/// Warnings that are asked for.
fn pedantic_looks() -> Looks {
    let (limits, looks) = ends_at(usize::MAX);
    let rules: String = (0..5_000).map(|at| format!("r{at} ::= \"a\"\n")).collect();
    let grammar = GrammarText::ebnf(format!("root ::= r0\n{rules}"));
    let parsed = grammar.parse(&Limits::default()).unwrap();
    parsed.pedantic_warnings(&limits);
    std::mem::take(&mut *looks.lock().unwrap())
}

/// A grammar that has to be deterministic and is not, with many states.
fn looks_for_two_readings() -> Looks {
    let (limits, looks) = ends_at(usize::MAX);
    let options = Options::default().threads(1).limits(limits);
    let long = "z".repeat(10_000);
    let text = format!("root ::= \"a\"* \"c\" | n | \"{long}\"\nn ::= \"a\" n \"b\" | \"\"\n");
    let compiler = Compiler::new(&vocabulary()).unwrap();
    let compiler = compiler.with_options(options.deterministic(true));
    let error = compiler.compile_text(&GrammarText::ebnf(text)).unwrap_err();
    assert_eq!(error.code(), "not-deterministic");
    std::mem::take(&mut *looks.lock().unwrap())
}

/// Tools that are linked.
fn linked_looks() -> Looks {
    let (limits, looks) = ends_at(usize::MAX);
    let compiler = Compiler::new(&vocabulary()).unwrap();
    let compiler = compiler.with_options(Options::default().limits(limits));
    let registry = Registry::new(&compiler, RegistryOptions::default().threads(0)).unwrap();
    let tools = r#"[{"name": "f", "inputSchema": {"type": "object", "properties": {"a": {"type": "integer"}}}}]"#;
    let tools = GrammarText::tools(tools).tool_options(ToolOptions::format("qwen_3"));
    registry.get(&tools).unwrap().wait().unwrap();
    std::mem::take(&mut *looks.lock().unwrap())
}

/// A grammar that embeds one from a folder.
fn looks_in_documents() -> Looks {
    let (limits, looks) = ends_at(usize::MAX);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("clock-documents");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("a.ebnf"), "root ::= \"a\"").unwrap();
    let text = GrammarText::ebnf("root ::= grammar(\"a.ebnf\")").folder(folder);
    text.parse(&limits).unwrap();
    std::mem::take(&mut *looks.lock().unwrap())
}

/// What the compiler's sources say that is being done at looks.
fn named_in_sources() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../grammar-compiler/src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_none_or(|end| end != "rs")
                || path.ends_with("limits/deadline.rs")
            {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for begin in [
                "DOING: &str = \"",
                "PARSING: &str = \"",
                "deadline.check(\"",
                "deadline\n            .check(\"",
            ] {
                let parts = text.split(begin).skip(1);
                let ends = parts.filter_map(|part| Some(part.split_once('"')?.0.to_owned()));
                found.extend(ends.filter(|doing| !doing.starts_with("test")));
            }
        }
    }
    found
}

/// Reads a file of a vocabulary.
fn read(kind: &HostileFile, size: usize, limits: &Limits) -> Result<(), VocabularyError> {
    let bytes = (kind.bytes)(size, 7);
    if !kind.name.starts_with("vocab.json") {
        return Vocabulary::from_bytes_within(&bytes, limits).map(drop);
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("clock-{size}"));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("vocab.json");
    std::fs::write(&path, bytes).unwrap();
    std::fs::write(folder.join("merges.txt"), "").unwrap();
    Vocabulary::open_within(path, limits).map(drop)
}

fn file_looks(kind: &HostileFile, size: usize) -> Looks {
    let (limits, looks) = ends_at(usize::MAX);
    let _ = read(kind, size, &limits);
    std::mem::take(&mut *looks.lock().unwrap())
}

#[test]
fn readers_of_vocabularies_look_and_end() {
    for kind in hostile::files() {
        let [small, large] = [kind.size / 4, kind.size].map(|size| file_looks(&kind, size).count);
        // The text of one token is counted as a whole.
        let is_early = kind.name.contains("too deep") || kind.name.contains("a long token");
        let least = (kind.bytes)(kind.size, 7).len() / BYTES;
        assert!(
            large >= least || is_early,
            "{}: {large} looks, not {least}",
            kind.name
        );
        assert!(
            large > small || least < 4 || is_early,
            "{}: {small}, {large}",
            kind.name
        );
        for look in BTreeSet::from([0, large / 2, large.saturating_sub(1)]) {
            let (limits, looks) = ends_at(look);
            let result = read(&kind, kind.size, &limits);
            let after = looks.lock().unwrap().count.saturating_sub(look);
            if after == 0 {
                continue;
            }
            assert!(
                after <= AFTER,
                "{}: {after} looks after look {look}",
                kind.name
            );
            let message = result.expect_err(kind.name).to_string();
            assert!(
                message.contains("reading the vocabulary took longer"),
                "{}: {message}",
                kind.name
            );
        }
    }
}

/// Reading and compiling end within the limit and a tenth, in processor time. For an optimised
/// build: `cargo test --release`.
#[test]
fn processor_time_stays_within_the_limit() {
    if !effort::is_long() {
        return;
    }
    let limit = Duration::from_secs(1);
    let compiler = Compiler::new(&vocabulary()).unwrap();
    let mut late = Vec::new();
    let mut check = |name: &str, size: usize, run: &dyn Fn(&Limits)| {
        let start = effort::processor();
        run(&Limits::default().time(limit));
        let taken = effort::processor() - start;
        if taken > limit + limit / 10 {
            late.push(format!("{name} of size {size}: {taken:?}"));
        }
    };
    for kind in hostile::requests() {
        for size in [kind.size, 10 * kind.size] {
            check(kind.name, size, &|limits| {
                drop(compile(&compiler, &kind, size, limits.clone()))
            });
        }
    }
    for kind in hostile::files() {
        let size = 10 * kind.size;
        check(kind.name, size, &|limits| drop(read(&kind, size, limits)));
    }
    assert!(late.is_empty(), "{late:#?}");
}

/// Calls of a registry, which read in it, end within its limit of time.
#[test]
fn a_registry_reads_within_its_limit() {
    if !effort::is_long() {
        return;
    }
    let limit = Duration::from_secs(1);
    let compiler = Compiler::new(&vocabulary()).unwrap();
    let options = RegistryOptions::default().threads(1).time(limit);
    let registry = Registry::new(&compiler, options).unwrap();
    let mut late = Vec::new();
    for kind in hostile::requests() {
        let text = (kind.text)(10 * kind.size, 7);
        let start = effort::processor();
        let handle = registry.get(&text);
        let got = effort::processor();
        let _ = handle.map(|handle| handle.matcher().map(drop));
        let longest = (got - start).max(effort::processor() - got);
        if longest > limit + limit / 10 {
            late.push(format!("{}: {longest:?}", kind.name));
        }
    }
    assert!(late.is_empty(), "{late:#?}");
}
