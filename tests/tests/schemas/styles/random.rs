//! Random schemas, random arguments, and random texts under the masks.

use super::super::compiled::{Compiled, Words};
use super::super::judge::Judge;
use super::{read, render};
use maskwright::style::{Argument, Arguments, Kind};
use maskwright_compiler::Options;
use maskwright_compiler::error::Error;
use maskwright_compiler::limits::Limits;
use maskwright_compiler::syntax::json_schema::numbers::NumberForms;
use maskwright_compiler::syntax::json_schema::{SchemaOptions, Style};
use maskwright_tests::effort;
use maskwright_tests::random::Random;
use maskwright_tests::random_schema::{schemas, values};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{TestCaseError, TestRunner};
use serde_json::{Map, Value, json};
use std::cell::Cell;
use std::time::Duration;

/// What the compiler says of a schema without values in the style.
const EMPTY: [&str; 3] = ["schema-unsatisfiable", "unproductive-rule", "schema-style"];
/// Digits of a number from which on the validator, which computes with floats, rounds.
const DIGITS: usize = 15;
/// Steps after which a walk looks for the end, and after which it is given up.
const STEPS: [usize; 2] = [40, 600];

/// All bytes, all tags, and an end.
fn words() -> Words {
    let tags = [
        "<parameter=a>",
        "<parameter=",
        "</parameter>",
        "<parameter name=\"",
        "\">",
        "<｜DSML｜parameter name=\"",
        "</｜DSML｜parameter>",
        "<｜DSML｜ parameter name=\"",
        "</｜DSML｜ parameter>",
        "\" string=\"",
        "<arg_key>",
        "</arg_key>",
        "<arg_value>",
        "</arg_value>",
        "</arg_value><arg_key>",
        "<cofl:value name=\"",
        "<cofl:value",
        "</cofl:value>",
        "\" type=\"",
        "<|open|>",
        "<|close|>",
        "<|sep|>",
        "argument key=\"",
        "<|close|>argument<|sep|>",
        "]<]minimax[>[",
        "]<]minimax[>[<",
        "]<]minimax[>[</",
        "<item>",
        "</",
        "x</",
        "true",
        "null",
        "True",
        "None",
        "<|\"|>",
        "<|",
        "<escape>",
        "a=",
        "=\"",
        "\", \"",
        ":<escape>",
        "{a:",
        "\\u00",
    ];
    let bytes = (0..=255u8).map(|byte| vec![byte]);
    let tags = tags.iter().map(|tag| tag.as_bytes().to_vec());
    let mut tokens: Vec<Vec<u8>> = bytes.chain(tags).collect();
    let end = tokens.len() as u32;
    tokens.push(Vec::new());
    Words::new(tokens, vec![end])
}

fn compile<'w>(style: Style, schema: &Value, words: &'w Words) -> Result<Compiled<'w>, Error> {
    let limits = Limits::default().time(Duration::from_secs(4));
    let options = Options::default().limits(limits).threads(1);
    let schema_options = SchemaOptions::default()
        .style(style)
        .arguments(true)
        .numbers(NumberForms::default().exponents(false));
    Compiled::new(&schema.to_string(), words, &schema_options, &options)
}

fn styles() -> impl Strategy<Value = Style> {
    select(Style::ALL.to_vec())
}

fn arguments() -> impl Strategy<Value = Map<String, Value>> {
    vec(values(), 3).prop_flat_map(|values| {
        let keys = proptest::sample::subsequence(vec!["a", "b", "c"], 0..=3);
        keys.prop_map(move |keys| {
            let keys = keys.into_iter().map(String::from);
            keys.zip(values.clone()).collect()
        })
    })
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases: effort::of(cases),
        failure_persistence: None,
        max_shrink_iters: 2000,
        ..ProptestConfig::default()
    }
}

/// A schema of this value and some others, closed as tools in strict mode are.
fn schema_of(value: &Value) -> Value {
    match value {
        Value::Null => json!({"type": "null"}),
        Value::Bool(_) => json!({"type": "boolean"}),
        Value::Number(_) => json!({"type": "number"}),
        Value::String(text) if text.len() == 1 => json!({"enum": [text, "other"]}),
        Value::String(text) => json!({"type": "string", "maxLength": text.chars().count() + 1}),
        Value::Array(items) => {
            let items: Vec<Value> = items.iter().map(schema_of).collect();
            match items.is_empty() {
                true => json!({"type": "array"}),
                false => json!({"type": "array", "items": {"anyOf": items}}),
            }
        }
        Value::Object(members) => {
            let properties: Map<String, Value> = members
                .iter()
                .map(|(key, value)| (key.clone(), schema_of(value)))
                .collect();
            let required: Vec<&String> = members.keys().collect();
            json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
        }
    }
}

/// Every text that is accepted has a valid reading; of valid arguments some order is accepted.
#[test]
fn verdicts_are_those_of_the_validator() {
    let words = words();
    let counts = Cell::new([0u32; 4]);
    let count = |at: usize| {
        let mut all = counts.get();
        all[at] += 1;
        counts.set(all);
    };
    let strategy = (styles(), schemas(), vec(arguments(), 12));
    let result = TestRunner::new_with_rng(config(400), effort::seeded()).run(
        &strategy,
        |(style, schema, all)| {
            let judge = Judge::new(&schema);
            let compiled = match compile(style, &schema, &words) {
                Ok(compiled) => Some(compiled),
                Err(error) if EMPTY.contains(&error.code().as_str()) => None,
                Err(_) => {
                    count(0);
                    return Ok(());
                }
            };
            for arguments in all {
                let Some(texts) = render::arguments(style, &arguments) else {
                    continue;
                };
                let value = Value::Object(arguments);
                let accepts = |text: &String| compiled.as_ref().is_some_and(|c| c.accepts(text));
                let accepted: Vec<&String> = texts.iter().filter(|text| accepts(text)).collect();
                for text in &accepted {
                    let readings = read::arguments(style, text).unwrap_or_default();
                    if !readings.iter().any(|value| judge.allows(value)) {
                        let message = format!("{style} accepts {text}\nschema: {schema}");
                        return Err(TestCaseError::fail(message));
                    }
                }
                let is_valid = judge.allows(&value);
                count(1 + usize::from(is_valid));
                // Names that a schema does not list have no elements in that style.
                let may_lack = style == Style::MinimaxM3Xml;
                if is_valid && accepted.is_empty() && !may_lack {
                    let message =
                        format!("{style} refuses {value}\n{}\nschema: {schema}", texts[0]);
                    return Err(TestCaseError::fail(message));
                }
            }
            Ok(())
        },
    );
    println!("{:?} refused, invalid, valid", counts.get());
    if let Err(error) = result {
        panic!("{error}");
    }
    let [refused, invalid, valid, _] = counts.get();
    assert!(
        refused < valid && invalid > 200 && valid > 200,
        "{:?}",
        counts.get()
    );
}

/// Arguments of a tool in strict mode are accepted as they are rendered, and read back.
#[test]
fn rendered_arguments_are_accepted() {
    let words = words();
    let strategy = (styles(), arguments());
    let result = TestRunner::new_with_rng(config(300), effort::seeded()).run(
        &strategy,
        |(style, arguments)| {
            let Some(texts) = render::arguments(style, &arguments) else {
                return Ok(());
            };
            let value = Value::Object(arguments);
            let schema = schema_of(&value);
            let compiled = compile(style, &schema, &words).map_err(|error| {
                TestCaseError::fail(format!("{style}: {error}\nschema: {schema}"))
            })?;
            for text in &texts {
                let readings = read::arguments(style, text).unwrap_or_default();
                prop_assert!(readings.contains(&value), "{} reads {}", style, text);
            }
            let accepted = texts.iter().any(|text| compiled.accepts(text));
            prop_assert!(
                accepted,
                "{} refuses {}\nschema: {}",
                style,
                texts[0],
                schema
            );
            Ok(())
        },
    );
    if let Err(error) = result {
        panic!("{error}");
    }
}

/// What is written under the masks is read back to valid arguments.
#[test]
fn generated_texts_are_read_back() {
    let words = words();
    let counts = Cell::new([0u32; 2]);
    let strategy = (styles(), schemas(), arguments(), any::<(bool, u64)>());
    let result = TestRunner::new_with_rng(config(400), effort::seeded()).run(
        &strategy,
        |(style, schema, arguments, (is_strict, seed))| {
            let schema = match is_strict {
                true => schema_of(&Value::Object(arguments)),
                false => schema,
            };
            let judge = Judge::new(&schema);
            let Ok(compiled) = compile(style, &schema, &words) else {
                return Ok(());
            };
            for seed in seed..seed.saturating_add(4) {
                let mut random = Random::new(seed);
                let pick = |allowed: &[u32], step: usize| pick(&words, allowed, step, &mut random);
                let Some(text) = compiled.generate_by(STEPS[1], pick) else {
                    continue;
                };
                let Ok(text) = String::from_utf8(text) else {
                    return Err(TestCaseError::fail(format!("not UTF-8\nschema: {schema}")));
                };
                let numbers = text.split(|c: char| !c.is_ascii_digit() && c != '.');
                if numbers.map(str::len).max().unwrap_or(0) > DIGITS {
                    continue;
                }
                let readings = read::arguments(style, &text);
                let [texts, read] = counts.get();
                counts.set([texts + 1, read + u32::from(readings.is_some())]);
                let readings = readings.unwrap_or_default();
                if readings.len() >= read::READINGS {
                    continue;
                }
                let is_right = |value: &Value| judge.allows(value) && is_read(style, &text, value);
                if !readings.iter().any(is_right) {
                    let message = format!("{style} generates {text:?}\nschema: {schema}");
                    return Err(TestCaseError::fail(message));
                }
            }
            Ok(())
        },
    );
    println!("{:?} texts, read back", counts.get());
    if let Err(error) = result {
        panic!("{error}");
    }
    assert!(counts.get()[0] > 200, "too few texts are judged");
}

/// Whether the runtime's readers find this object, and where it ends in a text that goes on.
fn is_read(style: Style, text: &str, value: &Value) -> bool {
    let behind = match style {
        Style::Pythonic | Style::PythonicJson => ")",
        Style::MinimaxM3Xml => "\n]<]minimax[>[</x>",
        _ => "\n</x>",
    };
    // Blanks before the next tag belong to no element; those of a call stand within its
    // parentheses.
    let length = match style {
        Style::Pythonic | Style::PythonicJson => text.len(),
        _ => text.trim_end().len(),
    };
    if style.extent(&format!("{text}{behind}")) != Some(length) {
        return false;
    }
    if let Some(form) = style.form() {
        return agrees(Arguments::new(form, text), value);
    }
    let json = style.notation().map(|notation| notation.to_json(text));
    let json = json.and_then(|json| serde_json::from_str::<Value>(&json.ok()?).ok());
    json.as_ref() == Some(value)
}

/// Whether the runtime's reader finds these members.
fn agrees(elements: Arguments<'_>, object: &Value) -> bool {
    let Ok(elements) = elements.collect::<Result<Vec<Argument<'_>>, _>>() else {
        return false;
    };
    // Of elements with one key the last counts.
    elements.iter().enumerate().all(|(at, element)| {
        let key: String = element.key_chars().collect();
        let is_last = !elements[at + 1..].iter().any(|later| later.is_key(&key));
        !is_last
            || object
                .get(&key)
                .is_some_and(|value| is_value(element, value))
    })
}

fn is_value(element: &Argument<'_>, value: &Value) -> bool {
    match (value, element.elements()) {
        (Value::String(text), _) => element.may_be(Kind::String) && element.string() == text,
        (Value::Object(_), Some(inner)) => agrees(inner, value),
        (Value::Array(items), Some(inner)) => {
            let inner: Vec<_> = inner.collect();
            inner.len() == items.len()
                && (inner.iter().zip(items))
                    .all(|(element, item)| element.is_ok_and(|element| is_value(&element, item)))
        }
        _ => serde_json::from_str::<Value>(element.json()).is_ok_and(|read| read == *value),
    }
}

/// A tag, a byte of ASCII, or the end; a tired walk prefers what ends things.
fn pick(words: &Words, allowed: &[u32], step: usize, random: &mut Random) -> u32 {
    let bytes = |id: &u32| words.tokens[*id as usize].as_slice();
    let is_tired = step > STEPS[0];
    let ends: Vec<u32> = allowed
        .iter()
        .copied()
        .filter(|id| bytes(id).is_empty())
        .collect();
    let closes = |id: &&u32| {
        bytes(id).starts_with(b"</")
            || bytes(id).starts_with(b"<|close")
            || bytes(id).starts_with(b"]<]minimax[>[</")
            || matches!(bytes(id), b"<|\"|>" | b"<escape>")
    };
    let closing: Vec<u32> = allowed.iter().filter(closes).copied().collect();
    let brackets: Vec<u32> = allowed
        .iter()
        .copied()
        .filter(|id| matches!(bytes(id), [b'}' | b']' | b'"' | b'>']))
        .collect();
    let plain: Vec<u32> = allowed
        .iter()
        .copied()
        .filter(|id| bytes(id).is_ascii() || bytes(id).len() > 1)
        .collect();
    let chosen = match random.below(6) {
        0 => random.pick(&ends),
        1 => random.pick(&closing),
        _ if is_tired => {
            let first = random.pick(&ends).or_else(|| random.pick(&closing));
            first.or_else(|| random.pick(&brackets))
        }
        _ => None,
    };
    let chosen = chosen.or_else(|| random.pick(&plain));
    *chosen
        .or_else(|| random.pick(allowed))
        .expect("a token is allowed")
}
