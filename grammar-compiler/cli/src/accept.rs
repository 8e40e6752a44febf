//! `maskwright accept`: whether inputs are sentences, and where they stop being the beginning of
//! one.

use crate::depth::DepthArgs;
use crate::failure::{Failure, Outcome};
use crate::input::{self, GrammarArgs, OptionalVocabularyArgs};
use crate::matcher::{self, matcher};
use crate::output::{self, quoted};
use crate::read;
use crate::tokens::{self, Cutter, Piece, TokenArgs};
use maskwright_core::{AcceptError, OwnedMatcher};
use serde::Serialize;
use std::path::PathBuf;

/// `maskwright accept`.
#[derive(clap::Args)]
pub struct AcceptArgs {
    #[command(flatten)]
    grammar: GrammarArgs,
    #[command(flatten)]
    vocabulary: OptionalVocabularyArgs,
    #[command(flatten)]
    tokens: TokenArgs,
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
    #[command(flatten)]
    depth: DepthArgs,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct AcceptReport {
    /// The frames that each input had room for.
    depth: usize,
    accepted: usize,
    refused: usize,
    inputs: Vec<Verdict>,
}

#[derive(Serialize)]
struct Verdict {
    /// The input; bytes that are not UTF-8 are escaped.
    input: String,
    #[serde(skip)]
    quoted: String,
    bytes: usize,
    accepted: bool,
    /// Offset of the first byte, or of the name of the first token, with which the input is no
    /// longer the beginning of a sentence.
    refused_at: Option<usize>,
    /// The token that was refused there, with --tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused_token: Option<u32>,
    /// Why it was refused, where the grammar is not the reason.
    reason: Option<String>,
    /// What was expected where it was refused, or where it ends too early, with --explain.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<String>,
}

/// Runs the command.
pub fn run(args: &AcceptArgs) -> Result<Outcome, Failure> {
    let inputs = inputs(args)?;
    let given = args.vocabulary.load()?;
    let cutter = args.tokens.cutter(given.as_ref());
    // Without a vocabulary, a grammar that names tokens is refused.
    let loaded = args.grammar.load_and_warn(given.as_ref());
    let loaded = loaded.map_err(output::for_tools(args.json))?;
    let vocabulary = given.unwrap_or_else(input::byte_vocabulary);
    let compiled = args.grammar.compile_loaded(&loaded, &vocabulary, None);
    let compiled = compiled.map_err(output::for_tools(args.json))?;
    let grammar = matcher::grammar(compiled.tables(), &matcher::vocabulary(&vocabulary)?)?;
    let depth = args.depth.frames(compiled.report().depths());
    let depth = depth.map_err(output::for_tools(args.json))?;
    let mut matcher = matcher(&grammar, depth)?;
    let verdicts = inputs.iter();
    let verdicts = verdicts.map(|input| {
        let mut verdict = verdict(&mut matcher, &cutter, depth, input)?;
        verdict.expected = (args.explain && !verdict.accepted)
            .then(|| expected(&matcher, &verdict, input))
            .flatten();
        Ok(verdict)
    });
    let verdicts: Vec<Verdict> = verdicts.collect::<Result<_, Failure>>()?;
    let accepted = verdicts.iter().filter(|verdict| verdict.accepted).count();
    let report = AcceptReport {
        depth,
        accepted,
        refused: verdicts.len() - accepted,
        inputs: verdicts,
    };
    if args.json {
        output::print_json(&report)?;
    } else {
        report.inputs.iter().try_for_each(print)?;
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
            let content = content.strip_suffix(b"\n").unwrap_or(&content);
            inputs.extend(content.split(|&byte| byte == b'\n').map(<[u8]>::to_vec));
        } else {
            inputs.push(content);
        }
    }
    Ok(inputs)
}

fn verdict(
    matcher: &mut OwnedMatcher,
    cutter: &Cutter,
    depth: usize,
    input: &[u8],
) -> Result<Verdict, Failure> {
    matcher.reset();
    let refused = tokens::accept(matcher, &cutter.pieces(input)?);
    let reason = refused.filter(|(_, _, error)| *error != AcceptError::NotAllowed);
    let is_whole = matcher.is_complete() || matcher.is_finished();
    Ok(Verdict {
        input: output::text(input),
        quoted: quoted(input),
        bytes: input.len(),
        accepted: refused.is_none() && is_whole,
        refused_at: refused.map(|(at, _, _)| at),
        refused_token: refused.and_then(|(_, piece, _)| match piece {
            Piece::Token(id) => Some(id),
            Piece::Byte(_) => None,
        }),
        reason: reason.map(|(_, _, error)| match error {
            AcceptError::TooDeep => format!("{error}, {depth}: see --depth"),
            _ => error.to_string(),
        }),
        expected: None,
    })
}

/// What was expected at the point that the matcher has come to.
fn expected(matcher: &OwnedMatcher, verdict: &Verdict, input: &[u8]) -> Option<String> {
    let rest = input.get(verdict.refused_at.unwrap_or(input.len())..)?;
    let refusal = match verdict.refused_token {
        Some(id) => matcher.explain_token(id),
        // No text goes on with a byte that UTF-8 does not have.
        None if rest.is_empty() => matcher.explain_bytes(b"\xff"),
        None => matcher.explain_bytes(rest),
    };
    Some(refusal?.expected().to_string())
}

fn print(verdict: &Verdict) -> Result<(), Failure> {
    let token = verdict.refused_token.map(|id| format!(", token {id}"));
    let outcome = match (verdict.accepted, verdict.refused_at) {
        (true, _) => "accepted".to_owned(),
        (false, Some(at)) => format!("refused at byte {at}{}", token.unwrap_or_default()),
        (false, None) => format!("incomplete after {} bytes", verdict.bytes),
    };
    let reason = verdict
        .reason
        .as_ref()
        .map(|reason| format!(" ({reason})"))
        .unwrap_or_default();
    output::print_line(&format!("{outcome}{reason}: {}", verdict.quoted))?;
    match &verdict.expected {
        Some(expected) => output::print_line(&format!("  {expected}")),
        None => Ok(()),
    }
}
