//! Arguments in models' own styles: accepted as templates render them, read back from what is
//! generated.

mod brackets;
mod errors;
mod exhaustive;
mod own;
mod random;
mod render;
mod rules;
mod tags;
mod tokens;

use maskwright_tests::read_arguments as read;
