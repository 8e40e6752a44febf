//! `maskwright mask`: the tokens that may come after a prefix.

use crate::depth::DepthArgs;
use crate::failure::{Failure, Outcome};
use crate::input::{GrammarArgs, VocabularyArgs};
use crate::matcher::{self, matcher};
use crate::output::{self, quoted};
use crate::tokens::{self, Piece, TokenArgs};
use maskwright_compiler::pda::height::MAX_DEPTH;
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_core::{AcceptError, OwnedGrammar, OwnedMatcher};
use serde::Serialize;

/// `maskwright mask`.
#[derive(clap::Args)]
pub struct MaskArgs {
    #[command(flatten)]
    vocabulary: VocabularyArgs,
    /// The text so far.
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    prefix: String,
    #[command(flatten)]
    tokens: TokenArgs,
    /// Show at most this many tokens.
    #[arg(long, value_name = "COUNT", default_value_t = 50)]
    limit: usize,
    #[command(flatten)]
    depth: DepthArgs,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    grammar: GrammarArgs,
}

#[derive(Serialize)]
struct MaskReport {
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
    #[serde(skip)]
    ends: Vec<AllowedToken>,
    /// The first allowed tokens that do not end a sequence, by id.
    tokens: Vec<AllowedToken>,
}

#[derive(Serialize)]
struct AllowedToken {
    id: u32,
    /// The token's bytes; those that are not UTF-8 are escaped. A control token has none.
    text: String,
    /// The name of a control token.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// As a line shows it: text in quotes, or a name.
    #[serde(skip)]
    shown: String,
}

/// Runs the command.
pub fn run(args: &MaskArgs) -> Result<Outcome, Failure> {
    let vocabulary = args.vocabulary.load()?;
    let compiled = args.grammar.compile(&vocabulary);
    let compiled = compiled.map_err(output::for_tools(args.json))?;
    let grammar = matcher::grammar(compiled.tables(), &matcher::vocabulary(&vocabulary)?)?;
    let depths = compiled.report().depths();
    let depth = args.depth.frames(depths);
    let depth = depth.map_err(output::for_tools(args.json))?;
    let prefix = args.tokens.cutter(Some(&vocabulary));
    let prefix = prefix.pieces(args.prefix.as_bytes())?;
    let matcher = after(&prefix, &grammar, depth)?;
    let room = depths.height.at_most().unwrap_or(MAX_DEPTH);
    let with_room = after(&prefix, &grammar, room.clamp(depth, MAX_DEPTH))?;
    let count_with_room = with_room.with_mask(|mask| mask.count());
    let mask: Vec<u32> = matcher.with_mask(|mask| mask.iter().collect());
    let is_eos = |id: &u32| vocabulary.eos().binary_search(id).is_ok();
    let text = mask.iter().copied().filter(|id| !is_eos(id));
    let tokens = text
        .take(args.limit)
        .map(|id| AllowedToken::of(id, &vocabulary));
    let eos: Vec<u32> = mask.iter().copied().filter(is_eos).collect();
    let report = MaskReport {
        prefix: args.prefix.clone(),
        complete: matcher.is_complete(),
        allowed: mask.len(),
        vocab_size: vocabulary.size(),
        depth,
        left_out_by_depth: count_with_room.saturating_sub(mask.len()),
        ends: eos
            .iter()
            .map(|&id| AllowedToken::of(id, &vocabulary))
            .collect(),
        eos,
        tokens: tokens.collect(),
    };
    if args.json {
        output::print_json(&report)?
    } else {
        print(&report)?
    }
    Ok(Outcome::Good)
}

impl AllowedToken {
    fn of(id: u32, vocabulary: &Vocabulary) -> Self {
        let bytes = vocabulary.bytes(id);
        let mut special = vocabulary.special().filter(|_| bytes.is_empty());
        let name = special.find(|(special, _)| *special == id);
        let name = name.map(|(_, name)| name.to_owned());
        AllowedToken {
            id,
            text: output::text(bytes),
            shown: match &name {
                Some(name) => name.escape_debug().to_string(),
                None => quoted(bytes),
            },
            name,
        }
    }
}

/// A matcher of this depth after the prefix.
fn after(
    prefix: &[(usize, Piece)],
    grammar: &OwnedGrammar,
    depth: usize,
) -> Result<OwnedMatcher, Failure> {
    let mut matcher = matcher(grammar, depth)?;
    let Some((at, piece, error)) = tokens::accept(&mut matcher, prefix) else {
        return Ok(matcher);
    };
    let depth = match error {
        AcceptError::TooDeep => format!(", {depth}: see --depth"),
        _ => String::new(),
    };
    let token = match piece {
        Piece::Token(id) => format!(", token {id}"),
        Piece::Byte(_) => String::new(),
    };
    Err(Failure::Matcher(format!(
        "the prefix is refused at byte {at}{token}: {error}{depth}"
    )))
}

fn print(report: &MaskReport) -> Result<(), Failure> {
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
    for AllowedToken {
        id, name, shown, ..
    } in &report.ends
    {
        let name = name.as_ref().map_or(String::new(), |_| format!("{shown} "));
        output::print_line(&format!("{id:>8}  {name}(end of sequence)"))?;
    }
    for token in &report.tokens {
        output::print_line(&format!("{:>8}  {}", token.id, token.shown))?;
    }
    let hidden = report.allowed - report.eos.len() - report.tokens.len();
    if hidden > 0 {
        output::print_line(&format!("{hidden:>8}  more (--limit)"))?;
    }
    Ok(())
}
