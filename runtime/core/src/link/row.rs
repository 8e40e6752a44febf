//! Rows of a pool that hold masks of linked grammars.
//!
//! In: a [`LinkedMask`]. Out: the row that holds it. What holds: tools that stand beside one base
//! share the rows of masks whose sets are all in the base.

use crate::error::BufferTooSmall;
use crate::id::TablesId;
use crate::row::{MAX_SETS, MIX, MaskRow};

use super::Parts;
use super::mask::LinkedMask;
use super::place::Place;
use super::sets::{OWN, PartSets, SetName, mix64};

/// Describes a mask in a row that described nothing before. Gives an id of all that the mask
/// depends on besides.
#[inline]
pub(super) fn describe<P: Parts>(row: &mut MaskRow, mask: &LinkedMask<'_, P>) -> TablesId {
    if let Place::Names {
        hole,
        read,
        first,
        after,
    } = mask.place
    {
        let id = mask.language.id();
        let named = [first, u32::from(hole) << 16 | u32::from(read), after];
        let sum = row.sets.iter_mut().zip(named).zip(0..);
        let sum = sum.fold(0u64, |sum, ((to, word), at)| {
            *to = word;
            sum.wrapping_add(term(word, at))
        });
        (row.count, row.is_known) = (named.len(), true);
        row.hash = hash(sum, id);
        return id;
    }
    let described = mask
        .language
        .sets(mask.place, |sets| describe_in(row, mask, sets));
    // A mask without a part is never known.
    described.unwrap_or_else(|| mask.language.id())
}

/// Describes a mask within a part. If the part's base has all sets but those of endings, they are
/// named as there: parts that stand beside one base then have one name for a mask.
#[inline]
fn describe_in<P: Parts>(
    row: &mut MaskRow,
    mask: &LinkedMask<'_, P>,
    sets: &PartSets<'_>,
) -> TablesId {
    let own = sets.id;
    let (mut count, mut sum, mut kinds, mut endings) = (0, 0u64, 0, 0u64);
    let ids = sets.set_ids(mask.heads, mask.frames, mask.depth);
    ids.for_each(|id| match sets.name(id) {
        SetName::Tokens(name) => {
            if let Some(to) = row.sets.get_mut(count) {
                *to = name;
            }
            sum = sum.wrapping_add(term(name, count as u32));
            kinds |= name;
            count += 1;
        }
        SetName::Endings(0) => {}
        SetName::Endings(hash) => endings = mix64(endings ^ hash),
    });
    (row.count, row.is_known) = (count, count <= MAX_SETS);
    let [linked, crossing] = crossing(mask, endings);
    let [base, beside] = sets.base;
    let id = match sets.base != [0; 2] && kinds & OWN == 0 {
        true => TablesId {
            grammar: base ^ linked,
            vocabulary: own.vocabulary,
            beside: beside ^ crossing,
            checksum: 0,
            words: 0,
        },
        // Sets have other names than in a row of these tables as a whole: no tables have this
        // length.
        false => TablesId {
            grammar: own.grammar ^ linked,
            beside: own.beside ^ crossing,
            words: !own.words,
            ..own
        },
    };
    row.hash = hash(sum, id);
    id
}

/// A hash of a mask: of what its words add up to, and of the tables.
#[inline]
fn hash(sum: u64, id: TablesId) -> u64 {
    mix64(sum.wrapping_add(id.beside) ^ u64::from(id.checksum) << 32)
}

/// What a word at a place adds to a hash: a sum, since a chain of products would have to wait for
/// one another.
#[inline]
fn term(word: u32, at: u32) -> u64 {
    (u64::from(word) + 1).wrapping_mul(MIX.rotate_left(at))
}

/// What tells the tokens that cross a boundary from others: the identity of all parts, with a hash
/// of the endings and of where the text stands behind them. Zeros if there are none.
#[inline]
fn crossing<P: Parts>(mask: &LinkedMask<'_, P>, endings: u64) -> [u64; 2] {
    if endings == 0 {
        return [0; 2];
    }
    let behind = match mask.place {
        Place::Piece { after, .. } => after.into(),
        // From another state of the outer part, an ending can lead to another hole.
        _ => mask
            .heads
            .first()
            .map_or(0, |head| 1 << 32 | u64::from(head.state)),
    };
    let id = mask.language.id();
    [
        id.grammar,
        mix64(id.mixed() ^ mix64(endings ^ behind)) ^ id.beside,
    ]
}

/// Makes these words, which are the row's, hold the mask that `next` describes. Returns whether
/// they may have changed.
pub(super) fn update<P: Parts>(
    row: &mut MaskRow,
    next: &MaskRow,
    tables: TablesId,
    words: &mut [u32],
    mask: &LinkedMask<'_, P>,
) -> Result<bool, BufferTooSmall> {
    if row.holds(next, tables) {
        return Ok(false);
    }
    let misses = mask.language.misses();
    let few = mask.few().filter(|_| words.len() >= mask.words());
    match &few {
        Some(few) => {
            match &row.only {
                Some(only) => only.each(|at, _| set_word(words, at, |_| 0)),
                None => words.fill(0),
            }
            few.each(|at, bit| set_word(words, at, |word| word | bit));
        }
        None => mask.fill(words)?,
    }
    let is_known = next.is_known && mask.language.misses() == misses;
    *row = MaskRow {
        tables: is_known.then_some(tables),
        is_few: few.is_some(),
        only: few,
        ..*next
    };
    Ok(true)
}

/// Changes a word, if there is such a word.
fn set_word(words: &mut [u32], at: usize, change: impl Fn(u32) -> u32) {
    if let Some(word) = words.get_mut(at) {
        *word = change(*word);
    }
}
