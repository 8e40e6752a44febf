//! One symbol on one stack: row lookup, decision tree, pops and pushes.
//!
//! In: a state, its frames and the class of a symbol. Out: the stack after the symbol
//! ([`in_place`], which is fast and leaves splits alone), or all stacks after it ([`each`]). A
//! decision tree refers to lower offsets only, and a non-consuming alternative always pops. Both
//! are checked here again, so that a step ends on any tables.

use crate::head::Head;
use crate::layout::{
    BOTTOM, HEAD,
    edge::{CLASS_SHIFT, PAYLOAD, PROGRAM, REFUSE},
    program::{AGAIN, COUNT, DEPTH_SHIFT, FRAME, LOOK, NEXT, POP_SHIFT, RESERVE_SHIFT},
    state::{MAP_SHIFT, ROW_OFFSET},
};
use crate::list::IS_SMALL;
use crate::tables::Grammar;
use crate::words::Words;

/// The result of a step in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stepped {
    /// The stack took the symbol.
    Moved,
    /// It cannot take it.
    Refused,
    /// It cannot take it with this few frames.
    TooDeep,
    /// It takes it in several ways, and is as it was.
    Splits,
}

/// A stack after a symbol.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moved<'f> {
    /// The next state.
    pub(crate) state: u32,
    /// The frames that stay.
    pub(crate) frames: &'f [u16],
    /// The frame that comes on top of them.
    pub(crate) push: Option<u16>,
    /// How many more must fit above it.
    pub(crate) reserve: usize,
}

impl Moved<'_> {
    /// The number of frames.
    pub(crate) fn height(&self) -> usize {
        self.frames.len() + self.push.is_some() as usize
    }
}

/// An edge.
pub(crate) enum Edge {
    Refused,
    To(u32),
    Program(u32),
}

/// What happens at a leaf of a decision tree.
#[derive(Clone, Copy)]
pub(crate) struct Alternative {
    pub(crate) next: u32,
    /// The symbol is not consumed.
    pub(crate) again: bool,
    pub(crate) pop: usize,
    pub(crate) push: Option<u16>,
    /// How many more frames must fit above the pushed one.
    pub(crate) reserve: usize,
}

/// The alternatives of a leaf, two words each.
type Leaf<'t> = &'t [[[u8; 4]; 2]];

/// A node of a decision tree.
pub(crate) enum Program<'t> {
    Leaf(Leaf<'t>),
    Look { depth: usize, branches: Words<'t> },
}

impl<'t> Grammar<'t> {
    /// The edge of `class` in `state`: in the state's own row, or in the parent row.
    #[cfg_attr(not(target_os = "none"), inline)]
    pub(crate) fn edge(&self, state: u32, class: u32) -> Edge {
        let Some(record) = self.state(state) else {
            return Edge::Refused;
        };
        let in_row = |row: u32| {
            let class = self.meta_class(row >> MAP_SHIFT, class);
            let at = (row & ROW_OFFSET) as usize + class as usize;
            let entry = self.edges.get(at)?;
            (entry >> CLASS_SHIFT == class).then_some(entry)
        };
        let in_parent = || in_row(self.parents.get(state as usize)?);
        let Some(entry) = in_row(record.base).or_else(in_parent) else {
            return Edge::Refused;
        };
        let payload = entry & PAYLOAD;
        if entry & PROGRAM != 0 {
            Edge::Program(payload)
        } else if payload == REFUSE {
            Edge::Refused
        } else {
            Edge::To(payload)
        }
    }

    /// The class that a meta-class map takes a class as.
    #[inline]
    fn meta_class(&self, map: u32, class: u32) -> u32 {
        let before = (map as usize).wrapping_sub(1);
        let at = before
            .wrapping_mul(self.header.classes as usize)
            .wrapping_add(class as usize);
        self.class_maps
            .get(at)
            .map_or(class, |&class| u32::from(class))
    }

    /// The leaf that a program leads to on these frames; empty if the symbol is refused.
    #[cfg_attr(not(target_os = "none"), inline)]
    fn leaf(&self, program: u32, frames: &[u16]) -> Leaf<'t> {
        let mut at = program;
        loop {
            let (depth, branches) = match self.program(at) {
                Program::Leaf(alternatives) => return alternatives,
                Program::Look { depth, branches } => (depth, branches),
            };
            let frame = frames.iter().rev().nth(depth).copied().unwrap_or(BOTTOM);
            match branches.branch(u32::from(frame)) {
                Some(next) if next < at => at = next,
                _ => return &[],
            }
        }
    }

    /// A node of a decision tree; a leaf without alternatives where there is none.
    #[inline(always)]
    pub(crate) fn program(&self, at: u32) -> Program<'t> {
        const NONE: Program<'_> = Program::Leaf(&[]);
        let words = self.programs.tail(at as usize);
        let Some((head, rest)) = words.and_then(|words| words.split_first()) else {
            return NONE;
        };
        let count = (head & COUNT) as usize;
        if head & (HEAD | LOOK) == HEAD {
            return Program::Leaf(rest.records::<2>().get(..count).unwrap_or(&[]));
        }
        match rest.slice(0, 1 + 2 * count) {
            Some(branches) => Program::Look {
                depth: (head >> DEPTH_SHIFT) as usize,
                branches,
            },
            None => NONE,
        }
    }
}

/// Whether a state has an edge that looks at no frame, and an edge behind that one.
#[cfg(feature = "limits")]
pub(crate) fn has_two(grammar: &Grammar<'_>, state: u32, classes: [u32; 2]) -> bool {
    let Edge::To(next) = grammar.edge(state, classes[0]) else {
        return false;
    };
    !matches!(grammar.edge(next, classes[1]), Edge::Refused)
}

/// Whether a state takes no symbol of a class, whatever the stack.
#[cfg(all(feature = "link", feature = "alloc"))]
pub(crate) fn is_refused(grammar: &Grammar<'_>, state: u32, class: u32) -> bool {
    matches!(grammar.edge(state, class), Edge::Refused)
}

/// The state that a symbol leads to on an empty stack, if it leads to one only and pushes nothing.
#[cfg(feature = "link")]
pub(crate) fn on_empty(grammar: &Grammar<'_>, state: u32, class: u32) -> Option<u32> {
    let program = match grammar.edge(state, class) {
        Edge::Refused => return None,
        Edge::To(next) => return Some(next),
        Edge::Program(program) => program,
    };
    let [one] = grammar.leaf(program, &[]) else {
        return None;
    };
    let Alternative {
        next,
        again: false,
        pop: 0,
        push: None,
        ..
    } = Alternative::read(one)
    else {
        return None;
    };
    Some(next)
}

impl Alternative {
    #[inline]
    pub(crate) fn read(words: &[[u8; 4]; 2]) -> Self {
        let (first, second) = (u32::from_le_bytes(words[0]), u32::from_le_bytes(words[1]));
        let frame = (second & FRAME) as u16;
        Alternative {
            next: first & NEXT,
            again: first & AGAIN != 0,
            pop: (first >> POP_SHIFT) as usize,
            push: (frame != BOTTOM).then_some(frame),
            reserve: (second >> RESERVE_SHIFT) as usize,
        }
    }
}

/// Steps a stack where it lies, if it goes one way at most.
#[inline]
pub(crate) fn in_place(
    grammar: &Grammar<'_>,
    head: &mut Head,
    frames: &mut [u16],
    class: u32,
) -> Stepped {
    match grammar.edge(head.state, class) {
        Edge::To(state) => {
            head.state = state;
            Stepped::Moved
        }
        Edge::Refused => Stepped::Refused,
        Edge::Program(program) => conditional(grammar, head, frames, class, program),
    }
}

/// [`in_place`] along an edge that looks at frames or changes them: follows a program, and those of
/// the states behind, to where the symbol is consumed.
fn conditional(
    grammar: &Grammar<'_>,
    head: &mut Head,
    frames: &mut [u16],
    class: u32,
    mut program: u32,
) -> Stepped {
    let depth = frames.len();
    let mut height = (head.height as usize).min(depth);
    loop {
        let leaf = grammar.leaf(program, frames.get(..height).unwrap_or(&[]));
        let alternative = match leaf {
            [] => return Stepped::Refused,
            [one] => Alternative::read(one),
            _ => return Stepped::Splits,
        };
        let Some(kept) = height.checked_sub(alternative.pop) else {
            return Stepped::Refused;
        };
        if alternative.again {
            if kept == height {
                return Stepped::Refused;
            }
            height = kept;
            match grammar.edge(alternative.next, class) {
                Edge::Refused => return Stepped::Refused,
                Edge::Program(next) => program = next,
                Edge::To(state) => {
                    (head.state, head.height) = (state, height as u16);
                    return Stepped::Moved;
                }
            }
            continue;
        }
        height = kept;
        if let Some(frame) = alternative.push {
            let Some(top) = frames.get_mut(height) else {
                return Stepped::TooDeep;
            };
            *top = frame;
            height += 1;
            if height + alternative.reserve > depth {
                return Stepped::TooDeep;
            }
        }
        (head.state, head.height) = (alternative.next, height as u16);
        return Stepped::Moved;
    }
}

/// Calls `visit` with each stack that a symbol leads to, until a call returns true; returns whether
/// one did. Calls itself at most once for each frame.
#[inline]
pub(crate) fn each(
    grammar: &Grammar<'_>,
    state: u32,
    frames: &[u16],
    class: u32,
    visit: &mut impl FnMut(Moved<'_>) -> bool,
) -> bool {
    match IS_SMALL {
        true => each_stack(
            grammar,
            state,
            frames,
            class,
            &mut (visit as &mut dyn FnMut(Moved<'_>) -> bool),
        ),
        false => each_stack(grammar, state, frames, class, visit),
    }
}

/// [`each`]: where code is dear it is there once.
fn each_stack(
    grammar: &Grammar<'_>,
    state: u32,
    frames: &[u16],
    class: u32,
    visit: &mut impl FnMut(Moved<'_>) -> bool,
) -> bool {
    let program = match grammar.edge(state, class) {
        Edge::Refused => return false,
        Edge::To(state) => {
            return visit(Moved {
                state,
                frames,
                push: None,
                reserve: 0,
            });
        }
        Edge::Program(program) => program,
    };
    grammar
        .leaf(program, frames)
        .iter()
        .map(Alternative::read)
        .any(|alternative| {
            let Some(kept) = frames
                .len()
                .checked_sub(alternative.pop)
                .and_then(|kept| frames.get(..kept))
            else {
                return false;
            };
            if !alternative.again {
                return visit(Moved {
                    state: alternative.next,
                    frames: kept,
                    push: alternative.push,
                    reserve: alternative.reserve,
                });
            }
            kept.len() < frames.len() && each_stack(grammar, alternative.next, kept, class, visit)
        })
}

/// Whether a stack can take a symbol with at most `depth` frames.
pub(crate) fn can_take(
    grammar: &Grammar<'_>,
    state: u32,
    frames: &[u16],
    class: u32,
    depth: usize,
) -> bool {
    each(grammar, state, frames, class, &mut |moved| {
        moved.height() + moved.reserve <= depth
    })
}
