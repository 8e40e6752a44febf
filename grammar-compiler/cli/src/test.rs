//! `maskwright test`: a folder of texts that a grammar must accept, and of texts that it must not.
//!
//! In: `FOLDER/accept` and `FOLDER/reject`, with folders in them or without. Out: each text that
//! fails, with the byte at which it does. What holds: each file is a text, or with the ending
//! `.lines` a text for each line; nothing but hidden files is passed over.

use crate::failure::{Failure, Outcome};
use crate::output;
use crate::read;
use crate::verdict::{Judge, JudgeArgs, Verdict};
use maskwright_compiler::file;
use serde::Serialize;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What the grammar must do with the texts of a folder.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Must {
    Accept,
    Reject,
}

/// The folders.
const FOLDERS: [(&str, Must); 2] = [("accept", Must::Accept), ("reject", Must::Reject)];
/// The ending of files with a text for each line.
const LINES: &str = "lines";

/// `maskwright test`.
#[derive(clap::Args)]
pub struct TestArgs {
    /// A folder with the folders `accept` and `reject`, or one of them. Each file in them is a text;
    /// in a file that ends with `.lines` each line is one.
    folder: PathBuf,
    /// Take a line feed at the end of a file as a part of its text. Otherwise one is left out, since
    /// editors write it.
    #[arg(long)]
    exact: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    judge: JudgeArgs,
}

#[derive(Serialize)]
struct TestReport {
    /// The frames that each text had room for.
    depth: usize,
    passed: usize,
    failed: usize,
    /// The texts that fail.
    failures: Vec<Failed>,
}

/// A text of the folder.
struct Text {
    path: PathBuf,
    /// From 1, in a file with a text for each line.
    line: Option<usize>,
    content: Vec<u8>,
    must: Must,
}

#[derive(Serialize)]
struct Failed {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    must: Must,
    #[serde(flatten)]
    verdict: Verdict,
}

/// Runs the command.
pub fn run(args: &TestArgs) -> Result<Outcome, Failure> {
    let texts = texts(args)?;
    let mut judge = args.judge.judge(args.json)?;
    let failures = texts.iter().map(|text| failed(&mut judge, text));
    let failures: Vec<Failed> = failures
        .filter_map(Result::transpose)
        .collect::<Result<_, _>>()?;
    let report = TestReport {
        depth: judge.depth,
        passed: texts.len() - failures.len(),
        failed: failures.len(),
        failures,
    };
    if args.json {
        output::print_json(&report)?;
    } else {
        report.failures.iter().try_for_each(print)?;
        let (passed, all) = (report.passed, texts.len());
        output::print_line(&format!("{passed} of {all} texts as they must be"))?;
    }
    Ok(Outcome::good_if(report.failed == 0))
}

/// The text, if the grammar does not say of it what its folder says.
fn failed(judge: &mut Judge, text: &Text) -> Result<Option<Failed>, Failure> {
    let must_be_accepted = text.must == Must::Accept;
    let verdict = judge.verdict(&text.content, must_be_accepted)?;
    Ok((verdict.accepted != must_be_accepted).then(|| Failed {
        path: text.path.display().to_string(),
        line: text.line,
        must: text.must,
        verdict,
    }))
}

fn print(failed: &Failed) -> Result<(), Failure> {
    let line = failed.line.map(|line| format!(":{line}"));
    let place = format!("{}{}: ", failed.path, line.unwrap_or_default());
    failed.verdict.print(&place)
}

/// The texts of the folder, in the order of their paths.
fn texts(args: &TestArgs) -> Result<Vec<Text>, Failure> {
    check_names(&args.folder)?;
    let mut texts = Vec::new();
    for (name, must) in FOLDERS {
        let folder = args.folder.join(name);
        if folder.is_dir() {
            add_texts(args, &folder, must, &mut texts)?;
        }
    }
    if texts.is_empty() {
        let why = "there is no file in `accept` or in `reject`";
        return Err(Failure::NoCase(
            args.folder.display().to_string(),
            why.into(),
        ));
    }
    Ok(texts)
}

/// Refuses a folder in which a name is probably mistyped: its texts would be passed over.
fn check_names(folder: &Path) -> Result<(), Failure> {
    for path in entries(folder)? {
        let is_known = FOLDERS.iter().any(|(name, _)| path.ends_with(name));
        if !is_known || !path.is_dir() {
            let error = io::Error::other("texts belong into the folders `accept` and `reject`");
            return Err(Failure::file(&path)(error));
        }
    }
    Ok(())
}

fn add_texts(
    args: &TestArgs,
    folder: &Path,
    must: Must,
    texts: &mut Vec<Text>,
) -> Result<(), Failure> {
    for path in entries(folder)? {
        if path.is_dir() {
            add_texts(args, &path, must, texts)?;
            continue;
        }
        let content = file::read(&path, file::MAX_BYTES).map_err(Failure::file(&path))?;
        let text = |line, content: &[u8]| Text {
            path: path.clone(),
            line,
            content: content.to_vec(),
            must,
        };
        if path.extension().is_some_and(|ending| ending == LINES) {
            let lines = (1..).zip(read::lines(&content));
            texts.extend(lines.map(|(number, line)| text(Some(number), line)));
        } else {
            let without = content.strip_suffix(b"\n").filter(|_| !args.exact);
            texts.push(text(None, without.unwrap_or(&content)));
        }
    }
    Ok(())
}

/// What a folder holds besides hidden files, in the order of names.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(Failure::file(folder))?;
    let mut paths = Vec::new();
    for entry in entries {
        let entry = entry.map_err(Failure::file(folder))?;
        if !entry.file_name().as_encoded_bytes().starts_with(b".") {
            paths.push(entry.path());
        }
    }
    paths.sort();
    Ok(paths)
}
