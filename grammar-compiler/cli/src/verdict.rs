//! Whether a text is a sentence of a grammar, and where it stops being the beginning of one: what
//! `accept` and `test` share.

use crate::depth::DepthArgs;
use crate::failure::Failure;
use crate::input::{self, GrammarArgs, OptionalVocabularyArgs};
use crate::matcher::{self, matcher};
use crate::output::{self, quoted};
use crate::tokens::{self, Cutter, Piece, TokenArgs};
use maskwright_core::{AcceptError, OwnedMatcher};
use serde::Serialize;

/// The grammar that texts are judged by, and how they are read.
#[derive(clap::Args)]
pub struct JudgeArgs {
    #[command(flatten)]
    tokens: TokenArgs,
    #[command(flatten)]
    depth: DepthArgs,
    #[command(flatten)]
    vocabulary: OptionalVocabularyArgs,
    #[command(flatten)]
    grammar: GrammarArgs,
}

impl JudgeArgs {
    /// Compiles the grammar. One that is refused is printed as JSON where `json` says so.
    pub fn judge(&self, json: bool) -> Result<Judge, Failure> {
        let given = self.vocabulary.load()?;
        let cutter = self.tokens.cutter(given.as_ref());
        // Without a vocabulary, a grammar that names tokens is refused.
        let loaded = self.grammar.load_and_warn(given.as_ref());
        let loaded = loaded.map_err(output::for_tools(json))?;
        let vocabulary = given.unwrap_or_else(input::byte_vocabulary);
        let compiled = self.grammar.compile_loaded(&loaded, &vocabulary, None);
        let compiled = compiled.map_err(output::for_tools(json))?;
        let grammar = matcher::grammar(compiled.tables(), &matcher::vocabulary(&vocabulary)?)?;
        let depth = self.depth.frames(compiled.report().depths());
        let depth = depth.map_err(output::for_tools(json))?;
        let matcher = matcher(&grammar, depth)?;
        Ok(Judge {
            matcher,
            cutter,
            depth,
        })
    }
}

/// Judges one text after the other.
pub struct Judge {
    matcher: OwnedMatcher,
    cutter: Cutter,
    /// The frames that each text has room for.
    pub depth: usize,
}

/// What a grammar says of a text.
#[derive(Serialize)]
pub struct Verdict {
    /// The text; bytes that are not UTF-8 are escaped.
    input: String,
    #[serde(skip)]
    quoted: String,
    bytes: usize,
    pub accepted: bool,
    /// Offset of the first byte, or of the name of the first token, with which the text is no
    /// longer the beginning of a sentence.
    refused_at: Option<usize>,
    /// The token that was refused there, with --tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused_token: Option<u32>,
    /// Why it was refused, where the grammar is not the reason.
    reason: Option<String>,
    /// What was expected where it was refused, or where it ends too early, if that is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<String>,
}

impl Judge {
    /// Judges a text, and says what was expected where it is refused if `explain` asks for that.
    pub fn verdict(&mut self, input: &[u8], explain: bool) -> Result<Verdict, Failure> {
        self.matcher.reset();
        let refused = tokens::accept(&mut self.matcher, &self.cutter.pieces(input)?);
        let reason = refused.filter(|(_, _, error)| *error != AcceptError::NotAllowed);
        let is_whole = self.matcher.is_complete() || self.matcher.is_finished();
        let mut verdict = Verdict {
            input: output::text(input),
            quoted: quoted(input),
            bytes: input.len(),
            accepted: refused.is_none() && is_whole,
            refused_at: refused.map(|(at, _, _)| at),
            refused_token: refused.and_then(|(_, piece, _)| match piece {
                Piece::Token(id) => Some(id),
                Piece::Byte(_) => None,
            }),
            reason: reason.map(|(_, _, error)| match error {
                AcceptError::TooDeep => format!("{error}, {}: see --depth", self.depth),
                _ => error.to_string(),
            }),
            expected: None,
        };
        if explain && !verdict.accepted {
            verdict.expected = self.expected(&verdict, input);
        }
        Ok(verdict)
    }

    /// What was expected at the point that the matcher has come to.
    fn expected(&self, verdict: &Verdict, input: &[u8]) -> Option<String> {
        let rest = input.get(verdict.refused_at.unwrap_or(input.len())..)?;
        let refusal = match verdict.refused_token {
            Some(id) => self.matcher.explain_token(id),
            // No text goes on with a byte that UTF-8 does not have.
            None if rest.is_empty() => self.matcher.explain_bytes(b"\xff"),
            None => self.matcher.explain_bytes(rest),
        };
        Some(refusal?.expected().to_string())
    }
}

impl Verdict {
    /// Prints the verdict behind the place of the text: on a line in some words, and on another one
    /// what was expected, if that was asked for.
    pub fn print(&self, place: &str) -> Result<(), Failure> {
        output::print_line(&format!("{place}{}", self.line()))?;
        match &self.expected {
            Some(expected) => output::print_line(&format!("  {expected}")),
            None => Ok(()),
        }
    }

    fn line(&self) -> String {
        let token = self.refused_token.map(|id| format!(", token {id}"));
        let outcome = match (self.accepted, self.refused_at) {
            (true, _) => "accepted".to_owned(),
            (false, Some(at)) => format!("refused at byte {at}{}", token.unwrap_or_default()),
            (false, None) => format!("incomplete after {} bytes", self.bytes),
        };
        let reason = self.reason.as_ref();
        let reason = reason
            .map(|reason| format!(" ({reason})"))
            .unwrap_or_default();
        format!("{outcome}{reason}: {}", self.quoted)
    }
}
