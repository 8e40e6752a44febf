//! Warnings for those who ask for them: what is common and mostly meant, and still makes some
//! models run on or stop.
//!
//! In: a grammar that was read. Out: warnings, at most one of each kind.

use super::Parsed;
use super::tools::Reasoning;
use super::tools::format::OpenedBy;
use crate::error::{Code, Diagnostic};
use crate::grammar::lint::unbounded_digits;
use crate::limits::{Deadline, Limits};

impl Parsed {
    /// Warnings of what most grammars have, and mean, for a reader who looks for the cause of a
    /// fault.
    pub fn pedantic_warnings(&self, limits: &Limits) -> Vec<Diagnostic> {
        let digits = unbounded_digits(&self.grammar, &Deadline::start(limits));
        digits
            .into_iter()
            .chain(self.unopened_reasoning())
            .collect()
    }

    /// A warning that reasoning which a prompt has opened cannot be closed.
    fn unopened_reasoning(&self) -> Option<Diagnostic> {
        let calls = self.calls.as_ref()?;
        let by = calls.format.opened_by()?;
        if calls.reasoning != Reasoning::Optional || by == OpenedBy::Prompt {
            return None;
        }
        let message = "reasoning is optional, so a prompt that has opened it leaves the model no way \
                       to close it";
        let help = "if the prompt ends with what opens reasoning, such as `<think>`, set `reasoning` \
                    to `opened` for it; `--reasoning opened` on the command line";
        Some(Diagnostic::warning(Code::ToolReasoning, message).help(help))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::syntax::tools::ToolOptions;
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
