//! Arguments in a style of elements as JSON.

use super::values::Values;
use super::whole::MAX_DEPTH;
use super::{Argument, Arguments, Kind, ReadError};
use alloc::string::String;
use core::fmt::Write;

/// The JSON object that arguments say. `kind` tells what each value is: by the schema, or as
/// [`Argument::likely_kind`] guesses; of an array's items and an object's members it is asked too.
/// Takes memory for the result, and time in proportion to the text and its depth.
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
/// If the text is none of the style, or its elements lie in one another more than 128 deep. Values
/// that are JSON are taken as they are.
pub fn to_json(
    arguments: Arguments<'_>,
    mut kind: impl FnMut(&Argument<'_>) -> Kind,
) -> Result<String, ReadError> {
    let mut out = String::new();
    let mut reading = Reading {
        values: Values(&[]),
        kind: &mut |argument, _| kind(argument),
        out: &mut out,
    };
    reading.members(arguments, 0, 0)?;
    Ok(out)
}

/// The same, where the schema of a tool says what values are.
pub(crate) fn to_json_of(
    arguments: Arguments<'_>,
    values: Values<'_>,
) -> Result<String, ReadError> {
    let mut out = String::new();
    let mut reading = Reading {
        values,
        kind: &mut |argument, value| values.kind(argument, value),
        out: &mut out,
    };
    reading.members(arguments, 0, 0)?;
    Ok(out)
}

/// What tells the kind of an element, given the number of its value.
type Told<'r> = &'r mut dyn FnMut(&Argument<'_>, u32) -> Kind;

/// Elements that are being read.
struct Reading<'r> {
    values: Values<'r>,
    kind: Told<'r>,
    out: &'r mut String,
}

impl Reading<'_> {
    /// The members of the object of this number.
    fn members(
        &mut self,
        elements: Arguments<'_>,
        object: u32,
        depth: usize,
    ) -> Result<(), ReadError> {
        self.out.push('{');
        for (at, element) in elements.enumerate() {
            let element = element?;
            self.out.push_str(if at == 0 { "" } else { "," });
            string(element.key_chars(), self.out);
            self.out.push(':');
            let member = self.values.member(object, element.key_chars());
            self.value(&element, member, depth)?;
        }
        self.out.push('}');
        Ok(())
    }

    fn value(&mut self, element: &Argument<'_>, value: u32, depth: usize) -> Result<(), ReadError> {
        let (of, inner) = ((self.kind)(element, value), element.elements());
        if depth >= MAX_DEPTH {
            return Err(ReadError { at: element.at() });
        }
        match (of, inner) {
            (Kind::String, _) => string(element.string().chars(), self.out),
            (Kind::Object, Some(inner)) => self.members(inner, value, depth + 1)?,
            (Kind::Array, Some(inner)) => {
                let items = self.values.item(value);
                self.out.push('[');
                for (at, item) in inner.enumerate() {
                    self.out.push_str(if at == 0 { "" } else { "," });
                    self.value(&item?, items, depth + 1)?;
                }
                self.out.push(']');
            }
            _ => self.out.push_str(element.json()),
        }
        Ok(())
    }
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
