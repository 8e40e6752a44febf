//! Keywords about strings.

use super::Reading;
use crate::schema::model::StringKeywords;

impl Reading<'_, '_, '_> {
    pub fn strings(&mut self) -> StringKeywords {
        StringKeywords {
            min_length: self.count("minLength").unwrap_or(0),
            max_length: self.count("maxLength"),
            pattern: self.string("pattern"),
            format: self.string("format").filter(|_| !self.is_published()),
        }
    }
}
