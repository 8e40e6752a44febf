//! Which frames can lie where: on top in a state, and right under a frame.
//!
//! In: what edges push and pop. Out: for each [`FramePlace`] the frames that can lie there, and the
//! nodes of decision trees that read it: they are visited again when it grows.

use crate::bits::Bits;
use crate::id::id;
use crate::pda::{FrameId, StateId};

id! {
    /// Index of a branch of a decision tree, which reads what lies at places.
    pub struct BranchId;
}

/// Where a frame can lie.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum FramePlace {
    /// On top in this state.
    Top(StateId),
    /// Right under this frame.
    Under(FrameId),
}

/// A set of frames that can lie somewhere.
pub enum FrameSource {
    /// This one.
    Frame(FrameId),
    /// Those that can lie at this place.
    Place(FramePlace),
    /// Those of several places.
    Union(Bits),
}

/// What can lie at one place.
#[derive(Default)]
struct FrameSpot {
    frames: Bits,
    readers: Vec<BranchId>,
}

/// What can lie at all places.
#[derive(Default)]
pub struct Flow {
    top: Vec<FrameSpot>,
    under: Vec<FrameSpot>,
}

impl Flow {
    /// Adds a state with nothing on its stack.
    pub fn add_state(&mut self) {
        self.top.push(FrameSpot::default());
    }

    /// Adds a frame with nothing under it.
    pub fn add_frame(&mut self) {
        self.under.push(FrameSpot::default());
    }

    fn spot(&self, place: FramePlace) -> &FrameSpot {
        match place {
            FramePlace::Top(state) => &self.top[state.index()],
            FramePlace::Under(frame) => &self.under[frame.index()],
        }
    }

    fn spot_mut(&mut self, place: FramePlace) -> &mut FrameSpot {
        match place {
            FramePlace::Top(state) => &mut self.top[state.index()],
            FramePlace::Under(frame) => &mut self.under[frame.index()],
        }
    }

    /// The frames that can lie at a place.
    pub fn frames(&self, place: FramePlace) -> &Bits {
        &self.spot(place).frames
    }

    /// The nodes that have read a place.
    pub fn readers(&self, place: FramePlace) -> &[BranchId] {
        &self.spot(place).readers
    }

    /// Notes that a node reads a place.
    pub fn read(&mut self, place: FramePlace, reader: BranchId) {
        self.spot_mut(place).readers.push(reader);
    }

    /// Adds the frames of a source to a place; returns whether any is new.
    pub fn grow(&mut self, place: FramePlace, source: &FrameSource) -> bool {
        match source {
            FrameSource::Frame(frame) => self.spot_mut(place).frames.insert(frame.index()),
            FrameSource::Union(frames) => self.spot_mut(place).frames.union(frames),
            FrameSource::Place(from) if *from == place => false,
            FrameSource::Place(from) => {
                let frames = std::mem::take(&mut self.spot_mut(*from).frames);
                let has_grown = self.spot_mut(place).frames.union(&frames);
                self.spot_mut(*from).frames = frames;
                has_grown
            }
        }
    }

    /// The frames of a source, ascending.
    pub fn list(&self, source: &FrameSource) -> Vec<FrameId> {
        let bits = match source {
            FrameSource::Frame(frame) => return vec![*frame],
            FrameSource::Place(place) => self.frames(*place),
            FrameSource::Union(bits) => bits,
        };
        let mut frames = Vec::with_capacity(bits.count());
        bits.each(|frame| frames.push(FrameId::at(frame)));
        frames
    }
}
