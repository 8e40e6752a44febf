//! Random small schemas and random small values: a text is accepted exactly if the validator says that it is valid.
//!
//! A text's keys may stand in one order only, which a schema of several parts does not show. So an object is
//! tried in all orders: valid if one is accepted, invalid if none is.

use crate::cases::{Style, restyle};
use crate::compiled::{Compiled, Words};
use crate::judge::Judge;
use maskwright_compiler::Options;
use maskwright_compiler::limits::Limits;
use maskwright_compiler::schema::SchemaOptions;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::test_runner::{RngAlgorithm, TestCaseError, TestRng, TestRunner};
use serde_json::{Map, Value, json};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::time::Duration;

const KEYS: [&str; 3] = ["a", "b", "c"];
/// Values tried with each schema.
const VALUES: usize = 30;
/// Of so many schemas, one may be refused.
const REFUSED_OF: u32 = 6;
/// What the compiler says of a schema that no value satisfies.
const EMPTY: [&str; 2] = ["schema-unsatisfiable", "unproductive-rule"];
/// Orders of keys up to which a value is tried.
const ORDERS: usize = 72;

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::Bool),
        3 => (-3i32..8).prop_map(Value::from),
        1 => select(vec![0.5, 1.5, -0.5, 2.25]).prop_map(Value::from),
        3 => "[ab]{0,3}".prop_map(Value::from),
        1 => select(vec!["x", "a b", "é", "\"", "2024-02-29"]).prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        let object = (subsequence(KEYS.to_vec(), 0..=3), vec(inner.clone(), 3))
            .prop_map(|(keys, values)| keys.into_iter().map(String::from).zip(values).collect());
        prop_oneof![
            2 => vec(inner, 0..=3).prop_map(Value::Array),
            3 => object.prop_map(Value::Object),
        ]
    })
}

/// An object with a random part of these members.
fn some_of(
    members: Vec<(&'static str, BoxedStrategy<Value>)>,
    most: usize,
) -> BoxedStrategy<Value> {
    let count = members.len();
    subsequence((0..count).collect::<Vec<_>>(), 0..=most.min(count))
        .prop_flat_map(move |chosen| {
            let chosen = chosen.iter().map(|&i| members[i].clone());
            chosen
                .map(|(key, value)| value.prop_map(move |value| (key.to_owned(), value)))
                .collect::<Vec<_>>()
        })
        .prop_map(|members| Value::Object(members.into_iter().collect()))
        .boxed()
}

fn merged(parts: impl IntoIterator<Item = Value>) -> Value {
    let mut whole = Map::new();
    for part in parts {
        if let Value::Object(part) = part {
            whole.extend(part);
        }
    }
    Value::Object(whole)
}

fn integers(range: std::ops::Range<i32>) -> BoxedStrategy<Value> {
    range.prop_map(Value::from).boxed()
}

fn types() -> BoxedStrategy<Value> {
    let names = [
        "null", "boolean", "integer", "number", "string", "array", "object",
    ];
    prop_oneof![
        3 => select(names.to_vec()).prop_map(Value::from),
        1 => subsequence(names.to_vec(), 1..=3).prop_map(|names| json!(names)),
    ]
    .boxed()
}

fn scalars() -> BoxedStrategy<Value> {
    let numbers = some_of(
        vec![
            ("minimum", integers(-2..4)),
            ("maximum", integers(0..7)),
            ("exclusiveMinimum", integers(-2..3)),
            ("exclusiveMaximum", integers(1..7)),
            (
                "multipleOf",
                select(vec![json!(2), json!(3), json!(0.5)]).boxed(),
            ),
        ],
        2,
    );
    let patterns = ["^a", "b$", "a.*b", "^[ab]*$", "^.$", "^(?!ab)"];
    let strings = some_of(
        vec![
            ("minLength", integers(0..3)),
            ("maxLength", integers(0..4)),
            (
                "pattern",
                select(patterns.to_vec()).prop_map(Value::from).boxed(),
            ),
            ("format", Just(json!("date")).boxed()),
        ],
        2,
    );
    prop_oneof![
        2 => (types(), numbers, strings).prop_map(|(t, n, s)| merged([json!({"type": t}), n, s])),
        1 => types().prop_map(|t| json!({"type": t})),
        1 => vec(values(), 1..4).prop_map(|values| json!({"enum": values})),
        1 => values().prop_map(|value| json!({"const": value})),
        1 => any::<bool>().prop_map(Value::Bool),
    ]
    .boxed()
}

fn objects(inner: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    let some_keys = |least| subsequence(KEYS.to_vec(), least..=2);
    let properties =
        (subsequence(KEYS.to_vec(), 0..=3), vec(inner.clone(), 3)).prop_map(|(k, v)| {
            let members = k.into_iter().map(String::from).zip(v);
            Value::Object(members.collect())
        });
    let by_pattern = (select(vec!["^a", "[bc]", "^.$"]), inner.clone());
    let dependent = (select(KEYS.to_vec()), some_keys(1));
    let dependent_schema = (select(KEYS.to_vec()), inner.clone());
    some_of(
        vec![
            ("properties", properties.clone().boxed()),
            ("properties", properties.boxed()),
            (
                "required",
                some_keys(0).prop_map(|keys| json!(keys)).boxed(),
            ),
            (
                "additionalProperties",
                prop_oneof![Just(json!(false)), inner.clone()].boxed(),
            ),
            (
                "patternProperties",
                by_pattern.prop_map(|(k, v)| json!({k: v})).boxed(),
            ),
            (
                "propertyNames",
                select(vec!["^[ab]", "c"])
                    .prop_map(|p| json!({"pattern": p}))
                    .boxed(),
            ),
            ("minProperties", integers(0..3)),
            ("maxProperties", integers(0..3)),
            (
                "dependentRequired",
                dependent.prop_map(|(k, v)| json!({k: v})).boxed(),
            ),
            (
                "dependentSchemas",
                dependent_schema.prop_map(|(k, v)| json!({k: v})).boxed(),
            ),
            (
                "unevaluatedProperties",
                prop_oneof![Just(json!(false)), inner].boxed(),
            ),
        ],
        4,
    )
}

fn arrays(inner: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    let prefix = vec(inner.clone(), 1..=2).prop_map(Value::Array);
    some_of(
        vec![
            ("items", inner.clone()),
            ("prefixItems", prefix.boxed()),
            ("minItems", integers(0..3)),
            ("maxItems", integers(0..4)),
            ("contains", inner.clone()),
            ("minContains", integers(0..3)),
            ("maxContains", integers(0..3)),
            ("uniqueItems", Just(json!(true)).boxed()),
            ("unevaluatedItems", inner),
        ],
        3,
    )
}

fn combined(inner: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    let some = || vec(inner.clone(), 1..=3).prop_map(Value::Array).boxed();
    some_of(
        vec![
            ("allOf", some()),
            ("anyOf", some()),
            ("oneOf", some()),
            ("not", inner.clone()),
            ("if", inner.clone()),
            ("then", inner.clone()),
            ("else", inner),
        ],
        3,
    )
}

fn schemas() -> impl Strategy<Value = Value> {
    scalars().prop_recursive(3, 16, 4, |inner| {
        let typed = |name: &'static str, part: BoxedStrategy<Value>| {
            (any::<bool>(), part).prop_map(move |(typed, part)| match typed {
                true => merged([json!({"type": name}), part]),
                false => part,
            })
        };
        prop_oneof![
            3 => typed("object", objects(inner.clone())),
            2 => typed("array", arrays(inner.clone())),
            2 => combined(inner.clone()),
            2 => (combined(inner.clone()), scalars()).prop_map(|(c, s)| merged([s, c])),
            2 => (combined(inner.clone()), objects(inner)).prop_map(|(c, o)| merged([o, c])),
        ]
    })
}

/// The compact texts of a value, one for each order of the keys of its objects; `None` if they are too many.
fn texts(value: &Value) -> Option<Vec<String>> {
    let joined = |parts: &[&str]| parts.join(",");
    let all = match value {
        Value::Array(items) => {
            let items = items.iter().map(texts).collect::<Option<Vec<_>>>()?;
            let wrap = |parts: &[&str]| format!("[{}]", joined(parts));
            choices(&items).iter().map(|parts| wrap(parts)).collect()
        }
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| {
                let key = Value::from(key.as_str());
                let texts = texts(value)?;
                Some(texts.iter().map(|text| format!("{key}:{text}")).collect())
            };
            let members = members.iter().map(member).collect::<Option<Vec<_>>>()?;
            let orders = orders(members.len());
            let mut all = Vec::new();
            for parts in choices(&members) {
                for order in &orders {
                    let ordered: Vec<&str> = order.iter().map(|&i| parts[i]).collect();
                    all.push(format!("{{{}}}", joined(&ordered)));
                }
            }
            all
        }
        scalar => vec![scalar.to_string()],
    };
    (all.len() <= ORDERS).then_some(all)
}

/// All ways to take one of each.
fn choices(lists: &[Vec<String>]) -> Vec<Vec<&str>> {
    lists.iter().fold(vec![Vec::new()], |all, list| {
        let extended = all.iter().flat_map(|chosen| {
            list.iter().map(move |text| {
                let mut longer = chosen.clone();
                longer.push(text.as_str());
                longer
            })
        });
        extended.collect()
    })
}

/// All orders of `0..count`.
fn orders(count: usize) -> Vec<Vec<usize>> {
    (0..count).fold(vec![Vec::new()], |all, new| {
        let inserted = all.iter().flat_map(|order| {
            (0..=order.len()).map(move |at| {
                let mut longer = order.clone();
                longer.insert(at, new);
                longer
            })
        });
        inserted.collect()
    })
}

#[derive(Default)]
struct Counts {
    schemas: Cell<u32>,
    refused: Cell<u32>,
    empty: Cell<u32>,
    verdicts: Cell<[u32; 2]>,
}

fn bump(cell: &Cell<u32>) {
    cell.set(cell.get() + 1);
}

/// A fixed seed, unless `PROPTEST_RNG_SEED` says otherwise.
fn rng() -> TestRng {
    let seed = std::env::var("PROPTEST_RNG_SEED");
    let seed = seed.ok().and_then(|s| s.parse().ok()).unwrap_or(1u64);
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRng::from_seed(RngAlgorithm::ChaCha, &bytes)
}

#[test]
fn verdicts_are_those_of_the_validator() {
    let words = Words::bytes();
    let counts = Counts::default();
    let refusals = std::cell::RefCell::new(BTreeMap::<String, u32>::new());
    let config = ProptestConfig {
        failure_persistence: None,
        max_shrink_iters: 3000,
        ..ProptestConfig::default()
    };
    let strategy = (schemas(), vec(values(), VALUES));
    let result = TestRunner::new_with_rng(config, rng()).run(&strategy, |(schema, values)| {
        check(
            &schema,
            &values,
            &words,
            &counts,
            &mut refusals.borrow_mut(),
        )
    });
    println!(
        "{} schemas: {} refused, {} without values; verdicts: {:?} invalid, valid",
        counts.schemas.get(),
        counts.refused.get(),
        counts.empty.get(),
        counts.verdicts.get()
    );
    for (refusal, times) in refusals.borrow().iter() {
        println!("{times} times {refusal}");
    }
    if let Err(error) = result {
        panic!("{error}");
    }
    assert!(
        counts.refused.get() * REFUSED_OF <= counts.schemas.get(),
        "too many schemas are refused"
    );
}

fn check(
    schema: &Value,
    values: &[Value],
    words: &Words,
    counts: &Counts,
    refusals: &mut BTreeMap<String, u32>,
) -> Result<(), TestCaseError> {
    bump(&counts.schemas);
    let judge = Judge::new(schema);
    let limits = Limits {
        time: Duration::from_secs(2),
        ..Limits::default()
    };
    let options = Options { limits, threads: 1 };
    let text = schema.to_string();
    let compiled = match Compiled::new(&text, words, &SchemaOptions::default(), &options) {
        Ok(compiled) => Some(compiled),
        Err(error) if EMPTY.contains(&error.code()) => {
            bump(&counts.empty);
            None
        }
        Err(error) => {
            bump(&counts.refused);
            let refusal = format!("{}: {}", error.code(), error.message());
            *refusals.entry(refusal).or_default() += 1;
            return Ok(());
        }
    };
    for value in values {
        let Some(texts) = texts(value) else {
            continue;
        };
        let valid = judge.allows(value);
        let mut verdicts = counts.verdicts.get();
        verdicts[usize::from(valid)] += 1;
        counts.verdicts.set(verdicts);
        for style in [Style::Compact, Style::Spaced] {
            let accepts = |text: &String| {
                let compiled = compiled.as_ref();
                compiled.is_some_and(|compiled| compiled.accepts(&restyle(text, style)))
            };
            let accepted = texts.iter().find(|text| accepts(text));
            if accepted.is_some() != valid {
                let verb = if valid { "refuses" } else { "accepts" };
                let message = format!("{verb} {value}, {style:?}\nschema: {schema}");
                return Err(TestCaseError::fail(message));
            }
        }
    }
    Ok(())
}
