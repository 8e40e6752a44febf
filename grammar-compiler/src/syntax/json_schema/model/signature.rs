//! What tells schemas apart: keywords, their values, and the order in which they stand.
//!
//! In: a schema. Out: a digest, equal for schemas that say the same of the same schemas.
//! Annotations and places are no part of it.

use super::{
    ArrayKeywords, Condition, Keywords, NumberKeywords, ObjectKeywords, SchemaId, SchemaKind,
    StringKeywords, Types, Unique,
};
use crate::digest::{Digest, DigestFields, Digester};
use crate::syntax::json_schema::document::{JsonNode, JsonValue};

/// The digest of what a schema says.
pub(super) fn signature(kind: &SchemaKind) -> Digest {
    let mut to = Digester::new("schema");
    match kind {
        SchemaKind::Any => to.small(0),
        SchemaKind::Never => to.small(1),
        SchemaKind::Keywords(keywords) => {
            to.small(2);
            to.field(&**keywords);
        }
    }
    to.finish()
}

impl DigestFields for Keywords {
    fn write_fields(&self, to: &mut Digester) {
        let Keywords {
            types,
            values,
            references,
            all_of,
            any_of,
            one_of,
            not,
            condition,
            number,
            string,
            array,
            object,
            places: _,
        } = self;
        to.field(types);
        to.list(values, |to, list| to.field(&list[..]));
        for schemas in [references, all_of, not] {
            to.field(&schemas[..]);
        }
        to.field(&any_of.as_deref());
        to.field(&one_of.as_deref());
        to.field(condition);
        to.field(number);
        to.field(string);
        to.field(array);
        to.field(object);
        write_order(self, to);
    }
}

/// The names of the keywords in the order of the document, and which of them have one place, as
/// those of another document have.
fn write_order(keywords: &Keywords, to: &mut Digester) {
    let places = keywords.places.iter();
    let mut names: Vec<(usize, &str)> = places
        .map(|(name, place)| (place.span.start, name.as_str()))
        .collect();
    names.sort_by_key(|name| name.0);
    let mut before = None;
    to.list(&names, |to, &(start, name)| {
        to.flag(before.replace(start) == Some(start));
        to.text(name);
    });
}

impl DigestFields for Types {
    fn write_fields(&self, to: &mut Digester) {
        let &Types {
            null,
            boolean,
            integer,
            plain_integers,
            fraction,
            string,
            array,
            object,
        } = self;
        let types = [null, boolean, integer, plain_integers];
        let more = [fraction, string, array, object];
        types.into_iter().chain(more).for_each(|flag| to.flag(flag));
    }
}

impl DigestFields for SchemaId {
    fn write_fields(&self, to: &mut Digester) {
        to.number(self.0.into());
    }
}

impl DigestFields for u64 {
    fn write_fields(&self, to: &mut Digester) {
        to.number(*self);
    }
}

/// A name, and what is said of it.
impl<T: DigestFields> DigestFields for (String, T) {
    fn write_fields(&self, to: &mut Digester) {
        to.text(&self.0);
        to.field(&self.1);
    }
}

impl DigestFields for Vec<String> {
    fn write_fields(&self, to: &mut Digester) {
        to.field(&self[..]);
    }
}

impl DigestFields for JsonNode {
    fn write_fields(&self, to: &mut Digester) {
        match &self.value {
            JsonValue::Null => to.small(0),
            JsonValue::Bool(bool) => {
                to.small(1);
                to.flag(*bool);
            }
            JsonValue::Number(text) => {
                to.small(2);
                to.text(text);
            }
            JsonValue::String(text) => {
                to.small(3);
                to.text(text);
            }
            JsonValue::Array(items) => {
                to.small(4);
                to.field(&items[..]);
            }
            JsonValue::Object(members) => {
                to.small(5);
                to.list(members, |to, member| {
                    to.text(&member.key);
                    to.field(&member.value);
                });
            }
        }
    }
}

impl DigestFields for Condition {
    fn write_fields(&self, to: &mut Digester) {
        let Condition {
            test,
            then,
            otherwise,
        } = self;
        to.field(test);
        to.field(then);
        to.field(otherwise);
    }
}

impl DigestFields for NumberKeywords {
    fn write_fields(&self, to: &mut Digester) {
        let NumberKeywords {
            minimum,
            maximum,
            exclusive_minimum,
            exclusive_maximum,
            multiple_of,
        } = self;
        let bounds = [minimum, maximum, exclusive_minimum, exclusive_maximum];
        bounds.into_iter().for_each(|bound| to.field(bound));
        to.field(multiple_of);
    }
}

impl DigestFields for StringKeywords {
    fn write_fields(&self, to: &mut Digester) {
        let StringKeywords {
            min_length,
            max_length,
            pattern,
            format,
            format_of_draft_3,
        } = self;
        to.field(min_length);
        to.field(max_length);
        to.field(pattern);
        to.field(format);
        to.field(format_of_draft_3);
    }
}

impl DigestFields for ArrayKeywords {
    fn write_fields(&self, to: &mut Digester) {
        let ArrayKeywords {
            prefix,
            items,
            unevaluated,
            contains,
            contains_evaluates,
            min_contains,
            max_contains,
            min_items,
            max_items,
            unique,
        } = self;
        to.field(&prefix[..]);
        for schema in [items, unevaluated, contains] {
            to.field(schema);
        }
        to.field(contains_evaluates);
        to.field(min_contains);
        to.field(max_contains);
        to.field(min_items);
        to.field(max_items);
        to.small(match unique {
            Unique::No => 0,
            Unique::WhereTold => 1,
            Unique::Yes => 2,
        });
    }
}

impl DigestFields for ObjectKeywords {
    fn write_fields(&self, to: &mut Digester) {
        let ObjectKeywords {
            declares,
            properties,
            patterns,
            additional,
            unevaluated,
            names,
            required,
            min_properties,
            max_properties,
            dependent_required,
            dependent_schemas,
        } = self;
        to.field(declares);
        to.field(&properties[..]);
        to.field(&patterns[..]);
        for schema in [additional, unevaluated, names] {
            to.field(schema);
        }
        to.field(required);
        to.field(min_properties);
        to.field(max_properties);
        to.field(&dependent_required[..]);
        to.field(&dependent_schemas[..]);
    }
}
