//! Tools that a builder links.

use super::*;
use crate::syntax::tools::ToolOptions;

/// Some tools, one of which has a parameter of this type.
fn tools(kind: &str) -> String {
    let tool = |name: &str, kind: &str| {
        format!(
            r#"{{"name": "{name}", "inputSchema": {{"type": "object", "properties": {{"{name}": {{"type": "{kind}"}}}}, "required": ["{name}"]}}}}"#
        )
    };
    let tools = [
        tool("first", "string"),
        tool("second", "number"),
        tool("third", kind),
    ];
    format!("[{}]", tools.join(", "))
}

impl Package {
    fn linked(&self, tools: &str) -> Builder {
        self.write("tools.json", tools);
        Builder::new()
            .vocabulary(self.vocabulary())
            .cache(Cache::at(self.path("cache")))
            .linked_tools_file(
                "TOOLS",
                self.path("tools.json"),
                ToolOptions::format("qwen_3"),
            )
    }

    /// Number of parts in the cache.
    fn parts(&self) -> usize {
        fs::read_dir(self.path("cache/parts")).unwrap().count()
    }
}

#[test]
fn a_changed_tool_compiles_one_piece() {
    let package = Package::new();
    let (result, directives) = package.run(package.linked(&tools("integer")));
    result.unwrap();
    assert!(
        directives.contains(&"cargo::rerun-if-changed=tools.json".to_owned()),
        "{directives:?}"
    );
    // What stands around calls, the base, and three pieces.
    assert_eq!(package.parts(), 5);
    let before = package.tables("TOOLS_PIECE_0");
    let changed = package.tables("TOOLS_PIECE_2");

    package.run(package.linked(&tools("integer"))).0.unwrap();
    assert_eq!(package.parts(), 5);

    package.run(package.linked(&tools("boolean"))).0.unwrap();
    assert_eq!(package.parts(), 6);
    assert_eq!(package.tables("TOOLS_PIECE_0"), before);
    assert_ne!(package.tables("TOOLS_PIECE_2"), changed);

    // Another name for a schema that is there: no part, and no further file.
    let schema = r#""inputSchema": {"type": "object", "properties": {"first": {"type": "string"}}, "required": ["first"]}"#;
    let more = tools("boolean").replacen('[', &format!("[{{\"name\": \"fourth\", {schema}}}, "), 1);
    package.run(package.linked(&more)).0.unwrap();
    assert_eq!(package.parts(), 6);
    assert!(!package.path("out/grammars.rs.TOOLS_PIECE_3.mask").exists());
}

#[test]
fn a_changed_document_compiles_its_piece() {
    let package = Package::new();
    fs::create_dir(package.path("remotes")).unwrap();
    let tools = tools("integer").replacen(
        r#"{"type": "integer"}"#,
        r#"{"$ref": "http://a.org/d.json"}"#,
        1,
    );
    let run = |kind: &str| {
        package.write("remotes/d.json", &format!(r#"{{"type": "{kind}"}}"#));
        let documents = crate::syntax::json_schema::DocumentFolder::new(
            package.path("remotes"),
            "http://a.org",
        );
        let options = SchemaOptions::default().documents(vec![documents.unwrap()]);
        let (result, told) = package.run(package.linked(&tools).schema_options(options));
        result.unwrap();
        let folder = "cargo::rerun-if-changed=remotes".to_owned();
        assert!(told.contains(&folder), "{told:#?}");
        ["TOOLS_PIECE_0", "TOOLS_PIECE_2"].map(|piece| package.tables(piece))
    };
    let of_numbers = run("integer");
    assert_eq!(package.parts(), 5);
    let of_texts = run("string");
    assert_eq!(package.parts(), 6);
    assert_eq!(of_numbers[0], of_texts[0]);
    assert_ne!(of_numbers[1], of_texts[1]);
    // The first document comes again: all parts are there.
    assert_eq!(run("integer"), of_numbers);
    assert_eq!(package.parts(), 6);
}

#[test]
fn the_code_names_all_parts() {
    let package = Package::new();
    let builder = package.linked(&tools("integer")).depth("TOOLS", 20);
    package.run(builder).0.unwrap();
    let code = fs::read_to_string(package.path("out/grammars.rs")).unwrap();
    for expected in [
        "pub static TOOLS_VOCABULARY",
        "static TOOLS_BASE",
        "static TOOLS_PIECES: [::maskwright::link::Part<'static>; 3]",
        "pub static TOOLS: ::maskwright::link::Linked<'static>",
        "pub type ToolsMatcher",
        "pub static TOOLS_FORMAT",
        "/grammars.rs.TOOLS_LINK.mask",
        "20,",
    ] {
        assert!(code.contains(expected), "{expected}:\n{code}");
    }
}

#[test]
fn what_cannot_be_linked_is_said() {
    let package = Package::new();
    package.write("tools.json", &tools("integer"));
    let builder = Builder::new()
        .vocabulary(package.vocabulary())
        .cache(Cache::disabled())
        .linked_tools_file(
            "TOOLS",
            package.path("tools.json"),
            ToolOptions::format("pythonic"),
        );
    let error = package.run(builder).0.unwrap_err().to_string();
    assert!(
        error.contains("`TOOLS`: the parts cannot be linked"),
        "{error}"
    );
    assert!(error.contains(".tools_file(…)"), "{error}");
}

/// A structural tag with two tags, one of which has a schema of this type.
fn tag(kind: &str) -> String {
    let tag = |name: &str, kind: &str| {
        format!(
            r#"{{"type": "tag", "begin": "<f={name}>", "content": {{"type": "json_schema", "json_schema": {{"type": "object", "properties": {{"a": {{"type": "{kind}"}}}}}}}}, "end": "</f>"}}"#
        )
    };
    let tags = [tag("one", "string"), tag("two", kind)].join(", ");
    format!(
        r#"{{"type": "structural_tag", "format": {{"type": "triggered_tags", "triggers": ["<f="], "tags": [{tags}]}}}}"#
    )
}

#[test]
fn a_structural_tag_is_linked() {
    let package = Package::new();
    let run = |kind: &str| {
        let builder = Builder::new()
            .vocabulary(package.vocabulary())
            .cache(Cache::at(package.path("cache")))
            .linked_structural_tag("TAG", tag(kind));
        package.run(builder).0.unwrap();
        ["TAG_PIECE_0", "TAG_PIECE_1"].map(|piece| package.tables(piece))
    };
    let of_numbers = run("integer");
    // What stands around the tags, the base, and two pieces.
    assert_eq!(package.parts(), 4);
    let of_texts = run("boolean");
    assert_eq!(package.parts(), 5);
    assert_eq!(of_numbers[0], of_texts[0]);
    assert_ne!(of_numbers[1], of_texts[1]);
    let code = fs::read_to_string(package.path("out/grammars.rs")).unwrap();
    assert!(code.contains("pub static TAG: ::maskwright::link::Linked<'static>"));
    assert!(!code.contains("TAG_FORMAT"), "no tools are called:\n{code}");
}

#[test]
fn a_tag_without_parts_is_refused() {
    let package = Package::new();
    let text = r#"{"type": "structural_tag", "format": {"type": "const_string", "value": "a"}}"#;
    let builder = Builder::new()
        .vocabulary(package.vocabulary())
        .cache(Cache::disabled())
        .linked_structural_tag("TAG", text);
    let error = package.run(builder).0.unwrap_err().to_string();
    assert!(error.contains("no tag of it is a part"), "{error}");
    assert!(error.contains(".structural_tag_file(…)"), "{error}");
}
