//! The styles in which models write the arguments of a tool.
//!
//! There are two sorts. Some write one text of brackets, commas, keys and values, as JSON does:
//! their [`Notation`] says with which quotes and words. The others write elements, one for each
//! argument: their [`Form`] says with which tags. Both are data that the compiler makes grammars
//! from and that readers take arguments apart by.
//!
//! Programs hold forms that the compiler emitted as expressions, so that forms and notations are
//! open to be built. The compiler has a grammar for each variant of the enums, and a match that
//! leaves none out. So none of these types is `#[non_exhaustive]`: a new field or variant comes
//! with a new version.
//!
//! | what | notations | forms |
//! |---|---|---|
//! | where the arguments end | [`Notation::extent`] | [`Form::extent`] |
//! | the arguments one by one | | [`Arguments`] |
//! | the arguments as JSON | `Notation::to_json` | `to_json` |

#[cfg(feature = "alloc")]
mod decimal;
mod extent;
mod form;
#[cfg(feature = "alloc")]
mod json;
mod notation;
#[cfg(feature = "alloc")]
mod notation_json;
mod read;
mod table;
mod values;
mod whole;

pub use form::{ENTITIES, Form, Kind};
#[cfg(feature = "alloc")]
pub use json::to_json;
#[cfg(feature = "alloc")]
pub(crate) use json::to_json_of;
pub use notation::{Keys, Notation, Quoting};
pub use read::{Argument, Arguments, ReadError};
pub use values::ValueKinds;
#[cfg(feature = "alloc")]
pub(crate) use values::Values;

use core::fmt;
use core::str::FromStr;

/// How the values of a JSON Schema are written: as JSON, or as the arguments of a tool in a model's
/// own way.
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
    /// `city="Oslo", days=3`, as in a call of Python: Llama 4, LFM2.
    Pythonic,
    /// The same with values as JSON, `sunny=true`: OLMo 3.
    PythonicJson,
    /// `{city:<|"|>Oslo<|"|>,days:3}`: Gemma 4.
    Gemma4,
    /// `{city:<escape>Oslo<escape>,days:3}`: FunctionGemma.
    FunctionGemma,
}

impl Style {
    /// All styles.
    pub const ALL: [Style; 13] = [
        Style::Json,
        Style::QwenXml,
        Style::MinimaxXml,
        Style::DeepseekXml,
        Style::GlmXml,
        Style::CohereXml,
        Style::KimiK3Xml,
        Style::MinimaxM3Xml,
        Style::DeepseekV41Xml,
        Style::Pythonic,
        Style::PythonicJson,
        Style::Gemma4,
        Style::FunctionGemma,
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
            Style::Pythonic => "pythonic",
            Style::PythonicJson => "pythonic_json",
            Style::Gemma4 => "gemma_4",
            Style::FunctionGemma => "function_gemma",
        }
    }

    /// How elements are written; nothing for styles that have none.
    pub const fn form(self) -> Option<&'static Form<'static>> {
        match self {
            Style::Json
            | Style::Pythonic
            | Style::PythonicJson
            | Style::Gemma4
            | Style::FunctionGemma => None,
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

    /// How values are written in brackets; nothing for styles of elements.
    pub const fn notation(self) -> Option<&'static Notation> {
        match self {
            Style::Json => Some(&Notation::JSON),
            Style::Pythonic => Some(&Notation::PYTHON),
            Style::PythonicJson => Some(&Notation::PYTHON_JSON),
            Style::Gemma4 => Some(&Notation::GEMMA_4),
            Style::FunctionGemma => Some(&Notation::FUNCTION_GEMMA),
            _ => None,
        }
    }

    /// How many bytes the arguments at the beginning of a text take, or nothing if they may go on
    /// behind its end: [`Notation::extent`] or [`Form::extent`].
    ///
    /// ```
    /// use maskwright_core::style::Style;
    ///
    /// assert_eq!(Style::Json.extent(r#"{"city": "}"}</tool_call>"#), Some(13));
    /// assert_eq!(Style::Json.extent(r#"{"city": "}"#), None);
    /// assert_eq!(Style::Pythonic.extent(r#"city=")", days=3) and more"#), Some(16));
    /// let qwen = "<parameter=city>Oslo</parameter>\n</function>";
    /// assert_eq!(Style::QwenXml.extent(qwen), Some(32));
    /// ```
    pub fn extent(self, text: &str) -> Option<usize> {
        match (self.notation(), self.form()) {
            (Some(notation), _) => notation.extent(text),
            (None, Some(form)) => form.extent(text),
            (None, None) => Some(0),
        }
    }
}

/// How arguments are written: in a style, or in elements that no style has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentStyle<'f> {
    /// In this style.
    Named(Style),
    /// In elements of this form.
    Form(&'f Form<'f>),
}

impl Style {
    /// The same where arguments may also be elements of another form.
    pub const fn as_arguments(self) -> ArgumentStyle<'static> {
        ArgumentStyle::Named(self)
    }
}

impl<'f> ArgumentStyle<'f> {
    /// How elements are written, if arguments are such.
    pub const fn form(&self) -> Option<&Form<'f>> {
        match self {
            ArgumentStyle::Named(style) => style.form(),
            ArgumentStyle::Form(form) => Some(form),
        }
    }

    /// How values are written in brackets, if arguments are no elements.
    pub const fn notation(&self) -> Option<&'static Notation> {
        match self {
            ArgumentStyle::Named(style) => style.notation(),
            ArgumentStyle::Form(_) => None,
        }
    }
}

impl From<Style> for ArgumentStyle<'_> {
    fn from(style: Style) -> Self {
        ArgumentStyle::Named(style)
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

    /// The style of this name; `gemma` is how XGrammar calls `gemma_4`.
    fn from_str(text: &str) -> Result<Self, UnknownStyle> {
        let text = if text == "gemma" { "gemma_4" } else { text };
        let mut all = Style::ALL.into_iter();
        all.find(|style| style.name() == text).ok_or(UnknownStyle)
    }
}
