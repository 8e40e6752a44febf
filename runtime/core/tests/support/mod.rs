//! A packer for automata written by hand, so that the runtime is tested without the compiler.
#![allow(dead_code, reason = "each test binary uses a part of it")]

mod automata;

pub use automata::*;

use std::collections::BTreeSet;

use maskwright_core::crc32;
use maskwright_core::layout::{
    FORMAT_VERSION, GRAMMAR_MAGIC, HEADER_WORDS, VOCABULARY_MAGIC, edge, header, mask, program,
    set, state, vocabulary,
};

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
    /// The number of the meta-class map that the row is read through; 0 for none.
    pub map: u8,
    pub mask: u32,
    pub need: u32,
}

#[derive(Clone)]
pub struct Spec {
    pub classes: [u8; 256],
    /// Number of classes; the last one is that of the end.
    pub class_count: u16,
    /// Of each meta-class map what each class is taken as.
    pub class_maps: Vec<Vec<u8>>,
    pub states: Vec<StateSpec>,
    pub frames: u32,
    pub max_stacks: u32,
    pub proved: bool,
    pub programs: Vec<u32>,
    pub masks: Vec<u32>,
    pub sets: Vec<Set>,
    pub eos: Vec<u32>,
    /// The section of tokens that are terminals.
    pub terminals: Vec<u32>,
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
            class_maps: vec![],
            states: vec![],
            frames: 2,
            max_stacks: 1,
            proved: true,
            programs: vec![],
            masks: vec![],
            sets: vec![],
            terminals: Vec::new(),
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
        let mut classes = [&self.classes[..], &self.class_maps.concat()].concat();
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
            self.terminals.clone(),
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
