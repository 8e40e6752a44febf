//! Sorts long lists with looks at the clock.

use crate::budget::Budget;
use crate::error::Error;

/// Items that are handled between two looks.
const AT_ONCE: usize = 1_000;

/// The items, sorted, each once. `bucket` says for each the bucket it is in; items of
/// a bucket come before those of the next one.
pub(crate) fn sorted<T: Copy + Default + Ord>(
    items: &[T],
    buckets: usize,
    bucket: impl Fn(&T) -> usize,
    budget: &mut Budget,
) -> Result<Vec<T>, Error> {
    let mut begins = vec![0; buckets + 1];
    for some in items.chunks(AT_ONCE) {
        budget.spend(some.len())?;
        some.iter().for_each(|item| begins[bucket(item) + 1] += 1);
    }
    for at in 0..buckets {
        begins[at + 1] += begins[at];
    }
    let mut ends = begins.clone();
    let mut placed = vec![T::default(); items.len()];
    for some in items.chunks(AT_ONCE) {
        budget.spend(some.len())?;
        for item in some {
            let end = &mut ends[bucket(item)];
            placed[*end] = *item;
            *end += 1;
        }
    }
    for ends in begins.windows(2) {
        budget.spend(1 + ends[1] - ends[0])?;
        placed[ends[0]..ends[1]].sort_unstable();
    }
    placed.dedup();
    Ok(placed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_std_sorts() {
        let mut clock = || true;
        let mut budget = Budget::new(&mut clock);
        let items: Vec<(u32, u32)> = (0..5_000).map(|at| (at * 7 % 13, at * 31 % 101)).collect();
        let mut expected = items.clone();
        expected.sort_unstable();
        expected.dedup();
        let bucket = |item: &(u32, u32)| item.0 as usize;
        assert_eq!(sorted(&items, 13, bucket, &mut budget), Ok(expected));
    }

    #[test]
    fn the_clock_stops_it() {
        let items: Vec<(u32, u32)> = (0..50_000).map(|at| (at % 10, at)).collect();
        let mut looks = 0;
        let mut clock = || {
            looks += 1;
            looks < 80
        };
        let mut budget = Budget::new(&mut clock);
        sorted(&items, 10, |item| item.0 as usize, &mut budget).unwrap_err();
        assert_eq!(looks, 80);
    }
}
