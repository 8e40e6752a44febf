//! Where in a request the structural tag is.
//!
//! In: a text of JSON: a structural tag, or a request of an engine that has one. Out:
//! [`TagRequest`]: the object with the tag, and the text that it stands in. Engines pass a tag on
//! as a text of JSON within JSON; then the inner text is the one that places lie in.

use crate::error::{Code, Diagnostic, Error};
use crate::limits::Limits;
use crate::source::Source;
use crate::syntax::fields;
use crate::syntax::json_schema::document::{JsonNode, JsonValue};

/// Fields that a structural tag can stand in, with the engine whose field it is.
///
/// | Field | Of |
/// |---|---|
/// | `response_format` | vLLM, SGLang, TensorRT-LLM: a request to their servers |
/// | `structured_outputs`, `structural_tag` | vLLM: parameters of sampling, and its extra body |
/// | `extra_body` | vLLM: a request of the client library |
/// | `sampling_params`, `structural_tag` | SGLang: a request to its native interface |
/// | `guided_decoding`, `guided_decoding_params`, `structural_tag` | TensorRT-LLM: parameters of sampling |
/// | `guide`, beside `guide_type` | TensorRT-LLM: its executor |
const WRAPPERS: [&str; 8] = [
    "response_format",
    "structured_outputs",
    "extra_body",
    "sampling_params",
    "guided_decoding",
    "guided_decoding_params",
    "structural_tag",
    "guide",
];

/// A structural tag within a request.
pub(in super::super) struct TagRequest {
    /// The text that places lie in.
    pub(in super::super) source: Source,
    /// The object with the tag.
    pub(in super::super) node: JsonNode,
}

/// Finds the structural tag of a request. Other fields of a request are not looked at.
///
/// # Errors
/// If the text is not JSON, or no or several fields can hold the tag.
pub(in super::super) fn unwrap(source: &Source, limits: &Limits) -> Result<TagRequest, Error> {
    let mut source = source.clone();
    let mut node = parse(&source, limits)?;
    loop {
        // A text within a text is shorter than it, and a value within a value too: this ends.
        if let JsonValue::String(text) = &node.value {
            source = Source::new(source.name(), text.as_str());
            node = parse(&source, limits)?;
            continue;
        }
        let is_tag = ["format", "structures"]
            .iter()
            .any(|key| node.get(key).is_some());
        if is_tag {
            return Ok(TagRequest { source, node });
        }
        let members = node.members().unwrap_or_default();
        let wrappers = members.iter().filter(|member| {
            let is_null = member.value.value == JsonValue::Null;
            WRAPPERS.contains(&member.key.as_str()) && !is_null
        });
        let wrappers: Vec<_> = wrappers.collect();
        match wrappers.as_slice() {
            [wrapper] => node = wrapper.value.clone(),
            [] => return Ok(TagRequest { source, node }),
            [first, second, ..] => {
                let message = format!(
                    "both `{}` and `{}` can hold a structural tag",
                    first.key, second.key
                );
                let diagnostic = Diagnostic::error(Code::TagMalformed, message)
                    .at(second.span, "and here")
                    .at(first.span, "here")
                    .help("leave one of them out");
                return Err(Error::in_source(&source, vec![diagnostic]));
            }
        }
    }
}

fn parse(source: &Source, limits: &Limits) -> Result<JsonNode, Error> {
    let example = "write `{\"format\": {\"type\": \"any_text\"}}`";
    let node = fields::document(source, limits, example);
    node.map_err(|error| Error::in_source(source, vec![error]))
}
