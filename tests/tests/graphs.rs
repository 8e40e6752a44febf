//! Grammars whose number of stacks is not proved: long random walks find a token at each step, and
//! the mask holds exactly what is accepted.

use maskwright::{OwnedGrammar, OwnedMatcher, OwnedVocabulary};
use maskwright_compiler::grammar::interpret;
use maskwright_compiler::{Options, source::Source, syntax::ebnf, vocabulary::Vocabulary};
use maskwright_tests::documents;
use maskwright_tests::harness::compile;
use serde_json::Value;

/// Steps of the walks over each grammar and depth.
const STEPS: usize = 2_000;

/// No number of stacks is proved to be enough for any of them.
const GRAMMARS: [&str; 2] = [
    r#"root ::= "a" root "a" | "b" root "b" | """#,
    r#"root ::= "a" root "a" | "b" root "b" | "(" root ")" | [ab]"#,
];

fn grammar(text: &str) -> OwnedGrammar {
    let mut tokens: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
    let pieces = [
        "ab", "ba", "aa", "bbb", "abba", "babababa", "a,b", "(a", "a)", "",
    ];
    tokens.extend(pieces.map(|piece| piece.as_bytes().to_vec()));
    let end = tokens.len() as u32 - 1;
    let vocabulary = Vocabulary::from_tokens(tokens, vec![end]);
    let parsed = ebnf::parse(&Source::new("g.ebnf", text), &Default::default());
    let options = Options::default();
    let compiled = compile(&parsed.unwrap().grammar, &vocabulary, &options).unwrap();
    let vocabulary = OwnedVocabulary::load(vocabulary.pack().unwrap()).unwrap();
    let grammar = OwnedGrammar::load(compiled.into_tables()).unwrap();
    grammar.with_vocabulary(&vocabulary).unwrap()
}

/// Random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}

#[test]
fn walks_never_end_before_the_text() {
    let (mut unproved, mut refused) = (0, 0);
    for text in GRAMMARS {
        let grammar = grammar(text);
        let view = grammar.view();
        unproved += usize::from(!view.stacks_are_proved());
        for more in [0, 1, 7, 30] {
            let start = OwnedMatcher::new(&grammar, view.least_depth() + more).unwrap();
            let (mut matcher, mut random) = (start.fork(), Random(0x1234_5678 + more as u64));
            for step in 0..STEPS {
                let mask: Vec<u32> = matcher.with_mask(|mask| mask.iter().collect());
                let mut fork = matcher.fork();
                let is_accepted = |&id: &u32| {
                    fork.accept_token(id).is_ok() && fork.rollback(1).is_ok() && fork == matcher
                };
                let accepted: Vec<u32> = (0..view.vocab_size()).filter(is_accepted).collect();
                assert_eq!(mask, accepted, "{text}: step {step}");
                assert!(!mask.is_empty(), "{text}: step {step}");
                refused += usize::from(mask.len() < 8);
                matcher
                    .accept_token(mask[random.below(mask.len())])
                    .unwrap();
                if matcher.is_finished() {
                    matcher = start.fork();
                }
            }
        }
    }
    assert!(unproved == 2 && refused > 100, "{unproved} {refused}");
}

/// Whether a text is accepted, byte by byte, by a matcher with room for 128 frames.
fn accepts(grammar: &OwnedGrammar, text: &str) -> bool {
    let mut matcher = OwnedMatcher::new(grammar, 128).unwrap();
    let mut taken = text.bytes();
    taken.all(|byte| matcher.accept_token(u32::from(byte)).is_ok()) && matcher.is_complete()
}

#[test]
fn ambiguous_kinds_are_judged_as_by_earley() {
    let path = documents::root().join("benches/peers/work/ambiguous.jsonl");
    let lines = std::fs::read_to_string(path).unwrap();
    let mut texts = 0;
    for line in lines.lines() {
        let kind: Value = serde_json::from_str(line).unwrap();
        let ebnf = kind["ebnf"].as_str().unwrap();
        let parsed = ebnf::parse(&Source::new("g.ebnf", ebnf), &Default::default());
        let (parsed, tables) = (parsed.unwrap().grammar, grammar(ebnf));
        for (list, verdict) in [("valid", true), ("invalid", false)] {
            for text in kind[list].as_array().unwrap() {
                let text = text.as_str().unwrap();
                let by_earley = interpret::accepts(&parsed, text);
                assert_eq!(by_earley, verdict, "{}: {text}", kind["name"]);
                assert_eq!(accepts(&tables, text), verdict, "{}: {text}", kind["name"]);
                texts += 1;
            }
        }
    }
    assert_eq!(texts, 12 * 6);
}
