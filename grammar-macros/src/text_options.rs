//! How a text is read, by options after it.
//!
//! In: tokens such as `, whitespace = "compact", lenient = ["uniqueItems"]` or `, root = "list"`.
//! Out: the text with these options.

use maskwright_compiler::syntax::json_schema::SchemaOptions;
use maskwright_compiler::syntax::lark::LarkOptions;
use maskwright_compiler::syntax::structural_tag::TagOptions;
use maskwright_compiler::syntax::tools::ToolOptions;
use maskwright_compiler::syntax::{GrammarText, Kind, SetError, Settings};
use proc_macro2::Span;
use syn::parse::ParseStream;
use syn::{Ident, LitBool, LitStr, Token, bracketed, token};

use crate::options::wrong_option;

/// Reads the options up to the end of the item.
pub(crate) fn parse(input: ParseStream, mut text: GrammarText) -> syn::Result<GrammarText> {
    let kind = text.kind();
    let mut schema: Option<SchemaOptions> = None;
    let mut tags = TagOptions::default();
    let mut tools = ToolOptions::default();
    let mut lark = LarkOptions::default();
    while input.peek(Token![,]) {
        input.parse::<Token![,]>()?;
        let option: Ident = input.parse()?;
        if option == "root" && kind.takes_root() {
            input.parse::<Token![=]>()?;
            text = text.root(input.parse::<LitStr>()?.value());
        } else if kind.takes_tag_options() && has::<TagOptions>(&option) {
            set(&mut tags, &option, input)?;
        } else if kind.takes_lark_options() && has::<LarkOptions>(&option) {
            set(&mut lark, &option, input)?;
        } else if kind.takes_tool_options() && has::<ToolOptions>(&option) {
            set(&mut tools, &option, input)?;
        } else if kind.takes_schema_options() && has::<SchemaOptions>(&option) {
            set(schema.get_or_insert_default(), &option, input)?;
        } else {
            return Err(unknown(&option, kind));
        }
    }
    text = text
        .tag_options(tags)
        .tool_options(tools)
        .lark_options(lark);
    Ok(match schema {
        Some(schema) => text.schema_options(schema),
        None => text,
    })
}

fn has<O: Settings>(option: &Ident) -> bool {
    O::names().any(|name| option == name)
}

/// The error of an option that a text of this kind does not have.
fn unknown(option: &Ident, kind: Kind) -> syn::Error {
    let options = kind.option_names();
    let expected = match options.as_slice() {
        [] => "expected `;`: a regular expression takes no options".to_owned(),
        [only] => format!("expected `{only}`"),
        [others @ .., last] => format!("expected `{}` or `{last}`", others.join("`, `")),
    };
    let embeds_schemas = kind != Kind::JsonSchema && kind.takes_schema_options();
    let needed = match embeds_schemas && !Kind::JsonSchema.is_built() {
        true => "; options of schemas in it need the feature `json-schema` of `maskwright`",
        false => "",
    };
    wrong_option(option, &options, &format!("{expected}{needed}"))
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

/// Reads the values of an option and sets it.
fn set<O: Settings>(options: &mut O, option: &Ident, input: ParseStream) -> syn::Result<()> {
    input.parse::<Token![=]>()?;
    let values = values(input)?;
    let texts: Vec<&str> = values.iter().map(|(text, _)| text.as_str()).collect();
    let set = options.set_named(&option.to_string(), &texts);
    set.map_err(|error| {
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
