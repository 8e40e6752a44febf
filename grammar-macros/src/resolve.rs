//! Names of rules resolved.
//!
//! In: rules written in the macro. Out: [`Resolved`]: a grammar of the compiler whose rule `i` has the
//! span `i..i + 1`, and the place of each rule's name in the macro's input. What holds after: every
//! rule can finish; every error was reported at the name that is at fault.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use maskwright_compiler::build::sentence;
use maskwright_compiler::error::Error;
use maskwright_compiler::grammar::{Expr, Grammar, Rule, RuleId, check, lint::lint};
use maskwright_compiler::source::Span;
use proc_macro2::Span as Place;
use syn::Ident;

use crate::rules::{self, Node};

/// The rule for the whole text.
const ROOT: &str = "root";

/// A grammar and the places of its rules.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) grammar: Grammar,
    /// For each rule, where its name is defined.
    places: Vec<Place>,
}

/// Resolves all names. `braces` is the place of the whole grammar.
pub(crate) fn resolve(rules: &[rules::Rule], braces: Place) -> syn::Result<Resolved> {
    let mut resolver = Resolver {
        ids: BTreeMap::new(),
        errors: Vec::new(),
    };
    for (id, rule) in (0..).zip(rules) {
        resolver.define(&rule.name, RuleId(id));
    }
    let root = resolver.ids.get(ROOT).copied().unwrap_or_else(|| {
        let message = "there is no rule `root`, which is the one for the whole text";
        resolver.errors.push(syn::Error::new(braces, message));
        RuleId(0)
    });
    let places = rules.iter().map(|rule| rule.name.span()).collect();
    let rules = rules
        .iter()
        .enumerate()
        .map(|(index, rule)| Rule {
            name: rule.name.to_string(),
            expr: resolver.expr(&rule.body),
            span: Span {
                start: index,
                end: index + 1,
            },
        })
        .collect();
    let resolved = Resolved {
        grammar: Grammar { rules, root },
        places,
    };
    if resolver.errors.is_empty() {
        resolver.errors = resolved.unproductive();
    }
    combine(resolver.errors).map_or(Ok(resolved), Err)
}

/// All errors as one.
pub(crate) fn combine(errors: impl IntoIterator<Item = syn::Error>) -> Option<syn::Error> {
    errors.into_iter().reduce(|mut all, error| {
        all.combine(error);
        all
    })
}

struct Resolver {
    ids: BTreeMap<String, RuleId>,
    errors: Vec<syn::Error>,
}

impl Resolver {
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

    fn expr(&mut self, node: &Node) -> Expr {
        match node {
            Node::Leaf(expr) => expr.clone(),
            Node::Name(name) => self.reference(name),
            Node::Seq(parts) => Expr::Seq(self.exprs(parts)),
            Node::Alt(parts) => Expr::Alt(self.exprs(parts)),
            Node::Repeat { node, min, max } => Expr::Repeat {
                expr: Box::new(self.expr(node)),
                min: *min,
                max: *max,
            },
        }
    }

    fn exprs(&mut self, nodes: &[Node]) -> Vec<Expr> {
        nodes.iter().map(|node| self.expr(node)).collect()
    }

    fn reference(&mut self, name: &Ident) -> Expr {
        match self.ids.get(&name.to_string()) {
            Some(&id) => Expr::Ref(id),
            None => {
                let message = format!("the rule `{name}` is not defined");
                self.errors.push(syn::Error::new(name.span(), message));
                Expr::Seq(Vec::new())
            }
        }
    }
}

impl Resolved {
    /// An error of a later stage, each part of it at its rule, or at `elsewhere`.
    pub(crate) fn locate(&self, error: &Error, elsewhere: Place) -> syn::Error {
        let errors = error.diagnostics().iter().map(|diagnostic| {
            let rule = diagnostic
                .span()
                .and_then(|span| self.places.get(span.start));
            let mut message = diagnostic.message().to_owned();
            if let Some(way_out) = diagnostic.way_out() {
                message.push_str(&format!("\n{way_out}"));
            }
            syn::Error::new(rule.copied().unwrap_or(elsewhere), message)
        });
        combine(errors).unwrap_or_else(|| syn::Error::new(elsewhere, error))
    }

    /// What is probably not meant, and where.
    pub(crate) fn warnings(&self) -> Vec<(String, Place)> {
        lint(&self.grammar)
            .iter()
            .filter_map(|warning| {
                let place = self.places.get(warning.span()?.start)?;
                Some((sentence(warning), *place))
            })
            .collect()
    }

    fn unproductive(&self) -> Vec<syn::Error> {
        self.named(check::unproductive_rules(&self.grammar))
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
