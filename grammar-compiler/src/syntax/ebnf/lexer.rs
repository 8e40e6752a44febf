//! From text to words.
//!
//! In: the text of a grammar. Out: its words with their places. If no error was reported, every
//! parenthesis has its partner within one rule, every class has a character, and every escape is
//! read.

use super::scan::{json_length, regex_length, skip_space};
use super::token::Token;
use super::{class, escape};
use crate::error::{Code, Diagnostic, Severity};
use crate::grammar::names::name_length;
use crate::limits::Deadline;
use crate::source::{Span, first_line};

/// The steps that a word takes, beside those for its characters.
const WORD_STEPS: usize = 8;

/// What is being done.
pub(super) const DOING: &str = "reading words";

/// Reading stops after this many errors.
const MAX_ERRORS: usize = 20;

/// A word between its first byte and the one behind its last.
pub(super) type Spanned<'s> = (usize, Token<'s>, usize);

/// The words, and what is to be said about them.
pub(super) struct Lexed<'s> {
    pub(super) tokens: Vec<Spanned<'s>>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Reads all words of `text`. When the deadline passes, it stops early.
pub(super) fn lex<'s>(text: &'s str, deadline: &Deadline) -> Lexed<'s> {
    let mut lexer = Lexer {
        text,
        at: first_line(text),
        tokens: Vec::new(),
        diagnostics: Vec::new(),
        errors: 0,
        open: Vec::new(),
    };
    let mut before = lexer.at;
    // A word is made of several steps, whatever its length.
    while deadline
        .ticks(WORD_STEPS + lexer.at - before, DOING)
        .is_ok()
    {
        before = lexer.at;
        lexer.at = skip_space(text, lexer.at);
        let Some(next) = lexer.rest().chars().next() else {
            break;
        };
        lexer.word(next);
        if lexer.errors >= MAX_ERRORS {
            break;
        }
    }
    lexer.close_groups();
    Lexed {
        tokens: lexer.tokens,
        diagnostics: lexer.diagnostics,
    }
}

struct Lexer<'s> {
    text: &'s str,
    /// The next byte.
    at: usize,
    tokens: Vec<Spanned<'s>>,
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    /// Where the groups begin that are not closed yet.
    open: Vec<usize>,
}

impl<'s> Lexer<'s> {
    fn rest(&self) -> &'s str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.errors += usize::from(diagnostic.severity() == Severity::Error);
        self.diagnostics.push(diagnostic);
    }

    /// Takes a word of `bytes` bytes.
    fn take(&mut self, token: Token<'s>, bytes: usize) {
        self.tokens.push((self.at, token, self.at + bytes));
        self.at += bytes;
    }

    fn word(&mut self, next: char) {
        match next {
            '|' => self.take(Token::Pipe, 1),
            '*' => self.take(Token::Star, 1),
            '+' => self.take(Token::Plus, 1),
            '?' => self.take(Token::Question, 1),
            '{' if self.begins_schema() => self.json(),
            '{' => self.take(Token::OpenBrace, 1),
            '}' => self.take(Token::CloseBrace, 1),
            ',' => self.take(Token::Comma, 1),
            '=' => self.take(Token::Equals, 1),
            '.' => self.take(Token::Dot, 1),
            '(' => self.open_group(),
            ')' => self.close_group(),
            '"' => self.literal(),
            '[' => self.class(),
            '/' => self.regex(),
            '<' | '!' => self.token_reference(),
            ':' if self.rest().starts_with("::=") => self.misplaced_define(),
            _ if name_length(self.rest()) > 0 => self.name(),
            _ => self.unexpected(next),
        }
    }

    fn unexpected(&mut self, next: char) {
        let span = Span::new(self.at, self.at + next.len_utf8());
        let help = match next {
            '\'' => "literals are written between double quotes: `\"text\"`",
            ':' => "a rule is written `name ::= …`; Lark's `name: …` is another language",
            '%' => {
                "what Lark imports or ignores is a rule here, called where it may stand: `ws ::= [ \\t\\n]{0,8}`"
            }
            ']' => "a class ends at its first `]`; inside it a bracket is written `\\]`",
            _ => "text to be matched is written between double quotes: `\"text\"`",
        };
        let message = format!("{next:?} has no meaning here");
        self.report(
            Diagnostic::error(Code::UnexpectedCharacter, message)
                .at(span, "")
                .help(help),
        );
        self.at = span.end;
    }

    fn name(&mut self) {
        let length = name_length(self.rest());
        let name = self.rest().get(..length).unwrap_or("");
        let behind = skip_space(self.text, self.at + length);
        if !self.text.get(behind..).unwrap_or("").starts_with("::=") {
            return self.take(Token::Name(name), length);
        }
        self.close_groups();
        self.take(Token::Define(name), length);
        self.at = behind + "::=".len();
    }

    /// `::=` not behind a name.
    fn misplaced_define(&mut self) {
        let span = Span::new(self.at, self.at + 3);
        let options = match self.tokens.as_slice() {
            [
                ..,
                (start, Token::Name(name), end),
                (class, Token::Class(_), class_end),
            ] if end == class => Some((*start, *name, *end, *class_end)),
            _ => None,
        };
        if let Some((start, name, end, options_end)) = options {
            self.report(
                Diagnostic::error(
                    Code::UnsupportedRuleOption,
                    format!("rule `{name}` carries options, which are not supported"),
                )
                .at(Span::new(end, options_end), "")
                .help(format!("write `{name} ::= …`")),
            );
            self.tokens.truncate(self.tokens.len() - 2);
            self.close_groups();
            self.tokens.push((start, Token::Define(name), end));
        } else {
            self.report(
                Diagnostic::error(
                    Code::UnnamedRule,
                    "`::=` needs the name of a rule before it",
                )
                .at(span, "")
                .help("a name is made of letters, digits, `-`, `_` and dots inside"),
            );
        }
        self.at = span.end;
    }

    fn open_group(&mut self) {
        self.open.push(self.at);
        if !self.rest().starts_with("(=") {
            return self.take(Token::OpenParen, 1);
        }
        self.report(
            Diagnostic::error(
                Code::UnsupportedLookahead,
                "look-ahead `(= …)` is not supported",
            )
            .at(Span::new(self.at, self.at + 2), "")
            .help("remove it: what may follow a rule is known from the rules that use it"),
        );
        self.take(Token::OpenParen, 2);
    }

    fn close_group(&mut self) {
        if self.open.pop().is_some() {
            return self.take(Token::CloseParen, 1);
        }
        self.report(
            Diagnostic::error(Code::UnopenedGroup, "this `)` closes nothing")
                .at(Span::new(self.at, self.at + 1), "")
                .help("remove it, or write `\")\"` for the character"),
        );
        self.at += 1;
    }

    /// The rule ends here: reports the groups that are still open.
    fn close_groups(&mut self) {
        for open in std::mem::take(&mut self.open) {
            if self.errors >= MAX_ERRORS {
                return;
            }
            self.report(
                Diagnostic::error(Code::UnclosedGroup, "this group is never closed")
                    .at(Span::new(open, open + 1), "opened here")
                    .help(
                        "close it with `)` before the rule ends; for the character write `\"(\"`",
                    ),
            );
        }
    }

    fn literal(&mut self) {
        let start = self.at;
        let mut value = String::new();
        let mut lines = false;
        let mut at = start + 1;
        loop {
            let rest = self.text.get(at..).unwrap_or("");
            let Some(next) = rest.chars().next() else {
                self.report(
                    Diagnostic::error(Code::UnclosedLiteral, "this literal is never closed")
                        .at(Span::new(start, start + 1), "opened here")
                        .help("close it with `\"`; inside a literal a quote is written `\\\"`"),
                );
                self.at = self.text.len();
                return;
            };
            match next {
                '"' => break,
                '\\' => at += self.escape(rest, at, &mut value),
                _ => {
                    lines |= matches!(next, '\n' | '\r');
                    value.push(next);
                    at += next.len_utf8();
                }
            }
        }
        if lines {
            self.report(
                Diagnostic::warning(Code::RawNewline, "this literal contains the end of a line")
                    .at(Span::new(start, at + 1), "")
                    .help("write `\\n` if a newline is meant; otherwise a quote is missing"),
            );
        }
        self.take(Token::Literal(value), at + 1 - start);
    }

    /// Reads the escape at the start of `rest` into `value`; the number of bytes it takes.
    fn escape(&mut self, rest: &str, at: usize, value: &mut String) -> usize {
        match escape::read(rest, at) {
            Ok(escape) => {
                value.push(escape.character);
                let hexadecimal = rest.starts_with("\\x");
                let next = rest.as_bytes().get(escape.bytes);
                if hexadecimal && next.is_some_and(u8::is_ascii_hexdigit) {
                    self.report(
                        Diagnostic::warning(
                            Code::AmbiguousEscape,
                            "`\\x` takes two digits; the third is a character of its own",
                        )
                        .at(Span::new(at, at + escape.bytes + 1), "")
                        .help("other engines may read more digits; write `\\u00HH` to be clear"),
                    );
                }
                escape.bytes
            }
            Err(diagnostic) => {
                self.report(diagnostic);
                1 + rest.chars().nth(1).map_or(0, char::len_utf8)
            }
        }
    }

    /// Whether the next word is the first argument of `json_schema`.
    fn begins_schema(&self) -> bool {
        let words = self.tokens.as_slice();
        matches!(
            words,
            [
                ..,
                (_, Token::Name("json_schema"), _),
                (_, Token::OpenParen, _)
            ]
        )
    }

    /// A JSON object, up to the brace that closes it.
    fn json(&mut self) {
        match json_length(self.rest()) {
            Some(length) => self.take(Token::Json, length),
            None => {
                self.report(
                    Diagnostic::error(Code::UnclosedGroup, "this schema is never closed")
                        .at(Span::new(self.at, self.at + 1), "opened here")
                        .help("close it with `}`"),
                );
                self.at = self.text.len();
            }
        }
    }

    fn class(&mut self) {
        match class::read(self.rest(), self.at) {
            Ok(class) => {
                for diagnostic in class.diagnostics {
                    self.report(diagnostic);
                }
                self.take(Token::Class(class.ranges), class.bytes);
            }
            Err(diagnostic) => {
                self.report(diagnostic);
                self.at = self.text.len();
            }
        }
    }

    fn regex(&mut self) {
        let (pattern, bytes) = match regex_length(self.rest()) {
            Some(length) => (self.rest().get(1..1 + length).unwrap_or(""), length + 2),
            None => {
                self.report(
                    Diagnostic::error(
                        Code::UnclosedRegex,
                        "this regular expression is never closed",
                    )
                    .at(Span::new(self.at, self.at + 1), "opened here")
                    .help("close it with `/` on the same line; inside, a slash is written `\\/`"),
                );
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
                return;
            }
        };
        if pattern.is_empty() {
            self.report(
                Diagnostic::error(Code::EmptyRegex, "this regular expression is empty")
                    .at(Span::new(self.at, self.at + 2), "")
                    .help("comments begin with `#`; the empty text is written `\"\"`"),
            );
        }
        let behind = self.rest().get(bytes..).unwrap_or("");
        let letters = behind.bytes().take_while(u8::is_ascii_alphabetic).count();
        let flags = behind.get(..letters).unwrap_or("");
        self.take(Token::Regex { pattern, flags }, bytes + letters);
    }

    /// `<token>`, `<[id]>`, perhaps negated with `!`.
    fn token_reference(&mut self) {
        let line = self.rest().lines().next().unwrap_or("");
        let name = line.strip_prefix('!').unwrap_or(line);
        let negated = name.len() < line.len();
        let end = name.find('>').filter(|_| name.starts_with('<'));
        let Some(text) = end.and_then(|end| name.get(..=end)) else {
            let length = line.chars().next().map_or(1, char::len_utf8);
            let message = "a token is named in angle brackets, and nothing closes these";
            self.report(
                Diagnostic::error(Code::UnexpectedCharacter, message)
                    .at(Span::new(self.at, self.at + length), "")
                    .help("write `<name>`, `<|name|>` or `<[17]>`, or a text in double quotes"),
            );
            self.at += length;
            return;
        };
        let bytes = text.len() + usize::from(negated);
        self.take(Token::TokenReference { text, negated }, bytes);
    }
}
