//! Harmony with the tokens of gpt-oss: `<|call|>` ends calls, though it is an end token too.

use crate::compiled::{Compiled, Words};
use maskwright::Grammar;
use maskwright_compiler::syntax::tools::{Reasoning, ToolOptions};
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_tests::harness::TestMatcher;

const RETURN: u32 = 200_002;
const CONSTRAIN: u32 = 200_003;
const CHANNEL: u32 = 200_005;
const START: u32 = 200_006;
const END: u32 = 200_007;
const MESSAGE: u32 = 200_008;
const CALL: u32 = 200_012;

const TOOLS: &str = r#"[
  {"name": "get_weather", "parameters": {"properties": {"city": {"type": "string"}}, "required": ["city"]}},
  {"name": "get_time", "parameters": {}},
  {"name": "set", "parameters": {"properties": {"n": {"type": "integer"}}, "required": ["n"]}}
]"#;

#[derive(Clone, Copy, Debug)]
enum Piece {
    Text(&'static str),
    Token(u32),
}

use Piece::{Text, Token};

/// The tokens of some pieces; texts are cut where the longest token ends that fits.
fn tokens(words: &Words, pieces: &[Piece]) -> Vec<u32> {
    let mut ids = Vec::new();
    for piece in pieces {
        match piece {
            Token(id) => ids.push(*id),
            Text(text) => {
                let mut rest = text.as_bytes();
                while !rest.is_empty() {
                    let all = (0..).zip(&words.texts);
                    let fits = all.filter(|(id, token)| {
                        *id < 199_998 && !token.is_empty() && rest.starts_with(token)
                    });
                    let (id, token) = fits
                        .max_by_key(|(_, token)| token.len())
                        .expect("bytes are tokens");
                    ids.push(id);
                    rest = &rest[token.len()..];
                }
            }
        }
    }
    ids
}

/// The matcher behind these pieces. Each token is in its mask, and no mask is empty.
fn behind<'g>(grammar: &'g Grammar<'g>, words: &Words, pieces: &[Piece]) -> TestMatcher<'g> {
    let mut matcher = TestMatcher::new(grammar).expect("a matcher can be made");
    for id in tokens(words, pieces) {
        assert!(allowed(&matcher).contains(&id), "{id} in {pieces:?}");
        matcher.accept_token(id).expect("the mask allows it");
    }
    assert!(!allowed(&matcher).is_empty(), "behind {pieces:?}");
    matcher
}

fn allowed(matcher: &TestMatcher<'_>) -> Vec<u32> {
    matcher.mask().iter().collect()
}

#[test]
fn a_call_ends_with_a_token_that_is_an_end_too() {
    let words = Words::new(&Vocabulary::named("o200k_harmony").expect("it is known"));
    for id in [RETURN, CALL] {
        assert!(words.ends.contains(&id));
    }
    let options = ToolOptions::format("harmony").reasoning(Reasoning::Optional);
    let compiled = Compiled::of(TOOLS, options, &words).unwrap_or_else(|error| panic!("{error}"));
    compiled.with_grammar(|grammar| {
        let thought = [
            Token(CHANNEL),
            Text("analysis"),
            Token(MESSAGE),
            Text("Hm.\n"),
            Token(END),
            Token(START),
            Text("assistant"),
        ];
        let called = [
            Token(CHANNEL),
            Text("commentary to=functions.get_weather "),
            Token(CONSTRAIN),
            Text("json"),
            Token(MESSAGE),
            Text("{\"city\": \"<|call|>, é\"}"),
        ];
        let said = [Token(CHANNEL), Text("final"), Token(MESSAGE), Text("Well")];

        // Behind the arguments there is `<|call|>`, as its token only.
        let whole = [&thought[..], &called].concat();
        let mut matcher = behind(grammar, &words, &whole);
        assert_eq!(allowed(&matcher), [CALL]);
        assert!(!matcher.is_complete());
        assert!(matcher.accept_bytes(b"<").is_err());
        matcher.accept_token(CALL).expect("the mask allows it");
        // It has ended the call, not the output: that may go on, or end.
        assert!(!matcher.is_finished() && matcher.is_complete());
        let mut next = words.ends.clone();
        next.push(START);
        next.sort_unstable();
        assert_eq!(allowed(&matcher), next);

        // Two calls and an answer.
        let two = [
            &whole[..],
            &[
                Token(CALL),
                Token(START),
                Text("assistant to=functions.set"),
                Token(CHANNEL),
                Text("commentary json"),
                Token(MESSAGE),
                Text("{\"n\":-12}"),
                Token(CALL),
                Token(START),
                Text("assistant"),
            ],
            &said,
        ]
        .concat();
        let mut matcher = behind(grammar, &words, &two);
        assert!(!matcher.is_complete());
        // What ends the answer is a token, too; `<|call|>` ends nothing here.
        assert!(allowed(&matcher).contains(&RETURN) && allowed(&matcher).contains(&END));
        assert!(!allowed(&matcher).contains(&CALL));
        for spelled in ["<|return|>", "<|end|>"] {
            assert!(
                matcher.clone().accept_bytes(spelled.as_bytes()).is_err(),
                "{spelled}"
            );
            let (before, _) = spelled.split_at(spelled.len() - 1);
            assert!(
                matcher.clone().accept_bytes(before.as_bytes()).is_ok(),
                "{before}"
            );
        }
        matcher.accept_token(RETURN).expect("the mask allows it");
        assert!(matcher.is_complete() && !matcher.is_finished());

        // No name but those of the tools; nothing in reasoning ends a call.
        let named = [Token(CHANNEL), Text("commentary to=functions.")];
        let matcher = behind(grammar, &words, &named);
        let names: Vec<&[u8]> = allowed(&matcher)
            .iter()
            .map(|&id| words.texts[id as usize].as_slice())
            .collect();
        let all: [&[u8]; 3] = [b"get_weather", b"get_time", b"set"];
        assert!(names.iter().all(|name| {
            all.iter()
                .any(|tool| tool.starts_with(name) || name.starts_with(tool))
        }));
        let matcher = behind(grammar, &words, &thought[..4]);
        assert!(allowed(&matcher).contains(&END) && !allowed(&matcher).contains(&CALL));
    });
}
