//! What the model is to write: the arguments of a tool that books journeys.
//!
//! The build script includes this file too and derives the schema from it, so the types are written
//! down once.

use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A journey to book.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Booking {
    /// Who travels.
    #[schemars(length(min = 1, max = 4))]
    pub travellers: Vec<Traveller>,
    /// By what and where.
    pub route: Route,
    #[serde(default)]
    pub class: Class,
    /// In euros and cents.
    #[schemars(range(min = 0, max = 10_000), extend("multipleOf" = 0.01))]
    pub price_limit: Option<f64>,
    #[serde(default, rename = "seats")]
    pub seat_by_name: BTreeMap<String, Seat>,
    pub priority: i8,
}

/// A person.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Traveller {
    #[schemars(length(min = 1, max = 40))]
    pub name: String,
    pub age: u8,
    #[serde(rename = "id")]
    pub document: Option<Document>,
}

/// A passport's number, or the text of another document.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Document {
    Passport(u32),
    Other(#[schemars(length(max = 30))] String),
}

/// A journey, by its kind.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "snake_case", deny_unknown_fields)]
pub enum Route {
    Train { from: Place, to: Place },
    Flight { number: u64, stops: [char; 2] },
    OnFoot,
}

/// A place, perhaps within another.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Place {
    #[schemars(regex(pattern = r"^[A-Z][a-z]{1,15}$"))]
    pub name: String,
    #[serde(default)]
    pub within: Option<Box<Place>>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    #[default]
    Second,
    First,
}

/// A seat: a row and a letter, or any.
#[derive(Debug, Deserialize, JsonSchema)]
pub enum Seat {
    Any,
    At(u16, char),
}
