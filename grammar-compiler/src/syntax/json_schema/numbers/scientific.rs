//! Normalised scientific texts, `-?[1-9](\.[0-9]+)?[eE][+-]?[0-9]+`, of a set of numbers.
//!
//! In: the automaton of the set's plain texts. Out: that of the scientific ones, and of zeros with
//! any exponent.
//!
//! While the digits are read, the exponent is not known yet. So all plain texts that they may stand
//! for are followed at once, by the exponent n that leads to each ([`DigitsRead`]):
//!
//! ```text
//! digits 1 2 3    n =  0     1.23      shifted[0]
//!                 n =  1     12.3      shifted[1]
//!                 n >= 2     123       whole, then n - 2 zeros
//!                 n = -1     0.123     small[0]
//!                 n = -2     0.0123    small[1], …
//! ```
//!
//! After some number of leading zeros the states repeat, so `small` is finite. `shifted` grows with
//! each digit, unless its last entry behaves as `whole` does: accepts every continuation, or none.
//! For sets made of bounds this happens after some digits. For integers and multiples it never
//! happens, and there is no finite automaton, so texts have no more than [`DIGITS`]. At the `e` the
//! states say for which exponents the number is in the set: from some exponent on this repeats too
//! ([`exponents`]).

mod exponents;

use super::texts::{explore, step, walk};
use crate::grammar::words::Words;
use crate::maps::{IdMap, own_keys};
use exponents::{ExponentReading, Exponents, Periodic, Sets};

/// States that the texts may need. The automaton is joined with that of the plain texts, which is
/// as a rule much smaller.
const STATES: usize = 2_000;

/// Digits that a number has at most, as long as all of them may stand before the point and matter:
/// those of a 64-bit float.
const DIGITS: usize = 17;

/// A state of the plain texts' automaton, or what a continuation cannot change.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Plain {
    /// In no set: every continuation fails.
    Never,
    /// Every continuation is in the set.
    Always,
    State(u32),
}

own_keys!(Plain);

/// What the digits so far may stand for.
#[derive(Clone, PartialEq, Eq, Hash)]
struct DigitsRead {
    negative: bool,
    /// Whether the point has been read, and a digit after it.
    point: bool,
    fraction: bool,
    /// For the exponents from 0 up for which digits follow the point already; of those at the end
    /// that behave as `whole` does, none is kept.
    shifted: Vec<Plain>,
    /// For the larger exponents.
    whole: Plain,
    /// For the negative exponents.
    small: Vec<Plain>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum ScientificState {
    Start,
    Minus,
    /// Zeros only; whether the point has been read, and a digit after it.
    Zero {
        point: bool,
        fraction: bool,
    },
    Digits(DigitsRead),
    /// An exponent, and whether it may end.
    Exponent(ExponentReading, bool),
}

/// The scientific texts; `None` if there would be too many states.
pub fn texts(plain: &Words) -> Option<Words> {
    let mut reader = ScientificReader::new(plain);
    explore(
        ScientificState::Start,
        |states| (states <= STATES).then_some(()).ok_or(()),
        |state, byte| reader.step(state, byte),
        |state| matches!(state, ScientificState::Exponent(_, true)),
    )
    .ok()
}

struct ScientificReader<'w> {
    plain: &'w Words,
    /// The plain texts' states that accept every continuation.
    always: Vec<bool>,
    positive: SmallStates,
    negative: SmallStates,
    exponents: Sets,
}

/// The states after `0.`, `0.0`, `0.00`, … and how many of the last repeat for ever.
#[derive(Default)]
struct SmallStates {
    states: Vec<Plain>,
    period: usize,
}

impl<'w> ScientificReader<'w> {
    fn new(plain: &'w Words) -> Self {
        let mut reader = ScientificReader {
            plain,
            always: always(plain),
            positive: SmallStates::default(),
            negative: SmallStates::default(),
            exponents: Sets::default(),
        };
        let after = |text| walk(plain, 0, text).map_or(Plain::Never, |s| reader.known(s));
        let (positive, negative) = (after(b"0."), after(b"-0."));
        let orbit = |start| {
            let (states, period) = reader.orbit(start);
            SmallStates { states, period }
        };
        (reader.positive, reader.negative) = (orbit(positive), orbit(negative));
        reader
    }

    fn known(&self, state: u32) -> Plain {
        match self.always[state as usize] {
            true => Plain::Always,
            false => Plain::State(state),
        }
    }

    fn follow(&self, state: Plain, byte: u8) -> Plain {
        match state {
            Plain::State(state) => {
                step(self.plain, state, byte).map_or(Plain::Never, |s| self.known(s))
            }
            constant => constant,
        }
    }

    fn accepts(&self, state: Plain) -> bool {
        match state {
            Plain::Never => false,
            Plain::Always => true,
            Plain::State(state) => self.plain.is_final(state),
        }
    }

    /// The states that zeros lead to from `start`, itself the first, and how many of the last
    /// repeat for ever.
    fn orbit(&self, start: Plain) -> (Vec<Plain>, usize) {
        let mut places = IdMap::default();
        let mut states = Vec::new();
        let mut state = start;
        loop {
            if let Some(place) = places.insert(state, states.len()) {
                let period = states.len() - place;
                return (states, period);
            }
            states.push(state);
            state = self.follow(state, b'0');
        }
    }

    fn step(&mut self, state: &ScientificState, byte: u8) -> Option<ScientificState> {
        match (state, byte) {
            (ScientificState::Start, b'-') => Some(ScientificState::Minus),
            (ScientificState::Start | ScientificState::Minus, b'0') => {
                let zero = walk(self.plain, 0, b"0")?;
                self.plain.is_final(zero).then_some(ScientificState::Zero {
                    point: false,
                    fraction: false,
                })
            }
            (ScientificState::Start, b'1'..=b'9') => self.first(false, byte),
            (ScientificState::Minus, b'1'..=b'9') => self.first(true, byte),
            (&ScientificState::Zero { point, fraction }, _) => self.zero(point, fraction, byte),
            (ScientificState::Digits(digits), _) => self.digits(digits, byte),
            (&ScientificState::Exponent(reading, _), _) => {
                let reading = self.exponents.step(reading, byte)?;
                Some(self.exponent(reading))
            }
            _ => None,
        }
    }

    fn zero(&mut self, point: bool, fraction: bool, byte: u8) -> Option<ScientificState> {
        match byte {
            b'.' if !point => Some(ScientificState::Zero {
                point: true,
                fraction,
            }),
            b'0' if point => Some(ScientificState::Zero {
                point,
                fraction: true,
            }),
            b'e' | b'E' if point == fraction => {
                let all = || Periodic::new(vec![true], 1);
                let reading = self.exponents.begin(Exponents {
                    up: all(),
                    down: all(),
                });
                Some(self.exponent(reading))
            }
            _ => None,
        }
    }

    /// The first digit, which is not 0.
    fn first(&self, negative: bool, byte: u8) -> Option<ScientificState> {
        let sign = if negative { &b"-"[..] } else { b"" };
        let begin = walk(self.plain, 0, sign).map_or(Plain::Never, Plain::State);
        let small = if negative {
            &self.negative
        } else {
            &self.positive
        };
        let step = |&state: &Plain| self.follow(state, byte);
        let digits = DigitsRead {
            negative,
            point: false,
            fraction: false,
            shifted: Vec::new(),
            whole: self.follow(begin, byte),
            small: small.states.iter().map(step).collect(),
        };
        digits
            .is_possible()
            .then_some(ScientificState::Digits(digits))
    }

    fn digits(&mut self, digits: &DigitsRead, byte: u8) -> Option<ScientificState> {
        match byte {
            b'.' if !digits.point => Some(ScientificState::Digits(DigitsRead {
                point: true,
                ..digits.clone()
            })),
            b'0'..=b'9' if digits.point && digits.shifted.len() + 1 < DIGITS => {
                let step = |&state: &Plain| self.follow(state, byte);
                let mut shifted: Vec<Plain> = digits.shifted.iter().map(step).collect();
                shifted.push(self.follow(self.follow(digits.whole, b'.'), byte));
                let whole = self.follow(digits.whole, byte);
                if !matches!(whole, Plain::State(_)) {
                    while shifted.pop_if(|last| *last == whole).is_some() {}
                }
                let digits = DigitsRead {
                    fraction: true,
                    shifted,
                    whole,
                    small: digits.small.iter().map(step).collect(),
                    ..*digits
                };
                digits
                    .is_possible()
                    .then_some(ScientificState::Digits(digits))
            }
            b'e' | b'E' if digits.point == digits.fraction => {
                let exponents = self.exponents_of(digits);
                let reading = self.exponents.begin(exponents);
                Some(self.exponent(reading))
            }
            _ => None,
        }
    }

    /// With which exponents the number is in the set.
    fn exponents_of(&self, digits: &DigitsRead) -> Exponents {
        let (zeros, zeros_period) = self.orbit(digits.whole);
        let up = digits.shifted.iter().chain(&zeros);
        let up: Vec<bool> = up.map(|&state| self.accepts(state)).collect();
        let small = digits.small.iter().map(|&state| self.accepts(state));
        let down = up.iter().copied().take(1).chain(small).collect();
        let small_period = match digits.negative {
            true => self.negative.period,
            false => self.positive.period,
        };
        Exponents {
            up: Periodic::new(up, zeros_period),
            down: Periodic::new(down, small_period),
        }
    }

    fn exponent(&self, reading: ExponentReading) -> ScientificState {
        ScientificState::Exponent(reading, self.exponents.is_final(reading))
    }
}

impl DigitsRead {
    fn is_possible(&self) -> bool {
        let mut states = self.shifted.iter().chain(&self.small);
        self.whole != Plain::Never || states.any(|state| *state != Plain::Never)
    }
}

/// Which states accept every continuation: digits, and before the point also a point and digits.
fn always(plain: &Words) -> Vec<bool> {
    let digits = |state: u32| {
        let edges = plain.states[state as usize].edges.iter();
        let to = edges.filter(|edge| edge.0 >= b'0');
        match to.collect::<Vec<_>>()[..] {
            [&(b'0', b'9', to)] => Some(to),
            _ => None,
        }
    };
    let repeats = |state: u32| plain.is_final(state) && digits(state) == Some(state);
    let is_always = |state: u32| {
        let point = step(plain, state, b'.').and_then(digits);
        repeats(state) && point.is_some_and(repeats)
    };
    let is_fraction = |state: u32| repeats(state) && step(plain, state, b'.').is_none();
    (0..plain.states.len() as u32)
        .map(|state| is_always(state) || is_fraction(state))
        .collect()
}
