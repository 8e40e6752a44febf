//! The bytes that a registry counts: whatever is asked for, compiled and dropped in which order,
//! they are within the limit as soon as nothing is used.

use std::time::{Duration, Instant};

use maskwright_compiler::link::registry::{Handle, Registry, RegistryOptions, ServedMatcher};
use maskwright_compiler::{Compiler, GrammarText, Options, vocabulary::Vocabulary};

use super::*;

fn compiler() -> Compiler {
    let tokens = (0..=255u8).map(|byte| vec![byte]).chain([vec![]]);
    let vocabulary = Vocabulary::from_tokens(tokens.collect(), vec![256]);
    let compiler = Compiler::new(&vocabulary).unwrap();
    compiler.with_options(Options::default().threads(1))
}

/// A request that is drawn: tools of two formats, a structural tag, a schema or an expression; some
/// are refused, some are slow.
fn draw(random: &mut Random) -> GrammarText {
    let most = random.below(40);
    let schema = match random.below(8) {
        0 => r#"{"type": "strin"}"#.to_owned(),
        1 => format!(
            r#"{{"type": "string", "pattern": "(a|b)*a(a|b){{{}}}"}}"#,
            8 + most % 4
        ),
        _ => format!(
            r#"{{"type": "object", "properties": {{"a": {{"type": "integer", "maximum": {most}}}}}}}"#
        ),
    };
    match random.below(5) {
        0 => GrammarText::schema(schema),
        1 => GrammarText::regex(format!("[a-f]{{3}}{most}|x{most}")),
        2 => GrammarText::structural_tag(format!(
            r#"{{"type": "structural_tag", "format": {{"type": "triggered_tags", "triggers": ["<f="], "tags": [
                {{"begin": "<f=a{most}>", "content": {{"type": "json_schema", "json_schema": {schema}}}, "end": "</f>"}},
                {{"begin": "<f=b>", "content": {{"type": "json_schema", "json_schema": {{"type": "integer"}}}}, "end": "</f>"}}]}}}}"#
        )),
        kind => {
            let tools = (0..1 + random.below(4)).map(|at| {
                format!(r#"{{"name": "t{at}_{most}", "parameters": {{"type": "object", "properties": {{"x{at}": {schema}}}}}}}"#)
            });
            let tools: Vec<String> = tools.collect();
            let format = if kind == 3 { "qwen_3" } else { "mistral" };
            GrammarText::tools(format!("[{}]", tools.join(",")))
                .tool_options(ToolOptions::format(format))
        }
    }
}

/// What a request holds.
enum Held {
    Handle(Handle),
    Matcher(Box<ServedMatcher>),
}

fn run(compiler: &Compiler, threads: usize, most: usize, seed: u64) {
    let options = RegistryOptions::default().depth(32).bytes(most);
    let options = options.threads(threads).time(Duration::from_secs(20));
    let registry = Registry::new(compiler, options).unwrap();
    let mut random = Random::new(seed);
    let mut held: Vec<Held> = Vec::new();
    for _ in 0..60 {
        match random.below(6) {
            0 | 1 => {
                if let Ok(handle) = registry.get(&draw(&mut random)) {
                    held.push(Held::Handle(handle));
                }
            }
            2 => {
                if let Some(Held::Handle(handle)) = random.pick(&held) {
                    // It may be refused.
                    let _ = handle.wait();
                }
            }
            3 => {
                let matcher = match random.pick(&held) {
                    Some(Held::Handle(handle)) => handle.matcher().ok(),
                    _ => None,
                };
                if let Some(mut matcher) = matcher {
                    let _ = matcher.accept_bytes(b"<f=");
                    held.push(Held::Matcher(Box::new(matcher)));
                }
            }
            4 => {
                let clone = match random.pick(&held) {
                    Some(Held::Matcher(matcher)) => Some(matcher.clone()),
                    _ => None,
                };
                held.extend(clone.map(Held::Matcher));
            }
            _ if !held.is_empty() => drop(held.swap_remove(random.below(held.len()))),
            _ => {}
        }
        if random.below(20) == 0 {
            held.clear();
        }
        if held.is_empty() {
            let metrics = registry.metrics();
            assert!(metrics.bytes <= most as u64, "{metrics:?}, seed {seed}");
            assert_eq!(metrics.bytes_not_compiled, 0, "{metrics:?}, seed {seed}");
            assert_eq!(metrics.first_tier_matchers, 0, "{metrics:?}, seed {seed}");
            assert_eq!(metrics.first_tier_bytes, 0, "{metrics:?}, seed {seed}");
        }
    }
    held.clear();
    let metrics = registry.metrics();
    assert!(metrics.bytes <= most as u64, "{metrics:?}, seed {seed}");
}

#[test]
fn bytes_are_within_the_limit_once_nothing_is_used() {
    let compiler = compiler();
    for (threads, most) in [(0, 200_000), (1, 200_000), (2, 1_000), (2, 0), (1, 600_000)] {
        for seed in 0..6 {
            run(&compiler, threads, most, seed);
        }
    }
}

/// Many threads ask, compile and drop at the same time.
#[test]
fn many_threads_leave_no_more_than_the_limit() {
    const THREADS: u64 = 64;
    let compiler = compiler();
    let most = 150_000;
    let options = RegistryOptions::default().depth(32).bytes(most).threads(2);
    let registry = Registry::new(&compiler, options).unwrap();
    std::thread::scope(|scope| {
        for seed in 0..THREADS {
            let registry = &registry;
            scope.spawn(move || {
                let mut random = Random::new(seed);
                for _ in 0..6 {
                    let Ok(handle) = registry.get(&draw(&mut random)) else {
                        continue;
                    };
                    let matcher = handle.matcher();
                    if random.below(2) == 0 {
                        let _ = handle.wait();
                    }
                    drop(handle);
                    drop(matcher);
                }
            });
        }
    });
    let metrics = registry.metrics();
    assert!(metrics.bytes <= most as u64, "{metrics:?}");
    assert_eq!(metrics.first_tier_matchers, 0);
}

/// A request that takes seconds to compile.
fn slow(at: usize) -> GrammarText {
    let states = 16 + at % 2;
    GrammarText::ebnf(format!(
        r#"root ::= "{at}" ("a" | "b" | "c")* "a" ("a" | "b" | "c"){{{states}}} | ("b" | "c")* "c" ("b" | "c" | "d"){{{states}}}"#
    ))
}

/// A client has a hundred slow requests, whose compiles keep the registry's only thread busy. The
/// first mask of another client's request waits for none of them, whatever kind the request is.
#[test]
fn slow_requests_of_a_client_do_not_delay_the_first_mask_of_another() {
    let compiler = compiler();
    let options = RegistryOptions::default().depth(32).threads(1);
    let registry = Registry::new(&compiler, options).unwrap();
    let slow: Vec<Handle> = (0..100)
        .map(|at| registry.get(&slow(at)).unwrap())
        .collect();
    let mut longest = Duration::ZERO;
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let start = Instant::now();
        let Ok(handle) = registry.get(&draw(&mut random)) else {
            continue;
        };
        if let Ok(mut matcher) = handle.matcher() {
            matcher.fill(&mut [0; 9]).unwrap();
        }
        longest = longest.max(start.elapsed());
    }
    println!("the longest of 40 first masks took {longest:?}");
    assert!(slow.iter().any(|handle| !handle.is_ready()));
    // One of the slow compiles takes longer.
    assert!(longest < Duration::from_secs(4), "{longest:?}");
}
