//! The game that a completion plays against the frames of an unknown stack, written down once.
//!
//! In: a [`Pda`]. Out: [`Game`]: places where the completion chooses a step ([`Side::Best`]) and places where the
//! adversary chooses a frame that can lie there ([`Side::Worst`]). Equal places are one; places that no state leads to are not
//! there.

use rustc_hash::FxHashMap as HashMap;

use crate::limits::{Deadline, LimitExceeded};
use crate::pda::{Alternative, Class, FrameId, Pda, StateId, Tree, TreeId};

/// Frames pushed by a completion that are told from those that were there before.
const OWN: u8 = 3;
/// The class of edges that do not take their symbol again: they come to the same for every class.
const ANY: Class = Class::MAX;
/// No place yet.
const NONE: PlaceId = PlaceId::MAX;

/// Index of a place.
pub(super) type PlaceId = u32;

/// Who chooses at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The completion, in a state: what it needs is never less than nothing.
    State,
    /// Nobody: the text has ended.
    End,
    /// The completion, knowing more frames.
    Best,
    /// The adversary.
    Worst,
}

/// A step of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Step {
    /// Where it leads.
    pub(super) to: PlaceId,
    /// Whether a frame has been popped that was there before the completion.
    pub(super) is_progress: bool,
    /// Frames that it adds.
    pub(super) rise: i16,
}

/// A place of the game.
#[derive(Clone, Copy, Debug)]
struct Place {
    side: Side,
    from: u32,
    to: u32,
}

/// All places.
pub(super) struct Game {
    places: Vec<Place>,
    steps: Vec<Step>,
    roots: Vec<PlaceId>,
}

impl Game {
    /// Writes the game of `pda` down.
    pub(super) fn new(pda: &Pda, deadline: &Deadline) -> Result<Self, LimitExceeded> {
        let mut writer = Writer {
            pda,
            repeats: repeats(pda),
            bases: (0..pda.states.len() as StateId).map(Base::State).collect(),
            again: HashMap::default(),
            ids: vec![[NONE; OWN as usize + 1]; pda.states.len()],
            todo: Vec::new(),
            known: HashMap::default(),
            game: Game {
                places: Vec::new(),
                steps: Vec::new(),
                roots: Vec::new(),
            },
        };
        for state in 0..pda.states.len() {
            let root = writer.place(state, 0);
            writer.game.roots.push(root);
        }
        let mut written = 0u32;
        while let Some((place, base, own)) = writer.todo.pop() {
            written += 1;
            if written.is_multiple_of(1024) {
                deadline.check("bounding stacks")?;
            }
            writer.write(place, base, own);
        }
        Ok(writer.game)
    }

    /// The place of a state in which a completion starts.
    pub(super) fn root(&self, state: StateId) -> PlaceId {
        self.roots[state as usize]
    }

    /// Number of places. One where frames are known only leads to states and to places before it.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Who chooses at a place.
    pub(super) fn side(&self, place: PlaceId) -> Side {
        self.places[place as usize].side
    }

    /// What there is to choose from.
    pub(super) fn steps(&self, place: PlaceId) -> &[Step] {
        let Place { from, to, .. } = self.places[place as usize];
        &self.steps[from as usize..to as usize]
    }
}

/// Where a completion chooses a symbol, or goes on with one that it takes again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Base {
    State(StateId),
    Again(StateId, Class),
}

/// Edges to choose from, each with its class if the symbol may be taken again; ascending.
type Choices = Vec<(TreeId, Class)>;

struct Writer<'a> {
    pda: &'a Pda,
    /// Whether some leaf of a tree takes the symbol again.
    repeats: Vec<bool>,
    bases: Vec<Base>,
    again: HashMap<(StateId, Class), usize>,
    /// For each base its places, by the number of the completion's own frames on top.
    ids: Vec<[PlaceId; OWN as usize + 1]>,
    todo: Vec<(PlaceId, usize, u8)>,
    /// What it comes to to choose from these edges.
    known: HashMap<(Choices, u8), Option<Step>>,
    game: Game,
}

impl Writer<'_> {
    fn place(&mut self, base: usize, own: u8) -> PlaceId {
        let id = &mut self.ids[base][own as usize];
        if *id == NONE {
            *id = self.game.places.len() as PlaceId;
            self.game.places.push(Place {
                side: Side::State,
                from: 0,
                to: 0,
            });
            self.todo.push((*id, base, own));
        }
        *id
    }

    fn write(&mut self, place: PlaceId, base: usize, own: u8) {
        let edges: Choices = match self.bases[base] {
            Base::State(state) => {
                let edges = self.pda.states[state as usize].edges.iter();
                edges.map(|&(class, tree)| (tree, class)).collect()
            }
            Base::Again(state, class) => {
                let tree = self.pda.edge(state, class);
                tree.map(|tree| (tree, class)).into_iter().collect()
            }
        };
        if edges.is_empty() && matches!(self.bases[base], Base::State(_)) {
            self.game.places[place as usize].side = Side::End;
        }
        let steps = self.choose(self.distinct(edges), own);
        self.fill(place, steps);
    }

    fn fill(&mut self, place: PlaceId, steps: Vec<Step>) {
        let from = self.game.steps.len() as u32;
        self.game.steps.extend(steps);
        let to = self.game.steps.len() as u32;
        let place = &mut self.game.places[place as usize];
        (place.from, place.to) = (from, to);
    }

    /// The edges that differ.
    fn distinct(&self, mut edges: Choices) -> Choices {
        for (tree, class) in &mut edges {
            if !self.repeats[*tree as usize] {
                *class = ANY;
            }
        }
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// The steps of a completion that may follow one of these edges: at once, or after looking at the next frame that
    /// one of them looks at.
    fn choose(&mut self, edges: Choices, own: u8) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut look: Option<u8> = None;
        for &(tree, class) in &edges {
            match &self.pda.trees[tree as usize] {
                Tree::Leaf(alternatives) => {
                    let found = alternatives.iter().filter_map(|a| self.step(a, class, own));
                    steps.extend(found);
                }
                Tree::Look { depth, .. } => look = Some(look.map_or(*depth, |d| d.min(*depth))),
            }
        }
        steps.extend(look.and_then(|depth| self.look(&edges, depth, own)));
        // Of steps to one place the least.
        steps.sort_unstable();
        steps.dedup_by_key(|step| (step.to, step.is_progress));
        steps
    }

    /// An alternative; none if too many of the completion's own frames would lie on top.
    fn step(&mut self, alternative: &Alternative, class: Class, own: u8) -> Option<Step> {
        let &Alternative {
            pop,
            push,
            next,
            again,
        } = alternative;
        let left = own.saturating_sub(pop) + u8::from(push.is_some());
        if left > OWN {
            return None;
        }
        let base = match again {
            true => self.base(next, class),
            false => next as usize,
        };
        Some(Step {
            to: self.place(base, left),
            is_progress: pop > own,
            rise: i16::from(push.is_some()) - i16::from(pop),
        })
    }

    fn base(&mut self, state: StateId, class: Class) -> usize {
        let next = self.bases.len();
        let base = *self.again.entry((state, class)).or_insert(next);
        if base == next {
            self.bases.push(Base::Again(state, class));
            self.ids.push([NONE; OWN as usize + 1]);
        }
        base
    }

    /// What it comes to to look at `depth`, where the adversary has put a frame; none if nothing can follow.
    fn look(&mut self, edges: &[(TreeId, Class)], depth: u8, own: u8) -> Option<Step> {
        let mut steps = Vec::new();
        for frame in self.frames(edges, depth) {
            let below = edges.iter();
            let below = below
                .filter_map(|&(tree, class)| Some((self.branch(tree, depth, frame)?, class)))
                .collect();
            let below = self.distinct(below);
            if below.iter().any(|e| self.is_live(e.0)) {
                // Where the adversary can leave nothing to choose, looking is of no use.
                steps.push(self.below(below, own)?);
            }
        }
        // Of steps to one place the greatest.
        steps.sort_unstable_by(|a: &Step, b| b.cmp(a));
        steps.dedup_by_key(|step| (step.to, step.is_progress));
        self.joined(Side::Worst, steps)
    }

    fn below(&mut self, edges: Choices, own: u8) -> Option<Step> {
        let key = (edges, own);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let steps = self.choose(key.0.clone(), own);
        let step = self.joined(Side::Best, steps);
        self.known.insert(key, step);
        step
    }

    /// A step to a place of its own, unless there is nothing to choose there.
    fn joined(&mut self, side: Side, steps: Vec<Step>) -> Option<Step> {
        if steps.len() < 2 {
            return steps.first().copied();
        }
        let place = self.game.places.len() as PlaceId;
        self.game.places.push(Place {
            side,
            from: 0,
            to: 0,
        });
        self.fill(place, steps);
        Some(Step {
            to: place,
            is_progress: false,
            rise: 0,
        })
    }

    /// The frames at `depth` that some of the trees tell apart, ascending.
    fn frames(&self, edges: &[(TreeId, Class)], depth: u8) -> Vec<FrameId> {
        let mut frames = Vec::new();
        for (tree, _) in edges {
            if let Tree::Look {
                depth: at,
                branches,
            } = &self.pda.trees[*tree as usize]
                && *at == depth
            {
                frames.extend(branches.iter().map(|b| b.0));
            }
        }
        frames.sort_unstable();
        frames.dedup();
        frames
    }

    fn branch(&self, tree: TreeId, depth: u8, frame: FrameId) -> Option<TreeId> {
        match &self.pda.trees[tree as usize] {
            Tree::Look {
                depth: at,
                branches,
            } if *at == depth => branches
                .binary_search_by_key(&frame, |b| b.0)
                .ok()
                .map(|at| branches[at].1),
            _ => Some(tree),
        }
    }

    fn is_live(&self, tree: TreeId) -> bool {
        let mut live = false;
        self.pda.leaves(tree, &mut |leaf| live |= !leaf.is_empty());
        live
    }
}

/// For each tree whether some leaf takes the symbol again.
fn repeats(pda: &Pda) -> Vec<bool> {
    let repeats = |tree| {
        let mut again = false;
        pda.leaves(tree, &mut |leaf| again |= leaf.iter().any(|a| a.again));
        again
    };
    (0..pda.trees.len() as TreeId).map(repeats).collect()
}
