//! The independent validator.

use serde_json::Value;

/// Says which values a schema allows.
pub struct Judge(jsonschema::Validator);

impl Judge {
    /// The judge of a schema, formats included.
    pub fn new(schema: &Value) -> Self {
        let options = jsonschema::options().should_validate_formats(true);
        Judge(
            options
                .build(schema)
                .expect("the validator knows the schema"),
        )
    }

    /// Whether the value is valid.
    pub fn allows(&self, value: &Value) -> bool {
        self.0.is_valid(value)
    }
}
