//! The commands that README.md and docs show are run as they stand there, by a shell.

use crate::conform::{row, write_gz};
use crate::support::Folder;
use maskwright_document_scripts::documents;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder with the files that the documents name. A vocabulary is known by its content, so one
/// file has all names.
fn folder() -> Folder {
    let folder = Folder::new();
    let files = root().join("tests/documents");
    let copy = |from: &str, to: &str| {
        folder.write(to, std::fs::read(files.join(from)).unwrap());
    };
    copy("json.ebnf", "json.ebnf");
    std::fs::create_dir_all(folder.path("examples/json-decode")).unwrap();
    copy("json.ebnf", "examples/json-decode/json.ebnf");
    copy("calc.lark", "calc.lark");
    copy("tools.json", "tools.json");
    std::fs::create_dir_all(folder.path("schemas")).unwrap();
    for schema in [
        "person.json",
        "schemas/person.json",
        "search.json",
        "mail.json",
    ] {
        copy("schemas/person.json", schema);
    }
    for vocabulary in ["tokenizer.json", "model.gguf"] {
        copy("tokenizer.json", vocabulary);
    }
    folder.write("tokenizer.model", folder.read("small.tiktoken"));
    folder.write("special.json", r#"["<|end_of_text|>"]"#);
    write_gz(&folder, "cases.jsonl.gz", &[row("regex", "a+", "aa", true)]);
    folder
}

/// The lines of a block if they are commands of this program, without the `$` of a console.
fn script(text: &str) -> Option<String> {
    let lines = text
        .lines()
        .map(|line| line.strip_prefix("$ ").unwrap_or(line));
    let script: Vec<&str> = lines.collect();
    let is_ours = script.iter().any(|line| line.starts_with("maskwright "));
    is_ours.then(|| script.join("\n"))
}

#[cfg(unix)]
#[test]
fn the_commands_of_the_documents_succeed() {
    let binary = Path::new(env!("CARGO_BIN_EXE_maskwright"))
        .parent()
        .unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", binary.display());
    let folder = folder();
    let blocks = documents::all_blocks(&root()).unwrap();
    let tag = |name: &str| name.starts_with("structural-tags.");
    let tag = blocks.iter().find(|b| b.info == "json" && tag(&b.name));
    folder.write("lights.json", &tag.unwrap().text);
    let recipe = |name: &str| name.starts_with("tutorial-writing-a-grammar.");
    let recipe = blocks.iter().find(|b| b.info == "ebnf" && recipe(&b.name));
    folder.write("recipe.ebnf", &recipe.unwrap().text);
    std::fs::create_dir_all(folder.path("lists/accept")).unwrap();
    folder.write("lists/accept/nested.txt", "[[1],2]");

    let mut run = 0;
    for block in &blocks {
        let shell = ["sh", "console"].contains(&block.info.as_str());
        let Some(script) = script(&block.text).filter(|_| shell) else {
            continue;
        };
        let output = Command::new("sh")
            .args(["-e", "-c", &script])
            .current_dir(folder.path(""))
            .env("PATH", &path)
            .output()
            .unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "{}: {script}\n{message}",
            block.name
        );
        run += 1;
    }
    assert!(run >= 7, "only {run} blocks have commands");
}
