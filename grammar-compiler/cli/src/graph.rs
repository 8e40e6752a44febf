//! `maskwright graph`: the pushdown automaton in Graphviz's language, or as a picture.

use crate::failure::{Failure, Outcome};
use crate::input::{GrammarArgs, OptionalVocabularyArgs};
use crate::{output, progress};
use maskwright_cli::drawing::{Drawing, dot, svg};
use maskwright_compiler::Automaton;
use std::path::{Path, PathBuf};

/// `maskwright graph`.
#[derive(clap::Args)]
pub struct GraphArgs {
    #[command(flatten)]
    vocabulary: OptionalVocabularyArgs,
    /// Draw it as SVG into this file; `-` is standard output.
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    svg: Option<PathBuf>,
    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    grammar: GrammarArgs,
}

/// Runs the command.
pub fn run(args: &GraphArgs) -> Result<Outcome, Failure> {
    let loaded = args
        .grammar
        .load_and_warn(args.vocabulary.load()?.as_ref())?;
    let options = args.grammar.options();
    let automaton = progress::during("building the automaton", || {
        Automaton::new(loaded.grammar(), &options)
    })?;
    let drawing = Drawing::new(&automaton);
    match &args.svg {
        Some(path) => {
            let path = Some(path.as_path()).filter(|path| *path != Path::new("-"));
            output::write_to(path, svg::svg(&drawing).as_bytes())?;
        }
        None => output::write_to(args.output.as_deref(), dot::dot(&drawing).as_bytes())?,
    }
    Ok(Outcome::Good)
}
