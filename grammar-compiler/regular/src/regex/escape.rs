//! What a backslash begins.

use super::{Item, Parser, cased};
use crate::characters::{self, Ranges};
use crate::error::Error;
use crate::node::Node;
use crate::pattern::Flags;

impl Parser<'_, '_, '_> {
    /// What the backslash at `from` begins, outside of a class.
    pub(super) fn escape(&mut self, from: usize, flags: Flags) -> Result<Item, Error> {
        if let Some(ranges) = self.category(from, flags)? {
            return Ok(Item::Part(Node::class(ranges, false)));
        }
        match self.peek() {
            Some('A') => {
                self.next();
                Ok(Item::Anchor(self.line_start(false)))
            }
            Some('Z' | 'z') => {
                self.next();
                let span = self.start + from..self.start + self.at;
                Ok(Item::Anchor(Node::end(false, span)))
            }
            Some(c @ ('b' | 'B')) => {
                self.next();
                Ok(Item::Anchor(self.word_boundary(c == 'B', flags.ascii)))
            }
            Some('1'..='9') if !self.is_long_octal() => {
                self.next();
                if self.peek().is_some_and(|c| c.is_ascii_digit()) {
                    self.next();
                }
                Err(self.unsupported(
                    from..self.at,
                    "references to groups are not supported: no automaton can follow them",
                    "spell out what the group matches; for texts that must be equal, write one \
                     alternative for each",
                ))
            }
            _ => {
                let c = self.character(from)?;
                Ok(Item::Part(Node::class(cased(vec![(c, c)], flags), false)))
            }
        }
    }

    /// Whether three octal digits come next.
    fn is_long_octal(&self) -> bool {
        let digits = self.rest().bytes().take(3);
        digits.filter(|b| matches!(b, b'0'..=b'7')).count() == 3
    }

    /// The set that an escape such as `\w` or `\p{L}` stands for, if that comes next.
    pub(super) fn category(&mut self, from: usize, flags: Flags) -> Result<Option<Ranges>, Error> {
        let Some(c) = self.peek() else {
            return Ok(None);
        };
        let ranges = match c.to_ascii_lowercase() {
            'd' => characters::digits(flags.ascii),
            's' => characters::spaces(flags.ascii),
            'w' => characters::word(flags.ascii),
            'p' => {
                self.next();
                return self.property(from, c == 'P').map(Some);
            }
            _ => return Ok(None),
        };
        self.next();
        Ok(Some(match c.is_ascii_uppercase() {
            true => characters::complement(&ranges),
            false => ranges,
        }))
    }

    /// What stands behind `\p` or `\P`.
    fn property(&mut self, from: usize, is_negated: bool) -> Result<Ranges, Error> {
        let name = match self
            .rest()
            .strip_prefix('{')
            .and_then(|rest| rest.split_once('}'))
        {
            Some((name, _)) => {
                self.at += name.len() + 2;
                name
            }
            None => {
                let length = self.next().map_or(0, char::len_utf8);
                self.source
                    .get(self.at - length..self.at)
                    .unwrap_or_default()
            }
        };
        let (name, is_inverse) = match name.strip_prefix('^') {
            Some(name) => (name, true),
            None => (name, false),
        };
        match characters::property(name) {
            Some(ranges) if is_negated != is_inverse => Ok(characters::complement(&ranges)),
            Some(ranges) => Ok(ranges),
            None => Err(self.syntax(
                from..self.at,
                "no property of characters has this name",
                r"write a category, a script or a property of Unicode: `\p{L}`, `\p{Greek}`",
            )),
        }
    }

    /// The one character that the escape at `from` stands for; the backslash has been read.
    pub(super) fn character(&mut self, from: usize) -> Result<char, Error> {
        let Some(c) = self.next() else {
            return Err(self.syntax(
                from..self.at,
                "a backslash at the end",
                r"write `\\` for a backslash",
            ));
        };
        Ok(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'f' => '\x0c',
            'v' => '\x0b',
            'a' => '\x07',
            'x' => return self.hexadecimal(from, 2),
            'u' => return self.hexadecimal(from, 4),
            'U' => return self.hexadecimal(from, 8),
            '0'..='7' => return self.octal(from),
            'N' => {
                return Err(self.unsupported(
                    from..self.at,
                    "names of characters are not supported",
                    r"write its number in hexadecimal: `\u00e9`",
                ));
            }
            _ if c.is_ascii_alphanumeric() => {
                return Err(self.syntax(
                    from..self.at,
                    &format!(r"the escape `\{c}` is unknown"),
                    &format!(r"write `{c}` without the backslash, or `\\{c}` for both characters"),
                ));
            }
            _ => c,
        })
    }

    /// A number of `digits` hexadecimal digits, or, as in Rust, of any count within braces.
    fn hexadecimal(&mut self, from: usize, digits: usize) -> Result<char, Error> {
        let rest = self.rest();
        let braced = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
        let (text, length) = match braced {
            Some((text, _)) if (1..=8).contains(&text.len()) => (text, text.len() + 2),
            _ => (rest.get(..digits).unwrap_or_default(), digits),
        };
        let is_valid = !text.is_empty() && text.bytes().all(|b| b.is_ascii_hexdigit());
        let number = u32::from_str_radix(text, 16).ok().filter(|_| is_valid);
        let Some(number) = number else {
            return Err(self.syntax(
                from..self.at,
                &format!("this escape needs {digits} hexadecimal digits"),
                r"write `\x41`, `\u00e9` or `\U0001f600`",
            ));
        };
        self.at += length;
        char::from_u32(number).ok_or_else(|| {
            self.syntax(
                from..self.at,
                "this number is no character",
                "texts are UTF-8: write numbers up to 10ffff that are no surrogates (d800 to dfff)",
            )
        })
    }

    /// An octal number of up to three digits, of which the first has been read.
    fn octal(&mut self, from: usize) -> Result<char, Error> {
        let more = self
            .rest()
            .bytes()
            .take(2)
            .take_while(|b| matches!(b, b'0'..=b'7'))
            .count();
        self.at += more;
        let text = self
            .source
            .get(self.at - more - 1..self.at)
            .unwrap_or_default();
        match u8::from_str_radix(text, 8) {
            Ok(number) => Ok(char::from(number)),
            Err(_) => Err(self.syntax(
                from..self.at,
                "this octal number is too large",
                r"write at most `\377`, or the number in hexadecimal: `\u0100`",
            )),
        }
    }
}
