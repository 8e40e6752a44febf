//! The subset construction: nodes that read the stack downwards, from what walks found.
//!
//! In: a [`Walker`] that has walked from every place. Out: [`JoinedNodes`]. A node stands for a set
//! of places on the same unknown stack; its token sets are the unions of what the walks from those
//! places accepted. Where heights do not matter any more, a node depends only on its places, so
//! that all states share it.

use super::unions::Unions;
use crate::csr::Csr;
use crate::intern::{Interner, Sequences};
use crate::limits::{Deadline, LimitExceeded};
use crate::maps::own_keys;
use crate::mask::masks::{MaskNodeId, Ranks, SetId};
use crate::mask::walk::{PieceId, PlaceId, Walker};
use crate::pda::{FrameId, StateId};

/// The nodes of some states, before equivalent ones are merged.
#[derive(Default)]
pub struct JoinedNodes {
    /// Token sets.
    pub sets: Interner<Ranks>,
    /// The nodes.
    pub nodes: Vec<RawNode>,
    /// For each of these states the root of its tree.
    pub roots: Vec<(StateId, MaskNodeId)>,
}

/// A node before equivalent ones are merged.
#[derive(Default)]
pub struct RawNode {
    /// Token sets by headroom.
    pub sets: Vec<(u8, SetId)>,
    /// The nodes to go on with, by the frames that lead there, ascending.
    pub kids: Vec<(FrameId, MaskNodeId)>,
}

/// Joins what the walks from some states found; each state is given with its start and its need.
pub fn join(
    walker: &Walker,
    starts: &[(StateId, PlaceId, u8)],
    deadline: &Deadline,
) -> Result<JoinedNodes, LimitExceeded> {
    let mut join = Join {
        walker,
        heights: reachable_heights(walker),
        floors: vec![None; walker.walked()],
        places: Sequences::new(),
        keys: Interner::new(),
        unions: Unions::new(walker),
        met: Vec::new(),
        open: Vec::new(),
        tokens: Vec::new(),
        below: Vec::new(),
        scratch: Vec::new(),
    };
    let root = |&(state, place, need): &_| (state, join.root(place, i16::from(need)));
    let roots = starts.iter().map(root).collect();
    let mut nodes = Vec::new();
    while nodes.len() < join.keys.values.len() {
        let node = join.expand(nodes.len())?;
        let steps = join.met.len() + join.tokens.len() + node.kids.len();
        deadline.ticks(1 + steps, "computing token masks")?;
        nodes.push(node);
    }
    Ok(JoinedNodes {
        sets: join.unions.into_sets(),
        nodes,
        roots,
    })
}

/// For each place the greatest height, relative to its unknown stack, that any walk from it comes
/// to.
fn reachable_heights(walker: &Walker) -> Vec<i16> {
    let count = walker.walked();
    let places = || (0..count).map(|at| (at as u32, walker.found(PlaceId::at(at))));
    let own = places().map(|(_, found)| {
        let tokens = found.tokens.iter().map(|t| t.0);
        let same = found.same.iter().map(|s| s.1);
        tokens.chain(same).fold(0, i16::max)
    });
    let mut heights: Vec<i16> = own.collect();
    let same = places().flat_map(|(place, f)| f.same.iter().map(move |s| (s.0.number(), place)));
    let above = places().flat_map(|(place, f)| f.below.iter().map(move |b| (b.1.number(), place)));
    let same = Csr::new(count, same);
    let above = Csr::new(count, above);
    let mut stack: Vec<u32> = (0..count as u32).collect();
    while let Some(place) = stack.pop() {
        let height = heights[place as usize];
        let same = same.of(place).iter().map(|&user| (user, height));
        let above = above.of(place).iter().map(|&user| (user, height - 1));
        for (user, height) in same.chain(above) {
            if height > heights[user as usize] {
                heights[user as usize] = height;
                stack.push(user);
            }
        }
    }
    heights
}

/// The heights from which a node decides which tokens fit. `None`: every stack that can reach the
/// node is low enough for all of its tokens.
type Level = Option<NodeHeight>;

/// The root state's need, and how far the node's unknown stack lies below the root's (as a negative
/// number).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct NodeHeight {
    need: i16,
    offset: i16,
}

own_keys!(NodeHeight);

/// Places, each with the greatest height on the way there, relative to the root's stack; ascending.
type Members = Vec<(PlaceId, i16)>;

/// The subset construction of all states.
struct Join<'w> {
    walker: &'w Walker<'w>,
    heights: Vec<i16>,
    /// For each place of the present node, the least height on a way there.
    floors: Vec<Option<i16>>,
    /// The places that nodes stand for.
    places: Sequences<(PlaceId, i16)>,
    /// The places of each node, by their number.
    keys: Interner<(Level, u32)>,
    unions: Unions<'w>,
    /// Scratch for the computation of a node: its places, the places to follow, what these accept,
    /// what lies below, and what lies below one frame.
    met: Members,
    open: Members,
    tokens: Vec<(u8, PieceId)>,
    below: Vec<(FrameId, PlaceId, i16)>,
    scratch: Members,
}

impl Join<'_> {
    fn root(&mut self, start: PlaceId, need: i16) -> MaskNodeId {
        self.node(Some(NodeHeight { need, offset: 0 }), &mut [(start, need)])
    }

    fn node(&mut self, level: Level, members: &mut [(PlaceId, i16)]) -> MaskNodeId {
        let level = level.and_then(|level| self.normal(level, members));
        if level.is_none() {
            members.iter_mut().for_each(|m| m.1 = 0);
        }
        let places = self.places.intern(members);
        MaskNodeId::new(self.keys.intern((level, places)))
    }

    /// Normalises a level, so that levels with the same masks compare equal. Heights are dropped
    /// where no walk from these places rises above the root state's own need; this bounds the
    /// number of nodes where tokens push many frames (within the noise on schemas,
    /// `docs/ablation.md`). An offset that is too low to decide anything is raised to the highest
    /// such value.
    fn normal(&self, NodeHeight { need, offset }: NodeHeight, members: &[(PlaceId, i16)]) -> Level {
        let rest = |place: PlaceId| self.heights[place.index()];
        let mut members = members.iter();
        let lowest = members.clone().map(|&(place, floor)| floor - rest(place));
        let offset_kept = offset.max(lowest.min().unwrap_or(0).min(0));
        let is_dominated =
            members.all(|&(place, floor)| floor <= need && rest(place) + offset <= need);
        (!is_dominated).then_some(NodeHeight {
            need,
            offset: offset_kept,
        })
    }

    /// Computes the node that stands for a key.
    fn expand(&mut self, node: usize) -> Result<RawNode, LimitExceeded> {
        let (level, places) = self.keys.values[node];
        self.open.extend_from_slice(self.places.get(places));
        self.close(level);
        self.tokens.clear();
        self.below.clear();
        for &(place, floor) in &self.met {
            let found = self.walker.found(place);
            for &(height, piece) in found.tokens {
                let headroom = headroom(level, floor, height)?;
                self.tokens.push((headroom, piece));
            }
            let here = found.below.iter();
            let here = here.map(|&(frame, place)| (frame, place, floor));
            self.below.extend(here);
        }
        let sets = self.unions.join(&mut self.tokens);
        let kids = self.kids(level);
        Ok(RawNode { sets, kids })
    }

    /// The nodes one frame further down.
    fn kids(&mut self, level: Level) -> Vec<(FrameId, MaskNodeId)> {
        let mut below = std::mem::take(&mut self.below);
        // Of equal places the one with the least height comes first.
        below.sort_unstable();
        below.dedup_by_key(|&mut (frame, place, _)| (frame, place));
        let deeper = level.map(|level| NodeHeight {
            offset: level.offset - 1,
            ..level
        });
        let mut scratch = std::mem::take(&mut self.scratch);
        let kids = below.chunk_by(|a, b| a.0 == b.0).map(|places| {
            scratch.clear();
            scratch.extend(places.iter().map(|&(_, place, floor)| (place, floor)));
            (places[0].0, self.node(deeper, &mut scratch))
        });
        let kids = kids.collect();
        (self.below, self.scratch) = (below, scratch);
        kids
    }

    /// Follows the open places to all places on the same stack, each with the least height on a way
    /// to it.
    fn close(&mut self, level: Level) {
        self.met.clear();
        while let Some((place, floor)) = self.open.pop() {
            match &mut self.floors[place.index()] {
                Some(known) if *known <= floor => continue,
                Some(known) => *known = floor,
                unmet => {
                    *unmet = Some(floor);
                    self.met.push((place, floor));
                }
            }
            let same = self.walker.found(place).same.iter();
            let height = |peak: i16| level.map_or(0, |level| floor.max(peak + level.offset));
            let next = same.map(|&(next, peak)| (next, height(peak)));
            self.open.extend(next);
        }
        for (place, floor) in &mut self.met {
            *floor = self.floors[place.index()].take().unwrap_or(*floor);
        }
    }
}

/// The headroom of tokens that need a height; none is needed up to the root state's own need.
fn headroom(level: Level, floor: i16, height: i16) -> Result<u8, LimitExceeded> {
    let Some(NodeHeight { need, offset }) = level else {
        return Ok(0);
    };
    let height = floor.max(height + offset);
    if height <= need {
        return Ok(0);
    }
    u8::try_from(height)
        .map_err(|_| LimitExceeded::new("frames", u8::MAX, "one token pushes too many frames"))
}
