//! What requests ask for and models write.
//!
//! In: tools. Out: texts of calls as tokens, and tools at random.

use maskwright_benches::tools::Tool;
use std::error::Error;

/// A call, and whether the tool's schema allows its arguments.
pub struct Call {
    pub text: String,
    pub tokens: Vec<u32>,
    pub is_valid: bool,
}

/// The calls of each tool. A tool without arguments is called with none.
pub fn calls(tools: &[Tool]) -> Result<Vec<Vec<Call>>, Box<dyn Error>> {
    let encoder = tiktoken_rs::cl100k_base()?;
    let of = |tool: &Tool| {
        let write = |arguments: &String, is_valid| {
            let text = format!(
                "I look it up.\n<tool_call>\n{{\"name\": \"{}\", \"arguments\": {arguments}}}\n</tool_call>",
                tool.name
            );
            let tokens = encoder.encode_ordinary(&text);
            Call {
                text,
                tokens,
                is_valid,
            }
        };
        let valid = tool.valid.iter().map(|arguments| write(arguments, true));
        let invalid = tool.invalid.iter().map(|arguments| write(arguments, false));
        valid.chain(invalid).collect()
    };
    Ok(tools.iter().map(of).collect())
}

/// Picks ranks with probabilities that fall as one over the rank.
pub struct Ranks {
    sums: Vec<f64>,
}

impl Ranks {
    pub fn new(count: usize) -> Self {
        let mut sum = 0.0;
        let sums = (1..=count).map(|rank| {
            sum += 1.0 / rank as f64;
            sum
        });
        Ranks {
            sums: sums.collect(),
        }
    }

    pub fn pick(&self, unit: f64) -> usize {
        let total = self.sums.last().copied().unwrap_or_default();
        let at = self.sums.partition_point(|&sum| sum <= unit * total);
        at.min(self.sums.len().saturating_sub(1))
    }
}
