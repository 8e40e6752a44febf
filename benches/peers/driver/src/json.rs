//! RFC 8259, read byte by byte: an independent judge of whose mask is right where the language is
//! all of JSON.

/// What may come next.
#[derive(Clone, Copy, PartialEq)]
enum At {
    /// A value.
    Value,
    /// A value, or the end of an array that has just begun.
    First,
    /// A key, or the end of an object that has just begun.
    FirstKey,
    /// A key.
    Key,
    Colon,
    /// After a value.
    After,
    /// Within a string; whether it is a key.
    Text(bool),
    Escape(bool),
    Hex(bool, u8),
    /// Within `true`, `false` or `null`: what is left.
    Word(&'static [u8]),
    Number(Digits),
}

#[derive(Clone, Copy, PartialEq)]
enum Digits {
    Minus,
    Zero,
    Whole,
    Point,
    Fraction,
    Exponent,
    Sign,
    Power,
}

/// A JSON text so far.
#[derive(Clone)]
pub struct Json {
    at: At,
    /// The open brackets: whether each is an object's.
    open: Vec<bool>,
    /// Bytes of a character that has begun.
    character: Vec<u8>,
}

impl Json {
    pub fn new() -> Self {
        Json {
            at: At::Value,
            open: Vec::new(),
            character: Vec::new(),
        }
    }

    /// Whether the text lies within a string.
    pub fn in_string(&self) -> bool {
        matches!(self.at, At::Text(_) | At::Escape(_) | At::Hex(..))
    }

    /// Whether the text may end here.
    pub fn is_complete(&self) -> bool {
        let whole = match self.at {
            At::After => true,
            At::Number(digits) => ends(digits),
            _ => false,
        };
        whole && self.open.is_empty()
    }

    /// Takes bytes; false if no JSON text goes on so.
    pub fn take(&mut self, bytes: &[u8]) -> bool {
        bytes.iter().all(|&byte| self.byte(byte))
    }

    fn byte(&mut self, byte: u8) -> bool {
        use At::*;
        let next = match (self.at, byte) {
            (Text(key), _) => return self.text(key, byte),
            (Escape(key), b'u') => Hex(key, 4),
            (Escape(key), b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Text(key),
            (Hex(key, left), b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F') => {
                if left == 1 {
                    Text(key)
                } else {
                    Hex(key, left - 1)
                }
            }
            (Word(rest), byte) if rest[0] == byte => {
                if rest.len() == 1 {
                    After
                } else {
                    Word(&rest[1..])
                }
            }
            (Number(digits), byte) => match number(digits, byte) {
                Some(digits) => Number(digits),
                None if ends(digits) => {
                    self.at = After;
                    return self.byte(byte);
                }
                None => return false,
            },
            (Value | First | FirstKey | Key | Colon | After, b' ' | b'\t' | b'\n' | b'\r') => {
                self.at
            }
            (FirstKey | Key, b'"') => Text(true),
            (Colon, b':') => Value,
            (FirstKey, b'}') | (First, b']') => return self.close(byte),
            (After, b'}' | b']') => return self.close(byte),
            (After, b',') => match self.open.last() {
                Some(true) => Key,
                Some(false) => Value,
                None => return false,
            },
            (Value | First, byte) => match byte {
                b'{' | b'[' => {
                    self.open.push(byte == b'{');
                    if byte == b'{' { FirstKey } else { First }
                }
                b'"' => Text(false),
                b't' => Word(b"rue"),
                b'f' => Word(b"alse"),
                b'n' => Word(b"ull"),
                b'-' => Number(Digits::Minus),
                b'0' => Number(Digits::Zero),
                b'1'..=b'9' => Number(Digits::Whole),
                _ => return false,
            },
            _ => return false,
        };
        self.at = next;
        true
    }

    fn close(&mut self, byte: u8) -> bool {
        self.at = At::After;
        self.open.pop() == Some(byte == b'}')
    }

    fn text(&mut self, key: bool, byte: u8) -> bool {
        if byte >= 0x80 || !self.character.is_empty() {
            self.character.push(byte);
            match std::str::from_utf8(&self.character) {
                Ok(_) => self.character.clear(),
                Err(error) if error.error_len().is_some() => return false,
                Err(_) => {}
            }
            return true;
        }
        match byte {
            b'"' => self.at = if key { At::Colon } else { At::After },
            b'\\' => self.at = At::Escape(key),
            0..0x20 => return false,
            _ => {}
        }
        true
    }
}

fn ends(digits: Digits) -> bool {
    matches!(
        digits,
        Digits::Zero | Digits::Whole | Digits::Fraction | Digits::Power
    )
}

fn number(digits: Digits, byte: u8) -> Option<Digits> {
    use Digits::*;
    Some(match (digits, byte) {
        (Minus, b'0') => Zero,
        (Minus, b'1'..=b'9') | (Whole, b'0'..=b'9') => Whole,
        (Zero | Whole, b'.') => Point,
        (Point | Fraction, b'0'..=b'9') => Fraction,
        (Zero | Whole | Fraction, b'e' | b'E') => Exponent,
        (Exponent, b'+' | b'-') => Sign,
        (Exponent | Sign | Power, b'0'..=b'9') => Power,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::Json;

    #[test]
    fn texts_and_what_are_none() {
        let good = [
            r#" {"a": [1, -0.5e+3, true, null, "x\u00e9é"], "b": {}} "#,
            "[]",
            "0",
            r#""""#,
        ];
        for text in good {
            let mut json = Json::new();
            assert!(json.take(text.as_bytes()) && json.is_complete(), "{text}");
        }
        for text in [
            "{,",
            "[1,]",
            "01",
            "[1 2",
            r#"{"a" 1"#,
            "\"\n",
            "tru ",
            "-a",
            r#""\x"#,
            "[}",
            "1.e",
        ] {
            assert!(!Json::new().take(text.as_bytes()), "{text}");
        }
        assert!(!Json::new().take(b"\"\xff"));
    }
}
