//! Pieces that turn out to be refused, to be no parts, or to need more frames than there are: no
//! text is stranded, and masks stay those of the whole.

use maskwright::link::Place;
use maskwright::{MaskPool, OwnedGrammar, OwnedMatcher, PoolSlot};
use maskwright_compiler::lazy::OrRefused;
use maskwright_compiler::limits::Limits;
use maskwright_compiler::link::registry::{MaskSource, Registry, RegistryOptions, ServedMatcher};
use maskwright_compiler::{Compiler, GrammarText, vocabulary::Vocabulary};

use super::*;

/// Tokens of more than one byte: some end a name or a call and go on behind it.
const WORDS: [&str; 7] = [
    "f\"",
    ", ",
    "\": \"",
    "f\", \"arguments\": {",
    "}}\n</tool_call>",
    "aaa",
    "[{\"y\"",
];

/// All of them: [`WORDS`], and more ends of calls than a part has room for.
fn words() -> Vec<String> {
    let ends = (100..700).map(|number| format!("{number}}}}}\n</tool_call>!"));
    WORDS.into_iter().map(str::to_owned).chain(ends).collect()
}

fn compiler(options: Options) -> Compiler {
    let words = words().into_iter().map(String::into_bytes);
    let mut tokens: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).chain(words).collect();
    let end = tokens.len() as u32;
    tokens.push(Vec::new());
    Compiler::new(&Vocabulary::from_tokens(tokens, vec![end]))
        .unwrap()
        .with_options(options.threads(1))
}

fn tools(schema: &str) -> GrammarText {
    let other = r#"{"name": "get", "parameters": {"type": "object", "properties": {}, "additionalProperties": false}}"#;
    GrammarText::tools(format!(
        r#"[{{"name": "f", "parameters": {schema}}}, {other}]"#
    ))
    .tool_options(ToolOptions::format("qwen_3"))
}

/// The longest tokens that a text is made of.
fn tokens(mut text: &str) -> Vec<u32> {
    let mut tokens = Vec::new();
    while !text.is_empty() {
        let words = words();
        let words = (0..)
            .zip(&words)
            .filter(|(_, word)| text.starts_with(word.as_str()));
        let longest = words.max_by_key(|(_, word)| word.len());
        let (id, length) = longest.map_or((text.as_bytes()[0].into(), 1), |(at, word)| {
            (256 + at, word.len())
        });
        tokens.push(id);
        text = &text[length..];
    }
    tokens
}

/// Follows a text beside its whole grammar and compares all masks, through calls of all kinds. The
/// text begins with `start`, which is taken at once. At token `wait` everything is waited for.
fn follow(
    registry: &Registry,
    request: &GrammarText,
    whole: &OwnedGrammar,
    start: &str,
    text: &str,
    wait: usize,
) -> ServedMatcher {
    let handle = registry.get(request).unwrap();
    let mut matcher = handle.matcher().unwrap();
    let whole = whole
        .clone()
        .with_vocabulary(registry.vocabulary())
        .unwrap();
    let mut beside = OwnedMatcher::new(&whole, 64).unwrap();
    matcher.accept_bytes(start.as_bytes()).unwrap();
    beside.accept_bytes(start.as_bytes()).unwrap();
    let words = (256 + words().len() + 1).div_ceil(32);
    let mut pool = MaskPool::new(vec![0; 4 * words], vec![PoolSlot::default(); 4], words);
    let (mut row, mut expected) = (vec![0; words], vec![0; words]);
    for (at, &id) in tokens(text).iter().enumerate() {
        if at == wait {
            handle.wait().unwrap();
        }
        beside.with_mask(|mask| mask.fill(&mut expected)).unwrap();
        pool.begin_step();
        match at % 2 {
            0 => matcher.fill(&mut row).unwrap(),
            _ => {
                let pooled = matcher.row_of(&mut pool).unwrap();
                row.copy_from_slice(pool.row(pooled.row));
            }
        }
        assert_eq!(row, expected, "token {at} of {text:?}, waited at {wait}");
        beside.accept_token(id).unwrap();
        match at % 3 {
            0 => {
                let taken = matcher.accept_token(id);
                let after = matcher.fill(&mut row);
                assert!(
                    taken.is_ok(),
                    "token {at} of {text:?}, waited at {wait}: {after:?}"
                );
            }
            1 => assert_eq!(matcher.accept_draft(&[id]), Ok(1), "token {at} of {text:?}"),
            _ => {
                let back = at.min(5);
                matcher.accept_token(id).unwrap();
                matcher.rollback(back + 1).unwrap();
                let draft = &tokens(text)[at - back..=at];
                assert_eq!(
                    matcher.accept_draft(draft),
                    Ok(back + 1),
                    "token {at} of {text:?}"
                );
            }
        }
        assert_eq!(matcher.is_complete(), beside.is_complete());
    }
    // The text may have ended before the registry's thread found out.
    handle.wait().unwrap();
    beside.with_mask(|mask| mask.fill(&mut expected)).unwrap();
    matcher.fill(&mut row).unwrap();
    assert_eq!(row, expected, "behind {text:?}, waited at {wait}");
    matcher
}

fn whole(compiler: &Compiler, request: &GrammarText) -> OwnedGrammar {
    OwnedGrammar::load(compiler.compile_text(request).unwrap().into_tables()).unwrap()
}

/// Numbers end this call, and too many tokens begin with one and go on behind the call.
const NUMBER: &str = r#"{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": false}"#;

/// More states than [`a_tool_without_tables_is_followed_all_the_same`] allows.
const NUMBER_AND_TEXT: &str = r#"{"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string", "pattern": "^[a-z]{0,3000}$"}}, "required": ["a", "b"], "additionalProperties": false}"#;

#[test]
fn what_is_no_part_is_compiled_as_a_whole() {
    let compiler = compiler(Options::default());
    let request = tools(NUMBER);
    let whole = whole(&compiler, &request);
    let call = "<tool_call>\n{\"name\": \"get\", \"arguments\": {}}\n</tool_call>";
    let text = format!(
        "Hm. {call}{}! And {}",
        call.replace("get", "f").replace("{}", "{\"a\": 123}"),
        call.replace("get", "f").replace("{}", "{\"a\": 12}")
    );
    for wait in [0, 3, 20, 60, 90, usize::MAX] {
        let registry = Registry::new(&compiler, RegistryOptions::default()).unwrap();
        let matcher = follow(&registry, &request, &whole, "", &text, wait);
        assert!(!matcher.is_linked(), "waited at {wait}");
        // Now that it is known, no other request is linked.
        let handle = registry.get(&request).unwrap();
        assert!(handle.linked().is_none());
        handle.wait().unwrap();
        assert!(handle.error().is_none());
    }
}

#[test]
fn a_vocabulary_without_some_byte_goes_whole() {
    // A brace that closes an object is a token only together with what ends the call, so no object
    // can stand within the arguments.
    let mut tokens: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    tokens[usize::from(b'}')] = b"}?".to_vec();
    tokens.extend(words().into_iter().map(String::into_bytes));
    let end = tokens.len() as u32;
    tokens.push(Vec::new());
    let compiler = Compiler::new(&Vocabulary::from_tokens(tokens, vec![end])).unwrap();
    let text = "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"aaab\"}}\n</tool_call>";
    let schema =
        r#"{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}"#;
    for choice in [None, Some(ToolChoice::Required)] {
        let mut options = ToolOptions::format("qwen_3");
        options.choice = choice;
        let request = tools(schema).tool_options(options);
        let whole = whole(&compiler, &request);
        for wait in [0, usize::MAX] {
            let registry = Registry::new(&compiler, RegistryOptions::default()).unwrap();
            let matcher = follow(&registry, &request, &whole, "", text, wait);
            assert!(!matcher.is_linked(), "{matcher:?}");
        }
    }
}

/// Two readings of a string that need a stack each, as counts do not run in step.
const TWO_STACKS: &str = r#"{"type": "object", "properties": {"a": {"anyOf": [{"type": "string", "pattern": "^([a-c]{3})*$", "minLength": 50, "maxLength": 3333}, {"type": "string", "minLength": 20, "maxLength": 7001}]}}}"#;

#[test]
fn what_has_no_proved_stacks_is_followed_all_the_same() {
    let compiler = compiler(Options::default());
    let request = tools(TWO_STACKS);
    let text = format!(
        "Hm. <tool_call>\n{{\"name\": \"f\", \"arguments\": {{\"a\": \"{}\"}}}}\n</tool_call>",
        "a".repeat(60)
    );
    let registry = Registry::new(&compiler, RegistryOptions::default()).unwrap();
    let mut row = vec![0; (256 + words().len() + 1).div_ceil(32)];
    for wait in [false, true] {
        let handle = registry.get(&request).unwrap();
        assert_ne!(handle.linked().is_some(), wait);
        if wait {
            handle.wait().unwrap();
        }
        let mut matcher = handle.matcher().unwrap();
        for id in tokens(&text) {
            matcher.fill(&mut row).unwrap();
            assert_ne!(row[id as usize / 32] >> (id % 32) & 1, 0);
            matcher.accept_token(id).unwrap();
        }
        // The text may have ended before the registry's thread found out.
        handle.wait().unwrap();
        matcher.fill(&mut row).unwrap();
        assert!(matcher.is_complete());
        assert!(!matcher.is_linked());
    }
}

#[test]
fn forced_tokens_go_on_across_boundaries() {
    let compiler = compiler(Options::default());
    let registry = Registry::new(&compiler, RegistryOptions::default()).unwrap();
    let handle = registry.get(&tools(DEEP)).unwrap();
    handle.wait().unwrap();
    let mut matcher = OwnedMatcher::linked(handle.linked().unwrap().clone()).unwrap();
    matcher
        .accept_bytes(b"<tool_call>\n{\"name\": \"g")
        .unwrap();
    let mut forced = [0; 64];
    let length = matcher.forced_tokens(&mut forced);
    // Behind the name, the comma may be a token of its own or begin one.
    assert_eq!(forced[..length], tokens("et\"")[..]);
    for &id in &forced[..length] {
        matcher.accept_token(id).unwrap();
    }
    assert!(matches!(matcher.place(), Place::Piece { .. }));
}

/// A value must be nested several times.
const DEEP: &str = r##"{"type": "object", "properties": {"x": {"$ref": "#/$defs/a"}}, "required": ["x"], "additionalProperties": false, "$defs": {
    "a": {"type": "array", "items": {"$ref": "#/$defs/b"}, "minItems": 1},
    "b": {"type": "object", "properties": {"y": {"$ref": "#/$defs/c"}}, "required": ["y"], "additionalProperties": false},
    "c": {"type": "array", "minItems": 1, "items": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "object", "properties": {"z": {"$ref": "#/$defs/d"}}, "required": ["z"], "additionalProperties": false}]}},
    "d": {"type": "array", "minItems": 1, "items": {"anyOf": [{"$ref": "#/$defs/b"}, {"type": "integer"}]}}}}"##;

#[test]
fn what_is_too_deep_goes_on_in_the_first_tier() {
    let compiler = compiler(Options::default());
    let request = tools(DEEP);
    let whole = whole(&compiler, &request);
    let start = "Hm. <tool_call>\n{\"name\": \"f";
    let text = "\", \"arguments\": {\"x\": [{\"y\": [{\"z\": [1]}]}]}}\n</tool_call>";
    let registry = Registry::new(&compiler, RegistryOptions::default().depth(4)).unwrap();
    let matcher = follow(&registry, &request, &whole, start, text, usize::MAX);
    assert_eq!(
        (matcher.is_linked(), matcher.source()),
        (false, MaskSource::FirstTier)
    );
    // A matcher that begins now has the tables of the whole, which never lead to a call that cannot
    // be finished.
    let handle = registry.get(&request).unwrap();
    handle.wait().unwrap();
    let mut matcher = handle.matcher().unwrap();
    let start = b"<tool_call>\n{\"name\": \"";
    matcher.accept_bytes(start).unwrap();
    assert!(matcher.accept_bytes(b"f").is_err());
    matcher.accept_bytes(b"get").unwrap();
}

/// What reading finds wrong with a tool is known when the request comes, with the tool's name.
#[test]
fn what_is_refused_is_an_error() {
    let compiler = compiler(Options::default());
    let request = tools(r#"{"type": "object", "properties": {"a": {"type": "strin"}}}"#);
    let refused = compiler.compile_text(&request).unwrap_err();
    let registry = Registry::new(&compiler, RegistryOptions::default()).unwrap();
    for error in [refused, registry.get(&request).unwrap_err()] {
        assert!(error.message().contains("strin"), "{error}");
        assert!(error.message().contains("in the tool `f`"), "{error}");
    }
    // A limit that is passed while a schema is read is none of its tables.
    let large = r#"{"properties": {"a": {"type": "string", "format": "iri", "maxLength": 2000}}}"#;
    let error = registry.get(&tools(large)).unwrap_err();
    assert_eq!(error.code(), "limit-exceeded");
    assert!(error.message().contains("in the tool `f`"), "{error}");
}

/// A schema that is refused, and too long to be read when the request comes.
fn long() -> String {
    let text = "a".repeat(20_000);
    format!(
        r#"{{"type": "object", "description": "{text}", "properties": {{"a": {{"type": "strin"}}}}}}"#
    )
}

/// A tool that turns out to be refused ends no call of another one: it can no longer be called.
#[test]
fn a_refused_tool_ends_no_call_of_another() {
    let compiler = compiler(Options::default());
    let request = tools(&long());
    let alone = r#"[{"name": "get", "parameters": {"type": "object", "properties": {}, "additionalProperties": false}}]"#;
    let alone = GrammarText::tools(alone).tool_options(ToolOptions::format("qwen_3"));
    let tables = whole(&compiler, &alone);
    let call = "<tool_call>\n{\"name\": \"get\", \"arguments\": {}}\n</tool_call>";
    let text = format!("Hm. {call} And {call}");
    let words = (256 + words().len() + 1).div_ceil(32);
    let (mut row, mut expected) = (vec![0; words], vec![0; words]);
    for wait in [0, 5, 20, 30, 60] {
        let options = RegistryOptions::default().threads(0);
        let registry = Registry::new(&compiler, options).unwrap();
        let handle = registry.get(&request).unwrap();
        let mut matcher = handle.matcher().unwrap();
        let beside = tables.clone().with_vocabulary(registry.vocabulary());
        let mut beside = OwnedMatcher::new(&beside.unwrap(), 64).unwrap();
        for (at, id) in tokens(&text).into_iter().enumerate() {
            if at == wait {
                let error = handle.wait().unwrap_err();
                assert!(error.message().contains("in the tool `f`"), "{error}");
            }
            matcher.fill(&mut row).unwrap();
            if at >= wait {
                beside.with_mask(|mask| mask.fill(&mut expected)).unwrap();
                assert_eq!(row, expected, "token {at}, waited at {wait}");
            }
            matcher.accept_token(id).unwrap();
            beside.accept_token(id).unwrap();
        }
        assert!(matcher.is_complete());
        // Who asks now is told at once.
        let error = registry.get(&request).unwrap_err();
        assert!(error.message().contains("in the tool `f`"), "{error}");
    }
}

/// A tool whose tables are refused does not refuse the request: the whole is followed in the first
/// tier, from wherever that is found out, and other requests with the tool are. So it is where the
/// tables of the text around the calls are refused.
#[test]
fn a_tool_without_tables_is_followed_all_the_same() {
    let request = tools(NUMBER_AND_TEXT);
    let whole = whole(&compiler(Options::default()), &request);
    let get = "<tool_call>\n{\"name\": \"get\", \"arguments\": {}}\n</tool_call>";
    let call = get.replace("get", "f");
    let call = call.replace("{}", "{\"a\": 12, \"b\": \"aaab\"}");
    let text = format!("Hm. {get}{call}! And {get}{call}");
    for (states, is_linked) in [(60, false), (2_000, true)] {
        let limits = Limits::default().states(states);
        let compiler = compiler(Options::default().limits(limits));
        let refused = compiler.compile_text(&request).unwrap_err();
        assert_eq!(refused.code(), "limit-exceeded");
        for wait in [0, 3, 90, usize::MAX] {
            let registry = Registry::new(&compiler, RegistryOptions::default()).unwrap();
            let handle = registry.get(&request).unwrap();
            assert_eq!(handle.linked().is_some(), is_linked);
            let matcher = follow(&registry, &request, &whole, "", &text, wait);
            assert_eq!(
                (matcher.is_linked(), matcher.source()),
                (false, MaskSource::FirstTier)
            );
            let handle = registry.get(&request).unwrap();
            handle.wait().unwrap();
            assert!(handle.is_ready() && handle.error().is_none());
        }
    }
}

/// A call of a method, and what it says of the request.
type Method = (&'static str, fn(&mut ServedMatcher) -> Option<String>);

/// All methods that have a result.
const METHODS: [Method; 9] = [
    ("accept_token", |matcher| {
        refusal(matcher.accept_token(u32::from(b'm')))
    }),
    (
        "accept_token, of what the grammar allows nowhere",
        |matcher| refusal(matcher.accept_token(u32::MAX)),
    ),
    ("accept_bytes", |matcher| {
        refusal(matcher.accept_bytes(b"m"))
    }),
    ("accept_draft", |matcher| {
        text_of(matcher.accept_draft(&[u32::from(b'm')]))
    }),
    ("check_draft", |matcher| {
        text_of(matcher.check_draft(&[u32::from(b'm')]))
    }),
    ("rollback", |matcher| refusal(matcher.rollback(1))),
    ("fill", |matcher| text_of(matcher.fill(&mut [0; 64]))),
    ("row_of", |matcher| {
        let mut pool = MaskPool::new(vec![0; 4 * 64], vec![PoolSlot::default(); 4], 64);
        pool.begin_step();
        text_of(matcher.row_of(&mut pool))
    }),
    ("forced_bytes", |matcher| {
        text_of(matcher.forced_bytes(&mut [0; 8]))
    }),
];

/// The refusal with which a method ends.
fn refusal<E>(result: Result<(), OrRefused<E>>) -> Option<String> {
    result.err()?.refusal().map(ToString::to_string)
}

fn text_of<T, E: ToString>(result: Result<T, E>) -> Option<String> {
    result.err().map(|error| error.to_string())
}

/// The only tool turns out to be refused between two calls of a matcher: each method then gives the
/// refusal, and goes on to.
#[test]
fn a_refusal_between_two_calls_is_what_each_method_gives() {
    let compiler = compiler(Options::default());
    let options = RegistryOptions::default().threads(0);
    let only = format!(r#"[{{"name": "f", "parameters": {}}}]"#, long());
    let only = GrammarText::tools(only).tool_options(ToolOptions::format("qwen_3"));
    let starts = ["H", "Hm. <tool_call>\n{\"na"];
    for (start, (name, method)) in starts
        .iter()
        .flat_map(|start| METHODS.map(|of| (start, of)))
    {
        let registry = Registry::new(&compiler, options.clone()).unwrap();
        let handle = registry.get(&only).unwrap();
        let mut matcher = handle.matcher().unwrap();
        matcher.accept_bytes(start.as_bytes()).unwrap();
        matcher.fill(&mut [0; 64]).unwrap();
        handle.wait().unwrap_err();
        assert!(handle.is_ready());
        for round in 0..2 {
            let refused = method(&mut matcher);
            let is_named = refused
                .as_ref()
                .is_some_and(|text| text.contains("in the tool `f`"));
            assert!(
                is_named,
                "{name} behind {start:?}, call {round}: {refused:?}"
            );
        }
        assert!(matcher.error().is_some());
        assert!(!matcher.is_finished());
    }
}
