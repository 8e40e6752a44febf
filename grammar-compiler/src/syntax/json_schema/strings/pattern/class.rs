//! Escapes and classes of characters.

use super::PatternError;
use super::parser::Parser;
use crate::grammar::characters::complement;
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

/// Inclusive ranges, sorted, disjoint, not adjacent.
pub(super) type Set = Vec<(char, char)>;

/// What an escape or a part of a class stands for.
pub(super) enum ClassAtom {
    /// One code point; it may be a surrogate.
    Code(u32),
    /// A set of characters.
    Set(Set),
}

/// `.`: all but line terminators.
pub(super) fn dot() -> Set {
    complement(set([('\n', '\n'), ('\r', '\r'), ('\u{2028}', '\u{2029}')]))
}

/// `\w`.
pub(super) fn word() -> Set {
    set([('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')])
}

/// `\s`: white space and line terminators of ECMA-262, 12.2 and 12.3.
fn space() -> Set {
    set([
        ('\t', '\r'),
        (' ', ' '),
        ('\u{a0}', '\u{a0}'),
        ('\u{1680}', '\u{1680}'),
        ('\u{2000}', '\u{200a}'),
        ('\u{2028}', '\u{2029}'),
        ('\u{202f}', '\u{202f}'),
        ('\u{205f}', '\u{205f}'),
        ('\u{3000}', '\u{3000}'),
        ('\u{feff}', '\u{feff}'),
    ])
}

fn set(ranges: impl IntoIterator<Item = (char, char)>) -> Set {
    ranges_of(&unicode(ranges))
}

fn unicode(ranges: impl IntoIterator<Item = (char, char)>) -> ClassUnicode {
    let ranges = ranges.into_iter();
    ClassUnicode::new(ranges.map(|(low, high)| ClassUnicodeRange::new(low, high)))
}

fn ranges_of(class: &ClassUnicode) -> Set {
    class.iter().map(|r| (r.start(), r.end())).collect()
}

impl Parser<'_> {
    /// What follows `[`, to `]`.
    pub(super) fn bracket(&mut self, start: usize) -> Result<Set, PatternError> {
        let is_negated = self.eat("^");
        let mut codes: Vec<(u32, u32)> = Vec::new();
        let add = |codes: &mut Vec<(u32, u32)>, atom: ClassAtom| match atom {
            ClassAtom::Code(code) => codes.push((code, code)),
            ClassAtom::Set(set) => codes.extend(set.iter().map(|&(l, h)| (l as u32, h as u32))),
        };
        while !self.eat("]") {
            let from = self.at;
            let low = self.member(start)?;
            if !self.rest().starts_with('-') || self.rest().starts_with("-]") {
                add(&mut codes, low);
                continue;
            }
            self.next();
            match (low, self.member(start)?) {
                (ClassAtom::Code(low), ClassAtom::Code(high)) if low <= high => {
                    codes.push((low, high))
                }
                (ClassAtom::Code(_), ClassAtom::Code(_)) => {
                    return Err(self.error(
                        from..self.at,
                        "the ends of a range are out of order",
                        "write the smaller one first",
                    ));
                }
                // Beside a set, the hyphen is itself.
                (low, high) => {
                    let message = "a range of which an end is a set; the `-` is read as itself";
                    self.doubt(
                        from..self.at,
                        message,
                        "write `\\-` for the character itself",
                    );
                    add(&mut codes, low);
                    codes.push((u32::from(b'-'), u32::from(b'-')));
                    add(&mut codes, high);
                }
            }
        }
        let set = characters(&codes);
        if set.is_empty() && !codes.is_empty() && !is_negated {
            return Err(self.lone_surrogate(start));
        }
        Ok(if is_negated { complement(set) } else { set })
    }

    /// One part of a class.
    fn member(&mut self, start: usize) -> Result<ClassAtom, PatternError> {
        let at = self.at;
        match self.next() {
            None => Err(self.error(
                start..start + 1,
                "a `[` without a `]`",
                "write `\\[` for the character itself",
            )),
            Some('\\') if self.eat("b") => Ok(ClassAtom::Code(8)),
            Some('\\') => self.escape(at, true),
            Some(c) => {
                self.note_posix(c, at);
                Ok(ClassAtom::Code(c as u32))
            }
        }
    }

    /// Reads the escape behind a backslash, within a class or outside of one. Assertions are read
    /// elsewhere.
    pub(super) fn escape(
        &mut self,
        start: usize,
        in_class: bool,
    ) -> Result<ClassAtom, PatternError> {
        let Some(c) = self.next() else {
            return Err(self.error(start..self.at, "a backslash at the end", "write `\\\\`"));
        };
        Ok(match c {
            'd' => ClassAtom::Set(set([('0', '9')])),
            'D' => ClassAtom::Set(complement(set([('0', '9')]))),
            'w' => ClassAtom::Set(word()),
            'W' => ClassAtom::Set(complement(word())),
            's' => ClassAtom::Set(space()),
            'S' => ClassAtom::Set(complement(space())),
            'f' => ClassAtom::Code(0xc),
            'n' => ClassAtom::Code(0xa),
            'r' => ClassAtom::Code(0xd),
            't' => ClassAtom::Code(9),
            'v' => ClassAtom::Code(0xb),
            '0' if !self.peek().is_some_and(|c| c.is_ascii_digit()) => ClassAtom::Code(0),
            'c' => match self.next() {
                Some(letter) if letter.is_ascii_alphabetic() => ClassAtom::Code(letter as u32 % 32),
                _ => return Err(self.unknown(start, "write a letter after `\\c`")),
            },
            'x' => match self.hex(2) {
                Some(code) => ClassAtom::Code(code),
                None => return Err(self.unknown(start, "write two hexadecimal digits after `\\x`")),
            },
            'u' => match self.code_unit() {
                Some(code) => ClassAtom::Code(code),
                None => {
                    return Err(self.unknown(start, "write `\\u` with four digits, or `\\u{…}`"));
                }
            },
            'p' | 'P' => ClassAtom::Set(self.property(start)?),
            'k' | '1'..='9' => {
                let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
                self.at += if c == 'k' { 0 } else { digits };
                return Err(self.error(
                    start..self.at,
                    "a back-reference, whose texts are no regular set",
                    "write out the texts that may be repeated",
                ));
            }
            c if c.is_ascii_alphanumeric() => return Err(self.unknown(start, meant(c))),
            c => {
                if !("^$\\.*+?()[]{}|/".contains(c) || in_class && c == '-') {
                    let message = format!("a backslash before `{c}`, which needs none");
                    let help = "write the character without the backslash";
                    self.doubt(start..self.at, &message, help);
                }
                ClassAtom::Code(c as u32)
            }
        })
    }

    fn unknown(&self, start: usize, help: &str) -> PatternError {
        let escape = &self.text[start..self.at];
        let message = format!("`{escape}` has no meaning in ECMA-262");
        self.error(start..self.at, &message, help)
    }

    /// `digits` hexadecimal digits.
    fn hex(&mut self, digits: usize) -> Option<u32> {
        let text = self.rest().get(..digits)?;
        let is_hex = text.bytes().all(|b| b.is_ascii_hexdigit());
        let code = is_hex.then(|| u32::from_str_radix(text, 16).ok())??;
        self.at += digits;
        Some(code)
    }

    /// What follows `\u`: `{…}`, four digits, or two times four for a surrogate pair.
    fn code_unit(&mut self) -> Option<u32> {
        if self.eat("{") {
            let digits = self.rest().find('}')?;
            let significant = self.rest().get(..digits)?.trim_start_matches('0').len();
            self.at += digits - significant.max(1).min(digits);
            let code = self.hex(significant.clamp(1, 6))?;
            return (self.eat("}") && code <= char::MAX as u32).then_some(code);
        }
        let high = self.hex(4)?;
        let after_high = self.at;
        if (0xd800..0xdc00).contains(&high) && self.eat("\\u") {
            if let Some(low @ 0xdc00..0xe000) = self.hex(4) {
                return Some(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
            }
            self.at = after_high;
        }
        Some(high)
    }

    /// What follows `\p` or `\P`: names as Unicode has them, matched loosely.
    fn property(&mut self, start: usize) -> Result<Set, PatternError> {
        let text = self.text;
        let from = self.at;
        if let Some(letter) = self.rest().chars().next().filter(char::is_ascii_alphabetic) {
            let escape = &text[start..from];
            let message = "a property of characters without braces around its name";
            let help = format!("write `{escape}{{{letter}}}`");
            return Err(self.error(start..from + 1, message, &help));
        }
        self.at += self.rest().find('}').map_or(0, |at| at + 1);
        let end = self.at;
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let inside = (text.get(from..end))
            .and_then(|text| text.strip_prefix('{')?.strip_suffix('}'))
            .map(|text| text.split_once('=').unwrap_or(("gc", text)));
        let known = inside.filter(|(key, value)| {
            let keys = [
                "gc",
                "General_Category",
                "sc",
                "Script",
                "scx",
                "Script_Extensions",
            ];
            keys.contains(key) && !value.is_empty() && value.chars().all(is_name)
        });
        let class = known.and_then(|_| {
            let hir = regex_syntax::parse(&text[start..end]).ok()?;
            match hir.into_kind() {
                HirKind::Class(Class::Unicode(class)) => Some(ranges_of(&class)),
                // Of no character, as is `\P{Any}`.
                HirKind::Class(Class::Bytes(class)) if class.ranges().is_empty() => {
                    Some(Set::new())
                }
                // A property that one character has is read as that character.
                HirKind::Literal(text) => {
                    let text = std::str::from_utf8(&text.0).ok()?;
                    Some(text.chars().map(|c| (c, c)).collect())
                }
                _ => None,
            }
        });
        class.ok_or_else(|| {
            self.error(
                start..end,
                "an unknown property of characters",
                "write a general category, as in `\\p{Lu}`, or a script, as in `\\p{Script=Greek}`",
            )
        })
    }
}

/// What is likely meant by an escape of other dialects.
fn meant(letter: char) -> &'static str {
    match letter {
        'A' => "write `^`",
        'Z' | 'z' => "write `$`",
        'h' => "write `[\\t ]`",
        'a' => "write `\\x07`",
        'e' => "write `\\x1b`",
        '0' => "write `\\x00` and its like",
        _ => "leave out the backslash for the character itself",
    }
}

/// The characters of code points: without surrogates.
fn characters(codes: &[(u32, u32)]) -> Set {
    let halves = (codes.iter()).flat_map(|&(l, h)| [(l, h.min(0xd7ff)), (l.max(0xe000), h)]);
    set(halves
        .filter(|r| r.0 <= r.1)
        .filter_map(|(low, high)| Some((char::from_u32(low)?, char::from_u32(high)?))))
}
