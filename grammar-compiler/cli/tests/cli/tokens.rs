//! Tokens by name in inputs and prefixes: `--tokens`.

use crate::support::{Folder, Run};

const TOOLS: &str = r#"[{"name": "now", "parameters": {"type": "object", "properties": {}}}]"#;
/// Ids behind those of the small vocabulary.
const SPECIAL: &str =
    r#"{"<|im_end|>": 261, "<tool_call>": 262, "</tool_call>": 263, "<tool_call>>": 264}"#;
const CALL: &str = "<tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("tools.json", TOOLS);
    folder.write("special.json", SPECIAL);
    folder.write("named.ebnf", "root ::= \"a\" <tool_call> \"b\" <[264]>\n");
    folder
}

fn run(folder: &Folder, command: &str, more: &[&str]) -> Run {
    let vocabulary = [
        "--vocab",
        "small.tiktoken",
        "--vocab-size",
        "265",
        "--eos",
        "261",
        "--special",
        "special.json",
    ];
    folder.run(&[&[command], &vocabulary[..], more].concat())
}

fn tools(folder: &Folder, more: &[&str]) -> Run {
    let tools = ["--tools", "tools.json", "--tool-format", "qwen_3"];
    run(folder, "accept", &[&tools, more].concat())
}

#[test]
fn inputs_are_cut_at_the_names_of_tokens() {
    let folder = folder();
    let whole = format!("Now: {CALL}");
    assert_eq!(tools(&folder, &["--tokens", "--", &whole]).code, 0);
    // The end token finishes the output, and nothing follows it.
    let ended = format!("{whole}<|im_end|>");
    assert_eq!(tools(&folder, &["--tokens", "--", &ended]).code, 0);
    let more = tools(&folder, &["--tokens", "--", &format!("{ended}x")]);
    let at = format!("refused at byte {}:", ended.len());
    assert!(more.stdout.starts_with(&at), "{}", more.stdout);
    // As bytes, the same output has no such token.
    let bytes = tools(&folder, &["--", CALL]);
    assert_eq!(bytes.code, 1);
    assert!(
        bytes.stdout.starts_with("refused at byte"),
        "{}",
        bytes.stdout
    );
    let wrong = tools(&folder, &["--tokens", "--json", "--", "Hi</tool_call>"]).json();
    let verdict = &wrong["inputs"][0];
    assert_eq!(verdict["refused_at"], 2);
    assert_eq!(verdict["refused_token"], 263);
}

#[test]
fn of_two_names_the_longer_is_meant_and_ids_are_tokens_too() {
    let folder = folder();
    let accept = |input: &str| {
        let args = ["--ebnf", "named.ebnf", "--tokens", "--", input];
        run(&folder, "accept", &args)
    };
    assert_eq!(accept("a<tool_call>b<tool_call>>").code, 0);
    assert_eq!(accept("a<[262]>b<[264]>").code, 0);
    let longer = accept("a<tool_call>>b");
    assert_eq!(
        longer.stdout,
        "refused at byte 1, token 264: \"a<tool_call>>b\"\n"
    );
    let no_token = accept("a<[265]>b");
    assert_eq!(no_token.code, 2);
    assert_eq!(
        no_token.stderr,
        "error: `<[265]>` is no token: the vocabulary has no token 265: its ids are below 265\n"
    );
}

#[test]
fn a_grammar_that_names_tokens_needs_a_vocabulary() {
    let folder = folder();
    let tag = r#"{"format": {"type": "token", "token": 5}}"#;
    folder.write("id.json", tag);
    for grammar in [["--ebnf", "named.ebnf"], ["--structural-tag", "id.json"]] {
        let bare = folder.run(&[&["accept"], &grammar[..], &["a"]].concat());
        assert_eq!(bare.code, 1);
        assert!(
            bare.stderr.contains("error[token-without-vocabulary]"),
            "{}",
            bare.stderr
        );
        assert!(bare.stderr.contains("--vocab"), "{}", bare.stderr);
    }
    let flag = folder.run(&["accept", "--ebnf", "lists.ebnf", "--tokens", "[]"]);
    assert_eq!(flag.code, 2);
    assert!(flag.stderr.contains("--vocab"), "{}", flag.stderr);
}

#[test]
fn masks_behind_tokens_show_tokens_by_name() {
    let folder = folder();
    let mask = |prefix: &str, more: &[&str]| {
        let args = ["--ebnf", "named.ebnf", "--tokens", "--prefix", prefix];
        run(&folder, "mask", &[&args, more].concat())
    };
    let begun = mask("a", &[]);
    assert_eq!(
        begun.stdout,
        "1 of 265 tokens allowed; the text may not end here\n     262  <tool_call>\n"
    );
    let json = mask("a<tool_call>b", &["--json"]).json();
    assert_eq!(json["tokens"][0]["id"], 264);
    assert_eq!(json["tokens"][0]["name"], "<tool_call>>");
    let whole = mask("a<tool_call>b<tool_call>>", &[]);
    assert_eq!(
        whole.stdout,
        "1 of 265 tokens allowed; the text may end here\n     261  <|im_end|> (end of sequence)\n"
    );
    let refused = mask("<tool_call>", &[]);
    assert_eq!(refused.code, 1);
    assert!(
        refused.stderr.contains("refused at byte 0, token 262"),
        "{}",
        refused.stderr
    );
}
