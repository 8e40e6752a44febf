//! Structural tags that are linked: masks are those of the same tag compiled as a whole.
//!
//! `MASKWRIGHT_TAGS=n` draws n random formats. The ignored test follows the cases of a file: JSON
//! lines with a `grammar`, which is a structural tag, and an `input`.

use std::collections::BTreeMap;
use std::sync::Arc;

use maskwright::Grammar;
use maskwright_compiler::GrammarText;
use maskwright_compiler::link::registry::{Registry, RegistryOptions};
use maskwright_compiler::link::{LinkTarget, LinkedTools, NoStore, NotLinked};
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::ParseOptions;
use maskwright_tests::random_tag;
use serde_json::{Value, json};

use super::pair::{DEPTH, Walked};
use super::vocabulary::{Words, names, of_outputs};
use super::*;

/// A structural tag, and outputs in it.
pub struct Tagged {
    pub format: Value,
    pub guides: Vec<String>,
}

fn tagged(format: Value, guides: &[&str]) -> Tagged {
    let guides = guides.iter().map(|guide| (*guide).to_owned()).collect();
    Tagged { format, guides }
}

fn schema(key: &str, kind: &str) -> Value {
    let properties = json!({key: {"type": kind}});
    json!({"type": "json_schema", "json_schema": {"type": "object", "properties": properties, "required": [key], "additionalProperties": false}})
}

fn tag(begin: &str, content: &Value, end: &str) -> Value {
    json!({"type": "tag", "begin": begin, "content": content, "end": end})
}

fn functions() -> Vec<Value> {
    [
        ("get", "integer"),
        ("put", "string"),
        ("get_all", "boolean"),
    ]
    .map(|(name, kind)| {
        tag(
            &format!("<function={name}>"),
            &schema("a", kind),
            "</function>",
        )
    })
    .to_vec()
}

fn triggered(tags: &[Value], more: &Value) -> Value {
    let mut format = json!({"type": "triggered_tags", "triggers": ["<function="], "tags": tags});
    let (format_members, more) = (format.as_object_mut().unwrap(), more.as_object().unwrap());
    format_members.extend(more.clone());
    format
}

const CALLS: [&str; 4] = [
    "I see. <function=get>{\"a\": 12}</function> and <function=put>{\"a\": \"x<y\"}</function>!",
    "<function=get_all>{\"a\": true}</function><function=get>{\"a\": -1}</function>",
    "<function=get_all>{\"a\": false}</function> <fun",
    "<function=put>{\"a\": \"\"}</function>",
];

/// Free text with functions in it, in its variants.
fn triggers() -> Vec<Tagged> {
    let functions = functions();
    let variants = [
        json!({}),
        json!({"at_least_one": true}),
        json!({"stop_after_first": true}),
        json!({"at_least_one": true, "stop_after_first": true}),
        json!({"excludes": ["<think>"]}),
    ];
    let variants = variants.iter().map(|more| triggered(&functions, more));
    let think = tag("<think>", &json!({"type": "any_text"}), "</think>");
    let in_order =
        json!({"type": "sequence", "elements": [think, triggered(&functions, &json!({}))]});
    let section = tag("<calls>", &triggered(&functions, &json!({})), "</calls>");
    let mut all: Vec<Tagged> = variants.map(|format| tagged(format, &CALLS)).collect();
    all.push(tagged(
        in_order,
        &[
            "<think>well</think>so <function=get>{\"a\": 1}</function>.",
            CALLS[0],
        ],
    ));
    all.push(tagged(
        section,
        &[
            "<calls><function=get>{\"a\": 1}</function></calls>",
            CALLS[1],
            "</calls>",
        ],
    ));
    let two = json!({"type": "triggered_tags", "triggers": ["<a", "[b"], "tags": [
        tag("<a=1>", &schema("x", "integer"), "</a>"), tag("<a=2>", &schema("y", "string"), "</a>"),
        tag("[b 1]", &schema("x", "integer"), "[/b]"), tag("[b 2]", &schema("z", "null"), "[/b]"),
    ]});
    all.push(tagged(
        two,
        &[
            "t <a=1>{\"x\": 1}</a>[b 2]{\"z\": null}[/b]",
            "<a=2>{\"y\": \"\"}</a><a [b 1]{\"x\": 3}[/b]",
        ],
    ));
    all
}

/// Tags in lists, in other formats, with other contents.
fn others() -> Vec<Tagged> {
    let functions = functions();
    let separated = json!({"type": "tags_with_separator", "tags": functions, "separator": ", ", "at_least_one": true});
    let or = json!({"type": "or", "elements": functions});
    let star = json!({"type": "star", "content": {"type": "or", "elements": functions}});
    let regex = json!({"type": "regex", "pattern": "[a-c]{1,5}"});
    let grammar = json!({"type": "grammar", "grammar": "root ::= \"(\" root \")\" | \"x\""});
    let mixed = json!({"type": "or", "elements": [
        tag("<r>", &regex, "</r>"), tag("<g>", &grammar, "</g>"), tag("<s>", &schema("a", "string"), "</s>"),
        tag("<t>", &json!({"type": "any_text"}), "</t>"),
    ]});
    let same = json!({"type": "sequence", "elements": [json!({"type": "const_string", "value": "go "}), {"type": "or", "elements": [
        tag("<f>", &schema("a", "integer"), "</f>"), tag("<f>", &schema("b", "string"), "</f>"), tag("<g>", &regex, "</g>"),
    ]}]});
    let ends = json!({"type": "or", "elements": [
        {"type": "tag", "begin": "<x1>", "content": regex, "end": ["</x>", "<end>"]},
        {"type": "tag", "begin": "<x2>", "content": schema("a", "number"), "end": ["</x>", ""]},
    ]});
    let nested = json!({"type": "sequence", "elements": [tag("<out>", &json!({"type": "tags_with_separator", "separator": "\n",
        "at_least_one": false, "stop_after_first": false, "tags": functions}), "</out>"), {"type": "any_text"}]});
    let call = "<function=get>{\"a\": 12}</function>";
    let other = "<function=put>{\"a\": \"z\"}</function>";
    let calls = format!("{call}, {other}, {call}");
    let lines = format!("<out>{call}\n{other}</out>done");
    vec![
        tagged(separated, &[&calls, other]),
        tagged(or, &[call, other, CALLS[3]]),
        tagged(star, &[&format!("{call}{other}{call}"), CALLS[1]]),
        tagged(
            mixed,
            &[
                "<r>abc</r>",
                "<g>((x))</g>",
                "<s>{\"a\": \"q\"}</s>",
                "<t>text</t>",
            ],
        ),
        tagged(
            same,
            &[
                "go <f>{\"a\": 1}</f>",
                "go <f>{\"b\": \"\"}</f>",
                "go <g>a</g>",
            ],
        ),
        tagged(
            ends,
            &[
                "<x1>abc</x>",
                "<x1>a<end>",
                "<x2>{\"a\": 1.5}",
                "<x2>{\"a\": 1}</x>",
            ],
        ),
        tagged(nested, &[&lines, "<out></out>x", call]),
    ]
}

/// All of them.
pub fn all() -> Vec<Tagged> {
    triggers().into_iter().chain(others()).collect()
}

pub fn text(format: &Value) -> String {
    match format.get("type").and_then(Value::as_str) {
        Some("structural_tag") => format.to_string(),
        _ => json!({"type": "structural_tag", "format": format}).to_string(),
    }
}

/// What became of formats.
#[derive(Debug, Default)]
struct Seen {
    linked: usize,
    whole: BTreeMap<&'static str, usize>,
    refused: usize,
    walked: Walked,
}

/// A vocabulary for outputs, and what is made for it.
struct Made {
    words: Words,
    compiler: Compiler,
    target: Arc<LinkTarget>,
}

impl Made {
    fn new(words: Words) -> Self {
        let compiler = Compiler::new(&words.vocabulary).unwrap();
        let compiler = compiler.with_options(Options::default().threads(1));
        let target = Arc::new(LinkTarget::new(&compiler).unwrap());
        Made {
            words,
            compiler,
            target,
        }
    }

    fn link(&self, text: &str) -> Result<Arc<LinkedTools>, NotLinked> {
        let source = Source::new("tag", text);
        let options = ParseOptions::default();
        let linked = (self.target).link_tag(&source, &options, 1, &NoStore, DEPTH)?;
        linked.compile(1)?;
        Ok(Arc::new(linked))
    }

    /// Compares a format linked and as a whole, if it can be linked.
    fn compare(&self, of: &Tagged, walks: usize, random: &mut Random, seen: &mut Seen) {
        let text = text(&of.format);
        let whole = self
            .compiler
            .compile_text(&GrammarText::structural_tag(text.as_str()));
        let linked = match (self.link(&text), &whole) {
            (Ok(linked), Ok(_)) => linked,
            (Err(NotLinked::NotAPart(why)), _) => {
                *seen.whole.entry(why).or_default() += 1;
                return;
            }
            (Err(NotLinked::TooDeep { .. }), _) => return,
            (Err(_), Err(_)) => {
                seen.refused += 1;
                return;
            }
            (Ok(_), Err(error)) => panic!("linked, but refused as a whole: {error}\n{text}"),
            (Err(error), Ok(_)) => panic!("refused, but not as a whole: {error}\n{text}"),
        };
        seen.linked += 1;
        let tables = whole.unwrap().into_tables();
        let stacks = Grammar::load(&tables).unwrap().max_stacks();
        assert!(stacks <= 2, "{text}");
        let pair = Pair::of(&linked, &tables, &self.words);
        for _ in 0..walks {
            seen.walked += pair.walk(&of.guides, &self.words, 60, random);
        }
    }
}

#[test]
fn masks_of_linked_tags_are_those_of_the_whole() {
    let all = all();
    let guides: Vec<String> = all.iter().flat_map(|of| of.guides.clone()).collect();
    let mut seen = Seen::default();
    for special in [false, true] {
        let mut random = Random::new(31);
        let mut special_names = match special {
            true => guides.iter().flat_map(|guide| names(guide)).collect(),
            false => Vec::new(),
        };
        special_names.sort();
        special_names.dedup();
        let made = Made::new(of_outputs(&guides, &special_names, 900, &mut random));
        for of in &all {
            made.compare(of, 12, &mut random, &mut seen);
        }
    }
    println!("{seen:#?}");
    assert!(seen.linked >= 20, "{seen:?}");
    let Walked { masks, crossed, .. } = seen.walked;
    assert!(masks > 4_000 && crossed > 300, "{seen:?}");
    assert!(seen.walked.twice > 20, "{seen:?}");
}

/// Puts contents that can be pieces into most tags.
fn embed(format: &mut Value, random: &mut Random) {
    let pattern = json!({"type": "regex", "pattern": "[ab]{1,3}c"});
    let contents = [
        json!({"type": "json_schema", "json_schema": {"enum": ["a", "b", 1]}}),
        json!({"type": "json_schema", "json_schema": {"type": "object", "properties": {"a": {"type": "integer"}}}}),
        json!({"type": "grammar", "grammar": "root ::= \"(\" root \")\" | \"b\""}),
        json!({"type": "sequence", "elements": [{"type": "const_string", "value": "é"}, pattern]}),
        pattern,
    ];
    if format["type"] == "tag" && random.below(4) > 0 {
        format["content"] = random.pick(&contents).cloned().unwrap_or_default();
        return;
    }
    match format {
        Value::Object(members) => members
            .iter_mut()
            .for_each(|(_, member)| embed(member, random)),
        Value::Array(items) => items.iter_mut().for_each(|item| embed(item, random)),
        _ => {}
    }
}

#[test]
fn masks_of_random_tags_are_those_of_the_whole() {
    let count = std::env::var("MASKWRIGHT_TAGS").ok();
    let count: usize = count.map_or(400, |count| count.parse().unwrap());
    let mut random = Random::new(32);
    let mut seen = Seen::default();
    for _ in 0..count {
        let mut format = random_tag::format(&mut random, 3);
        let mut guides = random_tag::texts(&mut random, &format, 2, 40);
        embed(&mut format, &mut random);
        guides.extend(["(b)", "abc", "\"a\"", "{\"a\":1}"].map(String::from));
        let words = of_outputs(&guides, &[], 60, &mut random);
        let of = Tagged { format, guides };
        Made::new(words).compare(&of, 3, &mut random, &mut seen);
    }
    println!("{seen:#?}");
    assert!(seen.linked * 20 > count, "{seen:?}");
}

#[test]
#[ignore = "needs the path of a file of cases in MASKWRIGHT_TAG_CASES"]
fn masks_of_cases_are_those_of_the_whole() {
    let path = std::env::var("MASKWRIGHT_TAG_CASES").unwrap();
    let mut random = Random::new(33);
    let mut seen = Seen::default();
    let mut formats: BTreeMap<String, Tagged> = BTreeMap::new();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let of = formats.entry(row["grammar"].to_string());
        let of = of.or_insert_with(|| tagged(row["grammar"].clone(), &[]));
        of.guides
            .push(row["input"].as_str().unwrap_or_default().to_owned());
    }
    for (text, of) in &formats {
        for special in [false, true] {
            let names = if special { names(text) } else { Vec::new() };
            let made = Made::new(of_outputs(&of.guides, &names, 80, &mut random));
            made.compare(of, 4, &mut random, &mut seen);
        }
    }
    println!("{} formats: {seen:#?}", formats.len());
    assert!(seen.linked > 0, "{seen:?}");
}

/// A registry of the formats; tools are linked in it as well.
fn registry(compiler: &Compiler, bytes: usize) -> Registry {
    let options = RegistryOptions::default().depth(DEPTH).bytes(bytes);
    Registry::new(compiler, options).unwrap()
}

#[test]
fn no_order_of_tags_changes_a_mask() {
    let all = all();
    let guides: Vec<String> = all.iter().flat_map(|of| of.guides.clone()).collect();
    let mut random = Random::new(34);
    let made = Made::new(of_outputs(&guides, &[], 900, &mut random));
    let requests: Vec<GrammarText> = all
        .iter()
        .map(|of| GrammarText::structural_tag(text(&of.format)))
        .collect();
    let wholes: Vec<Vec<u8>> = requests
        .iter()
        .map(|request| made.compiler.compile_text(request).unwrap().into_tables())
        .collect();
    for bytes in [256 << 20, 40 << 10] {
        let registry = registry(&made.compiler, bytes);
        let (mut walked, mut linked) = (Walked::default(), 0);
        for first in 0..all.len() {
            for second in 0..all.len() {
                let _before = registry.get(&requests[first]).unwrap();
                let handle = registry.get(&requests[second]).unwrap();
                handle.wait().unwrap();
                let Some(tools) = handle.linked() else {
                    continue;
                };
                if tools.check().is_err() {
                    continue;
                }
                linked += 1;
                let pair = Pair::of(tools, &wholes[second], &made.words);
                let steps = if random.below(10) == 0 { 40 } else { 8 };
                walked += pair.walk(&all[second].guides, &made.words, steps, &mut random);
            }
        }
        println!("{linked} pairs, {walked:?}, {:?}", registry.metrics());
        assert!(linked >= 100, "{linked}");
    }
}

#[test]
fn a_changed_schema_compiles_one_piece() {
    let mut random = Random::new(35);
    let guides = CALLS.map(String::from);
    let made = Made::new(of_outputs(&guides, &[], 100, &mut random));
    let registry = registry(&made.compiler, 256 << 20);
    let get = |tags: &[Value]| {
        let text = text(&triggered(tags, &json!({})));
        let handle = registry.get(&GrammarText::structural_tag(text)).unwrap();
        handle.wait().unwrap();
        (handle.linked().is_some(), registry.metrics())
    };
    let mut tags = functions();
    let (is_linked, first) = get(&tags);
    assert!(is_linked);
    // What stands around the tags, and three pieces.
    assert_eq!((first.misses, first.compiled), (1 + 3, 3));
    tags[1] = tag("<function=put>", &schema("b", "string"), "</function>");
    let (_, second) = get(&tags);
    assert_eq!((second.misses, second.compiled), (first.misses + 1, 4));
    // Another order of the tags, and another name.
    tags.rotate_left(1);
    tags[0]["begin"] = json!("<function=post>");
    let (_, third) = get(&tags);
    assert_eq!((third.misses, third.compiled), (second.misses, 4));
    // One tag is compiled as a whole.
    let (is_linked, _) = get(&tags[..1]);
    assert!(!is_linked);
}
