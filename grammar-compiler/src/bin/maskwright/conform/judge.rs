//! Compiling the grammar of a group and judging its inputs.

use super::Problem;
use super::cases::{Group, Kind};
use crate::matcher::{AnyMatcher, matcher};
use maskwright_compiler::error::Error;
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::{ebnf, regex};
use maskwright_compiler::{Options, PreparedVocabulary, compile_prepared};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// The code under which a panic is counted. There should be none; a row must not end the run all the same.
pub const PANIC: &str = "panic";

/// What became of a group.
pub enum Judgement {
    /// The grammar was refused.
    Refused {
        /// The code of the error.
        code: String,
        /// Its message.
        message: String,
    },
    /// The grammar compiled and the inputs were judged.
    Compiled(Compiled),
}

/// A compiled grammar and the cases that went wrong.
pub struct Compiled {
    /// The tables.
    pub tables: Vec<u8>,
    /// Reading and compiling, in milliseconds.
    pub compile_ms: f64,
    /// Sentences that were refused and non-sentences that were accepted.
    pub problems: Vec<Problem>,
}

/// Compiles and judges; survives whatever the row holds.
pub fn judge(group: &Group, vocabulary: &PreparedVocabulary, options: &Options) -> Judgement {
    let refused = |code: &str, message: &str| Judgement::Refused {
        code: code.into(),
        message: message.into(),
    };
    match catch_unwind(AssertUnwindSafe(|| {
        compile_and_judge(group, vocabulary, options)
    })) {
        Ok(Ok(compiled)) => Judgement::Compiled(compiled),
        Ok(Err((code, message))) => refused(&code, &message),
        Err(_) => refused(PANIC, "the compiler panicked"),
    }
}

type Refusal = (String, String);

fn compile_and_judge(
    group: &Group,
    vocabulary: &PreparedVocabulary,
    options: &Options,
) -> Result<Compiled, Refusal> {
    let start = Instant::now();
    let of_error = |error: Error| (error.code().to_owned(), error.message().to_owned());
    let limits = options.limits.clone();
    let grammar = match &group.kind {
        Kind::Unsupported(code) => return Err((code.clone(), "this row cannot be run".into())),
        Kind::Regex => regex::parse(&group.grammar, &limits).map_err(of_error)?,
        Kind::Ebnf => {
            let source = Source::new("grammar", group.grammar.as_str());
            let options = ebnf::ParseOptions {
                limits,
                ..Default::default()
            };
            ebnf::parse(&source, &options).map_err(of_error)?.grammar
        }
    };
    let compiled = compile_prepared(&grammar, vocabulary, options).map_err(of_error)?;
    let compile_ms = start.elapsed().as_secs_f64() * 1e3;
    let loaded = compiled
        .grammar()
        .map_err(|error| ("tables-not-loaded".to_owned(), error.to_string()))?;
    let mut matcher =
        matcher(&loaded).map_err(|failure| ("matcher-refused".to_owned(), failure.to_string()))?;
    let problems = judge_cases(group, matcher.as_mut());
    drop(matcher);
    Ok(Compiled {
        tables: compiled.into_tables(),
        compile_ms,
        problems,
    })
}

fn judge_cases(group: &Group, matcher: &mut dyn AnyMatcher) -> Vec<Problem> {
    let mut problems = Vec::new();
    for case in &group.cases {
        matcher.reset();
        let refused = case.input.bytes().enumerate().find_map(|(at, byte)| {
            let error = matcher.accept_bytes(&[byte]).err()?;
            Some(format!("refused at byte {at}: {error}"))
        });
        let accepted = refused.is_none() && matcher.is_complete();
        match (case.accept, accepted) {
            (true, false) => {
                let detail = refused.unwrap_or_else(|| "incomplete at its end".into());
                problems.push(group.problem("sentence-refused", detail, Some(case)));
            }
            (false, true) => {
                problems.push(group.problem("non-sentence-accepted", String::new(), Some(case)))
            }
            _ => {}
        }
    }
    problems
}
