//! Masks where something is counted are those of the tables.

use super::both::{Both, walk_around};
use super::{lazy, letters};
use maskwright_compiler::grammar::{BoundedWords, Expr, Rule, WordState, Words};
use maskwright_compiler::lazy::LazyVocabulary;
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::json_schema;
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_tests::effort;
use maskwright_tests::harness::parse;
use maskwright_tests::random::Random;
use maskwright_tests::tokenizer::Tokenizer;
use std::sync::Arc;

/// A trained vocabulary with tokens of many lengths beside: some longer than what is left to a
/// bound, and some shorter.
fn long_tokens() -> Arc<LazyVocabulary> {
    let trained = Tokenizer::train().vocabulary();
    let mut tokens: Vec<Vec<u8>> = trained.iter().map(<[u8]>::to_vec).collect();
    for count in [
        2, 3, 5, 8, 13, 15, 16, 17, 18, 21, 31, 33, 34, 40, 63, 65, 66, 80,
    ] {
        let texts = ["a", " ", "ab", "a ", "\\n", "é"];
        tokens.extend(texts.map(|text| text.repeat(count).into_bytes()));
        tokens.push(["a".repeat(count).as_bytes(), b"\"]"].concat());
        tokens.push(["ab".repeat(count).as_bytes(), b"\""].concat());
    }
    lazy(&Vocabulary::from_tokens(tokens, trained.eos().to_vec()))
}

/// At each distance from the bounds, of counts in one another too, and where an iteration may be
/// empty.
#[test]
fn masks_of_counts_with_long_tokens_are_those_of_tables() {
    let words = long_tokens();
    let grammars = [
        r#"root ::= "\"" [^"\\]{0,100} "\"""#,
        r#"root ::= "\"" [^"\\]{70,75} "\"""#,
        r#"root ::= "\"" [^"\\]{40,} "\"""#,
        r#"root ::= "\"" ("a" "b"?){12,90} "\"""#,
        r#"root ::= "\"" ("a"? "b"?){20,60} "\"""#,
        r#"root ::= "\"" (("a" "b"?){0,20} " "?){14,40} "\"""#,
        r#"root ::= "[" ("\"" [ab]{0,20} "\"" ","?){1,15} "]""#,
    ];
    for ebnf in grammars {
        let both = Both::new(parse("counts", ebnf).unwrap(), &words).unwrap();
        let mut random = Random::new(11);
        for repeated in ["a", "ab", "é"] {
            let text = format!("\"{}", repeated.repeat(120));
            both.walk(text.as_bytes(), 130, &mut random);
        }
        (0..4).for_each(|_| both.walk(b"", 40, &mut random));
    }
}

/// Strings of a pattern with a greatest length: at each distance from it, and where more than one
/// character is missing at the end.
#[test]
fn masks_of_bounded_strings_are_those_of_tables() {
    let words = long_tokens();
    let schemas = [
        r#"{"type": "string", "pattern": "^(?:\\S+\\s+){0,5}\\S+$", "maxLength": 120}"#,
        r#"{"type": "string", "pattern": "^[^x]*x0123456789$", "maxLength": 110}"#,
        r#"{"type": "string", "pattern": "^(?:[a-zé]+ )+end$", "minLength": 5, "maxLength": 260}"#,
        r#"{"type": "array", "items": {"type": "string", "pattern": "^(a|bb|ccc)*$", "maxLength": 260}, "maxItems": 20}"#,
    ];
    for schema in schemas {
        let both = both(schema, &words);
        let mut random = Random::new(13);
        for repeated in ["a", "a ", "abé ", "ccc\\u0061"] {
            for begun in ["\"", "[\"\",\""] {
                let text = format!("{begun}{}", repeated.repeat(150));
                both.walk(text.as_bytes(), 170, &mut random);
            }
        }
        (0..4).for_each(|_| both.walk(b"", 40, &mut random));
    }
}

/// Bounds that tables count in digits, and large ones in pairs: far from the bound and before it.
#[test]
fn masks_of_long_bounds_are_those_of_tables() {
    let words = long_tokens();
    let mut random = Random::new(17);
    for (pattern, max, texts) in [
        ("^(a|bb|ccc)*$", 12_000, ["a", "bbccc"]),
        (r"^\\S+( \\S+)*$", 16_000, ["a", "ab a"]),
    ] {
        let schema = format!(r#"{{"type": "string", "pattern": "{pattern}", "maxLength": {max}}}"#);
        let both = both(&schema, &words);
        for text in texts {
            let text = format!("\"{}", text.repeat(max / text.len() + 1));
            both.walk(text.as_bytes(), 2_000, &mut random);
        }
    }
    let uri = both(
        r#"{"type": "string", "format": "uri", "maxLength": 2083}"#,
        &words,
    );
    for before in [0, 60, 119, 120, 121, 1_990] {
        for address in ["[1:2:3::5:192.0.2.1]:80/", "[::1]/", "[v1.a]?", "a/"] {
            let user = "a".repeat(before);
            let text = format!("\"http://{user}@{address}{}", "a".repeat(2_100));
            uri.walk(text.as_bytes(), 1_000, &mut random);
        }
    }
}

/// A schema of a string with a bound.
fn both(schema: &str, words: &Arc<LazyVocabulary>) -> Both {
    let source = Source::new("schema.json", schema);
    let parsed = json_schema::parse(&source, &Default::default()).unwrap();
    let is_bounded = |rule: &Rule| format!("{:?}", rule.expr).contains("Bounded(");
    assert!(parsed.grammar.rules.iter().any(is_bounded), "{schema}");
    Both::new(parsed.grammar, words).unwrap()
}

/// An automaton over a few letters in which some states stand within characters, and some lead to
/// no end.
fn random_bounded(random: &mut Random) -> BoundedWords {
    let count = 4 + random.below(12);
    let boundaries = 1 + random.below(count);
    let states = (0..count).map(|at| {
        let mut state = WordState::default();
        state.is_final = at < boundaries && random.below(4) == 0;
        let letters = (0..3).filter(|_| random.below(3) > 0);
        let edges = letters.map(|letter| (b'a' + letter, b'a' + letter));
        let edges: Vec<(u8, u8)> = edges.collect();
        // Within characters, ways lead only to later states.
        let edges = edges.into_iter().map(|(low, high)| match at < boundaries {
            true => (low, high, random.below(count) as u32),
            false if at + 1 < count && random.below(2) == 0 => (low, high, at as u32 + 1),
            false => (low, high, random.below(boundaries) as u32),
        });
        state.edges = edges.collect();
        state
    });
    let mut words = Words::default();
    words.states = states.collect();
    let max = random.below(40) as u32;
    BoundedWords::new(Arc::new(words), boundaries as u32, max).unwrap()
}

#[test]
fn masks_of_random_bounded_automata_are_those_of_tables() {
    let words = lazy(&letters());
    let all = effort::of(200);
    let automaton = |random: &mut Random| Expr::Bounded(Arc::new(random_bounded(random)));
    let followed = walk_around(automaton, all, 60, (&words, &mut Random::new(29)));
    println!("{followed} of {all} automata");
    assert!(followed * 4 > all);
}
