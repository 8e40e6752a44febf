//! What an output in a format looks like.
//!
//! In: a format. Out: a call of a tool `get_weather` with the argument `city`.

use super::{Layout, Piece, Place, ToolFormat};
use maskwright_core::style::{Form, Keys, Kind, Notation};

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

    /// An output that the format's grammar takes if a tool must be called: what stands around the
    /// call too.
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
        if let Some(form) = &self.form {
            return element(&form.form());
        }
        match (self.arguments.form(), self.arguments.notation()) {
            (Some(form), _) => element(form),
            (None, Some(notation)) => object(notation),
            (None, None) => String::new(),
        }
    }
}

fn element(form: &Form<'_>) -> String {
    let kind = form.kind(Kind::String);
    let line = match form.lines && form.trimmed {
        true => "\n",
        false => "",
    };
    let (before, behind) = form.closing.unwrap_or_default();
    let closing = match form.closing {
        Some(_) => format!("{before}city{behind}"),
        None => String::new(),
    };
    let opening = format!("{}city{}{kind}{}", form.open, form.key_end, form.kind_end);
    format!("{opening}{line}Oslo{line}{}{closing}", form.end)
}

fn object(notation: &Notation) -> String {
    let quote = notation.quote;
    match notation.keys {
        Keys::Quoted => format!("{{\"city\": {quote}Oslo{quote}}}"),
        Keys::Arguments => format!("city={quote}Oslo{quote}"),
        Keys::Bare => format!("{{city:{quote}Oslo{quote}}}"),
    }
}
