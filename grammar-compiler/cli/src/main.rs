//! The command line of Maskwright.
//!
//! In: a grammar, and for most commands a vocabulary. Out: what the command is for on standard
//! output, as text or with `--json` as one JSON object; progress and errors on standard error.
//!
//! Exit codes: 0 if all is well; 1 if a grammar or an input is refused, a case went wrong or a file
//! cannot be read or written; 2 if the command line itself is wrong.

mod accept;
mod beside;
mod check;
mod compile;
mod conform;
mod depth;
mod diagnostic;
mod failure;
mod formats;
mod graph;
mod init;
mod input;
mod limits;
mod mask;
mod matcher;
mod output;
mod progress;
mod read;
mod report;
mod schema;
mod settings;
mod spelling;
mod test;
mod tokens;
mod verdict;
mod vocab;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Compiles grammars into deterministic pushdown automata and exact token masks.
#[derive(Parser)]
#[command(name = "maskwright", version, about)]
#[command(
    after_help = "Exit codes: 0 all is well; 1 refused, or a case went wrong; 2 wrong usage."
)]
struct Cli {
    /// When to draw in colour.
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value = "auto"
    )]
    color: output::Colour,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Compile a grammar for a vocabulary, into binary tables or Rust code.
    Compile(compile::CompileArgs),
    /// Show a grammar's errors and warnings.
    Check(check::CheckArgs),
    /// Say whether inputs are sentences of a grammar.
    Accept(accept::AcceptArgs),
    /// Check a folder of texts: those that a grammar must accept, and those that it must not.
    Test(test::TestArgs),
    /// Show which tokens may come after a prefix.
    Mask(mask::MaskArgs),
    /// Show the size and the make of a compiled grammar.
    Report(report::ReportArgs),
    /// Draw a grammar's pushdown automaton: for Graphviz, or as SVG.
    Graph(graph::GraphArgs),
    /// Show what a vocabulary holds, and look up tokens.
    Vocab(vocab::VocabArgs),
    /// List the formats of tool calls, or show what one looks like.
    Formats(formats::FormatsArgs),
    /// Write a small project that decodes under a schema: in Rust or in Python.
    Init(init::InitArgs),
    /// Run a file of recorded cases.
    Conform(conform::ConformArgs),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    output::set_colour(cli.color);
    let result = match cli.command {
        Command::Compile(args) => compile::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Accept(args) => accept::run(&args),
        Command::Test(args) => test::run(&args),
        Command::Mask(args) => mask::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Graph(args) => graph::run(&args),
        Command::Vocab(args) => vocab::run(&args),
        Command::Formats(args) => formats::run(&args),
        Command::Init(args) => init::run(&args),
        Command::Conform(args) => conform::run(&args),
    };
    match result {
        Ok(failure::Outcome::Good) => ExitCode::SUCCESS,
        Ok(failure::Outcome::Bad) => ExitCode::from(1),
        Err(failure) => {
            eprintln!("{}", failure.drawn(output::colour(output::Stream::Err)));
            ExitCode::from(failure.exit_code())
        }
    }
}
