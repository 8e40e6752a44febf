//! Tags and quotes that are tokens of the vocabulary.

use maskwright::Matcher;
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::ParseOptions;
use maskwright_compiler::syntax::json_schema::{self, SchemaOptions, Style, Whitespace};
use maskwright_compiler::syntax::structural_tag::TagOptions;
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_compiler::{Compiler, Options};

const OPEN: u32 = 256;
const CLOSE: u32 = 257;
const SEP: u32 = 258;
const MARK: u32 = 259;
const VALUE: u32 = 260;
const VALUE_END: u32 = 261;
const EOS: u32 = 262;

/// All bytes; special tokens of Kimi and Gemma, and two added ones of GLM.
fn compiler() -> Compiler {
    let mut tokens: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    tokens.resize(260, Vec::new());
    tokens.extend(["<arg_value>", "</arg_value>"].map(|text| text.as_bytes().to_vec()));
    tokens.push(Vec::new());
    let named = |(id, name): (u32, &str)| (id, name.to_owned());
    let special = [
        (OPEN, "<|open|>"),
        (CLOSE, "<|close|>"),
        (SEP, "<|sep|>"),
        (MARK, "<|\"|>"),
    ];
    let added = [(VALUE, "<arg_value>"), (VALUE_END, "</arg_value>")];
    let vocabulary = Vocabulary::from_tokens(tokens, vec![EOS])
        .with_special(special.map(named))
        .with_added(added.map(named));
    Compiler::new(&vocabulary).expect("it is within its limits")
}

#[derive(Clone, Copy, Debug)]
enum Part {
    Text(&'static str),
    Token(u32),
}

use Part::{Text, Token};

fn check(style: Style, spelled: bool, schema: &str, texts: &[(char, &[Part])]) {
    let compiler = compiler();
    let options = ParseOptions::from(
        SchemaOptions::default()
            .style(style)
            .whitespace(Whitespace::Compact),
    )
    .tokens(compiler.tokens())
    .tags(TagOptions::default().spelled(spelled));
    let parsed = json_schema::parse(&Source::new("tool.json", schema), &options);
    let grammar = parsed.unwrap_or_else(|error| panic!("{error}")).grammar;
    let deterministic = Options::default().deterministic(true);
    let compiled = compiler
        .with_options(deterministic.clone())
        .compile(&grammar);
    let compiled = compiled.unwrap_or_else(|error| panic!("{style}: {error}\n{grammar}"));
    let packed = compiler
        .prepared()
        .unwrap()
        .vocabulary()
        .pack()
        .expect("it is within its limits");
    let tokens = maskwright::Vocabulary::load(&packed).expect("it loads");
    let tables = maskwright::Grammar::load(compiled.tables()).expect("they load");
    let tables = tables.with_vocabulary(tokens).expect("it is the same");
    for &(sign, parts) in texts {
        let mut matcher = Matcher::<16, 4>::new(&tables).expect("there is room");
        let ids = parts.iter().flat_map(|part| match part {
            Text(text) => text.bytes().map(u32::from).collect(),
            Token(id) => vec![*id],
        });
        let takes = ids.into_iter().all(|id| matcher.accept_token(id).is_ok());
        let takes = takes && matcher.is_complete();
        assert_eq!(takes, sign == '+', "{style}: {parts:?}\n{grammar}");
    }
}

const TOOL: &str = r#"{"type": "object", "properties": {"v": {"type": "string"}, "n": {"type": "integer"}}, "required": ["v"], "additionalProperties": false}"#;

#[test]
fn quotes_that_are_tokens() {
    let written: &[Part] = &[
        Text("{v:"),
        Token(MARK),
        Text("a<|b"),
        Token(MARK),
        Text(",n:1}"),
    ];
    let in_bytes: &[Part] = &[Text("{v:<|\"|>a<|\"|>}")];
    let mixed: &[Part] = &[Text("{v:"), Token(MARK), Text("a<|\"|>}")];
    let inside: &[Part] = &[
        Text("{v:"),
        Token(MARK),
        Text("a<|\"|>b"),
        Token(MARK),
        Text("}"),
    ];
    let other: &[Part] = &[
        Text("{v:"),
        Token(MARK),
        Text("a"),
        Token(SEP),
        Token(MARK),
        Text("}"),
    ];
    let cut: &[Part] = &[
        Text("{v:"),
        Token(MARK),
        Text("<|\""),
        Token(MARK),
        Text("}"),
    ];
    check(
        Style::Gemma4,
        false,
        TOOL,
        &[
            ('+', written),
            ('+', cut),
            ('-', in_bytes),
            ('-', mixed),
            ('-', inside),
            ('-', other),
        ],
    );
    check(
        Style::Gemma4,
        true,
        TOOL,
        &[
            ('+', written),
            ('+', in_bytes),
            ('+', mixed),
            ('-', inside),
            ('-', other),
        ],
    );
}

#[test]
fn tags_that_are_tokens() {
    let before = [
        Token(OPEN),
        Text("argument key=\"v\" type=\"string\""),
        Token(SEP),
    ];
    let after = [Token(CLOSE), Text("argument"), Token(SEP)];
    let whole = |text: &[Part]| [&before[..], text, &after[..]].concat();
    let spelled_text = "<|open|>argument key=\"v\" type=\"string\"<|sep|>x<|close|>argument<|sep|>";
    check(
        Style::KimiK3Xml,
        false,
        TOOL,
        &[
            ('+', &whole(&[Text("x")])),
            ('+', &whole(&[])),
            // The names of single tokens are no end.
            ('+', &whole(&[Text("<|close|>argument")])),
            ('-', &whole(&[Text("<|close|>argument<|sep|>")])),
            ('-', &whole(&[Token(CLOSE)])),
            ('-', &[Text(spelled_text)]),
        ],
    );
    check(
        Style::KimiK3Xml,
        true,
        TOOL,
        &[('+', &whole(&[Text("x")])), ('+', &[Text(spelled_text)])],
    );
    // Two tags are added tokens, the others have no token.
    let of = |text: &[Part]| {
        let begin = [Text("<arg_key>v</arg_key>"), Token(VALUE)];
        [&begin[..], text, &[Token(VALUE_END)]].concat()
    };
    check(
        Style::GlmXml,
        false,
        TOOL,
        &[
            ('+', &of(&[Text("x")])),
            // A token that the grammar names is no text.
            ('-', &of(&[Token(VALUE)])),
            ('+', &of(&[Text("<arg_value>")])),
            ('-', &of(&[Text("</arg_value>")])),
            ('-', &[Text("<arg_key>v</arg_key><arg_value>x</arg_value>")]),
        ],
    );
}

/// Texts of JSON hold no tags, and name no tokens.
#[test]
fn json_does_not_ask_for_tokens() {
    let quote = r#"{"type": "object", "properties": {"v": {"const": "<|sep|>"}}, "required": ["v"], "additionalProperties": false}"#;
    check(
        Style::Json,
        false,
        quote,
        &[('+', &[Text("{\"v\":\"<|sep|>\"}")]), ('-', &[Token(SEP)])],
    );
}
