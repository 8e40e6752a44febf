//! The oracle's own view of a grammar: rules by name, expressions over code points.

use std::fmt;

/// A grammar as read: rules in the order of the text; the one named `root` is the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ast {
    /// The rules.
    pub rules: Vec<Rule>,
}

/// A rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// Its right part.
    pub expr: Expr,
}

/// A right part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// These characters.
    Text(String),
    /// One character in (or, if `negated`, outside) these inclusive ranges of code points.
    Class {
        /// The complement is meant.
        negated: bool,
        /// The ranges, as written.
        ranges: Vec<(char, char)>,
    },
    /// Any one character.
    Any,
    /// One byte of this inclusive range.
    Byte(u8, u8),
    /// In order.
    Seq(Vec<Expr>),
    /// One of these.
    Alt(Vec<Expr>),
    /// `min` to `max` times; `None` is without bound.
    Repeat(Box<Expr>, u32, Option<u32>),
    /// A rule by name.
    Name(String),
}

impl fmt::Display for Ast {
    /// Prints EBNF text that reads back as the same grammar.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rule in &self.rules {
            writeln!(f, "{} ::= {}", rule.name, rule.expr)?;
        }
        Ok(())
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Text(text) => {
                f.write_str("\"")?;
                text.chars().try_for_each(|c| write_char(f, c))?;
                f.write_str("\"")
            }
            Expr::Class { negated, ranges } => {
                f.write_str(if *negated { "[^" } else { "[" })?;
                for &(low, high) in ranges {
                    write_char(f, low)?;
                    if high != low {
                        f.write_str("-")?;
                        write_char(f, high)?;
                    }
                }
                f.write_str("]")
            }
            Expr::Any => f.write_str("."),
            Expr::Byte(low, high) => write!(f, "/(?-u:[\\x{low:02X}-\\x{high:02X}])/"),
            Expr::Seq(items) => write_list(f, items, " "),
            Expr::Alt(items) => write_list(f, items, " | "),
            Expr::Repeat(inner, min, max) => {
                match **inner {
                    Expr::Repeat(..) => write!(f, "({inner})")?,
                    _ => write!(f, "{inner}")?,
                }
                match (min, max) {
                    (0, None) => f.write_str("*"),
                    (1, None) => f.write_str("+"),
                    (0, Some(1)) => f.write_str("?"),
                    (min, None) => write!(f, "{{{min},}}"),
                    (min, Some(max)) if min == max => write!(f, "{{{min}}}"),
                    (min, Some(max)) => write!(f, "{{{min},{max}}}"),
                }
            }
            Expr::Name(name) => f.write_str(name),
        }
    }
}

fn write_list(f: &mut fmt::Formatter<'_>, items: &[Expr], between: &str) -> fmt::Result {
    f.write_str("(")?;
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            f.write_str(between)?;
        }
        write!(f, "{item}")?;
    }
    f.write_str(")")
}

fn write_char(f: &mut fmt::Formatter<'_>, c: char) -> fmt::Result {
    match c {
        '\n' => f.write_str("\\n"),
        '\t' => f.write_str("\\t"),
        '\r' => f.write_str("\\r"),
        '"' | '\\' => write!(f, "\\{c}"),
        ']' | '[' | '-' | '^' => write!(f, "\\x{:02X}", c as u32),
        c if (' '..='~').contains(&c) => write!(f, "{c}"),
        c if (c as u32) < 0x1_0000 => write!(f, "\\u{:04X}", c as u32),
        c => write!(f, "\\U{:08X}", c as u32),
    }
}
