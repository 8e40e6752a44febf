//! Walks that branch on one unknown frame after the other, from place to place.
//!
//! In: the table, the k-equivalence of its states and the trie. Out: [`PlaceFindings`] for a *place*:
//! some trie nodes, a state and the known frames; the stack below these is unknown. Where an edge
//! needs an unknown frame, the walk gathers all nodes at which the same state asks the same
//! question, branches once on the frames that can lie there, and goes on with all those nodes in
//! places of their own. Each place is walked from once, however many walks arrive there.
//!
//! Heights are relative to the unknown stack: a place with three known frames is at height 3.

use crate::maps::{IdMap, own_keys};

use super::context::WalkContext;
use super::descent::Descent;
use super::known::KnownId;
use super::lists::ListId;
use super::pieces::{Piece, PieceId};
use super::position::{Question, WalkPosition};
use crate::id::id;
use crate::intern::Sequences;
use crate::mask::equivalence::{BlockId, Equivalence};
use crate::mask::transitions::{Action, Table};
use crate::mask::trie::TokenTrie;
use crate::pda::{Class, FrameId, Pda, StateId, TreeId};

id! {
    /// Index of a place.
    pub struct PlaceId;
}

/// Where a walk goes on.
#[derive(Clone, Copy)]
enum WalkPlace {
    /// At some trie nodes in a state.
    At(StatePlace),
    /// In several places on the same stack, each with the greatest height on the way there: a
    /// sequence of [`Walker::bundles`].
    Bundle(u32),
}

/// Trie nodes, a state and the known frames.
#[derive(Clone, Copy)]
struct StatePlace {
    /// The nodes: ascending, none below another, all with symbols of one class.
    nodes: ListId,
    state: StateId,
    /// The known frames, on top of the unknown stack.
    known: KnownId,
    /// Whether the nodes' own symbols have been consumed.
    consumed: bool,
}

/// The key of a place. Two walks arrive at the same place if their states and frames are
/// equivalent, or if their bundles are equal.
#[derive(PartialEq, Eq, Hash)]
enum PlaceKey {
    At(ListId, BlockId, KnownId, bool),
    Bundle(u32),
}

own_keys!(PlaceKey);

/// What walks find below a place.
#[derive(Clone, Copy, Debug)]
pub struct PlaceFindings<'w> {
    /// Pieces accepted without another look, each with the height that it needs.
    pub tokens: &'w [(i16, PieceId)],
    /// Places on the same unknown stack, and the greatest height on the way there.
    pub same: &'w [(PlaceId, i16)],
    /// Places that know the next frame down, by that frame; their heights are relative to what lies
    /// below it.
    pub below: &'w [(FrameId, PlaceId)],
}

/// What walks found at places, from the first place on, in few allocations.
#[derive(Default)]
struct AllFound {
    tokens: Vec<(i16, PieceId)>,
    same: Vec<(PlaceId, i16)>,
    below: Vec<(FrameId, PlaceId)>,
    /// For each place, where its entries end in `tokens`, `same` and `below`.
    ends: Vec<[u32; 3]>,
    /// What the present walk found below frames, in any order.
    open: Vec<(FrameId, PlaceId, i16)>,
}

impl AllFound {
    /// Gives what was found last to the next place.
    fn end(&mut self) {
        let ends = [self.tokens.len(), self.same.len(), self.below.len()];
        self.ends.push(ends.map(|end| end as u32));
    }

    fn of(&self, place: PlaceId) -> PlaceFindings<'_> {
        let place = place.index();
        let first = place
            .checked_sub(1)
            .map_or([0; 3], |before| self.ends[before]);
        let [tokens, same, below] =
            std::array::from_fn(|part| first[part] as usize..self.ends[place][part] as usize);
        PlaceFindings {
            tokens: &self.tokens[tokens],
            same: &self.same[same],
            below: &self.below[below],
        }
    }
}

/// The places that walks came to, and what they found there.
pub struct Walker<'a> {
    descent: Descent<'a>,
    bundles: Sequences<(PlaceId, i16)>,
    places: IdMap<PlaceKey, PlaceId>,
    order: Vec<WalkPlace>,
    found: AllFound,
    /// Scratch for places.
    scratch: Vec<(PlaceId, i16)>,
}

impl<'a> Walker<'a> {
    /// A walker that has not come to any place.
    pub fn new(
        pda: &'a Pda,
        trie: &'a TokenTrie,
        table: &'a Table,
        equivalence: &'a Equivalence,
    ) -> Self {
        let context = WalkContext::new(pda, table, trie);
        Walker {
            descent: Descent::new(context, equivalence),
            bundles: Sequences::new(),
            places: IdMap::default(),
            order: vec![],
            found: AllFound::default(),
            scratch: vec![],
        }
    }

    /// The place at the root of the trie in a state whose stack is unknown.
    pub fn start(&mut self, state: StateId) -> PlaceId {
        self.place(WalkPlace::At(StatePlace {
            nodes: self.descent.root,
            state,
            known: KnownId::NONE,
            consumed: true,
        }))
    }

    /// The number of places from which it has walked.
    pub fn walked(&self) -> usize {
        self.found.ends.len()
    }

    /// Walks from the next place; returns false if no place is left.
    pub fn walk_on(&mut self) -> bool {
        let Some(&place) = self.order.get(self.walked()) else {
            return false;
        };
        match place {
            WalkPlace::Bundle(bundle) => {
                let same = self.bundles.get(bundle);
                self.found.same.extend_from_slice(same);
            }
            WalkPlace::At(at) => self.walk(at),
        }
        self.found.end();
        true
    }

    /// What the walk from a place found.
    pub fn found(&self, place: PlaceId) -> PlaceFindings<'_> {
        self.found.of(place)
    }

    /// The ranks of a piece.
    pub fn piece(&self, piece: PieceId) -> Piece<'_> {
        self.descent.context.subtrees.pieces.get(piece)
    }

    fn walk(&mut self, at: StatePlace) {
        let mut found = std::mem::take(&mut self.found);
        let context = &self.descent.context;
        let peak = context.frames.known.reserved(at.known);
        if at.consumed {
            let start = WalkPosition {
                nodes: at.nodes,
                state: at.state,
                known: at.known,
                peak,
            };
            let summary = self.descent.walk(start);
            let tokens = self.descent.summaries.tokens(&summary);
            found.tokens.extend_from_slice(tokens);
            for at in summary.questions {
                let Question { class, at } = self.descent.summaries.question(at);
                let WalkPosition {
                    nodes,
                    state,
                    known,
                    peak,
                } = at;
                let at = StatePlace {
                    nodes,
                    state,
                    known,
                    consumed: false,
                };
                self.symbol(class, at, peak, &mut found);
            }
        } else if let Some(&node) = context.subtrees.lists.nodes(at.nodes).first() {
            let class = context.subtrees.lists.class(node);
            self.symbol(class, at, peak, &mut found);
        }
        self.bundle(&mut found);
        self.found = found;
    }

    /// For each frame, merges everything that the walk found below it into one place.
    fn bundle(&mut self, found: &mut AllFound) {
        found.open.sort_unstable();
        found.open.dedup();
        let mut scratch = std::mem::take(&mut self.scratch);
        for of_frame in found.open.chunk_by(|a, b| a.0 == b.0) {
            scratch.extend(of_frame.iter().map(|&(_, place, peak)| (place, peak)));
            let bundle = WalkPlace::Bundle(self.bundles.intern(&scratch));
            found.below.push((of_frame[0].0, self.place(bundle)));
            scratch.clear();
        }
        found.open.clear();
        self.scratch = scratch;
    }

    fn place(&mut self, place: WalkPlace) -> PlaceId {
        let key = match place {
            WalkPlace::At(at) => {
                let StatePlace {
                    nodes,
                    state,
                    known,
                    consumed,
                } = at;
                let (block, known) = self.descent.equivalent(nodes, state, known, consumed);
                PlaceKey::At(nodes, block, known, consumed)
            }
            WalkPlace::Bundle(bundle) => PlaceKey::Bundle(bundle),
        };
        let next = PlaceId::at(self.order.len());
        let id = *self.places.entry(key).or_insert(next);
        if id == next {
            self.order.push(place);
        }
        id
    }

    /// Consumes the symbols of a place's nodes, which may split the walk or need another frame.
    fn symbol(&mut self, class: Class, at: StatePlace, peak: i16, found: &mut AllFound) {
        let transitions = &self.descent.context.table.transitions;
        let tree = match transitions.action(at.state, class) {
            // No place is in the copy of a region.
            Action::Refuse | Action::Leave => return,
            Action::Goto(next) => {
                let place = self.place(WalkPlace::At(StatePlace {
                    state: next,
                    consumed: true,
                    ..at
                }));
                return found.same.push((place, peak));
            }
            Action::Tree(tree) => tree,
        };
        if self.decided(tree, at, peak, &mut found.same) {
            return;
        }
        let possible = self.descent.context.frames.below(at.state, at.known);
        let mut scratch = std::mem::take(&mut self.scratch);
        for &frame in possible {
            let frames = &mut self.descent.context.frames;
            let known = frames.known.push_under(at.known, frame);
            let at = StatePlace {
                known,
                consumed: false,
                ..at
            };
            if !self.decided(tree, at, peak + 1, &mut scratch) {
                scratch.push((self.place(WalkPlace::At(at)), peak + 1));
            }
            let open = scratch.drain(..).map(|(place, peak)| (frame, place, peak));
            found.open.extend(open);
        }
        self.scratch = scratch;
    }

    /// Follows a tree if the known frames decide it; whether they do.
    fn decided(
        &mut self,
        tree: TreeId,
        at: StatePlace,
        peak: i16,
        same: &mut Vec<(PlaceId, i16)>,
    ) -> bool {
        let frames = &self.descent.context.frames;
        let Some(leaf) = frames.resolve(tree, at.known) else {
            return false;
        };
        let count = frames.known.len(at.known);
        if leaf.iter().any(|a| a.pop as u16 > count) {
            return false;
        }
        for alternative in leaf {
            let frames = &mut self.descent.context.frames;
            let Some(popped) = frames.known.pop(at.known, alternative.pop) else {
                continue;
            };
            let known = frames.pushed(popped, alternative.push);
            let next = StatePlace {
                nodes: at.nodes,
                state: alternative.next,
                known,
                consumed: !alternative.again,
            };
            same.push((self.place(WalkPlace::At(next)), peak));
        }
        true
    }
}
