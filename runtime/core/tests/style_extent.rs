//! Where arguments end in a text that goes on, or that is cut off.

use maskwright_core::style::{Form, Style};

/// What stands behind the arguments of a call in each style.
fn behind(style: Style) -> &'static str {
    match style {
        Style::Json => "}\n</tool_call>",
        Style::Pythonic | Style::PythonicJson => "), g(a=1)]",
        Style::Gemma4 => "<tool_call|>",
        Style::FunctionGemma => "<end_function_call>",
        Style::QwenXml => "\n</function>\n</tool_call>",
        Style::MinimaxXml => "</invoke>",
        Style::DeepseekXml => "\n</｜DSML｜invoke>",
        Style::DeepseekV41Xml => "\n</｜DSML｜ invoke>",
        Style::GlmXml => "</tool_call>",
        Style::CohereXml => "</cofl:tool_call>",
        Style::KimiK3Xml => "<|close|>call<|sep|>",
        Style::MinimaxM3Xml => "]<]minimax[>[</invoke>",
    }
}

fn arguments(style: Style) -> &'static [&'static str] {
    match style {
        Style::Json => &[
            r#"{"a": "}\"", "b": [{}, "]"], "c": 1}"#,
            " {}",
            r#"{"a\\": "\\"}"#,
        ],
        Style::Pythonic => &[
            r#"a=")\"", b=[{"k": (1)}, ']'], c=1"#,
            "",
            r#"a="\\", b='\')'"#,
        ],
        Style::PythonicJson => &[
            r#"a=")\"'", b=[{"k": (1)}, "]"], c=true"#,
            "",
            r#"from="\\", b=null"#,
        ],
        Style::Gemma4 => &[
            "{a:<|\"|>}\"]<|\"|>,b:[{k:<|\"|><|\"|>}],c(:1}",
            "{}",
            "{a:[<|\"|>\\<|\"|>]}",
        ],
        Style::FunctionGemma => &["{a:<escape>}<escap<escape>,b:{c:[]}}", "{}"],
        Style::QwenXml => &[
            "<parameter=a>\nx</parameter\n</parameter>\n<parameter=b>3</parameter>",
            "",
        ],
        Style::MinimaxXml => &["\n<parameter name=\"a\">x</parameter>"],
        Style::DeepseekXml => {
            &["<｜DSML｜parameter name=\"a\" string=\"true\">1</｜DSML｜parameter>"]
        }
        Style::DeepseekV41Xml => {
            &["<｜DSML｜ parameter name=\"a\" string=\"true\">1</｜DSML｜ parameter>"]
        }
        Style::GlmXml => &["<arg_key>a</arg_key>\n<arg_value>x</arg_value>", ""],
        Style::CohereXml => &[
            "<cofl:value name=\"l\" type=\"dict\"><cofl:value name=\"m\" type=\"list\"><cofl:value type=\"raw\">a</cofl:value></cofl:value></cofl:value>",
        ],
        Style::KimiK3Xml => {
            &["<|open|>argument key=\"a\" type=\"string\"<|sep|><|close|>x<|close|>argument<|sep|>"]
        }
        Style::MinimaxM3Xml => &[
            "]<]minimax[>[<n>1]<]minimax[>[</n>]<]minimax[>[<l>]<]minimax[>[<n>2]]<]minimax[>[</n>]<]minimax[>[</l>",
            "",
        ],
    }
}

#[test]
fn arguments_end_where_something_else_stands() {
    for style in Style::ALL {
        for arguments in arguments(style) {
            let text = format!("{arguments}{}", behind(style));
            let found = style.extent(&text);
            assert_eq!(found, Some(arguments.len()), "{style}: {text}");
            // The answer does not change with what follows, and is none before it is known.
            let mut is_known = false;
            for end in (0..=text.len()).filter(|&end| text.is_char_boundary(end)) {
                let at = style.extent(&text[..end]);
                assert!(
                    at == found || at.is_none() && !is_known,
                    "{style}: {}",
                    &text[..end]
                );
                is_known = at.is_some();
                assert!(!is_known || end >= arguments.len(), "{style}");
            }
        }
    }
}

#[test]
fn what_is_no_argument_takes_no_bytes() {
    assert_eq!(Style::Json.extent("3}"), Some(0));
    assert_eq!(Style::Gemma4.extent("<tool_call|>"), Some(0));
    assert_eq!(Style::QwenXml.extent("<parameter=>x</parameter>"), Some(0));
    let kimi = "<|open|>argument key=\"a\" type=\"text\"<|sep|>1<|close|>argument<|sep|>";
    assert_eq!(Style::KimiK3Xml.extent(kimi), Some(0));
    assert_eq!(Style::Pythonic.extent("a=1]"), Some(3));
    assert_eq!(Style::Pythonic.extent("]"), Some(0));
}

#[test]
fn a_form_of_ones_own_has_an_extent() {
    let name = String::from("<param name=\"");
    let form = Form {
        open: &name,
        key_end: "\">",
        end: "</param>",
        forbidden: &['"'],
        ..Form::PLAIN
    };
    let text = "<param name=\"a\">x</param></function>";
    assert_eq!(form.extent(text), Some(25));
    assert_eq!(form.extent(&text[..26]), None);
}

/// Deep and long texts take time in proportion to their length, and no stack.
#[test]
fn deep_texts_are_looked_at_once() {
    let deep = 200_000;
    let json = format!("{}{}x", "[".repeat(deep), "]".repeat(deep));
    assert_eq!(Style::Json.extent(&json), Some(2 * deep));
    let open = "<cofl:value name=\"a\" type=\"dict\">";
    let nested = format!("{}{}x", open.repeat(deep), "</cofl:value>".repeat(deep));
    assert_eq!(Style::CohereXml.extent(&nested), Some(nested.len() - 1));
    assert_eq!(Style::CohereXml.extent(&open.repeat(deep)), None);
    let (open, close) = ("]<]minimax[>[<a>", "]<]minimax[>[</a>");
    let nested = format!("{}{}x", open.repeat(deep), close.repeat(deep));
    assert_eq!(Style::MinimaxM3Xml.extent(&nested), Some(nested.len() - 1));
}
