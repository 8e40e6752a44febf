//! Storage for the tokens of crossings.
//!
//! In: the endings of parts, the states behind holes, the names of a request. Out: a [`Slot`] for
//! each crossing, which is filled once. What holds: crossings from pieces into the outer part that
//! depend on nothing else are stored with the outer part ([`OuterSlots`]), for all requests that
//! share it; all others are stored with the request ([`RequestSlots`]).

use crate::maps::IdMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use maskwright_core::link::{Crossing, Names, OwnedPart, Part, Place};

/// Tokens that cross a boundary, once they are known.
pub(super) type Slot = OnceLock<Box<[u32]>>;

/// The most lists of endings whose slots are kept with an outer part.
const MAX_LISTS: usize = 64;

/// A slot for each state behind a hole and each of some endings.
#[derive(Debug)]
pub(super) struct Slots<T> {
    endings: Vec<u32>,
    slots: Vec<OnceLock<T>>,
}

impl<T> Slots<T> {
    fn new(endings: Vec<u32>, states: usize) -> Self {
        let count = endings.len() * states;
        Slots {
            endings,
            slots: (0..count).map(|_| OnceLock::new()).collect(),
        }
    }

    /// The slot of an ending, and of the state at a place among those behind holes.
    pub(super) fn get(&self, state: usize, ending: u32) -> Option<&OnceLock<T>> {
        let at = self.endings.iter().position(|&own| own == ending)?;
        self.slots.get(state * self.endings.len() + at)
    }
}

/// The slots of pieces: those that have the same endings share them.
#[derive(Debug)]
struct Lists<T>(Mutex<Vec<Arc<Slots<T>>>>);

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Lists(Mutex::default())
    }
}

impl<T> Lists<T> {
    fn of(&self, piece: &OwnedPart, states: usize) -> Arc<Slots<T>> {
        let endings: Vec<u32> = piece.view().endings().collect();
        let mut lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lists.iter().find(|slots| slots.endings == endings) {
            return known.clone();
        }
        let slots = Arc::new(Slots::new(endings, states));
        if lists.len() < MAX_LISTS {
            lists.push(slots.clone());
        }
        slots
    }
}

/// Crossings from pieces into an outer part.
#[derive(Debug)]
pub(super) struct OuterSlots {
    /// The states behind holes, ascending.
    pub(super) states: Vec<u32>,
    lists: Lists<Option<Box<[u32]>>>,
}

/// The crossings of pieces with the same endings; `None` for one that depends on the names of a
/// request.
pub(super) type SharedSlots = Slots<Option<Box<[u32]>>>;

impl OuterSlots {
    pub(super) fn new(states: Vec<u32>) -> Self {
        OuterSlots {
            states,
            lists: Lists::default(),
        }
    }

    /// The slots of a piece.
    pub(super) fn of_piece(&self, piece: &OwnedPart) -> Arc<SharedSlots> {
        self.lists.of(piece, self.states.len())
    }

    /// About how many bytes the slots and the tokens in them take.
    pub(super) fn memory(&self) -> usize {
        let lists = self.lists.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_slots = |slots: &Arc<SharedSlots>| {
            let found = slots.slots.iter().filter_map(OnceLock::get).flatten();
            let tokens: usize = found.map(|tokens| size_of_val(&**tokens)).sum();
            tokens + size_of_val(&*slots.slots) + size_of_val(&*slots.endings)
        };
        lists.iter().map(of_slots).sum()
    }

    /// All crossings of a piece, each with its slot.
    pub(super) fn crossings<'s>(
        &'s self,
        slots: &'s SharedSlots,
    ) -> impl Iterator<Item = (Crossing, &'s OnceLock<Option<Box<[u32]>>>)> {
        let states = self.states.iter();
        let all =
            states.flat_map(|&state| slots.endings.iter().map(move |&ending| (state, ending)));
        all.zip(&slots.slots)
            .map(|((state, ending), slot)| (into_outer(ending, state), slot))
    }
}

/// The slots of a piece.
pub(super) struct PieceSlots {
    /// Those that are kept with the outer part.
    pub(super) shared: Arc<SharedSlots>,
    /// Those for crossings that depend on the names of the request, once there is one.
    own: OnceLock<Arc<Slots<Box<[u32]>>>>,
}

/// The slots of a request.
pub(super) struct RequestSlots {
    /// For each ending of the outer part, and each hole with a state behind it.
    pub(super) outer: IdMap<[u32; 4], (Crossing, Slot)>,
    /// For each piece, once one of its endings is met.
    pieces: Vec<OnceLock<PieceSlots>>,
    own: Lists<Box<[u32]>>,
}

impl RequestSlots {
    /// Slots for an outer part with these exits, and for so many pieces.
    pub(super) fn new(outer: &Part<'_>, exits: &[(u16, u32)], pieces: usize) -> Self {
        let crossings = outer.endings().flat_map(|ending| {
            let exits = exits.iter();
            exits.map(move |&(hole, after)| into_names(ending, hole, (0, 0), after))
        });
        RequestSlots {
            outer: crossings
                .map(|crossing| (crossing.key(), (crossing, Slot::new())))
                .collect(),
            pieces: (0..pieces).map(|_| OnceLock::new()).collect(),
            own: Lists::default(),
        }
    }

    /// The slots of a piece, which is this part.
    pub(super) fn of_piece(
        &self,
        piece: u32,
        part: &OwnedPart,
        outer: &OuterSlots,
    ) -> Option<&PieceSlots> {
        let slots = self.pieces.get(piece as usize)?;
        Some(slots.get_or_init(|| PieceSlots {
            shared: outer.of_piece(part),
            own: OnceLock::new(),
        }))
    }

    /// The slots of this request of a piece, which is this part.
    pub(super) fn own<'s>(
        &self,
        slots: &'s PieceSlots,
        part: &OwnedPart,
        states: usize,
    ) -> &'s Slots<Box<[u32]>> {
        slots.own.get_or_init(|| self.own.of(part, states))
    }
}

/// The crossing of an ending to a state of the outer part.
pub(super) fn into_outer(ending: u32, state: u32) -> Crossing {
    Crossing {
        ending,
        place: Place::Outer,
        state,
        piece: None,
    }
}

/// The crossing of an ending to a hole's names, of which so many bytes of this one have been read.
/// The ending 0 has no text.
pub(super) fn into_names(
    ending: u32,
    hole: u16,
    (first, read): (u32, u16),
    after: u32,
) -> Crossing {
    Crossing {
        ending,
        place: Place::Names {
            hole,
            read,
            first,
            after,
        },
        state: 0,
        piece: None,
    }
}

/// The names of a hole.
pub(super) struct HoleNames {
    /// [`Names`] as bytes.
    pub(super) words: Box<[u8]>,
    /// For each state behind the hole and each name, the crossings at its bytes.
    slots: Vec<OnceLock<Box<[Slot]>>>,
}

impl HoleNames {
    /// Names, and room for crossings for so many states behind holes.
    pub(super) fn new(words: Box<[u8]>, states: usize) -> Self {
        let names = Names::view(&words).map_or(0, |names| names.len() as usize);
        let slots = (0..states * names).map(|_| OnceLock::new()).collect();
        HoleNames { words, slots }
    }

    /// The slot of the tokens that may follow so many bytes of a name, for the state at a place
    /// among those behind holes.
    pub(super) fn slot(&self, state: usize, first: u32, read: u16) -> Option<&Slot> {
        let names = Names::view(&self.words)?;
        let at = state * names.len() as usize + first as usize;
        let slots = self.slots.get(at)?.get_or_init(|| {
            let length = names.name(first).len() + 1;
            (0..length).map(|_| Slot::new()).collect()
        });
        slots.get(usize::from(read))
    }
}
