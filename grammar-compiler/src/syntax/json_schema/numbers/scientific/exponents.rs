//! Sets of exponents, and reading one digit by digit.
//!
//! In: for each exponent whether it is in the set; from some exponent on in each direction that
//! repeats. Out: the steps of an automaton over `[+-]?[0-9]+`.

use crate::maps::{IdMap, KeyedMap};

/// A set of natural numbers that repeats after its beginning.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Periodic {
    /// The beginning, then one period, which is not empty.
    bits: Vec<bool>,
    period: usize,
}

impl Periodic {
    /// The set whose beginning and first period are `bits`; both are made as short as can be.
    pub fn new(mut bits: Vec<bool>, mut period: usize) -> Self {
        let start = bits.len() - period;
        let repeats = |&by: &usize| {
            period.is_multiple_of(by)
                && (start..start + period - by).all(|i| bits[i] == bits[i + by])
        };
        if let Some(shorter) = (1..period).find(repeats) {
            period = shorter;
            bits.truncate(start + period);
        }
        while bits.len() > period && bits[bits.len() - 1] == bits[bits.len() - 1 - period] {
            bits.pop();
        }
        Periodic { bits, period }
    }

    /// The least number that behaves as `number` does, whatever digits follow.
    fn class(&self, number: usize) -> usize {
        let start = self.bits.len() - self.period;
        match number.checked_sub(start) {
            Some(past) => start + past % self.period,
            None => number,
        }
    }
}

/// Exponents by sign; 0 is in both or in neither.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Exponents {
    /// The exponents from 0 up.
    pub up: Periodic,
    /// The exponents from 0 down.
    pub down: Periodic,
}

/// An exponent under way.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExponentReading {
    /// After the `e`; the set by its number.
    E(u32),
    /// After the sign: the half of the set.
    Sign(u32),
    /// After a digit: the class of the exponent so far.
    Digits(u32, usize),
}

/// Sets of exponents by number, and their halves by number.
#[derive(Default)]
pub struct Sets {
    sets: Vec<(u32, u32)>,
    set_ids: IdMap<(u32, u32), u32>,
    halves: Vec<Periodic>,
    half_ids: KeyedMap<Periodic, u32>,
}

impl Sets {
    /// Reads an exponent of this set.
    pub fn begin(&mut self, exponents: Exponents) -> ExponentReading {
        let set = (self.half(exponents.up), self.half(exponents.down));
        let next = self.sets.len() as u32;
        let id = *self.set_ids.entry(set).or_insert(next);
        if id == next {
            self.sets.push(set);
        }
        ExponentReading::E(id)
    }

    fn half(&mut self, half: Periodic) -> u32 {
        let next = self.halves.len() as u32;
        let id = *self.half_ids.entry(half.clone()).or_insert(next);
        if id == next {
            self.halves.push(half);
        }
        id
    }

    /// Goes on with a byte.
    pub fn step(&self, reading: ExponentReading, byte: u8) -> Option<ExponentReading> {
        let (half, number) = match (reading, byte) {
            (ExponentReading::E(set), b'+') => {
                return Some(ExponentReading::Sign(self.sets[set as usize].0));
            }
            (ExponentReading::E(set), b'-') => {
                return Some(ExponentReading::Sign(self.sets[set as usize].1));
            }
            (ExponentReading::E(set), _) => (self.sets[set as usize].0, 0),
            (ExponentReading::Sign(half), _) => (half, 0),
            (ExponentReading::Digits(half, number), _) => (half, number),
        };
        if !byte.is_ascii_digit() {
            return None;
        }
        let number = number * 10 + usize::from(byte - b'0');
        let class = self.halves[half as usize].class(number);
        Some(ExponentReading::Digits(half, class))
    }

    /// Whether the exponent may end here.
    pub fn is_final(&self, reading: ExponentReading) -> bool {
        match reading {
            ExponentReading::Digits(half, number) => self.halves[half as usize].bits[number],
            _ => false,
        }
    }
}
