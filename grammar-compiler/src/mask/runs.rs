//! Runs: states along which most bytes lead without touching the stack.
//!
//! In: the dense table. Out: a [`Run`] for each state, and the kinds of those along which walks are taken.

use rustc_hash::FxHashMap as HashMap;

use maskwright_core::layout::END_OF_TEXT;

use super::exits::{Kind, count};
use super::rows::{Action, Rows};
use super::trie::Text;
use crate::grouped::Grouped;
use crate::pda::headroom::Need;
use crate::pda::{Class, Classes, Pda, State, StateId};

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

/// The digits, in the first word of a set of bytes.
pub const DIGITS: u64 = 0x3FF << b'0';

/// Walks are taken along runs of so many kinds at most: the exits of each take a few bytes for each node of the trie.
const MAX_KINDS: usize = 32;

/// For each state where most bytes lead, and what leads there.
pub fn steps(rows: &Rows, pda: &Pda, needs: &[Need]) -> Vec<Option<(StateId, Kind)>> {
    let mut characters = Characters::new(rows, pda, needs);
    let of_classes = bytes_of(pda);
    let sizes: Vec<u32> = of_classes.iter().map(count).collect();
    let mut targets = Vec::new();
    let step = |(state, edges): (StateId, &State)| {
        let goes = || {
            let classes = edges.edges.iter().map(|edge| edge.0);
            classes.filter_map(|class| match rows.action(state, class) {
                Action::Goto(next) => Some((next, class as usize)),
                _ => None,
            })
        };
        let next = most(
            goes().map(|(next, class)| (next, sizes[class])),
            &mut targets,
        )?;
        needs[next as usize]?;
        let mut bytes = [0; 4];
        for (_, class) in goes().filter(|to| to.0 == next) {
            let of_class = &of_classes[class];
            bytes.iter_mut().zip(of_class).for_each(|(a, b)| *a |= b);
        }
        let mut kind = Kind { bytes, text: false };
        if kind.is_wide() && bytes[2] | bytes[3] == 0 {
            kind.text = characters.lead((state, Text::Closed)) == Some(next);
        }
        Some((next, kind))
    };
    (0..).zip(&pda.states).map(step).collect()
}

/// Numbers the kinds of runs along which walks are taken: those that go on as they begin. In a run of single bytes characters
/// can only be counted if they are ASCII.
pub fn number_kinds(runs: &mut [Run], next: &[StateId]) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::new();
    for state in 0..runs.len() {
        let (run, next) = (runs[state], next[state] as usize);
        let [_, _, high, highest] = run.kind.bytes;
        let goes_on = next == state || runs[next].kind == run.kind && high | highest == 0;
        if !(goes_on && run.kind.is_wide()) {
            continue;
        }
        let mut known = kinds.iter().position(|&kind| kind == run.kind);
        if known.is_none() && kinds.len() < MAX_KINDS {
            known = Some(kinds.len());
            kinds.push(run.kind);
        }
        runs[state].along = known.map(|id| id as u32);
    }
    kinds
}

/// The run of each state: along the state that most bytes lead to.
pub fn runs(needs: &[Need], next: &[Option<(StateId, Kind)>]) -> Vec<Run> {
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

/// How many digits each state goes on with at least, whichever they are and wherever each of them leads, without touching the stack;
/// finishing needs as many frames from all of these states. Numbers tell digits apart, so that none of their runs goes on with all.
pub fn digits(rows: &Rows, pda: &Pda) -> Vec<u32> {
    let mut classes: Vec<Class> = (b'0'..=b'9').map(|digit| pda.classes.of(digit)).collect();
    classes.dedup();
    let mut digits = vec![u32::MAX; rows.count()];
    let mut steps: Vec<(StateId, StateId)> = Vec::new();
    // States by how many digits they go on with, as far as these are known.
    let mut order: Vec<StateId> = Vec::new();
    for state in (0..).take(digits.len()) {
        let run = rows.run(state);
        if run.length == u32::MAX && DIGITS & run.kind.bytes[0] == DIGITS {
            continue;
        }
        let before = steps.len();
        for &class in &classes {
            match rows.action(state, class) {
                Action::Goto(next) if rows.need(next) == rows.need(state) => {
                    steps.push((next, state));
                }
                _ => {
                    digits[state as usize] = 0;
                    order.push(state);
                    steps.truncate(before);
                    break;
                }
            }
        }
    }
    let before = Grouped::new(digits.len(), steps.iter().copied());
    let mut at = 0;
    while let Some(&state) = order.get(at) {
        for &before in before.of(state) {
            if digits[before as usize] == u32::MAX {
                digits[before as usize] = digits[state as usize] + 1;
                order.push(before);
            }
        }
        at += 1;
    }
    digits
}

/// The state that most bytes lead to, of steps with their numbers of bytes; `targets` is where these are summed up.
fn most(
    steps: impl Iterator<Item = (StateId, u32)>,
    targets: &mut Vec<(StateId, u32)>,
) -> Option<StateId> {
    targets.clear();
    for (next, bytes) in steps {
        match targets.iter_mut().find(|target| target.0 == next) {
            Some(target) => target.1 += bytes,
            None => targets.push((next, bytes)),
        }
    }
    let most = targets.iter().max_by_key(|&&(next, bytes)| (bytes, next));
    most.filter(|most| most.1 > 0).map(|most| most.0)
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

#[cfg(test)]
mod tests {
    use super::super::rows::{Action, Rows};
    use crate::automaton;
    use crate::pda::{Pda, StateId};
    use crate::source::Source;
    use crate::syntax::{ParseOptions, ebnf};

    /// No more digits are counted one by one.
    const MOST: u32 = 5;

    /// How many digits a state goes on with, by its definition.
    fn digits(rows: &Rows, pda: &Pda, state: StateId, most: u32) -> u32 {
        let after = |digit| match rows.action(state, pda.classes.of(digit)) {
            Action::Goto(next) if rows.need(next) == rows.need(state) => {
                1 + digits(rows, pda, next, most - 1)
            }
            _ => 0,
        };
        match most {
            0 => 0,
            _ => (b'0'..=b'9').map(after).min().unwrap_or(0),
        }
    }

    #[test]
    fn digits_lead_on_wherever_each_leads() {
        // A number without zeros at its end, a bounded one, and one in brackets that digits after a comma leave.
        let text = r#"root ::= "a" [0-9]* [1-9] ";" | "b" [0-4] [0-9]? [0-9]? "!" | list | "d" [^0] "."
                      list ::= "[" ([0-9]* [5-9] "," | list)* "]" [0-9]*"#;
        let source = Source::new("test", text);
        let parsed = ebnf::parse(&source, &ParseOptions::default()).unwrap();
        let automaton = automaton(&parsed.grammar, &Default::default()).unwrap();
        let pda = &automaton.pda;
        let rows = Rows::new(pda, &automaton.headroom);
        let found = super::digits(&rows, pda);
        let mut met = [false; 4];
        for (state, &found) in (0..).zip(&found) {
            let expected = digits(&rows, pda, state, MOST);
            assert_eq!(found.min(MOST), expected, "state {state}");
            met[if found == u32::MAX { 3 } else { found as usize }] = true;
        }
        assert_eq!(met, [true; 4], "none, one, two and any number of digits");
    }
}
