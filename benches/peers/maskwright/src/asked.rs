//! What is asked of Maskwright's engines alike, and what they say if they cannot do it.

use maskwright_compiler::Error;
use maskwright_compiler::syntax::tools::{Reasoning, ToolChoice, ToolOptions};

/// Free text with any number of calls, as Qwen 3 writes them, without reasoning.
pub fn tool_options() -> ToolOptions {
    ToolOptions::format("qwen_3")
        .choice(Some(ToolChoice::Auto))
        .reasoning(Reasoning::None)
}

pub fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

pub fn first_line(error: Error) -> String {
    let text = error.to_string();
    text.lines().next().unwrap_or_default().to_owned()
}
