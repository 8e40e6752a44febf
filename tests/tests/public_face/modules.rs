//! The modules of a crate, from its sources.
//!
//! In: the crate's `lib.rs`. Out: [`Crate`], which finds what a path in a module names. Items of
//! `cfg(test)` are left out, and those that stand in where a feature is off. What holds after: a
//! module is `open` if and only if it and all above it are `pub` and not hidden.

use std::path::Path;
use syn::{Attribute, Ident, Item, UseTree, Visibility};

/// The most names that are followed from one to the next; a circle of names ends here.
const MAX_STEPS: usize = 32;

pub struct Crate {
    pub modules: Vec<Module>,
}

pub struct Module {
    /// With the name of the crate.
    pub path: String,
    pub items: Vec<Item>,
    pub open: bool,
    parent: usize,
    children: Vec<(String, usize)>,
    /// All names that are brought into it.
    uses: Vec<Use>,
}

/// One name of a `use`.
#[derive(Clone)]
pub struct Use {
    /// The name here; `*` for all.
    pub name: String,
    pub target: Vec<String>,
}

/// What a path names.
pub enum Found {
    Module(usize),
    Item {
        module: usize,
        name: String,
    },
    /// Something of another crate, of the prelude or of the language.
    Foreign(Vec<String>),
}

impl Crate {
    pub fn read(name: &str, library: &Path) -> Crate {
        let mut all = Crate {
            modules: Vec::new(),
        };
        let source = std::fs::read_to_string(library).unwrap();
        let items = syn::parse_file(&source).unwrap().items;
        all.add(name.to_owned(), items, true, 0, library.parent().unwrap());
        all
    }

    /// Adds a module whose children lie in `folder`.
    fn add(
        &mut self,
        path: String,
        items: Vec<Item>,
        open: bool,
        parent: usize,
        folder: &Path,
    ) -> usize {
        let items: Vec<Item> = items
            .into_iter()
            .filter(|item| !is_left_out(item))
            .collect();
        let uses = items.iter().flat_map(|item| match item {
            Item::Use(item) => names(&item.tree),
            _ => Vec::new(),
        });
        let at = self.modules.len();
        self.modules.push(Module {
            path: path.clone(),
            uses: uses.collect(),
            items: items.clone(),
            open,
            parent,
            children: Vec::new(),
        });
        for item in &items {
            let Item::Mod(child) = item else { continue };
            let name = child.ident.to_string();
            let inside = folder.join(&name);
            let content = match &child.content {
                Some((_, content)) => content.clone(),
                None => {
                    let beside = folder.join(format!("{name}.rs"));
                    let source = std::fs::read_to_string(beside);
                    let source = source.or_else(|_| std::fs::read_to_string(inside.join("mod.rs")));
                    let source = source.unwrap_or_else(|error| panic!("{path}::{name}: {error}"));
                    syn::parse_file(&source).unwrap().items
                }
            };
            let open = open && is_public(&child.vis) && !is_hidden(&child.attrs);
            let index = self.add(format!("{path}::{name}"), content, open, at, &inside);
            self.modules[at].children.push((name, index));
        }
        at
    }

    /// What `path` names in a module.
    pub fn find(&self, module: usize, path: &[String]) -> Found {
        self.follow(module, path, 0)
            .unwrap_or_else(|| Found::Foreign(path.to_vec()))
    }

    /// Whether a struct, an enum, a trait or another name of a type is defined in a module.
    pub fn defines_type(&self, module: usize, name: &str) -> bool {
        let is_type = |item: &Item| {
            let kinds = matches!(
                item,
                Item::Enum(_) | Item::Struct(_) | Item::Trait(_) | Item::Type(_)
            );
            kinds && defines(item, name)
        };
        self.modules[module].items.iter().any(is_type)
    }

    fn follow(&self, at: usize, path: &[String], steps: usize) -> Option<Found> {
        let Some((first, rest)) = path.split_first() else {
            return Some(Found::Module(at));
        };
        if steps > MAX_STEPS {
            return None;
        }
        let module = &self.modules[at];
        match first.as_str() {
            "crate" => return self.follow(0, rest, steps + 1),
            "self" => return self.follow(at, rest, steps + 1),
            "super" => return self.follow(module.parent, rest, steps + 1),
            _ => {}
        }
        if rest.is_empty() && module.items.iter().any(|item| defines(item, first)) {
            let name = first.clone();
            return Some(Found::Item { module: at, name });
        }
        if let Some((_, child)) = module.children.iter().find(|(name, _)| name == first) {
            return self.follow(*child, rest, steps + 1);
        }
        if let Some(named) = module.uses.iter().find(|named| named.name == *first) {
            let whole = [&named.target, rest].concat();
            // A name of another crate may be the name that it gets here.
            let is_same = named.target.first() == Some(first);
            let found = (!is_same).then(|| self.follow(at, &whole, steps + 1));
            return Some(found.flatten().unwrap_or(Found::Foreign(whole)));
        }
        let globs = module.uses.iter().filter(|named| named.name == "*");
        let mut found =
            globs.filter_map(|glob| match self.follow(at, &glob.target, steps + 1)? {
                Found::Module(other) if other != at => self.follow(other, path, steps + 1),
                _ => None,
            });
        found.next()
    }
}

/// The names that a `use` brings in.
pub fn names(tree: &UseTree) -> Vec<Use> {
    fn add(tree: &UseTree, before: &[String], all: &mut Vec<Use>) {
        let with = |ident: &Ident| [before, &[ident.to_string()]].concat();
        match tree {
            UseTree::Path(path) => add(&path.tree, &with(&path.ident), all),
            UseTree::Group(group) => group.items.iter().for_each(|tree| add(tree, before, all)),
            UseTree::Glob(_) => all.push(Use {
                name: "*".to_owned(),
                target: before.to_vec(),
            }),
            UseTree::Name(name) if name.ident == "self" => all.push(Use {
                name: before.last().cloned().unwrap_or_default(),
                target: before.to_vec(),
            }),
            UseTree::Name(name) => all.push(Use {
                name: name.ident.to_string(),
                target: with(&name.ident),
            }),
            UseTree::Rename(renamed) => all.push(Use {
                name: renamed.rename.to_string(),
                target: with(&renamed.ident),
            }),
        }
    }
    let mut all = Vec::new();
    add(tree, &[], &mut all);
    all
}

/// The macros whose invocations make public items; `public_face/lines.rs` knows what each makes.
pub fn is_made_by(item: &Item, name: &str) -> bool {
    matches!(item, Item::Macro(made) if made.mac.path.is_ident(name))
}

fn defines(item: &Item, name: &str) -> bool {
    if is_made_by(item, "codes") {
        return name == "Code";
    }
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return false,
    };
    ident == name
}

pub fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

pub fn is_hidden(attributes: &[Attribute]) -> bool {
    has_list(attributes, "doc", "hidden")
}

fn is_left_out(item: &Item) -> bool {
    let mut lists = attributes(item)
        .iter()
        .filter_map(|at| at.meta.require_list().ok())
        .filter(|list| list.path.is_ident("cfg"))
        .map(|list| list.tokens.to_string());
    lists.any(|list| list == "test" || list.contains("not (feature") || list.contains("(test"))
}

fn has_list(attributes: &[Attribute], name: &str, content: &str) -> bool {
    let mut lists = attributes
        .iter()
        .filter_map(|at| at.meta.require_list().ok());
    lists.any(|list| list.path.is_ident(name) && list.tokens.to_string() == content)
}

/// The attributes of an item that can be public.
pub fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
