//! Schemas as typed keywords: references resolved, the drafts' spellings made one.
//!
//! In: a [`Document`](super::document). Out: [`Model`]: every subschema that the root can reach, by number. Each keyword
//! is in the form that draft 2020-12 gives it; its meaning is untouched.

use super::document::Node;
use crate::source::Span;

/// A draft of the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Draft {
    /// Draft 4.
    Draft4,
    /// Draft 6.
    Draft6,
    /// Draft 7.
    Draft7,
    /// Draft 2019-09.
    Draft2019,
    /// Draft 2020-12.
    Draft2020,
}

/// Index of a schema in [`Model::schemas`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SchemaId(pub u32);

/// All schemas that the root can reach.
#[derive(Clone, Debug)]
pub struct Model {
    /// The schemas.
    pub schemas: Vec<Schema>,
    /// The schema of the whole value.
    pub root: SchemaId,
}

/// One schema.
#[derive(Clone, Debug)]
pub struct Schema {
    /// Its place.
    pub place: Place,
    /// What it demands.
    pub kind: Kind,
}

/// A place in a schema document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The JSON pointer, such as `#/properties/id`.
    pub pointer: String,
    /// The place in the text.
    pub span: Span,
}

/// What a schema demands.
#[derive(Clone, Debug)]
pub enum Kind {
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
    /// All other numbers.
    pub fraction: bool,
    /// Strings.
    pub string: bool,
    /// Arrays.
    pub array: bool,
    /// Objects.
    pub object: bool,
}

impl Types {
    /// Every type.
    pub const ALL: Types = Types {
        null: true,
        boolean: true,
        integer: true,
        fraction: true,
        string: true,
        array: true,
        object: true,
    };
}

/// The keywords of one schema. An absent one demands nothing.
#[derive(Clone, Debug)]
pub struct Keywords {
    /// `type`; [`Types::ALL`] if absent.
    pub types: Types,
    /// `enum` and `const`: the value is in each of these lists.
    pub values: Vec<Vec<Node>>,
    /// `$ref`, `$dynamicRef`, `$recursiveRef`: schemas that must hold too.
    pub references: Vec<SchemaId>,
    /// `allOf`.
    pub all_of: Vec<SchemaId>,
    /// `anyOf`: at least one. More than one list where drafts' spellings are several keywords.
    pub any_of: Option<Vec<SchemaId>>,
    /// `oneOf`: exactly one.
    pub one_of: Option<Vec<SchemaId>>,
    /// `not`. Several in draft 3's `disallow`.
    pub not: Vec<SchemaId>,
    /// `if`, `then`, `else`; `None` if `if` is absent or nothing follows from it.
    pub condition: Option<Condition>,
    /// Keywords about numbers.
    pub number: NumberKeywords,
    /// Keywords about strings.
    pub string: StringKeywords,
    /// Keywords about arrays.
    pub array: ArrayKeywords,
    /// Keywords about objects.
    pub object: ObjectKeywords,
    /// The place of each keyword that stands in the document, by its name there.
    pub places: Vec<(String, Place)>,
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

/// Keywords about numbers; bounds are numbers as written. Draft 4's boolean `exclusiveMinimum` has become
/// the number.
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
    /// `format`.
    pub format: Option<String>,
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
    /// `minContains`; 1 if absent.
    pub min_contains: Option<u64>,
    /// `maxContains`.
    pub max_contains: Option<u64>,
    /// `minItems`; 0 if absent.
    pub min_items: u64,
    /// `maxItems`.
    pub max_items: Option<u64>,
    /// `uniqueItems`.
    pub unique: bool,
}

/// Keywords about objects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectKeywords {
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
    pub fn place(&self, keyword: &str) -> Option<&Place> {
        self.places.iter().find(|p| p.0 == keyword).map(|p| &p.1)
    }
}
