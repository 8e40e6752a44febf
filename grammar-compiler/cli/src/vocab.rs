//! `maskwright vocab`: what a vocabulary holds, and tokens looked up by id or by text.

mod text;

use std::collections::HashMap;

use crate::diagnostic::DiagnosticEntry;
use crate::failure::{Failure, Outcome};
use crate::input::{self, VocabularyChange};
use crate::output::{self, Stream};
use crate::spelling::{Spelling, Tokens};
use maskwright_compiler::vocabulary::{FileKind, Vocabulary};
use serde::Serialize;

/// At most so many tokens that begin with a text are listed.
const MAX_LONGER: usize = 10;

/// `maskwright vocab`.
#[derive(clap::Args)]
pub struct VocabArgs {
    /// A vocabulary's file: `tokenizer.json`, GGUF, SentencePiece model, `tekken.json`,
    /// `.tiktoken`, or `vocab.json` beside `merges.txt`; or the name of a vocabulary that ships
    /// with the program, such as cl100k_base or o200k_base.
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
struct VocabReport {
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
    /// Tokens that were added to the tokenizer's own and are text; they are counted in `tokens`
    /// too.
    added: Vec<Named>,
    /// How many of the 256 bytes are tokens by themselves.
    single_bytes: usize,
    /// Number of ids that never match text and are neither: holes and padding.
    unused: usize,
    /// Bytes that are in no token: no text with one of them can be written.
    bytes_in_no_token: Vec<u8>,
    /// Bytes that are in tokens, but are none by themselves.
    bytes_in_longer_tokens_only: Vec<u8>,
    ids: Vec<VocabToken>,
    texts: Vec<Text>,
    warnings: Vec<DiagnosticEntry>,
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
struct VocabToken {
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
pub fn run(args: &VocabArgs) -> Result<Outcome, Failure> {
    let (vocabulary, kind) = input::load_with_kind(&args.vocab, &args.change)?;
    if let Some(id) = args.id.iter().find(|&&id| id >= vocabulary.size()) {
        let size = vocabulary.size();
        let message = format!("--id {id}: the vocabulary has {size} ids, from 0 on");
        return Err(Failure::Usage(message));
    }
    let report = report(args, &vocabulary, kind);
    match args.json {
        true => output::print_json(&report)?,
        false => text::print(&report, &vocabulary, kind)?,
    }
    Ok(Outcome::Good)
}

fn report(args: &VocabArgs, vocabulary: &Vocabulary, kind: Option<FileKind>) -> VocabReport {
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
    VocabReport {
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
        warnings: DiagnosticEntry::all(&vocabulary.warnings(), None, output::colour(Stream::Out)),
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
    special: HashMap<u32, &'v str>,
    added: HashMap<u32, &'v str>,
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

    fn token(&self, id: u32) -> VocabToken {
        let bytes = self.vocabulary.bytes(id);
        let (special, added) = (self.special.get(&id), self.added.get(&id));
        VocabToken {
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
