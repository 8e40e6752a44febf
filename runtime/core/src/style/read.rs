//! Arguments read back from a text in a style of elements.
//!
//! In: a finished text, such as the runtime's masks allow under a schema with this style. Out: each argument's key, what its tag says of its value,
//! and the value's text, up to the first [`Form::end`]; nothing is copied. Blanks between elements are left out. Arrays and objects that are
//! elements too are read by the same iterator.

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
    form: &'static Form,
    rest: &'t str,
    /// Where `rest` begins in the whole text.
    at: usize,
    is_over: bool,
}

/// An element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument<'t> {
    form: &'static Form,
    key: Option<&'t str>,
    word: &'t str,
    text: &'t str,
    at: usize,
}

/// Why a text cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The byte from which on there is no whole element.
    pub at: usize,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no whole element at byte {}", self.at)
    }
}

impl core::error::Error for ReadError {}

impl<'t> Arguments<'t> {
    /// The elements of a text.
    pub const fn new(form: &'static Form, text: &'t str) -> Self {
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
        let read = element(self.form, self.rest);
        let Some((element, length)) = read else {
            self.is_over = true;
            return Some(Err(ReadError { at: self.at }));
        };
        let at = self.at + element.at;
        self.skip(length);
        Some(Ok(Argument { at, ..element }))
    }
}

impl<'t> Argument<'t> {
    /// The key as it is written; nothing for an array's items, or [`Form::ITEM`] where tags name them.
    pub const fn key(&self) -> Option<&'t str> {
        self.key
    }

    /// The characters of the key; none for an array's items.
    pub fn key_chars(&self) -> impl Iterator<Item = char> + use<'t> {
        let mut rest = self.key.unwrap_or_default();
        let escapes = self.form.escapes;
        core::iter::from_fn(move || {
            let escape = escapes.iter().find(|escape| rest.starts_with(escape.1));
            let (char, length) = match escape {
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

    /// Whether the value may be of this kind, by what the tag says. Where it says nothing, that is for the schema to know.
    pub fn may_be(&self, kind: Kind) -> bool {
        let integer = kind == Kind::Number && self.form.integer == Some(self.word);
        integer || self.form.kind(kind) == self.word
    }

    /// What the value is, if the tag says it; else what its text looks like: elements, `null`, `true`, `false`, a number, what is in brackets, or a string.
    /// With a schema at hand, ask the schema.
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
        let looks = match text.as_bytes() {
            b"null" => Kind::Null,
            b"true" | b"false" => Kind::Boolean,
            [b'{', .., b'}'] => Kind::Object,
            [b'[', .., b']'] => Kind::Array,
            [b'-' | b'0'..=b'9', .., b'0'..=b'9'] | [b'0'..=b'9']
                if text.parse::<f64>().is_ok() =>
            {
                Kind::Number
            }
            _ => Kind::String,
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

/// The element at the beginning of a text, and how many bytes it takes.
fn element<'t>(form: &'static Form, text: &'t str) -> Option<(Argument<'t>, usize)> {
    let (key, word, rest) = tag(form, text)?;
    let at = text.len() - rest.len();
    let length = match form.item {
        Some(item) if is_nested(form, word) => nested(form, item, rest)?,
        _ => rest.find(form.end)?,
    };
    let value = rest.get(..length)?;
    let mut behind = rest.get(length + form.end.len()..)?;
    if let Some((before, after)) = form.closing {
        behind = behind.strip_prefix(before)?;
        behind = behind
            .strip_prefix(key.unwrap_or(Form::ITEM))?
            .strip_prefix(after)?;
    }
    let argument = Argument {
        form,
        key,
        word,
        text: value,
        at,
    };
    Some((argument, text.len() - behind.len()))
}

/// The key and the word of the tag at the beginning of a text, and what is behind the tag.
fn tag<'t>(form: &Form, text: &'t str) -> Option<(Option<&'t str>, &'t str, &'t str)> {
    let (key, rest) = match text.strip_prefix(form.open) {
        Some(rest) => {
            let (key, rest) = rest.split_once(form.key_end)?;
            (Some(key), rest)
        }
        None => (None, text.strip_prefix(form.item?)?),
    };
    if key.is_some_and(|key| key.is_empty() || form.not_first.is_some_and(|c| key.starts_with(c))) {
        return None;
    }
    let rest = if form.gap { rest.trim_start() } else { rest };
    // A word that begins another one is not among those of any form.
    let words = form.kinds.iter().copied().chain(form.integer);
    let mut words = words.map(|word| {
        let behind = rest.strip_prefix(word)?.strip_prefix(form.kind_end)?;
        Some((rest.get(..word.len())?, behind))
    });
    let (word, rest) = words.find_map(|found| found)?;
    Some((key, word, rest))
}

/// Whether a value under this word may hold elements.
fn is_nested(form: &Form, word: &str) -> bool {
    form.kind(Kind::Array) == word || form.kind(Kind::Object) == word
}

/// The length of the value at the beginning of a text, elements in it included.
fn nested(form: &'static Form, item: &str, text: &str) -> Option<usize> {
    let mut open = 0usize;
    let mut rest = text;
    loop {
        if form.closing.is_none() {
            // Here only blanks, another element or an end may stand.
            rest = rest.trim_start();
            match rest.strip_prefix(form.end) {
                Some(_) if open == 0 => return Some(text.len() - rest.len()),
                Some(behind) => {
                    open -= 1;
                    rest = behind;
                }
                None => {
                    let (_, word, behind) = tag(form, rest)?;
                    if is_nested(form, word) {
                        open += 1;
                        rest = behind;
                    } else {
                        rest = behind.split_once(form.end)?.1;
                    }
                }
            }
            continue;
        }
        // Before each tag stands the mark that no text contains.
        let at = rest.find(form.end)?;
        let behind = rest.get(at + form.end.len()..)?;
        let (before, _) = form.closing?;
        if behind.starts_with(before) {
            if open == 0 {
                return Some(text.len() - rest.len() + at);
            }
            open -= 1;
        } else if rest
            .get(at..)
            .is_some_and(|tag| tag.starts_with(form.open) || tag.starts_with(item))
        {
            open += 1;
        } else {
            return None;
        }
        rest = behind;
    }
}
