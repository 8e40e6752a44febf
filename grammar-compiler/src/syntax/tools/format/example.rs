//! What an output in a format looks like.
//!
//! In: a format. Out: a call of a tool `get_weather` with the argument `city`.

use super::{Layout, Piece, Place, ToolFormat};
use crate::syntax::json_schema::Style;

/// The name of the tool in examples.
pub const EXAMPLE_TOOL: &str = "get_weather";

/// The tools of examples, as a request has them.
pub const EXAMPLE_TOOLS: &str = r#"[
  {
    "type": "function",
    "function": {
      "name": "get_weather",
      "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"]
      }
    }
  }
]
"#;

impl ToolFormat {
    /// One call, as the model's template writes it, with its section around it.
    pub fn example(&self) -> String {
        let mut out = String::new();
        let section = self.sections.first();
        out.push_str(section.map_or("", |section| &section.begin.value));
        let call = self.calls.first();
        for piece in call.map_or(&[][..], |call| call.pieces()) {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Place(Place::Name) => out.push_str(EXAMPLE_TOOL),
                Piece::Place(Place::Id) => out.push_str(self.example_id()),
                Piece::Place(Place::Arguments) => out.push_str(&self.example_arguments()),
            }
        }
        out.push_str(section.map_or("", |section| &section.end.value));
        out
    }

    /// An output that the format's grammar takes if a tool must be called: what stands around the call too.
    pub fn example_output(&self) -> String {
        let call = self.example();
        match self.layout {
            Layout::Blocks => {
                let text = self.texts.first();
                let end = text.and_then(|text| text.ends.first());
                let end = end.map_or("", |end| &end.value);
                format!("Wait.{end}{call}{}", self.end.value)
            }
            Layout::Anywhere => format!("{}{call}", self.before.value),
            Layout::AtStart | Layout::Messages => call,
        }
    }

    fn example_id(&self) -> &'static str {
        match self.id.value.as_str() {
            "[0-9]+" => "0",
            _ => "a1B2c3D4e",
        }
    }

    fn example_arguments(&self) -> String {
        let Some(form) = self.arguments.form() else {
            return match self.arguments {
                Style::Json => r#"{"city": "Oslo"}"#.to_owned(),
                _ => String::new(),
            };
        };
        let kind = form.kind(maskwright_core::style::Kind::String);
        let line = match form.lines && form.trimmed {
            true => "\n",
            false => "",
        };
        let mut out = format!("{}city{}{kind}{}", form.open, form.key_end, form.kind_end);
        out.push_str(&format!("{line}Oslo{line}{}", form.end));
        if let Some((before, behind)) = form.closing {
            out.push_str(&format!("{before}city{behind}"));
        }
        out
    }
}
