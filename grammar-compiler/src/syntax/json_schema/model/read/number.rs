//! Keywords about numbers.

use super::Reading;
use crate::error::Code;
use crate::syntax::json_schema::document::{JsonNode, JsonValue};
use crate::syntax::json_schema::model::{NumberKeywords, SchemaPlace};
use crate::syntax::json_schema::refusal::warn;

impl<'d> Reading<'_, 'd, '_> {
    pub fn numbers(&mut self) -> NumberKeywords {
        let (minimum, exclusive_minimum) = self.bound("minimum", "exclusiveMinimum");
        let (maximum, exclusive_maximum) = self.bound("maximum", "exclusiveMaximum");
        let multiple_of = self
            .positive("multipleOf")
            .or_else(|| self.positive("divisibleBy"));
        NumberKeywords {
            minimum,
            maximum,
            exclusive_minimum,
            exclusive_maximum,
            multiple_of,
        }
    }

    /// A bound, and the exclusive one. Where the latter is `true`, the former is meant.
    fn bound(&mut self, name: &str, exclusive: &str) -> (Option<String>, Option<String>) {
        let bound = self.number(name);
        let Some((value, place)) = self.take(exclusive) else {
            return (bound, None);
        };
        match (&value.value, bound) {
            (JsonValue::Bool(true), Some(bound)) => (None, Some(bound)),
            (JsonValue::Bool(true), None) => {
                let why = format!("ignored: there is no `{name}` that it could change");
                let help = format!("write `\"{exclusive}\": ` and the bound");
                self.warning(warn(Code::SchemaDraft, &place, exclusive, why, help));
                (None, None)
            }
            (JsonValue::Bool(false), bound) => (bound, None),
            (_, bound) => (bound, self.number_of(exclusive, value, &place)),
        }
    }

    fn number(&mut self, name: &str) -> Option<String> {
        let (value, place) = self.take(name)?;
        self.number_of(name, value, &place)
    }

    fn number_of(
        &mut self,
        name: &str,
        value: &'d JsonNode,
        place: &SchemaPlace,
    ) -> Option<String> {
        match &value.value {
            JsonValue::Number(text) => Some(text.clone()),
            _ => {
                let help = "write a number such as `0` or `-1.5`";
                self.wrong_kind(name, place, value, "a number", help);
                None
            }
        }
    }

    fn positive(&mut self, name: &str) -> Option<String> {
        let number = self.number(name)?;
        let mantissa = number.split(['e', 'E']).next().unwrap_or("");
        let is_zero = !mantissa.contains(|c| ('1'..='9').contains(&c));
        if is_zero || number.starts_with('-') {
            let place = self.member(name).map(|member| self.place_of(member));
            let why = format!("expected a positive number, found `{number}`");
            let help = "write a number such as `5` or `0.01`";
            self.malformed(name, &place.unwrap_or_default(), why, help);
            return None;
        }
        Some(number)
    }
}
