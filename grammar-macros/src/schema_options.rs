//! How a JSON Schema is read, by options after its text.
//!
//! In: tokens such as `, whitespace = "compact", lenient = ["uniqueItems"]`. Out: [`SchemaOptions`].

use std::fmt::Display;
use std::str::FromStr;

use crate::input::wrong_option;
use maskwright_compiler::schema::model::keyword_named;
use maskwright_compiler::schema::{DocumentFolder, SchemaOptions};
use syn::parse::ParseStream;
use syn::{Ident, LitBool, LitStr, Token, bracketed};

/// The names of the options.
const OPTIONS: [&str; 12] = [
    "whitespace",
    "key_order",
    "escapes",
    "constrained_escapes",
    "draft",
    "exponents",
    "integral_fractions",
    "digits",
    "formats",
    "number_formats",
    "documents",
    "lenient",
];

/// Reads the options up to the end of the item.
pub(crate) fn parse(input: ParseStream) -> syn::Result<SchemaOptions> {
    let mut options = SchemaOptions::default();
    while input.peek(Token![,]) {
        input.parse::<Token![,]>()?;
        let option: Ident = input.parse()?;
        input.parse::<Token![=]>()?;
        match option.to_string().as_str() {
            "whitespace" => options.whitespace = named(input)?,
            "key_order" => options.key_order = named(input)?,
            "escapes" => options.escapes = named(input)?,
            "constrained_escapes" => options.constrained_escapes = named(input)?,
            "draft" => options.draft = Some(named(input)?),
            "exponents" => options.numbers.exponents = flag(input)?,
            "integral_fractions" => options.numbers.integral_fractions = flag(input)?,
            "digits" => options.numbers.digits = named(input)?,
            "formats" => options.formats = flag(input)?,
            "number_formats" => options.number_formats = flag(input)?,
            "documents" => options.documents = folders(input)?,
            "lenient" => options.lenient = keywords(input)?,
            _ => {
                let message = "expected `whitespace`, `key_order`, `escapes`, `constrained_escapes`, `draft`, \
                               `exponents`, `integral_fractions`, `digits`, `formats`, `number_formats`, `documents` or `lenient`";
                return Err(wrong_option(&option, &OPTIONS, message));
            }
        }
    }
    Ok(options)
}

/// A string that names a value.
fn named<T: FromStr<Err: Display>>(input: ParseStream) -> syn::Result<T> {
    let text: LitStr = input.parse()?;
    text.value()
        .parse()
        .map_err(|error| syn::Error::new(text.span(), error))
}

fn flag(input: ParseStream) -> syn::Result<bool> {
    Ok(input.parse::<LitBool>()?.value)
}

/// `["DIR=BASE-URI", …]`.
fn folders(input: ParseStream) -> syn::Result<Vec<DocumentFolder>> {
    let content;
    bracketed!(content in input);
    let folders = content.parse_terminated(named, Token![,])?;
    Ok(folders.into_iter().collect())
}

/// `["keyword", …]`.
fn keywords(input: ParseStream) -> syn::Result<Vec<String>> {
    let content;
    bracketed!(content in input);
    let names = content.parse_terminated(|content| content.parse::<LitStr>(), Token![,])?;
    let keyword = |name: &LitStr| match keyword_named(&name.value()) {
        Ok(keyword) => Ok(keyword.to_owned()),
        Err(why) => Err(syn::Error::new(name.span(), why)),
    };
    names.iter().map(keyword).collect()
}
