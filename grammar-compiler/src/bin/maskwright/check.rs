//! `maskwright check`: a grammar's errors and warnings.

use crate::diagnostic::Entry;
use crate::failure::{Failure, Outcome};
use crate::input::GrammarArgs;
use crate::output::{self, Stream};
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

/// Runs the command.
pub fn run(args: &Args) -> Result<Outcome, Failure> {
    let colour = output::colour(Stream::Out);
    let (errors, warnings, rules) = match args.grammar.load() {
        Ok(loaded) => (
            Vec::new(),
            loaded.entries(colour),
            loaded.grammar.rules.len(),
        ),
        Err(Failure::Grammar(error)) => {
            let (errors, warnings) = Entry::of_error(&error, colour);
            (errors, warnings, 0)
        }
        Err(failure) => return Err(failure),
    };
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
