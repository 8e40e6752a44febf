//! Which tokens of a GGUF end a sequence, and which are control tokens whatever their type, as
//! llama.cpp decides it.
//!
//! In: the texts of all tokens, and the ids that the metadata gives. Out: ids that end, and texts
//! that are never text. The metadata names one end token, mostly the one that ends a document.
//! Models end a turn with another token, which is recognised by its text.

use crate::maps::IdMap;

/// Tokens of these texts end a sequence.
const ENDS: &[&str] = &[
    "</s>",
    "<EOT>",
    "<end_of_turn>",
    "<end_of_utterance>",
    "<eos>",
    "<turn|>",
    "<|call|>",
    "<|calls|>",
    "<|end_of_text|>",
    "<|endoftext|>",
    "<|end|>",
    "<|eom_id|>",
    "<|eot_id|>",
    "<|flush|>",
    "<|im_end|>",
    "<|return|>",
    "<|tool_response>",
    "<\u{ff5c}end\u{2581}of\u{2581}sentence\u{ff5c}>",
    "[EOS]",
    "[EOT]",
    "[e~[",
    "_<EOT>",
];

/// Tokens of these texts are control tokens: what fills the middle of a text.
const CONTROL: &[&str] = &[
    "<MID>",
    "<PRE>",
    "<SUF>",
    "<fim-middle>",
    "<fim-prefix>",
    "<fim-suffix>",
    "<fim_middle>",
    "<fim_prefix>",
    "<fim_suffix>",
    "<|code_middle|>",
    "<|code_prefix|>",
    "<|code_suffix|>",
    "<|fim_middle|>",
    "<|fim_prefix|>",
    "<|fim_suffix|>",
    "<|middle|>",
    "<|prefix|>",
    "<|suffix|>",
    "\u{2581}<MID>",
    "\u{2581}<PRE>",
    "\u{2581}<SUF>",
    "<\u{ff5c}fim\u{2581}begin\u{ff5c}>",
    "<\u{ff5c}fim\u{2581}end\u{ff5c}>",
    "<\u{ff5c}fim\u{2581}hole\u{ff5c}>",
];

/// Keys of the metadata whose tokens end a sequence, and the texts that tell such a token where the
/// key is missing.
pub(super) const KEYS: &[(&str, &[&str])] = &[
    ("tokenizer.ggml.eos_token_id", &[]),
    ("tokenizer.ggml.eot_token_id", &[]),
    ("tokenizer.ggml.eom_token_id", &[]),
    (
        "tokenizer.ggml.fim_pad_token_id",
        &["<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>", "[PAD]"],
    ),
    (
        "tokenizer.ggml.fim_rep_token_id",
        &[
            "<|fim_repo|>",
            "<|repo_name|>",
            "<fim-repo>",
            "<REPO>",
            "<reponame>",
        ],
    ),
    ("tokenizer.ggml.fim_sep_token_id", &["<|file_sep|>"]),
];

/// What a token is beyond its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenRole {
    /// It ends a sequence.
    End,
    /// It is never text.
    Control,
    /// It is text, though its text tells an end token of other models.
    Text,
}

/// The roles by id. `given` are the ids that the metadata has for [`KEYS`], in their order.
pub(super) fn roles(tokens: &[&str], given: &[Option<u32>]) -> IdMap<u32, TokenRole> {
    let mut roles = IdMap::default();
    for (id, token) in (0..).zip(tokens) {
        if ENDS.contains(token) {
            roles.insert(id, TokenRole::End);
        } else if CONTROL.contains(token) {
            roles.insert(id, TokenRole::Control);
        }
    }
    for ((_, texts), given) in KEYS.iter().zip(given) {
        let by_text = || (0..).zip(tokens).find(|(_, token)| texts.contains(token));
        if let Some(id) = given.or_else(|| by_text().map(|(id, _)| id)) {
            roles.insert(id, TokenRole::End);
        }
    }
    correct(tokens, &mut roles);
    roles
}

/// Where a model has other end tokens, two texts are something else: `<|end|>` ends a message of
/// Harmony, not the answer, and `</s>` is an element of a page in Gemma 4.
fn correct(tokens: &[&str], roles: &mut IdMap<u32, TokenRole>) {
    let id = |text: &str, roles: &IdMap<u32, TokenRole>| {
        let ends = roles.iter().filter(|(_, role)| **role == TokenRole::End);
        let mut ids = ends.map(|(id, _)| *id);
        ids.find(|&id| tokens.get(id as usize) == Some(&text))
    };
    let is_end = |text: &str, roles: &IdMap<u32, TokenRole>| id(text, roles).is_some();
    let call = is_end("<|call|>", roles) || is_end("<|calls|>", roles);
    let answer = is_end("<|return|>", roles) || is_end("<|flush|>", roles);
    let message = id("<|end|>", roles).filter(|_| call && answer);
    let page = id("</s>", roles).filter(|_| is_end("<|tool_response>", roles));
    roles.extend(message.map(|id| (id, TokenRole::Control)));
    roles.extend(page.map(|id| (id, TokenRole::Text)));
}
