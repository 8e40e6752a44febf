//! Patterns that spell names of tokens.
//!
//! In: the pattern of a format. Out: its right part, in which a run of characters that is the name
//! of a special or added token is that token, as in a constant. What holds: a pattern that spells
//! none is read by its own front end, which also reports mistakes.

use super::super::ast::FieldText;
use super::TagLowering;
use crate::grammar::Expr;
use crate::source::Source;
use crate::syntax::Kind;
use crate::syntax::embed::EmbedContent;
use crate::syntax::regex::{PatternReading, to_expr};

impl TagLowering<'_> {
    /// The texts that a pattern matches as a whole.
    pub(super) fn pattern(&mut self, text: &FieldText) -> Expr {
        if let Some(expr) = self.cut_at_tokens(&text.value) {
            return self.rule("pattern", expr, text.span);
        }
        let source = Source::new("pattern", text.value.as_str());
        self.embed(Kind::Regex, EmbedContent::Text(source), text.span)
    }

    /// The pattern with its tokens, if it spells the name of one.
    fn cut_at_tokens(&self, pattern: &str) -> Option<Expr> {
        if !self.names_tokens(&pattern.replace('\\', "")) {
            return None;
        }
        let limits = &self.options.limits;
        let expr = to_expr(pattern, PatternReading::default(), limits.nesting, limits).ok()?;
        let mut is_cut = false;
        let expr = self.cut_runs(expr, &mut is_cut);
        is_cut.then_some(expr)
    }

    /// Whether the name of a token is in a text.
    fn names_tokens(&self, text: &str) -> bool {
        let pieces = self.speller.pieces(text);
        pieces.iter().any(|piece| piece.token.is_some())
    }

    /// A right part of a pattern, cut at the names of tokens. Characters side by side are one run.
    fn cut_runs(&self, expr: Expr, is_cut: &mut bool) -> Expr {
        let parts = match expr {
            Expr::Seq(parts) => parts,
            Expr::Literal(_) => vec![expr],
            Expr::Alt(parts) => {
                let parts = parts.into_iter().map(|part| self.cut_runs(part, is_cut));
                return Expr::Alt(parts.collect());
            }
            Expr::Repeat { expr, min, max } => {
                let expr = Box::new(self.cut_runs(*expr, is_cut));
                return Expr::Repeat { expr, min, max };
            }
            other => return other,
        };
        let mut cut = Vec::new();
        let mut run = String::new();
        for part in parts {
            match part {
                Expr::Literal(text) => run.push_str(&text),
                other => {
                    cut.extend(self.run(&mut run, is_cut));
                    cut.push(self.cut_runs(other, is_cut));
                }
            }
        }
        cut.extend(self.run(&mut run, is_cut));
        match cut.len() {
            1 => cut.remove(0),
            _ => Expr::Seq(cut),
        }
    }

    /// The characters that have come side by side, if there are some, and begins anew.
    fn run(&self, run: &mut String, is_cut: &mut bool) -> Option<Expr> {
        if run.is_empty() {
            return None;
        }
        let text = std::mem::take(run);
        *is_cut |= self.names_tokens(&text);
        Some(self.speller.literal(&text))
    }
}
