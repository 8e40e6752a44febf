//! The options of Lark grammars.

use std::fmt;
use std::str::FromStr;

use crate::digest::{DigestFields, Digester};
use crate::setters::setters;
use crate::syntax::settings::{Setting, Settings, Values, one};

/// How grammars in the dialects of Lark are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LarkOptions {
    /// How a text is cut into terminals. Default: [`LarkLexer::Longest`].
    pub lexer: LarkLexer,
    /// The rules with which a text can begin. Default, and if it is empty: `start`.
    pub start: Vec<String>,
    /// Which readings of a sequence of terminals count. Default: [`LarkParser::OfLexer`].
    pub parser: LarkParser,
}

setters!(LarkOptions {
    lexer: LarkLexer,
    start: Vec<String>,
    parser: LarkParser,
});

/// How a text is cut into terminals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LarkLexer {
    /// The longest match of all terminals that the parser may take; all that have it count.
    #[default]
    Longest,
    /// The longest match of each terminal, by itself.
    Dynamic,
    /// Any match of each terminal.
    DynamicComplete,
    /// One terminal, as Lark's LALR parser chooses among those that the parser may take.
    Contextual,
    /// One terminal, as Lark's LALR parser chooses among all.
    Basic,
}

impl LarkLexer {
    /// All lexers.
    pub const ALL: [LarkLexer; 5] = [
        LarkLexer::Longest,
        LarkLexer::Dynamic,
        LarkLexer::DynamicComplete,
        LarkLexer::Contextual,
        LarkLexer::Basic,
    ];

    /// How options name it.
    pub fn name(self) -> &'static str {
        match self {
            LarkLexer::Longest => "longest",
            LarkLexer::Dynamic => "dynamic",
            LarkLexer::DynamicComplete => "dynamic_complete",
            LarkLexer::Contextual => "contextual",
            LarkLexer::Basic => "basic",
        }
    }

    /// Whether one terminal wins wherever several match.
    pub(super) fn has_one_winner(self) -> bool {
        matches!(self, LarkLexer::Contextual | LarkLexer::Basic)
    }
}

impl FromStr for LarkLexer {
    type Err = UnknownLexer;

    fn from_str(name: &str) -> Result<Self, UnknownLexer> {
        let mut all = LarkLexer::ALL.into_iter();
        all.find(|lexer| lexer.name() == name).ok_or(UnknownLexer)
    }
}

/// A text that is not the name of a [`LarkLexer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownLexer;

impl fmt::Display for UnknownLexer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = LarkLexer::ALL.map(LarkLexer::name);
        write!(f, "expected one of `{}`", names.join("`, `"))
    }
}

impl std::error::Error for UnknownLexer {}

/// Which readings of a sequence of terminals count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LarkParser {
    /// The readings of the parser that has the lexer in Lark: beside
    /// [`Contextual`](LarkLexer::Contextual) and [`Basic`](LarkLexer::Basic) as
    /// [`Lalr`](LarkParser::Lalr), beside the others as [`Earley`](LarkParser::Earley).
    #[default]
    OfLexer,
    /// All that the rules have.
    Earley,
    /// The one of Lark's LALR(1) parser: it shifts where it could also reduce.
    Lalr,
}

impl LarkOptions {
    /// Whether only the readings of Lark's LALR(1) parser count.
    pub(super) fn is_lalr(&self) -> bool {
        match self.parser {
            LarkParser::OfLexer => self.lexer.has_one_winner(),
            LarkParser::Earley => false,
            LarkParser::Lalr => true,
        }
    }
}

impl FromStr for LarkParser {
    type Err = UnknownParser;

    fn from_str(name: &str) -> Result<Self, UnknownParser> {
        match name {
            "earley" => Ok(LarkParser::Earley),
            "lalr" => Ok(LarkParser::Lalr),
            _ => Err(UnknownParser),
        }
    }
}

/// A text that is not the name of a [`LarkParser`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownParser;

impl fmt::Display for UnknownParser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected `earley` or `lalr`")
    }
}

impl std::error::Error for UnknownParser {}

impl Settings for LarkOptions {
    const SETTINGS: &'static [Setting<Self>] = &[
        Setting::new(
            ("lexer", "lexer"),
            Values::One {
                form: "longest|dynamic|dynamic_complete|contextual|basic",
            },
            "How a text is cut into the terminals of a Lark grammar",
            |options, values| one(values).map(|lexer| options.lexer = lexer),
        ),
        Setting::new(
            ("parser", "parser"),
            Values::One {
                form: "earley|lalr",
            },
            "Whether all readings count in a Lark grammar, or that of its LALR(1) parser",
            |options, values| one(values).map(|parser| options.parser = parser),
        ),
        Setting::new(
            ("start", "start"),
            Values::Many {
                form: "RULE",
                with_commas: true,
            },
            "The rules with which a text of a Lark grammar can begin, instead of `start`",
            |options, values| {
                options.start = values.iter().map(|&rule| rule.to_owned()).collect();
                Ok(())
            },
        ),
    ];
}

impl DigestFields for LarkOptions {
    fn write_fields(&self, to: &mut Digester) {
        let LarkOptions {
            lexer,
            start,
            parser,
        } = self;
        to.small(*lexer as u8);
        to.field(&start[..]);
        to.small(*parser as u8);
    }
}
