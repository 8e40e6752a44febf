//! `maskwright vocab`: what a vocabulary holds, and tokens looked up by id or by text.

use crate::diagnostic::Entry;
use crate::failure::{Failure, Outcome};
use crate::input::{self, VocabularyChange};
use crate::output::{self, Stream, quoted};
use crate::spelling::{Spelling, Tokens};
use maskwright_compiler::vocabulary::Vocabulary;
use serde::Serialize;

/// At most so many tokens that begin with a text are listed.
const MAX_LONGER: usize = 10;

/// `maskwright vocab`.
#[derive(clap::Args)]
pub struct Args {
    /// A `.tiktoken` file, a `tokenizer.json`, or the name of a vocabulary that ships with the program,
    /// such as cl100k_base or o200k_base.
    #[arg(value_name = "FILE|NAME")]
    vocab: String,
    #[command(flatten)]
    change: VocabularyChange,
    /// Show the token with this id; may be given several times.
    #[arg(long, value_name = "ID")]
    id: Vec<u32>,
    /// Show the token that is this text, or how tokens spell it; may be given several times.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    text: Vec<String>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    vocabulary: String,
    /// Number of ids.
    size: u32,
    /// Number of ids with bytes.
    tokens: usize,
    /// The token with most bytes.
    longest: Option<Longest>,
    /// Tokens that end a sequence.
    eos: Vec<Named>,
    /// Other special tokens whose names the file tells.
    special: Vec<Named>,
    /// Number of ids that never match text and are neither: holes and padding.
    unused: usize,
    /// Bytes that are in no token: no text with one of them can be written.
    bytes_in_no_token: Vec<u8>,
    /// Bytes that are in tokens, but are none by themselves.
    bytes_in_longer_tokens_only: Vec<u8>,
    ids: Vec<Token>,
    texts: Vec<Text>,
    warnings: Vec<Entry>,
}

#[derive(Serialize)]
struct Longest {
    id: u32,
    bytes: usize,
}

/// A token that is no text.
#[derive(Serialize)]
struct Named {
    id: u32,
    /// What the file calls it, if it does.
    name: Option<String>,
}

/// A token by its id.
#[derive(Serialize)]
struct Token {
    id: u32,
    /// `text`, `end`, `special` or `unused`.
    kind: &'static str,
    /// What the file calls a special one.
    name: Option<String>,
    /// Its bytes; those that are not UTF-8 are escaped.
    text: String,
    bytes: Vec<u8>,
}

/// A text that is looked up.
#[derive(Serialize)]
struct Text {
    text: String,
    /// The ids of the tokens that are this text, ascending.
    ids: Vec<u32>,
    /// The fewest tokens that spell it together, if any do.
    spelling: Option<Vec<u32>>,
    /// If none do: how many of its bytes tokens can spell at most.
    spelled_bytes: Option<usize>,
    /// How many tokens begin with it and go on, and the first of them by id.
    longer: usize,
    first_longer: Vec<u32>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Outcome, Failure> {
    let vocabulary = input::load_vocabulary(&args.vocab, &args.change)?;
    if let Some(id) = args.id.iter().find(|&&id| id >= vocabulary.size()) {
        let size = vocabulary.size();
        let message = format!("--id {id}: the vocabulary has {size} ids, from 0 on");
        return Err(Failure::Usage(message));
    }
    let report = report(args, &vocabulary);
    match args.json {
        true => output::print_json(&report)?,
        false => print(&report, &vocabulary)?,
    }
    Ok(Outcome::Good)
}

fn report(args: &Args, vocabulary: &Vocabulary) -> Report {
    let named = |id| Named {
        id,
        name: name(vocabulary, id),
    };
    let is_end = |id: &u32| vocabulary.eos().binary_search(id).is_ok();
    let special = vocabulary.special().map(|token| token.0);
    let special: Vec<u32> = special.filter(|id| !is_end(id)).collect();
    let with_bytes = vocabulary.iter().filter(|bytes| !bytes.is_empty());
    let tokens = with_bytes.count();
    let longest = (0..).zip(vocabulary.iter().map(<[u8]>::len));
    let longest = longest.max_by_key(|&(id, bytes)| (bytes, std::cmp::Reverse(id)));
    let longest = longest.map(|(id, bytes)| Longest { id, bytes });
    let is_known = |id: &u32| is_end(id) || special.binary_search(id).is_ok();
    let without = (0..)
        .zip(vocabulary.iter())
        .filter(|token| token.1.is_empty());
    let unused = without.filter(|token| !is_known(&token.0)).count();
    let [in_none, in_longer] = bytes_not_alone(vocabulary);
    let index = Tokens::new(vocabulary);
    Report {
        vocabulary: args.vocab.clone(),
        size: vocabulary.size(),
        tokens,
        longest,
        eos: vocabulary.eos().iter().copied().map(named).collect(),
        special: special.into_iter().map(named).collect(),
        unused,
        bytes_in_no_token: in_none,
        bytes_in_longer_tokens_only: in_longer,
        ids: args.id.iter().map(|&id| token(vocabulary, id)).collect(),
        texts: args.text.iter().map(|text| look_up(&index, text)).collect(),
        warnings: Entry::all(
            vocabulary.no_end_token().as_ref(),
            None,
            output::colour(Stream::Out),
        ),
    }
}

/// What the file calls a special token.
fn name(vocabulary: &Vocabulary, id: u32) -> Option<String> {
    let mut special = vocabulary.special();
    let token = special.find(|token| token.0 == id)?;
    Some(token.1.to_owned())
}

/// Bytes that are in no token, and those that are in tokens but are none by themselves.
fn bytes_not_alone(vocabulary: &Vocabulary) -> [Vec<u8>; 2] {
    let (mut inside, mut alone) = ([false; 256], [false; 256]);
    for bytes in vocabulary.iter() {
        bytes.iter().for_each(|&b| inside[usize::from(b)] = true);
        if let &[byte] = bytes {
            alone[usize::from(byte)] = true;
        }
    }
    let bytes = |is: &dyn Fn(usize) -> bool| (0..=u8::MAX).filter(|&b| is(b.into())).collect();
    [bytes(&|b| !inside[b]), bytes(&|b| inside[b] && !alone[b])]
}

fn token(vocabulary: &Vocabulary, id: u32) -> Token {
    let (bytes, name) = (vocabulary.bytes(id), name(vocabulary, id));
    Token {
        id,
        kind: match &name {
            _ if vocabulary.eos().contains(&id) => "end",
            _ if !bytes.is_empty() => "text",
            Some(_) => "special",
            None => "unused",
        },
        name,
        text: output::text(bytes),
        bytes: bytes.to_vec(),
    }
}

fn look_up(index: &Tokens<'_>, text: &str) -> Text {
    let ids = index.equal(text.as_bytes()).to_vec();
    let longer = index.longer(text.as_bytes());
    let (spelling, spelled_bytes) = match index.spell(text.as_bytes()) {
        Spelling::Tokens(ids) => (Some(ids), None),
        Spelling::Stops(bytes) => (None, Some(bytes)),
    };
    Text {
        text: text.to_owned(),
        ids,
        spelling,
        spelled_bytes,
        longer: longer.len(),
        first_longer: longer.into_iter().take(MAX_LONGER).collect(),
    }
}

fn print(report: &Report, vocabulary: &Vocabulary) -> Result<(), Failure> {
    for warning in Entry::shown(&report.warnings) {
        output::print_line(&format!("{warning}\n"))?;
    }
    if report.ids.is_empty() && report.texts.is_empty() {
        return print_whole(report, vocabulary);
    }
    for token in &report.ids {
        output::print_line(&described(token))?;
    }
    let mut lines = report.texts.iter().flat_map(|text| found(text, vocabulary));
    lines.try_for_each(|line| output::print_line(&line))
}

fn print_whole(report: &Report, vocabulary: &Vocabulary) -> Result<(), Failure> {
    let mut lines = vec![
        format!("{:<10} {} ids", report.vocabulary, report.size),
        format!("{:<10} {} tokens of text", "text", report.tokens),
    ];
    if let Some(Longest { id, bytes }) = report.longest {
        let shown = shortened(vocabulary.bytes(id));
        let bytes = output::count(bytes, "byte");
        lines.push(format!("{:<10} {bytes}: {id}  {shown}", "longest"));
    }
    let all = |tokens: &[Named]| match tokens {
        [] => "none".to_owned(),
        tokens => tokens.iter().map(named).collect::<Vec<_>>().join(", "),
    };
    lines.push(format!("{:<10} {}", "end", all(&report.eos)));
    lines.push(format!("{:<10} {}", "special", all(&report.special)));
    lines.push(format!("{:<10} {} ids", "unused", report.unused));
    let none = ranges(&report.bytes_in_no_token);
    lines.push(format!("{:<10} {none}", "unspelled"));
    if !report.bytes_in_longer_tokens_only.is_empty() {
        let only = ranges(&report.bytes_in_longer_tokens_only);
        lines.push(format!("{:<10} {only}: in longer tokens only", ""));
    }
    lines
        .into_iter()
        .try_for_each(|line| output::print_line(&line))
}

fn named(token: &Named) -> String {
    match &token.name {
        Some(name) => format!("{} {}", token.id, quoted(name.as_bytes())),
        None => token.id.to_string(),
    }
}

fn described(token: &Token) -> String {
    let id = token.id;
    let name = token.name.as_ref().map(|name| quoted(name.as_bytes()));
    let name = name.map(|name| format!(", {name}")).unwrap_or_default();
    match token.kind {
        "text" => {
            let bytes = output::count(token.bytes.len(), "byte");
            format!("{id:>8}  {}  ({bytes})", quoted(&token.bytes))
        }
        "end" => format!("{id:>8}  (ends a sequence{name})"),
        "special" => format!("{id:>8}  (special{name}: never text)"),
        _ => format!("{id:>8}  (unused: never text)"),
    }
}

/// What there is to say of a text.
fn found(text: &Text, vocabulary: &Vocabulary) -> Vec<String> {
    let shown = quoted(text.text.as_bytes());
    let listed = |ids: &[u32]| {
        let tokens = ids
            .iter()
            .map(|&id| format!("{id} {}", shortened(vocabulary.bytes(id))));
        tokens.collect::<Vec<_>>().join(", ")
    };
    let mut lines = Vec::new();
    match (text.ids.as_slice(), &text.spelling, text.spelled_bytes) {
        (&[id], _, _) => lines.push(format!("{id:>8}  {shown}")),
        ([first, others @ ..], _, _) => {
            let others: Vec<String> = others.iter().map(u32::to_string).collect();
            lines.push(format!("{first:>8}  {shown}, also {}", others.join(", ")));
        }
        ([], Some(ids), _) => {
            let count = output::count(ids.len(), "token");
            lines.push(format!(
                "{shown} is no token; {count} at least: {}",
                listed(ids)
            ));
        }
        ([], None, at) => {
            let at = at.unwrap_or_default();
            let (spelled, rest) = text.text.as_bytes().split_at(at);
            let byte = rest.first().map(|byte| format!("0x{byte:02x}"));
            lines.push(format!(
                "{shown} cannot be spelled: no tokens go on behind {} with the byte {}",
                quoted(spelled),
                byte.unwrap_or_default()
            ));
        }
    }
    if text.longer > 0 {
        let more = text.longer - text.first_longer.len();
        let more = match more {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let count = output::count(text.longer, "token");
        let first = listed(&text.first_longer);
        lines.push(format!("          {count} longer: {first}{more}"));
    }
    lines
}

/// The first bytes of a token within quotes.
fn shortened(bytes: &[u8]) -> String {
    const MOST: usize = 40;
    match bytes.get(..MOST) {
        Some(first) if bytes.len() > MOST => format!("{}…", quoted(first)),
        _ => quoted(bytes),
    }
}

/// Bytes as ranges: `0xc0-0xc1, 0xf5`.
fn ranges(bytes: &[u8]) -> String {
    let runs = bytes.chunk_by(|a, b| *a + 1 == *b);
    let shown = runs.filter_map(|run| match run {
        [] => None,
        [only] => Some(format!("0x{only:02x}")),
        [first, .., last] => Some(format!("0x{first:02x}-0x{last:02x}")),
    });
    let shown: Vec<String> = shown.collect();
    match shown.is_empty() {
        true => "no byte".to_owned(),
        false => shown.join(", "),
    }
}
