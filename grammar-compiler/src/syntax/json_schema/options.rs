//! How the texts of a schema's values are written, and how strict the reading of the schema is.

use super::form::OwnedForm;
use super::model::{DocumentFolder, Draft, Resolver};
use super::numbers::NumberForms;
use super::strings::Escapes;
use crate::setters::setters;
use crate::syntax::settings::{SetError, Settings};
use maskwright_core::style::{Form, Notation, Style};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

/// Options for a JSON Schema.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaOptions {
    /// JSON, or the way in which a model writes the arguments of a tool. Default: JSON.
    pub style: Style,
    /// Elements of a form that no style has, in place of the style. Default: none.
    pub form: Option<Arc<OwnedForm>>,
    /// Whether the whole value is the arguments of a tool, which only objects are, also where the
    /// style is JSON. Default: no.
    pub arguments: bool,
    /// Blanks between tokens.
    pub whitespace: Whitespace,
    /// Whether [`Whitespace::Usual`] allows blanks before the whole value and behind it (the
    /// default). A program that shows the text, or parses it as it comes, may want it to begin with
    /// the value.
    pub outer_blanks: bool,
    /// The order of an object's keys.
    pub key_order: KeyOrder,
    /// How the characters of strings may be written that have no pattern, format or list. Default:
    /// in every way.
    pub escapes: Escapes,
    /// How the characters of all other strings may be written: property names, constants, strings
    /// of a pattern or format. Default: printable ASCII as itself. In every way they need about
    /// seven times the states, and no writer spells a known name `\u006eame`.
    pub constrained_escapes: Escapes,
    /// How numbers may be written.
    pub numbers: NumberForms,
    /// Whether `format` is enforced (the default) or only an annotation.
    pub formats: bool,
    /// Whether formats of numbers are enforced: `int8` to `int128`, `uint8` to `uint128`, `int`,
    /// `uint`, `float`, `double`, as derived schemas have them. No draft knows them, so by default
    /// they are annotations.
    pub number_formats: bool,
    /// Whether objects may have properties that their schema does not declare, if the schema says
    /// nothing about them (the default). If `false`, a schema that has `properties` or
    /// `patternProperties`, be they empty, and that has neither `additionalProperties` nor
    /// `unevaluatedProperties`, is read as if it had `unevaluatedProperties: false`, together with
    /// all schemas that apply in place. OpenAI and XGrammar call this strict.
    pub undeclared: bool,
    /// Whether a name in `required` that no schema declares, where undeclared properties are
    /// forbidden, is declared as a property of any value. Otherwise no value satisfies such a
    /// schema, and it is refused (the default).
    pub declare_required: bool,
    /// Texts that no string and no key contains as it is written; an escaped character does not
    /// count as part of one. A raw text that may be any string contains none of them, whatever
    /// value a reader takes it for. The texts may occur in tags and other text that a style writes
    /// around values. Default: none.
    pub excludes: Vec<String>,
    /// If the schema has no objects and the style has elements: the value is written as the content
    /// of an element is, so that a string is its raw text. Default: none, and only objects are
    /// allowed.
    pub(crate) raw_ends: Option<RawEnds>,
    /// Keywords that are ignored, with a warning, where they cannot be honoured exactly.
    pub lenient: Vec<String>,
    /// The draft to read the schema by, if its `$schema` does not say.
    pub draft: Option<Draft>,
    /// Where other documents that the schema refers to come from.
    pub resolver: Option<Resolver>,
    /// Folders of other documents. They are asked in this order for documents that the resolver
    /// does not have.
    pub documents: Vec<DocumentFolder>,
}

/// What ends a value that is written as its raw text. No text of the value contains one of these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RawEnds {
    /// The one that comes right behind the value, then others.
    pub texts: Arc<[String]>,
    /// Whether the value's grammar may hold the first one, since nothing else comes there.
    pub may_be_held: bool,
}

setters!(SchemaOptions {
    style: Style,
    form: Option<Arc<OwnedForm>>,
    arguments: bool,
    whitespace: Whitespace,
    outer_blanks: bool,
    key_order: KeyOrder,
    escapes: Escapes,
    constrained_escapes: Escapes,
    numbers: NumberForms,
    formats: bool,
    number_formats: bool,
    undeclared: bool,
    declare_required: bool,
    excludes: Vec<String>,
    lenient: Vec<String>,
    draft: Option<Draft>,
    resolver: Option<Resolver>,
    documents: Vec<DocumentFolder>,
});

impl SchemaOptions {
    /// Whether a schema may refer to documents that are not part of its text.
    pub(crate) fn has_documents(&self) -> bool {
        self.resolver.is_some() || !self.documents.is_empty()
    }
}

/// Blanks between the tokens of a JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Whitespace {
    /// None.
    Compact,
    /// One space after each comma and colon, as Python's `json.dumps` writes.
    Spaced,
    /// Up to this many blanks wherever JSON allows some.
    Flexible(u8),
    /// Any number of blanks wherever JSON allows some within the value.
    Unbounded,
    /// Each item on a line of its own, indented by this many spaces for each level.
    Indent(u8),
    /// As models write: after each comma and colon one space or none; or, around each item, a line
    /// feed and up to this many spaces or tabs. Every position is independent: the level of a line
    /// is not checked. Around the whole value there may be up to four blanks, unless
    /// [`SchemaOptions::outer_blanks`] says no.
    Usual(u8),
}

/// The order of an object's keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeyOrder {
    /// Those that the schema names in its order, then all others.
    Schema,
    /// Those that the schema names in the order of the alphabet, capital and small letters alike,
    /// then all others.
    Sorted,
    /// Any order; an object may then name few keys only.
    Any,
}

impl Default for SchemaOptions {
    fn default() -> Self {
        SchemaOptions {
            style: Style::Json,
            form: None,
            arguments: false,
            whitespace: Whitespace::Flexible(1),
            outer_blanks: true,
            key_order: KeyOrder::Schema,
            escapes: Escapes::Any,
            constrained_escapes: Escapes::Natural,
            numbers: NumberForms::default(),
            formats: true,
            number_formats: false,
            undeclared: true,
            declare_required: false,
            excludes: Vec::new(),
            raw_ends: None,
            lenient: Vec::new(),
            draft: None,
            resolver: None,
            documents: Vec::new(),
        }
    }
}

impl SchemaOptions {
    /// The folders of documents that a schema may refer to.
    pub(crate) fn document_folders(&self) -> impl Iterator<Item = &Path> {
        self.documents.iter().map(DocumentFolder::folder)
    }

    /// The same with relative folders of documents in `package`.
    pub(crate) fn within(self, package: &Path) -> Self {
        let documents = self.documents.iter();
        SchemaOptions {
            documents: documents.map(|folder| folder.within(package)).collect(),
            ..self
        }
    }

    /// Whether the grammar of a value may hold the text that comes right behind it.
    pub(crate) fn may_hold_end(&self) -> bool {
        let may_be_held = (self.raw_ends.as_ref()).is_some_and(|ends| ends.may_be_held);
        may_be_held && !self.arguments && self.element_form().is_some()
    }

    /// How elements are written, if the style has some.
    pub(super) fn element_form(&self) -> Option<Form<'_>> {
        match &self.form {
            Some(form) => Some(form.form()),
            None => self.style.form().copied(),
        }
    }

    /// How values in brackets are written.
    pub(super) fn notation(&self) -> &'static Notation {
        let notation = self.style.notation().filter(|_| self.form.is_none());
        notation.unwrap_or(&Notation::JSON)
    }

    /// What errors call the style.
    pub(super) fn style_name(&self) -> &str {
        match &self.form {
            Some(form) => form.name(),
            None => self.style.name(),
        }
    }

    /// Sets the option of this name. `documents`, `excludes` and `lenient` take any number of
    /// values, all others one; flags are `true` and `false`.
    ///
    /// # Errors
    /// If there is no such option, or a value is not one of the option's.
    pub fn set(&mut self, name: &str, values: &[&str]) -> Result<(), SetError> {
        self.set_named(name, values)
    }
}

impl FromStr for Whitespace {
    type Err = String;

    /// `compact`, `spaced`, `flexible`, `flexible:4`, `unbounded`, `indent:2`, `usual`, `usual:40`.
    fn from_str(text: &str) -> Result<Self, String> {
        let default = if text == "usual" { "16" } else { "1" };
        let (name, count) = text.split_once(':').unwrap_or((text, default));
        let whitespace = match (name, count.parse()) {
            ("compact", _) if name == text => Whitespace::Compact,
            ("spaced", _) if name == text => Whitespace::Spaced,
            ("unbounded", _) if name == text => Whitespace::Unbounded,
            ("flexible", Ok(count)) => Whitespace::Flexible(count),
            ("indent", Ok(count)) => Whitespace::Indent(count),
            ("usual", Ok(count)) => Whitespace::Usual(count),
            _ => {
                let expected = "`compact`, `spaced`, `usual`, `usual:40`, `flexible`, `flexible:4`, `unbounded` or `indent:2`";
                return Err(format!("expected {expected}, found `{text}`"));
            }
        };
        Ok(whitespace)
    }
}

impl FromStr for KeyOrder {
    type Err = String;

    /// `schema`, `sorted`, `any`.
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "schema" => Ok(KeyOrder::Schema),
            "sorted" => Ok(KeyOrder::Sorted),
            "any" => Ok(KeyOrder::Any),
            _ => Err(format!(
                "expected `schema`, `sorted` or `any`, found `{text}`"
            )),
        }
    }
}

impl FromStr for Escapes {
    type Err = String;

    /// `any`, `natural`, `shortest`.
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "any" => Ok(Escapes::Any),
            "natural" => Ok(Escapes::Natural),
            "shortest" => Ok(Escapes::Shortest),
            _ => Err(format!(
                "expected `any`, `natural` or `shortest`, found `{text}`"
            )),
        }
    }
}

impl FromStr for Draft {
    type Err = String;

    /// `4`, `draft-07`, `2020-12`, or what a `$schema` says.
    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "`3`, `4`, `6`, `7`, `2019-09` or `2020-12`";
        let (draft, number) = (Draft::parse(text), text.trim_end_matches(['#', '/']));
        // A schema may say 5, since draft 4's text was published under that name too; who asks for
        // it expects something else.
        match draft.filter(|_| !number.ends_with('5')) {
            Some(draft) => Ok(draft),
            None => Err(format!("expected a draft: {expected}, found `{text}`")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_by_name() {
        assert_eq!("compact".parse(), Ok(Whitespace::Compact));
        assert_eq!("spaced".parse(), Ok(Whitespace::Spaced));
        assert_eq!("flexible".parse(), Ok(Whitespace::Flexible(1)));
        assert_eq!("flexible:0".parse(), Ok(Whitespace::Flexible(0)));
        assert_eq!("indent:4".parse(), Ok(Whitespace::Indent(4)));
        for wrong in ["", "compact:1", "indent:x", "indent:256", "Spaced"] {
            assert!(wrong.parse::<Whitespace>().is_err(), "{wrong}");
        }
        assert_eq!("any".parse(), Ok(KeyOrder::Any));
        assert_eq!("shortest".parse(), Ok(Escapes::Shortest));
        assert_eq!("draft-07".parse(), Ok(Draft::Draft7));
        for none in ["8", "5", "draft-05"] {
            let error = none.parse::<Draft>().unwrap_err();
            assert!(error.contains("`4`, `6`"), "{none}: {error}");
        }
    }
}
