//! Characters in the order of their code points.
//!
//! Surrogates are no characters, so U+D7FF and U+E000 are neighbours. `regex_syntax` is
//! inconsistent about this: if one range of a class ends at the first and the next begins at the
//! second, its negation of the class contains both. Use [`complement`].

/// The most classes with a name, such as `\w`, of a pattern: each has some hundred ranges of
/// characters, which are joined without a look at the clock.
pub(crate) const MOST_CLASSES: usize = 10_000;

/// How many classes a pattern names.
pub(crate) fn named_classes(pattern: &str) -> usize {
    const LETTERS: [char; 8] = ['p', 'P', 'w', 'W', 'd', 'D', 's', 'S'];
    let behind = pattern.split('\\').skip(1);
    behind.filter(|behind| behind.starts_with(LETTERS)).count()
}

/// The character after `c`.
pub fn next(c: char) -> Option<char> {
    (c..=char::MAX).nth(1)
}

/// The character before `c`.
pub fn previous(c: char) -> Option<char> {
    ('\0'..=c).nth_back(1)
}

/// The characters in none of the inclusive ranges, as such ranges: sorted, disjoint, not adjacent.
/// The ranges given are in the order of their ends; they may touch or overlap.
pub fn complement(ascending: impl IntoIterator<Item = (char, char)>) -> Vec<(char, char)> {
    let mut others = Vec::new();
    let mut from = Some('\0');
    for (first, last) in ascending {
        if let (Some(start), Some(end)) = (from, previous(first))
            && start <= end
        {
            others.push((start, end));
        }
        from = from.and_then(|from| Some(next(last)?.max(from)));
    }
    others.extend(from.map(|start| (start, char::MAX)));
    others
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surrogates_leave_no_gap() {
        let none: [(char, char); 0] = [];
        let all = ('\0', char::MAX);
        assert_eq!(complement(none), [all]);
        assert_eq!(complement([all]), none);
        let halves = [('\0', '\u{d7ff}'), ('\u{e000}', char::MAX)];
        assert_eq!(complement(halves), none);
        assert_eq!(complement([halves[0]]), [halves[1]]);
        assert_eq!(complement([halves[1]]), [halves[0]]);
        let around = [('\u{d7fe}', '\u{d7fe}'), ('\u{e001}', '\u{e001}')];
        let others = [
            ('\0', '\u{d7fd}'),
            ('\u{d7ff}', '\u{e000}'),
            ('\u{e002}', char::MAX),
        ];
        assert_eq!(complement(around), others);
        assert_eq!(complement(others), around);
    }

    #[test]
    fn ranges_may_touch_and_overlap() {
        let ranges = [('b', 'd'), ('b', 'd'), ('c', 'f'), ('g', 'g')];
        assert_eq!(complement(ranges), [('\0', 'a'), ('h', char::MAX)]);
    }
}
