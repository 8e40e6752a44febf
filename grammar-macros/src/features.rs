//! The features of `maskwright` that parts of the macro's input need.
//!
//! In: a word of the input. Out: the error at this word if its feature is off, with the line for
//! `Cargo.toml`. What holds after: nothing that is off is asked of the compiler.

use maskwright_compiler::syntax::Kind;
use maskwright_compiler::vocabulary::HAS_FILES;
use proc_macro2::{Ident, Span};

/// Refuses grammars of a kind that is off, at the word that names the kind.
pub(crate) fn check_kind(kind: Kind, word: &str, place: Span) -> syn::Result<()> {
    match kind.feature().filter(|_| !kind.is_built()) {
        Some(feature) => Err(off(word, feature, place)),
        None => Ok(()),
    }
}

/// Refuses to read a tokenizer's file, at the word for it.
pub(crate) fn check_files(word: &Ident) -> syn::Result<()> {
    match HAS_FILES {
        true => Ok(()),
        false => Err(off(&word.to_string(), "files", word.span())),
    }
}

/// The error of a word whose feature is off.
pub(crate) fn off(word: &str, feature: &str, place: Span) -> syn::Error {
    let message = format!(
        "`{word}` needs the feature `{feature}` of `maskwright`: write in Cargo.toml\n\
         maskwright = {{ …, features = [\"macros\", \"{feature}\"] }}"
    );
    syn::Error::new(place, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::Environment;
    use crate::expand::expand;
    use maskwright_compiler::build::Cache;
    use proc_macro2::TokenStream;
    use quote::quote;

    #[test]
    fn the_error_has_the_line_for_cargo() {
        let error = off("schema", "json-schema", Span::call_site()).to_string();
        assert!(error.starts_with("`schema` needs the feature `json-schema` of `maskwright`"));
        assert!(error.ends_with("maskwright = { …, features = [\"macros\", \"json-schema\"] }"));
    }

    /// Whether an input is refused because this feature is off. Where other packages of the
    /// workspace are built too, all features are on.
    fn is_refused(feature: &str, input: TokenStream) -> bool {
        let environment = Environment {
            package: "missing".into(),
            cache: Cache::disabled(),
        };
        let features = format!("[\\\"macros\\\", \\\"{feature}\\\"]");
        let expanded = expand(input, &environment).to_string();
        assert!(expanded.contains("compile_error"), "{expanded}");
        expanded.contains(&features)
    }

    #[test]
    fn what_is_off_is_refused() {
        let texts = [
            ("json-schema", Kind::JsonSchema, quote!(, schema = "{")),
            ("json-schema", Kind::JsonSchema, quote!(, schema_file = "-")),
            (
                "json-schema",
                Kind::JsonSchema,
                quote!({
                    root = json_schema!("-");
                }),
            ),
            ("lark", Kind::Lark, quote!(, lark = "start: x")),
            ("tags", Kind::StructuralTag, quote!(, structural_tag = "{")),
            ("tags", Kind::Tools, quote!(, link = true, tools = "{")),
        ];
        for (feature, kind, text) in texts {
            let input = quote!(static A for "cl100k_base" #text;);
            assert_ne!(is_refused(feature, input), kind.is_built(), "{text}");
        }
        let input = quote!(static A for file "-", regex = "a";);
        assert_ne!(is_refused("files", input), HAS_FILES);
        let input = quote!(static A for "cl100k_base" (special = "-"), regex = "a";);
        assert_ne!(is_refused("files", input), HAS_FILES);
    }
}
