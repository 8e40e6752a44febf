//! A machine that matches a pattern byte by byte: a list of threads, the preferred one first.

use crate::pattern::Pattern;

#[derive(Debug)]
enum Instruction {
    /// One of these bytes.
    Byte(Vec<u8>),
    /// Here or there; here is preferred.
    Split(usize, usize),
    Match,
}

/// The machine of one pattern.
#[derive(Debug)]
pub struct Machine {
    program: Vec<Instruction>,
    start: usize,
    /// Whether a match ends all threads that are less preferred, as in a search that goes back.
    prefers: bool,
}

/// Threads, by instruction.
pub type Threads = Vec<u16>;

impl Machine {
    /// The machine of a pattern.
    pub fn new(pattern: &Pattern, prefers: bool) -> Self {
        let mut machine = Machine {
            program: vec![Instruction::Match],
            start: 0,
            prefers,
        };
        machine.start = machine.add(pattern, 0);
        machine
    }

    fn push(&mut self, instruction: Instruction) -> usize {
        self.program.push(instruction);
        self.program.len() - 1
    }

    /// Adds a pattern that goes on at `next`; programs are written from back to front, so that a
    /// byte goes on where a separate edge says.
    fn add(&mut self, pattern: &Pattern, next: usize) -> usize {
        match pattern {
            Pattern::Class(chars) | Pattern::Not(_, chars) => {
                let mut starts = chars.iter().map(|char| {
                    let mut buffer = [0; 4];
                    char.encode_utf8(&mut buffer).to_owned()
                });
                let first = starts.next().expect("a class has a character");
                let first = self.add(&Pattern::Text(first), next);
                starts.fold(first, |all, char| {
                    let this = self.add(&Pattern::Text(char), next);
                    self.push(Instruction::Split(all, this))
                })
            }
            Pattern::Text(text) => text.bytes().rev().fold(next, |next, byte| {
                // An edge to `next` is a split with one side.
                let jump = self.push(Instruction::Split(next, next));
                let at = self.push(Instruction::Byte(vec![byte]));
                debug_assert_eq!(at, jump + 1);
                at
            }),
            Pattern::Seq(parts) => {
                let parts = parts.iter().rev();
                parts.fold(next, |next, part| self.add(part, next))
            }
            Pattern::Alt(parts) => {
                let mut starts = parts.iter().rev();
                let last = starts.next().expect("a choice has a part");
                let last = self.add(last, next);
                starts.fold(last, |others, part| {
                    let this = self.add(part, next);
                    self.push(Instruction::Split(this, others))
                })
            }
            Pattern::Repeat {
                of,
                min,
                max,
                is_lazy,
            } => {
                let split = |one: usize, other: usize| match is_lazy {
                    true => Instruction::Split(other, one),
                    false => Instruction::Split(one, other),
                };
                let end = match max {
                    None => {
                        let back = self.push(Instruction::Match);
                        let body = self.add(of, back);
                        self.program[back] = split(body, next);
                        back
                    }
                    Some(max) => (*min..*max).fold(next, |after, _| {
                        let body = self.add(of, after);
                        self.push(split(body, next))
                    }),
                };
                (0..*min).fold(end, |next, _| self.add(of, next))
            }
        }
    }

    /// The threads before the first byte.
    pub fn start(&self) -> Threads {
        let mut threads = Vec::new();
        let mut met = vec![false; self.program.len()];
        self.follow(self.start, &mut met, &mut threads);
        self.order(threads)
    }

    /// The threads after a byte.
    pub fn step(&self, threads: &[u16], byte: u8) -> Threads {
        let mut next = Vec::new();
        let mut met = vec![false; self.program.len()];
        for &thread in threads {
            if let Instruction::Byte(bytes) = &self.program[usize::from(thread)]
                && bytes.contains(&byte)
                && self.follow(usize::from(thread) - 1, &mut met, &mut next)
            {
                break;
            }
        }
        self.order(next)
    }

    /// Whether the threads have matched.
    pub fn has_matched(&self, threads: &[u16]) -> bool {
        threads.contains(&0)
    }

    /// The threads that go on.
    pub fn longer(&self, threads: &[u16]) -> Threads {
        let going = threads.iter().copied();
        going.filter(|&thread| thread != 0).collect()
    }

    fn order(&self, mut threads: Threads) -> Threads {
        if !self.prefers {
            threads.sort_unstable();
        }
        threads
    }

    /// Adds what `at` leads to; whether that ends all others.
    fn follow(&self, at: usize, met: &mut [bool], threads: &mut Threads) -> bool {
        if std::mem::replace(&mut met[at], true) {
            return false;
        }
        match self.program[at] {
            Instruction::Split(one, other) => {
                self.follow(one, met, threads) || self.follow(other, met, threads)
            }
            Instruction::Byte(_) => {
                threads.push(at as u16);
                false
            }
            Instruction::Match => {
                threads.push(0);
                self.prefers
            }
        }
    }
}
