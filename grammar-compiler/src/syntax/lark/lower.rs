//! The rules of a Lark grammar as rules over terminals.
//!
//! In: a [`Lark`] and its lexer. Out: a grammar in which ignored terminals stand where they may:
//! behind each terminal, and at the start if that is asked for. What is embedded has an empty rule
//! so far.

use maskwright_lark::Lark;
use maskwright_lark::grammar::{self as read, Embedded, Token};

use super::LarkLexer;
use super::terminals::{LarkTerminals, Taken};
use crate::error::{Code, Diagnostic};
use crate::grammar::{Expr, Grammar, Rule, RuleId, TerminalId, TokenSet};
use crate::source::{Source, Span};
use crate::syntax::embed::{Embed, EmbedContent, Unjoined};
use crate::syntax::{Kind, ParseOptions};

/// The grammar over terminals.
pub(super) fn lower(
    lark: &Lark,
    terminals: LarkTerminals,
    options: &ParseOptions,
) -> Result<Unjoined, Vec<Diagnostic>> {
    let mut lowering = Lowering {
        taken: &terminals.taken,
        // A parser with tables knows nothing of ignored terminals.
        ignored: ignored(lark).filter(|_| terminals.lexer.tables.is_none()),
        options,
        rules: Vec::new(),
        embeds: Vec::new(),
        added: lark.rules.len() as u32 + 1,
        refused: Vec::new(),
    };
    let mut rules: Vec<Rule> = Vec::with_capacity(lark.rules.len() + 1);
    let starts = lark
        .starts
        .iter()
        .map(|&start| Expr::Ref(RuleId(start as u32 + 1)));
    let starts = Expr::Alt(starts.collect());
    let skips = lark.settings.allow_initial_skip || options.lark.lexer != LarkLexer::Longest;
    let before = match (&lowering.ignored, skips) {
        (Some(ignored), true) => ignored.clone(),
        _ => Expr::Seq(Vec::new()),
    };
    rules.push(Rule::new("root", Expr::Seq(vec![before, starts])));
    for rule in &lark.rules {
        lowering.check_options(rule);
        let span = Span::new(rule.span.start, rule.span.end);
        rules.push(Rule::new(&rule.name, lowering.expr(&rule.body)).at(span, Vec::new()));
    }
    rules.append(&mut lowering.rules);
    match lowering.refused.is_empty() {
        false => Err(lowering.refused),
        true => Ok(Unjoined {
            grammar: Grammar::new(rules, RuleId(0)).with_lexer(terminals.lexer),
            embeds: lowering.embeds,
            warnings: terminals.warnings,
        }),
    }
}

/// What may stand behind each terminal, if anything is ignored.
fn ignored(lark: &Lark) -> Option<Expr> {
    let all = lark
        .ignored
        .iter()
        .map(|&id| Expr::Terminal(TerminalId(id as u16)));
    let all: Vec<Expr> = all.collect();
    let max = lark.settings.ignore_once.then_some(1);
    (!all.is_empty()).then(|| Expr::Repeat {
        expr: Box::new(Expr::Alt(all)),
        min: 0,
        max,
    })
}

struct Lowering<'a> {
    taken: &'a [Taken],
    ignored: Option<Expr>,
    options: &'a ParseOptions,
    /// Rules that stand for embedded grammars.
    rules: Vec<Rule>,
    embeds: Vec<Embed>,
    /// The number of the next of them.
    added: u32,
    refused: Vec<Diagnostic>,
}

impl Lowering<'_> {
    fn check_options(&mut self, rule: &read::Rule) {
        let options = &rule.options;
        let unsupported = [
            (options.max_tokens.is_some(), "max_tokens"),
            (options.max_chars.is_some(), "max_chars"),
        ];
        for (_, name) in unsupported.iter().filter(|option| option.0) {
            let span = Span::new(rule.span.start, rule.span.end);
            self.refused.push(
                Diagnostic::error(
                    Code::LarkUnsupported,
                    format!(
                        "the option `{name}` of rule `{}` is not supported",
                        rule.name
                    ),
                )
                .at(span, "given here")
                .help("bound the terminal itself, as in `/.{0,100}/`"),
            );
        }
    }

    fn expr(&mut self, expr: &read::Expr) -> Expr {
        match expr {
            read::Expr::Terminal(id) => self.terminal(*id),
            read::Expr::Rule(id) => Expr::Ref(RuleId(*id as u32 + 1)),
            read::Expr::Sequence(parts) => {
                Expr::Seq(parts.iter().map(|part| self.expr(part)).collect())
            }
            read::Expr::Union(parts) => {
                Expr::Alt(parts.iter().map(|part| self.expr(part)).collect())
            }
            read::Expr::Repeat { of, min, max } => Expr::Repeat {
                expr: Box::new(self.expr(of)),
                min: *min,
                max: *max,
            },
            read::Expr::Token { token, span } => self.token(token, span.clone()),
            read::Expr::Embedded { grammar, span } => self.embedded(grammar, span.clone()),
        }
    }

    /// A terminal, with ignored ones behind it.
    fn terminal(&self, id: usize) -> Expr {
        let terminal = Expr::Terminal(TerminalId(id as u16));
        let with_ignored = self.with_ignored(terminal);
        match self.taken[id] {
            Taken::AsIs => with_ignored,
            Taken::OrNothing => Expr::Repeat {
                expr: Box::new(with_ignored),
                min: 0,
                max: Some(1),
            },
            Taken::Never => Expr::Alt(Vec::new()),
        }
    }

    fn with_ignored(&self, expr: Expr) -> Expr {
        match &self.ignored {
            Some(ignored) => Expr::Seq(vec![expr, ignored.clone()]),
            None => expr,
        }
    }

    /// One token of the vocabulary.
    fn token(&mut self, token: &Token, span: std::ops::Range<usize>) -> Expr {
        let place = Span::new(span.start, span.end);
        let set = match token {
            Token::Named(name) => match self.options.tokens.by_name(name) {
                Ok(id) => TokenSet::of([id]),
                Err(error) => {
                    let diagnostic = Diagnostic::error(error.code(), error.to_string());
                    self.refused
                        .push(diagnostic.at(place, "named here").help(error.help()));
                    TokenSet::of([])
                }
            },
            Token::Ids(ranges) => TokenSet::of(self.ids(ranges, place)),
            Token::NotIds(ranges) => TokenSet::all_but(self.ids(ranges, place)),
            Token::Any => TokenSet::all_but([]),
        };
        self.with_ignored(Expr::Tokens(set))
    }

    /// The ids of ranges, each of which must be a token.
    fn ids(&mut self, ranges: &[(u32, u32)], place: Span) -> Vec<u32> {
        for &(_, last) in ranges {
            if let Err(error) = self.options.tokens.by_id(last) {
                let diagnostic = Diagnostic::error(error.code(), error.to_string());
                self.refused
                    .push(diagnostic.at(place, "named here").help(error.help()));
                return Vec::new();
            }
        }
        ranges
            .iter()
            .flat_map(|&(first, last)| first..=last)
            .collect()
    }

    /// Another grammar in this place.
    fn embedded(&mut self, grammar: &Embedded, span: std::ops::Range<usize>) -> Expr {
        let place = Span::new(span.start, span.end);
        let text = match grammar {
            Embedded::Json(text) => text,
            Embedded::Lark(_) | Embedded::Named(_) => {
                let message = match grammar {
                    Embedded::Named(name) => format!("no grammar is given for `@{name}`"),
                    _ => "a grammar within a grammar is not supported".to_owned(),
                };
                self.refused.push(
                    Diagnostic::error(Code::LarkUnsupported, message)
                        .at(place, "here")
                        .help("write its rules into this grammar"),
                );
                return Expr::Seq(Vec::new());
            }
        };
        let rule = RuleId(self.added);
        self.added += 1;
        self.rules
            .push(Rule::new("json", Expr::Seq(Vec::new())).at(place, Vec::new()));
        self.embeds.push(Embed {
            kind: Kind::JsonSchema,
            content: EmbedContent::Text(Source::new(Kind::JsonSchema.source_name(), text)),
            root: None,
            schema: None,
            span: place,
            rule,
        });
        self.with_ignored(Expr::Ref(rule))
    }
}
