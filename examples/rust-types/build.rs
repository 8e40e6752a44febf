//! From the Rust type to its schema, and from that to tables for cl100k_base.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};

#[allow(dead_code)]
#[path = "src/booking.rs"]
mod booking;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=src/booking.rs");
    maskwright_compiler::Builder::new()
        .vocabulary_named("cl100k_base")
        .schema(
            "BOOKING",
            schema_of::<booking::Booking>().as_value().to_string(),
        )
        .emit("grammars.rs")?;
    Ok(())
}

/// The schema of what deserializes into `T`.
fn schema_of<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    let settings = settings.with_transform(RecursiveTransform(bounds_of_integers));
    settings.into_generator().into_root_schema_for::<T>()
}

/// Schemas that are derived say `"format": "uint32"` where a `u32` is wanted, and a schema's reader may take that for
/// a remark. The bounds of the type say it in the schema's own words.
fn bounds_of_integers(schema: &mut Schema) {
    let bounds: (i64, u64) = match schema.get("format").and_then(|format| format.as_str()) {
        Some("int8") => (i8::MIN.into(), i8::MAX as u64),
        Some("int16") => (i16::MIN.into(), i16::MAX as u64),
        Some("int32") => (i32::MIN.into(), i32::MAX as u64),
        Some("int64") => (i64::MIN, i64::MAX as u64),
        Some("uint8") => (0, u8::MAX.into()),
        Some("uint16") => (0, u16::MAX.into()),
        Some("uint32") => (0, u32::MAX.into()),
        Some("uint64") => (0, u64::MAX),
        _ => return,
    };
    if !schema.get("minimum").is_some_and(|bound| bound.is_number()) {
        schema.insert("minimum".into(), bounds.0.into());
    }
    if !schema.get("maximum").is_some_and(|bound| bound.is_number()) {
        schema.insert("maximum".into(), bounds.1.into());
    }
}
