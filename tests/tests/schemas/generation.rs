//! Texts generated under the masks parse and are valid.

use crate::cases;
use crate::compiled::{Compiled, Words};
use crate::judge::Judge;
use maskwright_compiler::syntax::json_schema::SchemaOptions;
use maskwright_compiler::syntax::json_schema::numbers::NumberForms;
use maskwright_tests::harness::unhurried;
use maskwright_tests::random::Random;
use maskwright_tests::tokenizer::Tokenizer;

/// Texts for each schema.
const TEXTS: u64 = 24;

/// Digits of a number from which on the validator, which computes with floats, rounds.
const DIGITS: usize = 15;

/// The most digits of a number in the text; some of the digits in strings count too.
fn most_digits(text: &str) -> usize {
    let numbers = text.split(|c: char| !c.is_ascii_digit() && c != '.');
    numbers.map(str::len).max().unwrap_or(0)
}

/// Numbers without exponents: `1e999` is a number, but none that a parser into floats takes.
fn options() -> SchemaOptions {
    let numbers = NumberForms::default().exponents(false);
    SchemaOptions::default().numbers(numbers)
}

/// As much of a text as fits into a message.
fn start(text: &str) -> String {
    text.chars().take(200).collect()
}

#[test]
fn texts_under_the_masks_are_valid() {
    let tokenizer = Tokenizer::train();
    let words = Words::new(tokenizer.tokens.clone(), tokenizer.eos.clone());
    let (mut texts, mut unfinished, mut unjudged) = (0, 0, 0);
    let mut wrong = Vec::new();
    for case in cases::load() {
        let judge = Judge::new(&serde_json::from_str(case.schema.get()).unwrap());
        let compiled = match Compiled::new(case.schema.get(), &words, &options(), &unhurried()) {
            Ok(compiled) => compiled,
            Err(error) => {
                wrong.push(format!("{}: {error}", case.name));
                continue;
            }
        };
        for seed in 0..TEXTS {
            texts += 1;
            let Some(text) = compiled.generate(&mut Random::new(seed)) else {
                unfinished += 1;
                continue;
            };
            let Ok(text) = String::from_utf8(text) else {
                wrong.push(format!("{}: not UTF-8", case.name));
                continue;
            };
            if most_digits(&text) > DIGITS {
                unjudged += 1;
                continue;
            }
            match serde_json::from_str(&text) {
                Ok(value) if judge.allows(&value) => {}
                Ok(_) => wrong.push(format!("{}: invalid: {}", case.name, start(&text))),
                Err(error) => wrong.push(format!("{}: {error}: {}", case.name, start(&text))),
            }
        }
    }
    println!(
        "{texts} texts; {unfinished} did not end, {unjudged} have numbers that the validator rounds"
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        (unfinished + unjudged) * 5 < texts,
        "too few texts are judged"
    );
}
