//! What an engine asks of a matcher, which all matchers answer alike: each follows the same texts,
//! for a whole grammar and for linked tools.

use half::{bf16, f16};
use maskwright::{
    Grammar, Head, LentMatcher, LinkedMatcher, LogitsMask, Matcher, OwnedGrammar, OwnedMatcher,
    OwnedVocabulary, Vocabulary as Attached,
};
use maskwright_compiler::error::Error;
use maskwright_compiler::lazy::{LazyMatcher, LazyVocabulary, Tables, TieredMatcher};
use maskwright_compiler::link::registry::{Registry, RegistryOptions, ServedMatcher};
use maskwright_compiler::link::{LinkTarget, Unshared};
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::ParseOptions;
use maskwright_compiler::syntax::tools::ToolOptions;
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_compiler::{Compiler, GrammarText};
use maskwright_tests::random::Random;
use std::sync::Arc;

const DEPTH: usize = 64;
/// Texts that each matcher follows, and the tokens of each, at most.
const TEXTS: usize = 20;
const TOKENS: usize = 60;

/// A token for each byte, pieces of calls, and one that ends a text.
fn vocabulary() -> Vocabulary {
    let mut tokens: Vec<Vec<u8>> = (0..=255u8).map(|byte| vec![byte]).collect();
    let pieces = [
        "<tool_call>\n",
        "\n</tool_call>",
        "{\"name\": \"",
        "\", \"arguments\": {\"",
        "}}",
        "\"}}\n",
        "get_",
        "get_weather\", \"",
        "\": \"",
        ", ",
        "true",
        "12",
    ];
    tokens.extend(pieces.iter().map(|piece| piece.as_bytes().to_vec()));
    tokens.push(Vec::new());
    let eos = vec![tokens.len() as u32 - 1];
    Vocabulary::from_tokens(tokens, eos)
}

/// What a matcher says at a point of a text.
#[derive(Debug, PartialEq)]
struct Answers {
    words: Vec<u32>,
    forced: Vec<u32>,
    is_finished: bool,
    next: Option<u32>,
}

/// The texts of which each token is the best one of random logits.
fn follow<M: LogitsMask + Clone>(start: &M, size: usize) -> Vec<Answers> {
    let mut random = Random::new(5);
    let mut answers = Vec::new();
    for _ in 0..TEXTS {
        let mut matcher = start.clone();
        for _ in 0..TOKENS {
            let said = answer(&mut matcher, size, &mut random);
            let next = said.next;
            answers.push(said);
            let Some(token) = next else { break };
            matcher.accept_token(token).unwrap();
        }
    }
    answers
}

fn answer(matcher: &mut impl LogitsMask, size: usize, random: &mut Random) -> Answers {
    let mut words = vec![0; size.div_ceil(32)];
    matcher.fill_mask(&mut words).unwrap();
    let mut short = vec![0; words.len() - 1];
    assert!(matcher.fill_mask(&mut short).is_err());
    // Numbers of few bits, so that all three kinds of logits have them.
    let logits: Vec<f32> = (0..size + 40).map(|_| random.below(200) as f32).collect();
    let is_allowed = |id: usize| id < size && words[id / 32] >> (id % 32) & 1 == 1;
    let best = (0..logits.len()).filter(|&id| is_allowed(id));
    let best = best.fold(None, |best: Option<usize>, id| match best {
        Some(other) if logits[other] >= logits[id] => best,
        _ => Some(id),
    });
    let best = best.map(|id| id as u32);
    let mut buffer = vec![0; words.len() + 1];
    assert_eq!(matcher.best_token(&mut buffer, &logits).unwrap(), best);
    let halves: Vec<f16> = logits.iter().map(|&logit| f16::from_f32(logit)).collect();
    assert_eq!(matcher.best_token(&mut buffer, &halves).unwrap(), best);
    let mut halves: Vec<bf16> = logits.iter().map(|&logit| bf16::from_f32(logit)).collect();
    assert_eq!(matcher.best_token(&mut buffer, &halves).unwrap(), best);
    let mut masked = logits.clone();
    matcher.mask_logits(&mut buffer, &mut masked).unwrap();
    matcher.mask_logits(&mut buffer, &mut halves).unwrap();
    for (id, &logit) in logits.iter().enumerate() {
        let expected = if is_allowed(id) {
            logit
        } else {
            f32::NEG_INFINITY
        };
        assert_eq!((masked[id], halves[id].to_f32()), (expected, expected));
    }
    let mut forced = [0; 16];
    let count = matcher.forced_tokens(&mut forced);
    Answers {
        forced: forced[..count].to_vec(),
        is_finished: matcher.is_finished(),
        next: best,
        words,
    }
}

/// Tables that are there at once.
struct Ready(Result<OwnedGrammar, Error>);

impl Tables for Ready {
    fn ready(&self) -> Option<&Result<OwnedGrammar, Error>> {
        Some(&self.0)
    }

    fn wait(&self) -> Result<&OwnedGrammar, Error> {
        self.0.as_ref().map_err(Clone::clone)
    }
}

/// Tables that never come.
struct Never;

impl Tables for Never {
    fn ready(&self) -> Option<&Result<OwnedGrammar, Error>> {
        None
    }

    fn wait(&self) -> Result<&OwnedGrammar, Error> {
        panic!("the first tier follows");
    }
}

fn owned(tables: Vec<u8>, vocabulary: &Vocabulary) -> OwnedGrammar {
    let attached = OwnedVocabulary::load(vocabulary.pack().unwrap()).unwrap();
    let grammar = OwnedGrammar::load(tables).unwrap();
    grammar.with_vocabulary(&attached).unwrap()
}

#[test]
fn matchers_of_a_whole_grammar_answer_alike() {
    let vocabulary = vocabulary();
    let size = vocabulary.size() as usize;
    let schema = r#"{"type": "object", "properties": {"name": {"type": "string"},
        "on": {"type": "boolean"}, "list": {"type": "array", "items": {"type": "integer"}}}}"#;
    let text = GrammarText::schema(schema);
    let compiler = Compiler::new(&vocabulary).unwrap();
    let tables = compiler.compile_text(&text).unwrap().into_tables();
    let packed = vocabulary.pack().unwrap();
    let attached = Attached::load(&packed).unwrap();
    let grammar = Grammar::load(&tables).unwrap();
    let grammar = grammar.with_vocabulary(attached).unwrap();

    let expected = follow(&Matcher::<DEPTH>::new(&grammar).unwrap(), size);
    assert!(expected.iter().any(|answers| !answers.forced.is_empty()));
    assert!(expected.iter().any(|answers| answers.is_finished));

    let own = owned(tables.clone(), &vocabulary);
    let own_matcher = OwnedMatcher::new(&own, DEPTH).unwrap();
    assert!(follow(&own_matcher, size) == expected, "owned");

    let lazy = LazyVocabulary::new(&compiler).unwrap();
    let parsed = Arc::new(text.parse(&Default::default()).unwrap().grammar);
    let first = LazyMatcher::new(parsed, lazy).unwrap();
    assert!(follow(&first, size) == expected, "lazy");
    let tiered = TieredMatcher::new(first.clone(), Arc::new(Never), DEPTH);
    assert!(follow(&tiered, size) == expected, "first tier");
    let tiered = TieredMatcher::new(first, Arc::new(Ready(Ok(own))), DEPTH);
    assert!(
        follow(&tiered, size) == expected,
        "tables behind a first tier"
    );

    let options = RegistryOptions::default().depth(DEPTH);
    let registry = Registry::new(&compiler, options).unwrap();
    let served = registry.get(&text).unwrap().matcher().unwrap();
    assert!(follow(&served, size) == expected, "served");

    lent(&grammar, &expected, size);
}

/// A matcher in lent memory, which is no copy: each text has its own.
fn lent(grammar: &Grammar<'_>, expected: &[Answers], size: usize) {
    let mut random = Random::new(5);
    let mut expected = expected.iter();
    for _ in 0..TEXTS {
        let (mut heads, mut frames) = ([Head::default(); 4], [0; 4 * DEPTH]);
        let mut matcher = LentMatcher::new(grammar, DEPTH, &mut heads, &mut frames).unwrap();
        for _ in 0..TOKENS {
            let said = answer(&mut matcher, size, &mut random);
            assert_eq!(Some(&said), expected.next());
            let Some(token) = said.next else { break };
            LogitsMask::accept_token(&mut matcher, token).unwrap();
        }
    }
    assert!(expected.next().is_none());
}

#[test]
fn matchers_of_linked_tools_answer_alike() {
    let vocabulary = vocabulary();
    let size = vocabulary.size() as usize;
    let tools = r#"[{"name": "get_weather", "parameters": {"type": "object",
            "properties": {"city": {"type": "string"}}, "required": ["city"]}},
        {"name": "light", "parameters": {"type": "object",
            "properties": {"on": {"type": "boolean"}}, "required": ["on"]}}]"#;
    let options = ToolOptions::format("qwen_3");
    let text = GrammarText::tools(tools).tool_options(options.clone());
    let compiler = Compiler::new(&vocabulary).unwrap();
    let whole = compiler.compile_text(&text).unwrap().into_tables();
    let whole = OwnedMatcher::new(&owned(whole, &vocabulary), DEPTH).unwrap();
    let expected = follow(&whole, size);

    let target = Arc::new(LinkTarget::new(&compiler).unwrap());
    let parse = ParseOptions::default().tools(options);
    let source = Source::new("tools", tools);
    let linked = target.link(&source, &parse, &Unshared, DEPTH).unwrap();
    linked.compile(1).unwrap();
    let linked = Arc::new(linked);
    let matcher = LinkedMatcher::<'_, _, DEPTH>::new(&*linked).unwrap();
    assert!(follow(&matcher, size) == expected, "linked");
    let matcher = OwnedMatcher::linked(linked).unwrap();
    assert!(follow(&matcher, size) == expected, "owned and linked");

    let registry = Registry::new(&compiler, RegistryOptions::default().depth(DEPTH)).unwrap();
    let served = registry.get(&text).unwrap().matcher().unwrap();
    assert!(matches!(served, ServedMatcher::Linked(_)));
    assert!(follow(&served, size) == expected, "served");
}
