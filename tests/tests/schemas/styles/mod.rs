//! Arguments in the elements of models' own styles: accepted as templates render them, read back from what is generated.

mod errors;
mod random;
mod read;
mod render;
mod rules;
mod tags;
