//! Repetitions as nonterminals of their own, in Lark's way.
//!
//! What holds after: `x*` and `x+` share one left-recursive nonterminal; counts of [`LARGE`] and
//! more are split into factors, so that the number of productions grows with their logarithm.

use super::tree::{NodeId, Trees};
use std::collections::HashMap;

/// The least upper bound of a count that is split into factors; smaller ones are written out.
const LARGE: u32 = 50;

/// The largest factor.
const FACTOR: u64 = 5;

/// How many symbols a repetition takes, at most; nothing for those without a bound.
pub(super) fn size(min: u32, max: Option<u32>) -> usize {
    match max {
        None => min.min(LARGE) as usize,
        Some(max) if max < LARGE => (min..=max).sum::<u32>() as usize,
        // Two nonterminals with about 20 symbols for each factor, which is 2 at least.
        Some(_) => 64 * 20,
    }
}

/// What tells the nonterminals of repetitions apart.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    /// The expression, at least once.
    Plus(NodeId),
    /// `first`, `times` times, then `last`, `more` times.
    Exactly {
        times: u64,
        more: u64,
        first: NodeId,
        last: NodeId,
    },
    /// At most `times * n + more - 1` times `last`, where `first` is `n` times `last`.
    Below {
        times: u64,
        more: u64,
        first: NodeId,
        last: NodeId,
    },
}

/// The nonterminals that stand for repetitions.
pub(super) struct Repetitions {
    known: HashMap<Key, u32>,
    /// Those without productions yet: the number of the nonterminal and what it derives.
    pub(super) new: Vec<(u32, NodeId)>,
    /// The number of the next nonterminal.
    pub(super) next: u32,
}

impl Repetitions {
    /// None yet; `next` is the number of the first.
    pub(super) fn new(next: u32) -> Self {
        let (known, new) = (HashMap::new(), Vec::new());
        Self { known, new, next }
    }

    /// `of`, from `min` to `max` times.
    ///
    /// Lark has no `x{m,}` with `m` above 1: it is taken for `x~m x*`.
    pub(super) fn repeat(
        &mut self,
        trees: &mut Trees,
        of: NodeId,
        min: u32,
        max: Option<u32>,
    ) -> NodeId {
        match (min, max) {
            (0, Some(1)) => {
                let empty = trees.sequence(Vec::new());
                trees.union(vec![of, empty])
            }
            (0, None) => {
                let (plus, empty) = (self.plus(trees, of), trees.sequence(Vec::new()));
                trees.union(vec![plus, empty])
            }
            (1, None) => self.plus(trees, of),
            (_, None) => {
                let least = self.counted(trees, of, min, min);
                let more = self.repeat(trees, of, 0, None);
                trees.sequence(vec![least, more])
            }
            (_, Some(max)) => self.counted(trees, of, min, max),
        }
    }

    fn counted(&mut self, trees: &mut Trees, of: NodeId, min: u32, max: u32) -> NodeId {
        if max < LARGE {
            let times = (min..=max).map(|n| trees.sequence(vec![of; n as usize]));
            let times = times.collect();
            return trees.union(times);
        }
        if max < min {
            return trees.union(Vec::new());
        }
        let mut least = of;
        for (times, more) in factors(u64::from(min)) {
            least = self.exactly(trees, (times, more), least, of);
        }
        if max == min {
            return least;
        }
        let (mut exactly, mut below) = (of, trees.sequence(Vec::new()));
        let mut pairs = factors(u64::from(max - min) + 1).into_iter().peekable();
        while let Some(pair) = pairs.next() {
            below = self.below(trees, pair, exactly, below, of);
            if pairs.peek().is_some() {
                exactly = self.exactly(trees, pair, exactly, of);
            }
        }
        let both = trees.sequence(vec![least, below]);
        trees.union(vec![both])
    }

    /// `of`, at least once.
    fn plus(&mut self, trees: &mut Trees, of: NodeId) -> NodeId {
        self.nonterminal(trees, Key::Plus(of), |trees, own| {
            let (once, again) = (trees.sequence(vec![of]), trees.sequence(vec![own, of]));
            trees.union(vec![once, again])
        })
    }

    /// `first`, `times` times, then `last`, `more` times.
    fn exactly(
        &mut self,
        trees: &mut Trees,
        (times, more): (u64, u64),
        first: NodeId,
        last: NodeId,
    ) -> NodeId {
        let key = Key::Exactly {
            times,
            more,
            first,
            last,
        };
        self.nonterminal(trees, key, |trees, _| {
            trees.sequence(row(first, times, last, more))
        })
    }

    /// With `first` for `n` times `last` and `rest` for less than that: less than
    /// `times * n + more` times `last`.
    fn below(
        &mut self,
        trees: &mut Trees,
        (times, more): (u64, u64),
        first: NodeId,
        rest: NodeId,
        last: NodeId,
    ) -> NodeId {
        let key = Key::Below {
            times,
            more,
            first,
            last,
        };
        self.nonterminal(trees, key, |trees, _| {
            let few = (0..times).map(|n| row(first, n, rest, 1));
            let many = (0..more).map(|n| row(first, times, last, n));
            let rows = few.chain(many).map(|row| trees.sequence(row)).collect();
            trees.union(rows)
        })
    }

    /// The nonterminal of `key`, which derives what `make` makes of it if it is new.
    fn nonterminal(
        &mut self,
        trees: &mut Trees,
        key: Key,
        make: impl FnOnce(&mut Trees, NodeId) -> NodeId,
    ) -> NodeId {
        if let Some(&known) = self.known.get(&key) {
            return trees.nonterminal(known);
        }
        let number = self.next;
        self.next += 1;
        self.known.insert(key, number);
        let own = trees.nonterminal(number);
        let body = make(trees, own);
        self.new.push((number, body));
        own
    }
}

/// `first`, `times` times, then `last`, `more` times.
fn row(first: NodeId, times: u64, last: NodeId, more: u64) -> Vec<NodeId> {
    let first = (0..times).map(|_| first);
    first.chain((0..more).map(|_| last)).collect()
}

/// Pairs with `count = (…(1 * times + more) * times + more …)`, for each
/// `times + more <= FACTOR`: from the front, each time the largest `times` that leaves a small
/// enough remainder.
fn factors(mut count: u64) -> Vec<(u64, u64)> {
    let mut pairs = Vec::new();
    while count > FACTOR {
        let split = (2..=FACTOR).rev().map(|times| (times, count % times));
        let pair = split.clone().find(|(times, more)| times + more <= FACTOR);
        // Halves leave at most 1, so there always is one.
        let (times, more) = pair.unwrap_or((2, count % 2));
        pairs.push((times, more));
        count /= times;
    }
    pairs.push((count, 0));
    pairs.reverse();
    pairs
}
