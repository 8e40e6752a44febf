//! Structural tags for a vocabulary with special and added tokens: strings of tokens that they
//! take.

mod texts_of_tokens;

use Part::{Text, Token};
use maskwright::Matcher;
use maskwright_compiler::Compiler;
use maskwright_compiler::grammar::Grammar;
use maskwright_compiler::syntax::structural_tag::TagOptions;
use maskwright_compiler::syntax::{GrammarText, ParseOptions};
use maskwright_compiler::vocabulary::Vocabulary;
use serde_json::{Value, json};

const TOOL: u32 = 256;

const END_TOOL: u32 = 257;

const START: u32 = 258;

const MESSAGE: u32 = 259;

const CALL: u32 = 260;

const EOS: u32 = 261;

/// All bytes; two added tokens, which are text too; two special ones, and two that end a sequence.
fn compiler() -> Compiler {
    let mut tokens: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    tokens.extend(["<tool>", "</tool>"].map(|text| text.as_bytes().to_vec()));
    tokens.resize(262, Vec::new());
    let named = |(id, name): (u32, &str)| (id, name.to_owned());
    let vocabulary = Vocabulary::from_tokens(tokens, vec![CALL, EOS])
        .with_special(
            [
                (START, "<|start|>"),
                (MESSAGE, "<|message|>"),
                (CALL, "<|call|>"),
            ]
            .map(named),
        )
        .with_added([(TOOL, "<tool>"), (END_TOOL, "</tool>")].map(named));
    Compiler::new(&vocabulary).unwrap()
}

/// A token, or a text in tokens of single bytes.
#[derive(Clone, Copy, Debug)]
enum Part {
    Text(&'static str),
    Token(u32),
}

fn check(grammar: &Grammar, sentences: &[&[Part]], others: &[&[Part]]) {
    let compiler = compiler();
    let compiled = compiler.compile(grammar);
    let compiled = compiled.unwrap_or_else(|error| panic!("{error}\n{grammar}"));
    let packed = compiler.prepared().unwrap().vocabulary().pack().unwrap();
    let tokens = maskwright::Vocabulary::load(&packed).unwrap();
    let tables = maskwright::Grammar::load(compiled.tables()).unwrap();
    let tables = tables.with_vocabulary(tokens).unwrap();
    let takes = |parts: &[Part]| {
        let mut matcher = Matcher::<16, 4>::new(&tables).unwrap();
        let ids = parts.iter().flat_map(|part| match part {
            Text(text) => text.bytes().map(u32::from).collect(),
            Token(id) => vec![*id],
        });
        ids.into_iter().all(|id| matcher.accept_token(id).is_ok()) && matcher.is_complete()
    };
    for parts in sentences {
        assert!(takes(parts), "{parts:?} must be taken by\n{grammar}");
    }
    for parts in others {
        assert!(!takes(parts), "{parts:?} must not be taken by\n{grammar}");
    }
}

fn read(format: &Value, tags: TagOptions) -> Grammar {
    let text = json!({"format": format}).to_string();
    let text = GrammarText::structural_tag(text)
        .tag_options(tags)
        .tokens(compiler().tokens());
    text.parse(&Default::default())
        .unwrap_or_else(|error| panic!("{error}"))
        .grammar
}

fn check_tag(format: Value, sentences: &[&[Part]], others: &[&[Part]]) {
    check(&read(&format, TagOptions::default()), sentences, others);
}

fn spelled() -> TagOptions {
    TagOptions::default().spelled(true)
}

#[test]
fn delimiters_that_are_tokens() {
    let format = json!({"type": "triggered_tags", "triggers": ["<tool>"], "tags": [
        {"begin": "<tool>a:", "content": {"type": "any_text"}, "end": "</tool>"}]});
    let whole: &[Part] = &[
        Text("x"),
        Token(TOOL),
        Text("a:b"),
        Token(END_TOOL),
        Text("y"),
    ];
    let in_bytes: &[Part] = &[Text("x<tool>a:b</tool>")];
    let mixed: &[Part] = &[Token(TOOL), Text("a:b</tool>")];
    check_tag(
        format.clone(),
        &[whole, &[Text("x<tool")], &[]],
        &[
            in_bytes,
            mixed,
            &[Text("<tool>")],
            &[Token(END_TOOL), Token(TOOL)],
            &[Token(TOOL), Text("a:")],
        ],
    );
    check(
        &read(&format, spelled()),
        &[whole, in_bytes, mixed, &[Text("<tool")]],
        &[&[Text("<tool>")], &[Token(TOOL), Text("b")]],
    );
}

#[test]
fn texts_with_tokens_in_them() {
    // The trigger is not a token, and the begin it belongs to has one.
    let format = json!({"type": "triggered_tags", "triggers": ["<|start|>a"], "tags": [
        {"begin": "<|start|>a<|message|>", "content": {"value": "1"}, "end": "\n<|call|>"}]});
    check_tag(
        format,
        &[
            &[
                Text("x"),
                Token(START),
                Text("a"),
                Token(MESSAGE),
                Text("1\n"),
                Token(CALL),
                Text("y"),
            ],
            &[],
        ],
        &[
            &[Text("x"), Token(START), Text("b")],
            &[Token(START), Text("a")],
            &[Token(MESSAGE)],
            &[Text("<|start|>a")],
        ],
    );
    // Free text up to an end of a character and a token: the token by itself is no text.
    let format = json!({"type": "tag", "begin": "", "content": {"type": "any_text"}, "end": "\n<|message|>"});
    check_tag(
        format,
        &[
            &[Text("\n"), Token(MESSAGE)],
            &[Text("x\n\n"), Token(MESSAGE)],
        ],
        &[
            &[Text("x"), Token(MESSAGE)],
            &[Text("\n")],
            &[Text("\n<|message|>")],
        ],
    );
}

/// In blocks of one, two and three characters, and as states: an end lies across the end of a
/// block, and ends with a token.
#[test]
fn characters_before_a_token_are_counted() {
    let text = |most: u32, end: &str| json!({"type": "tag", "begin": "", "content": {"type": "any_text", "max_chars": most}, "end": end});
    for block in 0..4 {
        let mut options = TagOptions::default();
        options.block = block;
        check(
            &read(&text(4, "\n<|message|>"), options.clone()),
            &[
                &[Text("\n"), Token(MESSAGE)],
                &[Text("abcd\n"), Token(MESSAGE)],
                &[Text("\n\n\n\n\n"), Token(MESSAGE)],
            ],
            &[
                &[Text("abcde\n"), Token(MESSAGE)],
                &[Text("\n\n\n\n\n\n"), Token(MESSAGE)],
                &[Text("abcd"), Token(MESSAGE)],
            ],
        );
        check(
            &read(&text(3, "</tool>"), options),
            &[
                &[Token(END_TOOL)],
                &[Text("</t"), Token(END_TOOL)],
                &[Text("abc"), Token(END_TOOL)],
            ],
            &[
                &[Text("</to"), Token(END_TOOL)],
                &[Text("ab</tool>")],
                &[Text("abc")],
            ],
        );
    }
}

#[test]
fn a_stop_token_ends_a_tag() {
    let format = json!({"type": "sequence", "elements": [
        {"begin": "a", "content": {"type": "any_text"}, "end": "<|call|>"}, {"value": "b"}]});
    check_tag(
        format,
        &[&[Text("ax"), Token(CALL), Text("b")]],
        &[&[Text("ax"), Token(CALL)], &[Text("ax"), Token(EOS)]],
    );
}

#[test]
fn names_that_are_no_tokens_are_refused() {
    for (token, code) in [
        (json!("<|strat|>"), "unknown-token"),
        (json!(1000), "unknown-token"),
    ] {
        let text = json!({"format": {"type": "token", "token": token}}).to_string();
        let error = GrammarText::structural_tag(&text)
            .tokens(compiler().tokens())
            .parse(&Default::default());
        let error = error.map(|parsed| parsed.grammar.to_string()).unwrap_err();
        assert_eq!(error.code(), code);
        let none = GrammarText::structural_tag(text).parse(&Default::default());
        assert_eq!(none.unwrap_err().code(), "token-without-vocabulary");
    }
}

#[test]
fn tokens_in_the_grammar_language() {
    let read = |text: &str| {
        let source = maskwright_compiler::source::Source::new("g", text);
        let options = ParseOptions::default().tokens(compiler().tokens());
        let parsed = maskwright_compiler::syntax::ebnf::parse(&source, &options);
        parsed.unwrap_or_else(|error| panic!("{error}")).grammar
    };
    check(
        &read(
            "root ::= <|start|> !<[97]> <[259]> Token(\"<|call|>\", 257) ExcludeToken(98, \"<tool>\")",
        ),
        &[&[
            Token(START),
            Text("b"),
            Token(MESSAGE),
            Token(CALL),
            Text("a"),
        ]],
        &[
            &[
                Token(START),
                Text("a"),
                Token(MESSAGE),
                Token(CALL),
                Text("a"),
            ],
            &[
                Token(START),
                Text("b"),
                Token(MESSAGE),
                Token(CALL),
                Token(TOOL),
            ],
        ],
    );
    check(
        &read(
            "root ::= TagDispatch((\"<f>\", a), (\"<g>\", b), excludes=(\"no\"))\na ::= [0-9]+ \"!\"\nb ::= \"b\"",
        ),
        &[&[Text("x<f>12!y<g>bz")], &[]],
        &[&[Text("<f>x")], &[Text("no")], &[Text("<g>")]],
    );
    // Free text without triggers, and commas behind the last argument, as XGrammar writes them.
    check(
        &read("root ::= TagDispatch(loop_after_dispatch=false, excludes=(\"no\",),) \"n\""),
        &[&[Text("xn")]],
        &[&[Text("nono")]],
    );
    check(
        &read(
            "root ::= TokenTagDispatch((\"<|start|>\", a), loop_after_dispatch=false, excludes=(97))\na ::= \"1\"",
        ),
        &[&[Text("x"), Token(START), Text("1")], &[Text("xy")]],
        &[&[Text("a")], &[Token(START), Text("1x")]],
    );
}
