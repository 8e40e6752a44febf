//! Walks of the trie below some nodes, as far as the frames known decide every step.
//!
//! In: trie nodes, a state and the frames known. Out: [`Summary`]: the tokens accepted, and the questions that some
//! unknown frame would have to answer. What a walk without any known frame comes to holds under any frames, so it
//! is computed once: a large subtree is taken one symbol further, and each part of it that goes on in a state by itself is
//! summed up for all walks that come there. States that differ in few bytes so share almost all of their walks.
//!
//! Heights are relative to the unknown stack: with 3 frames known a walk starts at height 3.

use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::lists::{Lists, NodesId};
use super::local::{LocalId, Locals};
use super::rows::{Action, Rows};
use super::set::Ranks;
use super::trie::TokenTrie;
use crate::pda::need::Need;
use crate::pda::{Alternative, Class, Pda, StateId, Tree, TreeId};

/// Subtrees of fewer trie nodes are walked whole.
const LARGE: u32 = 1 << 13;
/// Parts of larger subtrees that have fewer trie nodes than this are walked with the frames known, rather than summed up without.
const SHARED: u32 = 64;
/// From the root of the trie, subtrees are taken no more than so many symbols further before they are walked whole.
const MAX_STEPS: u32 = 24;

/// Index of a set of ranks that some walk accepted.
pub type PieceId = u32;

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

/// What a walk comes to.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Tokens accepted, by the height that they need.
    pub tokens: Vec<(i16, Vec<PieceId>)>,
    /// What is left open.
    pub questions: Vec<Question>,
}

/// What a walk gathers.
#[derive(Default)]
struct Gather {
    tokens: BTreeMap<i16, Vec<PieceId>>,
    questions: BTreeMap<(Class, StateId, LocalId, i16), Vec<NodesId>>,
}

/// Everything that walks read, and what they have found.
pub struct Descent<'a> {
    pda: &'a Pda,
    needs: &'a [Need],
    trie: &'a TokenTrie,
    rows: &'a Rows,
    /// The lists of trie nodes met.
    pub lists: Lists<'a>,
    /// The stacks of known frames met.
    pub locals: Locals,
    pieces: Vec<Ranks>,
    /// All tokens below the nodes of a list.
    whole: HashMap<NodesId, PieceId>,
    summaries: HashMap<(NodesId, StateId), Rc<Summary>>,
}

/// A trie node that is open in a walk: where its next child lies, and where its last one ends.
struct Open {
    at: u32,
    end: u32,
    start: Start,
}

impl Open {
    fn new((at, end): (u32, u32), start: Start) -> Self {
        Open { at, end, start }
    }
}

/// What a walk of small subtrees gathers.
#[derive(Default)]
struct Small {
    /// Intervals of ranks, by the height that they need: a few heights, the one used last at the end.
    tokens: Vec<(i16, Vec<(u32, u32)>)>,
    questions: BTreeMap<(Class, StateId, LocalId, i16), Vec<u32>>,
    open: Vec<Open>,
}

impl Small {
    fn add(&mut self, height: i16, from: u32, to: u32) {
        if self.tokens.last().is_none_or(|last| last.0 != height) {
            match self.tokens.iter().position(|of| of.0 == height) {
                Some(at) => {
                    let last = self.tokens.len() - 1;
                    self.tokens.swap(at, last);
                }
                None => self.tokens.push((height, Vec::new())),
            }
        }
        if let Some((_, intervals)) = self.tokens.last_mut() {
            match intervals.last_mut() {
                Some(last) if last.1 == from => last.1 = to,
                _ => intervals.push((from, to)),
            }
        }
    }
}

impl<'a> Descent<'a> {
    /// Nothing has been walked yet.
    pub fn new(pda: &'a Pda, needs: &'a [Need], trie: &'a TokenTrie, rows: &'a Rows) -> Self {
        Descent {
            pda,
            needs,
            trie,
            rows,
            lists: Lists::new(trie, &pda.classes),
            locals: Locals::new(),
            pieces: Vec::new(),
            whole: HashMap::default(),
            summaries: HashMap::default(),
        }
    }

    /// The ranks of a piece.
    pub fn piece(&self, piece: PieceId) -> &Ranks {
        &self.pieces[piece as usize]
    }

    /// Walks everything below `start`.
    pub fn walk(&mut self, start: Start) -> Rc<Summary> {
        match self.lists.size(start.nodes) {
            size if start.local == 0 && size < LARGE => self.summary(start.nodes, start.state, 0),
            size if start.local == 0 || size < SHARED => Rc::new(self.descend(start, 0)),
            _ => {
                let mut gather = Gather::default();
                self.part(start, 0, &mut gather);
                Rc::new(self.summed(gather))
            }
        }
    }

    /// What a walk without known frames comes to, each height in one piece.
    fn summary(&mut self, nodes: NodesId, state: StateId, steps: u32) -> Rc<Summary> {
        if let Some(known) = self.summaries.get(&(nodes, state)) {
            return Rc::clone(known);
        }
        let start = Start {
            nodes,
            state,
            local: 0,
            peak: 0,
        };
        let mut summary = self.descend(start, steps);
        for (_, pieces) in &mut summary.tokens {
            if pieces.len() > 1 {
                let ranks = union(&self.pieces, pieces);
                *pieces = vec![self.add_piece(ranks)];
            }
        }
        let summary = Rc::new(summary);
        self.summaries.insert((nodes, state), Rc::clone(&summary));
        summary
    }

    fn descend(&mut self, start: Start, steps: u32) -> Summary {
        let mut gather = Gather::default();
        if self.lists.size(start.nodes) < LARGE || steps >= MAX_STEPS {
            self.small(start, &mut gather);
        } else {
            self.step(start, steps, &mut gather);
        }
        self.summed(gather)
    }

    fn summed(&mut self, gather: Gather) -> Summary {
        let questions = gather.questions.into_iter();
        let questions = questions.map(|((class, state, local, peak), nodes)| Question {
            class,
            at: Start {
                nodes: self.lists.join(nodes),
                state,
                local,
                peak,
            },
        });
        Summary {
            questions: questions.collect(),
            tokens: gather.tokens.into_iter().collect(),
        }
    }

    /// Takes large subtrees one symbol further.
    fn step(&mut self, start: Start, steps: u32, gather: &mut Gather) {
        let split = self.lists.split(start.nodes);
        if let Some(height) = self.height(start).filter(|_| !split.own.is_empty()) {
            let piece = self.add_piece(Ranks::from_unsorted(split.own.clone()));
            gather.tokens.entry(height).or_default().push(piece);
        }
        let Start {
            state, local, peak, ..
        } = start;
        for &(class, nodes) in &split.parts {
            let (bytes, length) = (self.lists.bytes(nodes), self.lists.length(nodes));
            let next = match self.rows.action(state, class) {
                Action::Refuse => continue,
                Action::Goto(_) if self.rows.is_run(state, bytes, length) => {
                    if let Some(height) = self.height(start) {
                        let piece = self.whole(nodes);
                        gather.tokens.entry(height).or_default().push(piece);
                    }
                    continue;
                }
                Action::Goto(next) => Some((next, local)),
                Action::Tree(tree) => self.simple(tree, local),
            };
            match next {
                Some((state, local)) => {
                    let part = Start {
                        nodes,
                        state,
                        local,
                        peak: peak.max(self.locals.len(local) as i16),
                    };
                    self.part(part, steps + 1, gather);
                }
                None => {
                    let class = self.rows.alike(state, class);
                    let key = (class, state, local, peak);
                    gather.questions.entry(key).or_default().push(nodes);
                }
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
        for (height, pieces) in &summary.tokens {
            let height = part.peak.max(above + height);
            gather.tokens.entry(height).or_default().extend(pieces);
        }
        for Question { class, at } in &summary.questions {
            let local = self.locals.on(at.local, part.local);
            let key = (*class, at.state, local, part.peak.max(above + at.peak));
            gather.questions.entry(key).or_default().push(at.nodes);
        }
    }

    /// Walks subtrees whole.
    fn small(&mut self, start: Start, gather: &mut Gather) {
        let mut small = Small::default();
        for &node in self.lists.nodes(start.nodes).iter() {
            self.subtree(node, start, &mut small);
        }
        // Pieces are numbered in the order of their heights.
        small.tokens.sort_unstable_by_key(|of| of.0);
        for (height, intervals) in small.tokens {
            let piece = self.add_piece(Ranks::from_unsorted(intervals));
            gather.tokens.entry(height).or_default().push(piece);
        }
        for (key, nodes) in small.questions {
            let nodes = self.lists.id(nodes);
            gather.questions.entry(key).or_default().push(nodes);
        }
    }

    /// Walks all tokens below `root`, whose own symbol has been consumed.
    fn subtree(&mut self, root: u32, start: Start, small: &mut Small) {
        let trie = self.trie;
        let top = &trie.nodes[root as usize];
        self.accept(start, (top.first, top.own), small);
        small.open.clear();
        small.open.push(Open::new(trie.children_of(root), start));
        while let Some(open) = small.open.last_mut() {
            if open.at == open.end {
                small.open.pop();
                continue;
            }
            let child = trie.children[open.at as usize];
            open.at += 1;
            let at = open.start;
            let class = self.lists.class_of(child.symbol);
            let action = self.rows.action(at.state, class);
            if action == Action::Refuse {
                continue;
            }
            let here = &trie.nodes[child.node as usize];
            let next = match action {
                Action::Refuse => continue,
                Action::Goto(_) if self.rows.is_run(at.state, &here.bytes, here.length) => {
                    self.accept(at, (here.first, here.last), small);
                    continue;
                }
                Action::Goto(next) => Some((next, at.local)),
                Action::Tree(tree) => self.simple(tree, at.local),
            };
            match next {
                Some((state, local)) => {
                    let peak = at.peak.max(self.locals.len(local) as i16);
                    let at = Start {
                        state,
                        local,
                        peak,
                        ..start
                    };
                    self.accept(at, (here.first, here.own), small);
                    small.open.push(Open::new(trie.children_of(child.node), at));
                }
                None => {
                    let class = self.rows.alike(at.state, class);
                    let key = (class, at.state, at.local, at.peak);
                    small.questions.entry(key).or_default().push(child.node);
                }
            }
        }
    }

    /// The height that a token which ends here needs; `None` if no text can be finished from here.
    fn height(&self, at: Start) -> Option<i16> {
        let need = self.needs[at.state as usize]?;
        let here = self.locals.len(at.local) as i16 + need as i16;
        Some(at.peak.max(here))
    }

    fn accept(&self, at: Start, (from, to): (u32, u32), small: &mut Small) {
        if from < to
            && let Some(height) = self.height(at)
        {
            small.add(height, from, to);
        }
    }

    fn add_piece(&mut self, ranks: Ranks) -> PieceId {
        self.pieces.push(ranks);
        self.pieces.len() as PieceId - 1
    }

    fn whole(&mut self, nodes: NodesId) -> PieceId {
        if let Some(&piece) = self.whole.get(&nodes) {
            return piece;
        }
        let nodes_of = self.lists.nodes(nodes);
        let tops = nodes_of.iter().map(|&node| &self.trie.nodes[node as usize]);
        let ranks = Ranks::from_unsorted(tops.map(|top| (top.first, top.last)).collect());
        let piece = self.add_piece(ranks);
        self.whole.insert(nodes, piece);
        piece
    }

    /// The one next state and stack of a symbol, if known frames decide it and it is consumed at once.
    fn simple(&mut self, tree: TreeId, local: LocalId) -> Option<(StateId, LocalId)> {
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
                Some((
                    next,
                    push.map_or(popped, |frame| self.locals.push(popped, frame)),
                ))
            }
            _ => None,
        }
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

fn union(all: &[Ranks], pieces: &[PieceId]) -> Ranks {
    Ranks::union(pieces.iter().map(|&piece| &all[piece as usize]))
}
