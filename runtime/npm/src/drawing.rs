//! The automaton of a request as a picture, as `maskwright graph` draws it.

use maskwright_cli::drawing::{Drawing, svg};
use maskwright_compiler::{Automaton, Error};
use serde_json::{Value, json};

use crate::objects::Failure;
use crate::request;
use crate::vocabulary::Vocabulary;

/// Automata with more arrows are not drawn: nobody could read the picture.
const MAX_ARROWS: usize = 4000;

/// The picture: `{"states", "arrows", "svg"}`; `svg` is null for an automaton that is too large.
pub(crate) fn draw(request: &Value, vocabulary: &Vocabulary) -> Result<Value, Failure> {
    let options = request::compile_options(request)?;
    let text = request::text(request)?.tokens(vocabulary.compiler.tokens());
    let parsed = text.parse(&options.limits)?;
    let automaton = Automaton::new(&parsed.grammar, &options);
    let automaton = automaton.map_err(|error: Error| error.or_in_sources(&parsed.sources))?;
    let drawing = Drawing::new(&automaton);
    let is_small = drawing.arrows.len() <= MAX_ARROWS;
    Ok(json!({
        "states": drawing.nodes.len(),
        "arrows": drawing.arrows.len(),
        "svg": is_small.then(|| svg::svg(&drawing)),
    }))
}
