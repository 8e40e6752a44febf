//! Random small schemas and random small values: a text is accepted exactly if the validator says
//! that it is valid.
//!
//! A text's keys may stand in one order only, which a schema of several parts does not show. So an
//! object is tried in all orders: valid if one is accepted, invalid if none is.

use crate::cases::{Style, restyle};
use crate::compiled::{Compiled, Words};
use crate::judge::Judge;
use maskwright_compiler::Options;
use maskwright_compiler::limits::Limits;
use maskwright_compiler::syntax::json_schema::{SchemaOptions, Whitespace};
use maskwright_tests::effort;
use maskwright_tests::random_schema::{schemas, values};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};
use serde_json::Value;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::time::Duration;

/// Values tried with each schema.
const VALUES: usize = 30;
/// Of so many schemas, one may be refused.
const REFUSED_OF: u32 = 3;
/// What the compiler says of a schema that no value satisfies.
const EMPTY: [&str; 2] = ["schema-unsatisfiable", "unproductive-rule"];
/// Orders of keys up to which a value is tried.
const ORDERS: usize = 72;

/// The compact texts of a value, one for each order of the keys of its objects; `None` if they are
/// too many.
pub fn texts(value: &Value) -> Option<Vec<String>> {
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
pub fn choices(lists: &[Vec<String>]) -> Vec<Vec<&str>> {
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
pub fn orders(count: usize) -> Vec<Vec<usize>> {
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

#[test]
fn verdicts_are_those_of_the_validator() {
    let words = Words::bytes();
    let counts = Counts::default();
    let refusals = std::cell::RefCell::new(BTreeMap::<String, u32>::new());
    let config = ProptestConfig {
        cases: effort::cases(),
        failure_persistence: None,
        max_shrink_iters: 3000,
        ..ProptestConfig::default()
    };
    let strategy = (schemas(), vec(values(), VALUES));
    let result =
        TestRunner::new_with_rng(config, effort::seeded()).run(&strategy, |(schema, values)| {
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
    let limits = Limits::default().time(Duration::from_secs(4));
    let options = Options::default().limits(limits).threads(1);
    let text = schema.to_string();
    let compiled = match Compiled::new(&text, words, &SchemaOptions::default(), &options) {
        Ok(compiled) => Some(compiled),
        Err(error) if EMPTY.contains(&error.code().as_str()) => {
            bump(&counts.empty);
            None
        }
        Err(error) => {
            bump(&counts.refused);
            let refusal = format!("{}: {}", error.code(), error.message());
            if error.code() == "limit-exceeded" {
                println!("{refusal}\n{schema}");
            }
            *refusals.entry(refusal).or_default() += 1;
            return Ok(());
        }
    };
    let lines = SchemaOptions::default().whitespace(Whitespace::Usual(16));
    let usual = match &compiled {
        Some(_) => Some(
            Compiled::new(&text, words, &lines, &options)
                .map_err(|error| TestCaseError::fail(format!("{error}\nschema: {schema}")))?,
        ),
        None => None,
    };
    for value in values {
        let Some(texts) = texts(value) else {
            continue;
        };
        let valid = judge.allows(value);
        let mut verdicts = counts.verdicts.get();
        verdicts[usize::from(valid)] += 1;
        counts.verdicts.set(verdicts);
        for style in [Style::Compact, Style::Spaced, Style::Lines("  ")] {
            let accepts = |text: &String| {
                let lines = matches!(style, Style::Lines(_));
                let compiled = if lines { &usual } else { &compiled }.as_ref();
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
