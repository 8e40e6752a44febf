//! Formats of some model families, with the literals that their chat templates write.

mod messages;

use maskwright_core::calls::Piece::{Arguments, Id, Name, Text};
use maskwright_core::calls::{CallFormat, Layout, Opened, Reasoning, Section, TextFrame};
use maskwright_core::style::Style;
pub use messages::{FUNCTIONARY, HARMONY, KIMI_K3, KIMI_K3_ANSWERS, KIMI_K3_MAY_THINK, MUSE};

const NONE: CallFormat<'static> = CallFormat {
    layout: Layout::Anywhere,
    calls: &[],
    sections: &[],
    separator: "",
    triggers: &[],
    arguments: Style::Json.as_arguments(),
    tools: &[],
    reasoning: None,
    texts: &[],
    end: "",
};

const THINK: Reasoning<'static> = Reasoning {
    begin: "<think>",
    end: "</think>",
    after: "\n\n",
    opened: Opened::Yes,
};

pub const QWEN_3: CallFormat<'static> = CallFormat {
    calls: &[&[
        Text("<tool_call>\n{\"name\": \""),
        Name,
        Text("\", \"arguments\": "),
        Arguments,
        Text("}\n</tool_call>"),
    ]],
    separator: "\n",
    triggers: &["<tool_call>"],
    ..NONE
};

pub const QWEN_3_THINKS: CallFormat<'static> = CallFormat {
    reasoning: Some(THINK),
    ..QWEN_3
};

pub const QWEN_3_MAY_THINK: CallFormat<'static> = CallFormat {
    reasoning: Some(Reasoning {
        opened: Opened::No,
        ..THINK
    }),
    ..QWEN_3
};

pub const LLAMA: CallFormat<'static> = CallFormat {
    calls: &[&[
        Text("{\"name\": \""),
        Name,
        Text("\", \"parameters\": "),
        Arguments,
        Text("}"),
    ]],
    triggers: &["{\"name\": "],
    ..NONE
};

pub const QWEN_3_CODER: CallFormat<'static> = CallFormat {
    calls: &[&[
        Text("<tool_call>\n<function="),
        Name,
        Text(">\n"),
        Arguments,
        Text("\n</function>\n</tool_call>"),
    ]],
    separator: "\n",
    triggers: &["<tool_call>"],
    arguments: Style::QwenXml.as_arguments(),
    tools: &[],
    reasoning: Some(THINK),
    ..NONE
};

pub const KIMI_K2: CallFormat<'static> = CallFormat {
    calls: &[&[
        Text("<|tool_call_begin|>functions."),
        Name,
        Text(":"),
        Id,
        Text("<|tool_call_argument_begin|>"),
        Arguments,
        Text("<|tool_call_end|>"),
    ]],
    sections: &[Section {
        begin: "<|tool_calls_section_begin|>",
        end: "<|tool_calls_section_end|>",
    }],
    triggers: &["<|tool_calls_section_begin|>"],
    reasoning: Some(Reasoning { after: "", ..THINK }),
    ..NONE
};

pub const DEEPSEEK_V3_1: CallFormat<'static> = CallFormat {
    calls: &[&[
        Text("<｜tool▁call▁begin｜>"),
        Name,
        Text("<｜tool▁sep｜>"),
        Arguments,
        Text("<｜tool▁call▁end｜>"),
    ]],
    sections: &[Section {
        begin: "<｜tool▁calls▁begin｜>",
        end: "<｜tool▁calls▁end｜>",
    }],
    triggers: &["<｜tool▁calls▁begin｜>"],
    reasoning: Some(Reasoning { after: "", ..THINK }),
    ..NONE
};

pub const DEEPSEEK_R1: CallFormat<'static> = CallFormat {
    calls: &[&[
        Text("<｜tool▁call▁begin｜>function<｜tool▁sep｜>"),
        Name,
        Text("\n```json\n"),
        Arguments,
        Text("\n```<｜tool▁call▁end｜>"),
    ]],
    separator: "\n",
    ..DEEPSEEK_V3_1
};

pub const DEEPSEEK_V3_2: CallFormat<'static> = CallFormat {
    calls: &[&[
        Text("<｜DSML｜invoke name=\""),
        Name,
        Text("\">\n"),
        Arguments,
        Text("\n</｜DSML｜invoke>"),
    ]],
    sections: &[Section {
        begin: "\n\n<｜DSML｜function_calls>\n",
        end: "\n</｜DSML｜function_calls>",
    }],
    separator: "\n",
    triggers: &["<｜DSML｜function_calls>"],
    arguments: Style::DeepseekXml.as_arguments(),
    tools: &[],
    ..NONE
};

pub const GLM_4_7: CallFormat<'static> = CallFormat {
    calls: &[&[Text("<tool_call>"), Name, Arguments, Text("</tool_call>")]],
    triggers: &["<tool_call>"],
    arguments: Style::GlmXml.as_arguments(),
    tools: &[],
    ..NONE
};

pub const COHERE: CallFormat<'static> = CallFormat {
    calls: &[&[
        Text("<cofl:tool_call id=\""),
        Id,
        Text("\" name=\""),
        Name,
        Text("\">"),
        Arguments,
        Text("</cofl:tool_call>"),
    ]],
    sections: &[Section {
        begin: "<cofl:tool_calls>",
        end: "</cofl:tool_calls>",
    }],
    triggers: &["<cofl:tool_calls>"],
    arguments: Style::CohereXml.as_arguments(),
    tools: &[],
    ..NONE
};

pub const MINIMAX: CallFormat<'static> = CallFormat {
    calls: &[&[
        Text("<invoke name=\""),
        Name,
        Text("\">\n"),
        Arguments,
        Text("</invoke>"),
    ]],
    sections: &[Section {
        begin: "\n<minimax:tool_call>\n",
        end: "\n</minimax:tool_call>",
    }],
    separator: "\n",
    triggers: &["\n<minimax:tool_call>"],
    arguments: Style::MinimaxXml.as_arguments(),
    tools: &[],
    reasoning: Some(THINK),
    ..NONE
};

pub const MINIMAX_M3: CallFormat<'static> = CallFormat {
    calls: &[&[
        Text("]<]minimax[>[<invoke name=\""),
        Name,
        Text("\">"),
        Arguments,
        Text("]<]minimax[>[</invoke>"),
    ]],
    sections: &[Section {
        begin: "]<]minimax[>[<tool_call>\n",
        end: "\n]<]minimax[>[</tool_call>",
    }],
    separator: "\n",
    triggers: &["]<]minimax[>[<tool_call>"],
    arguments: Style::MinimaxM3Xml.as_arguments(),
    tools: &[],
    ..NONE
};

pub const MISTRAL: CallFormat<'static> = CallFormat {
    calls: &[
        &[Text("[TOOL_CALLS]"), Name, Text("[ARGS]"), Arguments],
        &[
            Text("[TOOL_CALLS]"),
            Name,
            Text("[CALL_ID]"),
            Id,
            Text("[ARGS]"),
            Arguments,
        ],
        &[Text("[TOOL_CALLS]"), Name, Arguments],
    ],
    triggers: &["[TOOL_CALLS]"],
    reasoning: Some(Reasoning {
        begin: "[THINK]",
        end: "[/THINK]",
        after: "",
        opened: Opened::No,
    }),
    ..NONE
};

/// Before the tokenizer's version 11.
pub const MISTRAL_LIST: CallFormat<'static> = CallFormat {
    calls: &[&[
        Text("{\"name\": \""),
        Name,
        Text("\", \"arguments\": "),
        Arguments,
        Text("}"),
    ]],
    sections: &[Section {
        begin: "[TOOL_CALLS] [",
        end: "]",
    }],
    separator: ", ",
    triggers: &["[TOOL_CALLS]"],
    ..NONE
};

/// A list of calls as in Python, with what some models write around it and without.
pub const PYTHONIC: CallFormat<'static> = CallFormat {
    layout: Layout::AtStart,
    calls: &[&[Name, Text("("), Arguments, Text(")")]],
    sections: &[
        Section {
            begin: "[",
            end: "]",
        },
        Section {
            begin: "<|python_start|>[",
            end: "]<|python_end|>",
        },
    ],
    separator: ", ",
    arguments: Style::Pythonic.as_arguments(),
    tools: &[],
    ..NONE
};

pub const GEMMA_4: CallFormat<'static> = CallFormat {
    calls: &[&[
        Text("<|tool_call>call:"),
        Name,
        Arguments,
        Text("<tool_call|>"),
    ]],
    triggers: &["<|tool_call>"],
    arguments: Style::Gemma4.as_arguments(),
    tools: &[],
    reasoning: Some(Reasoning {
        begin: "<|channel>thought\n",
        end: "<channel|>",
        after: "",
        opened: Opened::No,
    }),
    ..NONE
};

pub const FUNCTION_GEMMA: CallFormat<'static> = CallFormat {
    calls: &[&[
        Text("<start_function_call>call:"),
        Name,
        Arguments,
        Text("<end_function_call>"),
    ]],
    triggers: &["<start_function_call>"],
    arguments: Style::FunctionGemma.as_arguments(),
    tools: &[],
    ..NONE
};

/// Calls with semicolons between them.
pub const SEMICOLONS: CallFormat<'static> = CallFormat {
    layout: Layout::AtStart,
    calls: LLAMA.calls,
    separator: "; ",
    ..NONE
};

/// As [`QWEN_3`] where the prompt may have begun reasoning.
pub const QWEN_3_MAY_BE_THINKING: CallFormat<'static> = CallFormat {
    reasoning: Some(Reasoning {
        opened: Opened::Perhaps,
        ..THINK
    }),
    ..QWEN_3
};

/// Messages, of which some are sections.
pub const COMMAND_R: CallFormat<'static> = CallFormat {
    layout: Layout::Messages,
    calls: &[&[
        Text("{\"tool_call_id\": \""),
        Id,
        Text("\", \"tool_name\": \""),
        Name,
        Text("\", \"parameters\": "),
        Arguments,
        Text("}"),
    ]],
    sections: &[Section {
        begin: "<|START_ACTION|>[\n    ",
        end: "\n]<|END_ACTION|>",
    }],
    separator: ",\n    ",
    reasoning: Some(Reasoning {
        begin: "<|START_THINKING|>",
        end: "<|END_THINKING|>",
        after: "",
        opened: Opened::No,
    }),
    texts: &[TextFrame {
        begin: "<|START_RESPONSE|>",
        ends: &["<|END_RESPONSE|>"],
        at_start: false,
    }],
    ..NONE
};

/// A name with the arguments behind it, or with something in brackets between them.
pub const MISTRAL_ARGS: CallFormat<'static> = CallFormat {
    calls: &[
        &[Text("[TOOL_CALLS]"), Name, Arguments],
        &[Text("[TOOL_CALLS]"), Name, Text("[ARGS]"), Arguments],
    ],
    triggers: &["[TOOL_CALLS]"],
    ..NONE
};

/// As [`PYTHONIC`] where the prompt may have begun reasoning.
pub const PYTHONIC_MAY_BE_THINKING: CallFormat<'static> = CallFormat {
    reasoning: Some(Reasoning {
        after: "",
        opened: Opened::Perhaps,
        ..THINK
    }),
    ..PYTHONIC
};
