//! Patterns between slashes, as JavaScript, Perl and Lark write them.
//!
//! In: the text of a pattern. Out: what stands between its slashes, if they are not meant as text.

/// The pattern between slashes and the flags behind them, where flags follow or an anchor stands
/// that no text reaches. In other places slashes may be meant: `/usr/bin/`.
pub(crate) fn between_slashes(pattern: &str) -> Option<(&str, &str)> {
    let (inside, flags) = pattern.strip_prefix('/')?.rsplit_once('/')?;
    let is_flag = |flag: char| matches!(flag, 'g' | 'i' | 'm' | 's' | 'u' | 'x');
    let is_anchored = inside.starts_with('^') || inside.ends_with('$');
    let has_flags = !flags.is_empty() && flags.len() <= 3;
    let encloses = flags.chars().all(is_flag) && (has_flags || is_anchored);
    (!inside.is_empty() && encloses).then_some((inside, flags))
}
