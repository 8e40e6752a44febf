//! Patterns of terminals: drawn as trees, printed as regular expressions, matched naively.

use std::fmt;

/// What a terminal matches.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// One of these characters.
    Class(Vec<char>),
    /// Any character but the first ones; the second ones stand for all others.
    Not(Vec<char>, Vec<char>),
    /// A text.
    Text(String),
    /// One behind the other.
    Seq(Vec<Pattern>),
    /// One of these; the first that leads to a match is preferred.
    Alt(Vec<Pattern>),
    /// A number of times; a lazy one prefers few.
    Repeat {
        of: Box<Pattern>,
        min: usize,
        max: Option<usize>,
        is_lazy: bool,
    },
}

/// A text.
pub fn text(text: &str) -> Pattern {
    Pattern::Text(text.to_owned())
}

/// One of these characters.
pub fn class(chars: &str) -> Pattern {
    Pattern::Class(chars.chars().collect())
}

/// `of`, from `min` to `max` times.
pub fn repeat(of: Pattern, min: usize, max: Option<usize>) -> Pattern {
    Pattern::Repeat {
        of: Box::new(of),
        min,
        max,
        is_lazy: false,
    }
}

/// One of these, or nothing.
pub fn optional(of: Pattern) -> Pattern {
    repeat(of, 0, Some(1))
}

impl Pattern {
    /// Where matches of it end that begin at `at`, the preferred one first.
    pub fn ends(&self, text: &[u8], at: usize) -> Vec<usize> {
        let mut ends = Vec::new();
        let mut add = |end: usize| {
            if !ends.contains(&end) {
                ends.push(end);
            }
        };
        match self {
            Pattern::Class(chars) | Pattern::Not(_, chars) => {
                let mut buffer = [0; 4];
                for char in chars {
                    let bytes = char.encode_utf8(&mut buffer).as_bytes();
                    if text[at..].starts_with(bytes) {
                        add(at + bytes.len());
                    }
                }
            }
            Pattern::Text(bytes) => {
                if text[at..].starts_with(bytes.as_bytes()) {
                    add(at + bytes.len());
                }
            }
            Pattern::Seq(parts) => match parts.split_first() {
                None => add(at),
                Some((first, rest)) => {
                    let rest = Pattern::Seq(rest.to_vec());
                    for middle in first.ends(text, at) {
                        rest.ends(text, middle).into_iter().for_each(&mut add);
                    }
                }
            },
            Pattern::Alt(parts) => {
                let all = parts.iter().flat_map(|part| part.ends(text, at));
                all.for_each(add);
            }
            Pattern::Repeat {
                of,
                min,
                max,
                is_lazy,
            } => {
                let may_end = *min == 0;
                if may_end && *is_lazy {
                    add(at);
                }
                if *max != Some(0) {
                    let rest = Pattern::Repeat {
                        of: of.clone(),
                        min: min.saturating_sub(1),
                        max: max.map(|max| max - 1),
                        is_lazy: *is_lazy,
                    };
                    let middles = of.ends(text, at).into_iter();
                    for middle in middles.filter(|&middle| middle > at) {
                        rest.ends(text, middle).into_iter().for_each(&mut add);
                    }
                }
                if may_end {
                    add(at);
                }
            }
        }
        ends
    }

    /// Whether it matches the empty text.
    pub fn is_nullable(&self) -> bool {
        !self.ends(b"", 0).is_empty()
    }
}

/// Writes a character of a regular expression, or of a class in one.
fn write_char(f: &mut fmt::Formatter<'_>, char: char) -> fmt::Result {
    match char {
        '\n' => f.write_str("\\n"),
        char if char.is_alphanumeric() || " =<>\"#,".contains(char) => write!(f, "{char}"),
        char => write!(f, "\\{char}"),
    }
}

/// Writes it as a regular expression without slashes.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::Class(chars) => {
                f.write_str("[")?;
                chars.iter().try_for_each(|&char| write_char(f, char))?;
                f.write_str("]")
            }
            Pattern::Not(chars, _) => {
                f.write_str("[^")?;
                chars.iter().try_for_each(|&char| write_char(f, char))?;
                f.write_str("]")
            }
            Pattern::Text(text) => text.chars().try_for_each(|char| write_char(f, char)),
            Pattern::Seq(parts) => parts.iter().try_for_each(|part| write!(f, "{part}")),
            Pattern::Alt(parts) => {
                f.write_str("(?:")?;
                for (place, part) in parts.iter().enumerate() {
                    f.write_str(if place == 0 { "" } else { "|" })?;
                    write!(f, "{part}")?;
                }
                f.write_str(")")
            }
            Pattern::Repeat {
                of,
                min,
                max,
                is_lazy,
            } => {
                write!(f, "(?:{of})")?;
                match (min, max) {
                    (0, None) => f.write_str("*")?,
                    (1, None) => f.write_str("+")?,
                    (0, Some(1)) => f.write_str("?")?,
                    (min, None) => write!(f, "{{{min},}}")?,
                    (min, Some(max)) => write!(f, "{{{min},{max}}}")?,
                }
                f.write_str(if *is_lazy { "?" } else { "" })
            }
        }
    }
}
