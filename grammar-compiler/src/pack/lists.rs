//! Lists of ids as words, in one of two forms: halves are quick to apply, bytes are shorter where
//! the ids are many.
//!
//! Worth (`docs/ablation.md`): without lists in bytes tables are 6 % larger at the median.

use maskwright_core::layout::set;

/// Words of bitmaps looked at together.
const CHUNK: usize = 16;

/// Words of a list of `count` ids, about.
pub fn list_words(count: usize, vocab_size: usize) -> usize {
    match is_fine(count, vocab_size) {
        true => bytes_words(count, vocab_size),
        false => halves_words(count, vocab_size),
    }
}

/// Whether the form with bytes pays: it must save a third. Each of its hundreds of blocks holds
/// another number of ids, which no processor predicts, so reading such a list takes about a
/// microsecond more.
fn is_fine(count: usize, vocab_size: usize) -> bool {
    3 * bytes_words(count, vocab_size) < 2 * halves_words(count, vocab_size)
}

fn halves_words(count: usize, vocab_size: usize) -> usize {
    vocab_size.div_ceil(set::BLOCK as usize) + count.div_ceil(2)
}

fn bytes_words(count: usize, vocab_size: usize) -> usize {
    1 + vocab_size.div_ceil(4 * set::FINE_BLOCK as usize) + count.div_ceil(4)
}

/// The number of ids that are in exactly one of `a` and `b`.
pub fn distance(a: &[u32], b: &[u32]) -> usize {
    ones(a.iter().zip(b).map(|(a, b)| a ^ b))
}

/// The number of bits that are set. Summing `u32`s takes half the time of summing `usize`s.
pub fn ones(words: impl Iterator<Item = u32>) -> usize {
    words.map(u32::count_ones).sum::<u32>() as usize
}

/// The ids in `a` but not in `b`, ascending.
pub fn ids_of(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut out = Vec::new();
    // Most words hold no such id, so many words are tested at once.
    for (at, (a, b)) in (0..).zip(a.chunks(CHUNK).zip(b.chunks(CHUNK))) {
        let words = a.iter().zip(b).map(|(a, b)| a & !b);
        if words.clone().fold(0, |all, word| all | word) == 0 {
            continue;
        }
        for (at, mut rest) in (at * CHUNK as u32..).zip(words) {
            while rest != 0 {
                out.push(at * 32 + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
    }
    out
}

/// Appends a list of ascending ids.
pub fn push_list(words: &mut Vec<u32>, ids: &[u32], vocab_size: u32) {
    let is_fine = is_fine(ids.len(), vocab_size as usize);
    match is_fine.then(|| counts(ids, vocab_size)).flatten() {
        Some(counts) => {
            words.push(set::FINE | ids.len() as u32);
            push_bytes(words, &counts, |&count| count);
            push_bytes(words, ids, |id| (id % set::FINE_BLOCK) as u8);
        }
        None => push_halves(words, ids, vocab_size),
    }
}

/// The number of ids in each block of bytes; `None` if some block has more than a byte can say.
fn counts(ids: &[u32], vocab_size: u32) -> Option<Vec<u8>> {
    let mut counts = vec![0u8; vocab_size.div_ceil(set::FINE_BLOCK) as usize];
    for id in ids {
        let count = &mut counts[(id / set::FINE_BLOCK) as usize];
        *count = count.checked_add(1)?;
    }
    Some(counts)
}

fn push_bytes<T>(words: &mut Vec<u32>, items: &[T], byte: impl Fn(&T) -> u8) {
    words.extend(items.chunks(4).map(|four| {
        let mut bytes = [0; 4];
        let items = four.iter().map(&byte);
        bytes
            .iter_mut()
            .zip(items)
            .for_each(|(to, byte)| *to = byte);
        u32::from_le_bytes(bytes)
    }));
}

fn push_halves(words: &mut Vec<u32>, ids: &[u32], vocab_size: u32) {
    words.reserve(halves_words(ids.len(), vocab_size as usize));
    let mut rest = ids;
    for block in 0..vocab_size.div_ceil(set::BLOCK) {
        let past = (block as u64 + 1) * set::BLOCK as u64;
        let (here, later) = rest.split_at(rest.partition_point(|&id| (id as u64) < past));
        words.push(here.len() as u32);
        for pair in here.chunks(2) {
            words.push(pair[0] & 0xffff | pair.get(1).map_or(0, |id| id << 16));
        }
        rest = later;
    }
}
