//! What is measured, and what comes out.

use serde::{Deserialize, Serialize};

/// A grammar.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Source {
    /// Any JSON text.
    Json,
    /// The texts of a JSON Schema's values.
    Schema(String),
    /// A context-free grammar.
    Grammar(Written),
    /// Free text with calls of tools in it.
    Tools(Tools),
}

/// A context-free grammar in the languages that engines read.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Written {
    /// In EBNF, as XGrammar and llama.cpp have it.
    pub ebnf: String,
    /// In Lark.
    pub lark: String,
}

/// The tools of a request, and the same in the forms that engines read: all say which calls may
/// stand in free text.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tools {
    /// The array `tools` of a request, as OpenAI has it.
    pub request: String,
    /// A structural tag: triggered tags in free text.
    pub structural_tag: String,
    /// A grammar in llguidance's language.
    pub lark: String,
    /// What every call begins with.
    pub trigger: String,
    /// What follows the arguments of every call.
    pub end: String,
    /// The tools one by one, for engines that compile each by itself.
    pub single: Vec<SingleTool>,
}

/// A tool.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SingleTool {
    /// What a call of it begins with, behind the trigger.
    pub begin: String,
    /// The schema of its parameters. Objects have no other properties than the declared ones.
    pub schema: String,
}

/// A text in tokens.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Text {
    /// Whether it belongs to the language.
    pub valid: bool,
    /// Its tokens.
    pub tokens: Vec<u32>,
}

/// A grammar and the texts to walk.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    /// Its name.
    pub name: String,
    /// The grammar.
    pub source: Source,
    /// The texts.
    pub texts: Vec<Text>,
    /// How often each valid text is walked after the first time.
    pub rounds: usize,
    /// How many steps' masks are written to the file.
    pub kept_masks: usize,
    /// Compiling is not repeated once it took so long in all, nanoseconds.
    pub enough_ns: u64,
}

/// Nanoseconds of each step of a text.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Steps {
    /// Masks, the first time the text is walked.
    pub mask_first: Vec<u32>,
    /// Masks, the least of all later rounds.
    pub mask_least: Vec<u32>,
    /// Masks, the most of all later rounds.
    pub mask_most: Vec<u32>,
    /// Accepting the token, the least of all later rounds.
    pub accept_least: Vec<u32>,
    /// Accepting the token, the most of all later rounds.
    pub accept_most: Vec<u32>,
}

/// What became of a text.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct TextResult {
    /// Whether all tokens were taken and the text may then end.
    pub accepted: bool,
    /// The token that was refused, if one was.
    pub refused_at: Option<usize>,
    /// Steps whose mask says otherwise than accepting did.
    pub inconsistent: usize,
    /// Nanoseconds a token of accepting all tokens without asking for masks: the least of the
    /// rounds.
    pub accept_alone: f64,
    /// Nanoseconds a token by which that is longer if each mask is asked for, too: the least of the
    /// rounds, without a clock between tokens.
    pub mask_alone: f64,
    /// Of valid texts that are accepted.
    pub steps: Option<Steps>,
}

/// What one process measured.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Measured {
    /// Why there is no grammar.
    pub error: Option<String>,
    /// Making the vocabulary ready, nanoseconds.
    pub vocabulary_ns: u64,
    /// Compiling, nanoseconds: the least of a few times.
    pub compile_ns: u64,
    /// Compiling for the first time in the process, nanoseconds.
    pub compile_first_ns: u64,
    /// Compiling, nanoseconds: the median of the same times.
    pub compile_median_ns: u64,
    /// Compiling, a walker and its first mask, nanoseconds: the least of a few times.
    pub first_mask_ns: u64,
    /// The same for the first time in the process, nanoseconds.
    #[serde(default)]
    pub first_mask_first_ns: u64,
    /// Bytes of what can be kept of the grammar.
    pub artifact: Option<usize>,
    /// Kilobytes resident at the most, above what lay there before the engine began.
    pub peak_kb: u64,
    /// What a pair of clock readings takes, nanoseconds: part of every step's time.
    pub clock_ns: u32,
    /// The texts, in order.
    pub texts: Vec<TextResult>,
    /// Other figures.
    pub extras: Vec<(String, f64)>,
}

/// The tokens' bytes; holes and special tokens have none.
pub struct Vocabulary {
    /// By id.
    pub tokens: Vec<Vec<u8>>,
    /// The token that ends a text.
    pub eos: u32,
}

impl Vocabulary {
    /// Words of a bitmap.
    pub fn words(&self) -> usize {
        self.tokens.len().div_ceil(32)
    }

    /// From a file that [`Vocabulary::write`] made.
    pub fn read(content: &[u8]) -> Self {
        let number = |at: usize| u32::from_le_bytes(content[at..at + 4].try_into().expect("four"));
        let (count, eos) = (number(0), number(4));
        let (mut tokens, mut at) = (Vec::with_capacity(count as usize), 8);
        for _ in 0..count {
            let len = number(at) as usize;
            tokens.push(content[at + 4..at + 4 + len].to_vec());
            at += 4 + len;
        }
        Vocabulary { tokens, eos }
    }

    /// The bytes of a file.
    pub fn write(&self) -> Vec<u8> {
        let mut content = Vec::new();
        content.extend((self.tokens.len() as u32).to_le_bytes());
        content.extend(self.eos.to_le_bytes());
        for token in &self.tokens {
            content.extend((token.len() as u32).to_le_bytes());
            content.extend(token);
        }
        content
    }
}
