//! Outputs of models read back, whole and as they grow.

mod formats;
mod growing;
mod rendered;
mod texts;

use maskwright_core::calls::{CallFormat, Part};

/// A part in short. Text that comes in several pieces is joined.
fn shown(parts: &[Part<'_>]) -> Vec<String> {
    let mut shown: Vec<(&str, String)> = Vec::new();
    for part in parts {
        let (kind, text) = match part {
            Part::Text(text) => ("text", text.to_string()),
            Part::Reasoning(text) => ("reasoning", text.to_string()),
            Part::Call(call) => {
                let closed = if call.is_closed() {
                    "call"
                } else {
                    "call left open"
                };
                let id = call.id().map_or(String::new(), |id| format!("#{id}"));
                (closed, format!("{}{id} {}", call.name(), call.arguments()))
            }
            Part::CutOff(begun) => {
                let parts = (begun.name(), begun.id(), begun.arguments());
                ("cut off", format!("{parts:?} {}", begun.text()))
            }
        };
        assert!(!text.is_empty(), "an empty part in {parts:?}");
        match shown.last_mut() {
            Some((last, all)) if *last == kind && ["text", "reasoning"].contains(&kind) => {
                all.push_str(&text);
            }
            _ => shown.push((kind, text)),
        }
    }
    let all = shown.into_iter();
    all.map(|(kind, text)| format!("{kind}: {text}")).collect()
}

/// The parts of a finished text.
fn parts(format: &CallFormat<'_>, text: &str) -> Vec<String> {
    shown(&format.parts(text).collect::<Vec<_>>())
}
