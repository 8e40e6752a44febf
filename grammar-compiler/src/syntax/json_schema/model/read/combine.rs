//! References, combinators, types and lists of values.

use super::Reading;
use crate::syntax::json_schema::document::{JsonNode, JsonValue};
use crate::syntax::json_schema::model::draft::Draft;
use crate::syntax::json_schema::model::{
    Condition, Keywords, REFERENCES, SchemaId, SchemaPlace, Types, pointer,
};

impl<'d> Reading<'_, 'd, '_> {
    pub fn references(&mut self, keywords: &mut Keywords) {
        for name in REFERENCES {
            keywords.references.extend(self.reference(name));
        }
    }

    pub fn combinators(&mut self, keywords: &mut Keywords) {
        keywords.all_of = self.schemas("allOf").unwrap_or_default();
        keywords.any_of = self.schemas("anyOf");
        keywords.one_of = self.schemas("oneOf");
        keywords.not.extend(self.schema("not"));
        keywords.condition = self.condition();
        self.extends(keywords);
        self.disallow(keywords);
    }

    fn condition(&mut self) -> Option<Condition> {
        let follows = |name| self.member(name).is_some();
        if !(follows("then") || follows("else") || self.asks_what_was_evaluated()) {
            return None;
        }
        // Without `if` nothing is said about `then` and `else`; they are not read.
        let test = self.schema("if")?;
        Some(Condition {
            test,
            then: self.schema("then"),
            otherwise: self.schema("else"),
        })
    }

    /// Draft 3: a schema or several that hold too.
    fn extends(&mut self, keywords: &mut Keywords) {
        let Some((value, place)) = self.take("extends") else {
            return;
        };
        match &value.value {
            JsonValue::Array(_) => {
                let more = self.list_of_schemas("extends", value, &place);
                keywords.all_of.extend(more);
            }
            _ => keywords
                .all_of
                .push(self.schema_at("extends", value, &place)),
        }
    }

    /// Draft 3: types and schemas, none of which may hold.
    fn disallow(&mut self, keywords: &mut Keywords) {
        let Some((value, place)) = self.take("disallow") else {
            return;
        };
        let Alternatives { types, schemas } = self.alternatives("disallow", value, &place);
        keywords.types = types.complement();
        keywords.not.extend(schemas);
    }

    /// `type`, `enum`, `const`.
    pub fn values(&mut self, keywords: &mut Keywords) {
        self.types(keywords);
        if let Some((value, place)) = self.take("enum") {
            match &value.value {
                JsonValue::Array(values) => keywords.values.push(values.clone()),
                _ => {
                    let help = "write a list of values, or `const` for one value";
                    self.wrong_kind("enum", &place, value, "a list of values", help);
                }
            }
        }
        if let Some((value, _)) = self.take("const") {
            keywords.values.push(vec![value.clone()]);
        }
    }

    fn types(&mut self, keywords: &mut Keywords) {
        let Some((value, place)) = self.take("type") else {
            return;
        };
        let Alternatives {
            mut types,
            mut schemas,
        } = self.alternatives("type", value, &place);
        types.plain_integers =
            self.dialect.draft <= Draft::Draft4 && types.integer && !types.fraction;
        if schemas.is_empty() {
            keywords.types = keywords.types.both(types);
            return;
        }
        // Draft 3: one of the types, or one of the schemas. The types by name become schemas too.
        if types != Types::NONE {
            schemas.push(self.types_as_schema(types, &place));
        }
        // Draft 3 has no other `anyOf`.
        keywords.any_of = Some(schemas);
    }

    /// Type names, and in draft 3 also schemas.
    fn alternatives(
        &mut self,
        name: &str,
        value: &'d JsonNode,
        place: &SchemaPlace,
    ) -> Alternatives {
        let mut found = Alternatives {
            types: Types::NONE,
            schemas: Vec::new(),
        };
        let several = match &value.value {
            JsonValue::Array(items) => items.as_slice(),
            _ => std::slice::from_ref(value),
        };
        if several.is_empty() {
            let help = "remove it to allow every type";
            self.malformed(name, place, "the list of types is empty", help);
        }
        for (index, item) in several.iter().enumerate() {
            if self.stops() {
                break;
            }
            let step = match &value.value {
                JsonValue::Array(_) => self.inner(place, &index.to_string(), pointer::label(item)),
                _ => place.clone(),
            };
            match &item.value {
                JsonValue::String(text) => self.type_name(name, text, place, &mut found.types),
                JsonValue::Object(_) if self.is_draft_3() => {
                    found.schemas.push(self.schema_at(name, item, &step));
                }
                _ => {
                    let help = "write a type's name, or a list of such names";
                    self.wrong_kind(name, place, item, "the name of a type", help);
                }
            }
        }
        found
    }

    fn type_name(&mut self, name: &str, text: &str, place: &SchemaPlace, types: &mut Types) {
        match text {
            "null" => types.null = true,
            "boolean" => types.boolean = true,
            "integer" => types.integer = true,
            "number" => (types.integer, types.fraction) = (true, true),
            "string" => types.string = true,
            "array" => types.array = true,
            "object" => types.object = true,
            "any" if self.is_draft_3() => *types = Types::ALL,
            _ => {
                let help = match text {
                    "any" => "remove it to allow every type",
                    "int" | "int32" | "int64" | "long" => "write `integer`",
                    "float" | "double" | "decimal" => "write `number`",
                    "str" | "text" | "date" | "uuid" => "write `string`",
                    "bool" => "write `boolean`",
                    "list" | "tuple" => "write `array`",
                    "dict" | "map" => "write `object`",
                    "nil" | "none" | "None" => "write `null`",
                    _ => {
                        "the types are `null`, `boolean`, `integer`, `number`, `string`, `array`, `object`"
                    }
                };
                self.malformed(name, place, format!("there is no type `{text}`"), help);
            }
        }
    }
}

/// What `type` and `disallow` list.
struct Alternatives {
    types: Types,
    schemas: Vec<SchemaId>,
}

impl Types {
    fn zip(self, other: Types, op: impl Fn(bool, bool) -> bool) -> Types {
        Types {
            null: op(self.null, other.null),
            boolean: op(self.boolean, other.boolean),
            integer: op(self.integer, other.integer),
            plain_integers: self.plain_integers || other.plain_integers,
            fraction: op(self.fraction, other.fraction),
            string: op(self.string, other.string),
            array: op(self.array, other.array),
            object: op(self.object, other.object),
        }
    }

    fn complement(self) -> Types {
        Types {
            plain_integers: false,
            ..self.zip(Types::ALL, |one, _| !one)
        }
    }

    fn both(self, other: Types) -> Types {
        self.zip(other, |one, other| one && other)
    }
}
