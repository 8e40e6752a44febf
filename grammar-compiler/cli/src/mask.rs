//! `maskwright mask`: the tokens that may come after a prefix.

use crate::depth::DepthArgs;
use crate::failure::{Failure, Outcome};
use crate::input::{GrammarArgs, VocabularyArgs};
use crate::matcher::{self, matcher};
use crate::output::{self, quoted};
use maskwright_compiler::pda::height::MAX_DEPTH;
use maskwright_core::{AcceptError, OwnedGrammar, OwnedMatcher};
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
    #[command(flatten)]
    depth: DepthArgs,
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
    /// The frames that the text has room for.
    depth: usize,
    /// Tokens that more frames would allow.
    left_out_by_depth: usize,
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
    let compiled = compiled.map_err(output::for_tools(args.json))?;
    let grammar = matcher::grammar(compiled.tables(), &matcher::vocabulary(&vocabulary)?)?;
    let depths = compiled.report().depths();
    let depth = args.depth.frames(depths);
    let depth = depth.map_err(output::for_tools(args.json))?;
    let matcher = after(&args.prefix, &grammar, depth)?;
    let room = depths.height.at_most().unwrap_or(MAX_DEPTH);
    let with_room = after(&args.prefix, &grammar, room.clamp(depth, MAX_DEPTH))?;
    let count_with_room = with_room.with_mask(|mask| mask.count());
    let mask: Vec<u32> = matcher.with_mask(|mask| mask.iter().collect());
    let is_eos = |id: &u32| vocabulary.eos().binary_search(id).is_ok();
    let text = mask.iter().copied().filter(|id| !is_eos(id));
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
        allowed: mask.len(),
        vocab_size: vocabulary.size(),
        depth,
        left_out_by_depth: count_with_room.saturating_sub(mask.len()),
        eos: mask.iter().copied().filter(is_eos).collect(),
        tokens: tokens.collect(),
    };
    if args.json {
        output::print_json(&report)?
    } else {
        print(&report)?
    }
    Ok(Outcome::Good)
}

/// A matcher of this depth after the prefix.
fn after(prefix: &str, grammar: &OwnedGrammar, depth: usize) -> Result<OwnedMatcher, Failure> {
    let mut matcher = matcher(grammar, depth)?;
    for (at, byte) in prefix.bytes().enumerate() {
        matcher.accept_bytes(&[byte]).map_err(|error| {
            let depth = match error {
                AcceptError::TooDeep => format!(", {depth}: see --depth"),
                _ => String::new(),
            };
            Failure::Matcher(format!(
                "the prefix is refused at byte {at}: {error}{depth}"
            ))
        })?;
    }
    Ok(matcher)
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
    if report.left_out_by_depth > 0 {
        output::print_line(&format!(
            "{} more with room for more than {} frames: see --depth",
            report.left_out_by_depth, report.depth
        ))?;
    }
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
