//! A registry with more to do than its threads can, and with requests that go away.

use std::time::{Duration, Instant};

use maskwright_compiler::link::registry::{Handle, Metrics, Registry, RegistryOptions};
use maskwright_compiler::{Compiler, GrammarText, Options, vocabulary::Vocabulary};

use super::*;

/// A registry for single bytes, with one thread.
fn registry(options: RegistryOptions) -> Registry {
    let tokens = (0..=255u8).map(|byte| vec![byte]).chain([vec![]]);
    let vocabulary = Vocabulary::from_tokens(tokens.collect(), vec![256]);
    let compiler = Compiler::new(&vocabulary).unwrap();
    let compiler = compiler.with_options(Options::default().threads(1));
    Registry::new(&compiler, options.depth(32).threads(1)).unwrap()
}

/// Tools whose schemas are those of no other request.
fn new_tools(request: usize, count: usize) -> GrammarText {
    let tools = (0..count).map(|tool| {
        let most = request * 1_000 + tool;
        format!(
            r#"{{"name": "tool_{tool:02}", "parameters": {{"type": "object", "properties": {{"a": {{"type": "integer", "maximum": {most}}}}}}}}}"#
        )
    });
    let tools: Vec<String> = tools.collect();
    let options = ToolOptions::format("qwen_3");
    GrammarText::tools(format!("[{}]", tools.join(","))).tool_options(options)
}

/// A grammar that takes many seconds to compile.
fn slow() -> GrammarText {
    GrammarText::ebnf(
        r#"root ::= ("a" | "b" | "c")* "a" ("a" | "b" | "c"){17} | ("b" | "c")* "c" ("b" | "c" | "d"){17}"#,
    )
}

/// Waits until something is so, but not for ever.
fn wait_until(registry: &Registry, is_so: impl Fn(&Metrics) -> bool) -> Duration {
    let start = Instant::now();
    while !is_so(&registry.metrics()) {
        assert!(start.elapsed().as_secs() < 60, "{:?}", registry.metrics());
        std::thread::sleep(Duration::from_millis(1));
    }
    start.elapsed()
}

/// A registry whose only thread compiles something slow, for the handle.
fn occupied(options: RegistryOptions) -> (Registry, Handle) {
    let registry = registry(options);
    // Outer part and base are there.
    registry.get(&new_tools(0, 1)).unwrap().wait().unwrap();
    let slow = registry.get(&slow()).unwrap();
    wait_until(&registry, |metrics| metrics.queued == 0);
    std::thread::sleep(Duration::from_millis(20));
    assert!(!slow.is_ready());
    (registry, slow)
}

#[test]
fn all_of_a_burst_is_compiled() {
    let (registry, slow) = occupied(RegistryOptions::default());
    let tools: Vec<Handle> = (0..4)
        .map(|_| registry.get(&new_tools(1, 20)).unwrap())
        .collect();
    let schema = registry.get(&GrammarText::schema(r#"{"type": "integer"}"#));
    let schema = schema.unwrap();
    assert_eq!(registry.metrics().queued, 20 + 1, "each waits once");
    drop(slow);
    wait_until(&registry, |_| {
        schema.is_ready() && tools.iter().all(Handle::is_ready)
    });
    let metrics = registry.metrics();
    assert_eq!((metrics.compiled, metrics.queued), (1 + 20 + 1, 0));
    // Either the registry's thread or `wait` compiled the first tool.
    assert!(metrics.at_once <= 1, "{metrics:?}");
    assert_eq!(metrics.stopped, 1);
}

#[test]
fn a_compile_ends_when_nobody_waits_for_it() {
    let (registry, slow) = occupied(RegistryOptions::default());
    let other = slow.clone();
    drop(slow);
    std::thread::sleep(Duration::from_millis(20));
    assert_eq!(registry.metrics().stopped, 0, "a handle is left");
    drop(other);
    let took = wait_until(&registry, |metrics| metrics.stopped == 1);
    println!("ended after {took:?}");
    assert!(took < Duration::from_secs(2), "{took:?}");
    // Whoever asks again gets it compiled again.
    let again = registry.get(&super::busy::slow()).unwrap();
    wait_until(&registry, |metrics| metrics.queued == 0);
    assert!(!again.is_ready());
}

#[test]
fn dropping_a_registry_does_not_wait_for_compiles() {
    let (registry, slow) = occupied(RegistryOptions::default());
    let start = Instant::now();
    drop(registry);
    assert!(start.elapsed() < Duration::from_secs(2));
    // What is left of it goes on in the first tier.
    slow.matcher().unwrap().accept_bytes(b"abcab").unwrap();
}

#[test]
fn a_compile_has_a_limit_of_time() {
    let options = RegistryOptions::default().time(Duration::from_millis(100));
    let registry = registry(options);
    let handle = registry.get(&slow()).unwrap();
    wait_until(&registry, |metrics| metrics.refused == 1);
    // There will be no tables. The first tier goes on without them.
    handle.wait().unwrap();
    handle.matcher().unwrap().accept_bytes(b"abcab").unwrap();
    assert!(registry.metrics().longest_compile < Duration::from_secs(5));
}

#[test]
fn the_piece_of_a_name_is_compiled_before_others() {
    let (registry, slow) = occupied(RegistryOptions::default());
    let handle = registry.get(&new_tools(1, 60)).unwrap();
    let mut matcher = handle.matcher().unwrap();
    let begin = b"<tool_call>\n{\"name\": \"tool_5";
    matcher.accept_bytes(begin).unwrap();
    let pieces = handle.linked().unwrap().pieces();
    assert_eq!(registry.metrics().queued, 60, "ten names are left");
    matcher.accept_bytes(b"8").unwrap();
    assert_eq!(registry.metrics().queued, 61, "one is left");
    drop(slow);
    wait_until(&registry, |_| pieces[58].ready().is_some());
    let ready = pieces.iter().filter(|piece| piece.ready().is_some());
    assert!(ready.count() < 30);
    wait_until(&registry, |_| handle.is_ready());
}

/// Requests that are dropped leave no more than twice the limit.
fn leaves_little(requests: impl Iterator<Item = GrammarText>, waits: bool) {
    let most = 200_000;
    let registry = registry(RegistryOptions::default().bytes(most));
    registry.get(&new_tools(0, 1)).unwrap().wait().unwrap();
    for request in requests {
        let Ok(handle) = registry.get(&request) else {
            continue;
        };
        if waits {
            let _ = handle.wait();
        }
        drop(handle);
        let metrics = registry.metrics();
        assert!(metrics.bytes < 2 * most as u64, "{metrics:?}");
    }
    registry.get(&new_tools(0, 1)).unwrap().wait().unwrap();
    let metrics = registry.metrics();
    println!("{metrics:?}");
    let dropped = metrics.evictions + metrics.cancelled + metrics.stopped;
    assert!(dropped > 100, "{metrics:?}");
    assert!(metrics.entries < 400, "{metrics:?}");
}

#[test]
fn what_is_not_compiled_is_dropped_with_its_request() {
    leaves_little((1..300).map(|request| new_tools(request, 20)), false);
}

#[test]
fn what_is_refused_does_not_pile_up() {
    let schema = |at: usize| {
        let text = "x".repeat(1_000);
        GrammarText::schema(format!(r#"{{"type": "strin", "title": "{text}{at}"}}"#))
    };
    leaves_little((0..1_000).map(schema), true);
}

#[test]
fn outer_parts_do_not_pile_up() {
    let format = ToolFormat::named("qwen_3", &Default::default());
    let text = format.unwrap().unwrap().source().text().to_owned();
    let request = |at: usize| {
        let text = text.replace("</tool_call>", &format!("</tool_call_{at}>"));
        let source = maskwright_compiler::source::Source::new("format", text);
        let mut options = ToolOptions::default();
        options.format = Some(FormatSource::Text(source));
        new_tools(0, 1).tool_options(options)
    };
    leaves_little((0..150).map(request), false);
}
