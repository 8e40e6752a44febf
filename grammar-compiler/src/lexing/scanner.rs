//! The terminals that a text may be within, all at once.
//!
//! In: automata of terminals, and the discipline by which they compete. Out: [`Scanner`]: states
//! that say of each terminal that is still possible how far it is, and for each the terminals that
//! end there ([`Scanner::ends`]). States are made as they are asked for.

use maskwright_regular::{Accept, After, TerminalDfa};

use super::byte_classes::{ByteClasses, after, next};
use super::obligation::{Obligation, ScanState};
use crate::grammar::lexer::Discipline;
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded};
use crate::maps::IdMap;

/// The stage, as a passed limit names it.
const DOING: &str = "following all terminals at once";

/// Entries that all states together may have, some hundred megabytes.
const MOST_ENTRIES: usize = 1 << 25;

/// A terminal within a state: its number, its state, and whether it is there as a keyword only.
pub(super) type Entry = (u16, u32, bool);

/// What competes, and how.
pub(super) struct Competitor<'a> {
    pub(super) dfa: &'a TerminalDfa,
    /// Its place in the order in which terminals are tried.
    pub(super) rank: u32,
    pub(super) keyword_of: Vec<u16>,
    pub(super) only_keyword: bool,
    /// It is tried only as a keyword, wherever.
    pub(super) is_hidden: bool,
    /// Where it matches, no terminal goes on.
    pub(super) is_lazy: bool,
    /// It is a byte of an embedded grammar, which competes with nothing.
    pub(super) is_raw: bool,
}

/// The terminals that end at a place, and what must hold for that.
#[derive(Clone, Debug)]
pub(super) struct End {
    /// The terminals, ascending.
    pub(super) terminals: Vec<u16>,
    /// The obligations that come with it, after the byte that follows.
    pub(super) obligations: Vec<Obligation>,
}

/// How a text goes on by a byte after a state.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    /// The terminals that end before the byte.
    pub(super) ends: Vec<End>,
    /// The states in which terminals go on with the byte, with obligations.
    pub(super) longer: Vec<(ScanState, Vec<Obligation>)>,
}

/// A choice among what may end at a state, before the byte that follows is taken.
struct Choice {
    /// The terminals that end.
    terminals: Vec<u16>,
    /// The entries that go on beside, and those that must not match after all.
    longer: Vec<Entry>,
    tries: Vec<Entry>,
    obligations: Vec<Obligation>,
}

/// The states of all terminals at once.
pub(super) struct Scanner<'a> {
    competitors: Vec<Competitor<'a>>,
    discipline: Discipline,
    pub(super) classes: ByteClasses,
    states: Interner<Vec<Entry>>,
    next: IdMap<(ScanState, u8), Option<ScanState>>,
    /// The entries of all states.
    entries: usize,
    deadline: &'a Deadline,
}

impl<'a> Scanner<'a> {
    /// The scanner of these terminals. Its other methods count their work and have no error: where
    /// states are made, [`check`](Self::check) is asked often.
    ///
    /// # Errors
    ///
    /// If the time is over.
    pub(super) fn new(
        competitors: Vec<Competitor<'a>>,
        discipline: Discipline,
        deadline: &'a Deadline,
    ) -> Result<Self, LimitExceeded> {
        let classes = ByteClasses::new(competitors.iter().map(|of| of.dfa), deadline)?;
        Ok(Scanner {
            competitors,
            discipline,
            classes,
            states: Interner::new(),
            next: IdMap::default(),
            entries: 0,
            deadline,
        })
    }

    /// Fails if the time is over, or if all states together are too large.
    pub(super) fn check(&self) -> Result<(), LimitExceeded> {
        self.deadline.confirm(DOING)?;
        if self.entries <= MOST_ENTRIES {
            return Ok(());
        }
        Err(LimitExceeded::new(
            "terminals",
            MOST_ENTRIES,
            "too many terminals may go on at too many places",
        ))
    }

    /// Counts work. What it finds is told by the next [`check`](Self::check).
    fn work(&self, units: usize) {
        let _ = self.deadline.ticks(units, DOING);
    }

    /// The state before these terminals, ascending.
    pub(super) fn start(&mut self, terminals: &[u16]) -> ScanState {
        let is_within = |terminal: &u16| terminals.binary_search(terminal).is_ok();
        let mut entries: Vec<Entry> = Vec::new();
        for &terminal in terminals {
            let of = &self.competitors[usize::from(terminal)];
            if of.dfa.states.is_empty() {
                continue;
            }
            let is_keyword = of.keyword_of.iter().any(is_within);
            if is_keyword {
                entries.push((terminal, 0, true));
            }
            if !(of.is_hidden || is_keyword && of.only_keyword) {
                entries.push((terminal, 0, false));
            }
        }
        self.state(entries)
    }

    /// The number of states made so far.
    pub(super) fn count(&self) -> usize {
        self.states.values.len()
    }

    /// Whether no byte goes on from a state.
    pub(super) fn is_last(&self, state: ScanState) -> bool {
        let entries = &self.states.values[state.index()];
        let is_last = |&(terminal, at, _): &Entry| {
            let dfa = self.competitors[usize::from(terminal)].dfa;
            dfa.states[at as usize].next.is_empty()
        };
        self.is_cut(entries) || entries.iter().all(is_last)
    }

    /// Whether a lazy terminal has matched, so that none goes on.
    fn is_cut(&self, entries: &[Entry]) -> bool {
        let is_longest = self.discipline == Discipline::LongestOfAll;
        is_longest && entries.iter().any(|entry| self.ends_others(entry))
    }

    /// Whether an entry is of a lazy terminal that has matched.
    fn ends_others(&self, entry: &Entry) -> bool {
        self.competitors[usize::from(entry.0)].is_lazy && self.accept(entry) == Accept::Always
    }

    /// Where a byte of a class leads, if any terminal goes on with it.
    pub(super) fn next(&mut self, state: ScanState, class: u8) -> Option<ScanState> {
        if let Some(&known) = self.next.get(&(state, class)) {
            return known;
        }
        let entries = self.states.values[state.index()].clone();
        self.work(entries.len());
        let next = self.moved(&entries, class);
        self.next.insert((state, class), next);
        next
    }

    fn moved(&mut self, entries: &[Entry], class: u8) -> Option<ScanState> {
        if self.is_cut(entries) {
            return None;
        }
        let byte = self.classes.example[usize::from(class)];
        let step = |&(terminal, at, keyword): &Entry| {
            let dfa = self.competitors[usize::from(terminal)].dfa;
            Some((terminal, next(dfa, at, byte)?, keyword))
        };
        let moved: Vec<Entry> = entries.iter().filter_map(step).collect();
        (!moved.is_empty()).then(|| self.state(moved))
    }

    /// The state with these entries, without those that a winner cuts off.
    fn state(&mut self, mut entries: Vec<Entry>) -> ScanState {
        if self.is_cut(&entries) {
            entries.retain(|entry| self.ends_others(entry));
        }
        if self.discipline == Discipline::OneWinner {
            let rank = |entry: &Entry| (entry.2, self.competitors[usize::from(entry.0)].rank);
            entries.sort_by_key(rank);
            let wins = |entry: &Entry| self.competes(entry) && self.accept(entry) == Accept::Always;
            if let Some(winner) = entries.iter().position(wins) {
                let mut place = 0;
                entries.retain(|entry| {
                    place += 1;
                    place <= winner + 1 || !self.competes(entry)
                });
            }
            let plain: Vec<u16> = (entries.iter().filter(|entry| self.competes(entry)))
                .map(|entry| entry.0)
                .collect();
            self.work(entries.len() * plain.len());
            entries.retain(|entry| {
                let of = &self.competitors[usize::from(entry.0)].keyword_of;
                !entry.2 || of.iter().any(|of| plain.contains(of))
            });
        }
        let (before, count) = (self.count(), entries.len());
        self.work(count);
        let state = ScanState::new(self.states.intern(entries));
        if self.count() > before {
            self.entries += count;
        }
        state
    }

    /// Whether a match of an entry makes a difference to others: it is neither there as a keyword
    /// only nor a byte of an embedded grammar.
    fn competes(&self, entry: &Entry) -> bool {
        !entry.2 && !self.competitors[usize::from(entry.0)].is_raw
    }

    fn accept(&self, &(terminal, at, _): &Entry) -> Accept {
        self.competitors[usize::from(terminal)].dfa.states[at as usize].accept
    }

    /// Whether a try that is here has matched, whatever follows.
    pub(super) fn has_matched(&self, state: ScanState) -> bool {
        let entries = &self.states.values[state.index()];
        entries
            .iter()
            .any(|entry| self.competes(entry) && self.accept(entry) == Accept::Always)
    }

    /// The conditions under which a try that is here has matched.
    pub(super) fn conditions(&self, state: ScanState) -> Vec<(u16, u32)> {
        let of = |entry: &Entry| match self.accept(entry) {
            Accept::If(condition) if self.competes(entry) => Some((entry.0, condition)),
            _ => None,
        };
        self.states.values[state.index()]
            .iter()
            .filter_map(of)
            .collect()
    }

    /// What is known of a condition of a terminal after a byte of a class.
    pub(super) fn after(&self, terminal: u16, condition: u32, class: u8) -> After {
        let byte = self.classes.example[usize::from(class)];
        after(self.competitors[usize::from(terminal)].dfa, condition, byte)
    }

    /// Whether a condition of a terminal holds if the text ends.
    pub(super) fn at_end(&self, terminal: u16, condition: u32) -> bool {
        let dfa = self.competitors[usize::from(terminal)].dfa;
        dfa.conditions[condition as usize].at_end
    }

    /// How a text in `state` goes on by a byte of a class.
    pub(super) fn step(&mut self, state: ScanState, class: u8) -> Step {
        let mut step = Step::default();
        for choice in self.choices(state, Some(class)) {
            let longer = self.moved(&choice.longer, class);
            if let Some(longer) = longer {
                let longer = (longer, choice.obligations.clone());
                if !step.longer.contains(&longer) {
                    step.longer.push(longer);
                }
            }
            if choice.terminals.is_empty() {
                continue;
            }
            let mut obligations = choice.obligations;
            if let Some(tried) = self.moved(&choice.tries, class) {
                if self.has_matched(tried) {
                    continue;
                }
                obligations.push(Obligation::no_match(tried));
            }
            step.ends.push(End {
                terminals: choice.terminals,
                obligations,
            });
        }
        step
    }

    /// The sets of terminals that end at the end of the text.
    pub(super) fn last(&mut self, state: ScanState) -> Vec<Vec<u16>> {
        let choices = self.choices(state, None).into_iter();
        let ends = choices.map(|choice| choice.terminals);
        ends.filter(|terminals| !terminals.is_empty()).collect()
    }

    /// The sets of terminals that match what has been read, whatever follows; `None` if something
    /// depends on what follows.
    pub(super) fn ends(&self, state: ScanState) -> Option<Vec<Vec<u16>>> {
        if !self.conditions(state).is_empty() {
            return None;
        }
        let choices = self.choices(state, None).into_iter();
        Some(
            choices
                .map(|choice| choice.terminals)
                .filter(|all| !all.is_empty())
                .collect(),
        )
    }

    /// All sets of terminals that match what has been read, whatever the conditions turn out to be.
    pub(super) fn sets(&self, state: ScanState) -> Vec<Vec<u16>> {
        let mut sets = vec![Vec::new()];
        let entries = &self.states.values[state.index()];
        self.work(entries.len());
        for entry in entries.iter().filter(|entry| self.competes(entry)) {
            let more: Vec<Vec<u16>> = match self.accept(entry) {
                Accept::Never => continue,
                Accept::Always => Vec::new(),
                Accept::If(_) => sets.clone(),
            };
            self.work(sets.len());
            sets.iter_mut().for_each(|set| set.push(entry.0));
            sets.extend(more);
        }
        // Where lazy terminals match, no others count.
        let lazy = entries.iter().filter(|entry| self.ends_others(entry));
        sets.push(lazy.map(|entry| entry.0).collect());
        sets.push(self.raw(entries));
        sets.retain(|set| !set.is_empty());
        sets
    }

    /// The bytes of embedded grammars that have been read.
    fn raw(&self, entries: &[Entry]) -> Vec<u16> {
        let is_raw = |entry: &&Entry| {
            let of = &self.competitors[usize::from(entry.0)];
            of.is_raw && self.accept(entry) == Accept::Always
        };
        entries.iter().filter(is_raw).map(|entry| entry.0).collect()
    }

    /// The choices at a state: `class` is that of the byte which follows, `None` at the end.
    fn choices(&self, state: ScanState, class: Option<u8>) -> Vec<Choice> {
        let all = &self.states.values[state.index()];
        self.work(all.len());
        let raw = self.raw(all);
        let is_raw = |entry: &&Entry| self.competitors[usize::from(entry.0)].is_raw;
        let entries: Vec<Entry> = all.iter().filter(|of| !is_raw(of)).copied().collect();
        let mut choices = match self.discipline {
            Discipline::OneWinner => self.winners(&entries, class),
            Discipline::LongestEach => self.each(&entries, class),
            Discipline::LongestOfAll | Discipline::AllCuts => self.together(&entries, class),
        };
        if !raw.is_empty() {
            choices.push(Choice {
                terminals: raw,
                longer: Vec::new(),
                tries: Vec::new(),
                obligations: Vec::new(),
            });
        }
        choices
    }

    /// Whether an entry ends before a byte, and what must hold of what follows.
    fn outcome(&self, entry: &Entry, class: Option<u8>) -> After {
        match (self.accept(entry), class) {
            (Accept::Never, _) => After::Fails,
            (Accept::Always, _) => After::Holds,
            (Accept::If(condition), Some(class)) => self.after(entry.0, condition, class),
            (Accept::If(condition), None) if self.at_end(entry.0, condition) => After::Holds,
            (Accept::If(_), None) => After::Fails,
        }
    }

    /// All that end count together.
    fn together(&self, entries: &[Entry], class: Option<u8>) -> Vec<Choice> {
        let tries = match self.discipline {
            Discipline::AllCuts => Vec::new(),
            _ => entries.to_vec(),
        };
        let mut choices = vec![Choice {
            terminals: Vec::new(),
            longer: entries.to_vec(),
            tries,
            obligations: Vec::new(),
        }];
        for entry in entries {
            match self.outcome(entry, class) {
                After::Fails => {}
                After::Holds => choices.iter_mut().for_each(|of| of.terminals.push(entry.0)),
                After::Depends(condition) => {
                    let mut with = Vec::new();
                    self.work(choices.len() * entries.len());
                    for choice in &mut choices {
                        let mut terminals = choice.terminals.clone();
                        terminals.push(entry.0);
                        let mut obligations = choice.obligations.clone();
                        obligations.push(Obligation::must(entry.0, condition));
                        with.push(Choice {
                            terminals,
                            // They go on in the other choice.
                            longer: Vec::new(),
                            tries: choice.tries.clone(),
                            obligations,
                        });
                        if self.discipline == Discipline::LongestOfAll {
                            choice
                                .obligations
                                .push(Obligation::must_not(entry.0, condition));
                        }
                    }
                    choices.append(&mut with);
                }
            }
        }
        if choices.len() > 1 {
            // What goes on does so whatever the conditions turn out to be.
            choices.iter_mut().for_each(|choice| choice.longer.clear());
            choices.push(Choice {
                terminals: Vec::new(),
                longer: entries.to_vec(),
                tries: Vec::new(),
                obligations: Vec::new(),
            });
        }
        choices
    }

    /// Each that ends counts by itself.
    fn each(&self, entries: &[Entry], class: Option<u8>) -> Vec<Choice> {
        let mut choices = vec![Choice {
            terminals: Vec::new(),
            longer: entries.to_vec(),
            tries: Vec::new(),
            obligations: Vec::new(),
        }];
        for entry in entries {
            let obligations = match self.outcome(entry, class) {
                After::Fails => continue,
                After::Holds => Vec::new(),
                After::Depends(condition) => vec![Obligation::must(entry.0, condition)],
            };
            choices.push(Choice {
                terminals: vec![entry.0],
                longer: Vec::new(),
                tries: vec![*entry],
                obligations,
            });
        }
        choices
    }

    /// The first in order wins.
    fn winners(&self, entries: &[Entry], class: Option<u8>) -> Vec<Choice> {
        let plain = entries.iter().take_while(|entry| !entry.2).count();
        let (plain, keywords) = entries.split_at(plain);
        let mut choices = Vec::new();
        let mut obligations = Vec::new();
        for (place, entry) in plain.iter().enumerate() {
            let outcome = self.outcome(entry, class);
            let own = match outcome {
                After::Fails => continue,
                After::Holds => None,
                After::Depends(condition) => Some(Obligation::must(entry.0, condition)),
            };
            let tries = plain[..=place].to_vec();
            choices.push(Choice {
                terminals: vec![self.keyword(entry.0, keywords)],
                longer: [&plain[..=place], keywords].concat(),
                tries,
                obligations: obligations.iter().copied().chain(own).collect(),
            });
            match outcome {
                After::Depends(condition) => {
                    obligations.push(Obligation::must_not(entry.0, condition));
                }
                _ => return choices,
            }
        }
        choices.push(Choice {
            terminals: Vec::new(),
            longer: entries.to_vec(),
            tries: Vec::new(),
            obligations,
        });
        choices
    }

    /// The terminal that a match of `winner` is: a keyword with the same text, or itself.
    fn keyword(&self, winner: u16, keywords: &[Entry]) -> u16 {
        let is = |entry: &&Entry| {
            let of = &self.competitors[usize::from(entry.0)].keyword_of;
            of.contains(&winner) && self.accept(entry) == Accept::Always
        };
        keywords.iter().find(is).map_or(winner, |entry| entry.0)
    }
}
