//! The automaton's edges as walks read them: a dense table, and each state's runs.

use rustc_hash::FxHashMap as HashMap;

use maskwright_core::layout::END_OF_TEXT;

use super::exits::{Kind, count};
use super::like::{Like, likes};
use super::trie::Text;
use crate::pda::need::Need;
use crate::pda::{Class, Classes, Pda, State, StateId, Tree, TreeId};

/// What a state does with a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Nothing: the symbol is refused.
    Refuse,
    /// Goes on, whatever the stack.
    Goto(StateId),
    /// Asks the stack.
    Tree(TreeId),
}

/// An [`Action`] in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Packed(u32);

impl Packed {
    const REFUSE: Packed = Packed(u32::MAX);
    /// Marks trees; what is not marked is a state.
    const TREE: u32 = 1 << 31;

    fn new(pda: &Pda, tree: TreeId) -> Self {
        let known = &pda.trees[tree as usize];
        match (known, known.goto()) {
            (_, Some(next)) => Packed(next),
            (Tree::Leaf(leaf), None) if leaf.is_empty() => Packed::REFUSE,
            _ => Packed(tree | Packed::TREE),
        }
    }

    fn action(self) -> Action {
        match self.0 {
            u32::MAX => Action::Refuse,
            next if next < Packed::TREE => Action::Goto(next),
            tree => Action::Tree(tree & !Packed::TREE),
        }
    }
}

/// The dense table.
pub struct Rows {
    classes: usize,
    actions: Vec<Packed>,
    /// Which trees take a symbol again, of those that edges have.
    again: Vec<bool>,
    runs: Vec<Run>,
    /// States that each state is like.
    likes: Vec<Option<Like>>,
    /// Where a run goes on from each state.
    next: Vec<StateId>,
    /// Whether some edge of each state pushes a frame.
    pushes: Vec<bool>,
    /// The kinds of runs along which walks are taken.
    pub kinds: Vec<Kind>,
}

/// Any string of what its kind has that is no longer than this never touches the stack, and finishing needs as many frames
/// from each state on its way as from the first one. A loop is a run without end; a run ends where a block of a counted
/// repetition does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// What the run goes on with.
    pub kind: Kind,
    /// How many characters it has at most.
    pub length: u32,
    /// The number of its kind, if walks are taken along it.
    pub along: Option<u32>,
}

impl Run {
    const NONE: Self = Run {
        kind: Kind {
            bytes: [0; 4],
            text: false,
        },
        length: 0,
        along: None,
    };
}

/// Walks are taken along runs of so many kinds at most: the exits of each take a few bytes for each node of the trie.
const MAX_KINDS: usize = 32;

impl Rows {
    /// The dense table of `pda`.
    pub fn new(pda: &Pda, needs: &[Need]) -> Self {
        let classes = pda.classes.count as usize;
        let trees = 0..pda.trees.len() as TreeId;
        let packed: Vec<Packed> = trees.map(|tree| Packed::new(pda, tree)).collect();
        let mut actions = vec![Packed::REFUSE; classes * pda.states.len()];
        let mut asked = vec![false; pda.trees.len()];
        for (state, row) in pda.states.iter().zip(actions.chunks_mut(classes)) {
            for &(class, tree) in &state.edges {
                row[class as usize] = packed[tree as usize];
                asked[tree as usize] = true;
            }
        }
        let again = (0..).zip(asked);
        let again = again.map(|(tree, asked)| asked && pda.takes_again(tree));
        let mut rows = Rows {
            classes,
            actions,
            again: again.collect(),
            pushes: pushes(pda),
            runs: Vec::new(),
            likes: Vec::new(),
            next: Vec::new(),
            kinds: Vec::new(),
        };
        let next = rows.steps(pda, needs);
        rows.runs = runs(needs, &next);
        rows.next = (0..)
            .zip(&next)
            .map(|(state, step)| step.map_or(state, |(next, _)| next))
            .collect();
        rows.number_kinds();
        rows.likes = likes(pda, needs, &rows);
        rows
    }

    /// For each state where most bytes lead, and what leads there.
    fn steps(&self, pda: &Pda, needs: &[Need]) -> Vec<Option<(StateId, Kind)>> {
        let mut characters = Characters::new(self, pda, needs);
        let of_classes = bytes_of(pda);
        let states = (0..).zip(&pda.states);
        let step = |(state, edges): (StateId, &State)| {
            let row = self.row(state);
            let edges = edges.edges.iter().map(|edge| edge.0 as usize);
            let (next, bytes) = most(edges.map(|class| (row[class].action(), &of_classes[class])))?;
            needs[next as usize]?;
            let mut kind = Kind { bytes, text: false };
            if kind.is_wide() && bytes[2] | bytes[3] == 0 {
                kind.text = characters.lead((state, Text::Closed)) == Some(next);
            }
            Some((next, kind))
        };
        states.map(step).collect()
    }

    /// Numbers the kinds of runs along which walks are taken: those that go on as they begin. In a run of single bytes characters
    /// can only be counted if they are ASCII.
    fn number_kinds(&mut self) {
        for state in 0..self.runs.len() {
            let (run, next) = (self.runs[state], self.next[state] as usize);
            let [_, _, high, highest] = run.kind.bytes;
            let goes_on = next == state || self.runs[next].kind == run.kind && high | highest == 0;
            if !(goes_on && run.kind.is_wide()) {
                continue;
            }
            let mut known = self.kinds.iter().position(|&kind| kind == run.kind);
            if known.is_none() && self.kinds.len() < MAX_KINDS {
                known = Some(self.kinds.len());
                self.kinds.push(run.kind);
            }
            self.runs[state].along = known.map(|id| id as u32);
        }
    }

    /// The run that begins in `state`.
    pub fn run(&self, state: StateId) -> &Run {
        &self.runs[state as usize]
    }

    /// Where the run goes on from `state`.
    pub fn next(&self, state: StateId) -> StateId {
        self.next[state as usize]
    }

    /// What `state` does with `class`.
    pub fn action(&self, state: StateId, class: Class) -> Action {
        self.actions[state as usize * self.classes + class as usize].action()
    }

    /// What `state` does with each class.
    fn row(&self, state: StateId) -> &[Packed] {
        let from = state as usize * self.classes;
        &self.actions[from..from + self.classes]
    }

    /// The state that `state` is like, and but for what.
    pub fn like(&self, state: StateId) -> Option<&Like> {
        self.likes[state as usize].as_ref()
    }

    /// The classes with which two states do not do the same, ascending, if no more than `most`.
    pub fn different(&self, one: StateId, other: StateId, most: usize) -> Option<Vec<Class>> {
        let rows = self.row(one).iter().zip(self.row(other));
        let different = (0..).zip(rows).filter(|(_, (a, b))| a != b);
        let different: Vec<Class> = different.map(|of| of.0).take(most + 1).collect();
        (different.len() <= most).then_some(different)
    }

    /// The least class that asks the stack the same in `state` as this one, which asks it.
    pub fn alike(&self, state: StateId, class: Class) -> Class {
        let row = self.row(state);
        let asked = row[class as usize];
        match asked.action() {
            // A symbol that is taken again is so from another state, which may tell the classes apart.
            Action::Tree(tree) if !self.again[tree as usize] => {
                let least = row.iter().position(|&other| other == asked);
                least.map_or(class, |least| least as Class)
            }
            _ => class,
        }
    }

    /// Whether some run along which walks are taken ends.
    pub fn counts(&self) -> bool {
        let ends = |run: &Run| run.along.is_some() && run.length < u32::MAX;
        self.runs.iter().any(ends)
    }

    /// Whether some symbol pushes a frame in `state`, whatever the stack.
    pub fn pushes(&self, state: StateId) -> bool {
        self.pushes[state as usize]
    }

    /// Whether any string of so many of these bytes leads from `state` to states like it, as a [`Run`] does.
    pub fn is_run(&self, state: StateId, bytes: &[u64; 4], length: u32) -> bool {
        let run = &self.runs[state as usize];
        length <= run.length && bytes.iter().zip(&run.kind.bytes).all(|(b, r)| b & !r == 0)
    }
}

/// The run of each state: along the state that most bytes lead to.
fn runs(needs: &[Need], next: &[Option<(StateId, Kind)>]) -> Vec<Run> {
    let mut runs: Vec<Option<Run>> = vec![None; next.len()];
    let mut way: Vec<(StateId, Kind)> = Vec::new();
    for state in 0..next.len() {
        let mut at = state as StateId;
        let mut run = loop {
            match (runs[at as usize], next[at as usize]) {
                (Some(run), _) => break run,
                (None, None) => break Run::NONE,
                (None, Some((to, kind))) if to == at => {
                    break Run {
                        kind,
                        length: u32::MAX,
                        along: None,
                    };
                }
                (None, Some((to, kind))) => {
                    // A way that comes back to itself is cut anywhere.
                    runs[at as usize] = Some(Run::NONE);
                    way.push((at, kind));
                    at = to;
                }
            }
        };
        runs[at as usize] = Some(run);
        while let Some((before, kind)) = way.pop() {
            let is_alike = needs[before as usize] == needs[at as usize];
            run = if is_alike {
                longer(run, kind)
            } else {
                Run::NONE
            };
            runs[before as usize] = Some(run);
            at = before;
        }
    }
    runs.into_iter()
        .map(|run| run.unwrap_or(Run::NONE))
        .collect()
}

/// The state that most bytes lead to without touching the stack, and these bytes.
fn most<'b>(edges: impl Iterator<Item = (Action, &'b [u64; 4])>) -> Option<(StateId, [u64; 4])> {
    let mut targets: Vec<(StateId, [u64; 4])> = Vec::new();
    for (action, of_class) in edges {
        let Action::Goto(next) = action else {
            continue;
        };
        match targets.iter_mut().find(|target| target.0 == next) {
            Some((_, bytes)) => bytes.iter_mut().zip(of_class).for_each(|(a, b)| *a |= b),
            None => targets.push((next, *of_class)),
        }
    }
    let most = targets
        .into_iter()
        .max_by_key(|(next, bytes)| (count(bytes), *next));
    most.filter(|(_, bytes)| count(bytes) > 0)
}

/// The bytes of each class.
fn bytes_of(pda: &Pda) -> Vec<[u64; 4]> {
    let mut bytes = vec![[0; 4]; pda.classes.count as usize];
    for byte in 0..=255u8 {
        bytes[pda.classes.of(byte) as usize][byte as usize / 64] |= 1 << (byte % 64);
    }
    bytes
}

/// The run that begins with what `kind` has and goes on with `run`, unless that would leave most of the bytes out.
fn longer(run: Run, kind: Kind) -> Run {
    let both = [0, 1, 2, 3].map(|at| kind.bytes[at] & run.kind.bytes[at]);
    let (kind, length) = match 2 * count(&both) > count(&kind.bytes) {
        true => {
            let text = kind.text && run.kind.text;
            let both = Kind { bytes: both, text };
            (both, run.length.saturating_add(1))
        }
        false => (kind, 1),
    };
    Run {
        kind,
        length,
        along: None,
    }
}

/// Whether some edge of each state pushes a frame, whatever the stack.
fn pushes(pda: &Pda) -> Vec<bool> {
    let is_push = |tree: &Tree| match tree {
        Tree::Leaf(leaf) => leaf.iter().any(|of| of.push.is_some()),
        Tree::Look { .. } => false,
    };
    let of_tree: Vec<bool> = pda.trees.iter().map(is_push).collect();
    let of_state = |state: &State| state.edges.iter().any(|edge| of_tree[edge.1 as usize]);
    pda.states.iter().map(of_state).collect()
}

/// Where characters beyond ASCII lead.
struct Characters<'a> {
    rows: &'a Rows,
    needs: &'a [Need],
    /// The classes and what they come to, in states where characters may begin and where the text stands like this.
    symbols: HashMap<Text, Vec<(Class, Text)>>,
    pda: &'a Pda,
    known: HashMap<(StateId, Text), Option<StateId>>,
}

impl<'a> Characters<'a> {
    fn new(rows: &'a Rows, pda: &'a Pda, needs: &'a [Need]) -> Self {
        Characters {
            rows,
            needs,
            symbols: HashMap::default(),
            pda,
            known: HashMap::default(),
        }
    }

    /// The one state to which each character beyond ASCII leads from here, if nothing else does that begins like one, and
    /// finishing needs as many frames within it as before it.
    fn lead(&mut self, here: (StateId, Text)) -> Option<StateId> {
        if let Some(&known) = self.known.get(&here) {
            return known;
        }
        let (state, text) = here;
        let symbols = self.symbols.remove(&text);
        let symbols = symbols.unwrap_or_else(|| symbols_after(text, &self.pda.classes));
        let mut found = None;
        let is_one = symbols.iter().all(|&(class, then)| {
            let to = match (then, self.rows.action(state, class)) {
                (Text::Broken, action) => return action == Action::Refuse,
                (Text::Closed, Action::Goto(to)) => Some(to),
                (text, Action::Goto(to))
                    if self.needs[to as usize] == self.needs[state as usize] =>
                {
                    self.lead((to, text))
                }
                _ => None,
            };
            to.is_some() && *found.get_or_insert(to) == to
        });
        self.symbols.insert(text, symbols);
        let found = found.flatten().filter(|_| is_one);
        self.known.insert(here, found);
        found
    }
}

/// The classes of symbols beyond ASCII, or of all symbols within a character, each with where the text stands then.
fn symbols_after(text: Text, classes: &Classes) -> Vec<(Class, Text)> {
    let symbols = match text {
        Text::Closed => 0x80..END_OF_TEXT,
        _ => 0..END_OF_TEXT + 1,
    };
    let mut after: Vec<(Class, Text)> = Vec::new();
    for symbol in symbols {
        let class = u8::try_from(symbol).map_or(classes.end(), |byte| classes.of(byte));
        let then = (class, text.then(symbol));
        if !after.contains(&then) {
            after.push(then);
        }
    }
    after
}
