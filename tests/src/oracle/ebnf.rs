//! A small reader of the EBNF that the suite is written in; only what the suite uses.

use super::ast::{Ast, Expr, Rule};

/// Reads a grammar.
///
/// # Errors
/// What was expected, and at which line.
pub fn read(text: &str) -> Result<Ast, String> {
    let mut reader = EbnfReader {
        chars: text.chars().collect(),
        at: 0,
    };
    let mut rules = Vec::new();
    reader.skip_blank();
    while reader.at < reader.chars.len() {
        let name = reader.name().ok_or_else(|| reader.error("a rule's name"))?;
        reader.skip_blank();
        if !reader.eat("::=") {
            return Err(reader.error("`::=`"));
        }
        reader.skip_blank();
        let expr = reader.alternatives()?;
        rules.push(Rule { name, expr });
    }
    Ok(Ast { rules })
}

struct EbnfReader {
    chars: Vec<char>,
    at: usize,
}

impl EbnfReader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn error(&self, expected: &str) -> String {
        let line = 1 + self.chars[..self.at].iter().filter(|&&c| c == '\n').count();
        format!("line {line}: expected {expected}")
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = text
            .chars()
            .enumerate()
            .all(|(i, c)| self.chars.get(self.at + i) == Some(&c));
        if found {
            self.at += text.chars().count();
        }
        found
    }

    /// Skips white space and comments.
    fn skip_blank(&mut self) {
        while let Some(c) = self.peek() {
            if c == '#' {
                while self.peek().is_some_and(|c| c != '\n') {
                    self.at += 1;
                }
            } else if c.is_whitespace() {
                self.at += 1;
            } else {
                break;
            }
        }
    }

    fn name(&mut self) -> Option<String> {
        let start = self.at;
        while self
            .peek()
            .is_some_and(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
        {
            self.at += 1;
        }
        (self.at > start).then(|| self.chars[start..self.at].iter().collect())
    }

    fn alternatives(&mut self) -> Result<Expr, String> {
        let mut items = vec![self.sequence()?];
        while self.eat("|") {
            self.skip_blank();
            items.push(self.sequence()?);
        }
        Ok(if items.len() == 1 {
            items.remove(0)
        } else {
            Expr::Alt(items)
        })
    }

    fn sequence(&mut self) -> Result<Expr, String> {
        let mut items = Vec::new();
        while let Some(item) = self.item()? {
            items.push(self.repeats(item)?);
            self.skip_blank();
        }
        Ok(if items.len() == 1 {
            items.remove(0)
        } else {
            Expr::Seq(items)
        })
    }

    /// One item, or `None` where the sequence ends.
    fn item(&mut self) -> Result<Option<Expr>, String> {
        let Some(c) = self.peek() else {
            return Ok(None);
        };
        match c {
            '|' | ')' => Ok(None),
            '"' => self.literal().map(Some),
            '[' => self.class().map(Some),
            '.' => {
                self.at += 1;
                Ok(Some(Expr::Any))
            }
            // What never matches, as the compiler prints it.
            '/' if self.eat(r"/[^\s\S]/") => Ok(Some(Expr::Class {
                negated: false,
                ranges: Vec::new(),
            })),
            '/' => self.byte().map(Some),
            '(' => {
                self.at += 1;
                self.skip_blank();
                let inner = self.alternatives()?;
                if self.eat(")") {
                    Ok(Some(inner))
                } else {
                    Err(self.error("`)`"))
                }
            }
            _ => {
                let start = self.at;
                let name = self.name().ok_or_else(|| self.error("an item"))?;
                let end = self.at;
                self.skip_blank();
                if self.eat("::=") {
                    self.at = start;
                    return Ok(None);
                }
                self.at = end;
                Ok(Some(Expr::Name(name)))
            }
        }
    }

    fn repeats(&mut self, mut item: Expr) -> Result<Expr, String> {
        loop {
            let (min, max) = match self.peek() {
                Some('*') => (0, None),
                Some('+') => (1, None),
                Some('?') => (0, Some(1)),
                Some('{') => self.counts()?,
                _ => return Ok(item),
            };
            self.at += 1;
            item = Expr::Repeat(Box::new(item), min, max);
        }
    }

    /// Reads `{n`, `{n,` or `{n,m`, and stops at the closing brace.
    fn counts(&mut self) -> Result<(u32, Option<u32>), String> {
        self.at += 1;
        let min = self.number().ok_or_else(|| self.error("a number"))?;
        let max = if self.eat(",") {
            self.number()
        } else {
            Some(min)
        };
        if self.peek() == Some('}') {
            Ok((min, max))
        } else {
            Err(self.error("`}`"))
        }
    }

    fn number(&mut self) -> Option<u32> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        self.chars[start..self.at]
            .iter()
            .collect::<String>()
            .parse()
            .ok()
    }

    fn literal(&mut self) -> Result<Expr, String> {
        self.at += 1;
        let mut text = String::new();
        while !self.eat("\"") {
            text.push(self.char()?);
        }
        Ok(Expr::Text(text))
    }

    /// A range of bytes, as the compiler prints those of its automata.
    fn byte(&mut self) -> Result<Expr, String> {
        let mut bounds = [0; 2];
        for (bound, before) in bounds.iter_mut().zip(["/(?-u:[\\x", "-\\x"]) {
            if !self.eat(before) {
                return Err(self.error("a range of bytes"));
            }
            let char = self.hex(2)?;
            *bound = u8::try_from(u32::from(char)).map_err(|error| error.to_string())?;
        }
        match self.eat("])/") {
            true => Ok(Expr::Byte(bounds[0], bounds[1])),
            false => Err(self.error("`])/`")),
        }
    }

    fn class(&mut self) -> Result<Expr, String> {
        self.at += 1;
        let negated = self.eat("^");
        let mut ranges = Vec::new();
        while !self.eat("]") {
            let low = self.char()?;
            let is_range = self.peek() == Some('-') && self.chars.get(self.at + 1) != Some(&']');
            let high = if is_range {
                self.at += 1;
                self.char()?
            } else {
                low
            };
            ranges.push((low, high));
        }
        Ok(Expr::Class { negated, ranges })
    }

    /// One character, escapes resolved.
    fn char(&mut self) -> Result<char, String> {
        let c = self.peek().ok_or_else(|| self.error("a character"))?;
        self.at += 1;
        if c != '\\' {
            return Ok(c);
        }
        let escape = self.peek().ok_or_else(|| self.error("an escape"))?;
        self.at += 1;
        match escape {
            'n' => Ok('\n'),
            't' => Ok('\t'),
            'r' => Ok('\r'),
            'x' => self.hex(2),
            'u' => self.hex(4),
            'U' => self.hex(8),
            other => Ok(other),
        }
    }

    fn hex(&mut self, digits: usize) -> Result<char, String> {
        let end = (self.at + digits).min(self.chars.len());
        let text: String = self.chars[self.at..end].iter().collect();
        self.at = end;
        u32::from_str_radix(&text, 16)
            .ok()
            .and_then(char::from_u32)
            .ok_or_else(|| self.error("a code point in hexadecimal"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_back_what_it_prints() {
        let text = "root ::= (\"a\\n\" | [^a-c\\x5D]{2,} x)+ # note\n  | \"\"\nx ::= . | [\\u00E9-\\U0001F600]? | root{3} x{1,2} | /(?-u:[\\x80-\\xBF])/";
        let ast = read(text).unwrap();
        assert_eq!(read(&ast.to_string()).unwrap(), ast);
        assert_eq!(ast.rules.len(), 2);
    }

    #[test]
    fn names_the_line_of_an_error() {
        assert_eq!(
            read("root ::= \"a\"\nx = \"b\"").unwrap_err(),
            "line 2: expected an item"
        );
        assert_eq!(
            read("root ::= (\"a\"\n").unwrap_err(),
            "line 2: expected `)`"
        );
    }
}
