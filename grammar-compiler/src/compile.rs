//! The whole pipeline: one call a stage.
//!
//! In: a [`Grammar`] and a [`Vocabulary`]. Out: [`Compiled`]: tables and a [`Report`].

mod diagnostics;

pub use diagnostics::LARGE_RULE_BYTES;

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::Xxh3;

use self::diagnostics::{large_rule, no_sentence, told};
use crate::automata::{self, AutomataError, Network};
use crate::error::{Diagnostic, Error};
use crate::grammar::{self, Grammar};
use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::lr::{self, Built, Positions};
use crate::mask::{self, Masks, TokenTrie};
use crate::pack::{self, Beside, BesideError, Input, Rows, order_frames, order_states};
use crate::pda::minimize::{Minimized, minimize};
use crate::pda::need::{Need, needs};
use crate::pda::put_off::put_off;
use crate::pda::stacks::{self, Stacks};
use crate::pda::subsume::subsume;
use crate::pda::{Pda, StateId, reorder};
use crate::report::{Report, Stage};
use crate::spell::{self, SpellError, Spelled};
use crate::together::together;
use crate::vocabulary::{Vocabulary, VocabularyError};

/// How to compile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Bounds on what the compile may cost.
    pub limits: Limits,
    /// Threads to use; 0 for as many as there are cores. The tables do not depend on it.
    pub threads: usize,
    /// Refuse grammars for which a matcher would need more than one stack. Default `false`, on every target: a second
    /// stack costs `DEPTH` frames of two bytes and is known at compile time, so that a target on which it does not fit says so
    /// when the matcher is built into it.
    pub deterministic: bool,
}

/// States within which repetitions are written out if counting them may split the stack.
const WRITTEN_OUT: usize = 10_000;

/// A vocabulary made ready for compiling: the same for every grammar, so worth keeping where many are compiled. What compiles find out about
/// the vocabulary alone, some hundred kilobytes at most, is kept in it and in its clones; tables do not depend on it.
#[derive(Clone, Debug)]
pub struct PreparedVocabulary {
    trie: TokenTrie,
    eos: Vec<u32>,
    hash: u64,
}

impl PreparedVocabulary {
    /// Checks the vocabulary and sorts it into a trie: 50 to 150 ms for 100,000 to 200,000 tokens.
    ///
    /// # Errors
    ///
    /// If the vocabulary passes a limit of its own: see [`Vocabulary::check`].
    pub fn new(vocabulary: &Vocabulary) -> Result<Self, VocabularyError> {
        vocabulary.check()?;
        Ok(PreparedVocabulary {
            trie: TokenTrie::new(vocabulary),
            eos: vocabulary.eos().to_vec(),
            hash: vocabulary.hash(),
        })
    }

    /// The trie.
    pub fn trie(&self) -> &TokenTrie {
        &self.trie
    }

    /// The sets of a grammar, so that others can be compiled [beside it](compile_beside). A few milliseconds for tables of usual size.
    ///
    /// # Errors
    ///
    /// If the grammar is for another vocabulary, or its tables stand beside others themselves.
    pub fn beside(&self, grammar: &maskwright_core::Grammar<'_>) -> Result<Beside, BesideError> {
        Beside::read(grammar, self.hash)
    }
}

/// A grammar's automaton, before any vocabulary comes in.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// The machines whose calls are left.
    pub network: Network,
    /// Item sets, frames and the pushdown automaton that they make.
    pub built: Built,
    /// The same automaton with equal states and frames merged: what masks and tables are made from.
    pub pda: Pda,
    /// For each of its states the states of `built.pda` that it stands for, ascending.
    pub origins: Vec<Vec<StateId>>,
    /// For each state, how many frames finishing may need above the present height.
    pub needs: Vec<Need>,
    /// The bound on stacks.
    pub stacks: Stacks,
    stages: Vec<Stage>,
}

impl Automaton {
    /// What is to be said about `grammar`, whose automaton this is, needing more than one stack: nothing, or a warning where no
    /// bound is proved. The warning shows a text, and where in the grammar its readings come apart.
    ///
    /// # Errors
    ///
    /// With the same explanation, if `options` ask for a deterministic grammar and this one is not.
    pub fn explain(
        &self,
        grammar: &Grammar,
        options: &Options,
    ) -> Result<Option<Diagnostic>, Error> {
        told(grammar, &self.pda, self.stacks, options)
    }

    /// Gives each state another number, here and in what was made of the automaton.
    fn number_states(&mut self, number: &[StateId], masks: &mut Masks, rows: &mut Rows) {
        self.pda.number_states(number);
        reorder(&mut self.origins, number);
        reorder(&mut self.needs, number);
        masks.number_states(number);
        rows.number_states(number);
    }

    /// Puts the automaton for a vocabulary in the place of that for all text.
    fn put(
        &mut self,
        Spelled {
            pda,
            needs,
            origins,
            never: _,
        }: Spelled,
        deadline: &Deadline,
    ) -> Result<(), LimitExceeded> {
        self.origins = through(&origins, &self.origins);
        self.stacks = stacks::bound(&pda, deadline)?;
        self.pda = pda;
        self.needs = needs;
        Ok(())
    }
}

/// A compiled grammar.
#[derive(Clone, Debug)]
pub struct Compiled {
    tables: Vec<u8>,
    report: Report,
    warnings: Vec<Diagnostic>,
}

impl Compiled {
    /// The tables: what to write to a file, or to load with [`maskwright_core::Grammar::load`].
    pub fn tables(&self) -> &[u8] {
        &self.tables
    }

    /// The tables.
    pub fn into_tables(self) -> Vec<u8> {
        self.tables
    }

    /// What the compile found and what it cost.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// What the user should know though the grammar compiles.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// The grammar, ready for a matcher.
    ///
    /// # Errors
    ///
    /// If it was [compiled beside](compile_beside) another one. None else is known: the tables are validated like any other.
    pub fn grammar(&self) -> Result<maskwright_core::Grammar<'_>, maskwright_core::LoadError> {
        maskwright_core::Grammar::load(&self.tables)
    }
}

/// Compiles `grammar` for `vocabulary`.
///
/// # Errors
///
/// If the grammar has no sentence or the vocabulary can spell none, or a limit is passed.
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
/// use maskwright_compiler::syntax::ebnf::{self, ParseOptions};
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
pub fn compile_and_keep(
    grammar: &Grammar,
    vocabulary: &PreparedVocabulary,
    options: &Options,
) -> Result<(Compiled, Automaton), Error> {
    compile_with(grammar, vocabulary, None, options)
}

/// Compiles `grammar` so that its tables stand beside others, and keeps the automaton that they were made from: see [`compile_beside`] and
/// [`Breakdown::beside`](crate::Breakdown::beside).
///
/// # Errors
///
/// As for [`compile`].
pub fn compile_beside_and_keep(
    grammar: &Grammar,
    vocabulary: &PreparedVocabulary,
    beside: &Beside,
    options: &Options,
) -> Result<(Compiled, Automaton), Error> {
    compile_with(grammar, vocabulary, Some(beside), options)
}

fn compile_with(
    grammar: &Grammar,
    vocabulary: &PreparedVocabulary,
    beside: Option<&Beside>,
    options: &Options,
) -> Result<(Compiled, Automaton), Error> {
    let deadline = Deadline::start(&options.limits);
    let mut automaton = automaton_by(grammar, options, &deadline)?;
    let mut stages = std::mem::take(&mut automaton.stages);
    let mut warnings = Vec::new();
    let trie = &vocabulary.trie;
    let spelled = timed(&mut stages, "spelling", || {
        spell::spell(&automaton.pda, trie, &options.limits, &deadline)
    });
    let of_all_text = (automaton.stacks != Stacks::Proved(1)).then(|| automaton.pda.clone());
    match spelled {
        Ok(None) => {}
        Ok(Some(spelled)) => {
            let classes = &spelled.pda.classes;
            warnings.extend(spell::never_spelled(grammar, classes, &spelled.never));
            automaton.put(spelled, &deadline)?;
        }
        Err(SpellError::Limit(limit)) => return Err(limit.into()),
        Err(SpellError::Unspellable { helpful, missing }) => {
            let classes = &automaton.pda.classes;
            return Err(spell::unspellable(grammar, classes, &helpful, &missing).into());
        }
    }
    let Automaton {
        pda, needs, stacks, ..
    } = &automaton;
    let splits = of_all_text.as_ref().unwrap_or(pda);
    warnings.extend(told(grammar, splits, *stacks, options)?);
    let threads = threads(options);
    let (masks, rows) = timed(&mut stages, "masks", || {
        let counts = automaton.network.blocks > 0;
        let worthwhile = mask::worthwhile(threads, pda.states.len(), counts);
        let masks = || mask::build(pda, needs, trie, worthwhile, &deadline);
        let rows = || pack::lay_out(pda, &deadline);
        match threads {
            1 => (masks(), rows()),
            _ => together(masks, rows),
        }
    });
    let (mut masks, mut rows) = (masks?, rows?);
    timed(&mut stages, "order", || {
        automaton.number_states(&order_states(&rows), &mut masks, &mut rows);
        order_frames(&mut automaton.pda, &mut masks, &deadline)
    })?;
    let Automaton {
        pda, needs, stacks, ..
    } = &automaton;
    let input = Input {
        pda,
        rows: &rows,
        needs,
        stacks: *stacks,
        masks: &masks,
        trie,
        eos: &vocabulary.eos,
        grammar_hash: hash(grammar, options),
        vocabulary_hash: vocabulary.hash,
        // Of another vocabulary's sets, none would be the same.
        beside: beside.filter(|beside| beside.vocabulary_hash() == vocabulary.hash),
        threads,
    };
    let packed = timed(&mut stages, "pack", || {
        pack::pack(&input, &options.limits, &deadline)
    })?;
    let report = Report::new(&automaton, &masks, &packed, &options.limits, stages);
    warnings.extend(large_rule(grammar, &packed.tables, &automaton));
    let compiled = Compiled {
        tables: packed.tables,
        report,
        warnings,
    };
    Ok((compiled, automaton))
}

/// Builds the automaton of `grammar` alone.
///
/// # Errors
///
/// As for [`compile`].
pub fn automaton(grammar: &Grammar, options: &Options) -> Result<Automaton, Error> {
    automaton_by(grammar, options, &Deadline::start(&options.limits))
}

fn automaton_by(
    grammar: &Grammar,
    options: &Options,
    deadline: &Deadline,
) -> Result<Automaton, Error> {
    let limits = &options.limits;
    let automaton = automaton_within(grammar, limits, deadline)?;
    if automaton.stacks == Stacks::Proved(1) || automaton.network.blocks == 0 {
        return Ok(automaton);
    }
    // Counting in blocks may be what splits the stack: written out, a count is part of the state.
    let written_out = Limits {
        block: 0,
        automaton_states: limits.automaton_states.min(WRITTEN_OUT),
        states: limits.states.min(WRITTEN_OUT),
        ..limits.clone()
    };
    let stacks = |automaton: &Automaton| match automaton.stacks {
        Stacks::Proved(count) => count,
        Stacks::Unproved => u32::MAX,
    };
    match automaton_within(grammar, &written_out, deadline) {
        Ok(other) if stacks(&other) < stacks(&automaton) => Ok(other),
        // Which of the two it is must not depend on how fast the machine is.
        Err(error) if deadline.check("writing out counts").is_err() => Err(error),
        _ => Ok(automaton),
    }
}

fn automaton_within(
    grammar: &Grammar,
    limits: &Limits,
    deadline: &Deadline,
) -> Result<Automaton, Error> {
    let mut stages = Vec::new();
    let network = timed(&mut stages, "automata", || {
        automata::build(grammar, limits, deadline)
    });
    let network = network.map_err(|error| match error {
        AutomataError::Limit(limit) => Error::from(limit),
        AutomataError::NoSentence => Error::from(no_sentence(grammar)),
    })?;
    let built = timed(&mut stages, "item sets", || {
        lr::build(Positions::new(&network, deadline)?, limits, deadline)
    })?;
    let minimized = timed(&mut stages, "merge states", || {
        minimize(&built.pda, deadline)
    })?;
    let (mut origins, mut pda) = (minimized.origins(), minimized.pda);
    if let Some(fewer) = put_off(&pda) {
        origins = through(&fewer.origins(), &origins);
        pda = fewer.pda;
    }
    if stacks::splits(&pda) {
        let fewer = timed(&mut stages, "stacks", || fewer_ways(&pda, deadline))?;
        if let Some(fewer) = fewer {
            origins = through(&fewer.origins(), &origins);
            pda = fewer.pda;
        }
    }
    let needs = timed(&mut stages, "stack bounds", || {
        needs(&pda, &built.positions, deadline)
    })?;
    let stacks = timed(&mut stages, "proof of stacks", || {
        stacks::bound(&pda, deadline)
    })?;
    Ok(Automaton {
        network,
        built,
        pda,
        origins,
        needs,
        stacks,
        stages,
    })
}

/// The automaton without alternatives that others cover, if there are any.
fn fewer_ways(pda: &Pda, deadline: &Deadline) -> Result<Option<Minimized>, LimitExceeded> {
    let fewer = subsume(pda, deadline)?;
    fewer.map(|fewer| minimize(&fewer, deadline)).transpose()
}

/// For each state what `before` says of the states that it comes from.
fn through(origins: &[Vec<StateId>], before: &[Vec<StateId>]) -> Vec<Vec<StateId>> {
    let all = |states: &Vec<StateId>| {
        let of = states.iter().flat_map(|&state| &before[state as usize]);
        let mut all: Vec<StateId> = of.copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    origins.iter().map(all).collect()
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
        threads: _,
        deterministic: _,
    } = options;
    let mut hasher = Xxh3::new();
    hasher.update(env!("CARGO_PKG_VERSION").as_bytes());
    hasher.update(&(limits.stacks as u64).to_le_bytes());
    hasher.update(&limits.expansion.to_le_bytes());
    hasher.update(&limits.block.to_le_bytes());
    let mut bytes = Vec::new();
    grammar::digest::write(grammar, &mut bytes);
    hasher.update(&bytes);
    hasher.digest()
}

/// The sum of the stages' times.
pub(crate) fn total(stages: &[Stage]) -> Duration {
    stages.iter().map(|s| s.time).sum()
}
