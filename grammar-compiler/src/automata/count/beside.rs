//! Bounds on the characters of an automaton, in blocks that have several entries and ends.
//!
//! In: [`BoundedWords`] with a [core](BoundedCore). Out: a graph over blocks. A *block* is a rule
//! for all texts of its length, whichever state of the core they begin in: it has an entry for
//! each state, an end for each state that a whole block leads to, and one for the words that end
//! within it. So one body of about B states of the core serves all [ways](crate::automata::ways)
//! through it, and a block of blocks calls these ways.
//!
//! ```text
//! pairs ─ block ─ block ─ … ─ block ─ pairs
//!   │                                 │ behind the last block too few characters are left
//!   │ the first characters            │ for each state to go on as it could
//! ```
//!
//! Near its bounds an automaton is written in pairs of state and number. With a least number there
//! are blocks before it, too, in which nothing ends. Without a greatest number, the automaton
//! itself follows the pairs at the least.
//!
//! Blocks of blocks would take fewer states, but the frames that a text needs would depend on which
//! block within the others it has come to, and so each state on the frames below it.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use super::CountWriter;
use crate::automata::ways::WayMarks;
use crate::grammar::words::GraphState;
use crate::grammar::{BoundedCore, BoundedWords, Expr, Graph, RuleId, Words};
use crate::intern::Interner;
use crate::maps::IdMap;

/// Characters that are written in pairs before a bound, besides those that end a word.
const MARGIN: u32 = 2;

/// Where a block is entered, and where it leads: a state of the core.
type Entry = u32;

/// The ways through a block of some number of characters.
#[derive(Default)]
pub(super) struct CoreBlock {
    entries: IdMap<Entry, EntryWays>,
}

/// The ways from an entry.
#[derive(Default)]
struct EntryWays {
    /// Where a whole block leads, each with its way.
    whole: Vec<(Entry, RuleId)>,
    /// The way of words that end within the block.
    part: Option<RuleId>,
}

/// What a block is of: the place of its core in memory, whether words end within it, and the number
/// of its characters.
pub(super) type BlockKey = (usize, bool, u32);

impl CountWriter<'_> {
    /// The words of an automaton with a core.
    pub(super) fn beside(&mut self, words: &BoundedWords, core: &BoundedCore) -> Expr {
        let runs = self.runs(words, core);
        let blocks: Vec<Rc<CoreBlock>> = (runs.iter())
            .map(|run| self.core_block(core, run))
            .collect();
        let mut graph = PairGraph {
            words,
            core,
            runs: &runs,
            blocks: &blocks,
            places: Interner::new(),
        };
        graph.places.intern(Place::Pair(0));
        let mut states = Vec::new();
        while let Some(&place) = graph.places.values.get(states.len()) {
            // If the time is over, the next look at the clock says so.
            if self.bounds.deadline.stops("counting characters in blocks") {
                break;
            }
            states.push(graph.state(place));
        }
        states.resize_with(graph.places.values.len(), GraphState::default);
        Expr::Graph(Arc::new(Graph { states }))
    }

    /// The blocks between the bounds.
    fn runs(&self, words: &BoundedWords, core: &BoundedCore) -> Vec<Run> {
        let (min, max) = (words.min(), words.max());
        // The first character may be one that does not count.
        let before = min.checked_sub(words.settled() + MARGIN);
        let before = before.map(|last| (1, last, false));
        let last = match words.is_endless() {
            true => None,
            false => max.checked_sub(words.most() + MARGIN),
        };
        let between = last.map(|last| (min.max(1), last, true));
        let zones = before.into_iter().chain(between);
        let runs = zones.filter_map(|(first, last, has_ends)| {
            let count = last.checked_sub(first)?;
            let length = self.block_length(core, count);
            (count >= length).then(|| Run {
                start: last - count / length * length,
                end: last,
                length,
                has_ends,
            })
        });
        runs.collect()
    }

    /// The characters of each block: a block takes about twice as many states for each
    /// character as there are states of the core between two characters for each block, since a
    /// character has several bytes.
    fn block_length(&self, core: &BoundedCore, count: u32) -> u32 {
        let between = core.boundaries();
        let all = core.words().states.len() as u32;
        let few = u64::from(count) * u64::from(between) / u64::from(all.max(1));
        // Bounds that differ by little share their blocks.
        let length = (few.isqrt() as u32).next_power_of_two();
        length.max(self.radix.block)
    }

    fn core_block(&mut self, core: &BoundedCore, run: &Run) -> Rc<CoreBlock> {
        let key = (Arc::as_ptr(core.words()).addr(), run.has_ends, run.length);
        if let Some(known) = self.core_blocks.get(&key) {
            return Rc::clone(known);
        }
        let body = BlockBody::new(core, run.has_ends, run.length);
        let made = Rc::new(self.add_block(run.length, &body));
        self.core_blocks.insert(key, Rc::clone(&made));
        made
    }

    /// The rules of a block: its body, its marks and the ways through it.
    fn add_block(&mut self, length: u32, body: &BlockBody) -> CoreBlock {
        let name = format!("{} {{{length}}}", self.name);
        // A mark is a symbol that no text has: what it matches is never asked.
        let mut marks: Vec<(BlockPlace, RuleId)> = Vec::new();
        for &place in &body.places.values {
            if matches!(place, BlockPlace::Entry(_) | BlockPlace::End(_)) {
                let mark = Expr::Bytes(vec![(0, 0)]);
                marks.push((place, self.rule(name.clone(), mark)));
            }
        }
        let graph = body.graph(&marks);
        let block = self.rule(name.clone(), Expr::Graph(Arc::new(graph)));
        let mut made = CoreBlock::default();
        for &(from, entry) in &marks {
            let BlockPlace::Entry(from) = from else {
                continue;
            };
            let mut ways = EntryWays::default();
            for &(to, end) in &marks {
                let BlockPlace::End(to) = to else {
                    continue;
                };
                let parts = [block, entry, end].map(Expr::Ref);
                let way = self.rule(name.clone(), Expr::Alt(parts.into()));
                self.ways.push(WayMarks {
                    way: way.into(),
                    block: block.into(),
                    entry: entry.into(),
                    end: end.into(),
                });
                match to {
                    Some(to) => ways.whole.push((to, way)),
                    None => ways.part = Some(way),
                }
            }
            made.entries.insert(from, ways);
        }
        made
    }
}

/// Blocks in a row.
struct Run {
    /// The number of characters before the first.
    start: u32,
    /// The number of characters behind the last.
    end: u32,
    /// The characters of each.
    length: u32,
    /// Whether words end within them.
    has_ends: bool,
}

/// A state of the graph over blocks.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    /// A pair of state and number.
    Pair(u32),
    /// Before a block: the run, the block in it, and where that is entered.
    Block(u32, u32, Entry),
    /// A word has ended within a block.
    Done,
}

crate::maps::own_keys!(Place, BlockPlace);

/// The graph over blocks as it is made.
struct PairGraph<'a> {
    words: &'a BoundedWords,
    core: &'a BoundedCore,
    runs: &'a [Run],
    /// The block of each run.
    blocks: &'a [Rc<CoreBlock>],
    places: Interner<Place>,
}

impl PairGraph<'_> {
    fn state(&mut self, place: Place) -> GraphState {
        match place {
            Place::Pair(pair) => {
                let mut by_target: BTreeMap<u32, Vec<(u8, u8)>> = BTreeMap::new();
                let edges: Vec<(u8, u8, u32)> = self.words.edges(pair).collect();
                for (low, high, to) in edges {
                    let to = self.behind(to);
                    by_target
                        .entry(self.places.intern(to))
                        .or_default()
                        .push((low, high));
                }
                GraphState {
                    is_final: self.words.is_final(pair),
                    edges: bytes(by_target),
                }
            }
            Place::Block(run, at, entry) => self.block(run, at, entry),
            Place::Done => GraphState {
                is_final: true,
                edges: Vec::new(),
            },
        }
    }

    /// A pair, or the block that begins there.
    fn behind(&self, pair: u32) -> Place {
        let (state, left) = self.words.parts(pair);
        let count = self.words.max() - left;
        let run = self.runs.iter().position(|run| run.start == count);
        match run.zip(self.core.of(state)) {
            Some((run, state)) => Place::Block(run as u32, 0, state),
            None => Place::Pair(pair),
        }
    }

    fn block(&mut self, of: u32, at: u32, entry: Entry) -> GraphState {
        let run = &self.runs[of as usize];
        let block = Rc::clone(&self.blocks[of as usize]);
        let is_last = run.start + (at + 1) * run.length == run.end;
        let mut edges = Vec::new();
        let ways = block.entries.get(&entry);
        for &(to, way) in ways.map_or(&[][..], |ways| &ways.whole) {
            let place = match is_last {
                false => Some(Place::Block(of, at + 1, to)),
                true => {
                    let origin = self.core.origin(to);
                    origin.map(|origin| self.behind(self.words.pair(origin, run.end)))
                }
            };
            edges.extend(place.map(|place| (Expr::Ref(way), self.places.intern(place))));
        }
        if let Some(way) = ways.and_then(|ways| ways.part) {
            edges.push((Expr::Ref(way), self.places.intern(Place::Done)));
        }
        GraphState {
            is_final: run.has_ends && self.core.words().is_final(entry),
            edges,
        }
    }
}

/// A state of the body of a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum BlockPlace {
    /// An entry.
    Entry(Entry),
    /// A state of the core behind a number of characters.
    At(u32, u32),
    /// The end of a whole block; that of words that end within it.
    End(Option<Entry>),
}

/// The body of a block as it is made.
struct BlockBody {
    places: Interner<BlockPlace>,
    states: Vec<Vec<(Expr, u32)>>,
    /// The states at which a word may end.
    ends: Vec<u32>,
}

impl BlockBody {
    /// A block of `length` characters, in which words end if it `has_ends`.
    fn new(core: &BoundedCore, has_ends: bool, length: u32) -> Self {
        let mut body = BlockBody {
            places: Interner::new(),
            states: Vec::new(),
            ends: Vec::new(),
        };
        let words = core.words();
        let goes_on = |&state: &u32| match has_ends {
            true => core.is_live(state) && !is_leaf(words, state),
            false => core.is_endless(state),
        };
        for state in (0..core.boundaries()).filter(goes_on) {
            body.places.intern(BlockPlace::Entry(state));
        }
        let place_of = |count: u32, to: u32| {
            // A word that has ended leaves the block, however many characters it has.
            match is_leaf(words, to) {
                true => BlockPlace::End(None),
                false if count == length => BlockPlace::End(Some(to)),
                false => BlockPlace::At(count, to),
            }
        };
        while let Some(place) = body.next() {
            let mut by_target: BTreeMap<u32, Vec<(u8, u8)>> = BTreeMap::new();
            let from = match place {
                BlockPlace::Entry(state) => Some((0, state)),
                BlockPlace::At(count, state) => Some((count, state)),
                BlockPlace::End(_) => None,
            };
            if let Some((count, state)) = from {
                for &(low, high, to) in edges(words, state) {
                    let counted = count + u32::from(to < core.boundaries());
                    if core.is_live(to) && (has_ends || core.is_endless(to)) {
                        let to = body.places.intern(place_of(counted, to));
                        by_target.entry(to).or_default().push((low, high));
                    }
                }
                body.may_end(place, has_ends && words.is_final(state));
            }
            body.states.push(bytes(by_target));
        }
        body
    }

    /// The next state that has no edges yet.
    fn next(&self) -> Option<BlockPlace> {
        self.places.values.get(self.states.len()).copied()
    }

    /// A word may end in the next state, unless that is an entry: no block is empty.
    fn may_end(&mut self, place: BlockPlace, is_end: bool) {
        if is_end && matches!(place, BlockPlace::At(..)) {
            self.ends.push(self.states.len() as u32);
            self.places.intern(BlockPlace::End(None));
        }
    }

    /// The graph with the marks of entries and ends.
    fn graph(&self, marks: &[(BlockPlace, RuleId)]) -> Graph {
        let last = self.states.len() as u32 + 1;
        // State 0 is the start, and the others follow.
        let mut states = vec![GraphState::default()];
        states.extend(self.states.iter().map(|edges| {
            GraphState {
                is_final: false,
                edges: (edges.iter())
                    .map(|(part, to)| (part.clone(), to + 1))
                    .collect(),
            }
        }));
        states.push(GraphState {
            is_final: true,
            edges: Vec::new(),
        });
        for &(place, mark) in marks {
            let Some(at) = self.places.find(&place, |known| *known == place) else {
                continue;
            };
            let mark = Expr::Ref(mark);
            match place {
                BlockPlace::Entry(_) => states[0].edges.push((mark, at + 1)),
                BlockPlace::End(to) => {
                    let more = if to.is_none() { &self.ends[..] } else { &[] };
                    for &end in [at].iter().chain(more) {
                        states[end as usize + 1].edges.push((mark.clone(), last));
                    }
                }
                BlockPlace::At(..) => {}
            }
        }
        Graph { states }
    }
}

fn edges(words: &Words, state: u32) -> &[(u8, u8, u32)] {
    let state = words.states.get(state as usize);
    state.map_or(&[], |state| &state.edges)
}

/// Whether a word ends in a state and cannot go on.
fn is_leaf(words: &Words, state: u32) -> bool {
    words.is_final(state) && edges(words, state).is_empty()
}

/// Edges by the bytes that lead to each state.
fn bytes(by_target: BTreeMap<u32, Vec<(u8, u8)>>) -> Vec<(Expr, u32)> {
    let edges = by_target.into_iter();
    edges.map(|(to, bytes)| (Expr::Bytes(bytes), to)).collect()
}
