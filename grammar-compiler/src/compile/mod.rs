//! The whole pipeline: one call a stage.
//!
//! In: a [`Grammar`](crate::grammar::Grammar) and a vocabulary. Out: [`Compiled`]: tables, a
//! [`Report`](report::Report) and warnings. [`Compiler`] is the one way in.
//!
//! | module | what it does |
//! |---|---|
//! | `stage` | the time of each stage |
//! | `diagnostics` | what is said about stacks, and about a grammar without a sentence |
//! | `lexer` | what the first half does for grammars with a lexer |
//! | `automaton` | the first half of the pipeline, without a vocabulary |
//! | `report` | sizes, and whose the bytes of the tables are |
//! | `prepared`, `packed` | a vocabulary as compiles take it, and as the cache keeps it |
//! | `pipeline` | all stages, in their order |
//! | `compiled`, `entry` | the result, and the same as an entry of the cache |
//! | `compiler` | the vocabulary, the base tables, the options and the cache that compiles have in common |

mod automaton;
mod compiled;
mod compiler;
mod diagnostics;
mod entry;
#[cfg(feature = "lark")]
mod lexer;
#[cfg(not(feature = "lark"))]
#[path = "absent/lexer.rs"]
mod lexer;
mod packed;
mod pipeline;
mod prepared;
pub mod report;
mod stage;

pub use automaton::Automaton;
pub use compiled::Compiled;
pub use compiler::Compiler;
pub use packed::PackedVocabulary;
pub(crate) use pipeline::{Pipeline, PipelineOutput, Stop};
pub use prepared::PreparedVocabulary;
pub use stage::Stage;
