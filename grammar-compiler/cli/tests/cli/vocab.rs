//! `vocab`: what a vocabulary holds; the warning where no token ends a sequence.

use crate::support::{EOS, Folder};
use serde_json::json;

const TOKENIZER: &str = r#"{"model":{"type":"BPE","vocab":{"a":0,"b":1,"ab":2,"bc":7},"merges":[]},
    "decoder":{"type":"ByteLevel"},
    "added_tokens":[{"id":3,"content":"<EOT>","special":true},{"id":4,"content":"<pad>","special":true}]}"#;

#[test]
fn a_vocabulary_is_described() {
    let folder = Folder::new();
    let run = folder.run(&[
        "vocab",
        "small.tiktoken",
        "--vocab-size",
        "264",
        "--eos",
        "261",
        "--json",
    ]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let report = run.json();
    assert_eq!(
        (&report["size"], &report["tokens"]),
        (&json!(264), &json!(261))
    );
    assert_eq!(report["eos"], json!([{"id": EOS, "name": null}]));
    assert_eq!(
        (&report["unused"], &report["bytes_in_no_token"]),
        (&json!(2), &json!([]))
    );
    assert_eq!(report["warnings"], json!([]));

    folder.write("tokenizer.json", TOKENIZER);
    let run = folder.run(&["vocab", "tokenizer.json"]);
    for expected in [
        "tokenizer.json 8 ids",
        "text       4 tokens of text",
        "longest    2 bytes: 2  \"ab\"",
        "end        none",
        "read as    `tokenizer.json`",
        "special    2: 3 \"<EOT>\", 4 \"<pad>\"",
        "added      none",
        "bytes      2 of 256 are tokens",
        "hash       ",
        "unused     2 ids",
        "unspelled  0x00-0x60, 0x64-0xff",
        "0x63: in longer tokens only",
        "warning[no-end-token]",
        "it may be `<EOT>`, whose id is 3",
    ] {
        assert!(run.stdout.contains(expected), "{expected}: {}", run.stdout);
    }
}

/// A GGUF with five tokens: a byte, text, control, user-defined and unused.
fn gguf() -> Vec<u8> {
    fn sized(out: &mut Vec<u8>, text: &str) {
        out.extend((text.len() as u64).to_le_bytes());
        out.extend(text.as_bytes());
    }
    let mut out = b"GGUF\x03\0\0\0".to_vec();
    out.extend([0_u64, 3].map(u64::to_le_bytes).concat());
    sized(&mut out, "tokenizer.ggml.model");
    out.extend(8_u32.to_le_bytes());
    sized(&mut out, "llama");
    sized(&mut out, "tokenizer.ggml.tokens");
    out.extend([9_u32, 8].map(u32::to_le_bytes).concat());
    let tokens = ["<0x0A>", "▁a", "</s>", "<tool>", "later"];
    out.extend((tokens.len() as u64).to_le_bytes());
    tokens.iter().for_each(|token| sized(&mut out, token));
    sized(&mut out, "tokenizer.ggml.token_type");
    out.extend([9_u32, 5].map(u32::to_le_bytes).concat());
    out.extend((tokens.len() as u64).to_le_bytes());
    out.extend([6_i32, 1, 3, 4, 5].map(i32::to_le_bytes).concat());
    out
}

#[test]
fn all_kinds_of_files_are_read() {
    let folder = Folder::new();
    folder.write("model.bin", gguf());
    let run = folder.run(&["vocab", "model.bin", "--all", "--json"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let report = run.json();
    assert_eq!(
        (&report["kind"], &report["size"]),
        (&json!("gguf"), &json!(5))
    );
    assert_eq!(report["eos"], json!([{"id": 2, "name": "</s>"}]));
    assert_eq!(report["added"], json!([{"id": 3, "name": "<tool>"}]));
    let kinds = report["ids"]
        .as_array()
        .unwrap()
        .iter()
        .map(|token| &token["kind"]);
    assert!(kinds.eq(["text", "text", "end", "added", "unused"].iter()));
    assert_eq!(report["ids"][1]["bytes"], json!([32, 97]));
    let run = folder.run(&["mask", "--regex", "( a)*", "--vocab", "model.bin"]);
    assert_eq!(run.code, 0, "{}", run.stderr);

    folder.write("special.json", r#"["<|x|>","<|endoftext|>"]"#);
    let run = folder.run(&["vocab", "small.tiktoken", "--special", "special.json"]);
    for expected in [
        "read as    `.tiktoken` file",
        "end        1: 262 \"<|endoftext|>\"",
        "special    1: 261 \"<|x|>\"",
        "bytes      all 256 are tokens",
    ] {
        assert!(run.stdout.contains(expected), "{expected}: {}", run.stdout);
    }
    folder.write("cut.gguf", &gguf()[..90]);
    folder.write("page.html", "<html>");
    for (file, expected) in [
        ("cut.gguf", "cut.gguf: not a valid GGUF file"),
        ("page.html", "page.html: this is an HTML or XML page"),
        ("missing.gguf", "missing.gguf: cannot read the vocabulary"),
    ] {
        let run = folder.run(&["check", "--regex", "a", "--vocab", file]);
        assert_eq!(run.code, 1);
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    }
}

#[test]
fn tokens_are_looked_up() {
    let folder = Folder::new();
    folder.write("tokenizer.json", TOKENIZER);
    let arguments = [
        "vocab",
        "tokenizer.json",
        "--eos",
        "3",
        "--id",
        "2",
        "--id",
        "3",
        "--id",
        "4",
        "--id",
        "6",
    ];
    let texts = [
        "--text", "a", "--text", "abb", "--text", "abc", "--text", "bcd", "--text", "\n",
    ];
    let run = folder.run(&[&arguments[..], &texts[..]].concat());
    let lines: Vec<&str> = run.stdout.lines().map(str::trim).collect();
    let expected = [
        "2  \"ab\"  (2 bytes)",
        "3  (ends a sequence, \"<EOT>\")",
        "4  (special, \"<pad>\": never text)",
        "6  (unused: never text)",
        "0  \"a\"",
        "1 token longer: 2 \"ab\"",
        "\"abb\" is no token; 2 tokens at least: 2 \"ab\", 1 \"b\"",
        // Not by the longest token first, which leaves `c`.
        "\"abc\" is no token; 2 tokens at least: 0 \"a\", 7 \"bc\"",
        "\"bcd\" cannot be spelled: no tokens go on behind \"bc\" with the byte 0x64",
        "\"\\n\" cannot be spelled: no tokens go on behind \"\" with the byte 0x0a",
    ];
    assert_eq!(lines, expected, "{}", run.stdout);
    let report = folder
        .run(&[
            "vocab",
            "tokenizer.json",
            "--text",
            "abc",
            "--id",
            "2",
            "--json",
        ])
        .json();
    assert_eq!(report["texts"][0]["spelling"], json!([0, 7]));
    assert_eq!(report["ids"][0]["bytes"], json!([97, 98]));
    let run = folder.run(&["vocab", "tokenizer.json", "--id", "8"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("--id 8: the vocabulary has 8 ids"),
        "{}",
        run.stderr
    );
}

#[test]
fn commands_warn_of_a_vocabulary_without_an_end_token() {
    let folder = Folder::new();
    let run = folder.run(&["mask", "--regex", "a*", "--vocab", "small.tiktoken"]);
    assert_eq!(run.code, 0);
    assert!(
        run.stderr.contains("warning[no-end-token]") && run.stderr.contains("--eos ID"),
        "{}",
        run.stderr
    );
    let run = folder.run_on_lists("mask", &[]);
    assert_eq!(run.stderr, "");
}
