//! Forms of elements that a user gives, and the rules that every form keeps.
//!
//! In: the fields of a form. Out: an [`OwnedForm`]. What holds: a reader that cuts each value at
//! the first [`Form::end`] behind its tag gets the values that the form has written. The forms of
//! [`Style::form`](maskwright_core::style::Style::form) keep the same rules; a test holds them to
//! it.

mod check;

use crate::setters::setters;
use check::check;
use maskwright_core::style::Form;
use std::fmt;

/// The fields of a [`Form`], which documents them. The default is a form of plain tags, in which
/// `open`, `key_end` and `end` still have to be set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
#[non_exhaustive]
pub struct FormFields {
    pub open: String,
    pub key_end: String,
    pub gap: bool,
    pub kinds: [String; 6],
    pub integer: Option<String>,
    pub kind_end: String,
    pub end: String,
    pub closing: Option<(String, String)>,
    pub item: Option<String>,
    pub lines: bool,
    pub trimmed: bool,
    pub blanks: bool,
    /// The first character of `key_end` need not be named: no key has it, unless it is escaped.
    pub forbidden: Vec<char>,
    pub not_first: Option<char>,
    pub escapes: Vec<char>,
    pub any_key: bool,
}

setters!(FormFields {
    open: String,
    key_end: String,
    gap: bool,
    kinds: [String; 6],
    integer: Option<String>,
    kind_end: String,
    end: String,
    closing: Option<(String, String)>,
    item: Option<String>,
    lines: bool,
    trimmed: bool,
    blanks: bool,
    forbidden: Vec<char>,
    not_first: Option<char>,
    escapes: Vec<char>,
    any_key: bool,
});

impl Default for FormFields {
    fn default() -> Self {
        FormFields::from(&Form::PLAIN)
    }
}

impl From<&Form<'_>> for FormFields {
    fn from(form: &Form<'_>) -> Self {
        FormFields {
            open: form.open.to_owned(),
            key_end: form.key_end.to_owned(),
            gap: form.gap,
            kinds: form.kinds.map(str::to_owned),
            integer: form.integer.map(str::to_owned),
            kind_end: form.kind_end.to_owned(),
            end: form.end.to_owned(),
            closing: form
                .closing
                .map(|(before, behind)| (before.to_owned(), behind.to_owned())),
            item: form.item.map(str::to_owned),
            lines: form.lines,
            trimmed: form.trimmed,
            blanks: form.blanks,
            forbidden: form.forbidden.to_vec(),
            not_first: form.not_first,
            escapes: form.escapes.to_vec(),
            any_key: form.any_key,
        }
    }
}

impl FormFields {
    fn form(&self) -> Form<'_> {
        let closing = self.closing.as_ref();
        Form {
            open: &self.open,
            key_end: &self.key_end,
            gap: self.gap,
            kinds: self.kinds.each_ref().map(String::as_str),
            integer: self.integer.as_deref(),
            kind_end: &self.kind_end,
            end: &self.end,
            closing: closing.map(|(before, behind)| (before.as_str(), behind.as_str())),
            item: self.item.as_deref(),
            lines: self.lines,
            trimmed: self.trimmed,
            blanks: self.blanks,
            forbidden: &self.forbidden,
            not_first: self.not_first,
            escapes: &self.escapes,
            any_key: self.any_key,
        }
    }
}

/// A form that a user gives, with the name that errors call it by.
///
/// ```
/// use maskwright_compiler::syntax::json_schema::{FormFields, OwnedForm};
///
/// let mut fields = FormFields::default();
/// fields.open = "<param name=\"".to_owned();
/// fields.key_end = "\">".to_owned();
/// fields.end = "</param>".to_owned();
/// let form = OwnedForm::new("minicpm", fields)?;
/// assert_eq!(form.form().extent("<param name=\"a\">x</param></function>"), Some(25));
/// # Ok::<(), maskwright_compiler::syntax::json_schema::FormError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OwnedForm {
    name: String,
    fields: FormFields,
}

impl OwnedForm {
    /// The form with these fields.
    ///
    /// # Errors
    /// If what the form writes could be read back otherwise.
    pub fn new(name: impl Into<String>, mut fields: FormFields) -> Result<Self, FormError> {
        if let Some(first) = fields.key_end.chars().next() {
            let has = fields.forbidden.contains(&first) || fields.escapes.contains(&first);
            fields.forbidden.extend((!has).then_some(first));
        }
        check(&fields.form())?;
        Ok(OwnedForm {
            name: name.into(),
            fields,
        })
    }

    /// Its fields.
    pub(super) fn fields(&self) -> &FormFields {
        &self.fields
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The form.
    pub fn form(&self) -> Form<'_> {
        self.fields.form()
    }
}

/// Why fields are no form.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FormError {
    /// The field that is wrong.
    pub field: &'static str,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for FormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.field, self.why)
    }
}

impl std::error::Error for FormError {}
