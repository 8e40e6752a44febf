//! Random structural tags: the grammar takes the texts that the format takes, read slowly; and
//! masks are those of the grammar, token by token.
//!
//! `MASKWRIGHT_TAGS=n` checks n formats.

use maskwright::Matcher;
use maskwright_compiler::Compiler;
use maskwright_compiler::grammar::interpret;
use maskwright_compiler::syntax::structural_tag::TagOptions;
use maskwright_compiler::syntax::{GrammarText, Parsed};
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_tests::harness::{Built, Walk, Words, random_walk, unhurried};
use maskwright_tests::random::Random;
use maskwright_tests::{random_tag, tags};
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn count(default: usize) -> usize {
    let asked = std::env::var("MASKWRIGHT_TAGS").ok();
    asked
        .and_then(|asked| asked.parse().ok())
        .unwrap_or(default)
}

fn read(format: &Value) -> Result<Parsed, &'static str> {
    read_in_blocks(format, 0)
}

/// A format, whose characters are counted in blocks of so many; 0 for as many as suit.
fn read_in_blocks(format: &Value, block: u32) -> Result<Parsed, &'static str> {
    let text = json!({"type": "structural_tag", "format": format}).to_string();
    let mut options = TagOptions::default();
    options.block = block;
    let text = GrammarText::structural_tag(text).tag_options(options);
    let parsed = text.parse(&Default::default());
    parsed.map_err(|error| error.code().as_str())
}

#[test]
fn grammars_take_the_texts_of_random_formats() {
    let mut random = Random::new(20);
    let mut refused: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut taken, mut all) = (0, 0);
    for _ in 0..count(1500) {
        let format = random_tag::format(&mut random, 3);
        let grammar = match read(&format) {
            Ok(parsed) => parsed.grammar,
            Err(code) => {
                *refused.entry(code).or_default() += 1;
                continue;
            }
        };
        for text in random_tag::texts(&mut random, &format, 4, 40) {
            let expected = tags::accepts(&format, &text);
            let found = interpret::accepts(&grammar, &text);
            assert_eq!(found, expected, "{text:?} in\n{format}\nas\n{grammar}");
            taken += usize::from(expected);
            all += 1;
        }
    }
    println!("{taken} of {all} texts taken; refused: {refused:?}");
    // A test that sees sentences and others, and each refusal that random formats can bring about.
    assert!(taken * 20 > all && taken * 2 < all);
    for code in [
        "tag-excluded-trigger",
        "tag-shadowed",
        "tag-end-is-trigger",
        "tag-begin",
        "tag-without-end",
    ] {
        assert!(
            refused.contains_key(code),
            "no format was refused by {code}"
        );
    }
}

/// Text whose characters are counted, in one place of a format.
fn counted(random: &mut Random, most: usize) -> Value {
    let mut format = random_tag::counted(random, most);
    for _ in 0..random.below(3) {
        format = random_tag::around(random, format);
    }
    format
}

/// The grammar does not depend on the blocks, from texts of no character on; delimiters lie across
/// the ends of blocks.
#[test]
fn characters_are_counted_in_blocks_as_one_by_one() {
    let mut random = Random::new(22);
    let (mut taken, mut all, mut formats) = (0, 0, 0);
    for round in 0..count(1500) {
        let format = counted(&mut random, 9);
        let Ok(parsed) = read_in_blocks(&format, 1 + round as u32 % 4) else {
            continue;
        };
        formats += 1;
        for text in random_tag::texts(&mut random, &format, 4, 40) {
            let expected = tags::accepts(&format, &text);
            let found = interpret::accepts(&parsed.grammar, &text);
            let grammar = &parsed.grammar;
            assert_eq!(found, expected, "{text:?} in\n{format}\nas\n{grammar}");
            taken += usize::from(expected);
            all += 1;
        }
    }
    println!("{taken} of {all} texts of {formats} formats taken");
    assert!(taken * 20 > all && taken * 4 < all * 3);
}

/// Where a delimiter ends the text, counting in blocks takes no more stacks.
#[test]
fn masks_of_blocks_are_the_oracles() {
    let words = words();
    let mut random = Random::new(23);
    let build =
        |parsed: &Parsed| Built::new("tag", &parsed.grammar.to_string(), &words, &unhurried());
    let (mut compiled, mut refused) = ([0; 2], [0; 2]);
    for round in 0..count(100) {
        let is_ended = round % 2 == 0;
        let format = match is_ended {
            true => random_tag::ended(&mut random, 9),
            false => counted(&mut random, 9),
        };
        let Ok(parsed) = read_in_blocks(&format, 1 + round as u32 / 2 % 4) else {
            continue;
        };
        match build(&parsed) {
            Ok(built) => {
                compiled[usize::from(is_ended)] += 1;
                let grammar = built.grammar();
                for _ in 0..2 {
                    let mut walk = Walk::new(&built, &grammar);
                    if let Err(mismatch) = random_walk(&mut walk, 12, &mut random) {
                        panic!("{mismatch}\nin {format}");
                    }
                }
            }
            Err(error) => {
                refused[usize::from(is_ended)] += 1;
                let written_out = read(&format).map(|parsed| build(&parsed).is_ok());
                assert!(!is_ended || written_out == Ok(false), "{error}\n{format}");
            }
        }
    }
    println!("{compiled:?} compiled, {refused:?} refused");
    assert!(compiled[1] > 4 * refused[1] && compiled[0] > 5);
}

/// What is excluded from a JSON Schema stands in no string and no key, as they are written; an
/// escape is another way to say it.
#[test]
fn texts_are_excluded_from_strings_and_keys() {
    let of = |schema: Value| {
        let format =
            json!({"type": "json_schema", "json_schema": schema, "excludes": ["</t>", "NO"]});
        read(&format).unwrap().grammar
    };
    let any = of(json!({"type": "string"}));
    for (text, taken) in [
        (r#""</t""#, true),
        (r#""</t>""#, false),
        (r#""\u003c/t>""#, true),
        (r#""NOn""#, false),
        (r#""N\"O""#, true),
    ] {
        assert_eq!(interpret::accepts(&any, text), taken, "{text}");
    }
    let bounded = of(json!({"type": "string", "maxLength": 4}));
    for (text, taken) in [
        (r#""</t>""#, false),
        (r#""<</t""#, true),
        (r#""<</tt""#, false),
    ] {
        assert_eq!(interpret::accepts(&bounded, text), taken, "{text}");
    }
    // What must be said is said in the one way that is left.
    let constant = of(json!({"const": "a NO"}));
    assert!(!interpret::accepts(&constant, r#""a NO""#));
    assert!(interpret::accepts(&constant, r#""a \u004eO""#));
    let keys = of(json!({"type": "object", "additionalProperties": true}));
    assert!(interpret::accepts(&keys, r#"{"N": 1}"#));
    assert!(!interpret::accepts(&keys, r#"{"NO": 1}"#));
}

/// In other styles too: raw texts, keys and JSON within elements contain nothing that is excluded.
#[test]
fn texts_are_excluded_in_every_style() {
    let of = |style: &str, schema: Value| json!({"type": "json_schema", "json_schema": schema, "style": style, "excludes": ["</t>", "NO"]});
    let object = |properties: Value| {
        let required: Vec<&String> = properties.as_object().unwrap().keys().collect();
        json!({"type": "object", "properties": properties, "required": required})
    };
    let string = || object(json!({"a": {"type": "string"}}));
    let list = || object(json!({"a": {"type": "array", "items": {"type": "string"}}}));
    let xml = |value: &str| format!("<parameter=a>{value}</parameter>");
    for (style, schema, taken, refused) in [
        (
            "qwen_xml",
            string(),
            vec![xml("N</t"), xml("O")],
            vec![xml("aNO"), xml("</t>"), xml("NO")],
        ),
        (
            "qwen_xml",
            object(json!({"a": {"type": "string", "maxLength": 4}})),
            vec![xml("NNN"), xml("<</t")],
            vec![xml("NNO"), xml("</t>"), xml("NNNNN")],
        ),
        (
            "qwen_xml",
            list(),
            vec![xml(r#"["N"]"#), xml(r#"["N\u004f"]"#), xml(r#"["N", "O"]"#)],
            vec![xml(r#"["NO"]"#), xml(r#"["</t>"]"#)],
        ),
        (
            "qwen_xml",
            json!({"type": "object", "additionalProperties": {"type": "integer"}}),
            vec!["<parameter=N>1</parameter>".to_owned()],
            vec!["<parameter=NO>1</parameter>".to_owned()],
        ),
        (
            "pythonic",
            string(),
            vec![r#"a="N""#.to_owned()],
            vec![r#"a="NO""#.to_owned()],
        ),
        (
            "gemma_4",
            string(),
            vec![r#"{a:<|"|>N<|"|>}"#.to_owned()],
            vec![r#"{a:<|"|>NO<|"|>}"#.to_owned()],
        ),
    ] {
        let grammar = read(&of(style, schema)).unwrap().grammar;
        for text in taken {
            assert!(interpret::accepts(&grammar, &text), "{style}: {text}");
        }
        for text in refused {
            assert!(!interpret::accepts(&grammar, &text), "{style}: {text}");
        }
    }
    // What must be written and has no escape cannot be.
    for properties in [
        json!({"a": {"const": "a NO"}}),
        json!({"NO": {"type": "integer"}}),
    ] {
        let format = of("qwen_xml", object(properties));
        assert_eq!(read(&format).unwrap_err(), "schema-style");
    }
}

/// In a style of elements a value that is no object is written as in an element: a string is its
/// raw text, up to the first end of a tag around it.
#[test]
fn values_that_are_no_objects_in_a_style_of_elements() {
    let of = |schema: Value, end: Value| {
        let content = json!({"type": "json_schema", "json_schema": schema, "style": "qwen_xml"});
        json!({"begin": "<a>", "content": content, "end": end})
    };
    let string = || json!({"type": "string"});
    for (schema, end, taken, refused) in [
        (
            string(),
            json!("</a>"),
            vec!["<a></a>", "<a>\"x\" <</a>", "<a>5\n</a</a>"],
            vec!["<a>x", "x</a>", "<a></a></a>"],
        ),
        (
            json!({"type": "string", "minLength": 2, "maxLength": 3}),
            json!("</a>"),
            vec!["<a>xy</a>", "<a></a</a>"],
            vec!["<a>x</a>", "<a>wxyz</a>", "<a>\"xyz\"</a>"],
        ),
        (
            json!({"enum": ["kilo meter", "5", 7, true, null]}),
            json!("</a>"),
            vec!["<a>kilo meter</a>", "<a>5</a>", "<a>7</a>", "<a>null</a>"],
            vec!["<a>\"5\"</a>", "<a>6</a>", "<a>\"kilo meter\"</a>"],
        ),
        (
            json!({"type": "array", "items": {"type": "string"}}),
            json!(["</a>", "|"]),
            vec!["<a>[\"x\"]</a>", "<a>[]|"],
            vec!["<a>[x]</a>", "<a>[\"|\"]</a>", "<a>[\"</a>\"]|"],
        ),
        (
            json!({"type": "string", "pattern": "^[a-z|]*$"}),
            json!(["</a>", "|"]),
            vec!["<a>ab</a>", "<a>ab|"],
            vec!["<a>a|b</a>", "<a>a|b|", "<a>A|"],
        ),
    ] {
        let grammar = read(&of(schema.clone(), end)).unwrap().grammar;
        for (texts, expected) in [(taken, true), (refused, false)] {
            for text in texts {
                let is_taken = interpret::accepts(&grammar, text);
                assert_eq!(is_taken, expected, "{schema}: {text}");
            }
        }
    }
    // The end of a tag further out is no part of the text either.
    let inner = of(string(), json!("</a>"));
    let outer = read(&json!({"begin": "[", "content": inner, "end": "]"})).unwrap();
    assert!(interpret::accepts(&outer.grammar, "[<a>x</a>]"));
    assert!(!interpret::accepts(&outer.grammar, "[<a>]</a>]"));
    // Where a reader would cut the text earlier than it ends, and where it cannot be written.
    let objects = json!({"type": "object", "properties": {"a": string()}, "required": ["a"]});
    for (schema, end) in [
        (string(), json!("aba")),
        (string(), json!(["xab", "bc"])),
        (json!({"const": "a</a>"}), json!("</a>")),
    ] {
        let refused = read(&of(schema.clone(), end)).unwrap_err();
        assert_eq!(refused, "schema-style", "{schema}");
    }
    // Objects are elements, as ever.
    let grammar = read(&of(objects, json!("</a>"))).unwrap().grammar;
    assert!(interpret::accepts(
        &grammar,
        "<a><parameter=a>x</parameter></a>"
    ));
}

/// Long strings as such values are counted together with the end of their tag.
#[test]
fn long_strings_in_a_style_of_elements_are_counted() {
    let of = |schema: Value| {
        let content = json!({"type": "json_schema", "json_schema": schema, "style": "qwen_xml"});
        let inner = json!({"begin": "<a>", "content": content, "end": "</a>"});
        json!({"begin": "[", "content": inner, "end": "]"})
    };
    let most = 20_000;
    let x = |count: usize| "x".repeat(count);
    let in_tags = |text: &str| format!("[<a>{text}</a>]");
    let long = json!({"type": "string", "minLength": 500, "maxLength": most});
    let grammar = read(&of(long.clone())).unwrap().grammar;
    for (text, expected) in [
        (in_tags(&x(499)), false),
        (in_tags(&x(500)), true),
        (in_tags(&x(most)), true),
        (in_tags(&x(most + 1)), false),
        (in_tags(&format!("{}</a", x(most - 3))), true),
        (in_tags(&format!("{}</a", x(most - 2))), false),
        (in_tags(&format!("{}</a>{}", x(500), x(500))), false),
        (in_tags(&format!("{}]", x(500))), false),
        (format!("[<a>{}]", x(500)), false),
        (format!("[<a>{}</a></a>]", x(500)), false),
    ] {
        assert_eq!(
            interpret::accepts(&grammar, &text),
            expected,
            "{}",
            text.len()
        );
    }
    // Other values beside it have the end behind them.
    let some = json!({"anyOf": [{"type": "integer"}, {"type": "null"}, long]});
    let grammar = read(&of(some)).unwrap().grammar;
    for (text, expected) in [
        ("12".to_owned(), true),
        ("null".to_owned(), true),
        ("nul".to_owned(), false),
        (x(499), false),
        (x(most), true),
    ] {
        let text = in_tags(&text);
        assert_eq!(
            interpret::accepts(&grammar, &text),
            expected,
            "{}",
            text.len()
        );
    }
    // A tag behind it, and the same tag as one of several.
    let tag = of(json!({"type": "string", "maxLength": most}));
    let twice = json!({"type": "sequence", "elements": [tag, tag]});
    let grammar = read(&twice).unwrap().grammar;
    let once = in_tags(&x(most));
    assert!(interpret::accepts(
        &grammar,
        &[once.as_str(), &once].concat()
    ));
    assert!(!interpret::accepts(&grammar, &once));
    let tag = json!({"type": "tag", "begin": "[", "content": tag["content"], "end": ["]", ""]});
    let grammar = read(&tag).unwrap().grammar;
    assert!(interpret::accepts(&grammar, &once));
    assert!(interpret::accepts(&grammar, &once[..once.len() - 1]));
    assert!(!interpret::accepts(&grammar, &in_tags(&x(most + 1))));
}

/// A run of characters in a pattern that is the name of a token is that token, as in a constant.
#[test]
fn patterns_that_spell_tokens() {
    let names = [(256, "<|go|>"), (257, "<x>")];
    let tokens = (0..=255u8).map(|byte| vec![byte]).chain(vec![vec![]; 3]);
    let special = names.map(|(id, name)| (id, name.to_owned()));
    let vocabulary = Vocabulary::from_tokens(tokens.collect(), vec![258]).with_special(special);
    let compiler = Compiler::new(&vocabulary).unwrap();
    for (pattern, tokens, taken, refused) in [
        (
            "(?: to=)a<\\|go\\|>b?",
            vec![256],
            [" to=a", "b"],
            [" to=a<|go|>", ""],
        ),
        (
            "(ab|<x><\\|go\\|>c)+",
            vec![257, 256],
            ["ab", "cab"],
            ["ab", "b"],
        ),
    ] {
        let format =
            json!({"type": "structural_tag", "format": {"type": "regex", "pattern": pattern}});
        let text = GrammarText::structural_tag(format.to_string());
        let compiled = compiler.compile_text(&text).unwrap();
        let grammar = compiled.grammar().unwrap();
        let accepts = |[before, behind]: [&str; 2], tokens: &[u32]| {
            let mut matcher = Matcher::<16>::new(&grammar).unwrap();
            let mut tokens = tokens.iter();
            matcher.accept_bytes(before.as_bytes()).is_ok()
                && tokens.all(|&token| matcher.accept_token(token).is_ok())
                && matcher.accept_bytes(behind.as_bytes()).is_ok()
                && matcher.is_complete()
        };
        assert!(accepts(taken, &tokens), "{pattern}");
        assert!(!accepts(refused, &tokens), "{pattern}");
        assert!(!accepts(refused, &[]), "{pattern}");
    }
}

/// A grammar is in EBNF, whether or not it says so.
#[test]
fn the_syntax_of_a_grammar() {
    let of =
        |syntax: Value| json!({"type": "grammar", "grammar": "root ::= \"a\"", "syntax": syntax});
    assert!(interpret::accepts(
        &read(&of(json!("ebnf"))).unwrap().grammar,
        "a"
    ));
    for other in [json!("lark"), json!("gbnf"), json!(1)] {
        assert_eq!(read(&of(other)).unwrap_err(), "tag-malformed");
    }
}

/// A content of constants, patterns and grammars that can contain the end of its tag is warned of,
/// wherever in the content that is.
#[test]
fn contents_that_can_contain_the_end_of_their_tag() {
    let warned = |content: Value, end: &str| {
        let format = json!({"begin": "<", "content": content, "end": end});
        let parsed = read(&format).unwrap();
        let mut codes = parsed.warnings.iter().map(|warning| warning.code());
        codes.any(|code| code.as_str() == "tag-end-in-content")
    };
    let regex = |pattern: &str| json!({"type": "regex", "pattern": pattern});
    let constant = |value: &str| json!({"type": "const_string", "value": value});
    let sequence = |parts: Value| json!({"type": "sequence", "elements": parts});
    let grammar = |text: &str| json!({"type": "grammar", "grammar": text});
    for (content, end, expected) in [
        (regex("[^a]*"), ">", true),
        (regex("[^a>]*"), ">", false),
        (constant("a>b"), ">", true),
        (constant("ab"), ">", false),
        // Across two parts, and into the end.
        (sequence(json!([constant("a"), regex("b?")])), "ab", true),
        (
            sequence(json!([regex("[x-z]*"), constant("a")])),
            "aa",
            true,
        ),
        (
            sequence(json!([regex("[x-z]*"), constant("b")])),
            "aa",
            false,
        ),
        (
            json!({"type": "star", "content": constant("-")}),
            "--",
            true,
        ),
        (
            json!({"type": "or", "elements": [constant("a"), constant(">")]}),
            ">",
            true,
        ),
        (
            grammar("root ::= [^a]* part\npart ::= \"b\" | \"c\""),
            ">",
            true,
        ),
        (
            grammar("root ::= [^>]* part\npart ::= \"b\" | \"c\""),
            ">",
            false,
        ),
        (
            json!({"begin": "[", "content": regex(".*"), "end": "]"}),
            ">",
            true,
        ),
    ] {
        assert_eq!(warned(content.clone(), end), expected, "{content} {end}");
    }
}

/// Tokens that cross one and two boundaries between text, delimiters and contents.
fn words() -> Words {
    let mut tokens: Vec<Vec<u8>> = [
        "a", "b", "é", "aa", "ab", "ba", "bb", "aé", "éb", "aab", "bab", "abba", "ababab", "ébaéa",
        "x",
    ]
    .iter()
    .map(|token| token.as_bytes().to_vec())
    .collect();
    tokens.extend((0..=u8::MAX).map(|byte| vec![byte]));
    tokens.sort();
    tokens.dedup();
    tokens.push(Vec::new());
    let eos = tokens.len() as u32 - 1;
    Words::all(Vocabulary::from_tokens(tokens, vec![eos]))
}

#[test]
fn masks_of_random_formats_are_the_oracles() {
    let words = words();
    let mut random = Random::new(21);
    let (mut compiled, mut refused) = (0, 0);
    for _ in 0..count(150) {
        let format = random_tag::format(&mut random, 2);
        let Ok(parsed) = read(&format) else { continue };
        let text = parsed.grammar.to_string();
        match Built::new("tag", &text, &words, &unhurried()) {
            Ok(built) => {
                compiled += 1;
                let grammar = built.grammar();
                for _ in 0..2 {
                    if let Err(mismatch) =
                        random_walk(&mut Walk::new(&built, &grammar), 12, &mut random)
                    {
                        panic!("{mismatch}\nin {format}");
                    }
                }
            }
            Err(_) => refused += 1,
        }
    }
    println!("{compiled} compiled, {refused} refused");
    assert!(compiled > 10 * refused);
}
