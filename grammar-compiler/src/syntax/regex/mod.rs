//! Regular expressions.
//!
//! In: a pattern. Out: a [`Grammar`] of one rule, or an [`Expr`] for a terminal of a larger
//! grammar, whose language is exactly the set of texts that the whole pattern matches.
//!
//! # What a pattern means
//!
//! The pattern must match the **whole text**, as if it stood between `^` and `$`; these two are
//! accepted wherever they can be decided from the pattern, and add nothing at its ends.
//! Which alternative or how many repetitions a matcher would prefer plays no part, so lazy
//! quantifiers mean what the greedy ones mean.
//!
//! | Pattern | Matches |
//! |---|---|
//! | `.` | any character, newline too; without newline under `(?-s)` |
//! | `[a-z]` `[^a-z]` | a character of the class, or one outside; `[^]` is any character |
//! | `[[:alpha:]]` | a POSIX class inside a class; every other `[` in a class stands for itself |
//! | `\d` `\w` `\s` `\D` `\W` `\S` | ASCII: `[0-9]`, `[0-9A-Za-z_]`, `[ \t\n\r\f\v]`, and what is outside |
//! | `\p{L}` `\P{Greek}` | a Unicode class, or what is outside |
//! | `x*` `x+` `x?` `x{3}` `x{3,}` `x{3,5}` | repetition; a `?` after it changes nothing |
//! | `a\|b` `(…)` `(?:…)` `(?<name>…)` `(?P<name>…)` | alternatives and groups; names are ignored |
//! | `(?i)` `(?i:…)` | ASCII letters match in either case; other letters match themselves |
//! | `(?s)` `(?-s)` `(?u)` | whether `.` matches newline; `u` is always on |
//! | `(?-u:\xFF)` | single bytes instead of characters |
//! | `\n \r \t \f \v \a \e \0 \cJ \xHH \x{…} \uHHHH \u{…} \UHHHHHHHH` | the usual characters; `[\b]` is backspace |
//! | `\.` `\/` `\-` `\@` … | the punctuation itself; `{` and `}` stand for themselves where they are no repetition |
//!
//! Refused, by name: look-around, back-references, word boundaries, anchors in a place where they
//! may or may not hold, multi-line and verbose mode, atomic groups, and quantifiers on quantifiers
//! (`a++` means three different things in three engines).
//!
//! ```
//! use maskwright_compiler::grammar::interpret::accepts;
//! use maskwright_compiler::{GrammarText, limits::Limits};
//!
//! let date = GrammarText::regex(r"^\d{4}-(0[1-9]|1[0-2])-[0-3]\d$").parse(&Limits::default())?.grammar;
//! assert!(accepts(&date, "2026-11-21"));
//! assert!(!accepts(&date, "2026-13-21"));
//!
//! let error = GrammarText::regex(r"(?=a)b").parse(&Limits::default()).unwrap_err();
//! assert_eq!(error.code(), "unsupported-lookaround");
//! # Ok::<(), maskwright_compiler::error::Error>(())
//! ```

mod anchor;
mod class;
mod lint;
mod spelling;
mod translate;

use lint::lint;
pub(crate) use spelling::posix_class;

use crate::error::{Code, Diagnostic, Error};
use crate::grammar::characters::{MOST_CLASSES, named_classes};
use crate::grammar::{Expr, Grammar, Rule, RuleId, check};
use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::source::{Source, Span};
use crate::syntax::slashes::between_slashes;
use crate::syntax::{ParseOptions, Parsed, control_tokens};
use regex_syntax::ast;

/// How a pattern is read, besides its own flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PatternReading {
    /// ASCII letters match in either case.
    pub(crate) case_insensitive: bool,
    /// `.` matches newline.
    pub(crate) dot_matches_newline: bool,
    /// Never match a character that must be escaped in a JSON string: `"`, `\` and U+0000 to
    /// U+001F.
    pub(crate) json_string: bool,
}

impl Default for PatternReading {
    fn default() -> Self {
        PatternReading {
            case_insensitive: false,
            dot_matches_newline: true,
            json_string: false,
        }
    }
}

/// The grammar of the texts that the whole of a pattern matches: one rule, `root`.
///
/// # Errors
/// If the pattern is not one, uses what cannot be compiled, matches no text at all, or passes
/// `limits.grammar_bytes`, `limits.nesting` or `limits.repetition`.
pub fn parse(source: &Source, options: &ParseOptions) -> Result<Parsed, Error> {
    let options = &*options.begun();
    let grammar = grammar(source, &options.limits)?;
    let deadline = Deadline::start(&options.limits);
    let mut warnings = lint(source.text(), &grammar, &options.limits);
    warnings.extend(control_tokens::lint(
        &grammar,
        0..1,
        &options.tokens,
        &deadline,
    ));
    deadline.check("reading a pattern")?;
    Ok(Parsed {
        warnings,
        grammar,
        sources: source.into(),
        files: Vec::new(),
        has_schema: false,
        holds_end: false,
        calls: None,
    })
}

/// The same without warnings.
fn grammar(source: &Source, limits: &Limits) -> Result<Grammar, Error> {
    let pattern = source.text();
    let refuse = |diagnostic| Error::in_source(source, vec![diagnostic]);
    if pattern.len() > limits.grammar_bytes {
        return Err(LimitExceeded::new(
            "grammar_bytes",
            limits.grammar_bytes,
            format!("the pattern has {} bytes", pattern.len()),
        )
        .into());
    }
    let whole = Span::new(0, pattern.len());
    let expr =
        to_expr(pattern, PatternReading::default(), limits.nesting, limits).map_err(refuse)?;
    let rule = Rule {
        name: "root".to_owned(),
        expr,
        span: whole,
        places: Vec::new(),
    };
    let grammar = Grammar::new(vec![rule], RuleId(0));
    if !check::unproductive_rules(&grammar).is_empty() {
        return Err(refuse(
            Diagnostic::error(Code::NeverMatches, "no text matches this pattern")
                .at(whole, "every way through it ends at an impossible place")
                .help(match between_slashes(pattern) {
                    Some(parts) => lint::without_slashes(parts),
                    None => "remove anchors in the middle and classes that contain nothing".into(),
                }),
        ));
    }
    Ok(grammar)
}

/// The expression of `pattern`; the places of a diagnostic are relative to `pattern`.
/// Groups may nest `nesting` deep.
pub(crate) fn to_expr(
    pattern: &str,
    reading: PatternReading,
    nesting: usize,
    limits: &Limits,
) -> Result<Expr, Diagnostic> {
    let (spelled, tree) = read(pattern, nesting, limits)?;
    translate::translate(&tree, &spelled, reading, limits)
}

/// The limit that a pattern of more classes passes.
fn too_many_classes() -> LimitExceeded {
    LimitExceeded::new(
        "classes",
        MOST_CLASSES,
        "a pattern names more classes of characters than can be joined in time",
    )
}

/// The syntax tree of `pattern`, in which groups may nest `nesting` deep.
fn read(
    pattern: &str,
    nesting: usize,
    limits: &Limits,
) -> Result<(spelling::Spelled, ast::Ast), Diagnostic> {
    let deadline = Deadline::start(limits);
    let late = |limit| Diagnostic::from(&limit);
    let spelled = spelling::respell(pattern, nesting, limits.nesting, &deadline)?;
    deadline
        .ticks(pattern.len(), "parsing a pattern")
        .map_err(late)?;
    if named_classes(pattern) > MOST_CLASSES {
        return Err(Diagnostic::from(&too_many_classes()));
    }
    // Each group adds at most a repetition, a concatenation and an alternation to the tree.
    let tree_depth = u32::try_from(nesting.saturating_mul(4).saturating_add(8)).unwrap_or(u32::MAX);
    let tree = ast::parse::ParserBuilder::new()
        .nest_limit(tree_depth)
        .build()
        .parse(spelled.text())
        .map_err(|error| diagnose(&error, &spelled))?;
    Ok((spelled, tree))
}

/// A parse error of the pattern in our terms.
fn diagnose(error: &ast::Error, spelled: &spelling::Spelled) -> Diagnostic {
    use ast::ErrorKind;
    if *error.kind() == ErrorKind::DecimalInvalid {
        // The digits are a number that is too large.
        return Diagnostic::error(Code::LimitExceeded, "the number of times is too large")
            .at(spelled.span(error.span()), "")
            .help("write a smaller number, or none for any number of times");
    }
    let message = error.kind().to_string();
    let (code, help) = match error.kind() {
        ErrorKind::ClassRangeInvalid | ErrorKind::ClassRangeLiteral => (
            Code::InvalidRange,
            "write the smaller character first, or escape the `-`",
        ),
        ErrorKind::ClassUnclosed => (Code::UnclosedClass, "close the class with `]`"),
        ErrorKind::GroupUnclosed => (Code::UnclosedGroup, "close the group with `)`"),
        ErrorKind::GroupUnopened => (
            Code::UnopenedGroup,
            "remove the `)`, or write `\\)` for the character",
        ),
        ErrorKind::RepetitionCountInvalid
        | ErrorKind::RepetitionCountDecimalEmpty
        | ErrorKind::RepetitionCountUnclosed => (
            Code::InvalidRepetition,
            "write `{n}`, `{n,}` or `{n,m}` with n not above m, or `\\{` for the character",
        ),
        ErrorKind::RepetitionMissing => (
            Code::NothingToRepeat,
            "put what is to be repeated before the operator, or escape it",
        ),
        ErrorKind::ClassEscapeInvalid
        | ErrorKind::EscapeHexEmpty
        | ErrorKind::EscapeHexInvalid
        | ErrorKind::EscapeHexInvalidDigit
        | ErrorKind::EscapeUnexpectedEof
        | ErrorKind::EscapeUnrecognized
        | ErrorKind::UnicodeClassInvalid => (
            Code::BadEscape,
            "write `\\\\` for a backslash, or the character itself",
        ),
        ErrorKind::NestLimitExceeded(_) => (Code::LimitExceeded, "nest less deeply"),
        _ => (
            Code::RegexSyntax,
            "see the documentation of `syntax::regex` for what a pattern may contain",
        ),
    };
    Diagnostic::error(code, format!("in the regular expression: {message}"))
        .at(spelled.span(error.span()), "")
        .help(help)
}

#[cfg(test)]
mod tests;
