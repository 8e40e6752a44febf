//! The styles in which models write the arguments of a tool.
//!
//! In `json` arguments are one JSON object. In all others they are elements, one for each argument, as the style's [`Form`] says. A form is
//! data that the compiler makes grammars from and that a reader takes arguments apart by.

mod form;
#[cfg(feature = "alloc")]
mod json;
mod read;
mod table;

pub use form::{Form, Kind};
#[cfg(feature = "alloc")]
pub use json::to_json;
pub use read::{Argument, Arguments, ReadError};

use core::fmt;
use core::str::FromStr;

/// How the values of a JSON Schema are written: as JSON, or as the arguments of a tool in a model's own elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Style {
    /// JSON.
    #[default]
    Json,
    /// `<parameter=K>V</parameter>`: Qwen3-Coder, Qwen 3.5, MiMo, Nemotron 3, Step 3.5.
    QwenXml,
    /// `<parameter name="K">V</parameter>`: MiniMax M2.
    MinimaxXml,
    /// `<｜DSML｜parameter name="K" string="true">V</｜DSML｜parameter>`: DeepSeek V3.2, V4.
    DeepseekXml,
    /// `<arg_key>K</arg_key><arg_value>V</arg_value>`: GLM 4.5 to 5.
    GlmXml,
    /// `<cofl:value name="K" type="T">V</cofl:value>`, also for items and members: Command A+.
    CohereXml,
    /// `<|open|>argument key="K" type="T"<|sep|>V<|close|>argument<|sep|>`: Kimi K3.
    KimiK3Xml,
    /// `]<]minimax[>[<K>V]<]minimax[>[</K>`, also for items and members: MiniMax M3.
    MinimaxM3Xml,
    /// As [`Style::DeepseekXml`] with a blank before the element's name: DeepSeek V4.1.
    DeepseekV41Xml,
}

impl Style {
    /// All styles.
    pub const ALL: [Style; 9] = [
        Style::Json,
        Style::QwenXml,
        Style::MinimaxXml,
        Style::DeepseekXml,
        Style::GlmXml,
        Style::CohereXml,
        Style::KimiK3Xml,
        Style::MinimaxM3Xml,
        Style::DeepseekV41Xml,
    ];

    /// The style's name, as [`Style::from_str`] reads it.
    pub const fn name(self) -> &'static str {
        match self {
            Style::Json => "json",
            Style::QwenXml => "qwen_xml",
            Style::MinimaxXml => "minimax_xml",
            Style::DeepseekXml => "deepseek_xml",
            Style::GlmXml => "glm_xml",
            Style::CohereXml => "cohere_xml",
            Style::KimiK3Xml => "kimi_k3_xml",
            Style::MinimaxM3Xml => "minimax_m3_xml",
            Style::DeepseekV41Xml => "deepseek_v4_1_xml",
        }
    }

    /// How elements are written; nothing for JSON.
    pub const fn form(self) -> Option<&'static Form> {
        match self {
            Style::Json => None,
            Style::QwenXml => Some(&table::QWEN),
            Style::MinimaxXml => Some(&table::MINIMAX),
            Style::DeepseekXml => Some(&table::DEEPSEEK),
            Style::GlmXml => Some(&table::GLM),
            Style::CohereXml => Some(&table::COHERE),
            Style::KimiK3Xml => Some(&table::KIMI_K3),
            Style::MinimaxM3Xml => Some(&table::MINIMAX_M3),
            Style::DeepseekV41Xml => Some(&table::DEEPSEEK_V4_1),
        }
    }
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// That no style has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownStyle;

impl fmt::Display for UnknownStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a style: ")?;
        for (at, style) in Style::ALL.iter().enumerate() {
            let joint = match at {
                0 => "",
                _ if at + 1 == Style::ALL.len() => " or ",
                _ => ", ",
            };
            write!(f, "{joint}`{style}`")?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownStyle {}

impl FromStr for Style {
    type Err = UnknownStyle;

    fn from_str(text: &str) -> Result<Self, UnknownStyle> {
        let mut all = Style::ALL.into_iter();
        all.find(|style| style.name() == text).ok_or(UnknownStyle)
    }
}
