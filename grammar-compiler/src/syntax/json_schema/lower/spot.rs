//! The spot of a value's text, which decides how the value is written.

use crate::maps::own_keys;
use maskwright_core::style::{Form, Notation};

/// Where a value's text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ValueSpot {
    /// In JSON or in another notation with brackets, at this depth of brackets.
    Json(u32),
    /// The whole text, where that is the arguments of a tool.
    Arguments,
    /// In an element. Of the values only those that this word stands for; the text goes on to the
    /// end of the element, up to the key that a closing tag repeats.
    Element(Word),
}

own_keys!(ValueSpot);

/// A word for the kind of a value, in an element's tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Word {
    /// A word of [`Form::kinds`]: the first place where it stands there.
    Kind(u8),
    /// [`Form::integer`].
    Integer,
}

impl Word {
    /// The word as it is written.
    pub fn text<'f>(self, form: &Form<'f>) -> &'f str {
        match self {
            Word::Kind(at) => form.kinds.get(usize::from(at)).copied().unwrap_or_default(),
            Word::Integer => form.integer.unwrap_or_default(),
        }
    }
}

impl ValueSpot {
    /// Where the whole value stands.
    pub fn whole(form: Option<&Form<'_>>, notation: &Notation, arguments: bool) -> Self {
        match form.is_none() && *notation == Notation::JSON && !arguments {
            true => ValueSpot::Json(0),
            false => ValueSpot::Arguments,
        }
    }

    /// The brackets around the value, if they are told apart.
    pub fn level(self) -> u32 {
        match self {
            ValueSpot::Json(level) => level,
            ValueSpot::Arguments | ValueSpot::Element(_) => 0,
        }
    }
}
