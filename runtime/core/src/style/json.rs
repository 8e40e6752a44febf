//! Arguments in a style of elements as JSON.

use super::{Argument, Arguments, Kind, ReadError};
use alloc::string::String;
use core::fmt::Write;

/// Elements, and brackets, may lie in one another no deeper than this.
pub(super) const MAX_DEPTH: usize = 128;

/// The JSON object that arguments say. `kind` tells what each value is: by the schema, or as [`Argument::likely_kind`] guesses; of an array's items
/// and an object's members it is asked too. Takes memory for the result, and time in proportion to the text and its depth.
///
/// ```
/// use maskwright_core::style::{Argument, Arguments, Style, to_json};
///
/// let text = "<parameter=city>Oslo</parameter><parameter=days>3</parameter>";
/// let form = Style::QwenXml.form().ok_or("no elements")?;
/// let json = to_json(Arguments::new(form, text), |argument| argument.likely_kind())?;
/// assert_eq!(json, r#"{"city":"Oslo","days":3}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the text is none of the style, or its elements lie in one another more than 128 deep. Values that are JSON are taken as they are.
pub fn to_json(
    arguments: Arguments<'_>,
    mut kind: impl FnMut(&Argument<'_>) -> Kind,
) -> Result<String, ReadError> {
    to_json_by(arguments, |argument, _| kind(argument))
}

/// The same, where `kind` is told how many elements are around the argument.
pub(crate) fn to_json_by(
    arguments: Arguments<'_>,
    mut kind: impl FnMut(&Argument<'_>, usize) -> Kind,
) -> Result<String, ReadError> {
    let mut out = String::new();
    members(arguments, &mut kind, 0, &mut out)?;
    Ok(out)
}

type Told<'f> = &'f mut dyn FnMut(&Argument<'_>, usize) -> Kind;

fn members(
    elements: Arguments<'_>,
    kind: Told<'_>,
    depth: usize,
    out: &mut String,
) -> Result<(), ReadError> {
    out.push('{');
    for (at, element) in elements.enumerate() {
        let element = element?;
        out.push_str(if at == 0 { "" } else { "," });
        string(element.key_chars(), out);
        out.push(':');
        value(&element, kind, depth, out)?;
    }
    out.push('}');
    Ok(())
}

fn value(
    element: &Argument<'_>,
    kind: Told<'_>,
    depth: usize,
    out: &mut String,
) -> Result<(), ReadError> {
    let (of, inner) = (kind(element, depth), element.elements());
    if depth >= MAX_DEPTH {
        return Err(ReadError { at: element.at() });
    }
    match (of, inner) {
        (Kind::String, _) => string(element.string().chars(), out),
        (Kind::Object, Some(inner)) => members(inner, kind, depth + 1, out)?,
        (Kind::Array, Some(inner)) => {
            out.push('[');
            for (at, item) in inner.enumerate() {
                out.push_str(if at == 0 { "" } else { "," });
                value(&item?, kind, depth + 1, out)?;
            }
            out.push(']');
        }
        _ => out.push_str(element.json()),
    }
    Ok(())
}

/// A string in quotes.
pub(super) fn string(chars: impl Iterator<Item = char>, out: &mut String) {
    out.push('"');
    for char in chars {
        match char {
            '"' | '\\' => out.extend(['\\', char]),
            '\0'..='\u{1f}' => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(char));
            }
            _ => out.push(char),
        }
    }
    out.push('"');
}
