//! From the Rust type to its schema, and from that to tables for cl100k_base.

use maskwright_compiler::syntax::json_schema::SchemaOptions;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

#[allow(dead_code)]
#[path = "src/booking.rs"]
mod booking;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=src/booking.rs");
    maskwright_compiler::Builder::new()
        .vocabulary_named("cl100k_base")
        // Derived schemas give the width of integers as a format only.
        .schema_options(SchemaOptions::default().number_formats(true))
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
    settings.into_generator().into_root_schema_for::<T>()
}
