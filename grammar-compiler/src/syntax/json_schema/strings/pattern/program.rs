//! From the tree of a pattern to an automaton with assertions.
//!
//! In: a [`PatternNode`]. Out: a [`Program`]: nodes that read a character, branch, demand an
//! assertion, or accept. Repetitions are written out; an assertion that occurs several times is
//! there once.

use super::ast::{Look, PatternNode};
use crate::maps::KeyedMap;
use crate::syntax::json_schema::strings::LanguageError;
use crate::syntax::json_schema::strings::bounds::Budget;

/// The node where a match ends.
pub(super) const ACCEPT: u32 = 0;

/// What happens at a node.
#[derive(Clone, Debug)]
pub(super) enum Op {
    /// The match ends.
    Accept,
    /// Reads a character of the class with this number, and goes on.
    Class(u32, u32),
    /// Goes on at all of these.
    Split(Vec<u32>),
    /// Goes on if the assertion with this number holds here, or if it does not.
    Look {
        assertion: u32,
        is_negative: bool,
        next: u32,
    },
}

/// An assertion: whether a match from `start` begins, or ends, here.
#[derive(Clone, Copy, Debug)]
pub(super) struct Assertion {
    pub(super) is_behind: bool,
    pub(super) start: u32,
}

/// Which nodes match more than others: those of equal copies of a repetition, by how many more
/// copies may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rank {
    /// The node of one of the copies that stands for this one in all copies.
    pub(super) group: u32,
    /// Of two nodes of a group, the one with the higher strength matches all that the other does.
    pub(super) strength: i32,
}

/// An automaton with assertions.
#[derive(Debug, Default)]
pub(super) struct Program {
    pub(super) nodes: Vec<Op>,
    /// For each node.
    pub(super) ranks: Vec<Rank>,
    pub(super) start: u32,
    pub(super) classes: Vec<Vec<(char, char)>>,
    /// Each after those that it contains.
    pub(super) assertions: Vec<Assertion>,
}

/// The automaton of the texts that begin with a match of `node`.
pub(super) fn compile(
    node: &PatternNode,
    budget: &mut Budget<'_>,
) -> Result<Program, LanguageError> {
    let mut compiler = ProgramCompiler {
        program: Program::default(),
        classes: KeyedMap::default(),
        assertions: KeyedMap::default(),
        budget,
    };
    compiler.push(Op::Accept)?;
    compiler.program.start = compiler.node(node, ACCEPT)?;
    Ok(compiler.program)
}

struct ProgramCompiler<'n, 'b, 'd> {
    program: Program,
    classes: KeyedMap<&'n [(char, char)], u32>,
    assertions: KeyedMap<(bool, &'n PatternNode), u32>,
    budget: &'b mut Budget<'d>,
}

impl<'n> ProgramCompiler<'n, '_, '_> {
    fn push(&mut self, op: Op) -> Result<u32, LanguageError> {
        self.budget.state()?;
        let group = self.program.nodes.len() as u32;
        self.program.nodes.push(op);
        self.program.ranks.push(Rank { group, strength: 0 });
        Ok(group)
    }

    /// Where to start to match `node` and then go on at `next`.
    fn node(&mut self, node: &'n PatternNode, next: u32) -> Result<u32, LanguageError> {
        self.budget.work(1)?;
        match node {
            PatternNode::Class(class) => {
                let class = self.class(class);
                self.push(Op::Class(class, next))
            }
            PatternNode::Seq(parts) => {
                (parts.iter().rev()).try_fold(next, |next, p| self.node(p, next))
            }
            PatternNode::Alt(parts) => {
                let starts: Result<_, _> = parts.iter().map(|p| self.node(p, next)).collect();
                self.push(Op::Split(starts?))
            }
            PatternNode::Repeat { node, min, max } => self.repeat(node, *min, *max, next),
            PatternNode::Look(look) => {
                let assertion = self.assertion(look)?;
                self.push(Op::Look {
                    assertion,
                    is_negative: look.is_negative,
                    next,
                })
            }
        }
    }

    fn repeat(
        &mut self,
        node: &'n PatternNode,
        min: u32,
        max: Option<u32>,
        next: u32,
    ) -> Result<u32, LanguageError> {
        // A node that matches the empty text can match it as often as the lower bound asks for.
        let min = if node.is_nullable() { 0 } else { min };
        let mut at = next;
        let mut copies = min;
        let mut equal = Copies::default();
        match max {
            Some(max) => {
                for strength in (0..).take((max - min) as usize) {
                    let base = self.program.nodes.len();
                    let start = self.node(node, at)?;
                    if max - min > 1 {
                        equal.rank(&mut self.program.ranks, base, strength);
                    }
                    // Out of any copy straight to the end, or the ways would be quadratic.
                    at = self.push(Op::Split(vec![start, next]))?;
                }
            }
            None => {
                let fork = self.push(Op::Split(Vec::new()))?;
                let base = self.program.nodes.len();
                let start = self.node(node, fork)?;
                if min > 1 {
                    equal.rank(&mut self.program.ranks, base, 0);
                }
                self.program.nodes[fork as usize] = Op::Split(vec![start, next]);
                at = if min == 0 { fork } else { start };
                copies = min.saturating_sub(1);
            }
        }
        for weakness in (1..).take(copies as usize) {
            let base = self.program.nodes.len();
            at = self.node(node, at)?;
            if max.is_none() {
                equal.rank(&mut self.program.ranks, base, -weakness);
            }
        }
        Ok(at)
    }

    fn class(&mut self, class: &'n [(char, char)]) -> u32 {
        let classes = &mut self.program.classes;
        *self.classes.entry(class).or_insert_with(|| {
            classes.push(class.to_vec());
            classes.len() as u32 - 1
        })
    }

    fn assertion(&mut self, look: &'n Look) -> Result<u32, LanguageError> {
        let Look {
            is_behind, node, ..
        } = look;
        if let Some(&id) = self.assertions.get(&(*is_behind, &**node)) {
            return Ok(id);
        }
        let start = self.node(node, ACCEPT)?;
        let id = self.program.assertions.len() as u32;
        self.program.assertions.push(Assertion {
            is_behind: *is_behind,
            start,
        });
        self.assertions.insert((*is_behind, node), id);
        Ok(id)
    }
}

/// The nodes of the first of equal copies.
#[derive(Default)]
struct Copies {
    base: usize,
    length: usize,
}

impl Copies {
    /// Ranks the nodes from `base` on, a copy. The first copy has more nodes where it is also the
    /// first to have some assertion; it then stays apart.
    fn rank(&mut self, ranks: &mut [Rank], base: usize, strength: i32) {
        let length = ranks.len() - base;
        if length != self.length {
            *self = Copies { base, length };
        }
        for offset in 0..length {
            let group = (self.base + offset) as u32;
            ranks[base + offset] = Rank { group, strength };
        }
    }
}
