//! Compiling the grammar of a group and judging its inputs.

use super::cases::{Case, Group, Reading};
use super::height::{is_too_deep, with_room};
use super::reorder::Orders;
use super::{Problem, python};
use crate::beside::Other;
use crate::depth::RunDepth;
use crate::matcher::matcher;
use maskwright_compiler::error::Error;
use maskwright_compiler::grammar::Grammar;
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::json_schema::{KeyOrder, SchemaOptions, document};
use maskwright_compiler::syntax::lark::LarkOptions;
use maskwright_compiler::syntax::structural_tag::TagOptions;
use maskwright_compiler::syntax::{GrammarText, Kind};
use maskwright_compiler::{Compiler, Options};
use maskwright_core::{LoadError, OwnedGrammar, OwnedMatcher, OwnedVocabulary};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// The code under which a panic is counted. There should be none; a row must not end the run all
/// the same.
pub const PANIC: &str = "panic";

/// A sentence that was refused.
pub const SENTENCE_REFUSED: &str = "sentence-refused";
/// A sentence that was refused, and is accepted with the keys of its objects in another order, each
/// once.
pub const ORDER: &str = "sentence-refused-order";
/// A sentence that needs more frames than were asked for.
pub const TOO_DEEP: &str = "sentence-too-deep";

/// What became of a group.
pub enum Judgement {
    /// The grammar was refused.
    Refused {
        /// The code of the error.
        code: String,
        /// Its message.
        message: String,
        /// Until it was refused, in milliseconds.
        compile_ms: f64,
    },
    /// The grammar compiled and the inputs were judged.
    Compiled(Compiled),
}

/// A compiled grammar and the cases that went wrong.
pub struct Compiled {
    /// The tables.
    pub tables: Vec<u8>,
    /// States of the automaton.
    pub states: usize,
    /// Whether the stacks are a graph.
    pub has_graph: bool,
    /// Reading and compiling, in milliseconds.
    pub compile_ms: f64,
    /// Sentences that were refused and non-sentences that were accepted.
    pub problems: Vec<Problem>,
}

/// What groups are compiled with.
pub struct Setup<'a> {
    /// The compiler for tables that stand alone.
    pub alone: &'a Compiler,
    /// The tables of its vocabulary.
    pub tokens: &'a OwnedVocabulary,
    /// Limits and threads.
    pub options: Options,
    /// Frames that matchers have room for, if that is asked for.
    pub depth: Option<RunDepth>,
    /// How schemas are read.
    pub schema: &'a SchemaOptions,
    /// What tables are to stand beside.
    pub beside: Option<&'a Other<'a>>,
}

impl Setup<'_> {
    /// The frames that matchers for a grammar have room for.
    pub fn depth_of(&self, grammar: &OwnedGrammar) -> usize {
        self.depth.unwrap_or(RunDepth::DEFAULT).of(&grammar.view())
    }

    /// Compiles a grammar.
    fn compile(
        &self,
        grammar: &Grammar,
        options: Options,
    ) -> Result<maskwright_compiler::Compiled, Error> {
        let compiler = self.beside.map_or(self.alone, |other| &other.compiler);
        compiler.with_options(options).compile(grammar)
    }

    /// Loads what [`compile`](Self::compile) made.
    pub fn load(&self, tables: &[u8]) -> Result<OwnedGrammar, LoadError> {
        let grammar = match self.beside {
            Some(other) => OwnedGrammar::load_beside(tables, &other.owned),
            None => OwnedGrammar::load(tables),
        };
        grammar?.with_vocabulary(self.tokens)
    }
}

/// Compiles and judges; survives whatever the row holds.
pub fn judge(group: &Group, setup: &Setup<'_>) -> Judgement {
    let start = Instant::now();
    let refused = |code: &str, message: &str| Judgement::Refused {
        code: code.into(),
        message: message.into(),
        compile_ms: start.elapsed().as_secs_f64() * 1e3,
    };
    match catch_unwind(AssertUnwindSafe(|| compile_and_judge(group, setup))) {
        Ok(Ok(compiled)) => Judgement::Compiled(compiled),
        Ok(Err((code, message))) => refused(&code, &message),
        Err(_) => refused(PANIC, "the compiler panicked"),
    }
}

type Refusal = (String, String);

fn of_error(error: Error) -> Refusal {
    (error.code().to_string(), error.message().to_owned())
}

fn read(group: &Group, setup: &Setup<'_>) -> Result<Grammar, Refusal> {
    let (mut schema, mut lark) = (setup.schema.clone(), LarkOptions::default());
    let kind = match &group.reading {
        Reading::Unsupported(code) => {
            return Err((code.clone(), "this row cannot be run".into()));
        }
        Reading::As(kind) => *kind,
        Reading::KeysInAnyOrder => {
            schema.key_order = KeyOrder::Any;
            Kind::JsonSchema
        }
        Reading::Lark(reading) => {
            let wrong = |(name, value)| (format!("{name}-{value}-not-supported"), String::new());
            lark = reading.options().map_err(wrong)?;
            Kind::Lark
        }
    };
    let text = GrammarText::source(kind, Source::new("grammar", group.grammar.as_str()));
    // Rows are texts: the names of special tokens in them are spelled.
    let tags = TagOptions::default().spelled(true);
    let parsed = text
        .schema_options(schema)
        .tag_options(tags)
        .lark_options(lark)
        .tokens(setup.alone.tokens())
        .parse(&setup.options.limits);
    Ok(parsed.map_err(of_error)?.grammar)
}

fn compile_and_judge(group: &Group, setup: &Setup<'_>) -> Result<Compiled, Refusal> {
    let start = Instant::now();
    let grammar = read(group, setup)?;
    // The limit on time is for reading and compiling together.
    let mut options = setup.options.clone();
    options.limits.time = options.limits.time.saturating_sub(start.elapsed());
    let compiled = setup.compile(&grammar, options).map_err(of_error)?;
    let compile_ms = start.elapsed().as_secs_f64() * 1e3;
    let loaded = setup
        .load(compiled.tables())
        .map_err(|error| ("tables-not-loaded".to_owned(), error.to_string()))?;
    let mut matcher = matcher(&loaded, setup.depth_of(&loaded))
        .map_err(|failure| ("matcher-refused".to_owned(), failure.to_string()))?;
    let problems = judge_cases(group, setup.depth.is_some(), &mut matcher);
    Ok(Compiled {
        states: compiled.report().states,
        has_graph: !compiled.report().stacks_proved,
        tables: compiled.into_tables(),
        compile_ms,
        problems,
    })
}

fn judge_cases(group: &Group, depth_is_given: bool, matcher: &mut OwnedMatcher) -> Vec<Problem> {
    let mut problems = Vec::new();
    for case in &group.cases {
        matcher.reset();
        let refused = case.input.iter().enumerate().find_map(|(at, byte)| {
            let error = matcher.accept_bytes(&[*byte]).err()?;
            Some(format!("refused at byte {at}: {error}"))
        });
        let accepted = refused.is_none() && matcher.is_complete();
        match (case.accept, accepted) {
            (true, false) => {
                let detail = refused.unwrap_or_else(|| "incomplete at its end".into());
                let problem = if depth_is_given && is_too_deep(&case.input, matcher) {
                    TOO_DEEP
                } else if only_ordered_otherwise(group, case, matcher) {
                    ORDER
                } else {
                    SENTENCE_REFUSED
                };
                problems.push(group.problem(problem, detail, Some(case)));
            }
            (false, true) => {
                problems.push(group.problem("non-sentence-accepted", String::new(), Some(case)))
            }
            _ => {}
        }
    }
    problems
}

/// Whether an instance that is refused is accepted in another order of its keys, each written once.
fn only_ordered_otherwise(group: &Group, case: &Case, matcher: &mut OwnedMatcher) -> bool {
    let Some(instance) = case.instance.as_ref() else {
        return false;
    };
    // The search writes as Python does; a text written otherwise may be refused for that.
    if !case.repeats_keys && python::dumps(instance).as_bytes() != case.input {
        return false;
    }
    let source = Source::new("schema", group.grammar.as_str());
    let Ok(schema) = document::parse(&source, &Default::default()) else {
        return false;
    };
    // What is too deep in one order is in all.
    let mut with_room = with_room(matcher);
    Orders::of(&schema).accepted(instance, with_room.as_mut().unwrap_or(matcher))
}
