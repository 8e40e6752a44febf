//! From rules with names to a grammar with indices.
//!
//! In: the rules as they were read. Out: a [`Grammar`] whose references all point at a rule, whose
//! regular expressions and macros are expressions, and whose root is the chosen one.

use super::ast::{self, AstNode, AstRule, AstTokens, Name, NodeKind, Regex, TokenName, Trigger};
use super::escape;
use crate::error::{Code, Diagnostic};
use crate::grammar::{self, Expr, Grammar, RuleId, TokenSet};
use crate::limits::Deadline;
use crate::maps::KeyedMap;
use crate::similar::{self, MAX_COMPARED, MAX_SUGGESTIONS};
use crate::source::{Source, Span};
use crate::syntax::embed::{Embed, EmbedContent};
use crate::syntax::structural_tag::{self, Delimiter, FieldText, Unit};
use crate::syntax::{ParseOptions, regex};
use std::collections::BTreeMap;

/// At most this many uses of an undefined name are marked.
const MAX_USES: usize = 4;

/// The grammar of `rules` with what it embeds, or everything that keeps it from being one.
pub(super) fn resolve_names(
    source: &Source,
    rules: &[AstRule],
    options: &ParseOptions,
) -> Result<(Grammar, Vec<Embed>), Vec<Diagnostic>> {
    let mut resolver = NameResolver {
        source,
        options,
        names: KeyedMap::default(),
        spans: Vec::new(),
        places: Vec::new(),
        added: Vec::new(),
        embeds: Vec::new(),
        undefined: BTreeMap::new(),
        diagnostics: Vec::new(),
        deadline: Deadline::start(&options.limits),
    };
    resolver.define(rules);
    let mut resolved: Vec<grammar::Rule> = Vec::with_capacity(rules.len());
    for rule in rules {
        let nesting = options.limits.nesting.saturating_sub(rule.body.nesting);
        let expr = resolver.expr(&rule.body, &rule.name, nesting);
        resolved.push(grammar::Rule {
            name: rule.name.text.clone(),
            expr,
            span: rule.name.span,
            places: std::mem::take(&mut resolver.places),
        });
    }
    resolver.report_undefined();
    let in_time = resolver.deadline.confirm(DOING);
    in_time.map_err(|limit| vec![Diagnostic::from(&limit)])?;
    let root = resolver.root(&resolved);
    match root {
        Some(root) if resolver.diagnostics.is_empty() => {
            resolved.append(&mut resolver.added);
            Ok((Grammar::new(resolved, root), resolver.embeds))
        }
        _ => Err(resolver.diagnostics),
    }
}

struct NameResolver<'a> {
    source: &'a Source,
    options: &'a ParseOptions,
    names: KeyedMap<&'a str, RuleId>,
    /// The place of each rule's name.
    spans: Vec<Span>,
    /// The place of each part of the rule at hand, in preorder.
    places: Vec<Span>,
    /// Rules that macros need, numbered after those of the source.
    added: Vec<grammar::Rule>,
    embeds: Vec<Embed>,
    /// The places of each name that no rule has.
    undefined: BTreeMap<&'a str, Vec<Span>>,
    diagnostics: Vec<Diagnostic>,
    /// When to stop. What has been resolved then is not the whole.
    deadline: Deadline,
}

/// What is being done.
const DOING: &str = "resolving names";

/// The steps that a part of a rule takes.
const STEPS: usize = 16;

impl<'a> NameResolver<'a> {
    /// One part of a rule: whether the time is over.
    fn stops(&self) -> bool {
        self.deadline.stops_after(STEPS, DOING)
    }

    fn define(&mut self, rules: &'a [AstRule]) {
        for (id, rule) in (0..).map(RuleId).zip(rules) {
            if self.stops() {
                return;
            }
            let Name { text, span } = &rule.name;
            self.spans.push(*span);
            let first = *self.names.entry(text).or_insert(id);
            if first == id {
                continue;
            }
            let mut diagnostic = Diagnostic::error(
                Code::DuplicateRule,
                format!("rule `{text}` is defined twice"),
            )
            .at(*span, "defined again here")
            .help("rename one of them, or join their right parts with `|`");
            if let Some(span) = self.spans.get(first.0 as usize) {
                diagnostic = diagnostic.at(*span, "first defined here");
            }
            self.diagnostics.push(diagnostic);
        }
    }

    fn root(&mut self, rules: &[grammar::Rule]) -> Option<RuleId> {
        let wanted = self.options.root.as_str();
        if let Some(root) = self.names.get(wanted) {
            return Some(*root);
        }
        let help = match self.likely_root(wanted, rules) {
            Some(likely) => format!(
                "choose `{likely}` as root (`--root {likely}` on the command line, `root` in libraries), or name the rule that the whole text must match `{wanted}`"
            ),
            None => format!(
                "name the rule that the whole text must match `{wanted}`, or choose another as root"
            ),
        };
        let mut diagnostic = Diagnostic::error(
            Code::MissingRoot,
            format!("no rule is named `{wanted}`, so there is nothing to match"),
        )
        .help(help);
        if let Some(span) = self.spans.first() {
            diagnostic = diagnostic.at(*span, "the first rule");
        }
        self.diagnostics.push(diagnostic);
        None
    }

    /// The rule that is probably meant to be the root: the one whose name is a slip away, or else
    /// the first that no other rule uses.
    fn likely_root<'r>(&self, wanted: &str, rules: &'r [grammar::Rule]) -> Option<&'r str> {
        let mut used = vec![false; rules.len()];
        for (at, rule) in rules.iter().enumerate() {
            grammar::check::for_each_ref(&rule.expr, &mut |RuleId(other)| {
                if let Some(used) = used.get_mut(other as usize) {
                    *used |= other as usize != at;
                }
            });
        }
        let names = || rules.iter().map(|rule| rule.name.as_str());
        let is_slip = |name: &&str| similar::is_slip(wanted, name);
        let unused = names().zip(used).find(|of| !of.1).map(|of| of.0);
        names().find(is_slip).or(unused)
    }

    fn report_undefined(&mut self) {
        let undefined = std::mem::take(&mut self.undefined);
        // Among very many names nothing is suggested, so they need no order.
        let names = match undefined.is_empty() || self.names.len() > MAX_COMPARED {
            true => Vec::new(),
            false => self.names.sorted_keys(),
        };
        for (index, (name, uses)) in undefined.into_iter().enumerate() {
            if self.stops() {
                return;
            }
            let mut diagnostic =
                Diagnostic::error(Code::UndefinedRule, format!("rule `{name}` is not defined"));
            for span in uses.iter().take(MAX_USES) {
                diagnostic = diagnostic.at(*span, "used here");
            }
            let close = if index < MAX_SUGGESTIONS {
                similar::closest(name, names.iter().map(|name| **name))
            } else {
                None
            };
            let help = match close {
                Some(close) => format!("did you mean `{close}`?"),
                None => format!(
                    "add a rule `{name} ::= …`, or write `\"{name}\"` if the text itself is meant"
                ),
            };
            self.diagnostics.push(diagnostic.help(help));
        }
    }

    /// The expression of `node` in `rule`, in which regular expressions may nest `nesting` deep.
    fn expr(&mut self, node: &'a AstNode, rule: &Name, nesting: usize) -> Expr {
        if self.stops() {
            return Expr::Seq(Vec::new());
        }
        let number = self.places.len();
        self.places.push(node.span);
        let expr = self.part(node, rule, nesting);
        // A node without parts of its own may have become an expression with parts: they all have
        // the node's place.
        let made = match node.kind {
            NodeKind::Regex(_) | NodeKind::Substring(_) | NodeKind::Dispatch(_) => expr.size(),
            _ => 1,
        };
        let missing = made.saturating_sub(self.places.len() - number);
        self.places.extend(std::iter::repeat_n(node.span, missing));
        expr
    }

    fn part(&mut self, node: &'a AstNode, rule: &Name, nesting: usize) -> Expr {
        match &node.kind {
            NodeKind::Literal(text) => Expr::Literal(text.clone()),
            NodeKind::Class(ranges) => Expr::Class(ranges.clone()),
            NodeKind::Name(name) => self.reference(name),
            NodeKind::Regex(regex) => self.regex(regex, nesting),
            NodeKind::Substring(chunks) => self.substring(chunks, rule),
            NodeKind::Tokens(tokens) => self.tokens(tokens),
            NodeKind::Dispatch(dispatch) => self.dispatch(dispatch),
            NodeKind::Embed(embed) => self.embed(embed, node.span, rule),
            NodeKind::Seq(parts) => Expr::Seq(
                parts
                    .iter()
                    .map(|part| self.expr(part, rule, nesting))
                    .collect(),
            ),
            NodeKind::Alt(parts) => Expr::Alt(
                parts
                    .iter()
                    .map(|part| self.expr(part, rule, nesting))
                    .collect(),
            ),
            NodeKind::Repeat { node, min, max } => {
                let expr = Box::new(self.expr(node, rule, nesting));
                Expr::Repeat {
                    expr,
                    min: *min,
                    max: *max,
                }
            }
        }
    }

    fn reference(&mut self, name: &'a Name) -> Expr {
        match self.names.get(name.text.as_str()) {
            Some(id) => Expr::Ref(*id),
            None => {
                self.undefined
                    .entry(&name.text)
                    .or_default()
                    .push(name.span);
                Expr::Seq(Vec::new())
            }
        }
    }

    fn token(&mut self, token: &TokenName) -> Option<(u32, Span)> {
        let (found, span) = match token {
            TokenName::Text(text, span) => {
                // All tokens of the vocabulary may be looked at.
                if self.deadline.check(DOING).is_err() {
                    return None;
                }
                (self.options.tokens.by_name(text), *span)
            }
            TokenName::Id(id, span) => (self.options.tokens.by_id(*id), *span),
        };
        match found {
            Ok(id) => Some((id, span)),
            Err(error) => {
                let diagnostic = Diagnostic::error(error.code(), error.to_string());
                self.diagnostics
                    .push(diagnostic.at(span, "").help(error.help()));
                None
            }
        }
    }

    fn tokens(&mut self, tokens: &AstTokens) -> Expr {
        let ids: Vec<u32> = tokens
            .names
            .iter()
            .filter_map(|name| match self.deadline.stops(DOING) {
                true => None,
                false => Some(self.token(name)?.0),
            })
            .collect();
        Expr::Tokens(match tokens.all_but {
            true => TokenSet::all_but(ids),
            false => TokenSet::of(ids),
        })
    }

    fn dispatch(&mut self, dispatch: &'a ast::AstDispatch) -> Expr {
        let rules = dispatch.rules.iter().filter_map(|(trigger, rule)| {
            let rule = self.reference(rule);
            Some((self.trigger(trigger)?, rule))
        });
        let rules: Vec<(Delimiter, Expr)> = rules.collect();
        let excludes = dispatch
            .excludes
            .iter()
            .filter_map(|trigger| self.trigger(trigger));
        let excludes: Vec<Delimiter> = excludes.collect();
        let unit = match dispatch.of_tokens {
            true => Unit::Tokens,
            false => Unit::Text,
        };
        let made =
            structural_tag::dispatch(unit, &rules, &excludes, dispatch.is_loop, self.options);
        made.unwrap_or_else(|errors| {
            self.diagnostics.extend(errors);
            Expr::Seq(Vec::new())
        })
    }

    fn trigger(&mut self, trigger: &Trigger) -> Option<Delimiter> {
        match trigger {
            Trigger::Text(text, span) => Some(Delimiter::Text(FieldText {
                value: text.clone(),
                span: *span,
            })),
            Trigger::Token(token) => self
                .token(token)
                .map(|(id, span)| Delimiter::Token(id, span)),
        }
    }

    fn regex(&mut self, regex: &Regex, nesting: usize) -> Expr {
        match regex::to_expr(&regex.pattern, regex.reading, nesting, &self.options.limits) {
            Ok(expr) => expr,
            Err(diagnostic) => {
                let places = PatternPlaces {
                    source: self.source,
                    regex,
                };
                self.diagnostics
                    .push(diagnostic.map_spans(|span| places.span(span)));
                Expr::Seq(Vec::new())
            }
        }
    }

    /// A contiguous run of `chunks`, or the empty text: for each chunk a rule that matches it and,
    /// perhaps, what the next chunk's rule matches.
    fn substring(&mut self, chunks: &[String], rule: &Name) -> Expr {
        if chunks.is_empty() {
            return Expr::Seq(Vec::new());
        }
        let first = self.spans.len() + self.added.len();
        let id = |index: usize| RuleId(u32::try_from(first + index).unwrap_or(u32::MAX));
        for (index, chunk) in chunks.iter().enumerate() {
            if self.stops() {
                break;
            }
            let chunk = Expr::Literal(chunk.clone());
            let expr = if index + 1 < chunks.len() {
                let next = Box::new(Expr::Ref(id(index + 1)));
                Expr::Seq(vec![
                    chunk,
                    Expr::Repeat {
                        expr: next,
                        min: 0,
                        max: Some(1),
                    },
                ])
            } else {
                chunk
            };
            let name = self.fresh_name(&rule.text, first + index);
            self.added.push(grammar::Rule {
                name,
                expr,
                span: rule.span,
                places: Vec::new(),
            });
        }
        let mut alternatives = vec![Expr::Seq(Vec::new())];
        alternatives.extend((0..chunks.len()).map(|index| Expr::Ref(id(index))));
        Expr::Alt(alternatives)
    }

    /// A rule that stands for an embedded grammar, which is not there yet.
    fn embed(&mut self, embed: &ast::AstEmbed, span: Span, rule: &Name) -> Expr {
        let ast::AstEmbed {
            kind,
            content,
            root,
            schema,
        } = embed.clone();
        let id = RuleId((self.spans.len() + self.added.len()) as u32);
        self.added.push(grammar::Rule {
            name: match &content {
                EmbedContent::File(path) => path.clone(),
                EmbedContent::Here(_) | EmbedContent::Text(_) => kind.name().to_owned(),
            },
            expr: Expr::Seq(Vec::new()),
            span: rule.span,
            places: Vec::new(),
        });
        self.embeds.push(Embed {
            kind,
            content,
            root,
            schema,
            span,
            rule: id,
            end: None,
        });
        Expr::Ref(id)
    }

    /// A name for the rule numbered `id` that no rule of the source has.
    fn fresh_name(&self, rule: &str, id: usize) -> String {
        let mut name = format!("{rule}-chunk-{id}");
        while self.names.contains_key(name.as_str()) {
            name.push('-');
        }
        name
    }
}

/// Where the characters of a pattern stand in the source.
struct PatternPlaces<'a> {
    source: &'a Source,
    regex: &'a Regex,
}

impl PatternPlaces<'_> {
    fn span(&self, span: Span) -> Span {
        Span::new(self.offset(span.start), self.offset(span.end))
    }

    /// The place in the source of the byte `offset` of the pattern.
    fn offset(&self, offset: usize) -> usize {
        let Span { start, end } = self.regex.span;
        if !self.regex.escaped {
            return (start + offset).min(end);
        }
        let text = self.source.slice(self.regex.span);
        let (mut at, mut read) = (0, 0);
        while read < offset && at < text.len() {
            let rest = text.get(at..).unwrap_or("");
            let (character, bytes) = match rest.chars().next() {
                Some('\\') => match escape::read(rest, at) {
                    Ok(escape) => (escape.character, escape.bytes),
                    Err(_) => break,
                },
                Some(character) => (character, character.len_utf8()),
                None => break,
            };
            read += character.len_utf8();
            at += bytes;
        }
        start + at
    }
}
