//! Texts that do not contain delimiters.

use crate::grammar::Words;
use crate::grammar::words::WordState;
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded, Limits};

/// What is being done.
const DOING: &str = "leaving out texts with a delimiter";

/// The steps that the automaton of delimiters may have for each state that `Limits` allow. Few delimiters have more than some for each of their bytes.
const MOST_STEPS: usize = 25;

/// A range of bytes, and the place that it leads to.
type Step = (u8, u8, u32);

/// Delimiters, as the automaton that finds them: A. Aho and M. Corasick, *Efficient string matching* (1975). A place is the longest beginning of a
/// delimiter that the text read so far ends with; the first is the empty one.
#[derive(Debug)]
pub(in super::super) struct Needles {
    places: Vec<Place>,
}

#[derive(Debug, Default)]
struct Place {
    /// What follows in the delimiters that begin so, by byte.
    children: Vec<(u8, u32)>,
    /// Where each byte leads, in order and without gaps.
    steps: Vec<Step>,
    /// Whether a delimiter has been read.
    is_found: bool,
}

impl Needles {
    /// The automaton of these delimiters; empty ones say nothing.
    pub(in super::super) fn new<'n>(
        needles: impl IntoIterator<Item = &'n [u8]>,
        limits: &Limits,
        deadline: &Deadline,
    ) -> Result<Self, LimitExceeded> {
        let mut places = vec![Place::default()];
        for needle in needles.into_iter().filter(|needle| !needle.is_empty()) {
            let mut at = 0u32;
            for &byte in needle {
                deadline.tick(DOING)?;
                check_count(places.len(), limits)?;
                at = child(&mut places, at, byte);
            }
            places[at as usize].is_found = true;
        }
        link(&mut places, limits, deadline)?;
        Ok(Needles { places })
    }

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.places.len() == 1
    }

    fn is_found(&self, place: u32) -> bool {
        self.places[place as usize].is_found
    }

    /// The words that contain none of them, and whether there are others. Every state of `words` must lead to a word; states of
    /// the result need not.
    pub(in super::super) fn cut_from(
        &self,
        words: Words,
        deadline: &Deadline,
    ) -> Result<(Words, bool), LimitExceeded> {
        if words.states.is_empty() || self.is_empty() {
            return Ok((words, false));
        }
        let mut pairs = Interner::new();
        pairs.intern((0u32, 0u32));
        let mut states = Vec::new();
        let mut is_cut = false;
        while let Some(&(state, place)) = pairs.values.get(states.len()) {
            let mut edges: Vec<(u8, u8, u32)> = Vec::new();
            let steps = &self.places[place as usize].steps;
            let from = words.states.get(state as usize);
            for &(low, high, to) in from.map_or(&[][..], |from| &from.edges) {
                deadline.ticks(steps.len(), DOING)?;
                for &(first, last, next) in steps {
                    let (first, last) = (first.max(low), last.min(high));
                    if first > last {
                        continue;
                    }
                    match self.is_found(next) {
                        true => is_cut = true,
                        false => edges.push((first, last, pairs.intern((to, next)))),
                    }
                }
            }
            states.push(WordState {
                is_final: words.is_final(state),
                edges,
            });
        }
        Ok((Words { states }, is_cut))
    }
}

/// The words in which `needle` does not occur, and whether there are others, as [`Needles::cut_from`].
pub(in super::super) fn without(
    words: Words,
    needle: &str,
    limits: &Limits,
    deadline: &Deadline,
) -> Result<(Words, bool), LimitExceeded> {
    Needles::new([needle.as_bytes()], limits, deadline)?.cut_from(words, deadline)
}

/// The place behind `at` and one more byte of a delimiter.
fn child(places: &mut Vec<Place>, at: u32, byte: u8) -> u32 {
    let next = places.len() as u32;
    let children = &mut places[at as usize].children;
    match children.binary_search_by_key(&byte, |child| child.0) {
        Ok(found) => children[found].1,
        Err(free) => {
            children.insert(free, (byte, next));
            places.push(Place::default());
            next
        }
    }
}

/// Works out where each byte leads: on in a delimiter that begins so, otherwise where it leads from the longest beginning that the place ends with.
fn link(places: &mut [Place], limits: &Limits, deadline: &Deadline) -> Result<(), LimitExceeded> {
    places[0].steps = overridden(&[(0, u8::MAX, 0)], &places[0].children);
    // Places with the longest shorter one that each ends with, in the order of their lengths.
    let mut queue: Vec<(u32, u32)> = places[0].children.iter().map(|c| (c.1, 0)).collect();
    let mut count = 0;
    let mut done = 0;
    while let Some(&(place, shorter)) = queue.get(done) {
        done += 1;
        let Place {
            steps, is_found, ..
        } = &places[shorter as usize];
        deadline.ticks(steps.len(), DOING)?;
        let is_found = *is_found;
        let children = &places[place as usize].children;
        let own = overridden(steps, children);
        count += own.len();
        check_count(count / MOST_STEPS, limits)?;
        queue.extend(children.iter().map(|&(byte, to)| (to, led_to(steps, byte))));
        let place = &mut places[place as usize];
        place.steps = own;
        place.is_found |= is_found;
    }
    Ok(())
}

/// Fails if there are too many places.
fn check_count(places: usize, limits: &Limits) -> Result<(), LimitExceeded> {
    if places <= limits.automaton_states {
        return Ok(());
    }
    Err(LimitExceeded {
        limit: "automaton_states",
        value: limits.automaton_states as u64,
        what: "the texts that may not occur need too many automaton states".to_owned(),
    })
}

/// Where a byte leads.
fn led_to(steps: &[Step], byte: u8) -> u32 {
    let at = steps.partition_point(|step| step.1 < byte);
    steps.get(at).map_or(0, |step| step.2)
}

/// The same steps, but for these bytes, which are in order.
fn overridden(steps: &[Step], bytes: &[(u8, u32)]) -> Vec<Step> {
    let mut out: Vec<Step> = Vec::new();
    let mut push = |step: Step| match out.last_mut() {
        Some(last) if last.2 == step.2 => last.1 = step.1,
        _ => out.push(step),
    };
    let mut bytes = bytes.iter().copied().peekable();
    for &(low, high, to) in steps {
        let mut rest = Some(low);
        while let Some(low) = rest {
            let next = bytes.next_if(|byte| byte.0 <= high);
            rest = match next {
                Some((byte, own)) => {
                    if low < byte {
                        push((low, byte - 1, to));
                    }
                    push((byte, byte, own));
                    (byte < high).then(|| byte + 1)
                }
                None => {
                    push((low, high, to));
                    None
                }
            };
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::json_schema::strings::{Language, raw_text};

    fn contains(words: &Words, text: &[u8]) -> bool {
        let mut states = vec![0];
        for &byte in text {
            states = (states.iter())
                .flat_map(|&state| words.step(state, byte))
                .collect();
        }
        states.iter().any(|&state| words.is_final(state))
    }

    fn cut(language: &Language, needles: &[&str]) -> (Words, bool) {
        let deadline = Deadline::never();
        let needles = needles.iter().map(|needle| needle.as_bytes());
        let needles = Needles::new(needles, &Limits::default(), &deadline).unwrap();
        needles.cut_from(raw_text(language), &deadline).unwrap()
    }

    #[test]
    fn texts_without_several_needles_contain_none_of_them() {
        for needles in [
            &["ab", "b"][..],
            &["abab", "ba", "cc"],
            &["aab", "ab", "aabb"],
            &["caac", "aa", "aca", "acaac"],
            &["", "a"],
            &["abc", "bc\0", "c\u{7f}"],
            &[],
        ] {
            let (words, is_cut) = cut(&Language::any(), needles);
            assert_eq!(is_cut, !needles.is_empty());
            for code in 0..4u32.pow(6) {
                let letters = (0..6).map(|at| code / 4u32.pow(at) % 4);
                let text: String = letters.map(|l| ['a', 'b', 'c', '\0'][l as usize]).collect();
                let is_one = |needle: &&&str| !needle.is_empty() && text.contains(**needle);
                let expected = !needles.iter().any(|needle| is_one(&needle));
                let found = contains(&words, text.as_bytes());
                assert_eq!(found, expected, "{needles:?}: {text:?}");
            }
        }
    }

    #[test]
    fn delimiters_beyond_the_limit_are_refused() {
        let limits = Limits::default().automaton_states(100);
        let new = |needles: &[String]| {
            let needles = needles.iter().map(String::as_bytes);
            Needles::new(needles, &limits, &Deadline::never()).map(drop)
        };
        let long = |length| "a".repeat(length);
        assert_eq!(new(&[long(100)]), Ok(()));
        let refused = new(&[long(101)]).unwrap_err();
        assert_eq!((refused.limit, refused.value), ("automaton_states", 100));
        // Places that each tell many bytes apart.
        let letters = (b'a'..=b'z').map(|byte| char::from(byte).to_string() + "!");
        let many: Vec<String> = letters.chain([long(40)]).collect();
        assert_eq!(new(&many[..26]).map_err(|error| error.limit), Ok(()));
        assert_eq!(new(&many), Err(refused));
    }

    #[test]
    fn texts_without_a_needle_are_those_that_do_not_contain_it() {
        for needle in ["a", "aa", "ab", "aba", "aabaa", "abab"] {
            let (words, is_cut) = cut(&Language::any(), &[needle]);
            assert!(is_cut);
            // All texts of up to eight letters.
            for code in 0..3u32.pow(8) {
                let letters = (0..8).map(|at| code / 3u32.pow(at) % 3);
                let text: String = letters.map(|l| ['a', 'b', 'c'][l as usize]).collect();
                for text in [&text[..], &text[..3]] {
                    let expected = !text.contains(needle);
                    assert_eq!(
                        contains(&words, text.as_bytes()),
                        expected,
                        "{needle}: {text}"
                    );
                }
            }
        }
        let (words, is_cut) = cut(&Language::literal("ab"), &["ba"]);
        assert!(!is_cut && contains(&words, b"ab") && !contains(&words, b"a"));
    }
}
