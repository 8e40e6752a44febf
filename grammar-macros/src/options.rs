//! The options that stand before a grammar, and the error of one that is wrong.

use maskwright_compiler::similar;
use proc_macro2::Ident;

/// The options of an item, which stand between its vocabulary and its grammar.
const ITEM_OPTIONS: [&str; 4] = ["beside", "depth", "deterministic", "link"];

/// Whether this is an option of an item.
pub(crate) fn is_item_option(option: &Ident) -> bool {
    ITEM_OPTIONS.iter().any(|name| option == name)
}

/// The error of an option that is none of `options`, those that may stand here.
pub(crate) fn wrong_option(option: &Ident, options: &[&str], expected: &str) -> syn::Error {
    let name = option.to_string();
    let known = options.iter().chain(&ITEM_OPTIONS).copied();
    let message = match similar::closest(&name, known) {
        _ if is_item_option(option) => {
            format!("`{option}` comes right after the vocabulary, before the grammar")
        }
        Some(close) => format!("there is no option `{option}`: did you mean `{close}`?"),
        None => expected.to_owned(),
    };
    syn::Error::new(option.span(), message)
}
