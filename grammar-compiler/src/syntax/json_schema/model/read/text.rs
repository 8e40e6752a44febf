//! Keywords about strings.

use super::Reading;
use crate::error::Code;
use crate::syntax::json_schema::model::StringKeywords;
use crate::syntax::json_schema::refusal::warn;

/// Formats of draft 3 that it gives no grammar for.
const WITHOUT_GRAMMAR: [&str; 4] = ["color", "phone", "style", "utc-millisec"];

impl Reading<'_, '_, '_> {
    pub fn strings(&mut self) -> StringKeywords {
        StringKeywords {
            min_length: self.count("minLength").unwrap_or(0),
            max_length: self.count("maxLength"),
            pattern: self.string("pattern"),
            format_of_draft_3: self.is_draft_3() && self.member("format").is_some(),
            format: self.format(),
        }
    }

    fn format(&mut self) -> Option<String> {
        let format = self.string("format").filter(|_| !self.is_published())?;
        if self.is_draft_3() && WITHOUT_GRAMMAR.contains(&format.as_str()) {
            let member = self.member("format")?;
            let place = self.place_of(member);
            let why = format!("`{format}` is ignored: draft 3 gives no grammar for it");
            let help =
                "say by `pattern` or `enum` which strings there may be, or by bounds which numbers";
            self.warning(warn(Code::SchemaFormat, &place, "format", why, help));
        }
        Some(format)
    }
}
