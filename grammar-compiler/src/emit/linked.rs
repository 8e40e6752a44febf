//! The items that linked tools and tags become.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::facts::grouped;
use super::item::{call_format, doc_line, matcher_name};
use super::{Embedding, VocabularyItem};
use crate::syntax::tools::ToolCalls;

/// Linked tools, or a linked structural tag, to be emitted as a `static`, with a type for their
/// matcher.
#[derive(Clone, Debug)]
pub struct LinkedItem {
    /// The name of the static, such as `TOOLS`.
    pub name: Ident,
    /// Its visibility, such as `pub`.
    pub visibility: TokenStream,
    /// Its attributes, such as documentation.
    pub attributes: TokenStream,
    /// What was compiled, as the documentation calls it: "of the tools `tools.json`".
    pub origin: String,
    /// The depth for which the parts were linked.
    pub depth: usize,
    /// What pieces stand beside, if they do.
    pub base: Option<Embedding>,
    /// What stands around the pieces.
    pub outer: Embedding,
    /// The pieces, equal ones once.
    pub pieces: Vec<Embedding>,
    /// For each place of a piece, which it is.
    pub places: Vec<usize>,
    /// What links the parts.
    pub link: Embedding,
    /// Bytes of all tables.
    pub bytes: usize,
    /// What a reader of outputs has to know, if tools are called: a static `TOOLS_FORMAT` beside
    /// `TOOLS`.
    pub calls: Option<Box<ToolCalls>>,
}

impl LinkedItem {
    /// The statics and the matcher's type.
    pub(super) fn to_tokens(&self, vocabulary: &VocabularyItem) -> TokenStream {
        let LinkedItem {
            name,
            visibility,
            attributes,
            depth,
            ..
        } = self;
        let matcher = matcher_name(name);
        let docs = self.docs(vocabulary, &matcher);
        let (parts, pieces) = self.parts(&vocabulary.name);
        let outer = self.outer.to_tokens();
        let link = self.link.to_tokens();
        let vocabulary = &vocabulary.name;
        let depth_literal = Literal::usize_unsuffixed(*depth);
        let matcher_doc = format!(
            " A matcher for [`{name}`], which was linked for texts that nest at most {depth} frames deep."
        );
        let calls = self.calls.as_ref();
        let calls = calls.map(|calls| call_format(name, visibility, calls));
        quote! {
            #parts
            #attributes
            #(#[doc = #docs])*
            #visibility static #name: ::maskwright::link::Linked<'static> = ::maskwright::link::Linked::from_static(
                #link,
                ::maskwright::link::Part::from_static(#outer, #vocabulary),
                &#pieces,
            );

            #[doc = #matcher_doc]
            #[allow(dead_code)]
            #visibility type #matcher =
                ::maskwright::link::LinkedMatcher<'static, ::maskwright::link::Linked<'static>, #depth_literal>;
            #calls
        }
    }

    /// The statics of the base and the pieces, and the name of that of the pieces.
    fn parts(&self, vocabulary: &Ident) -> (TokenStream, Ident) {
        let base = format_ident!("{}_BASE", self.name);
        let base_static = self.base.as_ref().map(|part| {
            let bytes = part.to_tokens();
            quote! {
                static #base: ::maskwright::link::Part<'static> =
                    ::maskwright::link::Part::from_static(#bytes, #vocabulary);
            }
        });
        let piece = |at: usize| format_ident!("{}_PIECE_{at}", self.name);
        let statics = self.pieces.iter().enumerate().map(|(at, part)| {
            let (name, bytes) = (piece(at), part.to_tokens());
            let load = match self.base {
                Some(_) => quote!(::maskwright::link::Part::from_static_beside(#bytes, &#base)),
                None => quote!(::maskwright::link::Part::from_static(#bytes, #vocabulary)),
            };
            quote!(const #name: ::maskwright::link::Part<'static> = #load;)
        });
        let pieces = format_ident!("{}_PIECES", self.name);
        let places = self.places.iter().map(|&at| piece(at));
        let count = Literal::usize_unsuffixed(self.places.len());
        let statics = quote! {
            #base_static
            #(#statics)*
            static #pieces: [::maskwright::link::Part<'static>; #count] = [#(#places),*];
        };
        (statics, pieces)
    }

    fn docs(&self, vocabulary: &VocabularyItem, matcher: &Ident) -> Vec<String> {
        let name = &self.name;
        let above = (!self.attributes.is_empty()).then(String::new);
        let lines = [
            format!(
                "The grammar {}, linked of parts that were compiled for the vocabulary {}.",
                self.origin, vocabulary.origin
            ),
            String::new(),
            "| | |".to_owned(),
            "|:--|--:|".to_owned(),
            format!("| pieces | {} |", grouped(self.pieces.len() as u64)),
            format!("| `DEPTH` | {} |", grouped(self.depth as u64)),
            format!("| bytes of tables | {} |", grouped(self.bytes as u64)),
            String::new(),
            "```ignore".to_owned(),
            format!("let mut matcher = {matcher}::new(&{name})?;"),
            "matcher.mask().apply(&mut logits);".to_owned(),
            "matcher.accept_token(token)?;".to_owned(),
            "```".to_owned(),
        ];
        above.into_iter().chain(lines).map(doc_line).collect()
    }
}
