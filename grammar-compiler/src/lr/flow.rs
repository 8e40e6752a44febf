//! Which frames can lie where: on top in a state, and right under a frame.
//!
//! In: what edges push and pop. Out: for each [`Place`] the frames that can lie there, and the nodes of decision
//! trees that read it: they are visited again when it grows.

use crate::bits::Bits;
use crate::id::id;
use crate::pda::{FrameId, StateId};

id! {
    /// Index of a branch of a decision tree, which reads what lies at places.
    pub struct BranchId;
}

/// Where a frame can lie.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// On top in this state.
    Top(StateId),
    /// Right under this frame.
    Under(FrameId),
}

/// A set of frames that can lie somewhere.
pub enum Source {
    /// This one.
    Frame(FrameId),
    /// Those that can lie at this place.
    Place(Place),
    /// Those of several places.
    Union(Bits),
}

/// What can lie at one place.
#[derive(Default)]
struct Spot {
    frames: Bits,
    readers: Vec<BranchId>,
}

/// What can lie at all places.
#[derive(Default)]
pub struct Flow {
    top: Vec<Spot>,
    under: Vec<Spot>,
}

impl Flow {
    /// Adds a state with nothing on its stack.
    pub fn add_state(&mut self) {
        self.top.push(Spot::default());
    }

    /// Adds a frame with nothing under it.
    pub fn add_frame(&mut self) {
        self.under.push(Spot::default());
    }

    fn spot(&self, place: Place) -> &Spot {
        match place {
            Place::Top(state) => &self.top[state.place()],
            Place::Under(frame) => &self.under[frame.place()],
        }
    }

    fn spot_mut(&mut self, place: Place) -> &mut Spot {
        match place {
            Place::Top(state) => &mut self.top[state.place()],
            Place::Under(frame) => &mut self.under[frame.place()],
        }
    }

    /// The frames that can lie at a place.
    pub fn frames(&self, place: Place) -> &Bits {
        &self.spot(place).frames
    }

    /// The nodes that have read a place.
    pub fn readers(&self, place: Place) -> &[BranchId] {
        &self.spot(place).readers
    }

    /// Notes that a node reads a place.
    pub fn read(&mut self, place: Place, reader: BranchId) {
        self.spot_mut(place).readers.push(reader);
    }

    /// Adds the frames of a source to a place; returns whether any is new.
    pub fn grow(&mut self, place: Place, source: &Source) -> bool {
        match source {
            Source::Frame(frame) => self.spot_mut(place).frames.insert(frame.place()),
            Source::Union(frames) => self.spot_mut(place).frames.union(frames),
            Source::Place(from) if *from == place => false,
            Source::Place(from) => {
                let frames = std::mem::take(&mut self.spot_mut(*from).frames);
                let has_grown = self.spot_mut(place).frames.union(&frames);
                self.spot_mut(*from).frames = frames;
                has_grown
            }
        }
    }

    /// The frames of a source, ascending.
    pub fn list(&self, source: &Source) -> Vec<FrameId> {
        let bits = match source {
            Source::Frame(frame) => return vec![*frame],
            Source::Place(place) => self.frames(*place),
            Source::Union(bits) => bits,
        };
        let mut frames = Vec::with_capacity(bits.count());
        bits.each(|frame| frames.push(FrameId::at(frame)));
        frames
    }
}
