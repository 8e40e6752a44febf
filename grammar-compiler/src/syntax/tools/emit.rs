//! The format of outputs, as the runtime's reader takes it.
//!
//! In: [`ToolCalls`]. Out: [`CallFormat`], which borrows the texts.

use super::format::{OpenedBy, Piece, Place};
use super::{CalledTool, Reasoning, ToolCalls};
use maskwright_core::calls::{self, CallFormat, Layout, Opened, Section, TextFrame, Tool};
use maskwright_core::style::{ArgumentStyle, ValueKinds};

impl ToolCalls {
    /// Calls `use_it` with the format of the outputs, for
    /// [`CallFormat::parts`](maskwright_core::calls::CallFormat).
    pub fn with_format<R>(&self, use_it: impl FnOnce(&CallFormat<'_>) -> R) -> R {
        let format = &self.format;
        let ways: Vec<Vec<calls::Piece<'_>>> = (format.calls().iter())
            .filter(|_| self.has_calls)
            .map(|call| call.pieces().iter().map(piece).collect())
            .collect();
        let ways: Vec<&[calls::Piece<'_>]> = ways.iter().map(Vec::as_slice).collect();
        let sections: Vec<Section<'_>> = (format.sections().iter())
            .filter(|_| self.has_calls)
            .map(|section| Section {
                begin: &section.begin.value,
                end: &section.end.value,
            })
            .collect();
        let triggers = format.triggers_of(self.blanks);
        let triggers: Vec<&str> = (triggers.iter())
            .filter(|_| self.has_calls)
            .map(|text| text.value.as_str())
            .collect();
        let frames = format.texts().iter();
        let ends: Vec<Vec<&str>> = frames
            .map(|frame| frame.ends.iter().map(|end| end.value.as_str()).collect())
            .collect();
        let texts: Vec<Vec<ValueTexts<'_>>> = self.tools.iter().map(CalledTool::texts).collect();
        let values: Vec<Vec<ValueKinds<'_>>> = (self.tools.iter().zip(&texts))
            .map(|(tool, texts)| tool.values(texts))
            .collect();
        let tools = self.tools.iter().zip(&values);
        let tools: Vec<Tool<'_>> = tools
            .map(|(tool, values)| Tool {
                name: &tool.name,
                values,
            })
            .collect();
        let form = format.form().map(|form| form.form());
        let at_start = self.begins_with_text();
        let frames = format.texts().iter().zip(&ends);
        let texts: Vec<TextFrame<'_>> = frames
            .map(|(frame, ends)| TextFrame {
                begin: &frame.begin.value,
                ends,
                at_start,
            })
            .collect();
        use_it(&CallFormat {
            layout: format.layout(),
            calls: &ways,
            sections: &sections,
            separator: self.separator(),
            triggers: match format.layout() {
                Layout::Anywhere => &triggers,
                _ => &[],
            },
            arguments: match &form {
                Some(form) => ArgumentStyle::Form(form),
                None => ArgumentStyle::Named(format.arguments()),
            },
            tools: &tools,
            reasoning: self.reasoning(),
            texts: &texts,
            end: &format.end().value,
        })
    }

    /// How reasoning is written, if outputs have some.
    fn reasoning(&self) -> Option<calls::Reasoning<'_>> {
        let reasoning = self.format.reasoning();
        let reasoning = reasoning.filter(|_| self.reasoning != Reasoning::None)?;
        Some(calls::Reasoning {
            begin: &reasoning.begin.value,
            end: &reasoning.end.value,
            after: &reasoning.after.value,
            opened: self.opened(reasoning.opened_by),
        })
    }

    /// The separator between calls or messages.
    fn separator(&self) -> &str {
        let format = &self.format;
        match self.has_calls || format.sections().is_empty() {
            true => &format.separator().value,
            // In a format with sections, the separator stands between calls, and there are none.
            false => "",
        }
    }

    /// Whether an output may begin within the text of a frame.
    fn begins_with_text(&self) -> bool {
        let may_not_think = matches!(self.reasoning, Reasoning::None | Reasoning::Optional);
        self.format.layout() == Layout::Blocks && (may_not_think || !self.format.has_reasoning())
    }

    /// Whether the prompt has opened reasoning. In blocks, it always opens the first one.
    fn opened(&self, opened_by: OpenedBy) -> Opened {
        let layout = self.format.layout();
        match (self.reasoning, layout, opened_by) {
            (Reasoning::Opened, _, _) | (Reasoning::Required, Layout::Blocks, _) => Opened::Yes,
            (Reasoning::Optional, Layout::Blocks, _) => Opened::Perhaps,
            (_, Layout::Messages, _) | (_, _, OpenedBy::Model) => Opened::No,
            (Reasoning::Required, _, _) => Opened::Yes,
            (Reasoning::Optional, _, OpenedBy::Prompt) => Opened::Perhaps,
            _ => Opened::No,
        }
    }
}

/// The lists of a value, of borrowed texts.
struct ValueTexts<'t> {
    numbers: Vec<&'t str>,
    members: Vec<(&'t str, u32)>,
    required: Vec<&'t str>,
}

impl CalledTool {
    fn texts(&self) -> Vec<ValueTexts<'_>> {
        let values = self.values.iter();
        let texts = values.map(|value| ValueTexts {
            numbers: value.numbers.iter().map(String::as_str).collect(),
            members: (value.members.iter())
                .map(|(name, member)| (name.as_str(), *member))
                .collect(),
            required: value.required.iter().map(String::as_str).collect(),
        });
        texts.collect()
    }

    fn values<'t>(&self, texts: &'t [ValueTexts<'_>]) -> Vec<ValueKinds<'t>> {
        let values = self.values.iter().zip(texts);
        let values = values.map(|(value, texts)| ValueKinds {
            kinds: value.kinds,
            numbers: &texts.numbers,
            members: &texts.members,
            required: &texts.required,
            others: value.others,
            items: value.items,
        });
        values.collect()
    }
}

fn piece(piece: &Piece) -> calls::Piece<'_> {
    match piece {
        Piece::Text(text) => calls::Piece::Text(text),
        Piece::Place(Place::Name) => calls::Piece::Name,
        Piece::Place(Place::Id) => calls::Piece::Id,
        Piece::Place(Place::Arguments) => calls::Piece::Arguments,
    }
}
