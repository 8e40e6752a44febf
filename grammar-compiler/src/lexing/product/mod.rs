//! The parser's automaton beside the scanner's.
//!
//! In: the automaton over symbols. Out: a [`Pda`] over bytes. Its states are [`Node`]s; which
//! frames can lie where is not known yet.
//!
//! Within a terminal the state of the parser is either a part of the state (where the terminals
//! that begin there have few states), or the top frame, so that all states of the parser share the
//! states of terminals like names and strings.
//!
//! `take` is what happens when a terminal has ended, `end` the end of the text.

mod end;
mod take;

use self::take::unchanged;
use super::SymbolGrammar;
use super::exact::Parser;
use super::obligation::ScanState;
use super::obligations::{NONE, ObligationSets, Obligations};
use super::scanner::Scanner;
use crate::bits::Bits;
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::maps::{IdMap, own_keys};
use crate::pda::trees::TreeBuilder;
use crate::pda::{Alternative, Class, Classes, FrameId, Pda, State, StateId, TreeId};
use std::collections::BTreeMap;

/// The stage, as a passed limit names it.
const DOING: &str = "compiling the lexer into the automaton";

/// Where the terminals that begin in a state of the parser have at most this many states, these are
/// copied for it; otherwise the state of the parser is pushed.
const COPIED: usize = 12;

/// The largest number of obligations at once.
const MOST_OBLIGATIONS: usize = 16;

/// A state of the product. The obligations are those after all bytes that were taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    /// Between two terminals.
    Between(StateId, Obligations),
    /// Within a terminal. Without a state of the parser, that is the top frame.
    Within(Option<StateId>, ScanState, Obligations),
    /// The parser takes a symbol; then a terminal begins with the byte of this class, which is the
    /// next one but counts as taken. Without a byte, the text ends.
    Taking(StateId, Class, Obligations, Option<u8>),
    /// The parser takes a symbol that ended with the byte of this class, which is the next one but
    /// counts as taken.
    Ending(StateId, Class, Obligations, u8),
}

own_keys!(Node);

/// The automaton over bytes, and the state of the parser of each of its states.
pub(super) struct Product {
    pub(super) pda: Pda,
    pub(super) origins: Vec<Vec<StateId>>,
}

/// Builds the product.
///
/// # Errors
///
/// If a limit is passed.
pub(super) fn product(
    parser: &Parser,
    grammar: &SymbolGrammar,
    limits: &Limits,
    deadline: &Deadline,
) -> Result<Product, LimitExceeded> {
    let scanner = Scanner::new(grammar.competitors(), grammar.lexer.discipline);
    let mut builder = Builder {
        parser: &parser.pda,
        grammar,
        limits,
        deadline,
        competing: &parser.competing,
        scanner,
        obligations: ObligationSets::new(),
        trees: TreeBuilder::new(),
        nodes: Interner::new(),
        edges: Vec::new(),
        callers: Vec::new(),
        due: Vec::new(),
        before: vec![None; parser.pda.states.len()],
        starts: Interner::new(),
        is_copied: Vec::new(),
        symbols: IdMap::default(),
        frames: Interner::new(),
    };
    let start = builder.node(Node::Between(parser.pda.start, NONE), None)?;
    while let Some((node, caller)) = builder.due.pop() {
        builder.explore(node, caller)?;
    }
    Ok(builder.finish(start))
}

/// The edges of a node by class and caller.
type Edges = BTreeMap<(Class, Option<FrameId>), TreeId>;

struct Builder<'a> {
    parser: &'a Pda,
    grammar: &'a SymbolGrammar,
    limits: &'a Limits,
    deadline: &'a Deadline,
    /// For each state of the parser the classes of symbols whose terminals compete.
    competing: &'a [Bits],
    scanner: Scanner<'a>,
    obligations: ObligationSets,
    trees: TreeBuilder,
    nodes: Interner<Node>,
    edges: Vec<Edges>,
    /// For each node that the parser's state is a frame of, the states that were met.
    callers: Vec<Bits>,
    /// Nodes to be explored, with the state of the parser in the top frame.
    due: Vec<(StateId, Option<StateId>)>,
    /// For each state of the parser the number of its set of terminals, once it is known.
    before: Vec<Option<u32>>,
    /// Sets of terminals, with the state of the scanner before them.
    starts: Interner<(Vec<u16>, ScanState)>,
    is_copied: Vec<bool>,
    /// The class of the symbol that these terminals are for a set of terminals.
    symbols: IdMap<(u32, Vec<u16>), Option<Class>>,
    /// States of the parser that are frames.
    frames: Interner<StateId>,
}

impl Builder<'_> {
    /// The number of a node. It is due for `caller` if it was not met with it.
    fn node(&mut self, node: Node, caller: Option<StateId>) -> Result<StateId, LimitExceeded> {
        let id = StateId::new(self.nodes.intern(node));
        if id.place() == self.edges.len() {
            if id.place() >= self.limits.automaton_states {
                return Err(LimitExceeded {
                    limit: "automaton_states",
                    value: self.limits.automaton_states as u64,
                    what: "the lexer and the rules together need too many states".to_owned(),
                });
            }
            self.edges.push(Edges::new());
            self.callers.push(Bits::default());
        }
        let met = caller.map_or(0, |caller| caller.place() + 1);
        if self.callers[id.place()].insert(met) {
            self.due.push((id, caller));
        }
        Ok(id)
    }

    /// The number of the set of terminals before which a state of the parser stands.
    fn terminals_before(&mut self, state: StateId) -> u32 {
        if let Some(known) = self.before[state.place()] {
            return known;
        }
        let terminals = self.competing(state);
        let start = self.scanner.start(&terminals);
        let id = self.starts.intern((terminals, start));
        self.before[state.place()] = Some(id);
        id
    }

    /// The terminals that compete in a state of the parser.
    fn competing(&self, state: StateId) -> Vec<u16> {
        let all = 0..(self.grammar.lexer.terminals.len() + self.grammar.raw.len()) as u16;
        let taken = &self.competing[state.place()];
        let class = |symbol: usize| self.parser.classes.of(symbol as u8);
        let is_taken = |terminal: &u16| {
            if self.grammar.lexer.all_compete
                && usize::from(*terminal) < self.grammar.lexer.terminals.len()
            {
                return true;
            }
            let symbols = self.grammar.symbols.iter().enumerate();
            let mut of = symbols.filter(|(_, set)| set.binary_search(terminal).is_ok());
            // A terminal whose symbols are all taken for the sake of others adds nothing to them.
            let mut any = false;
            of.all(|(symbol, _)| {
                any = true;
                taken.contains(class(symbol).into())
            }) && any
        };
        let is_ignored = |terminal: &u16| self.grammar.is_ignored(*terminal);
        all.filter(|terminal| is_ignored(terminal) || is_taken(terminal))
            .collect()
    }

    /// The class of the symbol that `ended` are where the terminals with number `before` compete.
    fn symbol(&mut self, before: u32, ended: &[u16]) -> Option<Class> {
        let is_parsed = |terminal: &&u16| !self.grammar.is_ignored(**terminal);
        let ended: Vec<u16> = ended.iter().filter(is_parsed).copied().collect();
        if ended.is_empty() {
            return None;
        }
        let key = (before, ended.clone());
        if let Some(&known) = self.symbols.get(&key) {
            return known;
        }
        let competing = &self.starts.values[before as usize].0;
        let is = |set: &Vec<u16>| {
            let competes = |terminal: &&u16| competing.binary_search(terminal).is_ok();
            let mut of = set.iter().filter(is_parsed).filter(competes);
            ended.iter().all(|terminal| of.next() == Some(terminal)) && of.next().is_none()
        };
        let found = self.grammar.symbols.iter().position(is);
        let class = found.map(|symbol| self.parser.classes.of(symbol as u8));
        self.symbols.insert(key, class);
        class
    }

    /// Whether the states of the terminals with this number are copied for each state of the
    /// parser.
    fn is_copied(&mut self, before: u32) -> Result<bool, LimitExceeded> {
        while self.is_copied.len() <= before as usize {
            let start = self.starts.values[self.is_copied.len()].1;
            let is_copied = self.reaches_few(start)?;
            self.is_copied.push(is_copied);
        }
        Ok(self.is_copied[before as usize])
    }

    /// Whether at most [`COPIED`] states can be reached from a state of the scanner.
    fn reaches_few(&mut self, start: ScanState) -> Result<bool, LimitExceeded> {
        let mut found = vec![start];
        let mut at = 0;
        while at < found.len() {
            self.deadline.ticks(self.scanner.classes.count(), DOING)?;
            for class in 0..self.scanner.classes.count() {
                if let Some(next) = self.scanner.next(found[at], class as u8)
                    && !found.contains(&next)
                {
                    found.push(next);
                }
            }
            if found.len() > COPIED {
                return Ok(false);
            }
            at += 1;
        }
        Ok(true)
    }

    fn frame(&mut self, state: StateId) -> Result<FrameId, LimitExceeded> {
        let place = self.parser.under.len() as u32 + self.frames.intern(state);
        let number = u16::try_from(place).map_err(|_| LimitExceeded {
            limit: "frames",
            value: u16::MAX.into(),
            what: "the grammar needs too many stack frames".to_owned(),
        })?;
        Ok(FrameId::new(number))
    }

    /// Finds the edges of a node on the stacks on which `caller` is the top frame.
    fn explore(&mut self, id: StateId, caller: Option<StateId>) -> Result<(), LimitExceeded> {
        let node = self.nodes.values[id.place()];
        let end = self.end();
        self.deadline
            .ticks(1 + self.scanner.classes.count(), DOING)?;
        if self.obligations.largest() > MOST_OBLIGATIONS {
            return Err(LimitExceeded {
                limit: "obligations",
                value: MOST_OBLIGATIONS as u64,
                what: "too many terminals may turn out to be longer at once".to_owned(),
            });
        }
        let frame = match (node, caller) {
            (Node::Within(None, ..), Some(caller)) => Some(self.frame(caller)?),
            _ => None,
        };
        match node {
            // The text has ended.
            Node::Between(state, _) if self.parser.states[state.place()].edges.is_empty() => {}
            Node::Between(state, obligations) => {
                for class in 0..self.scanner.classes.count() as u8 {
                    let tree = self.begin(state, obligations, class)?;
                    self.set(id, class.into(), frame, tree);
                }
                if self.obligations.hold_at_end(obligations, &self.scanner) {
                    let tree = self.end_between(state)?;
                    self.set(id, end, frame, tree);
                }
            }
            Node::Within(of, scan, obligations) => {
                let Some(state) = of.or(caller) else {
                    return Ok(());
                };
                for class in 0..self.scanner.classes.count() as u8 {
                    let tree = self.within(state, of, scan, obligations, class)?;
                    self.set(id, class.into(), frame, tree);
                }
                if self.obligations.hold_at_end(obligations, &self.scanner) {
                    let tree = self.end_within(state, of, scan)?;
                    self.set(id, end, frame, tree);
                }
            }
            Node::Taking(state, symbol, obligations, class) => {
                let tree = self.take(state, symbol, 0, obligations, class)?;
                self.set(id, class.map_or(end, Class::from), frame, tree);
            }
            Node::Ending(state, symbol, obligations, class) => {
                let tree = self.take_last(state, symbol, obligations, class)?;
                self.set(id, class.into(), frame, tree);
            }
        }
        Ok(())
    }

    fn end(&self) -> Class {
        self.scanner.classes.count() as Class
    }

    fn set(&mut self, id: StateId, class: Class, frame: Option<FrameId>, tree: TreeId) {
        if tree != TreeBuilder::REFUSES {
            self.edges[id.place()].insert((class, frame), tree);
        }
    }

    /// A byte between two terminals.
    fn begin(
        &mut self,
        state: StateId,
        obligations: Obligations,
        class: u8,
    ) -> Result<TreeId, LimitExceeded> {
        let before = self.terminals_before(state);
        let start = self.starts.values[before as usize].1;
        let left = self
            .obligations
            .after(obligations, class, &mut self.scanner);
        let (Some(left), Some(scan)) = (left, self.scanner.next(start, class)) else {
            return Ok(TreeBuilder::REFUSES);
        };
        // A terminal that ends here whatever follows is taken at once.
        if self.scanner.is_last(scan)
            && let Some(ends) = self.scanner.ends(scan)
        {
            let mut tree = TreeBuilder::REFUSES;
            for ended in ends {
                if let Some(symbol) = self.symbol(before, &ended) {
                    let taken = self.take_last(state, symbol, left, class)?;
                    tree = self.trees.join(tree, taken);
                }
                if self.grammar.has_ignored(&ended) {
                    let stays = self.to(unchanged(0, state), Node::Between(state, left))?;
                    let stays = self.trees.leaf(vec![stays]);
                    tree = self.trees.join(tree, stays);
                }
            }
            return Ok(tree);
        }
        let entered = self.enter(state, scan, left)?;
        Ok(self.trees.leaf(vec![entered]))
    }

    /// The first byte of a terminal that goes on.
    fn enter(
        &mut self,
        state: StateId,
        scan: ScanState,
        obligations: Obligations,
    ) -> Result<Alternative, LimitExceeded> {
        let before = self.terminals_before(state);
        let is_copied = self.is_copied(before)?;
        let (node, push) = match is_copied {
            true => (Node::Within(Some(state), scan, obligations), None),
            false => (
                Node::Within(None, scan, obligations),
                Some(self.frame(state)?),
            ),
        };
        Ok(Alternative {
            pop: 0,
            push,
            next: self.node(node, (!is_copied).then_some(state))?,
            again: false,
        })
    }

    /// A byte within a terminal.
    fn within(
        &mut self,
        state: StateId,
        of: Option<StateId>,
        scan: ScanState,
        obligations: Obligations,
        class: u8,
    ) -> Result<TreeId, LimitExceeded> {
        let Some(left) = self
            .obligations
            .after(obligations, class, &mut self.scanner)
        else {
            return Ok(TreeBuilder::REFUSES);
        };
        let step = self.scanner.step(scan, class);
        let before = self.terminals_before(state);
        let mut longer = Vec::new();
        for (scan, more) in step.longer {
            let obligations = self.obligations.with(left, &more);
            longer.push(match of {
                Some(_) => self.enter(state, scan, obligations)?,
                None => Alternative {
                    pop: 0,
                    push: None,
                    next: self.node(Node::Within(None, scan, obligations), Some(state))?,
                    again: false,
                },
            });
        }
        let mut tree = self.trees.leaf(longer);
        let pushed = u8::from(of.is_none());
        for end in step.ends {
            let obligations = self.obligations.with(left, &end.obligations);
            if let Some(symbol) = self.symbol(before, &end.terminals) {
                let taken = self.take(state, symbol, pushed, obligations, Some(class))?;
                tree = self.trees.join(tree, taken);
            }
            if self.grammar.has_ignored(&end.terminals) {
                let stays = self.taken(unchanged(pushed, state), obligations, class)?;
                tree = self.trees.join(tree, stays);
            }
        }
        Ok(tree)
    }

    fn finish(mut self, start: StateId) -> Product {
        let mut states = Vec::with_capacity(self.edges.len());
        for edges in std::mem::take(&mut self.edges) {
            let mut of_class: BTreeMap<Class, Vec<(Option<FrameId>, TreeId)>> = BTreeMap::new();
            for ((class, frame), tree) in edges {
                of_class.entry(class).or_default().push((frame, tree));
            }
            let edges = of_class.into_iter().map(|(class, trees)| match trees[..] {
                [(None, tree)] => (class, tree),
                _ => {
                    let branches = trees
                        .into_iter()
                        .filter_map(|(frame, tree)| Some((frame?, tree)));
                    (class, self.trees.look(0, branches.collect()))
                }
            });
            states.push(State {
                edges: edges.collect(),
                top: Vec::new(),
            });
        }
        let origin = |node: &Node| match *node {
            Node::Between(state, ..)
            | Node::Within(Some(state), ..)
            | Node::Taking(state, ..)
            | Node::Ending(state, ..) => vec![state],
            Node::Within(None, ..) => Vec::new(),
        };
        let frames = self.parser.under.len() + self.frames.values.len();
        Product {
            origins: self.nodes.values.iter().map(origin).collect(),
            pda: Pda {
                classes: Classes {
                    of_byte: self.scanner.classes.of_byte,
                    count: self.scanner.classes.count() as Class + 1,
                    token_lead: None,
                    limits: Vec::new(),
                },
                start,
                states,
                trees: self.trees.into_all(),
                under: vec![Vec::new(); frames],
            },
        }
    }
}
