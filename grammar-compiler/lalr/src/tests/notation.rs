//! Reads grammars for tests, in a part of Lark's notation.
//!
//! One rule a line, `name.priority: alternatives`; rules begin with a small letter, terminals are
//! single capitals: `A` is terminal 0. The first rule is the start.

use crate::{Expr, Grammar, Rule};

/// The grammar that a text describes.
pub(super) fn grammar(text: &str) -> Grammar {
    let lines: Vec<(&str, &str)> = text
        .lines()
        .map(|line| line.split_once(':').unwrap())
        .collect();
    let heads: Vec<(&str, i32)> = lines
        .iter()
        .map(|(head, _)| match head.split_once('.') {
            Some((name, priority)) => (name, priority.parse().unwrap()),
            None => (*head, 0),
        })
        .collect();
    let names: Vec<&str> = heads.iter().map(|head| head.0).collect();
    let rules = heads
        .iter()
        .zip(&lines)
        .map(|(&(name, priority), &(_, body))| {
            let mut reader = Reader {
                names: &names,
                rest: body.trim(),
            };
            let body = reader.union();
            assert_eq!(reader.rest, "", "in the rule {name}");
            Rule {
                name: name.to_owned(),
                body,
                priority,
            }
        });
    Grammar {
        rules: rules.collect(),
        starts: vec![0],
    }
}

struct Reader<'t> {
    names: &'t [&'t str],
    rest: &'t str,
}

impl<'t> Reader<'t> {
    fn takes(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text).map(str::trim_start);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// The longest piece of such characters.
    fn piece(&mut self, is_in: fn(char) -> bool) -> &'t str {
        let end = self.rest.find(|c| !is_in(c)).unwrap_or(self.rest.len());
        let (piece, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        piece
    }

    fn number(&mut self) -> u32 {
        self.piece(|c| c.is_ascii_digit()).parse().unwrap()
    }

    fn union(&mut self) -> Expr {
        let mut parts = vec![self.sequence()];
        while self.takes("|") {
            parts.push(self.sequence());
        }
        Expr::Union(parts)
    }

    fn sequence(&mut self) -> Expr {
        let mut parts = Vec::new();
        while self
            .rest
            .starts_with(|c: char| c.is_alphabetic() || "([".contains(c))
        {
            parts.push(self.repeat());
        }
        Expr::Sequence(parts)
    }

    fn repeat(&mut self) -> Expr {
        if self.takes("[") {
            let of = self.union();
            assert!(self.takes("]"));
            return repeat(of, 0, Some(1));
        }
        let of = self.atom();
        if self.takes("?") {
            repeat(of, 0, Some(1))
        } else if self.takes("*") {
            repeat(of, 0, None)
        } else if self.takes("+") {
            repeat(of, 1, None)
        } else if self.takes("~") {
            let min = self.number();
            let max = if self.takes("..") { self.number() } else { min };
            repeat(of, min, Some(max))
        } else {
            of
        }
    }

    fn atom(&mut self) -> Expr {
        if self.takes("(") {
            let of = self.union();
            assert!(self.takes(")"));
            return of;
        }
        if self.rest.starts_with(char::is_uppercase) {
            let terminal = u32::from(self.rest.as_bytes()[0] - b'A');
            self.rest = self.rest[1..].trim_start();
            return Expr::Terminal(terminal);
        }
        let name = self.piece(|c| c.is_ascii_lowercase() || c == '_');
        let found = self.names.iter().position(|other| *other == name);
        Expr::Rule(found.unwrap_or_else(|| panic!("no rule {name}")))
    }
}

fn repeat(of: Expr, min: u32, max: Option<u32>) -> Expr {
    Expr::Repeat {
        of: Box::new(of),
        min,
        max,
    }
}
