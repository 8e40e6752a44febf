//! Delimiters that are added tokens: tokens with names that are text as well, where nothing says
//! that they are delimiters. A tool that has no strings names fewer of them than another; masks of
//! linked tools are those of the whole all the same.

use std::sync::Arc;

use maskwright::style::{Form, Kind, Quoting};
use maskwright_compiler::link::{LinkTarget, NoStore, NotLinked};

use super::formats::{TOLD_BY_NAME, guides};
use super::pair::Walked;
use super::*;
use crate::vocabulary::{Words, names, of_outputs};

/// Tools of which none has a string, a list or an object: their calls have few of a format's
/// delimiters.
const FEW: &str = r#"[
    {"name": "get", "parameters": {"type": "object", "properties": {}, "additionalProperties": false}},
    {"name": "now", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": false}}
]"#;

/// Tools of which one has all kinds of arguments.
const MANY: &str = r#"[
    {"name": "get", "parameters": {"type": "object", "properties": {
        "city": {"type": "string"}, "n": {"type": "number"}, "list": {"type": "array", "items": {"type": "string"}},
        "deep": {"type": "object", "properties": {"city": {"type": "string"}}, "additionalProperties": false}
    }, "required": ["city"], "additionalProperties": false}}
]"#;

/// The delimiters of a format and of its arguments that could be tokens.
fn delimiters(format: &ToolFormat) -> Vec<String> {
    let mut all = names(format.source().text());
    let own = format.form().map(|form| form.form());
    let form: Option<Form<'_>> = own.or(format.arguments().form().copied());
    if let Some(form) = form {
        let (before, behind) = form.closing.unwrap_or_default();
        let kinds = Kind::ALL.map(|kind| form.kind(kind));
        let texts = [form.open, form.key_end, form.kind_end, form.end];
        let more = [form.item.unwrap_or_default(), before, behind];
        let texts = texts.into_iter().chain(more).chain(kinds);
        all.extend(texts.filter(|text| text.len() > 3).map(String::from));
    }
    if let Some(notation) = format.arguments().notation() {
        let is_raw = notation.quoting == Quoting::Raw;
        all.extend(is_raw.then(|| notation.quote.to_owned()));
    }
    all.sort();
    all.dedup();
    all
}

/// Walks through outputs of these tools, linked and as a whole.
fn walk(name: &str, tools: &str, choice: ToolChoice, seed: u64) -> Result<Walked, NotLinked> {
    let mut random = Random::new(seed);
    let named = ToolFormat::named(name, &Default::default());
    let format = named.unwrap().unwrap();
    let names = delimiters(&format);
    let words: Words = of_outputs(&guides(&format), &names, 200, &mut random).with_added();
    assert_eq!(words.vocabulary.added().len(), names.len(), "{name}");
    let compiler = Compiler::new(&words.vocabulary).unwrap();
    let compiler = compiler.with_options(Options::default().threads(1));
    let target = Arc::new(LinkTarget::new(&compiler).unwrap());
    let options = ToolOptions::format(name).choice(Some(choice));
    let pair = Pair::new(tools, &options, &compiler, &words, &target, &NoStore)?;
    let mut guides = guides(&format);
    for tool in ["get", "now"] {
        let example = format.example_output();
        guides.push(example.replace("get_weather", tool));
    }
    // Every delimiter is tried as text.
    guides.extend(names);
    let mut sum = Walked::default();
    for _ in 0..4 {
        sum += pair.walk(&guides, &words, 60, &mut random);
    }
    Ok(sum)
}

#[test]
fn masks_are_those_of_the_whole_where_delimiters_are_added_tokens() {
    let (mut wrong, mut sum, mut whole) = (Vec::new(), Walked::default(), Vec::new());
    for (at, name) in ToolFormat::names().enumerate() {
        for (tools, choice) in [
            (FEW, ToolChoice::Auto),
            (FEW, ToolChoice::Required),
            (MANY, ToolChoice::Auto),
        ] {
            let of = format!("{name}, {choice:?}");
            let walked = std::panic::catch_unwind(|| walk(name, tools, choice, at as u64));
            match walked {
                Ok(Ok(walked)) => sum += walked,
                Ok(Err(NotLinked::NotAPart(why))) => whole.push(format!("{of}: {why}")),
                Ok(Err(other)) => wrong.push(format!("{of}: {other}")),
                Err(panic) => {
                    let why = panic.downcast_ref::<String>().cloned();
                    wrong.push(format!("{of}: {}", why.unwrap_or_default()));
                }
            }
        }
    }
    println!("{sum:?}; as a whole: {whole:#?}");
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    // Of each format, something is linked.
    for name in ToolFormat::names().filter(|name| !TOLD_BY_NAME.contains(name)) {
        let of = |text: &&String| text.starts_with(&format!("{name}, "));
        assert!(whole.iter().filter(of).count() < 3, "{name}: {whole:#?}");
    }
    assert!(sum.masks > 10_000 && sum.crossed > 300, "{sum:?}");
}
