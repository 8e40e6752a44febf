//! References, drafts, and a message for each kind of mistake.

mod intent;
mod merge;
mod references;

use super::*;
use crate::error::Error;
use crate::limits::Limits;
use crate::source::{Source, Sources};
use crate::syntax::json_schema::document::parse;

fn read_with(text: &str, options: &ModelOptions) -> Result<Model, Error> {
    let source = Source::new("s.json", text);
    let root = parse(&source, &Limits::default())?;
    build(&root, options).map_err(|errors| Error::in_source(&source, errors))
}

fn read(text: &str) -> Model {
    read_with(text, &ModelOptions::default()).unwrap()
}

fn root(model: &Model) -> &Keywords {
    match &model.schema(model.root).unwrap().kind {
        SchemaKind::Keywords(keywords) => keywords,
        other => panic!("{other:?}"),
    }
}

/// The pointers of the schemas that the root and what it refers to refer to, in order.
fn referred(model: &Model) -> Vec<&str> {
    let keywords = model
        .schemas
        .iter()
        .filter_map(|schema| match &schema.kind {
            SchemaKind::Keywords(keywords) => Some(keywords),
            _ => None,
        });
    let ids = keywords.flat_map(|keywords| keywords.references.clone());
    ids.map(|id| model.schema(id).unwrap().place.pointer.as_str())
        .collect()
}

fn drawn(diagnostics: &[Diagnostic], text: &str) -> String {
    let source = Source::new("s.json", text);
    let sources = Sources::from(&source);
    let drawn = diagnostics.iter().map(|d| d.render(Some(&sources), false));
    drawn.collect::<Vec<_>>().join("\n\n")
}

#[test]
fn what_the_root_cannot_reach_is_not_looked_at() {
    let model =
        read(r#"{"type": "string", "$defs": {"a": {"type": 7, "$ref": "elsewhere.json"}}}"#);
    assert_eq!(model.schemas.len(), 1);
    assert!(model.warnings.is_empty());
}

#[test]
fn drafts_name_schemas_in_their_own_way() {
    let schema = |draft: &str, id: &str| {
        format!(
            r##"{{"$schema": "{draft}", "allOf": [{{"$ref": "#x"}}, {{"$ref": "b.json"}}],
                "definitions": {{"a": {{"{id}": "#x"}}, "b": {{"{id}": "b.json"}}}}}}"##
        )
    };
    let draft_4 = "http://json-schema.org/draft-04/schema#";
    let draft_7 = "http://json-schema.org/draft-07/schema#";
    for (draft, id, is_name) in [
        (draft_4, "id", true),
        (draft_4, "$id", false),
        (draft_7, "$id", true),
        (draft_7, "id", false),
    ] {
        let read = read_with(&schema(draft, id), &ModelOptions::default());
        assert_eq!(read.is_ok(), is_name, "{draft} {id}");
        if let Ok(model) = read {
            assert_eq!(referred(&model), ["#/definitions/a", "#/definitions/b"]);
        }
    }
}

#[test]
fn a_reference_hides_its_neighbours_up_to_draft_7() {
    let schema = r##"{"$schema": "DRAFT", "$ref": "#/definitions/a", "maxLength": 3, "title": "", "definitions": {"a": {}}}"##;
    for draft in Draft::ALL {
        let model = read(&schema.replace("DRAFT", draft.uri()));
        let hidden = root(&model).string.max_length.is_none();
        assert_eq!(hidden, draft <= Draft::Draft7, "{draft}");
        assert_eq!(model.warnings.len(), usize::from(hidden), "{draft}");
    }
}

#[test]
fn a_part_may_have_a_draft_of_its_own() {
    let model = read(
        r##"{"$ref": "#/$defs/a", "maxLength": 3, "$defs": {
            "a": {"$id": "http://a.org/a", "$schema": "http://json-schema.org/draft-07/schema#",
                  "allOf": [{"$ref": "#/definitions/b", "minLength": 1}], "definitions": {"b": {}}}}}"##,
    );
    assert_eq!(root(&model).string.max_length, Some(3));
    let part = model
        .schemas
        .iter()
        .find(|s| s.place.pointer == "#/$defs/a/allOf/0");
    let Some(SchemaKind::Keywords(part)) = part.map(|schema| &schema.kind) else {
        panic!("a schema")
    };
    assert_eq!((part.references.len(), part.string.min_length), (1, 0));
}

#[test]
fn what_is_no_resource_declares_no_draft() {
    // By draft 2020-12, in which the schema is read, `id` names nothing.
    let model = read(
        r##"{"$ref": "#/definitions/a", "definitions": {
            "a": {"$schema": "http://json-schema.org/draft-04/schema#", "id": "a", "$ref": "#/definitions/b", "minLength": 1},
            "b": {}}}"##,
    );
    assert_eq!(referred(&model), ["#/definitions/a", "#/definitions/b"]);
    assert!(model.warnings.is_empty());
}

#[test]
fn older_spellings() {
    let tuple = read(r#"{"items": [true, {}], "additionalItems": false}"#);
    let array = &root(&tuple).array;
    assert_eq!((array.prefix.len(), array.items.is_some()), (2, true));
    let ignored = read(r#"{"items": {}, "additionalItems": false}"#);
    assert!(root(&ignored).array.prefix.is_empty());
    assert_eq!(ignored.schemas.len(), 2);

    let bound = read(
        r#"{"minimum": 1, "exclusiveMinimum": true, "maximum": 2, "exclusiveMaximum": false}"#,
    );
    let number = &root(&bound).number;
    assert_eq!(
        (
            number.minimum.as_deref(),
            number.exclusive_minimum.as_deref()
        ),
        (None, Some("1"))
    );
    assert_eq!(
        (
            number.maximum.as_deref(),
            number.exclusive_maximum.as_deref()
        ),
        (Some("2"), None)
    );

    let dependent = read(r#"{"dependencies": {"a": ["b", "c", "b"], "d": {"required": ["e"]}}}"#);
    let object = &root(&dependent).object;
    assert_eq!(
        object.dependent_required,
        [("a".into(), vec!["b".into(), "c".into()])]
    );
    assert_eq!(object.dependent_schemas.len(), 1);
}

#[test]
fn draft_3() {
    let model = read(
        r#"{"$schema": "http://json-schema.org/draft-03/schema#", "type": ["object", {"type": "string"}],
            "properties": {"a": {"required": true}, "b": {"type": "any", "required": false}},
            "extends": {"divisibleBy": 2}, "disallow": ["null", {"maxLength": 1}], "dependencies": {"a": "b"}}"#,
    );
    let keywords = root(&model);
    assert!(!keywords.types.null && keywords.types.string);
    assert_eq!((keywords.not.len(), keywords.all_of.len()), (1, 1));
    assert_eq!(keywords.any_of.as_ref().map(Vec::len), Some(2));
    assert_eq!(keywords.object.required, ["a"]);
    assert_eq!(
        keywords.object.dependent_required,
        [("a".into(), vec!["b".into()])]
    );
    assert!(model.warnings.is_empty());
}

#[test]
fn keywords_of_newer_drafts_are_ignored_with_a_warning() {
    let schema = r#"{"$schema": "http://json-schema.org/draft-04/schema#", "const": 1, "if": {}, "then": false}"#;
    let model = read(schema);
    assert!(root(&model).values.is_empty() && root(&model).condition.is_none());
    assert_eq!(model.warnings.len(), 3);
}

#[test]
fn other_documents_are_asked_for() {
    let options = ModelOptions {
        resolver: Some(Resolver::new(|uri| match uri {
            "http://a.org/b.json" => Some(r##"{"$ref": "c.json#x"}"##.into()),
            "http://a.org/c.json" => Some(
                r##"{"$defs": {"x": {"$id": "#x", "$ref": "#/$defs/y"}, "y": {"type": 1}}}"##
                    .into(),
            ),
            "http://a.org/d.json" => Some("{".into()),
            _ => None,
        })),
        ..ModelOptions::default()
    };
    let error = |text: &str| read_with(text, &options).unwrap_err().to_string();
    insta::assert_snapshot!(error(r#"{"items": {"$ref": "http://a.org/b.json"}}"#));
    insta::assert_snapshot!(error(r#"{"$id": "http://a.org/", "$ref": "d.json"}"#));
    insta::assert_snapshot!(error(r#"{"$id": "http://a.org/", "$ref": "e.json#/a"}"#));
}

#[test]
fn mistakes() {
    let mistakes = [
        r##"{"$ref": "#/$defs/persn", "$defs": {"person": {}}}"##,
        r##"{"$ref": "#/definitions/a", "$defs": {"a": {}}}"##,
        r##"{"$ref": "#adress", "$defs": {"a": {"$anchor": "address"}}}"##,
        r##"{"$ref": "#nowhere"}"##,
        r##"{"$ref": "#/title", "title": "T"}"##,
        r##"{"$ref": "common.json#/$defs/id"}"##,
        r##"{"$ref": 7}"##,
        r#"{"type": "int"}"#,
        r#"{"type": []}"#,
        r#"{"type": ["string", 3]}"#,
        r#"{"properties": {"a": {"type": "string", "required": true}}}"#,
        r#"{"minLength": -1, "maxLength": 2.5, "minItems": "3"}"#,
        r#"{"properties": ["a"]}"#,
        r#"{"properties": {"a": "string"}}"#,
        r#"{"anyOf": []}"#,
        r#"{"allOf": {"type": "string"}}"#,
        r#"{"enum": "a"}"#,
        r#"{"multipleOf": 0}"#,
        r#"{"multipleOf": -0.5e1}"#,
        r#"{"pattern": ["a"]}"#,
        r#"{"uniqueItems": "true"}"#,
        r#"{"required": ["a", 1]}"#,
        r#"{"dependentRequired": {"a": "b"}}"#,
        r#"["type", "string"]"#,
        "{\n  \"properties\": {\n    \"a\": {\n      \"items\": 7\n    }\n  }\n}",
    ];
    let drawn: Vec<String> = mistakes
        .iter()
        .map(|text| {
            read_with(text, &ModelOptions::default())
                .unwrap_err()
                .to_string()
        })
        .collect();
    insta::assert_snapshot!(drawn.join("\n\n"));
}

#[test]
fn warnings() {
    let slips = [
        r#"{"additonalProperties": false, "nullable": true, "x-type": 1, "name": "n"}"#,
        r#"{"$schema": "http://example.com/dialect"}"#,
        r#"{"$schema": "http://json-schema.org/draft-06/schema#", "if": {}, "else": {}}"#,
        r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "items": [{}]}"#,
        r##"{"$schema": "http://json-schema.org/draft-04/schema#", "$ref": "#/definitions/a", "minimum": 1, "definitions": {"a": {}}}"##,
        r#"{"exclusiveMinimum": true}"#,
        r#"{"divisibleBy": 2}"#,
    ];
    let drawn: Vec<String> = slips
        .iter()
        .map(|text| drawn(&read(text).warnings, text))
        .collect();
    insta::assert_snapshot!(drawn.join("\n\n"));
}

#[test]
fn lenient_keywords_are_ignored_with_a_warning() {
    let options = ModelOptions {
        lenient: vec!["minLength".into()],
        ..ModelOptions::default()
    };
    let model = read_with(r#"{"minLength": "1"}"#, &options).unwrap();
    assert_eq!(root(&model).string.min_length, 0);
    assert_eq!(model.warnings[0].code(), "schema-lenient");
    assert!(read_with(r#"{"maxLength": "1"}"#, &options).is_err());
}

#[test]
fn long_chains_and_deep_schemas_end() {
    let mut chain: String = (0..20_000)
        .map(|i| format!(r##""d{i}": {{"$ref": "#/$defs/d{}"}}, "##, i + 1))
        .collect();
    chain.push_str(r#""d20000": {}"#);
    let model = read(&format!(
        r##"{{"$ref": "#/$defs/d0", "$defs": {{{chain}}}}}"##
    ));
    assert_eq!(model.schemas.len(), 20_002);
    let deep = r#"{"not":"#.repeat(500) + "true" + &"}".repeat(500);
    assert_eq!(read(&deep).schemas.len(), 501);
}
