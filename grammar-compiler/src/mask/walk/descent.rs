//! Walks of the trie below some nodes, as far as known frames decide every step.
//!
//! In: a [`WalkPosition`]. Out: a [`Summary`]: the accepted tokens, and the questions that unknown
//! frames have to answer. The result of a walk without known frames holds under any frames, so it
//! is computed once. A large subtree is taken apart: to the exits of a run, or one symbol further.
//! Each part that goes on in a state without known frames is summed up for all walks that come
//! there, so that states that differ in few bytes share almost all of their walks.
//!
//! Heights are relative to the unknown stack: with three known frames a walk starts at height 3.
//!
//! Worth (`docs/ablation.md`): without summaries of parts a compile takes 54 % longer at the
//! median, and three times as long at the 99th percentile.

use std::rc::Rc;

use super::context::WalkContext;
use super::known::KnownId;
use super::lists::ListId;
use super::position::{Gather, Question, WalkPosition};
use super::region_walks::{kept, recall};
use super::small::SmallWalk;
use super::splits::{SplitPart, Splits};
use super::summaries::{Summaries, Summary};
use crate::mask::equivalence::{BlockId, Equivalence};
use crate::mask::transitions::{Action, DefaultTransition, InShape, Region, RunChain};
use crate::mask::trie::regions::KeptRegion;
use crate::pda::{Class, StateId};

/// Subtrees of fewer trie nodes than this, or than a sixteenth of the trie, are walked node by
/// node.
const LARGE: u32 = 1 << 13;
/// Where symbols push a frame, subtrees of fewer trie nodes than this are. The rest of the walk is
/// the same for all frames, so it is summed up once: the digits of a long count differ only in the
/// frames that they push. Without this, a compile takes 16 % longer at the 99th percentile.
const LARGE_WHERE_PUSHED: u32 = 1 << 7;
/// Places with known frames whose subtrees have fewer trie nodes than this are walked node by node.
/// Copies of regions are worth it from this size on.
const SHARED: u32 = 64;
/// Parts of large subtrees that have fewer trie nodes than this are walked with their known frames,
/// instead of summed up without.
const SHARED_PART: u32 = 16;
/// The greatest depth, in symbols from the root of the trie, at which a walk divides a subtree.
const MAX_STEPS: u32 = 24;

/// The walks so far.
pub struct Descent<'a> {
    /// What they share.
    pub context: WalkContext<'a>,
    /// What they came to.
    pub summaries: Summaries,
    equivalence: &'a Equivalence,
    /// The list of the trie's root alone.
    pub root: ListId,
    /// The size from which on subtrees are large.
    large: u32,
    splits: Splits,
    small: SmallWalk,
    /// Scratch for what walks gather.
    gathers: Vec<Gather>,
    /// Scratch for lists that are to be united.
    lists: Vec<ListId>,
}

impl<'a> Descent<'a> {
    /// Nothing has been walked yet.
    pub fn new(mut context: WalkContext<'a>, equivalence: &'a Equivalence) -> Self {
        Descent {
            root: context.subtrees.lists.id(&[0]),
            large: (context.trie.len() as u32 / 16).clamp(SHARED, LARGE),
            context,
            summaries: Summaries::default(),
            equivalence,
            splits: Splits::default(),
            small: SmallWalk::default(),
            gathers: Vec::new(),
            lists: Vec::new(),
        }
    }

    /// The representative of a state and its known frames, for walks that stay in the subtrees of
    /// these nodes. `consumed` says whether the nodes' own symbols have been consumed.
    pub fn equivalent(
        &mut self,
        nodes: ListId,
        state: StateId,
        known: KnownId,
        consumed: bool,
    ) -> (BlockId, KnownId) {
        if self.context.table.is_copy(state) {
            return (BlockId::alone(state), known);
        }
        let equivalence = self.equivalence;
        let length = self.context.subtrees.lists.length(nodes) - u32::from(consumed);
        let frame = &mut |frame| equivalence.frame(length, state, frame);
        let known = self.context.frames.known.map(known, frame);
        (equivalence.block(length, state), known)
    }

    /// Walks everything below `start`. The summary lasts until the next walk.
    pub fn walk(&mut self, start: WalkPosition) -> Summary {
        self.summaries.forget();
        let is_unknown = start.known == KnownId::NONE;
        let gather = match self.context.subtrees.lists.size(start.nodes) {
            size if is_unknown && size < self.large => {
                return self.summary(start.nodes, start.state, 0);
            }
            size if is_unknown || size < SHARED => self.descend(start, 0),
            _ => {
                let mut gather = self.gathers.pop().unwrap_or_default();
                self.part(start, 0, &mut gather);
                gather
            }
        };
        self.summed(gather)
    }

    /// The summary of a walk without known frames.
    fn summary(&mut self, nodes: ListId, state: StateId, steps: u32) -> Summary {
        let (block, _) = self.equivalent(nodes, state, KnownId::NONE, true);
        if let Some(known) = self.summaries.known(nodes, block) {
            return known;
        }
        let start = WalkPosition {
            nodes,
            state,
            known: KnownId::NONE,
            peak: 0,
        };
        let region = match nodes == self.root {
            true => self.context.regions.of(state),
            false => None,
        };
        let summary = match region {
            Some((region, at)) => self.of_region(start, &region, at),
            None => {
                let gather = self.descend(start, steps);
                self.summed(gather)
            }
        };
        self.summaries.keep(nodes, block, &summary);
        summary
    }

    /// The summary of a walk of the whole trie from a state of a region. The walk is taken only if
    /// no other grammar has taken it.
    fn of_region(&mut self, start: WalkPosition, region: &KeptRegion, at: InShape) -> Summary {
        let walk = region.walk(at.state as usize);
        let walk = match walk.get() {
            Some(known) => known,
            None => {
                let gather = self.descend(start, 0);
                let summary = self.summed(gather);
                let Some(found) = kept(&self.context.subtrees, &self.summaries, &summary) else {
                    return summary;
                };
                walk.get_or_init(|| found)
            }
        };
        let mut gather = self.gathers.pop().unwrap_or_default();
        recall(&mut self.context.subtrees, walk, at.home, &mut gather);
        self.summed(gather)
    }

    fn descend(&mut self, start: WalkPosition, steps: u32) -> Gather {
        let mut gather = self.gathers.pop().unwrap_or_default();
        let table = self.context.table;
        let size = self.context.subtrees.lists.size(start.nodes);
        let large = match table.transitions.pushes(start.state) {
            true => self.large.min(LARGE_WHERE_PUSHED),
            false => self.large,
        };
        match table.region(start.state) {
            Some(region) if size >= SHARED => self.through(start, region, steps, &mut gather),
            _ if size < large || steps >= MAX_STEPS => {
                self.small.walk(&mut self.context, start, &mut gather);
            }
            _ => match table.default_transition(start.state) {
                Some(default) => self.default(start, default, steps, &mut gather),
                None => self.split(start, steps, &mut gather),
            },
        }
        gather
    }

    /// The summary of what a walk gathered.
    fn summed(&mut self, mut gather: Gather) -> Summary {
        gather.sort();
        let same = gather.questions.chunk_by(|a, b| a.0 == b.0);
        let questions = same.map(|same| {
            let (class, state, known, peak) = same[0].0;
            self.lists.clear();
            self.lists.extend(same.iter().map(|&(_, nodes)| nodes));
            let nodes = self.context.subtrees.lists.join(&mut self.lists);
            let at = WalkPosition {
                nodes,
                state,
                known,
                peak,
            };
            Question { class, at }
        });
        let summary = self.summaries.add(&gather.tokens, questions);
        gather.tokens.clear();
        gather.questions.clear();
        self.gathers.push(gather);
        summary
    }

    /// Takes large subtrees apart: to the exits of a run, or one symbol further.
    fn split(&mut self, start: WalkPosition, steps: u32, gather: &mut Gather) {
        let table = self.context.table;
        let split = self.splits.of(&mut self.context, start.nodes, start.state);
        if let (Some(height), Some(own)) = (self.context.height(start), split.own) {
            gather.tokens.push((height, own));
        }
        let mut chain = RunChain::new(&table.runs, start.state);
        for parts in split.parts.chunk_by(|a, b| a.steps == b.steps) {
            let state = chain.after(parts[0].steps);
            self.follow_taken(start, (state, parts), steps, gather);
        }
        if let Some(beyond) = &split.beyond {
            let state = chain.after(beyond.steps);
            let parts = beyond.parts(&self.context, state);
            self.follow_taken(start, (state, parts), steps, gather);
        }
    }

    /// Continues at those of these nodes whose symbols the state takes, which the walk has reached
    /// from `start` without touching the stack.
    fn follow_taken(
        &mut self,
        start: WalkPosition,
        (state, parts): (StateId, &[Rc<SplitPart>]),
        steps: u32,
        gather: &mut Gather,
    ) {
        let row = self.context.table.transitions.row(state);
        // Most states refuse most classes.
        let taken = parts.iter();
        for part in taken.filter(|part| row[part.class as usize].is_taken()) {
            let nodes = part.list(&mut self.context.subtrees.lists);
            self.follow(start, (state, part.class, nodes), steps, gather);
        }
    }

    /// Walks large subtrees from a state that agrees with another one except on some classes: the
    /// symbols of these are followed, and what lies behind them is taken out of the other state's
    /// summary.
    fn default(
        &mut self,
        start: WalkPosition,
        default: &DefaultTransition,
        steps: u32,
        gather: &mut Gather,
    ) {
        let split = self.splits.one_further(&mut self.context, start.nodes);
        let mut without = Vec::new();
        for &class in &default.except {
            if let Ok(at) = split.parts.binary_search_by_key(&class, |part| part.class) {
                let nodes = split.parts[at].list(&mut self.context.subtrees.lists);
                without.push(self.context.subtrees.whole(nodes));
                self.follow(start, (start.state, class, nodes), steps, gather);
            }
        }
        without.sort_unstable();
        let without = self.context.subtrees.pieces.union(&without);
        let summary = self.summary(start.nodes, default.state, steps);
        for at in summary.tokens {
            let (height, piece) = self.summaries.token(at);
            if let Some(piece) = self.context.subtrees.pieces.difference(piece, without) {
                gather.tokens.push((height, piece));
            }
        }
        for at in summary.questions {
            let Question { class, at } = self.summaries.question(at);
            if let Some(nodes) = self.context.subtrees.outside(at.nodes, without) {
                let asked = (class, at.state, at.known, at.peak);
                gather.questions.push((asked, nodes));
            }
        }
    }

    /// Walks subtrees through the copy of a region, and on from where they leave it.
    fn through(&mut self, start: WalkPosition, region: Region, steps: u32, gather: &mut Gather) {
        let summary = self.summary(start.nodes, region.copy, steps);
        if let Some(height) = self.context.height(start) {
            let pieces = self.summaries.tokens(&summary).iter();
            gather
                .tokens
                .extend(pieces.map(|&(_, piece)| (height, piece)));
        }
        for at in summary.questions {
            let Question { class, at } = self.summaries.question(at);
            self.follow(start, (region.home, class, at.nodes), steps, gather);
        }
    }

    /// Continues at nodes whose symbols share one class. The walk has reached this state from
    /// `start` without touching the stack.
    fn follow(
        &mut self,
        start: WalkPosition,
        (state, class, nodes): (StateId, Class, ListId),
        steps: u32,
        gather: &mut Gather,
    ) {
        let table = self.context.table;
        let at = WalkPosition {
            nodes,
            state,
            ..start
        };
        let next = match table.transitions.action(state, class) {
            Action::Refuse => return,
            Action::Goto(next) => {
                let lists = &self.context.subtrees.lists;
                if table
                    .stays
                    .hold(state, lists.bytes(nodes), lists.length(nodes))
                {
                    if let Some(height) = self.context.height(start) {
                        let piece = self.context.subtrees.whole(nodes);
                        gather.tokens.push((height, piece));
                    }
                    return;
                }
                Some((next, at.known))
            }
            Action::Tree(tree) => self.context.frames.simple(tree, at.known),
            Action::Leave => None,
        };
        match next {
            Some(next) => self.part(self.context.moved(at, next), steps + 1, gather),
            None => {
                let class = table.transitions.representative(state, class);
                let asked = (class, state, at.known, at.peak);
                gather.questions.push((asked, nodes));
            }
        }
    }

    /// Walks a part of a large subtree: by its summary, unless it is small and frames are known.
    fn part(&mut self, part: WalkPosition, steps: u32, gather: &mut Gather) {
        let above = self.context.frames.known.len(part.known) as i16;
        if above > 0 && self.context.subtrees.lists.size(part.nodes) < SHARED_PART {
            return self.small.walk(&mut self.context, part, gather);
        }
        let summary = self.summary(part.nodes, part.state, steps);
        for &(height, piece) in self.summaries.tokens(&summary) {
            gather.tokens.push((part.peak.max(above + height), piece));
        }
        for at in summary.questions {
            let Question { class, at } = self.summaries.question(at);
            let known = self.context.frames.known.on(at.known, part.known);
            let asked = (class, at.state, known, part.peak.max(above + at.peak));
            gather.questions.push((asked, at.nodes));
        }
    }
}
