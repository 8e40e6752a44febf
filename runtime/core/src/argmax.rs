//! The best of the tokens that may come next.
//!
//! In: words of a mask and the logits of their tokens, in order. Out: the first of the highest
//! logits. A word whose logits are all lower than the best so far costs one vectorised pass; that
//! is true of nearly all words.

use crate::logit::Logit;

/// Logits compared side by side.
const LANES: usize = 8;

/// The best token so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Best {
    /// Its id and logit.
    pub(crate) found: Option<(u32, f32)>,
}

impl Best {
    /// Looks at the tokens of a word, which begins at id `first`; `logits` begin there too.
    #[inline]
    pub(crate) fn update<L: Logit>(&mut self, first: u32, word: u32, logits: &[L]) {
        if word == 0 || self.is_at_least(word, logits) {
            return;
        }
        let mut rest = word;
        while rest != 0 {
            let bit = rest.trailing_zeros();
            rest &= rest - 1;
            let Some(&logit) = logits.get(bit as usize) else {
                return;
            };
            let logit = logit.to_f32();
            let is_better =
                |(_, best): (u32, f32)| logit > best || (best.is_nan() && !logit.is_nan());
            if self.found.is_none_or(is_better) {
                self.found = Some((first + bit, logit));
            }
        }
    }

    /// Whether the best so far is no lower than all logits of a word.
    #[inline]
    fn is_at_least<L: Logit>(&self, word: u32, logits: &[L]) -> bool {
        let (Some((_, best)), Some(logits)) = (self.found, logits.first_chunk::<32>()) else {
            return false;
        };
        let mut highest = [f32::NEG_INFINITY; LANES];
        for (i, logits) in logits.as_chunks::<LANES>().0.iter().enumerate() {
            for (lane, (highest, &logit)) in highest.iter_mut().zip(logits).enumerate() {
                let allowed = if word >> (i * LANES + lane) & 1 == 1 {
                    logit.to_f32()
                } else {
                    f32::NEG_INFINITY
                };
                *highest = if allowed > *highest {
                    allowed
                } else {
                    *highest
                };
            }
        }
        highest.iter().all(|&highest| highest <= best)
    }
}
