//! Messages about references that lead nowhere.

use super::registry::{MAX_COMPARED, Missing};
use super::{SchemaPlace, uri};
use crate::error::{Code, Diagnostic};
use crate::syntax::json_schema::refusal::refuse;

/// The longest name for which a similar one is looked for, in bytes.
const MAX_LENGTH: usize = 60;

impl Missing {
    /// The refusal of `reference`, which `keyword` at `place` makes.
    pub fn refusal(self, reference: &str, keyword: &str, place: &SchemaPlace) -> Diagnostic {
        let near = |name: &str, names: Vec<String>| {
            let allowed = name.len() / 3 + 1;
            let is_long = name.len() > MAX_LENGTH;
            let distance = |other: &String| strsim::damerau_levenshtein(name, other);
            let alike = |other: &String| !is_long && other.len().abs_diff(name.len()) <= allowed;
            let near = names.into_iter().take(MAX_COMPARED).filter(alike);
            let near = near.map(|other| (distance(&other), other));
            let nearest = near.min_by_key(|near| near.0)?;
            (nearest.0 <= allowed).then_some(nearest.1)
        };
        match self {
            Missing::Document(uri) => {
                let shown = uri::shown(&uri);
                let why =
                    format!("`{reference}` is in another document, `{shown}`, which is not given");
                let help = "copy that schema into `$defs` and refer to it there, or give the document to the compiler, by itself or in a folder";
                refuse(Code::SchemaOtherDocument, place, keyword, why, help)
            }
            Missing::Anchor(name, names) => {
                let why = format!("no schema has the anchor `{name}`");
                let help = match near(&name, names) {
                    Some(other) => format!("did you mean `#{other}`?"),
                    None => format!("add `\"$anchor\": \"{name}\"` to the schema that is meant"),
                };
                refuse(Code::SchemaReference, place, keyword, why, help)
            }
            Missing::Pointer(reached, step, names) => {
                let why = format!("`{reference}` leads nowhere: `{reached}` has no `{step}`");
                let other = match step.as_str() {
                    "definitions" if names.iter().any(|name| name == "$defs") => {
                        Some("$defs".into())
                    }
                    "$defs" if names.iter().any(|name| name == "definitions") => {
                        Some("definitions".into())
                    }
                    _ => near(&step, names),
                };
                let help = match other {
                    Some(other) => format!("did you mean `{other}`?"),
                    None => format!("add `{step}` to `{reached}`, or correct the reference"),
                };
                refuse(Code::SchemaReference, place, keyword, why, help)
            }
        }
    }
}
