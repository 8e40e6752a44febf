//! Warnings for those who ask for them: what is common and mostly meant, and still makes some
//! models run on or stop.
//!
//! In: a grammar that was read. Out: warnings, at most one of each kind.

use super::Parsed;
use crate::error::Diagnostic;
use crate::grammar::lint::unbounded_digits;
use crate::limits::{Deadline, Limits};

impl Parsed {
    /// Warnings of what most grammars have, and mean, for a reader who looks for the cause of a
    /// fault.
    pub fn pedantic_warnings(&self, limits: &Limits) -> Vec<Diagnostic> {
        let digits = unbounded_digits(&self.grammar, &Deadline::start(limits));
        digits
            .into_iter()
            .chain(self.calls.as_ref().and_then(|of| of.unopened_reasoning()))
            .collect()
    }
}

#[cfg(all(test, feature = "tags"))]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::syntax::tools::{Reasoning, ToolOptions};
    use crate::syntax::{Kind, ParseOptions, parse};

    /// The codes of the warnings about a request without digits.
    fn codes(format: &str, reasoning: Reasoning) -> Vec<&'static str> {
        let tools = r#"[{"name": "now"}]"#;
        let tools = Source::new("tools.json", tools);
        let options = ToolOptions::format(format).reasoning(reasoning);
        let options = ParseOptions::default().tools(options);
        let parsed = parse(Kind::Tools, &tools, &options).unwrap();
        let warnings = parsed.pedantic_warnings(&Limits::default());
        warnings
            .iter()
            .map(|warning| warning.code().as_str())
            .collect()
    }

    #[test]
    fn optional_reasoning_is_warned_of_unless_the_format_knows_that_prompts_open_it() {
        assert_eq!(codes("qwen_3", Reasoning::Optional), ["tool-reasoning"]);
        assert!(codes("qwen_3", Reasoning::Opened).is_empty());
        assert!(codes("deepseek_r1", Reasoning::Optional).is_empty());
        assert!(codes("llama", Reasoning::Optional).is_empty());
    }
}
