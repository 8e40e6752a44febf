//! Rules written in the macro.
//!
//! In: the tokens between the braces. Out: [`Rule`]s. What holds after: classes are sorted and
//! merged, bounds of repetitions are in order and allowed, nothing nests deeper than allowed; names
//! are not resolved. Errors of all rules are reported together.

mod class;

use maskwright_compiler::grammar::Expr;
use maskwright_compiler::limits::Limits;
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::embed::EmbedContent;
use maskwright_compiler::syntax::{GrammarText, Kind};
use proc_macro2::{Span as Place, TokenTree};
use syn::parse::ParseStream;
use syn::{
    Ident, LitByte, LitByteStr, LitChar, LitInt, LitStr, Token, braced, parenthesized, token,
};

use crate::features::check_kind;

/// `name = body;`.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) name: Ident,
    pub(crate) body: Node,
}

/// A right part or a part of one, and the place of its first token.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    pub(crate) place: Place,
}

/// A token, by its name or its id.
#[derive(Debug)]
pub(crate) enum TokenName {
    Text(String, Place),
    Id(u32, Place),
}

#[derive(Debug)]
pub(crate) enum NodeKind {
    /// What has no names in it.
    Leaf(Expr),
    /// A grammar in another text.
    Embed {
        kind: Kind,
        content: EmbedContent,
    },
    /// One of these tokens, or any but these.
    Tokens {
        names: Vec<TokenName>,
        all_but: bool,
    },
    Name(Ident),
    Seq(Vec<Node>),
    Alt(Vec<Node>),
    Repeat {
        node: Box<Node>,
        min: u32,
        max: Option<u32>,
    },
}

/// Reads all rules; after an error goes on with the next rule.
pub(crate) fn parse(input: ParseStream) -> syn::Result<Vec<Rule>> {
    let mut rules = Vec::new();
    let mut errors: Option<syn::Error> = None;
    while !input.is_empty() {
        match parse_rule(input) {
            Ok(rule) => rules.push(rule),
            Err(error) => {
                match &mut errors {
                    Some(errors) => errors.combine(error),
                    None => errors = Some(error),
                }
                skip_rule(input);
            }
        }
    }
    errors.map_or(Ok(rules), Err)
}

/// Skips what is left of a rule, its semicolon included.
fn skip_rule(input: ParseStream) {
    while let Ok(token) = input.parse::<TokenTree>() {
        if matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';') {
            return;
        }
    }
}

fn parse_rule(input: ParseStream) -> syn::Result<Rule> {
    let name = input.parse()?;
    input.parse::<Token![=]>()?;
    let parser = Parser {
        limits: &Limits::default(),
        nesting: 0,
    };
    let body = parser.alternatives(input)?;
    if !input.peek(Token![;]) {
        return Err(input.error(
            "expected text, a class, a rule's name, a group, `regex!(…)`, `token!(…)`, `|` or the `;` that ends the rule",
        ));
    }
    input.parse::<Token![;]>()?;
    Ok(Rule { name, body })
}

#[derive(Clone, Copy)]
struct Parser<'l> {
    limits: &'l Limits,
    /// How many groups are open.
    nesting: usize,
}

impl Parser<'_> {
    fn alternatives(self, input: ParseStream) -> syn::Result<Node> {
        let place = input.span();
        let mut alternatives = vec![self.sequence(input)?];
        while input.peek(Token![|]) {
            // Two alternatives with an empty one between them lex as one operator.
            if input.peek(Token![||]) {
                let place = input.span();
                input.parse::<Token![||]>()?;
                let kind = NodeKind::Seq(Vec::new());
                alternatives.push(Node { kind, place });
            } else {
                input.parse::<Token![|]>()?;
            }
            alternatives.push(self.sequence(input)?);
        }
        Ok(one_or(alternatives, NodeKind::Alt, place))
    }

    fn sequence(self, input: ParseStream) -> syn::Result<Node> {
        let place = input.span();
        let mut parts = Vec::new();
        while let Some(atom) = self.atom(input)? {
            parts.push(self.repetitions(atom, input)?);
        }
        Ok(one_or(parts, NodeKind::Seq, place))
    }

    /// What is repeated, if there is anything.
    fn atom(self, input: ParseStream) -> syn::Result<Option<Node>> {
        let place = input.span();
        let leaf = if input.peek(LitStr) {
            Expr::Literal(input.parse::<LitStr>()?.value())
        } else if input.peek(LitChar) {
            Expr::Literal(input.parse::<LitChar>()?.value().to_string())
        } else if input.peek(LitByteStr) {
            bytes(&input.parse::<LitByteStr>()?.value())
        } else if input.peek(LitByte) {
            bytes(&[input.parse::<LitByte>()?.value()])
        } else if input.peek(token::Bracket) {
            class::parse(input)?
        } else if input.peek(Token![.]) {
            input.parse::<Token![.]>()?;
            Expr::Class(vec![('\0', char::MAX)])
        } else if input.peek(token::Paren) {
            return self.group(input).map(Some);
        } else if input.peek(Ident) {
            let name: Ident = input.parse()?;
            if input.peek(Token![!]) {
                match name.to_string().as_str() {
                    "regex" => return self.regex(input).map(Some),
                    "json_schema" => return embed(input, Kind::JsonSchema, place).map(Some),
                    "token" => return tokens(input, false, place).map(Some),
                    "exclude_token" => return tokens(input, true, place).map(Some),
                    "ebnf" => return embed(input, Kind::Ebnf, place).map(Some),
                    _ => {}
                }
            }
            let kind = NodeKind::Name(name);
            return Ok(Some(Node { kind, place }));
        } else {
            return Ok(None);
        };
        let kind = NodeKind::Leaf(leaf);
        Ok(Some(Node { kind, place }))
    }

    fn group(self, input: ParseStream) -> syn::Result<Node> {
        let content;
        let parentheses = parenthesized!(content in input);
        if self.nesting >= self.limits.nesting {
            let message = format!("groups nest more than {} deep", self.limits.nesting);
            return Err(syn::Error::new(parentheses.span.join(), message));
        }
        let inner = Parser {
            nesting: self.nesting + 1,
            ..self
        }
        .alternatives(&content)?;
        match content.is_empty() {
            true => Ok(inner),
            false => Err(content
                .error("expected text, a class, a rule's name, a group, `regex!(…)`, `token!(…)`, `|` or `)`")),
        }
    }

    /// `!("…")` after `regex`.
    fn regex(self, input: ParseStream) -> syn::Result<Node> {
        input.parse::<Token![!]>()?;
        let content;
        parenthesized!(content in input);
        let pattern: LitStr = content.parse()?;
        if !content.is_empty() {
            return Err(content.error("expected one string and nothing else"));
        }
        let parsed = GrammarText::regex(pattern.value()).parse(self.limits);
        let grammar = parsed
            .map_err(|error| syn::Error::new(pattern.span(), error))?
            .grammar;
        let expr = grammar.rules.into_iter().next().map(|rule| rule.expr);
        Ok(Node {
            kind: expr.map_or(NodeKind::Alt(Vec::new()), NodeKind::Leaf),
            place: pattern.span(),
        })
    }

    /// Any number of `?`, `*`, `+` and `{n,m}`.
    fn repetitions(self, mut node: Node, input: ParseStream) -> syn::Result<Node> {
        loop {
            let (min, max) = if input.peek(Token![?]) {
                input.parse::<Token![?]>()?;
                (0, Some(1))
            } else if input.peek(Token![*]) {
                input.parse::<Token![*]>()?;
                (0, None)
            } else if input.peek(Token![+]) {
                input.parse::<Token![+]>()?;
                (1, None)
            } else if input.peek(token::Brace) {
                self.bounds(input)?
            } else {
                return Ok(node);
            };
            let place = node.place;
            let kind = NodeKind::Repeat {
                node: Box::new(node),
                min,
                max,
            };
            node = Node { kind, place };
        }
    }

    /// `{3}`, `{3,}`, `{3,5}`.
    fn bounds(self, input: ParseStream) -> syn::Result<(u32, Option<u32>)> {
        let content;
        let braces = braced!(content in input).span.join();
        let min = self.bound(&content)?;
        let max = if content.is_empty() {
            Some(min)
        } else {
            content.parse::<Token![,]>()?;
            if content.is_empty() {
                None
            } else {
                Some(self.bound(&content)?)
            }
        };
        if !content.is_empty() {
            return Err(content.error("expected `}`"));
        }
        match max {
            Some(max) if max < min => Err(syn::Error::new(
                braces,
                format!(
                    "at least {min} and at most {max} times is impossible: write the smaller number first"
                ),
            )),
            _ => Ok((min, max)),
        }
    }

    fn bound(self, input: ParseStream) -> syn::Result<u32> {
        let number: LitInt = input.parse()?;
        let limit = self.limits.repetition;
        match number.base10_parse() {
            Ok(value) if value <= limit => Ok(value),
            _ => Err(syn::Error::new(
                number.span(),
                format!("expected a number up to {limit}"),
            )),
        }
    }
}

/// `!("path")` after `json_schema` or `ebnf`; a string that begins with `{` is a schema itself.
fn embed(input: ParseStream, kind: Kind, place: Place) -> syn::Result<Node> {
    check_kind(kind, "json_schema", place)?;
    input.parse::<Token![!]>()?;
    let content;
    parenthesized!(content in input);
    let literal: LitStr = content.parse()?;
    if !content.is_empty() {
        return Err(content.error("expected one string and nothing else"));
    }
    let text = literal.value();
    let is_schema = kind == Kind::JsonSchema && text.trim_start().starts_with('{');
    let content = match is_schema {
        true => EmbedContent::Text(Source::new(kind.source_name(), text)),
        false => EmbedContent::File(text),
    };
    let kind = NodeKind::Embed { kind, content };
    Ok(Node { kind, place })
}

/// `!("<|call|>", 17)` after `token` or `exclude_token`.
fn tokens(input: ParseStream, all_but: bool, place: Place) -> syn::Result<Node> {
    input.parse::<Token![!]>()?;
    let content;
    parenthesized!(content in input);
    let name = |content: ParseStream| {
        if content.peek(LitInt) {
            let id: LitInt = content.parse()?;
            return Ok(TokenName::Id(id.base10_parse()?, id.span()));
        }
        let name: LitStr = content.parse()?;
        Ok(TokenName::Text(name.value(), name.span()))
    };
    let names = content.parse_terminated(name, Token![,])?;
    if names.is_empty() {
        return Err(content.error("expected the name of a token, such as `\"<|call|>\"`, or an id"));
    }
    let names = names.into_iter().collect();
    let kind = NodeKind::Tokens { names, all_but };
    Ok(Node { kind, place })
}

/// One node by itself, or all of them together.
fn one_or(
    mut nodes: Vec<Node>,
    together: impl FnOnce(Vec<Node>) -> NodeKind,
    place: Place,
) -> Node {
    match (nodes.len(), nodes.pop()) {
        (1, Some(only)) => only,
        (_, last) => {
            nodes.extend(last);
            let kind = together(nodes);
            Node { kind, place }
        }
    }
}

fn bytes(bytes: &[u8]) -> Expr {
    Expr::Seq(
        bytes
            .iter()
            .map(|&byte| Expr::Bytes(vec![(byte, byte)]))
            .collect(),
    )
}
