//! States of linked texts as bytes: what is refused. That they are read back, all walks of
//! [`Pair`](super::pair::Pair) test.

use std::sync::Arc;

use maskwright::link::LinkedMatcher;
use maskwright::{MatcherError, OwnedMatcher, StateError};
use maskwright_compiler::link::{LinkTarget, LinkedTools, NoStore};
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::ParseOptions;

use super::formats::{tools, words};
use super::pair::DEPTH;
use super::*;

type Walk<'p> = LinkedMatcher<'p, LinkedTools, DEPTH>;

/// In text, within a name, in a piece, behind a call.
const TEXTS: [&str; 4] = [
    "Let me see",
    "Hm.\n<tool_call>\n{\"name\": \"get_w",
    "<tool_call>\n{\"name\": \"get\", \"arguments\": {\"a\": 1, \"b\": [\"x\", \"y",
    "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"x\"}}\n</tool_call>",
];

/// So many tools linked for two depths.
fn link(count: usize) -> [Arc<LinkedTools>; 2] {
    let mut random = Random::new(11);
    let format = ToolFormat::named("qwen_3", &Default::default());
    let words = words(&format.unwrap().unwrap(), false, &mut random);
    let compiler = Compiler::new(&words.vocabulary).unwrap();
    let target = Arc::new(LinkTarget::new(&compiler).unwrap());
    let parse = ParseOptions::default().tools(ToolOptions::format("qwen_3"));
    let source = Source::new("tools", tools(count));
    [DEPTH, DEPTH + 1].map(|depth| {
        let linked = target.link(&source, &parse, &NoStore, depth).unwrap();
        linked.compile(1).unwrap();
        Arc::new(linked)
    })
}

fn state(linked: &Arc<LinkedTools>, text: &str) -> Vec<u8> {
    let mut matcher = OwnedMatcher::linked(linked.clone()).unwrap();
    let taken = matcher.accept_bytes(text.as_bytes());
    taken.unwrap_or_else(|error| {
        let mut longest = OwnedMatcher::linked(linked.clone()).unwrap();
        let bytes = text.bytes();
        let taken = bytes.take_while(|&byte| longest.accept_bytes(&[byte]).is_ok());
        panic!("{error} after {} bytes of {text}", taken.count())
    });
    matcher.to_bytes()
}

#[test]
fn owned_and_borrowed_matchers_read_the_same_bytes() {
    let [linked, _] = link(4);
    for text in TEXTS {
        let bytes = state(&linked, text);
        let walk = Walk::read_from(&bytes, &linked).unwrap();
        let mut again = vec![0; Walk::MAX_BYTES];
        let length = walk.write_to(&mut again).unwrap();
        assert_eq!(bytes, again[..length]);
        let mut owned = OwnedMatcher::linked_from_bytes(&bytes, &linked).unwrap();
        assert_eq!(owned.place(), walk.place());
        assert!(owned.rollback(1).is_err(), "nothing to go back to");
        let mut forced = [[0; 8]; 2];
        let lengths = [
            walk.forced_tokens(&mut forced[0]),
            owned.forced_tokens(&mut forced[1]),
        ];
        assert_eq!(lengths[0], lengths[1]);
        assert_eq!(forced[0], forced[1], "{text}");
        assert_eq!(owned.to_bytes(), bytes, "{text}");
        if owned.is_complete() {
            owned.finish().unwrap();
            let ended = OwnedMatcher::linked_from_bytes(&owned.to_bytes(), &linked);
            assert!(ended.unwrap().is_finished());
        }
    }
}

#[test]
fn states_of_other_parts_are_refused() {
    let ([linked, deeper], [fewer, _]) = (link(4), link(3));
    for text in TEXTS {
        let bytes = state(&linked, text);
        let of_fewer = Walk::read_from(&bytes, &fewer).map(|_| ());
        assert_eq!(of_fewer, Err(StateError::OtherGrammar), "{text}");
        let of_deeper = OwnedMatcher::linked_from_bytes(&bytes, &deeper).map(|_| ());
        assert_eq!(of_deeper, Err(StateError::OtherGrammar), "{text}");
        let of_depth = Walk::read_from(&bytes, &deeper).map(|_| ());
        let other = MatcherError::OtherDepth { linked: DEPTH + 1 };
        assert_eq!(of_depth, Err(StateError::NoMatcher(other)), "{text}");
    }
}

#[test]
fn changed_bytes_are_refused() {
    let [linked, _] = link(4);
    for text in TEXTS {
        let bytes = state(&linked, text);
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x10;
            assert!(Walk::read_from(&changed, &linked).is_err(), "byte {at}");
            assert!(
                Walk::read_from(&bytes[..at], &linked).is_err(),
                "cut at {at}"
            );
        }
    }
}

/// What has the right checksum is not trusted either.
#[test]
fn forged_places_are_refused() {
    let [linked, _] = link(4);
    // Kind, then the three words of the place, behind magic, version, id and the checksum of the
    // outer part.
    const KIND: usize = 6;
    const WORDS: usize = 44;
    for text in TEXTS {
        let bytes = state(&linked, text);
        let forge = |at: usize, value: u8| {
            let mut forged = bytes.clone();
            forged[at] = value;
            let end = forged.len() - 4;
            let sum = maskwright::crc32(&forged[..end]).to_le_bytes();
            forged[end..].copy_from_slice(&sum);
            Walk::read_from(&forged, &linked).map(|walk| {
                // What is read can be followed, whatever it is.
                let _ = (walk.mask().count(), walk.is_complete());
            })
        };
        assert!(forge(KIND, 3).is_err());
        for word in 0..3 {
            for byte in 0..4 {
                for value in [1, 7, 0x80, 0xff] {
                    let _ = forge(WORDS + 4 * word + byte, value);
                }
            }
        }
        if bytes[KIND] != 0 {
            // No such state behind a hole, no such piece or name.
            assert!(forge(WORDS + 7, 0xff).is_err(), "{text}");
            assert!(forge(WORDS + 3, 0xff).is_err(), "{text}");
        }
    }
}
