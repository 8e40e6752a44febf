//! Grammars within grammars: what they match, and where their errors are shown.

use maskwright_compiler::GrammarText;
use maskwright_compiler::error::Error;
use maskwright_compiler::grammar::interpret::accepts;
use maskwright_compiler::limits::Limits;
use maskwright_compiler::syntax::Parsed;
use tempfile::TempDir;

const PERSON: &str = r#"{
  "type": "object",
  "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
  "required": ["name", "age"],
  "additionalProperties": false
}"#;

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

fn parse(folder: &TempDir, main: &str) -> Result<Parsed, Error> {
    let text = GrammarText::ebnf_file(main).within(folder.path());
    text.parse(&Limits::default())
}

fn check(folder: &TempDir, sentences: &[&str], others: &[&str]) {
    let parsed = parse(folder, "main.ebnf").unwrap_or_else(|error| panic!("{error}"));
    for text in sentences {
        assert!(accepts(&parsed.grammar, text), "{text:?}");
    }
    for text in others {
        assert!(!accepts(&parsed.grammar, text), "{text:?}");
    }
}

fn error(files: &[(&str, &str)]) -> String {
    parse(&folder(files), "main.ebnf").unwrap_err().to_string()
}

#[test]
fn a_fenced_code_block_around_a_schema() {
    let main = r#"root ::= "```json\n" json_schema("person.json") "\n```""#;
    let folder = folder(&[("main.ebnf", main), ("person.json", PERSON)]);
    check(
        &folder,
        &["```json\n{\"name\": \"x\", \"age\": 3}\n```"],
        &[
            "{\"name\": \"x\", \"age\": 3}",
            "```json\n{\"name\": \"x\", \"age\": \"3\"}\n```",
            "```json\n{\"name\": \"x\"}\n```",
        ],
    );
    let parsed = parse(&folder, "main.ebnf").unwrap();
    assert!(parsed.has_schema);
    assert_eq!(parsed.files, [folder.path().join("person.json")]);
    assert!(parsed.warnings.is_empty(), "{:?}", parsed.warnings);
}

#[test]
fn a_list_of_records_with_options_of_its_own() {
    let main = r#"root ::= (record "\n"){1,3}
        record ::= json_schema("records/person.json", whitespace="compact", exponents=false)"#;
    let folder = folder(&[("main.ebnf", main), ("records/person.json", PERSON)]);
    check(
        &folder,
        &[
            "{\"name\":\"x\",\"age\":3}\n",
            "{\"name\":\"x\",\"age\":3}\n{\"name\":\"\",\"age\":-1}\n",
        ],
        &[
            "",
            "{\"name\": \"x\", \"age\": 3}\n",
            "{\"name\":\"x\",\"age\":3e1}\n",
        ],
    );
}

#[test]
fn a_command_with_json_arguments_that_stand_in_the_grammar() {
    let main = r#"root ::= "move " json_schema({"type": "array", "items": {"enum": ["}", 1]}}) | "stop " json_schema(true) | "go " json_schema({"const": "\""})"#;
    check(
        &folder(&[("main.ebnf", main)]),
        &[
            "move [\"}\", 1]",
            "move []",
            "stop {\"a\": [1]}",
            "go \"\\\"\"",
        ],
        &["move [2]", "stop ", "stop tru"],
    );
}

#[test]
fn rules_of_different_files_keep_apart_and_may_call_each_other() {
    let files = [
        (
            "main.ebnf",
            "root ::= item \";\" grammar(\"sub/list.ebnf\") grammar(\"sub/list.ebnf\", root=\"item\")\nitem ::= \"m\"",
        ),
        (
            "sub/list.ebnf",
            "root ::= \"[\" item* \"]\"\nitem ::= \"l\" | \"(\" grammar(\"../back.ebnf\") \")\"",
        ),
        ("back.ebnf", "root ::= \"b\" grammar(\"sub/list.ebnf\")?"),
    ];
    let folder = folder(&files);
    check(
        &folder,
        &["m;[]l", "m;[ll(b)]l", "m;[(b[(b)])](b[l])"],
        &["m;[m]l", "l;[]l", "m;[(b[)]l", "m;[]"],
    );
    // Each is read once, though the list is there by itself and as its item.
    let parsed = parse(&folder, "main.ebnf").unwrap();
    let files = ["sub/list.ebnf", "back.ebnf"].map(|name| folder.path().join(name));
    assert_eq!(parsed.files, files);
}

#[test]
fn files_that_only_name_each_other_are_refused_where_they_stand() {
    let files = [
        ("main.ebnf", "root ::= \"x\" grammar(\"other.ebnf\")"),
        ("other.ebnf", "\n\nroot ::= \"y\" grammar(\"main.ebnf\")"),
    ];
    let error = error(&files);
    assert!(error.contains("error[unproductive-rule]"), "{error}");
}

#[test]
fn an_error_in_a_schema_shows_its_place_and_where_it_is_embedded() {
    let main = "root ::= a\na ::= \"<\" json_schema(\"wrong.json\") \">\"";
    let wrong = "{\n  \"type\": \"strin\"\n}";
    insta::assert_snapshot!(error(&[("main.ebnf", main), ("wrong.json", wrong)]));
    let inline = "root ::= a\n# a comment\na ::= json_schema({\n  \"minLength\": \"x\"})";
    insta::assert_snapshot!(error(&[("main.ebnf", inline)]));
}

#[test]
fn an_error_in_an_embedded_grammar_shows_its_place() {
    let main = "root ::= grammar(\"sub/list.ebnf\")";
    let list = "root ::= item*\nitem ::= undefined";
    insta::assert_snapshot!(error(&[("main.ebnf", main), ("sub/list.ebnf", list)]));
    let warned = "root ::= \"a\"\nunused ::= \"b\"";
    let folder = folder(&[("main.ebnf", main), ("sub/list.ebnf", warned)]);
    let parsed = parse(&folder, "main.ebnf").unwrap();
    let warnings = parsed.warnings.iter();
    let warnings: Vec<String> = warnings
        .map(|warning| warning.one_line(&parsed.sources))
        .collect();
    assert_eq!(
        warnings,
        ["sub/list.ebnf:2:1: rule `list.ebnf:unused` is never used (remove it, or refer to it)"]
    );
}

#[test]
fn what_cannot_be_read_is_refused_at_its_name() {
    let missing = error(&[("main.ebnf", "root ::= \"a\" json_schema(\"none.json\")")]);
    assert!(
        missing.contains("error[unreadable-grammar]: cannot read none.json"),
        "{missing}"
    );
    assert!(missing.contains("main.ebnf:1:14"), "{missing}");
    for (call, message) in [
        ("json_schema()", "cannot be called like this"),
        ("json_schema(\"a\", \"b\")", "cannot be called like this"),
        (
            "json_schema({}, whitespac=\"compact\")",
            "did you mean `whitespace`?",
        ),
        ("json_schema({}, whitespace=\"tight\")", "found `tight`"),
        (
            "json_schema({}, formats=maybe)",
            "expected `true` or `false`",
        ),
        (
            "json_schema({}, documents=\"d=http://e/\")",
            "where the whole grammar is compiled",
        ),
        ("grammar({})", "could repeat"),
        (
            "grammar(\"a.ebnf\", rot=\"x\")",
            "cannot be called like this",
        ),
    ] {
        let error = error(&[("main.ebnf", &format!("root ::= {call}"))]);
        assert!(error.contains(message), "{call}: {error}");
    }
}

#[test]
fn all_texts_together_are_bounded() {
    let long = format!("root ::= \"{}\"", "a".repeat(100));
    let main = "root ::= grammar(\"long.ebnf\") grammar(\"long.ebnf\", root=\"root\")";
    let folder = folder(&[("main.ebnf", main), ("long.ebnf", &long)]);
    let text = GrammarText::ebnf_file("main.ebnf").within(folder.path());
    let limits = Limits::default().grammar_bytes(150);
    let error = text.parse(&limits).unwrap_err();
    assert_eq!(error.code(), "limit-exceeded");
    assert!(error.to_string().contains("and what it embeds"), "{error}");
}

#[test]
fn a_rule_of_the_name_of_a_call_is_that_rule() {
    let main = "root ::= grammar (\"a\" | json_schema) json_schema\ngrammar ::= \"g\"\njson_schema ::= \"j\"";
    check(&folder(&[("main.ebnf", main)]), &["gaj", "gjj"], &["g"]);
}
