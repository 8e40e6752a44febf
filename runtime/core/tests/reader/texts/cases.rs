//! Outputs of models, and their parts.

use super::Case;
use crate::formats::*;

/// What formats of all layouts write.
pub const CASES: &[Case<'static>] = &[
    (
        QWEN_3,
        "Let me see.\n<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}\n</tool_call>\n<tool_call>{\"name\":\"g\", \"arguments\":{\"a\": \"}</tool_call>\\\"\"}}</tool_call> Done < that.",
        &[
            "text: Let me see.\n",
            r#"call: f {"a": "x"}"#,
            "text: \n",
            r#"call: g {"a": "}</tool_call>\""}"#,
            "text:  Done < that.",
        ],
    ),
    (QWEN_3, "", &[]),
    (QWEN_3, "no <tool_cal> here", &["text: no <tool_cal> here"]),
    (
        QWEN_3_THINKS,
        "hm <tool_call> é</think>\n\nYes",
        &["reasoning: hm <tool_call> é", "text: Yes"],
    ),
    (
        QWEN_3_THINKS,
        "<think>hm</think>\n\n<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>",
        &["reasoning: hm", "call: f {}"],
    ),
    (QWEN_3_THINKS, "<thin", &["reasoning: <thin"]),
    // Where the prompt may have opened reasoning, its end or a call tells; without either, it is
    // text.
    (QWEN_3_MAY_BE_THINKING, "Hm.", &["text: Hm."]),
    (QWEN_3_MAY_BE_THINKING, "Hm.</thin", &["text: Hm.</thin"]),
    (
        QWEN_3_MAY_BE_THINKING,
        "Hm.</think>\n\nHello.",
        &["reasoning: Hm.", "text: Hello."],
    ),
    (
        QWEN_3_MAY_BE_THINKING,
        "<think>Hm.<tool_call></think>\n\nHello.",
        &["reasoning: Hm.<tool_call>", "text: Hello."],
    ),
    (
        QWEN_3_MAY_BE_THINKING,
        "Hm.<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call></think>",
        &["text: Hm.", "call: f {}", "text: </think>"],
    ),
    (QWEN_3_MAY_BE_THINKING, "</think>\n\n", &[]),
    (QWEN_3_MAY_BE_THINKING, "", &[]),
    (
        PYTHONIC_MAY_BE_THINKING,
        "[a]</think>[f(a=1)]",
        &["reasoning: [a]", "call: f a=1"],
    ),
    (
        PYTHONIC_MAY_BE_THINKING,
        "[f(a=1)]</think>",
        &["call: f a=1", "text: </think>"],
    ),
    (
        PYTHONIC_MAY_BE_THINKING,
        "Hm.</think>Hello.</think>",
        &["reasoning: Hm.", "text: Hello.</think>"],
    ),
    (PYTHONIC_MAY_BE_THINKING, "[a]", &["text: [a]"]),
    (QWEN_3_MAY_THINK, "<thin", &["text: <thin"]),
    (
        QWEN_3_MAY_THINK,
        "<think>a</think> b",
        &["reasoning: a", "text:  b"],
    ),
    (
        MINIMAX,
        "a</think>\n\n\n<minimax:tool_call>\n<invoke name=\"f\">\n</invoke>\n</minimax:tool_call>",
        &["reasoning: a", "call: f "],
    ),
    (
        QWEN_3_MAY_THINK,
        "b<think>a</think>",
        &["text: b<think>a</think>"],
    ),
    (
        LLAMA,
        "{\"name\": \"f\", \"parameters\": {\"a\": \"x\"}} and {\"name\": 1}",
        &[r#"call: f {"a": "x"}"#, r#"text:  and {"name": 1}"#],
    ),
    (
        QWEN_3_CODER,
        "hm</think>\n\n<tool_call>\n<function=f>\n<parameter=a>\nx</function></b>\n</parameter>\n<parameter=b>3</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=g>\n</function>\n</tool_call>",
        &[
            "reasoning: hm",
            "call: f <parameter=a>\nx</function></b>\n</parameter>\n<parameter=b>3</parameter>",
            "text: \n",
            "call: g ",
        ],
    ),
    (
        KIMI_K2,
        "</think>Well<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{\"a\": \"<|tool_call_end|>\"}<|tool_call_end|><|tool_call_begin|>functions.g:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>!",
        &[
            "text: Well",
            r#"call: f#0 {"a": "<|tool_call_end|>"}"#,
            "call: g#1 {}",
            "text: !",
        ],
    ),
    (
        DEEPSEEK_V3_1,
        "hm</think><｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{\"a\": \"x\"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>g<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        &["reasoning: hm", r#"call: f {"a": "x"}"#, "call: g {}"],
    ),
    (
        DEEPSEEK_R1,
        "</think>\n<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{\"a\": \"x\"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        &["text: \n", r#"call: f {"a": "x"}"#, "call: f {}"],
    ),
    (
        DEEPSEEK_V3_2,
        "\n\n<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"f\">\n<｜DSML｜parameter name=\"a\" string=\"true\">x</｜DSML｜invoke></｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name=\"g\">\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
        &[
            "text: \n\n",
            "call: f <｜DSML｜parameter name=\"a\" string=\"true\">x</｜DSML｜invoke></｜DSML｜parameter>",
            "call: g ",
        ],
    ),
    (
        GLM_4_7,
        "<tool_call>f<arg_key>a</arg_key><arg_value></tool_call></arg_value>\n<arg_key>b</arg_key>\n<arg_value>1</arg_value>\n</tool_call><tool_call>g</tool_call>",
        &[
            "call: f <arg_key>a</arg_key><arg_value></tool_call></arg_value>\n<arg_key>b</arg_key>\n<arg_value>1</arg_value>",
            "call: g ",
        ],
    ),
    (
        COHERE,
        "<cofl:tool_calls><cofl:tool_call id=\"0\" name=\"f\"><cofl:value name=\"a\" type=\"list\"><cofl:value type=\"raw\"></cofl:tool_call></cofl:value><cofl:value type=\"dict\"><cofl:value name=\"b\" type=\"json\">1</cofl:value></cofl:value></cofl:value></cofl:tool_call></cofl:tool_calls>",
        &[
            "call: f#0 <cofl:value name=\"a\" type=\"list\"><cofl:value type=\"raw\"></cofl:tool_call></cofl:value><cofl:value type=\"dict\"><cofl:value name=\"b\" type=\"json\">1</cofl:value></cofl:value></cofl:value>",
        ],
    ),
    (
        MINIMAX,
        "a</think>\n\nb\n<minimax:tool_call>\n<invoke name=\"f\">\n<parameter name=\"a\">x</parameter></invoke>\n<invoke name=\"g\">\n</invoke>\n</minimax:tool_call>",
        &[
            "reasoning: a",
            "text: b",
            "call: f <parameter name=\"a\">x</parameter>",
            "call: g ",
        ],
    ),
    (
        MINIMAX_M3,
        "]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name=\"f\">]<]minimax[>[<a>x]<]minimax[>[</a>]<]minimax[>[<b>]<]minimax[>[<item>1]<]minimax[>[</item>]<]minimax[>[</b>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>",
        &[
            "call: f ]<]minimax[>[<a>x]<]minimax[>[</a>]<]minimax[>[<b>]<]minimax[>[<item>1]<]minimax[>[</item>]<]minimax[>[</b>",
        ],
    ),
    (
        MISTRAL,
        "[THINK]a[/THINK]b[TOOL_CALLS]f{\"a\": [\"[ARGS]\"]}[TOOL_CALLS]g[ARGS]{}[TOOL_CALLS]h[CALL_ID]x1[ARGS]{\"b\": {}}",
        &[
            "reasoning: a",
            "text: b",
            r#"call: f {"a": ["[ARGS]"]}"#,
            "call: g {}",
            r#"call: h#x1 {"b": {}}"#,
        ],
    ),
    (
        MISTRAL_LIST,
        "[TOOL_CALLS] [{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}},{\"name\": \"g\", \"arguments\": {}}]",
        &[r#"call: f {"a": "x"}"#, "call: g {}"],
    ),
    (
        PYTHONIC,
        "[f(a=\"x)]\", b=[1, {}]), g()]",
        &["call: f a=\"x)]\", b=[1, {}]", "call: g "],
    ),
    (
        PYTHONIC,
        "<|python_start|>[f(a='\"\\')')]<|python_end|>",
        &["call: f a='\"\\')'"],
    ),
    (
        PYTHONIC,
        "[1] says (so), [f()]",
        &["text: [1] says (so), [f()]"],
    ),
    (PYTHONIC, "f()", &["text: f()"]),
    (
        PYTHONIC,
        "[f(), g",
        &["call: f ", "cut off: (None, None, None) , g"],
    ),
    (PYTHONIC, "[f", &["text: [f"]),
    (
        PYTHONIC,
        "[f(a=1",
        &["cut off: (Some(\"f\"), None, Some(\"a=1\")) [f(a=1"],
    ),
    (PYTHONIC, "[f(a=1)", &["call: f a=1"]),
    (
        GEMMA_4,
        "<|channel>thought\nhm<channel|>a<|tool_call>call:f{a:<|\"|>}<tool_call|><|\"|>,n:42}<tool_call|><|tool_call>call:g{}<tool_call|>",
        &[
            "reasoning: hm",
            "text: a",
            "call: f {a:<|\"|>}<tool_call|><|\"|>,n:42}",
            "call: g {}",
        ],
    ),
    (
        FUNCTION_GEMMA,
        "<start_function_call>call:f{a:<escape>x}<escape>}<end_function_call>",
        &["call: f {a:<escape>x}<escape>}"],
    ),
    (
        SEMICOLONS,
        "{\"name\": \"f\", \"parameters\": {}}; {\"name\": \"g\", \"parameters\": {}}",
        &["call: f {}", "call: g {}"],
    ),
    (
        SEMICOLONS,
        "{\"name\": \"f\", \"parameters\": {}}; or not",
        &["call: f {}", "text: ; or not"],
    ),
    (
        HARMONY,
        "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{\"a\": \"<|call|>\"}<|call|>",
        &["reasoning: hm", r#"call: f {"a": "<|call|>"}"#],
    ),
    (
        HARMONY,
        "<|channel|>commentary<|message|>first<|end|><|start|>assistant to=functions.f<|channel|>commentary <|constrain|>json<|message|>{}<|call|><|start|>assistant<|channel|>commentary to=functions.g json<|message|>{}<|call|><|start|>assistant<|channel|>final<|message|>last<|return|>",
        &["text: first", "call: f {}", "call: g {}", "text: last"],
    ),
    (
        HARMONY,
        "<|channel|>commentary to=functions.f<|constrain|>json<|message|>{\"a\": 1}",
        &[r#"call left open: f {"a": 1}"#],
    ),
    (
        HARMONY,
        "what?<|start|>assistant<|channel|>final<|message|>ok<|end|>",
        &["text: what?ok"],
    ),
    (
        FUNCTIONARY,
        "all\nSo >> it is.>>>allocate\n{\"a\": \">>>all\"}>>>f\n{}>>>all\nDone.>>",
        &[
            "text: So >> it is.",
            r#"call: allocate {"a": ">>>all"}"#,
            "call: f {}",
            "text: Done.>>",
        ],
    ),
    (FUNCTIONARY, "all\na>>>>>f\n{}", &["text: a>>>>>f\n{}"]),
    (FUNCTIONARY, "all\n", &[]),
    (
        FUNCTIONARY,
        "f\n{}>>>al",
        &["call: f {}", "cut off: (None, None, None) >>>al"],
    ),
    (
        MUSE,
        " to=self<|message|>hm<|eom|><|start|>assistant to=selfish<|message|>\
         <atem:invoke name=\"selfish\">\n</atem:invoke><|eom|><|start|>assistant\
         \u{20}to=user<|message|>ok<|eot|>",
        &["reasoning: hm", "call: selfish ", "text: ok"],
    ),
    (
        KIMI_K3,
        "hm<|close|>think<|sep|><|open|>response<|sep|>ok<|close|>response<|sep|><|open|>tools<|sep|><|open|>call tool=\"f\" index=\"1\"<|sep|><|open|>argument key=\"a\" type=\"string\"<|sep|><|close|>call<|sep|><|close|>argument<|sep|><|close|>call<|sep|><|open|>call tool=\"g\" index=\"2\"<|sep|><|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|>",
        &[
            "reasoning: hm",
            "text: ok",
            "call: f#1 <|open|>argument key=\"a\" type=\"string\"<|sep|><|close|>call<|sep|><|close|>argument<|sep|>",
            "call: g#2 ",
        ],
    ),
    (
        KIMI_K3_ANSWERS,
        "ok<|close|>response<|sep|><|open|>tools<|sep|>",
        &[
            "text: ok",
            "cut off: (None, None, None) <|open|>tools<|sep|>",
        ],
    ),
    (
        KIMI_K3_ANSWERS,
        "<|open|>response<|sep|>ok<|close|>response<|sep|><|close|>message<|sep|>?",
        &["text: ok?"],
    ),
    (KIMI_K3_ANSWERS, "<|open", &["text: <|open"]),
    (
        KIMI_K3_MAY_THINK,
        "Hm.<|close|>think<|sep|><|open|>response<|sep|>Yes.<|close|>response<|sep|><|close|>message<|sep|>",
        &["reasoning: Hm.", "text: Yes."],
    ),
    (
        KIMI_K3_MAY_THINK,
        "Yes.<|close|>response<|sep|><|close|>message<|sep|>",
        &["text: Yes."],
    ),
    (KIMI_K3_MAY_THINK, "Hm.<|cl", &["reasoning: Hm.<|cl"]),
    (
        COMMAND_R,
        "<|START_THINKING|>Hm.<|END_THINKING|><|START_ACTION|>[\n    {\"tool_call_id\": \"0\", \"tool_name\": \"f\", \"parameters\": {}},\n    {\"tool_call_id\": \"1\", \"tool_name\": \"g\", \"parameters\": {}}\n]<|END_ACTION|><|START_RESPONSE|>Yes.<|END_RESPONSE|>",
        &[
            "reasoning: Hm.",
            "call: f#0 {}",
            "call: g#1 {}",
            "text: Yes.",
        ],
    ),
    (
        COMMAND_R,
        "Well<|START_RESPONSE|>Yes.",
        &["text: Well<|START_RESPONSE|>Yes."],
    ),
    (
        MISTRAL_ARGS,
        "[TOOL_CALLS]f[ARGS]{\"a\": [1]}[TOOL_CALLS]g{}",
        &["call: f {\"a\": [1]}", "call: g {}"],
    ),
    (
        MISTRAL_ARGS,
        "[TOOL_CALLS]f[1]",
        &["text: [TOOL_CALLS]f[1]"],
    ),
    // Texts that are cut off.
    (
        QWEN_3,
        "a<tool_call>\n{\"na",
        &["text: a", "cut off: (None, None, None) <tool_call>\n{\"na"],
    ),
    (
        QWEN_3,
        "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": {}, ",
        &[
            "cut off: (Some(\"f\"), None, Some(\"{\\\"a\\\": {}, \")) <tool_call>{\"name\": \"f\", \"arguments\": {\"a\": {}, ",
        ],
    ),
    (
        QWEN_3,
        "<tool_call>{\"name\": \"f\", \"arguments\": {}}\n</tool",
        &["call left open: f {}"],
    ),
    (
        QWEN_3_CODER,
        "</think><tool_call><function=f><parameter=a>1</parameter>\n",
        &[
            "cut off: (Some(\"f\"), None, Some(\"<parameter=a>1</parameter>\")) <tool_call><function=f><parameter=a>1</parameter>\n",
        ],
    ),
    (
        KIMI_K2,
        "</think><|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls",
        &["call: f#0 {}", "cut off: (None, None, None) <|tool_calls"],
    ),
    // Texts that no grammar of the format allows.
    (
        QWEN_3,
        "<tool_call>{\"name\": 1}<tool_call>\n{\"name\": \"f\", \"arguments\": {}}</tool_call>",
        &["text: <tool_call>{\"name\": 1}", "call: f {}"],
    ),
    (
        QWEN_3,
        "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": 1}!}</tool_call>",
        &["text: <tool_call>{\"name\": \"f\", \"arguments\": {\"a\": 1}!}</tool_call>"],
    ),
    (
        QWEN_3_CODER,
        "</think><tool_call><function=f><parameter=>1</parameter><tool_call><function=f></function></tool_call>",
        &[
            "text: <tool_call><function=f><parameter=>1</parameter>",
            "call: f ",
        ],
    ),
    (
        KIMI_K2,
        "</think><|tool_calls_section_begin|><|tool_calls_section_end|>",
        &["text: <|tool_calls_section_begin|><|tool_calls_section_end|>"],
    ),
    (
        KIMI_K3,
        "hm<|close|>think<|sep|>what<|open|>response<|sep|>?",
        &["reasoning: hm", "text: what<|open|>response<|sep|>?"],
    ),
];
