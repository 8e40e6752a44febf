//! Long counted repetitions, one iteration at a time; large automata and strings of bounded length,
//! one state at a time.
//!
//! In: right parts. Out: right parts without long repetitions, which have become references to
//! rules of [`CountRules`]: `X{min,max}` is `X` and the rule `X{min-1,max-1}`, which is made in the
//! same way when a text comes to it. What holds: the language is the same, and each rule is small,
//! however much is counted.
//!
//! An automaton of many states becomes a reference as well. Its rule has no right part:
//! [`Rules`](super::rules::Rules) reads the edges of a state when a text comes to it.
//!
//! Where no token is long enough to come to a bound, it is as if there were none: for the mask
//! there, [`CountRules::endless`] gives rules that do not count, and [`CountRules::uncounted`]
//! states that do not.

use std::sync::Arc;

use crate::maps::{IdMap, own_keys};

use super::ends::Ends;
use super::left_recursion::{LeftRecursion, Texts};
use super::productive::has_sentence;
use super::work::Work;
use super::{GaveUp, MAX_COUNTS};
use crate::bits::Bits;
use crate::grammar::{BoundedWords, Expr, Graph, GraphState, RuleId, Words};

/// A repetition of fewer iterations is written out.
const LONG: u32 = 12;

/// An automaton of fewer states is copied.
const LARGE: usize = 64;

/// A state of an automaton that is read state by state, with the rule that stands for the
/// automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct AutomatonState {
    pub(super) rule: RuleId,
    pub(super) state: u32,
}

own_keys!(AutomatonState);

/// Rules behind those of a grammar.
#[derive(Clone, Debug)]
pub(super) struct CountRules {
    /// The number of rules of the grammar.
    rules: usize,
    made: Vec<CountRule>,
    /// Whether some of them count.
    have_bounds: bool,
    /// The number of rules of which it is known whether they have sentences.
    told: usize,
    ids: IdMap<Count, RuleId>,
    endless: IdMap<(RuleId, bool), RuleId>,
    /// For a rule the one without its empty text.
    filled: IdMap<RuleId, RuleId>,
    /// The rules of large automata, by where these lie in memory.
    automata: IdMap<usize, RuleId>,
    /// The rules of the grammar's long repetitions, by where these lie in memory.
    repetitions: IdMap<usize, RuleId>,
}

#[derive(Clone, Debug)]
enum CountRule {
    /// What is repeated.
    Unit(Expr),
    /// A large automaton, and what is known of its states.
    Automaton(Arc<Words>, Ends),
    /// An automaton whose characters are counted.
    Bounded(Arc<BoundedWords>),
    Count(Count),
    /// A repetition whose bounds are out of reach. It may end unless its least number is out of
    /// reach.
    Endless {
        unit: RuleId,
        may_end: bool,
    },
    /// A rule without its empty text, and whether another text is left.
    Filled(RuleId, bool),
}

impl CountRule {
    /// The texts of the rule, where those of the rules made before it are known.
    fn texts(&self, left: &LeftRecursion, productive: &Bits) -> Texts {
        match self {
            CountRule::Unit(expr) => left.texts_of_part(expr, productive),
            CountRule::Automaton(words, _) => {
                left.texts_of_part(&Expr::Words(words.clone()), productive)
            }
            CountRule::Bounded(words) => {
                left.texts_of_part(&Expr::Bounded(words.clone()), productive)
            }
            CountRule::Count(Count { unit, min, max }) => {
                let unit = left.texts_of(*unit);
                Texts {
                    empty: *min == 0 || unit.empty,
                    others: *max != Some(0) && unit.others,
                }
            }
            CountRule::Endless { unit, may_end } => Texts {
                empty: *may_end,
                others: left.texts_of(*unit).others,
            },
            CountRule::Filled(_, others) => Texts {
                empty: false,
                others: *others,
            },
        }
    }
}

/// A repetition of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Count {
    unit: RuleId,
    min: u32,
    max: Option<u32>,
}

own_keys!(Count);

impl CountRules {
    /// None yet, behind so many rules.
    pub(super) fn new(rules: usize) -> Self {
        CountRules {
            rules,
            made: Vec::new(),
            have_bounds: false,
            told: 0,
            ids: IdMap::default(),
            endless: IdMap::default(),
            filled: IdMap::default(),
            automata: IdMap::default(),
            repetitions: IdMap::default(),
        }
    }

    /// Whether some rule made so far counts. If none does, nothing is [endless](Self::endless) or
    /// [uncounted](Self::uncounted).
    pub(super) fn have_bounds(&self) -> bool {
        self.have_bounds
    }

    /// The rule that does not count, for a rule whose bounds cannot be reached in so many
    /// iterations. The automata of both have the same form. `has_empty` says whether a right part
    /// takes the empty text: then a text can go through any number of iterations without a byte.
    pub(super) fn endless(
        &mut self,
        rule: RuleId,
        iterations: u32,
        has_empty: impl Fn(&Expr) -> bool,
    ) -> Option<RuleId> {
        let CountRule::Count(Count { unit, min, max }) = *self.made_for(rule)? else {
            return None;
        };
        let is_written_out = max.unwrap_or(min) < LONG;
        if is_written_out || max.is_some_and(|max| max <= iterations) {
            return None;
        }
        if min > 0 && (min <= iterations || self.unit_has_empty(unit, has_empty)) {
            return None;
        }
        let key = (unit, min == 0);
        if let Some(&known) = self.endless.get(&key) {
            return Some(known);
        }
        let (unit, may_end) = key;
        let id = self.add(CountRule::Endless { unit, may_end });
        self.endless.insert(key, id);
        Some(id)
    }

    /// The place of a rule among those that were made here.
    fn place(&self, rule: RuleId) -> Option<usize> {
        (rule.0 as usize).checked_sub(self.rules)
    }

    fn made_for(&self, rule: RuleId) -> Option<&CountRule> {
        self.made.get(self.place(rule)?)
    }

    fn unit_has_empty(&self, unit: RuleId, has_empty: impl Fn(&Expr) -> bool) -> bool {
        match self.made_for(unit) {
            Some(CountRule::Unit(expr)) => has_empty(expr),
            Some(CountRule::Automaton(words, _)) => words.is_final(0),
            Some(CountRule::Bounded(words)) => words.is_final(0),
            _ => has_empty(&Expr::Ref(unit)),
        }
    }

    /// Whether a rule stands for an automaton that is read state by state.
    pub(super) fn is_automaton(&self, rule: RuleId) -> bool {
        matches!(
            self.made_for(rule),
            Some(CountRule::Automaton(..) | CountRule::Bounded(_))
        )
    }

    /// Whether a word may end in a state of an automaton; its edges to states behind which words
    /// end are added to `edges`. `None` if there is no such state.
    ///
    /// # Errors
    /// If the step has too much work.
    pub(super) fn read(
        &mut self,
        at: AutomatonState,
        edges: &mut Vec<(u8, u8, u32)>,
        work: &mut Work,
    ) -> Result<Option<bool>, GaveUp> {
        let place = self.place(at.rule);
        let made = place.and_then(|place| self.made.get_mut(place));
        Ok(match made {
            Some(CountRule::Automaton(words, ends)) => {
                let Some(state) = words.states.get(at.state as usize) else {
                    return Ok(None);
                };
                for edge in &state.edges {
                    if ends.lie_behind(words, edge.2, work)? {
                        edges.push(*edge);
                    }
                }
                Some(state.is_final)
            }
            Some(CountRule::Bounded(words)) => {
                edges.extend(words.edges(at.state));
                Some(words.is_final(at.state))
            }
            _ => None,
        })
    }

    /// About how many bytes of memory they take, without the automata, which are the grammar's.
    pub(super) fn memory(&self) -> usize {
        let made = size_of::<CountRule>() * self.made.capacity();
        let ids = size_of::<(Count, RuleId)>() * self.ids.capacity();
        let places = self.automata.capacity() + self.repetitions.capacity();
        made + ids + size_of::<(usize, RuleId)>() * places
    }

    /// The state of the automaton that does not count, for a state of one that counts characters:
    /// for any such state, or only if no text of at most so many characters tells the two apart.
    pub(super) fn uncounted(
        &mut self,
        at: AutomatonState,
        characters: Option<u32>,
    ) -> Option<AutomatonState> {
        let CountRule::Bounded(bounded) = self.made_for(at.rule)? else {
            return None;
        };
        let state = bounded.unbounded(at.state, characters)?;
        let words = bounded.words().clone();
        let rule = self.rule_of_words(&words);
        Some(AutomatonState { rule, state })
    }

    /// The state that a character leads to from `from`, where characters are counted, if it leads
    /// to the state `to` of the automaton that does not count.
    pub(super) fn counted(&self, from: AutomatonState, to: u32) -> Option<AutomatonState> {
        let CountRule::Bounded(bounded) = self.made_for(from.rule)? else {
            return None;
        };
        let state = bounded.behind(from.state, to)?;
        Some(AutomatonState { state, ..from })
    }

    /// The right part of a rule that was made here. `None` if there are too many of them, and for
    /// an automaton.
    pub(super) fn expr(&mut self, rule: RuleId) -> Option<Expr> {
        if self.made.len() >= MAX_COUNTS {
            return None;
        }
        Some(match *self.made_for(rule)? {
            CountRule::Unit(ref expr) => expr.clone(),
            CountRule::Automaton(..) | CountRule::Bounded(_) | CountRule::Filled(..) => {
                return None;
            }
            CountRule::Count(count) => self.unroll(count),
            CountRule::Endless { unit, may_end } => iteration(unit, rule, may_end),
        })
    }

    /// The rule that stands for a part of the grammar, if that is a long repetition or a large
    /// automaton. It is the same each time. The part has to stay where it lies in memory.
    pub(super) fn of_part(&mut self, part: &Expr) -> Option<RuleId> {
        match part {
            Expr::Repeat { expr, min, max } if max.unwrap_or(*min) >= LONG => {
                let place = std::ptr::from_ref(part).addr();
                if let Some(&known) = self.repetitions.get(&place) {
                    return Some(known);
                }
                let unit = match self.shorten(expr) {
                    Expr::Ref(rule) => rule,
                    expr => self.add(CountRule::Unit(expr)),
                };
                let (min, max) = (*min, *max);
                let rule = self.count(Count { unit, min, max });
                self.repetitions.insert(place, rule);
                Some(rule)
            }
            Expr::Words(words) if is_large(words) => Some(self.rule_of_words(words)),
            Expr::Bounded(words) => Some(self.rule_of_bounded(words)),
            _ => None,
        }
    }

    /// A part of the grammar in which long repetitions and large automata are references.
    fn shorten(&mut self, expr: &Expr) -> Expr {
        if let Some(rule) = self.of_part(expr) {
            return Expr::Ref(rule);
        }
        match expr {
            Expr::Repeat { expr, min, max } => Expr::Repeat {
                expr: self.shorten(expr).into(),
                min: *min,
                max: *max,
            },
            Expr::Seq(parts) => Expr::Seq(self.shorten_all(parts)),
            Expr::Alt(parts) => Expr::Alt(self.shorten_all(parts)),
            Expr::Graph(graph) => {
                let mut shorten = |state: &GraphState| GraphState {
                    is_final: state.is_final,
                    edges: (state.edges.iter())
                        .map(|(part, to)| (self.shorten(part), *to))
                        .collect(),
                };
                let states = graph.states.iter().map(&mut shorten).collect();
                Expr::Graph(Graph { states }.into())
            }
            other => other.clone(),
        }
    }

    /// The rule of a large automaton.
    fn rule_of_words(&mut self, words: &Arc<Words>) -> RuleId {
        let place = Arc::as_ptr(words).addr();
        self.rule_of_automaton(place, || {
            CountRule::Automaton(words.clone(), Ends::default())
        })
    }

    /// The rule of an automaton whose characters are counted.
    fn rule_of_bounded(&mut self, words: &Arc<BoundedWords>) -> RuleId {
        let place = Arc::as_ptr(words).addr();
        self.rule_of_automaton(place, || CountRule::Bounded(words.clone()))
    }

    /// The rule of the automaton at a place in memory. Each automaton has one, however often it
    /// occurs. It lies there as long as its rule does, which holds it.
    fn rule_of_automaton(&mut self, place: usize, made: impl FnOnce() -> CountRule) -> RuleId {
        if let Some(&known) = self.automata.get(&place) {
            return known;
        }
        let id = self.add(made());
        self.automata.insert(place, id);
        id
    }

    fn shorten_all(&mut self, parts: &[Expr]) -> Vec<Expr> {
        parts.iter().map(|part| self.shorten(part)).collect()
    }

    /// The rule of a repetition.
    fn count(&mut self, count: Count) -> RuleId {
        if let Some(&known) = self.ids.get(&count) {
            return known;
        }
        let id = self.add(CountRule::Count(count));
        self.ids.insert(count, id);
        id
    }

    /// The first iteration of a repetition, and a reference to the others.
    fn unroll(&mut self, Count { unit, min, max }: Count) -> Expr {
        if max.unwrap_or(min) < LONG {
            let expr = Box::new(Expr::Ref(unit));
            return Expr::Repeat { expr, min, max };
        }
        let others = Count {
            unit,
            min: min.saturating_sub(1),
            max: max.map(|max| max - 1),
        };
        let others = self.count(others);
        iteration(unit, others, min == 0)
    }

    /// The rule that takes what another one takes, but for the empty text.
    pub(super) fn filled(&mut self, rule: RuleId, has_text: bool) -> RuleId {
        if let Some(&known) = self.filled.get(&rule) {
            return known;
        }
        let id = self.add(CountRule::Filled(rule, has_text));
        self.filled.insert(rule, id);
        id
    }

    /// The rule that this one takes the texts of, but for the empty one.
    pub(super) fn of_filled(&self, rule: RuleId) -> Option<RuleId> {
        match *self.made_for(rule)? {
            CountRule::Filled(rule, _) => Some(rule),
            _ => None,
        }
    }

    /// Adds the rules made since the last call to those that have sentences, if they have some, and
    /// to what is known of left recursion.
    pub(super) fn tell(&mut self, productive: &mut Bits, left: Option<&mut LeftRecursion>) {
        if let Some(left) = left {
            for (at, made) in self.made.iter().enumerate().skip(self.told) {
                let rule = RuleId((self.rules + at) as u32);
                left.add(rule, made.texts(left, productive));
            }
        }
        self.tell_productive(productive);
    }

    fn tell_productive(&mut self, productive: &mut Bits) {
        for (at, made) in self.made.iter().enumerate().skip(self.told) {
            let has = match made {
                CountRule::Unit(expr) => has_sentence(expr, productive, &mut 0),
                CountRule::Automaton(words, _) => !words.is_empty(),
                CountRule::Bounded(words) => !words.is_empty(),
                CountRule::Count(count) => {
                    count.min == 0 || productive.contains(count.unit.0 as usize)
                }
                CountRule::Endless { unit, .. } => productive.contains(unit.0 as usize),
                CountRule::Filled(_, has_text) => *has_text,
            };
            if has {
                productive.insert(self.rules + at);
            }
        }
        self.told = self.made.len();
    }

    fn add(&mut self, made: CountRule) -> RuleId {
        self.have_bounds |= matches!(made, CountRule::Count(_) | CountRule::Bounded(_));
        self.made.push(made);
        RuleId((self.rules + self.made.len() - 1) as u32)
    }
}

/// A unit and others, or nothing.
fn iteration(unit: RuleId, others: RuleId, may_end: bool) -> Expr {
    let all = Expr::Seq(vec![Expr::Ref(unit), Expr::Ref(others)]);
    match may_end {
        true => Expr::Alt(vec![Expr::Seq(Vec::new()), all]),
        false => all,
    }
}

fn is_large(words: &Words) -> bool {
    words.states.len() >= LARGE
}
