//! Decodes a trip under the schema of `schemas/trip.json`, which is compiled with the program.

maskwright::grammar! {
    // Another vocabulary: `for file "tokenizer.json"`, the file that comes with your model, and
    // the feature `files` of `maskwright`.
    static TRIP for "cl100k_base", schema_file = "schemas/trip.json", whitespace = "spaced";
}

