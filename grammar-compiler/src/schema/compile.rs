//! All stages of a schema: one call a stage.

use super::document;
use super::lower::lower;
use super::model::{self, ModelOptions};
use super::options::SchemaOptions;
use super::values::Values;
use crate::error::{Diagnostic, Error};
use crate::grammar::Grammar;
use crate::limits::Deadline;
use crate::source::Source;

/// A schema's grammar.
#[derive(Clone, Debug)]
pub struct SchemaGrammar {
    /// The grammar of the texts of the schema's values.
    pub grammar: Grammar,
    /// What the user should know though the schema compiles: among others what `lenient` ignored.
    pub warnings: Vec<Diagnostic>,
}

/// The grammar of the texts of a schema's values.
///
/// # Errors
///
/// If the text is no JSON Schema, or demands what cannot be honoured exactly, or a limit is passed. That no
/// value satisfies the schema is found when the grammar is compiled.
pub fn to_grammar(source: &Source, options: &SchemaOptions) -> Result<SchemaGrammar, Error> {
    let refused = |diagnostics| Error::in_source(source, diagnostics);
    let deadline = Deadline::start(&options.limits);
    let document =
        document::parse(source, &options.limits).map_err(|error| refused(vec![error]))?;
    let reading = ModelOptions {
        draft: options.draft,
        resolver: options.resolver.clone(),
        lenient: options.lenient.clone(),
    };
    let model = model::build(&document, &reading).map_err(refused)?;
    let mut values = Values::new(&model, options, &deadline);
    let root = values.root();
    let grammar =
        lower(&mut values, root, options).map_err(|problem| refused(vec![problem.diagnostic()]))?;
    let ignored = values.ignored().iter().map(|p| p.clone().ignored());
    Ok(SchemaGrammar {
        grammar,
        warnings: model.warnings.iter().cloned().chain(ignored).collect(),
    })
}
