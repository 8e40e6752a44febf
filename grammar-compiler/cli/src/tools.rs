//! How tools are read: options of all commands that take a grammar.

use maskwright_compiler::syntax::tools::{FormatSource, Reasoning, ToolChoice, ToolOptions};

/// How tools are read.
#[derive(clap::Args)]
pub struct ToolArgs {
    /// How the model writes calls: a name that `maskwright formats` lists, or a file that ends with `.json`. Without --tools, an example tool is taken.
    #[arg(long, value_name = "NAME|FILE")]
    pub tool_format: Option<String>,
    /// Whether a tool may or must be called: auto, none, required, the name of a tool, or auto:A,B and required:A,B for some tools [default: what the file of tools says, or auto].
    #[arg(long, value_name = "CHOICE")]
    tool_choice: Option<String>,
    /// Whether outputs begin with reasoning: none, optional, required, or opened if the prompt has written what reasoning begins with [default: optional].
    #[arg(long, value_name = "WHETHER")]
    reasoning: Option<Reasoning>,
    /// At most one call in an output.
    #[arg(long)]
    no_parallel_tool_calls: bool,
    /// Arguments satisfy the schemas of their tools, whatever the tools say of that; with `=false`, they are any objects.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    tool_strict: Option<bool>,
    /// Calls may have other blanks than the format's template writes.
    #[arg(long)]
    tool_blanks: bool,
}

impl ToolArgs {
    pub fn options(&self) -> ToolOptions {
        let choice = self.tool_choice.as_deref();
        let mut options = ToolOptions::default();
        options.format = self.tool_format.as_deref().map(FormatSource::of);
        options
            .choice(choice.map(ToolChoice::of))
            .parallel(self.no_parallel_tool_calls.then_some(false))
            .reasoning(self.reasoning.unwrap_or_default())
            .strict(self.tool_strict)
            .blanks(self.tool_blanks)
    }
}
