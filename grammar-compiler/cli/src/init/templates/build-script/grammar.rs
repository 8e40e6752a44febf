//! Decodes a trip under the schema of `schemas/trip.json`, which the build script compiles.

// `static TRIP: maskwright::Grammar` and `type TripMatcher`.
include!(concat!(env!("OUT_DIR"), "/grammars.rs"));

