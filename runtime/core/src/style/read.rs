//! Arguments read back from a text in a style of elements.
//!
//! In: a finished text, such as the runtime's masks allow under a schema with this style. Out: each
//! argument's key, what its tag says of its value, and the value's text, up to the first
//! [`Form::end`]; nothing is copied. Blanks between elements are left out. Arrays and objects that
//! are elements too are read by the same iterator.

use super::form::ENTITIES;
use super::whole::is_json;
use super::{Form, Kind};
use core::fmt;

/// Iterates over the elements of a text: arguments, members of an object, or items of an array.
///
/// ```
/// use maskwright_core::style::{Arguments, Style};
///
/// let text = "<parameter=city>\nOslo\n</parameter>\n<parameter=days>3</parameter>";
/// let form = Style::QwenXml.form().ok_or("no elements")?;
/// let mut arguments = Arguments::new(form, text);
/// let city = arguments.next().ok_or("no argument")??;
/// assert!(city.is_key("city"));
/// assert_eq!(city.string(), "Oslo");
/// let days = arguments.next().ok_or("no argument")??;
/// assert_eq!((days.key(), days.json()), (Some("days"), "3"));
/// assert!(arguments.next().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Arguments<'t> {
    form: &'t Form<'t>,
    rest: &'t str,
    /// Where `rest` begins in the whole text.
    at: usize,
    is_over: bool,
}

/// An element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Argument<'t> {
    form: &'t Form<'t>,
    key: Option<&'t str>,
    word: &'t str,
    text: &'t str,
    at: usize,
}

/// Why a text cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadError {
    /// The byte from which on there is no whole element, or no value.
    pub at: usize,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no whole argument at byte {}", self.at)
    }
}

impl core::error::Error for ReadError {}

impl<'t> Arguments<'t> {
    /// The elements of a text.
    pub const fn new(form: &'t Form<'t>, text: &'t str) -> Self {
        Arguments {
            form,
            rest: text,
            at: 0,
            is_over: false,
        }
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
        self.at += bytes;
    }
}

impl<'t> Iterator for Arguments<'t> {
    type Item = Result<Argument<'t>, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.skip(self.rest.len() - self.rest.trim_start().len());
        if self.rest.is_empty() || self.is_over {
            return None;
        }
        let Ok((element, length)) = element(self.form, self.rest) else {
            self.is_over = true;
            return Some(Err(ReadError { at: self.at }));
        };
        let at = self.at + element.at;
        self.skip(length);
        Some(Ok(Argument { at, ..element }))
    }
}

impl<'t> Argument<'t> {
    /// The key as it is written; nothing for an array's items, or [`Form::ITEM`] where tags name
    /// them.
    pub const fn key(&self) -> Option<&'t str> {
        self.key
    }

    /// The characters of the key; none for an array's items.
    pub fn key_chars(&self) -> impl Iterator<Item = char> + Clone + use<'t> {
        let mut rest = self.key.unwrap_or_default();
        let escapes = self.form.escapes;
        core::iter::from_fn(move || {
            let mut entities = ENTITIES.iter().filter(|entity| escapes.contains(&entity.0));
            let (char, length) = match entities.find(|entity| rest.starts_with(entity.1)) {
                Some(&(char, text)) => (char, text.len()),
                None => rest.chars().next().map(|char| (char, char.len_utf8()))?,
            };
            rest = rest.get(length..).unwrap_or_default();
            Some(char)
        })
    }

    /// Whether this is the key.
    pub fn is_key(&self, key: &str) -> bool {
        self.key.is_some() && self.key_chars().eq(key.chars())
    }

    /// What the tag says of the value; empty where it says nothing.
    pub const fn word(&self) -> &'t str {
        self.word
    }

    /// Whether the value may be of this kind, by what the tag says. Where it says nothing, that is
    /// for the schema to know.
    pub fn may_be(&self, kind: Kind) -> bool {
        let integer = kind == Kind::Number && self.form.integer == Some(self.word);
        integer || self.form.kind(kind) == self.word
    }

    /// What the value is, if the tag says it; else what its text looks like: elements; `null`,
    /// `true`, `false`, a number, an array or an object, if the text is JSON; or a string. Where
    /// arrays and objects are elements, what is in brackets is a string. With a schema at hand, ask
    /// the schema.
    pub fn likely_kind(&self) -> Kind {
        let mut possible = Kind::ALL.into_iter().filter(|&kind| self.may_be(kind));
        if let (Some(only), None) = (possible.next(), possible.next()) {
            return only;
        }
        let inner = self.elements().and_then(|mut inner| inner.next()?.ok());
        if let Some(first) = inner {
            return match first.key {
                None | Some(Form::ITEM) => Kind::Array,
                Some(_) => Kind::Object,
            };
        }
        let text = self.json();
        let is_bracketed = text.starts_with(['{', '[']);
        let looks = match text.as_bytes() {
            // Where arrays and objects are elements, what is in brackets is a string.
            _ if !is_json(text) || is_bracketed && self.form.item.is_some() => Kind::String,
            [b'n', ..] => Kind::Null,
            [b't' | b'f', ..] => Kind::Boolean,
            [b'{', ..] => Kind::Object,
            [b'[', ..] => Kind::Array,
            [b'"', ..] => Kind::String,
            _ => Kind::Number,
        };
        match self.may_be(looks) {
            true => looks,
            false => Kind::String,
        }
    }

    /// The value's text, all of it.
    pub const fn text(&self) -> &'t str {
        self.text
    }

    /// The byte at which the value's text begins.
    pub const fn at(&self) -> usize {
        self.at
    }

    /// The value if it is a string.
    pub fn string(&self) -> &'t str {
        match self.form.trimmed {
            true => {
                let text = self.text.strip_prefix('\n').unwrap_or(self.text);
                text.strip_suffix('\n').unwrap_or(text)
            }
            false => self.text,
        }
    }

    /// The JSON text of the value if it is no string.
    pub fn json(&self) -> &'t str {
        self.text.trim()
    }

    /// The elements of the value if it is an array or an object and the style writes these so.
    pub fn elements(&self) -> Option<Arguments<'t>> {
        let composite = self.may_be(Kind::Array) || self.may_be(Kind::Object);
        (composite && self.form.item.is_some()).then_some(Arguments {
            form: self.form,
            rest: self.text,
            at: self.at,
            is_over: false,
        })
    }
}

/// Why there is no element at the beginning of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The text ends within what may become one.
    Cut,
    /// Whatever follows, there is none.
    Wrong,
}

/// What is behind a prefix.
fn strip<'t>(text: &'t str, prefix: &str) -> Result<&'t str, Stop> {
    text.strip_prefix(prefix)
        .ok_or(match prefix.starts_with(text) {
            true => Stop::Cut,
            false => Stop::Wrong,
        })
}

/// The element at the beginning of a text, and how many bytes it takes. Looks at no byte behind it
/// but for the rest of its tags.
pub(super) fn element<'t>(
    form: &'t Form<'t>,
    text: &'t str,
) -> Result<(Argument<'t>, usize), Stop> {
    let (key, word, rest) = tag(form, text)?;
    let at = text.len() - rest.len();
    let length = match form.item {
        Some(item) if is_nested(form, word) => nested(form, item, rest)?,
        _ => rest.find(form.end).ok_or(Stop::Cut)?,
    };
    let value = rest.get(..length).ok_or(Stop::Cut)?;
    let mut behind = rest.get(length + form.end.len()..).ok_or(Stop::Cut)?;
    if let Some((before, after)) = form.closing {
        behind = strip(behind, before)?;
        behind = strip(behind, key.unwrap_or(Form::ITEM))?;
        behind = strip(behind, after)?;
    }
    let argument = Argument {
        form,
        key,
        word,
        text: value,
        at,
    };
    Ok((argument, text.len() - behind.len()))
}

/// A tag: its key if it has one, its word, and what is behind it.
type Tag<'t> = (Option<&'t str>, &'t str, &'t str);

/// The tag at the beginning of a text.
fn tag<'t>(form: &Form<'_>, text: &'t str) -> Result<Tag<'t>, Stop> {
    let (key, rest) = match (strip(text, form.open), form.item) {
        (Ok(rest), _) => {
            let is_none = rest.starts_with(form.key_end)
                || form.not_first.is_some_and(|first| rest.starts_with(first));
            if is_none {
                return Err(Stop::Wrong);
            }
            let (key, rest) = rest.split_once(form.key_end).ok_or(Stop::Cut)?;
            (Some(key), rest)
        }
        (Err(stop), Some(item)) => match strip(text, item) {
            Ok(rest) => (None, rest),
            Err(Stop::Cut) => return Err(Stop::Cut),
            Err(Stop::Wrong) => return Err(stop),
        },
        (Err(stop), None) => return Err(stop),
    };
    let rest = if form.gap { rest.trim_start() } else { rest };
    // A word that begins another one is not among those of any form.
    let mut stop = Stop::Wrong;
    for word in form.kinds.iter().copied().chain(form.integer) {
        match strip(rest, word).and_then(|behind| strip(behind, form.kind_end)) {
            Ok(behind) => {
                let word = rest.get(..word.len()).unwrap_or_default();
                return Ok((key, word, behind));
            }
            Err(Stop::Cut) => stop = Stop::Cut,
            Err(Stop::Wrong) => {}
        }
    }
    Err(stop)
}

/// Whether a value under this word may hold elements.
fn is_nested(form: &Form<'_>, word: &str) -> bool {
    form.kind(Kind::Array) == word || form.kind(Kind::Object) == word
}

/// The length of the value at the beginning of a text, elements in it included.
fn nested(form: &Form<'_>, item: &str, text: &str) -> Result<usize, Stop> {
    match form.closing {
        Some((before, _)) => nested_by_marks(form, (item, before), text),
        None => nested_by_ends(form, text),
    }
}

/// The same where a tag that ends an element begins as no other does: only blanks, another element
/// or an end may stand in a value.
fn nested_by_ends(form: &Form<'_>, text: &str) -> Result<usize, Stop> {
    let mut open = 0usize;
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        match strip(rest, form.end) {
            Ok(_) if open == 0 => return Ok(text.len() - rest.len()),
            Ok(behind) => {
                open -= 1;
                rest = behind;
            }
            Err(Stop::Cut) => return Err(Stop::Cut),
            Err(Stop::Wrong) => {
                let (_, word, behind) = tag(form, rest)?;
                if is_nested(form, word) {
                    open += 1;
                    rest = behind;
                } else {
                    rest = behind.split_once(form.end).ok_or(Stop::Cut)?.1;
                }
            }
        }
    }
}

/// The same where the mark that no text contains stands before every tag.
fn nested_by_marks(
    form: &Form<'_>,
    (item, before): (&str, &str),
    text: &str,
) -> Result<usize, Stop> {
    let mut open = 0usize;
    let mut rest = text;
    loop {
        let at = rest.find(form.end).ok_or(Stop::Cut)?;
        let marked = rest.get(at..).ok_or(Stop::Cut)?;
        let behind = strip(marked, form.end)?;
        if behind.starts_with(before) {
            if open == 0 {
                return Ok(text.len() - marked.len());
            }
            open -= 1;
        } else {
            match (strip(marked, form.open), strip(marked, item)) {
                (Ok(_), _) | (_, Ok(_)) => open += 1,
                (Err(Stop::Cut), _) | (_, Err(Stop::Cut)) => return Err(Stop::Cut),
                _ => return Err(Stop::Wrong),
            }
        }
        rest = behind;
    }
}
