//! Schemas in build scripts.

use super::super::*;
use super::Package;
use crate::syntax::json_schema::SchemaOptions;
use maskwright_core as runtime;
use std::fs;

const SCHEMA: &str = r#"{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "requird": []}"#;

/// Whether the tables of a grammar accept a text.
fn schema_accepts(package: &Package, name: &str, text: &str) -> bool {
    let tables = package.tables(name);
    let grammar = runtime::Grammar::load(&tables).unwrap();
    let mut matcher = runtime::Matcher::<8>::new(&grammar).unwrap();
    matcher.accept_bytes(text.as_bytes()).is_ok() && matcher.is_complete()
}

#[test]
fn schemas_by_file_and_text() {
    let package = Package::new();
    package.write("s.json", SCHEMA);
    let compact = SchemaOptions {
        whitespace: crate::syntax::json_schema::Whitespace::Compact,
        ..SchemaOptions::default()
    };
    let builder = package
        .builder()
        .schema_file("FILE", package.path("s.json"))
        .grammar("TEXT", GrammarText::schema("{\"type\": \"null\"}"))
        .schema_options(compact);
    let (result, directives) = package.run(builder);
    result.unwrap();
    assert!(directives.contains(&"cargo::rerun-if-changed=s.json".to_owned()));
    let warned = "cargo::warning=s.json:1:81: `requird` at `#`: ignored: there is no such keyword (did you mean `required`?)";
    assert!(directives.contains(&warned.to_owned()), "{directives:#?}");
    assert!(schema_accepts(&package, "FILE", "{\"n\":1}"));
    assert!(!schema_accepts(&package, "FILE", "{\"n\": 1}"));
    assert!(schema_accepts(&package, "TEXT", "null"));

    // Other options, other tables, though the file is the same.
    let builder = package
        .builder()
        .schema_file("FILE", package.path("s.json"));
    package.run(builder).0.unwrap();
    assert!(schema_accepts(&package, "FILE", "{\"n\": 1}"));

    // What a folder of documents holds is looked at by Cargo.
    fs::create_dir(package.path("remotes")).unwrap();
    fs::write(package.path("remotes/n.json"), "{\"type\": \"null\"}").unwrap();
    let documents =
        crate::syntax::json_schema::DocumentFolder::new(package.path("remotes"), "http://a.org")
            .unwrap();
    let builder = package
        .builder()
        .schema("REMOTE", "{\"$ref\": \"http://a.org/n.json\"}")
        .schema_options(SchemaOptions {
            documents: vec![documents],
            ..SchemaOptions::default()
        });
    let (result, directives) = package.run(builder);
    result.unwrap();
    assert!(
        directives.contains(&"cargo::rerun-if-changed=remotes".to_owned()),
        "{directives:#?}"
    );
    assert!(schema_accepts(&package, "REMOTE", "null"));
    assert!(!schema_accepts(&package, "REMOTE", "1"));

    let builder = package.builder().schema("WRONG", "{\"type\": \"strin\"}");
    let error = package.run(builder).0.unwrap_err();
    assert_eq!(error.code(), "schema-malformed");
    assert!(error.to_string().contains("<schema>:1:2"), "{error}");
}
