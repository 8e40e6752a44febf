//! From JSON to the elements of arguments, in a format whose arguments are of no style.
//!
//! In: the field `arguments`, if it is an object. Out: [`OwnedForm`], whose elements can be read
//! back.

use crate::syntax::fields::FieldReader;
use crate::syntax::json_schema::document::JsonNode;
use crate::syntax::json_schema::{FormFields, OwnedForm};
use std::sync::Arc;

impl FieldReader<'_> {
    /// Elements of arguments that no style has.
    pub(super) fn form(&mut self, node: &JsonNode) -> Option<Arc<OwnedForm>> {
        let what = "a form of arguments";
        let flags = ["gap", "lines", "trimmed", "blanks", "any_key"];
        let others = [
            "open",
            "key_end",
            "kinds",
            "integer",
            "kind_end",
            "end",
            "closing",
            "item",
            "forbidden",
            "not_first",
            "escapes",
        ];
        let known: Vec<&str> = others.into_iter().chain(flags).collect();
        self.only(node, what, &known);
        let plain = FormFields::default();
        let mut read = |name: &str| {
            let value = self.required(node, what, name)?;
            Some(self.text(name, value)?.value)
        };
        let (open, key_end, end) = (read("open")?, read("key_end")?, read("end")?);
        let optional = |reader: &mut Self, name: &str| {
            let value = reader.optional(node, name)?;
            Some(reader.text(name, value)?.value)
        };
        let characters = |reader: &mut Self, name: &str| -> Vec<char> {
            optional(reader, name).map_or_else(Vec::new, |text| text.chars().collect())
        };
        let fields = FormFields {
            open,
            key_end,
            end,
            gap: self.flag(node, "gap"),
            lines: self.flag(node, "lines"),
            trimmed: self.flag(node, "trimmed"),
            blanks: node.get("blanks").is_none() || self.flag(node, "blanks"),
            any_key: self.flag(node, "any_key"),
            kinds: self.kinds(node).unwrap_or(plain.kinds),
            integer: optional(self, "integer"),
            kind_end: optional(self, "kind_end").unwrap_or_default(),
            item: optional(self, "item"),
            closing: self.closing(node),
            forbidden: characters(self, "forbidden"),
            not_first: characters(self, "not_first").first().copied(),
            escapes: characters(self, "escapes"),
        };
        match OwnedForm::new("form of the format", fields) {
            Ok(form) => Some(Arc::new(form)),
            Err(error) => {
                let place = node.get(error.field).map_or(node.span, |value| value.span);
                let help = "what is written must be told apart when it is read back";
                self.malformed(place, error.to_string(), help);
                None
            }
        }
    }

    /// The words for the kinds of values:
    /// `{"null": …, "boolean": …, "number": …, "string": …, "array": …, "object": …}`.
    fn kinds(&mut self, node: &JsonNode) -> Option<[String; 6]> {
        let value = self.optional(node, "kinds")?;
        let names = ["null", "boolean", "number", "string", "array", "object"];
        self.only(value, "`kinds`", &names);
        let words = names.map(|name| self.required_text(value, "`kinds`", name));
        let words: Option<Vec<String>> = words.into_iter().map(|word| Some(word?.value)).collect();
        words?.try_into().ok()
    }

    /// What stands before and behind the key in a closing tag.
    fn closing(&mut self, node: &JsonNode) -> Option<(String, String)> {
        let value = self.optional(node, "closing")?;
        let texts = self.list("closing", value)?;
        let [before, behind] = texts else {
            let help = "write the texts before and behind the key: `[\"</\", \">\"]`";
            self.malformed(value.span, "`closing` is two texts", help);
            return None;
        };
        let before = self.text("closing", before)?.value;
        Some((before, self.text("closing", behind)?.value))
    }
}
