//! What Maskwright must keep, and the means to check it.
//!
//! - [`configurations`]: what a matcher of some depth may take, by search.
//! - [`depth`]: masks compared to that search, token by token.
//! - [`documents`]: the documents of the repository.
//! - [`effort`]: how much the long suites test.
//! - [`harness`]: a grammar compiled for a vocabulary, walked side by side with its oracle.
//! - [`hostile`]: requests and files that are made to take long.
//! - [`oracle`]: an independent answer to "which tokens may come next", by Earley's algorithm.
//! - [`properties`]: what holds for every matcher.
//! - [`read_arguments`]: arguments of tools read back, apart from the compiler's and the runtime's
//!   readers.
//! - [`suite`]: grammars with sentences and non-sentences, read from `grammars/`.
//! - [`tokenizer`]: a small byte-pair tokenizer of our own making.
//! - [`random_grammar`]: proptest strategies for small grammars, printed as EBNF.
//! - [`random_schema`]: the same for JSON Schemas, and for values.
//! - [`random_tag`]: random structural tags, and texts for them.
//! - [`random_token_tag`]: random structural tags of all types, for a vocabulary with special and
//!   added tokens.
//! - [`random`]: a seeded generator, so that every walk can be repeated.
//! - [`tags`]: structural tags read slowly, straight from their JSON.
//! - [`walks`]: random steps that nest deep, each of which must find a way to the end.

pub mod configurations;
pub mod depth;
pub mod documents;
pub mod effort;
pub mod harness;
pub mod hostile;
pub mod oracle;
pub mod properties;
pub mod random;
pub mod random_grammar;
pub mod random_schema;
pub mod random_tag;
pub mod random_token_tag;
pub mod read_arguments;
pub mod suite;
pub mod tags;
pub mod tokenizer;
pub mod walks;
