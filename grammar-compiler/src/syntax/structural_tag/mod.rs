//! Structural tags: free text with tags in it, as engines take them in `response_format`.
//!
//! In: JSON, such as
//! `{"type": "structural_tag", "format": {"type": "tag", "begin": "<t>", "content": {"type": "any_text"}, "end": "</t>"}}`,
//! or a request of vLLM, SGLang or TensorRT-LLM that has one. Out: [`Parsed`].
//!
//! ```text
//! text ── read ──▶ Format ── check ──▶ Format ── lower ──▶ Grammar with embeds ── join ──▶ Grammar
//! ```
//!
//! | stage | holds afterwards |
//! |---|---|
//! | `read` | every field is known and of its kind; types that are not said are guessed; tokens are ids |
//! | `check` | every trigger can be completed, no exclude or end lies in its way, free text in tags has an end |
//! | `lower` | the grammar's sentences are the texts; free text ends where the first delimiter is complete |
//! | [`embed::join`] | schemas, grammars and patterns are rules |
//!
//! What the formats are, with examples, and where they differ from XGrammar's:
//! `docs/structural-tags.md`.
//!
//! # Free text
//! Free text is any text in UTF-8 up to the first place where a trigger, an end or an exclude is
//! complete. If several are complete at one character, the one that began first counts. If one is
//! the beginning of another, what follows the shorter one and the rest of the longer one are both
//! open. Ends of all tags around a free text end it or are forbidden in it: see
//! [`TagOptions::outer_ends`].
//!
//! # Delimiters that are tokens
//! Where the grammar is read for a vocabulary ([`ParseOptions::tokens`]), every text of a begin,
//! end, trigger, separator or `const_string` is cut at the names of special and added tokens, as
//! tokenizers cut texts: there the model is to write that token. Its name in other tokens is
//! neither a delimiter nor text there, unless [`TagOptions::spelled`] says that it is a delimiter
//! as well.

pub(super) mod ast;
mod check;
mod control_triggers;
mod early_end;
mod lower;
mod matched;
mod overlap;
pub(crate) mod parts;
mod read;
mod settings;

pub(super) use ast::{Delimiter, FieldText, Format, Unit};

use super::embed;
use super::{ParseOptions, Parsed, finish};
use crate::digest::{DigestFields, Digester};
use crate::error::{Diagnostic, Error};
use crate::grammar::Expr;
use crate::limits::Deadline;
use crate::setters::setters;
use crate::source::{Source, Sources};

/// How structural tags are read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TagOptions {
    /// Whether a delimiter that is a special or added token may also be written in other tokens
    /// that spell its name. Default: no.
    pub spelled: bool,
    /// Whether the free text in a tag ends with, or cannot contain, the ends of all tags around it,
    /// not only of the nearest. Default: yes. Without, a tag can swallow the end of a tag around
    /// it, as in XGrammar.
    pub outer_ends: bool,
    /// Characters in a block of text whose characters are counted; 0 for as many as suit. Default: 0.
    /// The texts do not depend on it.
    #[doc(hidden)]
    pub block: u32,
}

setters!(TagOptions {
    spelled: bool,
    outer_ends: bool,
});

impl DigestFields for TagOptions {
    fn write_fields(&self, to: &mut Digester) {
        let TagOptions {
            spelled,
            outer_ends,
            block,
        } = self;
        to.field(spelled);
        to.field(outer_ends);
        to.field(block);
    }
}

impl Default for TagOptions {
    fn default() -> Self {
        TagOptions {
            spelled: false,
            outer_ends: true,
            block: 0,
        }
    }
}

/// The grammar of a structural tag.
///
/// # Errors
/// If the text is not JSON or holds no structural tag; for each field that is unknown, missing or
/// of another kind; for what [`check`](self) refuses: triggers that are unused, excluded or can
/// never be complete, begins without one trigger, text without an end; for tokens that are not in
/// the vocabulary; for what is embedded; if a limit is passed.
pub fn parse(source: &Source, options: &ParseOptions) -> Result<Parsed, Error> {
    let options = &*options.begun();
    let request = read::unwrap(source, &options.limits)?;
    let sources = Sources::from(&request.source);

    let format = read::read(&request, options);
    let format = format.map_err(|errors| Error::in_sources(&sources, errors))?;
    // After this point: formats, and nothing unknown.

    let unsaid =
        control_triggers::warnings(&format, &options.tokens, &Deadline::start(&options.limits));
    let mut parsed = parse_format(&format, sources, options)?;
    parsed.warnings.splice(0..0, unsaid);
    Ok(parsed)
}

/// The grammar of a format whose places lie in `sources`.
///
/// # Errors
/// As [`parse`], except for errors in the JSON.
pub(super) fn parse_format(
    format: &Format,
    sources: Sources,
    options: &ParseOptions,
) -> Result<Parsed, Error> {
    let options = &*options.begun();
    let refused = |diagnostics| Error::in_sources(&sources, diagnostics);

    let mut warnings = check::check(format, options).map_err(refused)?;
    // After this point: delimiters that can be told apart.

    let deadline = Deadline::start(&options.limits);
    let lowered = lower::lower(format, options, &deadline);
    let (grammar, embeds) = lowered.map_err(|error| refused(vec![error]))?;
    let mut joined = embed::join(grammar, sources, embeds, options)?;
    // After this point: one grammar.

    let early = early_end::warnings(format, options, &deadline);
    warnings.extend(early.map_err(|error| Error::in_sources(&joined.sources, vec![error]))?);
    warnings.append(&mut joined.warnings);
    joined.warnings = warnings;
    finish::check_embedded(&mut joined, options)?;
    // After this point: every rule can finish.

    Ok(Parsed {
        grammar: joined.grammar,
        sources: joined.sources,
        warnings: joined.warnings,
        files: joined.files,
        has_schema: joined.has_schema,
        holds_end: false,
        calls: None,
    })
}

/// Free text in which each trigger is followed by its right part, and then by free text again if
/// `is_loop`: what grammars in EBNF call `TagDispatch`.
///
/// # Errors
/// As [`parse`], for triggers and excludes.
pub(super) fn dispatch(
    unit: Unit,
    rules: &[(Delimiter, Expr)],
    excludes: &[Delimiter],
    is_loop: bool,
    options: &ParseOptions,
) -> Result<Expr, Vec<Diagnostic>> {
    let triggers: Vec<&Delimiter> = rules.iter().map(|(trigger, _)| trigger).collect();
    check::free(&triggers, excludes, options)?;
    lower::dispatch(unit, rules, excludes, is_loop, options).map_err(|error| vec![error])
}
