//! Sets of characters as ranges.
//!
//! Sets are lists of ranges, ascending and disjoint, neighbours joined.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

/// A set of characters.
pub(crate) type Ranges = Vec<(char, char)>;

/// All characters.
pub(crate) const ALL: (char, char) = ('\0', char::MAX);

/// The character behind `c`, across the surrogates.
fn successor(c: char) -> Option<char> {
    match c {
        '\u{d7ff}' => Some('\u{e000}'),
        _ => char::from_u32(u32::from(c) + 1),
    }
}

/// The character before `c`, across the surrogates.
fn predecessor(c: char) -> Option<char> {
    match c {
        '\u{e000}' => Some('\u{d7ff}'),
        _ => char::from_u32(u32::from(c).checked_sub(1)?),
    }
}

/// The set of the characters in these ranges, which may overlap; one that is reversed is empty.
pub(crate) fn normalize(mut ranges: Ranges) -> Ranges {
    ranges.retain(|(first, last)| first <= last);
    ranges.sort_unstable();
    let mut joined: Ranges = Vec::with_capacity(ranges.len());
    for (first, last) in ranges {
        match joined.last_mut() {
            Some((_, end)) if successor(*end).is_none_or(|next| first <= next) => {
                *end = last.max(*end);
            }
            _ => joined.push((first, last)),
        }
    }
    joined
}

/// The characters that are not in the set.
pub(crate) fn complement(ranges: &[(char, char)]) -> Ranges {
    let mut gaps = Vec::new();
    let mut from = Some('\0');
    for &(first, last) in ranges {
        if let (Some(from), Some(to)) = (from, predecessor(first))
            && from <= to
        {
            gaps.push((from, to));
        }
        from = successor(last);
    }
    gaps.extend(from.map(|from| (from, char::MAX)));
    gaps
}

/// The set with the other cases of its letters (simple case folding).
pub(crate) fn fold_case(ranges: Ranges, ascii: bool) -> Ranges {
    if ascii {
        let mut folded = ranges.clone();
        for c in ('a'..='z').chain('A'..='Z') {
            if contains(&ranges, c) {
                let other = char::from(c as u8 ^ 0x20);
                folded.push((other, other));
            }
        }
        return normalize(folded);
    }
    let mut class = ClassUnicode::new(
        (ranges.iter()).map(|&(first, last)| ClassUnicodeRange::new(first, last)),
    );
    match class.try_case_fold_simple() {
        Ok(()) => from_class(&class),
        Err(_) => ranges,
    }
}

/// Whether the set has the character.
pub(crate) fn contains(ranges: &[(char, char)], c: char) -> bool {
    let after = ranges.partition_point(|&(first, _)| first <= c);
    after
        .checked_sub(1)
        .and_then(|at| ranges.get(at))
        .is_some_and(|&(_, last)| c <= last)
}

fn from_class(class: &ClassUnicode) -> Ranges {
    normalize(
        class
            .iter()
            .map(|range| (range.start(), range.end()))
            .collect(),
    )
}

/// The characters with a property, as `\p{…}` names it in Rust's `regex`.
pub(crate) fn property(name: &str) -> Option<Ranges> {
    let known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '=' | ':' | '-' | ' ');
    if !name.chars().all(known) {
        return None;
    }
    match regex_syntax::parse(&format!(r"\p{{{name}}}")).ok()?.kind() {
        HirKind::Class(Class::Unicode(class)) => Some(from_class(class)),
        HirKind::Class(Class::Bytes(class)) => Some(normalize(
            (class.iter())
                .map(|range| (char::from(range.start()), char::from(range.end())))
                .collect(),
        )),
        HirKind::Literal(literal) => {
            let c = std::str::from_utf8(&literal.0).ok()?.chars().next()?;
            Some(vec![(c, c)])
        }
        _ => None,
    }
}

/// What `\d` matches in Python.
pub(crate) fn digits(ascii: bool) -> Ranges {
    let unicode = if ascii { None } else { property("Nd") };
    unicode.unwrap_or_else(|| vec![('0', '9')])
}

/// What `\s` matches in Python: also the separators U+001C to U+001F.
pub(crate) fn spaces(ascii: bool) -> Ranges {
    let mut ranges = vec![('\t', '\r'), (' ', ' ')];
    if !ascii {
        ranges.push(('\u{1c}', '\u{1f}'));
        ranges.extend(property("White_Space").unwrap_or_default());
    }
    normalize(ranges)
}

/// What `\w` matches in Python: letters, numbers and `_`, no combining marks.
pub(crate) fn word(ascii: bool) -> Ranges {
    let mut ranges = vec![('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];
    if !ascii {
        ranges.extend(property("L").unwrap_or_default());
        ranges.extend(property("N").unwrap_or_default());
    }
    normalize(ranges)
}
