//! Taking keywords from a schema, each with the form that its value must have.

use crate::error::{Code, Diagnostic};
use crate::maps::KeyedSet;
use crate::syntax::json_schema::document::{JsonNode, JsonValue, Member};
use crate::syntax::json_schema::model::DOING;
use crate::syntax::json_schema::model::builder::ModelBuilder;
use crate::syntax::json_schema::model::draft::Dialect;
use crate::syntax::json_schema::model::registry::ResourceId;
use crate::syntax::json_schema::model::scope::ScopeId;
use crate::syntax::json_schema::model::{
    SchemaId, SchemaPlace, Types, keyword, pointer, published,
};
use crate::syntax::json_schema::refusal::{refuse, warn};

/// A schema that is being read.
pub(in crate::syntax::json_schema::model) struct Reading<'b, 'd, 'o> {
    builder: &'b mut ModelBuilder<'d, 'o>,
    node: &'d JsonNode,
    scope: ScopeId,
    resource: ResourceId,
    pub dialect: Dialect,
    place: &'b SchemaPlace,
    /// The keywords that were taken.
    places: Vec<(String, SchemaPlace)>,
}

impl<'b, 'd, 'o> Reading<'b, 'd, 'o> {
    pub fn new(
        builder: &'b mut ModelBuilder<'d, 'o>,
        node: &'d JsonNode,
        scope: ScopeId,
        resource: ResourceId,
        dialect: Dialect,
        place: &'b SchemaPlace,
    ) -> Self {
        Reading {
            builder,
            node,
            scope,
            resource,
            dialect,
            place,
            places: Vec::new(),
        }
    }

    pub fn members(&self) -> &'d [Member] {
        self.node.members().unwrap_or_default()
    }

    pub fn member(&self, name: &str) -> Option<&'d Member> {
        self.node.member(name)
    }

    /// One small step: whether the time is over.
    pub fn stops(&self) -> bool {
        self.builder.deadline.stops(DOING)
    }

    /// Whether it is to be looked whether `name`, which is no keyword, is a slip of one. A text of
    /// very many such members is told once that the rest is not looked at.
    pub fn looks_for_slip(&mut self, name: &str, member: &Member) -> bool {
        if !keyword::may_be_slip(name) {
            return false;
        }
        match self.builder.slips {
            0 => return false,
            1 => {
                let place = self.place_of(member);
                let why = "from here on, members that are no keywords are ignored without a warning: there are very many";
                let help = "move what is no keyword out of the schema";
                let warning = warn(Code::SchemaUnknownKeyword, &place, name, why, help);
                self.warning(warning);
            }
            _ => {}
        }
        self.builder.slips -= 1;
        self.builder.slips > 0
    }

    pub fn into_places(self) -> Vec<(String, SchemaPlace)> {
        self.places
    }

    /// Whether a keyword asks what was evaluated.
    pub fn asks_what_was_evaluated(&self) -> bool {
        self.builder.evaluation
    }

    /// Whether the schema is a part of a published metaschema.
    pub fn is_published(&self) -> bool {
        published::holds(&self.place.pointer)
    }

    pub fn warning(&mut self, warning: Diagnostic) {
        self.builder.warning(warning);
    }

    /// The place of a keyword. Its text is marked with its value, if that has no parts.
    pub fn place_of(&self, member: &Member) -> SchemaPlace {
        let value = pointer::label(&member.value);
        let span = match value == member.value.span {
            true => member.span.to(value),
            false => member.span,
        };
        SchemaPlace {
            pointer: pointer::push(&self.place.pointer, &member.key),
            span: self.builder.shown_span(self.resource, span),
        }
    }

    /// The place of the element `name` of a keyword's value.
    pub fn inner(&self, place: &SchemaPlace, name: &str, span: crate::source::Span) -> SchemaPlace {
        SchemaPlace {
            pointer: pointer::push(&place.pointer, name),
            span: self.builder.shown_span(self.resource, span),
        }
    }

    /// The keyword `name`, if the schema has it and its dialect knows it.
    pub fn take(&mut self, name: &str) -> Option<(&'d JsonNode, SchemaPlace)> {
        let member = self.member(name)?;
        if !keyword::find(name)?.is_in(self.dialect) {
            return None;
        }
        let is_null = member.value.value == JsonValue::Null;
        if is_null && name != "const" && self.builder.options.takes_null {
            return None;
        }
        let place = self.place_of(member);
        self.note(name, &place);
        Some((&member.value, place))
    }

    /// Notes that the keyword `name` at `place` was taken.
    pub fn note(&mut self, name: &str, place: &SchemaPlace) {
        self.places.push((name.to_owned(), place.clone()));
    }

    /// Notes that a keyword's value is not what it must be; ignored if the keyword is to be read
    /// leniently.
    pub fn malformed(
        &mut self,
        name: &str,
        place: &SchemaPlace,
        why: impl Into<String>,
        help: &str,
    ) {
        let why = why.into();
        if self
            .builder
            .options
            .lenient
            .iter()
            .any(|lenient| lenient == name)
        {
            self.places.retain(|place| place.0 != name);
            let why = format!("ignored: {why}");
            self.warning(warn(Code::SchemaLenient, place, name, why, help));
        } else {
            self.builder
                .error(refuse(Code::SchemaMalformed, place, name, why, help));
        }
    }

    /// [`Self::malformed`] for a value that is of another kind.
    pub fn wrong_kind(
        &mut self,
        name: &str,
        place: &SchemaPlace,
        value: &JsonNode,
        expected: &str,
        help: &str,
    ) {
        let why = format!("expected {expected}, found {}", value.value.kind());
        self.malformed(name, place, why, help);
    }

    /// The keyword `name`, whose value is a number that is not negative and has no fraction.
    pub fn count(&mut self, name: &str) -> Option<u64> {
        let (value, place) = self.take(name)?;
        let help = "write a number such as `0` or `12`";
        let JsonValue::Number(text) = &value.value else {
            self.wrong_kind(name, &place, value, "a count", help);
            return None;
        };
        let count = count(text);
        if count.is_none() {
            let why = format!("expected a count, found `{text}`");
            self.malformed(name, &place, why, help);
        }
        count
    }

    /// The keyword `name`, whose value is a string.
    pub fn string(&mut self, name: &str) -> Option<String> {
        let (value, place) = self.take(name)?;
        if value.as_str().is_none() {
            self.wrong_kind(name, &place, value, "a string", "write it in double quotes");
        }
        value.as_str().map(str::to_owned)
    }

    /// The elements of a value that is a list of strings, each once.
    pub fn names(&mut self, name: &str, value: &'d JsonNode, place: &SchemaPlace) -> Vec<String> {
        let help = "write a list of names such as `[\"a\", \"b\"]`";
        let JsonValue::Array(items) = &value.value else {
            self.wrong_kind(name, place, value, "a list of names", help);
            return Vec::new();
        };
        let mut names: Vec<String> = Vec::with_capacity(items.len());
        let mut seen = KeyedSet::default();
        for item in items {
            if self.stops() {
                break;
            }
            match item.as_str() {
                Some(text) if seen.insert(text) => names.push(text.to_owned()),
                Some(_) => {}
                None => self.wrong_kind(name, place, item, "a name", help),
            }
        }
        names
    }

    /// A schema at `place`, in a keyword's value.
    pub fn schema_at(&mut self, name: &str, value: &'d JsonNode, place: &SchemaPlace) -> SchemaId {
        self.builder.schema(value, self.scope, name, place)
    }

    /// A schema that allows `types` and says no more.
    pub fn types_as_schema(&mut self, types: Types, place: &SchemaPlace) -> SchemaId {
        self.builder.types(types, place)
    }

    /// The keyword `name`, whose value is a schema.
    pub fn schema(&mut self, name: &str) -> Option<SchemaId> {
        let (value, place) = self.take(name)?;
        Some(self.schema_at(name, value, &place))
    }

    /// The elements of a value that is a list of schemas.
    pub fn list_of_schemas(
        &mut self,
        name: &str,
        value: &'d JsonNode,
        place: &SchemaPlace,
    ) -> Vec<SchemaId> {
        let help = "write a list of schemas such as `[{…}, {…}]`";
        let JsonValue::Array(items) = &value.value else {
            self.wrong_kind(name, place, value, "a list of schemas", help);
            return Vec::new();
        };
        let mut schemas = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            if self.stops() {
                break;
            }
            let place = self.inner(place, &index.to_string(), pointer::label(item));
            schemas.push(self.schema_at(name, item, &place));
        }
        schemas
    }

    /// The keyword `name`, whose value is a list of schemas that is not empty.
    pub fn schemas(&mut self, name: &str) -> Option<Vec<SchemaId>> {
        let (value, place) = self.take(name)?;
        if value.value == JsonValue::Array(Vec::new()) {
            let help = "remove it, or write at least one schema";
            self.malformed(name, &place, "the list is empty", help);
            return None;
        }
        let schemas = self.list_of_schemas(name, value, &place);
        Some(schemas).filter(|schemas| !schemas.is_empty())
    }

    /// The keyword `name`, whose value's members are schemas.
    pub fn named_schemas(&mut self, name: &str) -> Vec<(String, SchemaId)> {
        let Some((value, place)) = self.take(name) else {
            return Vec::new();
        };
        let Some(members) = value.members() else {
            let help = "write an object whose members are schemas";
            self.wrong_kind(name, &place, value, "an object", help);
            return Vec::new();
        };
        let mut schemas = Vec::with_capacity(members.len());
        for Member { key, span, value } in members {
            if self.stops() {
                break;
            }
            let place = self.inner(&place, key, *span);
            schemas.push((key.clone(), self.schema_at(name, value, &place)));
        }
        schemas
    }

    /// The schema that the keyword `name` refers to.
    pub fn reference(&mut self, name: &str) -> Option<SchemaId> {
        let (value, place) = self.take(name)?;
        let Some(reference) = value.as_str() else {
            let help = "write a reference such as `\"#/$defs/name\"`";
            self.wrong_kind(name, &place, value, "a reference", help);
            return None;
        };
        self.builder
            .reference(reference, self.resource, self.scope, name, &place)
    }
}

/// The value of a number without sign and fraction; the largest there is, if it is larger.
fn count(text: &str) -> Option<u64> {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (text.get(..at)?, text.get(at + 1..)?),
        None => (text, "0"),
    };
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, mantissa),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_end_matches('0');
    let negative = exponent.starts_with('-');
    // An exponent beyond all numbers of digits is as good as the largest.
    let size: i64 = exponent
        .trim_start_matches(['+', '-'])
        .parse()
        .unwrap_or(i64::MAX / 4);
    let exponent = if negative { -size } else { size };
    if significant.trim_start_matches('0').is_empty() {
        return Some(0);
    }
    // The power of ten that the last significant digit stands for.
    let power = exponent - fraction.len() as i64 + (digits.len() - significant.len()) as i64;
    if sign < 0 || power < 0 {
        return None;
    }
    let value = significant.parse::<u64>().ok();
    let scale = u32::try_from(power)
        .ok()
        .and_then(|power| 10u64.checked_pow(power));
    Some(
        value
            .zip(scale)
            .and_then(|(value, scale)| value.checked_mul(scale))
            .unwrap_or(u64::MAX),
    )
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn counts() {
        for (text, value) in [
            ("0", Some(0)),
            ("12", Some(12)),
            ("2.0", Some(2)),
            ("1e2", Some(100)),
            ("1.5e1", Some(15)),
            ("120e-1", Some(12)),
            ("-0.0", Some(0)),
            ("0e99999999999999999999", Some(0)),
            ("-1", None),
            ("1.5", None),
            ("1e-1", None),
            ("1e-99999999999999999999", None),
            ("18446744073709551615", Some(u64::MAX)),
            ("1e400", Some(u64::MAX)),
            ("1e99999999999999999999", Some(u64::MAX)),
        ] {
            assert_eq!(count(text), value, "{text}");
        }
    }
}
