//! Bounds on numbers of characters, items and properties. Of upper ones there may be none.

/// More characters, items or properties than this no text of a model has: they would be more than
/// ten contexts of the largest models. A greater upper bound is none, and what has to be longer has
/// no value.
pub const REACH: u64 = 100_000_000;

/// An upper bound that a text can reach.
pub fn reachable(max: u64) -> Option<u64> {
    Some(max).filter(|&max| max <= REACH)
}

/// Whether no number that a text can reach lies between the bounds.
pub fn is_empty(min: u64, max: Option<u64>) -> bool {
    min > max.unwrap_or(REACH)
}

/// The lesser of two upper bounds.
pub fn least(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_text_reaches_is_no_bound() {
        assert_eq!(reachable(REACH), Some(REACH));
        assert_eq!(reachable(REACH + 1), None);
        assert!(is_empty(REACH + 1, None) && !is_empty(REACH, None));
        assert!(is_empty(3, Some(2)) && !is_empty(2, Some(2)));
    }
}
