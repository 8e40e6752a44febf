//! Blanks in the texts of a format.
//!
//! In: a text of a format. Out: its parts between the blanks that a lenient grammar takes in any
//! number.

/// The text up to its first blank, or all of it if it begins with one. The reader ignores blanks
/// there, so free text must not begin with this part.
pub(super) fn before_blanks(mut text: String) -> String {
    let blank = text.find([' ', '\n', '\r', '\t']).filter(|at| *at > 0);
    text.truncate(blank.unwrap_or(text.len()));
    text
}

/// A text cut at its soft blanks: each part, and whether soft blanks follow it. Blanks are soft if
/// they hold a line feed, or stand behind a colon or a comma.
pub(super) fn soft_blanks(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let is_blank = |c: char| matches!(c, ' ' | '\n' | '\r' | '\t');
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let mut at = 0;
        while let Some(found) = text[at..].find(is_blank) {
            let start = at + found;
            let run = &text[start..];
            let end = start + run.find(|c| !is_blank(c)).unwrap_or(run.len());
            let is_soft = text[start..end].contains('\n') || text[..start].ends_with([':', ',']);
            if is_soft {
                rest = Some(&text[end..]);
                return Some((&text[..start], true));
            }
            at = end;
        }
        rest = None;
        (!text.is_empty()).then_some((text, false))
    })
}
