//! Keywords about strings.

use super::Reading;
use crate::error::Code;
use crate::similar::is_slip;
use crate::syntax::json_schema::model::StringKeywords;
use crate::syntax::json_schema::refusal::warn;
use crate::syntax::json_schema::strings;

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
        if let Some(meant) = meant_format(&format) {
            let place = self.place_of(self.member("format")?);
            let why = format!("`{format}` is ignored: no draft knows it");
            let help = format!("did you mean `{meant}`?");
            self.warning(warn(Code::SchemaFormat, &place, "format", why, help));
        }
        Some(format)
    }
}

/// The format that is probably meant by a name that no draft knows: the same letters, or one slip
/// away.
fn meant_format(name: &str) -> Option<&'static str> {
    if strings::is_standard_format(name) || name.len() > 60 {
        return None;
    }
    let letters = |name: &str| name.to_ascii_lowercase().replace(['-', '_'], "");
    let written = letters(name);
    let same = |known: &&&str| letters(known) == written;
    let slip = |known: &&&str| is_slip(name, known);
    let formats = strings::STANDARD_FORMATS;
    let meant = formats.iter().find(same);
    meant.or_else(|| formats.iter().find(slip)).copied()
}

#[cfg(test)]
mod tests {
    use super::meant_format;

    #[test]
    fn a_format_that_is_nearly_known_is_asked_about() {
        for (name, meant) in [
            ("datetime", Some("date-time")),
            ("date_time", Some("date-time")),
            ("URL", None),
            ("url", Some("uri")),
            ("date", None),
            ("int32", None),
            ("password", None),
        ] {
            assert_eq!(meant_format(name), meant, "{name}");
        }
    }
}
