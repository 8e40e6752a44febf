//! Lark's LALR(1) parser with a lexer of one winner, by definition: item sets with look-ahead,
//! joined where their items are the same, and texts, cut and parsed from left to right.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Item sets before they are joined, at most.
const MOST_SETS: usize = 600;
/// Actions for one symbol, at most; more are a circle.
const MOST_ACTIONS: usize = 1_000;

/// A terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// This text.
    Text(&'static str),
    /// One or more of these characters, by this name.
    Many(&'static str, &'static str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Rule(usize),
    Terminal(usize),
}

/// A part of an alternative, and whether it is optional.
pub type Optional = (Part, bool);

pub struct Rule {
    pub priority: u32,
    pub alternatives: Vec<Vec<Optional>>,
}

/// A grammar; its first rule is the start.
pub struct Rules {
    pub rules: Vec<Rule>,
    pub terminals: Vec<Pattern>,
    /// A terminal that may stand anywhere.
    pub ignored: Option<usize>,
}

/// Which terminals compete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Competing {
    /// Those that the parser can take in its state.
    Contextual,
    All,
}

/// Why there is no parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoParser {
    /// Optional parts make two alternatives equal, which Lark refuses.
    Twice,
    /// Two rules end at the same place.
    Conflict,
    /// The grammar is too large for a definition.
    TooLarge,
}

impl Pattern {
    fn written(self) -> String {
        match self {
            Pattern::Text(text) => format!("{text:?}"),
            Pattern::Many(name, _) => name.to_owned(),
        }
    }

    /// The length of its match at the beginning of a text.
    fn matched(self, text: &str) -> Option<usize> {
        let matched = match self {
            Pattern::Text(own) => text.starts_with(own).then_some(own.len()),
            Pattern::Many(_, of) => text.find(|char| !of.contains(char)).or(Some(text.len())),
        };
        matched.filter(|&length| length > 0)
    }
}

/// Writes it as Lark.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |rule: usize| match rule {
            0 => "start".to_owned(),
            _ => format!("r{rule}"),
        };
        let part = |&(part, is_optional): &Optional| {
            let written = match part {
                Part::Rule(rule) => name(rule),
                Part::Terminal(terminal) => self.terminals[terminal].written(),
            };
            match is_optional {
                true => format!("({written})?"),
                false => written,
            }
        };
        for (at, rule) in self.rules.iter().enumerate() {
            let alternatives = rule.alternatives.iter();
            let alternatives = alternatives.map(|parts| {
                let parts: Vec<String> = parts.iter().map(part).collect();
                parts.join(" ")
            });
            let alternatives: Vec<String> = alternatives.collect();
            let priority = match rule.priority {
                0 => String::new(),
                priority => format!(".{priority}"),
            };
            let body = alternatives.join(" | ");
            writeln!(f, "{}{priority}: {body}", name(at))?;
        }
        for terminal in &self.terminals {
            if let Pattern::Many(name, of) = terminal {
                writeln!(f, "{name}: /[{of}]+/")?;
            }
        }
        match self.ignored {
            Some(ignored) => writeln!(f, "%ignore {}", self.terminals[ignored].written()),
            None => Ok(()),
        }
    }
}

/// A terminal, or the end of the text.
type LookAhead = Option<usize>;

/// A production, the place in it, and what follows it. If it is `true`, that follows only what
/// begins within.
type Item = (usize, usize, LookAhead, bool);

/// The items without what follows.
type Core = BTreeSet<(usize, usize)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Shift(usize),
    Reduce(usize),
    Accept,
}

#[derive(Default)]
struct ParserState {
    actions: BTreeMap<LookAhead, Action>,
    gotos: BTreeMap<usize, usize>,
}

/// A parser. Its first production is that of the whole text.
pub struct Parser<'r> {
    of: &'r Rules,
    competing: Competing,
    productions: Vec<(usize, Vec<Part>)>,
    states: Vec<ParserState>,
}

/// What a parser says of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parsed {
    Sentence,
    Refused,
    /// Reductions of nothing go round in a circle.
    Endless,
}

/// The productions of all rules that the start leads to, after one of the start itself.
fn productions(of: &Rules) -> Result<Vec<(usize, Vec<Part>)>, NoParser> {
    let whole = of.rules.len();
    let mut productions = vec![(whole, vec![Part::Rule(0)])];
    let mut due = vec![0];
    let mut met = BTreeSet::from([0]);
    while let Some(rule) = due.pop() {
        let mut own: Vec<Vec<Part>> = Vec::new();
        for alternative in &of.rules[rule].alternatives {
            let mut all = vec![Vec::new()];
            for &(part, is_optional) in alternative {
                let without = if is_optional { all.clone() } else { Vec::new() };
                all.iter_mut().for_each(|parts| parts.push(part));
                all.extend(without);
            }
            own.extend(all);
        }
        for (at, parts) in own.iter().enumerate() {
            let is_twice = own[..at].contains(parts);
            if is_twice && !parts.is_empty() {
                return Err(NoParser::Twice);
            }
            for part in parts {
                if let Part::Rule(rule) = *part
                    && met.insert(rule)
                {
                    due.push(rule);
                }
            }
            if !is_twice {
                productions.push((rule, parts.clone()));
            }
        }
    }
    Ok(productions)
}

/// For each rule the terminals with which it begins, and whether it derives nothing.
struct Firsts {
    first: Vec<BTreeSet<usize>>,
    empty: Vec<bool>,
}

impl Firsts {
    fn new(rules: usize, productions: &[(usize, Vec<Part>)]) -> Self {
        let mut firsts = Firsts {
            first: vec![BTreeSet::new(); rules + 1],
            empty: vec![false; rules + 1],
        };
        loop {
            let mut grew = false;
            for (rule, parts) in productions {
                let (first, is_empty) = firsts.of(parts);
                let before = firsts.first[*rule].len();
                firsts.first[*rule].extend(first);
                grew |= firsts.first[*rule].len() > before || is_empty && !firsts.empty[*rule];
                firsts.empty[*rule] |= is_empty;
            }
            if !grew {
                return firsts;
            }
        }
    }

    fn of(&self, parts: &[Part]) -> (BTreeSet<usize>, bool) {
        let mut first = BTreeSet::new();
        for part in parts {
            match *part {
                Part::Terminal(terminal) => {
                    first.insert(terminal);
                    return (first, false);
                }
                Part::Rule(rule) => {
                    first.extend(&self.first[rule]);
                    if !self.empty[rule] {
                        return (first, false);
                    }
                }
            }
        }
        (first, true)
    }
}

impl<'r> Parser<'r> {
    /// The parser of a grammar.
    pub fn new(of: &'r Rules, competing: Competing) -> Result<Self, NoParser> {
        let productions = productions(of)?;
        let mut parser = Parser {
            of,
            competing,
            productions,
            states: Vec::new(),
        };
        let joined = parser.joined()?;
        let numbers: BTreeMap<&Core, usize> = joined.keys().zip(0..).collect();
        // The first state is that of the item with which a text begins.
        let mut states: Vec<ParserState> = Vec::new();
        for items in joined.values() {
            let state = parser.state(items, &numbers)?;
            states.push(state);
        }
        let is_first = |core: &&Core| core.contains(&(0, 0));
        let first = joined.keys().position(|core| is_first(&core));
        parser.states = states;
        parser.move_to_front(first.expect("a text begins"));
        Ok(parser)
    }

    /// Exchanges the number of a state with that of the first.
    fn move_to_front(&mut self, first: usize) {
        self.states.swap(0, first);
        let renumber = |state: &mut usize| {
            *state = match *state {
                0 => first,
                of if of == first => 0,
                of => of,
            };
        };
        for state in &mut self.states {
            state.gotos.values_mut().for_each(renumber);
            for action in state.actions.values_mut() {
                if let Action::Shift(to) = action {
                    renumber(to);
                }
            }
        }
    }

    fn closed(&self, mut items: BTreeSet<Item>, firsts: &Firsts) -> BTreeSet<Item> {
        let mut due: Vec<Item> = items.iter().copied().collect();
        while let Some((production, place, follows, _)) = due.pop() {
            let parts = &self.productions[production].1;
            let Some(&Part::Rule(rule)) = parts.get(place) else {
                continue;
            };
            let (first, is_empty) = firsts.of(&parts[place + 1..]);
            let mut ahead: Vec<LookAhead> = first.into_iter().map(Some).collect();
            ahead.extend(is_empty.then_some(follows));
            for (begun, (of, _)) in self.productions.iter().enumerate() {
                for &ahead in ahead.iter().filter(|_| *of == rule) {
                    let item = (begun, 0, ahead, false);
                    if items.insert(item) {
                        due.push(item);
                    }
                }
            }
        }
        items
    }

    /// The items after a part.
    fn moved(&self, items: &BTreeSet<Item>, part: Part) -> BTreeSet<Item> {
        let takes = |item: &&Item| self.productions[item.0].1.get(item.1) == Some(&part);
        let moved = items.iter().filter(takes);
        moved
            .map(|item| (item.0, item.1 + 1, item.2, item.3))
            .collect()
    }

    /// The parts that come next.
    fn next(&self, items: &BTreeSet<Item>) -> BTreeSet<Part> {
        let next = items.iter();
        next.filter_map(|item| self.productions[item.0].1.get(item.1).copied())
            .collect()
    }

    /// All item sets; those with the same items are one.
    fn joined(&self) -> Result<BTreeMap<Core, BTreeSet<Item>>, NoParser> {
        let firsts = Firsts::new(self.of.rules.len(), &self.productions);
        let begin = self.closed(BTreeSet::from([(0, 0, None, false)]), &firsts);
        let mut met = BTreeSet::from([begin.clone()]);
        let mut due = vec![begin];
        while let Some(items) = due.pop() {
            for part in self.next(&items) {
                let next = self.closed(self.moved(&items, part), &firsts);
                if met.insert(next.clone()) {
                    due.push(next);
                }
            }
            if met.len() > MOST_SETS {
                return Err(NoParser::TooLarge);
            }
        }
        let mut joined: BTreeMap<Core, BTreeSet<Item>> = BTreeMap::new();
        for items in met {
            joined.entry(core(&items)).or_default().extend(items);
        }
        while self.widen(&mut joined, &firsts) {}
        Ok(joined)
    }

    /// Widens look-ahead as Lark does: where a rule begins within itself, whatever follows the
    /// inner one follows the last part of the outer one, too. Returns whether there is more.
    fn widen(&self, joined: &mut BTreeMap<Core, BTreeSet<Item>>, firsts: &Firsts) -> bool {
        let mut grew = false;
        for own in joined.keys().cloned().collect::<Vec<Core>>() {
            let mut items = joined[&own].clone();
            for &(production, place) in own.iter().filter(|of| of.1 > 0) {
                let rule = self.productions[production].0;
                let is_inner = |of: &&Item| of.1 == 0 && self.productions[of.0].0 == rule;
                let inner: Vec<LookAhead> = items.iter().filter(is_inner).map(|of| of.2).collect();
                items.extend(
                    inner
                        .into_iter()
                        .map(|ahead| (production, place, ahead, true)),
                );
            }
            let items = self.closed(items, firsts);
            let next = self.next(&items).into_iter();
            let next = next.map(|part| self.closed(self.moved(&items, part), firsts));
            let next: Vec<BTreeSet<Item>> = next.chain([items.clone()]).collect();
            for items in next {
                let known = joined.entry(core(&items)).or_default();
                let before = known.len();
                known.extend(items);
                grew |= known.len() > before;
            }
        }
        grew
    }

    fn state(
        &self,
        items: &BTreeSet<Item>,
        numbers: &BTreeMap<&Core, usize>,
    ) -> Result<ParserState, NoParser> {
        let firsts = Firsts::new(self.of.rules.len(), &self.productions);
        let mut state = ParserState::default();
        for part in self.next(items) {
            let next = self.closed(self.moved(items, part), &firsts);
            let next = numbers[&core(&next)];
            match part {
                Part::Rule(rule) => {
                    state.gotos.insert(rule, next);
                }
                Part::Terminal(terminal) => {
                    state.actions.insert(Some(terminal), Action::Shift(next));
                }
            }
        }
        let mut ended: BTreeMap<LookAhead, Vec<usize>> = BTreeMap::new();
        for &(production, place, ahead, is_within) in items {
            if is_within || place < self.productions[production].1.len() {
                continue;
            }
            match production {
                0 => {
                    state.actions.insert(None, Action::Accept);
                }
                _ => ended.entry(ahead).or_default().push(production),
            }
        }
        for (ahead, mut productions) in ended {
            let priority = |&of: &usize| self.of.rules[self.productions[of].0].priority;
            productions.sort_by_key(|of| std::cmp::Reverse(priority(of)));
            if let [best, second, ..] = productions[..]
                && priority(&best) == priority(&second)
            {
                return Err(NoParser::Conflict);
            }
            let reduce = Action::Reduce(productions[0]);
            state.actions.entry(ahead).or_insert(reduce);
        }
        Ok(state)
    }

    /// The terminal that wins at the beginning of a text, and the length of its match.
    fn winner(&self, state: &ParserState, text: &str) -> Option<(usize, usize)> {
        let all = 0..self.of.terminals.len();
        let competes = |&terminal: &usize| match self.competing {
            Competing::All => self.is_used(terminal),
            Competing::Contextual => {
                self.of.ignored == Some(terminal) || state.actions.contains_key(&Some(terminal))
            }
        };
        let competing: Vec<usize> = all.filter(competes).collect();
        let pattern = |terminal: usize| self.of.terminals[terminal];
        // The longest match could be longer for those of any length.
        let many = competing.iter().copied().find_map(|terminal| {
            let is_many = matches!(pattern(terminal), Pattern::Many(..));
            let length = pattern(terminal).matched(text)?;
            is_many.then_some((terminal, length))
        });
        if let Some((terminal, length)) = many {
            // A text that is one of the strings is that one.
            let is_whole =
                |&of: &usize| matches!(pattern(of), Pattern::Text(own) if own == &text[..length]);
            let keyword = competing.iter().copied().find(is_whole);
            return Some((keyword.unwrap_or(terminal), length));
        }
        let matched = competing.iter().copied();
        let matched = matched.filter_map(|of| Some((of, pattern(of).matched(text)?)));
        let is_keyword = |of: &usize| {
            let Pattern::Text(own) = pattern(*of) else {
                return false;
            };
            let mut others = competing.iter().map(|&other| pattern(other));
            others.any(|other| {
                matches!(other, Pattern::Many(..)) && other.matched(own) == Some(own.len())
            })
        };
        matched
            .filter(|(of, _)| !is_keyword(of))
            .max_by_key(|of| of.1)
    }

    /// Whether a rule that counts uses a terminal, or it is ignored.
    fn is_used(&self, terminal: usize) -> bool {
        let mut parts = self.productions.iter().flat_map(|of| &of.1);
        self.of.ignored == Some(terminal) || parts.any(|part| *part == Part::Terminal(terminal))
    }

    /// What the parser says of a text.
    pub fn parse(&self, text: &str) -> Parsed {
        let mut stack = vec![0];
        let mut rest = text;
        loop {
            let state = &self.states[*stack.last().expect("a state")];
            let ahead = match rest {
                "" => None,
                _ => {
                    let Some((terminal, length)) = self.winner(state, rest) else {
                        return Parsed::Refused;
                    };
                    rest = &rest[length..];
                    if self.of.ignored == Some(terminal) {
                        continue;
                    }
                    Some(terminal)
                }
            };
            if let Some(parsed) = self.take(&mut stack, ahead) {
                return parsed;
            }
        }
    }

    /// Takes a terminal, or the end. Returns the verdict on the text, if there is one then.
    fn take(&self, stack: &mut Vec<usize>, ahead: LookAhead) -> Option<Parsed> {
        for _ in 0..MOST_ACTIONS {
            let state = &self.states[*stack.last().expect("a state")];
            match state.actions.get(&ahead) {
                None => return Some(Parsed::Refused),
                Some(Action::Accept) => return Some(Parsed::Sentence),
                Some(&Action::Shift(to)) => {
                    stack.push(to);
                    return None;
                }
                Some(&Action::Reduce(production)) => {
                    let (rule, parts) = &self.productions[production];
                    stack.truncate(stack.len() - parts.len());
                    let uncovered = &self.states[*stack.last().expect("a state")];
                    stack.push(uncovered.gotos[rule]);
                }
            }
        }
        Some(Parsed::Endless)
    }
}

fn core(items: &BTreeSet<Item>) -> Core {
    items.iter().map(|item| (item.0, item.1)).collect()
}
