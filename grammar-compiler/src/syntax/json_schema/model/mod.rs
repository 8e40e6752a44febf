//! Schemas as typed keywords: references resolved, the drafts' spellings made one.
//!
//! In: a [`document`](super::document). Out: [`Model`]: every subschema that the root can reach, by
//! number. Each keyword is in the form that draft 2020-12 gives it; its meaning is untouched. What
//! the root cannot reach is not looked at.
//!
//! ```text
//! JsonNode ── documents ──▶ all documents ── registry ──▶ names of places ── build, read ──▶ Model
//! ```
//!
//! **References** are resolved against the base URI of the place they stand in. The target of a
//! dynamic reference depends on the way by which its schema was reached. So a schema is read once
//! for each *scope*, the outermost resources that have a dynamic anchor, and every reference has
//! one target. There are few scopes, since only resources with such anchors make them.
//!
//! **Other documents** come from the resolver, or from folders of files that stand for URIs; the
//! metaschemas of the drafts are there without either.
//!
//! **Drafts.** A schema that does not declare its draft is read by 2020-12, as validators do. Older
//! spellings that mean nothing else in newer drafts are understood too. A keyword of another draft
//! than the declared one is ignored, as that draft says, with a warning.
//!
//! | older spelling | becomes |
//! |---|---|
//! | `items` as a list, `additionalItems` | `prefixItems`, `items` |
//! | `exclusiveMinimum: true` | `exclusiveMinimum` of the `minimum` |
//! | `dependencies` | `dependentRequired`, `dependentSchemas` |
//! | `divisibleBy`, `extends`, `disallow`, `required: true`, schemas in `type` (draft 3) | `multipleOf`, `allOf`, `not`, `required`, `anyOf` |
//! | `id` (drafts 3, 4), `#name` as an id (to draft 7) | `$id`, `$anchor` |
//! | keywords beside `$ref` (to draft 7) | nothing |

mod build;
mod builder;
mod children;
mod close;
mod documents;
mod draft;
mod folder;
mod intent;
mod keyword;
mod merge;
mod missing;
mod pointer;
pub(super) mod published;
mod read;
mod registry;
mod scope;
mod signature;
#[cfg(test)]
mod tests;
mod uri;

pub use super::place::SchemaPlace;

use super::document::JsonNode;
use crate::error::Diagnostic;
use crate::limits::Limits;
use crate::maps::own_keys;
use std::path::PathBuf;

pub use build::build;
pub use close::{close, declare_required, undeclared_required};
pub use documents::Resolver;
pub use draft::Draft;
pub use folder::DocumentFolder;
pub use keyword::keyword_named;
pub use merge::merge;

/// What is being done.
const DOING: &str = "reading a schema";

/// The keywords that refer to schemas.
const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

/// How a schema is read.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ModelOptions {
    /// Whether a keyword that is `null`, other than `const`, counts as absent: requests of tools
    /// have such.
    pub takes_null: bool,
    /// The draft of schemas whose `$schema` does not say.
    pub draft: Option<Draft>,
    /// Where other documents come from. Without it and [`Self::folders`], a reference to one is an
    /// error.
    pub resolver: Option<Resolver>,
    /// Folders of other documents. They are asked in this order for documents that the resolver
    /// does not have.
    pub folders: Vec<DocumentFolder>,
    /// The most bytes of a document.
    pub limits: Limits,
    /// Keywords that are ignored, with a warning, where they would be refused.
    pub lenient: Vec<String>,
}

/// Index of a schema in [`Model::schemas`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SchemaId(pub u32);

own_keys!(SchemaId);

/// All schemas that the root can reach.
#[derive(Clone, Debug)]
pub struct Model {
    /// The schemas.
    pub schemas: Vec<Schema>,
    /// The schema of the whole value.
    pub root: SchemaId,
    /// What is probably not meant.
    pub warnings: Vec<Diagnostic>,
    /// The files of other documents.
    pub files: Vec<PathBuf>,
}

/// One schema.
#[derive(Clone, Debug)]
pub struct Schema {
    /// Its place.
    pub place: SchemaPlace,
    /// What it demands.
    pub kind: SchemaKind,
}

impl Schema {
    /// The place of `keyword`, if it stands in the document.
    pub fn place_of(&self, keyword: &str) -> Option<&SchemaPlace> {
        match &self.kind {
            SchemaKind::Keywords(keywords) => keywords.place(keyword),
            SchemaKind::Any | SchemaKind::Never => None,
        }
    }
}

/// What a schema demands.
#[derive(Clone, Debug)]
pub enum SchemaKind {
    /// `true`: any value.
    Any,
    /// `false`: no value.
    Never,
    /// All of these keywords.
    Keywords(Box<Keywords>),
}

/// The JSON types that a value may have. `number` without `integer` cannot be said in a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Types {
    /// `null`.
    pub null: bool,
    /// `true` and `false`.
    pub boolean: bool,
    /// Numbers without a fractional part.
    pub integer: bool,
    /// Whether integers are only those that are written without a point and an exponent, as drafts
    /// 3 and 4 say: `1`, not `1.0`. Of no account where `fraction` is.
    pub plain_integers: bool,
    /// All other numbers.
    pub fraction: bool,
    /// Strings.
    pub string: bool,
    /// Arrays.
    pub array: bool,
    /// Objects.
    pub object: bool,
}

impl Default for Types {
    fn default() -> Self {
        Types::ALL
    }
}

impl Types {
    /// Every type.
    pub const ALL: Types = Types {
        null: true,
        boolean: true,
        integer: true,
        plain_integers: false,
        fraction: true,
        string: true,
        array: true,
        object: true,
    };
    /// No type.
    pub const NONE: Types = Types {
        null: false,
        boolean: false,
        integer: false,
        plain_integers: false,
        fraction: false,
        string: false,
        array: false,
        object: false,
    };
}

/// The keywords of one schema. An absent one demands nothing.
#[derive(Clone, Debug, Default)]
pub struct Keywords {
    /// `type`; [`Types::ALL`] if absent.
    pub types: Types,
    /// `enum` and `const`: the value is in each of these lists.
    pub values: Vec<Vec<JsonNode>>,
    /// `$ref`, `$dynamicRef`, `$recursiveRef`: schemas that must hold too.
    pub references: Vec<SchemaId>,
    /// `allOf`.
    pub all_of: Vec<SchemaId>,
    /// `anyOf`: at least one.
    pub any_of: Option<Vec<SchemaId>>,
    /// `oneOf`: exactly one.
    pub one_of: Option<Vec<SchemaId>>,
    /// `not`. Several in draft 3's `disallow`.
    pub not: Vec<SchemaId>,
    /// `if`, `then`, `else`; `None` if `if` is absent or nothing follows from it: neither `then`
    /// nor `else` is there, and no keyword of the document asks what was evaluated.
    pub condition: Option<Condition>,
    /// Keywords about numbers.
    pub number: NumberKeywords,
    /// Keywords about strings.
    pub string: StringKeywords,
    /// Keywords about arrays.
    pub array: ArrayKeywords,
    /// Keywords about objects.
    pub object: ObjectKeywords,
    /// The place of each keyword that is honoured, by its name in the document.
    pub places: Vec<(String, SchemaPlace)>,
}

/// `if`, `then`, `else`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// `if`.
    pub test: SchemaId,
    /// `then`.
    pub then: Option<SchemaId>,
    /// `else`.
    pub otherwise: Option<SchemaId>,
}

/// Keywords about numbers; bounds are numbers as written. Draft 4's boolean `exclusiveMinimum` has
/// become the number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NumberKeywords {
    /// `minimum`.
    pub minimum: Option<String>,
    /// `maximum`.
    pub maximum: Option<String>,
    /// `exclusiveMinimum`.
    pub exclusive_minimum: Option<String>,
    /// `exclusiveMaximum`.
    pub exclusive_maximum: Option<String>,
    /// `multipleOf`; positive.
    pub multiple_of: Option<String>,
}

/// Keywords about strings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StringKeywords {
    /// `minLength`, in code points; 0 if absent.
    pub min_length: u64,
    /// `maxLength`, in code points.
    pub max_length: Option<u64>,
    /// `pattern`, an ECMA-262 regular expression.
    pub pattern: Option<String>,
    /// `format`; of numbers too, if the options say so.
    pub format: Option<String>,
    /// Whether draft 3 says what the format is.
    pub format_of_draft_3: bool,
}

/// Keywords about arrays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArrayKeywords {
    /// `prefixItems`, or the array form of `items` in older drafts.
    pub prefix: Vec<SchemaId>,
    /// `items`, or `additionalItems` beside the array form: every further item.
    pub items: Option<SchemaId>,
    /// `unevaluatedItems`.
    pub unevaluated: Option<SchemaId>,
    /// `contains`.
    pub contains: Option<SchemaId>,
    /// Whether the items that satisfy `contains` count as evaluated: since 2020-12.
    pub contains_evaluates: bool,
    /// `minContains`; 1 if absent.
    pub min_contains: Option<u64>,
    /// `maxContains`.
    pub max_contains: Option<u64>,
    /// `minItems`; 0 if absent.
    pub min_items: u64,
    /// `maxItems`.
    pub max_items: Option<u64>,
    /// `uniqueItems`.
    pub unique: Unique,
}

/// Whether an array may have equal items; what demands more is greater.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unique {
    /// It may.
    #[default]
    No,
    /// It may not, in a published metaschema: the demand is ignored where it cannot be honoured
    /// exactly.
    WhereTold,
    /// It may not.
    Yes,
}

/// Keywords about objects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectKeywords {
    /// Whether `properties` or `patternProperties` is there, be it without a property.
    pub declares: bool,
    /// `properties`, in the order of the document.
    pub properties: Vec<(String, SchemaId)>,
    /// `patternProperties`: ECMA-262 regular expressions.
    pub patterns: Vec<(String, SchemaId)>,
    /// `additionalProperties`.
    pub additional: Option<SchemaId>,
    /// `unevaluatedProperties`.
    pub unevaluated: Option<SchemaId>,
    /// `propertyNames`.
    pub names: Option<SchemaId>,
    /// `required`; each name once.
    pub required: Vec<String>,
    /// `minProperties`; 0 if absent.
    pub min_properties: u64,
    /// `maxProperties`.
    pub max_properties: Option<u64>,
    /// `dependentRequired`, and the lists of names in `dependencies`.
    pub dependent_required: Vec<(String, Vec<String>)>,
    /// `dependentSchemas`, and the schemas in `dependencies`.
    pub dependent_schemas: Vec<(String, SchemaId)>,
}

impl Model {
    /// The schema `id`.
    pub fn schema(&self, id: SchemaId) -> Option<&Schema> {
        self.schemas.get(id.0 as usize)
    }
}

impl Keywords {
    /// The place of `keyword`, if it stands in the document.
    pub fn place(&self, keyword: &str) -> Option<&SchemaPlace> {
        self.places.iter().find(|p| p.0 == keyword).map(|p| &p.1)
    }

    /// The one schema that they refer to, if they say nothing else.
    pub fn only_reference(&self) -> Option<SchemaId> {
        let target = match (&self.references[..], &self.all_of[..]) {
            (&[target], []) | ([], &[target]) => target,
            _ => return None,
        };
        (self.one_of.is_none() && self.have_none_of_the_others()).then_some(target)
    }

    /// The alternatives of `oneOf`, if they say nothing else.
    pub fn only_alternatives(&self) -> Option<&[SchemaId]> {
        let alternatives = self.one_of.as_deref()?;
        let refer = !(self.references.is_empty() && self.all_of.is_empty());
        (!refer && self.have_none_of_the_others()).then_some(alternatives)
    }

    /// Whether they say nothing beside references, `allOf` and `oneOf`.
    fn have_none_of_the_others(&self) -> bool {
        self.types == Types::ALL
            && self.values.is_empty()
            && self.any_of.is_none()
            && self.not.is_empty()
            && self.condition.is_none()
            && self.number == NumberKeywords::default()
            && self.string == StringKeywords::default()
            && self.array == ArrayKeywords::default()
            && self.object == ObjectKeywords::default()
    }

    /// Whether keywords ask what the others have evaluated.
    pub fn has_unevaluated(&self) -> bool {
        self.object.unevaluated.is_some() || self.array.unevaluated.is_some()
    }
}
