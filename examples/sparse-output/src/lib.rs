//! Constrained decoding that is faster than free decoding: the transformer is asked for no more
//! than the mask leaves open.
//!
//! - [`model`]: a small decoder-only transformer with weights made on the spot.
//! - [`output`]: its output layer, whole or only some rows of it.
//! - [`decode`]: the decoding loop, and the two ways to do less in it.
//! - [`spell`]: texts in the longest tokens.

pub mod decode;
pub mod model;
pub mod output;
pub mod spell;

include!(concat!(env!("OUT_DIR"), "/grammars.rs"));

/// What the user says.
pub const PROMPTS: [&str; 8] = [
    "Make it warmer in the kitchen.",
    "Remind me to water the plants in an hour, please.",
    "Play something by Nina Simone, not too loud.",
    "The bedroom is far too hot at night, turn it down to eighteen.",
    "Wake me every day at seven.",
    "Put on some jazz.",
    "Is it possible to keep the hallway at fifteen degrees until I change it again?",
    "Don't let me forget the cake in the oven!",
];
