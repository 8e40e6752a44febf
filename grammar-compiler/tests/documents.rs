//! Texts that name documents: none opens a file, unless the caller gave a source of documents.

use maskwright_compiler::documents::{Document, DocumentError, Documents, ReadLimits};
use maskwright_compiler::error::{Code, Error};
use maskwright_compiler::grammar::interpret::accepts;
use maskwright_compiler::limits::Limits;
use maskwright_compiler::link::registry::{Registry, RegistryOptions};
use maskwright_compiler::syntax::json_schema::{DocumentFolder, SchemaOptions};
use maskwright_compiler::syntax::tools::ToolOptions;
use maskwright_compiler::syntax::{Kind, ParseOptions, Parsed, parse};
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_compiler::{Compiler, GrammarText, source::Source};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;
use tempfile::TempDir;

/// What no error may show.
const SECRET: &str = "7f3a secret";

/// A folder `inner` with documents, and beside it files that no text of a client may see.
fn folders() -> TempDir {
    let outer = tempfile::tempdir().unwrap();
    let inner = outer.path().join("inner");
    fs::create_dir_all(inner.join("sub")).unwrap();
    let write = |name: &str, text: &str| fs::write(outer.path().join(name), text).unwrap();
    write("secret.ebnf", &format!("root ::= ({SECRET}"));
    write("secret.json", &format!("{{\"const\": \"{SECRET}\"}}"));
    write(
        "inner/list.ebnf",
        "root ::= \"[\" grammar(\"sub/item.ebnf\")* \"]\"",
    );
    write(
        "inner/sub/item.ebnf",
        "root ::= \"i\" | grammar(\"../list.ebnf\")",
    );
    write("inner/const.json", "{\"const\": 1}");
    outer
}

/// The structural tag with a grammar in it.
fn tag(grammar: &str) -> String {
    let grammar = format!("{grammar:?}");
    format!(
        r#"{{"type": "structural_tag", "format": {{"type": "tag", "begin": "<a>", "content": {{"type": "grammar", "grammar": {grammar}}}, "end": "</a>"}}}}"#
    )
}

/// Texts of a client that name this document, each without a source of documents.
fn texts(name: &str) -> Vec<GrammarText> {
    let calls = [
        format!("root ::= grammar({name:?})"),
        format!("root ::= \"a\" grammar({name:?}, root=\"x\")"),
        format!("root ::= json_schema({name:?})"),
        format!("root ::= json_schema({name:?}, whitespace=\"compact\")"),
    ];
    let tags = calls
        .iter()
        .map(|call| tag(call))
        .map(GrammarText::structural_tag);
    let tags: Vec<GrammarText> = tags.collect();
    calls
        .into_iter()
        .map(GrammarText::ebnf)
        .chain(tags)
        .collect()
}

fn refused(text: &GrammarText) -> Error {
    let error = text.parse(&Limits::default());
    error.map(|parsed| parsed.files).unwrap_err()
}

/// Fails if it takes long: a file that makes readers wait is opened.
fn at_once(check: impl FnOnce() + Send + 'static) {
    let (send, done) = mpsc::channel();
    let thread = std::thread::spawn(move || {
        check();
        send.send(()).unwrap();
    });
    if let Err(mpsc::RecvTimeoutError::Timeout) = done.recv_timeout(Duration::from_secs(60)) {
        panic!("it waits");
    }
    thread.join().unwrap();
}

/// Makes a pipe without a writer.
#[cfg(unix)]
fn pipe(path: &Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status();
    assert!(made.unwrap().success());
}

/// Names of files that are there, or that would make a reader wait.
fn names(outer: &TempDir) -> Vec<String> {
    let absolute = |name: &str| outer.path().join(name).display().to_string();
    vec![
        absolute("secret.ebnf"),
        absolute("secret.json"),
        absolute("inner/const.json"),
        "Cargo.toml".to_owned(),
        "./Cargo.toml".to_owned(),
        "src/../Cargo.toml".to_owned(),
        "../Cargo.toml".to_owned(),
        "src/../../Cargo.toml".to_owned(),
        "/etc/passwd".to_owned(),
        "/dev/zero".to_owned(),
        "/dev/stdin".to_owned(),
        "/proc/self/environ".to_owned(),
        "C:\\Windows\\win.ini".to_owned(),
        "src".to_owned(),
    ]
}

#[test]
fn without_a_source_a_text_names_no_document() {
    let outer = folders();
    for name in names(&outer) {
        for text in texts(&name) {
            let error = refused(&text);
            assert_eq!(error.code(), Code::NoDocuments, "{error}");
            let shown = error.to_string();
            assert!(!shown.contains(SECRET), "{shown}");
        }
    }
    let error = refused(&GrammarText::ebnf(
        "root ::= \"a\"\n  json_schema(\"a.json\")",
    ));
    insta::assert_snapshot!(error);
    let tag = tag("root ::= grammar(\"list.ebnf\")");
    insta::assert_snapshot!(refused(&GrammarText::structural_tag(tag)));
}

#[cfg(unix)]
#[test]
fn a_pipe_and_a_device_make_nobody_wait() {
    let outer = folders();
    let inner = outer.path().join("inner");
    pipe(&inner.join("pipe"));
    at_once(move || {
        for name in [inner.join("pipe").to_str().unwrap(), "/dev/zero"] {
            for text in texts(name) {
                assert_eq!(refused(&text).code(), Code::NoDocuments);
            }
        }
        for text in texts("pipe") {
            let error = refused(&text.folder(&inner));
            assert_eq!(error.code(), Code::UnreadableGrammar);
            assert!(error.message().contains("no regular file"), "{error}");
        }
        for text in texts("zero") {
            let error = refused(&text.folder("/dev"));
            assert!(error.message().contains("no regular file"), "{error}");
        }
        // A file that the caller names.
        for path in [&inner.join("pipe"), Path::new("/dev/zero")] {
            for kind in [
                Kind::Ebnf,
                Kind::JsonSchema,
                Kind::StructuralTag,
                Kind::Tools,
                Kind::Lark,
            ] {
                let error = refused(&GrammarText::file(kind, path));
                assert!(error.message().contains("no regular file"), "{error}");
            }
            let format = ToolOptions::format_file(path);
            let error = refused(&GrammarText::tools("[]").tool_options(format));
            assert!(error.message().contains("no regular file"), "{error}");
            let error = Vocabulary::open(path).unwrap_err().to_string();
            assert!(error.contains("no regular file"), "{error}");
        }
        // A document of a schema.
        let documents = DocumentFolder::new(&inner, "http://a.org/").unwrap();
        let options = SchemaOptions::default().documents(vec![documents]);
        let schema = GrammarText::schema(r#"{"$ref": "http://a.org/pipe"}"#);
        let error = refused(&schema.schema_options(options));
        assert_eq!(error.code(), Code::SchemaOtherDocument);
        assert!(error.message().contains("no regular file"), "{error}");
        drop(outer);
    });
}

/// Lark grammars of a client that import a file by each of these paths.
fn imports() -> Vec<String> {
    let paths = [
        ".secret",
        "secret",
        ".sub.item",
        "sub.item",
        ".out",
        ".out.secret",
        ".pipe",
    ];
    let import = |path: &str| {
        let one = format!("%import {path}.A\nstart: A");
        let some = format!("start: B\n%import {path} (A, B)");
        [one, some]
    };
    paths.into_iter().flat_map(import).collect()
}

#[test]
fn a_lark_grammar_imports_no_file_without_a_source() {
    let outer = folders();
    fs::write(outer.path().join("secret.lark"), format!("A: \"{SECRET}")).unwrap();
    for text in imports() {
        let error = refused(&GrammarText::lark(&*text));
        assert_eq!(error.code(), Code::LarkInvalid, "{error}");
        assert!(!error.to_string().contains(SECRET), "{error}");
    }
    // A path is made of names, so that there is no way to write others.
    for name in names(&outer) {
        for text in [
            format!("%import {name}.A\nstart: A"),
            format!("%import .{name} (A)\nstart: A"),
            format!("%import {name:?}\nstart: A"),
        ] {
            let error = refused(&GrammarText::lark(text).folder(outer.path().join("inner")));
            assert_eq!(error.code(), Code::LarkInvalid, "{error}");
            assert!(!error.to_string().contains(SECRET), "{error}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_lark_grammar_imports_regular_files_of_a_folder() {
    use std::os::unix::fs::symlink;
    let outer = folders();
    let inner = outer.path().join("inner");
    fs::write(outer.path().join("secret.lark"), format!("A: \"{SECRET}")).unwrap();
    fs::write(inner.join("words.lark"), "A: \"a\"\n%import .sub.item.B").unwrap();
    fs::write(inner.join("sub/item.lark"), "B: \"b\"").unwrap();
    fs::write(inner.join("sub/sub.lark"), "%import .sub.sub.C").unwrap();
    symlink("../secret.lark", inner.join("out.lark")).unwrap();
    symlink(outer.path(), inner.join("out")).unwrap();
    pipe(&inner.join("pipe.lark"));
    let lark = |text: &str| GrammarText::lark(text).folder(&inner);
    let parsed = lark("%import .words (A, B)\nstart: A B").parse(&Limits::default());
    let files = ["words.lark", "sub/item.lark"].map(|name| inner.join(name));
    assert_eq!(parsed.unwrap().files, files);
    for (text, why) in [
        ("%import .out.A\nstart: A", "a link leads out"),
        ("%import .out.secret.A\nstart: A", "a link leads out"),
        ("%import .pipe.A\nstart: A", "no regular file"),
        ("%import .none.A\nstart: A", "is not given"),
        ("%import .sub.sub.C\nstart: C", "is not given"),
    ] {
        let text = lark(text);
        at_once(move || {
            let error = refused(&text).to_string();
            assert!(error.contains(why), "{error}");
            assert!(!error.contains(SECRET), "{error}");
        });
    }
    let large = format!("A: \"{}\"", "a".repeat(2_000));
    fs::write(inner.join("large.lark"), &large).unwrap();
    let text = lark("%import .large.A\nstart: A");
    let error = text.parse(&Limits::default().grammar_bytes(1_000));
    let error = error.map(|parsed| parsed.files).unwrap_err().to_string();
    assert!(error.contains("1000"), "{error}");
}

#[test]
fn the_compiler_and_the_registry_have_no_source_by_themselves() {
    let outer = folders();
    let tokens = (0..=u8::MAX).map(|byte| vec![byte]).chain([vec![]]);
    let vocabulary = Vocabulary::from_tokens(tokens.collect(), vec![256]);
    let compiler = Compiler::new(&vocabulary).unwrap();
    let registry = Registry::new(&compiler, RegistryOptions::default()).unwrap();
    let secret = outer.path().join("secret.json").display().to_string();
    for text in texts(&secret) {
        let error = compiler.compile_text(&text).map(|_| ()).unwrap_err();
        assert_eq!(error.code(), Code::NoDocuments, "{error}");
        let got = registry.get(&text).and_then(|handle| {
            let matcher = handle.matcher().map(|_| ());
            handle.wait().and(matcher)
        });
        assert_eq!(got.unwrap_err().code(), Code::NoDocuments);
    }
    for text in imports() {
        let text = GrammarText::lark(text);
        let error = compiler.compile_text(&text).map(|_| ()).unwrap_err();
        assert_eq!(error.code(), Code::LarkInvalid, "{error}");
        let got = registry.get(&text).and_then(|handle| {
            let matcher = handle.matcher().map(|_| ());
            handle.wait().and(matcher)
        });
        assert_eq!(got.unwrap_err().code(), Code::LarkInvalid);
    }
    let inner = outer.path().join("inner");
    let handle = registry.get(&GrammarText::ebnf("root ::= grammar(\"list.ebnf\")").folder(&inner));
    let mut matcher = handle.unwrap().matcher().unwrap();
    assert!(matcher.accept_bytes(b"[i[]i]").is_ok());
    // The parsers, as they are without any options.
    let call = Source::new("client", format!("root ::= json_schema({secret:?})"));
    let error = parse(Kind::Ebnf, &call, &ParseOptions::default()).unwrap_err();
    assert_eq!(error.code(), Code::NoDocuments);
}

fn in_folder(outer: &TempDir, text: &str) -> Result<Parsed, Error> {
    let text = GrammarText::ebnf(text).folder(outer.path().join("inner"));
    text.parse(&Limits::default())
}

#[test]
fn a_folder_gives_what_lies_in_it() {
    let outer = folders();
    let parsed = in_folder(
        &outer,
        "root ::= grammar(\"list.ebnf\") grammar(\"./sub/item.ebnf\") json_schema(\"const.json\")",
    );
    let parsed = parsed.unwrap();
    for (text, is_sentence) in [("[ii[]]i1", true), ("[][i]1", true), ("[1", false)] {
        assert_eq!(accepts(&parsed.grammar, text), is_sentence, "{text}");
    }
    let inner = outer.path().join("inner");
    let files = ["list.ebnf", "sub/item.ebnf", "const.json"].map(|name| inner.join(name));
    assert_eq!(parsed.files, files, "each was read once");
    // The same for a tag.
    let tag = GrammarText::structural_tag(tag("root ::= grammar(\"list.ebnf\")"));
    let parsed = tag.folder(&inner).parse(&Limits::default()).unwrap();
    assert!(accepts(&parsed.grammar, "<a>[i]</a>"));
}

#[test]
fn a_folder_gives_nothing_else() {
    let outer = folders();
    let mut names = names(&outer);
    names.extend(
        [
            "../secret.ebnf",
            "../secret.json",
            "sub/../../secret.json",
            "sub/../list.ebnf",
            "..",
            "",
            "..\\secret.json",
            "inner\\..\\..\\secret.json",
            "C:secret.json",
            "\\\\host\\share\\secret.json",
            "sub",
            "list.ebnf/",
            "none.ebnf",
        ]
        .map(str::to_owned),
    );
    for name in names {
        for call in ["grammar", "json_schema"] {
            let error = in_folder(&outer, &format!("root ::= {call}({name:?})")).unwrap_err();
            assert_eq!(error.code(), Code::UnreadableGrammar, "{name}: {error}");
            assert!(error.to_string().contains("named here"), "{error}");
            assert!(!error.to_string().contains(SECRET), "{error}");
        }
    }
    // A document leads out no more than the text does.
    let inner = outer.path().join("inner");
    for (name, text) in [
        ("up.ebnf", "root ::= grammar(\"../secret.ebnf\")"),
        ("sub/up.ebnf", "root ::= grammar(\"../../secret.ebnf\")"),
        ("sub/absolute.ebnf", "root ::= grammar(\"/etc/passwd\")"),
    ] {
        fs::write(inner.join(name), text).unwrap();
        let error = in_folder(&outer, &format!("root ::= grammar({name:?})")).unwrap_err();
        assert_eq!(error.code(), Code::UnreadableGrammar, "{name}: {error}");
        assert!(!error.to_string().contains(SECRET), "{error}");
        assert!(error.to_string().contains("embedded here"), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_leads_nowhere_else() {
    use std::os::unix::fs::symlink;
    let outer = folders();
    let inner = outer.path().join("inner");
    symlink("../secret.ebnf", inner.join("out.ebnf")).unwrap();
    symlink(outer.path(), inner.join("out")).unwrap();
    symlink(".", inner.join("again")).unwrap();
    for name in ["out.ebnf", "out/secret.ebnf", "out/secret.json"] {
        for call in ["grammar", "json_schema"] {
            let error = in_folder(&outer, &format!("root ::= {call}({name:?})")).unwrap_err();
            assert!(error.message().contains("a link leads out"), "{error}");
            assert!(!error.to_string().contains(SECRET), "{error}");
        }
    }
    // Two names of one file are one document, so that this ends.
    let circle = "root ::= \"c\" grammar(\"again/circle.ebnf\")?";
    fs::write(inner.join("circle.ebnf"), circle).unwrap();
    let parsed = in_folder(&outer, "root ::= grammar(\"circle.ebnf\")").unwrap();
    assert_eq!(parsed.files.len(), 1);
    assert!(accepts(&parsed.grammar, "ccc"));
}

#[test]
fn a_file_of_the_caller_has_its_folder_for_a_source() {
    let outer = folders();
    let write = |name: &str, text: &str| fs::write(outer.path().join(name), text).unwrap();
    write("inner/main.ebnf", "root ::= grammar(\"list.ebnf\")");
    write("inner/tag.json", &tag("root ::= grammar(\"list.ebnf\")"));
    write("inner/up.ebnf", "root ::= grammar(\"../secret.ebnf\")");
    let limits = Limits::default();
    let main = GrammarText::ebnf_file("inner/main.ebnf").within(outer.path());
    assert!(accepts(&main.parse(&limits).unwrap().grammar, "[i]"));
    let tag = GrammarText::structural_tag_file("inner/tag.json").within(outer.path());
    assert!(accepts(&tag.parse(&limits).unwrap().grammar, "<a>[i]</a>"));
    let up = GrammarText::ebnf_file("inner/up.ebnf").within(outer.path());
    let error = refused(&up).to_string();
    assert!(error.contains("leads out of the folder"), "{error}");
    assert!(!error.contains(SECRET), "{error}");
    // Another folder takes the place of the file's.
    write("moved.ebnf", "root ::= grammar(\"list.ebnf\")");
    let moved = GrammarText::ebnf_file("moved.ebnf").within(outer.path());
    assert_eq!(refused(&moved).code(), Code::UnreadableGrammar);
    let parsed = moved.folder("inner").parse(&limits).unwrap();
    assert!(accepts(&parsed.grammar, "[i]"));
}

/// Documents in memory, and how often they were asked for.
#[derive(Clone, Debug, Default)]
struct InMemory(Arc<AtomicUsize>);

impl Documents for InMemory {
    fn read(&self, name: &str, limits: &ReadLimits<'_>) -> Result<Option<Document>, DocumentError> {
        self.0.fetch_add(1, Ordering::Relaxed);
        limits.check_time()?;
        let text = match name {
            "a/list.ebnf" => "root ::= \"[\" grammar(\"item.ebnf\")* \"]\"",
            "a/item.ebnf" => "root ::= grammar(\"./list.ebnf\") | grammar(\"../b.ebnf\")",
            "b.ebnf" => "root ::= \"b\"",
            "long.ebnf" => return Ok(Some(Document::new(name, "#".repeat(limits.bytes() + 1)))),
            "slow.ebnf" => {
                std::thread::sleep(Duration::from_millis(100));
                "root ::= \"s\""
            }
            "never.ebnf" => return Err(DocumentError::Refused("it is not for you".to_owned())),
            _ => return Ok(None),
        };
        Ok(Some(Document::new(name, text)))
    }
}

#[test]
fn any_source_can_be_given() {
    let documents = InMemory::default();
    let text = |name: &str| {
        let text = format!("root ::= grammar({name:?}) grammar({name:?})");
        GrammarText::ebnf(text).documents(documents.clone())
    };
    let parsed = text("a/list.ebnf").parse(&Limits::default()).unwrap();
    assert!(accepts(&parsed.grammar, "[b[b]][]"));
    assert_eq!(documents.0.load(Ordering::Relaxed), 3, "each once");
    assert!(parsed.files.is_empty());
    for (name, message) in [
        ("c.ebnf", "there is no such document"),
        ("never.ebnf", "it is not for you"),
        ("../b.ebnf", "leads out"),
        ("/b.ebnf", "a document is named by its path"),
    ] {
        let error = refused(&text(name));
        assert_eq!(error.code(), Code::UnreadableGrammar);
        assert!(error.message().contains(message), "{error}");
    }
    let limits = Limits::default().grammar_bytes(1000);
    let error = text("long.ebnf").parse(&limits).unwrap_err();
    assert_eq!(error.code(), Code::LimitExceeded);
    let limits = Limits::default().time(Duration::from_millis(50));
    let error = text("slow.ebnf").parse(&limits).unwrap_err();
    assert_eq!(error.code(), Code::LimitExceeded);
    assert!(error.message().contains("other documents"), "{error}");
}

#[test]
fn a_name_of_a_format_opens_no_file() {
    let outer = folders();
    let path = outer.path().join("secret.json").display().to_string();
    for name in [&path, "/etc/passwd", "../secret.json", "secret.json"] {
        let options = ToolOptions::format(name);
        let error = refused(&GrammarText::tools("[]").tool_options(options));
        assert_eq!(error.code(), Code::ToolFormat);
        let message = format!("there is no format `{name}`");
        assert_eq!(error.message(), message);
        assert!(!error.to_string().contains(SECRET), "{error}");
    }
}
