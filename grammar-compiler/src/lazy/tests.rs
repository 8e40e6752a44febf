//! What matchers may hold, and the work of a step.

use std::sync::Arc;

use maskwright_core::{OwnedGrammar, OwnedMatcher, OwnedVocabulary};

use super::{AcceptFailure, LazyMatcher, LazyVocabulary};
use crate::compile::Compiler;
use crate::limits::Limits;
use crate::syntax::GrammarText;
use crate::vocabulary::Vocabulary;

/// Room for this many bytes of matchers of a vocabulary of single bytes.
fn vocabulary(bytes: usize) -> Arc<LazyVocabulary> {
    let tokens = (0..=255u8).map(|byte| vec![byte]).chain([vec![]]);
    let vocabulary = Vocabulary::from_tokens(tokens.collect(), vec![256]);
    LazyVocabulary::within(&Compiler::new(&vocabulary).unwrap(), bytes).unwrap()
}

fn matcher(text: &GrammarText, vocabulary: &Arc<LazyVocabulary>) -> Option<LazyMatcher> {
    let parsed = text.parse(&Limits::default()).unwrap();
    LazyMatcher::new(parsed.grammar.into(), vocabulary.clone()).ok()
}

/// Each letter leads to a situation that no text has been in.
fn many_situations() -> GrammarText {
    GrammarText::ebnf(
        r#"root ::= "(" root ")" root | "[" root "]" root | [a-c]{0,9000} "x" root | "y""#,
    )
}

/// Follows a text of that grammar that is drawn.
fn follow(matcher: &mut LazyMatcher, steps: usize, seed: u32) {
    let mut number = seed;
    for _ in 0..steps {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let byte = b"([abcx"[(number >> 16) as usize % 6];
        let byte = if matches!(byte, b'(' | b'[') && number >> 24 > 99 {
            b'b'
        } else {
            byte
        };
        // Brackets may not stand behind letters.
        let _ = matcher.accept_token(byte.into());
        let _ = matcher.mask().unwrap();
    }
}

#[test]
fn matchers_hold_no_more_than_there_is_room_for() {
    let most = 2 << 20;
    let (wide, narrow) = (vocabulary(usize::MAX), vocabulary(most));
    let text = many_situations();
    let mut peaks = [0, 0];
    for (vocabulary, peak) in [&wide, &narrow].into_iter().zip(&mut peaks) {
        let mut matchers: Vec<_> = (0..8).filter_map(|_| matcher(&text, vocabulary)).collect();
        assert_eq!((matchers.len(), vocabulary.matchers()), (8, 8));
        for round in 0..12 {
            for (seed, matcher) in (0..).zip(&mut matchers) {
                follow(matcher, 200, 100 * round + seed);
                *peak = vocabulary.matcher_bytes().max(*peak);
            }
        }
        // Copies are counted, and what is dropped is not.
        let before = vocabulary.matcher_bytes();
        let copies = matchers.clone();
        assert!(vocabulary.matcher_bytes() > before + before / 2);
        assert_eq!(vocabulary.matchers(), 16);
        drop((copies, matchers));
        assert_eq!((vocabulary.matcher_bytes(), vocabulary.matchers()), (0, 0));
    }
    let [wide, narrow] = peaks;
    println!("{wide} bytes, and {narrow} where there is room for {most}");
    assert!(wide > 2 * most, "{wide}");
    assert!(narrow < 2 * most, "{narrow}");
}

/// Masks do not depend on the room.
#[test]
fn a_matcher_that_forgets_has_the_same_masks() {
    let (wide, narrow) = (vocabulary(usize::MAX), vocabulary(0));
    let text = many_situations();
    let matchers = [&wide, &narrow].map(|vocabulary| matcher(&text, vocabulary));
    let [Some(mut wide), Some(mut narrow)] = matchers else {
        panic!("the first tier follows");
    };
    let mut number = 7_u32;
    for step in 0..2_000 {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let byte = u32::from(b"([abcaabbcx)]y"[(number >> 16) as usize % 14]);
        assert_eq!(
            wide.accept_token(byte),
            narrow.accept_token(byte),
            "step {step}"
        );
        assert_eq!(wide.mask(), narrow.mask(), "step {step}");
    }
}

/// A step that would take seconds ends early, and says that it is beyond the first tier. What it
/// has taken before is not changed.
#[test]
fn a_step_has_a_bound_of_work() {
    let vocabulary = vocabulary(usize::MAX);
    // Thousands of threads, each of which takes nearly all bytes to a place of its own.
    let part = |at: usize| {
        format!(
            "w{at} ::= [^{}] [^xy] w{at} | \"x\"",
            char::from(b'a' + (at % 20) as u8)
        )
    };
    let rules: Vec<String> = (0..3_000).map(part).collect();
    let all: Vec<String> = (0..3_000).map(|at| format!("w{at} \"{at}\"")).collect();
    let text = format!("root ::= \"(\" ({})\n{}", all.join(" | "), rules.join("\n"));
    let mut matcher = matcher(&GrammarText::ebnf(text), &vocabulary).unwrap();
    matcher.accept_token(u32::from(b'(')).unwrap();
    let mut beyond = 0;
    for _ in 0..40 {
        match matcher.accept_token(u32::from(b'b')) {
            Ok(()) => {}
            Err(AcceptFailure::GaveUp) => beyond += 1,
            Err(AcceptFailure::Refused(error)) => panic!("{error}"),
        }
        beyond += usize::from(matcher.mask().is_err());
    }
    assert!(beyond > 0);
}

/// Rules that are read again for each rule that they refer to.
#[test]
fn looking_for_sentences_has_a_bound_of_work() {
    let vocabulary = vocabulary(usize::MAX);
    let text = |count: usize| {
        let all: Vec<String> = (0..count).map(|at| format!("r{at}")).collect();
        let rule = |at: usize| format!("r{} ::= r{at} \"a\"", at + 1);
        let rules: Vec<String> = (0..count - 1).map(rule).collect();
        GrammarText::ebnf(format!(
            "root ::= {}\nr0 ::= \"b\"\n{}",
            all.join(" "),
            rules.join("\n")
        ))
    };
    assert!(matcher(&text(300), &vocabulary).is_some());
    assert!(matcher(&text(9_000), &vocabulary).is_none());
}

/// Counts beside loops, whose masks were once made from one another without end.
#[test]
fn masks_beside_loops_with_counts_are_those_of_the_tables() {
    let tokens = (0..=255u8).map(|byte| vec![byte]);
    let longer = ["aa", "ab", "aaa", "ba", "aaaaaaaa"].map(|text| text.as_bytes().to_vec());
    let tokens: Vec<_> = tokens.chain(longer).chain([vec![]]).collect();
    let end = tokens.len() as u32 - 1;
    let vocabulary = Vocabulary::from_tokens(tokens, vec![end]);
    let compiler = Compiler::new(&vocabulary).unwrap();
    let lazy = LazyVocabulary::new(&compiler).unwrap();
    let packed = OwnedVocabulary::load(vocabulary.pack().unwrap()).unwrap();
    for pattern in [
        ".*a{20}",
        ".*a{0,14}",
        ".{0,30}[a-c]{0,30}",
        "[^x]{0,200}a{0,200}",
        ".{0,300}a{0,300}",
        "(.|\n)*\\s{0,40}",
    ] {
        let text = GrammarText::regex(pattern);
        let tables = compiler.compile_text(&text).unwrap().into_tables();
        let tables = OwnedGrammar::load(tables).unwrap();
        let tables = tables.with_vocabulary(&packed).unwrap();
        let mut expected = OwnedMatcher::new(&tables, 64).unwrap();
        let mut first = matcher(&text, &lazy).unwrap();
        for &byte in b"aabaaaaaaaaaaaaaaaaaab" {
            let mut row = vec![0; tables.view().mask_words()];
            expected.with_mask(|mask| mask.fill(&mut row)).unwrap();
            assert_eq!(first.mask().unwrap()[..], row[..], "{pattern}");
            assert_eq!(
                first.accept_token(byte.into()).is_ok(),
                expected.accept_token(byte.into()).is_ok()
            );
        }
    }
}
