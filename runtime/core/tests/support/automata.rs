//! Small automata written by hand, and one with many masks.

use std::collections::BTreeSet;

use super::{Set, Spec, StateSpec, To};
use maskwright_core::layout::{BOTTOM, mask};
use maskwright_core::{Grammar, Matcher};

/// Random numbers for tests (xorshift).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    /// About `share` in 1000 of the ids below `size`.
    pub fn ids(&mut self, size: u32, share: usize) -> BTreeSet<u32> {
        (0..size).filter(|_| self.below(1000) < share).collect()
    }
}

fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|t| t.as_bytes().to_vec()).collect()
}

/// A state with these edges and this mask, and nothing else.
fn state(edges: Vec<(u16, To)>, mask: u32) -> StateSpec {
    StateSpec {
        edges,
        mask,
        ..StateSpec::default()
    }
}

/// `S ::= "(" S ")" | "x"`, with tokens that cross brackets. The last token ends the text, the one
/// before it is special.
pub fn brackets() -> Spec {
    let tokens = texts(&[
        "(", ")", "x", "((", "))", "x)", "(x)", "x))", ")x", "y", "", "",
    ]);
    let mut spec = Spec::new(b"()x", tokens, vec![11]);
    let (open, close, x, end) = (1, 2, 3, spec.end());
    let refuse = spec.leaf(&[]);
    let enter = spec.leaf(&[(0, false, 0, 1)]);
    let leave = spec.leaf(&[(1, false, 1, 0)]);
    let finish = spec.leaf(&[(2, false, 0, 0)]);
    let leave = spec.look(0, refuse, &[(1, leave)]);
    let finish = spec.look(0, refuse, &[(BOTTOM as u32, finish)]);
    let nothing = spec.node(&[], None);
    let (x0, open1, open2) = (
        spec.accept(&["x"]),
        spec.accept(&["(", "(x)"]),
        spec.accept(&["(("]),
    );
    let (x1, x2) = (spec.accept(&["x)"]), spec.accept(&["x))"]));
    let second = spec.node(&[(x2, 0)], None);
    let first = spec.node(&[(x1, 0)], Some((mask::NO_NODE, &[(1, second)])));
    let before = spec.node(
        &[(x0, 0), (open1, 1), (open2, 2)],
        Some((mask::NO_NODE, &[(1, first)])),
    );
    let (close1, close2) = (spec.accept(&[")"]), spec.accept(&["))"]));
    spec.sets.push(Set::Accept(BTreeSet::from([11])));
    let eos = spec.sets.len() as u32 - 1;
    let second = spec.node(&[(close2, 0)], None);
    let first = spec.node(&[(close1, 0)], Some((mask::NO_NODE, &[(1, second)])));
    let bottom = spec.node(&[(eos, 0)], None);
    let after = spec.node(&[], Some((mask::NO_NODE, &[(0, bottom), (1, first)])));
    spec.states = vec![
        state(vec![(open, enter), (x, To::State(1))], before),
        state(vec![(close, leave), (end, finish)], after),
        state(vec![], nothing),
    ];
    spec
}

/// `[012]+ ("," [012]+)*`, where rows take all digits as one. The last token ends the text.
pub fn digits() -> Spec {
    let tokens = texts(&["0", "1", "2", ",", "12", "0,", ",2,1", "x", ""]);
    let mut spec = Spec::new(b"012,", tokens, vec![8]);
    let (digit, comma, end) = (1, 4, spec.end());
    spec.class_maps = vec![vec![0, 1, 1, 1, 4, 5], vec![0, 1, 1, 1, 0, 5]];
    let number = spec.accept(&["0", "1", "2", "12", "0,"]);
    let more = spec.accept(&[",", ",2,1"]);
    spec.sets.push(Set::Accept(BTreeSet::from([8])));
    let (before, nothing) = (spec.node(&[(number, 0)], None), spec.node(&[], None));
    let within = spec.node(&[(number, 0), (more, 0), (2, 0)], None);
    let state = |edges, parent, map, mask| StateSpec {
        edges,
        parent,
        map,
        mask,
        ..StateSpec::default()
    };
    spec.states = vec![
        state(vec![(digit, To::State(1))], None, 2, before),
        state(
            vec![(comma, To::State(0)), (end, To::State(2))],
            Some(0),
            1,
            within,
        ),
        state(vec![], None, 0, nothing),
    ];
    spec
}

/// `a* c | aⁿ bⁿ`: the first `a` splits the stack. The last token ends the text.
pub fn splitting() -> Spec {
    let mut spec = Spec::new(
        b"abc",
        texts(&["a", "b", "c", "aa", "ab", "ac", "bb", ""]),
        vec![7],
    );
    let (a, b, c, end) = (1, 2, 3, spec.end());
    let refuse = spec.leaf(&[]);
    let split = spec.leaf(&[(1, false, 0, 0), (2, false, 0, 1)]);
    let push = spec.leaf(&[(2, false, 0, 1)]);
    let pop = spec.leaf(&[(5, false, 1, 0)]);
    let finish = spec.leaf(&[(4, false, 0, 0)]);
    let again = spec.look(0, refuse, &[(1, pop)]);
    let finish_at_bottom = spec.look(0, refuse, &[(0, finish)]);
    let nothing = spec.node(&[], None);
    spec.sets.push(Set::Accept(BTreeSet::from([7])));
    let eos = 0;
    let star = spec.accept(&["a", "aa", "c", "ac"]);
    let (up1, up2, start) = (
        spec.accept(&["a", "ab"]),
        spec.accept(&["aa"]),
        spec.accept(&["ab"]),
    );
    let (b1, b2) = (spec.accept(&["b"]), spec.accept(&["bb"]));
    let at_start = spec.node(&[(eos, 0), (star, 0), (start, 1), (up2, 2)], None);
    let in_star = spec.node(&[(star, 0)], None);
    let second = spec.node(&[(b2, 0)], None);
    let first = spec.node(&[(b1, 0)], Some((mask::NO_NODE, &[(1, second)])));
    let going_up = spec.node(&[(up1, 1), (up2, 2)], Some((mask::NO_NODE, &[(1, first)])));
    let ended = spec.node(&[(eos, 0)], None);
    let going_down = spec.node(&[], Some((mask::NO_NODE, &[(0, ended), (1, first)])));
    spec.states = vec![
        state(vec![(a, split), (c, To::State(3)), (end, finish)], at_start),
        state(vec![(a, To::State(1)), (c, To::State(3))], in_star),
        state(vec![(a, push), (b, pop)], going_up),
        state(vec![(end, finish)], ended),
        state(vec![], nothing),
        state(vec![(b, again), (end, finish_at_bottom)], going_down),
    ];
    spec.max_stacks = 2;
    spec
}

/// `S ::= "(" S | "x"`, each call left when the text ends: frames are popped by taking the end
/// again.
pub fn returning() -> Spec {
    let mut spec = Spec::new(b"(x", texts(&["(", "x", "(x", ""]), vec![3]);
    let (open, x, end) = (1, 2, spec.end());
    let enter = spec.leaf(&[(0, false, 0, 1)]);
    let finish = spec.leaf(&[(2, false, 0, 0)]);
    let leave = spec.leaf(&[(1, true, 1, 0)]);
    let at_end = spec.look(0, leave, &[(0, finish)]);
    let nothing = spec.node(&[], None);
    spec.sets.push(Set::Accept(BTreeSet::from([3])));
    let (any, deeper) = (spec.accept(&["x"]), spec.accept(&["(", "(x"]));
    let before = spec.node(&[(any, 0), (deeper, 1)], None);
    let after = spec.node(&[(0, 0)], None);
    spec.states = vec![
        state(vec![(open, enter), (x, To::State(1))], before),
        state(vec![(end, at_end)], after),
        state(vec![], nothing),
    ];
    spec
}

/// States of [`many_masks`].
pub const MANY: usize = 24;

/// States that each byte from `a` on chooses between; their masks are unions of some of many sets,
/// of all kinds and sizes.
pub fn many_masks(size: u32, random: &mut Random) -> Spec {
    let bytes: Vec<u8> = (b'a'..).take(MANY).collect();
    let mut spec = Spec::new(&bytes, vec![vec![]; size as usize], vec![]);
    let small = |random: &mut Random| random.ids(size, 1 + 40_000 / size as usize);
    spec.sets = (0..16).map(|_| Set::Accept(small(random))).collect();
    spec.sets.push(Set::Accept(random.ids(size, 300)));
    spec.sets.push(Set::Bitmap(random.ids(size, 700)));
    spec.sets.push(Set::Reject(random.ids(size, 10)));
    let (added, removed) = (random.ids(size, 5), random.ids(size, 50));
    let (added, removed) = (&added - &removed, removed);
    let Set::Bitmap(base) = &spec.sets[17] else {
        unreachable!("a bitmap was put there");
    };
    let delta = Set::Delta(17, &added - base, &removed & base);
    spec.sets.push(delta);
    spec.sets
        .extend((20..40).map(|_| Set::Accept(random.ids(size, 1))));
    for at in 0..MANY {
        // Mostly a few lists, sometimes other sets as well, sometimes very many of them.
        let (lists, share) = [(3, 0), (2, 0), (0, 0), (2, 500), (16, 0)][at % 5];
        let mut sets: Vec<(u32, u8)> = (0..lists).map(|_| (random.below(16) as u32, 0)).collect();
        if lists == 16 {
            // 24 to 28: as many as are remembered, and more.
            let others = 20..28 + at as u32 / 5;
            sets = (0..16).chain(others).map(|id| (id, 0)).collect();
        }
        sets.extend(
            (16..20)
                .filter(|_| random.below(1_000) < share)
                .map(|id| (id, 0)),
        );
        let edges = (0..MANY).map(|next| (next as u16 + 1, To::State(next as u32)));
        let mask = spec.node(&sets, None);
        spec.states.push(state(edges.collect(), mask));
    }
    spec
}

/// A matcher of [`many_masks`] at the beginning.
pub fn start<'t>(grammar: &'t Grammar<'t>) -> Matcher<'t, 4> {
    Matcher::new(grammar).unwrap()
}

/// Goes to one of the states of [`many_masks`].
pub fn go(matcher: &mut Matcher<'_, 4>, state: usize) {
    matcher.accept_bytes(&[b'a' + state as u8]).unwrap();
}

/// The words of a mask, written anew into a row of so many.
pub fn fresh(matcher: &Matcher<'_, 4>, row_words: usize) -> Vec<u32> {
    let mut words = vec![!0; row_words];
    matcher.mask().fill(&mut words).unwrap();
    words
}
