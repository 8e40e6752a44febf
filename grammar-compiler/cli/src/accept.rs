//! `maskwright accept`: whether inputs are sentences, and where they stop being the beginning of
//! one.

use crate::failure::{Failure, Outcome};
use crate::output;
use crate::read;
use crate::verdict::{JudgeArgs, Verdict};
use serde::Serialize;
use std::path::PathBuf;

/// `maskwright accept`.
#[derive(clap::Args)]
pub struct AcceptArgs {
    /// Inputs, each a whole text. Without any, and without --file, standard input is one.
    inputs: Vec<String>,
    /// A file that is one input, byte by byte; may be given several times.
    #[arg(long, value_name = "FILE")]
    file: Vec<PathBuf>,
    /// Take each line of the files, or of standard input, as an input.
    #[arg(long)]
    lines: bool,
    /// Say of each input that is refused what was expected there.
    #[arg(long)]
    explain: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    judge: JudgeArgs,
}

#[derive(Serialize)]
struct AcceptReport {
    /// The frames that each input had room for.
    depth: usize,
    accepted: usize,
    refused: usize,
    inputs: Vec<Verdict>,
}

/// Runs the command.
pub fn run(args: &AcceptArgs) -> Result<Outcome, Failure> {
    let inputs = inputs(args)?;
    let mut judge = args.judge.judge(args.json)?;
    let verdicts = inputs.iter();
    let verdicts = verdicts.map(|input| judge.verdict(input, args.explain));
    let verdicts: Vec<Verdict> = verdicts.collect::<Result<_, Failure>>()?;
    let accepted = verdicts.iter().filter(|verdict| verdict.accepted).count();
    let report = AcceptReport {
        depth: judge.depth,
        accepted,
        refused: verdicts.len() - accepted,
        inputs: verdicts,
    };
    if args.json {
        output::print_json(&report)?;
    } else {
        let mut inputs = report.inputs.iter();
        inputs.try_for_each(|verdict| verdict.print(""))?;
    }
    Ok(Outcome::good_if(report.refused == 0))
}

fn inputs(args: &AcceptArgs) -> Result<Vec<Vec<u8>>, Failure> {
    let mut inputs: Vec<Vec<u8>> = args
        .inputs
        .iter()
        .map(|text| text.clone().into_bytes())
        .collect();
    let mut files = args.file.clone();
    if inputs.is_empty() && files.is_empty() {
        files.push("-".into());
    }
    for file in &files {
        let content = read::read(file)?;
        if args.lines {
            inputs.extend(read::lines(&content).map(<[u8]>::to_vec));
        } else {
            inputs.push(content);
        }
    }
    Ok(inputs)
}
