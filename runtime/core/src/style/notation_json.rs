//! Arguments in a notation as JSON.

use super::json::string;
use super::whole::{MAX_DEPTH, is_json};
use super::{Keys, Notation, Quoting, ReadError};
use alloc::string::String;

impl Notation {
    /// The JSON object that arguments say, without blanks. The text is all of the arguments and no
    /// more: cut it by [`Notation::extent`]. Numbers, and JSON's own strings, are copied. Of
    /// Python, strings in single quotes and all escapes but `\N{…}` and lines that go on, are read
    /// too. Takes memory for the result, and time in proportion to the text.
    ///
    /// ```
    /// use maskwright_core::style::Notation;
    ///
    /// let json = Notation::PYTHON.to_json(r#"city="Oslo", days=3, opts={"k": True, "z": None}"#)?;
    /// assert_eq!(json, r#"{"city":"Oslo","days":3,"opts":{"k":true,"z":null}}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the text is none of the notation, or brackets lie in one another more than 128 deep.
    pub fn to_json(&self, text: &str) -> Result<String, ReadError> {
        let mut reader = NotationReader {
            notation: self,
            rest: text,
            length: text.len(),
            out: String::new(),
        };
        reader.skip_blanks();
        match self.keys {
            Keys::Arguments => {
                reader.out.push('{');
                reader.items(None, 0, |reader| reader.member("=", 0))?;
                reader.out.push('}');
            }
            Keys::Quoted | Keys::Bare => {
                if !reader.rest.starts_with('{') {
                    return reader.fail();
                }
                reader.value(0)?;
            }
        }
        reader.skip_blanks();
        match reader.rest.is_empty() {
            true => Ok(reader.out),
            false => reader.fail(),
        }
    }
}

struct NotationReader<'r> {
    notation: &'r Notation,
    rest: &'r str,
    /// Bytes of the whole text.
    length: usize,
    out: String,
}

impl<'r> NotationReader<'r> {
    fn fail<T>(&self) -> Result<T, ReadError> {
        Err(ReadError {
            at: self.length - self.rest.len(),
        })
    }

    /// Whether this stands next; if so it is passed.
    fn take(&mut self, text: &str) -> bool {
        let behind = self.rest.strip_prefix(text);
        self.rest = behind.unwrap_or(self.rest);
        behind.is_some()
    }

    fn expect(&mut self, text: &str) -> Result<(), ReadError> {
        match self.take(text) {
            true => Ok(()),
            false => self.fail(),
        }
    }

    /// The next bytes, which are passed.
    fn pass(&mut self, bytes: usize) -> Result<&'r str, ReadError> {
        let Some((passed, rest)) = self.rest.split_at_checked(bytes) else {
            return self.fail();
        };
        self.rest = rest;
        Ok(passed)
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
    }

    fn value(&mut self, depth: usize) -> Result<(), ReadError> {
        if depth >= MAX_DEPTH {
            return self.fail();
        }
        if let Some(length) = self.notation.string(self.rest) {
            return self.string(length);
        }
        if self.take("{") {
            self.out.push('{');
            self.items(Some("}"), depth, |reader| reader.member(":", depth))?;
            self.out.push('}');
            return Ok(());
        }
        if self.take("[") {
            self.out.push('[');
            self.items(Some("]"), depth, |reader| reader.value(depth + 1))?;
            self.out.push(']');
            return Ok(());
        }
        let [no, yes] = self.notation.booleans;
        let words = [(self.notation.null, "null"), (no, "false"), (yes, "true")];
        for (word, json) in words {
            if self.take(word) {
                self.out.push_str(json);
                return Ok(());
            }
        }
        let number = self.pass(number(self.rest))?;
        match number.is_empty() {
            true => self.fail(),
            false => {
                self.out.push_str(number);
                Ok(())
            }
        }
    }

    /// What stands between two brackets, up to the closing one, or to the end of the text.
    fn items(
        &mut self,
        close: Option<&str>,
        depth: usize,
        mut item: impl FnMut(&mut Self) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        if depth >= MAX_DEPTH {
            return self.fail();
        }
        let mut is_first = true;
        loop {
            self.skip_blanks();
            let is_end = match close {
                Some(close) => self.take(close),
                None => self.rest.is_empty(),
            };
            if is_end {
                return Ok(());
            }
            if !is_first {
                self.expect(",")?;
                self.skip_blanks();
                self.out.push(',');
            }
            item(self)?;
            is_first = false;
        }
    }

    /// A key and its value.
    fn member(&mut self, assign: &str, depth: usize) -> Result<(), ReadError> {
        let is_bare = assign == "=" || self.notation.keys == Keys::Bare;
        match self.notation.string(self.rest) {
            Some(length) if !is_bare => self.string(length)?,
            _ if !is_bare => return self.fail(),
            _ => {
                let is_end = |c: char| match assign {
                    "=" => !c.is_alphanumeric() && c != '_',
                    _ => Notation::NOT_BARE.contains(&c),
                };
                let end = self.rest.find(is_end);
                let key = self.pass(end.unwrap_or(0))?;
                if key.is_empty() {
                    return self.fail();
                }
                string(key.chars(), &mut self.out);
            }
        }
        self.skip_blanks();
        self.expect(assign)?;
        self.out.push(':');
        self.skip_blanks();
        self.value(depth + 1)
    }

    /// A string of so many bytes, quotes included.
    fn string(&mut self, length: Option<usize>) -> Result<(), ReadError> {
        let Some(length) = length else {
            return self.fail();
        };
        let whole = self.rest.get(..length).unwrap_or_default();
        let quote = match whole.starts_with(self.notation.quote) {
            true => self.notation.quote.len(),
            false => 1,
        };
        let body = whole.get(quote..length - quote).unwrap_or_default();
        match self.notation.quoting {
            Quoting::Raw => string(body.chars(), &mut self.out),
            Quoting::Json if !is_json(whole) => return self.fail(),
            Quoting::Json => self.out.push_str(whole),
            Quoting::Python => {
                let mut rest = body;
                let mut is_wrong = false;
                let chars = core::iter::from_fn(|| {
                    let (char, behind) = python_char(rest)?;
                    rest = behind;
                    is_wrong |= char.is_none();
                    Some(char.unwrap_or_default())
                });
                string(chars, &mut self.out);
                if is_wrong {
                    return self.fail();
                }
            }
        }
        self.pass(length).map(|_| ())
    }
}

/// The character at the beginning of a Python string's text and what is behind it: none if an
/// escape stands for no character.
fn python_char(text: &str) -> Option<(Option<char>, &str)> {
    let Some(escape) = text.strip_prefix('\\') else {
        let mut chars = text.chars();
        let char = chars.next()?;
        return Some((Some(char), chars.as_str()));
    };
    let mut chars = escape.chars();
    let letter = chars.next();
    let behind = chars.as_str();
    let digits = match letter {
        Some('x') => 2,
        Some('u') => 4,
        Some('U') => 8,
        Some('0'..='7') => {
            let most = escape.len().min(3);
            let octal = escape.bytes().take(most);
            let octal = octal.take_while(|byte| (b'0'..=b'7').contains(byte));
            let (octal, behind) = escape.split_at_checked(octal.count())?;
            let code = u32::from_str_radix(octal, 8).ok();
            return Some((code.and_then(char::from_u32), behind));
        }
        _ => 0,
    };
    if digits > 0 {
        let code = behind.get(..digits).unwrap_or_default();
        let behind = behind.get(digits..).unwrap_or_default();
        let is_code = code.len() == digits && code.bytes().all(|byte| byte.is_ascii_hexdigit());
        let code = u32::from_str_radix(code, 16).ok().filter(|_| is_code);
        return Some((code.and_then(char::from_u32), behind));
    }
    let char = match letter {
        Some('a') => '\u{7}',
        Some('b') => '\u{8}',
        Some('t') => '\t',
        Some('n') => '\n',
        Some('v') => '\u{b}',
        Some('f') => '\u{c}',
        Some('r') => '\r',
        Some(c @ ('\\' | '"' | '\'')) => c,
        Some('N' | '\n') | None => return Some((None, behind)),
        // What is no escape is a backslash.
        Some(_) => return Some((Some('\\'), escape)),
    };
    Some((Some(char), behind))
}

/// The length of JSON's number at the beginning of a text; 0 if there is none.
fn number(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let first = usize::from(bytes.first() == Some(&b'-'));
    let whole = digits(first);
    if whole == 0 || whole > 1 && bytes.get(first) == Some(&b'0') {
        return 0;
    }
    let mut end = first + whole;
    if bytes.get(end) == Some(&b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let signed = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if digits(signed) > 0 {
            end = signed + digits(signed);
        }
    }
    end
}
