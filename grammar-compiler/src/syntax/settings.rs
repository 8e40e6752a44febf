//! The options by which a user changes how a text is read, as tables.
//!
//! In: the name of an option and its values, as texts. Out: the options with it. `grammar!`, the
//! command line, calls in grammars and Python read the same rows, so that an option is written
//! once: a field, and its row. What holds: a value that is refused changes nothing.

use std::fmt;
use std::str::FromStr;

use crate::similar;

/// Options that can be set by their names.
pub trait Settings: Default + Sized + 'static {
    /// Each option, in the order in which messages name them.
    const SETTINGS: &'static [Setting<Self>];

    /// The names of the options.
    fn names() -> impl Iterator<Item = &'static str> {
        Self::SETTINGS.iter().map(|setting| setting.name)
    }

    /// Sets the option of this name.
    ///
    /// # Errors
    /// If there is no such option, or a value is not one of the option's.
    fn set_named(&mut self, name: &str, values: &[&str]) -> Result<(), SetError> {
        let found = Self::SETTINGS.iter().find(|setting| setting.name == name);
        let unknown = || SetError::Unknown {
            name: name.to_owned(),
            known: Self::names().collect(),
        };
        found.ok_or_else(unknown)?.set(self, values)
    }
}

/// An option of `O`.
#[derive(Debug)]
#[non_exhaustive]
pub struct Setting<O> {
    /// The name in `grammar!`, in calls and in Python.
    pub name: &'static str,
    /// The name on the command line, without its hyphens.
    pub flag: &'static str,
    /// What its values are.
    pub values: Values,
    /// What it does, in a sentence or two without the last full stop.
    pub about: &'static str,
    set: fn(&mut O, &[&str]) -> Result<(), SetError>,
}

/// What the values of an option are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Values {
    /// `true` or `false`.
    Flag {
        /// The one that the command line sets, which is not the default.
        sets: bool,
    },
    /// `true` or `false`, where the default is neither.
    Either,
    /// One text.
    One {
        /// What it looks like.
        form: &'static str,
    },
    /// Any number of texts.
    Many {
        /// What one looks like.
        form: &'static str,
        /// Whether several may be written in one, with commas between them.
        with_commas: bool,
    },
}

impl<O> Setting<O> {
    pub(super) const fn new(
        (name, flag): (&'static str, &'static str),
        values: Values,
        about: &'static str,
        set: fn(&mut O, &[&str]) -> Result<(), SetError>,
    ) -> Self {
        Setting {
            name,
            flag,
            values,
            about,
            set,
        }
    }

    /// Sets the option in `options`.
    ///
    /// # Errors
    /// If a value is not one of the option's.
    pub fn set(&self, options: &mut O, values: &[&str]) -> Result<(), SetError> {
        (self.set)(options, values)
    }
}

/// Why an option could not be set.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SetError {
    /// No option has this name.
    Unknown {
        /// The name.
        name: String,
        /// The names that options have.
        known: Vec<&'static str>,
    },
    /// A value is wrong.
    Value {
        /// Which of the values.
        index: usize,
        /// What is wrong with it.
        why: String,
    },
}

impl fmt::Display for SetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetError::Unknown { name, known } => {
                write!(f, "there is no option `{name}`")?;
                match similar::closest(name, known.iter().copied()) {
                    Some(close) => write!(f, ": did you mean `{close}`?"),
                    None => write!(f, ": expected one of `{}`", known.join("`, `")),
                }
            }
            SetError::Value { why, .. } => f.write_str(why),
        }
    }
}

impl std::error::Error for SetError {}

/// The value of an option that takes one.
pub(super) fn one<T: FromStr<Err: fmt::Display>>(values: &[&str]) -> Result<T, SetError> {
    let wrong = |why: String| SetError::Value { index: 0, why };
    match values {
        [value] => value.parse().map_err(|why: T::Err| wrong(why.to_string())),
        _ => Err(wrong(format!("expected one value, found {}", values.len()))),
    }
}

/// The value of a flag.
pub(super) fn flag(values: &[&str]) -> Result<bool, SetError> {
    one(values).map_err(|_| SetError::Value {
        index: 0,
        why: "expected `true` or `false`".to_owned(),
    })
}

/// The values of an option that takes any number.
pub(super) fn all<T>(
    values: &[&str],
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<Vec<T>, SetError> {
    let values = values.iter().enumerate();
    let values =
        values.map(|(index, value)| read(value).map_err(|why| SetError::Value { index, why }));
    values.collect()
}
