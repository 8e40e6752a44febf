//! The report of a file of JSON Schemas.

use super::quantiles::Quantiles;
use super::report::ConformReport;
use crate::failure::Failure;
use crate::output;
use serde::Serialize;
use std::collections::BTreeMap;

/// What came of the schemas.
#[derive(Serialize)]
pub struct SchemaReport {
    schemas: usize,
    schemas_refused: usize,
    /// Schemas by the code of the error that refused them.
    refused_by: BTreeMap<String, usize>,
    /// Schemas whose stacks are a graph, since no number of them is proved to be enough.
    schemas_on_graphs: usize,
    /// Those of the refused that no value satisfies, as all of their instances, one at least, are
    /// invalid. They are right.
    schemas_unsatisfiable: usize,
    /// Schemas every instance of which is judged as recorded, but for valid ones that are refused
    /// for the order of their keys.
    schemas_right: usize,
    /// All instances of the file, those of refused schemas included.
    tests: usize,
    /// Valid instances of schemas that compiled.
    valid: usize,
    /// Those that were refused, and would be in any order of their keys, as far as it was tried.
    valid_refused: usize,
    /// Those that were refused, and are accepted with their keys in another order.
    valid_refused_order: usize,
    /// Those that need more frames than were asked for.
    valid_too_deep: usize,
    /// Invalid instances of schemas that compiled.
    invalid: usize,
    invalid_accepted: usize,
    /// Tokens along the valid instances that were accepted.
    tokens: usize,
    /// Those that were missing in the mask, or refused.
    tokens_refused: usize,
    compile_ms: Option<Quantiles>,
    table_bytes: Option<Quantiles>,
    mask_ns: Option<Quantiles>,
    accept_ns: Option<Quantiles>,
}

impl SchemaReport {
    /// The same figures by the names that they have for schemas.
    pub fn new(report: ConformReport) -> Self {
        SchemaReport {
            schemas: report.grammars,
            schemas_refused: report.grammars_refused,
            refused_by: report.refused_by,
            schemas_on_graphs: report.grammars_on_graphs,
            schemas_unsatisfiable: report.schemas_unsatisfiable,
            schemas_right: report.grammars_right,
            tests: report.cases,
            valid: report.sentences,
            valid_refused: report.sentences_refused,
            valid_refused_order: report.sentences_refused_order,
            valid_too_deep: report.sentences_too_deep,
            invalid: report.non_sentences,
            invalid_accepted: report.non_sentences_accepted,
            tokens: report.tokens,
            tokens_refused: report.tokens_refused,
            compile_ms: report.compile_ms,
            table_bytes: report.table_bytes,
            mask_ns: report.mask_ns,
            accept_ns: report.accept_ns,
        }
    }

    /// Prints the figures as lines.
    pub fn print(&self) -> Result<(), Failure> {
        let mut lines = vec![format!(
            "{} of {} schemas refused",
            self.schemas_refused, self.schemas
        )];
        let refused = self.refused_by.iter();
        lines.extend(refused.map(|(code, count)| format!("  {count} by {code}")));
        if self.schemas_on_graphs > 0 {
            lines.push(format!(
                "{} schemas whose stacks are a graph",
                self.schemas_on_graphs
            ));
        }
        lines.extend([
            format!(
                "{} schemas right, of which {} refused as no value satisfies them",
                self.schemas_right, self.schemas_unsatisfiable
            ),
            format!(
                "{} of {} valid instances refused, {} more for the order of keys",
                self.valid_refused, self.valid, self.valid_refused_order
            ),
            format!(
                "{} of {} invalid instances accepted",
                self.invalid_accepted, self.invalid
            ),
        ]);
        if self.valid_too_deep > 0 {
            lines.push(format!("{} valid instances too deep", self.valid_too_deep));
        }
        if self.tokens > 0 {
            lines.push(format!(
                "{} of {} tokens refused",
                self.tokens_refused, self.tokens
            ));
        }
        let quantiles = [
            ("compile, ms", self.compile_ms),
            ("tables, bytes", self.table_bytes),
            ("mask, ns", self.mask_ns),
            ("accept, ns", self.accept_ns),
        ];
        let given = quantiles.iter();
        lines.extend(given.filter_map(|(name, q)| Some(format!("{name}: {}", (*q)?))));
        output::print_line(&lines.join("\n"))
    }
}
