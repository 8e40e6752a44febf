//! Keywords about objects.

use super::Reading;
use crate::syntax::json_schema::document::{JsonValue, Member};
use crate::syntax::json_schema::model::{ObjectKeywords, SchemaPlace};

impl<'d> Reading<'_, 'd, '_> {
    pub fn objects(&mut self) -> ObjectKeywords {
        let declares = ["properties", "patternProperties"].iter().any(|name| {
            let member = self.member(name);
            member.is_some_and(|member| member.value.value != JsonValue::Null)
        });
        let mut keywords = ObjectKeywords {
            declares,
            properties: self.named_schemas("properties"),
            patterns: self.named_schemas("patternProperties"),
            additional: self.schema("additionalProperties"),
            unevaluated: self.schema("unevaluatedProperties"),
            names: self.schema("propertyNames"),
            required: self.required(),
            min_properties: self.count("minProperties").unwrap_or(0),
            max_properties: self.count("maxProperties"),
            dependent_required: Vec::new(),
            dependent_schemas: self.named_schemas("dependentSchemas"),
        };
        self.dependent_required(&mut keywords);
        self.dependencies(&mut keywords);
        keywords
    }

    fn required(&mut self) -> Vec<String> {
        if self.is_draft_3() {
            return self.required_properties();
        }
        let Some((value, place)) = self.take("required") else {
            return Vec::new();
        };
        if matches!(value.value, JsonValue::Bool(_)) {
            let why = "expected a list of names, found a boolean";
            let help = "list the property's name in the `required` of the object that has it; \
                        a schema of draft 3 says `\"$schema\": \"http://json-schema.org/draft-03/schema#\"`";
            self.malformed("required", &place, why, help);
            return Vec::new();
        }
        self.names("required", value, &place)
    }

    /// Draft 3: the properties whose schemas say `required: true`.
    fn required_properties(&self) -> Vec<String> {
        let properties = self.member("properties").and_then(|m| m.value.members());
        let is_required = |member: &&Member| {
            let flag = member.value.get("required").map(|flag| &flag.value);
            flag == Some(&JsonValue::Bool(true))
        };
        let required = properties.unwrap_or_default().iter().filter(is_required);
        required.map(|member| member.key.clone()).collect()
    }

    /// The members of a keyword whose value is an object by names of properties, and its place.
    fn take_members(&mut self, name: &str) -> Option<(&'d [Member], SchemaPlace)> {
        let (value, place) = self.take(name)?;
        let members = value.members();
        if members.is_none() {
            let help = "write an object such as `{\"a\": [\"b\"]}`";
            self.wrong_kind(name, &place, value, "an object", help);
        }
        Some((members?, place))
    }

    fn dependent_required(&mut self, keywords: &mut ObjectKeywords) {
        let name = "dependentRequired";
        let Some((members, place)) = self.take_members(name) else {
            return;
        };
        for Member { key, span, value } in members {
            let place = self.inner(&place, key, *span);
            let names = self.names(name, value, &place);
            keywords.dependent_required.push((key.clone(), names));
        }
    }

    /// Lists of names and schemas together; in draft 3 also single names.
    fn dependencies(&mut self, keywords: &mut ObjectKeywords) {
        let name = "dependencies";
        let Some((members, place)) = self.take_members(name) else {
            return;
        };
        for Member { key, span, value } in members {
            let place = self.inner(&place, key, *span);
            match &value.value {
                JsonValue::Array(_) => {
                    let names = self.names(name, value, &place);
                    keywords.dependent_required.push((key.clone(), names));
                }
                JsonValue::String(other) if self.is_draft_3() => {
                    let names = vec![other.clone()];
                    keywords.dependent_required.push((key.clone(), names));
                }
                _ => {
                    let schema = self.schema_at(name, value, &place);
                    keywords.dependent_schemas.push((key.clone(), schema));
                }
            }
        }
    }
}
