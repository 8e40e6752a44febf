//! Random outputs under the masks.
//!
//! Free text never leads to a call by chance, so a walk follows a guide now and then: a text, as
//! far as the masks allow it.

use crate::compiled::{Compiled, Words};
use maskwright_tests::harness::TestMatcher;
use maskwright_tests::random::Random;

/// After so many tokens a walk looks for the end.
const TIRED: usize = 60;
/// After so many tokens a walk is given up.
const MOST: usize = 800;

/// Texts that walks follow.
pub struct Guides {
    /// At any time.
    pub ways: Vec<String>,
    /// When it is time to end.
    pub ends: Vec<String>,
}

/// The tokens of an output, without its end token; nothing if it did not end in time.
pub fn write(
    compiled: &Compiled<'_>,
    words: &Words,
    guides: &Guides,
    random: &mut Random,
) -> Option<Vec<u32>> {
    compiled.with_grammar(|grammar| {
        let mut matcher = TestMatcher::new(grammar).expect("a matcher can be made");
        let mut ids = Vec::new();
        let mut guide: &[u8] = b"";
        for step in 0..MOST {
            let allowed: Vec<u32> = matcher.mask().iter().collect();
            assert!(!allowed.is_empty(), "no token is allowed after {ids:?}");
            let is_tired = step > TIRED;
            let end = allowed.iter().find(|id| words.ends.contains(id));
            if end.is_some() && random.below(if is_tired { 2 } else { 20 }) == 0 {
                return Some(ids);
            }
            let texts = if is_tired { &guides.ends } else { &guides.ways };
            if random.below(60) == 0 {
                guide = b"";
            }
            let mut chosen = along(words, &allowed, guide, random);
            // A walk that is tired looks for an end that is open here.
            for _ in 0..if is_tired { 2 * texts.len() } else { 3 } {
                if chosen.is_some() || random.below(8) == 0 && !is_tired {
                    break;
                }
                guide = random.pick(texts).map_or(&[][..], |text| text.as_bytes());
                chosen = along(words, &allowed, guide, random);
            }
            let id = match chosen {
                Some(id) => {
                    guide = &guide[words.texts[id as usize].len()..];
                    id
                }
                None => {
                    guide = b"";
                    any(words, &allowed, random)
                }
            };
            if words.ends.contains(&id) {
                return Some(ids);
            }
            matcher.accept_token(id).expect("the mask allows it");
            ids.push(id);
        }
        None
    })
}

/// A token with which the guide begins.
fn along(words: &Words, allowed: &[u32], guide: &[u8], random: &mut Random) -> Option<u32> {
    let fits = |id: &u32| {
        let text = &words.texts[*id as usize];
        !text.is_empty() && guide.starts_with(text)
    };
    let fits: Vec<u32> = allowed.iter().copied().filter(fits).collect();
    random.pick(&fits).copied()
}

/// A token of those that begin alike, each beginning as likely as another; more often in ASCII than
/// not.
fn any(words: &Words, allowed: &[u32], random: &mut Random) -> u32 {
    let first = |id: u32| words.texts[id as usize].first().copied();
    let mut firsts: Vec<u8> = allowed.iter().filter_map(|&id| first(id)).collect();
    firsts.sort_unstable();
    firsts.dedup();
    let ascii: Vec<u8> = firsts
        .iter()
        .copied()
        .filter(|byte| (b' '..0x7f).contains(byte))
        .collect();
    let firsts = if ascii.is_empty() || random.below(10) == 0 {
        &firsts
    } else {
        &ascii
    };
    let Some(&byte) = random.pick(firsts) else {
        return *random.pick(allowed).expect("a token is allowed");
    };
    let some: Vec<u32> = allowed
        .iter()
        .copied()
        .filter(|&id| first(id) == Some(byte))
        .collect();
    *random.pick(&some).expect("a token begins so")
}
