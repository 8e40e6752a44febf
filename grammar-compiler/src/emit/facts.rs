//! Figures of the tables for the documentation of an emitted grammar.

use maskwright_core::{Grammar, LoadError};

use crate::pda::height::{Depths, Height};

/// Figures of compiled grammar tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableFacts {
    /// Number of states of the automaton.
    pub states: u32,
    /// Number of frames that its stack is made of, the bottom included.
    pub frames: u32,
    /// The `STACKS` that a matcher needs: 1 for a deterministic grammar.
    pub stacks: usize,
    /// What is known of the `DEPTH` that a matcher needs.
    pub depths: Depths,
    /// Number of token ids.
    pub vocab_size: u32,
    /// Length of the tables in bytes.
    pub bytes: usize,
    /// The hash of the grammar and its options.
    pub grammar_hash: u64,
    /// The hash of the vocabulary.
    pub vocabulary_hash: u64,
    /// The checksum of the tables that these stand beside, if they do.
    pub stands_beside: Option<u32>,
}

impl TableFacts {
    /// Validates grammar tables that stand alone and reads their figures, except for the height,
    /// which tables do not hold.
    ///
    /// # Errors
    /// What the runtime says when it refuses to load the tables.
    pub fn read(tables: &[u8], height: Height) -> Result<Self, LoadError> {
        Ok(TableFacts::of(&Grammar::load(tables)?, height))
    }

    /// The figures of a grammar that was loaded, alone or beside others.
    pub fn of(grammar: &Grammar<'_>, height: Height) -> Self {
        TableFacts {
            states: grammar.state_count(),
            frames: grammar.frame_count(),
            stacks: grammar.max_stacks(),
            depths: Depths {
                least: grammar.least_depth(),
                height,
            },
            vocab_size: grammar.vocab_size(),
            bytes: grammar.as_bytes().len(),
            grammar_hash: grammar.hash(),
            vocabulary_hash: grammar.vocabulary_hash(),
            stands_beside: grammar.stands_beside(),
        }
    }

    /// The figures as a table of a documentation comment, a line each.
    pub(super) fn doc_lines(&self) -> Vec<String> {
        let mut lines = vec!["| | |".to_owned(), "|:--|--:|".to_owned()];
        let of_texts = match self.depths.height {
            Height::AtMost(frames) => ("`DEPTH` that is enough for every text", frames),
            Height::Grows { by } => ("`DEPTH` for each further level of nesting, at least", by),
        };
        let figures = [
            ("states", grouped(u64::from(self.states))),
            ("frames", grouped(u64::from(self.frames))),
            ("stacks", grouped(self.stacks as u64)),
            ("least `DEPTH`", grouped(self.depths.least as u64)),
            (of_texts.0, grouped(of_texts.1 as u64)),
            ("token ids", grouped(u64::from(self.vocab_size))),
            ("bytes of tables", grouped(self.bytes as u64)),
            (
                "hash of the grammar",
                format!("`{:016x}`", self.grammar_hash),
            ),
            (
                "hash of the vocabulary",
                format!("`{:016x}`", self.vocabulary_hash),
            ),
        ];
        lines.extend(figures.map(|(name, value)| format!("| {name} | {value} |")));
        lines
    }
}

/// Digits in groups of three: 100,277.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn digits_are_grouped() {
        let numbers = [0, 12, 123, 1234, 123_456, 1_234_567].map(grouped);
        assert_eq!(numbers, ["0", "12", "123", "1,234", "123,456", "1,234,567"]);
    }
}
