//! From formats to a grammar.
//!
//! In: a [`Format`] that was checked. Out: one rule for it, and what it embeds. What holds: no
//! format is dropped; schemas, grammars and patterns are rules of their own, once for each place.
//!
//! A format is lowered with the *exits* of what is around it: the ends that come right behind it,
//! and what follows each. Free text at the end of a format is one automaton with its exits
//! ([`region`](crate::syntax::region)), so it ends where one is first complete. Where a format has
//! no exits, the ends of tags around it are only *forbidden* in its free text.

mod free;
mod pattern;
mod spell;
mod tags;

use super::ast::{Delimiter, Format, FormatKind, JsonSchema, Unit};
use super::overlap::overlap;
use crate::error::{Code, Diagnostic};
use crate::grammar::{Expr, Grammar, Rule, RuleId, TokenSet};
use crate::limits::{Deadline, LimitExceeded};
use crate::maps::KeyedMap;
use crate::source::{Source, Span};
use crate::syntax::embed::{Embed, EmbedContent};
use crate::syntax::json_schema::{RawEnds, SchemaOptions};
use crate::syntax::region::{Then, terminal};
use crate::syntax::trie::Symbol;
use crate::syntax::{Kind, ParseOptions};
use spell::Speller;
use std::cell::Cell;
use std::sync::Arc;

/// What is being done.
const DOING: &str = "lowering formats";

/// The most formats that are lowered, those counted that are lowered more than once.
const FORMATS: usize = 20_000;

/// The grammar of a format, whose embedded grammars are not there yet.
///
/// # Errors
/// If it is too large, or takes too long.
pub(super) fn lower(
    format: &Format,
    options: &ParseOptions,
    deadline: &Deadline,
) -> Result<(Grammar, Vec<Embed>), Diagnostic> {
    let mut lowering = TagLowering::new(options, deadline);
    let root = Rule {
        name: "root".to_owned(),
        expr: Expr::Alt(Vec::new()),
        span: Span::new(format.span.start, format.span.start + 1),
        places: Vec::new(),
    };
    lowering.rules.push(root);
    let expr = lowering.format(format, &EndsAround::default())?;
    lowering.rules[0].expr = expr;
    let grammar = Grammar::new(lowering.rules, RuleId(0));
    Ok((grammar, lowering.embeds))
}

/// Free text in which triggers are followed by right parts.
///
/// # Errors
/// If it is too large.
pub(super) fn dispatch(
    unit: Unit,
    rules: &[(Delimiter, Expr)],
    excludes: &[Delimiter],
    is_loop: bool,
    options: &ParseOptions,
) -> LoweredFormat {
    let deadline = Deadline::start(&options.limits);
    let mut lowering = TagLowering::new(options, &deadline);
    let mut free = lowering.region(unit, excludes, &EndsAround::default());
    for (trigger, expr) in rules {
        let then = Then::new(expr.clone(), is_loop);
        free.delimiters.push((trigger, then));
    }
    lowering.finish(
        free,
        rules.first().map_or(Span::default(), |rule| rule.0.span()),
    )
}

/// An end that comes right behind a format, and what follows it.
#[derive(Clone)]
struct FormatExit<'f> {
    end: &'f Delimiter,
    after: Expr,
}

/// The formats and ends around a format.
#[derive(Clone, Default)]
struct EndsAround<'f> {
    /// One of these comes right behind it. If there are none, nothing is known of what comes.
    exits: Vec<FormatExit<'f>>,
    /// Ends of tags around it that its free text does not contain.
    forbidden: Vec<&'f Delimiter>,
}

impl<'f> EndsAround<'f> {
    /// The same for what is not the last part.
    fn inner(&self) -> Self {
        let exits = self.exits.iter().map(|exit| exit.end);
        EndsAround {
            exits: Vec::new(),
            forbidden: self.forbidden.iter().copied().chain(exits).collect(),
        }
    }
}

impl EndsAround<'_> {
    /// The only exit, if there is one and it is a text, and what follows it.
    fn only_text(&self) -> Option<(&Delimiter, &Expr)> {
        match self.exits.as_slice() {
            [exit] if exit.end.text().is_some() => Some((exit.end, &exit.after)),
            _ => None,
        }
    }

    /// What a raw text does not contain, first what comes right behind it.
    fn all(&self) -> impl Iterator<Item = &Delimiter> {
        let exits = self.exits.iter().map(|exit| exit.end);
        exits.chain(self.forbidden.iter().copied())
    }
}

/// The texts of ends, or nothing where they overlap.
type RawTexts = Option<Arc<[String]>>;

/// What is embedded at a place.
struct SpannedEmbed {
    kind: Kind,
    content: EmbedContent,
    schema: Option<SchemaOptions>,
    span: Span,
}

struct TagLowering<'o> {
    options: &'o ParseOptions,
    speller: Speller,
    rules: Vec<Rule>,
    embeds: Vec<Embed>,
    /// The rules of what stands at a place, and of the end that it may hold, by the number of the
    /// end's text.
    known: KeyedMap<(Span, Option<usize>), (RuleId, Option<RuleId>)>,
    /// Numbers of the texts of ends in those keys.
    end_texts: KeyedMap<String, usize>,
    /// What raw texts between ends do not contain, by the places of the ends.
    raw_texts: KeyedMap<Vec<*const Delimiter>, RawTexts>,
    /// The bytes of ends that were copied.
    copied: Cell<usize>,
    formats: usize,
    deadline: &'o Deadline,
}

type LoweredFormat = Result<Expr, Diagnostic>;

impl<'o> TagLowering<'o> {
    fn new(options: &'o ParseOptions, deadline: &'o Deadline) -> Self {
        TagLowering {
            options,
            speller: Speller::new(&options.tokens, options.tags.spelled),
            rules: Vec::new(),
            embeds: Vec::new(),
            known: KeyedMap::default(),
            end_texts: KeyedMap::default(),
            raw_texts: KeyedMap::default(),
            copied: Cell::new(0),
            formats: 0,
            deadline,
        }
    }

    /// The texts of a format, and behind them an exit, if there are some.
    fn format<'f>(&mut self, format: &'f Format, around: &EndsAround<'f>) -> LoweredFormat {
        self.count(format)?;
        let ends = around.exits.len() + around.forbidden.len();
        self.in_time(ends, format.span)?;
        let own = match &format.kind {
            FormatKind::Any {
                unit,
                excludes,
                not_first,
                max_chars,
                max_tokens,
            } => {
                let mut region = self.region(*unit, excludes, around);
                region.not_first.clone_from(not_first);
                region.max_chars = *max_chars;
                region.max_tokens = *max_tokens;
                let text = self.finish(region, format.span)?;
                // A rule of its own has the place for messages.
                return Ok(match max_tokens {
                    Some(_) => self.rule("text", text, format.span),
                    None => text,
                });
            }
            FormatKind::TriggeredTags(tags) => {
                return self.triggered_tags(tags, around, format.span);
            }
            FormatKind::Dispatch(dispatch) => return self.dispatch(dispatch, around, format.span),
            FormatKind::Sequence(parts) => return self.sequence(parts, around),
            FormatKind::Tag(tag) => return self.tag(tag, around),
            FormatKind::Or(parts) => {
                let parts: Result<_, _> =
                    parts.iter().map(|part| self.format(part, around)).collect();
                return Ok(Expr::Alt(parts?));
            }
            FormatKind::Repeat { content, min, max } => {
                return self.repeat(format, content, (*min, *max), around);
            }
            FormatKind::TagsWithSeparator { .. } => return self.separated(format, around),
            FormatKind::ConstString(text) => self.speller.literal(&text.value),
            FormatKind::JsonSchema(schema) => return self.schema(schema, around),
            FormatKind::Grammar(text) => {
                let source = Source::new("grammar", text.value.as_str());
                self.embed(Kind::Ebnf, EmbedContent::Text(source), text.span)
            }
            FormatKind::Regex(text) => self.pattern(text),
            FormatKind::Token(id) => terminal(Symbol::Token(*id)),
            FormatKind::ExcludeToken(ids) => {
                let bytes = around.all().map(Delimiter::steps);
                self.in_time(bytes.sum(), format.span)?;
                let ends = around.all();
                let ends = ends.filter_map(|end| self.speller.whole_token(end));
                Expr::Tokens(TokenSet::all_but(ids.iter().copied().chain(ends)))
            }
        };
        self.then_exits(own, around)
    }

    /// Counts steps at a place.
    fn in_time(&self, steps: usize, place: Span) -> Result<(), Diagnostic> {
        let in_time = self.deadline.ticks(steps, DOING);
        in_time.map_err(|limit| Diagnostic::from(&limit).at(place, ""))
    }

    /// Counts the bytes of a delimiter that is copied this often: a long end around many formats
    /// stands behind each.
    fn copies(&self, delimiter: &Delimiter, times: usize) -> Result<(), Diagnostic> {
        let bytes = delimiter.text().map_or(0, str::len);
        let bytes = bytes.saturating_mul(times);
        self.in_time(bytes, delimiter.span())?;
        self.copied.set(self.copied.get().saturating_add(bytes));
        let most = self.options.limits.grammar_bytes;
        if self.copied.get() <= most {
            return Ok(());
        }
        let what = "the ends of tags, counted for each format that they follow, have more bytes";
        let limit = LimitExceeded::new("grammar_bytes", most, what);
        Err(Diagnostic::from(&limit).at(delimiter.span(), "this one"))
    }

    /// Counts a format, and looks at the clock.
    fn count(&mut self, format: &Format) -> Result<(), Diagnostic> {
        let in_time = self.deadline.check(DOING);
        in_time.map_err(|limit| Diagnostic::from(&limit).at(format.span, ""))?;
        self.formats += 1;
        if self.formats <= FORMATS {
            return Ok(());
        }
        let message = format!("the structural tag stands for more than {FORMATS} formats");
        let help = "let fewer formats that can end without an end nest";
        let diagnostic = Diagnostic::error(Code::LimitExceeded, message);
        Err(diagnostic.at(format.span, "").help(help))
    }

    /// `expr`, and behind it an exit, if there are some.
    fn then_exits(&self, expr: Expr, around: &EndsAround<'_>) -> LoweredFormat {
        Ok(match around.exits.is_empty() {
            true => expr,
            false => Expr::Seq(vec![expr, self.exits(around)?]),
        })
    }

    /// One of the exits and what follows it; nothing if there is none.
    fn exits(&self, around: &EndsAround<'_>) -> LoweredFormat {
        let exits = around.exits.iter().map(|exit| {
            self.copies(exit.end, 1)?;
            let end = self.speller.delimiter(exit.end);
            Ok(match &exit.after {
                Expr::Seq(parts) if parts.is_empty() => end,
                after => Expr::Seq(vec![end, after.clone()]),
            })
        });
        let mut exits = exits.collect::<Result<Vec<Expr>, Diagnostic>>()?;
        Ok(match exits.len() {
            0 => nothing(),
            1 => exits.remove(0),
            _ => Expr::Alt(exits),
        })
    }

    fn sequence<'f>(&mut self, parts: &'f [Format], around: &EndsAround<'f>) -> LoweredFormat {
        let Some((last, others)) = parts.split_last() else {
            return self.exits(around);
        };
        let inner = around.inner();
        let lowered: Result<Vec<Expr>, _> = others
            .iter()
            .map(|part| self.format(part, &inner))
            .collect();
        let mut lowered = lowered?;
        lowered.push(self.format(last, around)?);
        Ok(Expr::Seq(lowered))
    }

    fn repeat<'f>(
        &mut self,
        format: &Format,
        content: &'f Format,
        (min, max): (u32, Option<u32>),
        around: &EndsAround<'f>,
    ) -> LoweredFormat {
        let most = self.options.limits.repetition;
        if let Some(bound) = max.max(Some(min)).filter(|&bound| bound > most) {
            let limit = LimitExceeded::new(
                "repetition",
                most,
                format!("the content is repeated {bound} times"),
            );
            return Err(Diagnostic::from(&limit).at(format.span, ""));
        }
        let inner = around.inner();
        let each = self.format(content, &inner)?;
        let times = |min, max| Expr::Repeat {
            expr: Box::new(each.clone()),
            min,
            max,
        };
        if around.exits.is_empty() || !content.ends_in_text() || max == Some(0) {
            return self.then_exits(times(min, max), around);
        }
        // The last time ends with the exits.
        let before = times(min.saturating_sub(1), max.map(|max| max - 1));
        let some = Expr::Seq(vec![before, self.format(content, around)?]);
        Ok(match min {
            0 => Expr::Alt(vec![self.exits(around)?, some]),
            _ => some,
        })
    }

    fn rule(&mut self, name: &str, expr: Expr, span: Span) -> Expr {
        Expr::Ref(self.new_rule(name, expr, span))
    }

    fn new_rule(&mut self, name: &str, expr: Expr, span: Span) -> RuleId {
        let id = RuleId(self.rules.len() as u32);
        self.rules.push(Rule {
            name: name.to_owned(),
            expr,
            span: Span::new(span.start, span.start + 1),
            places: Vec::new(),
        });
        id
    }

    /// What a raw text does not contain, first what comes right behind it. None if that could be
    /// complete before all of it has come, or together with another end: where a reader cuts the
    /// text is then not where it ends.
    fn raw_texts(&mut self, around: &EndsAround<'_>, place: Span) -> Result<RawTexts, Diagnostic> {
        let key: Vec<*const Delimiter> = around.all().map(std::ptr::from_ref).collect();
        if let Some(known) = self.raw_texts.get(&key) {
            return Ok(known.clone());
        }
        let ends: Vec<&str> = around.all().filter_map(Delimiter::text).collect();
        let late = |limit| Diagnostic::from(&limit).at(place, "");
        let texts = match overlap(&ends, self.deadline, DOING).map_err(late)? {
            true => None,
            false => {
                around.all().try_for_each(|end| self.copies(end, 1))?;
                Some(ends.into_iter().map(str::to_owned).collect())
            }
        };
        self.raw_texts.insert(key, texts.clone());
        Ok(texts)
    }

    /// A JSON Schema in its style, and behind it an exit, if there are some: blanks stand only
    /// within the value, and properties that it does not declare are not there unless it says so.
    fn schema(&mut self, schema: &JsonSchema, around: &EndsAround<'_>) -> LoweredFormat {
        let exit = around.only_text();
        let raw_ends = self.raw_texts(around, schema.span)?.map(|texts| RawEnds {
            texts,
            may_be_held: exit.is_some(),
        });
        let options = SchemaOptions {
            style: schema.style,
            form: schema.form.clone(),
            arguments: schema.arguments,
            excludes: schema.excludes.clone(),
            raw_ends,
            whitespace: schema.whitespace,
            key_order: schema.key_order,
            undeclared: false,
            ..self.options.schema.clone()
        };
        let exit = exit.filter(|_| options.may_hold_end());
        let embed = SpannedEmbed {
            kind: Kind::JsonSchema,
            content: schema.content.clone(),
            schema: Some(options),
            span: schema.span,
        };
        match exit {
            None => {
                let value = self.embed_once(embed, None).0;
                self.then_exits(Expr::Ref(value), around)
            }
            Some((end, after)) => {
                self.copies(end, 1)?;
                let (value, end) = self.embed_once(embed, Some(end));
                let mut parts: Vec<Expr> = [value].into_iter().chain(end).map(Expr::Ref).collect();
                if *after != nothing() {
                    parts.push(after.clone());
                }
                Ok(Expr::Seq(parts))
            }
        }
    }

    /// A text that is embedded as it is.
    fn embed(&mut self, kind: Kind, content: EmbedContent, span: Span) -> Expr {
        let embed = SpannedEmbed {
            kind,
            content,
            schema: None,
            span,
        };
        Expr::Ref(self.embed_once(embed, None).0)
    }

    /// The rule of an embedded text, and that of its end, if it may hold one.
    fn embed_once(
        &mut self,
        embed: SpannedEmbed,
        end: Option<&Delimiter>,
    ) -> (RuleId, Option<RuleId>) {
        let SpannedEmbed {
            kind,
            content,
            schema,
            span,
        } = embed;
        let text = end.and_then(Delimiter::text);
        let key = (span, text.map(|text| self.end_text(text)));
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let rule = self.new_rule(kind.name(), Expr::Alt(Vec::new()), span);
        let end = end.map(|end| {
            let text = self.speller.delimiter(end);
            self.new_rule("end", text, span)
        });
        self.known.insert(key, (rule, end));
        self.embeds.push(Embed {
            kind,
            content,
            root: None,
            schema,
            span,
            rule,
            end,
        });
        (rule, end)
    }
}

impl TagLowering<'_> {
    /// The number of an end's text.
    fn end_text(&mut self, text: &str) -> usize {
        if let Some(&known) = self.end_texts.get(text) {
            return known;
        }
        let number = self.end_texts.len();
        self.end_texts.insert(text.to_owned(), number);
        number
    }
}

fn nothing() -> Expr {
    Expr::Seq(Vec::new())
}
