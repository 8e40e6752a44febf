//! Tokens by name or id, and calls about tokens and tags: `Token(…)`, `ExcludeToken(…)`,
//! `TagDispatch(…)`, `TokenTagDispatch(…)`.
//!
//! In: the arguments of a call, or the text of a reference. Out: a node; names of tokens and rules
//! are not resolved yet.

use super::ast::{AstDispatch, AstNode, AstTokens, Name, NodeKind, TokenName, Trigger};
use super::build::{Argument, ArgumentValue, AstBuilder};
use super::token::CallName;
use crate::error::Code;
use crate::source::Span;

impl AstBuilder<'_> {
    /// `<name>`, `<|name|>`, `<[17]>`.
    pub(super) fn token_reference(&mut self, span: Span, text: &str, negated: bool) -> AstNode {
        let start = span.start + usize::from(negated);
        let place = Span::new(start, span.end);
        let id = text
            .strip_prefix("<[")
            .and_then(|rest| rest.strip_suffix("]>"));
        let name = match id {
            None => TokenName::Text(text.to_owned(), place),
            Some(id) => match id.parse() {
                Ok(id) => TokenName::Id(id, place),
                Err(_) => {
                    let message = format!("`{id}` is no id of a token");
                    let help = "write a number, such as `<[17]>`, or the name of a token, such as `<|call|>`";
                    return self.error(Code::InvalidArgument, place, &message, help);
                }
            },
        };
        AstNode::leaf(NodeKind::Tokens(AstTokens {
            names: vec![name],
            all_but: negated,
        }))
    }

    /// A call about tokens or tags.
    pub(super) fn token_call(
        &mut self,
        span: Span,
        call: CallName,
        arguments: Vec<Argument>,
    ) -> AstNode {
        let made = match call {
            CallName::Token => tokens(arguments, false, span),
            CallName::ExcludeToken => tokens(arguments, true, span),
            CallName::TagDispatch => dispatch(arguments, false, span),
            CallName::TokenTagDispatch => dispatch(arguments, true, span),
        };
        match made {
            Ok(kind) => AstNode::leaf(kind),
            Err(place) => {
                let help = match call {
                    CallName::Token | CallName::ExcludeToken => {
                        format!("write `{}(17, \"<|call|>\")`: ids and names of tokens", call.name())
                    }
                    CallName::TagDispatch => "write `TagDispatch((\"<a>\", rule))`, perhaps with `loop_after_dispatch=false` and `excludes=(\"<b>\")`".to_owned(),
                    CallName::TokenTagDispatch => "write `TokenTagDispatch((17, rule))`, perhaps with `loop_after_dispatch=false` and `excludes=(18)`".to_owned(),
                };
                let message = format!("`{}(…)` cannot be called like this", call.name());
                self.error(Code::InvalidArgument, place, &message, &help)
            }
        }
    }
}

/// The place of an argument that is wrong.
type Wrong = Span;

fn tokens(arguments: Vec<Argument>, all_but: bool, span: Span) -> Result<NodeKind, Wrong> {
    if arguments.is_empty() {
        return Err(span);
    }
    let names: Result<_, _> = arguments.into_iter().map(unnamed_token).collect();
    let names = names?;
    Ok(NodeKind::Tokens(AstTokens { names, all_but }))
}

fn unnamed_token(argument: Argument) -> Result<TokenName, Wrong> {
    match argument {
        Argument { name: None, value } => token(value),
        Argument { value, .. } => Err(value.span()),
    }
}

fn token(value: ArgumentValue) -> Result<TokenName, Wrong> {
    match value {
        ArgumentValue::Text(text, span) => Ok(TokenName::Text(text, span)),
        ArgumentValue::Word(word) => match word.text.parse() {
            Ok(id) => Ok(TokenName::Id(id, word.span)),
            Err(_) => Err(word.span),
        },
        value => Err(value.span()),
    }
}

fn trigger(value: ArgumentValue, of_tokens: bool) -> Result<Trigger, Wrong> {
    match value {
        value if of_tokens => token(value).map(Trigger::Token),
        ArgumentValue::Text(text, span) if !text.is_empty() => Ok(Trigger::Text(text, span)),
        value => Err(value.span()),
    }
}

fn dispatch(arguments: Vec<Argument>, of_tokens: bool, span: Span) -> Result<NodeKind, Wrong> {
    let (mut rules, mut excludes, mut is_loop) = (Vec::new(), Vec::new(), true);
    for Argument { name, value } in arguments {
        match (name.as_ref().map(|name| name.text.as_str()), value) {
            (None, ArgumentValue::List(pair, place)) => rules.push(rule(pair, place, of_tokens)?),
            (Some("loop_after_dispatch"), ArgumentValue::Word(Name { text, span })) => {
                is_loop = text.parse().map_err(|_| span)?;
            }
            (Some("excludes"), ArgumentValue::List(listed, _)) => {
                for Argument { name, value } in listed {
                    if let Some(name) = name {
                        return Err(name.span);
                    }
                    excludes.push(trigger(value, of_tokens)?);
                }
            }
            (_, value) => return Err(value.span()),
        }
    }
    // Without triggers it is free text, which must exclude something: without excludes too,
    // triggers were left out by mistake.
    if rules.is_empty() && excludes.is_empty() {
        return Err(span);
    }
    Ok(NodeKind::Dispatch(AstDispatch {
        of_tokens,
        rules,
        excludes,
        is_loop,
    }))
}

/// `("trigger", rule)`.
fn rule(pair: Vec<Argument>, place: Span, of_tokens: bool) -> Result<(Trigger, Name), Wrong> {
    let pair: Result<[Argument; 2], _> = pair.try_into();
    match pair {
        Ok(
            [
                Argument {
                    name: None,
                    value: first,
                },
                Argument {
                    name: None,
                    value: ArgumentValue::Word(rule),
                },
            ],
        ) => Ok((trigger(first, of_tokens)?, rule)),
        _ => Err(place),
    }
}
