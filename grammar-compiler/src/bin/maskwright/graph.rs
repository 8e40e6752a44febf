//! `maskwright graph`: the pushdown automaton in Graphviz's language.

use crate::failure::{Failure, Outcome};
use crate::input::GrammarArgs;
use crate::{output, progress};
use maskwright_compiler::{automaton, dot};
use std::path::PathBuf;

/// `maskwright graph`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    grammar: GrammarArgs,
    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Outcome, Failure> {
    let loaded = args.grammar.load_and_warn()?;
    let options = args.grammar.limits.options();
    let automaton = progress::during("building the automaton", || {
        automaton(&loaded.grammar, &options)
    })?;
    output::write_to(args.output.as_deref(), dot::dot(&automaton).as_bytes())?;
    Ok(Outcome::Good)
}
