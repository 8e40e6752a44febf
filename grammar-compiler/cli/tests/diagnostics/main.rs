//! Every code of a diagnostic has a section in docs/diagnostics.md: what it means, a text, and what
//! is drawn for that text. The drawings are snapshots: with `UPDATE_DOCS=1` they are written,
//! otherwise compared.

mod command_line;
mod examples;

use examples::{Example, GLOBAL, HEAD, Input, examples, tag_of};
use maskwright_compiler::error::{Code, Diagnostic, Error, Severity};
use maskwright_compiler::grammar::Grammar;
use maskwright_compiler::limits::{Deadline, Limits};
use maskwright_compiler::source::{Source, Sources};
use maskwright_compiler::syntax::json_schema::SchemaOptions;
use maskwright_compiler::syntax::tools::format::EXAMPLE_TOOLS;
use maskwright_compiler::syntax::tools::{FormatSource, ToolOptions};
use maskwright_compiler::syntax::{GrammarText, Kind, ParseOptions, ebnf};
use maskwright_compiler::vocabulary::TokenNames;
use maskwright_compiler::{
    Automaton, Builder, Compiled, Compiler, Options, nondeterminism, vocabulary::Vocabulary,
};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Codes of what no text can bring about: a guard inside of the compiler.
const WITHOUT_EXAMPLE: [&str; 1] = ["unsupported-class-operator"];

/// What is said of tools.
fn tools(text: &str, options: ToolOptions) -> (Vec<Diagnostic>, Option<Sources>) {
    let text = GrammarText::source(Kind::Tools, Source::new("tools.json", text));
    said(&text.tool_options(options))
}

/// The diagnostics of an example, drawn, and the text they are about.
fn diagnostics(input: &Input) -> (Vec<Diagnostic>, Option<Sources>) {
    let of_error = |error: Error| (error.diagnostics().to_vec(), error.sources().cloned());
    match *input {
        Input::Lonely(text) => read(Kind::Ebnf, "grammar.ebnf", text, SchemaOptions::default()),
        Input::Ebnf(text) => {
            let source = Source::new("grammar.ebnf", text);
            said(&GrammarText::source(Kind::Ebnf, source).folder(""))
        }
        Input::Lark(text) => read(Kind::Lark, "grammar.lark", text, SchemaOptions::default()),
        Input::Regex(text) => read(Kind::Regex, "<pattern>", text, SchemaOptions::default()),
        Input::Schema(text) => read(
            Kind::JsonSchema,
            "schema.json",
            text,
            SchemaOptions::default(),
        ),
        Input::Named(text) => named(text),
        Input::Tools(text, format) => tools(text, ToolOptions::format(format)),
        Input::ToolFormat(text) => {
            let format = Source::new("my.json", text);
            let mut options = ToolOptions::default();
            options.format = Some(FormatSource::Text(format));
            tools(EXAMPLE_TOOLS, options)
        }
        Input::Tag(format) => {
            let text = tag_of(format);
            read(
                Kind::StructuralTag,
                "tag.json",
                &text,
                SchemaOptions::default(),
            )
        }
        Input::NamedTag(format) => named_tag(format),
        Input::PedanticEbnf(text) => {
            let source = Source::new("grammar.ebnf", text);
            pedantic(&GrammarText::source(Kind::Ebnf, source))
        }
        Input::PedanticTools(text, format) => {
            let text = GrammarText::source(Kind::Tools, Source::new("tools.json", text));
            pedantic(&text.tool_options(ToolOptions::format(format)))
        }
        Input::CompiledTag(format) => compiled_tag(format),
        Input::Lenient(text, keyword) => {
            let lenient = vec![keyword.to_owned()];
            let options = SchemaOptions::default().lenient(lenient);
            read(Kind::JsonSchema, "schema.json", text, options)
        }
        Input::Styled(text, style) => {
            let options = SchemaOptions::default().style(style.parse().expect("a style"));
            read(Kind::JsonSchema, "schema.json", text, options)
        }
        Input::Compiled(text, lacks) => compiled(text, all_bytes_but(lacks), &Options::default()),
        Input::Depth(text, depth) => {
            let source = Source::new("grammar.ebnf", text);
            let parsed = ebnf::parse(&source, &Default::default()).unwrap();
            let vocabulary = Vocabulary::from_tokens(all_bytes_but(&[]), Vec::new());
            let compiled = compile(&parsed.grammar, &vocabulary, &Options::default()).unwrap();
            let wrong = compiled.report().depths().check(depth);
            (vec![wrong.unwrap_err()], None)
        }
        Input::Deterministic(text) => {
            let source = Source::new("grammar.ebnf", text);
            let parsed = ebnf::parse(&source, &Default::default()).unwrap();
            let options = Options::default().deterministic(true);
            let automaton = Automaton::new(&parsed.grammar, &options).unwrap();
            let error = automaton
                .check_stacks(&parsed.grammar, &options)
                .unwrap_err();
            (error.diagnostics().to_vec(), Some(source.into()))
        }
        Input::Ambiguous(text) => {
            let source = Source::new("grammar.ebnf", text);
            let parsed = ebnf::parse(&source, &Default::default()).unwrap();
            let limits = Limits::default();
            let found =
                nondeterminism::ambiguous(&parsed.grammar, &limits, &Deadline::start(&limits));
            (found.into_iter().collect(), Some(source.into()))
        }
        Input::Large => compiled(&large_grammar(), words(), &Options::default()),
        Input::Vocabulary(name) => of_error(
            Vocabulary::named(name)
                .map(|_| ())
                .map_err(Error::from)
                .unwrap_err(),
        ),
        Input::Tokenizer(file) => {
            let vocabulary = Vocabulary::from_hugging_face(file.as_bytes()).unwrap();
            (vocabulary.warnings(), None)
        }
        Input::Build => of_error(Builder::new().emit("grammars.rs").unwrap_err()),
    }
}

fn compile(
    grammar: &Grammar,
    vocabulary: &Vocabulary,
    options: &Options,
) -> Result<Compiled, Error> {
    let compiler = Compiler::new(vocabulary)?;
    compiler.with_options(options.clone()).compile(grammar)
}

/// What reading and compiling say of a grammar that names tokens.
fn named(text: &str) -> (Vec<Diagnostic>, Option<Sources>) {
    let mut tokens = all_bytes_but(&[]);
    tokens.extend([b"twice".to_vec(), b"twice".to_vec(), Vec::new()]);
    let end = tokens.len() as u32 - 1;
    let vocabulary = Vocabulary::from_tokens(tokens, vec![end]);
    let vocabulary = vocabulary.with_special([(end, "<|end|>".to_owned())]);
    let source = Source::new("grammar.ebnf", text);
    let options = ParseOptions::default().tokens(TokenNames::of(Arc::new(vocabulary.clone())));
    let read = ebnf::parse(&source, &options);
    let made = read.and_then(|read| {
        let compiled = compile(&read.grammar, &vocabulary, &Options::default());
        let compiled = compiled.map_err(|error| read.locate(error))?;
        Ok([&read.warnings, compiled.warnings()].concat())
    });
    match made {
        Ok(warnings) => (warnings, Some(source.into())),
        Err(error) => (error.diagnostics().to_vec(), Some(source.into())),
    }
}

/// What compiling says of a grammar and tokens.
fn compiled(
    text: &str,
    mut tokens: Vec<Vec<u8>>,
    options: &Options,
) -> (Vec<Diagnostic>, Option<Sources>) {
    let source = Source::new("grammar.ebnf", text);
    let parsed = ebnf::parse(&source, &Default::default()).unwrap();
    let end = tokens.len() as u32;
    tokens.push(Vec::new());
    let vocabulary = Vocabulary::from_tokens(tokens, vec![end]);
    match compile(&parsed.grammar, &vocabulary, options) {
        Ok(compiled) => (compiled.warnings().to_vec(), Some(source.into())),
        Err(error) => (error.diagnostics().to_vec(), Some(source.into())),
    }
}

/// What reading says of a structural tag's format where `<|channel|>` is a control token.
fn named_tag(format: &str) -> (Vec<Diagnostic>, Option<Sources>) {
    let vocabulary = Vocabulary::from_tokens(vec![Vec::new()], Vec::new());
    let vocabulary = vocabulary.with_special([(0, "<|channel|>".to_owned())]);
    let source = Source::new("tag.json", tag_of(format));
    let text = GrammarText::source(Kind::StructuralTag, source);
    said(&text.tokens(TokenNames::of(Arc::new(vocabulary))))
}

/// What is said of a text to those who ask for more warnings.
fn pedantic(text: &GrammarText) -> (Vec<Diagnostic>, Option<Sources>) {
    let parsed = text.parse(&Limits::default()).unwrap();
    let warnings = parsed.pedantic_warnings(&Limits::default());
    (warnings, Some(parsed.sources))
}

/// What compiling says of a structural tag's format.
fn compiled_tag(format: &str) -> (Vec<Diagnostic>, Option<Sources>) {
    let source = Source::new("tag.json", tag_of(format));
    let text = GrammarText::source(Kind::StructuralTag, source.clone());
    let parsed = text.parse(&Limits::default()).unwrap();
    let vocabulary = Vocabulary::from_tokens(all_bytes_but(&[]), Vec::new());
    let error = compile(&parsed.grammar, &vocabulary, &Options::default()).unwrap_err();
    (error.diagnostics().to_vec(), Some(source.into()))
}

/// A token for each byte but these.
fn all_bytes_but(lacks: &[u8]) -> Vec<Vec<u8>> {
    let bytes = (0..=255u8).filter(|byte| !lacks.contains(byte));
    bytes.map(|byte| vec![byte]).collect()
}

/// All words of one to four of the letters a to t, and the parentheses.
fn words() -> Vec<Vec<u8>> {
    let letters = || b'a'..=b't';
    let mut words = vec![vec![b'('], vec![b')'], Vec::new()];
    let mut from = 2;
    for _ in 0..4 {
        let until = words.len();
        for at in from..until {
            let longer = |letter| [words[at].as_slice(), &[letter]].concat();
            words.extend(letters().map(longer).collect::<Vec<_>>());
        }
        from = until;
    }
    words.remove(2);
    words
}

/// A rule of many letters, each of another class.
fn large_grammar() -> String {
    let class = |at: u8| {
        format!(
            " [{}-{}]",
            (b'a' + at % 7) as char,
            (b'h' + at % 11) as char
        )
    };
    let word: String = (0..60).map(class).collect();
    format!("root ::= item\n\nitem ::= \"(\" (item | word) \")\"\n\n\nword ::={word}\n")
}

/// What reading says of a text.
fn read(
    kind: Kind,
    name: &str,
    text: &str,
    options: SchemaOptions,
) -> (Vec<Diagnostic>, Option<Sources>) {
    said(&GrammarText::source(kind, Source::new(name, text)).schema_options(options))
}

fn said(text: &GrammarText) -> (Vec<Diagnostic>, Option<Sources>) {
    match text.parse(&Limits::default()) {
        Ok(parsed) => (parsed.warnings, Some(parsed.sources)),
        Err(error) => (error.diagnostics().to_vec(), error.sources().cloned()),
    }
}

/// The section of an example, or what is wrong with it.
fn section(example: &Example) -> Result<String, String> {
    let Example { code, meaning, .. } = example;
    let (diagnostics, sources) = diagnostics(&example.input);
    let found = diagnostics.iter().find(|found| found.code() == *code);
    let found = found.ok_or_else(|| format!("{code}: {diagnostics:?}"))?;
    let drawn = found.render(sources.as_ref(), false);
    let placeless =
        matches!(example.input, Input::Build | Input::Vocabulary(_)) || *code == "token-or-text";
    let global = GLOBAL.contains(code);
    if found.way_out().is_none() || found.span().is_none() && !placeless && !global {
        return Err(format!("neither place nor way out: {drawn}"));
    }
    let kind = match found.severity() {
        Severity::Warning => "Warning",
        _ => "Error",
    };
    Ok(format!(
        "### `{code}`\n\n{kind}. {meaning}\n\n```text\n{drawn}\n```\n"
    ))
}

#[test]
fn every_code_has_an_example_that_is_documented() {
    let shown: BTreeSet<&str> = examples().map(|example| example.code).collect();
    let expected: BTreeSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    let expected: BTreeSet<&str> = &expected - &WITHOUT_EXAMPLE.into();
    assert_eq!(shown, expected, "each code has an example");

    let mut sorted: Vec<&Example> = examples().collect();
    sorted.sort_by_key(|example| example.code);
    let sections: Vec<Result<String, String>> = sorted.into_iter().map(section).collect();
    let wrong: Vec<&String> = sections.iter().filter_map(|s| s.as_ref().err()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let sections: Vec<String> = sections.into_iter().flatten().collect();
    let made = format!("{}\n{}", HEAD, sections.join("\n"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/diagnostics.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        written, made,
        "docs/diagnostics.md is not up to date: run this test with UPDATE_DOCS=1 and look at what changes"
    );
}

#[test]
fn the_source_uses_every_code() {
    let used = ::regex::Regex::new(r"\bCode::[A-Z]\w+").unwrap();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![crates.join("../src")];
    let mut seen = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let text = text.split("#[cfg(test)]").next().unwrap_or_default();
            seen.extend(used.find_iter(text).map(|found| found.as_str().to_owned()));
        }
    }
    let unused = Code::ALL.iter().map(|code| format!("Code::{code:?}"));
    let unused: Vec<String> = unused.filter(|code| !seen.contains(code)).collect();
    assert!(unused.is_empty(), "no stage makes them: {unused:?}");
}
