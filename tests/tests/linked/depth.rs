//! Linked tools at small depths.
//!
//! What holds: tools are linked for each depth at which all their pieces can be finished, and
//! refused below. At each such depth no text is stranded. A mask allows what the whole allows with
//! as many frames, and nothing that the whole does not allow with some more: the whole has frames
//! of its own around a call.

use std::sync::Arc;

use maskwright::{OwnedGrammar, OwnedMatcher};
use maskwright_compiler::link::{LinkTarget, LinkedTools, NoStore, NotLinked};
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::ParseOptions;

use super::formats::{guides, words};
use super::pair::{choose, whole};
use super::vocabulary::Words;
use super::*;

/// Tools with values that nest without end; one needs some nesting.
const TOOLS: &str = r##"[
    {"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"$ref": "#/$defs/list"}}, "required": ["city"], "additionalProperties": false,
        "$defs": {"list": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/$defs/list"}}]}}}},
    {"name": "get", "parameters": {"type": "object", "properties": {"a": {"$ref": "#/$defs/one"}}, "required": ["a"], "additionalProperties": false,
        "$defs": {"one": {"type": "array", "items": {"$ref": "#/$defs/two"}, "minItems": 1},
                  "two": {"anyOf": [{"$ref": "#/$defs/one"}, {"type": "object", "properties": {"b": {"$ref": "#/$defs/two"}, "c": {"type": "integer"}}, "required": ["c"], "additionalProperties": false}]}}}}
]"##;

/// Links the tools for a depth.
fn link(target: &Arc<LinkTarget>, format: &str, depth: usize) -> Result<LinkedTools, NotLinked> {
    let parse = ParseOptions::default().tools(ToolOptions::format(format));
    let linked = target.link(&Source::new("tools", TOOLS), &parse, &NoStore, depth)?;
    linked.compile(1)?;
    Ok(linked)
}

/// Frames that the whole may have besides those of a piece.
const AROUND: usize = 2;

/// Matchers of the whole at the depth of the linked one, and at a greater one.
struct Beside([OwnedMatcher; 2]);

impl Beside {
    fn new(whole: &OwnedGrammar, depth: usize) -> Self {
        let depths = [depth, depth + AROUND];
        Beside(depths.map(|depth| OwnedMatcher::new(whole, depth).unwrap()))
    }

    /// Compares a mask with those of the whole. The first of them is left when its text has become
    /// too deep for it.
    fn compare(&mut self, row: &[u32], is_left: bool, text: &str) {
        let mut own = vec![0; row.len()];
        let within = |one: &[u32], other: &[u32]| one.iter().zip(other).all(|(a, b)| a & !b == 0);
        if !is_left {
            self.0[0].with_mask(|mask| mask.fill(&mut own)).unwrap();
            assert!(within(&own, row), "too little after {text:?}");
        }
        self.0[1].with_mask(|mask| mask.fill(&mut own)).unwrap();
        assert!(within(row, &own), "too much after {text:?}");
    }
}

/// What walks have seen: masks, tokens that open a list or an object, texts that were too deep for
/// the whole.
#[derive(Debug, Default)]
struct Seen {
    masks: usize,
    opened: usize,
    left: usize,
}

/// Follows a random text beside the whole at one depth.
fn walk(
    linked: &Arc<LinkedTools>,
    whole: &OwnedGrammar,
    (words, guides, depth): (&Words, &[String], usize),
    random: &mut Random,
    seen: &mut Seen,
) {
    let mut matcher = OwnedMatcher::linked(linked.clone()).unwrap();
    let mut beside = Beside::new(whole, depth);
    let mut row = vec![0; words.texts.len().div_ceil(32)];
    let (mut is_left, mut text, mut guide) = (false, String::new(), String::new());
    for _ in 0..80 {
        matcher.mask().fill(&mut row).unwrap();
        beside.compare(&row, is_left, &text);
        assert!(row.iter().any(|&word| word != 0), "stranded: {text:?}");
        seen.masks += 1;
        if guide.is_empty() {
            guide = random.pick(guides).cloned().unwrap_or_default();
        }
        let Some(id) = choose(&row, words, &guide, random) else {
            break;
        };
        let token = &words.texts[id as usize];
        guide = guide.strip_prefix(token.as_str()).unwrap_or("").to_owned();
        matcher.accept_token(id).unwrap();
        is_left |= beside.0[0].accept_token(id).is_err();
        beside.0[1].accept_token(id).unwrap();
        if matcher.is_finished() {
            break;
        }
        seen.opened += usize::from(token.contains(['[', '{']));
        text.push_str(token);
    }
    seen.left += usize::from(is_left);
}

#[test]
fn masks_at_small_depths_lie_between_those_of_the_whole() {
    for name in ["qwen_3", "mistral", "glm_4_7", "harmony"] {
        let mut random = Random::new(9);
        let format = ToolFormat::named(name, &Default::default());
        let format = format.unwrap().unwrap();
        let words = words(&format, false, &mut random);
        let compiler = Compiler::new(&words.vocabulary).unwrap();
        let target = Arc::new(LinkTarget::new(&compiler).unwrap());
        let least = (1..20)
            .find(|&depth| link(&target, name, depth).is_ok())
            .unwrap();
        assert!(least > 1, "{name}");
        for depth in 1..least {
            let refused = link(&target, name, depth).unwrap_err();
            let NotLinked::TooDeep { needed } = refused else {
                panic!("{name}: {refused}");
            };
            assert!(depth < needed && needed <= least, "{needed} at {depth}");
        }
        let tables = whole(TOOLS, &ToolOptions::format(name), &compiler);
        let grammar = OwnedGrammar::load(tables).unwrap();
        let grammar = grammar.with_vocabulary(target.vocabulary()).unwrap();
        let mut guides = guides(&format);
        let nested = ["[[", "[[[[\"", "[{\"b\": [{", "[[{\"c\": 1"];
        let arguments = nested.iter().flat_map(|value| {
            let of = |key: &str| format!("{{\"{key}\": {value}");
            [of("city"), of("a"), (*value).to_owned()]
        });
        guides.extend(arguments);
        for depth in least..least + 6 {
            let linked = Arc::new(link(&target, name, depth).unwrap());
            let mut seen = Seen::default();
            for _ in 0..12 {
                let of = (&words, &guides[..], depth);
                walk(&linked, &grammar, of, &mut random, &mut seen);
            }
            assert!(seen.masks > 200 && seen.opened > 20, "{name}: {seen:?}");
        }
    }
}
