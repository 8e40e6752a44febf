//! From what walks found to one mask tree a state.
//!
//! In: a [`Walker`]. Out: [`Masks`]. A tree node stands for a set of places on the same unknown stack (a subset
//! construction over the frames read downwards); its token sets are the union of what those places accept. Where
//! heights cannot matter any more a node depends on its places alone, so all states share it. Equal sets and equal
//! nodes are kept once; nodes without tokens are dropped.

use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeMap;

use super::descend::PieceId;
use super::rows::Rows;
use super::set::{Ranks, SetId};
use super::trie::TokenTrie;
use super::walk::{PlaceId, Walker};
use super::{enlarge, factor, push};
use crate::limits::{Deadline, LimitExceeded};
use crate::lr::Bits;
use crate::pda::need::Need;
use crate::pda::{FrameId, Pda};

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

impl Masks {
    /// How many nodes name each of so many sets.
    pub fn uses(&self, sets: usize) -> Vec<usize> {
        let mut uses = vec![0; sets];
        for (_, set) in self.nodes.iter().flat_map(|node| &node.sets) {
            uses[*set as usize] += 1;
        }
        uses
    }
}

/// A node of a mask tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MaskNode {
    /// Token sets that hold here, each with the frames it needs above the present height.
    pub sets: Vec<(u8, SetId)>,
    /// For the frames that can lie at this depth, the node to go on with; empty if there is no need to look.
    pub children: Vec<(FrameId, Option<NodeId>)>,
}

/// Computes the masks of all states.
///
/// # Errors
///
/// If the deadline passes, or a token needs more frames than a table can say.
pub fn build(
    pda: &Pda,
    needs: &[Need],
    trie: &TokenTrie,
    deadline: &Deadline,
) -> Result<Masks, LimitExceeded> {
    let rows = Rows::new(pda, needs);
    let mut walker = Walker::new(pda, needs, trie, &rows);
    // Nothing is asked of a state that no token leads to.
    let starts: Vec<Option<(PlaceId, u8)>> = (0..)
        .zip(needs)
        .map(|(s, need)| need.map(|need| (walker.start(s), need)))
        .collect();
    walk_all(&mut walker, deadline)?;
    let heights = reachable_heights(&mut walker);
    let mut join = Join {
        walker,
        heights,
        ids: HashMap::default(),
        keys: Vec::new(),
        nodes: Vec::new(),
        sets: Vec::new(),
        set_ids: HashMap::default(),
        joined: HashMap::default(),
    };
    let mut roots = Vec::with_capacity(starts.len());
    for start in starts {
        roots.push(match start {
            Some((place, need)) => join.root(place, need as i16),
            None => join.node(None, Vec::new()),
        });
    }
    while let Some(key) = join.keys.get(join.nodes.len()).cloned() {
        if join.nodes.len() % 64 == 63 {
            deadline.check("computing token masks")?;
        }
        let node = join.expand(key)?;
        join.nodes.push(node);
    }
    let possible = join.possible(pda, &roots);
    Ok(finish(
        join.sets,
        join.nodes,
        &possible,
        roots,
        trie.ids.len(),
    ))
}

/// Walks from every place until no new one is met.
fn walk_all(walker: &mut Walker, deadline: &Deadline) -> Result<(), LimitExceeded> {
    let mut at = 0;
    while at < walker.count() {
        if at % 256 == 255 {
            deadline.check("walking the vocabulary")?;
        }
        walker.found(at as PlaceId);
        at += 1;
    }
    Ok(())
}

/// For each place the greatest height, relative to its unknown stack, that any walk through it meets.
fn reachable_heights(walker: &mut Walker) -> Vec<i16> {
    let count = walker.count();
    let mut users: Vec<Vec<(PlaceId, i16)>> = vec![Vec::new(); count];
    let mut heights = vec![0; count];
    for (place, height) in heights.iter_mut().enumerate() {
        let found = walker.found(place as PlaceId);
        let own = found
            .tokens
            .iter()
            .map(|t| t.0)
            .chain(found.same.iter().map(|s| s.1));
        *height = own.fold(*height, i16::max);
        found
            .same
            .iter()
            .for_each(|s| users[s.0 as usize].push((place as PlaceId, 0)));
        found
            .below
            .iter()
            .for_each(|b| users[b.1 as usize].push((place as PlaceId, -1)));
    }
    let mut stack: Vec<usize> = (0..count).collect();
    while let Some(place) = stack.pop() {
        for &(user, shift) in &users[place] {
            let height = heights[place] + shift;
            if height > heights[user as usize] {
                heights[user as usize] = height;
                stack.push(user as usize);
            }
        }
    }
    heights
}

/// What heights mean at a node. `None`: every token there is available whatever the height, so far as
/// this depth is reached at all.
type Level = Option<Height>;

/// The root state's need, and how far the node's unknown stack lies below the root's (as a negative number).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Height {
    need: i16,
    offset: i16,
}

/// A node's identity: its places, each with the greatest height on the way there, relative to the root's stack.
type Key = (Level, Vec<(PlaceId, i16)>);

/// A node before equal ones are merged.
struct RawNode {
    sets: Vec<(u8, SetId)>,
    kids: Vec<(FrameId, NodeId)>,
}

/// What a node's sets are joined from, by headroom.
type Pieces = BTreeMap<u8, Vec<PieceId>>;

/// The subset construction of all states.
struct Join<'a> {
    walker: Walker<'a>,
    heights: Vec<i16>,
    ids: HashMap<Key, NodeId>,
    keys: Vec<Key>,
    nodes: Vec<RawNode>,
    sets: Vec<Ranks>,
    set_ids: HashMap<Ranks, SetId>,
    /// Sets by the pieces that they were joined from.
    joined: HashMap<Pieces, Vec<(u8, SetId)>>,
}

impl Join<'_> {
    fn root(&mut self, start: PlaceId, need: i16) -> NodeId {
        self.node(Some(Height { need, offset: 0 }), vec![(start, need)])
    }

    fn node(&mut self, level: Level, members: Vec<(PlaceId, i16)>) -> NodeId {
        let key = self.normal(level, members);
        let next = self.keys.len() as NodeId;
        let id = *self.ids.entry(key.clone()).or_insert(next);
        if id == next {
            self.keys.push(key);
        }
        id
    }

    /// Forgets heights where all that can be met from the places is covered by the root state's own need, and
    /// offsets so low that only the heights on the way count.
    fn normal(&self, level: Level, mut members: Vec<(PlaceId, i16)>) -> Key {
        let Some(Height { need, offset }) = level else {
            return (None, members);
        };
        let rest = |place: PlaceId| self.heights[place as usize];
        if members
            .iter()
            .all(|&(place, floor)| floor <= need && rest(place) + offset <= need)
        {
            members.iter_mut().for_each(|m| m.1 = 0);
            return (None, members);
        }
        let lowest = members
            .iter()
            .map(|&(place, floor)| floor - rest(place))
            .min()
            .unwrap_or(0);
        (
            Some(Height {
                need,
                offset: offset.max(lowest.min(0)),
            }),
            members,
        )
    }

    fn expand(&mut self, (level, members): Key) -> Result<RawNode, LimitExceeded> {
        let offset = level.map_or(0, |l| l.offset);
        let mut tokens: BTreeMap<i16, Vec<PieceId>> = BTreeMap::new();
        let mut below: BTreeMap<FrameId, BTreeMap<PlaceId, i16>> = BTreeMap::new();
        for (place, floor) in self.closed(level, members) {
            let found = self.walker.found(place);
            for (height, pieces) in &found.tokens {
                let height = if level.is_some() {
                    floor.max(height + offset)
                } else {
                    0
                };
                tokens.entry(height).or_default().extend_from_slice(pieces);
            }
            for &(frame, place) in &found.below {
                below
                    .entry(frame)
                    .or_default()
                    .entry(place)
                    .and_modify(|f| *f = floor.min(*f))
                    .or_insert(floor);
            }
        }
        let deeper = level.map(|l| Height {
            offset: l.offset - 1,
            ..l
        });
        let kids = below
            .into_iter()
            .map(|(frame, places)| (frame, self.node(deeper, places.into_iter().collect())));
        let kids = kids.collect();
        let sets = self.sets(level.map_or(0, |l| l.need), tokens)?;
        Ok(RawNode { sets, kids })
    }

    /// The members and all places on the same stack that they lead to; for each the least height on a way to it.
    fn closed(&mut self, level: Level, members: Vec<(PlaceId, i16)>) -> Vec<(PlaceId, i16)> {
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
                    .map(|&(next, peak)| (next, level.map_or(0, |l| floor.max(peak + l.offset)))),
            );
        }
        best.into_iter().collect()
    }

    /// For each node the frames that can lie where it looks.
    fn possible(&self, pda: &Pda, roots: &[NodeId]) -> Vec<Bits> {
        let mut possible = vec![Bits::default(); self.nodes.len()];
        for (state, &root) in roots.iter().enumerate() {
            pda.states[state].top.iter().for_each(|&f| {
                possible[root as usize].insert(f as usize);
            });
        }
        for &(frame, kid) in self.nodes.iter().flat_map(|n| &n.kids) {
            pda.under[frame as usize].iter().for_each(|&f| {
                possible[kid as usize].insert(f as usize);
            });
        }
        possible
    }

    /// Token sets by headroom: what the root state's own need covers needs none.
    fn sets(
        &mut self,
        need: i16,
        tokens: BTreeMap<i16, Vec<PieceId>>,
    ) -> Result<Vec<(u8, SetId)>, LimitExceeded> {
        let mut by_headroom: Pieces = BTreeMap::new();
        for (height, mut pieces) in tokens {
            let headroom = if height <= need { 0 } else { height };
            let headroom = u8::try_from(headroom).map_err(|_| LimitExceeded {
                limit: "frames",
                value: u8::MAX as u64,
                what: "one token pushes too many frames".to_owned(),
            })?;
            by_headroom.entry(headroom).or_default().append(&mut pieces);
        }
        for pieces in by_headroom.values_mut() {
            pieces.sort_unstable();
            pieces.dedup();
        }
        if let Some(known) = self.joined.get(&by_headroom) {
            return Ok(known.clone());
        }
        let mut sets: Vec<(u8, Ranks)> = Vec::new();
        for (&headroom, pieces) in &by_headroom {
            let mut ranks = Ranks::union(pieces.iter().map(|&piece| self.walker.piece(piece)));
            sets.iter()
                .for_each(|(_, lower)| ranks = ranks.minus(lower));
            if !ranks.is_empty() {
                sets.push((headroom, ranks));
            }
        }
        let sets = sets.into_iter();
        let sets: Vec<_> = sets
            .map(|(headroom, ranks)| (headroom, self.intern(ranks)))
            .collect();
        self.joined.insert(by_headroom, sets.clone());
        Ok(sets)
    }

    fn intern(&mut self, ranks: Ranks) -> SetId {
        if let Some(&id) = self.set_ids.get(&ranks) {
            return id;
        }
        let id = self.sets.len() as SetId;
        self.set_ids.insert(ranks.clone(), id);
        self.sets.push(ranks);
        id
    }
}

/// Drops nodes without tokens, lists for every frame that can lie somewhere what it leads to, and merges equal nodes.
fn finish(
    sets: Vec<Ranks>,
    raw: Vec<RawNode>,
    possible: &[Bits],
    roots: Vec<NodeId>,
    tokens: usize,
) -> Masks {
    let useful = useful(&raw);
    let mut nodes = Vec::with_capacity(raw.len());
    for (at, node) in raw.into_iter().enumerate() {
        let kids: BTreeMap<FrameId, NodeId> = node
            .kids
            .into_iter()
            .filter(|k| useful[k.1 as usize])
            .collect();
        let mut children = Vec::new();
        if !kids.is_empty() {
            children.extend(
                possible[at]
                    .iter()
                    .map(|f| (f as FrameId, kids.get(&(f as FrameId)).copied())),
            );
        }
        nodes.push(MaskNode {
            sets: node.sets,
            children,
        });
    }
    let masks = merge_equal(Masks { sets, nodes, roots });
    let masks = merge_equal(push::push_down(masks, tokens));
    let masks = push::trim(merge_equal(enlarge::enlarge(masks, tokens)));
    push::trim(factor::factor(masks, tokens))
}

/// Which nodes lead to a token at all.
fn useful(nodes: &[RawNode]) -> Vec<bool> {
    let mut users: Vec<Vec<NodeId>> = vec![Vec::new(); nodes.len()];
    for (at, node) in nodes.iter().enumerate() {
        node.kids
            .iter()
            .for_each(|k| users[k.1 as usize].push(at as NodeId));
    }
    let mut useful = vec![false; nodes.len()];
    let mut stack: Vec<usize> = (0..nodes.len())
        .filter(|&at| !nodes[at].sets.is_empty())
        .collect();
    while let Some(at) = stack.pop() {
        if !std::mem::replace(&mut useful[at], true) {
            stack.extend(users[at].iter().map(|&u| u as usize));
        }
    }
    useful
}

/// Merges nodes that no walk tells apart, by refining a partition until it is stable.
fn merge_equal(masks: Masks) -> Masks {
    let mut block = vec![0u32; masks.nodes.len()];
    let mut count = 1;
    loop {
        let mut ids: HashMap<(u32, MaskNode), u32> = HashMap::default();
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
