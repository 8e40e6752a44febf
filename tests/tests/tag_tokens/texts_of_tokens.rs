//! Formats whose texts are tokens: what ends them, and which tokens they exclude.

use super::{CALL, END_TOOL, MESSAGE, Part, START, TOOL, check_tag};
use Part::{Text, Token};
use maskwright_compiler::syntax::GrammarText;
use serde_json::{Value, json};

#[test]
fn formats_of_tokens() {
    check_tag(
        json!({"type": "sequence", "elements": [
            {"type": "token", "token": "<|start|>"}, {"type": "exclude_token", "exclude_tokens": [CALL, 97]},
            {"type": "token", "token": MESSAGE}]}),
        &[
            &[Token(START), Text("b"), Token(MESSAGE)],
            &[Token(START), Token(TOOL), Token(MESSAGE)],
        ],
        &[
            &[Token(START), Text("a"), Token(MESSAGE)],
            &[Token(START), Token(MESSAGE)],
            &[Token(START)],
        ],
    );
    let end = json!({"type": "token", "token": "<|message|>"});
    let begin = json!({"type": "token", "token": "<|start|>"});
    check_tag(
        json!({"begin": begin, "content": {"type": "any_tokens", "exclude_tokens": [98]}, "end": end}),
        &[
            &[Token(START), Text("ax"), Token(TOOL), Token(MESSAGE)],
            &[Token(START), Token(MESSAGE)],
        ],
        &[
            &[Token(START), Text("b"), Token(MESSAGE)],
            &[Token(START), Token(MESSAGE), Text("a")],
        ],
    );
    let tag = json!({"begin": begin, "content": {"value": "1"}, "end": end});
    let tags = |more: Value| {
        let mut format =
            json!({"type": "token_triggered_tags", "trigger_tokens": ["<|start|>"], "tags": [tag]});
        for (name, value) in more.as_object().unwrap() {
            format[name] = value.clone();
        }
        format
    };
    let call: &[Part] = &[Token(START), Text("1"), Token(MESSAGE)];
    let called = [&[Text("x")], call, &[Token(TOOL)], call].concat();
    check_tag(
        tags(json!({"exclude_tokens": ["</tool>"]})),
        &[&[], &[Text("x")], call, &called],
        &[
            &[Token(START)],
            &[Token(END_TOOL)],
            &[Token(START), Text("2")],
        ],
    );
    let first = [call, &[Text("x")]].concat();
    check_tag(
        tags(json!({"at_least_one": true})),
        &[call, &first],
        &[&[], &[Text("x")]],
    );
    check_tag(
        tags(json!({"stop_after_first": true})),
        &[&[], call, &[Text("x")]],
        &[&first],
    );
    check_tag(
        json!({"type": "token_dispatch", "rules": [[START, {"value": "1"}], ["<tool>", {"value": "2"}]], "loop": false}),
        &[
            &[Text("x"), Token(START), Text("1")],
            &[Token(TOOL), Text("2")],
            &[Text("y")],
        ],
        &[&[Token(TOOL), Text("1")], &[Token(TOOL), Text("2x")]],
    );
}

#[test]
fn tags_of_tokens_without_any() {
    let end = json!({"type": "token", "token": "<|message|>"});
    check_tag(
        json!({"begin": "a", "content": {"type": "any_tokens", "max_tokens": 0}, "end": end}),
        &[&[Text("a"), Token(MESSAGE)]],
        &[&[Text("ab"), Token(MESSAGE)]],
    );
    check_tag(
        json!({"type": "any_tokens", "max_tokens": 0}),
        &[&[]],
        &[&[Text("a")]],
    );
}

/// The token of the end around it is none of a tag's tokens; an end that is text may stand behind
/// tokens too.
#[test]
fn ends_of_texts_of_tokens() {
    let ends = json!(["<|message|>", "bb"]);
    check_tag(
        json!({"begin": "", "content": {"type": "any_tokens", "max_tokens": 0}, "end": ends}),
        &[&[Token(MESSAGE)], &[Text("bb")]],
        &[&[Token(MESSAGE), Text("bb")], &[Text("a")]],
    );
    check_tag(
        json!({"begin": "", "content": {"type": "exclude_token"}, "end": "<|message|>"}),
        &[&[Text("a"), Token(MESSAGE)]],
        &[&[Token(MESSAGE), Token(MESSAGE)]],
    );
}

/// An exclude that ends with a token is seen where the token alone ends the text.
#[test]
fn excludes_that_end_with_an_end() {
    check_tag(
        json!({"begin": "", "content": {"type": "any_text", "excludes": ["ab<|message|>"]}, "end": "<|message|>"}),
        &[&[Text("b"), Token(MESSAGE)], &[Text("aba"), Token(MESSAGE)]],
        &[
            &[Text("ab"), Token(MESSAGE)],
            &[Text("aab"), Token(MESSAGE)],
        ],
    );
}

/// With its one token `b` the text would be closed where `é` completes an exclude, so the end could
/// not follow.
#[test]
fn limits_whose_text_could_not_end_are_refused() {
    let parse = |excludes: Value| {
        let content = json!({"type": "any_text", "max_tokens": 1, "excludes": excludes});
        let text = json!({"format": {"begin": "", "content": content, "end": "éa"}}).to_string();
        let parsed = GrammarText::structural_tag(text).parse(&Default::default());
        parsed.map_err(|error| error.code().as_str())
    };
    assert!(parse(json!(["bb"])).is_ok());
    assert_eq!(parse(json!(["bé"])).unwrap_err(), "token-limit");
}

/// An added token that a grammar names is text nowhere in it, and its characters in other tokens
/// are.
#[test]
fn named_tokens_are_no_text() {
    check_tag(
        json!({"type": "sequence", "elements": [{"type": "regex", "pattern": "[a-z<>]*\\."}, {"type": "const_string", "value": "<tool>"}]}),
        &[&[Text("a<tool>."), Token(TOOL)]],
        &[&[Token(TOOL), Text("."), Token(TOOL)]],
    );
    check_tag(
        json!({"type": "regex", "pattern": "[a-z<>]*"}),
        &[&[Token(TOOL), Text("<tool>")]],
        &[],
    );
}

/// Where text and a token that ends it are both possible, and elsewhere in the grammar every token
/// but some is.
#[test]
fn texts_beside_sets_of_all_tokens_but_some() {
    let tag = |content: Value| {
        json!({"type": "token_triggered_tags", "trigger_tokens": ["<|start|>"], "tags": [
        {"begin": {"type": "token", "token": "<|start|>"}, "content": content, "end": {"type": "token", "token": "<|message|>"}}]})
    };
    check_tag(
        tag(json!({"type": "any_text"})),
        &[
            &[Token(START), Text("a"), Token(MESSAGE)],
            &[
                Text("b"),
                Token(START),
                Text("ab"),
                Token(TOOL),
                Token(MESSAGE),
                Token(TOOL),
            ],
        ],
        &[&[Token(START), Text("a")]],
    );
    check_tag(
        tag(json!({"type": "json_schema", "json_schema": {"type": "integer"}})),
        &[&[Token(START), Text("12"), Token(MESSAGE), Text("a")]],
        &[&[Token(START), Text("a"), Token(MESSAGE)]],
    );
    check_tag(
        json!({"type": "dispatch", "rules": [["</tool>", {"type": "exclude_token"}]]}),
        &[&[Text("a"), Token(END_TOOL), Text("b")], &[]],
        &[&[Token(END_TOOL)]],
    );
    check_tag(
        json!({"type": "sequence", "elements": [{"type": "exclude_token"},
            {"begin": "<", "content": {"type": "any_text", "max_tokens": 3}, "end": ">"}]}),
        &[
            &[Text("a<bc>")],
            &[Text("<<bcd>")],
            &[Token(START), Text("<>")],
        ],
        &[&[Text("<<bcde>")]],
    );
}
