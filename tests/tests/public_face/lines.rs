//! The public face of a crate as lines.
//!
//! In: a [`Crate`]. Out: [`Face`]: one line for each public item, field, variant, method and
//! implementation, sorted; and the types in their signatures that are hidden, or of other projects.
//! An item that has a public path of its own and is named again elsewhere has its lines under its
//! own path, and one line for each other name. Implementations of traits that no user can name are
//! left out.

use super::modules::{Crate, Found, attributes, is_hidden, is_made_by, is_public, names};
use super::text::{Node, Paths, generics, segments, shown, text};
use std::collections::{BTreeMap, BTreeSet};
use syn::{Attribute, Fields, ImplItem, Item, Signature, TraitItem, Type, Visibility};

/// The language's crates, whose types may stand in signatures, as may those of this repository.
const STANDARD: [&str; 4] = ["alloc", "core", "proc_macro", "std"];

pub struct Face<'c> {
    all: &'c Crate,
    pub lines: BTreeSet<String>,
    /// Signatures with types of other projects, and those types.
    pub foreign: BTreeSet<String>,
    /// Types of this project's other crates, as paths, and the lines they stand in.
    pub of_siblings: Vec<(Vec<String>, String)>,
    /// Own types and the lines they stand in.
    mentioned: Vec<((usize, String), String)>,
    /// Where types and traits are public, by the module and name of their definition.
    places: BTreeMap<(usize, String), String>,
}

pub fn face(all: &Crate) -> Face<'_> {
    let mut face = Face {
        all,
        lines: BTreeSet::new(),
        foreign: BTreeSet::new(),
        of_siblings: Vec::new(),
        mentioned: Vec::new(),
        places: BTreeMap::new(),
    };
    face.module(0, &all.modules[0].path);
    for (at, module) in all.modules.iter().enumerate() {
        for item in &module.items {
            face.implementation(at, item);
        }
    }
    face
}

impl Face<'_> {
    /// The public types and traits: each name, and the path at which it is defined or shown.
    pub fn types(&self) -> impl Iterator<Item = (&str, &str)> {
        (self.places.iter()).map(|((_, name), place)| (name.as_str(), place.as_str()))
    }

    /// Types that no user can see, in lines that users see.
    pub fn hidden(&self) -> impl Iterator<Item = String> {
        let hidden = self.mentioned.iter().filter(|(of, _)| {
            let is_type = self.all.defines_type(of.0, &of.1);
            is_type && !self.places.contains_key(of)
        });
        hidden.map(|((_, name), line)| format!("{name} in {line}"))
    }

    /// Whether `path`, from the root of the crate, names a type that users see, or no type.
    pub fn shows(&self, path: &[String]) -> bool {
        match self.all.find(0, path) {
            Found::Item { module, name } => {
                let is_type = self.all.defines_type(module, &name);
                !is_type || self.places.contains_key(&(module, name))
            }
            Found::Module(_) | Found::Foreign(_) => true,
        }
    }

    fn module(&mut self, at: usize, path: &str) {
        let all = self.all;
        for item in &all.modules[at].items {
            let attributes = attributes(item);
            if is_hidden(attributes) {
                continue;
            }
            match item {
                Item::Mod(child) if is_public(&child.vis) => {
                    let name = child.ident.to_string();
                    let Found::Module(child) = all.find(at, std::slice::from_ref(&name)) else {
                        panic!("{path}::{name} is not found");
                    };
                    self.module(child, &format!("{path}::{name}"));
                }
                Item::Use(item) if is_public(&item.vis) => {
                    for named in names(&item.tree) {
                        self.reexport(at, &named.name, &named.target, path, attributes);
                    }
                }
                item => {
                    let is_known = ["codes", "own_keys", "setters"];
                    let is_known = is_known.iter().any(|name| is_made_by(item, name));
                    if let Item::Macro(item) = item
                        && item.ident.is_none()
                        && !is_known
                    {
                        panic!("{path}: what does `{}!` make?", text(&item.mac.path));
                    }
                    self.item(at, item, path);
                }
            }
        }
    }

    fn reexport(&mut self, at: usize, name: &str, to: &[String], path: &str, on: &[Attribute]) {
        let all = self.all;
        let here = format!("{path}::{name}");
        let mut alias = |target: String| {
            let line = format!("{here} = {target}{}", shown(on));
            self.lines.insert(line);
        };
        match all.find(at, to) {
            Found::Foreign(target) => {
                alias(target.join("::"));
                self.check_crate(&target, &here);
            }
            Found::Module(module) if all.modules[module].open => {
                alias(all.modules[module].path.clone());
            }
            Found::Module(module) => self.module(module, &here),
            Found::Item { module, name } if all.modules[module].open => {
                alias(format!("{}::{name}", all.modules[module].path));
            }
            Found::Item { module, name } => {
                let defined = &all.modules[module].items;
                for item in defined {
                    self.item_named(module, item, Some(&name), path);
                }
            }
        }
    }

    fn item(&mut self, at: usize, item: &Item, path: &str) {
        self.item_named(at, item, None, path);
    }

    /// The item, if it is public and has the name that is asked for.
    fn item_named(&mut self, at: usize, item: &Item, asked: Option<&str>, path: &str) {
        let of = |visibility: &Visibility, name: &syn::Ident| {
            let is_asked = asked.is_none_or(|asked| name == asked);
            (is_public(visibility) && is_asked).then(|| format!("{path}::{name}"))
        };
        let on = shown(attributes(item));
        match item {
            Item::Const(item) => {
                if let Some(here) = of(&item.vis, &item.ident) {
                    self.add(
                        at,
                        format!("{here}: const {}{on}", text(&item.ty)),
                        &*item.ty,
                    );
                }
            }
            Item::Static(item) => {
                if let Some(here) = of(&item.vis, &item.ident) {
                    self.add(
                        at,
                        format!("{here}: static {}{on}", text(&item.ty)),
                        &*item.ty,
                    );
                }
            }
            Item::Type(item) => {
                if let Some(here) = of(&item.vis, &item.ident) {
                    let line = format!(
                        "{here}{}: type {}{on}",
                        text(&item.generics),
                        text(&item.ty)
                    );
                    self.add(at, line, &*item.ty);
                    self.places.insert((at, item.ident.to_string()), here);
                }
            }
            Item::Fn(item) => {
                if let Some(here) = of(&item.vis, &item.sig.ident) {
                    self.function(at, &here, &item.sig, &on);
                }
            }
            Item::Struct(item) => {
                if let Some(here) = of(&item.vis, &item.ident) {
                    self.structure(at, here, item);
                }
            }
            Item::Enum(item) => {
                if let Some(here) = of(&item.vis, &item.ident) {
                    self.enumeration(at, here, item);
                }
            }
            Item::Trait(item) => {
                if let Some(here) = of(&item.vis, &item.ident) {
                    self.interface(at, here, item);
                }
            }
            item if is_made_by(item, "codes") && asked == Some("Code") => {
                self.codes(at, item, path);
            }
            _ => {}
        }
    }

    fn structure(&mut self, at: usize, here: String, item: &syn::ItemStruct) {
        let (generics, on) = (generics(&item.generics), shown(&item.attrs));
        self.lines.insert(format!("{here}: struct{generics}{on}"));
        self.fields(at, &here, &item.fields, true);
        self.places.insert((at, item.ident.to_string()), here);
    }

    fn enumeration(&mut self, at: usize, here: String, item: &syn::ItemEnum) {
        let (generics, on) = (generics(&item.generics), shown(&item.attrs));
        self.lines.insert(format!("{here}: enum{generics}{on}"));
        for variant in &item.variants {
            let here = format!("{here}::{}", variant.ident);
            self.lines.insert(format!("{here}: variant"));
            self.fields(at, &here, &variant.fields, false);
        }
        self.places.insert((at, item.ident.to_string()), here);
    }

    fn interface(&mut self, at: usize, here: String, item: &syn::ItemTrait) {
        let (generics, on) = (generics(&item.generics), shown(&item.attrs));
        let bounds = text(&item.supertraits);
        self.lines
            .insert(format!("{here}: trait{generics} {bounds}{on}"));
        for inner in &item.items {
            match inner {
                TraitItem::Fn(inner) if is_hidden(&inner.attrs) => {}
                TraitItem::Fn(inner) => {
                    let here = format!("{here}::{}", inner.sig.ident);
                    self.function(at, &here, &inner.sig, &shown(&inner.attrs));
                }
                TraitItem::Const(inner) => {
                    let here = format!("{here}::{}", inner.ident);
                    let line = format!("{here}: const {}", text(&inner.ty));
                    self.add(at, line, &inner.ty);
                }
                inner => self.add(at, format!("{here}: {}", text(inner)), inner),
            }
        }
        self.places.insert((at, item.ident.to_string()), here);
    }

    /// `codes!` makes an enum of a table.
    fn codes(&mut self, at: usize, item: &Item, path: &str) {
        let Item::Macro(made) = item else { return };
        let here = format!("{path}::Code");
        self.lines.insert(format!("{here}: enum, made by `codes!`"));
        for row in made.mac.tokens.to_string().split(',') {
            if let Some((name, code)) = row.split_once('=') {
                let line = format!("{here}::{}: variant, shown as {}", name.trim(), code.trim());
                self.lines.insert(line);
            }
        }
        self.places.insert((at, "Code".to_owned()), here);
    }

    fn fields(&mut self, at: usize, here: &str, fields: &Fields, only_public: bool) {
        for (index, field) in fields.iter().enumerate() {
            if is_hidden(&field.attrs) || only_public && !is_public(&field.vis) {
                continue;
            }
            let name = field.ident.as_ref().map(ToString::to_string);
            let name = name.unwrap_or_else(|| index.to_string());
            let line = format!("{here}::{name}: field {}", text(&field.ty));
            self.add(at, line, &field.ty);
        }
    }

    fn function(&mut self, at: usize, here: &str, signature: &Signature, on: &str) {
        self.add(at, format!("{here}: {}{on}", text(signature)), signature);
    }

    fn implementation(&mut self, at: usize, item: &Item) {
        if is_made_by(item, "setters") {
            return self.setters(at, item);
        }
        let Item::Impl(item) = item else { return };
        let Some(here) = self.place_of(at, &item.self_ty) else {
            return;
        };
        let on = shown(&item.attrs);
        if let Some((of, _)) = &item.trait_ {
            if let Found::Item { module, name } = self.all.find(at, &segments(of))
                && !self.places.contains_key(&(module, name))
            {
                return;
            }
            let line = format!("{here}: impl {} for {}{on}", text(of), text(&item.self_ty));
            return self.add(at, line, of);
        }
        for inner in &item.items {
            match inner {
                ImplItem::Fn(inner) if is_public(&inner.vis) && !is_hidden(&inner.attrs) => {
                    let on = format!("{on}{}", shown(&inner.attrs));
                    let here = format!("{here}::{}", inner.sig.ident);
                    self.function(at, &here, &inner.sig, &on);
                }
                ImplItem::Const(inner) if is_public(&inner.vis) && !is_hidden(&inner.attrs) => {
                    let line = format!("{here}::{}: const {}{on}", inner.ident, text(&inner.ty));
                    self.add(at, line, &inner.ty);
                }
                _ => {}
            }
        }
    }

    /// `setters!(Options { field: Type, … })` makes a method for each field.
    fn setters(&mut self, at: usize, item: &Item) {
        let Item::Macro(made) = item else { return };
        let list = made.mac.tokens.to_string();
        let list: syn::ItemStruct = syn::parse_str(&format!("struct {list}")).unwrap();
        let name = list.ident.to_string();
        let Some(here) = self.places.get(&(at, name)).cloned() else {
            return;
        };
        for field in &list.fields {
            let name = field.ident.as_ref().unwrap();
            let of = text(&field.ty);
            let line = format!("{here}::{name}: fn {name}(mut self, {name}: {of}) -> Self");
            self.add(at, line, &field.ty);
        }
    }

    fn place_of(&self, at: usize, of: &Type) -> Option<String> {
        let Type::Path(of) = of else { return None };
        match self.all.find(at, &segments(&of.path)) {
            Found::Item { module, name } => self.places.get(&(module, name)).cloned(),
            _ => None,
        }
    }

    /// Adds a line, and looks at the types in its signature.
    fn add(&mut self, at: usize, line: String, signature: &impl Node) {
        let mut paths = Paths(Vec::new());
        signature.visit(&mut paths);
        for path in paths.0 {
            match self.all.find(at, &path) {
                Found::Foreign(path) => self.check_crate(&path, &line),
                Found::Item { module, name } => {
                    self.mentioned.push(((module, name), line.clone()));
                }
                Found::Module(_) => {}
            }
        }
        self.lines.insert(line);
    }

    fn check_crate(&mut self, path: &[String], line: &str) {
        let [first, _, ..] = path else {
            return;
        };
        // `Self::Item`, `T::Owned`
        let is_crate = first.starts_with(char::is_lowercase);
        if first.starts_with("maskwright") {
            self.of_siblings.push((path.to_vec(), line.to_owned()));
        } else if is_crate && !STANDARD.contains(&first.as_str()) {
            self.foreign
                .insert(format!("{} in {line}", path.join("::")));
        }
    }
}
