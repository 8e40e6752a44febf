//! What the layout cannot name.

use crate::limits::LimitExceeded;

/// The error of a table that would have more words or records than the layout can name.
pub fn too_large(what: &str, limit: usize) -> LimitExceeded {
    LimitExceeded {
        limit: "table_bytes",
        value: limit as u64,
        what: format!("the grammar needs too many {what}"),
    }
}
