//! Terminals as they are read, whatever the parser.
//!
//! In: the scanner, and what must hold of the text that follows. Out: [`Lexemes`]: a *point* is a
//! state of the scanner with obligations; it says where each byte leads, and which terminals end
//! there. What an end leaves behind is a [`Ghost`]: for each byte that may follow, what must hold
//! behind that byte. Few ghosts are different, so they stand for all that a text has left behind.

use std::rc::Rc;

use super::SymbolGrammar;
use super::obligation::ScanState;
use super::obligations::{NONE, ObligationSets, Obligations};
use super::scanner::Scanner;
use crate::id::id;
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::maps::IdMap;
use crate::pda::{Class, Classes};

/// The stage, as a passed limit names it.
const DOING: &str = "compiling the lexer into the automaton";

/// The largest number of obligations at once.
const MOST_OBLIGATIONS: usize = 16;

id! {
    /// A state of the scanner with obligations, those after all bytes that were taken.
    pub(super) struct PointId;
}

id! {
    /// A [`Ghost`].
    pub(super) struct GhostId;
}

id! {
    /// A set of terminals that compete, with the state of the scanner before them.
    pub(super) struct StartId;
}

id! {
    /// A set of terminals that end at once.
    pub(super) struct EndedId;
}

/// What must hold of the text that follows a terminal: for each class of bytes that may come next
/// the obligations behind it, ascending; and whether the text may end.
type GhostKey = (Vec<(u8, Obligations)>, bool);

/// What a text has left behind, before the byte that follows.
#[derive(Clone, Debug)]
pub(super) struct Ghost {
    /// The classes of bytes that may come next, each with obligations behind it, ascending.
    pub(super) next: Rc<[(u8, Obligations)]>,
    /// Whether the text may end.
    pub(super) at_end: bool,
}

/// What a byte of a class does at a point.
#[derive(Clone, Debug, Default)]
pub(super) struct ClassStep {
    /// The points at which terminals go on.
    pub(super) longer: Vec<PointId>,
    /// The ends of terminals before the byte, by number, with the obligations behind the byte.
    pub(super) ends: Vec<(usize, Obligations)>,
}

/// All that can happen at a point.
#[derive(Clone, Debug, Default)]
pub(super) struct PointSteps {
    /// For each class of bytes.
    pub(super) classes: Vec<ClassStep>,
    /// The sets of terminals that end there, each with the ghost behind it.
    pub(super) ends: Vec<(EndedId, GhostId)>,
    /// The points at which terminals go on, with any byte, ascending.
    pub(super) longer: Vec<PointId>,
}

/// All points that were met.
pub(super) struct Lexemes<'a> {
    grammar: &'a SymbolGrammar,
    /// The classes of symbols.
    symbol_classes: Classes,
    limits: &'a Limits,
    deadline: &'a Deadline,
    pub(super) scanner: Scanner<'a>,
    obligations: ObligationSets,
    starts: Interner<(Vec<u16>, ScanState)>,
    ended: Interner<Vec<u16>>,
    points: Interner<(ScanState, Obligations)>,
    steps: Vec<Option<Rc<PointSteps>>>,
    ghosts: Interner<GhostKey>,
    known_ghosts: Vec<Ghost>,
    between: IdMap<Obligations, GhostId>,
    /// The class of the symbol that a set of terminals is where others compete.
    symbols: IdMap<(StartId, EndedId), Option<Class>>,
}

impl<'a> Lexemes<'a> {
    /// Nothing is known of them yet.
    ///
    /// # Errors
    ///
    /// If the time is over.
    pub(super) fn new(
        grammar: &'a SymbolGrammar,
        symbol_classes: Classes,
        limits: &'a Limits,
        deadline: &'a Deadline,
    ) -> Result<Self, LimitExceeded> {
        let scanner = Scanner::new(grammar.competitors(), grammar.lexer.discipline, deadline)?;
        Ok(Lexemes {
            grammar,
            symbol_classes,
            limits,
            deadline,
            scanner,
            obligations: ObligationSets::new(),
            starts: Interner::new(),
            ended: Interner::new(),
            points: Interner::new(),
            steps: Vec::new(),
            ghosts: Interner::new(),
            known_ghosts: Vec::new(),
            between: IdMap::default(),
            symbols: IdMap::default(),
        })
    }

    /// The number of classes of bytes.
    pub(super) fn classes(&self) -> usize {
        self.scanner.classes.count()
    }

    /// The start of these terminals, ascending.
    pub(super) fn start(&mut self, terminals: Vec<u16>) -> StartId {
        let state = self.scanner.start(&terminals);
        StartId::new(self.starts.intern((terminals, state)))
    }

    /// The state of the scanner at a start.
    pub(super) fn scan(&self, start: StartId) -> ScanState {
        self.starts.values[start.index()].1
    }

    /// The point after the first byte of a terminal, given the obligations behind it.
    pub(super) fn first(
        &mut self,
        start: StartId,
        class: u8,
        behind: Obligations,
    ) -> Option<PointId> {
        let scan = self.scanner.next(self.scan(start), class)?;
        Some(self.point(scan, behind))
    }

    fn point(&mut self, scan: ScanState, obligations: Obligations) -> PointId {
        let point = PointId::new(self.points.intern((scan, obligations)));
        if point.index() == self.steps.len() {
            self.steps.push(None);
        }
        point
    }

    /// The state of the scanner and the obligations of a point.
    pub(super) fn of_point(&self, point: PointId) -> (ScanState, Obligations) {
        self.points.values[point.index()]
    }

    /// What can happen at a point.
    pub(super) fn steps(&mut self, point: PointId) -> Result<Rc<PointSteps>, LimitExceeded> {
        if let Some(known) = &self.steps[point.index()] {
            return Ok(known.clone());
        }
        if point.index() >= self.limits.automaton_states {
            return Err(LimitExceeded::new(
                "automaton_states",
                self.limits.automaton_states,
                "the terminals overlap in too many ways",
            ));
        }
        let (scan, obligations) = self.of_point(point);
        let mut steps = PointSteps::default();
        let mut ends: Vec<(EndedId, GhostKey)> = Vec::new();
        let count = self.classes();
        self.deadline.ticks(1 + count, DOING)?;
        for class in 0..count as u8 {
            self.scanner.check()?;
            let step = self.class_step(scan, obligations, class, &mut ends);
            steps.longer.extend(&step.longer);
            steps.classes.push(step);
        }
        if self.obligations.hold_at_end(obligations, &self.scanner) {
            for terminals in self.scanner.last(scan) {
                let end = self.end(&terminals, &mut ends);
                ends[end].1.1 = true;
            }
        }
        if self.obligations.largest() > MOST_OBLIGATIONS {
            return Err(LimitExceeded::new(
                "obligations",
                MOST_OBLIGATIONS,
                "too many terminals may turn out to be longer at once",
            ));
        }
        steps.longer.sort_unstable();
        steps.longer.dedup();
        for (ended, ghost) in ends {
            steps.ends.push((ended, self.ghost(ghost)));
        }
        let steps = Rc::new(steps);
        self.steps[point.index()] = Some(steps.clone());
        Ok(steps)
    }

    fn class_step(
        &mut self,
        scan: ScanState,
        obligations: Obligations,
        class: u8,
        ends: &mut Vec<(EndedId, GhostKey)>,
    ) -> ClassStep {
        let mut out = ClassStep::default();
        let Some(left) = (self.obligations).after(obligations, class, &mut self.scanner) else {
            return out;
        };
        let step = self.scanner.step(scan, class);
        for (scan, more) in step.longer {
            let obligations = self.obligations.with(left, &more);
            out.longer.push(self.point(scan, obligations));
        }
        for end in step.ends {
            let behind = self.obligations.with(left, &end.obligations);
            let place = self.end(&end.terminals, ends);
            ends[place].1.0.push((class, behind));
            out.ends.push((place, behind));
        }
        out
    }

    /// The place of a set of terminals among the ends of a point.
    fn end(&mut self, terminals: &[u16], ends: &mut Vec<(EndedId, GhostKey)>) -> usize {
        let ended = EndedId::new(self.ended.intern(terminals.to_vec()));
        let known = ends.iter().position(|end| end.0 == ended);
        known.unwrap_or_else(|| {
            ends.push((ended, (Vec::new(), false)));
            ends.len() - 1
        })
    }

    fn ghost(&mut self, mut key: GhostKey) -> GhostId {
        key.0.sort_unstable();
        key.0.dedup();
        let ghost = Ghost {
            next: key.0.as_slice().into(),
            at_end: key.1,
        };
        let id = GhostId::new(self.ghosts.intern(key));
        if id.index() == self.known_ghosts.len() {
            self.known_ghosts.push(ghost);
        }
        id
    }

    /// A ghost by its number.
    pub(super) fn of_ghost(&self, ghost: GhostId) -> Ghost {
        self.known_ghosts[ghost.index()].clone()
    }

    /// What obligations leave behind.
    pub(super) fn between(&mut self, obligations: Obligations) -> GhostId {
        if let Some(&known) = self.between.get(&obligations) {
            return known;
        }
        let mut next = Vec::new();
        for class in 0..self.classes() as u8 {
            if let Some(behind) = (self.obligations).after(obligations, class, &mut self.scanner) {
                next.push((class, behind));
            }
        }
        let at_end = self.obligations.hold_at_end(obligations, &self.scanner);
        let ghost = self.ghost((next, at_end));
        self.between.insert(obligations, ghost);
        ghost
    }

    /// What is left behind before the text.
    pub(super) fn at_start(&mut self) -> GhostId {
        self.between(NONE)
    }

    /// The sets of terminals that end at a state whatever follows, if nothing goes on there.
    pub(super) fn ends_at_once(&mut self, scan: ScanState) -> Option<Vec<EndedId>> {
        if !self.scanner.is_last(scan) {
            return None;
        }
        let ends = self.scanner.ends(scan)?;
        let ended = ends.into_iter();
        Some(
            ended
                .map(|of| EndedId::new(self.ended.intern(of)))
                .collect(),
        )
    }

    /// Whether a terminal is among these that may stand anywhere.
    pub(super) fn has_ignored(&self, ended: EndedId) -> bool {
        self.grammar.has_ignored(&self.ended.values[ended.index()])
    }

    /// The class of the symbol that `ended` are where the terminals of `start` compete.
    pub(super) fn symbol(&mut self, start: StartId, ended: EndedId) -> Option<Class> {
        if let Some(&known) = self.symbols.get(&(start, ended)) {
            return known;
        }
        // Counted here; a look that is due is told by the next one that has an error.
        let sizes = self.grammar.symbols.iter().map(Vec::len);
        let _ = self.deadline.ticks(sizes.sum(), DOING);
        let is_parsed = |terminal: &&u16| !self.grammar.is_ignored(**terminal);
        let of_ended = self.ended.values[ended.index()].iter();
        let parsed: Vec<u16> = of_ended.filter(is_parsed).copied().collect();
        let competing = &self.starts.values[start.index()].0;
        let is = |set: &Vec<u16>| {
            let competes = |terminal: &&u16| competing.binary_search(terminal).is_ok();
            let mut of = set.iter().filter(is_parsed).filter(competes);
            parsed.iter().all(|terminal| of.next() == Some(terminal)) && of.next().is_none()
        };
        let found = match parsed.is_empty() {
            true => None,
            false => self.grammar.symbols.iter().position(is),
        };
        let class = found.map(|symbol| self.symbol_classes.of(symbol as u8));
        self.symbols.insert((start, ended), class);
        class
    }

    /// Whether at most this many states can be reached from a start.
    pub(super) fn reaches_few(
        &mut self,
        start: StartId,
        most: usize,
    ) -> Result<bool, LimitExceeded> {
        let mut found = vec![self.scan(start)];
        let mut at = 0;
        while at < found.len() {
            self.deadline.ticks(self.classes(), DOING)?;
            for class in 0..self.classes() {
                if let Some(next) = self.scanner.next(found[at], class as u8)
                    && !found.contains(&next)
                {
                    found.push(next);
                }
            }
            if found.len() > most {
                return Ok(false);
            }
            at += 1;
        }
        Ok(true)
    }
}
