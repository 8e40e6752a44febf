//! The actions of the parser for each production, which build nodes and report errors.
//!
//! In: parts that were read. Out: nodes whose repetitions are in order and within the limits. After
//! an error a node stands for the empty text, so that reading can go on.

use super::ast::{AstNode, Name, NodeKind, Regex};
use super::token::Token;
use crate::error::{Code, Diagnostic};
use crate::limits::{LimitExceeded, Limits};
use crate::source::Span;
use crate::syntax::json_schema::SchemaOptions;
use crate::syntax::regex::PatternReading;
use lalrpop_util::ParseError;

/// An argument of `Regex(…)` or `Substring(…)`.
pub(super) struct Argument {
    pub(super) name: Option<Name>,
    pub(super) value: ArgumentValue,
}

/// What an argument may be.
pub(super) enum ArgumentValue {
    Text(String, Span),
    Word(Name),
    /// A JSON text at this place.
    Json(Span),
    /// Arguments in parentheses.
    List(Vec<Argument>, Span),
}

impl ArgumentValue {
    /// Its place.
    pub(super) fn span(&self) -> Span {
        match self {
            ArgumentValue::Text(_, span)
            | ArgumentValue::Json(span)
            | ArgumentValue::List(_, span)
            | ArgumentValue::Word(Name { span, .. }) => *span,
        }
    }
}

/// Builds nodes within limits.
pub(super) struct AstBuilder<'l> {
    limits: &'l Limits,
    /// How schemas are read that say nothing of it.
    schema: &'l SchemaOptions,
    diagnostics: Vec<Diagnostic>,
}

impl<'l> AstBuilder<'l> {
    pub(super) fn new(limits: &'l Limits, schema: &'l SchemaOptions) -> Self {
        AstBuilder {
            limits,
            schema,
            diagnostics: Vec::new(),
        }
    }

    /// What was wrong.
    pub(super) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics
    }

    /// How schemas are read that say nothing of it.
    pub(super) fn schema(&self) -> &SchemaOptions {
        self.schema
    }

    pub(super) fn error(&mut self, code: Code, span: Span, message: &str, help: &str) -> AstNode {
        self.refuse(Diagnostic::error(code, message).at(span, "").help(help))
    }

    pub(super) fn refuse(&mut self, error: Diagnostic) -> AstNode {
        self.diagnostics.push(error);
        AstNode::empty()
    }

    /// A word that cannot stand where it stands.
    pub(super) fn syntax_error(&mut self, error: ParseError<usize, Token<'_>, ()>) {
        let (span, word) = match &error {
            ParseError::UnrecognizedToken {
                token: (start, token, end),
                ..
            }
            | ParseError::ExtraToken {
                token: (start, token, end),
            } => (Span::new(*start, *end), Some(token)),
            ParseError::UnrecognizedEof { location, .. }
            | ParseError::InvalidToken { location } => (Span::new(*location, *location), None),
            ParseError::User { error: () } => (Span::default(), None),
        };
        match word {
            Some(Token::Star | Token::Plus | Token::Question | Token::OpenBrace) => self.error(
                Code::NothingToRepeat,
                span,
                "there is nothing before this operator that it could repeat",
                "put a part before the operator; to match the character itself, write it between double quotes",
            ),
            Some(word) => self.error(
                Code::UnexpectedWord,
                span,
                &format!("{word} cannot stand here"),
                "a rule is `name ::= …`, made of names, \"literals\", [classes], /patterns/, groups, `|` and repetitions",
            ),
            None => self.error(Code::UnexpectedEnd, span, "the grammar ends in the middle of a rule", "complete the rule"),
        };
    }

    /// One level deeper than `node`, unless that is too deep.
    fn deepen(&mut self, node: &AstNode, span: Span) -> Option<usize> {
        let nesting = node.nesting + 1;
        if nesting <= self.limits.nesting {
            return Some(nesting);
        }
        let limit = LimitExceeded::new(
            "nesting",
            self.limits.nesting,
            "groups and repetitions nest too deeply",
        );
        self.diagnostics.push(
            Diagnostic::from(&limit)
                .at(span, "")
                .help("give the inner part a name: a rule of its own"),
        );
        None
    }

    /// `( … )`.
    pub(super) fn group(&mut self, node: AstNode, span: Span) -> AstNode {
        match self.deepen(&node, Span::new(span.start, span.start + 1)) {
            Some(nesting) => AstNode { nesting, ..node },
            None => AstNode::empty(),
        }
    }

    /// A repetition; `span` is the operator's.
    pub(super) fn repeat(
        &mut self,
        node: AstNode,
        span: Span,
        min: u32,
        max: Option<u32>,
    ) -> AstNode {
        match self.deepen(&node, span) {
            Some(nesting) => AstNode {
                span: node.span.to(span),
                kind: NodeKind::Repeat {
                    node: Box::new(node),
                    min,
                    max,
                },
                nesting,
            },
            None => AstNode::empty(),
        }
    }

    /// A counted repetition. `max` is `None` in `{n}`, and `Some(None)` in `{n,}`.
    pub(super) fn count(
        &mut self,
        node: AstNode,
        span: Span,
        min: Option<Name>,
        max: Option<Option<Name>>,
    ) -> AstNode {
        if min.is_none() && matches!(max, Some(None)) {
            return self.error(
                Code::InvalidRepetition,
                span,
                "this repetition has no bound",
                "write `*` for any number of times",
            );
        }
        let exact = max.is_none();
        // `{n,-1}` is how some engines print `{n,}`.
        let max = max.flatten().filter(|name| name.text != "-1");
        let Some(min) = min.map_or(Some(0), |name| self.bound(&name)) else {
            return AstNode::empty();
        };
        let max = match max {
            None if exact => Some(min),
            None => None,
            Some(name) => match self.bound(&name) {
                None => return AstNode::empty(),
                max => max,
            },
        };
        match max {
            Some(max) if max < min => self.error(
                Code::InvalidRepetition,
                span,
                &format!("at least {min} times and at most {max} times is impossible"),
                &format!("write the smaller bound first: `{{{max},{min}}}`"),
            ),
            max => self.repeat(node, span, min, max),
        }
    }

    fn bound(&mut self, name: &Name) -> Option<u32> {
        if !name.text.bytes().all(|byte| byte.is_ascii_digit()) {
            self.error(
                Code::InvalidRepetition,
                name.span,
                &format!("`{}` is not a number", name.text),
                "write `{n}`, `{n,}` or `{n,m}` with decimal numbers",
            );
            return None;
        }
        let bound = name
            .text
            .parse()
            .ok()
            .filter(|bound| *bound <= self.limits.repetition);
        if bound.is_none() {
            let limit = LimitExceeded::new(
                "repetition",
                self.limits.repetition,
                format!("a repetition up to {} times", name.text),
            );
            self.diagnostics
                .push(Diagnostic::from(&limit).at(name.span, ""));
        }
        bound
    }

    /// `/pattern/flags`.
    pub(super) fn regex(&mut self, span: Span, pattern: &str, flags: &str) -> AstNode {
        let start = span.start + 1;
        let inside = Span::new(start, start + pattern.len());
        let flags_at = inside.end + 1;
        let Some(mut reading) = self.flags(flags, Span::new(flags_at, flags_at + flags.len()))
        else {
            return AstNode::empty();
        };
        reading.dot_matches_newline = true;
        let pattern = pattern.to_owned();
        AstNode::leaf(NodeKind::Regex(Regex {
            pattern,
            reading,
            span: inside,
            escaped: false,
        }))
    }

    /// Flags of a pattern; `.` matches newline only with `s`.
    fn flags(&mut self, flags: &str, span: Span) -> Option<PatternReading> {
        let mut reading = PatternReading {
            dot_matches_newline: false,
            ..PatternReading::default()
        };
        for flag in flags.chars() {
            match flag {
                'i' => reading.case_insensitive = true,
                's' => reading.dot_matches_newline = true,
                'u' => {}
                _ => {
                    self.error(
                        Code::UnsupportedRegexFlag,
                        span,
                        &format!("{flag:?} is not a flag of a regular expression here"),
                        "the flags are `i` (ASCII letters in either case), `s` (`.` matches newline) and `u`",
                    );
                    return None;
                }
            }
        }
        Some(reading)
    }

    /// `Regex("pattern", flags="…", json_string=true)`.
    pub(super) fn regex_call(&mut self, span: Span, arguments: Vec<Argument>) -> AstNode {
        let mut patterns = Vec::new();
        let mut reading = PatternReading::default();
        for Argument { name, value } in arguments {
            let name = name.as_ref().map(|name| name.text.as_str());
            match (name, value) {
                (None, ArgumentValue::Text(pattern, span)) => patterns.push((pattern, span)),
                (Some("flags"), ArgumentValue::Text(flags, span)) => {
                    let Some(flags) = self.flags(&flags, span) else {
                        return AstNode::empty();
                    };
                    reading = PatternReading {
                        json_string: reading.json_string,
                        ..flags
                    };
                }
                (Some("json_string"), ArgumentValue::Word(word))
                    if matches!(word.text.as_str(), "true" | "false") =>
                {
                    reading.json_string = word.text == "true";
                }
                (_, value) => return self.bad_call(value.span()),
            }
        }
        match (patterns.pop(), patterns.is_empty()) {
            (Some((pattern, span)), true) => {
                let span = Span::new(span.start + 1, span.end.saturating_sub(1));
                AstNode::leaf(NodeKind::Regex(Regex {
                    pattern,
                    reading,
                    span,
                    escaped: true,
                }))
            }
            _ => self.bad_call(span),
        }
    }

    fn bad_call(&mut self, span: Span) -> AstNode {
        self.error(
            Code::InvalidArgument,
            span,
            "`Regex(…)` cannot be called like this",
            "write `Regex(\"pattern\")`, perhaps with `flags=\"is\"` and `json_string=true`",
        )
    }

    /// `Substring("chunk", …)`.
    pub(super) fn substring_call(&mut self, span: Span, arguments: Vec<Argument>) -> AstNode {
        let mut chunks = Vec::new();
        for argument in arguments {
            match argument {
                Argument {
                    name: None,
                    value: ArgumentValue::Text(chunk, _),
                } => chunks.push(chunk),
                _ => {
                    return self.error(
                        Code::InvalidArgument,
                        span,
                        "`Substring(…)` takes literals only",
                        "write `Substring(\"chunk\", \"chunk\")`",
                    );
                }
            }
        }
        AstNode::leaf(NodeKind::Substring(chunks))
    }
}
