//! A vocabulary with as many ids as the model has logits.
//!
//! In: a vocabulary and a size. Out: the vocabulary with so many ids. What holds: ids past its own
//! last one are padding; tokens past the size are left out, and a warning names those that are
//! text.

use super::{MAX_IDS, Vocabulary, VocabularyError};
use crate::error::{Code, Diagnostic, shown};

/// At most so many tokens are named.
const MAX_NAMED: usize = 4;

/// Tokens with a text that are left out, since the model has no logits for them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LeftOut {
    count: usize,
    /// The first of them.
    named: Vec<(u32, String)>,
}

impl Vocabulary {
    /// The same vocabulary with `size` ids, as many as the model has logits. Ids past its own last
    /// one are padding that is never allowed: a row of logits is often longer than its tokenizer's
    /// vocabulary. Tokens past `size`, which the model cannot write, are left out, end tokens too;
    /// [`Vocabulary::warnings`] names those that are text.
    ///
    /// # Errors
    /// [`VocabularyError::TooManyIds`] above [`MAX_IDS`].
    pub fn with_size(mut self, size: u32) -> Result<Self, VocabularyError> {
        let wanted = size as usize;
        if wanted > MAX_IDS {
            return Err(VocabularyError::TooManyIds { ids: wanted as u64 });
        }
        self.leave_out(size);
        self.ends.resize(wanted, self.bytes.len());
        Ok(self)
    }

    /// Leaves out the tokens from an id on.
    fn leave_out(&mut self, from: u32) {
        for id in from..self.size() {
            let text = self.bytes(id);
            if text.is_empty() {
                continue;
            }
            let text = String::from_utf8_lossy(text).into_owned();
            self.left_out.count += 1;
            if self.left_out.named.len() < MAX_NAMED {
                self.left_out.named.push((id, text));
            }
        }
        self.ends.truncate(from as usize);
        self.bytes.truncate(self.ends.last().copied().unwrap_or(0));
        self.eos.retain(|&id| id < from);
        self.special.retain(|token| token.0 < from);
        self.added.retain(|token| token.0 < from);
    }

    /// A warning if tokens with a text were left out.
    pub(crate) fn left_out(&self) -> Option<Diagnostic> {
        let LeftOut { count, named } = &self.left_out;
        let tokens = match count {
            0 => return None,
            1 => "1 token of the vocabulary is".to_owned(),
            count => format!("{count} tokens of the vocabulary are"),
        };
        let named = named.iter();
        let named = named.map(|(id, text)| format!("{id} (`{}`)", shown(text)));
        let named: Vec<String> = named.collect();
        let more = if *count > MAX_NAMED { ", …" } else { "" };
        let size = self.size();
        let message = format!(
            "{tokens} text, and left out because only {size} ids are wanted: {}{more}",
            named.join(", ")
        );
        let help = "give as many ids as the model has logits; where the model has no logits for these tokens, it cannot write them";
        Some(Diagnostic::warning(Code::Vocabulary, message).help(help))
    }
}
