//! The warning about vocabularies without a known end token.

use super::Vocabulary;
use crate::error::{Code, Diagnostic};

/// What names of end tokens have in common, in small letters.
const END_PARTS: [&str; 5] = ["eos", "eot", "end", "stop", "</s>"];
/// At most so many special tokens are named.
const MAX_NAMED: usize = 4;

impl Vocabulary {
    /// What is probably not meant: that no token is known to end a sequence, so that no mask allows
    /// a text to end; that a [size](Vocabulary::with_size) leaves out tokens that are text.
    pub fn warnings(&self) -> Vec<Diagnostic> {
        self.no_end_token()
            .into_iter()
            .chain(self.left_out())
            .collect()
    }

    /// A warning if no token is known to end a sequence. It says what to give, with the special
    /// tokens that are probably meant.
    fn no_end_token(&self) -> Option<Diagnostic> {
        if !self.eos().is_empty() {
            return None;
        }
        let message = "no token of the vocabulary is known to end a sequence, so no mask allows a text to end";
        let give = "name it by its id: `--eos ID` on the command line, `eos = [ID]` in `grammar!`, `with_eos` in the library";
        let help = match self.likely_ends() {
            names if !names.is_empty() => format!("{give}; it may be {names}"),
            _ if self.special().len() == 0 => format!(
                "{give}; if its id is not below {}, because the file leaves special tokens out, list them: `--special FILE`, `special = \"FILE\"`, `with_special_tokens`; or give the number of ids too: `--vocab-size COUNT`, `size = COUNT`, `with_size`",
                self.size()
            ),
            _ => format!("{give}; `maskwright vocab` lists the special tokens"),
        };
        Some(Diagnostic::warning(Code::NoEndToken, message).help(help))
    }

    /// The special tokens that are called as end tokens are, or all if there are few.
    fn likely_ends(&self) -> String {
        let is_end = |name: &str| {
            let name = name.to_lowercase();
            END_PARTS.iter().any(|part| name.contains(part))
        };
        let mut likely: Vec<_> = self.special().filter(|token| is_end(token.1)).collect();
        if likely.is_empty() && self.special().len() <= MAX_NAMED {
            likely = self.special().collect();
        }
        let names = likely.into_iter().take(MAX_NAMED);
        let names = names.map(|(id, name)| format!("`{name}`, whose id is {id}"));
        names.collect::<Vec<_>>().join(", or ")
    }
}
