//! Walks of the vocabulary's trie through the automaton, over a stack of which only some frames are known.
//!
//! In: the automaton and the trie. Out: [`Found`] for a *place*: some trie nodes, a state and the frames pushed
//! since (or looked at). All below is unknown. Where an edge needs an unknown frame, the walk gathers all nodes at which
//! the same state asks the same question, branches once on the frames that can lie there, and goes on with all
//! those nodes in places of their own, which are walked once however many walks meet there.
//!
//! Heights are relative to the unknown stack: a place whose local frames number 3 is at height 3.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::local::{LocalId, Locals};
use super::set::Ranks;
use super::trie::TokenTrie;
use crate::pda::need::Need;
use crate::pda::{Alternative, Class, FrameId, Pda, StateId, Tree, TreeId};

/// Index of a list of trie nodes.
type NodesId = u32;

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
    /// Tokens accepted without another look, by the height that they need.
    pub tokens: Vec<(i16, Ranks)>,
    /// Places on the same unknown stack, and the greatest height on the way there.
    pub same: Vec<(PlaceId, i16)>,
    /// Places that know the next frame down, by that frame; their heights are relative to what lies below it.
    pub below: Vec<(FrameId, PlaceId)>,
}

/// What a walk cannot decide on the way: the question (class, state, known frames, height reached) and where it was met.
type Questions = BTreeMap<(Class, StateId, LocalId, i16), Vec<u32>>;

/// What a walk gathers.
#[derive(Default)]
struct Gather {
    tokens: Vec<(i16, Ranks)>,
    same: Vec<(PlaceId, i16)>,
    below: BTreeMap<FrameId, Vec<(PlaceId, i16)>>,
}

/// Everything that walks read, and the places that they met.
pub struct Walker<'a> {
    pda: &'a Pda,
    needs: &'a [Need],
    trie: &'a TokenTrie,
    rows: &'a Rows,
    locals: Locals,
    lists: Vec<Rc<[u32]>>,
    list_ids: HashMap<Rc<[u32]>, NodesId>,
    places: HashMap<Place, PlaceId>,
    order: Vec<Place>,
    found: Vec<Option<Rc<Found>>>,
}

/// The automaton's edges as a dense table, and each state's loops.
pub struct Rows {
    classes: usize,
    actions: Vec<Action>,
    /// For each state the bytes that lead back to it without touching the stack.
    loops: Vec<[u64; 4]>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    Refuse,
    Goto(StateId),
    Tree(TreeId),
}

impl Rows {
    /// The dense table of `pda`.
    pub fn new(pda: &Pda) -> Self {
        let classes = pda.classes.count as usize;
        let mut actions = vec![Action::Refuse; classes * pda.states.len()];
        let mut loops = vec![[0; 4]; pda.states.len()];
        for (s, state) in pda.states.iter().enumerate() {
            for &(class, tree) in &state.edges {
                actions[s * classes + class as usize] = match &pda.trees[tree as usize] {
                    Tree::Leaf(leaf) => match leaf.as_slice() {
                        [] => Action::Refuse,
                        [
                            Alternative {
                                pop: 0,
                                push: None,
                                next,
                                again: false,
                            },
                        ] => Action::Goto(*next),
                        _ => Action::Tree(tree),
                    },
                    Tree::Look { .. } => Action::Tree(tree),
                };
            }
            for byte in 0..=255u8 {
                if actions[s * classes + pda.classes.of(byte) as usize]
                    == Action::Goto(s as StateId)
                {
                    loops[s][byte as usize / 64] |= 1 << (byte % 64);
                }
            }
        }
        Rows {
            classes,
            actions,
            loops,
        }
    }
}

/// A trie node that is open in a walk.
struct Open {
    end: u32,
    state: StateId,
    local: LocalId,
    peak: i16,
}

impl<'a> Walker<'a> {
    /// A walker that has not met any place.
    pub fn new(pda: &'a Pda, needs: &'a [Need], trie: &'a TokenTrie, rows: &'a Rows) -> Self {
        Walker {
            pda,
            needs,
            trie,
            rows,
            locals: Locals::new(),
            lists: vec![],
            list_ids: HashMap::new(),
            places: HashMap::new(),
            order: vec![],
            found: vec![],
        }
    }

    /// The place at the root of the trie in a state whose stack is unknown.
    pub fn start(&mut self, state: StateId) -> PlaceId {
        let nodes = self.list(vec![0]);
        self.place(Place::At(At {
            nodes,
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

    fn walk(&mut self, at: At) -> Found {
        let mut gather = Gather::default();
        let peak = self.locals.len(at.local) as i16;
        if at.consumed {
            let mut questions = Questions::new();
            for &node in Rc::clone(&self.lists[at.nodes as usize]).iter() {
                self.subtree(node, at, peak, &mut gather.tokens, &mut questions);
            }
            for ((class, state, local, peak), nodes) in questions {
                let nodes = self.list(nodes);
                self.symbol(
                    class,
                    At {
                        nodes,
                        state,
                        local,
                        consumed: false,
                    },
                    peak,
                    &mut gather,
                );
            }
        } else if let Some(&node) = self.lists[at.nodes as usize].first() {
            let class = self.class(self.trie.nodes[node as usize].symbol);
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

    fn list(&mut self, nodes: Vec<u32>) -> NodesId {
        let nodes: Rc<[u32]> = nodes.into();
        if let Some(&id) = self.list_ids.get(&nodes) {
            return id;
        }
        let id = self.lists.len() as NodesId;
        self.lists.push(Rc::clone(&nodes));
        self.list_ids.insert(nodes, id);
        id
    }

    fn place(&mut self, place: Place) -> PlaceId {
        if let Some(&id) = self.places.get(&place) {
            return id;
        }
        let id = self.order.len() as PlaceId;
        self.places.insert(place.clone(), id);
        self.order.push(place);
        self.found.push(None);
        id
    }

    /// Walks all tokens below `root`, whose own symbol has been consumed.
    fn subtree(
        &mut self,
        root: u32,
        at: At,
        peak: i16,
        tokens: &mut Vec<(i16, Ranks)>,
        questions: &mut Questions,
    ) {
        let trie = self.trie;
        let top = &trie.nodes[root as usize];
        self.accept(at.state, at.local, peak, (top.first, top.own), tokens);
        let mut open = vec![Open {
            end: top.end,
            state: at.state,
            local: at.local,
            peak,
        }];
        let mut node = root + 1;
        while node < top.end {
            while open.len() > 1 && open[open.len() - 1].end <= node {
                open.pop();
            }
            let Open {
                state, local, peak, ..
            } = open[open.len() - 1];
            let here = &trie.nodes[node as usize];
            let class = self.class(here.symbol);
            let next = match self.action(state, class) {
                Action::Refuse => {
                    node = here.end;
                    continue;
                }
                Action::Goto(next)
                    if next == state
                        && is_subset(&here.bytes, &self.rows.loops[state as usize]) =>
                {
                    self.accept(next, local, peak, (here.first, here.last), tokens);
                    node = here.end;
                    continue;
                }
                Action::Goto(next) => Some((next, local)),
                Action::Tree(tree) => self.simple(tree, local),
            };
            match next {
                Some((state, local)) => {
                    let peak = peak.max(self.locals.len(local) as i16);
                    self.accept(state, local, peak, (here.first, here.own), tokens);
                    open.push(Open {
                        end: here.end,
                        state,
                        local,
                        peak,
                    });
                    node += 1;
                }
                None => {
                    questions
                        .entry((class, state, local, peak))
                        .or_default()
                        .push(node);
                    node = here.end;
                }
            }
        }
    }

    fn class(&self, symbol: u16) -> Class {
        match u8::try_from(symbol) {
            Ok(byte) => self.pda.classes.of(byte),
            Err(_) => self.pda.classes.end(),
        }
    }

    fn action(&self, state: StateId, class: Class) -> Action {
        self.rows.actions[state as usize * self.rows.classes + class as usize]
    }

    /// The one next state and stack of a symbol, if known frames decide it and it is consumed at once.
    fn simple(&mut self, tree: TreeId, local: LocalId) -> Option<(StateId, LocalId)> {
        match self.resolve(tree, local)? {
            [
                Alternative {
                    pop,
                    push,
                    next,
                    again: false,
                },
            ] => {
                let (pop, push, next) = (*pop, *push, *next);
                let popped = self.locals.pop(local, pop)?;
                Some((
                    next,
                    push.map_or(popped, |frame| self.locals.push(popped, frame)),
                ))
            }
            _ => None,
        }
    }

    /// The leaf of a tree, if known frames decide it.
    fn resolve(&self, mut tree: TreeId, local: LocalId) -> Option<&'a [Alternative]> {
        loop {
            match &self.pda.trees[tree as usize] {
                Tree::Leaf(alternatives) => return Some(alternatives),
                Tree::Look { depth, branches } => {
                    let frame = self.locals.get(local, *depth)?;
                    match branches.binary_search_by_key(&frame, |b| b.0) {
                        Ok(at) => tree = branches[at].1,
                        Err(_) => return Some(&[]),
                    }
                }
            }
        }
    }

    /// Consumes the symbols of a place's nodes, which may split the walk or need another frame.
    fn symbol(&mut self, class: Class, at: At, peak: i16, gather: &mut Gather) {
        let tree = match self.action(at.state, class) {
            Action::Refuse => return,
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
        let possible = match self.locals.bottom(at.local) {
            None => &pda.states[at.state as usize].top,
            Some(frame) => &pda.under[frame as usize],
        };
        for &frame in possible {
            let local = self.locals.push_under(at.local, frame);
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
        let Some(leaf) = self.resolve(tree, at.local) else {
            return false;
        };
        if leaf
            .iter()
            .any(|a| a.pop as u16 > self.locals.len(at.local))
        {
            return false;
        }
        for alternative in leaf {
            let Some(popped) = self.locals.pop(at.local, alternative.pop) else {
                continue;
            };
            let local = alternative
                .push
                .map_or(popped, |frame| self.locals.push(popped, frame));
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

    fn accept(
        &self,
        state: StateId,
        local: LocalId,
        peak: i16,
        (from, to): (u32, u32),
        tokens: &mut Vec<(i16, Ranks)>,
    ) {
        let need = match self.needs[state as usize] {
            Some(need) if from < to => need as i16,
            _ => return,
        };
        let height = peak.max(self.locals.len(local) as i16 + need);
        match tokens.iter_mut().find(|t| t.0 == height) {
            Some(tokens) => tokens.1.add(from, to),
            None => {
                let mut ranks = Ranks::default();
                ranks.add(from, to);
                tokens.push((height, ranks));
            }
        }
    }
}

fn is_subset(small: &[u64; 4], large: &[u64; 4]) -> bool {
    small.iter().zip(large).all(|(s, l)| s & !l == 0)
}
