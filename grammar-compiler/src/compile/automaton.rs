//! The first half of the pipeline, which does not depend on the vocabulary.
//!
//! In: a [`Grammar`]. Out: its [`Automaton`], with equal states merged and its stacks bounded where
//! that can be proved.

use super::diagnostics::{at_largest, at_rule, check_stacks, no_sentence};
use super::lexer::{self, SymbolGrammar, never_cut};
use super::stage::{Stage, timed};
use crate::automata::{self, AutomataError, Delimiters, Network};
use crate::error::Error;
use crate::feasibility::Feasible;
use crate::grammar::Grammar;
use crate::limits::{Deadline, LimitExceeded};
use crate::lr::{self, Built, Guards, Positions, Sharing};
use crate::mask::Masks;
use crate::options::Options;
use crate::pack::Rows;
use crate::pda::deferred_lookahead::defer_lookahead;
use crate::pda::dominance::drop_dominated;
use crate::pda::headroom::{Headroom, Solved, headroom};
use crate::pda::marks::MarkedPda;
use crate::pda::minimize::{Minimized, minimize};
use crate::pda::stacks::{self, Stacks};
use crate::pda::{Pda, StateId, reorder, through};
use crate::terminals;
use crate::threads::Threads;

/// States within which repetitions are written out if counting them may split the stack.
const WRITTEN_OUT: usize = 10_000;

/// Units of work for each position or state, besides those of
/// [`Tuning::together`](crate::limits::Tuning::together).
const WORK_FOR_EACH: u64 = 500;
/// The same for each state where counts are kept in blocks: their frames lie under many others, and
/// no fewer do where readings come apart.
const WORK_WITH_BLOCKS: u64 = 500_000;

/// The most branches of trees while readings share stacks, besides those for each position.
const BRANCHES: usize = 20_000;
/// The most branches for each position. Schemas have up to 35.
const BRANCHES_FOR_EACH: usize = 100;

/// A grammar's automaton, before any vocabulary comes in.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// The machines whose calls are left.
    #[doc(hidden)]
    pub network: Network,
    /// Item sets, frames and the pushdown automaton that they make.
    #[doc(hidden)]
    pub built: Built,
    /// The same automaton with equal states and frames merged: what masks and tables are made from.
    #[doc(hidden)]
    pub pda: Pda,
    /// For each of its states the states of `built.pda` that it stands for, ascending.
    #[doc(hidden)]
    pub origins: Vec<Vec<StateId>>,
    /// The needs of states and the reserves of frames.
    #[doc(hidden)]
    pub headroom: Headroom,
    /// The bound on stacks.
    #[doc(hidden)]
    pub stacks: Stacks,
    pub(super) stages: Vec<Stage>,
}

impl Automaton {
    /// Builds the automaton of `grammar`, without a vocabulary.
    ///
    /// # Errors
    ///
    /// As for [`Compiler::compile`](crate::Compiler::compile).
    pub fn new(grammar: &Grammar, options: &Options) -> Result<Self, Error> {
        let deadline = Deadline::start(&options.limits);
        let threads = &mut Threads::up_to(options.thread_count());
        match terminals::resolve_alone(grammar, &deadline)? {
            None => automaton_by(grammar, options, threads, &deadline),
            Some((grammar, _)) => automaton_by(&grammar, options, threads, &deadline),
        }
    }

    /// Whether `grammar`, whose automaton this is, has as few stacks as `options` ask for.
    ///
    /// # Errors
    ///
    /// If `options` ask for a deterministic grammar and this one is not. The error shows a text, and
    /// where in the grammar its readings come apart. Or if finding that takes longer than
    /// [`Limits::time`](crate::limits::Limits::time).
    pub fn check_stacks(&self, grammar: &Grammar, options: &Options) -> Result<(), Error> {
        let deadline = Deadline::start(&options.limits);
        check_stacks(grammar, &self.pda, self.stacks, options, &deadline)
    }

    /// Renumbers the states, here and in the results that were made from the automaton.
    pub(super) fn number_states(&mut self, number: &[StateId], masks: &mut Masks, rows: &mut Rows) {
        self.pda.number_states(number);
        reorder(&mut self.origins, number);
        reorder(&mut self.headroom.states, number);
        masks.number_states(number);
        rows.number_states(number);
    }

    /// Puts the automaton for a vocabulary in the place of that for all text.
    pub(super) fn put(
        &mut self,
        Feasible {
            pda,
            headroom,
            origins,
            never: _,
        }: Feasible,
        deadline: &Deadline,
    ) -> Result<(), LimitExceeded> {
        self.origins = through(&origins, &self.origins);
        self.stacks = stacks::bound(&pda, deadline)?;
        self.pda = pda;
        self.headroom = headroom;
        Ok(())
    }
}

pub(super) fn automaton_by(
    grammar: &Grammar,
    options: &Options,
    threads: &mut Threads,
    deadline: &Deadline,
) -> Result<Automaton, Error> {
    let mut within = |options: &Options, sharing| {
        automaton_within(grammar, (options, sharing), threads, deadline)
    };
    let together = match options.tuning.together == 0 && may_come_apart(options) {
        true => None,
        false => within(options, Sharing::Together)?,
    };
    let Some(automaton) = together else {
        let apart = within(options, Sharing::Apart)?;
        return apart.ok_or_else(|| too_many_states().into());
    };
    let automaton = match automaton.stacks {
        Stacks::Proved(1) => return Ok(automaton),
        // Nothing is gained then where readings share stacks, and states are often many more.
        Stacks::Unproved if options.tuning.together < u64::MAX => {
            let apart = unless_over(within(options, Sharing::Apart), deadline)?;
            apart.filter(|apart| suits(apart, options))
        }
        _ => None,
    }
    .unwrap_or(automaton);
    if automaton.network.blocks == 0 {
        return Ok(automaton);
    }
    // Counting in blocks may be what splits the stack: written out, a count is part of the state.
    let mut written_out = options.clone();
    written_out.tuning.block = 0;
    let limits = &mut written_out.limits;
    limits.automaton_states = limits.automaton_states.min(WRITTEN_OUT);
    limits.states = limits.states.min(WRITTEN_OUT);
    let stacks = |automaton: &Automaton| match automaton.stacks {
        Stacks::Proved(count) => count,
        Stacks::Unproved => u32::MAX,
    };
    let other = unless_over(within(&written_out, Sharing::Together), deadline)?;
    let other = other.filter(|other| stacks(other) < stacks(&automaton));
    Ok(other.unwrap_or(automaton))
}

/// Another automaton for the same grammar, if it can be built. Fails only if the time is over,
/// since the choice must not depend on how fast the machine is.
fn unless_over(
    other: Result<Option<Automaton>, Error>,
    deadline: &Deadline,
) -> Result<Option<Automaton>, Error> {
    match other {
        Err(error) if deadline.check("building another automaton").is_err() => Err(error),
        other => Ok(other.unwrap_or(None)),
    }
}

/// Whether readings may have stacks for themselves, where sharing takes too much work.
fn may_come_apart(options: &Options) -> bool {
    !options.deterministic && options.tuning.together < u64::MAX
}

/// Whether an automaton is deterministic, if it has to be.
fn suits(automaton: &Automaton, options: &Options) -> bool {
    !options.deterministic || automaton.stacks == Stacks::Proved(1)
}

fn too_many_states() -> LimitExceeded {
    LimitExceeded::new("work", u64::MAX, "the grammar needs too many states")
}

/// The automaton, if the items of a grammar are [together](Sharing::Together) in as few states as
/// `options` ask for; always, if they are apart.
fn automaton_within(
    grammar: &Grammar,
    (options, sharing): (&Options, Sharing),
    threads: &mut Threads,
    deadline: &Deadline,
) -> Result<Option<Automaton>, Error> {
    let limits = &options.limits;
    let mut stages = Vec::new();
    let mut over_symbols = timed(&mut stages, "terminals", || {
        lexer::over_symbols(grammar, limits, deadline)
    })?;
    let parsed = parsed(
        grammar,
        &mut over_symbols,
        (options, sharing),
        threads,
        &mut stages,
        deadline,
    );
    let Some((network, built)) = parsed? else {
        return Ok(None);
    };
    let minimized = timed(&mut stages, "merge states", || {
        minimize(&built.pda, deadline)
    })?;
    let (mut origins, mut pda) = match &over_symbols {
        None => with_fewer_ways(minimized.origins(), minimized.pda, deadline, &mut stages)?,
        Some(of) => {
            let over_bytes = timed(&mut stages, "lexer", || {
                lexer::over_bytes(&minimized.pda, of, limits, deadline)
            });
            let over_bytes = over_bytes.map_err(|limit| at_largest(grammar, &built, &limit))?;
            let over_bytes = over_bytes.ok_or_else(|| never_cut(grammar))?;
            let origins = through(&over_bytes.origins, &minimized.origins());
            with_fewer_ways(origins, over_bytes.pda, deadline, &mut stages)?
        }
    };
    let solved = timed(&mut stages, "stack bounds", || {
        let for_each = match network.blocks {
            0 => WORK_FOR_EACH,
            _ => WORK_WITH_BLOCKS,
        };
        let work = for_each.saturating_mul(pda.states.len() as u64);
        let stage = |deadline: &Deadline| headroom(&pda, limits, deadline);
        in_little_work(work, (options, sharing), deadline, stage)
    });
    let solved = solved.map_err(|limit| at_largest(grammar, &built, &limit))?;
    let Some(solved) = solved else {
        return Ok(None);
    };
    let headroom = match solved {
        Solved::Uniform(headroom) => headroom,
        Solved::Refined(marked) => {
            let MarkedPda {
                pda: refined,
                headroom,
                origins: of_refined,
            } = *marked;
            origins = through(&of_refined, &origins);
            pda = refined;
            headroom
        }
    };
    let stacks = timed(&mut stages, "proof of stacks", || {
        stacks::bound(&pda, deadline)
    })?;
    Ok(Some(Automaton {
        network,
        built,
        pda,
        origins,
        headroom,
        stacks,
        stages,
    }))
}

/// Runs a stage that may take this many units of work, besides those that `options` give; `None` if
/// the items of the grammar may come apart, and that is to be done rather than this.
fn in_little_work<T>(
    more: u64,
    (options, sharing): (&Options, Sharing),
    deadline: &Deadline,
    stage: impl FnOnce(&Deadline) -> Result<T, LimitExceeded>,
) -> Result<Option<T>, LimitExceeded> {
    if sharing == Sharing::Apart || !may_come_apart(options) {
        return stage(deadline).map(Some);
    }
    deadline.attempt(options.tuning.together.saturating_add(more), stage)
}

/// The item sets; `None` if they have too many branches, and items are to come apart.
fn in_few_states(
    positions: Positions,
    (options, sharing): (&Options, Sharing),
    deadline: &Deadline,
) -> Result<Option<Built>, LimitExceeded> {
    let size = positions.nodes.len();
    // There are no more states than positions where items are apart.
    let has_other_way =
        sharing == Sharing::Together && may_come_apart(options) && size <= options.limits.states;
    let mut limits = options.limits.clone();
    if has_other_way {
        let few = size.saturating_mul(BRANCHES_FOR_EACH) + BRANCHES;
        limits.branches = limits.branches.min(few);
    }
    let work = WORK_FOR_EACH.saturating_mul(size as u64);
    let stage = |deadline: &Deadline| lr::build(positions, &limits, deadline);
    match in_little_work(work, (options, sharing), deadline, stage) {
        Err(limit) if has_other_way && ["states", "branches"].contains(&limit.limit) => Ok(None),
        result => result,
    }
}

/// The automaton of the grammar over symbols, or of one without a lexer.
fn parsed(
    grammar: &Grammar,
    over_symbols: &mut Option<SymbolGrammar>,
    (options, sharing): (&Options, Sharing),
    threads: &mut Threads,
    stages: &mut Vec<Stage>,
    deadline: &Deadline,
) -> Result<Option<(Network, Built)>, Error> {
    let mut build = |parsed: &Grammar,
                     delimiters: Delimiters<'_>,
                     guards: Guards<'_>,
                     stages: &mut Vec<Stage>| {
        item_sets(
            (parsed, grammar),
            (delimiters, guards),
            (options, sharing),
            threads,
            stages,
            deadline,
        )
    };
    match over_symbols {
        None => build(grammar, Delimiters::OfText, Guards::NONE, stages),
        Some(of) => lexer::parsed(of, &mut build, &options.limits, stages, deadline),
    }
}

/// The machines of the grammar that is parsed, and their item sets. Errors are about the grammar
/// as it was read.
fn item_sets(
    (parsed, grammar): (&Grammar, &Grammar),
    (delimiters, guards): (Delimiters<'_>, Guards<'_>),
    (options, sharing): (&Options, Sharing),
    threads: &mut Threads,
    stages: &mut Vec<Stage>,
    deadline: &Deadline,
) -> Result<Option<(Network, Built)>, Error> {
    let limits = &options.limits;
    let network = timed(stages, "automata", || {
        let parsed = (parsed, delimiters);
        automata::build_with(parsed, limits, &options.tuning, threads, deadline)
    });
    let network = network.map_err(|error| match error {
        AutomataError::Limit(limit) => Error::from(at_rule(grammar, &limit)),
        AutomataError::NoSentence => Error::from(no_sentence(grammar)),
    })?;
    let built = timed(stages, "item sets", || {
        let mut positions = Positions::guarded(&network, guards, deadline)?;
        positions.sharing = sharing;
        in_few_states(positions, (options, sharing), deadline)
    });
    let built = built.map_err(|limit| at_rule(grammar, &limit))?;
    Ok(built.map(|built| (network, built)))
}

/// The automaton with lookahead deferred and dominated alternatives dropped, and the origins of its
/// states.
fn with_fewer_ways(
    mut origins: Vec<Vec<StateId>>,
    mut pda: Pda,
    deadline: &Deadline,
    stages: &mut Vec<Stage>,
) -> Result<(Vec<Vec<StateId>>, Pda), LimitExceeded> {
    deadline.check("deferring lookahead")?;
    if let Some(fewer) = timed(stages, "lookahead", || defer_lookahead(&pda)) {
        origins = through(&fewer.origins(), &origins);
        pda = fewer.pda;
    }
    if stacks::splits(&pda) {
        let fewer = timed(stages, "stacks", || fewer_ways(&pda, deadline))?;
        if let Some(fewer) = fewer {
            origins = through(&fewer.origins(), &origins);
            pda = fewer.pda;
        }
    }
    Ok((origins, pda))
}

/// The automaton without dominated alternatives; `None` if there are none.
fn fewer_ways(pda: &Pda, deadline: &Deadline) -> Result<Option<Minimized>, LimitExceeded> {
    let fewer = drop_dominated(pda, deadline)?;
    fewer.map(|fewer| minimize(&fewer, deadline)).transpose()
}
