//! The grammar language: a superset of llama.cpp's GBNF and XGrammar's EBNF.
//!
//! In: the text of a grammar. Out: [`Parsed`]: a [`Grammar`](crate::grammar::Grammar) in which
//! every name is resolved and every rule can finish, and warnings. All errors that can be found
//! together are reported together.
//!
//! # The language
//!
//! A grammar is a list of rules `name ::= body`. The whole text to be matched must match the rule
//! named `root`, or the one that [`ParseOptions::root`](crate::syntax::ParseOptions::root) names.
//!
//! ```
//! use maskwright_compiler::grammar::interpret::accepts;
//! use maskwright_compiler::source::Source;
//! use maskwright_compiler::syntax::{ParseOptions, ebnf::parse};
//!
//! let source = Source::new("calls.ebnf", r#"
//!     ## A call with named arguments, such as  area(width: 3.5, unit: "m²")
//!     root     ::= name "(" ( argument ("," ws argument)* )? ")"
//!     argument ::= name ":" ws ( number
//!                              | string )     # a rule may go over several lines
//!     name     ::= [a-z_] [a-z0-9_]{0,30}
//!     number   ::= /-?(0|[1-9]\d*)(\.\d+)?/   # a regular expression
//!     string   ::= "\"" ( [^"\\\x00-\x1f] | "\\" ["\\/bfnrt] )* "\""
//!     ws       ::= " "?
//! "#);
//! let parsed = parse(&source, &ParseOptions::default())?;
//! assert!(parsed.warnings.is_empty());
//! assert!(accepts(&parsed.grammar, r#"area(width: 3.5, unit: "m²")"#));
//! assert!(!accepts(&parsed.grammar, "area(width)"));
//! # Ok::<(), maskwright_compiler::error::Error>(())
//! ```
//!
//! ## Layout
//! White space and line ends separate words and mean nothing else. `#` begins a comment that ends
//! with the line. A rule ends where the next `name ::=` begins, or the text.
//!
//! ## Names
//! ASCII letters, digits, `-` and `_`, in any order, and dots inside: `json.value`, `check-mate`,
//! `rule_2`. Each name is defined once; order plays no part; rules may be recursive in any way that
//! lets every rule finish.
//!
//! ## What a body is made of, from loosest to tightest
//!
//! | Written | Matches |
//! |---|---|
//! | `a \| b` | any one of the alternatives; an alternative may be empty |
//! | `a b` | all in order |
//! | `a*` `a+` `a?` | any number of times; at least once; at most once |
//! | `a{3}` `a{3,}` `a{3,5}` `a{,5}` | so many times, bounds included; operators may follow each other: `a{2}*` |
//! | `( a )` | a group; `()` is the empty text |
//! | `name` | what that rule matches |
//! | `"text"` | these characters; `""` is the empty text |
//! | `[a-z]` `[^a-z]` | one character of the class, or one outside; `[^]` is any character |
//! | `.` | any one character, newline too |
//! | `/pattern/` `/pattern/i` | a [regular expression](crate::syntax::regex), matched as a whole; `\/` is a slash in it |
//! | `Regex("pattern")` | the same in a literal, so backslashes are doubled; see below |
//! | `json_schema("person.json")` `json_schema({…})` | the texts of a JSON Schema's values; see below |
//! | `grammar("list.ebnf")` | what the root of the grammar in that file matches; `grammar("list.ebnf", root="item")` for another rule |
//! | `<\|name\|>` `<name>` `<[17]>` `!<name>` | the special or added token of this name, or the token of this id; any token but it |
//! | `Token("<\|call\|>", 17)` `ExcludeToken(17)` | any one of these tokens; any token but these |
//! | `TagDispatch(("<a>", a), ("<b>", b))` | free text in which a trigger is followed by its rule; see below |
//! | `Substring("a", "b", "c")` | any run of neighbouring chunks, or the empty text: `b`, `ab`, `bc`, `abc`, … |
//!
//! ## Escapes, in literals and classes
//! | Written | Character |
//! |---|---|
//! | `\n` `\r` `\t` `\b` `\f` `\v` `\a` `\e` `\0` | newline, return, tab, backspace, form feed, vertical tab, bell, escape, NUL |
//! | `\xHH` | U+00HH, exactly two digits |
//! | `\uHHHH` | by number, exactly four digits; two halves of a surrogate pair are one character |
//! | `\UHHHHHHHH` | by number, exactly eight digits |
//! | `\"` `\'` `\\` `\/` `\[` `\]` `\-` `\^` … | the punctuation itself |
//!
//! A class also takes `\d` `\w` `\s` `\D` `\W` `\S`, which are ASCII. In a class, `-` between two
//! characters makes a range, anywhere else it is itself; `]` is written `\]`; `[` and `"` are
//! themselves.
//!
//! ## Regular expressions
//! `/pattern/flags` takes the flags `i` (ASCII letters in either case), `s` and `u` (both are
//! always on). `Regex("pattern", flags="i", json_string=true)` is XGrammar's form: if `flags` is
//! given, `.` matches newline only with `s` among them; with `json_string=true` no character
//! matches that a JSON string must escape. Both names are free for rules: a grammar that defines a
//! rule `Regex` means that rule.
//!
//! ## Grammars within grammars
//! `json_schema(…)` takes the name of a document, a schema in braces, or `true` and `false`, and
//! then the options of a schema by name, such as `whitespace="compact"`, `exponents=false` or
//! `lenient="uniqueItems"`. Options that are left out are as for the grammar as a whole. Documents
//! come from the source that the caller gave
//! ([`ParseOptions::documents`](crate::syntax::ParseOptions::documents)), and from nowhere by
//! default. Names are relative to the document in which they are written. Rules of different
//! documents are different rules. Documents may name each other, which is recursion, as between
//! rules. Errors show the place in the embedded text, and where it is embedded. The names of these
//! calls are free for rules, too. `docs/embedding.md` has examples.
//!
//! ## Tokens and tags
//! A token is named by its whole name, brackets included, or by its id. It matches that token only,
//! not its text in other tokens, so the grammar has to be read for a vocabulary
//! ([`ParseOptions::tokens`](crate::syntax::ParseOptions::tokens)).
//! `TagDispatch(("trigger", rule), …)` takes `loop_after_dispatch=false` and `excludes=("…", …)`
//! and means what `dispatch` means in [structural tags](crate::syntax::structural_tag): free text
//! up to the first trigger, then the trigger's rule, then free text again. In `TokenTagDispatch`
//! triggers and excludes are tokens, and any tokens may come between them.
//!
//! ## What is refused
//! With the place and a way out: undefined, duplicate and missing rules, rules that can never
//! finish, empty classes and ranges, bad escapes and lone surrogates, impossible bounds, and what
//! passes one of the [`Limits`](crate::limits::Limits). By name: look-ahead `(= …)` and rule
//! options `name[…] ::=`. Warnings are unused rules, rules that match only the empty text,
//! alternatives that add nothing, white space without a bound ([`crate::grammar::lint`]), and
//! literals that go over the end of a line.

mod ast;
mod build;
mod class;
mod embed_calls;
mod escape;
// The parser that LALRPOP makes of `grammar.lalrpop`, as it comes: `tests/tests/generated.rs`
// compares and updates it.
#[rustfmt::skip]
#[allow(missing_docs, unused, clippy::all, clippy::pedantic)]
mod generated;
mod lexer;
mod mark_calls;
mod resolve_names;
mod scan;
mod token;
mod token_calls;

use super::embed::{self, Unjoined};
use super::finish;
use super::{ParseOptions, Parsed};
use crate::error::{Diagnostic, Error, Severity};
use crate::limits::{Deadline, LimitExceeded};
use crate::source::Source;

/// Reads the grammar in `source`, and what it embeds.
///
/// # Errors
/// With all errors of the first step that has some. The steps: words and syntax; names and
/// patterns; embedded grammars; rules that can never finish.
pub fn parse(source: &Source, options: &ParseOptions) -> Result<Parsed, Error> {
    let options = &*options.begun();
    let Unjoined {
        grammar,
        embeds,
        warnings,
    } = read(source, options)?;
    let own = 0..grammar.rules.len();
    let mut joined = embed::join(grammar, source.into(), embeds, options)?;
    // After this point: one grammar.

    joined.warnings.splice(..0, warnings);
    joined.ebnf.insert(0, own);
    finish::check_embedded(&mut joined, options)?;
    // After this point: every rule can finish.

    Ok(Parsed {
        grammar: joined.grammar,
        sources: joined.sources,
        warnings: finish::sorted(joined.warnings),
        files: joined.files,
        has_schema: joined.has_schema,
        holds_end: false,
        calls: None,
    })
}

/// Reads the grammar in `source` alone.
///
/// # Errors
/// As [`parse`], without those about embedded grammars and about rules that can never finish.
pub(super) fn read(source: &Source, options: &ParseOptions) -> Result<Unjoined, Error> {
    let limits = &options.limits;
    if source.text().len() > limits.grammar_bytes {
        return Err(LimitExceeded::new(
            "grammar_bytes",
            limits.grammar_bytes,
            format!(
                "the grammar {} has {} bytes",
                source.name(),
                source.text().len()
            ),
        )
        .into());
    }
    let mut diagnostics = Diagnostics {
        source,
        found: Vec::new(),
    };

    let deadline = Deadline::start(limits);
    let mut lexed = lexer::lex(source.text(), &deadline);
    deadline.confirm(lexer::DOING)?;
    mark_calls::mark_calls(&mut lexed.tokens);
    diagnostics.add(lexed.diagnostics)?;
    // After this point: words only, and parentheses have their partners.

    let mut builder = build::AstBuilder::new(limits, &options.schema);
    let rules =
        match generated::RulesParser::new().parse(&mut builder, words(lexed.tokens, &deadline)) {
            Ok(rules) => rules,
            Err(error) => {
                builder.syntax_error(error);
                Vec::new()
            }
        };
    deadline.confirm(PARSING)?;
    diagnostics.add(builder.into_diagnostics())?;
    // After this point: rules, with bounds in order and within the limits.

    let (grammar, embeds) = match resolve_names::resolve_names(source, &rules, options) {
        Ok(resolved) => resolved,
        Err(errors) => {
            diagnostics.add(errors)?;
            return Err(diagnostics.take_error());
        }
    };
    // After this point: no more names.

    Ok(Unjoined {
        grammar,
        embeds,
        warnings: diagnostics.found,
    })
}

/// What is being done.
const PARSING: &str = "parsing rules";

/// The steps that a word takes.
const WORD_STEPS: usize = 16;

/// The words, and an error when the deadline passes.
fn words<'s>(
    words: Vec<lexer::Spanned<'s>>,
    deadline: &Deadline,
) -> impl Iterator<Item = Result<lexer::Spanned<'s>, ()>> {
    words
        .into_iter()
        .map(|word| match deadline.ticks(WORD_STEPS, PARSING) {
            Ok(()) => Ok(word),
            Err(_) => Err(()),
        })
}

/// What has been found so far.
struct Diagnostics<'s> {
    source: &'s Source,
    found: Vec<Diagnostic>,
}

impl Diagnostics<'_> {
    /// Adds what a stage found; an error if there is one among it.
    fn add(&mut self, found: Vec<Diagnostic>) -> Result<(), Error> {
        let fatal = found
            .iter()
            .any(|diagnostic| diagnostic.severity() == Severity::Error);
        self.found.extend(found);
        if fatal {
            Err(self.take_error())
        } else {
            Ok(())
        }
    }

    fn take_error(&mut self) -> Error {
        Error::in_source(self.source, finish::sorted(std::mem::take(&mut self.found)))
    }
}

#[cfg(test)]
mod tests;
