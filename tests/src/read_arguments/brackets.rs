//! Arguments in brackets read back, after the grammars of Python and of Gemma's templates.

use maskwright_compiler::syntax::json_schema::Style;
use serde_json::{Map, Value};

/// The object that a text says, in which no key comes twice.
pub fn distinct_arguments(style: Style, text: &str) -> Option<Value> {
    read(style, text, true)
}

/// The object that a text says. Of members with one key the last counts.
pub fn arguments(style: Style, text: &str) -> Option<Value> {
    if style == Style::Json {
        return serde_json::from_str(text).ok().filter(Value::is_object);
    }
    read(style, text, false)
}

fn read(style: Style, text: &str, is_distinct: bool) -> Option<Value> {
    let mut text = Text {
        style,
        rest: text,
        is_distinct,
    };
    text.blanks();
    let value = match style {
        Style::Pythonic | Style::PythonicJson => text.members("", true)?,
        _ => text.value().filter(Value::is_object)?,
    };
    text.blanks();
    text.rest.is_empty().then_some(value)
}

struct Text<'t> {
    style: Style,
    rest: &'t str,
    is_distinct: bool,
}

impl<'t> Text<'t> {
    fn blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
    }

    fn skip(&mut self, prefix: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(prefix)?;
        Some(())
    }

    fn value(&mut self) -> Option<Value> {
        if self.skip("{").is_some() {
            return self.members("}", false);
        }
        if self.skip("[").is_some() {
            let mut items = Vec::new();
            self.list("]", |text| {
                items.push(text.value()?);
                Some(())
            })?;
            return Some(Value::Array(items));
        }
        if self.rest.starts_with(['"', '<']) {
            return self.string().map(Value::String);
        }
        let end = self.rest.find([',', '}', ']', ' ', '\t', '\n', '\r']);
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        let is_python = self.style == Style::Pythonic;
        match word {
            "None" if is_python => Some(Value::Null),
            "True" if is_python => Some(Value::Bool(true)),
            "False" if is_python => Some(Value::Bool(false)),
            "null" | "true" | "false" if is_python => None,
            _ => serde_json::from_str(word).ok(),
        }
    }

    /// Parts with commas between them, up to the end.
    fn list(&mut self, end: &str, mut part: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.blanks();
        let is_end = |text: &Self| match end {
            "" => text.rest.is_empty(),
            _ => text.rest.starts_with(end),
        };
        if is_end(self) {
            return self.skip(end);
        }
        loop {
            self.blanks();
            part(self)?;
            self.blanks();
            if is_end(self) {
                return self.skip(end);
            }
            self.skip(",")?;
        }
    }

    fn members(&mut self, end: &str, is_call: bool) -> Option<Value> {
        let mut members = Map::new();
        self.list(end, |text| {
            let is_quoted = matches!(text.style, Style::Pythonic | Style::PythonicJson);
            let key = match is_quoted && !is_call {
                true => text.string()?,
                false => text.bare(if is_call { "=" } else { ":" })?,
            };
            text.blanks();
            text.skip(if is_call { "=" } else { ":" })?;
            text.blanks();
            let before = members.insert(key, text.value()?);
            (!text.is_distinct || before.is_none()).then_some(())
        })?;
        Some(Value::Object(members))
    }

    /// A key without quotes.
    fn bare(&mut self, end: &str) -> Option<String> {
        let end = self
            .rest
            .find(|c| end.contains(c) || " \t\n\r:,{}[]<".contains(c))?;
        let (key, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!key.is_empty()).then(|| key.to_owned())
    }

    fn string(&mut self) -> Option<String> {
        let mark = match self.style {
            Style::Gemma4 => "<|\"|>",
            Style::FunctionGemma => "<escape>",
            Style::PythonicJson => return self.json_string(),
            _ => return self.python_string(),
        };
        self.skip(mark)?;
        let (text, rest) = self.rest.split_once(mark)?;
        self.rest = rest;
        Some(text.to_owned())
    }

    /// As JSON reads it.
    fn json_string(&mut self) -> Option<String> {
        let mut read = serde_json::Deserializer::from_str(self.rest).into_iter::<String>();
        let text = read.next()?.ok()?;
        self.rest = self.rest.get(read.byte_offset()..)?;
        Some(text)
    }

    /// As Python reads a literal in double quotes.
    fn python_string(&mut self) -> Option<String> {
        self.skip("\"")?;
        let mut text = String::new();
        let mut chars = self.rest.chars();
        loop {
            match chars.next()? {
                '"' => break,
                '\n' | '\r' | '\0' => return None,
                '\\' => match chars.next()? {
                    c @ ('"' | '\\' | '\'') => text.push(c),
                    'n' => text.push('\n'),
                    'r' => text.push('\r'),
                    't' => text.push('\t'),
                    'b' => text.push('\u{8}'),
                    'f' => text.push('\u{c}'),
                    'u' => {
                        let digits: String = chars.by_ref().take(4).collect();
                        let code = u32::from_str_radix(&digits, 16).ok()?;
                        // Half of a pair is no character.
                        text.push(char::from_u32(code)?);
                    }
                    // Python leaves the backslash there, so nobody writes one who means the
                    // character.
                    _ => return None,
                },
                other => text.push(other),
            }
        }
        self.rest = chars.as_str();
        Some(text)
    }
}
