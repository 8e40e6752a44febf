//! The words of the grammar language.

use std::fmt;

/// One word; places are kept beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'s> {
    /// `name ::=`.
    Define(&'s str),
    /// A name, or a number between braces.
    Name(&'s str),
    /// `"…"`, its escapes read.
    Literal(String),
    /// `[…]`: sorted, disjoint ranges.
    Class(Vec<(char, char)>),
    /// `/…/flags`.
    Regex {
        /// Between the slashes.
        pattern: &'s str,
        /// Behind them.
        flags: &'s str,
    },
    /// `Regex` before `(`.
    RegexCall,
    /// `Substring` before `(`.
    SubstringCall,
    /// `json_schema` before `(`.
    SchemaCall,
    /// `grammar` before `(`.
    GrammarCall,
    /// `{…}` as the first argument of `json_schema`: a JSON text, not looked into yet.
    Json,
    Dot,
    Pipe,
    Star,
    Plus,
    Question,
    OpenParen,
    CloseParen,
    OpenBrace,
    CloseBrace,
    Comma,
    Equals,
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Define(name) => write!(f, "the rule `{name} ::=`"),
            Token::Name(name) => write!(f, "`{name}`"),
            Token::Literal(_) => f.write_str("this literal"),
            Token::Class(_) => f.write_str("this class"),
            Token::Regex { .. } => f.write_str("this regular expression"),
            Token::RegexCall => f.write_str("`Regex`"),
            Token::SubstringCall => f.write_str("`Substring`"),
            Token::SchemaCall => f.write_str("`json_schema`"),
            Token::GrammarCall => f.write_str("`grammar`"),
            Token::Json => f.write_str("this JSON Schema"),
            Token::Dot => f.write_str("`.`"),
            Token::Pipe => f.write_str("`|`"),
            Token::Star => f.write_str("`*`"),
            Token::Plus => f.write_str("`+`"),
            Token::Question => f.write_str("`?`"),
            Token::OpenParen => f.write_str("`(`"),
            Token::CloseParen => f.write_str("`)`"),
            Token::OpenBrace => f.write_str("`{`"),
            Token::CloseBrace => f.write_str("`}`"),
            Token::Comma => f.write_str("`,`"),
            Token::Equals => f.write_str("`=`"),
        }
    }
}
