//! What the command line says of each example: to tools the code with file, line, column and help,
//! to people the excerpt.

use crate::examples::{Example, GLOBAL, Input, examples, tag_of};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Arguments that bring about an example in `folder`, if the command line can: a library's
/// vocabulary of 168,000 tokens is not written out, and a build script is none of its own.
fn arguments(input: &Input, folder: &Path) -> Option<Vec<String>> {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let ebnf = |text: &str| vec!["--ebnf".to_owned(), write("grammar.ebnf", text)];
    let schema = |text: &str| vec!["--schema".to_owned(), write("schema.json", text)];
    let tag = |format: &str| {
        let text = tag_of(format);
        vec!["--structural-tag".to_owned(), write("tag.json", &text)]
    };
    let tools = |text: &str, format: &str| {
        let tools = write("tools.json", text);
        let arguments = ["--tools", &tools, "--tool-format", format];
        arguments.map(str::to_owned).to_vec()
    };
    let pedantic = || vec!["--pedantic".to_owned()];
    let check = |rest: Vec<String>| [vec!["check".to_owned()], rest].concat();
    let report = |grammar: Vec<String>, lacks: &[u8], more: &[&str]| {
        let bytes = (0..=255u8).filter(|byte| !lacks.contains(byte));
        let line = |(id, byte)| format!("{} {id}\n", STANDARD.encode([byte]));
        let lines: String = bytes.enumerate().map(line).collect();
        let vocabulary = write("bytes.tiktoken", &lines);
        let rest = [&["--vocab", &vocabulary], more].concat();
        let rest = rest.into_iter().map(str::to_owned).collect();
        [vec!["report".into()], grammar, rest].concat()
    };
    Some(match *input {
        Input::Ebnf(text) | Input::Ambiguous(text) => check(ebnf(text)),
        Input::Deterministic(text) => check([ebnf(text), vec!["--deterministic".into()]].concat()),
        Input::Lark(text) => check(vec!["--lark".into(), write("grammar.lark", text)]),
        Input::Regex(pattern) => check(vec!["--regex".into(), pattern.into()]),
        Input::Schema(text) => check(schema(text)),
        Input::Tag(format) => check(tag(format)),
        Input::CompiledTag(format) => report(tag(format), &[], &[]),
        Input::PedanticEbnf(text) => check([ebnf(text), pedantic()].concat()),
        Input::Tools(text, format) => check(tools(text, format)),
        Input::PedanticTools(text, format) => check([tools(text, format), pedantic()].concat()),
        Input::ToolFormat(text) => check(vec!["--tool-format".into(), write("my.json", text)]),
        Input::Lenient(text, keyword) => {
            check([schema(text), vec!["--lenient".into(), keyword.into()]].concat())
        }
        Input::Styled(text, style) => {
            check([schema(text), vec!["--style".into(), style.into()]].concat())
        }
        Input::Compiled(text, lacks) => report(ebnf(text), lacks, &[]),
        Input::Depth(text, depth) => report(ebnf(text), &[], &["--depth", &depth.to_string()]),
        Input::Vocabulary(name) => ["report", "--regex", "a", "--vocab", name]
            .map(str::to_owned)
            .to_vec(),
        Input::Tokenizer(file) => vec!["vocab".into(), write("tokenizer.json", file)],
        Input::Large | Input::Build | Input::Named(_) | Input::NamedTag(_) | Input::Lonely(_) => {
            return None;
        }
    })
}

/// What is wrong with what the command line says, if anything.
fn check(example: &Example) -> Result<(), String> {
    let folder = tempfile::TempDir::new().unwrap();
    let Some(arguments) = arguments(&example.input, folder.path()) else {
        return Ok(());
    };
    let run = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_maskwright"));
        let output = command.args(&arguments).args(more).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        (text(output.stdout), text(output.stderr))
    };
    let (said, drawn) = run(&[]);
    let drawn = said + &drawn;
    if matches!(example.input, Input::Vocabulary(_)) {
        // No place: a vocabulary is not a text of the user's.
        return match drawn.contains("error: ") {
            true => Ok(()),
            false => Err(drawn),
        };
    }
    let (json, _) = run(&["--json"]);
    let json: Value = serde_json::from_str(&json).map_err(|error| format!("{error}: {json}"))?;
    let entries = ["errors", "warnings"].map(|key| json[key].as_array().cloned());
    let entries = entries.into_iter().flatten().flatten();
    let found = entries.into_iter().find(|e| e["code"] == example.code);
    let found = found.ok_or_else(|| format!("not among {json}"))?;
    let is_global = GLOBAL.contains(&example.code);
    let has_place = found["line"].is_u64() && found["column"].is_u64() && found["file"].is_string();
    if !found["help"].is_string() || !(has_place || is_global) {
        return Err(format!("neither place nor way out: {found}"));
    }
    let head = format!("[{}]: ", example.code);
    let place = format!(
        "{}:{}:{}",
        found["file"].as_str().unwrap_or_default(),
        found["line"],
        found["column"]
    );
    let is_drawn = drawn.contains(&head) && drawn.contains("= help: ");
    if !is_drawn || !(is_global || drawn.contains(&place) && drawn.contains('^')) {
        return Err(format!("not drawn with {place}: {drawn}"));
    }
    Ok(())
}

#[test]
fn the_command_line_says_each_with_its_place() {
    let said = |example: &Example| {
        let checked = check(example);
        checked.map_err(|problem| format!("{}: {problem}", example.code))
    };
    let wrong: Vec<String> = (examples())
        .filter_map(|example| said(example).err())
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
