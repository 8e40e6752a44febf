//! `maskwright check`: a grammar's errors and warnings, how many stacks it needs, and a text with
//! two readings if one is found.

use crate::diagnostic::DiagnosticEntry;
use crate::failure::{Failure, Outcome};
use crate::input::{GrammarArgs, Loaded, OptionalVocabularyArgs};
use crate::output::{self, Stream};
use crate::progress;
use maskwright_compiler::Automaton;
use maskwright_compiler::error::{Diagnostic, Error};
use maskwright_compiler::limits::Deadline;
use maskwright_compiler::nondeterminism;
use serde::Serialize;

/// `maskwright check`.
#[derive(clap::Args)]
pub struct CheckArgs {
    #[command(flatten)]
    vocabulary: OptionalVocabularyArgs,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Warn as well of what most grammars have and mean: digits without end; optional reasoning, if
    /// the prompt may have opened it.
    #[arg(long)]
    pedantic: bool,
    /// Count warnings as errors.
    #[arg(long)]
    deny_warnings: bool,
    #[command(flatten)]
    grammar: GrammarArgs,
}

#[derive(Serialize)]
struct CheckReport {
    ok: bool,
    rules: usize,
    /// The stacks of a matcher, if the grammar has an automaton.
    #[serde(flatten)]
    stacks: Option<StacksFound>,
    errors: Vec<DiagnosticEntry>,
    warnings: Vec<DiagnosticEntry>,
}

#[derive(Serialize)]
struct StacksFound {
    max_stacks: usize,
    /// Whether that is proved to be enough for every text.
    stacks_proved: bool,
}

/// Runs the command.
pub fn run(args: &CheckArgs) -> Result<Outcome, Failure> {
    let colour = output::colour(Stream::Out);
    let vocabulary = args.vocabulary.load()?;
    let mut stacks_found = None;
    let (errors, warnings, rules) = match args.grammar.load(vocabulary.as_ref()) {
        Ok(loaded) => {
            let (mut errors, mut warnings) = (Vec::new(), loaded.entries(colour));
            if args.pedantic {
                let pedantic = loaded.parsed.pedantic_warnings(args.grammar.limits());
                warnings.extend(loaded.all(&pedantic, colour));
            }
            match stacks(args, &loaded) {
                Ok(found) => {
                    let ambiguity = ambiguity(args, &loaded, &found);
                    stacks_found = Some(found);
                    warnings.extend(loaded.all(ambiguity.as_slice(), colour));
                }
                Err(error) => errors = DiagnosticEntry::of_error(&loaded.locate(error), colour).0,
            }
            (errors, warnings, loaded.grammar().rules.len())
        }
        Err(Failure::Grammar(error)) => {
            let (errors, warnings) = DiagnosticEntry::of_error(&error, colour);
            (errors, warnings, 0)
        }
        Err(failure) => return Err(failure),
    };
    let ok = errors.is_empty() && (warnings.is_empty() || !args.deny_warnings);
    let report = CheckReport {
        ok,
        rules,
        stacks: stacks_found,
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

/// How many stacks a matcher needs.
fn stacks(args: &CheckArgs, loaded: &Loaded) -> Result<StacksFound, Error> {
    let options = args.grammar.options();
    let automaton = Automaton::new(loaded.grammar(), &options)?;
    automaton.check_stacks(loaded.grammar(), &options)?;
    let (max_stacks, stacks_proved) = automaton.stacks.of_matcher();
    Ok(StacksFound {
        max_stacks: max_stacks as usize,
        stacks_proved,
    })
}

/// Whether some short text has two readings. A regular expression has no rules to read it by. A
/// schema's rules are not its writer's, and are made so that each text has one reading; two are
/// looked for only where more than one stack says that they may not be.
fn ambiguity(args: &CheckArgs, loaded: &Loaded, stacks: &StacksFound) -> Option<Diagnostic> {
    let limits = args.grammar.limits();
    let find = || nondeterminism::ambiguous(loaded.grammar(), limits, &Deadline::start(limits));
    let is_one = stacks.stacks_proved && stacks.max_stacks == 1;
    (args.grammar.is_ebnf() || !is_one)
        .then(|| progress::during("looking for an ambiguous text", find))
        .flatten()
}

fn print(report: &CheckReport) -> Result<(), Failure> {
    for entries in [&report.errors, &report.warnings] {
        for drawn in DiagnosticEntry::shown(entries) {
            output::print_line(&format!("{drawn}\n"))?;
        }
    }
    let rules = output::count(report.rules, "rule");
    let errors = output::count(report.errors.len(), "error");
    let warnings = output::count(report.warnings.len(), "warning");
    let stacks = report.stacks.as_ref().map(|found| {
        let proved = if found.stacks_proved {
            "proved"
        } else {
            "a graph"
        };
        format!(", stacks: {} ({proved})", found.max_stacks)
    });
    output::print_line(&format!(
        "{rules}, {errors}, {warnings}{}",
        stacks.unwrap_or_default()
    ))
}
