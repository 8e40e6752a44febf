//! The classes of bytes that every position treats alike.
//!
//! In: a [`Network`], and the bytes that guards forbid. Out: [`Classes`].

use crate::automata::Network;
use crate::intern::Sequences;
use crate::pda::Classes;

/// The first byte of each class, ascending.
pub(super) fn first_bytes(classes: &Classes) -> Vec<u8> {
    let mut firsts = Vec::new();
    for byte in 0..=255 {
        if usize::from(classes.of(byte)) == firsts.len() {
            firsts.push(byte);
        }
    }
    firsts
}

/// Bytes that every position treats alike get one class; classes are numbered by their first byte.
pub(super) fn classes(network: &Network, forbidden: &[Vec<u16>]) -> Classes {
    let mut parts = BytePartition {
        of_byte: [0; 256],
        sizes: vec![256],
    };
    let mut seen = Sequences::new();
    let mut edges: Vec<(u8, u8, u32)> = Vec::new();
    let mut set: Vec<(u8, u8)> = Vec::new();
    for state in network.machines.iter().flat_map(|m| m.body.states()) {
        edges.clear();
        edges.extend_from_slice(state.bytes);
        edges.sort_unstable_by_key(|edge| (edge.2, edge.0));
        for same in edges.chunk_by(|a, b| a.2 == b.2) {
            set.clear();
            set.extend(same.iter().map(|&(low, high, _)| (low, high)));
            let known = seen.len();
            seen.intern(&set);
            if seen.len() > known {
                parts.cut(&set);
            }
        }
    }
    for forbidden in forbidden {
        let bytes = forbidden.iter().filter_map(|&byte| u8::try_from(byte).ok());
        let bytes: Vec<(u8, u8)> = bytes.map(|byte| (byte, byte)).collect();
        parts.cut(&bytes);
    }
    parts.into_classes()
}

/// A partition of the bytes.
struct BytePartition {
    of_byte: [u8; 256],
    /// The number of bytes of each part.
    sizes: Vec<u16>,
}

impl BytePartition {
    /// Cuts every part into what the ranges of `set` hold and the others.
    fn cut(&mut self, set: &[(u8, u8)]) {
        let bytes = || set.iter().flat_map(|&(low, high)| low..=high);
        let mut inside = [0; 256];
        bytes().for_each(|byte| inside[usize::from(self.of_byte[usize::from(byte)])] += 1);
        let mut new = [0u8; 256];
        for part in 0..self.sizes.len() {
            new[part] = part as u8;
            if (1..self.sizes[part]).contains(&inside[part]) {
                new[part] = self.sizes.len() as u8;
                self.sizes[part] -= inside[part];
                self.sizes.push(inside[part]);
            }
        }
        for byte in bytes() {
            let part = &mut self.of_byte[usize::from(byte)];
            *part = new[usize::from(*part)];
        }
    }

    /// The classes of the bytes and of the end of the text.
    fn into_classes(self) -> Classes {
        let mut class = [None; 256];
        let mut count = 0;
        let of_byte = self.of_byte.map(|part| {
            *class[usize::from(part)].get_or_insert_with(|| {
                count += 1;
                (count - 1) as u8
            })
        });
        Classes {
            of_byte,
            count: count + 1,
            token_lead: None,
            limits: Vec::new(),
        }
    }
}
