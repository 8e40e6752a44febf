//! Walks of the vocabulary's trie through the automaton, over a stack of which only some frames are known.
//!
//! In: the automaton and the trie. Out: [`Found`] for a *place*: a trie node, a state and the frames pushed
//! since (or looked at). All below is unknown. Where an edge needs an unknown frame, the walk branches on the frames
//! that can lie there and goes on in places of their own, which are walked once however many walks meet there.
//!
//! Heights are relative to the unknown stack: a place whose local frames number 3 is at height 3.

use std::collections::HashMap;
use std::rc::Rc;

use super::local::{LocalId, Locals};
use super::set::Ranks;
use super::trie::TokenTrie;
use crate::pda::{Alternative, Class, FrameId, Pda, StateId, Tree, TreeId};

/// Where a walk goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The trie node.
    pub node: u32,
    /// The state.
    pub state: StateId,
    /// The frames known, on top of the unknown stack.
    local: LocalId,
    /// Whether the node's own symbol has been consumed.
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
    /// Places that know the next frame down, by that frame, and the greatest height on the way there.
    pub below: Vec<(FrameId, PlaceId, i16)>,
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
        self.place(Place {
            node: 0,
            state,
            local: 0,
            consumed: true,
        })
    }

    /// Forgets every place, to bound memory; ids given out before mean nothing any more.
    pub fn clear(&mut self) {
        self.places.clear();
        self.order.clear();
        self.found.clear();
        self.locals = Locals::new();
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
        let at = self.order[place as usize];
        let mut found = Found::default();
        let peak = self.locals.len(at.local) as i16;
        if at.consumed {
            self.subtree(at, peak, &mut found);
        } else {
            self.symbol(at.node, at.state, at.local, peak, &mut found);
        }
        let found = Rc::new(found);
        self.found[place as usize] = Some(Rc::clone(&found));
        found
    }

    fn place(&mut self, place: Place) -> PlaceId {
        let next = self.order.len() as PlaceId;
        let id = *self.places.entry(place).or_insert(next);
        if id == next {
            self.order.push(place);
            self.found.push(None);
        }
        id
    }

    /// Walks all tokens below `at`, whose own symbol has been consumed.
    fn subtree(&mut self, at: Place, peak: i16, found: &mut Found) {
        let trie = self.trie;
        let root = &trie.nodes[at.node as usize];
        self.accept(at.state, at.local, peak, (root.first, root.own), found);
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
                        self.accept(next, local, peak, (here.first, here.last), found);
                        node = here.end;
                        continue;
                    }
                    self.accept(next, local, peak, (here.first, here.own), found);
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
                        self.accept(next, after, peak, (here.first, here.own), found);
                        open.push(Open {
                            end: here.end,
                            state: next,
                            local: after,
                            peak,
                        });
                        node += 1;
                    }
                    None => {
                        self.symbol(node, state, local, peak, found);
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

    /// Consumes the symbol of `node`, which may split the walk or need another frame.
    fn symbol(&mut self, node: u32, state: StateId, local: LocalId, peak: i16, found: &mut Found) {
        let leaf = match self.action(state, self.trie.nodes[node as usize].symbol) {
            Action::Refuse => return,
            Action::Goto(next) => {
                let place = self.place(Place {
                    node,
                    state: next,
                    local,
                    consumed: true,
                });
                return found.same.push((place, peak));
            }
            Action::Tree(tree) => self.resolve(tree, local),
        };
        let deepest = leaf.and_then(|leaf| leaf.iter().map(|a| a.pop as u16).max());
        match leaf {
            Some(leaf) if deepest.unwrap_or(0) <= self.locals.len(local) => {
                for alternative in leaf {
                    let Some(popped) = self.locals.pop(local, alternative.pop) else {
                        continue;
                    };
                    let after = alternative
                        .push
                        .map_or(popped, |frame| self.locals.push(popped, frame));
                    let consumed = !alternative.again;
                    let place = self.place(Place {
                        node,
                        state: alternative.next,
                        local: after,
                        consumed,
                    });
                    found.same.push((place, peak));
                }
            }
            _ => {
                let pda = self.pda;
                let possible = match self.locals.bottom(local) {
                    None => &pda.states[state as usize].top,
                    Some(frame) => &pda.under[frame as usize],
                };
                for &frame in possible {
                    let local = self.locals.push_under(local, frame);
                    let place = self.place(Place {
                        node,
                        state,
                        local,
                        consumed: false,
                    });
                    found.below.push((frame, place, peak));
                }
            }
        }
    }

    fn accept(
        &self,
        state: StateId,
        local: LocalId,
        peak: i16,
        (from, to): (u32, u32),
        found: &mut Found,
    ) {
        if from == to {
            return;
        }
        let height = peak.max(self.locals.len(local) as i16 + self.needs[state as usize] as i16);
        match found.tokens.iter_mut().find(|t| t.0 == height) {
            Some(tokens) => tokens.1.add(from, to),
            None => {
                let mut ranks = Ranks::default();
                ranks.add(from, to);
                found.tokens.push((height, ranks));
            }
        }
    }
}

fn is_subset(small: &[u64; 4], large: &[u64; 4]) -> bool {
    small.iter().zip(large).all(|(s, l)| s & !l == 0)
}
