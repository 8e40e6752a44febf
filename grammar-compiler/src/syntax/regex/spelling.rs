//! One spelling for the dialects of regular expressions.
//!
//! In: a pattern as ECMAScript, Python or Rust would write it. Out: [`Spelled`], the same pattern
//! in the spelling of `regex-syntax`, with the place in the original of each of its bytes.
//! Look-around and back-references are gone (refused), a `[` inside a class stands for itself, and
//! groups nest at most as deep as allowed.

use crate::error::{Code, Diagnostic};
use crate::limits::{Deadline, LimitExceeded};
use crate::source::Span;
use regex_syntax::ast;

/// A pattern in the spelling of `regex-syntax`.
pub(super) struct Spelled {
    text: String,
    /// For each byte of `text`, and for its end, where it comes from.
    origin: Vec<usize>,
}

impl Spelled {
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The place in the original pattern.
    pub(super) fn span(&self, span: &ast::Span) -> Span {
        let place = |offset: usize| {
            let last = self.origin.last().copied().unwrap_or(0);
            self.origin.get(offset).copied().unwrap_or(last)
        };
        Span::new(place(span.start.offset), place(span.end.offset))
    }
}

/// Respells `pattern`, whose groups may nest `nesting` deep (what is left of the limit `limit`).
pub(super) fn respell(
    pattern: &str,
    nesting: usize,
    limit: usize,
    deadline: &Deadline,
) -> Result<Spelled, Diagnostic> {
    let mut speller = PatternSpeller {
        pattern,
        at: 0,
        spelled: Spelled {
            text: String::with_capacity(pattern.len()),
            origin: Vec::new(),
        },
        nesting,
        limit,
        last_brace: pattern.rfind('}'),
    };
    speller.run(deadline)?;
    speller.spelled.origin.push(pattern.len());
    Ok(speller.spelled)
}

struct PatternSpeller<'p> {
    pattern: &'p str,
    /// The next byte of `pattern`.
    at: usize,
    spelled: Spelled,
    nesting: usize,
    limit: usize,
    /// Where the last brace is closed: none is looked for behind it.
    last_brace: Option<usize>,
}

impl<'p> PatternSpeller<'p> {
    fn rest(&self) -> &'p str {
        self.pattern.get(self.at..).unwrap_or("")
    }

    /// Takes `bytes` bytes of the pattern and writes `text` for them.
    fn write(&mut self, bytes: usize, text: &str) {
        self.spelled.text.push_str(text);
        self.spelled
            .origin
            .extend(std::iter::repeat_n(self.at, text.len()));
        self.at += bytes;
    }

    /// Takes `bytes` bytes as they are.
    fn copy(&mut self, bytes: usize) {
        let text = self.rest().get(..bytes).unwrap_or("");
        self.spelled.text.push_str(text);
        self.spelled.origin.extend(self.at..self.at + text.len());
        self.at += text.len();
    }

    /// Takes one character and writes it so that it stands for itself.
    fn escape(&mut self, character: char) {
        self.write(character.len_utf8(), &format!("\\{character}"));
    }

    fn refuse(&self, code: Code, bytes: usize, message: &str, help: &str) -> Diagnostic {
        let end = (self.at + bytes).min(self.pattern.len());
        Diagnostic::error(code, message)
            .at(Span::new(self.at, end), "")
            .help(help)
    }

    fn run(&mut self, deadline: &Deadline) -> Result<(), Diagnostic> {
        let mut depth = 0_usize;
        let mut before = 0;
        while let Some(character) = self.rest().chars().next() {
            let in_time = deadline.ticks(1 + self.at - before, "reading a pattern");
            in_time.map_err(|limit| Diagnostic::from(&limit))?;
            before = self.at;
            match character {
                '\\' => self.backslash(false)?,
                '[' => self.class()?,
                '(' => {
                    depth += 1;
                    self.open_group(depth)?;
                }
                ')' => {
                    depth = depth.saturating_sub(1);
                    self.copy(1);
                }
                '{' if !looks_like_repetition(self.rest()) => self.escape('{'),
                _ => self.copy(character.len_utf8()),
            }
        }
        Ok(())
    }

    fn open_group(&mut self, depth: usize) -> Result<(), Diagnostic> {
        if depth > self.nesting {
            let limit = LimitExceeded::new("nesting", self.limit, "groups nest too deeply");
            return Err(
                Diagnostic::from(&limit).at(Span::new(self.at, self.at + 1), "one too many")
            );
        }
        const LOOK_AROUND: [&str; 4] = ["(?=", "(?!", "(?<=", "(?<!"];
        let rest = self.rest();
        if let Some(opening) = LOOK_AROUND
            .iter()
            .find(|opening| rest.starts_with(**opening))
        {
            return Err(self.refuse(
                Code::UnsupportedLookaround,
                opening.len(),
                "look-around is not supported",
                "say what may stand here instead, for example with a class: `[^b]` for `(?!b).`",
            ));
        }
        if rest.starts_with("(?P=") {
            return Err(self.back_reference(4));
        }
        if rest.starts_with("(?>") {
            return Err(self.refuse(
                Code::UnsupportedAtomicGroup,
                3,
                "atomic groups are not supported",
                "write `(?:…)` if every way to match is meant",
            ));
        }
        self.copy(1);
        Ok(())
    }

    fn back_reference(&self, bytes: usize) -> Diagnostic {
        self.refuse(
            Code::UnsupportedBackreference,
            bytes,
            "back-references are not supported",
            "repeat the group's pattern if the same text is not required",
        )
    }

    /// An escape, outside a class or inside one.
    fn backslash(&mut self, in_class: bool) -> Result<(), Diagnostic> {
        let mut characters = self.rest().chars();
        characters.next();
        let Some(escaped) = characters.next() else {
            self.copy(1);
            return Ok(());
        };
        let next = characters.next();
        match escaped {
            'Z' if !in_class => self.write(2, "\\z"),
            'b' if in_class => self.write(2, "\\x08"),
            'e' => self.write(2, "\\x1B"),
            '<' => self.write(2, "\\x3C"),
            '>' => self.write(2, "\\x3E"),
            ' ' => self.write(2, "\\x20"),
            'c' => match next.filter(char::is_ascii_alphabetic) {
                Some(letter) => self.write(3, &format!("\\x{:02X}", u32::from(letter) % 32)),
                None => self.copy(2),
            },
            '0' if !next.is_some_and(|next| next.is_ascii_digit()) => self.write(2, "\\x00"),
            '0'..='9' if in_class || escaped == '0' => {
                return Err(self.refuse(
                    Code::BadEscape,
                    2,
                    "octal escapes are not supported",
                    "write `\\xHH` with two hexadecimal digits",
                ));
            }
            '1'..='9' => return Err(self.back_reference(2)),
            'k' if matches!(next, Some('<' | '{' | '\'')) => return Err(self.back_reference(2)),
            'u' => self.unicode_escape(),
            'x' | 'U' | 'p' | 'P' => self.braced_escape(),
            _ if !escaped.is_ascii() => self.write(1, ""),
            _ => self.copy(2),
        }
        Ok(())
    }

    /// `\x{…}`, `\p{…}` and the like: the braces are no repetition.
    fn braced_escape(&mut self) {
        let rest = self.rest();
        match rest
            .get(2..)
            .filter(|braced| braced.starts_with('{') && self.last_brace > Some(self.at))
            .and_then(|b| b.find('}'))
        {
            Some(length) => self.copy(2 + length + 1),
            None => self.copy(2),
        }
    }

    /// `\uHHHH`; two that form a surrogate pair are one character.
    fn unicode_escape(&mut self) {
        let rest = self.rest();
        let unit = |at: usize| {
            let digits = rest.get(at..at + 6)?.strip_prefix("\\u")?;
            let hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            hexadecimal.then(|| u16::from_str_radix(digits, 16).ok())?
        };
        if let (Some(high), Some(low)) = (unit(0), unit(6))
            && let Some(Ok(character)) = char::decode_utf16([high, low]).next()
            && character > '\u{FFFF}'
        {
            self.write(12, &format!("\\u{{{:X}}}", u32::from(character)));
        } else {
            self.braced_escape();
        }
    }

    /// A class: `[` and `-` and the set operators of `regex-syntax` stand for themselves, except
    /// for POSIX classes and for `-` between two characters.
    fn class(&mut self) -> Result<(), Diagnostic> {
        if self.rest().starts_with("[^]") {
            self.write(3, "[\\s\\S]");
            return Ok(());
        }
        if self.rest().starts_with("[]") {
            return Err(self.refuse(
                Code::EmptyClass,
                2,
                "this class contains no character, so nothing can match it",
                "write `\\]` for a bracket inside a class",
            ));
        }
        self.copy(if self.rest().starts_with("[^") { 2 } else { 1 });
        while let Some(character) = self.rest().chars().next() {
            if character == ']' {
                self.copy(1);
                return Ok(());
            }
            let single = self.class_item(character)?;
            let rest = self.rest();
            if single && rest.starts_with('-') && !rest.starts_with("-]") {
                self.copy(1);
                if let Some(end) = self.rest().chars().next() {
                    self.class_item(end)?;
                }
            }
        }
        Ok(())
    }

    /// One item of a class. True if it can begin a range.
    fn class_item(&mut self, character: char) -> Result<bool, Diagnostic> {
        let rest = self.rest();
        match character {
            '\\' => {
                let set = matches!(
                    rest.as_bytes().get(1),
                    Some(b'd' | b'w' | b's' | b'D' | b'W' | b'S' | b'p' | b'P')
                );
                self.backslash(true)?;
                return Ok(!set);
            }
            '[' => {
                if let Some(length) = posix_class(rest) {
                    self.copy(length);
                    return Ok(false);
                }
                self.escape('[');
            }
            '&' | '~' | '-' | '^' => self.escape(character),
            _ => self.copy(character.len_utf8()),
        }
        Ok(true)
    }
}

/// The length of `[:name:]` at the start of `text`.
pub(crate) fn posix_class(text: &str) -> Option<usize> {
    let inside = text.strip_prefix("[:")?;
    let name = inside.strip_prefix('^').unwrap_or(inside);
    let letters = name.bytes().take_while(u8::is_ascii_lowercase).count();
    let closes = name.get(letters..)?.starts_with(":]");
    (letters > 0 && closes).then(|| text.len() - name.len() + letters + 2)
}

/// Whether the `{` at the start of `text` begins a counted repetition.
fn looks_like_repetition(text: &str) -> bool {
    let inside = text.strip_prefix('{').unwrap_or(text);
    let is_bound = |byte: &u8| byte.is_ascii_digit() || *byte == b',';
    let length = inside.bytes().take_while(is_bound).count();
    let (bounds, rest) = inside.split_at(length);
    rest.starts_with('}') && bounds.contains(|c: char| c.is_ascii_digit())
}
