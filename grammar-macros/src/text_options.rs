//! How a text is read, by options after it.
//!
//! In: tokens such as `, whitespace = "compact", lenient = ["uniqueItems"]` or `, root = "list"`. Out: the text with these options.

use maskwright_compiler::syntax::GrammarText;
use maskwright_compiler::syntax::json_schema::{SchemaOptions, SetError};
use maskwright_compiler::syntax::structural_tag::TagOptions;
use maskwright_compiler::syntax::tools::ToolOptions;
use proc_macro2::Span;
use syn::parse::ParseStream;
use syn::{Ident, LitBool, LitStr, Token, bracketed, token};

use crate::options::wrong_option;

/// Options of structural tags: see [`TagOptions`].
const TAGS: [&str; 2] = ["spelled", "outer_ends"];

/// Reads the options up to the end of the item.
pub(crate) fn parse(input: ParseStream, text: GrammarText) -> syn::Result<GrammarText> {
    let (mut text, kind, mut schema) = (text.clone(), text.kind(), None);
    let mut tags = TagOptions::default();
    let mut tools = ToolOptions::default();
    while input.peek(Token![,]) {
        input.parse::<Token![,]>()?;
        let option: Ident = input.parse()?;
        let name = option.to_string();
        if name == "root" && kind.takes_root() {
            input.parse::<Token![=]>()?;
            text = text.root(input.parse::<LitStr>()?.value());
            continue;
        }
        if TAGS.contains(&name.as_str()) && kind.takes_tag_options() {
            input.parse::<Token![=]>()?;
            let flag = input.parse::<LitBool>()?.value;
            match name.as_str() {
                "spelled" => tags.spelled = flag,
                _ => tags.outer_ends = flag,
            }
            continue;
        }
        if ToolOptions::NAMES.contains(&name.as_str()) && kind.takes_tool_options() {
            input.parse::<Token![=]>()?;
            for (value, place) in values(input)? {
                let set = tools.set(&name, &value);
                set.map_err(|error| syn::Error::new(place, error))?;
            }
            continue;
        }
        let known = kind.takes_schema_options() && SchemaOptions::NAMES.contains(&name.as_str());
        if !known {
            return Err(unknown(&option, &text));
        }
        input.parse::<Token![=]>()?;
        set(schema.get_or_insert_default(), &name, &values(input)?)?;
    }
    text = text.tag_options(tags).tool_options(tools);
    Ok(match schema {
        Some(schema) => text.schema_options(schema),
        None => text,
    })
}

/// The error of an option that a text of this kind does not have.
fn unknown(option: &Ident, text: &GrammarText) -> syn::Error {
    let kind = text.kind();
    let roots = kind.takes_root().then_some("root");
    let schema = SchemaOptions::NAMES
        .into_iter()
        .filter(|_| kind.takes_schema_options());
    let tags = TAGS.into_iter().filter(|_| kind.takes_tag_options());
    let tools = ToolOptions::NAMES
        .into_iter()
        .filter(|_| kind.takes_tool_options());
    let options = roots.into_iter().chain(tools).chain(tags).chain(schema);
    let options: Vec<&str> = options.collect();
    let expected = match options.as_slice() {
        [] => "expected `;`: a regular expression takes no options".to_owned(),
        [others @ .., last] => format!("expected `{}` or `{last}`", others.join("`, `")),
    };
    wrong_option(option, &options, &expected)
}

/// The values of an option, each with its place: a string, a flag, or a list of strings.
fn values(input: ParseStream) -> syn::Result<Vec<(String, Span)>> {
    if input.peek(LitBool) {
        let flag: LitBool = input.parse()?;
        return Ok(vec![(flag.value.to_string(), flag.span)]);
    }
    let of = |text: LitStr| (text.value(), text.span());
    if !input.peek(token::Bracket) {
        return Ok(vec![of(input.parse()?)]);
    }
    let content;
    bracketed!(content in input);
    let texts = content.parse_terminated(|content| content.parse::<LitStr>(), Token![,])?;
    Ok(texts.into_iter().map(of).collect())
}

fn set(options: &mut SchemaOptions, name: &str, values: &[(String, Span)]) -> syn::Result<()> {
    let texts: Vec<&str> = values.iter().map(|(text, _)| text.as_str()).collect();
    options.set(name, &texts).map_err(|error| {
        let index = match error {
            SetError::Value { index, .. } => index,
            _ => 0,
        };
        let place = values
            .get(index)
            .map_or_else(Span::call_site, |(_, place)| *place);
        syn::Error::new(place, error)
    })
}
