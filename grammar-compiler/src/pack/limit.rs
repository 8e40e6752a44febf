//! What the layout cannot name.

use crate::limits::LimitExceeded;

/// The error of a table that would have more words or records than the layout can name.
pub fn too_large(what: &str, limit: usize) -> LimitExceeded {
    LimitExceeded::new(
        "table_bytes",
        limit,
        format!("the grammar needs too many {what}"),
    )
}
