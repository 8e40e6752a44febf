//! The judgements of all groups, added up.
//!
//! In: groups with their judgements, one after the other. Out: [`ConformReport`], and the problems
//! in the order of the groups.

use super::Problem;
use super::cases::Group;
use super::judge::{self, Judgement, Setup};
use super::quantiles::Quantiles;
use super::report::ConformReport;
use super::walk::Walker;

/// A grammar that compiled though its row says that it does not.
const GRAMMAR_ACCEPTED: &str = "grammar-accepted";

/// The report under way, and what its quantiles are made from.
#[derive(Default)]
pub struct Totals {
    report: ConformReport,
    compile_ms: Vec<f64>,
    table_bytes: Vec<f64>,
    /// What went wrong so far.
    pub problems: Vec<Problem>,
}

impl Totals {
    /// Adds a judgement; walks the sentences of the group if there is a vocabulary.
    pub fn add(
        &mut self,
        group: &Group,
        judgement: Judgement,
        setup: &Setup<'_>,
        walker: Option<&mut Walker<'_>>,
    ) {
        let report = &mut self.report;
        report.grammars += 1;
        report.cases += group.case_count;
        let verdict = self.compile_verdict(group, &judgement);
        let report = &mut self.report;
        match judgement {
            Judgement::Refused { code, message, .. } => {
                report.grammars_refused += 1;
                *report.refused_by.entry(code.clone()).or_default() += 1;
                let detail = format!("{code}: {message}");
                if verdict != Some(true) {
                    let problem = match verdict {
                        Some(_) => "grammar-refused-wrongly",
                        None => "grammar-refused",
                    };
                    self.problems.push(group.problem(problem, detail, None));
                }
                let is_right = group.is_unsatisfiable() && code == "schema-unsatisfiable";
                report.schemas_unsatisfiable += usize::from(is_right);
                report.grammars_right += usize::from(is_right || verdict == Some(true));
            }
            Judgement::Compiled(compiled) => {
                report.cases_run += group.cases.len();
                report.grammars_on_graphs += usize::from(compiled.has_graph);
                report.sentences += group.cases.iter().filter(|case| case.accept).count();
                report.non_sentences += group.cases.iter().filter(|case| !case.accept).count();
                self.compile_ms.push(compiled.compile_ms);
                self.table_bytes.push(compiled.tables.len() as f64);
                let mut problems = compiled.problems;
                if verdict == Some(false) {
                    problems.push(group.problem(GRAMMAR_ACCEPTED, String::new(), None));
                }
                for problem in &problems {
                    match problem.problem {
                        judge::SENTENCE_REFUSED => report.sentences_refused += 1,
                        judge::ORDER => report.sentences_refused_order += 1,
                        judge::TOO_DEEP => report.sentences_too_deep += 1,
                        GRAMMAR_ACCEPTED => {}
                        _ => report.non_sentences_accepted += 1,
                    }
                }
                if let Some(walker) = walker {
                    // What was refused as a text is refused as tokens too.
                    let refused = problems.iter().filter(|p| p.problem != judge::TOO_DEEP);
                    let refused = refused.filter(|_| group.is_schema());
                    let refused: Vec<&str> = refused.filter_map(|p| p.input.as_deref()).collect();
                    let of_tokens = walker.walk(group, &refused, setup, &compiled.tables);
                    problems.extend(of_tokens);
                }
                let is_right =
                    |problem: &Problem| [judge::ORDER, judge::TOO_DEEP].contains(&problem.problem);
                let is_right = problems.iter().all(is_right);
                report.grammars_right += usize::from(is_right);
                self.problems.extend(problems);
            }
        }
    }

    /// Whether a grammar compiled, or did not, as its row says; counts it. A row that cannot be run
    /// has no verdict, and a panic is none.
    fn compile_verdict(&mut self, group: &Group, judgement: &Judgement) -> Option<bool> {
        let expected = group.compiles?;
        let compiled = match judgement {
            Judgement::Compiled(_) => true,
            Judgement::Refused { code, .. } if code == judge::PANIC => return None,
            Judgement::Refused { .. } => false,
        };
        let is_right = compiled == expected;
        self.report.cases_run += 1;
        self.report.compile_verdicts += 1;
        self.report.compile_verdicts_wrong += usize::from(!is_right);
        Some(is_right)
    }

    /// The report on all that was added.
    pub fn finish(mut self, walker: Option<&Walker<'_>>) -> ConformReport {
        self.report.compile_ms = Quantiles::of(&self.compile_ms);
        if let Some(walker) = walker {
            self.report.table_bytes = Quantiles::of(&self.table_bytes);
            self.report.sentences_walked = walker.sentences;
            self.report.sentences_unspelled = walker.unspelled;
            self.report.tokens = walker.tokens;
            self.report.tokens_refused = walker.refused;
            self.report.mask_ns = Quantiles::of(&walker.mask_ns);
            self.report.accept_ns = Quantiles::of(&walker.accept_ns);
        }
        self.report
    }
}
