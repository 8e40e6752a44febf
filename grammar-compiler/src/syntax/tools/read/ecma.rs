//! Regular expressions as patterns of JSON Schemas.
//!
//! In: the expression of a regular expression. Out: a pattern of ECMA-262 that matches the same
//! texts. What holds: the two dialects differ in how they are written, in flags and in what `.` and
//! classes mean, and nothing of that is left: a pattern names characters by their numbers.

use crate::grammar::Expr;
use std::fmt::Write;

/// The pattern of an expression; nothing if that is not made of characters.
pub(super) fn pattern(expr: &Expr) -> Option<String> {
    let mut pattern = String::new();
    write(expr, &mut pattern)?;
    Some(pattern)
}

fn write(expr: &Expr, to: &mut String) -> Option<()> {
    match expr {
        Expr::Literal(text) => text.chars().try_for_each(|c| character(c, to)),
        Expr::Class(ranges) => {
            to.push('[');
            for (low, high) in ranges {
                character(*low, to)?;
                to.push('-');
                character(*high, to)?;
            }
            to.push(']');
            Some(())
        }
        Expr::Seq(parts) => parts.iter().try_for_each(|part| write(part, to)),
        // No alternative matches nothing, as an empty class does.
        Expr::Alt(parts) if parts.is_empty() => write(&Expr::Class(Vec::new()), to),
        Expr::Alt(parts) => {
            to.push_str("(?:");
            for (at, part) in parts.iter().enumerate() {
                if at > 0 {
                    to.push('|');
                }
                write(part, to)?;
            }
            to.push(')');
            Some(())
        }
        Expr::Repeat { expr, min, max } => {
            to.push_str("(?:");
            write(expr, to)?;
            let max = max.map_or_else(String::new, |max| max.to_string());
            write!(to, "){{{min},{max}}}").ok()
        }
        Expr::Bytes(_)
        | Expr::Tokens(_)
        | Expr::Terminal(_)
        | Expr::Words(_)
        | Expr::Bounded(_)
        | Expr::Graph(_)
        | Expr::Ref(_) => None,
    }
}

fn character(c: char, to: &mut String) -> Option<()> {
    match c.is_ascii_alphanumeric() {
        true => to.push(c),
        false => write!(to, "\\u{{{:x}}}", u32::from(c)).ok()?,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use crate::limits::{Deadline, Limits};
    use crate::syntax::json_schema::strings::pattern;
    use crate::syntax::regex::{PatternReading, to_expr};

    /// Both match the same texts.
    #[test]
    fn patterns_match_what_expressions_match() {
        let limits = Limits::default();
        let reading = PatternReading {
            dot_matches_newline: false,
            ..PatternReading::default()
        };
        let texts = [
            "", "a", "A", "ab", "b", "a.b", "\n", "-", "]", "é", "😀", "aaa", "{1}",
        ];
        for (regex, matched) in [
            ("(?i)a", &["a", "A"][..]),
            (".", &["a", "A", "b", "-", "]", "é", "😀"]),
            ("(?s:.)", &["a", "A", "b", "\n", "-", "]", "é", "😀"]),
            ("[[:alpha:]]", &["a", "A", "b"]),
            (r"[\]\-😀]", &["-", "]", "😀"]),
            (r"a\.b|\{1\}", &["a.b", "{1}"]),
            ("(?P<x>a|ab){1,3}", &["a", "ab", "aaa"]),
            ("(?:a|b)?", &["", "a", "b"]),
            (r"\P{ASCII}", &["é", "😀"]),
        ] {
            let expr = to_expr(regex, reading, 100, &limits).unwrap();
            let text = format!("^(?:{})$", super::pattern(&expr).unwrap());
            let language = pattern(&text, &Deadline::start(&limits)).unwrap();
            for text in texts {
                assert_eq!(
                    language.contains(text),
                    matched.contains(&text),
                    "{regex} {text}"
                );
            }
        }
    }
}
