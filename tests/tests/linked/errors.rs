//! The error of a request shows its own text, though refusals are shared with other requests.

use maskwright_compiler::link::registry::{Registry, RegistryOptions};
use maskwright_compiler::{Compiler, Error, GrammarText, vocabulary::Vocabulary};

use super::*;

/// What a client sends around a schema that others send, too: its name is in it.
type Request = fn(client: &str, schema: &str) -> GrammarText;

fn tools(client: &str, schema: &str) -> GrammarText {
    let tools = format!(
        r#"[{{"name": "{client}", "description": "of {client}", "parameters": {schema}}},
            {{"name": "other_{client}", "parameters": {{"type": "object", "properties": {{}}}}}}]"#
    );
    GrammarText::tools(tools).tool_options(ToolOptions::format("qwen_3"))
}

fn tags(client: &str, schema: &str) -> GrammarText {
    let tag = |begin: &str, schema: &str| {
        format!(
            r#"{{"type": "tag", "begin": "<{begin}>", "end": "</t>",
                 "content": {{"type": "json_schema", "json_schema": {schema}}}}}"#
        )
    };
    let tags = [tag(client, schema), tag("other", r#"{"type": "integer"}"#)].join(", ");
    GrammarText::structural_tag(format!(
        r#"{{"type": "structural_tag",
            "format": {{"type": "triggered_tags", "triggers": ["<"], "tags": [{tags}]}}}}"#
    ))
}

/// Schemas that are refused: when a request comes, when they are read since they are long, and when
/// they are compiled.
fn schemas() -> [String; 3] {
    let long = "a".repeat(20_000);
    [
        r#"{"type": "object", "properties": {"a": {"type": "strin"}}}"#.to_owned(),
        format!(
            r#"{{"type": "object", "title": "{long}", "properties": {{"a": {{"type": "strin"}}}}}}"#
        ),
        // No byte of the vocabulary can write it.
        r#"{"type": "object", "required": ["a"], "properties": {"a": {"const": "ÿÿ"}}}"#.into(),
    ]
}

/// All bytes but some that a character beyond ASCII takes, so that texts with it cannot be written.
fn compiler() -> Compiler {
    let tokens = (0..=u8::MAX).map(|byte| match byte {
        0xc3 => vec![b'a', b'a'],
        byte => vec![byte],
    });
    let tokens = tokens.chain([vec![]]).collect();
    Compiler::new(&Vocabulary::from_tokens(tokens, vec![256])).unwrap()
}

/// Why a request is refused, whenever that is found out.
fn refusal(registry: &Registry, request: &GrammarText) -> Option<Error> {
    let handle = match registry.get(request) {
        Ok(handle) => handle,
        Err(error) => return Some(error),
    };
    handle.wait().err().or_else(|| handle.error())
}

#[test]
fn an_error_shows_no_text_of_another_request() {
    let clients = ["first_client", "second_client", "third_client"];
    let mut refused = 0;
    for request in [tools as Request, tags] {
        for schema in schemas() {
            let registry = Registry::new(&compiler(), RegistryOptions::default()).unwrap();
            // The first client comes again when the refusal is known.
            for client in clients.into_iter().chain(clients) {
                let Some(error) = refusal(&registry, &request(client, &schema)) else {
                    continue;
                };
                refused += 1;
                for shown in [error.to_string(), error.render(true), format!("{error:?}")] {
                    let others = clients.iter().filter(|&&other| other != client);
                    for other in others {
                        assert!(!shown.contains(other), "{client} sees {other}: {shown}");
                    }
                }
            }
        }
    }
    assert!(refused >= 24, "{refused}");
}
