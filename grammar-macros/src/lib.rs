//! `grammar!`: a grammar compiled into a `static` when the program is built.
//!
//! Use it as `maskwright::grammar!`, with the feature `macros` of the crate `maskwright`.
//!
//! | module | in | out |
//! |---|---|---|
//! | `input` | the macro's tokens | items: a name, a vocabulary, a grammar |
//! | `features` | a word of these | the error if its feature is off |
//! | `text_options` | the options behind a text | the text with these options |
//! | `rules` | rules written in the macro | rules with the places of their names |
//! | `resolve` | these rules | a grammar of the compiler, and where each rule stands |
//! | `read` | the grammar of an item, whatever its form | the same |
//! | `expand` | items | compiled statics, or the errors, each at its place |
//! | `environment` | environment variables | the package's folder and the cache |

mod environment;
mod expand;
mod features;
mod input;
mod options;
mod read;
mod resolve;
mod rules;
mod text_options;

#[doc = include_str!("grammar.md")]
#[proc_macro]
pub fn grammar(tokens: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expand::expand(tokens.into(), &environment::Environment::read()).into()
}
