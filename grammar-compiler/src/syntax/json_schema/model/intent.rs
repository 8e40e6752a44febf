//! Documents that allow any JSON, which is hardly what they are meant to say.
//!
//! In: the root of a document. Out: a warning, if no keyword of the root restricts values though
//! something stands there that is meant to: members that are no keywords, as those of a wrapper
//! around a schema, or definitions that nothing refers to.

use super::keyword::{self, KeywordRole};
use super::{SchemaPlace, pointer};
use crate::error::{Code, Diagnostic};
use crate::syntax::json_schema::document::{JsonNode, JsonValue, Member};
use crate::syntax::json_schema::refusal::warn;

/// Members in which the APIs of models put a schema, or what wraps one.
const WRAPPERS: [&str; 9] = [
    "schema",
    "json_schema",
    "jsonSchema",
    "response_format",
    "responseFormat",
    "function",
    "parameters",
    "input_schema",
    "inputSchema",
];

/// The names of types.
const TYPES: [&str; 7] = [
    "null", "boolean", "integer", "number", "string", "array", "object",
];

/// The warning that a document allows any JSON, if it is hardly meant to.
pub(super) fn doubt(root: &JsonNode, place: &SchemaPlace) -> Option<Diagnostic> {
    let members = root.members()?;
    if restricts(root) {
        return None;
    }
    let is_other = |member: &&Member| {
        let name = member.key.as_str();
        let is_known = keyword::find(name).is_some() && !is_no_type(member);
        !(is_known || name.starts_with(['$', '_', '@']) || name.starts_with("x-"))
    };
    let other = members.iter().find(is_other);
    let (why, help) = match (wrapped(root), other, definition(members)) {
        (Some(inner), ..) => (
            "no keyword of JSON Schema, so any JSON is allowed",
            format!("give the schema within, `{inner}`, by itself"),
        ),
        // A slip of a keyword has a warning of its own.
        (None, Some(other), _) if keyword::meant(&other.key).is_some() => return None,
        (None, Some(other), _) => (
            "no keyword of JSON Schema, so any JSON is allowed",
            format!(
                "describe an object as `{{\"type\": \"object\", \"properties\": {{\"{}\": …}}}}`; write `true` if any JSON is meant",
                shown(&other.key)
            ),
        ),
        (None, None, Some(definition)) => (
            "only definitions, and nothing refers to them, so any JSON is allowed",
            format!("refer to the one that is meant: `\"$ref\": \"{definition}\"`"),
        ),
        (None, None, None) => return None,
    };
    Some(warn(Code::SchemaNoKeyword, place, "", why, help))
}

/// Whether some keyword of a schema says which values there may be.
fn restricts(node: &JsonNode) -> bool {
    let says = |member: &Member| {
        let keyword = keyword::find(&member.key);
        let restricts = keyword.is_some_and(|found| found.role == KeywordRole::Restricts);
        restricts && !is_definitions(member) && !is_no_type(member)
    };
    node.members().unwrap_or_default().iter().any(says)
}

fn is_definitions(member: &Member) -> bool {
    matches!(member.key.as_str(), "$defs" | "definitions")
}

/// Whether this is a `type` that names no type of values, as `json_schema` and `function` do in the
/// wrappers of APIs.
fn is_no_type(member: &Member) -> bool {
    let name = member.value.as_str();
    member.key == "type" && name.is_some_and(|name| !TYPES.contains(&name))
}

/// Where the schema within wrappers stands.
fn wrapped(root: &JsonNode) -> Option<String> {
    let (mut node, mut at) = (root, String::from("#"));
    loop {
        let held = WRAPPERS.iter().filter_map(|name| node.member(name));
        let member = held
            .into_iter()
            .find(|member| member.value.members().is_some())?;
        at = pointer::push(&at, &member.key);
        node = &member.value;
        if restricts(node) {
            return Some(at);
        }
    }
}

/// The pointer of the first definition.
fn definition(members: &[Member]) -> Option<String> {
    let held = members.iter().filter(|member| is_definitions(member));
    let first = held.filter_map(|member| match &member.value.value {
        JsonValue::Object(definitions) => Some((member, definitions.first()?)),
        _ => None,
    });
    let (member, definition) = first.into_iter().next()?;
    let at = pointer::push("#", &member.key);
    Some(pointer::push(&at, &definition.key))
}

/// A name that is short enough for a message.
fn shown(name: &str) -> String {
    match name.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}
