//! Compiled tables as Rust items.
//!
//! In: tables, and how they shall be called. Out: tokens for a macro ([`items`]) or a readable file
//! for a build script ([`file()`]). What holds after: each table is one byte string, which rustc
//! compiles fastest; a runtime of another format version is a compile error that says how to mend
//! it; and the matcher's type has the number of stacks that the grammar needs.

mod calls;
mod facts;
#[cfg(feature = "build")]
mod file;
mod item;
mod linked;

pub use facts::TableFacts;
#[cfg(feature = "build")]
pub use file::file;
pub use item::{Embedding, GrammarItem, VocabularyItem};
pub use linked::LinkedItem;

use maskwright_core::layout::FORMAT_VERSION;
use proc_macro2::TokenStream;
use quote::quote;

/// The items of these grammars and linked tools, all compiled for `vocabulary`.
///
/// For a grammar `JSON`: `static JSON: maskwright::Grammar` with the vocabulary attached, and
/// `type JsonMatcher<const DEPTH: usize>`, or `type JsonMatcher` where the item says the depth.
pub fn items(
    grammars: &[GrammarItem],
    linked: &[LinkedItem],
    vocabulary: &VocabularyItem,
) -> TokenStream {
    let version = version_assertion();
    let vocabulary_static = vocabulary.to_tokens();
    let grammars = grammars.iter().map(|grammar| grammar.to_tokens(vocabulary));
    let linked = linked.iter().map(|linked| linked.to_tokens(vocabulary));
    quote! {
        #version
        #vocabulary_static
        #(#grammars)*
        #(#linked)*
    }
}

/// A mismatch of compiler and runtime is found when compiling, not when decoding.
fn version_assertion() -> TokenStream {
    let message = format!(
        "these tables have format version {FORMAT_VERSION}, which this version of `maskwright` does \
         not read: give `maskwright` and `maskwright-compiler` (or the macro) the same version in Cargo.toml"
    );
    let version = proc_macro2::Literal::u32_unsuffixed(FORMAT_VERSION);
    quote! {
        const _: () = assert!(::maskwright::layout::FORMAT_VERSION == #version, #message);
    }
}

#[cfg(test)]
mod tests;
