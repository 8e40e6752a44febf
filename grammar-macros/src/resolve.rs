//! Names of rules resolved.
//!
//! In: rules written in the macro. Out: [`Resolved`]: a grammar of the compiler in which each span
//! `i..i + 1` stands for the `i`th of a list of places in the macro's input. What holds after:
//! every rule can finish; every error was reported at the name that is at fault.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::PathBuf;

use maskwright_compiler::error::{Diagnostic, Error};
use maskwright_compiler::grammar::{Expr, Grammar, Rule, RuleId, TokenSet, check, lint::Linter};
use maskwright_compiler::limits::{Deadline, Limits};
use maskwright_compiler::similar::{self, MAX_SUGGESTIONS};
use maskwright_compiler::source::{Sources, Span};
use maskwright_compiler::syntax::embed::{self, Embed, EmbedContent};
use maskwright_compiler::syntax::{Kind, ParseOptions};
use maskwright_compiler::vocabulary::{TokenNameError, TokenNames};
use proc_macro2::Span as Place;
use syn::Ident;

use crate::rules::{self, Node, NodeKind, TokenName};

/// The rule for the whole text.
const ROOT: &str = "root";

/// A grammar and the places in it.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) grammar: Grammar,
    /// The number of rules that are written in the macro.
    own: usize,
    /// For each rule, where its name is defined; then the places of parts.
    places: Vec<Place>,
    /// The texts of embedded grammars, whose places come after those in the macro.
    pub(crate) sources: Sources,
    /// The files of embedded grammars.
    pub(crate) files: Vec<PathBuf>,
    /// What is probably not meant in embedded grammars.
    of_embedded: Vec<Diagnostic>,
}

/// Resolves all names and reads what is embedded. `braces` is the place of the whole grammar.
pub(crate) fn resolve(
    rules: &[rules::Rule],
    braces: Place,
    options: &ParseOptions,
) -> syn::Result<Resolved> {
    let mut resolver = Resolver {
        ids: BTreeMap::new(),
        places: rules.iter().map(|rule| rule.name.span()).collect(),
        parts: Vec::new(),
        added: Vec::new(),
        embeds: Vec::new(),
        tokens: &options.tokens,
        count: rules.len(),
        undefined: 0,
        errors: Vec::new(),
    };
    for (id, rule) in (0..).zip(rules) {
        resolver.define(&rule.name, RuleId(id));
    }
    let root = resolver.ids.get(ROOT).copied().unwrap_or_else(|| {
        let mut message = "there is no rule `root`, which is the one for the whole text".to_owned();
        if let Some(close) = resolver.closest(ROOT) {
            message.push_str(&format!("; is `{close}` meant?"));
        }
        resolver.errors.push(syn::Error::new(braces, message));
        RuleId(0)
    });
    let mut rules: Vec<Rule> = rules
        .iter()
        .enumerate()
        .map(|(index, rule)| {
            let expr = resolver.expr(&rule.body);
            let parts = std::mem::take(&mut resolver.parts);
            Rule::new(rule.name.to_string(), expr).at(Span::new(index, index + 1), parts)
        })
        .collect();
    combine(resolver.errors).map_or(Ok(()), Err)?;
    rules.append(&mut resolver.added);
    let mut resolved = Resolved {
        own: resolver.count,
        grammar: Grammar::new(rules, root),
        sources: Sources::after(resolver.places.len()),
        places: resolver.places,
        files: Vec::new(),
        of_embedded: Vec::new(),
    };
    resolved.join(resolver.embeds, braces, options)?;
    combine(resolved.unproductive()).map_or(Ok(resolved), Err)
}

/// All errors as one.
pub(crate) fn combine(errors: impl IntoIterator<Item = syn::Error>) -> Option<syn::Error> {
    errors.into_iter().reduce(|mut all, error| {
        all.combine(error);
        all
    })
}

struct Resolver<'o> {
    /// The tokens that rules may name.
    tokens: &'o TokenNames,
    ids: BTreeMap<String, RuleId>,
    places: Vec<Place>,
    /// The place of each part of the rule at hand, in preorder.
    parts: Vec<Span>,
    /// Rules that stand for embedded grammars, numbered after those that are written.
    added: Vec<Rule>,
    embeds: Vec<Embed>,
    /// The number of rules that are written.
    count: usize,
    /// How many references to undefined rules there have been.
    undefined: usize,
    errors: Vec<syn::Error>,
}

impl Resolver<'_> {
    fn define(&mut self, name: &Ident, id: RuleId) {
        match self.ids.entry(name.to_string()) {
            Entry::Vacant(entry) => {
                entry.insert(id);
            }
            Entry::Occupied(_) => {
                let message = format!("the rule `{name}` is defined twice: join both with `|`");
                self.errors.push(syn::Error::new(name.span(), message));
            }
        }
    }

    /// The defined name most like `name`, if one is like it.
    fn closest(&self, name: &str) -> Option<&str> {
        similar::closest(name, self.ids.keys().map(String::as_str))
    }

    fn expr(&mut self, node: &Node) -> Expr {
        let place = Span::new(self.places.len(), self.places.len() + 1);
        self.places.push(node.place);
        self.parts.push(place);
        match &node.kind {
            NodeKind::Leaf(expr) => {
                // The parts of a regular expression stand where it does.
                let parts = std::iter::repeat_n(place, expr.size() - 1);
                self.parts.extend(parts);
                expr.clone()
            }
            NodeKind::Name(name) => self.reference(name),
            NodeKind::Tokens { names, all_but } => {
                let ids: Vec<u32> = names.iter().filter_map(|name| self.token(name)).collect();
                Expr::Tokens(match all_but {
                    true => TokenSet::all_but(ids),
                    false => TokenSet::of(ids),
                })
            }
            NodeKind::Embed { kind, content } => self.embed(*kind, content, place),
            NodeKind::Seq(parts) => Expr::Seq(self.exprs(parts)),
            NodeKind::Alt(parts) => Expr::Alt(self.exprs(parts)),
            NodeKind::Repeat { node, min, max } => Expr::Repeat {
                expr: Box::new(self.expr(node)),
                min: *min,
                max: *max,
            },
        }
    }

    /// The id of a token.
    fn token(&mut self, name: &TokenName) -> Option<u32> {
        let (found, place) = match name {
            TokenName::Text(text, place) => (self.tokens.by_name(text), *place),
            TokenName::Id(id, place) => (self.tokens.by_id(*id), *place),
        };
        let refused = |error: TokenNameError| {
            let message = format!("{error}: {}", error.help());
            self.errors.push(syn::Error::new(place, message));
        };
        found.map_err(refused).ok()
    }

    fn exprs(&mut self, nodes: &[Node]) -> Vec<Expr> {
        nodes.iter().map(|node| self.expr(node)).collect()
    }

    /// A rule that stands for an embedded grammar, which is not there yet.
    fn embed(&mut self, kind: Kind, content: &EmbedContent, span: Span) -> Expr {
        let rule = RuleId((self.count + self.added.len()) as u32);
        let name = match content {
            EmbedContent::File(path) => path.clone(),
            EmbedContent::Here(_) | EmbedContent::Text(_) => kind.name().to_owned(),
        };
        let empty = Rule::new(name, Expr::Seq(Vec::new()));
        self.added.push(empty.at(span, Vec::new()));
        self.embeds.push(Embed {
            kind,
            content: content.clone(),
            root: None,
            schema: None,
            span,
            rule,
            end: None,
        });
        Expr::Ref(rule)
    }

    fn reference(&mut self, name: &Ident) -> Expr {
        match self.ids.get(&name.to_string()) {
            Some(&id) => Expr::Ref(id),
            None => {
                let close = match self.undefined < MAX_SUGGESTIONS {
                    true => self.closest(&name.to_string()),
                    false => None,
                };
                let close = close.map(|close| format!(": did you mean `{close}`?"));
                let message = format!(
                    "the rule `{name}` is not defined{}",
                    close.unwrap_or_default()
                );
                self.undefined += 1;
                self.errors.push(syn::Error::new(name.span(), message));
                Expr::Seq(Vec::new())
            }
        }
    }
}

impl Resolved {
    /// Reads what is embedded.
    fn join(
        &mut self,
        embeds: Vec<Embed>,
        braces: Place,
        options: &ParseOptions,
    ) -> syn::Result<()> {
        let rules = std::mem::take(&mut self.grammar.rules);
        let grammar = Grammar::new(rules, self.grammar.root);
        let joined = embed::join(grammar, self.sources.clone(), embeds, options)
            .map_err(|error| self.locate(&error, braces))?;
        self.grammar = joined.grammar;
        self.sources = joined.sources;
        self.files = joined.files;
        self.of_embedded = joined.warnings;
        Ok(())
    }

    /// An error of a later stage: each part of it at its place, or at `elsewhere`, and at its other
    /// places what is said of them.
    pub(crate) fn locate(&self, error: &Error, elsewhere: Place) -> syn::Error {
        let sources = error.sources().unwrap_or(&self.sources);
        let errors = error.diagnostics().iter().flat_map(|diagnostic| {
            if let Some((place, drawn)) = self.embedded(diagnostic, sources) {
                return vec![syn::Error::new(place.unwrap_or(elsewhere), drawn)];
            }
            let mut message = diagnostic.message().to_owned();
            let labels = diagnostic.labels();
            if let Some(label) = labels.first().filter(|label| !label.text.is_empty()) {
                message.push_str(&format!("\n{}", label.text));
            }
            if let Some(way_out) = diagnostic.way_out() {
                message.push_str(&format!("\n{way_out}"));
            }
            let first = self.place(diagnostic.span()).unwrap_or(elsewhere);
            let others = labels.iter().skip(1).filter_map(|label| {
                let place = self.place(Some(label.span))?;
                Some(syn::Error::new(place, &label.text))
            });
            let first = syn::Error::new(first, message);
            std::iter::once(first).chain(others).collect()
        });
        combine(errors).unwrap_or_else(|| syn::Error::new(elsewhere, error))
    }

    /// A diagnostic about an embedded text, drawn, and where that is embedded, if it says so.
    fn embedded(
        &self,
        diagnostic: &Diagnostic,
        sources: &Sources,
    ) -> Option<(Option<Place>, String)> {
        let first = diagnostic.span()?;
        if first.start < self.places.len() {
            return None;
        }
        let labels = diagnostic.labels().iter();
        let place = labels.rev().find_map(|label| self.place(Some(label.span)));
        let drawn = diagnostic.render(Some(sources), false);
        Some((place, format!("in the grammar:\n{drawn}")))
    }

    /// The place in the macro's input that a span of the grammar stands for.
    pub(crate) fn place(&self, span: Option<Span>) -> Option<Place> {
        self.places.get(span?.start).copied()
    }

    /// What is probably not meant, and where.
    pub(crate) fn warnings(&self, elsewhere: Place) -> Vec<(String, Place)> {
        let deadline = Deadline::start(&Limits::default());
        let own = Linter::new(&self.grammar).lint(&(0..self.own), &deadline);
        let own = own.iter().filter_map(|warning| {
            let place = self.place(warning.span())?;
            Some((warning.sentence(), place))
        });
        let embedded = self.of_embedded.iter();
        let embedded = embedded.map(|warning| (warning.one_line(&self.sources), elsewhere));
        own.chain(embedded).collect()
    }

    fn unproductive(&self) -> Vec<syn::Error> {
        let mut ids = check::unproductive_rules(&self.grammar);
        ids.retain(|id| (id.0 as usize) < self.own);
        self.named(ids)
            .map(|(name, place)| {
                let message = format!(
                    "no text matches the rule `{name}`: every way through it comes back to it"
                );
                syn::Error::new(place, message)
            })
            .collect()
    }

    fn named(&self, ids: Vec<RuleId>) -> impl Iterator<Item = (&str, Place)> {
        ids.into_iter().filter_map(|id| {
            let index = id.0 as usize;
            Some((
                self.grammar.rules.get(index)?.name.as_str(),
                *self.places.get(index)?,
            ))
        })
    }
}

#[cfg(test)]
mod tests;
