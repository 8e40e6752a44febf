//! The schemas of the requests.

/// Twenty schemas: tools, records, lists, a tree.
const SCHEMAS: &str = include_str!("../schemas.json");

/// The text of each schema.
///
/// # Errors
///
/// If the file is not a list of values.
pub fn schemas() -> serde_json::Result<Vec<String>> {
    let schemas: Vec<serde_json::Value> = serde_json::from_str(SCHEMAS)?;
    Ok(schemas.iter().map(ToString::to_string).collect())
}
