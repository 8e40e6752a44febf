//! What commands take about JSON Schemas.

use crate::failure::Failure;
use crate::read::read_grammar;
use maskwright_compiler::limits::Limits;
use maskwright_compiler::syntax::json_schema::model::{self, Draft, Resolver};
use maskwright_compiler::syntax::json_schema::numbers::{Digits, NumberForms};
use maskwright_compiler::syntax::json_schema::strings::Escapes;
use maskwright_compiler::syntax::json_schema::{
    DocumentFolder, KeyOrder, SchemaOptions, Style, Whitespace,
};
use std::collections::BTreeMap;

/// How the texts of a JSON Schema's values are written, and how strictly the schema is read.
#[derive(clap::Args)]
#[command(next_help_heading = "JSON Schema")]
pub struct SchemaArgs {
    /// JSON, or the way in which a model writes the arguments of a tool, such as `qwen_xml`; all styles are in docs/json-schema.md [default: json].
    #[arg(long, value_name = "json|qwen_xml|…")]
    style: Option<Style>,
    /// The whole value is the arguments of a tool, which only objects are, also in the style `json`.
    #[arg(long)]
    arguments: bool,
    /// Blanks between tokens: none; one after each comma and colon; as models write: either of these, or lines with up to N blanks before each
    /// element; up to N wherever JSON allows some; a line for each element with N more spaces a level [default: flexible:1].
    #[arg(long, value_name = "compact|spaced|usual:N|flexible:N|indent:N")]
    whitespace: Option<Whitespace>,
    /// The text begins and ends with the value, without the blanks that `usual` allows there.
    #[arg(long)]
    no_outer_blanks: bool,
    /// The order of an object's keys: the schema's, or any [default: schema].
    #[arg(long, value_name = "schema|any")]
    key_order: Option<KeyOrder>,
    /// How a string's characters may be written: in every way; printable ASCII as itself; in the shortest way [default: any].
    #[arg(long, value_name = "any|natural|shortest")]
    escapes: Option<Escapes>,
    /// The same for names, constants and strings of a pattern or format [default: natural].
    #[arg(long, value_name = "any|natural|shortest")]
    constrained_escapes: Option<Escapes>,
    /// Numbers have no exponents.
    #[arg(long)]
    no_exponents: bool,
    /// Integers may be written with zeros after a point, as in 1.0.
    #[arg(long)]
    integral_fractions: bool,
    /// The most digits of a number: before the point, behind it, of the exponent [default: any number].
    #[arg(long, value_name = "INTEGER[,FRACTION[,EXPONENT]]")]
    digits: Option<Digits>,
    /// A text that no string and no key contains as it is written; may be given several times.
    #[arg(long, value_name = "TEXT")]
    exclude: Vec<String>,
    /// Ignore these keywords, with a warning, where they cannot be honoured exactly.
    #[arg(long, value_name = "KEYWORD", value_delimiter = ',', value_parser = keyword)]
    lenient: Vec<String>,
    /// The draft of schemas that do not say [default: 2020-12].
    #[arg(long, value_name = "3|4|6|7|2019-09|2020-12")]
    draft: Option<Draft>,
    /// `format` is only an annotation.
    #[arg(long)]
    no_formats: bool,
    /// Formats of numbers are demanded: `int32`, `uint64`, `double` and their like, as derived schemas have them.
    #[arg(long)]
    number_formats: bool,
    /// Objects have no properties that their schema does not declare, unless it says so. In structural tags that is so anyway.
    #[arg(long)]
    no_undeclared: bool,
    /// Another document that the schema refers to, by the URI it is referred to; may be given several times.
    #[arg(long, value_name = "URI=FILE")]
    document: Vec<String>,
    /// A folder of other documents, and the URI that it stands for, such as `remotes=http://localhost:1234/`; may be given several times.
    #[arg(long, value_name = "DIR=BASE-URI")]
    documents: Vec<DocumentFolder>,
}

fn keyword(text: &str) -> Result<String, String> {
    model::keyword_named(text).map(str::to_owned)
}

impl SchemaArgs {
    /// The options, defaults where none is given. Reads the documents.
    pub fn options(&self, limits: &Limits) -> Result<SchemaOptions, Failure> {
        let SchemaArgs {
            style,
            arguments,
            whitespace,
            no_outer_blanks,
            key_order,
            escapes,
            constrained_escapes,
            no_exponents,
            integral_fractions,
            digits,
            exclude,
            lenient,
            draft,
            no_formats,
            number_formats,
            no_undeclared,
            document: _,
            documents,
        } = self;
        let default = SchemaOptions::default();
        Ok(SchemaOptions::default()
            .style(style.unwrap_or(default.style))
            .form(None)
            .arguments(default.arguments || *arguments)
            .whitespace(whitespace.unwrap_or(default.whitespace))
            .outer_blanks(default.outer_blanks && !no_outer_blanks)
            .key_order(key_order.unwrap_or(default.key_order))
            .escapes(escapes.unwrap_or(default.escapes))
            .constrained_escapes(constrained_escapes.unwrap_or(default.constrained_escapes))
            .numbers(
                NumberForms::default()
                    .exponents(default.numbers.exponents && !no_exponents)
                    .integral_fractions(default.numbers.integral_fractions || *integral_fractions)
                    .digits(digits.unwrap_or(default.numbers.digits)),
            )
            .formats(default.formats && !no_formats)
            .number_formats(default.number_formats || *number_formats)
            .undeclared(default.undeclared && !no_undeclared)
            .excludes(exclude.clone())
            .lenient(lenient.clone())
            .draft(*draft)
            .resolver(self.resolver(limits)?)
            .documents(documents.clone()))
    }

    /// Whether any option is given.
    pub fn are_given(&self) -> bool {
        let default = SchemaOptions::default();
        self.options(&Limits::default())
            .map_or(true, |options| options != default)
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
