//! A packer for automata written by hand, so that the runtime is tested without the compiler.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::collections::BTreeSet;

use maskwright_core::layout::{
    self, FORMAT_VERSION, GRAMMAR_MAGIC, HEADER_WORDS, VOCABULARY_MAGIC, edge, header, mask,
    program, set, state, vocabulary,
};
use maskwright_core::{Grammar, Matcher, crc32};

/// A token set in the form it is to be packed in.
#[derive(Clone)]
pub enum Set {
    Bitmap(BTreeSet<u32>),
    Accept(BTreeSet<u32>),
    Reject(BTreeSet<u32>),
    /// Set id of a bitmap, the ids added to it, the ids removed.
    Delta(u32, BTreeSet<u32>, BTreeSet<u32>),
    /// Set ids of planes, the least level, the ids added to what has it, the ids removed.
    Levels(Vec<u32>, u32, BTreeSet<u32>, BTreeSet<u32>),
    /// Set id in the tables that these stand beside.
    Shared(u32),
}

/// Where an edge leads.
#[derive(Clone, Copy)]
pub enum To {
    State(u32),
    Program(u32),
    Refuse,
}

#[derive(Clone, Default)]
pub struct StateSpec {
    pub edges: Vec<(u16, To)>,
    /// The state whose row answers where this one has no entry.
    pub parent: Option<usize>,
    /// The number of the coarse map that the row is read through; 0 for none.
    pub map: u8,
    pub mask: u32,
    pub need: u32,
}

#[derive(Clone)]
pub struct Spec {
    pub classes: [u8; 256],
    /// Number of classes; the last one is that of the end.
    pub class_count: u16,
    /// Of each coarse map what each class is taken as.
    pub coarse: Vec<Vec<u8>>,
    pub states: Vec<StateSpec>,
    pub frames: u32,
    pub max_stacks: u32,
    pub proved: bool,
    pub programs: Vec<u32>,
    pub masks: Vec<u32>,
    pub sets: Vec<Set>,
    pub eos: Vec<u32>,
    pub tokens: Vec<Vec<u8>>,
    /// Number of sets and checksum of the tables that these stand beside.
    pub beside: (u32, u32),
}

pub const VOCABULARY_HASH: u64 = 0x0123_4567_89ab_cdef;

impl Spec {
    /// No states yet; class 0 is that of all bytes but `bytes`, which have classes 1, 2, ….
    pub fn new(bytes: &[u8], tokens: Vec<Vec<u8>>, eos: Vec<u32>) -> Self {
        let mut classes = [0; 256];
        bytes
            .iter()
            .enumerate()
            .for_each(|(i, &byte)| classes[byte as usize] = i as u8 + 1);
        Spec {
            classes,
            class_count: bytes.len() as u16 + 2,
            coarse: vec![],
            states: vec![],
            frames: 2,
            max_stacks: 1,
            proved: true,
            programs: vec![],
            masks: vec![],
            sets: vec![],
            eos,
            tokens,
            beside: (0, 0),
        }
    }

    pub fn end(&self) -> u16 {
        self.class_count - 1
    }

    /// Adds a leaf: (next, again, pop, push).
    pub fn leaf(&mut self, alternatives: &[(u32, bool, u8, u32)]) -> To {
        let at = self.programs.len() as u32;
        self.programs.push(program::leaf(alternatives.len() as u16));
        for &(next, again, pop, push) in alternatives {
            self.programs
                .extend([program::alternative(next, again, pop), push]);
        }
        To::Program(at)
    }

    /// Adds a look at `depth`: the default, and what other frames lead to.
    pub fn look(&mut self, depth: u8, default: To, branches: &[(u32, To)]) -> To {
        let offset = |to: To| match to {
            To::Program(at) => at,
            _ => panic!("a branch is a program"),
        };
        let branches: Vec<_> = branches.iter().map(|&(f, to)| (f, offset(to))).collect();
        let pairs = self.runs(offset(default), &branches);
        let at = self.programs.len() as u32;
        self.programs
            .extend([program::look(depth, pairs.len() as u16), offset(default)]);
        self.programs.extend(pairs.as_flattened());
        To::Program(at)
    }

    /// Pairs that say of each listed frame what it leads to, and of the others the default.
    fn runs(&self, default: u32, listed: &[(u32, u32)]) -> Vec<[u32; 2]> {
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        for &(frame, to) in listed {
            match pairs.last_mut() {
                Some(last) if last[0] == frame => last[1] = to,
                _ => pairs.push([frame, to]),
            }
            if frame + 1 < self.frames {
                pairs.push([frame + 1, default]);
            }
        }
        pairs
    }

    /// Adds a mask node: sets with headroom, and the children (default, by frame) if it looks.
    pub fn node(&mut self, sets: &[(u32, u8)], children: Option<(u32, &[(u32, u32)])>) -> u32 {
        let at = self.masks.len() as u32;
        let count = sets.len() as u8;
        let pairs = children.map(|(default, listed)| self.runs(default, listed));
        self.masks.push(match &pairs {
            None => mask::leaf(count),
            Some(pairs) => mask::look(count, pairs.len() as u16),
        });
        self.masks
            .extend(sets.iter().map(|&(id, headroom)| mask::set(id, headroom)));
        self.masks.extend(children.map(|(default, _)| default));
        self.masks.extend(pairs.unwrap_or_default().as_flattened());
        at
    }

    /// Adds the set of the tokens with these texts.
    pub fn accept(&mut self, texts: &[&str]) -> u32 {
        let id = |text: &&str| {
            self.tokens
                .iter()
                .position(|t| t == text.as_bytes())
                .unwrap() as u32
        };
        self.sets.push(Set::Accept(texts.iter().map(id).collect()));
        self.sets.len() as u32 - 1
    }

    /// The grammar tables.
    pub fn pack(&self) -> Vec<u8> {
        let mut classes = [&self.classes[..], &self.coarse.concat()].concat();
        classes.resize(classes.len().next_multiple_of(4), 0);
        let classes = classes.as_chunks::<4>().0.iter();
        let classes: Vec<u32> = classes.map(|c| u32::from_le_bytes(*c)).collect();
        let width = self.class_count as usize;
        let mut edges = vec![edge::EMPTY; width * self.states.len()];
        let (mut states, mut parents) = (Vec::new(), Vec::new());
        for (s, spec) in self.states.iter().enumerate() {
            for &(class, to) in &spec.edges {
                let payload = match to {
                    To::State(next) => next,
                    To::Program(at) => at | edge::PROGRAM,
                    To::Refuse => edge::REFUSE,
                };
                edges[width * s + class as usize] = edge::entry(class, payload);
            }
            let row = |s: usize| state::row((width * s) as u32, self.states[s].map);
            // A state's own row as its parent says nothing new.
            parents.push(row(spec.parent.unwrap_or(s)));
            states.extend([row(s), state::mask(spec.mask, spec.need)]);
        }
        let last = self.states.iter().rposition(|state| state.parent.is_some());
        states.extend(&parents[..last.map_or(0, |last| last + 1)]);
        let size = self.tokens.len() as u32;
        let (mut index, mut sets) = (Vec::new(), Vec::new());
        for set in &self.sets {
            index.push(sets.len() as u32);
            pack_set(set, size, &mut sets);
        }
        let sections = [
            classes,
            states,
            edges,
            self.programs.clone(),
            self.masks.clone(),
            index,
            sets,
            self.eos.clone(),
        ];
        let mut words = vec![0; HEADER_WORDS];
        words[header::MAGIC] = GRAMMAR_MAGIC;
        words[header::VERSION] = FORMAT_VERSION;
        words[header::GRAMMAR_HASH] = 7;
        (
            words[header::VOCABULARY_HASH],
            words[header::VOCABULARY_HASH + 1],
        ) = (VOCABULARY_HASH as u32, (VOCABULARY_HASH >> 32) as u32);
        words[header::VOCAB_SIZE] = size;
        words[header::STATES] = self.states.len() as u32;
        words[header::FRAMES] = self.frames;
        words[header::MAX_STACKS] = self.max_stacks;
        words[header::CLASSES] = self.class_count as u32;
        words[header::END_CLASS] = self.end() as u32;
        words[header::STACKS_PROVED] = self.proved as u32;
        (words[header::BESIDE_SETS], words[header::BESIDE_CHECKSUM]) = self.beside;
        for (i, section) in sections.into_iter().enumerate() {
            words[header::SECTIONS + 2 * i] = words.len() as u32;
            words[header::SECTIONS + 2 * i + 1] = section.len() as u32;
            words.extend(section);
        }
        words[header::WORDS] = words.len() as u32;
        seal(words)
    }

    /// The vocabulary tables.
    pub fn pack_vocabulary(&self) -> Vec<u8> {
        let size = self.tokens.len();
        let mut offsets: Vec<u32> = vec![0];
        self.tokens
            .iter()
            .for_each(|t| offsets.push(offsets[offsets.len() - 1] + t.len() as u32));
        let blocks: Vec<u32> = offsets.iter().copied().step_by(vocabulary::BLOCK).collect();
        let within = |(id, offset): (usize, &u32)| (offset - blocks[id / vocabulary::BLOCK]) as u16;
        let relative: Vec<u16> = offsets.iter().enumerate().map(within).collect();
        let mut bytes = self.tokens.concat();
        let mut words = vec![0; vocabulary::HEADER_WORDS];
        words[vocabulary::MAGIC] = VOCABULARY_MAGIC;
        words[vocabulary::VERSION] = FORMAT_VERSION;
        (words[vocabulary::HASH], words[vocabulary::HASH + 1]) =
            (VOCABULARY_HASH as u32, (VOCABULARY_HASH >> 32) as u32);
        words[vocabulary::VOCAB_SIZE] = size as u32;
        words[vocabulary::BYTES] = bytes.len() as u32;
        words.extend(blocks);
        words.extend(halves(&relative));
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        words.extend(
            bytes
                .as_chunks::<4>()
                .0
                .iter()
                .map(|c| u32::from_le_bytes(*c)),
        );
        words[vocabulary::WORDS] = words.len() as u32;
        seal(words)
    }
}

fn pack_set(packed: &Set, size: u32, out: &mut Vec<u32>) {
    match packed {
        Set::Bitmap(ids) => {
            out.push(set::BITMAP);
            let at = out.len();
            out.resize(at + size.div_ceil(32) as usize, 0);
            ids.iter()
                .for_each(|id| out[at + *id as usize / 32] |= 1 << (id % 32));
        }
        Set::Accept(ids) => {
            out.push(set::ACCEPT);
            pack_list(ids, size, out);
        }
        Set::Reject(ids) => {
            out.push(set::REJECT);
            pack_list(ids, size, out);
        }
        Set::Delta(base, added, removed) => {
            out.extend([
                set::LEVELS | 1 << set::PLANES_SHIFT | 1 << set::LEAST_SHIFT,
                *base,
            ]);
            pack_list(added, size, out);
            pack_list(removed, size, out);
        }
        Set::Shared(id) => out.push(set::SHARED | id << set::SHARED_SHIFT),
        Set::Levels(planes, least, added, removed) => {
            let count = planes.len() as u32;
            out.push(set::LEVELS | count << set::PLANES_SHIFT | least << set::LEAST_SHIFT);
            out.extend(planes);
            pack_list(added, size, out);
            pack_list(removed, size, out);
        }
    }
}

/// A list as bytes if it has an odd number of ids, as halves otherwise: both forms are read alike.
fn pack_list(ids: &BTreeSet<u32>, size: u32, out: &mut Vec<u32>) {
    let in_block = |block: u32| ids.range(block * set::FINE_BLOCK..(block + 1) * set::FINE_BLOCK);
    let counts = (0..size.div_ceil(set::FINE_BLOCK)).map(|block| in_block(block).count());
    let counts: Option<Vec<u8>> = counts.map(|count| u8::try_from(count).ok()).collect();
    if let Some(counts) = counts.filter(|_| ids.len() % 2 == 1) {
        out.push(set::FINE | ids.len() as u32);
        out.extend(bytes(&counts));
        out.extend(bytes(&ids.iter().map(|id| *id as u8).collect::<Vec<u8>>()));
        return;
    }
    for block in 0..size.div_ceil(set::BLOCK) {
        let low: Vec<u16> = ids
            .iter()
            .filter(|id| *id / set::BLOCK == block)
            .map(|id| *id as u16)
            .collect();
        out.push(low.len() as u32);
        out.extend(halves(&low));
    }
}

/// Bytes, four a word, padded with zero.
fn bytes(bytes: &[u8]) -> Vec<u32> {
    let word = |chunk: &[u8]| {
        let mut word = [0; 4];
        word[..chunk.len()].copy_from_slice(chunk);
        u32::from_le_bytes(word)
    };
    bytes.chunks(4).map(word).collect()
}

/// Half-words, two a word, padded with zero.
fn halves(halves: &[u16]) -> Vec<u32> {
    halves
        .chunks(2)
        .map(|pair| pair[0] as u32 | (*pair.get(1).unwrap_or(&0) as u32) << 16)
        .collect()
}

/// Writes the checksum, and the words as bytes.
pub fn seal(mut words: Vec<u32>) -> Vec<u8> {
    let bytes = |words: &[u32]| {
        words
            .iter()
            .flat_map(|w| w.to_le_bytes())
            .collect::<Vec<u8>>()
    };
    words[header::CHECKSUM] = crc32(&bytes(&words[header::CHECKSUM + 1..]));
    bytes(&words)
}

/// The words of tables.
pub fn words(tables: &[u8]) -> Vec<u32> {
    tables
        .as_chunks::<4>()
        .0
        .iter()
        .map(|c| u32::from_le_bytes(*c))
        .collect()
}

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

/// `S ::= "(" S ")" | "x"`, with tokens that cross brackets. The last token ends the text, the one before it is special.
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
    let finish = spec.look(0, refuse, &[(layout::BOTTOM as u32, finish)]);
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
    let state = |edges, mask| StateSpec {
        edges,
        mask,
        ..StateSpec::default()
    };
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
    spec.coarse = vec![vec![0, 1, 1, 1, 4, 5], vec![0, 1, 1, 1, 0, 5]];
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
    let state = |edges, mask| StateSpec {
        edges,
        mask,
        ..StateSpec::default()
    };
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

/// `S ::= "(" S | "x"`, each call left when the text ends: frames are popped by taking the end again.
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
    let state = |edges, mask| StateSpec {
        edges,
        mask,
        ..StateSpec::default()
    };
    spec.states = vec![
        state(vec![(open, enter), (x, To::State(1))], before),
        state(vec![(end, at_end)], after),
        state(vec![], nothing),
    ];
    spec
}

/// States of [`many_masks`].
pub const MANY: usize = 24;

/// States that each byte from `a` on chooses between; their masks are unions of some of many sets, of all kinds and sizes.
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
    for state in 0..MANY {
        // Mostly a few lists, sometimes other sets as well, sometimes very many of them.
        let (lists, share) = [(3, 0), (2, 0), (0, 0), (2, 500), (16, 0)][state % 5];
        let mut sets: Vec<(u32, u8)> = (0..lists).map(|_| (random.below(16) as u32, 0)).collect();
        if lists == 16 {
            // 24 to 28: as many as are remembered, and more.
            let others = 20..28 + state as u32 / 5;
            sets = (0..16).chain(others).map(|id| (id, 0)).collect();
        }
        sets.extend(
            (16..20)
                .filter(|_| random.below(1_000) < share)
                .map(|id| (id, 0)),
        );
        let edges = (0..MANY).map(|next| (next as u16 + 1, To::State(next as u32)));
        let mask = spec.node(&sets, None);
        let edges = edges.collect();
        spec.states.push(StateSpec {
            edges,
            mask,
            ..StateSpec::default()
        });
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
