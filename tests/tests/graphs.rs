//! Grammars whose number of stacks is not proved: long random walks find a token at each step, and
//! the mask holds exactly what is accepted.

use maskwright::{Matcher, OwnedGrammar, OwnedMatcher, OwnedVocabulary};
use maskwright_compiler::grammar::interpret;
use maskwright_compiler::source::Source;
use maskwright_compiler::{Compiler, GrammarText, syntax::ebnf, vocabulary::Vocabulary};
use maskwright_tests::documents;
use serde_json::Value;

/// Steps of the walks over each grammar and depth.
const STEPS: usize = 2_000;

/// No number of stacks is proved to be enough for any of them.
const GRAMMARS: [&str; 2] = [
    r#"root ::= "a" root "a" | "b" root "b" | """#,
    r#"root ::= "a" root "a" | "b" root "b" | "(" root ")" | [ab]"#,
];

/// Grammars with the terminals `T` and `U`, which are tokens or letters. None has a proved number
/// of stacks.
const WITH_TERMINALS: [&str; 5] = [
    r#"root ::= T | "("{2,} root ")""#,
    r#"root ::= T root T | U root U | """#,
    r#"root ::= T root T | "a" root "a" | "b" root "b" | T | [ab]"#,
    r#"root ::= (T | "a")* ("(" root)* "b" | U root U | T"#,
    r#"root ::= "(" root T | "(" root "b" | U{2,} root ")" | """#,
];

fn grammar(text: &str) -> OwnedGrammar {
    let mut tokens: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
    let pieces = [
        "ab", "ba", "aa", "bbb", "abba", "babababa", "a,b", "(a", "a)", "",
    ];
    tokens.extend(pieces.map(|piece| piece.as_bytes().to_vec()));
    let end = tokens.len() as u32 - 1;
    let vocabulary = Vocabulary::from_tokens(tokens, vec![end]);
    let compiler = Compiler::new(&vocabulary).unwrap();
    let compiled = compiler.compile_text(&GrammarText::ebnf(text)).unwrap();
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

/// All strings of up to `most` of these symbols.
fn strings(symbols: &str, most: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut from = 0;
    for _ in 0..most {
        let to = all.len();
        for at in from..to {
            let longer = symbols.chars().map(|symbol| format!("{}{symbol}", all[at]));
            let longer: Vec<String> = longer.collect();
            all.extend(longer);
        }
        from = to;
    }
    all
}

#[test]
fn terminals_that_are_tokens_are_taken_as_letters_are() {
    // The tokens 1 and 2 are bytes that stand in no text.
    let id = |symbol: char| match symbol {
        'T' => 1,
        'U' => 2,
        _ => symbol as u32,
    };
    let (mut taken, mut unproved) = (0, 0);
    for text in WITH_TERMINALS {
        let letters = text.replace('T', "\"T\"").replace('U', "\"U\"");
        let by_earley = ebnf::parse(&Source::new("g.ebnf", letters), &Default::default());
        let by_earley = by_earley.unwrap().grammar;
        let tables = grammar(&text.replace('T', "<[1]>").replace('U', "<[2]>"));
        unproved += usize::from(!tables.view().stacks_are_proved());
        let start = OwnedMatcher::new(&tables, 64).unwrap();
        for string in strings("ab()TU", 6) {
            let mut matcher = start.fork();
            let is_prefix = string.chars().all(|symbol| {
                let offered = matcher.with_mask(|mask| mask.contains(id(symbol)));
                let accepted = matcher.accept_token(id(symbol)).is_ok();
                assert_eq!(offered, accepted, "{text}: {string}");
                accepted
            });
            let is_sentence = is_prefix && matcher.is_complete();
            assert_eq!(
                is_sentence,
                interpret::accepts(&by_earley, &string),
                "{text}: {string}"
            );
            let ends = is_prefix
                && matcher.with_mask(|mask| mask.contains(tables.view().vocab_size() - 1));
            assert_eq!(ends, is_sentence, "{text}: {string}");
            taken += usize::from(is_sentence);
        }
    }
    assert!(unproved == 5 && taken > 200, "{unproved} {taken}");
}

/// In the least memory a graph is full at once: one stack goes on then, which the mask has for the
/// token, and one reading of the token if the others do not fit.
#[test]
fn a_full_graph_takes_what_its_mask_offers() {
    const RULES: usize = 5;
    let next = |rule: usize| -> Vec<String> {
        let rules = (0..RULES).map(|at| format!("r{}", (rule * at + 1) % RULES));
        rules.collect()
    };
    let rules: Vec<String> = (0..RULES)
        .map(|rule| {
            let next = next(rule).join(" | ");
            format!("r{rule} ::= [ab] ({next}) [ab] ({next})? | \"(\"\n")
        })
        .collect();
    let grammar = grammar(&format!("root ::= r0\n{}", rules.concat()));
    let view = grammar.view();
    assert!(!view.stacks_are_proved());
    let start = Matcher::<64, 8>::new(&view).unwrap();
    let (mut matcher, mut random) = (start, Random(0x2545_f491));
    let (mut steps, mut deepest) = (0, 0);
    for _ in 0..1_000 {
        let mask: Vec<u32> = matcher.mask().iter().collect();
        for id in 0..view.vocab_size() {
            let taken = matcher.clone().accept_token(id);
            assert_eq!(taken.is_ok(), mask.contains(&id), "{id}: {taken:?}");
            assert_eq!(
                matcher.check_draft(&[id]),
                usize::from(taken.is_ok()),
                "{id}"
            );
        }
        let can_end = mask.iter().any(|&id| view.eos().any(|end| end == id));
        assert_eq!(matcher.is_complete(), can_end);
        if mask.len() == usize::from(can_end) {
            (matcher, steps) = (start, 0);
            continue;
        }
        let id = mask[random.below(mask.len())];
        matcher.accept_token(id).unwrap();
        steps += 1;
        deepest = deepest.max(steps);
    }
    assert!(deepest > 60, "{deepest}");
}
