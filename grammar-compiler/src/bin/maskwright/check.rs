//! `maskwright check`: a grammar's errors and warnings.

use crate::failure::{Failure, Outcome};
use crate::input::GrammarArgs;
use crate::output;
use maskwright_compiler::error::{Diagnostic, Severity};
use maskwright_compiler::source::Source;
use serde::Serialize;

/// `maskwright check`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    grammar: GrammarArgs,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Count warnings as errors.
    #[arg(long)]
    deny_warnings: bool,
}

#[derive(Serialize)]
struct Report {
    ok: bool,
    rules: usize,
    errors: Vec<Entry>,
    warnings: Vec<Entry>,
}

/// A diagnostic as it is printed.
#[derive(Serialize)]
pub struct Entry {
    code: &'static str,
    /// What is wrong.
    pub message: String,
    /// From 1, if the diagnostic has a place.
    line: Option<usize>,
    /// In characters, from 1.
    column: Option<usize>,
    help: Option<String>,
    #[serde(skip)]
    drawn: String,
}

impl Entry {
    /// `diagnostic` in `source`.
    pub fn new(diagnostic: &Diagnostic, source: Option<&Source>) -> Self {
        let position = diagnostic
            .span()
            .zip(source)
            .map(|(span, source)| source.position(span.start));
        Entry {
            code: diagnostic.code(),
            message: diagnostic.message().to_owned(),
            line: position.map(|position| position.line),
            column: position.map(|position| position.column),
            help: diagnostic.way_out().map(str::to_owned),
            drawn: diagnostic.render(source, false),
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Outcome, Failure> {
    let (mut errors, mut warnings, mut rules) = (Vec::new(), Vec::new(), 0);
    match args.grammar.load() {
        Ok(loaded) => {
            rules = loaded.grammar.rules.len();
            warnings.extend(
                loaded
                    .warnings
                    .iter()
                    .map(|(warning, source)| Entry::new(warning, source.as_ref())),
            );
        }
        Err(Failure::Grammar(error)) => {
            for diagnostic in error.diagnostics() {
                let entry = Entry::new(diagnostic, error.source_text());
                let list = if diagnostic.severity() == Severity::Error {
                    &mut errors
                } else {
                    &mut warnings
                };
                list.push(entry);
            }
        }
        Err(failure) => return Err(failure),
    }
    let ok = errors.is_empty() && (warnings.is_empty() || !args.deny_warnings);
    let report = Report {
        ok,
        rules,
        errors,
        warnings,
    };
    if args.json {
        output::print_json(&report)?
    } else {
        print(&report)?
    }
    Ok(Outcome::good_if(ok))
}

fn print(report: &Report) -> Result<(), Failure> {
    for entry in report.errors.iter().chain(&report.warnings) {
        output::print_line(&format!("{}\n", entry.drawn))?;
    }
    let (errors, warnings) = (report.errors.len(), report.warnings.len());
    output::print_line(&format!(
        "{} rules, {errors} errors, {warnings} warnings",
        report.rules
    ))
}
