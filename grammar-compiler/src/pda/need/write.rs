//! The game of an automaton, written down once.
//!
//! In: a [`Pda`]. Out: its [`Game`]. Equal places are one; places that no state leads to are not there, nor are those of states with
//! a single way to go on, which leaves the stack as it is.
//!
//! Where a symbol is taken again after a pop, the choice is not made yet: the frames below may refuse it, and then another symbol is
//! accepted. So such an edge goes on as the edge of the state that it leads to, beside all others, until frames have decided.

use rustc_hash::FxHashMap as HashMap;
use std::hash::{Hash, Hasher};

use super::game::{Game, PlaceId, Side, Step};
use crate::limits::{Deadline, LimitExceeded};
use crate::pda::{Alternative, Class, FrameId, Pda, StateId, Tree, TreeId};

/// Frames pushed by a completion that are told from those that were there before.
const OWN: u8 = 3;
/// The class of edges that do not take their symbol again: they come to the same for every class.
const ANY: Class = Class::MAX;
/// Frames that are popped at most before a symbol is taken. Beyond that an edge is [`UNSURE`].
const MAX_POP: u8 = 8;
/// Places at most while symbols that are taken again are followed.
const MAX_PLACES: usize = 1 << 21;
/// And so many edges, of all choices that are kept.
const MAX_EDGES: usize = 1 << 22;
/// Choices between two looks at the clock.
const BETWEEN_CHECKS: usize = 256;
/// The tree of an edge that may or may not accept its symbol.
const UNSURE: TreeId = TreeId::MAX;
/// No place yet.
const NONE: PlaceId = PlaceId::MAX;

/// Writes the game of `pda` down.
pub(super) fn write(pda: &Pda, deadline: &Deadline) -> Result<Game, LimitExceeded> {
    let mut writer = Writer {
        pda,
        deadline,
        choices: 0,
        edges: 0,
        repeats: (0..pda.trees.len() as TreeId)
            .map(|tree| pda.takes_again(tree))
            .collect(),
        deciding: deciding(pda),
        ids: vec![[NONE; OWN as usize + 1]; pda.states.len()],
        todo: Vec::new(),
        edges_of: vec![Vec::new(); pda.states.len()],
        known: HashMap::default(),
        game: Game::default(),
    };
    let mut steps = Vec::new();
    for state in 0..pda.states.len() as StateId {
        let root = writer.place(state, 0);
        writer.game.roots.push(root);
    }
    while let Some((place, state, own)) = writer.todo.pop() {
        writer.write(place, state, own, &mut steps)?;
    }
    Ok(writer.game)
}

/// For each state the first one at or after it that has a choice, or ends, or touches the stack: it needs as much.
fn deciding(pda: &Pda) -> Vec<StateId> {
    let next = |state: StateId| match pda.states[state as usize].edges.as_slice() {
        [first, others @ ..] if others.iter().all(|other| other.1 == first.1) => {
            pda.trees[first.1 as usize].goto()
        }
        _ => None,
    };
    const OPEN: StateId = StateId::MAX;
    let mut deciding = vec![OPEN; pda.states.len()];
    let mut passed = Vec::new();
    for state in 0..pda.states.len() as StateId {
        let mut at = state;
        // A circle is left where it is entered.
        while deciding[at as usize] == OPEN {
            deciding[at as usize] = at;
            passed.push(at);
            at = next(at).unwrap_or(at);
        }
        let last = deciding[at as usize];
        passed
            .drain(..)
            .for_each(|state| deciding[state as usize] = last);
    }
    deciding
}

/// An edge that may be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Edge {
    tree: TreeId,
    /// The class of its symbol, if that may be taken again.
    class: Class,
    /// Frames popped since the choice began.
    popped: u8,
    /// The edges on which the symbol is taken again have been added.
    is_followed: bool,
}

impl Hash for Edge {
    /// As one word: choices of many edges are looked up.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let (tree, class) = (u64::from(self.tree), u64::from(self.class));
        let (popped, is_followed) = (u64::from(self.popped), u64::from(self.is_followed));
        state.write_u64(tree << 32 | class << 16 | popped << 8 | is_followed);
    }
}

/// What there is to choose from: edges, how many of the completion's own frames lie on top, and the frame right above the next one to
/// be looked at, if it is known. Edges ascend.
type Choice = (Vec<Edge>, u8, Option<(u8, FrameId)>);

struct Writer<'a> {
    pda: &'a Pda,
    deadline: &'a Deadline,
    /// Choices looked at so far.
    choices: usize,
    /// Edges of the choices that are kept.
    edges: usize,
    /// Whether some leaf of a tree takes the symbol again.
    repeats: Vec<bool>,
    /// For each state the one whose place is its own.
    deciding: Vec<StateId>,
    /// For each of these its places, by the number of the completion's own frames on top.
    ids: Vec<[PlaceId; OWN as usize + 1]>,
    todo: Vec<(PlaceId, StateId, u8)>,
    /// The edges of each state that differ, once they have been needed.
    edges_of: Vec<Vec<Edge>>,
    /// What choices come to.
    known: HashMap<Choice, Option<Step>>,
    game: Game,
}

impl Writer<'_> {
    fn place(&mut self, state: StateId, own: u8) -> PlaceId {
        let state = self.deciding[state as usize];
        let id = &mut self.ids[state as usize][own as usize];
        if *id == NONE {
            let is_end = self.pda.states[state as usize].edges.is_empty();
            *id = self.game.add(if is_end { Side::End } else { Side::State });
            self.todo.push((*id, state, own));
        }
        *id
    }

    /// Writes the steps of a place down; `steps` is where they are worked out.
    fn write(
        &mut self,
        place: PlaceId,
        state: StateId,
        own: u8,
        steps: &mut Vec<Step>,
    ) -> Result<(), LimitExceeded> {
        let edges = match std::mem::take(&mut self.edges_of[state as usize]) {
            edges if edges.is_empty() => self.edges_of(state),
            edges => edges,
        };
        let choice = (edges, own, None);
        steps.clear();
        self.choose(&choice, steps)?;
        self.edges_of[state as usize] = choice.0;
        self.game.fill(place, steps);
        Ok(())
    }

    /// The edges of a state that differ.
    fn edges_of(&self, state: StateId) -> Vec<Edge> {
        let edges = &self.pda.states[state as usize].edges;
        // Classes side by side often share a tree, and only one that is taken again need be told from the others.
        let is_same =
            |a: &(Class, TreeId), b: &(Class, TreeId)| a.1 == b.1 && !self.repeats[a.1 as usize];
        let differ = edges.chunk_by(is_same).map(|same| Edge {
            tree: same[0].1,
            class: same[0].0,
            popped: 0,
            is_followed: false,
        });
        self.settled(differ.collect())
    }

    /// The edges that differ, those that take their symbol again at once followed to where they take it.
    fn settled(&self, mut edges: Vec<Edge>) -> Vec<Edge> {
        let mut at = 0;
        while let Some(&edge) = edges.get(at) {
            let tree = self.pda.trees.get(edge.tree as usize);
            let class = match self.repeats.get(edge.tree as usize) {
                Some(true) => edge.class,
                _ => ANY,
            };
            let is_leaf = matches!(tree, Some(Tree::Leaf(_)));
            edges[at] = Edge {
                class,
                is_followed: is_leaf,
                ..edge
            };
            if let Some(Tree::Leaf(leaf)) = tree.filter(|_| !edge.is_followed) {
                let again = leaf.iter().filter(|alternative| alternative.again);
                edges.extend(again.filter_map(|a| self.again(a, edge)));
            }
            at += 1;
        }
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// The edge on which a symbol is taken again.
    fn again(&self, alternative: &Alternative, edge: Edge) -> Option<Edge> {
        let tree = self.pda.edge(alternative.next, edge.class)?;
        let popped = edge.popped + alternative.pop;
        let is_small = self.game.len() < MAX_PLACES && self.edges < MAX_EDGES;
        let is_sure = popped <= MAX_POP && is_small;
        Some(Edge {
            tree: if is_sure { tree } else { UNSURE },
            class: edge.class,
            popped: if is_sure { popped } else { 0 },
            is_followed: false,
        })
    }

    /// Adds the steps of a completion that may follow one of these edges to none: at once, or after looking at the next frame that
    /// one of them looks at.
    fn choose(&mut self, choice: &Choice, steps: &mut Vec<Step>) -> Result<(), LimitExceeded> {
        let (edges, own, above) = choice;
        self.choices += 1;
        if self.choices.is_multiple_of(BETWEEN_CHECKS) {
            self.deadline.check("bounding stacks")?;
        }
        let mut look: Option<u8> = None;
        for &edge in edges {
            match self.pda.trees.get(edge.tree as usize) {
                Some(Tree::Leaf(leaf)) => {
                    let taken = leaf.iter().filter(|alternative| !alternative.again);
                    steps.extend(taken.filter_map(|a| self.step(a, edge.popped, *own)));
                }
                Some(Tree::Look { depth, .. }) => {
                    let depth = edge.popped + depth;
                    look = Some(look.map_or(depth, |d| d.min(depth)));
                }
                None => {}
            }
        }
        if let Some(depth) = look {
            steps.extend(self.look(edges, depth, *own, *above)?);
        }
        // Of steps to one place the least.
        steps.sort_unstable();
        steps.dedup_by_key(|step| (step.to, step.is_progress));
        Ok(())
    }

    /// An alternative; none if too many of the completion's own frames would lie on top.
    fn step(&mut self, alternative: &Alternative, popped: u8, own: u8) -> Option<Step> {
        let &Alternative {
            pop, push, next, ..
        } = alternative;
        let pop = popped + pop;
        let left = own.saturating_sub(pop) + u8::from(push.is_some());
        (left <= OWN).then(|| Step {
            to: self.place(next, left),
            is_progress: pop > own,
            rise: i16::from(push.is_some()) - i16::from(pop),
        })
    }

    /// What it comes to to look at `depth`, where the adversary has put a frame; none if nothing can follow.
    fn look(
        &mut self,
        edges: &[Edge],
        depth: u8,
        own: u8,
        above: Option<(u8, FrameId)>,
    ) -> Result<Option<Step>, LimitExceeded> {
        let pda = self.pda;
        let under = above.filter(|above| above.0 + 1 == depth);
        let under = under.map(|(_, frame)| &pda.under[frame as usize]);
        let mut steps = Vec::new();
        for frame in self.frames(edges, depth) {
            if under.is_some_and(|under| under.binary_search(&frame).is_err()) {
                continue;
            }
            let below = edges.iter().filter_map(|&e| self.branch(e, depth, frame));
            let below = self.settled(below.collect());
            if below.iter().any(|&edge| self.is_live(edge)) {
                // Where the adversary can leave nothing to choose, looking is of no use.
                let Some(step) = self.below((below, own, Some((depth, frame))))? else {
                    return Ok(None);
                };
                steps.push(step);
            }
        }
        // Of steps to one place the greatest.
        steps.sort_unstable_by(|a: &Step, b| b.cmp(a));
        steps.dedup_by_key(|step| (step.to, step.is_progress));
        Ok(self.joined(Side::Worst, &steps))
    }

    fn below(&mut self, mut choice: Choice) -> Result<Option<Step>, LimitExceeded> {
        // What lies above matters only to those who look right below it.
        let next = choice.2.map(|above| above.0 + 1);
        let mut looks = choice.0.iter();
        if !looks.any(|&edge| self.looks_at(edge) == next) {
            choice.2 = None;
        }
        if let Some(known) = self.known.get(&choice) {
            return Ok(*known);
        }
        let mut steps = Vec::with_capacity(choice.0.len());
        self.choose(&choice, &mut steps)?;
        let step = self.joined(Side::Best, &steps);
        self.edges += choice.0.len();
        self.known.insert(choice, step);
        Ok(step)
    }

    /// The depth at which an edge looks next.
    fn looks_at(&self, edge: Edge) -> Option<u8> {
        match self.pda.trees.get(edge.tree as usize)? {
            Tree::Look { depth, .. } => Some(edge.popped + depth),
            Tree::Leaf(_) => None,
        }
    }

    /// A step to a place of its own, unless there is nothing to choose there.
    fn joined(&mut self, side: Side, steps: &[Step]) -> Option<Step> {
        if steps.len() < 2 {
            return steps.first().copied();
        }
        let place = self.game.add(side);
        self.game.fill(place, steps);
        Some(Step {
            to: place,
            is_progress: false,
            rise: 0,
        })
    }

    /// The frames at `depth` that some of the trees tell apart, ascending.
    fn frames(&self, edges: &[Edge], depth: u8) -> Vec<FrameId> {
        let mut frames = Vec::new();
        for &edge in edges {
            if self.looks_at(edge) == Some(depth)
                && let Tree::Look { branches, .. } = &self.pda.trees[edge.tree as usize]
            {
                frames.extend(branches.iter().map(|b| b.0));
            }
        }
        frames.sort_unstable();
        frames.dedup();
        frames
    }

    fn branch(&self, edge: Edge, depth: u8, frame: FrameId) -> Option<Edge> {
        if self.looks_at(edge) != Some(depth) {
            return Some(edge);
        }
        let Tree::Look { branches, .. } = &self.pda.trees[edge.tree as usize] else {
            return Some(edge);
        };
        let at = branches.binary_search_by_key(&frame, |b| b.0).ok()?;
        Some(Edge {
            tree: branches[at].1,
            ..edge
        })
    }

    /// Whether the symbol of an edge may be accepted. What takes it again is an edge of its own.
    fn is_live(&self, edge: Edge) -> bool {
        if edge.tree == UNSURE {
            return true;
        }
        let mut live = false;
        self.pda.leaves(edge.tree, &mut |leaf| {
            live |= leaf
                .iter()
                .any(|a| !a.again || self.looks_at(edge).is_some());
        });
        live
    }
}
