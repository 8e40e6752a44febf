//! The bytes of the tables, by state and by rule.
//!
//! In: tables and the [`Automaton`] that they were made from. Out: [`Breakdown`]: bytes by state
//! and by rule, and the most that a mask can take. Programs, mask nodes and sets are shared by
//! states: each is split evenly among those that use it. A state is split evenly among the rules
//! whose items it holds; rules that were inlined count for the rule that they are in.

use std::collections::{BTreeMap, BTreeSet};

use maskwright_core::Grammar;
use maskwright_core::layout::{TableSection, edge, mask, set, state::STATE_WORDS};

use super::tables::TableWords;
use crate::compile::automaton::Automaton;

/// More uses of records by states than this are not counted.
const MAX_USES: usize = 50_000_000;

/// The bytes of tables, by state and by rule.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Breakdown {
    /// All states, in order.
    pub states: Vec<StateBytes>,
    /// The rules that are called, the largest first.
    pub rules: Vec<RuleBytes>,
    /// Bytes that belong to no state: header, classes, gaps between rows, end tokens.
    pub fixed_bytes: usize,
    /// The most that writing the mask of one stack of at most [`Breakdown::WORST_DEPTH`] frames can
    /// touch: the words of each bitmap, the ids of each list.
    pub worst_mask: usize,
}

/// The bytes of a state.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StateBytes {
    /// Its share of the tables, to the nearest byte.
    pub bytes: usize,
    /// The names of the rules whose items it holds.
    pub rules: Vec<String>,
}

/// The bytes of a rule.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RuleBytes {
    /// Its name; for a span between delimiters the name of its rule and the delimiters.
    pub name: String,
    /// States that hold items of it.
    pub states: usize,
    /// Its share of the tables, to the nearest byte.
    pub bytes: usize,
}

impl Breakdown {
    /// The frames for which the worst mask is worked out.
    pub const WORST_DEPTH: usize = 32;

    /// Splits tables among the states of the automaton that they were made from. `None` if the
    /// tables are not those of the automaton, or if counting who shares what would take too long.
    ///
    /// In the worst mask, each set of the base tables counts as much as the costliest set can: see
    /// [`Self::beside`].
    pub fn new(tables: &[u8], automaton: &Automaton) -> Option<Self> {
        Self::of(tables, automaton, None)
    }

    /// The same for delta tables, with the true costs of the base's sets. `None` also if their base
    /// is another one.
    pub fn beside(tables: &[u8], automaton: &Automaton, other: &Grammar<'_>) -> Option<Self> {
        Grammar::load_beside(tables, other).ok()?;
        let other = TableWords::read(other.as_bytes())?;
        Self::of(tables, automaton, Some(&other))
    }

    fn of(tables: &[u8], automaton: &Automaton, other: Option<&TableWords>) -> Option<Self> {
        Some(Breakdown {
            worst_mask: worst_mask(&TableWords::read(tables)?, other),
            ..Self::within(tables, automaton, MAX_USES)?
        })
    }

    /// The same without the worst mask, where no more than `uses` uses of records may be counted.
    pub(crate) fn within(tables: &[u8], automaton: &Automaton, uses: usize) -> Option<Self> {
        let total = tables.len();
        let tables = TableWords::read(tables)?;
        if tables.state_count() != automaton.origins.len() {
            return None;
        }
        let bytes = Shares::bytes(&tables, uses)?;
        let machines: Vec<Vec<usize>> = (0..tables.state_count())
            .map(|state| rules_of(automaton, state))
            .collect();
        let name = |&machine: &usize| automaton.network.machines[machine].name.clone();
        let states = (bytes.iter().zip(&machines)).map(|(&bytes, machines)| StateBytes {
            bytes: bytes.round() as usize,
            rules: machines.iter().map(name).collect(),
        });
        let used = bytes.iter().sum::<f64>().round() as usize;
        Some(Breakdown {
            rules: by_rule(automaton, &machines, &bytes),
            states: states.collect(),
            fixed_bytes: total.saturating_sub(used),
            worst_mask: 0,
        })
    }
}

impl Breakdown {
    /// The largest states, at most `count` of them.
    pub fn largest_states(&self, count: usize) -> Vec<(usize, &StateBytes)> {
        let mut states: Vec<_> = self.states.iter().enumerate().collect();
        states.sort_by_key(|state| std::cmp::Reverse(state.1.bytes));
        states.truncate(count);
        states
    }
}

/// The machines whose items a state holds.
pub fn rules_of(automaton: &Automaton, state: usize) -> Vec<usize> {
    let sets = automaton.origins.get(state).into_iter().flatten();
    let items = sets.flat_map(|&set| automaton.built.item_set(set));
    let machines = items.map(|item| automaton.built.positions.nodes[item.node as usize].machine);
    let machines: BTreeSet<usize> = machines.map(|machine| machine.index()).collect();
    machines.into_iter().collect()
}

fn by_rule(automaton: &Automaton, of_state: &[Vec<usize>], bytes: &[f64]) -> Vec<RuleBytes> {
    // Machines of one rule have its name.
    let machines = &automaton.network.machines;
    let mut sums: BTreeMap<&str, (usize, f64)> = BTreeMap::new();
    for machine in machines {
        sums.insert(&machine.name, (0, 0.0));
    }
    for (rules, bytes) in of_state.iter().zip(bytes) {
        let names: BTreeSet<&str> = rules
            .iter()
            .map(|&rule| machines[rule].name.as_str())
            .collect();
        for &name in &names {
            let sum = sums.entry(name).or_default();
            sum.0 += 1;
            sum.1 += bytes / names.len() as f64;
        }
    }
    let rules = sums.into_iter().map(|(name, (states, bytes))| RuleBytes {
        name: name.to_owned(),
        states,
        bytes: bytes.round() as usize,
    });
    let mut rules: Vec<RuleBytes> = rules.collect();
    rules.sort_by_key(|rule| std::cmp::Reverse(rule.bytes));
    rules
}

/// A record that states share.
#[derive(Clone, Copy)]
enum Record {
    /// A row, by its offset.
    Row(u32),
    Program(u32),
    Node(u32),
    Set(u32),
}

impl Record {
    /// Its length, and what it leads to.
    fn read(self, tables: &TableWords) -> (usize, Vec<Record>) {
        match self {
            // Its entries are counted where it is used: a row is known by a state only.
            Record::Row(_) => (0, Vec::new()),
            Record::Program(offset) => {
                let (words, branches) = tables.program(offset);
                (words, branches.into_iter().map(Record::Program).collect())
            }
            Record::Node(offset) => {
                let node = tables.node(offset);
                let sets = node.sets.iter().map(|word| Record::Set(word & mask::SET));
                let children = node.children.iter().map(|&child| Record::Node(child));
                (node.words, sets.chain(children).collect())
            }
            Record::Set(id) => {
                let bases = tables.bases(id).iter().map(|&base| Record::Set(base));
                // One more for its place in the index.
                (1 + tables.set(id).len(), bases.collect())
            }
        }
    }

    /// A number of its own.
    fn index(self, tables: &TableWords) -> usize {
        let programs = tables.section(TableSection::Programs).len();
        let masks = tables.section(TableSection::Masks).len();
        let sets = tables.section(TableSection::SetIndex).len();
        match self {
            Record::Program(offset) => offset as usize,
            Record::Node(offset) => programs + offset as usize,
            Record::Set(id) => programs + masks + id as usize,
            // A row without entries may lie anywhere.
            Record::Row(offset) => {
                let last = tables.section(TableSection::Edges).len();
                programs + masks + sets + last.min(offset as usize)
            }
        }
    }
}

/// How many states use each record.
struct Shares<'t> {
    tables: &'t TableWords,
    users: Vec<u32>,
    /// The walk that has last met each record.
    met: Vec<u32>,
    walks: u32,
    /// Records that may still be met.
    left: usize,
}

impl<'t> Shares<'t> {
    /// The bytes of each state; `None` if more than `uses` records would have to be met.
    fn bytes(tables: &'t TableWords, uses: usize) -> Option<Vec<f64>> {
        let len = Record::Row(u32::MAX).index(tables) + 1;
        let mut shares = Shares {
            tables,
            users: vec![0; len],
            met: vec![0; len],
            walks: 0,
            left: uses,
        };
        let states = 0..tables.state_count();
        // Many states have the same mask: it is walked once for all of them.
        let mut masks: BTreeMap<u32, u32> = BTreeMap::new();
        for state in states.clone() {
            *masks.entry(tables.mask(state)).or_default() += 1;
            let own = own(tables, state);
            shares.walk(own, |users, _| *users += 1)?;
        }
        for (&root, &states) in &masks {
            shares.walk(vec![Record::Node(root)], |users, _| *users += states)?;
        }
        let mut of_mask: BTreeMap<u32, f64> = BTreeMap::new();
        for &root in masks.keys() {
            let mut sum = 0.0;
            shares.walk(vec![Record::Node(root)], |users, words| {
                sum += words as f64 / f64::from(*users);
            })?;
            of_mask.insert(root, sum);
        }
        let bytes = states.map(|state| {
            let entries = tables.entries(state).count() as f64;
            let row = Record::Row(tables.row(state)).index(tables);
            let mut sum = entries / f64::from(shares.users[row]) + of_mask[&tables.mask(state)];
            shares.walk(own(tables, state), |users, words| {
                sum += words as f64 / f64::from(*users);
            })?;
            let record = STATE_WORDS + usize::from(tables.has_parent(state));
            Some(4.0 * (record as f64 + sum))
        });
        bytes.collect()
    }

    /// Visits everything that some records lead to, once, with its number of users and its length.
    fn walk(
        &mut self,
        mut pending: Vec<Record>,
        mut visit: impl FnMut(&mut u32, usize),
    ) -> Option<()> {
        self.walks += 1;
        while let Some(record) = pending.pop() {
            let index = record.index(self.tables);
            if std::mem::replace(&mut self.met[index], self.walks) == self.walks {
                continue;
            }
            self.left = self.left.checked_sub(1)?;
            let (words, next) = record.read(self.tables);
            visit(&mut self.users[index], words);
            pending.extend(next);
        }
        Some(())
    }
}

/// The rows and programs that a state uses, without its mask.
fn own(tables: &TableWords, state: usize) -> Vec<Record> {
    let programs = tables
        .entries(state)
        .filter(|entry| entry & edge::PROGRAM != 0);
    let programs = programs.map(|entry| Record::Program(entry & edge::PAYLOAD));
    programs.chain([Record::Row(tables.row(state))]).collect()
}

/// How many words and ids a mask reads to include this set. A shared set costs what it costs in the
/// other tables, if these are known.
fn set_cost(tables: &TableWords, other: Option<&TableWords>, id: u32) -> usize {
    let head = tables.set(id)[0];
    match other {
        Some(other) if head & set::KIND == set::SHARED => other.set_cost(head >> set::SHARED_SHIFT),
        _ => tables.set_cost(id),
    }
}

/// The most that writing a mask touches, over all states and all stacks of at most
/// [`Breakdown::WORST_DEPTH`] frames.
fn worst_mask(tables: &TableWords, other: Option<&TableWords>) -> usize {
    let roots: BTreeSet<u32> = (0..tables.state_count())
        .map(|state| tables.mask(state))
        .collect();
    let mut nodes: BTreeMap<u32, (usize, Vec<u32>)> = BTreeMap::new();
    let mut pending: Vec<u32> = roots.iter().copied().collect();
    while let Some(offset) = pending.pop() {
        if let std::collections::btree_map::Entry::Vacant(entry) = nodes.entry(offset) {
            let node = tables.node(offset);
            let sets = node
                .sets
                .iter()
                .map(|word| set_cost(tables, other, word & mask::SET));
            let (cost, children) = (sets.sum(), node.children);
            pending.extend(&children);
            entry.insert((cost, children));
        }
    }
    // After k rounds: the most on a walk of k looks. A walk looks at each frame once, and then at
    // the bottom.
    let mut most: BTreeMap<u32, usize> = nodes.iter().map(|(&at, node)| (at, node.0)).collect();
    for _ in 0..=Breakdown::WORST_DEPTH {
        let below = |children: &[u32]| children.iter().map(|child| most[child]).max().unwrap_or(0);
        let next = nodes
            .iter()
            .map(|(&at, (cost, children))| (at, cost + below(children)));
        let next: BTreeMap<u32, usize> = next.collect();
        if next == most {
            break;
        }
        most = next;
    }
    roots.iter().map(|root| most[root]).max().unwrap_or(0)
}
