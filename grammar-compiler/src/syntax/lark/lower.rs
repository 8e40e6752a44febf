//! The rules of a Lark grammar as rules over terminals.
//!
//! In: a [`Lark`] and its lexer. Out: a grammar in which ignored terminals stand where they may:
//! behind each terminal, and at the start if that is asked for. What is embedded has an empty rule
//! so far.

use maskwright_lark::Lark;
use maskwright_lark::grammar::{self as read, Embedded};

use super::terminals::{LarkTerminals, Taken};
use super::tokens::TokenSets;
use super::{DOING, LarkLexer};
use crate::error::{Code, Diagnostic};
use crate::grammar::{Expr, Grammar, Rule, RuleId, TerminalId};
use crate::limits::{Deadline, LimitExceeded};
use crate::source::{Source, Span};
use crate::syntax::embed::{Embed, EmbedContent, Unjoined};
use crate::syntax::{Kind, ParseOptions};

/// Ignored terminals that may be written out, one for each place at which each may stand.
const MOST_IGNORED: usize = 1_000_000;

/// The grammar over terminals, or the faults of the text.
///
/// # Errors
///
/// If a limit is passed.
pub(super) fn lower(
    lark: &Lark,
    terminals: LarkTerminals,
    options: &ParseOptions,
    deadline: &Deadline,
) -> Result<Result<Unjoined, Vec<Diagnostic>>, LimitExceeded> {
    let mut lowering = Lowering {
        taken: &terminals.taken,
        // A parser with tables knows nothing of ignored terminals.
        ignored: ignored(lark).filter(|_| terminals.lexer.tables.is_none()),
        ignored_left: MOST_IGNORED,
        ignored_count: lark.ignored.len(),
        tokens: TokenSets::new(&options.tokens, deadline),
        deadline,
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
        deadline.ticks(1 + rule.name.len(), DOING)?;
        lowering.check_options(rule);
        let span = Span::new(rule.span.start, rule.span.end);
        let body = lowering.expr(&rule.body)?;
        rules.push(Rule::new(&rule.name, body).at(span, Vec::new()));
    }
    rules.append(&mut lowering.rules);
    Ok(match lowering.refused.is_empty() {
        false => Err(lowering.refused),
        true => Ok(Unjoined {
            grammar: Grammar::new(rules, RuleId(0)).with_lexer(terminals.lexer),
            embeds: lowering.embeds,
            warnings: terminals.warnings,
        }),
    })
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
    ignored_count: usize,
    /// How many may still be written out.
    ignored_left: usize,
    tokens: TokenSets<'a>,
    deadline: &'a Deadline,
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

    fn expr(&mut self, expr: &read::Expr) -> Result<Expr, LimitExceeded> {
        self.deadline.tick(DOING)?;
        Ok(match expr {
            read::Expr::Terminal(id) => self.terminal(*id)?,
            read::Expr::Rule(id) => Expr::Ref(RuleId(*id as u32 + 1)),
            read::Expr::Sequence(parts) => Expr::Seq(self.all(parts)?),
            read::Expr::Union(parts) => Expr::Alt(self.all(parts)?),
            read::Expr::Repeat { of, min, max } => Expr::Repeat {
                expr: Box::new(self.expr(of)?),
                min: *min,
                max: *max,
            },
            read::Expr::Token { token, span } => {
                let place = Span::new(span.start, span.end);
                let set = self.tokens.set(token)?;
                let set = set.unwrap_or_else(|refused| {
                    self.refused.push(refused.at(place, "named here"));
                    TokenSets::none()
                });
                self.with_ignored(Expr::Tokens(set))?
            }
            read::Expr::Embedded { grammar, span } => self.embedded(grammar, span.clone())?,
        })
    }

    fn all(&mut self, parts: &[read::Expr]) -> Result<Vec<Expr>, LimitExceeded> {
        parts.iter().map(|part| self.expr(part)).collect()
    }

    /// A terminal, with ignored ones behind it.
    fn terminal(&mut self, id: usize) -> Result<Expr, LimitExceeded> {
        let terminal = Expr::Terminal(TerminalId(id as u16));
        Ok(match self.taken[id] {
            Taken::AsIs => self.with_ignored(terminal)?,
            Taken::OrNothing => Expr::Repeat {
                expr: Box::new(self.with_ignored(terminal)?),
                min: 0,
                max: Some(1),
            },
            Taken::Never => Expr::Alt(Vec::new()),
        })
    }

    fn with_ignored(&mut self, expr: Expr) -> Result<Expr, LimitExceeded> {
        let Some(ignored) = &self.ignored else {
            return Ok(expr);
        };
        self.deadline.ticks(self.ignored_count, DOING)?;
        let left = self.ignored_left.checked_sub(self.ignored_count);
        self.ignored_left = left.ok_or_else(|| {
            LimitExceeded::new(
                "terminals",
                MOST_IGNORED,
                "too many ignored terminals may stand at too many places",
            )
        })?;
        Ok(Expr::Seq(vec![expr, ignored.clone()]))
    }

    /// Another grammar in this place.
    fn embedded(
        &mut self,
        grammar: &Embedded,
        span: std::ops::Range<usize>,
    ) -> Result<Expr, LimitExceeded> {
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
                return Ok(Expr::Seq(Vec::new()));
            }
        };
        self.deadline.ticks(text.len(), DOING)?;
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
            end: None,
        });
        self.with_ignored(Expr::Ref(rule))
    }
}
