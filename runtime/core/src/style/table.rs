//! The forms of all styles of elements.
//!
//! | style | an argument | strings | null, booleans, numbers | arrays, objects |
//! |---|---|---|---|---|
//! | `qwen_xml` | `<parameter=K>V</parameter>` | raw; the template writes a line feed before and behind | JSON | JSON |
//! | `minimax_xml` | `<parameter name="K">V</parameter>` | raw | JSON | JSON |
//! | `deepseek_xml`, `deepseek_v4_1_xml` | `<｜DSML｜parameter name="K" string="S">V</｜DSML｜parameter>` | raw, S is `true` | JSON, S is `false` | JSON, `false` |
//! | `glm_xml` | `<arg_key>K</arg_key><arg_value>V</arg_value>` | raw | JSON | JSON |
//! | `kimi_k3_xml` | an element with the attributes `key` and `type` | raw | JSON | JSON |
//! | `cohere_xml` | `<cofl:value name="K" type="T">V</cofl:value>` | raw, T is `raw` | JSON, `json` | elements, `list`, `dict` |
//! | `minimax_m3_xml` | `]<]minimax[>[<K>V]<]minimax[>[</K>` | raw | JSON | elements, items are `<item>` |

use super::Form;

const PLAIN: Form<'static> = Form::PLAIN;

pub(super) const QWEN: Form<'static> = Form {
    open: "<parameter=",
    key_end: ">",
    end: "</parameter>",
    lines: true,
    trimmed: true,
    forbidden: &['>', '\n'],
    ..PLAIN
};

pub(super) const MINIMAX: Form<'static> = Form {
    open: "<parameter name=\"",
    key_end: "\">",
    end: "</parameter>",
    lines: true,
    forbidden: &['"'],
    ..PLAIN
};

/// Whether a value is a string.
const IS_STRING: [&str; 6] = ["false", "false", "false", "true", "false", "false"];

pub(super) const DEEPSEEK: Form<'static> = Form {
    open: "<｜DSML｜parameter name=\"",
    key_end: "\" string=\"",
    kinds: IS_STRING,
    kind_end: "\">",
    end: "</｜DSML｜parameter>",
    lines: true,
    forbidden: &['"'],
    ..PLAIN
};

pub(super) const DEEPSEEK_V4_1: Form<'static> = Form {
    open: "<｜DSML｜ parameter name=\"",
    end: "</｜DSML｜ parameter>",
    ..DEEPSEEK
};

pub(super) const GLM: Form<'static> = Form {
    open: "<arg_key>",
    key_end: "</arg_key>",
    gap: true,
    kind_end: "<arg_value>",
    end: "</arg_value>",
    lines: true,
    forbidden: &['<'],
    ..PLAIN
};

pub(super) const COHERE: Form<'static> = Form {
    open: "<cofl:value name=\"",
    key_end: "\" type=\"",
    kinds: ["json", "json", "json", "raw", "list", "dict"],
    kind_end: "\">",
    end: "</cofl:value>",
    item: Some("<cofl:value type=\""),
    escapes: &['"', '&', '<', '>'],
    any_key: true,
    ..PLAIN
};

pub(super) const KIMI_K3: Form<'static> = Form {
    open: "<|open|>argument key=\"",
    key_end: "\" type=\"",
    kinds: ["null", "boolean", "number", "string", "array", "object"],
    integer: Some("integer"),
    kind_end: "\"<|sep|>",
    end: "<|close|>argument<|sep|>",
    escapes: &['"', '&'],
    ..PLAIN
};

pub(super) const MINIMAX_M3: Form<'static> = Form {
    open: "]<]minimax[>[<",
    key_end: ">",
    end: "]<]minimax[>[",
    closing: Some(("</", ">")),
    item: Some("]<]minimax[>[<item>"),
    blanks: false,
    forbidden: &['>', ']'],
    not_first: Some('/'),
    ..PLAIN
};
