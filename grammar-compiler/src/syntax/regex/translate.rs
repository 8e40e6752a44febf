//! From the tree of a pattern to an expression.
//!
//! In: the tree of `regex-syntax`. Out: an [`Expr`] with the same language. Anchors are gone: each
//! is the empty text or impossible.

use super::anchor::{self, TextEdge, TextEdges};
use super::class::{self, ClassReading, Refusal};
use super::{PatternReading, spelling::Spelled};
use crate::error::{Code, Diagnostic};
use crate::grammar::Expr;
use crate::limits::{Deadline, LimitExceeded, Limits};
use regex_syntax::ast::{self, AssertionKind, Ast, Flag, FlagsItemKind, GroupKind};
use regex_syntax::hir::ClassUnicode;

/// The steps that a part takes, and a class.
const STEPS: usize = 8;
const CLASS_STEPS: usize = 256;

/// The expression of the tree.
pub(super) fn translate(
    tree: &Ast,
    spelled: &Spelled,
    reading: PatternReading,
    limits: &Limits,
) -> Result<Expr, Diagnostic> {
    let mut translator = Translator {
        spelled,
        deadline: Deadline::start(limits),
        repetition: limits.repetition,
        json_string: reading.json_string,
        mode: PatternFlags {
            case_insensitive: reading.case_insensitive,
            dot_matches_newline: reading.dot_matches_newline,
            bytes: false,
        },
    };
    translator.expr(tree, TextEdges::WHOLE)
}

/// What flags change.
#[derive(Clone, Copy)]
struct PatternFlags {
    case_insensitive: bool,
    dot_matches_newline: bool,
    bytes: bool,
}

struct Translator<'s> {
    spelled: &'s Spelled,
    deadline: Deadline,
    repetition: u32,
    json_string: bool,
    /// The flags in force; a group restores them at its end.
    mode: PatternFlags,
}

impl Translator<'_> {
    // Patterns nest deep: what each kind of node needs stays out of the frame of this function.
    fn expr(&mut self, tree: &Ast, edges: TextEdges) -> Result<Expr, Diagnostic> {
        self.work(STEPS)?;
        match tree {
            Ast::Empty(_) => Ok(Expr::Seq(Vec::new())),
            Ast::Flags(flags) => self.flags(flags),
            Ast::Literal(literal) => self.literal(literal),
            Ast::Dot(_) => Ok(self.dot()),
            Ast::Assertion(assertion) => self.assertion(assertion, edges),
            Ast::ClassUnicode(class) => self.class(class::property(class, self.class_reading())),
            Ast::ClassPerl(class) => self.class(class::perl(class)),
            Ast::ClassBracketed(class) => self.class(class::bracketed(class, self.class_reading())),
            Ast::Repetition(repetition) => self.repeat(repetition, edges),
            Ast::Group(group) => self.group(group, edges),
            Ast::Alternation(alternation) => self.alternation(&alternation.asts, edges),
            Ast::Concat(concat) => self.concat(&concat.asts, edges),
        }
    }

    /// Counts steps.
    fn work(&self, steps: usize) -> Result<(), Diagnostic> {
        let in_time = self.deadline.ticks(steps, "translating a pattern");
        in_time.map_err(|limit| Diagnostic::from(&limit))
    }

    fn flags(&mut self, flags: &ast::SetFlags) -> Result<Expr, Diagnostic> {
        self.set_flags(&flags.flags)?;
        Ok(Expr::Seq(Vec::new()))
    }

    fn class(&self, class: Result<ClassUnicode, Refusal>) -> Result<Expr, Diagnostic> {
        match class {
            Ok(set) => {
                self.work(CLASS_STEPS + 2 * set.ranges().len())?;
                Ok(self.class_expr(set))
            }
            Err(refusal) => Err(self.place(refusal)),
        }
    }

    fn alternation(&mut self, parts: &[Ast], edges: TextEdges) -> Result<Expr, Diagnostic> {
        let mut exprs = Vec::with_capacity(parts.len());
        for part in parts {
            exprs.push(self.expr(part, edges)?);
        }
        Ok(Expr::Alt(exprs))
    }

    fn place(&self, refusal: Refusal) -> Diagnostic {
        let Refusal {
            span,
            code,
            message,
            help,
        } = refusal;
        self.refuse(code, &span, &message, help)
    }

    fn refuse(&self, code: Code, span: &ast::Span, message: &str, help: &str) -> Diagnostic {
        Diagnostic::error(code, message)
            .at(self.spelled.span(span), "")
            .help(help)
    }

    fn class_reading(&self) -> ClassReading {
        ClassReading {
            case_insensitive: self.mode.case_insensitive,
            bytes: self.mode.bytes,
        }
    }

    fn literal(&self, literal: &ast::Literal) -> Result<Expr, Diagnostic> {
        class::check_byte(literal, self.class_reading()).map_err(|refusal| self.place(refusal))?;
        let letter = class::range(literal.c, literal.c);
        let set = self.class_reading().folded(letter);
        Ok(match self.class_expr(set) {
            Expr::Class(ranges) if ranges == [(literal.c, literal.c)] => {
                Expr::Literal(literal.c.to_string())
            }
            expr => expr,
        })
    }

    fn dot(&self) -> Expr {
        let newline = class::range('\n', '\n');
        self.class_expr(match self.mode.dot_matches_newline {
            true => class::range('\0', char::MAX),
            false => class::others(&newline),
        })
    }

    /// The expression of one character of `set`, in the mode in force.
    fn class_expr(&self, mut set: ClassUnicode) -> Expr {
        if self.json_string {
            set.difference(&class::range('\0', '\u{1F}'));
            set.difference(&class::range('"', '"'));
            set.difference(&class::range('\\', '\\'));
        }
        if !self.mode.bytes {
            return Expr::Class(set.iter().map(|r| (r.start(), r.end())).collect());
        }
        let byte = |c: char| u8::try_from(u32::from(c)).unwrap_or(u8::MAX);
        set.intersect(&class::range('\0', '\u{FF}'));
        Expr::Bytes(
            set.iter()
                .map(|r| (byte(r.start()), byte(r.end())))
                .collect(),
        )
    }

    fn assertion(&self, assertion: &ast::Assertion, edges: TextEdges) -> Result<Expr, Diagnostic> {
        let edge = match assertion.kind {
            AssertionKind::StartLine | AssertionKind::StartText => edges.start,
            AssertionKind::EndLine | AssertionKind::EndText => edges.end,
            _ => {
                return Err(self.refuse(
                    Code::UnsupportedWordBoundary,
                    &assertion.span,
                    "word boundaries are not supported",
                    "say which characters may stand on both sides, with classes such as `\\w` and `\\W`",
                ));
            }
        };
        match edge {
            TextEdge::Always => Ok(Expr::Seq(Vec::new())),
            TextEdge::Never => Ok(Expr::Class(Vec::new())),
            TextEdge::Sometimes => Err(self.refuse(
                Code::UnsupportedAnchor,
                &assertion.span,
                "this anchor holds in some matches but not in others",
                "the pattern always matches the whole text; write the cases as alternatives, such as `^$|ab`",
            )),
        }
    }

    fn repeat(
        &mut self,
        repetition: &ast::Repetition,
        edges: TextEdges,
    ) -> Result<Expr, Diagnostic> {
        if matches!(*repetition.ast, Ast::Repetition(_)) {
            return Err(self.refuse(
                Code::DoubleRepetition,
                &repetition.op.span,
                "two quantifiers in a row",
                "put the first into a group, as in `(?:a+)+`",
            ));
        }
        let (min, max) = anchor::bounds(&repetition.op.kind);
        if max.unwrap_or(min) > self.repetition {
            let limit = LimitExceeded::new(
                "repetition",
                self.repetition,
                format!("a repetition up to {} times", max.unwrap_or(min)),
            );
            return Err(Diagnostic::from(&limit).at(self.spelled.span(&repetition.op.span), ""));
        }
        let inner = if max.is_some_and(|max| max <= 1) {
            edges
        } else {
            edges.repeated()
        };
        let expr = Box::new(self.expr(&repetition.ast, inner)?);
        Ok(Expr::Repeat { expr, min, max })
    }

    fn group(&mut self, group: &ast::Group, edges: TextEdges) -> Result<Expr, Diagnostic> {
        let outside = self.mode;
        if let GroupKind::NonCapturing(flags) = &group.kind {
            self.set_flags(flags)?;
        }
        let expr = self.expr(&group.ast, edges);
        self.mode = outside;
        expr
    }

    fn concat(&mut self, parts: &[Ast], edges: TextEdges) -> Result<Expr, Diagnostic> {
        let mut ends = vec![edges.end; parts.len()];
        for index in (1..parts.len()).rev() {
            // Whether a part takes text is looked for in all of it.
            let span = parts[index].span();
            self.work(2 * (span.end.offset - span.start.offset))?;
            ends[index - 1] = anchor::behind(ends[index], &parts[index]);
        }
        let mut start = edges.start;
        let mut exprs: Vec<Expr> = Vec::new();
        for (part, end) in parts.iter().zip(ends) {
            let expr = self.expr(part, TextEdges { start, end })?;
            start = anchor::behind(start, part);
            append(&mut exprs, expr);
        }
        Ok(match exprs.len() {
            1 => exprs.remove(0),
            _ => Expr::Seq(exprs),
        })
    }

    fn set_flags(&mut self, flags: &ast::Flags) -> Result<(), Diagnostic> {
        let mut on = true;
        for item in &flags.items {
            match item.kind {
                FlagsItemKind::Negation => on = false,
                FlagsItemKind::Flag(Flag::CaseInsensitive) => self.mode.case_insensitive = on,
                FlagsItemKind::Flag(Flag::DotMatchesNewLine) => self.mode.dot_matches_newline = on,
                FlagsItemKind::Flag(Flag::Unicode) => self.mode.bytes = !on,
                // Which match is preferred plays no part.
                FlagsItemKind::Flag(Flag::SwapGreed) => {}
                FlagsItemKind::Flag(_) if !on => {}
                FlagsItemKind::Flag(Flag::MultiLine | Flag::CRLF | Flag::IgnoreWhitespace) => {
                    return Err(self.refuse(
                        Code::UnsupportedRegexFlag,
                        &item.span,
                        "this flag is not supported",
                        "the flags are `i` (ASCII letters in either case), `s` (`.` matches newline) and `u`",
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Adds `expr` to a sequence: literals grow together, the empty text adds nothing.
fn append(exprs: &mut Vec<Expr>, expr: Expr) {
    match (exprs.last_mut(), expr) {
        (Some(Expr::Literal(last)), Expr::Literal(next)) => last.push_str(&next),
        (_, Expr::Seq(empty)) if empty.is_empty() => {}
        (_, expr) => exprs.push(expr),
    }
}
