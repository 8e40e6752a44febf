//! The tables of a shop: yours go here. `languages/sql/schema.sql` makes the same.

use crate::grammar::{Column, Join, Kind, Table};

use Kind::{Number, Text};

const CUSTOMERS: [Column<'_>; 4] = [
    ("id", Number),
    ("name", Text),
    ("city", Text),
    ("since", Number),
];
const ORDERS: [Column<'_>; 5] = [
    ("id", Number),
    ("customer_id", Number),
    ("placed", Text),
    ("status", Text),
    ("total", Number),
];
// Names that no grammar may be broken by.
const ITEMS: [Column<'_>; 5] = [
    ("order", Number),
    ("product", Text),
    ("quantity", Number),
    ("price in €", Number),
    ("size (\\ \"inch\")", Text),
];

/// The tables that queries may read.
pub const TABLES: [Table<'_>; 3] = [
    Table {
        name: "customers",
        columns: &CUSTOMERS,
    },
    Table {
        name: "orders",
        columns: &ORDERS,
    },
    Table {
        name: "items",
        columns: &ITEMS,
    },
];

/// The tables that queries may join.
pub const JOINS: [Join<'_>; 2] = [
    Join {
        left: ("orders", "customer_id"),
        right: ("customers", "id"),
    },
    Join {
        left: ("orders", "id"),
        right: ("items", "order"),
    },
];
