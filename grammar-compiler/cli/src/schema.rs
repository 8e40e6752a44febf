//! What commands take about JSON Schemas.

use crate::failure::Failure;
use crate::read::read_grammar;
use crate::settings::Given;
use maskwright_compiler::limits::Limits;
use maskwright_compiler::syntax::json_schema::{Resolver, SchemaOptions};
use std::collections::BTreeMap;

/// How the texts of a JSON Schema's values are written, and how strictly the schema is read.
#[derive(clap::Args)]
#[command(next_help_heading = "JSON Schema")]
pub struct SchemaArgs {
    #[command(flatten)]
    given: Given<SchemaOptions>,
    /// Another document that the schema refers to, by the URI it is referred to; may be given
    /// several times.
    #[arg(long, value_name = "URI=FILE")]
    document: Vec<String>,
}

impl SchemaArgs {
    /// The options, defaults where none is given. Reads the documents.
    pub fn options(&self, limits: &Limits) -> Result<SchemaOptions, Failure> {
        let options = self.given.0.clone();
        Ok(options.resolver(self.resolver(limits)?))
    }

    /// Whether any option is given.
    pub fn are_given(&self) -> bool {
        !self.document.is_empty() || self.given.0 != SchemaOptions::default()
    }

    fn resolver(&self, limits: &Limits) -> Result<Option<Resolver>, Failure> {
        let mut documents = BTreeMap::new();
        for document in &self.document {
            let Some((uri, path)) = document.rsplit_once('=') else {
                let message = format!("--document {document}: expected URI=FILE");
                return Err(Failure::Usage(message));
            };
            let uri = uri.split('#').next().unwrap_or(uri);
            documents.insert(uri.to_owned(), read_grammar(path.as_ref(), limits)?);
        }
        let ask = move |uri: &str| documents.get(uri).cloned();
        Ok((!self.document.is_empty()).then(|| Resolver::new(ask)))
    }
}
