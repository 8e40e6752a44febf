//! Walks of the vocabulary's trie through the automaton, over a stack of which only some frames are known.
//!
//! In: the automaton and the trie. Out: [`Found`] for a *place*: a trie node, a state and the frames pushed
//! since (or looked at). All below is unknown. Where an edge needs an unknown frame, the walk branches on the frames
//! that can lie there and goes on in places of their own, which are walked once however many walks meet there.
//!
//! Heights are relative to the unknown stack: a place whose local frames number 3 is at height 3.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::local::{LocalId, Locals};
use super::set::Ranks;
use super::trie::TokenTrie;
use crate::pda::{Alternative, Class, FrameId, Pda, StateId, Tree, TreeId};

/// Where a walk goes on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Place {
    /// At a trie node in a state.
    At(At),
    /// What tokens come to once the frame on the unknown stack is known: no more than its parts, but equal ones
    /// are one place, whatever frame and whatever walk led there.
    Bundle(Bundle),
}

/// A trie node, a state and the frames known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct At {
    node: u32,
    state: StateId,
    /// The frames known, on top of the unknown stack.
    local: LocalId,
    /// Whether the node's own symbol has been consumed.
    consumed: bool,
}

/// Tokens accepted, by the height that they need, and places to go on at, each with the greatest height on the way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Bundle {
    tokens: Vec<(i16, Ranks)>,
    same: Vec<(PlaceId, i16)>,
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

/// What a walk gathers.
#[derive(Default)]
struct Gather {
    here: Bundle,
    below: BTreeMap<FrameId, Bundle>,
}

/// Everything that walks read, and the places that they met.
pub struct Walker<'a> {
    pda: &'a Pda,
    needs: &'a [u8],
    trie: &'a TokenTrie,
    /// What a state does on a class, without a search: `rows[state * classes + class]`.
    rows: &'a Rows,
    locals: Locals,
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
    pub fn new(pda: &'a Pda, needs: &'a [u8], trie: &'a TokenTrie, rows: &'a Rows) -> Self {
        Walker {
            pda,
            needs,
            trie,
            rows,
            locals: Locals::new(),
            places: HashMap::new(),
            order: vec![],
            found: vec![],
        }
    }

    /// The place at the root of the trie in a state whose stack is unknown.
    pub fn start(&mut self, state: StateId) -> PlaceId {
        self.at(0, state, 0, true)
    }

    /// Number of places met.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// What the tokens below a place come to.
    pub fn found(&mut self, place: PlaceId) -> Rc<Found> {
        if let Some(found) = &self.found[place as usize] {
            return Rc::clone(found);
        }
        let found = match self.order[place as usize].clone() {
            Place::Bundle(Bundle { tokens, same }) => Found {
                tokens,
                same,
                below: Vec::new(),
            },
            Place::At(at) => {
                let mut gather = Gather::default();
                let peak = self.locals.len(at.local) as i16;
                if at.consumed {
                    self.subtree(at, peak, &mut gather);
                } else {
                    self.symbol(at, peak, &mut gather);
                }
                let Gather {
                    here: Bundle { tokens, same },
                    below,
                } = gather;
                let below = below
                    .into_iter()
                    .map(|(frame, bundle)| (frame, self.place(Place::Bundle(bundle))));
                Found {
                    tokens,
                    same,
                    below: below.collect(),
                }
            }
        };
        let found = Rc::new(found);
        self.found[place as usize] = Some(Rc::clone(&found));
        found
    }

    fn at(&mut self, node: u32, state: StateId, local: LocalId, consumed: bool) -> PlaceId {
        self.place(Place::At(At {
            node,
            state,
            local,
            consumed,
        }))
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

    /// Walks all tokens below `at`, whose own symbol has been consumed.
    fn subtree(&mut self, at: At, peak: i16, gather: &mut Gather) {
        let trie = self.trie;
        let root = &trie.nodes[at.node as usize];
        self.accept(
            at.state,
            at.local,
            peak,
            (root.first, root.own),
            &mut gather.here,
        );
        let mut open = vec![Open {
            end: root.end,
            state: at.state,
            local: at.local,
            peak,
        }];
        let mut node = at.node + 1;
        while node < root.end {
            while open.len() > 1 && open[open.len() - 1].end <= node {
                open.pop();
            }
            let Open {
                state, local, peak, ..
            } = open[open.len() - 1];
            let here = &trie.nodes[node as usize];
            match self.action(state, here.symbol) {
                Action::Goto(next) => {
                    if next == state && is_subset(&here.bytes, &self.rows.loops[state as usize]) {
                        self.accept(next, local, peak, (here.first, here.last), &mut gather.here);
                        node = here.end;
                        continue;
                    }
                    self.accept(next, local, peak, (here.first, here.own), &mut gather.here);
                    open.push(Open {
                        end: here.end,
                        state: next,
                        local,
                        peak,
                    });
                    node += 1;
                }
                Action::Refuse => node = here.end,
                Action::Tree(_) => match self.simple(state, here.symbol, local) {
                    Some((next, after)) => {
                        let peak = peak.max(self.locals.len(after) as i16);
                        self.accept(next, after, peak, (here.first, here.own), &mut gather.here);
                        open.push(Open {
                            end: here.end,
                            state: next,
                            local: after,
                            peak,
                        });
                        node += 1;
                    }
                    None => {
                        self.symbol(
                            At {
                                node,
                                state,
                                local,
                                consumed: false,
                            },
                            peak,
                            gather,
                        );
                        node = here.end;
                    }
                },
            }
        }
    }

    fn class(&self, symbol: u16) -> Class {
        match u8::try_from(symbol) {
            Ok(byte) => self.pda.classes.of(byte),
            Err(_) => self.pda.classes.end(),
        }
    }

    fn action(&self, state: StateId, symbol: u16) -> Action {
        self.rows.actions[state as usize * self.rows.classes + self.class(symbol) as usize]
    }

    /// The one next state and stack of a symbol, if known frames decide it and it is consumed at once.
    fn simple(
        &mut self,
        state: StateId,
        symbol: u16,
        local: LocalId,
    ) -> Option<(StateId, LocalId)> {
        let Action::Tree(tree) = self.action(state, symbol) else {
            return None;
        };
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

    /// Consumes the symbol of a place's node, which may split the walk or need another frame.
    fn symbol(&mut self, at: At, peak: i16, gather: &mut Gather) {
        let tree = match self.action(at.state, self.trie.nodes[at.node as usize].symbol) {
            Action::Refuse => return,
            Action::Goto(next) => return self.reach(at, next, at.local, peak, &mut gather.here),
            Action::Tree(tree) => tree,
        };
        if self.decided(tree, at, peak, &mut gather.here) {
            return;
        }
        let pda = self.pda;
        let possible = match self.locals.bottom(at.local) {
            None => &pda.states[at.state as usize].top,
            Some(frame) => &pda.under[frame as usize],
        };
        for &frame in possible {
            let local = self.locals.push_under(at.local, frame);
            let at = At { local, ..at };
            let mut bundle = gather.below.remove(&frame).unwrap_or_default();
            if !self.decided(tree, at, peak + 1, &mut bundle) {
                let place = self.at(at.node, at.state, at.local, false);
                bundle.same.push((place, peak + 1));
            }
            if !bundle.tokens.is_empty() || !bundle.same.is_empty() {
                gather.below.insert(frame, bundle);
            }
        }
    }

    /// Follows a tree if the known frames decide it; says whether they do.
    fn decided(&mut self, tree: TreeId, at: At, peak: i16, bundle: &mut Bundle) -> bool {
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
            if alternative.again {
                let place = self.at(at.node, alternative.next, local, false);
                bundle.same.push((place, peak));
            } else {
                self.reach(at, alternative.next, local, peak, bundle);
            }
        }
        true
    }

    /// The symbol of `at`'s node is consumed: what lies below the node is a place of its own, if there is anything.
    fn reach(&mut self, at: At, next: StateId, local: LocalId, peak: i16, bundle: &mut Bundle) {
        let node = &self.trie.nodes[at.node as usize];
        if node.end == at.node + 1 {
            let peak = peak.max(self.locals.len(local) as i16);
            self.accept(next, local, peak, (node.first, node.own), bundle);
        } else {
            let place = self.at(at.node, next, local, true);
            bundle.same.push((place, peak));
        }
    }

    fn accept(
        &self,
        state: StateId,
        local: LocalId,
        peak: i16,
        (from, to): (u32, u32),
        bundle: &mut Bundle,
    ) {
        if from == to {
            return;
        }
        let height = peak.max(self.locals.len(local) as i16 + self.needs[state as usize] as i16);
        match bundle.tokens.iter_mut().find(|t| t.0 == height) {
            Some(tokens) => tokens.1.add(from, to),
            None => {
                let mut ranks = Ranks::default();
                ranks.add(from, to);
                bundle.tokens.push((height, ranks));
            }
        }
    }
}

fn is_subset(small: &[u64; 4], large: &[u64; 4]) -> bool {
    small.iter().zip(large).all(|(s, l)| s & !l == 0)
}
