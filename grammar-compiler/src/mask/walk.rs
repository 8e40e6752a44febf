//! Walks of the vocabulary's trie through the automaton, over a stack of which only some frames are known.
//!
//! In: the automaton and the trie. Out: [`Found`] for a *place*: some trie nodes, a state and the frames pushed
//! since (or looked at). All below is unknown. Where an edge needs an unknown frame, the walk gathers all nodes at which
//! the same state asks the same question, branches once on the frames that can lie there, and goes on with all
//! those nodes in places of their own, which are walked once however many walks meet there.
//!
//! Heights are relative to the unknown stack: a place whose local frames number 3 is at height 3.

use rustc_hash::FxHashMap as HashMap;

use super::descend::{Descent, Question, Start};
use super::lists::NodesId;
use super::local::LocalId;
use super::near::Near;
use super::pieces::PieceId;
use super::rows::{Action, Rows};
use super::set::Ranks;
use super::trie::TokenTrie;
use crate::intern::Sequences;
use crate::pda::{Class, FrameId, Pda, StateId, TreeId};

/// Where a walk goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    /// At some trie nodes in a state.
    At(At),
    /// No more than other places on the same stack, each with the greatest height on the way there: a sequence of
    /// [`Walker::bundles`]. Equal ones are one place, whatever frame and whatever walk led there.
    Bundle(u32),
}

/// Trie nodes, a state and the frames known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct At {
    /// The nodes, ascending, none below another, all with symbols of one class.
    nodes: NodesId,
    state: StateId,
    /// The frames known, on top of the unknown stack.
    local: LocalId,
    /// Whether the nodes' own symbols have been consumed.
    consumed: bool,
}

/// Index of a place.
pub type PlaceId = u32;

/// What the tokens below a place come to.
#[derive(Clone, Copy, Debug)]
pub struct Found<'w> {
    /// Tokens accepted without another look, each with the height that they need.
    pub tokens: &'w [(i16, PieceId)],
    /// Places on the same unknown stack, and the greatest height on the way there.
    pub same: &'w [(PlaceId, i16)],
    /// Places that know the next frame down, by that frame; their heights are relative to what lies below it.
    pub below: &'w [(FrameId, PlaceId)],
}

/// What walks found at places, from the first on, in few allocations.
#[derive(Default)]
struct AllFound {
    tokens: Vec<(i16, PieceId)>,
    same: Vec<(PlaceId, i16)>,
    below: Vec<(FrameId, PlaceId)>,
    /// Where what belongs to each place ends in each of the three.
    ends: Vec<[u32; 3]>,
    /// What the present walk found below frames, in any order.
    open: Vec<(FrameId, PlaceId, i16)>,
}

impl AllFound {
    /// What was found last belongs to the next place.
    fn end(&mut self) {
        let ends = [self.tokens.len(), self.same.len(), self.below.len()];
        self.ends.push(ends.map(|end| end as u32));
    }

    fn of(&self, place: PlaceId) -> Found<'_> {
        let place = place as usize;
        let first = place
            .checked_sub(1)
            .map_or([0; 3], |before| self.ends[before]);
        let [tokens, same, below] =
            std::array::from_fn(|part| first[part] as usize..self.ends[place][part] as usize);
        Found {
            tokens: &self.tokens[tokens],
            same: &self.same[same],
            below: &self.below[below],
        }
    }
}

/// The places that walks met, and what they came to.
pub struct Walker<'a> {
    pda: &'a Pda,
    rows: &'a Rows,
    descent: Descent<'a>,
    /// The list of the trie's root alone.
    root: NodesId,
    bundles: Sequences<(PlaceId, i16)>,
    places: HashMap<Place, PlaceId>,
    order: Vec<Place>,
    found: AllFound,
    /// Room for places.
    room: Vec<(PlaceId, i16)>,
}

impl<'a> Walker<'a> {
    /// A walker that has not met any place.
    pub fn new(pda: &'a Pda, trie: &'a TokenTrie, rows: &'a Rows, near: &'a Near) -> Self {
        let mut descent = Descent::new(pda, trie, rows, near);
        Walker {
            pda,
            rows,
            root: descent.lists.id(&[0]),
            descent,
            bundles: Sequences::new(),
            places: HashMap::default(),
            order: vec![],
            found: AllFound::default(),
            room: vec![],
        }
    }

    /// The place at the root of the trie in a state whose stack is unknown.
    pub fn start(&mut self, state: StateId) -> PlaceId {
        self.place(Place::At(At {
            nodes: self.root,
            state,
            local: 0,
            consumed: true,
        }))
    }

    /// Number of places from which it has walked.
    pub fn walked(&self) -> usize {
        self.found.ends.len()
    }

    /// Walks from the next of the places met; says whether there was one.
    pub fn walk_on(&mut self) -> bool {
        let Some(&place) = self.order.get(self.walked()) else {
            return false;
        };
        match place {
            Place::Bundle(bundle) => {
                let same = self.bundles.get(bundle);
                self.found.same.extend_from_slice(same);
            }
            Place::At(at) => self.walk(at),
        }
        self.found.end();
        true
    }

    /// What the tokens below a place come to, once it has walked from there.
    pub fn found(&self, place: PlaceId) -> Found<'_> {
        self.found.of(place)
    }

    /// The ranks of a piece.
    pub fn piece(&self, piece: PieceId) -> &Ranks {
        self.descent.pieces.get(piece)
    }

    fn walk(&mut self, at: At) {
        let mut found = std::mem::take(&mut self.found);
        let peak = self.descent.locals.reserved(at.local);
        if at.consumed {
            let start = Start {
                nodes: at.nodes,
                state: at.state,
                local: at.local,
                peak,
            };
            let summary = self.descent.walk(start);
            let tokens = self.descent.summaries.tokens(&summary);
            found.tokens.extend_from_slice(tokens);
            for at in summary.questions {
                let Question { class, at } = self.descent.summaries.question(at);
                let Start {
                    nodes,
                    state,
                    local,
                    peak,
                } = at;
                let at = At {
                    nodes,
                    state,
                    local,
                    consumed: false,
                };
                self.symbol(class, at, peak, &mut found);
            }
        } else if let Some(&node) = self.descent.lists.nodes(at.nodes).first() {
            let class = self.descent.lists.class(node);
            self.symbol(class, at, peak, &mut found);
        }
        self.bundle(&mut found);
        self.found = found;
    }

    /// What a walk found below each frame, as one place.
    fn bundle(&mut self, found: &mut AllFound) {
        found.open.sort_unstable();
        found.open.dedup();
        let mut room = std::mem::take(&mut self.room);
        for of_frame in found.open.chunk_by(|a, b| a.0 == b.0) {
            room.extend(of_frame.iter().map(|&(_, place, peak)| (place, peak)));
            let bundle = Place::Bundle(self.bundles.intern(&room));
            found.below.push((of_frame[0].0, self.place(bundle)));
            room.clear();
        }
        found.open.clear();
        self.room = room;
    }

    fn place(&mut self, place: Place) -> PlaceId {
        let mut key = place;
        if let Place::At(at) = &mut key {
            (at.state, at.local) = self.descent.near(at.nodes, at.state, at.local, at.consumed);
        }
        let next = self.order.len() as PlaceId;
        let id = *self.places.entry(key).or_insert(next);
        if id == next {
            self.order.push(place);
        }
        id
    }

    /// Consumes the symbols of a place's nodes, which may split the walk or need another frame.
    fn symbol(&mut self, class: Class, at: At, peak: i16, found: &mut AllFound) {
        let tree = match self.rows.action(at.state, class) {
            // No place is in a copy of a region.
            Action::Refuse | Action::Leave => return,
            Action::Goto(next) => {
                let place = self.place(Place::At(At {
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
        let pda = self.pda;
        let possible = match self.descent.locals.bottom(at.local) {
            None => &pda.states[at.state as usize].top,
            Some(frame) => &pda.under[frame as usize],
        };
        let mut room = std::mem::take(&mut self.room);
        for &frame in possible {
            let local = self.descent.locals.push_under(at.local, frame);
            let at = At {
                local,
                consumed: false,
                ..at
            };
            if !self.decided(tree, at, peak + 1, &mut room) {
                room.push((self.place(Place::At(at)), peak + 1));
            }
            let open = room.drain(..).map(|(place, peak)| (frame, place, peak));
            found.open.extend(open);
        }
        self.room = room;
    }

    /// Follows a tree if the known frames decide it; says whether they do.
    fn decided(&mut self, tree: TreeId, at: At, peak: i16, same: &mut Vec<(PlaceId, i16)>) -> bool {
        let Some(leaf) = self.descent.resolve(tree, at.local) else {
            return false;
        };
        if leaf
            .iter()
            .any(|a| a.pop as u16 > self.descent.locals.len(at.local))
        {
            return false;
        }
        for alternative in leaf {
            let Some(popped) = self.descent.locals.pop(at.local, alternative.pop) else {
                continue;
            };
            let local = self.descent.pushed(popped, alternative.push);
            let next = At {
                nodes: at.nodes,
                state: alternative.next,
                local,
                consumed: !alternative.again,
            };
            same.push((self.place(Place::At(next)), peak));
        }
        true
    }
}
