//! What users build stays small and within the oldest supported compiler: the crates behind one
//! `grammar!`, and the versions of Rust that they ask for.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// The most crates that a program with one `grammar!` may build, the program itself not counted.
const MOST_CRATES: usize = 25;
/// The same with all features of `grammar!`.
const MOST_WITH_ALL: usize = 46;

/// What `cargo` prints; it is asked about this workspace as it is locked, for the machine that runs
/// the test.
fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .args(["--locked", "--offline"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "cargo {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// The crates that a program builds which depends on `maskwright` with these features.
fn crates(features: &str) -> BTreeSet<String> {
    let arguments = ["tree", "-p", "maskwright", "--features", features];
    let edges = ["-e", "normal,build", "--prefix", "none", "--no-dedupe"];
    let tree = cargo(&[&arguments[..], &edges].concat());
    let name = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    let crates = tree.lines().filter(|line| line.contains(" v")).map(name);
    crates.collect()
}

#[test]
fn a_program_with_one_grammar_builds_few_crates() {
    let crates = crates("macros");
    assert!(crates.contains("syn"), "{crates:#?}");
    assert!(
        crates.len() <= MOST_CRATES,
        "{} crates: {crates:#?}",
        crates.len()
    );
    let others = [
        "base64",
        "fluent-uri",
        "maskwright-lalr",
        "maskwright-lark",
        "maskwright-regular",
        "prettyplease",
        "rayon-core",
        "serde",
        "serde_json",
    ];
    let found: Vec<&str> = (others.into_iter())
        .filter(|&name| crates.contains(name))
        .collect();
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn each_feature_of_the_macro_brings_its_own_crates_only() {
    let plain = crates("macros");
    let brings = |feature: &str| -> Vec<String> {
        let mut more = crates(feature);
        more.retain(|name| !plain.contains(name));
        more.into_iter().collect()
    };
    let has = |crates: &[String], name: &str| crates.iter().any(|other| other == name);
    let schema = brings("json-schema");
    assert!(has(&schema, "fluent-uri"), "{schema:?}");
    for other in ["maskwright-lark", "rayon-core", "serde_json"] {
        assert!(!has(&schema, other), "{schema:?}");
    }
    assert_eq!(
        brings("lark"),
        ["maskwright-lalr", "maskwright-lark", "maskwright-regular"]
    );
    assert!(has(&brings("files"), "base64"));
    assert!(has(&brings("tags"), "serde_json"));
    assert!(has(&brings("threads"), "rayon-core"));
}

#[test]
fn a_program_with_all_features_of_the_macro_builds_what_is_published_only() {
    let crates = crates("files,lark,tags,threads");
    assert!(
        crates.len() <= MOST_WITH_ALL,
        "{} crates: {crates:#?}",
        crates.len()
    );
    for for_tests in ["lalrpop", "tiktoken-rs"] {
        assert!(!crates.contains(for_tests), "{crates:#?}");
    }
}

/// The target that the compiler builds for by itself, as `x86_64-unknown-linux-gnu`.
fn host() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let output = Command::new(rustc).arg("-vV").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.unwrap().to_owned()
}

/// Major and minor number.
fn version(text: &str) -> (u32, u32) {
    let mut parts = text.split('.').map(|part| part.parse().unwrap());
    (parts.next().unwrap(), parts.next().unwrap_or(0))
}

#[test]
fn dependencies_of_published_crates_take_the_oldest_supported_compiler() {
    let host = host();
    let metadata = cargo(&["metadata", "--format-version=1", "--filter-platform", &host]);
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let list = |value: &Value| value.as_array().unwrap().clone();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let packages: BTreeMap<String, Value> = list(&metadata["packages"])
        .into_iter()
        .map(|package| (text(&package["id"]), package))
        .collect();
    let nodes: BTreeMap<String, Value> = list(&metadata["resolve"]["nodes"])
        .into_iter()
        .map(|node| (text(&node["id"]), node))
        .collect();
    // Packages that are not published say `publish = false`, which is an empty list of registries.
    let mut open: Vec<String> = list(&metadata["workspace_members"])
        .iter()
        .map(text)
        .filter(|id| packages[id]["publish"].is_null())
        .collect();
    assert!(open.len() >= 6, "{open:?}");
    let supported = version(env!("CARGO_PKG_RUST_VERSION"));
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if !seen.insert(id.clone()) {
            continue;
        }
        if let Some(asked) = packages[&id]["rust_version"].as_str() {
            assert!(version(asked) <= supported, "{id} asks for Rust {asked}");
        }
        for dependency in list(&nodes[&id]["deps"]) {
            let kinds = list(&dependency["dep_kinds"]);
            if kinds.iter().any(|kind| kind["kind"] != "dev") {
                open.push(text(&dependency["pkg"]));
            }
        }
    }
    assert!(seen.len() > MOST_CRATES, "{seen:?}");
}
