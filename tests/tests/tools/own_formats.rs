//! Formats of one's own: those that could not be read back are refused, with the place.

use crate::parts::parts;
use crate::render::Found;
use crate::{read, takes};
use maskwright_compiler::error::Diagnostic;
use maskwright_compiler::limits::Limits;
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::GrammarText;
use maskwright_compiler::syntax::tools::{FormatSource, ToolChoice, ToolFormat, ToolOptions};
use maskwright_compiler::vocabulary::{TokenNames, Vocabulary};
use serde_json::json;
use std::sync::Arc;

fn format_error(text: &str) -> (&'static str, String) {
    let source = Source::new("my.json", text);
    let error = ToolFormat::parse(&source, &Limits::default()).unwrap_err();
    let span = error.diagnostics()[0].span().unwrap();
    (error.code().as_str(), text[span.start..span.end].to_owned())
}

#[test]
fn formats_of_ones_own_are_judged() {
    let cases = [
        ("[]", "[]"),
        (r#"{"about": "x"}"#, "{"),
        (
            r#"{"call": "<c>{{name}}{{arguments}}", "seperator": ""}"#,
            r#""seperator""#,
        ),
        (r#"{"call": "<c>{{arguments}}"}"#, r#""<c>{{arguments}}""#),
        (
            r#"{"call": "<c>{{arguments}} {{name}}"}"#,
            r#""<c>{{arguments}} {{name}}""#,
        ),
        (
            r#"{"call": "{{name}}: {{arguments}}"}"#,
            r#""{{name}}: {{arguments}}""#,
        ),
        (
            r#"{"call": "<c>{{name}}{{id}}: {{arguments}}"}"#,
            r#""<c>{{name}}{{id}}: {{arguments}}""#,
        ),
        (
            r#"{"call": "<c>{{nme}}: {{arguments}}"}"#,
            r#""<c>{{nme}}: {{arguments}}""#,
        ),
        (
            r#"{"call": "<c>{{name: {{arguments}}"}"#,
            r#""<c>{{name: {{arguments}}""#,
        ),
        (
            r#"{"call": "<c>{{name}}: {{arguments}}", "arguments": "qwen"}"#,
            r#""qwen""#,
        ),
        (
            r#"{"call": "<c>{{name}}: {{arguments}}", "layout": "free"}"#,
            r#""free""#,
        ),
        (
            r#"{"call": "<c>{{name}}: {{arguments}}", "trigger": "<d>"}"#,
            r#""<d>""#,
        ),
        (
            r#"{"call": "<c>{{name}}: {{arguments}}", "end": "x"}"#,
            r#""x""#,
        ),
        (
            r#"{"call": "<c>{{name}}: {{arguments}}", "layout": "messages"}"#,
            r#""messages""#,
        ),
        (
            r#"{"call": "<c>{{name}}: {{arguments}}", "reasoning": {"begin": "<t>"}}"#,
            "{",
        ),
        (
            r#"{"call": "<c>{{name}}, {{id}}: {{arguments}}", "id": "("}"#,
            r#""(""#,
        ),
        (
            r#"{"call": "<c>{{name}}: {{arguments}}", "id": "(", "about": "No call has an identifier."}"#,
            r#""(""#,
        ),
        (
            r#"{"call": "<c>{{name}}, {{id}}: {{arguments}}", "id": ".*"}"#,
            r#"".*""#,
        ),
        (
            r#"{"call": "<c>{{name}}, {{id}}: {{arguments}}", "id": ""}"#,
            r#""""#,
        ),
        (
            r#"{"call": "<c>{{name}}, {{id}}: {{arguments}}", "id": "[a-z]*"}"#,
            r#""[a-z]*""#,
        ),
        (
            r#"{"call": "<c>{{name}}, {{id}}: {{arguments}}", "id": "[a-z:]+"}"#,
            r#""[a-z:]+""#,
        ),
        (
            r#"{"call": "<c>{{name}}, {{id}}é{{arguments}}", "id": "[^a-z0-9 ]"}"#,
            r#""[^a-z0-9 ]""#,
        ),
        (
            r#"{"call": "<c>{{name}}: {{arguments}}</c>", "layout": "messages",
                "text": {"begin": "<c>", "end": "</t>"}}"#,
            r#""<c>""#,
        ),
        (
            r#"{"call": "<c>{{id}} {{name}}: {{arguments}}</c>", "layout": "messages",
                "text": {"begin": "<c>text:", "end": "</t>"}}"#,
            r#""<c>text:""#,
        ),
        (
            r#"{"call": "<c>{{name}}: {{arguments}}</c>", "layout": "messages",
                "text": {"begin": "<", "end": "</t>"}}"#,
            r#""<""#,
        ),
        (
            r#"{"call": "{{name}}: {{arguments}}", "layout": "messages",
                "text": {"begin": "<t>", "end": "</t>"},
                "section": {"begin": "<t>", "end": "</c>"}}"#,
            r#""<t>""#,
        ),
        (
            r#"{"call": "{{id}} {{name}}: {{arguments}}", "layout": "messages",
                "text": {"begin": "<t>", "end": "</t>"}}"#,
            r#""{{id}} {{name}}: {{arguments}}""#,
        ),
        (
            r#"{"call": "<c>{{name}}: {{arguments}}</c>", "layout": "messages",
                "text": {"begin": "<t>"}}"#,
            r#""messages""#,
        ),
        (
            r#"{"call": "<c>{{name}}: {{arguments}}</c>", "layout": "blocks",
                "separator": ";", "section": {"begin": "<s>", "end": "</s>"},
                "text": {"begin": "<t>"}}"#,
            r#""blocks""#,
        ),
        (
            r#"{"call": "<c>{{name}}: {{arguments}}</c>", "layout": "messages",
                "text": [{"begin": "<t>", "end": "</t>"}, {"begin": "<t>!", "end": "!"}]}"#,
            r#""<t>!""#,
        ),
        (
            r#"{"call": "<c>{{name}}: {{arguments}}</c>", "layout": "messages",
                "text": {"begin": "<t>", "end": "</t>"},
                "reasoning": {"begin": "<t>", "end": "</t>"}}"#,
            r#""<t>""#,
        ),
        (
            r#"{"call": "<c>{{name}}: {{arguments}}<a>",
                "arguments": {"open": "<a>", "key_end": "=", "end": ";"}}"#,
            r#""<c>{{name}}: {{arguments}}<a>""#,
        ),
        (
            r#"{"call": "<c>{{name}}: {{arguments}}<",
                "arguments": {"open": "<a>", "key_end": "=", "end": ";"}}"#,
            r#""<c>{{name}}: {{arguments}}<""#,
        ),
    ];
    for (text, place) in cases {
        assert_eq!(
            format_error(text),
            ("format-malformed", place.to_owned()),
            "{text}"
        );
    }
}

/// An identifier may have the first characters of its end, if the end as a whole begins nowhere
/// within it.
#[test]
fn identifiers_are_told_from_their_ends() {
    let format = |id: &str, end: &str| {
        let call = format!("<c>{{{{name}}}} {{{{id}}}}{end} {{{{arguments}}}}");
        let text = json!({"call": call, "id": id}).to_string();
        ToolFormat::parse(&Source::new("my.json", text), &Limits::default())
    };
    for (id, end, is_told) in [
        ("[a-z-]+", "-->", true),
        ("[a-z-]+", "--", false),
        ("[a-z-]+", "-a", false),
        ("[a-z-]+", "-:-", true),
        ("[a-z]+", ":a:", true),
        ("[0-9]{1,3}", "00", false),
    ] {
        assert_eq!(format(id, end).is_ok(), is_told, "{id} {end}");
    }
}

/// A name that the vocabulary lacks stops nothing. The built-in formats name the tokens of several
/// models.
#[test]
fn stop_tokens_that_the_vocabulary_lacks_are_warned_of() {
    let text = r#"{"call": "CALL {{name}} {{arguments}}", "stop": ["<end>", "<ned>", "<turn>"]}"#;
    let vocabulary = Vocabulary::from_tokens(vec![b"a".to_vec(), Vec::new()], vec![1]);
    let vocabulary = Arc::new(vocabulary.with_special([(1, "<end>".to_owned())]));
    let warnings = |format: FormatSource, vocabulary: Option<&Arc<Vocabulary>>| {
        let mut options = ToolOptions::default();
        options.format = Some(format);
        let tools = GrammarText::tools(r#"[{"name": "f"}]"#).tool_options(options);
        let tools = match vocabulary {
            Some(vocabulary) => tools.tokens(TokenNames::of(vocabulary.clone())),
            None => tools,
        };
        let parsed = tools.parse(&Limits::default()).unwrap();
        let warnings = parsed.warnings.iter();
        let warnings = warnings.filter(|warning| warning.code() == "unknown-token");
        let render = |warning: &Diagnostic| warning.render(Some(&parsed.sources), false);
        warnings.map(render).collect::<Vec<String>>()
    };
    let own = || FormatSource::Text(Source::new("my.json", text));
    let found = warnings(own(), Some(&vocabulary));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].contains("my.json:1:59"), "{}", found[0]);
    assert!(found[0].contains("did you mean `<end>`?"), "{}", found[0]);
    assert!(found[1].contains("`<turn>`"), "{}", found[1]);
    assert!(warnings(own(), None).is_empty());
    let named = FormatSource::Named("qwen_3".to_owned());
    assert!(warnings(named, Some(&vocabulary)).is_empty());
}

#[test]
fn a_format_of_ones_own_is_taken() {
    let text = r#"{"call": "CALL {{name}} WITH {{arguments}}.\n", "trigger": "CALL "}"#;
    let mut options = ToolOptions::default();
    options.format = Some(FormatSource::Text(Source::new("my.json", text)));
    let parsed = read(r#"[{"name": "f"}]"#, options).unwrap();
    assert!(takes(&parsed.grammar, "Now CALL f WITH {}.\nDone."));
    assert!(!takes(&parsed.grammar, "Now CALL f WITH 5.\n"));
    assert!(!takes(&parsed.grammar, "Now CALL g"));
}

fn own(text: &str) -> ToolOptions {
    let mut options = ToolOptions::default();
    options.format = Some(FormatSource::Text(Source::new("my.json", text)));
    options
}

/// Where a call begins as a text or reasoning does, the name that follows tells them apart: no tool
/// has the name that stands there in the others.
#[test]
fn calls_are_told_from_other_messages_by_the_tools_name() {
    let format = r#"{"call": "<c>{{name}}: {{arguments}}</c>", "layout": "messages",
        "text": [{"begin": "<c>text:", "end": "</t>"}, {"begin": "<c>sa", "end": "</t>"}],
        "reasoning": {"begin": "<c>self ", "end": "</t>"}}"#;
    for name in ["text", "self", "sa", "say"] {
        let tools = json!([{"name": name}]).to_string();
        let error = read(&tools, own(format)).unwrap_err();
        assert_eq!(error.code().as_str(), "tool-name", "{name}");
    }
    let tools = r#"[{"name": "texts"}, {"name": "tex"}, {"name": "selfish"}, {"name": "s"}]"#;
    let parsed = read(tools, own(format)).unwrap();
    let calls = parsed.calls.as_ref().unwrap();
    for (output, found) in [
        ("<c>texts: {}</c>", vec![called("texts")]),
        (
            "<c>self Hm.</t><c>selfish: {}</c>",
            vec![Found::Reasoning("Hm.".to_owned()), called("selfish")],
        ),
        (
            "<c>tex: {}</c><c>text:s: {}</c></t><c>s: {}</c>",
            vec![called("tex"), said("s: {}</c>"), called("s")],
        ),
        ("<c>say: {}</t>", vec![said("y: {}")]),
    ] {
        assert!(takes(&parsed.grammar, output), "{output}");
        let parts = calls.with_format(|format| parts(format, output));
        assert_eq!(parts, Ok(found), "{output}");
    }
    for output in ["<c>text: {}</c>", "<c>se: {}</c>", "<c>self Hm.</c>"] {
        assert!(!takes(&parsed.grammar, output), "{output}");
    }
}

/// A text that has no end goes on up to the first separator, or to the end of the output; a call
/// may begin with its tool's name.
#[test]
fn a_separator_ends_texts_and_begins_calls() {
    let format = r#"{"call": "{{name}} {{arguments}}", "layout": "messages", "separator": ">>",
        "text": {"begin": "all:"}}"#;
    let tools = r#"[{"name": "f"}, {"name": "all"}]"#;
    for (choice, parallel) in [
        (ToolChoice::Auto, true),
        (ToolChoice::Auto, false),
        (ToolChoice::Required, true),
        (ToolChoice::Required, false),
        (ToolChoice::Named("f".to_owned()), true),
        (ToolChoice::None, true),
    ] {
        let named = matches!(choice, ToolChoice::Named(_));
        let must = named || choice == ToolChoice::Required;
        let calls = choice != ToolChoice::None;
        let options = own(format).choice(Some(choice)).parallel(Some(parallel));
        let parsed = read(tools, options).unwrap();
        let reader = parsed.calls.as_ref().unwrap();
        let several = parallel && calls && !named;
        for (output, is_taken, found) in [
            ("all:a>b", !must, vec![said("a>b")]),
            ("all:", !must, vec![]),
            ("all:a>>all:b>", !must, vec![said("ab>")]),
            ("all {}", calls && !named, vec![called("all")]),
            ("f {}", calls, vec![called("f")]),
            ("all:a>>f {}", calls && !named, vec![said("a"), called("f")]),
            ("f {}>>f {}", several, vec![called("f"), called("f")]),
            ("f {}>>all:a", several, vec![called("f"), said("a")]),
            (
                "all:>>f {}>>all:a>>all {}",
                several,
                vec![called("f"), said("a"), called("all")],
            ),
        ] {
            assert_eq!(takes(&parsed.grammar, output), is_taken, "{output}");
            if is_taken {
                let parts = reader.with_format(|format| parts(format, output));
                assert_eq!(parts, Ok(found), "{output}");
            }
        }
        // The first separator ends a text, whatever follows it.
        for output in ["", "all:a>>", "all:a>>x", "all:a>>>f {}", "f {}>>", "a"] {
            assert!(!takes(&parsed.grammar, output), "{output}");
        }
    }
}

fn said(text: &str) -> Found {
    Found::Text(text.to_owned())
}

fn called(name: &str) -> Found {
    Found::Call(name.to_owned(), json!({}))
}
