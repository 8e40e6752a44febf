//! All stages, in their order.
//!
//! In: a [`Pipeline`]: a grammar, and all that its tables depend on. Out: [`PipelineOutput`]. What
//! holds after: the tables are within the limits, and every mask is exact.

use std::sync::Arc;

use xxhash_rust::xxh3::Xxh3;

use super::automaton::{Automaton, automaton_by};
use super::compiled::Compiled;
use super::diagnostics::{at_largest, check_stacks};
use super::prepared::PreparedVocabulary;
use super::report::{Report, large_rule};
use super::stage::{Stage, timed};
use crate::error::{Code, Diagnostic, Error};
use crate::feasibility::{self, FeasibilityError};
use crate::grammar::{self, Grammar};
use crate::limits::{Deadline, Tuning};
use crate::lr::Sharing;
use crate::mask::{self, Masks, TokenTrie, Walkable};
use crate::options::Options;
use crate::pack::{self, Beside, Input, Packed, Rows, order_frames, order_states};
use crate::parts::{self, PartOf};
use crate::pda::height::{Origin, height};
use crate::pda::stacks::Stacks;
use crate::terminals::{Terminals, limits, overlap};
use crate::threads::Threads;

/// One compile: a grammar, and all that its tables depend on.
#[derive(Clone, Copy)]
pub(crate) struct Pipeline<'a> {
    pub(crate) grammar: &'a Grammar,
    pub(crate) vocabulary: &'a PreparedVocabulary,
    /// The sets of the base tables, if there are any.
    pub(crate) beside: Option<&'a Beside>,
    /// Set where the tables are a part of a linked grammar.
    pub(crate) part: Option<PartOf<'a>>,
    pub(crate) options: &'a Options,
}

/// What a compile makes.
pub(crate) struct PipelineOutput {
    pub(crate) compiled: Compiled,
    /// The automaton that the tables were made from.
    pub(crate) automaton: Automaton,
    /// The tokens that the grammar names, if it names any.
    pub(crate) terminals: Option<Terminals>,
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

impl Pipeline<'_> {
    /// Runs all stages.
    pub(crate) fn run(self) -> Result<PipelineOutput, Stop> {
        let deadline = Deadline::start(&self.options.limits);
        let reserved = self.part.map_or(&[][..], |part| part.reserved);
        let resolved = self.vocabulary.resolve(self.grammar, reserved, &deadline)?;
        let (resolved, mut terminals) = resolved.unzip();
        let mut run = CompileRun {
            of: Pipeline {
                grammar: resolved.as_ref().unwrap_or(self.grammar),
                ..self
            },
            deadline,
            threads: Threads::up_to(self.options.thread_count()),
            stages: Vec::new(),
        };
        let mut automaton = run.automaton(terminals.as_mut())?;
        let terminals_of = terminals.as_ref();
        let trie = run.trie(terminals_of);
        let mut warnings = run.for_vocabulary(&mut automaton, &trie, terminals_of)?;
        let parts = run.masks(&mut automaton, &trie)?;
        let packed = run.pack(&automaton, &parts, &trie, terminals_of)?;
        let report = run.report(&automaton, &parts.masks, &packed)?;
        // Whatever has stopped at a look at the clock, no part of it gets out.
        run.deadline.confirm("packing token sets")?;
        warnings.extend(large_rule(run.of.grammar, &packed.tables, &automaton));
        Ok(PipelineOutput {
            compiled: Compiled {
                tables: packed.tables,
                report,
                warnings,
                sources: None,
                calls: None,
            },
            automaton,
            terminals,
        })
    }
}

/// A compile under way: the grammar without names of tokens, the time that is left, the threads,
/// the stages so far.
struct CompileRun<'a> {
    of: Pipeline<'a>,
    deadline: Deadline,
    threads: Threads,
    stages: Vec<Stage>,
}

impl CompileRun<'_> {
    /// The automaton for all text. Where it is a part's, `terminals` then know what can cross its
    /// end.
    fn automaton(&mut self, terminals: Option<&mut Terminals>) -> Result<Automaton, Stop> {
        let Pipeline {
            grammar,
            part,
            options,
            ..
        } = self.of;
        let mut automaton = automaton_by(grammar, options, &mut self.threads, &self.deadline)?;
        self.stages.append(&mut automaton.stages);
        let Some(terminals) = terminals else {
            return Ok(automaton);
        };
        limits::check_readings(terminals, grammar, &automaton.built, &self.deadline)?;
        if let Some(part) = part {
            let deadline = &self.deadline;
            let exits = parts::check(&automaton.pda, automaton.stacks, terminals, part.exits);
            exits.map_err(Stop::NotAPart)?;
            deadline.check("looking at the ends of a part")?;
            let endings = parts::find(&automaton.pda, terminals, part, deadline);
            deadline.confirm("looking at the ends of a part")?;
            terminals.endings = endings.ok_or(Stop::NotAPart("too many tokens cross its end"))?;
        }
        automaton.pda.classes.token_lead = Some(terminals.lead);
        let limits = terminals.limits.iter();
        automaton.pda.classes.limits = limits.map(|limit| limit.symbol).collect();
        Ok(automaton)
    }

    /// The trie of the vocabulary in which the named tokens are terminals.
    fn trie(&mut self, terminals: Option<&Terminals>) -> Arc<TokenTrie> {
        let vocabulary = self.of.vocabulary;
        match terminals {
            None => vocabulary.trie.clone(),
            Some(terminals) => timed(&mut self.stages, "vocabulary", || {
                vocabulary.trie_with(terminals)
            }),
        }
    }

    /// Restricts the automaton to the texts that the vocabulary can spell. The warnings are about
    /// such texts.
    fn for_vocabulary(
        &mut self,
        automaton: &mut Automaton,
        trie: &TokenTrie,
        terminals: Option<&Terminals>,
    ) -> Result<Vec<Diagnostic>, Stop> {
        let of = self.of;
        self.deadline.check("looking at what tokens can spell")?;
        let is_to_be_shown = of.options.deterministic && automaton.stacks != Stacks::Proved(1);
        let of_all_text = is_to_be_shown.then(|| automaton.pda.clone());
        let in_no_token = timed(&mut self.stages, "feasibility", || {
            keep_feasible(automaton, trie, of, &self.deadline)
        })?;
        if let Some(terminals) = terminals {
            let Automaton {
                pda,
                headroom,
                stacks,
                ..
            } = &*automaton;
            overlap::check(
                terminals,
                pda,
                *stacks,
                &of.vocabulary.vocabulary,
                &self.deadline,
            )?;
            limits::check(terminals, of.grammar, pda, headroom, *stacks)?;
        }
        let splits = of_all_text.as_ref().unwrap_or(&automaton.pda);
        check_stacks(
            of.grammar,
            splits,
            automaton.stacks,
            of.options,
            &self.deadline,
        )?;
        Ok(in_no_token.into_iter().collect())
    }

    /// What tables are made of. The states of the automaton get the numbers that they have in
    /// tables.
    fn masks(&mut self, automaton: &mut Automaton, trie: &TokenTrie) -> Result<TableParts, Stop> {
        let deadline = &self.deadline;
        let mut parts = timed(&mut self.stages, "masks", || {
            table_parts(automaton, trie, self.of, &mut self.threads, deadline)
        })?;
        let TableParts { masks, rows, .. } = &mut parts;
        timed(&mut self.stages, "order", || {
            automaton.number_states(&order_states(rows), masks, rows);
            let reserves = &mut automaton.headroom.frames;
            order_frames(&mut automaton.pda, reserves, masks, deadline)
        })?;
        if let Some(part) = self.of.part {
            parts::split(masks, trie, part, self.of.beside);
        }
        Ok(parts)
    }

    fn pack(
        &mut self,
        automaton: &Automaton,
        parts: &TableParts,
        trie: &TokenTrie,
        terminals: Option<&Terminals>,
    ) -> Result<Packed, Stop> {
        let Pipeline {
            vocabulary,
            options,
            ..
        } = self.of;
        let input = Input {
            pda: &automaton.pda,
            rows: &parts.rows,
            headroom: &automaton.headroom,
            stacks: automaton.stacks,
            masks: &parts.masks,
            trie,
            eos: vocabulary.vocabulary.eos(),
            terminals,
            grammar_hash: parts.grammar_hash,
            vocabulary_hash: vocabulary.hash,
            beside: self.of.beside,
            threads: &self.threads,
        };
        let packed = timed(&mut self.stages, "pack", || {
            pack::pack(&input, &options.limits, &self.deadline)
        });
        packed.map_err(|limit| at_largest(self.of.grammar, &automaton.built, &limit).into())
    }

    fn report(
        &mut self,
        automaton: &Automaton,
        masks: &Masks,
        packed: &Packed,
    ) -> Result<Report, Stop> {
        let height = timed(&mut self.stages, "heights", || {
            let origin = Origin {
                network: &automaton.network,
                has_lexer: self.of.grammar.lexer.is_some(),
                is_under_exact: automaton.built.positions.sharing == Sharing::Together,
            };
            height(&automaton.pda, origin, &self.deadline)
        })?;
        let stages = std::mem::take(&mut self.stages);
        Ok(Report::new(automaton, masks, packed, height, stages))
    }
}

/// Removes from the automaton what the vocabulary cannot spell. The warning is about a class that
/// the grammar takes and no token has.
fn keep_feasible(
    automaton: &mut Automaton,
    trie: &TokenTrie,
    of: Pipeline<'_>,
    deadline: &Deadline,
) -> Result<Option<Diagnostic>, Stop> {
    let Pipeline {
        grammar,
        part,
        options,
        ..
    } = of;
    match feasibility::feasible(&automaton.pda, trie, &options.limits, deadline) {
        Ok(None) => Ok(None),
        // Whether a text can be finished then depends on what follows the part.
        Ok(Some(_)) if part.is_some() => {
            Err(Stop::NotAPart("the vocabulary lacks tokens of one byte"))
        }
        Ok(Some(feasible)) => {
            let classes = &feasible.pda.classes;
            let warning = feasibility::in_no_token(grammar, classes, &feasible.never);
            automaton.put(feasible, deadline)?;
            Ok(warning)
        }
        Err(FeasibilityError::Limit(limit)) => {
            Err(at_largest(grammar, &automaton.built, &limit).into())
        }
        Err(FeasibilityError::Unspellable { helpful, missing }) => {
            let classes = &automaton.pda.classes;
            let names_tokens = classes.token_lead.is_some();
            Err(feasibility::unspellable(grammar, classes, &helpful, &missing, names_tokens).into())
        }
    }
}

/// What tables are made of, besides the automaton.
struct TableParts {
    masks: Masks,
    rows: Rows,
    grammar_hash: u64,
}

/// Computes masks, and the rest at the same time where there may be several threads.
fn table_parts(
    automaton: &Automaton,
    trie: &TokenTrie,
    of: Pipeline<'_>,
    threads: &mut Threads,
    deadline: &Deadline,
) -> Result<TableParts, Error> {
    let Automaton { pda, headroom, .. } = automaton;
    let most = mask::worthwhile(pda.states.len(), automaton.network.blocks > 0);
    threads.prepare(most);
    deadline.check("preparing the walk of the vocabulary")?;
    let walkable = || Walkable::new(pda, headroom, trie);
    let (walkable, rows) = threads.join(walkable, || pack::distinct_rows(pda, deadline));
    let walked = walkable.walk(threads, most, deadline)?;
    let rows = rows?;
    let rest = || (rows.lay_out(deadline), hash(of.grammar, of.options));
    let (masks, (rows, grammar_hash)) = threads.join(|| walked.masks(deadline), rest);
    Ok(TableParts {
        masks: masks?,
        rows: rows?,
        grammar_hash,
    })
}

/// Hash of everything in a grammar and its options that tables depend on, and of this compiler's
/// version. It is part of the tables' layout, and tells states of other tables apart, in which
/// whoever saves a state makes a mistake. It protects from nobody: whoever chooses the texts of two
/// grammars can give both one hash. Caches, the registry and the rows of its pools know tables by
/// digests instead.
fn hash(grammar: &Grammar, options: &Options) -> u64 {
    let Options {
        limits: _,
        tuning,
        threads: _,
        deterministic: _,
    } = options;
    let mut hasher = Xxh3::new();
    hasher.update(env!("CARGO_PKG_VERSION").as_bytes());
    // Where a limit on stacks stood: tables that need no graph keep their bytes.
    hasher.update(&8_u64.to_le_bytes());
    hasher.update(&tuning.expansion.to_le_bytes());
    hasher.update(&tuning.block.to_le_bytes());
    if !tuning.share {
        hasher.update(b"share");
    }
    if tuning.together != Tuning::default().together {
        hasher.update(&tuning.together.to_le_bytes());
    }
    let mut bytes = Vec::new();
    grammar::digest::write(grammar, &mut bytes);
    hasher.update(&bytes);
    hasher.digest()
}
