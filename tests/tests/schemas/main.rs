//! The whole way of JSON Schemas: text to tables to texts under the masks, judged by an independent
//! validator.

mod cases;
mod compiled;
mod generation;
mod instances;
mod judge;
mod options;
mod random;
mod styles;
