//! Classes: `['a'..='z' '_']`, `[^ '"']`, `[b'\x80'..=b'\xBF']`.
//!
//! In: tokens that begin with brackets. Out: a class of the grammar, its ranges sorted and merged.

use maskwright_compiler::grammar::Expr;
use maskwright_compiler::grammar::characters::complement;
use proc_macro2::Span;
use regex_syntax::hir::{ClassBytes, ClassBytesRange, ClassUnicode, ClassUnicodeRange};
use syn::parse::ParseStream;
use syn::{LitByte, LitChar, LitStr, Token, bracketed};

/// What stands in a class.
#[derive(Default)]
struct Members {
    characters: Vec<ClassUnicodeRange>,
    bytes: Vec<ClassBytesRange>,
}

/// Reads one class.
pub(super) fn parse(input: ParseStream) -> syn::Result<Expr> {
    let content;
    let brackets = bracketed!(content in input).span.join();
    let negated = content.peek(Token![^]);
    if negated {
        content.parse::<Token![^]>()?;
    }
    let mut members = Members::default();
    while !content.is_empty() {
        members.parse_one(&content)?;
        if content.peek(Token![,]) {
            content.parse::<Token![,]>()?;
        }
    }
    members.into_expr(negated, brackets)
}

impl Members {
    /// A character, a byte, a range of either, or a string of characters.
    fn parse_one(&mut self, input: ParseStream) -> syn::Result<()> {
        if input.peek(LitStr) {
            let text: LitStr = input.parse()?;
            self.characters
                .extend(text.value().chars().map(|c| ClassUnicodeRange::new(c, c)));
        } else if input.peek(LitChar) {
            let first: LitChar = input.parse()?;
            let last = last(input, &first)?;
            in_order(first.value() <= last.value(), first.span(), last.span())?;
            self.characters
                .push(ClassUnicodeRange::new(first.value(), last.value()));
        } else if input.peek(LitByte) {
            let first: LitByte = input.parse()?;
            let last = last(input, &first)?;
            in_order(first.value() <= last.value(), first.span(), last.span())?;
            self.bytes
                .push(ClassBytesRange::new(first.value(), last.value()));
        } else {
            return Err(input.error("expected a character, a range such as 'a'..='z', or a string"));
        }
        Ok(())
    }

    fn into_expr(self, negated: bool, brackets: Span) -> syn::Result<Expr> {
        if !self.characters.is_empty() && !self.bytes.is_empty() {
            let message = "a class holds either characters or bytes, not both";
            return Err(syn::Error::new(brackets, message));
        }
        let of_bytes = !self.bytes.is_empty();
        let characters = ClassUnicode::new(self.characters);
        let characters = characters.iter().map(|r| (r.start(), r.end()));
        let mut bytes = ClassBytes::new(self.bytes);
        if negated {
            bytes.negate();
        }
        let expr = match (of_bytes, negated) {
            (true, _) => Expr::Bytes(bytes.iter().map(|r| (r.start(), r.end())).collect()),
            (false, true) => Expr::Class(complement(characters)),
            (false, false) => Expr::Class(characters.collect()),
        };
        match &expr {
            Expr::Class(ranges) if ranges.is_empty() => Err(nothing_in(brackets)),
            Expr::Bytes(ranges) if ranges.is_empty() => Err(nothing_in(brackets)),
            _ => Ok(expr),
        }
    }
}

fn nothing_in(brackets: Span) -> syn::Error {
    syn::Error::new(
        brackets,
        "nothing is in this class, so nothing can match it",
    )
}

/// What follows `..=`, or `first` again if there is no range.
fn last<T: syn::parse::Parse + Clone>(input: ParseStream, first: &T) -> syn::Result<T> {
    if input.peek(Token![..=]) {
        input.parse::<Token![..=]>()?;
        return input.parse();
    }
    match input.peek(Token![..]) || input.peek(Token![-]) {
        true => Err(input.error("ranges are written 'a'..='z'")),
        false => Ok(first.clone()),
    }
}

/// Refuses a range whose ends are not in order.
fn in_order(right: bool, first: Span, last: Span) -> syn::Result<()> {
    let place = first.join(last).unwrap_or(first);
    let message = "this range is empty: write the smaller one first";
    if right {
        Ok(())
    } else {
        Err(syn::Error::new(place, message))
    }
}
