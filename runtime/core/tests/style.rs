//! Arguments read back from a text.
#![cfg(feature = "alloc")]

use maskwright_core::style::{Arguments, Kind, Notation, ReadError, Style, to_json};

fn arguments(style: Style, text: &str) -> Arguments<'_> {
    Arguments::new(style.form().expect("the style has elements"), text)
}

fn json(style: Style, text: &str) -> Result<String, ReadError> {
    to_json(arguments(style, text), |argument| argument.likely_kind())
}

#[test]
fn every_style_is_read() {
    let cases = [
        (
            Style::QwenXml,
            "\n<parameter=a>\nx</b\n</parameter>\n<parameter=b> 3</parameter>",
            r#"{"a":"x</b","b":3}"#,
        ),
        (
            Style::MinimaxXml,
            "<parameter name=\"a\">\nx</parameter>\n<parameter name=\"b\">[1]</parameter>",
            r#"{"a":"\u000ax","b":[1]}"#,
        ),
        (
            Style::DeepseekXml,
            "<｜DSML｜parameter name=\"a\" string=\"true\">1</｜DSML｜parameter>\n<｜DSML｜parameter name=\"b\" string=\"false\">1</｜DSML｜parameter>",
            r#"{"a":"1","b":1}"#,
        ),
        (
            Style::DeepseekV41Xml,
            "<｜DSML｜ parameter name=\"a\" string=\"true\">\"</｜DSML｜ parameter>",
            r#"{"a":"\""}"#,
        ),
        (
            Style::GlmXml,
            "<arg_key>a</arg_key>\n<arg_value>-x</arg_value><arg_key>b</arg_key><arg_value>-1e3</arg_value>",
            r#"{"a":"-x","b":-1e3}"#,
        ),
        (
            Style::CohereXml,
            "<cofl:value name=\"a&amp;&quot;\" type=\"json\">1</cofl:value><cofl:value name=\"l\" type=\"dict\"><cofl:value name=\"m\" type=\"list\"><cofl:value type=\"raw\">a</cofl:value><cofl:value type=\"list\"></cofl:value></cofl:value></cofl:value>",
            r#"{"a&\"":1,"l":{"m":["a",[]]}}"#,
        ),
        (
            Style::KimiK3Xml,
            "<|open|>argument key=\"&amp;quot;\" type=\"integer\"<|sep|>4<|close|>argument<|sep|><|open|>argument key=\"b\" type=\"string\"<|sep|>4<|close|>argument<|sep|>",
            r#"{"&quot;":4,"b":"4"}"#,
        ),
        (
            Style::MinimaxM3Xml,
            "]<]minimax[>[<n>1]<]minimax[>[</n>]<]minimax[>[<left>]<]minimax[>[<n>2]]<]minimax[>[</n>]<]minimax[>[<t>]<]minimax[>[<item>a]<]minimax[>[</item>]<]minimax[>[</t>]<]minimax[>[</left>",
            r#"{"n":1,"left":{"n":"2]","t":["a"]}}"#,
        ),
    ];
    for (style, text, expected) in cases {
        assert_eq!(json(style, text).as_deref(), Ok(expected), "{style}");
        // Every text that stops early is an error, or has fewer arguments.
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
            let read = json(style, &text[..end]);
            assert!(
                read.is_err() || read.as_deref() != Ok(expected) || text[end..].trim().is_empty(),
                "{style}: {}",
                &text[..end]
            );
        }
    }
}

#[test]
fn a_schema_says_what_a_value_is() {
    let text = "<parameter=a>1</parameter><parameter=b>{}</parameter>";
    let strings = to_json(arguments(Style::QwenXml, text), |_| Kind::String);
    assert_eq!(strings.as_deref(), Ok(r#"{"a":"1","b":"{}"}"#));
    let mut all = arguments(
        Style::KimiK3Xml,
        "<|open|>argument key=\"a\" type=\"number\"<|sep|>1<|close|>argument<|sep|>",
    );
    let only = all.next().expect("there is one").expect("it is whole");
    assert!(only.is_key("a") && only.may_be(Kind::Number) && !only.may_be(Kind::String));
    assert_eq!(
        (only.word(), only.at(), only.elements().is_some()),
        ("number", 45, false)
    );
}

#[test]
fn errors_have_a_place() {
    let at = |style, text| {
        arguments(style, text)
            .find_map(Result::err)
            .map(|error| error.at)
    };
    assert_eq!(
        at(Style::QwenXml, "<parameter=a>1</parameter> and more"),
        Some(27)
    );
    assert_eq!(
        at(
            Style::KimiK3Xml,
            "<|open|>argument key=\"a\" type=\"text\"<|sep|>1<|close|>argument<|sep|>"
        ),
        Some(0)
    );
    assert_eq!(
        at(Style::MinimaxM3Xml, "]<]minimax[>[<a>1]<]minimax[>[</b>"),
        Some(0)
    );
    assert_eq!(at(Style::QwenXml, " \n"), None);
    let deep = "]<]minimax[>[<a>".repeat(200) + &"]<]minimax[>[</a>".repeat(200);
    assert!(json(Style::MinimaxM3Xml, &deep).is_err());
}

#[test]
fn every_notation_is_read() {
    let (json, python) = (&Notation::JSON, &Notation::PYTHON);
    let (gemma, function_gemma) = (&Notation::GEMMA_4, &Notation::FUNCTION_GEMMA);
    for (notation, text, expected) in [
        (
            json,
            " {\"a\\u00e9\": [1, -0.5e+3, null], \"b\": {}}\n",
            "{\"a\\u00e9\":[1,-0.5e+3,null],\"b\":{}}",
        ),
        (python, "", "{}"),
        (
            python,
            r#"city = "Os\"lo\n", on=True , o={"k": None, "l": [False, -1.5]}"#,
            r#"{"city":"Os\"lo\u000a","on":true,"o":{"k":null,"l":[false,-1.5]}}"#,
        ),
        // What models write that are not held to the grammar.
        (
            python,
            r#"a='it\'s "x"', b="\x41\u00e9\U0001F600\101\d\0""#,
            "{\"a\":\"it's \\\"x\\\"\",\"b\":\"Aé\u{1f600}A\\\\d\\u0000\"}",
        ),
        (
            gemma,
            r#"{a:<|"|>x"\<|"|>, b-c : [ <|"|><|"|> ],o:{k:null,t:true}}"#,
            r#"{"a":"x\"\\","b-c":[""],"o":{"k":null,"t":true}}"#,
        ),
        (
            function_gemma,
            "{a:<escape>}<escape>,n:-7}",
            r#"{"a":"}","n":-7}"#,
        ),
    ] {
        assert_eq!(notation.to_json(text).as_deref(), Ok(expected), "{text}");
        for end in (1..text.trim_end().len()).filter(|&end| text.is_char_boundary(end)) {
            let read = notation.to_json(&text[..end]);
            assert!(read.as_deref() != Ok(expected), "{}", &text[..end]);
        }
    }
}

#[test]
fn what_is_no_notation_has_a_place() {
    let (json, python, gemma) = (&Notation::JSON, &Notation::PYTHON, &Notation::GEMMA_4);
    for (notation, text, at) in [
        (json, "[1]", 0),
        (json, "", 0),
        (json, "{\"a\": 01}", 6),
        (json, "{\"a\": 1,}", 8),
        (json, "{\"a\": \"\n\"}", 6),
        (json, "{\"a\": \"\\x\"}", 6),
        (json, "{\"a\": \"\\u12g4\"}", 6),
        (json, "{} {}", 3),
        (json, "{a: 1}", 1),
        (python, "a=true", 2),
        (python, "a=1, b", 5),
        (python, "\"a\"=1", 0),
        (python, "a=\"\\ud83d\\ude00\"", 2),
        (python, "a=\"\\N{DIGIT ONE}\"", 2),
        (python, "a={b: 1}", 3),
        (python, "a=1)", 3),
        (gemma, "{a:<|\"|>x}", 3),
        (gemma, "{:1}", 1),
        (gemma, "{a:\"x\"}", 3),
    ] {
        let error = notation.to_json(text).expect_err(text);
        assert_eq!(error.at, at, "{text}");
    }
    let deep = |open: &str, close: &str, depth: usize| {
        let (open, close) = (open.repeat(depth), close.repeat(depth));
        format!("a={open}1{close}")
    };
    for (open, close) in [("[", "]"), ("{\"k\":", "}")] {
        assert!(python.to_json(&deep(open, close, 100)).is_ok());
        assert!(python.to_json(&deep(open, close, 200)).is_err());
        assert!(python.to_json(&deep(open, "", 200_000)).is_err());
    }
}
