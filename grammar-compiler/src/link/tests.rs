//! What parts of a format share.

use std::sync::Arc;

use maskwright_core::link::{Crossing, Parts};
use serde_json::{Value, json};

use super::slots::into_names;
use super::{LinkTarget, NoStore, crossings};
use crate::compile::Compiler;
use crate::source::Source;
use crate::syntax::ParseOptions;
use crate::syntax::tools::ToolOptions;
use crate::vocabulary::Vocabulary;

/// All bytes, all texts of up to four of the characters with which values, lists and calls end, and
/// more.
fn vocabulary(more: &[&str]) -> Vocabulary {
    const ENDS: &[u8] = b"\"]}1e";
    let mut tokens: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    let mut texts: Vec<Vec<u8>> = ENDS.iter().map(|&byte| vec![byte]).collect();
    for _ in 1..4 {
        let longer = texts.iter().flat_map(|text| {
            let with = |&end: &u8| [text.as_slice(), &[end]].concat();
            ENDS.iter().map(with)
        });
        texts = longer.collect();
        tokens.extend(texts.clone());
    }
    tokens.extend(more.iter().map(|token| token.as_bytes().to_vec()));
    let end = tokens.len() as u32;
    tokens.push(Vec::new());
    Vocabulary::from_tokens(tokens, vec![end])
}

/// Tools whose calls end in many ways.
fn tools() -> String {
    let kinds = ["string", "integer", "boolean", "null"].map(|kind| json!({"type": kind}));
    let list = |items: &Value| json!({"type": "array", "items": items});
    let lists: Vec<Value> = kinds.iter().map(list).collect();
    let object = json!({"type": "object", "properties": {"x": kinds[0]}, "required": ["x"]});
    let others = [
        json!({"enum": ["e", "1"]}),
        json!({"enum": [1, true]}),
        object,
    ];
    let all = kinds.into_iter().chain(lists).chain(others);
    let schemas = all.flat_map(|kind| {
        [vec!["a"], vec![]].map(|required| {
            json!({"type": "object", "properties": {"a": kind}, "required": required, "additionalProperties": false})
        })
    });
    let tools = schemas.take(20).enumerate();
    let tools =
        tools.map(|(at, schema)| json!({"name": format!("tool_{at}"), "parameters": schema}));
    Value::Array(tools.collect()).to_string()
}

#[test]
fn pieces_of_a_format_are_compiled_with_one_trie() {
    for format in ["qwen_3", "mistral", "llama"] {
        let compiler = Compiler::new(&vocabulary(&[])).unwrap();
        let target = Arc::new(LinkTarget::new(&compiler).unwrap());
        let options = ParseOptions::default().tools(ToolOptions::format(format));
        let request = Source::new("tools", tools());
        let linked = target.link(&request, &options, &NoStore, 32).unwrap();
        linked.compile(1).unwrap();
        assert!(linked.pieces().len() >= 20, "{format}");
        // One for what stands around calls, and one for the base and all pieces.
        assert_eq!(target.tokens.tries(), 2, "{format}");
    }
}

#[test]
fn crossings_are_known_before_a_text_comes_to_them() {
    const BEHIND: [&str; 6] = [">\n", "> I", "}\n<", "]]\n", "\"t", "\"tool_"];
    let mut shared = 0;
    for format in ["qwen_3", "mistral", "llama"] {
        let compiler = Compiler::new(&vocabulary(&BEHIND)).unwrap();
        let target = Arc::new(LinkTarget::new(&compiler).unwrap());
        let options = ParseOptions::default().tools(ToolOptions::format(format));
        let request = Source::new("tools", tools());
        let linked = target.link(&request, &options, &NoStore, 32).unwrap();
        let trie = target.tokens.whole().trie();
        let (outer, named) = (&linked.outer, &linked.outer.reserved);
        let all =
            |crossing: &Crossing| crossings::tokens(&linked, &|_, _| None, trie, named, crossing);
        // From the outer part into names. No piece has been compiled, and none is by this.
        let into_names = linked.slots.outer.values();
        let into_names: Vec<_> = into_names
            .map(|(crossing, slot)| (crossing, slot.get().cloned()))
            .collect();
        assert!(linked.pieces.iter().all(|piece| piece.ready().is_none()));
        assert!(
            into_names.iter().any(|(_, tokens)| tokens.is_some()),
            "{format}"
        );
        for (crossing, tokens) in into_names {
            assert!(
                tokens.is_none_or(|tokens| tokens == all(crossing)),
                "{format}"
            );
        }
        // From pieces into the outer part.
        linked.compile(1).unwrap();
        for piece in linked.pieces() {
            let slots = outer.slots.of_piece(piece.get().unwrap());
            for (crossing, slot) in outer.slots.crossings(&slots) {
                if let Some(tokens) = slot.get().unwrap() {
                    assert_eq!(tokens, &all(&crossing), "{format}");
                    shared += tokens.len();
                }
            }
        }
    }
    assert!(shared > 0);
}

#[test]
fn tokens_behind_names_are_those_that_walks_find() {
    const BEHIND: [&str; 8] = [
        "\",", "\", \"", "0\",", "\"t", "\"tool_", "\">", "]{", "_1\"",
    ];
    let mut kept = 0;
    for format in ["qwen_3", "mistral", "llama", "glm_4_7", "jamba"] {
        let compiler = Compiler::new(&vocabulary(&BEHIND)).unwrap();
        let target = Arc::new(LinkTarget::new(&compiler).unwrap());
        let options = ParseOptions::default().tools(ToolOptions::format(format));
        let request = Source::new("tools", tools());
        let link = |depth| {
            let linked = target.link(&request, &options, &NoStore, depth).unwrap();
            linked.compile(1).unwrap();
            linked
        };
        let pieces = link(32).pieces;
        let least = pieces
            .iter()
            .map(|piece| piece.get().unwrap().least_depth());
        for depth in [least.max().unwrap(), 32] {
            let linked = link(depth);
            let trie = target.tokens.whole().trie();
            let named = &linked.outer.reserved;
            for &(hole, after) in &linked.outer.exits {
                let names = linked.names(hole).unwrap();
                for first in 0..names.len() {
                    let last = names.name(first).last().copied().unwrap();
                    let piece = names.piece(first).unwrap();
                    kept += linked.behind_name(piece, last).map_or(0, <[u32]>::len);
                    for read in 0..=names.name(first).len() {
                        let crossing = into_names(0, hole, (first, read as u16), after);
                        let known = |piece, byte| linked.behind_name(piece, byte);
                        let found = crossings::tokens(&linked, &known, trie, named, &crossing);
                        let walked = |_, _| None;
                        let walked = crossings::tokens(&linked, &walked, trie, named, &crossing);
                        assert_eq!(found, walked, "{format}, {depth} frames");
                    }
                }
            }
        }
    }
    assert!(kept > 100, "{kept}");
}

/// Names and pieces of one tool in a format.
fn names_and_pieces(format: &str, vocabulary: &Vocabulary) -> (u32, usize) {
    let compiler = Compiler::new(vocabulary).unwrap();
    let target = Arc::new(LinkTarget::new(&compiler).unwrap());
    let options = ParseOptions::default().tools(ToolOptions::format(format));
    let tool = json!([{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}}]);
    let request = Source::new("tools", tool.to_string());
    let linked = target.link(&request, &options, &NoStore, 32).unwrap();
    let names = linked.outer.exits.iter();
    let mut holes: Vec<u16> = names.map(|&(hole, _)| hole).collect();
    holes.sort_unstable();
    holes.dedup();
    let names = holes.iter().map(|&hole| linked.names(hole).unwrap().len());
    (names.sum(), linked.pieces().len())
}

#[test]
fn ways_of_writing_a_call_share_a_piece() {
    let text = vocabulary(&[]);
    for (format, names) in [
        ("qwen_3", 1),
        ("mistral", 1),
        ("llama", 4),
        ("granite_20b", 2),
        ("internlm", 3),
        ("harmony", 4),
        // An identifier stands before the name.
        ("cohere", 1),
        ("command_r", 1),
    ] {
        assert_eq!(names_and_pieces(format, &text), (names, 1), "{format}");
    }
    // In one way of three, an identifier stands behind the name.
    assert_eq!(names_and_pieces("mistral_v11", &text), (3, 2));
    // Where special tokens are terminals, they are not part of names.
    let special = ["<|channel|>", "<|constrain|>", "<|message|>", "<|call|>"];
    let first = text.size();
    let named = special.iter().map(|name| (*name).to_owned());
    let harmony = text.with_size(first + special.len() as u32).unwrap();
    let harmony = harmony.with_special((first..).zip(named));
    assert_eq!(names_and_pieces("harmony", &harmony), (3, 2));
}
