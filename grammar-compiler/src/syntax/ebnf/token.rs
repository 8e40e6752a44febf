//! The words of the grammar language.

use std::fmt;

/// One word; places are kept beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::enum_variant_names,
    reason = "two of them are about the tokens of a vocabulary"
)]
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
    /// The name of a call about tokens or tags, before `(`.
    TokenCall(CallName),
    /// `<name>`, `<|name|>`, `<[id]>`, perhaps with `!` before it.
    TokenReference {
        /// What stands for the token, with its brackets.
        text: &'s str,
        /// Whether any other token is meant.
        negated: bool,
    },
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

/// A call about tokens or tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallName {
    /// `Token(…)`: one of these tokens.
    Token,
    /// `ExcludeToken(…)`: any token but these.
    ExcludeToken,
    /// `TagDispatch(…)`: free text, and rules behind triggers.
    TagDispatch,
    /// `TokenTagDispatch(…)`: the same with tokens for characters.
    TokenTagDispatch,
}

impl CallName {
    /// As it is written.
    pub(super) fn name(self) -> &'static str {
        match self {
            CallName::Token => "Token",
            CallName::ExcludeToken => "ExcludeToken",
            CallName::TagDispatch => "TagDispatch",
            CallName::TokenTagDispatch => "TokenTagDispatch",
        }
    }
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
            Token::TokenCall(call) => write!(f, "`{}`", call.name()),
            Token::TokenReference { text, .. } => write!(f, "the token `{text}`"),
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
