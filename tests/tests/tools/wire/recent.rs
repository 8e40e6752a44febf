//! How the models of the formats that came last write: see [`super::models`].

use super::{
    GLM, Layout, PLAIN, Style, THINK, THINK_AND_LINES, TOOL_CALL, Wire, begun, listed, tagged,
    thinks, written,
};

/// How the model of a format writes; nothing for formats that are not among these.
pub fn wire(format: &str) -> Option<Wire> {
    Some(match format {
        "llama_4_json" => Wire {
            calls: &[
                "{\"name\": \"$N\", \"parameters\": $A}",
                "<|python_start|>{\"name\": \"$N\", \"parameters\": $A}<|python_end|>",
                "{\"type\": \"function\", \"name\": \"$N\", \"parameters\": $A}",
            ],
            forbidden: &[
                "{\"name\": ",
                "{\"type\": \"function\", \"name\": ",
                "<|python_start|>",
            ],
            ..PLAIN
        },
        "nemotron_nano_v2" => Wire {
            reasoning: begun(THINK),
            ..listed(&[("<TOOLCALL>[", "]</TOOLCALL>")], &["<TOOLCALL>"])
        },
        "apriel" => Wire {
            before: "\n",
            reasoning: thinks(
                "Here are my reasoning steps:\n",
                "[BEGIN FINAL RESPONSE]",
                "\n",
            ),
            calls: &[
                "{\"name\": \"$N\", \"arguments\": $A}",
                "{\"name\": \"$N\", \"arguments\": $A, \"id\": \"$I\"}",
            ],
            ..listed(&[("<tool_calls>[", "]</tool_calls>")], &["<tool_calls>"])
        },
        "gigachat_3" => Wire {
            calls: &[
                "<|message_sep|>\n\nfunction call<|role_sep|>\n{\"name\": \"$N\", \"arguments\": $A}",
                "<|function_call|>{\"name\": \"$N\", \"arguments\": $A}",
            ],
            forbidden: &[
                "<|message_sep|>\n\nfunction call<|role_sep|>\n{\"name\": \"",
                "<|function_call|>{\"name\": \"",
            ],
            ..PLAIN
        },
        "functionary_v3_1" => Wire {
            separator: "",
            ..tagged(&["<function=$N>$A</function>"], &["<function="])
        },
        "mirothinker" => Wire {
            before: "\n",
            reasoning: written(THINK_AND_LINES),
            ..tagged(
                &[
                    "<use_mcp_tool>\n<server_name>$I</server_name>\n<tool_name>$N</tool_name>\n<arguments>\n$A\n</arguments>\n</use_mcp_tool>",
                ],
                &["<use_mcp_tool>"],
            )
        },
        "dots" => Wire {
            style: Style::Elements("<parameter name=\"$K\">$V</parameter>\n"),
            sections: &[("<dots_function_call>\n", "</dots_function_call>")],
            calls: &["<invoke name=\"$N\">\n$A</invoke>\n"],
            forbidden: &["<dots_function_call>", "<invoke name=\""],
            ..PLAIN
        },
        "k2_horizon" => Wire {
            style: Style::Elements(
                "<ifm|arg_key>$K</ifm|arg_key>\n<ifm|arg_value>$V</ifm|arg_value>\n",
            ),
            reasoning: begun(thinks("<ifm|think>", "</ifm|think>", "")),
            sections: &[("<ifm|tool_calls>\n", "</ifm|tool_calls>")],
            calls: &["<ifm|tool_call>$N\n$A</ifm|tool_call>\n"],
            forbidden: &["<ifm|tool_calls>", "<ifm|tool_call>"],
            ..PLAIN
        },
        "ernie_4_5" => Wire {
            before: "\n",
            reasoning: begun(THINK_AND_LINES),
            ..tagged(
                &["<tool_call>\n{\"name\": \"$N\", \"arguments\": $A}\n</tool_call>"],
                TOOL_CALL,
            )
        },
        "gigachat_3_5" => Wire {
            style: Style::Flagged(
                "<｜GCML｜parameter name=\"$K\" string=\"$T\">$V</｜GCML｜parameter>\n",
            ),
            sections: &[("<｜GCML｜tool_calls>\n", "</｜GCML｜tool_calls>")],
            calls: &["<｜GCML｜invoke name=\"$N\">\n$A</｜GCML｜invoke>\n"],
            forbidden: &["<｜GCML｜tool_calls>", "<｜GCML｜invoke"],
            ..PLAIN
        },
        "iquest_q1" => Wire {
            style: Style::Elements("<arg_key>$K</arg_key><arg_value>$V</arg_value>"),
            calls: &["<iquest_tool_call>$N$A</iquest_tool_call>"],
            forbidden: &["<iquest_tool_call>"],
            ..PLAIN
        },
        "poolside_v1" => Wire {
            style: Style::Elements("<arg_key>$K</arg_key>\n<arg_value>$V</arg_value>\n"),
            reasoning: THINK,
            ..tagged(&["<tool_call>$N\n$A</tool_call>"], GLM)
        },
        "spark_2_5" => Wire {
            style: Style::Elements("<arg_key>$K</arg_key><arg_value>$V</arg_value>"),
            ..tagged(&["<tool_call>$N\n$A\n</tool_call>"], GLM)
        },
        "trinity" => tagged(
            &["<tool_call>\n{\"name\": \"$N\", \"arguments\": $A}\n</tool_call>"],
            TOOL_CALL,
        ),
        "functionary_v3_2" => Wire {
            layout: Layout::Messages(&[("all\n", "")]),
            separator: ">>>",
            calls: &["$N\n$A"],
            forbidden: &[">>>"],
            ..PLAIN
        },
        "glm_4_0414" => Wire {
            layout: Layout::Messages(&[("\n", "")]),
            separator: "<|assistant|>",
            calls: &["$N\n$A"],
            forbidden: &["<|assistant|>"],
            ..PLAIN
        },
        "inkling" => Wire {
            layout: Layout::Messages(&[("<|content_text|>", "<|end_message|>")]),
            reasoning: written(thinks("<|content_thinking|>", "<|end_message|>", "")),
            separator: "<|message_model|>",
            calls: &[
                "$N<|content_invoke_tool_json|>{\"name\":\"$N\",\"args\":$A}<|end_message|>",
                "<|content_invoke_tool_json|>{\"name\":\"$N\",\"args\":$A}<|end_message|>",
            ],
            ..PLAIN
        },
        "muse_glimmer" => Wire {
            layout: Layout::Messages(&[
                (" to=user<|message|>", "<|eot|>"),
                (" to=user<|message|>", "<|eom|>"),
                ("<|message|>", "<|eom|>"),
            ]),
            style: Style::Elements("<atem:parameter name=\"$K\">$V</atem:parameter>\n"),
            reasoning: written(thinks(" to=self<|message|>", "<|eom|>", "")),
            separator: "<|start|>assistant",
            calls: &[
                " to=$N<|message|><atem:function_calls>\n<atem:invoke name=\"$N\">\n$A\
                 </atem:invoke>\n</atem:function_calls><|eot|>",
                " to=$N<|message|><atem:function_calls>\n<atem:invoke name=\"$N\">\n$A\
                 </atem:invoke>\n</atem:function_calls><|eom|>",
            ],
            ..PLAIN
        },
        _ => return None,
    })
}
