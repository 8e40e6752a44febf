//! Large grammars: what is large but simple compiles, and what passes a limit is refused by its
//! name.

use maskwright_compiler::limits::{Limits, Tuning};
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_compiler::{Compiled, Compiler, GrammarText, Options};
use maskwright_tests::harness::{compile, parse};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Each byte as a token, and an end token.
fn bytes() -> Vocabulary {
    let tokens = (0..=255u8).map(|byte| vec![byte]).chain([vec![]]).collect();
    Vocabulary::from_tokens(tokens, vec![256])
}

fn compiled(ebnf: &str, options: Options) -> Result<Compiled, String> {
    let start = Instant::now();
    let grammar = parse("large", ebnf).unwrap();
    println!("read in {:?}", start.elapsed());
    let options = options.threads(1);
    let start = Instant::now();
    let compiled = compile(&grammar, &bytes(), &options);
    println!("compiled in {:?}", start.elapsed());
    if let Ok(compiled) = &compiled {
        println!("{:?}", compiled.report().stages);
    }
    compiled.map_err(|error| error.message().to_owned())
}

fn within(limits: Limits) -> Options {
    Options::default().limits(limits)
}

/// Rules `r0 … r(count)`, each made from the number of the next one.
fn chain(count: usize, rule: impl Fn(usize) -> String, last: &str) -> String {
    let mut text = "root ::= r0\n".to_owned();
    for i in 0..count {
        writeln!(text, "r{i} ::= {}", rule(i + 1)).unwrap();
    }
    writeln!(text, "r{count} ::= {last}").unwrap();
    text
}

const LONG: usize = 100_000;

#[test]
fn a_long_chain_of_references() {
    let text = chain(LONG, |next| format!("r{next}"), "\"x\"");
    assert!(compiled(&text, Options::default()).unwrap().report().states < 5);
}

#[test]
fn a_long_chain_of_tails() {
    let text = chain(LONG / 4, |next| format!("[a-c] r{next}"), "\"x\"");
    let states = compiled(&text, Options::default()).unwrap().report().states;
    assert!((LONG / 4..LONG / 4 + 5).contains(&states), "{states}");
}

/// One cycle through all rules, each of which can also end.
#[test]
fn a_long_cycle() {
    let text = chain(LONG, |next| format!("\"a\" r{next}? \"b\""), "r0");
    let limits = Limits::default().time(Duration::from_secs(2));
    // Any limit will do: that it ends is the point.
    if let Err(message) = compiled(&text, within(limits)) {
        println!("{message}");
    }
}

/// Options under which repetitions are written out.
fn written_out() -> Options {
    let tuning = Tuning::default().block(1);
    Options::default().tuning(tuning)
}

#[test]
fn many_repetitions() {
    let text = "root ::= \"ab\"{2,49000}";
    let counted = compiled(text, Options::default()).unwrap();
    assert!(counted.report().states < 1_000);
    let copied = compiled(text, written_out()).unwrap();
    assert!(copied.report().states > 90_000);
}

#[test]
fn the_number_of_states_is_bounded() {
    let limits = Limits::default().states(1_000);
    let options = written_out().limits(limits);
    let message = compiled("root ::= \"ab\"{2,49000}", options).unwrap_err();
    assert!(message.contains("`states` = 1000"), "{message}");
}

/// Few states, but what an edge does depends on ever more frames.
#[test]
fn the_number_of_branches_is_bounded() {
    let text = "root ::= e\ne ::= e \"+\" e | \"(\" e \")\" | [ab] | n e{0,20} \"c\"\nn ::= \"b\"?";
    let limits = Limits::default().branches(5_000);
    let together = Tuning::default().together(u64::MAX);
    let options = within(limits.clone()).tuning(together);
    let message = compiled(text, options).unwrap_err();
    assert!(message.contains("`branches` = 5000"), "{message}");
    // Apart, its readings need fewer.
    compiled(text, within(limits)).unwrap();
}

/// The error of a limit points at the rule that takes most of it.
#[test]
fn limits_have_a_place() {
    let few = Limits::default();
    let counted = "root ::= \"<\" long \">\"\nlong ::= [ab]* \"a\" [ab]{12}";
    let branches =
        "root ::= e \"!\"\ne ::= e \"+\" e | \"(\" e \")\" | [ab] | n e{0,20} \"c\"\nn ::= \"b\"?";
    let lark =
        "start: \"<\" long \">\"\nlong: \"(\" long \")\" | \"a\" \"b\" \"c\" \"d\" \"e\" \"f\"";
    let schema = r##"{"properties": {"a": {"type": "integer"}, "b": {"$ref": "#/$defs/tree"}},
        "$defs": {"tree": {"type": "object", "required": ["key"], "properties": {
            "key": {"type": "string", "pattern": "^[a-f]{3,90}$"},
            "left": {"$ref": "#/$defs/tree"}}}}}"##;
    let cases = [
        (
            GrammarText::ebnf(counted),
            few.clone().automaton_states(100),
            "long",
        ),
        (
            GrammarText::ebnf(branches),
            few.clone().branches(5_000),
            "e",
        ),
        (GrammarText::lark(lark), few.clone().states(9), "long"),
        (
            GrammarText::schema(schema),
            few.clone().states(300),
            "\"tree\"",
        ),
        // What the automaton as a whole takes is shown where most of its states are.
        (GrammarText::ebnf(counted), few.table_bytes(2_000), "root"),
    ];
    for (text, limits, place) in cases {
        let options = within(limits).tuning(Tuning::default().together(u64::MAX));
        let compiler = Compiler::new(&bytes()).unwrap().with_options(options);
        let Err(error) = compiler.compile_text(&text) else {
            panic!("{text:?} compiles");
        };
        assert_eq!(error.code(), "limit-exceeded", "{error}");
        let labels = error.diagnostics()[0].labels();
        let (source, span) = error.sources().unwrap().locate(labels[0].span).unwrap();
        assert!(source.text()[span.start..].starts_with(place), "{error}");
    }
}

#[test]
fn time_is_bounded() {
    for millis in [10, 100, 400] {
        let limits = Limits::default().time(Duration::from_millis(millis));
        let options = written_out().limits(limits);
        if let Err(message) = compiled("root ::= \"ab\"{2,49000} [a-c]{0,3}", options) {
            assert!(message.contains("limit `time`"), "{message}");
        }
    }
}

#[test]
fn vocabularies_are_checked() {
    let grammar = parse("small", "root ::= \"a\"").unwrap();
    let compiled = |tokens: Vec<Vec<u8>>, eos| {
        let vocabulary = Vocabulary::from_tokens(tokens, eos);
        compile(&grammar, &vocabulary, &Options::default()).map(|_| ())
    };
    assert_eq!(compiled(vec![b"a".to_vec(), vec![]], vec![1]), Ok(()));
    let error = compiled(vec![b"a".to_vec()], vec![7]).unwrap_err();
    assert_eq!(error.code(), "vocabulary");
    assert!(error.message().contains("end token 7"), "{error}");
    let error = compiled(vec![vec![b'a'; (1 << 15) + 1]], vec![]).unwrap_err();
    assert!(
        error.message().contains("token 0 stands for 32769 bytes"),
        "{error}"
    );
}

/// The error of reading a text, or its warnings.
fn read(text: &GrammarText) -> Result<Vec<String>, String> {
    let parsed = text.parse(&Limits::default());
    let parsed = parsed.map_err(|error| error.to_string())?;
    let messages = parsed.warnings.iter().map(|warning| warning.message());
    Ok(messages.map(str::to_owned).collect())
}

/// What takes a product of two lengths of a text in memory or in time is bounded by itself.
#[test]
fn products_of_two_lengths_are_bounded() {
    let name = "n".repeat(50_000);
    let alternatives = ["\"ab\""; 2_000].join(" | ");
    let text = format!("root ::= {name}\n{name} ::= {alternatives}");
    let warnings = read(&GrammarText::ebnf(text)).unwrap();
    assert!((1..=101).contains(&warnings.len()), "{}", warnings.len());
    assert!(warnings.iter().all(|message| message.len() < 5_000));

    let long = "b".repeat(3_000);
    let references = ["{\"$ref\": \"i\"}"; 1_000].join(",");
    let text = format!("{{\"$id\": \"http://x/{long}/\", \"anyOf\": [{references}]}}");
    let error = read(&GrammarText::schema(text)).unwrap_err();
    assert!(
        error.contains("the URI of a schema has more than 2048 bytes"),
        "{error}"
    );

    let names: Vec<String> = (0..2_000).map(|i| format!("\"p{i}\"")).collect();
    let text = format!(
        "{{\"type\": \"object\", \"not\": {{\"required\": [{}]}}}}",
        names.join(",")
    );
    let error = read(&GrammarText::schema(text)).unwrap_err();
    assert!(error.contains("more than 1000 cases"), "{error}");

    let classes = r"\pL".repeat(20_000);
    let error = read(&GrammarText::regex(format!("[{classes}]"))).unwrap_err();
    assert!(error.contains("`classes` = 10000"), "{error}");
    let text = format!(
        "{{\"pattern\": {:?}}}",
        format!("^[{}]", r"\p{L}".repeat(20_000))
    );
    let error = read(&GrammarText::schema(text)).unwrap_err();
    assert!(error.contains("more than 10000 classes"), "{error}");
}

/// A message shows the beginning of a name, however long that is.
#[test]
fn messages_are_short() {
    let long = "n".repeat(400_000);
    let text = GrammarText::ebnf(format!("root ::= {long}"));
    let error = text.parse(&Limits::default()).unwrap_err();
    assert!(error.message().len() < 5_000, "{}", error.message().len());
}
