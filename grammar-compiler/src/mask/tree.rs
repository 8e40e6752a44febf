//! From what walks found to one mask tree a state.
//!
//! In: a [`Walker`] a thread. Out: [`Masks`]. A tree node stands for a set of places on the same unknown stack
//! (a subset construction over the frames read downwards); its token sets are the union of what those places
//! accept. Equal sets and equal nodes are kept once; nodes without tokens are dropped.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use super::set::{Ranks, SetId};
use super::trie::TokenTrie;
use super::walk::{PlaceId, Rows, Walker};
use crate::limits::{Deadline, LimitExceeded};
use crate::lr::Bits;
use crate::pda::{FrameId, Pda, StateId};

/// Index of a node in [`Masks::nodes`].
pub type NodeId = u32;

/// The masks of all states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Masks {
    /// Token sets, equal ones once.
    pub sets: Vec<Ranks>,
    /// Tree nodes; a node may lead back to itself, one frame further down.
    pub nodes: Vec<MaskNode>,
    /// The root of each state's tree.
    pub roots: Vec<NodeId>,
}

/// A node of a mask tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MaskNode {
    /// Token sets that hold here, each with the frames it needs above the present height.
    pub sets: Vec<(u8, SetId)>,
    /// For the frames that can lie at this depth, the node to go on with; empty if there is no need to look.
    pub children: Vec<(FrameId, Option<NodeId>)>,
}

/// Computes the masks of all states, with `threads` threads.
///
/// # Errors
///
/// If the deadline passes, or a token needs more frames than a table can say.
pub fn build(
    pda: &Pda,
    needs: &[u8],
    trie: &TokenTrie,
    threads: usize,
    deadline: &Deadline,
) -> Result<Masks, LimitExceeded> {
    let rows = Rows::new(pda);
    let count = pda.states.len();
    let threads = threads.clamp(1, count.div_ceil(16).max(1));
    let chunk = count.div_ceil(threads).max(1);
    let run = |from: usize| -> Result<Vec<RawTree>, LimitExceeded> {
        let mut walker = Walker::new(pda, needs, trie, &rows);
        let states = from..(from + chunk).min(count);
        states
            .map(|s| raw_tree(&mut walker, pda, needs, s as StateId, deadline))
            .collect()
    };
    let trees: Result<Vec<Vec<RawTree>>, LimitExceeded> = if threads == 1 {
        run(0).map(|trees| vec![trees])
    } else {
        std::thread::scope(|scope| {
            let run = &run;
            let handles: Vec<_> = (0..count)
                .step_by(chunk)
                .map(|from| scope.spawn(move || run(from)))
                .collect();
            let joined = handles.into_iter().map(|h| {
                h.join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            joined.collect()
        })
    };
    Ok(number(trees?.into_iter().flatten()))
}

/// One state's tree before equal parts are found.
struct RawTree {
    nodes: Vec<RawNode>,
}

struct RawNode {
    sets: Vec<(u8, Ranks)>,
    kids: Vec<(FrameId, u32)>,
    /// Frames that can lie here.
    possible: Bits,
}

/// A node's identity: how far its height lies below the root's, and its places, each with the height reached on the way.
type Key = (i16, Vec<(PlaceId, i16)>);

/// Places beyond this number are forgotten between two states.
const MAX_PLACES: usize = 1 << 20;

fn raw_tree(
    walker: &mut Walker,
    pda: &Pda,
    needs: &[u8],
    state: StateId,
    deadline: &Deadline,
) -> Result<RawTree, LimitExceeded> {
    if walker.len() > MAX_PLACES {
        walker.clear();
    }
    let start = walker.start(state);
    let need = needs[state as usize] as i16;
    let lowest = need - greatest_height(walker, start, deadline)?;
    let mut join = Join {
        walker,
        need,
        lowest,
        ids: HashMap::new(),
        keys: VecDeque::new(),
    };
    join.node((0, vec![(start, need)]));
    let mut nodes: Vec<RawNode> = Vec::new();
    let mut grown: BTreeMap<u32, Bits> = BTreeMap::new();
    while let Some(key) = join.keys.pop_front() {
        if nodes.len() % 64 == 63 {
            deadline.check("computing token masks")?;
        }
        let node = join.expand(key)?;
        for &(frame, kid) in &node.kids {
            let under = grown.entry(kid).or_default();
            pda.under[frame as usize].iter().for_each(|&f| {
                under.insert(f as usize);
            });
        }
        nodes.push(node);
    }
    for &frame in &pda.states[state as usize].top {
        grown.entry(0).or_default().insert(frame as usize);
    }
    for (at, node) in nodes.iter_mut().enumerate() {
        node.possible = grown.remove(&(at as u32)).unwrap_or_default();
    }
    Ok(RawTree { nodes })
}

/// The greatest height, relative to its own place, that any walk from `start` meets.
fn greatest_height(
    walker: &mut Walker,
    start: PlaceId,
    deadline: &Deadline,
) -> Result<i16, LimitExceeded> {
    let mut greatest = 0;
    let mut seen = BTreeSet::new();
    let mut stack = vec![start];
    while let Some(place) = stack.pop() {
        if !seen.insert(place) {
            continue;
        }
        if seen.len() % 1024 == 0 {
            deadline.check("computing token masks")?;
        }
        let found = walker.found(place);
        let heights = (found.tokens.iter().map(|t| t.0))
            .chain(found.same.iter().map(|s| s.1))
            .chain(found.below.iter().map(|b| b.2));
        greatest = heights.fold(greatest, i16::max);
        stack.extend(
            found
                .same
                .iter()
                .map(|s| s.0)
                .chain(found.below.iter().map(|b| b.1)),
        );
    }
    Ok(greatest)
}

/// The subset construction of one state.
struct Join<'w, 'a> {
    walker: &'w mut Walker<'a>,
    /// The state's own need: lower heights are always available.
    need: i16,
    /// Below this offset no height matters any more.
    lowest: i16,
    ids: HashMap<Key, u32>,
    keys: VecDeque<Key>,
}

impl Join<'_, '_> {
    fn node(&mut self, key: Key) -> u32 {
        let next = self.ids.len() as u32;
        let id = *self.ids.entry(key.clone()).or_insert(next);
        if id == next {
            self.keys.push_back(key);
        }
        id
    }

    fn expand(&mut self, (offset, members): Key) -> Result<RawNode, LimitExceeded> {
        let mut tokens: BTreeMap<i16, Vec<(u32, u32)>> = BTreeMap::new();
        let mut below: BTreeMap<FrameId, BTreeMap<PlaceId, i16>> = BTreeMap::new();
        for (place, floor) in self.closed(offset, members) {
            let found = self.walker.found(place);
            for (height, ranks) in &found.tokens {
                tokens
                    .entry(floor.max(height + offset))
                    .or_default()
                    .extend_from_slice(ranks.intervals());
            }
            for &(frame, place, peak) in &found.below {
                let floor = floor.max(peak + offset);
                below
                    .entry(frame)
                    .or_default()
                    .entry(place)
                    .and_modify(|f| *f = floor.min(*f))
                    .or_insert(floor);
            }
        }
        let offset = (offset - 1).max(self.lowest);
        let mut kids = Vec::new();
        for (frame, places) in below {
            // Places that only pass on are replaced by where they lead, so that equal nodes are found equal.
            let members = self.closed(offset, places.into_iter().collect());
            let members: Vec<_> = members.into_iter().filter(|m| self.matters(m.0)).collect();
            if !members.is_empty() {
                kids.push((frame, self.node((offset, members))));
            }
        }
        Ok(RawNode {
            sets: self.sets(tokens)?,
            kids,
            possible: Bits::default(),
        })
    }

    /// The members and all places on the same stack that they lead to; for each the least height on a way to it.
    fn closed(&mut self, offset: i16, members: Vec<(PlaceId, i16)>) -> Vec<(PlaceId, i16)> {
        let mut best: BTreeMap<PlaceId, i16> = BTreeMap::new();
        let mut stack = members;
        while let Some((place, floor)) = stack.pop() {
            match best.get(&place) {
                Some(&known) if known <= floor => continue,
                _ => best.insert(place, floor),
            };
            let found = self.walker.found(place);
            stack.extend(
                found
                    .same
                    .iter()
                    .map(|&(next, peak)| (next, floor.max(peak + offset))),
            );
        }
        best.into_iter().collect()
    }

    fn matters(&mut self, place: PlaceId) -> bool {
        let found = self.walker.found(place);
        !found.tokens.is_empty() || !found.below.is_empty()
    }

    /// Token sets by headroom: what the state's own need covers needs none.
    fn sets(
        &self,
        tokens: BTreeMap<i16, Vec<(u32, u32)>>,
    ) -> Result<Vec<(u8, Ranks)>, LimitExceeded> {
        let mut by_headroom: BTreeMap<u8, Vec<(u32, u32)>> = BTreeMap::new();
        for (height, mut intervals) in tokens {
            let headroom = if height <= self.need { 0 } else { height };
            let headroom = u8::try_from(headroom).map_err(|_| LimitExceeded {
                limit: "frames",
                value: u8::MAX as u64,
                what: "one token pushes too many frames".to_owned(),
            })?;
            by_headroom
                .entry(headroom)
                .or_default()
                .append(&mut intervals);
        }
        let mut out: Vec<(u8, Ranks)> = Vec::new();
        for (headroom, intervals) in by_headroom {
            let mut ranks = Ranks::from_unsorted(intervals);
            out.iter().for_each(|(_, lower)| ranks = ranks.minus(lower));
            if !ranks.is_empty() {
                out.push((headroom, ranks));
            }
        }
        Ok(out)
    }
}

/// Numbers sets and nodes in the order of states, equal ones once.
fn number(trees: impl Iterator<Item = RawTree>) -> Masks {
    let mut sets: Vec<Ranks> = Vec::new();
    let mut set_ids: HashMap<Ranks, SetId> = HashMap::new();
    let mut nodes: Vec<MaskNode> = Vec::new();
    let mut roots = Vec::new();
    for tree in trees {
        let offset = nodes.len() as NodeId;
        roots.push(offset);
        let useful = useful(&tree.nodes);
        for node in tree.nodes {
            let kids: BTreeMap<FrameId, u32> = node.kids.into_iter().collect();
            let live = |frame: usize| {
                kids.get(&(frame as FrameId))
                    .filter(|&&kid| useful[kid as usize])
            };
            let mut children: Vec<(FrameId, Option<NodeId>)> = node
                .possible
                .iter()
                .map(|f| (f as FrameId, live(f).map(|kid| kid + offset)))
                .collect();
            if children.iter().all(|c| c.1.is_none()) {
                children.clear();
            }
            let sets = node.sets.into_iter().map(|(headroom, ranks)| {
                let next = sets.len() as SetId;
                let id = *set_ids.entry(ranks.clone()).or_insert(next);
                if id == next {
                    sets.push(ranks);
                }
                (headroom, id)
            });
            nodes.push(MaskNode {
                sets: sets.collect(),
                children,
            });
        }
    }
    merge_equal(Masks { sets, nodes, roots })
}

/// Which nodes lead to a token at all.
fn useful(nodes: &[RawNode]) -> Vec<bool> {
    let mut useful: Vec<bool> = nodes.iter().map(|n| !n.sets.is_empty()).collect();
    loop {
        let mut changed = false;
        for at in (0..nodes.len()).rev() {
            if !useful[at] && nodes[at].kids.iter().any(|k| useful[k.1 as usize]) {
                useful[at] = true;
                changed = true;
            }
        }
        if !changed {
            return useful;
        }
    }
}

/// Merges nodes that no walk tells apart, by refining a partition until it is stable.
fn merge_equal(masks: Masks) -> Masks {
    let mut block = vec![0u32; masks.nodes.len()];
    let mut count = 1;
    loop {
        let mut ids: HashMap<(u32, MaskNode), u32> = HashMap::new();
        let next: Vec<u32> = (masks.nodes.iter().enumerate())
            .map(|(at, node)| {
                let id = ids.len() as u32;
                *ids.entry((block[at], renamed(node, &block))).or_insert(id)
            })
            .collect();
        block = next;
        if ids.len() == count {
            break;
        }
        count = ids.len();
    }
    let mut nodes = vec![MaskNode::default(); count];
    for (at, node) in masks.nodes.iter().enumerate().rev() {
        nodes[block[at] as usize] = renamed(node, &block);
    }
    let roots = masks.roots.iter().map(|&r| block[r as usize]).collect();
    Masks {
        sets: masks.sets,
        nodes,
        roots,
    }
}

fn renamed(node: &MaskNode, block: &[u32]) -> MaskNode {
    let children = node
        .children
        .iter()
        .map(|&(frame, kid)| (frame, kid.map(|k| block[k as usize])))
        .collect();
    MaskNode {
        sets: node.sets.clone(),
        children,
    }
}
