//! The macro's input.
//!
//! In: tokens. Out: [`Item`]s. What holds after: the tokens have the form that the macro's
//! documentation describes; no file was read and no name resolved.

use maskwright_compiler::pda::height::MAX_DEPTH;
use maskwright_compiler::syntax::{GrammarText, Kind};
use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::{
    Attribute, Ident, LitBool, LitInt, LitStr, Token, Visibility, braced, bracketed, parenthesized,
    token,
};

use crate::features::{check_files, check_kind};
use crate::options::{is_item_option, wrong_option};
use crate::rules::{self, Rule};
use crate::text_options;

/// All items of one invocation.
pub(crate) struct Input {
    pub(crate) items: Vec<Item>,
}

/// One grammar: `pub static NAME for VOCABULARY …`.
pub(crate) struct Item {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    pub(crate) vocabulary: Vocabulary,
    /// Refused if a matcher would need more than one stack.
    pub(crate) deterministic: bool,
    /// The `DEPTH` of its matcher, if it is fixed here.
    pub(crate) depth: Option<Depth>,
    /// The grammar above that its tables stand beside.
    pub(crate) beside: Option<Ident>,
    /// Whether its tools are linked.
    pub(crate) link: bool,
    pub(crate) grammar: Grammar,
}

/// `"name"` or `file "path"`, with what follows in parentheses.
pub(crate) struct Vocabulary {
    pub(crate) is_file: bool,
    pub(crate) name: LitStr,
    pub(crate) size: Option<u32>,
    pub(crate) eos: Option<Vec<u32>>,
    /// The path of a list of special tokens.
    pub(crate) special: Option<LitStr>,
}

/// The grammar of an item.
pub(crate) enum Grammar {
    Rules {
        rules: Vec<Rule>,
        braces: Span,
    },
    /// A text, or the path of a file, and how it is read.
    Text {
        literal: LitStr,
        text: Box<GrammarText>,
    },
}

impl Parse for Input {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut items = Vec::new();
        while !input.is_empty() {
            items.push(input.parse()?);
        }
        Ok(Input { items })
    }
}

impl Parse for Item {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        input.parse::<Token![static]>()?;
        let name = input.parse()?;
        input.parse::<Token![for]>()?;
        let vocabulary = input.parse()?;
        let mut deterministic = false;
        let (mut depth, mut beside, mut link) = (None, None, None);
        while let Some(option) = parse_option(input)? {
            match option {
                ItemOption::Deterministic(value) => deterministic = value,
                ItemOption::Depth(value) => depth = Some(value),
                ItemOption::Beside(other) => beside = Some(other),
                ItemOption::Link(value) => link = value,
            }
        }
        let grammar = input.parse()?;
        if let Some(link) = link {
            check_link(link, &grammar, beside.as_ref())?;
        }
        Ok(Item {
            attributes,
            visibility,
            name,
            vocabulary,
            deterministic,
            depth,
            beside,
            link: link.is_some(),
            grammar,
        })
    }
}

/// The number of frames that a matcher has room for, and where it is written.
pub(crate) struct Depth {
    pub(crate) frames: usize,
    pub(crate) span: Span,
}

impl Parse for Depth {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let literal: LitInt = input.parse()?;
        let span = literal.span();
        match literal.base10_parse() {
            Ok(frames) if (1..=MAX_DEPTH).contains(&frames) => Ok(Depth { frames, span }),
            _ => Err(syn::Error::new(
                span,
                "expected a depth: a number of frames from 1 to 65535",
            )),
        }
    }
}

/// What may be said of an item before its grammar.
enum ItemOption {
    Deterministic(bool),
    Depth(Depth),
    Beside(Ident),
    /// Where it is written, if it is `true`.
    Link(Option<Span>),
}

/// `, deterministic = true`, `, depth = 12`, `, beside = NAME` or `, link = true`, if one is there.
fn parse_option(input: ParseStream) -> syn::Result<Option<ItemOption>> {
    let ahead = input.fork();
    if ahead.parse::<Token![,]>().is_err() {
        return Ok(None);
    }
    let Ok(option) = ahead.parse::<Ident>() else {
        return Ok(None);
    };
    if !is_item_option(&option) {
        return Ok(None);
    }
    input.parse::<Token![,]>()?;
    input.parse::<Ident>()?;
    input.parse::<Token![=]>()?;
    Ok(Some(match option.to_string().as_str() {
        "beside" => ItemOption::Beside(input.parse()?),
        "depth" => ItemOption::Depth(input.parse()?),
        "link" => {
            let value: LitBool = input.parse()?;
            ItemOption::Link(value.value.then_some(value.span))
        }
        _ => ItemOption::Deterministic(input.parse::<LitBool>()?.value),
    }))
}

/// Only tools and structural tags are linked, beside a base of their own.
fn check_link(place: Span, grammar: &Grammar, beside: Option<&Ident>) -> syn::Result<()> {
    let can_be = |kind| matches!(kind, Kind::Tools | Kind::StructuralTag);
    let is_linked = matches!(grammar, Grammar::Text { text, .. } if can_be(text.kind()));
    if !is_linked {
        let message = "only tools and structural tags are linked: `tools = \"…\"` or `structural_tag = \"…\"`, or a file of one";
        return Err(syn::Error::new(place, message));
    }
    match beside {
        Some(other) => Err(syn::Error::new(
            other.span(),
            "what is linked stands beside a base of its own: leave `beside` or `link` out",
        )),
        None => Ok(()),
    }
}

impl Parse for Vocabulary {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let is_file = if input.peek(Ident) {
            let word: Ident = input.parse()?;
            if word != "file" {
                return Err(syn::Error::new(
                    word.span(),
                    "expected a vocabulary: a name such as \"cl100k_base\", or `file \"tokenizer.json\"`",
                ));
            }
            check_files(&word)?;
            true
        } else {
            false
        };
        let mut vocabulary = Vocabulary {
            is_file,
            name: input.parse()?,
            size: None,
            eos: None,
            special: None,
        };
        if input.peek(token::Paren) {
            let content;
            parenthesized!(content in input);
            vocabulary.parse_options(&content)?;
        }
        Ok(vocabulary)
    }
}

impl Vocabulary {
    /// `size = 32064, eos = [2, 3], special = "special.json"`.
    fn parse_options(&mut self, input: ParseStream) -> syn::Result<()> {
        while !input.is_empty() {
            let option: Ident = input.parse()?;
            input.parse::<Token![=]>()?;
            if option == "size" {
                self.size = Some(number(&input.parse()?)?);
            } else if option == "eos" {
                let content;
                bracketed!(content in input);
                let ids = content.parse_terminated(<LitInt as Parse>::parse, Token![,])?;
                self.eos = Some(
                    ids.iter()
                        .map(LitInt::base10_parse)
                        .collect::<syn::Result<_>>()?,
                );
            } else if option == "special" {
                check_files(&option)?;
                self.special = Some(input.parse()?);
            } else {
                let expected = "expected `size = …`, `eos = […]` or `special = \"…\"`";
                return Err(wrong_option(&option, &["size", "eos", "special"], expected));
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    }
}

/// A number of ids, or an id.
fn number(literal: &LitInt) -> syn::Result<u32> {
    let wrong = |_| syn::Error::new(literal.span(), "expected a number from 0 to 4294967295");
    literal.base10_parse().map_err(wrong)
}

impl Parse for Grammar {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        if input.peek(token::Brace) {
            let content;
            let braces = braced!(content in input).span.join();
            let rules = rules::parse(&content)?;
            return Ok(Grammar::Rules { rules, braces });
        }
        if !input.peek(Token![,]) {
            return Err(input.error("expected rules in braces, or `, ebnf = \"…\"`"));
        }
        input.parse::<Token![,]>()?;
        let grammar = parse_text(input)?;
        if !input.is_empty() {
            input.parse::<Token![;]>()?;
        }
        Ok(grammar)
    }
}

/// How the texts of a grammar may be introduced: the language, and whether the string names a file.
fn forms() -> impl Iterator<Item = (String, Kind, bool)> {
    let all = Kind::ALL
        .into_iter()
        .flat_map(|kind| [(kind, false), (kind, true)]);
    let all = all.filter(|(kind, is_file)| !is_file || kind.has_files());
    all.map(|(kind, is_file)| {
        let name = kind.name();
        let name = if is_file {
            format!("{name}_file")
        } else {
            name.to_owned()
        };
        (name, kind, is_file)
    })
}

/// The error of what is none of [`forms`].
fn wrong_form(form: &Ident) -> syn::Error {
    let of = |files: bool| -> String {
        let of = forms().filter(|(.., is_file)| *is_file == files);
        let names: Vec<String> = of.map(|(name, ..)| format!("`{name} = \"…\"`")).collect();
        let (last, others) = names.split_last().map_or(("", &[][..]), |(l, o)| (l, o));
        format!("{} or {last}", others.join(", "))
    };
    let expected = format!("expected {}, or a path: {}", of(false), of(true));
    let names: Vec<String> = forms().map(|(name, ..)| name).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    wrong_option(form, &names, &expected)
}

/// One of [`forms`] with a string, such as `ebnf = "…"`, perhaps with options.
fn parse_text(input: ParseStream) -> syn::Result<Grammar> {
    let form: Ident = input.parse()?;
    let found = forms().find(|(name, ..)| form == name);
    let (name, kind, is_file) = found.ok_or_else(|| wrong_form(&form))?;
    check_kind(kind, &name, form.span())?;
    input.parse::<Token![=]>()?;
    let literal: LitStr = input.parse()?;
    let text = match is_file {
        true => GrammarText::file(kind, literal.value()),
        false => GrammarText::text(kind, literal.value()),
    };
    let text = text_options::parse(input, text)?;
    Ok(Grammar::Text {
        literal,
        text: Box::new(text),
    })
}
