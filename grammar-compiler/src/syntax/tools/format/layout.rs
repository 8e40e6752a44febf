//! Whether a format has what its layout needs.
//!
//! In: the fields of a format. Out: errors, each with its place. What holds without errors: every
//! field has a meaning in the layout, and each trigger begins the calls or sections that it
//! announces.

use super::template::Template;
use super::{Layout, ToolFormat};
use crate::source::Span;
use crate::syntax::fields::{DOING, FieldReader, FieldText};
use crate::syntax::json_schema::document::JsonNode;

/// Marks what a layout lacks, and what has no meaning in it.
pub(super) fn check(reader: &mut FieldReader<'_>, node: &JsonNode, format: &ToolFormat) {
    has_what_it_needs(reader, node, format);
    has_nothing_else(reader, node, format);
    triggers_begin_calls(reader, format);
}

/// The place of a field, or of all of the format if it has no such field.
fn place(node: &JsonNode, name: &str) -> Span {
    node.get(name).map_or(node.span, |value| value.span)
}

fn is_framed(layout: Layout) -> bool {
    matches!(layout, Layout::Blocks | Layout::Messages)
}

fn has_what_it_needs(reader: &mut FieldReader<'_>, node: &JsonNode, format: &ToolFormat) {
    let one_of_each = format.sections.len() == 1 && format.texts.len() == 1;
    let is_separated = format.layout == Layout::Messages
        && format.sections.is_empty()
        && !format.separator.value.is_empty();
    let mut frames = format.texts.iter();
    let needs = [
        (
            is_framed(format.layout) && !is_separated && frames.any(|text| text.ends.is_empty()),
            "nothing ends a text",
            "say in `end` of each `text` what ends it; a `separator` between messages does so, too",
        ),
        (
            is_framed(format.layout) && format.texts.is_empty(),
            "this layout has frames around texts",
            "say in `text` what texts begin and end with",
        ),
        (
            format.layout == Layout::Blocks && !one_of_each,
            "this layout is one text and one section",
            "give one `section` and one `text`",
        ),
        (
            format.layout == Layout::AtStart && format.sections.is_empty(),
            "this layout needs a frame around calls",
            "give a `section`, such as `{\"begin\": \"[\", \"end\": \"]\"}`",
        ),
    ];
    for (_, message, help) in needs.into_iter().filter(|need| need.0) {
        reader.malformed(place(node, "layout"), message, help);
    }
}

fn has_nothing_else(reader: &mut FieldReader<'_>, node: &JsonNode, format: &ToolFormat) {
    let is_anywhere = format.layout == Layout::Anywhere;
    let is_blocks = format.layout == Layout::Blocks;
    let useless = [
        (
            !is_framed(format.layout) && !format.texts.is_empty(),
            "text",
        ),
        (!is_blocks && !format.end.value.is_empty(), "end"),
        (!is_anywhere && !format.triggers.is_empty(), "trigger"),
        (!is_anywhere && !format.before.value.is_empty(), "before"),
    ];
    for (_, name) in useless.into_iter().filter(|useless| useless.0) {
        let message = format!("`{name}` has no meaning in this layout");
        let help = "leave it out, or choose another `layout`";
        reader.malformed(place(node, name), message, help);
    }
}

/// Each trigger must begin what it announces, and each call or section needs one.
fn triggers_begin_calls(reader: &mut FieldReader<'_>, format: &ToolFormat) {
    if format.triggers.is_empty() {
        return;
    }
    let begins: Vec<FieldText> = match format.sections.as_slice() {
        [] => format.calls.iter().map(Template::begin).collect(),
        sections => sections.iter().map(|s| s.begin.clone()).collect(),
    };
    let begins_with =
        |begin: &FieldText, trigger: &FieldText| begin.value.starts_with(&trigger.value);
    // A comparison takes no more steps than the shorter of both texts has bytes.
    let bytes = |texts: &[FieldText]| texts.iter().map(|text| 1 + text.value.len()).sum::<usize>();
    let (of_triggers, of_begins) = (bytes(&format.triggers), bytes(&begins));
    for trigger in &format.triggers {
        let steps = of_begins.min(begins.len().saturating_mul(1 + trigger.value.len()));
        if reader.deadline.stops_after(steps, DOING) {
            return;
        }
        if !begins.iter().any(|begin| begins_with(begin, trigger)) {
            let message = format!("nothing begins with the trigger `{}`", trigger.value);
            let help = "write the beginning of a section or, without sections, of a call up to its first place";
            reader.malformed(trigger.span, message, help);
        }
    }
    for begin in &begins {
        let triggers = format.triggers.len();
        let steps = of_triggers.min(triggers.saturating_mul(1 + begin.value.len()));
        if reader.deadline.stops_after(steps, DOING) {
            return;
        }
        // If there is one trigger and one beginning that does not fit, the trigger was marked.
        if format.triggers.len() == 1 && begins.len() == 1 {
            continue;
        }
        let triggers = format.triggers.iter();
        let fitting = triggers.filter(|trigger| begins_with(begin, trigger));
        if fitting.count() != 1 {
            let message = "this begins with no trigger, or with two";
            reader.malformed(begin.span, message, "give one trigger for each beginning");
        }
    }
}
