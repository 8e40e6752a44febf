//! The modules of each crate import one another without circles, so that each can be read, and
//! tested, after those that it needs.
//!
//! An import is an edge between two modules that lie side by side: those in which the two ends lie,
//! or the two ends themselves. So folders are compared with folders, and the files in a folder with
//! one another, at every level. A module and those within it may import what they like of one
//! another. So may tests.

#[path = "public_face/modules.rs"]
#[allow(dead_code, reason = "the public face needs the rest")]
mod modules;

use modules::{Crate, Found, names};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use syn::Item;
use syn::visit::{self, Visit};

/// For each module those beside it that it imports, and the modules in it that do so.
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

/// The imports between the modules that lie in each module.
fn imports(all: &Crate) -> BTreeMap<String, Imports> {
    let mut imports: BTreeMap<String, Imports> = BTreeMap::new();
    for module in &all.modules {
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
        for path in paths.0 {
            let target = from_root(&module.path, &path).and_then(|path| defined_in(all, &path));
            let Some((within, from, to)) = target.and_then(|to| apart(&module.path, to)) else {
                continue;
            };
            let found = imports.entry(within).or_default().entry(from).or_default();
            found.entry(to).or_default().insert(module.path.clone());
        }
    }
    imports
}

/// The module that defines what a path from the root names.
fn defined_in<'a>(all: &'a Crate, path: &[String]) -> Option<&'a str> {
    // A path may go on to a variant or a method.
    let mut ends = (1..=path.len()).rev();
    ends.find_map(|end| match all.find(0, &path[..end]) {
        Found::Module(module) | Found::Item { module, .. } => {
            Some(all.modules[module].path.as_str())
        }
        Found::Foreign(_) => None,
    })
}

/// The module that two modules lie in, and the two modules side by side in it in which they lie;
/// nothing if one lies in the other.
fn apart(from: &str, to: &str) -> Option<(String, String, String)> {
    let (from, to): (Vec<&str>, Vec<&str>) = (from.split("::").collect(), to.split("::").collect());
    let same = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let (a, b) = (from.get(same)?, to.get(same)?);
    Some((from[..same].join("::"), (*a).to_owned(), (*b).to_owned()))
}

/// What is left when modules that import nothing that is left, or that nothing that is left
/// imports, are taken away: the circles and what lies between them.
fn circles(mut imports: Imports) -> Imports {
    loop {
        let before = imports.len();
        let left: BTreeSet<String> = imports.keys().cloned().collect();
        for others in imports.values_mut() {
            others.retain(|other, _| left.contains(other));
        }
        let imported: BTreeSet<String> =
            imports.values().flat_map(BTreeMap::keys).cloned().collect();
        imports.retain(|module, others| !others.is_empty() && imported.contains(module));
        if imports.len() == before {
            return imports;
        }
    }
}

/// The crates, each by its root.
const CRATES: [(&str, &str); 6] = [
    ("maskwright_compiler", "grammar-compiler/src/lib.rs"),
    ("maskwright_cli", "grammar-compiler/cli/src/lib.rs"),
    ("maskwright_bin", "grammar-compiler/cli/src/main.rs"),
    ("maskwright_macros", "grammar-macros/src/lib.rs"),
    ("maskwright_core", "runtime/core/src/lib.rs"),
    ("maskwright_c", "runtime/c/src/lib.rs"),
];

#[test]
fn modules_side_by_side_import_without_circles() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for (name, library) in CRATES {
        let imports = imports(&Crate::read(name, &root.join(library)));
        // That imports are found at all.
        if name == "maskwright_compiler" {
            assert!(imports[name]["automata"].contains_key("grammar"));
            assert!(imports[name]["build"].contains_key("compile"));
            assert!(imports["maskwright_compiler::mask"]["walk"].contains_key("masks"));
        }
        for (within, imports) in imports {
            let circles = circles(imports);
            if !circles.is_empty() {
                found.push(format!("{within}: {circles:#?}"));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
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
