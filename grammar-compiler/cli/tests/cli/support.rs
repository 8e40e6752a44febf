//! Running the binary in a folder of its own.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Nested lists of numbers.
pub const LISTS: &str =
    "root ::= list\nlist ::= \"[\" (item (\",\" item)*)? \"]\"\nitem ::= list | [0-9]+\n";
/// Tokens of two bytes and more in the vocabulary of [`Folder::new`]; their ids begin at 256.
pub const TOKENS: [&str; 5] = ["[[", "]]", "],[", "12", "é"];
/// The end token of that vocabulary.
pub const EOS: u32 = 256 + TOKENS.len() as u32;

/// What a run printed.
pub struct Run {
    /// The exit code.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Run {
    /// Standard output as JSON: one object on one line.
    pub fn json(&self) -> Value {
        assert_eq!(self.stdout.trim_end().lines().count(), 1, "{}", self.stdout);
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", self.stdout))
    }
}

/// A folder with a grammar `lists.ebnf` and a vocabulary `small.tiktoken`.
pub struct Folder(TempDir);

impl Folder {
    /// Makes the folder.
    pub fn new() -> Self {
        let folder = Folder(TempDir::new().unwrap());
        folder.write("lists.ebnf", LISTS);
        let bytes = (0..=255u8).map(|byte| vec![byte]);
        let tokens = bytes.chain(TOKENS.iter().map(|token| token.as_bytes().to_vec()));
        let lines = tokens
            .enumerate()
            .map(|(id, token)| format!("{} {id}\n", STANDARD.encode(token)));
        folder.write("small.tiktoken", lines.collect::<String>());
        folder
    }

    /// The path of a file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    /// Reads a file.
    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    /// Runs the binary in the folder.
    pub fn run(&self, args: &[&str]) -> Run {
        self.run_with_input(args, b"")
    }

    /// Runs the binary with something on standard input.
    pub fn run_with_input(&self, args: &[&str], input: &[u8]) -> Run {
        let mut child = Command::new(env!("CARGO_BIN_EXE_maskwright"))
            .args(args)
            .current_dir(self.0.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that reads nothing may have ended already.
        let _ = child.stdin.take().unwrap().write_all(input);
        let Output {
            status,
            stdout,
            stderr,
        } = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Run {
            code: status.code().unwrap(),
            stdout: text(stdout),
            stderr: text(stderr),
        }
    }

    /// Arguments that name the small vocabulary with its end token.
    pub fn vocabulary(&self) -> [&'static str; 6] {
        [
            "--vocab",
            "small.tiktoken",
            "--vocab-size",
            "262",
            "--eos",
            "261",
        ]
    }

    /// Runs a command on `lists.ebnf` and the small vocabulary.
    pub fn run_on_lists(&self, command: &str, args: &[&str]) -> Run {
        let mut all = vec![command, "--ebnf", "lists.ebnf"];
        all.extend(self.vocabulary());
        all.extend(args);
        self.run(&all)
    }
}

#[test]
fn the_vocabulary_is_as_its_arguments_say() {
    assert_eq!(Folder::new().vocabulary()[5], EOS.to_string());
    assert_eq!(Folder::new().vocabulary()[3], (EOS + 1).to_string());
}
