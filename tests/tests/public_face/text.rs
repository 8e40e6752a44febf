//! Signatures as text, and the paths in them.

use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Attribute, Meta, Signature, TraitItem, Type};

/// The paths in a signature.
pub struct Paths(pub Vec<Vec<String>>);

impl<'a> Visit<'a> for Paths {
    fn visit_path(&mut self, path: &'a syn::Path) {
        self.0.push(segments(path));
        visit::visit_path(self, path);
    }
}

/// A part of a signature whose paths can be visited.
pub trait Node {
    fn visit(&self, paths: &mut Paths);
}

impl Node for Type {
    fn visit(&self, paths: &mut Paths) {
        paths.visit_type(self);
    }
}

impl Node for Signature {
    fn visit(&self, paths: &mut Paths) {
        paths.visit_signature(self);
    }
}

impl Node for syn::Path {
    fn visit(&self, paths: &mut Paths) {
        paths.visit_path(self);
    }
}

impl Node for TraitItem {
    fn visit(&self, paths: &mut Paths) {
        paths.visit_trait_item(self);
    }
}

pub fn segments(path: &syn::Path) -> Vec<String> {
    let names = path.segments.iter();
    names.map(|segment| segment.ident.to_string()).collect()
}

pub fn generics(generics: &syn::Generics) -> String {
    let bounds = generics.where_clause.as_ref().map(text);
    let bounds = bounds
        .map(|bounds| format!(" {bounds}"))
        .unwrap_or_default();
    format!("{}{bounds}", text(generics))
}

/// The attributes that a user of an item sees the effect of.
pub fn shown(attributes: &[Attribute]) -> String {
    let shown = attributes.iter().filter(|attribute| {
        let seen = [
            "derive",
            "non_exhaustive",
            "cfg",
            "must_use",
            "proc_macro",
            "deprecated",
        ];
        seen.iter().any(|name| attribute.path().is_ident(name))
    });
    let shown = shown.map(|attribute| match &attribute.meta {
        Meta::Path(path) => format!(" #[{}]", text(path)),
        meta => format!(" #[{}]", text(meta)),
    });
    shown.collect()
}

/// Rust code in one line.
pub fn text(code: &impl ToTokens) -> String {
    let mut text = code.to_token_stream().to_string();
    for (spaced, tight) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" < ", "<"),
        ("< ", "<"),
        (" > ", "> "),
        (" >", ">"),
        ("& ", "&"),
        ("' ", "'"),
        (" , ", ", "),
        (" ,", ","),
        (" : ", ": "),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        ("[ ", "["),
        (" ]", "]"),
        (",)", ")"),
        (" ;", ";"),
        ("- >", "->"),
    ] {
        text = text.replace(spaced, tight);
    }
    text.trim().to_owned()
}
