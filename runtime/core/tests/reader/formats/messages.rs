//! Formats whose outputs are messages, or blocks of one.

use super::NONE;
use maskwright_core::calls::Piece::{Arguments, Id, Name, Text};
use maskwright_core::calls::{CallFormat, Layout, Opened, Reasoning, Section, TextFrame};
use maskwright_core::style::Style;

pub const HARMONY: CallFormat<'static> = CallFormat {
    layout: Layout::Messages,
    calls: &[
        &[
            Text("<|channel|>commentary to=functions."),
            Name,
            Text(" <|constrain|>json<|message|>"),
            Arguments,
            Text("<|call|>"),
        ],
        &[
            Text("<|channel|>commentary to=functions."),
            Name,
            Text(" json<|message|>"),
            Arguments,
            Text("<|call|>"),
        ],
        &[
            Text(" to=functions."),
            Name,
            Text("<|channel|>commentary <|constrain|>json<|message|>"),
            Arguments,
            Text("<|call|>"),
        ],
    ],
    separator: "<|start|>assistant",
    reasoning: Some(Reasoning {
        begin: "<|channel|>analysis<|message|>",
        end: "<|end|>",
        after: "",
        opened: Opened::No,
    }),
    texts: &[
        TextFrame {
            begin: "<|channel|>final<|message|>",
            ends: &["<|end|>", "<|return|>"],
            at_start: false,
        },
        TextFrame {
            begin: "<|channel|>commentary<|message|>",
            ends: &["<|end|>"],
            at_start: false,
        },
    ],
    ..NONE
};

/// A call begins with its name, and the separator ends a text.
pub const FUNCTIONARY: CallFormat<'static> = CallFormat {
    layout: Layout::Messages,
    calls: &[&[Name, Text("\n"), Arguments]],
    separator: ">>>",
    texts: &[TextFrame {
        begin: "all\n",
        ends: &[],
        at_start: false,
    }],
    ..NONE
};

/// A call begins as reasoning and texts do.
pub const MUSE: CallFormat<'static> = CallFormat {
    layout: Layout::Messages,
    calls: &[&[
        Text(" to="),
        Name,
        Text("<|message|><atem:invoke name=\""),
        Name,
        Text("\">\n"),
        Arguments,
        Text("</atem:invoke><|eom|>"),
    ]],
    separator: "<|start|>assistant",
    arguments: Style::MinimaxXml.as_arguments(),
    reasoning: Some(Reasoning {
        begin: " to=self<|message|>",
        end: "<|eom|>",
        after: "",
        opened: Opened::No,
    }),
    texts: &[TextFrame {
        begin: " to=user<|message|>",
        ends: &["<|eot|>", "<|eom|>"],
        at_start: false,
    }],
    ..NONE
};

pub const KIMI_K3: CallFormat<'static> = CallFormat {
    layout: Layout::Blocks,
    calls: &[&[
        Text("<|open|>call tool=\""),
        Name,
        Text("\" index=\""),
        Id,
        Text("\"<|sep|>"),
        Arguments,
        Text("<|close|>call<|sep|>"),
    ]],
    sections: &[Section {
        begin: "<|open|>tools<|sep|>",
        end: "<|close|>tools<|sep|>",
    }],
    arguments: Style::KimiK3Xml.as_arguments(),
    tools: &[],
    reasoning: Some(Reasoning {
        begin: "<|open|>think<|sep|>",
        end: "<|close|>think<|sep|>",
        after: "",
        opened: Opened::Yes,
    }),
    texts: &[TextFrame {
        begin: "<|open|>response<|sep|>",
        ends: &["<|close|>response<|sep|>"],
        at_start: false,
    }],
    end: "<|close|>message<|sep|>",
    ..NONE
};

/// As [`KIMI_K3`] where the prompt has begun the text.
pub const KIMI_K3_ANSWERS: CallFormat<'static> = CallFormat {
    reasoning: None,
    texts: &[TextFrame {
        begin: "<|open|>response<|sep|>",
        ends: &["<|close|>response<|sep|>"],
        at_start: true,
    }],
    ..KIMI_K3
};

/// As [`KIMI_K3`] where the prompt may have begun the one or the other.
pub const KIMI_K3_MAY_THINK: CallFormat<'static> = CallFormat {
    texts: KIMI_K3_ANSWERS.texts,
    reasoning: Some(Reasoning {
        begin: "<|open|>think<|sep|>",
        end: "<|close|>think<|sep|>",
        after: "",
        opened: Opened::Perhaps,
    }),
    ..KIMI_K3
};
