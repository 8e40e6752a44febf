//! Walks of the vocabulary's trie through the automaton, over a stack of which only some frames are known.
//!
//! In: the automaton and the trie. Out: [`Found`] for a *place*: some trie nodes, a state and the frames pushed
//! since (or looked at). All below is unknown. Where an edge needs an unknown frame, the walk gathers all nodes at which
//! the same state asks the same question, branches once on the frames that can lie there, and goes on with all
//! those nodes in places of their own, which are walked once however many walks meet there.
//!
//! Heights are relative to the unknown stack: a place whose local frames number 3 is at height 3.

use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::descend::{Descent, PieceId, Question, Start};
use super::lists::NodesId;
use super::local::LocalId;
use super::near::Near;
use super::rows::{Action, Rows};
use super::set::Ranks;
use super::trie::TokenTrie;
use crate::pda::{Class, FrameId, Pda, StateId, TreeId};

/// Where a walk goes on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Place {
    /// At some trie nodes in a state.
    At(At),
    /// No more than other places on the same stack, each with the greatest height on the way there. Equal ones are
    /// one place, whatever frame and whatever walk led there.
    Bundle(Vec<(PlaceId, i16)>),
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
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Tokens accepted without another look, each with the height that they need.
    pub tokens: Vec<(i16, PieceId)>,
    /// Places on the same unknown stack, and the greatest height on the way there.
    pub same: Vec<(PlaceId, i16)>,
    /// Places that know the next frame down, by that frame; their heights are relative to what lies below it.
    pub below: Vec<(FrameId, PlaceId)>,
}

/// What a walk gathers.
#[derive(Default)]
struct Gather {
    tokens: Vec<(i16, PieceId)>,
    same: Vec<(PlaceId, i16)>,
    below: BTreeMap<FrameId, Vec<(PlaceId, i16)>>,
}

/// The places that walks met, and what they came to.
pub struct Walker<'a> {
    pda: &'a Pda,
    rows: &'a Rows,
    descent: Descent<'a>,
    /// The list of the trie's root alone.
    root: NodesId,
    places: HashMap<Place, PlaceId>,
    order: Vec<Place>,
    found: Vec<Option<Rc<Found>>>,
}

impl<'a> Walker<'a> {
    /// A walker that has not met any place.
    pub fn new(pda: &'a Pda, trie: &'a TokenTrie, rows: &'a Rows, near: &'a Near) -> Self {
        let mut descent = Descent::new(pda, trie, rows, near);
        Walker {
            pda,
            rows,
            root: descent.lists.id(vec![0]),
            descent,
            places: HashMap::default(),
            order: vec![],
            found: vec![],
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

    /// Number of places met.
    pub fn count(&self) -> usize {
        self.order.len()
    }

    /// What the tokens below a place come to.
    pub fn found(&mut self, place: PlaceId) -> Rc<Found> {
        if let Some(found) = &self.found[place as usize] {
            return Rc::clone(found);
        }
        let found = match self.order[place as usize].clone() {
            Place::Bundle(same) => Found {
                same,
                ..Found::default()
            },
            Place::At(at) => self.walk(at),
        };
        let found = Rc::new(found);
        self.found[place as usize] = Some(Rc::clone(&found));
        found
    }

    /// The ranks of a piece.
    pub fn piece(&self, piece: PieceId) -> &Ranks {
        self.descent.piece(piece)
    }

    fn walk(&mut self, at: At) -> Found {
        let mut gather = Gather::default();
        let peak = self.descent.locals.len(at.local) as i16;
        if at.consumed {
            let start = Start {
                nodes: at.nodes,
                state: at.state,
                local: at.local,
                peak,
            };
            let summary = self.descent.walk(start);
            for Question { class, at } in &summary.questions {
                let &Start {
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
                self.symbol(*class, at, peak, &mut gather);
            }
            // A summary that nobody else has is no longer needed.
            gather.tokens = match Rc::try_unwrap(summary) {
                Ok(summary) => summary.tokens,
                Err(shared) => shared.tokens.clone(),
            };
        } else if let Some(&node) = self.descent.lists.nodes(at.nodes).first() {
            let class = self.descent.lists.class(node);
            self.symbol(class, at, peak, &mut gather);
        }
        let Gather {
            tokens,
            same,
            below,
        } = gather;
        let below = below
            .into_iter()
            .map(|(frame, same)| (frame, self.place(Place::Bundle(same))));
        Found {
            tokens,
            same,
            below: below.collect(),
        }
    }

    fn place(&mut self, place: Place) -> PlaceId {
        let mut key = place.clone();
        if let Place::At(at) = &mut key {
            (at.state, at.local) = self.descent.near(at.nodes, at.state, at.local, at.consumed);
        }
        if let Some(&id) = self.places.get(&key) {
            return id;
        }
        let id = self.order.len() as PlaceId;
        self.places.insert(key, id);
        self.order.push(place);
        self.found.push(None);
        id
    }

    /// Consumes the symbols of a place's nodes, which may split the walk or need another frame.
    fn symbol(&mut self, class: Class, at: At, peak: i16, gather: &mut Gather) {
        let tree = match self.rows.action(at.state, class) {
            // No place is in a copy of a region.
            Action::Refuse | Action::Leave => return,
            Action::Goto(next) => {
                let place = self.place(Place::At(At {
                    state: next,
                    consumed: true,
                    ..at
                }));
                return gather.same.push((place, peak));
            }
            Action::Tree(tree) => tree,
        };
        if self.decided(tree, at, peak, &mut gather.same) {
            return;
        }
        let pda = self.pda;
        let possible = match self.descent.locals.bottom(at.local) {
            None => &pda.states[at.state as usize].top,
            Some(frame) => &pda.under[frame as usize],
        };
        for &frame in possible {
            let local = self.descent.locals.push_under(at.local, frame);
            let at = At {
                local,
                consumed: false,
                ..at
            };
            let mut bundle = gather.below.remove(&frame).unwrap_or_default();
            if !self.decided(tree, at, peak + 1, &mut bundle) {
                bundle.push((self.place(Place::At(at)), peak + 1));
            }
            if !bundle.is_empty() {
                gather.below.insert(frame, bundle);
            }
        }
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
            let local = alternative
                .push
                .map_or(popped, |frame| self.descent.locals.push(popped, frame));
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
