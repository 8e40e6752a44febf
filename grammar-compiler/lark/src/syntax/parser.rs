//! Moving along the tokens of a file.

use super::token::{Kind, Token};
use super::tree::{Name, Span};
use crate::error::Error;

/// How deep conditions may nest.
const CONDITIONS: usize = 50;

/// A reader of tokens.
pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    nesting: usize,
}

impl<'t> Parser<'t> {
    /// A reader of `tokens`, the last of which is [`Kind::End`].
    pub(super) fn new(text: &'t str, mut tokens: Vec<Token>) -> Self {
        let end = text.len()..text.len();
        tokens.push(Token {
            kind: Kind::End,
            span: end,
        });
        Self {
            text,
            tokens,
            at: 0,
            nesting: 0,
        }
    }

    /// The token `ahead` places on.
    pub(super) fn peek_at(&self, ahead: usize) -> &Token {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    pub(super) fn peek(&self) -> &Token {
        self.peek_at(0)
    }

    /// The place of the next token.
    pub(super) fn span(&self) -> Span {
        self.peek().span.clone()
    }

    /// The end of the last token.
    pub(super) fn end(&self) -> usize {
        self.at
            .checked_sub(1)
            .map_or(0, |last| self.tokens[last].span.end)
    }

    /// The text of the next token.
    pub(super) fn word(&self) -> &'t str {
        &self.text[self.span()]
    }

    /// Goes on by one token, which it returns.
    pub(super) fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    pub(super) fn is(&self, sign: &str) -> bool {
        self.is_at(0, sign)
    }

    pub(super) fn is_at(&self, ahead: usize, sign: &str) -> bool {
        matches!(self.peek_at(ahead).kind, Kind::Sign(found) if found == sign)
    }

    /// Takes a sign if it is next.
    pub(super) fn take(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        if found {
            self.next();
        }
        found
    }

    pub(super) fn expect(&mut self, sign: &str) -> Result<(), Error> {
        if self.take(sign) {
            Ok(())
        } else {
            Err(self.expected(&format!("`{sign}`")))
        }
    }

    /// Takes the sign that closes the bracket at `open`.
    pub(super) fn close(&mut self, sign: &str, open: Span) -> Result<(), Error> {
        self.newlines_before(sign);
        if self.take(sign) {
            return Ok(());
        }
        let error = self
            .expected(&format!("`{sign}`"))
            .also(open, "opened here");
        Err(match self.peek().kind {
            Kind::Newline => error.help("a definition goes on only in a line that begins with `|`"),
            _ => error,
        })
    }

    /// Skips line ends if `sign` is next behind them.
    fn newlines_before(&mut self, sign: &str) {
        if self.peek().kind == Kind::Newline && self.is_at(1, sign) {
            self.next();
        }
    }

    /// Skips line ends, where they have no meaning.
    pub(super) fn newlines(&mut self) {
        while self.peek().kind == Kind::Newline {
            self.next();
        }
    }

    /// The error that something else than the next token was expected.
    pub(super) fn expected(&self, what: &str) -> Error {
        let token = self.peek();
        let found = token.kind.describe(self.word());
        Error::new(
            format!("expected {what}, found {found}"),
            token.span.clone(),
        )
    }

    /// Takes a name.
    pub(super) fn name(&mut self, what: &str) -> Result<Name, Error> {
        if self.peek().kind != Kind::Name {
            return Err(self.expected(what));
        }
        let text = self.word().to_owned();
        Ok(Name {
            text,
            span: self.next().span,
        })
    }

    /// Takes a number, decimal or hexadecimal.
    pub(super) fn number(&mut self, what: &str) -> Result<u64, Error> {
        if self.peek().kind != Kind::Number {
            return Err(self.expected(what));
        }
        let word = self.word();
        let number = match word.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => word.parse().ok(),
        };
        let wrong = || {
            Error::new(
                format!("`{word}` is not {what} of at most 64 bits"),
                self.span(),
            )
        };
        let number = number.ok_or_else(wrong)?;
        self.next();
        Ok(number)
    }

    /// Takes a count, a decimal number.
    pub(super) fn count(&mut self) -> Result<u32, Error> {
        if self.is("-") {
            return Err(Error::new("a count cannot be negative", self.span()));
        }
        if self.peek().kind != Kind::Number {
            return Err(self.expected("a count"));
        }
        let count = self.word().parse();
        let wrong = |_| {
            Error::new(format!("`{}` is not a count", self.word()), self.span())
                .help(format!("a count is a whole number up to {}", u32::MAX))
        };
        let count = count.map_err(wrong)?;
        self.next();
        Ok(count)
    }

    /// Reads a condition that nests one deeper.
    pub(super) fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if self.nesting == CONDITIONS {
            let message = format!("conditions nest more than {CONDITIONS} deep");
            return Err(Error::limit(message, self.span(), ""));
        }
        self.nesting += 1;
        let result = read(self);
        self.nesting -= 1;
        result
    }
}
