//! Names that may have been meant.
//!
//! In: a name that is unknown, and the names that are known. Out: the known one that is most like
//! it, if one is. The work is bounded whatever a text holds: long names and very many names are not
//! compared.

/// The longest name for which a similar one is looked for, in bytes.
const MAX_LENGTH: usize = 60;
/// Among at most this many names a similar one is looked for.
pub(crate) const MAX_COMPARED: usize = 5000;
/// For at most so many unknown names of one text it is worth looking.
pub const MAX_SUGGESTIONS: usize = 20;

/// The one of `known` that is most like `name`, the first by alphabet of equally similar ones: to
/// ask whether it was meant.
///
/// ```
/// use maskwright_compiler::similar::closest;
///
/// assert_eq!(closest("strin", ["number", "string"]), Some("string"));
/// assert_eq!(closest("array", ["number", "string"]), None);
/// ```
pub fn closest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    if name.len() > MAX_LENGTH {
        return None;
    }
    let known: Vec<&str> = known.into_iter().take(MAX_COMPARED + 1).collect();
    if known.len() > MAX_COMPARED {
        return None;
    }
    let allowed = 1 + name.len() / 4;
    let near = |other: &&str| other.len().abs_diff(name.len()) <= allowed;
    let distances = known.into_iter().filter(near).map(|other| {
        let distance = strsim::damerau_levenshtein(name, other);
        (distance, other)
    });
    let (distance, other) = distances.min()?;
    (distance <= allowed).then_some(other)
}

/// Whether a name is one slip away from another: a letter too many, too few, wrong, or swapped with
/// the next, or the case of letters.
pub(crate) fn is_slip(name: &str, other: &str) -> bool {
    name.len() <= MAX_LENGTH
        && other.len().abs_diff(name.len()) <= 1
        && (name.eq_ignore_ascii_case(other) || strsim::damerau_levenshtein(name, other) == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_similar_name_is_found_within_bounds() {
        assert_eq!(
            closest("valeu", ["values", "value", "other"]),
            Some("value")
        );
        assert_eq!(closest("x", ["root", "value"]), None);
        assert_eq!(closest("", ["root"]), None);
        let long = "n".repeat(MAX_LENGTH + 1);
        assert_eq!(closest(&long, [long.as_str()]), None);
        let many: Vec<String> = (0..=MAX_COMPARED).map(|at| format!("name{at}")).collect();
        assert_eq!(closest("name1x", many.iter().map(String::as_str)), None);
        let fewer = many[1..].iter().map(String::as_str);
        assert_eq!(closest("name77", fewer), Some("name77"));
    }
}
