//! What a run of the suite has found: counts, as JSON and as lines of text.

use super::cases;
use super::quantiles::Quantiles;
use crate::failure::Failure;
use crate::output;
use serde::Serialize;
use std::collections::BTreeMap;

/// The counts of a run.
#[derive(Default, Serialize)]
pub struct ConformReport {
    pub grammars: usize,
    pub grammars_refused: usize,
    pub refused_by: BTreeMap<String, usize>,
    /// Grammars whose stacks are a graph, since no number of them is proved to be enough.
    pub grammars_on_graphs: usize,
    /// Schemas that were refused because no value satisfies them, as their instances say.
    #[serde(skip)]
    pub schemas_unsatisfiable: usize,
    /// Grammars of which a row says whether they compile.
    pub compile_verdicts: usize,
    /// Those of which it is not so.
    pub compile_verdicts_wrong: usize,
    /// Grammars every case of which is right, but for the order of keys.
    pub grammars_right: usize,
    /// All cases of the file, those of refused grammars included.
    pub cases: usize,
    /// The cases of grammars that compiled, which were run.
    pub cases_run: usize,
    pub sentences: usize,
    pub sentences_refused: usize,
    /// Sentences that were refused, and are accepted with the keys of their objects in another
    /// order.
    pub sentences_refused_order: usize,
    /// Sentences that need more frames than were asked for.
    pub sentences_too_deep: usize,
    pub non_sentences: usize,
    pub non_sentences_accepted: usize,
    /// Sentences that were walked token by token under the masks.
    pub sentences_walked: usize,
    /// Sentences that the vocabulary has no tokens for.
    pub sentences_unspelled: usize,
    pub tokens: usize,
    /// Tokens of sentences that were missing in the mask, or refused.
    pub tokens_refused: usize,
    pub compile_ms: Option<Quantiles>,
    pub table_bytes: Option<Quantiles>,
    pub mask_ns: Option<Quantiles>,
    pub accept_ns: Option<Quantiles>,
}

impl ConformReport {
    /// Why there is no verdict at all, if so.
    pub fn why_no_case(&self) -> Option<String> {
        let compiled = self.grammars - self.grammars_refused;
        if compiled + self.schemas_unsatisfiable + self.compile_verdicts > 0 {
            return None;
        }
        let malformed = self.refused_by.get(cases::MALFORMED).copied();
        Some(match (self.grammars, malformed) {
            (0, _) => "the file has no rows".into(),
            (grammars, Some(malformed)) if malformed == grammars => {
                let verdict = r#"{"kind", "grammar", "input", "accept"}"#;
                let tests = r#"{"schema", "tests": [{"valid", "data"}]}"#;
                format!("no row could be read; a row is a line {verdict} or {tests}")
            }
            _ => "all grammars were refused; --failures FILE writes why".into(),
        })
    }
}

/// Prints the report as text.
pub fn print(report: &ConformReport) -> Result<(), Failure> {
    let mut lines = vec![
        format!(
            "{} of {} grammars refused",
            report.grammars_refused, report.grammars
        ),
        format!("{} of {} cases run", report.cases_run, report.cases),
        format!(
            "{} of {} sentences refused",
            report.sentences_refused, report.sentences
        ),
        format!(
            "{} of {} non-sentences accepted",
            report.non_sentences_accepted, report.non_sentences
        ),
    ];
    if report.sentences_too_deep > 0 {
        lines.push(format!("{} sentences too deep", report.sentences_too_deep));
    }
    if report.compile_verdicts > 0 {
        lines.push(format!(
            "{} of {} verdicts on whole grammars wrong",
            report.compile_verdicts_wrong, report.compile_verdicts
        ));
    }
    let refused = report
        .refused_by
        .iter()
        .map(|(code, count)| format!("  {count} by {code}"));
    let graphs = report.grammars_on_graphs;
    let graphs = (graphs > 0).then(|| format!("{graphs} grammars whose stacks are a graph"));
    lines.splice(1..1, refused.chain(graphs));
    if report.tokens > 0 {
        let ConformReport {
            tokens,
            tokens_refused,
            sentences_walked,
            ..
        } = report;
        lines.push(format!(
            "{tokens_refused} of {tokens} tokens refused in {sentences_walked} sentences"
        ));
    }
    let quantiles = [
        ("compile, ms", report.compile_ms),
        ("tables, bytes", report.table_bytes),
        ("mask, ns", report.mask_ns),
        ("accept, ns", report.accept_ns),
    ];
    lines.extend(
        quantiles
            .iter()
            .filter_map(|(name, quantiles)| Some(format!("{name}: {}", (*quantiles)?))),
    );
    output::print_line(&lines.join("\n"))
}
