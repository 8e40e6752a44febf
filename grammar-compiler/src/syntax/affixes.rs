//! What texts have in common, in whole characters.

/// The beginning that two texts have in common.
pub(super) fn shared_start<'t>(one: &'t str, other: &str) -> &'t str {
    let pairs = one.char_indices().zip(other.chars());
    let mut pairs = pairs.skip_while(|((_, one), other)| one == other);
    let end = pairs.next().map(|((at, _), _)| at);
    let end = end.unwrap_or(one.len().min(other.len()));
    one.get(..end).unwrap_or_default()
}

/// The end that two texts have in common.
pub(super) fn shared_end<'t>(one: &'t str, other: &str) -> &'t str {
    let pairs = one.char_indices().rev().zip(other.chars().rev());
    let same = pairs.take_while(|((_, one), other)| one == other);
    let start = same.last().map_or(one.len(), |((at, _), _)| at);
    one.get(start..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{shared_end, shared_start};

    #[test]
    fn characters_are_not_cut() {
        for (one, other, start, end) in [
            ("", "a", "", ""),
            ("abc", "abc", "abc", "abc"),
            ("ab", "abc", "ab", ""),
            ("abc", "ab", "ab", ""),
            ("bc", "abc", "", "bc"),
            // These begin with the same byte, and those end with the same.
            ("é", "è", "", ""),
            ("aé", "a\u{129}", "a", ""),
            ("é€x", "é$x", "é", "x"),
        ] {
            assert_eq!(
                (shared_start(one, other), shared_end(one, other)),
                (start, end)
            );
        }
    }
}
