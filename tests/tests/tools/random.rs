//! Random tools, arguments that are valid for them, and random outputs that call them.
//!
//! In: a seed and a [`Wire`]. Out: [`Tool`]s with an independent [`Judge`] each, and outputs as
//! lists of [`Item`]s.

use crate::judge::Judge;
use crate::wire::{Layout, Style, Wire};
use maskwright_tests::random::Random;
use maskwright_tests::random_schema::schemas;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Map, Value, json};

/// Names of tools, of which some begin alike, some are words of formats, and some cannot be written
/// in each format.
const NAMES: [&str; 14] = [
    "f",
    "g",
    "get",
    "get_weather",
    "get_weather_2",
    "a.b",
    "x-1",
    "name",
    "tool_call",
    "function",
    "call",
    "json",
    "a=b",
    "é",
];
/// Names of arguments.
const KEYS: [&str; 8] = ["a", "b", "ab", "city", "query", "x_1", "item", "name"];
/// Strings that look like other things.
const STRINGS: [&str; 30] = [
    "",
    "x",
    "Oslo",
    "a b",
    "é😀",
    "\"",
    "\\",
    "\\n",
    "a\nb",
    "\n",
    "1",
    "-2.5",
    "true",
    "null",
    "None",
    "{}",
    "[1]",
    "</",
    "<",
    "</parameter",
    "<tool_call>",
    "</tool_call>",
    "```",
    "'",
    ", ",
    "f(x)",
    "]",
    "\"}]",
    "<|",
    "&amp;<>",
];
/// What texts are made of.
const WORDS: [&str; 24] = [
    "Hello",
    " ",
    ".",
    "\n",
    "\n\n",
    "é",
    "😀",
    "<",
    "</",
    "<|",
    "<tool",
    "<tool_cal",
    "{",
    "{\"",
    "{\"name\":",
    "[",
    "[TOOL",
    "]",
    "]<]",
    "x",
    "functools",
    "<｜",
    "<think",
    "call:",
];

/// A tool.
pub struct Tool {
    pub name: String,
    /// As a request has it.
    pub json: Value,
    /// Which arguments are valid.
    pub judge: Judge,
    /// The schema as it is written, if arguments must satisfy it.
    pub schema: Option<Value>,
    /// What makes valid arguments, if it is known.
    maker: Option<Maker>,
}

enum Maker {
    Object(Vec<Field>),
    Any,
}

struct Field {
    key: &'static str,
    is_required: bool,
    kind: Kind,
}

/// The values of a property.
enum Kind {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Enum(Vec<&'static str>),
    Const(Value),
    /// A string, or what else the schema allows: how it says so, and its values that are no
    /// strings.
    Text(Value, Vec<Value>),
    Array(Box<Kind>),
    Object(Vec<Field>),
    Either(Box<Kind>, Box<Kind>),
}

/// A part of an output.
#[derive(Clone, Debug)]
pub enum Item {
    Reasoning(String),
    Text(String),
    /// Calls that stand together.
    Calls(Vec<Called>),
}

/// A call that is meant.
#[derive(Clone, Debug)]
pub struct Called {
    pub name: String,
    pub arguments: Map<String, Value>,
}

/// Makes tools and outputs, the same for the same seed.
pub struct Sampler {
    pub random: Random,
    runner: TestRunner,
}

impl Sampler {
    pub fn new(seed: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        Sampler {
            random: Random::new(seed),
            runner: TestRunner::new_with_rng(Config::default(), rng),
        }
    }

    /// One to four tools with different names. `with_any`: also of schemas of which no arguments
    /// are known.
    pub fn tools(&mut self, with_any: bool) -> Vec<Tool> {
        let mut names: Vec<&str> = Vec::new();
        while names.len() < 1 + self.random.below(4) {
            let name = *self.random.pick(&NAMES).expect("there are names");
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
            .into_iter()
            .map(|name| self.tool(name, with_any))
            .collect()
    }

    fn tool(&mut self, name: &str, with_any: bool) -> Tool {
        let closed = json!({"type": "object", "additionalProperties": false});
        let (schema, judged, maker, strict) = match self.random.below(if with_any { 9 } else { 6 })
        {
            0 => (None, closed, Some(Maker::Object(Vec::new())), true),
            1 => (
                Some(json!({})),
                closed,
                Some(Maker::Object(Vec::new())),
                true,
            ),
            2 => {
                let any = json!({"type": "object"});
                (Some(self.schema()), any, Some(Maker::Any), false)
            }
            3..=5 => {
                let fields = self.fields(2);
                let mut schema = object(&fields);
                schema["$defs"] = json!({"text": {"type": "string"}});
                (
                    Some(schema.clone()),
                    schema,
                    Some(Maker::Object(fields)),
                    true,
                )
            }
            _ => {
                let schema = self.schema();
                (
                    Some(schema.clone()),
                    json!({"type": "object", "allOf": [schema]}),
                    None,
                    true,
                )
            }
        };
        let mut json = json!({"type": "function", "function": {"name": name}});
        if let Some(schema) = &schema {
            json["function"]["parameters"] = schema.clone();
        }
        if !strict {
            json["function"]["strict"] = Value::Bool(false);
        }
        Tool {
            name: name.to_owned(),
            json,
            judge: Judge::new(&judged),
            schema: schema.filter(|_| strict),
            maker,
        }
    }

    /// A schema of any keywords.
    fn schema(&mut self) -> Value {
        loop {
            let tree = schemas().new_tree(&mut self.runner);
            let schema = tree.expect("no sample is rejected").current();
            if schema.is_object() {
                return schema;
            }
        }
    }

    fn fields(&mut self, depth: usize) -> Vec<Field> {
        let mut keys: Vec<&str> = Vec::new();
        for _ in 0..self.random.below(4) {
            let key = *self.random.pick(&KEYS).expect("there are keys");
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        // As the schema's texts have them.
        keys.sort_unstable();
        let fields = keys.into_iter().map(|key| Field {
            key,
            is_required: self.random.below(2) == 0,
            kind: self.kind(depth),
        });
        fields.collect()
    }

    fn kind(&mut self, depth: usize) -> Kind {
        match self.random.below(if depth == 0 { 10 } else { 14 }) {
            12 | 13 if depth > 0 => self.text_kind(),
            8 | 9 if depth == 0 => self.text_kind(),
            0 => Kind::Null,
            1 => Kind::Boolean,
            2 => Kind::Integer,
            3 => Kind::Number,
            4 | 5 => Kind::String,
            6 => Kind::Enum(vec!["Oslo", "é 1", "2"]),
            7 => Kind::Const(
                self.random
                    .pick(&[json!(5), json!("c"), json!(true)])
                    .cloned()
                    .unwrap_or_default(),
            ),
            8 | 9 => Kind::Array(Box::new(self.kind(depth - 1))),
            10 => Kind::Object(self.fields(depth - 1)),
            _ => Kind::Either(
                Box::new(self.kind(depth - 1)),
                Box::new(self.kind(depth - 1)),
            ),
        }
    }

    /// Strings, said in several ways, perhaps with other values beside them.
    fn text_kind(&mut self) -> Kind {
        let string = json!({"type": "string"});
        let all = [
            (json!({"$ref": "#/$defs/text"}), vec![]),
            (json!({"allOf": [string, {"description": "x"}]}), vec![]),
            (json!({"type": ["string", "null"]}), vec![Value::Null]),
            (
                json!({"anyOf": [{"$ref": "#/$defs/text"}, {"type": "null"}]}),
                vec![Value::Null],
            ),
            (
                json!({"oneOf": [string, {"type": "integer"}]}),
                vec![json!(7), json!(-12)],
            ),
            (
                json!({"enum": ["5", "6", null, "true", 7]}),
                vec![Value::Null, json!(7), json!("5"), json!("true")],
            ),
            (
                json!({"anyOf": [string, {"type": "array", "items": {"type": "integer"}}]}),
                vec![json!([1, 2]), json!([])],
            ),
            (
                json!({"anyOf": [string, {"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]}]}),
                vec![json!({"a": true})],
            ),
        ];
        let (schema, others) = self.random.pick(&all).cloned().expect("there are some");
        Kind::Text(schema, others)
    }

    /// Valid arguments of a tool, if some are known.
    pub fn arguments(&mut self, tool: &Tool) -> Option<Map<String, Value>> {
        match tool.maker.as_ref()? {
            Maker::Object(fields) => Some(self.object(fields)),
            Maker::Any => {
                let fields = self.fields(1);
                Some(self.object(&fields))
            }
        }
    }

    fn object(&mut self, fields: &[Field]) -> Map<String, Value> {
        let mut all = Map::new();
        for field in fields {
            if field.is_required || self.random.below(2) == 0 {
                all.insert(field.key.to_owned(), self.value(&field.kind));
            }
        }
        all
    }

    fn value(&mut self, kind: &Kind) -> Value {
        match kind {
            Kind::Null => Value::Null,
            Kind::Boolean => Value::Bool(self.random.below(2) == 0),
            Kind::Integer => json!(self.random.below(2000) as i64 - 1000),
            Kind::Number => json!((self.random.below(400) as f64 - 200.0) / 4.0),
            Kind::String => self.string(),
            Kind::Enum(all) => json!(self.random.pick(all)),
            Kind::Const(value) => value.clone(),
            Kind::Text(schema, others) => {
                let is_listed = schema.get("enum").is_some();
                let other = self.random.pick(others).cloned();
                match other.filter(|_| is_listed || self.random.below(2) == 0) {
                    Some(other) => other,
                    None => self.string(),
                }
            }
            Kind::Array(item) => {
                let length = self.random.below(3);
                (0..length).map(|_| self.value(item)).collect()
            }
            Kind::Object(fields) => Value::Object(self.object(fields)),
            Kind::Either(first, second) => match self.random.below(2) {
                0 => self.value(first),
                _ => self.value(second),
            },
        }
    }

    fn string(&mut self) -> Value {
        let mut text = String::new();
        for _ in 0..1 + self.random.below(2) {
            text.push_str(self.random.pick(&STRINGS).copied().unwrap_or_default());
        }
        json!(text)
    }

    /// Text that holds nothing that the wire gives a meaning to, or nothing.
    pub fn text(&mut self, wire: &Wire) -> String {
        let reasoning = wire.reasoning.iter();
        let forbidden: Vec<&str> = reasoning
            .flat_map(|reasoning| [reasoning.begin, reasoning.end])
            .chain(wire.forbidden.iter().copied())
            .chain(match wire.layout {
                Layout::Messages(frames) => {
                    let ends = frames.iter().map(|frame| frame.1);
                    ends.filter(|end| !end.is_empty()).collect()
                }
                _ => Vec::new(),
            })
            .collect();
        loop {
            let mut text = String::new();
            for _ in 0..self.random.below(6) {
                text.push_str(self.random.pick(&WORDS).copied().unwrap_or_default());
            }
            if !forbidden.iter().any(|forbidden| text.contains(forbidden)) {
                return text;
            }
        }
    }

    /// One call, or several, of these tools.
    pub fn calls(&mut self, tools: &[&Tool], most: usize) -> Vec<Called> {
        let mut calls = Vec::new();
        for _ in 0..1 + self.random.below(most) {
            let Some(tool) = self.random.pick(tools) else {
                break;
            };
            if let Some(arguments) = self.arguments(tool) {
                let name = tool.name.clone();
                calls.push(Called { name, arguments });
            }
        }
        calls
    }
}

fn object(fields: &[Field]) -> Value {
    let properties = fields
        .iter()
        .map(|field| (field.key.to_owned(), schema_of(&field.kind)));
    let properties: Map<String, Value> = properties.collect();
    let required = fields.iter().filter(|field| field.is_required);
    let required: Vec<&str> = required.map(|field| field.key).collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

fn schema_of(kind: &Kind) -> Value {
    match kind {
        Kind::Null => json!({"type": "null"}),
        Kind::Boolean => json!({"type": "boolean"}),
        Kind::Integer => json!({"type": "integer"}),
        Kind::Number => json!({"type": "number"}),
        Kind::String => json!({"type": "string"}),
        Kind::Enum(all) => json!({"enum": all}),
        Kind::Const(value) => json!({"const": value}),
        Kind::Text(schema, _) => schema.clone(),
        Kind::Array(item) => json!({"type": "array", "items": schema_of(item)}),
        Kind::Object(fields) => object(fields),
        Kind::Either(first, second) => json!({"anyOf": [schema_of(first), schema_of(second)]}),
    }
}

/// Whether a style says of each value what it is.
pub fn says_kinds(style: Style) -> bool {
    !matches!(style, Style::Elements(_) | Style::MinimaxM3)
}
