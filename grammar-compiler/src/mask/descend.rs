//! Walks of the trie below some nodes, as far as the frames known decide every step.
//!
//! In: trie nodes, a state and the frames known. Out: a [`Summary`]: the tokens accepted, and the questions that some
//! unknown frame would have to answer. What a walk without any known frame comes to holds under any frames, so it
//! is computed once: a large subtree is taken to where it leaves a run, or one symbol further, and each part that goes on in a state by itself is
//! summed up for all walks that come there. States that differ in few bytes so share almost all of their walks.
//!
//! Heights are relative to the unknown stack: with 3 frames known a walk starts at height 3.

use rustc_hash::FxHashMap as HashMap;

use super::like::Without;
use super::lists::{Lists, NodesId};
use super::local::{LocalId, Locals};
use super::near::Near;
use super::pieces::{PieceId, Pieces};
use super::rows::{Action, Rows};
use super::set::Ranks;
use super::small::Small;
use super::split::{Chain, KnownExits, Splits};
use super::summaries::{Summaries, Summary};
use super::trie::TokenTrie;
use crate::pda::{Alternative, Class, FrameId, Pda, StateId, Tree, TreeId};

/// Subtrees of fewer trie nodes than this, or than a sixteenth of the trie, are walked whole.
const LARGE: u32 = 1 << 13;
/// And so are those of fewer than this where symbols push a frame: what follows is the same whichever it is, and so
/// summed up once. The digits of a long count differ in the frames that they push alone.
const PUSHED: u32 = 1 << 8;
/// Parts of larger subtrees that have fewer trie nodes than this are walked with the frames known, rather than summed up without.
const SHARED: u32 = 64;
/// From the root of the trie, subtrees are taken no more than so many symbols further before they are walked whole.
const MAX_STEPS: u32 = 24;

/// Where a walk is: trie nodes whose symbols have been consumed, a state, the frames known, and the greatest height so far.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// The nodes.
    pub nodes: NodesId,
    /// The state.
    pub state: StateId,
    /// The frames known, on top of the unknown stack.
    pub local: LocalId,
    /// The greatest height so far.
    pub peak: i16,
}

/// What walks cannot decide: nodes whose symbols ask a frame that is not known.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// The class of the symbols, or one that comes to the same.
    pub class: Class,
    /// Where the question is asked; the nodes' symbols are still to be consumed.
    pub at: Start,
}

/// Where a question is asked: the class of the symbols, the state, the frames known and the greatest height.
pub type Asked = (Class, StateId, LocalId, i16);

/// What a walk gathers, in any order.
#[derive(Default)]
pub struct Gather {
    /// Tokens accepted, each with the height that they need.
    pub tokens: Vec<(i16, PieceId)>,
    /// Nodes that ask.
    pub questions: Vec<(Asked, NodesId)>,
}

impl Gather {
    /// Puts everything in order, and tokens once.
    fn sort(&mut self) {
        self.tokens.sort_unstable();
        self.tokens.dedup();
        self.questions.sort_unstable();
    }
}

/// Everything that walks read, and what they have found.
pub struct Descent<'a> {
    pda: &'a Pda,
    pub(super) trie: &'a TokenTrie,
    pub(super) rows: &'a Rows,
    near: &'a Near,
    /// The size from which on subtrees are large.
    large: u32,
    /// The lists of trie nodes met.
    pub lists: Lists<'a>,
    /// The stacks of known frames met.
    pub locals: Locals,
    /// For each kind of run where tokens leave it.
    pub(super) exits: Vec<KnownExits>,
    pub(super) splits: Splits,
    pub(super) pieces: Pieces,
    /// Room for what walks gather.
    room: Vec<Gather>,
    /// Room for lists that are to be one.
    alike: Vec<NodesId>,
    /// Room for walks of small subtrees.
    pub(super) small: Small,
    /// All tokens below the nodes of a list.
    whole: HashMap<NodesId, PieceId>,
    pub(super) without: Without,
    pub(super) summaries: Summaries,
}

impl<'a> Descent<'a> {
    /// Nothing has been walked yet.
    pub fn new(pda: &'a Pda, trie: &'a TokenTrie, rows: &'a Rows, near: &'a Near) -> Self {
        Descent {
            pda,
            trie,
            rows,
            near,
            large: (trie.nodes.len() as u32 / 16).clamp(SHARED, LARGE),
            lists: Lists::new(trie, &pda.classes),
            locals: Locals::new(),
            exits: (rows.kinds.iter())
                .map(|&kind| KnownExits::of(trie, kind))
                .collect(),
            splits: Splits::default(),
            pieces: Pieces::default(),
            room: Vec::new(),
            alike: Vec::new(),
            small: Small::default(),
            whole: HashMap::default(),
            without: Without::default(),
            summaries: Summaries::default(),
        }
    }

    /// What stands for a state and the frames known, as far as what lies below the nodes goes.
    pub fn near(
        &mut self,
        nodes: NodesId,
        state: StateId,
        local: LocalId,
        consumed: bool,
    ) -> (u32, LocalId) {
        if self.rows.is_copy(state) {
            return (!state, local);
        }
        let near = self.near;
        let length = self.lists.length(nodes) - u32::from(consumed);
        let frame = &mut |frame| near.frame(length, state, frame);
        (near.state(length, state), self.locals.map(local, frame))
    }

    /// Walks everything below `start`. The summary lasts until the next walk.
    pub fn walk(&mut self, start: Start) -> Summary {
        self.summaries.forget();
        let mut gather = match self.lists.size(start.nodes) {
            size if start.local == 0 && size < self.large => {
                return self.summary(start.nodes, start.state, 0);
            }
            size if start.local == 0 || size < SHARED => self.descend(start, 0),
            _ => {
                let mut gather = self.room.pop().unwrap_or_default();
                self.part(start, 0, &mut gather);
                gather
            }
        };
        gather.sort();
        self.summed(gather)
    }

    /// What a walk without known frames comes to, each height in one piece.
    pub(super) fn summary(&mut self, nodes: NodesId, state: StateId, steps: u32) -> Summary {
        let like = self.near(nodes, state, 0, true).0;
        if let Some(known) = self.summaries.known(nodes, like) {
            return known;
        }
        let start = Start {
            nodes,
            state,
            local: 0,
            peak: 0,
        };
        let mut gather = self.descend(start, steps);
        gather.sort();
        self.pieces.unite(&mut gather.tokens);
        let summary = self.summed(gather);
        self.summaries.keep(nodes, like, &summary);
        summary
    }

    fn descend(&mut self, start: Start, steps: u32) -> Gather {
        let mut gather = self.room.pop().unwrap_or_default();
        let size = self.lists.size(start.nodes);
        let large = match self.rows.pushes(start.state) {
            true => self.large.min(PUSHED),
            false => self.large,
        };
        match self.rows.region(start.state) {
            Some(region) if size >= SHARED => self.through(start, region, steps, &mut gather),
            _ if size < large || steps >= MAX_STEPS => self.small(start, &mut gather),
            _ => self.step(start, steps, &mut gather),
        }
        gather
    }

    /// What a walk gathered, in order, as its summary.
    fn summed(&mut self, mut gather: Gather) -> Summary {
        let asked = gather.questions.chunk_by(|a, b| a.0 == b.0);
        let questions = asked.map(|same| {
            let (class, state, local, peak) = same[0].0;
            self.alike.clear();
            self.alike.extend(same.iter().map(|&(_, nodes)| nodes));
            let nodes = self.lists.join(&mut self.alike);
            let at = Start {
                nodes,
                state,
                local,
                peak,
            };
            Question { class, at }
        });
        let summary = self.summaries.add(&gather.tokens, questions);
        gather.tokens.clear();
        gather.questions.clear();
        self.room.push(gather);
        summary
    }

    /// Takes large subtrees to where they leave a run, or one symbol further.
    fn step(&mut self, start: Start, steps: u32, gather: &mut Gather) {
        let rows = self.rows;
        if let Some(like) = rows.like(start.state) {
            return self.step_like(start, like, steps, gather);
        }
        let split = self.split(start.nodes, start.state);
        if let (Some(height), Some(own)) = (self.height(start), split.own) {
            gather.tokens.push((height, own));
        }
        let mut chain = Chain::new(rows, start.state);
        for parts in split.parts.chunk_by(|a, b| a.0 == b.0) {
            let state = chain.after(parts[0].0);
            let row = rows.row(state);
            // Most classes are refused in most states.
            let taken = parts.iter().filter(|part| row[part.1 as usize].is_taken());
            for &(_, class, nodes) in taken {
                self.follow(start, (state, class, nodes), steps, gather);
            }
        }
    }

    /// Takes subtrees whose nodes' symbols are of one class on from `start`, which stays what it is up to a state.
    pub(super) fn follow(
        &mut self,
        start: Start,
        (state, class, nodes): (StateId, Class, NodesId),
        steps: u32,
        gather: &mut Gather,
    ) {
        let at = Start {
            nodes,
            state,
            ..start
        };
        let next = match self.rows.action(state, class) {
            Action::Refuse => return,
            Action::Goto(next) => {
                let (bytes, length) = (self.lists.bytes(nodes), self.lists.length(nodes));
                if self.rows.is_run(state, bytes, length) {
                    if let Some(height) = self.height(start) {
                        let piece = self.whole(nodes);
                        gather.tokens.push((height, piece));
                    }
                    return;
                }
                Some((next, at.local))
            }
            Action::Tree(tree) => self.simple(tree, at.local),
            Action::Leave => None,
        };
        match next {
            Some(next) => self.part(self.moved(at, next), steps + 1, gather),
            None => {
                let class = self.rows.alike(state, class);
                let asked = (class, state, at.local, at.peak);
                gather.questions.push((asked, nodes));
            }
        }
    }

    /// A part of a large subtree: by its summary, unless it is small and frames are known.
    fn part(&mut self, part: Start, steps: u32, gather: &mut Gather) {
        let above = self.locals.len(part.local) as i16;
        if above > 0 && self.lists.size(part.nodes) < SHARED {
            return self.small(part, gather);
        }
        let summary = self.summary(part.nodes, part.state, steps);
        for &(height, piece) in self.summaries.tokens(&summary) {
            gather.tokens.push((part.peak.max(above + height), piece));
        }
        for at in summary.questions {
            let Question { class, at } = self.summaries.question(at);
            let local = self.locals.on(at.local, part.local);
            let asked = (class, at.state, local, part.peak.max(above + at.peak));
            gather.questions.push((asked, at.nodes));
        }
    }

    /// Where a walk stands after a symbol that led to a state with some frames known.
    pub(super) fn moved(&self, at: Start, (state, local): (StateId, LocalId)) -> Start {
        Start {
            state,
            local,
            peak: at.peak.max(self.locals.reserved(local)),
            ..at
        }
    }

    /// The height that a token which ends here needs; `None` if no text can be finished from here.
    pub(super) fn height(&self, at: Start) -> Option<i16> {
        let need = self.rows.need(at.state)?;
        let here = self.locals.len(at.local) as i16 + need as i16;
        Some(at.peak.max(here))
    }

    pub(super) fn whole(&mut self, nodes: NodesId) -> PieceId {
        if let Some(&piece) = self.whole.get(&nodes) {
            return piece;
        }
        let nodes_of = self.lists.nodes(nodes);
        let tops = nodes_of.iter().map(|&node| &self.trie.nodes[node as usize]);
        let ranks = Ranks::from_unsorted(tops.map(|top| (top.first, top.last)).collect());
        let piece = self.pieces.add(ranks);
        self.whole.insert(nodes, piece);
        piece
    }

    /// The one next state and stack of a symbol, if known frames decide it and it is consumed at once.
    pub(super) fn simple(&mut self, tree: TreeId, local: LocalId) -> Option<(StateId, LocalId)> {
        match self.resolve(tree, local)? {
            [
                Alternative {
                    pop,
                    push,
                    next,
                    again: false,
                },
            ] => {
                let (pop, push, next) = (*pop, *push, *next);
                let popped = self.locals.pop(local, pop)?;
                Some((next, self.pushed(popped, push)))
            }
            _ => None,
        }
    }

    /// Known frames with the one on top that an edge pushes, if it does.
    pub fn pushed(&mut self, local: LocalId, push: Option<FrameId>) -> LocalId {
        push.map_or(local, |frame| {
            self.locals.push(local, frame, self.rows.reserve(frame))
        })
    }

    /// The leaf of a tree, if known frames decide it.
    pub fn resolve(&self, mut tree: TreeId, local: LocalId) -> Option<&'a [Alternative]> {
        loop {
            match &self.pda.trees[tree as usize] {
                Tree::Leaf(alternatives) => return Some(alternatives),
                Tree::Look { depth, branches } => {
                    let frame = self.locals.get(local, *depth)?;
                    match branches.binary_search_by_key(&frame, |b| b.0) {
                        Ok(at) => tree = branches[at].1,
                        Err(_) => return Some(&[]),
                    }
                }
            }
        }
    }
}
