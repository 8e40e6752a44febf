//! The format of outputs as an expression.
//!
//! In: a [`CallFormat`]. Out: tokens that make the same one in a `static`.

use maskwright_core::calls::{CallFormat, Piece, Reasoning, Section, TextFrame, Tool};
use maskwright_core::style::{ArgumentStyle, Form, ValueKinds};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use std::fmt::Debug;

/// The expression of a format.
pub(super) fn tokens(format: &CallFormat<'_>) -> TokenStream {
    let CallFormat {
        layout,
        calls,
        sections,
        separator,
        triggers,
        arguments,
        tools,
        reasoning,
        texts,
        end,
    } = format;
    let layout = variant(layout);
    let arguments = argument_style(arguments);
    let tools = tools.iter().map(tool);
    let calls = calls.iter().map(|call| {
        let pieces = call.iter().map(piece);
        quote!(&[#(#pieces),*])
    });
    let sections = sections.iter().map(
        |Section { begin, end }| quote!(::maskwright::calls::Section { begin: #begin, end: #end }),
    );
    let reasoning = reasoning_or_none(reasoning.as_ref());
    let texts = texts.iter().map(text_frame);
    quote! {
        ::maskwright::calls::CallFormat {
            layout: ::maskwright::calls::Layout::#layout,
            calls: &[#(#calls),*],
            sections: &[#(#sections),*],
            separator: #separator,
            triggers: &[#(#triggers),*],
            arguments: #arguments,
            tools: &[#(#tools),*],
            reasoning: #reasoning,
            texts: &[#(#texts),*],
            end: #end,
        }
    }
}

fn tool(Tool { name, values }: &Tool<'_>) -> TokenStream {
    let values = values.iter().map(value);
    quote!(::maskwright::calls::Tool { name: #name, values: &[#(#values),*] })
}

fn value(value: &ValueKinds<'_>) -> TokenStream {
    let ValueKinds {
        kinds,
        numbers,
        members,
        required,
        others,
        items,
    } = value;
    let members = members
        .iter()
        .map(|(name, member)| quote!((#name, #member)));
    quote! {
        ::maskwright::style::ValueKinds {
            kinds: #kinds,
            numbers: &[#(#numbers),*],
            members: &[#(#members),*],
            required: &[#(#required),*],
            others: #others,
            items: #items,
        }
    }
}

fn reasoning_or_none(reasoning: Option<&Reasoning<'_>>) -> TokenStream {
    let Some(Reasoning {
        begin,
        end,
        after,
        opened,
    }) = reasoning
    else {
        return quote!(::core::option::Option::None);
    };
    let opened = variant(opened);
    quote! {
        ::core::option::Option::Some(::maskwright::calls::Reasoning {
            begin: #begin,
            end: #end,
            after: #after,
            opened: ::maskwright::calls::Opened::#opened,
        })
    }
}

fn text_frame(frame: &TextFrame<'_>) -> TokenStream {
    let TextFrame {
        begin,
        ends,
        at_start,
    } = frame;
    quote! {
        ::maskwright::calls::TextFrame {
            begin: #begin,
            ends: &[#(#ends),*],
            at_start: #at_start,
        }
    }
}

fn piece(piece: &Piece<'_>) -> TokenStream {
    match piece {
        Piece::Text(text) => quote!(::maskwright::calls::Piece::Text(#text)),
        Piece::Name => quote!(::maskwright::calls::Piece::Name),
        Piece::Id => quote!(::maskwright::calls::Piece::Id),
        Piece::Arguments => quote!(::maskwright::calls::Piece::Arguments),
    }
}

fn argument_style(style: &ArgumentStyle<'_>) -> TokenStream {
    let form = match style {
        ArgumentStyle::Named(style) => {
            let style = variant(style);
            return quote!(::maskwright::style::ArgumentStyle::Named(::maskwright::style::Style::#style));
        }
        ArgumentStyle::Form(form) => form,
    };
    let Form {
        open,
        key_end,
        gap,
        kinds,
        integer,
        kind_end,
        end,
        closing,
        item,
        lines,
        trimmed,
        blanks,
        forbidden,
        not_first,
        escapes,
        any_key,
    } = form;
    let integer = option(integer.map(|integer| quote!(#integer)));
    let closing = option(closing.map(|(before, behind)| quote!((#before, #behind))));
    let item = option(item.map(|item| quote!(#item)));
    let not_first = option(not_first.map(|first| quote!(#first)));
    quote! {
        ::maskwright::style::ArgumentStyle::Form(&::maskwright::style::Form {
            open: #open,
            key_end: #key_end,
            gap: #gap,
            kinds: [#(#kinds),*],
            integer: #integer,
            kind_end: #kind_end,
            end: #end,
            closing: #closing,
            item: #item,
            lines: #lines,
            trimmed: #trimmed,
            blanks: #blanks,
            forbidden: &[#(#forbidden),*],
            not_first: #not_first,
            escapes: &[#(#escapes),*],
            any_key: #any_key,
        })
    }
}

fn option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

/// The name of a variant without fields.
fn variant(value: &impl Debug) -> proc_macro2::Ident {
    format_ident!("{value:?}")
}
