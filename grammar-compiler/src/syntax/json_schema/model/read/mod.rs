//! From the members of one schema to its [`Keywords`].

mod array;
mod combine;
mod number;
mod object;
mod take;
mod text;

use super::Keywords;
use super::draft::Draft;
use super::keyword::{self, KeywordRole};
use crate::error::Code;
use crate::syntax::json_schema::refusal::warn;

pub(super) use take::Reading;

/// Reads all keywords of a schema.
pub(super) fn keywords(mut reading: Reading<'_, '_, '_>) -> Keywords {
    let hides = reading.dialect.draft.reference_hides() && reading.member("$ref").is_some();
    let mut keywords = Keywords::default();
    if hides {
        warn_of_hidden(&mut reading);
        reading.references(&mut keywords);
    } else {
        warn_of_unknown(&mut reading);
        reading.references(&mut keywords);
        reading.combinators(&mut keywords);
        reading.values(&mut keywords);
        keywords.number = reading.numbers();
        keywords.string = reading.strings();
        keywords.array = reading.arrays();
        keywords.object = reading.objects();
    }
    keywords.places = reading.into_places();
    keywords
}

/// Warns of keywords beside a `$ref` that hides them.
fn warn_of_hidden(reading: &mut Reading<'_, '_, '_>) {
    let draft = reading.dialect.draft;
    let hidden: Vec<_> = (reading.members().iter())
        .filter(|member| !matches!(member.key.as_str(), "$ref" | "definitions" | "$defs"))
        .filter(|member| {
            keyword::find(&member.key).is_some_and(|k| k.role == KeywordRole::Restricts)
        })
        .collect();
    for member in hidden {
        let place = reading.place_of(member);
        let why = format!("ignored: in {draft} a `$ref` hides what stands beside it");
        let help = "put the `$ref` into an `allOf`, or declare draft 2019-09 or later";
        reading.warning(warn(Code::SchemaDraft, &place, &member.key, why, help));
    }
}

/// Warns of keywords that are of other drafts, or look like slips.
fn warn_of_unknown(reading: &mut Reading<'_, '_, '_>) {
    let dialect = reading.dialect;
    for member in reading.members() {
        if reading.stops() {
            return;
        }
        let name = member.key.as_str();
        let find = keyword::find(name);
        if find.is_none() && name != "nullable" && !reading.looks_for_slip(name, member) {
            continue;
        }
        let place = reading.place_of(member);
        let warning = match find {
            // It has a meaning beside a list in `items` only, in every draft.
            Some(_) if name == "additionalItems" => continue,
            Some(keyword) if keyword.is_in(dialect) => continue,
            Some(keyword) => {
                let why = format!("ignored: {} has no such keyword", dialect.draft);
                let draft = keyword.since.max(dialect.draft.min(keyword.until));
                let help = format!(
                    "declare a draft that has it: `\"$schema\": \"{}\"`",
                    draft.uri()
                );
                warn(Code::SchemaDraft, &place, name, why, help)
            }
            None if name == "nullable" => {
                let help =
                    "write `\"type\": [\"…\", \"null\"]`, or `anyOf` with `{\"type\": \"null\"}`";
                let why = "ignored: OpenAPI's, not JSON Schema's";
                warn(Code::SchemaUnknownKeyword, &place, name, why, help)
            }
            None => {
                let Some(meant) = keyword::meant(name) else {
                    continue;
                };
                let help = format!("did you mean `{meant}`?");
                let why = "ignored: there is no such keyword";
                warn(Code::SchemaUnknownKeyword, &place, name, why, help)
            }
        };
        reading.warning(warning);
    }
}

impl Reading<'_, '_, '_> {
    /// Whether keywords of draft 3 only are meant.
    fn is_draft_3(&self) -> bool {
        self.dialect.draft == Draft::Draft3
    }
}
