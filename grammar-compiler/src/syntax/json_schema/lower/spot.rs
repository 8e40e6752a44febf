//! Where a value's text stands: it decides how the value is written.

use maskwright_core::style::{Form, Style};

/// Where a value's text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Spot {
    /// In JSON, so many brackets deep.
    Json(u32),
    /// The whole text of a style of elements: the arguments.
    Arguments,
    /// In an element. Of the values only those that this word stands for; the text goes on to the end of the element, up to the
    /// key that a closing tag repeats.
    Element(Word),
}

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
    pub fn text(self, form: &Form) -> &'static str {
        match self {
            Word::Kind(at) => form.kinds.get(usize::from(at)).copied().unwrap_or_default(),
            Word::Integer => form.integer.unwrap_or_default(),
        }
    }
}

impl Spot {
    /// Where the whole value stands.
    pub fn whole(style: Style) -> Self {
        match style.form() {
            None => Spot::Json(0),
            Some(_) => Spot::Arguments,
        }
    }

    /// The brackets around the value; only in JSON are there any.
    pub fn level(self) -> u32 {
        match self {
            Spot::Json(level) => level,
            Spot::Arguments | Spot::Element(_) => 0,
        }
    }
}
