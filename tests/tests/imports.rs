//! The folders of the compiler import one another without circles, so that each can be read, and tested, after those that it needs.
//!
//! A folder is a module of `grammar-compiler/src/lib.rs` with all in it. Tests within it may import what they like.

#[path = "public_face/modules.rs"]
#[allow(dead_code, reason = "the public face needs the rest")]
mod modules;

use modules::{Crate, Found, names};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use syn::Item;
use syn::visit::{self, Visit};

/// For each folder those that it imports, and the modules in it that do so.
type Imports = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// The paths in a module.
#[derive(Default)]
struct Paths(Vec<Vec<String>>);

impl<'a> Visit<'a> for Paths {
    fn visit_path(&mut self, path: &'a syn::Path) {
        let segments = path.segments.iter();
        self.0
            .push(segments.map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }
}

/// `path` from the root of the crate, if it is written as such or goes up from `module`.
fn from_root(module: &str, path: &[String]) -> Option<Vec<String>> {
    let mut above: Vec<String> = module.split("::").skip(1).map(str::to_owned).collect();
    let mut rest = path;
    match rest.first()?.as_str() {
        "crate" => {
            above.clear();
            rest = &rest[1..];
        }
        "super" => {
            while rest.first().is_some_and(|first| first == "super") {
                above.pop()?;
                rest = &rest[1..];
            }
        }
        _ => return None,
    }
    Some([&above, rest].concat())
}

fn imports(all: &Crate) -> Imports {
    let mut imports = Imports::new();
    for module in &all.modules[1..] {
        let mut paths = Paths::default();
        for item in &module.items {
            match item {
                Item::Mod(_) => {}
                Item::Use(item) => {
                    let named = names(&item.tree).into_iter();
                    paths.0.extend(named.map(|named| named.target));
                }
                item => paths.visit_item(item),
            }
        }
        let own = module.path.split("::").nth(1).unwrap_or_default();
        let found = imports.entry(own.to_owned()).or_default();
        for path in paths.0 {
            let Some(path) = from_root(&module.path, &path) else {
                continue;
            };
            let Some(other) = folder(all, &path) else {
                continue;
            };
            if other != own {
                found.entry(other).or_default().insert(module.path.clone());
            }
        }
    }
    imports
}

/// The folder that a path from the root leads into: a name that stands at the root is one of the folder that defines it.
fn folder(all: &Crate, path: &[String]) -> Option<String> {
    let first = std::slice::from_ref(path.first()?);
    match all.find(0, first) {
        Found::Module(module) | Found::Item { module, .. } => {
            let path = &all.modules[module].path;
            path.split("::").nth(1).map(str::to_owned)
        }
        Found::Foreign(_) => None,
    }
}

/// What is left when folders that import nothing that is left, or that nothing that is left imports, are taken away: the circles and
/// what lies between them.
fn circles(mut imports: Imports) -> Imports {
    loop {
        let before = imports.len();
        let left: BTreeSet<String> = imports.keys().cloned().collect();
        for others in imports.values_mut() {
            others.retain(|other, _| left.contains(other));
        }
        let imported: BTreeSet<String> =
            imports.values().flat_map(BTreeMap::keys).cloned().collect();
        imports.retain(|folder, others| !others.is_empty() && imported.contains(folder));
        if imports.len() == before {
            return imports;
        }
    }
}

#[test]
fn the_folders_of_the_compiler_import_without_circles() {
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("../grammar-compiler/src/lib.rs");
    let all = Crate::read("maskwright_compiler", &library);
    let imports = imports(&all);
    // That imports are found at all.
    assert!(imports["automata"].contains_key("grammar"));
    assert!(imports["build"].contains_key("compile"));
    let circles = circles(imports);
    assert!(circles.is_empty(), "{circles:#?}");
}

#[test]
fn circles_are_found() {
    let of = |list: &[(&str, &str)]| {
        let mut imports = Imports::new();
        for (from, to) in list {
            let from = imports.entry((*from).to_owned()).or_default();
            from.entry((*to).to_owned()).or_default();
            imports.entry((*to).to_owned()).or_default();
        }
        circles(imports).into_keys().collect::<Vec<_>>()
    };
    assert!(of(&[("a", "b"), ("b", "c"), ("a", "c")]).is_empty());
    assert_eq!(
        of(&[("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")]),
        ["b", "c"]
    );
}
