//! Random JSON Schemas of all keywords, and small values that they may allow.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Map, Value, json};

const KEYS: [&str; 3] = ["a", "b", "c"];

/// Values of few letters, small numbers and short lists.
pub fn values() -> impl Strategy<Value = Value> {
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
            ("minLength", integers(0..6)),
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
            ("minItems", integers(0..5)),
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

/// Schemas nested up to three levels.
pub fn schemas() -> impl Strategy<Value = Value> {
    schemas_over(scalars())
}

/// The same, some parts of which are the whole schema again.
pub fn recursive_schemas() -> impl Strategy<Value = Value> {
    let again = Just(json!({"$ref": "#"}));
    schemas_over(prop_oneof![4 => scalars(), 2 => again].boxed())
}

/// Schemas whose innermost parts are these.
fn schemas_over(innermost: BoxedStrategy<Value>) -> impl Strategy<Value = Value> {
    innermost.prop_recursive(3, 16, 4, |inner| {
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
            2 => (combined(inner.clone()), objects(inner.clone())).prop_map(|(c, o)| merged([o, c])),
            2 => (combined(inner.clone()), arrays(inner)).prop_map(|(c, a)| merged([a, c])),
        ]
    })
}
