//! `maskwright vocab`: what a vocabulary holds, and tokens looked up by id or by text.

use crate::diagnostic::Entry;
use crate::failure::{Failure, Outcome};
use crate::input::{self, VocabularyChange};
use crate::output::{self, Stream, quoted};
use crate::spelling::{Spelling, Tokens};
use maskwright_compiler::vocabulary::{FileKind, Vocabulary};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// At most so many tokens that begin with a text are listed.
const MAX_LONGER: usize = 10;
/// At most so many special and added tokens are printed; `--json` has all.
const MAX_NAMED: usize = 12;

/// `maskwright vocab`.
#[derive(clap::Args)]
pub struct Args {
    /// A vocabulary's file: `tokenizer.json`, GGUF, SentencePiece model, `tekken.json`, `.tiktoken`, or `vocab.json` beside `merges.txt`; or
    /// the name of a vocabulary that ships with the program, such as cl100k_base or o200k_base.
    #[arg(value_name = "FILE|NAME")]
    vocab: String,
    #[command(flatten)]
    change: VocabularyChange,
    /// Show the token with this id; may be given several times.
    #[arg(long, value_name = "ID")]
    id: Vec<u32>,
    /// Show all tokens.
    #[arg(long, conflicts_with = "id")]
    all: bool,
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
    /// What the file is: `gguf`, `tokenizer_json`, …; none for a vocabulary by name.
    kind: Option<&'static str>,
    /// Number of ids.
    size: u32,
    /// A hash of all that masks depend on: size, bytes and end tokens.
    hash: String,
    /// Number of ids with bytes.
    tokens: usize,
    /// The token with most bytes.
    longest: Option<Longest>,
    /// Tokens that end a sequence.
    eos: Vec<Named>,
    /// Other special tokens whose names the file tells.
    special: Vec<Named>,
    /// Tokens that were added to the tokenizer's own and are text; they are counted in `tokens` too.
    added: Vec<Named>,
    /// How many of the 256 bytes are tokens by themselves.
    single_bytes: usize,
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
    /// `text`, `added`, `end`, `special` or `unused`.
    kind: &'static str,
    /// What the file calls a special or added one.
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
    let (vocabulary, kind) = input::load_with_kind(&args.vocab, &args.change)?;
    if let Some(id) = args.id.iter().find(|&&id| id >= vocabulary.size()) {
        let size = vocabulary.size();
        let message = format!("--id {id}: the vocabulary has {size} ids, from 0 on");
        return Err(Failure::Usage(message));
    }
    let report = report(args, &vocabulary, kind);
    match args.json {
        true => output::print_json(&report)?,
        false => print(&report, &vocabulary, kind)?,
    }
    Ok(Outcome::Good)
}

fn report(args: &Args, vocabulary: &Vocabulary, kind: Option<FileKind>) -> Report {
    let named = |(id, name): (u32, &str)| Named {
        id,
        name: Some(name.to_owned()),
    };
    let names = Names::of(vocabulary);
    let is_end = |id: &u32| vocabulary.eos().binary_search(id).is_ok();
    let special = vocabulary.special().filter(|token| !is_end(&token.0));
    let special: Vec<Named> = special.map(named).collect();
    let with_bytes = vocabulary.iter().filter(|bytes| !bytes.is_empty());
    let tokens = with_bytes.count();
    let longest = (0..).zip(vocabulary.iter().map(<[u8]>::len));
    let longest = longest.max_by_key(|&(id, bytes)| (bytes, std::cmp::Reverse(id)));
    let longest = longest.map(|(id, bytes)| Longest { id, bytes });
    let is_special = |id: &u32| special.binary_search_by_key(id, |token| token.id).is_ok();
    let is_known = |id: &u32| is_end(id) || is_special(id);
    let without = (0..)
        .zip(vocabulary.iter())
        .filter(|token| token.1.is_empty());
    let unused = without.filter(|token| !is_known(&token.0)).count();
    let [in_none, in_longer] = bytes_not_alone(vocabulary);
    let index = Tokens::new(vocabulary);
    Report {
        vocabulary: args.vocab.clone(),
        kind: kind.map(FileKind::id),
        size: vocabulary.size(),
        hash: format!("{:016x}", vocabulary.hash()),
        tokens,
        longest,
        eos: vocabulary.eos().iter().map(|&id| names.named(id)).collect(),
        added: vocabulary.added().map(named).collect(),
        single_bytes: 256 - in_none.len() - in_longer.len(),
        special,
        unused,
        bytes_in_no_token: in_none,
        bytes_in_longer_tokens_only: in_longer,
        ids: match args.all {
            true => (0..vocabulary.size()).map(|id| names.token(id)).collect(),
            false => args.id.iter().map(|&id| names.token(id)).collect(),
        },
        texts: args.text.iter().map(|text| look_up(&index, text)).collect(),
        warnings: Entry::all(
            vocabulary.no_end_token().as_ref(),
            None,
            output::colour(Stream::Out),
        ),
    }
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

/// What the file calls tokens.
struct Names<'v> {
    vocabulary: &'v Vocabulary,
    special: FxHashMap<u32, &'v str>,
    added: FxHashMap<u32, &'v str>,
}

impl<'v> Names<'v> {
    fn of(vocabulary: &'v Vocabulary) -> Self {
        Names {
            vocabulary,
            special: vocabulary.special().collect(),
            added: vocabulary.added().collect(),
        }
    }

    fn named(&self, id: u32) -> Named {
        Named {
            id,
            name: self.special.get(&id).map(|name| (*name).to_owned()),
        }
    }

    fn token(&self, id: u32) -> Token {
        let bytes = self.vocabulary.bytes(id);
        let (special, added) = (self.special.get(&id), self.added.get(&id));
        Token {
            id,
            kind: match (special, added) {
                _ if self.vocabulary.eos().binary_search(&id).is_ok() => "end",
                (_, Some(_)) => "added",
                _ if !bytes.is_empty() => "text",
                (Some(_), _) => "special",
                (None, None) => "unused",
            },
            name: special.or(added).map(|name| (*name).to_owned()),
            text: output::text(bytes),
            bytes: bytes.to_vec(),
        }
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

fn print(report: &Report, vocabulary: &Vocabulary, kind: Option<FileKind>) -> Result<(), Failure> {
    for warning in Entry::shown(&report.warnings) {
        output::print_line(&format!("{warning}\n"))?;
    }
    if report.ids.is_empty() && report.texts.is_empty() {
        return print_whole(report, vocabulary, kind);
    }
    for token in &report.ids {
        output::print_line(&described(token))?;
    }
    let mut lines = report.texts.iter().flat_map(|text| found(text, vocabulary));
    lines.try_for_each(|line| output::print_line(&line))
}

fn print_whole(
    report: &Report,
    vocabulary: &Vocabulary,
    kind: Option<FileKind>,
) -> Result<(), Failure> {
    let mut lines = vec![format!("{:<10} {} ids", report.vocabulary, report.size)];
    if let Some(kind) = kind {
        lines.push(format!("{:<10} {}", "read as", kind.name()));
    }
    lines.push(format!("{:<10} {} tokens of text", "text", report.tokens));
    if let Some(Longest { id, bytes }) = report.longest {
        let shown = shortened(vocabulary.bytes(id));
        let bytes = output::count(bytes, "byte");
        lines.push(format!("{:<10} {bytes}: {id}  {shown}", "longest"));
    }
    for (what, tokens) in [
        ("end", &report.eos),
        ("special", &report.special),
        ("added", &report.added),
    ] {
        lines.push(format!("{what:<10} {}", listed(tokens)));
    }
    lines.push(format!("{:<10} {} ids", "unused", report.unused));
    let single = match report.single_bytes {
        256 => "all 256 are tokens".to_owned(),
        some => format!("{some} of 256 are tokens"),
    };
    lines.push(format!("{:<10} {single}", "bytes"));
    let none = ranges(&report.bytes_in_no_token);
    lines.push(format!("{:<10} {none}", "unspelled"));
    if !report.bytes_in_longer_tokens_only.is_empty() {
        let only = ranges(&report.bytes_in_longer_tokens_only);
        lines.push(format!("{:<10} {only}: in longer tokens only", ""));
    }
    lines.push(format!("{:<10} {}", "hash", report.hash));
    lines
        .into_iter()
        .try_for_each(|line| output::print_line(&line))
}

/// The number of tokens and the first of them.
fn listed(tokens: &[Named]) -> String {
    if tokens.is_empty() {
        return "none".to_owned();
    }
    let first: Vec<String> = tokens.iter().take(MAX_NAMED).map(named).collect();
    let more = match tokens.len() - first.len() {
        0 => String::new(),
        more => format!(", and {more} more, which `--json` lists"),
    };
    format!("{}: {}{more}", tokens.len(), first.join(", "))
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
        "text" | "added" => {
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
