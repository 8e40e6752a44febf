//! From the tree of a terminal to an automaton with look-around.
//!
//! In: a [`Node`] for each group of threads. Out: a [`Program`]: nodes that read a leaf, branch,
//! look around, or accept. Repetitions are written out; look-around that occurs again in copies of
//! a repetition is there once.

use crate::budget::Budget;
use crate::characters;
use crate::error::{Error, ErrorKind};
use crate::leaves::Leaves;
use crate::node::{Kind, Node};
use std::collections::HashMap;
use std::rc::Rc;

/// The node where a match ends.
pub(crate) const ACCEPT: u32 = 0;

/// What happens at a node.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    /// The match ends.
    Accept,
    /// Reads by the leaf, and goes on.
    Leaf { leaf: u32, next: u32 },
    /// Goes on at all of these, the earlier the better.
    Split(Vec<u32>),
    /// Goes on if the assertion with this number holds here, or if it does not.
    Look {
        assertion: u32,
        is_negative: bool,
        next: u32,
    },
    /// Repeats the body, or leaves. A body that may match the empty text has a `bit`, by which a
    /// path knows that it has entered the body at this very place: then it must leave.
    Test {
        body: u32,
        exit: u32,
        bit: Option<u8>,
        is_lazy: bool,
    },
    /// Goes on as one who has left the loop with the bit.
    Leave { bit: u8, next: u32 },
}

/// Whether a match from `start` begins here; or, if it `is_behind`, ends here: then `start` reads
/// any text first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assertion {
    pub(crate) is_behind: bool,
    pub(crate) start: u32,
}

/// Which nodes match more than others: those of equal copies of a repetition, by how many more
/// copies may follow. Where matches are ordered it says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rank {
    /// The node of one of the copies that stands for this one in all copies.
    pub(crate) group: u32,
    /// Of two nodes of a group, the one with the higher strength matches all that the other does.
    pub(crate) strength: u32,
}

/// A part of a terminal whose threads are kept together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub(crate) start: u32,
    /// Whether a match cuts off less preferred ones.
    pub(crate) is_ordered: bool,
}

/// An automaton with look-around.
#[derive(Debug, Default)]
pub(crate) struct Program {
    pub(crate) nodes: Vec<Op>,
    /// For each node.
    pub(crate) ranks: Vec<Rank>,
    pub(crate) leaves: Leaves,
    /// Each after those that it contains.
    pub(crate) assertions: Vec<Assertion>,
    pub(crate) groups: Vec<Group>,
}

/// The automaton of texts that match one of the nodes, each with whether it is ordered.
pub(crate) fn compile(
    groups: &[(Node, bool)],
    bytes: bool,
    budget: &mut Budget<'_>,
) -> Result<Program, Error> {
    let size = groups
        .iter()
        .fold(0, |sum: u64, (node, _)| sum.saturating_add(node.size));
    budget.check_nodes(size)?;
    let mut compiler = Compiler {
        program: Program::default(),
        assertions: HashMap::new(),
        any: Rc::new([characters::ALL]),
        bytes,
        looks: 0,
        is_behind: false,
        loops: 0,
        budget,
    };
    compiler.push(Op::Accept)?;
    for (node, is_ordered) in groups {
        let start = compiler.node(node, ACCEPT)?;
        compiler.program.groups.push(Group {
            start,
            is_ordered: *is_ordered,
        });
    }
    Ok(compiler.program)
}

struct Compiler<'b, 'c> {
    program: Program,
    /// By the address of what they look for.
    assertions: HashMap<(bool, *const Node), u32>,
    any: Rc<[(char, char)]>,
    bytes: bool,
    /// How many look-arounds are around, and whether one is a look-behind.
    looks: usize,
    is_behind: bool,
    /// How many loops with a bit are around.
    loops: u8,
    budget: &'b mut Budget<'c>,
}

/// How a repetition is left.
#[derive(Clone, Copy)]
struct Exit {
    bit: Option<u8>,
    is_lazy: bool,
    next: u32,
}

impl Compiler<'_, '_> {
    fn push(&mut self, op: Op) -> Result<u32, Error> {
        let id = self.program.nodes.len() as u32;
        self.budget.work(1)?;
        self.budget.check_nodes(u64::from(id))?;
        self.program.nodes.push(op);
        self.program.ranks.push(Rank {
            group: id,
            strength: 0,
        });
        Ok(id)
    }

    /// Where to start to match `node` and then go on at `next`.
    fn node(&mut self, node: &Node, next: u32) -> Result<u32, Error> {
        self.budget.work(1)?;
        match &node.kind {
            Kind::Class { ranges, bytes } => self.class(ranges, *bytes, next),
            Kind::Byte(ranges) => {
                let leaf = self.program.leaves.byte(ranges);
                self.push(Op::Leaf { leaf, next })
            }
            Kind::Seq(parts) => parts
                .iter()
                .rev()
                .try_fold(next, |next, p| self.node(p, next)),
            Kind::Alt(parts) => {
                let starts: Result<_, _> = parts.iter().map(|p| self.node(p, next)).collect();
                self.push(Op::Split(starts?))
            }
            Kind::Repeat {
                of,
                min,
                max,
                is_lazy,
            } => self.repeat(of, *min, *max, *is_lazy, next),
            Kind::Look {
                of,
                is_behind,
                is_negative,
            } => self.look(of, *is_behind, *is_negative, next),
            Kind::End {
                before_line_feed, ..
            } => self.end(node, *before_line_feed, next),
            Kind::Substring(texts) => self.substring(texts, next),
            Kind::Dfa(dfa) => match self.program.leaves.dfa(dfa) {
                Some(leaf) => self.push(Op::Leaf { leaf, next }),
                None => self.push(Op::Split(Vec::new())),
            },
            Kind::Shared(of) => self.node(of, next),
        }
    }

    fn class(&mut self, ranges: &Rc<[(char, char)]>, bytes: bool, next: u32) -> Result<u32, Error> {
        let leaf = self.program.leaves.class(ranges, self.budget)?;
        let character = self.push(Op::Leaf { leaf, next })?;
        if !bytes {
            return Ok(character);
        }
        let leaf = self.program.leaves.byte(&[(0x80, 0xff)]);
        let byte = self.push(Op::Leaf { leaf, next })?;
        self.push(Op::Split(vec![character, byte]))
    }

    fn repeat(
        &mut self,
        of: &Node,
        min: u32,
        max: Option<u32>,
        is_lazy: bool,
        next: u32,
    ) -> Result<u32, Error> {
        let bit = of.is_nullable.then_some(self.loops);
        if bit.is_some_and(|bit| bit >= 64) {
            let what = "repetitions of what may be empty nest too deeply";
            return Err(self.budget.too_large(what));
        }
        self.loops += u8::from(bit.is_some());
        let exit = Exit { bit, is_lazy, next };
        let mut at = match max {
            Some(max) => self.optional(of, max.saturating_sub(min), exit)?,
            None => self.unbounded(of, min == 0, exit)?,
        };
        let copies = if max.is_some() {
            min
        } else {
            min.saturating_sub(1)
        };
        for _ in 0..copies {
            at = self.node(of, at)?;
        }
        self.loops -= u8::from(bit.is_some());
        Ok(at)
    }

    /// Copies that may be left out, the last ones first.
    fn optional(&mut self, of: &Node, copies: u32, exit: Exit) -> Result<u32, Error> {
        let Exit { bit, is_lazy, next } = exit;
        if copies == 0 {
            return Ok(next);
        }
        let mut at = self.push(match bit {
            Some(bit) => Op::Leave { bit, next },
            None => Op::Split(vec![next]),
        })?;
        let mut first = FirstCopy::default();
        for strength in 0..copies {
            let base = self.program.nodes.len() - 1;
            let body = self.node(of, at)?;
            first.rank(&mut self.program.ranks, base, strength);
            at = self.push(Op::Test {
                body,
                exit: next,
                bit,
                is_lazy,
            })?;
        }
        Ok(at)
    }

    /// A loop; where to start, which is at its body unless that may be left out.
    fn unbounded(&mut self, of: &Node, is_optional: bool, exit: Exit) -> Result<u32, Error> {
        let Exit { bit, is_lazy, next } = exit;
        let test = self.push(Op::Split(Vec::new()))?;
        let body = self.node(of, test)?;
        if let Some(node) = self.program.nodes.get_mut(test as usize) {
            *node = Op::Test {
                body,
                exit: next,
                bit,
                is_lazy,
            };
        }
        Ok(if is_optional { test } else { body })
    }

    fn look(
        &mut self,
        of: &Rc<Node>,
        is_behind: bool,
        is_negative: bool,
        next: u32,
    ) -> Result<u32, Error> {
        let key = (is_behind, Rc::as_ptr(of));
        let assertion = match self.assertions.get(&key) {
            Some(&id) => id,
            None => {
                let id = self.assertion(of, is_behind)?;
                self.assertions.insert(key, id);
                id
            }
        };
        self.push(Op::Look {
            assertion,
            is_negative,
            next,
        })
    }

    fn assertion(&mut self, of: &Node, is_behind: bool) -> Result<u32, Error> {
        let outer = (self.is_behind, self.loops);
        self.looks += 1;
        self.is_behind |= is_behind;
        self.loops = 0;
        let mut start = self.node(of, ACCEPT)?;
        self.looks -= 1;
        (self.is_behind, self.loops) = outer;
        if is_behind {
            let test = self.push(Op::Split(Vec::new()))?;
            let any = self.any.clone();
            let body = self.class(&any, self.bytes, test)?;
            if let Some(node) = self.program.nodes.get_mut(test as usize) {
                *node = Op::Split(vec![body, start]);
            }
            start = test;
        }
        let id = self.program.assertions.len() as u32;
        self.program.assertions.push(Assertion { is_behind, start });
        Ok(id)
    }

    /// The end of the text: in a look-ahead that no byte follows, at the terminal's end nothing.
    fn end(&mut self, node: &Node, before_line_feed: bool, next: u32) -> Result<u32, Error> {
        if self.looks == 0 && next == ACCEPT {
            return Ok(next);
        }
        if self.looks == 0 || self.is_behind {
            let span = match &node.kind {
                Kind::End { span, .. } => span.clone(),
                _ => self.budget.span(),
            };
            return Err(Error::new(
                ErrorKind::Unsupported,
                "`$` stands where it could only match at the end of the whole text",
                "at the very end of a terminal leave it out; for the end of a line write \
                  `(?=\\n)`, or `(?m:$)`, which matches at the end of the text too",
                span,
            ));
        }
        let leaf = self.program.leaves.byte(&[(0, 0xff)]);
        let start = self.push(Op::Leaf { leaf, next: ACCEPT })?;
        let assertion = self.program.assertions.len() as u32;
        self.program.assertions.push(Assertion {
            is_behind: false,
            start,
        });
        let at_end = self.push(Op::Look {
            assertion,
            is_negative: true,
            next,
        })?;
        if !before_line_feed {
            return Ok(at_end);
        }
        let leaf = self.program.leaves.byte(&[(b'\n', b'\n')]);
        let line_feed = self.push(Op::Leaf { leaf, next: at_end })?;
        self.push(Op::Split(vec![line_feed, at_end]))
    }

    /// From each text on, any number of them.
    fn substring(&mut self, texts: &[String], next: u32) -> Result<u32, Error> {
        let mut starts = vec![next];
        let mut behind = next;
        for text in texts.iter().rev() {
            let mut at = behind;
            for c in text.chars().rev() {
                let class: Rc<[(char, char)]> = Rc::new([(c, c)]);
                let leaf = self.program.leaves.class(&class, self.budget)?;
                at = self.push(Op::Leaf { leaf, next: at })?;
            }
            starts.push(at);
            behind = self.push(Op::Split(vec![at, next]))?;
        }
        self.push(Op::Split(starts))
    }
}

/// The nodes of the first of equal copies.
#[derive(Default)]
struct FirstCopy {
    base: usize,
    length: usize,
}

impl FirstCopy {
    /// Ranks the nodes from `base` on: the one behind a copy, and the copy. The first copy has more
    /// nodes where it is also the first to have some assertion; it then stays apart.
    fn rank(&mut self, ranks: &mut [Rank], base: usize, strength: u32) {
        let length = ranks.len() - base;
        if length != self.length {
            *self = FirstCopy { base, length };
        }
        for offset in 0..length {
            let group = (self.base + offset) as u32;
            if let Some(rank) = ranks.get_mut(base + offset) {
                *rank = Rank { group, strength };
            }
        }
    }
}
