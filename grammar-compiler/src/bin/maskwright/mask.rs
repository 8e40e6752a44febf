//! `maskwright mask`: the tokens that may come after a prefix.

use crate::failure::{Failure, Outcome};
use crate::input::{GrammarArgs, VocabularyArgs};
use crate::matcher::matcher;
use crate::output::{self, quoted};
use serde::Serialize;

/// `maskwright mask`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    grammar: GrammarArgs,
    #[command(flatten)]
    vocabulary: VocabularyArgs,
    /// The text so far.
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    prefix: String,
    /// Show at most this many tokens.
    #[arg(long, value_name = "COUNT", default_value_t = 50)]
    limit: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    prefix: String,
    /// Is the prefix a sentence, so that an end token may come?
    complete: bool,
    allowed: usize,
    vocab_size: u32,
    /// The allowed end tokens.
    eos: Vec<u32>,
    /// The first allowed tokens that are text, by id.
    tokens: Vec<Token>,
}

#[derive(Serialize)]
struct Token {
    id: u32,
    /// The token's bytes; those that are not UTF-8 are escaped.
    text: String,
    #[serde(skip)]
    quoted: String,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Outcome, Failure> {
    let vocabulary = args.vocabulary.load()?;
    let compiled = args.grammar.compile(&vocabulary);
    let compiled = compiled.map_err(|failure| failure.for_tools(args.json))?;
    let grammar = compiled
        .grammar()
        .map_err(|error| Failure::Matcher(error.to_string()))?;
    let mut matcher = matcher(&grammar)?;
    for (at, byte) in args.prefix.bytes().enumerate() {
        if let Err(error) = matcher.accept_bytes(&[byte]) {
            return Err(Failure::Matcher(format!(
                "the prefix is refused at byte {at}: {error}"
            )));
        }
    }
    let mask = matcher.mask();
    let is_eos = |id: &u32| vocabulary.eos().binary_search(id).is_ok();
    let text = mask.iter().filter(|id| !is_eos(id));
    let token = |id: u32| {
        let bytes = vocabulary.bytes(id);
        Token {
            id,
            text: output::text(bytes),
            quoted: quoted(bytes),
        }
    };
    let tokens = text.take(args.limit).map(token);
    let report = Report {
        prefix: args.prefix.clone(),
        complete: matcher.is_complete(),
        allowed: mask.count(),
        vocab_size: vocabulary.size(),
        eos: mask.iter().filter(is_eos).collect(),
        tokens: tokens.collect(),
    };
    if args.json {
        output::print_json(&report)?
    } else {
        print(&report)?
    }
    Ok(Outcome::Good)
}

fn print(report: &Report) -> Result<(), Failure> {
    let end = if report.complete {
        "may end here"
    } else {
        "may not end here"
    };
    output::print_line(&format!(
        "{} of {} tokens allowed; the text {end}",
        report.allowed, report.vocab_size
    ))?;
    for id in &report.eos {
        output::print_line(&format!("{id:>8}  (end of sequence)"))?;
    }
    for token in &report.tokens {
        output::print_line(&format!("{:>8}  {}", token.id, token.quoted))?;
    }
    let hidden = report.allowed - report.eos.len() - report.tokens.len();
    if hidden > 0 {
        output::print_line(&format!("{hidden:>8}  more (--limit)"))?;
    }
    Ok(())
}
