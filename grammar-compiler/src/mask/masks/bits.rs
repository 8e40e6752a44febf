//! Sets of ranks as bitmaps: a bit for each rank, 64 to a word. Intervals are half-open.

/// Words counted before a count is compared with its limit.
const CHUNK: usize = 64;

/// The bitmap of ascending intervals.
pub fn words_of(ascending: &[(u32, u32)]) -> Vec<u64> {
    let end = ascending.last().map_or(0, |last| last.1);
    let mut words = vec![0; end.div_ceil(64) as usize];
    ascending
        .iter()
        .for_each(|&(from, to)| fill(&mut words, from, to));
    words
}

/// The number of bits that only the first of two bitmaps has. Counting stops beyond `most`: the
/// result is then some larger number.
pub fn count_outside(words: &[u64], others: &[u64], most: usize) -> usize {
    let (shared, past) = words.split_at(words.len().min(others.len()));
    let mut count = ones(past.iter().copied());
    for (words, others) in shared.chunks(CHUNK).zip(others.chunks(CHUNK)) {
        if count > most {
            break;
        }
        count += ones(words.iter().zip(others).map(|(a, b)| a & !b));
    }
    count
}

/// The number of bits that are set.
pub fn ones(words: impl Iterator<Item = u64>) -> usize {
    words.map(|word| word.count_ones() as usize).sum()
}

/// Whether a bitmap has more than `most` runs of bits.
pub fn are_many(words: &[u64], most: usize) -> bool {
    let Some((&first, later)) = words.split_first() else {
        return false;
    };
    let mut begins = (first & !(first << 1)).count_ones() as usize;
    // Each word is compared with the one before it, without a value carried along, so that the loop
    // vectorises.
    for (before, here) in words.chunks(CHUNK).zip(later.chunks(CHUNK)) {
        if begins > most {
            break;
        }
        let pairs = before.iter().zip(here);
        begins += ones(pairs.map(|(before, word)| word & !(word << 1 | before >> 63)));
    }
    begins > most
}

/// Calls `visit` with the runs of bits within an interval that are not set.
pub fn gaps(words: &[u64], interval: (u32, u32), visit: &mut impl FnMut(u32, u32)) {
    alternating(words, interval, |word| !word, |word| word, visit);
}

/// Calls `visit` with the runs of bits within an interval.
pub fn runs_within(words: &[u64], interval: (u32, u32), visit: &mut impl FnMut(u32, u32)) {
    alternating(words, interval, |word| word, |word| !word, visit);
}

/// Calls `visit` with the runs within an interval that begin where `begins` and end where `ends`
/// finds a bit.
fn alternating(
    words: &[u64],
    (from, to): (u32, u32),
    begins: impl Fn(u64) -> u64,
    ends: impl Fn(u64) -> u64,
    visit: &mut impl FnMut(u32, u32),
) {
    let mut at = next(words, (from, to), &begins);
    while at < to {
        let end = next(words, (at, to), &ends);
        visit(at, end);
        at = next(words, (end, to), &begins);
    }
}

/// The first bit of an interval that is set once `look` has changed its word; the interval's end if
/// there is none.
fn next(words: &[u64], (from, to): (u32, u32), look: impl Fn(u64) -> u64) -> u32 {
    let mut mask = u64::MAX << (from % 64);
    for at in from / 64..to.div_ceil(64) {
        let word = words.get(at as usize).copied().unwrap_or(0);
        let found = look(word) & mask;
        if found != 0 {
            return to.min(at * 64 + found.trailing_zeros());
        }
        mask = u64::MAX;
    }
    to
}

/// The number of bits of an interval that are not set.
pub fn zeros(words: &[u64], from: u32, to: u32) -> usize {
    let past = words.len() as u32 * 64;
    let mut count = to.saturating_sub(from.max(past));
    each_word(from, to.min(past), |at, bits| {
        count += (bits & !words[at]).count_ones();
    });
    count as usize
}

/// Extends a bitmap to at least `count` words.
pub fn widen(words: &mut Vec<u64>, count: usize) {
    if words.len() < count {
        words.resize(count, 0);
    }
}

/// Sets the bits of an interval.
pub fn fill(words: &mut Vec<u64>, from: u32, to: u32) {
    if from < to {
        widen(words, to.div_ceil(64) as usize);
        each_word(from, to, |at, bits| words[at] |= bits);
    }
}

/// Clears the bits of an interval.
pub fn clear(words: &mut [u64], from: u32, to: u32) {
    let to = to.min(words.len() as u32 * 64);
    each_word(from, to, |at, bits| words[at] &= !bits);
}

/// Calls `visit` with each word that an interval touches, and with the bits of the interval in it.
fn each_word(from: u32, to: u32, mut visit: impl FnMut(usize, u64)) {
    let mut from = from;
    while from < to {
        let end = to.min((from / 64 + 1) * 64);
        let bits = (u64::MAX >> (64 - (end - from))) << (from % 64);
        visit(from as usize / 64, bits);
        from = end;
    }
}

/// Calls `visit` with the runs of bits.
pub fn runs(words: &[u64], visit: &mut impl FnMut(u32, u32)) {
    let mut open = None;
    for (at, &word) in (0u32..).zip(words) {
        // A bit at each position where the bitmap changes.
        let mut changes = word ^ (word << 1 | u64::from(open.is_some()));
        while changes != 0 {
            let bit = at * 64 + changes.trailing_zeros();
            match open.take() {
                Some(from) => visit(from, bit),
                None => open = Some(bit),
            }
            changes &= changes - 1;
        }
    }
    if let Some(from) = open {
        visit(from, words.len() as u32 * 64);
    }
}
