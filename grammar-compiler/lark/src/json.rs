//! A reader of the small JSON objects in `%regex`, `%llguidance` and `%grammar_options`.

use crate::error::Error;
use crate::syntax::escapes;

/// A value; what the directives have no use for is not kept.
pub(crate) enum Value {
    Bool(bool),
    String(String),
    Strings(Vec<String>),
    Other,
}

/// The members of the object `text`, which stands at byte `base`, in their order, each with the
/// place of its key.
pub(crate) fn object(text: &str, base: usize) -> Result<Vec<(String, usize, Value)>, Error> {
    let mut reader = Reader { text, base, at: 0 };
    let mut members = Vec::new();
    reader.expect('{')?;
    if !reader.take('}') {
        loop {
            reader.blanks();
            let place = base + reader.at;
            let key = reader.string()?;
            reader.expect(':')?;
            members.push((key, place, reader.value()?));
            if !reader.take(',') {
                break;
            }
        }
        reader.expect('}')?;
    }
    reader.blanks();
    if reader.at < text.len() {
        Err(reader.error("the end of the object"))
    } else {
        Ok(members)
    }
}

struct Reader<'t> {
    text: &'t str,
    base: usize,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn error(&self, expected: &str) -> Error {
        let length = self.rest().chars().next().map_or(0, char::len_utf8);
        let start = self.base + self.at;
        Error::new(
            format!("expected {expected} in this JSON"),
            start..start + length,
        )
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
    }

    fn take(&mut self, character: char) -> bool {
        self.blanks();
        let found = self.rest().starts_with(character);
        self.at += if found { character.len_utf8() } else { 0 };
        found
    }

    fn expect(&mut self, character: char) -> Result<(), Error> {
        if self.take(character) {
            Ok(())
        } else {
            Err(self.error(&format!("`{character}`")))
        }
    }

    /// The next string, or its absence as an error.
    fn string(&mut self) -> Result<String, Error> {
        self.blanks();
        let rest = self.rest();
        if !rest.starts_with('"') {
            return Err(self.error("a string"));
        }
        let Some(length) = escapes::quoted_length(rest) else {
            return Err(self.error("a string that ends"));
        };
        let inside = &rest[1..length - 1];
        let text = escapes::string(inside, self.base + self.at + 1, '"')?;
        self.at += length;
        Ok(text)
    }

    fn value(&mut self) -> Result<Value, Error> {
        self.blanks();
        if self.rest().starts_with('"') {
            return self.string().map(Value::String);
        }
        if self.take('[') {
            return self.strings();
        }
        for (word, value) in [
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
            ("null", Value::Other),
        ] {
            if self.rest().starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        let rest = self.rest();
        let number = rest.trim_start_matches(|c: char| c.is_ascii_digit() || "+-.eE".contains(c));
        let length = rest.len() - number.len();
        if length == 0 {
            return Err(self.error("`true`, `false`, a string or a list of strings"));
        }
        self.at += length;
        Ok(Value::Other)
    }

    fn strings(&mut self) -> Result<Value, Error> {
        let mut strings = Vec::new();
        if self.take(']') {
            return Ok(Value::Strings(strings));
        }
        loop {
            strings.push(self.string()?);
            if !self.take(',') {
                break;
            }
        }
        self.expect(']')?;
        Ok(Value::Strings(strings))
    }
}
