//! How each model writes: a row for each format.

use super::{
    DEEPSEEK, DSML_CALL, DSML_ELEMENT, GLM, GLM_4_5, GLM_LINES, HERMES, Id, Layout, PLAIN, QWEN,
    Style, THINK, THINK_AND_LINES, TOOL_CALL, Wire, begun, dsml, listed, python, tagged, thinks,
    written,
};

/// How the model of a format writes.
pub fn wire(format: &str) -> Wire {
    match format {
        "llama" => Wire {
            separator: "; ",
            calls: &[
                "{\"name\": \"$N\", \"parameters\": $A}",
                "<|python_tag|>{\"name\": \"$N\", \"parameters\": $A}",
                "{\"type\": \"function\", \"name\": \"$N\", \"parameters\": $A}",
            ],
            forbidden: &[
                "{\"name\": ",
                "{\"type\": \"function\", \"name\": ",
                "<|python_tag|>",
                "<think>",
                "</think>",
            ],
            ..PLAIN
        },
        "qwen_3" => Wire {
            reasoning: THINK_AND_LINES,
            ..tagged(HERMES, TOOL_CALL)
        },
        "granite_4" => Wire {
            reasoning: THINK,
            ..tagged(HERMES, TOOL_CALL)
        },
        "exaone" => Wire {
            reasoning: THINK_AND_LINES,
            ..tagged(
                &["<tool_call>{\"name\": \"$N\", \"arguments\": $A}</tool_call>"],
                TOOL_CALL,
            )
        },
        "longcat" => Wire {
            reasoning: begun(thinks("<longcat_think>", "</longcat_think>", "")),
            separator: "",
            ..tagged(
                &[
                    "<longcat_tool_call>\n{\"name\": \"$N\", \"arguments\": $A}\n</longcat_tool_call>",
                ],
                &["<longcat_tool_call>"],
            )
        },
        "iquest" => tagged(
            &["<iquest_tool_call>\n{\"name\": \"$N\", \"arguments\": $A}\n</iquest_tool_call>"],
            &["<iquest_tool_call>"],
        ),
        "qwen_3_coder" => Wire {
            style: QWEN,
            reasoning: THINK_AND_LINES,
            ..tagged(
                &["<tool_call>\n<function=$N>\n$A</function>\n</tool_call>"],
                &["<tool_call>\n<function="],
            )
        },
        "qwen_3_5" => Wire {
            reasoning: begun(THINK_AND_LINES),
            ..wire("qwen_3_coder")
        },
        "step_3_5" => Wire {
            style: QWEN,
            reasoning: begun(thinks("<think>", "</think>", "\n")),
            separator: "",
            ..tagged(
                &["<tool_call>\n<function=$N>\n$A</function>\n</tool_call>"],
                &["<tool_call>\n<function="],
            )
        },
        "nemotron_3" => Wire {
            style: QWEN,
            reasoning: begun(thinks("<think>", "</think>", "\n")),
            ..tagged(
                &["<tool_call>\n<function=$N>\n$A</function>\n</tool_call>"],
                &["<tool_call>\n<function="],
            )
        },
        "seed_oss" => Wire {
            style: QWEN,
            before: "\n",
            reasoning: thinks("<seed:think>", "</seed:think>", ""),
            ..tagged(
                &["<seed:tool_call>\n<function=$N>\n$A</function>\n</seed:tool_call>"],
                &["<seed:tool_call>"],
            )
        },
        "mimo" => Wire {
            style: Style::Elements("<parameter=$K>$V</parameter>"),
            reasoning: written(THINK),
            ..tagged(
                &["<tool_call><function=$N>$A</function></tool_call>"],
                TOOL_CALL,
            )
        },
        "deepseek_r1" => Wire {
            reasoning: begun(THINK),
            sections: DEEPSEEK,
            separator: "\n",
            calls: &[
                "<｜tool▁call▁begin｜>function<｜tool▁sep｜>$N\n```json\n$A\n```<｜tool▁call▁end｜>",
            ],
            forbidden: &["<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>"],
            ..PLAIN
        },
        "deepseek_v3_1" => Wire {
            reasoning: begun(THINK),
            sections: DEEPSEEK,
            calls: &["<｜tool▁call▁begin｜>$N<｜tool▁sep｜>$A<｜tool▁call▁end｜>"],
            forbidden: &["<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>"],
            ..PLAIN
        },
        "deepseek_v3_2" => dsml(
            &[("<｜DSML｜function_calls>\n", "</｜DSML｜function_calls>")],
            DSML_CALL,
            DSML_ELEMENT,
            &["<｜DSML｜function_calls>", "<｜DSML｜invoke"],
        ),
        "deepseek_v4" => dsml(
            &[("<｜DSML｜tool_calls>\n", "</｜DSML｜tool_calls>")],
            DSML_CALL,
            DSML_ELEMENT,
            &["<｜DSML｜tool_calls>", "<｜DSML｜invoke"],
        ),
        "deepseek_v4_1" => dsml(
            &[("<｜DSML｜ calls>\n", "</｜DSML｜ calls>")],
            &["<｜DSML｜ invoke name=\"$N\">\n$A</｜DSML｜ invoke>\n"],
            "<｜DSML｜ parameter name=\"$K\" string=\"$T\">$V</｜DSML｜ parameter>\n",
            &["<｜DSML｜ calls>", "<｜DSML｜ invoke"],
        ),
        "harmony" => Wire {
            layout: Layout::Messages(&[
                ("<|channel|>final<|message|>", "<|return|>"),
                ("<|channel|>final<|message|>", "<|end|>"),
                ("<|channel|>commentary<|message|>", "<|end|>"),
            ]),
            reasoning: written(thinks("<|channel|>analysis<|message|>", "<|end|>", "")),
            separator: "<|start|>assistant",
            calls: &[
                "<|channel|>commentary to=functions.$N <|constrain|>json<|message|>$A<|call|>",
                "<|channel|>commentary to=functions.$N<|constrain|>json<|message|>$A<|call|>",
                " to=functions.$N<|channel|>commentary <|constrain|>json<|message|>$A<|call|>",
                " to=functions.$N<|channel|>commentary json<|message|>$A<|call|>",
            ],
            forbidden: &["<|return|>"],
            ..PLAIN
        },
        "kimi" => Wire {
            reasoning: THINK,
            sections: &[("<|tool_calls_section_begin|>", "<|tool_calls_section_end|>")],
            calls: &[
                "<|tool_call_begin|>functions.$N:$I<|tool_call_argument_begin|>$A<|tool_call_end|>",
            ],
            forbidden: &["<|tool_calls_section_begin|>", "<|tool_call_begin|>"],
            ..PLAIN
        },
        "kimi_k3" => Wire {
            layout: Layout::Blocks,
            style: Style::KimiK3,
            reasoning: begun(thinks("<|open|>think<|sep|>", "<|close|>think<|sep|>", "")),
            sections: &[("<|open|>tools<|sep|>", "<|close|>tools<|sep|>")],
            calls: &["<|open|>call tool=\"$N\" index=\"$I\"<|sep|>$A<|close|>call<|sep|>"],
            forbidden: &["<|open|>", "<|close|>"],
            ..PLAIN
        },
        "minimax" => Wire {
            style: Style::Elements("<parameter name=\"$K\">$V</parameter>\n"),
            reasoning: begun(THINK_AND_LINES),
            sections: &[("<minimax:tool_call>\n", "</minimax:tool_call>")],
            before: "\n",
            calls: &["<invoke name=\"$N\">\n$A</invoke>\n"],
            forbidden: &["<minimax:tool_call>", "<invoke name=\""],
            ..PLAIN
        },
        "minimax_m3" => Wire {
            style: Style::MinimaxM3,
            reasoning: thinks("<mm:think>", "</mm:think>", ""),
            sections: &[("]<]minimax[>[<tool_call>\n", "]<]minimax[>[</tool_call>")],
            calls: &["]<]minimax[>[<invoke name=\"$N\">$A]<]minimax[>[</invoke>\n"],
            forbidden: &["]<]minimax[>[<tool_call>", "]<]minimax[>[<invoke"],
            ..PLAIN
        },
        "glm_4_7" => Wire {
            style: Style::Elements("<arg_key>$K</arg_key><arg_value>$V</arg_value>"),
            reasoning: begun(THINK),
            calls: &["<tool_call>$N$A</tool_call>"],
            forbidden: GLM,
            ..PLAIN
        },
        "glm_4_5" => Wire {
            style: GLM_LINES,
            reasoning: written(thinks("\n<think>", "</think>", "")),
            before: "\n",
            ..tagged(&["<tool_call>$N\n$A</tool_call>"], GLM_4_5)
        },
        "ling_3" => Wire {
            style: Style::Elements("<arg_key>$K</arg_key>\n<arg_value>$V</arg_value>"),
            reasoning: THINK,
            ..tagged(&["<tool_call>$N\n$A\n</tool_call>"], GLM)
        },
        "hunyuan_v3" => Wire {
            style: GLM_LINES,
            reasoning: THINK,
            sections: &[("<tool_calls>\n", "\n</tool_calls>")],
            separator: "\n",
            calls: &["<tool_call>$N<tool_sep>\n$A</tool_call>"],
            forbidden: &["<tool_calls>", "<tool_call>"],
            ..PLAIN
        },
        "cohere" => Wire {
            style: Style::Cohere,
            reasoning: begun(thinks("<|START_THINKING|>", "<|END_THINKING|>", "")),
            sections: &[("<cofl:tool_calls>", "</cofl:tool_calls>")],
            calls: &["<cofl:tool_call id=\"$I\" name=\"$N\">$A</cofl:tool_call>"],
            forbidden: &["<cofl:tool_calls>", "<cofl:tool_call id="],
            ..PLAIN
        },
        "command_r" => Wire {
            layout: Layout::Messages(&[("<|START_RESPONSE|>", "<|END_RESPONSE|>")]),
            reasoning: written(thinks("<|START_THINKING|>", "<|END_THINKING|>", "")),
            sections: &[("<|START_ACTION|>[\n    ", "\n]<|END_ACTION|>")],
            separator: ",\n    ",
            calls: &["{\"tool_call_id\": \"$I\", \"tool_name\": \"$N\", \"parameters\": $A}"],
            ..PLAIN
        },
        "mistral" => Wire {
            reasoning: written(thinks("[THINK]", "[/THINK]", "")),
            calls: &[
                "{\"name\": \"$N\", \"arguments\": $A, \"id\": \"$I\"}",
                "{\"name\": \"$N\", \"arguments\": $A}",
            ],
            id: Id::Letters,
            ..listed(
                &[("[TOOL_CALLS][", "]"), ("[TOOL_CALLS] [", "]")],
                &["[TOOL_CALLS]"],
            )
        },
        "mistral_v11" => Wire {
            reasoning: written(thinks("[THINK]", "[/THINK]", "")),
            calls: &[
                "[TOOL_CALLS]$N$A",
                "[TOOL_CALLS]$N[ARGS]$A",
                "[TOOL_CALLS]$N[CALL_ID]$I[ARGS]$A",
            ],
            id: Id::Letters,
            forbidden: &["[TOOL_CALLS]"],
            ..PLAIN
        },
        "pythonic" => Wire {
            layout: Layout::AtStart,
            ..python(&[("[", "]")], &[])
        },
        "llama_4" => Wire {
            layout: Layout::AtStart,
            ..python(&[("[", "]"), ("<|python_start|>[", "]<|python_end|>")], &[])
        },
        "lfm2" => Wire {
            reasoning: written(THINK),
            ..python(
                &[("<|tool_call_start|>[", "]<|tool_call_end|>")],
                &["<|tool_call_start|>"],
            )
        },
        "olmo_3" => Wire {
            style: Style::PythonJson,
            reasoning: begun(THINK),
            separator: "\n",
            ..python(
                &[("<function_calls>", "</function_calls>")],
                &["<function_calls>"],
            )
        },
        "gemma_4" => Wire {
            style: Style::Marks("<|\"|>"),
            reasoning: written(thinks("<|channel>thought\n", "<channel|>", "")),
            calls: &["<|tool_call>call:$N$A<tool_call|>"],
            forbidden: &["<|tool_call>"],
            ..PLAIN
        },
        "function_gemma" => Wire {
            style: Style::Marks("<escape>"),
            calls: &["<start_function_call>call:$N$A<end_function_call>"],
            forbidden: &["<start_function_call>"],
            ..PLAIN
        },
        "granite" => Wire {
            reasoning: THINK,
            ..listed(
                &[("<|tool_call|>[", "]"), ("<tool_call>[", "]")],
                &["<|tool_call|>", "<tool_call>"],
            )
        },
        "granite_20b" => Wire {
            separator: "",
            ..tagged(
                &[
                    "<function_call>{\"name\": \"$N\", \"arguments\": $A}",
                    "<function_call> {\"name\": \"$N\", \"arguments\": $A}",
                ],
                &["<function_call>"],
            )
        },
        "internlm" => Wire {
            calls: &[
                "<|action_start|><|plugin|>\n{\"name\": \"$N\", \"arguments\": $A}<|action_end|>",
                "<|action_start|> <|plugin|>\n{\"name\": \"$N\", \"parameters\": $A}<|action_end|>",
                "<|action_start|> <|plugin|>\n{\"name\": \"$N\", \"arguments\": $A}<|action_end|>",
            ],
            forbidden: &["<|action_start|>"],
            ..PLAIN
        },
        "phi_4_mini" => listed(
            &[("functools[", "]"), ("<|tool_call|>[", "]<|/tool_call|>")],
            &["functools[", "<|tool_call|>["],
        ),
        "plamo_3" => Wire {
            reasoning: thinks(
                "<|plamo:begin_think:plamo|>",
                "<|plamo:end_think:plamo|>",
                "",
            ),
            sections: &[(
                "<|plamo:begin_tool_requests:plamo|>",
                "<|plamo:end_tool_requests:plamo|>",
            )],
            calls: &[
                "<|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>$N<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>$A<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|>",
            ],
            forbidden: &[
                "<|plamo:begin_tool_requests:plamo|>",
                "<|plamo:begin_tool_request:plamo|>",
            ],
            ..PLAIN
        },
        "apertus" => Wire {
            reasoning: written(thinks("<|inner_prefix|>", "<|inner_suffix|>", "")),
            calls: &["{\"$N\": $A}"],
            ..listed(
                &[("<|tools_prefix|>[", "]<|tools_suffix|>")],
                &["<|tools_prefix|>["],
            )
        },
        "hunyuan" => Wire {
            reasoning: THINK,
            ..listed(&[("<tool_calls>[", "]</tool_calls>")], &["<tool_calls>"])
        },
        "jamba" => Wire {
            separator: ",\n    ",
            before: " ",
            ..listed(
                &[("<tool_calls>[\n    ", "\n]</tool_calls>")],
                &["<tool_calls>"],
            )
        },
        "xlam" => Wire {
            layout: Layout::AtStart,
            ..listed(&[("[", "]")], &[])
        },
        "minicpm_5" => Wire {
            style: Style::Elements("<param name=\"$K\">$V</param>"),
            reasoning: THINK_AND_LINES,
            separator: "\n",
            calls: &["<function name=\"$N\">$A</function>"],
            forbidden: &["<function name=\""],
            ..PLAIN
        },
        "step_3" => Wire {
            style: Style::Elements("<steptml:parameter name=\"$K\">$V</steptml:parameter>"),
            reasoning: begun(THINK),
            sections: &[("<｜tool_calls_begin｜>", "<｜tool_calls_end｜>")],
            calls: &[
                "<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"$N\">$A</steptml:invoke><｜tool_call_end｜>",
            ],
            forbidden: &["<｜tool_calls_begin｜>", "<｜tool_call_begin｜>"],
            ..PLAIN
        },
        _ => super::recent::wire(format)
            .unwrap_or_else(|| panic!("nothing is known of the format `{format}`")),
    }
}
