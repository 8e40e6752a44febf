//! Whether a text is too deep for a matcher, by the stacks that it brings about where there is room
//! for more.
//!
//! In: a text and a matcher. Out: a verdict in which no headroom has a part, only the frames that
//! lie on the stacks after each byte.

use crate::depth::RunDepth;
use maskwright_core::{AcceptError, OwnedMatcher};

/// Where the stacks begin in a state's bytes: see
/// [`State::write_to`](maskwright_core::State::write_to).
const STACKS_AT: usize = 40;

/// Whether a text that a matcher refuses at some byte is too deep for it: with more room the
/// matcher takes it, or comes to another byte that is, and the stacks that the text brings about
/// have more frames than fit.
pub fn is_too_deep(text: &[u8], matcher: &OwnedMatcher) -> bool {
    let Some(more) = with_room(matcher) else {
        return false;
    };
    let allowed = [Ok(()), Err(AcceptError::TooDeep)];
    take(text, matcher.fork()).is_err()
        && allowed.contains(&take(text, more))
        && !fits(text, matcher)
}

/// A matcher of the same grammar with room for more; `None` if none can be made.
pub fn with_room(matcher: &OwnedMatcher) -> Option<OwnedMatcher> {
    let grammar = matcher.grammar();
    let more = RunDepth::DEFAULT.of(&grammar.view()).max(matcher.depth());
    Some(OwnedMatcher::new(grammar, more).ok()?.with_history(0))
}

/// Takes a text byte by byte from its beginning.
fn take(text: &[u8], mut matcher: OwnedMatcher) -> Result<(), AcceptError> {
    matcher.reset();
    let mut bytes = text.iter();
    bytes.try_for_each(|byte| matcher.accept_bytes(&[*byte]))
}

/// Whether no stack of a text has more frames than the matcher has room for. `false` if the text is
/// refused with more room, too.
fn fits(text: &[u8], matcher: &OwnedMatcher) -> bool {
    let Some(mut more) = with_room(matcher) else {
        return false;
    };
    text.iter().all(|byte| {
        more.accept_bytes(&[*byte]).is_ok()
            && heights(&more.to_bytes())
                .iter()
                .all(|&height| height <= matcher.depth())
    })
}

/// The number of frames on each stack of a state that was written.
fn heights(state: &[u8]) -> Vec<usize> {
    let mut heights = Vec::new();
    let mut rest = state.get(STACKS_AT..).unwrap_or_default();
    // Four bytes for the state, two for the number of frames; the checksum after the last stack is
    // shorter.
    while let Some((&[_, _, _, _, low, high], frames)) = rest.split_first_chunk() {
        let height = usize::from(u16::from_le_bytes([low, high]));
        heights.push(height);
        rest = frames.get(2 * height..).unwrap_or_default();
    }
    heights
}

#[cfg(test)]
mod tests {
    use super::*;
    use maskwright_compiler::syntax::ebnf::parse;
    use maskwright_compiler::{Compiler, source::Source};
    use maskwright_core::OwnedGrammar;

    #[test]
    fn the_frames_of_a_text_are_counted() {
        let text = r#"root ::= "(" root ")" | "[" root root "]" | "x""#;
        let parsed = parse(&Source::new("g", text), &Default::default()).unwrap();
        let vocabulary = crate::input::byte_vocabulary();
        let compiled = Compiler::new(&vocabulary)
            .unwrap()
            .compile(&parsed.grammar)
            .unwrap();
        let grammar = OwnedGrammar::load(compiled.into_tables()).unwrap();
        let of_depth = |depth| OwnedMatcher::new(&grammar, depth).unwrap();
        for levels in 0..20 {
            let (open, close) = ("([".repeat(levels), "x])".repeat(levels));
            let text = format!("{open}x{close}");
            let fits = |depth| fits(text.as_bytes(), &of_depth(depth));
            let is_too_deep = |depth| is_too_deep(text.as_bytes(), &of_depth(depth));
            let frames = (0..).find(|&depth| fits(depth));
            assert_eq!(frames, Some(2 * levels), "{text}");
            for depth in 0..2 * levels + 3 {
                assert_eq!(fits(depth), !is_too_deep(depth), "{text}, {depth}");
            }
        }
        assert!(!fits(b"(]", &of_depth(5)) && !is_too_deep(b"(]", &of_depth(5)));
    }
}
