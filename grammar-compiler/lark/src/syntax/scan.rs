//! Text → tokens.
//!
//! What holds after: a [`Kind::Newline`] stands only where an item ends, so a line that begins with
//! `|` belongs to the one before; the last token is [`Kind::End`].

use super::NESTING;
use super::escapes;
use super::lexemes::{name_length, number_length, special_ids};
use super::token::{Kind, SIGNS, Token};
use crate::budget::Budget;
use crate::error::Error;
use crate::grammar::Token as Special;
use maskwright_regular::Flags;

/// All tokens of a text.
pub(super) fn scan(text: &str, budget: &mut Budget) -> Result<Vec<Token>, Error> {
    let mut scanner = Scanner {
        text,
        at: text.len() - text.trim_start_matches('\u{feff}').len(),
    };
    let mut tokens = Vec::new();
    scanner.line_ends()?;
    loop {
        let token = scanner.next(NESTING)?;
        budget.tick(&token.span)?;
        let is_block = token.kind == Kind::Directive && takes_block(&text[token.span.clone()]);
        let is_end = token.kind == Kind::End;
        tokens.push(token);
        if is_block {
            tokens.push(scanner.block(NESTING)?);
        }
        if is_end {
            return Ok(tokens);
        }
    }
}

/// Whether braces with a text of another language follow.
fn takes_block(directive: &str) -> bool {
    matches!(
        directive,
        "%json" | "%lark" | "%regex" | "%llguidance" | "%grammar_options"
    )
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scanner<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Goes on by `length` bytes, which are a token.
    fn take(&mut self, length: usize, kind: Kind) -> Token {
        let span = self.at..self.at + length;
        self.at = span.end;
        Token { kind, span }
    }

    /// An error about the next `length` bytes.
    fn error(&self, message: &str, length: usize) -> Error {
        Error::new(message, self.at..self.at + length)
    }

    fn skip(&mut self, is_skipped: impl Fn(char) -> bool) {
        self.at = self.text.len() - self.rest().trim_start_matches(is_skipped).len();
    }

    /// Skips blanks, comments and joined line ends.
    fn blanks(&mut self) {
        loop {
            self.skip(|c| matches!(c, ' ' | '\t' | '\r' | '\u{c}'));
            let rest = self.rest();
            if rest.starts_with('#') || rest.starts_with("//") {
                self.skip(|c| c != '\n');
            } else if let Some(behind) = rest.strip_prefix('\\') {
                let behind = behind.trim_start_matches([' ', '\t', '\r']);
                let Some(next) = behind.strip_prefix('\n') else {
                    return;
                };
                self.at = self.text.len() - next.len();
            } else {
                return;
            }
        }
    }

    /// Skips blanks, comments and line ends; whether there was a line end.
    fn line_ends(&mut self) -> Result<bool, Error> {
        let mut found = false;
        loop {
            self.blanks();
            if !self.rest().starts_with('\n') {
                return Ok(found);
            }
            found = true;
            self.at += 1;
        }
    }

    /// The next token, where braces of other languages may nest `depth` deep.
    fn next(&mut self, depth: usize) -> Result<Token, Error> {
        self.blanks();
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return Ok(self.take(0, Kind::End));
        };
        match first {
            '\n' => self.newline(depth),
            '"' | '\'' => self.string(first),
            '/' => self.regex(),
            '<' => self.special(),
            '%' => self.directive(),
            '0'..='9' => Ok(self.take(number_length(rest), Kind::Number)),
            _ => match name_length(rest) {
                0 => self.sign(first),
                length => Ok(self.take(length, Kind::Name)),
            },
        }
    }

    fn newline(&mut self, depth: usize) -> Result<Token, Error> {
        let span = self.at..self.at + 1;
        self.line_ends()?;
        match self.rest().chars().next() {
            Some('|') | None => self.next(depth),
            Some(_) => Ok(Token {
                kind: Kind::Newline,
                span,
            }),
        }
    }

    fn sign(&mut self, first: char) -> Result<Token, Error> {
        match SIGNS.iter().find(|sign| self.rest().starts_with(**sign)) {
            Some(sign) => Ok(self.take(sign.len(), Kind::Sign(sign))),
            None => {
                let error = self.error(&format!("unexpected {first:?}"), first.len_utf8());
                Err(error.help("names are of ASCII letters, digits, `_` and `-`"))
            }
        }
    }

    fn string(&mut self, quote: char) -> Result<Token, Error> {
        let rest = self.rest();
        let Some(length) = escapes::quoted_length(rest) else {
            let line = rest.lines().next().map_or(0, str::len);
            return Err(self
                .error("this string has no end on its line", line)
                .help(format!(
                    "close it with `{quote}`; write a line break as `\\n`"
                )));
        };
        let text = escapes::string(&rest[1..length - 1], self.at + 1, quote)?;
        let ignore_case = rest[length..].starts_with('i');
        let length = length + usize::from(ignore_case);
        Ok(self.take(length, Kind::String { text, ignore_case }))
    }

    fn regex(&mut self) -> Result<Token, Error> {
        let bytes = self.rest().as_bytes();
        let mut end = 1;
        loop {
            match bytes.get(end) {
                None => {
                    let line = self.rest().lines().next().map_or(0, str::len);
                    return Err(self
                        .error("this regular expression has no end", line)
                        .help("close it with `/`; write a slash inside as `\\/`"));
                }
                Some(b'/') => break,
                Some(b'\\') => end += 2,
                Some(_) => end += 1,
            }
        }
        let source = self.at + 1..self.at + end;
        let (flags, length) = self.flags(end + 1)?;
        Ok(self.take(end + 1 + length, Kind::Regex { source, flags }))
    }

    /// The flags from `from` bytes on, and how many they are.
    fn flags(&self, from: usize) -> Result<(Flags, usize), Error> {
        let mut flags = Flags::default();
        let letters = self.rest()[from..]
            .bytes()
            .take_while(u8::is_ascii_lowercase);
        let mut length = 0;
        for letter in letters {
            match letter {
                b'i' => flags.ignore_case = true,
                b'm' => flags.multi_line = true,
                b's' => flags.dot_all = true,
                b'x' => flags.verbose = true,
                b'u' => {}
                b'l' => {
                    let start = self.at + from + length;
                    return Err(
                        Error::new("the flag `l` depends on a locale", start..start + 1)
                            .help("leave it out: letters are those of Unicode"),
                    );
                }
                _ => break,
            }
            length += 1;
        }
        Ok((flags, length))
    }

    fn directive(&mut self) -> Result<Token, Error> {
        let word =
            self.rest()[1..].trim_start_matches(|c: char| c.is_ascii_lowercase() || c == '_');
        let length = self.rest().len() - word.len();
        if length == 1 {
            return Err(self.error("expected the name of a directive after `%`", 1));
        }
        Ok(self.take(length, Kind::Directive))
    }

    /// `<name>` or `<[…]>`.
    fn special(&mut self) -> Result<Token, Error> {
        let rest = self.rest();
        let is_end = |c: char| c == '>' || c == '\n';
        let length = rest.find(is_end).unwrap_or(rest.len());
        if !rest[length..].starts_with('>') {
            return Err(self
                .error("this token has no `>`", length)
                .help("a token of the vocabulary is `<name>` or `<[17,20-29]>`"));
        }
        let span = self.at..self.at + length + 1;
        let inside = &rest[1..length];
        let token = match inside.strip_prefix('[') {
            Some(ids) => special_ids(ids, &span)?,
            None if inside.is_empty()
                || inside.contains(|c: char| c == '<' || c.is_whitespace()) =>
            {
                return Err(Error::new("the name of this token is not valid", span)
                    .help("it holds no blank and no `<`, and is not empty"));
            }
            None => Special::Named(rest[..=length].to_owned()),
        };
        Ok(self.take(length + 1, Kind::Special(token)))
    }

    /// What stands behind `%json` and its like: braces with all that is in them, or a word.
    fn block(&mut self, depth: usize) -> Result<Token, Error> {
        let directive = self.text[..self.at].rfind('%').unwrap_or(0);
        let directive = directive..self.at;
        let is_lark = &self.text[directive.clone()] == "%lark";
        self.line_ends()?;
        let rest = self.rest();
        for word in ["true", "false"] {
            if rest.starts_with(word) && !is_lark {
                return Ok(self.take(word.len(), Kind::Block));
            }
        }
        if !rest.starts_with('{') {
            let name = &self.text[directive.clone()];
            return Err(Error::new(
                format!("expected `{{` after `{name}`"),
                directive,
            ));
        }
        let start = self.at;
        let closed = if is_lark {
            self.lark_block(depth)?
        } else {
            self.json_block()
        };
        if !closed {
            return Err(Error::new("this `{` is not closed", start..start + 1));
        }
        Ok(Token {
            kind: Kind::Block,
            span: start..self.at,
        })
    }

    /// Goes behind the brace that closes the one here; whether there is one.
    fn json_block(&mut self) -> bool {
        let mut depth = 0usize;
        while let Some(&byte) = self.rest().as_bytes().first() {
            if byte == b'"' {
                let Some(length) = escapes::quoted_length(self.rest()) else {
                    return false;
                };
                self.at += length;
                continue;
            }
            self.at += self.rest().chars().next().map_or(1, char::len_utf8);
            match byte {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return true;
            }
        }
        false
    }

    fn lark_block(&mut self, depth: usize) -> Result<bool, Error> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(Error::limit(
                "grammars are embedded too deeply",
                self.at..self.at + 1,
                "",
            ));
        };
        let mut open = 0usize;
        loop {
            let token = self.next(depth)?;
            match token.kind {
                Kind::Sign("{") => open += 1,
                Kind::Sign("}") => open = open.saturating_sub(1),
                Kind::Directive if takes_block(&self.text[token.span]) => {
                    self.block(depth)?;
                }
                Kind::End => return Ok(false),
                _ => {}
            }
            if open == 0 {
                return Ok(true);
            }
        }
    }
}
