//! What an engine asks of a matcher, which all matchers answer alike: each follows the same texts,
//! for a whole grammar and for linked tools, and each method is there for each of them.

use half::{bf16, f16};
use maskwright::link::Place;
use maskwright::{
    AcceptError, BorrowedMatcher, BufferTooSmall, Grammar, Head, Language, LogitsMask, MaskPool,
    Matcher, OwnedGrammar, OwnedMatcher, OwnedVocabulary, Owner, PoolError, PoolSlot, PooledRow,
    State, Vocabulary as Attached,
};
use maskwright_compiler::error::Error;
use maskwright_compiler::lazy::{LazyMatcher, LazyVocabulary, OrRefused, Tables};
use maskwright_compiler::link::registry::{Registry, RegistryOptions, ServedMatcher};
use maskwright_compiler::link::{LinkTarget, NoStore};
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
    forced_bytes: Vec<u8>,
    drafted: usize,
    is_complete: bool,
    is_finished: bool,
    next: Option<u32>,
}

/// How a matcher goes back by some tokens, to where another one stands.
type Back<'a, M> = &'a dyn Fn(&mut M, &M, usize);
/// A matcher by the state that another one wrote.
type Again<'a, M> = &'a dyn Fn(&M) -> M;

/// The texts of which each token is the best one of random logits. On the way a matcher goes back,
/// is written and read, and takes a token as bytes or as a draft.
fn follow<M: LogitsMask + Clone>(
    start: &M,
    words: &Vocabulary,
    back: Back<'_, M>,
    again: Again<'_, M>,
) -> Vec<Answers> {
    let mut random = Random::new(5);
    let mut answers = Vec::new();
    for at in 0..TEXTS {
        let mut matcher = start.clone();
        matcher.accept_bytes(b"").unwrap();
        if at % 2 == 1 {
            // A call, if the grammar has calls.
            let _ = matcher.accept_bytes(CALL);
        }
        for _ in 0..TOKENS {
            let said = answer(&mut matcher, words.size() as usize, &mut random);
            let next = said.next;
            answers.push(said);
            let Some(token) = next else { break };
            let before = matcher.clone();
            matcher.accept_token(token).unwrap();
            let taken = mask_of(&mut matcher);
            back(&mut matcher, &before, 1);
            assert_eq!(mask_of(&mut matcher), mask_of(&mut before.clone()));
            match random.below(3) {
                0 => matcher.accept_token(token).unwrap(),
                1 => assert_eq!(matcher.accept_draft(&[token]), 1),
                _ => match words.bytes(token) {
                    [] => matcher.accept_token(token).unwrap(),
                    bytes => matcher.accept_bytes(bytes).unwrap(),
                },
            }
            if random.below(4) == 0 {
                matcher = again(&matcher);
            }
            assert_eq!(mask_of(&mut matcher), taken);
        }
    }
    answers
}

const MASK_WORDS: usize = 9;

/// How a call of a tool begins.
const CALL: &[u8] = b"Hm.<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": ";

fn mask_of(matcher: &mut impl LogitsMask) -> [u32; MASK_WORDS] {
    let mut words = [0; MASK_WORDS];
    matcher.fill_mask(&mut words).unwrap();
    words
}

fn answer(matcher: &mut impl LogitsMask, size: usize, random: &mut Random) -> Answers {
    let words = mask_of(matcher).to_vec();
    let mut short = vec![0; size.div_ceil(32) - 1];
    assert!(matcher.fill_mask(&mut short).is_err());
    let mut pool = MaskPool::new([0; 2 * MASK_WORDS], [PoolSlot::default(); 2], MASK_WORDS);
    let row = matcher.row_of(&mut pool).unwrap();
    assert_eq!(pool.row(row.row), words);
    let next = best(matcher, &words, size, random);
    let mut forced = [0; 16];
    let count = matcher.forced_tokens(&mut forced);
    let mut bytes = [0; 16];
    let length = matcher.forced_bytes(&mut bytes);
    let draft = next.into_iter().chain(next);
    let draft: Vec<u32> = draft.chain([random.below(size) as u32; 2]).collect();
    Answers {
        drafted: matcher.check_draft(&draft),
        forced: forced[..count].to_vec(),
        forced_bytes: bytes[..length].to_vec(),
        is_complete: matcher.is_complete(),
        is_finished: matcher.is_finished(),
        next,
        words,
    }
}

/// The best token of random logits, which all kinds of logits have.
fn best(
    matcher: &mut impl LogitsMask,
    words: &[u32],
    size: usize,
    random: &mut Random,
) -> Option<u32> {
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
        let expected = match is_allowed(id) {
            true => logit,
            false => f32::NEG_INFINITY,
        };
        assert_eq!((masked[id], halves[id].to_f32()), (expected, expected));
    }
    best
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

/// The texts of a matcher that is a copy of itself.
fn follow_copies<G: Language, const STACKS: usize>(
    grammar: &G,
    words: &Vocabulary,
) -> Vec<Answers> {
    let start = Matcher::<DEPTH, STACKS, G, G::Place>::new(grammar).unwrap();
    follow(
        &start,
        words,
        &|matcher, before, _| matcher.rollback(before),
        &|matcher| {
            let mut bytes = vec![0; Matcher::<DEPTH, STACKS, G, G::Place>::MAX_BYTES];
            let length = matcher.write_to(&mut bytes).unwrap();
            Matcher::read_from(&bytes[..length], grammar).unwrap()
        },
    )
}

/// The texts of a matcher that owns what it follows.
fn follow_owned<O: Owner>(start: &OwnedMatcher<O>, words: &Vocabulary) -> Vec<Answers> {
    follow(
        start,
        words,
        &|matcher, _, tokens| matcher.rollback(tokens).unwrap(),
        &|matcher| {
            let bytes = matcher.to_bytes();
            OwnedMatcher::from_bytes(&bytes, matcher.grammar(), DEPTH).unwrap()
        },
    )
}

/// The texts of a matcher of a request.
fn follow_served(
    start: &ServedMatcher,
    words: &Vocabulary,
    read: impl Fn(&[u8]) -> ServedMatcher,
) -> Vec<Answers> {
    follow(
        start,
        words,
        &|matcher, _, tokens| matcher.rollback(tokens).unwrap(),
        &|matcher| read(&matcher.to_bytes().unwrap()),
    )
}

/// A matcher in memory that is kept beside it, made anew for each call.
#[derive(Clone)]
struct Lent<'g> {
    grammar: &'g Grammar<'g>,
    heads: Vec<Head>,
    frames: Vec<u16>,
    live: u16,
}

/// Stacks of matchers whose stacks are a graph.
const GRAPH: usize = 64;

impl<'g> Lent<'g> {
    fn new(grammar: &'g Grammar<'g>) -> Self {
        let stacks = match grammar.stacks_are_proved() {
            true => grammar.max_stacks(),
            false => BorrowedMatcher::for_graph(GRAPH),
        };
        let mut heads = vec![Head::default(); BorrowedMatcher::heads(stacks)];
        let mut frames = vec![0; BorrowedMatcher::frames(DEPTH, stacks).unwrap()];
        let matcher = BorrowedMatcher::new(grammar, DEPTH, &mut heads, &mut frames);
        Lent {
            live: matcher.unwrap().live(),
            grammar,
            heads,
            frames,
        }
    }

    /// Another one by the state of this one. Damaged states change nothing.
    fn again(&self) -> Self {
        let mut bytes = self.clone().with(|matcher| vec![0; matcher.byte_len()]);
        self.clone()
            .with(|matcher| matcher.write_to(&mut bytes))
            .unwrap();
        let mut again = Lent::new(self.grammar);
        let cut = &bytes[..bytes.len() - 1];
        let before = mask_of(&mut again);
        assert!(again.with(|matcher| matcher.read_from(cut)).is_err());
        assert_eq!(mask_of(&mut again), before);
        again.with(|matcher| matcher.read_from(&bytes)).unwrap();
        again
    }

    fn with<R>(&mut self, with: impl FnOnce(&mut BorrowedMatcher<'_>) -> R) -> R {
        let (heads, frames) = (&mut self.heads[..], &mut self.frames[..]);
        let mut matcher = BorrowedMatcher::resume(self.grammar, DEPTH, self.live, heads, frames);
        let result = with(&mut matcher);
        self.live = matcher.live();
        result
    }
}

/// A state and its grammar.
#[derive(Clone)]
struct Kept<'g> {
    grammar: &'g Grammar<'g>,
    state: State<DEPTH>,
}

impl Kept<'_> {
    fn with<R>(&mut self, with: impl FnOnce(&mut Matcher<'_, DEPTH>) -> R) -> R {
        let mut matcher = self.state.matcher(self.grammar).unwrap();
        let result = with(&mut matcher);
        self.state = matcher.state();
        result
    }
}

/// What a matcher does that is made for each call.
macro_rules! by_calls {
    ($follower:ident) => {
        impl LogitsMask for $follower<'_> {
            type NoMask = BufferTooSmall;
            type NoRow = PoolError;
            type NotTaken = AcceptError;

            fn fill_mask(&mut self, words: &mut [u32]) -> Result<(), BufferTooSmall> {
                self.with(|matcher| matcher.fill_mask(words))
            }

            fn row_of<W, S>(&mut self, pool: &mut MaskPool<W, S>) -> Result<PooledRow, PoolError>
            where
                W: AsRef<[u32]> + AsMut<[u32]>,
                S: AsMut<[PoolSlot]>,
            {
                self.with(|matcher| matcher.row_of(pool))
            }

            fn accept_token(&mut self, id: u32) -> Result<(), AcceptError> {
                self.with(|matcher| matcher.accept_token(id))
            }

            fn accept_bytes(&mut self, bytes: &[u8]) -> Result<(), AcceptError> {
                self.with(|matcher| matcher.accept_bytes(bytes))
            }

            fn check_draft(&mut self, draft: &[u32]) -> usize {
                self.with(|matcher| matcher.check_draft(draft))
            }

            fn forced_bytes(&mut self, buffer: &mut [u8]) -> usize {
                self.with(|matcher| matcher.forced_bytes(buffer))
            }

            fn forced_tokens(&mut self, buffer: &mut [u32]) -> usize {
                self.with(|matcher| matcher.forced_tokens(buffer))
            }

            fn is_complete(&mut self) -> bool {
                self.with(|matcher| matcher.is_complete())
            }

            fn is_finished(&self) -> bool {
                self.clone().with(|matcher| matcher.is_finished())
            }
        }
    };
}

by_calls!(Lent);
by_calls!(Kept);

#[test]
fn matchers_of_a_whole_grammar_answer_alike() {
    let words = vocabulary();
    let schema = r#"{"type": "object", "properties": {"name": {"type": "string"},
        "on": {"type": "boolean"}, "list": {"type": "array", "items": {"type": "integer"}}}}"#;
    let text = GrammarText::schema(schema);
    let compiler = Compiler::new(&words).unwrap();
    let tables = compiler.compile_text(&text).unwrap().into_tables();
    let packed = words.pack().unwrap();
    let grammar = Grammar::load(&tables).unwrap();
    let grammar = grammar
        .with_vocabulary(Attached::load(&packed).unwrap())
        .unwrap();

    let expected = follow_copies::<_, 1>(&grammar, &words);
    assert!(expected.iter().any(|answers| !answers.forced.is_empty()));
    assert!(
        expected
            .iter()
            .any(|answers| !answers.forced_bytes.is_empty())
    );
    assert!(expected.iter().any(|answers| answers.drafted > 1));
    assert!(expected.iter().any(|answers| answers.is_finished));
    assert!(
        follow_copies::<_, 3>(&grammar, &words) == expected,
        "three stacks"
    );

    let start = Lent::new(&grammar);
    let lent = follow(
        &start,
        &words,
        &|matcher, before, _| *matcher = before.clone(),
        &Lent::again,
    );
    assert!(lent == expected, "lent");
    let state = State::new(&grammar).unwrap();
    let start = Kept {
        grammar: &grammar,
        state,
    };
    let kept = follow(
        &start,
        &words,
        &|matcher, before, _| *matcher = before.clone(),
        &|kept| {
            let mut bytes = vec![0; State::<DEPTH>::MAX_BYTES];
            let length = kept.state.write_to(&mut bytes).unwrap();
            let state = State::read_from(&bytes[..length], kept.grammar).unwrap();
            Kept {
                state,
                ..kept.clone()
            }
        },
    );
    assert!(kept == expected, "state");

    let own = owned(tables.clone(), &words);
    let start = OwnedMatcher::new(&own, DEPTH).unwrap();
    assert!(follow_owned(&start, &words) == expected, "owned");

    let lazy = LazyVocabulary::new(&compiler).unwrap();
    let parsed = Arc::new(text.parse(&Default::default()).unwrap().grammar);
    let first = LazyMatcher::new(parsed, lazy).unwrap();
    let back: Back<'_, LazyMatcher> = &|matcher, _, tokens| matcher.rollback(tokens).unwrap();
    assert!(
        follow(&first, &words, back, &LazyMatcher::clone) == expected,
        "lazy"
    );
    let ready: [Arc<dyn Tables>; 2] = [Arc::new(Never), Arc::new(Ready(Ok(own)))];
    for tables in ready {
        let start = ServedMatcher::tiered(first.clone(), tables.clone(), DEPTH);
        let tiered = follow_served(&start, &words, |bytes| {
            let first = first.clone();
            ServedMatcher::tiered_from_bytes(bytes, first, tables.clone(), DEPTH).unwrap()
        });
        assert!(tiered == expected, "tiered");
    }
    served(&compiler, &text, &words, &expected);
}

/// Where no number of stacks is enough, all readings of a text are a graph.
#[test]
fn matchers_of_an_ambiguous_grammar_answer_alike() {
    let words = vocabulary();
    let text = GrammarText::ebnf(r#"root ::= "" | "a" root "a" | "b" root "b" | [ab] "!""#);
    let compiler = Compiler::new(&words).unwrap();
    let tables = compiler.compile_text(&text).unwrap().into_tables();
    let packed = words.pack().unwrap();
    let grammar = Grammar::load(&tables).unwrap();
    let grammar = grammar.with_vocabulary(Attached::load(&packed).unwrap());
    let grammar = grammar.unwrap();
    assert!(!grammar.stacks_are_proved());

    let expected = follow_copies::<_, GRAPH>(&grammar, &words);
    assert!(expected.iter().any(|answers| answers.is_finished));
    assert!(expected.iter().any(|answers| answers.drafted > 1));
    let start = Lent::new(&grammar);
    let back: Back<'_, Lent<'_>> = &|matcher, before, _| *matcher = before.clone();
    assert!(
        follow(&start, &words, back, &Lent::again) == expected,
        "lent"
    );
    let own = owned(tables.clone(), &words);
    let start = OwnedMatcher::new(&own, DEPTH).unwrap();
    assert!(follow_owned(&start, &words) == expected, "owned");
    served(&compiler, &text, &words, &expected);
}

/// Requests of a registry, before there are tables and with them.
fn served(compiler: &Compiler, text: &GrammarText, words: &Vocabulary, expected: &[Answers]) {
    for waits in [false, true] {
        let options = RegistryOptions::default().depth(DEPTH).threads(0);
        let registry = Registry::new(compiler, options).unwrap();
        let handle = registry.get(text).unwrap();
        if waits {
            handle.wait().unwrap();
        }
        let start = handle.matcher().unwrap();
        let read = |bytes: &[u8]| handle.matcher_from_bytes(bytes).unwrap();
        assert!(
            follow_served(&start, words, read) == expected,
            "served {waits}"
        );
        assert_eq!(start.is_linked(), handle.linked().is_some());
        for foreign in [&b""[..], b"no state", b"MSKT no state", b"MSKS no state"] {
            let read = handle.matcher_from_bytes(foreign).map(|_| ());
            assert!(matches!(read, Err(OrRefused::Matcher(_))), "{foreign:?}");
        }
    }
}

#[test]
fn matchers_of_linked_tools_answer_alike() {
    let words = vocabulary();
    let tools = r#"[{"name": "get_weather", "parameters": {"type": "object",
            "properties": {"city": {"type": "string"}}, "required": ["city"]}},
        {"name": "light", "parameters": {"type": "object",
            "properties": {"on": {"type": "boolean"}}, "required": ["on"]}}]"#;
    let options = ToolOptions::format("qwen_3");
    let text = GrammarText::tools(tools).tool_options(options.clone());
    let compiler = Compiler::new(&words).unwrap();
    let whole = owned(compiler.compile_text(&text).unwrap().into_tables(), &words);
    let start = OwnedMatcher::new(&whole, DEPTH).unwrap();
    let expected = follow_owned(&start, &words);
    assert!(expected.iter().any(|answers| !answers.forced.is_empty()));
    assert!(expected.iter().any(|answers| answers.drafted > 1));

    let target = Arc::new(LinkTarget::new(&compiler).unwrap());
    let parse = ParseOptions::default().tools(options);
    let source = Source::new("tools", tools);
    let linked = target.link(&source, &parse, &NoStore, DEPTH).unwrap();
    linked.compile(1).unwrap();
    let linked = Arc::new(linked);
    assert!(
        follow_copies::<_, 1>(&*linked, &words) == expected,
        "linked"
    );
    let start = OwnedMatcher::linked(linked).unwrap();
    let mut called = start.clone();
    called.accept_bytes(CALL).unwrap();
    assert!(matches!(called.place(), Place::Piece { .. }));
    assert!(follow_owned(&start, &words) == expected, "owned and linked");
    served(&compiler, &text, &words, &expected);
}
