//! The format of outputs as an expression.
//!
//! In: a [`CallFormat`]. Out: tokens that make the same one in a `static`.

use maskwright_core::calls::{CallFormat, Piece, Reasoning, Section, TextFrame};
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
        reasoning,
        texts,
        end,
    } = format;
    let layout = variant(layout);
    let arguments = variant(arguments);
    let calls = calls.iter().map(|call| {
        let pieces = call.iter().map(piece);
        quote!(&[#(#pieces),*])
    });
    let sections = sections.iter().map(
        |Section { begin, end }| quote!(::maskwright::calls::Section { begin: #begin, end: #end }),
    );
    let reasoning = match reasoning {
        None => quote!(::core::option::Option::None),
        Some(Reasoning {
            begin,
            end,
            after,
            at_start,
        }) => quote! {
            ::core::option::Option::Some(::maskwright::calls::Reasoning {
                begin: #begin,
                end: #end,
                after: #after,
                at_start: #at_start,
            })
        },
    };
    let texts = texts.iter().map(
        |TextFrame {
             begin,
             ends,
             at_start,
         }| {
            quote! {
                ::maskwright::calls::TextFrame {
                    begin: #begin,
                    ends: &[#(#ends),*],
                    at_start: #at_start,
                }
            }
        },
    );
    quote! {
        ::maskwright::calls::CallFormat {
            layout: ::maskwright::calls::Layout::#layout,
            calls: &[#(#calls),*],
            sections: &[#(#sections),*],
            separator: #separator,
            triggers: &[#(#triggers),*],
            arguments: ::maskwright::style::Style::#arguments,
            reasoning: #reasoning,
            texts: &[#(#texts),*],
            end: #end,
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

/// The name of a variant without fields.
fn variant(value: &impl Debug) -> proc_macro2::Ident {
    format_ident!("{value:?}")
}
