//! Whether a text can be finished: a search over readings of it, and over what may follow.
//!
//! A reading has cut what was read in one way. It carries the tries that must not match after all,
//! as what follows decides whether a piece was the longest match.

use crate::machine::{Machine, Threads};
use crate::parser::{Chart, Parser};
use crate::rules::{Grammar, Productions};
use crate::slow::Discipline;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Readings that a search looks at before it gives up.
const LOOKS: usize = 1_000;

/// Terminals that are under way, with their threads.
type Tries = Vec<(usize, Threads)>;

/// One way to cut what was read.
#[derive(Clone, Debug)]
pub struct Reading {
    chart: Chart,
    /// Whether there is a piece.
    has_begun: bool,
    /// The piece under way.
    piece: Option<Tries>,
    /// What must not match.
    against: Tries,
}

/// Equal keys go on equally.
type Key = Vec<u32>;

/// What is known of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is finished by this.
    Viable(Vec<u8>),
    /// Nothing finishes it.
    Dead,
    /// The search gave up.
    Unknown,
}

/// All readings of a text.
pub type Readings = Rc<Vec<(Key, Reading)>>;

/// Searches in one grammar.
pub struct Search<'g> {
    grammar: &'g Grammar,
    discipline: Discipline,
    parser: Parser<'g>,
    machines: Vec<Machine>,
    bytes: Vec<u8>,
    known: HashMap<Key, Verdict>,
    texts: HashMap<Vec<u8>, (Readings, Verdict)>,
}

impl<'g> Search<'g> {
    /// Begins.
    pub fn new(grammar: &'g Grammar, productions: &'g Productions, discipline: Discipline) -> Self {
        let machine = |pattern| Machine::new(pattern, discipline.prefers());
        let terminals = grammar.terminals.iter();
        Search {
            grammar,
            discipline,
            parser: Parser::new(productions),
            machines: terminals.map(|one| machine(&one.pattern)).collect(),
            bytes: bytes(&grammar.alphabet),
            known: HashMap::new(),
            texts: HashMap::new(),
        }
    }

    fn may_skip(&self, reading: &Reading) -> bool {
        reading.has_begun || self.grammar.skips_at_start || self.discipline != Discipline::Longest
    }

    /// The readings after one more byte.
    fn step(&self, reading: &Reading, byte: u8) -> Vec<Reading> {
        let mut against = Vec::new();
        for (terminal, threads) in &reading.against {
            let machine = &self.machines[*terminal];
            let next = machine.step(threads, byte);
            if machine.has_matched(&next) {
                return Vec::new();
            }
            against.push((*terminal, next));
        }
        let may_skip = self.may_skip(reading);
        let groups = match &reading.piece {
            Some(piece) => vec![piece.clone()],
            None => {
                let mut allowed = self.parser.allowed(&reading.chart);
                if may_skip {
                    allowed.extend(&self.grammar.ignored);
                    allowed.sort_unstable();
                    allowed.dedup();
                }
                let begin = |terminal: usize| (terminal, self.machines[terminal].start());
                let tries = allowed.into_iter().map(begin);
                match self.discipline {
                    Discipline::Longest => vec![tries.collect()],
                    _ => tries.map(|one| vec![one]).collect(),
                }
            }
        };
        let mut all = Vec::new();
        for group in groups {
            let (mut matched, mut longer) = (Vec::new(), Vec::new());
            for (terminal, threads) in group {
                let machine = &self.machines[terminal];
                let next = machine.step(&threads, byte);
                if machine.has_matched(&next) {
                    matched.push(terminal);
                }
                longer.push((terminal, machine.longer(&next)));
            }
            longer.retain(|one| !one.1.is_empty());
            if !longer.is_empty() {
                all.push(Reading {
                    piece: Some(longer.clone()),
                    against: in_order(against.clone()),
                    ..reading.clone()
                });
            }
            if matched.is_empty() {
                continue;
            }
            let mut ignored = self.grammar.ignored.iter();
            let is_ignored = may_skip && ignored.any(|one| matched.contains(one));
            if let Some(chart) = self.parser.advance(&reading.chart, &matched, is_ignored) {
                let mut against = against.clone();
                if self.discipline != Discipline::DynamicComplete {
                    against.append(&mut longer);
                }
                all.push(Reading {
                    chart,
                    has_begun: true,
                    piece: None,
                    against: in_order(against),
                });
            }
        }
        all
    }

    fn key(&self, reading: &Reading) -> Key {
        let mut key = vec![reading.has_begun.into(), reading.piece.is_some().into()];
        let piece = reading.piece.iter().flatten();
        for (terminal, threads) in piece.chain(&reading.against) {
            key.extend([*terminal as u32, threads.len() as u32]);
            key.extend(threads.iter().map(|&thread| u32::from(thread)));
        }
        key.push(reading.piece.as_ref().map_or(0, Vec::len) as u32);
        key.push(u32::MAX);
        key.extend(self.parser.key(&reading.chart));
        key
    }

    fn is_finished(&self, reading: &Reading) -> bool {
        reading.piece.is_none() && self.parser.is_sentence(&reading.chart)
    }

    /// Whether a reading can be finished.
    fn verdict(&mut self, key: &Key, reading: &Reading) -> Verdict {
        if let Some(known) = self.known.get(key) {
            return known.clone();
        }
        // Of each reading that was met: where it came from, by which byte.
        let mut met = vec![(key.clone(), usize::MAX, 0u8)];
        let mut places = HashSet::from([key.clone()]);
        let mut due = vec![reading.clone()];
        let mut place = 0;
        while place < due.len() {
            let ending = match self.known.get(&met[place].0) {
                Some(Verdict::Viable(rest)) => Some(rest.clone()),
                _ if self.is_finished(&due[place]) => Some(Vec::new()),
                _ => None,
            };
            if let Some(mut rest) = ending {
                let mut at = place;
                loop {
                    let (key, from, byte) = met[at].clone();
                    self.known.insert(key, Verdict::Viable(rest.clone()));
                    if from == usize::MAX {
                        return Verdict::Viable(rest);
                    }
                    rest.insert(0, byte);
                    at = from;
                }
            }
            if due.len() > LOOKS {
                self.known.insert(key.clone(), Verdict::Unknown);
                return Verdict::Unknown;
            }
            if self.known.get(&met[place].0) != Some(&Verdict::Dead) {
                for &byte in &self.bytes {
                    for next in self.step(&due[place], byte) {
                        let key = self.key(&next);
                        if places.insert(key.clone()) {
                            met.push((key, place, byte));
                            due.push(next);
                        }
                    }
                }
            }
            place += 1;
        }
        for (key, ..) in met {
            self.known.insert(key, Verdict::Dead);
        }
        Verdict::Dead
    }

    /// The readings of a text that may be finished, and whether one can be.
    fn read(&mut self, text: &[u8]) -> (Readings, Verdict) {
        if let Some(known) = self.texts.get(text) {
            return known.clone();
        }
        let all = match text.split_last() {
            None => vec![Reading {
                chart: self.parser.start(),
                has_begun: false,
                piece: None,
                against: Vec::new(),
            }],
            Some((&byte, before)) => {
                let before = self.read(before).0;
                let before = before.iter();
                before.flat_map(|one| self.step(&one.1, byte)).collect()
            }
        };
        let mut kept: Vec<(Key, Reading)> = Vec::new();
        let mut best = Verdict::Dead;
        for reading in all {
            let key = self.key(&reading);
            if kept.iter().any(|one| one.0 == key) {
                continue;
            }
            let verdict = self.verdict(&key, &reading);
            if verdict != Verdict::Dead {
                kept.push((key, reading));
            }
            if best == Verdict::Dead || matches!(verdict, Verdict::Viable(_)) {
                best = verdict;
            }
        }
        let found = (Rc::new(kept), best);
        self.texts.insert(text.to_vec(), found.clone());
        found
    }

    /// Whether a text can be finished.
    pub fn viable(&mut self, text: &[u8]) -> Verdict {
        self.read(text).1
    }

    /// Whether a text is a sentence.
    pub fn is_sentence(&mut self, text: &[u8]) -> bool {
        let readings = self.read(text).0;
        readings.iter().any(|one| self.is_finished(&one.1))
    }
}

/// The bytes of these characters.
pub fn bytes(alphabet: &[char]) -> Vec<u8> {
    let text: String = alphabet.iter().collect();
    let mut bytes = text.into_bytes();
    bytes.sort_unstable();
    bytes.dedup();
    bytes
}

fn in_order(mut tries: Tries) -> Tries {
    tries.retain(|one| !one.1.is_empty());
    tries.sort_unstable();
    tries.dedup();
    tries
}
