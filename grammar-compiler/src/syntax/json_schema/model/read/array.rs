//! Keywords about arrays.

use super::Reading;
use crate::error::Code;
use crate::syntax::json_schema::document::JsonValue;
use crate::syntax::json_schema::model::draft::Draft;
use crate::syntax::json_schema::model::{ArrayKeywords, SchemaId, Unique};
use crate::syntax::json_schema::refusal::warn;

impl Reading<'_, '_, '_> {
    pub fn arrays(&mut self) -> ArrayKeywords {
        let (prefix, items) = self.items();
        let contains = self.schema("contains");
        ArrayKeywords {
            prefix,
            items,
            unevaluated: self.schema("unevaluatedItems"),
            contains,
            contains_evaluates: contains.is_some() && self.dialect.draft >= Draft::Draft2020,
            min_contains: self.count("minContains").filter(|_| contains.is_some()),
            max_contains: self.count("maxContains").filter(|_| contains.is_some()),
            min_items: self.count("minItems").unwrap_or(0),
            max_items: self.count("maxItems"),
            unique: match (self.flag("uniqueItems"), self.is_published()) {
                (false, _) => Unique::No,
                (true, true) => Unique::WhereTold,
                (true, false) => Unique::Yes,
            },
        }
    }

    /// The schemas of the first items, and of the further ones.
    fn items(&mut self) -> (Vec<SchemaId>, Option<SchemaId>) {
        let prefix = self.schemas("prefixItems");
        let is_list = |member: &crate::syntax::json_schema::document::Member| {
            matches!(member.value.value, JsonValue::Array(_))
        };
        if prefix.is_some() || !self.member("items").is_some_and(is_list) {
            return (prefix.unwrap_or_default(), self.schema("items"));
        }
        let Some((value, place)) = self.take("items") else {
            return Default::default();
        };
        if self.dialect.declared && self.dialect.draft == Draft::Draft2020 {
            let why = "a list here is of older drafts; read as `prefixItems`";
            let help = "write `prefixItems`, and `items` in place of `additionalItems`";
            self.warning(warn(Code::SchemaDraft, &place, "items", why, help));
        }
        let prefix = self.list_of_schemas("items", value, &place);
        (prefix, self.additional_items())
    }

    /// The schema of the items after a list in `items`.
    fn additional_items(&mut self) -> Option<SchemaId> {
        let member = self.member("additionalItems")?;
        let place = self.place_of(member);
        self.note(member.key.as_str(), &place);
        Some(self.schema_at("additionalItems", &member.value, &place))
    }

    /// The keyword `name`, whose value is a boolean; `false` if it is absent.
    fn flag(&mut self, name: &str) -> bool {
        let Some((value, place)) = self.take(name) else {
            return false;
        };
        match value.value {
            JsonValue::Bool(flag) => flag,
            _ => {
                let help = "write `true` or `false`";
                self.wrong_kind(name, &place, value, "a boolean", help);
                false
            }
        }
    }
}
