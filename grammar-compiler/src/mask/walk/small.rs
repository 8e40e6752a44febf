//! Walks of small subtrees, node by node; along a run from exit to exit.

use super::context::WalkContext;
use super::position::{Asked, Gather, WalkPosition};
use super::run_exits::{each_exit, goes_along};
use crate::mask::transitions::{Action, RunChain};

/// Subtrees of fewer nodes than this are not taken along a run.
const WORTH_A_RUN: u32 = 8;

/// A trie node that is open in a walk: the range of those of its children that have not been
/// visited.
struct OpenNode {
    at: u32,
    end: u32,
    position: WalkPosition,
}

/// What a walk of small subtrees gathers.
#[derive(Default)]
pub struct SmallWalk {
    /// Intervals of ranks by the height that they need: a few heights, the one used last at the
    /// end.
    tokens: Vec<(i16, Vec<(u32, u32)>)>,
    /// Questions, each with a node that asks it.
    questions: Vec<(Asked, u32)>,
    open: Vec<OpenNode>,
    /// Nodes whose symbols are to be consumed: the exits of runs, and what the symbols of narrow
    /// states lead to.
    next: Vec<(u32, WalkPosition)>,
    /// Scratch: the nodes that ask the same question.
    asking: Vec<u32>,
}

impl SmallWalk {
    /// Walks everything below some nodes, and adds what it finds to `gather`.
    pub fn walk(&mut self, context: &mut WalkContext, start: WalkPosition, gather: &mut Gather) {
        for &node in context.subtrees.lists.nodes(start.nodes).iter() {
            self.enter(context, node, start);
            self.finish(context);
        }
        for (height, intervals) in &mut self.tokens {
            if !intervals.is_empty() {
                let piece = context.subtrees.pieces.of_intervals(intervals);
                gather.tokens.push((*height, piece));
                intervals.clear();
            }
        }
        self.questions.sort_unstable();
        for same in self.questions.chunk_by(|a, b| a.0 == b.0) {
            self.asking.clear();
            self.asking.extend(same.iter().map(|&(_, node)| node));
            let nodes = context.subtrees.lists.id(&self.asking);
            gather.questions.push((same[0].0, nodes));
        }
        self.questions.clear();
    }

    /// Walks all open nodes, with an explicit stack, since tokens may be long.
    fn finish(&mut self, context: &mut WalkContext) {
        let trie = context.trie;
        loop {
            if let Some((node, at)) = self.next.pop() {
                self.symbol(context, trie[node].symbol, node, at);
                continue;
            }
            let Some(open) = self.open.last_mut() else {
                return;
            };
            let at = open.position;
            let children = trie.children((open.at, open.end));
            let row = context.table.transitions.row(at.state);
            let mut classes = children
                .iter()
                .map(|child| context.subtrees.lists.class_of(child.symbol));
            let Some(refused) = classes.position(|class| row[class as usize].is_taken()) else {
                self.open.pop();
                continue;
            };
            open.at += refused as u32 + 1;
            let child = children[refused];
            self.symbol(context, child.symbol, child.node, at);
        }
    }

    /// Consumes the symbol of a node.
    fn symbol(&mut self, context: &mut WalkContext, symbol: u16, node: u32, at: WalkPosition) {
        let table = context.table;
        let class = context.subtrees.lists.class_of(symbol);
        let next = match table.transitions.action(at.state, class) {
            Action::Refuse => return,
            Action::Goto(next) => {
                let here = &context.trie[node];
                if table.stays.hold(at.state, here.bytes, here.length.into()) {
                    return self.accept(context, at, (here.first, here.last));
                }
                Some((next, at.known))
            }
            Action::Tree(tree) => context.frames.simple(tree, at.known),
            Action::Leave => None,
        };
        match next {
            Some(next) => self.enter(context, node, context.moved(at, next)),
            None => {
                let class = table.transitions.representative(at.state, class);
                let asked = (class, at.state, at.known, at.peak);
                self.questions.push((asked, node));
            }
        }
    }

    /// Goes on from a node whose symbol has been consumed.
    fn enter(&mut self, context: &mut WalkContext, node: u32, at: WalkPosition) {
        let (trie, table) = (context.trie, context.table);
        let here = &trie[node];
        let run = *table.runs.of(at.state);
        let size = here.end - node;
        if size >= WORTH_A_RUN
            && let (Some(kind), Some(height)) = (run.along, context.height(at))
            && goes_along(trie, node, &run)
            && let Some(exits) = context.exits.of(kind, size)
        {
            let mut next = std::mem::take(&mut self.next);
            let mut chain = RunChain::new(&table.runs, at.state);
            let mut visit = |steps, exit| {
                let state = chain.after(steps);
                next.push((exit, WalkPosition { state, ..at }));
            };
            each_exit(trie, node, (&run, &exits), self.of(height), &mut visit);
            self.next = next;
            return;
        }
        self.accept(context, at, (here.first, here.own));
        let (first, end) = trie.children_of(node);
        let narrow = table.narrow.of(at.state);
        if !narrow.is_empty() && (end - first) as usize > narrow.len() {
            let children = narrow.iter();
            let children = children.filter_map(|&symbol| trie.child(node, symbol));
            self.next.extend(children.map(|child| (child, at)));
        } else if first < end {
            self.open.push(OpenNode {
                at: first,
                end,
                position: at,
            });
        }
    }

    fn accept(&mut self, context: &WalkContext, at: WalkPosition, (from, to): (u32, u32)) {
        if from < to
            && let Some(height) = context.height(at)
        {
            let intervals = self.of(height);
            match intervals.last_mut() {
                Some(last) if last.1 == from => last.1 = to,
                _ => intervals.push((from, to)),
            }
        }
    }

    /// The intervals of ranks that need this height.
    fn of(&mut self, height: i16) -> &mut Vec<(u32, u32)> {
        if self.tokens.last().is_none_or(|last| last.0 != height) {
            match self.tokens.iter().position(|of| of.0 == height) {
                Some(at) => {
                    let last = self.tokens.len() - 1;
                    self.tokens.swap(at, last);
                }
                None => self.tokens.push((height, Vec::new())),
            }
        }
        let last = self.tokens.len() - 1;
        &mut self.tokens[last].1
    }
}
