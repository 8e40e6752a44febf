//! What models write, copied from their templates: a call of `f` with `a` being `x`, alone and
//! twice.
//!
//! Not read from the formats of the compiler: each row is written out from the model's own
//! documents, or from what the engines' parsers take.

/// The output of a model that calls `f`.
pub struct Output {
    /// The format.
    pub format: &'static str,
    /// One call, with its section around it.
    pub one: &'static str,
    /// Two calls in one output, as the template writes them where a tool must be called.
    pub two: &'static str,
    /// What stands before the first call where a tool must be called.
    pub before: &'static str,
    /// Reasoning and what follows it, as the model writes it behind the prompt; empty if there is
    /// none.
    pub reasoning: &'static str,
}

const fn output(
    format: &'static str,
    one: &'static str,
    two: &'static str,
    reasoning: &'static str,
) -> Output {
    Output {
        format,
        one,
        two,
        before: "",
        reasoning,
    }
}

const fn after(before: &'static str, output: Output) -> Output {
    Output { before, ..output }
}

/// What is around the blocks of Kimi K3: here the answer is empty.
pub const KIMI_K3: (&str, &str) = ("<|close|>response<|sep|>", "<|close|>message<|sep|>");

/// One row for each built-in format.
pub const OUTPUTS: &[Output] = &[
    output(
        "llama",
        r#"{"name": "f", "parameters": {"a": "x"}}"#,
        r#"{"name": "f", "parameters": {"a": "x"}}; {"name": "f", "parameters": {"a": "x"}}"#,
        "",
    ),
    output(
        "qwen_3",
        "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}\n</tool_call>",
        "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}\n</tool_call>\n<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}\n</tool_call>",
        "<think>\nHm.\n</think>\n\n",
    ),
    output(
        "exaone",
        "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}</tool_call>",
        "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}</tool_call>\n<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}</tool_call>",
        "<think>Hm.</think>\n\n",
    ),
    output(
        "qwen_3_5",
        "<tool_call>\n<function=f>\n<parameter=a>\nx\n</parameter>\n</function>\n</tool_call>",
        "<tool_call>\n<function=f>\n<parameter=a>x</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=f>\n<parameter=a>x</parameter>\n</function>\n</tool_call>",
        "Hm.\n</think>\n\n",
    ),
    output(
        "qwen_3_coder",
        "<tool_call>\n<function=f>\n<parameter=a>\nx\n</parameter>\n</function>\n</tool_call>",
        "<tool_call>\n<function=f>\n<parameter=a>x</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=f>\n<parameter=a>x</parameter>\n</function>\n</tool_call>",
        "<think>Hm.</think>\n\n",
    ),
    output(
        "step_3_5",
        "<tool_call>\n<function=f>\n<parameter=a>\nx\n</parameter>\n</function>\n</tool_call>",
        "<tool_call>\n<function=f>\n<parameter=a>\nx\n</parameter>\n</function>\n</tool_call><tool_call>\n<function=f>\n<parameter=a>\nx\n</parameter>\n</function>\n</tool_call>",
        "\nHm.\n</think>\n",
    ),
    output(
        "nemotron_3",
        "<tool_call>\n<function=f>\n<parameter=a>\nx\n</parameter>\n</function>\n</tool_call>",
        "<tool_call>\n<function=f>\n<parameter=a>\nx\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=f>\n<parameter=a>\nx\n</parameter>\n</function>\n</tool_call>",
        "\nHm.\n</think>\n",
    ),
    output(
        "ling_3",
        "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>x</arg_value>\n</tool_call>",
        "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>x</arg_value>\n</tool_call>\n<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>x</arg_value>\n</tool_call>",
        "<think>Hm.</think>",
    ),
    after(
        "\n",
        output(
            "seed_oss",
            "<seed:tool_call>\n<function=f>\n<parameter=a>x</parameter>\n</function>\n</seed:tool_call>",
            "<seed:tool_call>\n<function=f>\n<parameter=a>x</parameter>\n</function>\n</seed:tool_call>\n<seed:tool_call>\n<function=f>\n<parameter=a>x</parameter>\n</function>\n</seed:tool_call>",
            "<seed:think>Hm.</seed:think>",
        ),
    ),
    output(
        "mimo",
        "<tool_call><function=f><parameter=a>x</parameter></function></tool_call>",
        "<tool_call><function=f><parameter=a>x</parameter></function></tool_call>\n<tool_call><function=f><parameter=a>x</parameter></function></tool_call>",
        "<think>Hm.</think>",
    ),
    output(
        "deepseek_r1",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{\"a\": \"x\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{\"a\": \"x\"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{\"a\": \"x\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        "Hm.</think>",
    ),
    output(
        "deepseek_v3_1",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{\"a\": \"x\"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{\"a\": \"x\"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{\"a\": \"x\"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        "Hm.</think>",
    ),
    after(
        "\n\n",
        output(
            "deepseek_v3_2",
            "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"f\">\n<｜DSML｜parameter name=\"a\" string=\"true\">x</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
            "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"f\">\n<｜DSML｜parameter name=\"a\" string=\"true\">x</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name=\"f\">\n<｜DSML｜parameter name=\"a\" string=\"true\">x</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
            "Hm.</think>",
        ),
    ),
    after(
        "\n\n",
        output(
            "deepseek_v4",
            "<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"f\">\n<｜DSML｜parameter name=\"a\" string=\"true\">x</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>",
            "<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"f\">\n<｜DSML｜parameter name=\"a\" string=\"true\">x</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name=\"f\">\n<｜DSML｜parameter name=\"a\" string=\"true\">x</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>",
            "Hm.</think>",
        ),
    ),
    after(
        "\n\n",
        output(
            "deepseek_v4_1",
            "<｜DSML｜ calls>\n<｜DSML｜ invoke name=\"f\">\n<｜DSML｜ parameter name=\"a\" string=\"true\">x</｜DSML｜ parameter>\n</｜DSML｜ invoke>\n</｜DSML｜ calls>",
            "<｜DSML｜ calls>\n<｜DSML｜ invoke name=\"f\">\n<｜DSML｜ parameter name=\"a\" string=\"true\">x</｜DSML｜ parameter>\n</｜DSML｜ invoke>\n<｜DSML｜ invoke name=\"f\">\n<｜DSML｜ parameter name=\"a\" string=\"true\">x</｜DSML｜ parameter>\n</｜DSML｜ invoke>\n</｜DSML｜ calls>",
            "Hm.</think>",
        ),
    ),
    output(
        "harmony",
        "<|channel|>commentary to=functions.f <|constrain|>json<|message|>{\"a\": \"x\"}<|call|>",
        "<|channel|>commentary to=functions.f<|constrain|>json<|message|>{\"a\": \"x\"}<|call|><|start|>assistant to=functions.f<|channel|>commentary <|constrain|>json<|message|>{\"a\": \"x\"}<|call|>",
        "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant",
    ),
    output(
        "kimi",
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{\"a\": \"x\"}<|tool_call_end|><|tool_calls_section_end|>",
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{\"a\": \"x\"}<|tool_call_end|><|tool_call_begin|>functions.f:1<|tool_call_argument_begin|>{\"a\": \"x\"}<|tool_call_end|><|tool_calls_section_end|>",
        "Hm.</think>",
    ),
    output(
        "kimi_k3",
        "<|open|>tools<|sep|><|open|>call tool=\"f\" index=\"1\"<|sep|><|open|>argument key=\"a\" type=\"string\"<|sep|>x<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>",
        "<|open|>tools<|sep|><|open|>call tool=\"f\" index=\"1\"<|sep|><|open|>argument key=\"a\" type=\"string\"<|sep|>x<|close|>argument<|sep|><|close|>call<|sep|><|open|>call tool=\"f\" index=\"2\"<|sep|><|open|>argument key=\"a\" type=\"string\"<|sep|>x<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>",
        "Hm.<|close|>think<|sep|><|open|>response<|sep|>",
    ),
    after(
        "\n",
        output(
            "minimax",
            "<minimax:tool_call>\n<invoke name=\"f\">\n<parameter name=\"a\">x</parameter>\n</invoke>\n</minimax:tool_call>",
            "<minimax:tool_call>\n<invoke name=\"f\">\n<parameter name=\"a\">x</parameter></invoke>\n<invoke name=\"f\">\n<parameter name=\"a\">x</parameter></invoke>\n</minimax:tool_call>",
            "Hm.</think>\n\n",
        ),
    ),
    output(
        "minimax_m3",
        "]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name=\"f\">]<]minimax[>[<a>x]<]minimax[>[</a>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>",
        "]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name=\"f\">]<]minimax[>[<a>x]<]minimax[>[</a>]<]minimax[>[</invoke>\n]<]minimax[>[<invoke name=\"f\">]<]minimax[>[<a>x]<]minimax[>[</a>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>",
        "Hm.</mm:think>",
    ),
    output(
        "glm_4_7",
        "<tool_call>f<arg_key>a</arg_key><arg_value>x</arg_value></tool_call>",
        "<tool_call>f<arg_key>a</arg_key><arg_value>x</arg_value></tool_call><tool_call>f<arg_key>a</arg_key><arg_value>x</arg_value></tool_call>",
        "Hm.</think>",
    ),
    after(
        "\n",
        output(
            "glm_4_5",
            "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>x</arg_value>\n</tool_call>",
            "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>x</arg_value>\n</tool_call>\n<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>x</arg_value>\n</tool_call>",
            "\n<think>Hm.</think>",
        ),
    ),
    output(
        "cohere",
        "<cofl:tool_calls><cofl:tool_call id=\"0\" name=\"f\"><cofl:value name=\"a\" type=\"raw\">x</cofl:value></cofl:tool_call></cofl:tool_calls>",
        "<cofl:tool_calls><cofl:tool_call id=\"0\" name=\"f\"><cofl:value name=\"a\" type=\"raw\">x</cofl:value></cofl:tool_call><cofl:tool_call id=\"1\" name=\"f\"><cofl:value name=\"a\" type=\"raw\">x</cofl:value></cofl:tool_call></cofl:tool_calls>",
        "Hm.<|END_THINKING|>",
    ),
    output(
        "command_r",
        "<|START_ACTION|>[\n    {\"tool_call_id\": \"0\", \"tool_name\": \"f\", \"parameters\": {\"a\": \"x\"}}\n]<|END_ACTION|>",
        "<|START_ACTION|>[\n    {\"tool_call_id\": \"0\", \"tool_name\": \"f\", \"parameters\": {\"a\": \"x\"}},\n    {\"tool_call_id\": \"1\", \"tool_name\": \"f\", \"parameters\": {\"a\": \"x\"}}\n]<|END_ACTION|>",
        "<|START_THINKING|>Hm.<|END_THINKING|>",
    ),
    output(
        "mistral",
        "[TOOL_CALLS][{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}, \"id\": \"aB3dE6gH9\"}]",
        "[TOOL_CALLS] [{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}, {\"name\": \"f\", \"arguments\": {\"a\": \"x\"}, \"id\": \"aB3dE6gH9\"}]",
        "[THINK]Hm.[/THINK]",
    ),
    output(
        "mistral_v11",
        "[TOOL_CALLS]f{\"a\": \"x\"}",
        "[TOOL_CALLS]f[ARGS]{\"a\": \"x\"}[TOOL_CALLS]f[CALL_ID]abcDEF123[ARGS]{\"a\": \"x\"}",
        "[THINK]Hm.[/THINK]",
    ),
    output("pythonic", "[f(a=\"x\")]", "[f(a=\"x\"), f(a=\"x\")]", ""),
    output(
        "llama_4",
        "[f(a=\"x\")]",
        "<|python_start|>[f(a=\"x\"), f(a=\"x\")]<|python_end|>",
        "",
    ),
    output(
        "lfm2",
        "<|tool_call_start|>[f(a=\"x\")]<|tool_call_end|>",
        "<|tool_call_start|>[f(a=\"x\"), f(a=\"x\")]<|tool_call_end|>",
        "<think>Hm.</think>",
    ),
    output(
        "olmo_3",
        "<function_calls>f(a=\"x\")</function_calls>",
        "<function_calls>f(a=\"x\")\nf(a=\"x\")</function_calls>",
        "Hm.</think>",
    ),
    output(
        "gemma_4",
        "<|tool_call>call:f{a:<|\"|>x<|\"|>}<tool_call|>",
        "<|tool_call>call:f{a:<|\"|>x<|\"|>}<tool_call|><|tool_call>call:f{a:<|\"|>x<|\"|>}<tool_call|>",
        "<|channel>thought\nHm.<channel|>",
    ),
    output(
        "function_gemma",
        "<start_function_call>call:f{a:<escape>x<escape>}<end_function_call>",
        "<start_function_call>call:f{a:<escape>x<escape>}<end_function_call><start_function_call>call:f{a:<escape>x<escape>}<end_function_call>",
        "",
    ),
    output(
        "granite",
        "<|tool_call|>[{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}]",
        "<tool_call>[{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}, {\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}]",
        "<think>Hm.</think>",
    ),
    output(
        "granite_4",
        "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}\n</tool_call>",
        "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}\n</tool_call>\n<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}\n</tool_call>",
        "<think>Hm.</think>",
    ),
    output(
        "granite_20b",
        "<function_call>{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}",
        "<function_call> {\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}<function_call>{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}",
        "",
    ),
    output(
        "internlm",
        "<|action_start|><|plugin|>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}<|action_end|>",
        "<|action_start|> <|plugin|>\n{\"name\": \"f\", \"parameters\": {\"a\": \"x\"}}<|action_end|><|action_start|><|plugin|>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}<|action_end|>",
        "",
    ),
    output(
        "phi_4_mini",
        "functools[{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}]",
        "<|tool_call|>[{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}, {\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}]<|/tool_call|>",
        "",
    ),
    output(
        "plamo_3",
        "<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>f<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{\"a\": \"x\"}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>",
        "<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>f<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{\"a\": \"x\"}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>f<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{\"a\": \"x\"}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>",
        "Hm.<|plamo:end_think:plamo|>",
    ),
    output(
        "apertus",
        "<|tools_prefix|>[{\"f\": {\"a\": \"x\"}}]<|tools_suffix|>",
        "<|tools_prefix|>[{\"f\": {\"a\": \"x\"}}, {\"f\": {\"a\": \"x\"}}]<|tools_suffix|>",
        "<|inner_prefix|>Hm.<|inner_suffix|>",
    ),
    output(
        "hunyuan",
        "<tool_calls>[{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}]</tool_calls>",
        "<tool_calls>[{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}, {\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}]</tool_calls>",
        "<think>Hm.</think>",
    ),
    output(
        "hunyuan_v3",
        "<tool_calls>\n<tool_call>f<tool_sep>\n<arg_key>a</arg_key>\n<arg_value>x</arg_value>\n</tool_call>\n</tool_calls>",
        "<tool_calls>\n<tool_call>f<tool_sep>\n<arg_key>a</arg_key>\n<arg_value>x</arg_value>\n</tool_call>\n<tool_call>f<tool_sep>\n<arg_key>a</arg_key>\n<arg_value>x</arg_value>\n</tool_call>\n</tool_calls>",
        "<think>Hm.</think>",
    ),
    output(
        "longcat",
        "<longcat_tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}\n</longcat_tool_call>",
        "<longcat_tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}\n</longcat_tool_call><longcat_tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}\n</longcat_tool_call>",
        "Hm.</longcat_think>",
    ),
    output(
        "iquest",
        "<iquest_tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}\n</iquest_tool_call>",
        "<iquest_tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}\n</iquest_tool_call>\n<iquest_tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}\n</iquest_tool_call>",
        "",
    ),
    after(
        " ",
        output(
            "jamba",
            "<tool_calls>[\n    {\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}\n]</tool_calls>",
            "<tool_calls>[\n    {\"name\": \"f\", \"arguments\": {\"a\": \"x\"}},\n    {\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}\n]</tool_calls>",
            "",
        ),
    ),
    output(
        "xlam",
        "[{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}]",
        "[{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}, {\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}]",
        "",
    ),
    output(
        "minicpm_5",
        "<function name=\"f\"><param name=\"a\">x</param></function>",
        "<function name=\"f\"><param name=\"a\">x</param></function>\n<function name=\"f\"><param name=\"a\">x</param></function>",
        "<think>\nHm.\n</think>\n\n",
    ),
    output(
        "step_3",
        "<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"f\"><steptml:parameter name=\"a\">x</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>",
        "<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"f\"><steptml:parameter name=\"a\">x</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"f\"><steptml:parameter name=\"a\">x</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>",
        "Hm.</think>",
    ),
    output(
        "llama_4_json",
        r#"{"name": "f", "parameters": {"a": "x"}}"#,
        r#"{"name": "f", "parameters": {"a": "x"}}{"name": "f", "parameters": {"a": "x"}}"#,
        "",
    ),
    output(
        "nemotron_nano_v2",
        r#"<TOOLCALL>[{"name": "f", "arguments": {"a": "x"}}]</TOOLCALL>"#,
        r#"<TOOLCALL>[{"name": "f", "arguments": {"a": "x"}}, {"name": "f", "arguments": {"a": "x"}}]</TOOLCALL>"#,
        "\n\nHm.</think>",
    ),
    after(
        "\n",
        output(
            "apriel",
            r#"<tool_calls>[{"name": "f", "arguments": {"a": "x"}}]</tool_calls>"#,
            r#"<tool_calls>[{"name": "f", "arguments": {"a": "x"}, "id": "7"}, {"name": "f", "arguments": {"a": "x"}}]</tool_calls>"#,
            "Hm.\n[BEGIN FINAL RESPONSE]\n",
        ),
    ),
    output(
        "gigachat_3",
        "<|message_sep|>\n\nfunction call<|role_sep|>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}",
        "<|message_sep|>\n\nfunction call<|role_sep|>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}<|function_call|>{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}",
        "",
    ),
    output(
        "functionary_v3_1",
        r#"<function=f>{"a": "x"}</function>"#,
        r#"<function=f>{"a": "x"}</function><function=f>{"a": "x"}</function>"#,
        "",
    ),
    after(
        "\n",
        output(
            "mirothinker",
            "<use_mcp_tool>\n<server_name>tools</server_name>\n<tool_name>f</tool_name>\n<arguments>\n{\"a\": \"x\"}\n</arguments>\n</use_mcp_tool>",
            "<use_mcp_tool>\n<server_name>a</server_name>\n<tool_name>f</tool_name>\n<arguments>\n{\"a\": \"x\"}\n</arguments>\n</use_mcp_tool>\n<use_mcp_tool>\n<server_name>b</server_name>\n<tool_name>f</tool_name>\n<arguments>\n{\"a\": \"x\"}\n</arguments>\n</use_mcp_tool>",
            "<think>\nHm.\n</think>\n\n",
        ),
    ),
    output(
        "dots",
        "<dots_function_call>\n<invoke name=\"f\">\n<parameter name=\"a\">x</parameter>\n</invoke>\n</dots_function_call>",
        "<dots_function_call>\n<invoke name=\"f\">\n<parameter name=\"a\">x</parameter>\n</invoke>\n<invoke name=\"f\">\n<parameter name=\"a\">x</parameter>\n</invoke>\n</dots_function_call>",
        "",
    ),
    output(
        "k2_horizon",
        "<ifm|tool_calls>\n<ifm|tool_call>f\n<ifm|arg_key>a</ifm|arg_key>\n<ifm|arg_value>x</ifm|arg_value>\n</ifm|tool_call>\n</ifm|tool_calls>",
        "<ifm|tool_calls>\n<ifm|tool_call>f\n<ifm|arg_key>a</ifm|arg_key>\n<ifm|arg_value>x</ifm|arg_value>\n</ifm|tool_call>\n<ifm|tool_call>f\n<ifm|arg_key>a</ifm|arg_key>\n<ifm|arg_value>x</ifm|arg_value>\n</ifm|tool_call>\n</ifm|tool_calls>",
        "Hm.</ifm|think>",
    ),
    after(
        "\n",
        output(
            "ernie_4_5",
            "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}\n</tool_call>",
            "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}\n</tool_call>\n\
             <tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}\n</tool_call>",
            "Hm.\n</think>\n\n",
        ),
    ),
    output(
        "gigachat_3_5",
        "<｜GCML｜tool_calls>\n<｜GCML｜invoke name=\"f\">\n\
         <｜GCML｜parameter name=\"a\" string=\"true\">x</｜GCML｜parameter>\n</｜GCML｜invoke>\n\
         </｜GCML｜tool_calls>",
        "<｜GCML｜tool_calls>\n<｜GCML｜invoke name=\"f\">\n\
         <｜GCML｜parameter name=\"a\" string=\"true\">x</｜GCML｜parameter>\n</｜GCML｜invoke>\n\
         <｜GCML｜invoke name=\"f\">\n<｜GCML｜parameter name=\"a\" string=\"true\">\
         x</｜GCML｜parameter>\n</｜GCML｜invoke>\n</｜GCML｜tool_calls>",
        "",
    ),
    output(
        "iquest_q1",
        "<iquest_tool_call>f<arg_key>a</arg_key><arg_value>x</arg_value></iquest_tool_call>",
        "<iquest_tool_call>f<arg_key>a</arg_key><arg_value>x</arg_value></iquest_tool_call>\
         <iquest_tool_call>f<arg_key>a</arg_key><arg_value>x</arg_value></iquest_tool_call>",
        "",
    ),
    output(
        "poolside_v1",
        "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>x</arg_value>\n</tool_call>",
        "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>x</arg_value>\n</tool_call>\n<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>x</arg_value>\n</tool_call>",
        "<think>Hm.</think>",
    ),
    output(
        "spark_2_5",
        "<tool_call>f\n<arg_key>a</arg_key><arg_value>x</arg_value>\n</tool_call>",
        "<tool_call>f\n<arg_key>a</arg_key><arg_value>x</arg_value>\n</tool_call>\n<tool_call>\
         f\n<arg_key>a</arg_key><arg_value>x</arg_value>\n</tool_call>",
        "",
    ),
    output(
        "trinity",
        "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}\n</tool_call>",
        "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}\n</tool_call>\n<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}\n</tool_call>",
        "",
    ),
    output(
        "functionary_v3_2",
        "f\n{\"a\": \"x\"}",
        "f\n{\"a\": \"x\"}>>>f\n{\"a\": \"x\"}",
        "",
    ),
    output(
        "glm_4_0414",
        "f\n{\"a\": \"x\"}",
        "f\n{\"a\": \"x\"}<|assistant|>f\n{\"a\": \"x\"}",
        "",
    ),
    output(
        "inkling",
        "f<|content_invoke_tool_json|>{\"name\":\"f\",\"args\":{\"a\":\"x\"}}<|end_message|>",
        "f<|content_invoke_tool_json|>{\"name\":\"f\",\"args\":{\"a\":\"x\"}}<|end_message|>\
         <|message_model|>\
         f<|content_invoke_tool_json|>{\"name\":\"f\",\"args\":{\"a\":\"x\"}}<|end_message|>",
        "<|content_thinking|>Hm.<|end_message|><|message_model|>",
    ),
    output(
        "muse_glimmer",
        " to=f<|message|><atem:function_calls>\n<atem:invoke name=\"f\">\n\
         <atem:parameter name=\"a\">x</atem:parameter>\n\
         </atem:invoke>\n</atem:function_calls><|eot|>",
        " to=f<|message|><atem:function_calls>\n<atem:invoke name=\"f\">\n\
         <atem:parameter name=\"a\">x</atem:parameter>\n\
         </atem:invoke>\n</atem:function_calls><|eom|><|start|>assistant\
         \u{20}to=f<|message|><atem:function_calls>\n<atem:invoke name=\"f\">\n\
         <atem:parameter name=\"a\">x</atem:parameter>\n\
         </atem:invoke>\n</atem:function_calls><|eot|>",
        " to=self<|message|>Hm.<|eom|><|start|>assistant",
    ),
];
