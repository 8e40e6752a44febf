//! The whole pipeline: one call a stage.
//!
//! In: a [`Grammar`] and a [`Vocabulary`]. Out: [`Compiled`]: tables and a [`Report`].

mod automaton;
mod compiled;
mod compiler;
mod diagnostics;
mod prepared;
pub mod report;

pub use automaton::{Automaton, automaton};
pub use compiled::Compiled;
pub use compiler::Compiler;
pub use diagnostics::LARGE_RULE_BYTES;
pub use prepared::PreparedVocabulary;

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::Xxh3;

use self::automaton::automaton_by;
use self::diagnostics::{large_rule, told};
use self::report::{Report, Stage};
use crate::error::{Code, Diagnostic, Error};
use crate::feasibility::{self, FeasibilityError};
use crate::grammar::{self, Grammar};
use crate::join::join;
use crate::limits::{Deadline, Limits, Tuning};
use crate::mask::{self, Masks, TokenTrie};
use crate::pack::{self, Beside, Input, Rows, order_frames, order_states};
use crate::parts::{self, PartOf};
use crate::pda::height::height;
use crate::pda::stacks::Stacks;
use crate::setters::setters;
use crate::terminals::{self, Terminals, limits, overlap};
use crate::vocabulary::Vocabulary;

/// How to compile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Bounds on what the compile may cost.
    pub limits: Limits,
    /// How counted repetitions are compiled.
    pub tuning: Tuning,
    /// Threads to use; 0 for as many as there are cores. The tables do not depend on it.
    pub threads: usize,
    /// Refuse grammars for which a matcher would need more than one stack. Default `false`, on every target: a second
    /// stack costs `DEPTH` frames of two bytes and is known at compile time, so that a target on which it does not fit says so
    /// when the matcher is built into it.
    pub deterministic: bool,
    /// Compile grammars too for which no number of stacks is proved to be enough, with a warning. Default `false`: such a grammar is an error. A
    /// matcher of one follows [`Limits::stacks`] stacks and drops the others, so some of its sentences are refused. It needs the runtime's
    /// feature `capped` and an attached vocabulary, which needs a token of one byte for every byte that the grammar takes. Where `deterministic` is set, this
    /// makes no difference.
    pub capped: bool,
}

setters!(Options {
    limits: Limits,
    tuning: Tuning,
    threads: usize,
    deterministic: bool,
    capped: bool,
});

/// Compiles `grammar` for `vocabulary`.
///
/// # Errors
///
/// If the grammar has no sentence or the vocabulary can spell none, if no number of stacks is proved to be enough for it (see
/// [`Options::capped`]), or a limit is passed.
#[doc(hidden)]
pub fn compile(
    grammar: &Grammar,
    vocabulary: &Vocabulary,
    options: &Options,
) -> Result<Compiled, Error> {
    compile_prepared(grammar, &PreparedVocabulary::new(vocabulary)?, options)
}

/// Compiles `grammar` for a vocabulary that has been prepared.
///
/// # Errors
///
/// As for [`compile`].
#[doc(hidden)]
pub fn compile_prepared(
    grammar: &Grammar,
    vocabulary: &PreparedVocabulary,
    options: &Options,
) -> Result<Compiled, Error> {
    Ok(compile_and_keep(grammar, vocabulary, options)?.0)
}

/// Compiles `grammar` so that its tables stand beside others, which were compiled before and stay as they are: token sets that those have are
/// not stored again. To be loaded with [`maskwright_core::Grammar::load_beside`]. Masks are the same, and take as long.
///
/// Where none of its sets is among the others, the tables stand alone.
///
/// ```
/// use maskwright_compiler::{Options, PreparedVocabulary, Vocabulary, compile_beside, compile_prepared};
/// # use maskwright_compiler::{Error, source::Source, grammar::Grammar};
/// use maskwright_compiler::syntax::{ParseOptions, ebnf};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let tokens = (0..=255u8).map(|byte| vec![byte]).chain([vec![]]).collect();
/// # let vocabulary = Vocabulary::from_tokens(tokens, vec![256]);
/// # let parse = |text: &str| -> Result<Grammar, Error> { Ok(ebnf::parse(&Source::new("g", text), &ParseOptions::default())?.grammar) };
/// let vocabulary = PreparedVocabulary::new(&vocabulary)?;
/// let (numbers, lists) = (parse(r#"root ::= [a-z]+ ":" [0-9]+"#)?, parse(r#"root ::= [a-z]+ ("," [a-z]+)*"#)?);
/// let options = Options::default();
/// let first = compile_prepared(&numbers, &vocabulary, &options)?;
/// let first = first.grammar()?;
/// let second = compile_beside(&lists, &vocabulary, &vocabulary.beside(&first)?, &options)?;
/// let second = maskwright_core::Grammar::load_beside(second.tables(), &first)?;
/// assert_eq!(second.stands_beside(), Some(first.checksum()));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As for [`compile`].
#[doc(hidden)]
pub fn compile_beside(
    grammar: &Grammar,
    vocabulary: &PreparedVocabulary,
    beside: &Beside,
    options: &Options,
) -> Result<Compiled, Error> {
    Ok(compile_beside_and_keep(grammar, vocabulary, beside, options)?.0)
}

/// Compiles `grammar` and keeps the automaton that the tables were made from: for looking into them.
///
/// # Errors
///
/// As for [`compile`].
#[doc(hidden)]
pub fn compile_and_keep(
    grammar: &Grammar,
    vocabulary: &PreparedVocabulary,
    options: &Options,
) -> Result<(Compiled, Automaton), Error> {
    let (compiled, automaton, _) =
        compile_with(grammar, vocabulary, None, None, options).map_err(Stop::into_error)?;
    Ok((compiled, automaton))
}

/// Compiles `grammar` so that its tables stand beside others, and keeps the automaton that they were made from: see [`compile_beside`] and
/// [`Breakdown::beside`](crate::Breakdown::beside).
///
/// # Errors
///
/// As for [`compile`].
#[doc(hidden)]
pub fn compile_beside_and_keep(
    grammar: &Grammar,
    vocabulary: &PreparedVocabulary,
    beside: &Beside,
    options: &Options,
) -> Result<(Compiled, Automaton), Error> {
    let (compiled, automaton, _) =
        compile_with(grammar, vocabulary, Some(beside), None, options).map_err(Stop::into_error)?;
    Ok((compiled, automaton))
}

/// Why a compile ends early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The grammar is refused.
    Refused(Error),
    /// The grammar is not refused, but it cannot be a part of a linked one.
    NotAPart(&'static str),
}

impl<E: Into<Error>> From<E> for Stop {
    fn from(error: E) -> Self {
        Stop::Refused(error.into())
    }
}

impl Stop {
    /// The error.
    pub(crate) fn into_error(self) -> Error {
        match self {
            Stop::Refused(error) => error,
            Stop::NotAPart(why) => {
                let message = format!("the grammar cannot be compiled as a part: {why}");
                Diagnostic::error(Code::LimitExceeded, message).into()
            }
        }
    }
}

pub(crate) fn compile_with(
    grammar: &Grammar,
    vocabulary: &PreparedVocabulary,
    beside: Option<&Beside>,
    part: Option<PartOf<'_>>,
    options: &Options,
) -> Result<(Compiled, Automaton, Option<Terminals>), Stop> {
    let deadline = Deadline::start(&options.limits);
    let reserved = part.map_or(&[][..], |part| part.reserved);
    let resolved = terminals::resolve(grammar, &vocabulary.vocabulary, reserved)?;
    let (resolved, mut terminals) = resolved.unzip();
    let grammar = resolved.as_ref().unwrap_or(grammar);
    let mut automaton = automaton_by(grammar, options, &deadline)?;
    if let Some(terminals) = &terminals {
        limits::check_readings(terminals, grammar, &automaton.built)?;
    }
    if let (Some(part), Some(terminals)) = (part, &mut terminals) {
        parts::check(&automaton.pda, automaton.stacks, terminals, part.exits)
            .map_err(Stop::NotAPart)?;
        terminals.endings = parts::find(&automaton.pda, terminals, part)
            .ok_or(Stop::NotAPart("too many tokens cross its end"))?;
    }
    let mut stages = std::mem::take(&mut automaton.stages);
    let trie = match &terminals {
        None => &vocabulary.trie,
        Some(terminals) => &timed(&mut stages, "vocabulary", || {
            vocabulary.trie_with(terminals)
        }),
    };
    if let Some(terminals) = &terminals {
        automaton.pda.classes.token_lead = Some(terminals.lead);
        let limits = terminals.limits.iter();
        automaton.pda.classes.limits = limits.map(|limit| limit.symbol).collect();
    }
    let of_all_text = (automaton.stacks != Stacks::Proved(1)).then(|| automaton.pda.clone());
    let never_spelled = timed(&mut stages, "spelling", || {
        keep_spelled(&mut automaton, grammar, trie, part, options, &deadline)
    })?;
    if let Some(terminals) = &terminals {
        overlap::check(
            terminals,
            &automaton.pda,
            automaton.stacks,
            &vocabulary.vocabulary,
        )?;
        let Automaton { pda, headroom, .. } = &automaton;
        limits::check(terminals, grammar, pda, headroom, automaton.stacks)?;
    }
    let mut warnings: Vec<_> = never_spelled.into_iter().collect();
    let splits = of_all_text.as_ref().unwrap_or(&automaton.pda);
    warnings.extend(told(grammar, splits, automaton.stacks, options)?);
    let threads = threads(options);
    let (mut masks, mut rows) = timed(&mut stages, "masks", || {
        masks_and_rows(&automaton, trie, threads, &deadline)
    })?;
    timed(&mut stages, "order", || {
        automaton.number_states(&order_states(&rows), &mut masks, &mut rows);
        let reserves = &mut automaton.headroom.frames;
        order_frames(&mut automaton.pda, reserves, &mut masks, &deadline)
    })?;
    // Of another vocabulary's sets, none would be the same.
    let beside = beside.filter(|beside| beside.vocabulary_hash() == vocabulary.hash);
    if let Some(part) = part {
        parts::split(&mut masks, trie, part, beside);
    }
    let Automaton {
        pda,
        headroom,
        stacks,
        ..
    } = &automaton;
    let input = Input {
        pda,
        rows: &rows,
        headroom,
        stacks: *stacks,
        masks: &masks,
        trie,
        eos: vocabulary.vocabulary.eos(),
        terminals: terminals.as_ref(),
        grammar_hash: hash(grammar, options),
        vocabulary_hash: vocabulary.hash,
        beside,
        threads,
    };
    let packed = timed(&mut stages, "pack", || {
        pack::pack(&input, &options.limits, &deadline)
    })?;
    let height = timed(&mut stages, "heights", || {
        height(&automaton.pda, &automaton.network, &deadline)
    })?;
    let report = Report::new(&automaton, &masks, &packed, height, &options.limits, stages);
    warnings.extend(large_rule(grammar, &packed.tables, &automaton));
    let compiled = Compiled {
        tables: packed.tables,
        report,
        warnings,
        sources: None,
    };
    Ok((compiled, automaton, terminals))
}

/// Removes from the automaton what the vocabulary cannot spell; returns a warning if a class that the grammar takes
/// is in no token.
fn keep_spelled(
    automaton: &mut Automaton,
    grammar: &Grammar,
    trie: &TokenTrie,
    part: Option<PartOf<'_>>,
    options: &Options,
    deadline: &Deadline,
) -> Result<Option<Diagnostic>, Stop> {
    match feasibility::feasible(&automaton.pda, trie, &options.limits, deadline) {
        Ok(None) => Ok(None),
        // What can be spelled then depends on what follows.
        Ok(Some(_)) if part.is_some() => {
            Err(Stop::NotAPart("the vocabulary lacks tokens of one byte"))
        }
        Ok(Some(feasible)) => {
            let classes = &feasible.pda.classes;
            let warning = feasibility::never_spelled(grammar, classes, &feasible.never);
            let refused =
                (options.capped).then(|| feasibility::capped(grammar, classes, &feasible.missing));
            automaton.put(feasible, deadline)?;
            match refused {
                Some(refused) if automaton.stacks == Stacks::Unproved => Err(refused.into()),
                _ => Ok(warning),
            }
        }
        Err(FeasibilityError::Limit(limit)) => Err(limit.into()),
        Err(FeasibilityError::Unspellable { helpful, missing }) => {
            let classes = &automaton.pda.classes;
            Err(feasibility::unspellable(grammar, classes, &helpful, &missing).into())
        }
    }
}

/// Token masks, and rows of edges at the same time where there are several threads.
fn masks_and_rows(
    automaton: &Automaton,
    trie: &TokenTrie,
    threads: usize,
    deadline: &Deadline,
) -> Result<(Masks, Rows), Error> {
    let Automaton { pda, headroom, .. } = automaton;
    let counts = automaton.network.blocks > 0;
    let worthwhile = mask::worthwhile(threads, pda.states.len(), counts);
    let masks = || mask::build(pda, headroom, trie, worthwhile, deadline);
    let rows = || pack::lay_out(pda, deadline);
    let (masks, rows) = match threads {
        1 => (masks(), rows()),
        _ => join(masks, rows),
    };
    Ok((masks?, rows?))
}

fn timed<T>(stages: &mut Vec<Stage>, name: &'static str, run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let out = run();
    stages.push(Stage {
        name,
        time: start.elapsed(),
    });
    out
}

fn threads(options: &Options) -> usize {
    /// Asked for once: on Linux the answer is read from files, which takes as long as a whole stage of a small grammar.
    static CORES: LazyLock<usize> =
        LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));
    match options.threads {
        0 => *CORES,
        count => count,
    }
}

/// Hash of everything in a grammar and its options that tables depend on, and of this compiler's version.
fn hash(grammar: &Grammar, options: &Options) -> u64 {
    let Options {
        limits,
        tuning,
        threads: _,
        deterministic: _,
        capped: _,
    } = options;
    let mut hasher = Xxh3::new();
    hasher.update(env!("CARGO_PKG_VERSION").as_bytes());
    hasher.update(&(limits.stacks as u64).to_le_bytes());
    hasher.update(&tuning.expansion.to_le_bytes());
    hasher.update(&tuning.block.to_le_bytes());
    let mut bytes = Vec::new();
    grammar::digest::write(grammar, &mut bytes);
    hasher.update(&bytes);
    hasher.digest()
}

/// The sum of the stages' times.
pub(crate) fn total(stages: &[Stage]) -> Duration {
    stages.iter().map(|s| s.time).sum()
}
