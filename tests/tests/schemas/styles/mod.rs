//! Arguments in models' own styles: accepted as templates render them, read back from what is generated.

mod brackets;
mod errors;
mod exhaustive;
mod own;
mod random;
mod read;
mod render;
mod rules;
mod tags;
mod tokens;
