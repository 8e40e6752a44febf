//! `maskwright conform`: a file of recorded cases, each a grammar, an input and a verdict.
//!
//! ```text
//! rows --cases--> groups, one a grammar --judge--> verdicts and tables (on all threads)
//!                                       --walk---> masks along the sentences, timed (on one thread)
//! ```
//!
//! Valid instances of JSON Schemas that are refused are tried with their keys in other orders (`reorder`).
//! A grammar that is refused is counted under the code of its error, and its cases are not run. One refusal is itself a verdict: that
//! no value satisfies a schema is right if all of its instances are invalid. Where no grammar compiles and there is no verdict the command
//! fails: a file of other rows is not one whose cases are all right.
//!
//! Grammars for which no number of stacks is proved to be enough are compiled with a cap, and counted apart.

mod cases;
mod details;
mod height;
mod judge;
mod python;
mod quantiles;
mod reorder;
mod rows;
mod schema_rows;
mod schemas;
mod walk;

use crate::beside::BesideArgs;
use crate::depth::RunDepth;
use crate::failure::{Failure, Outcome};
use crate::input::{self, OptionalVocabularyArgs};
use crate::limits::LimitArgs;
use crate::schema::SchemaArgs;
use crate::{matcher, output, progress};
use cases::{Group, Kind};
use details::Details;
use judge::{Judgement, Setup};
use maskwright_compiler::{Compiler, Error};
use quantiles::Quantiles;
use schemas::SchemaReport;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use walk::Walker;

/// Groups that are compiled before the masks of their sentences are timed: bounds the memory for tables.
const BATCH: usize = 64;

/// `maskwright conform`.
#[derive(clap::Args)]
pub struct Args {
    /// Cases, one JSON object a line; compressed if the name ends in `.gz`.
    file: PathBuf,
    #[command(flatten)]
    vocabulary: OptionalVocabularyArgs,
    #[command(flatten)]
    beside: BesideArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    schema: SchemaArgs,
    /// Frames that texts have room for, from 1 to 65535, or `least`: for each grammar as few as some text needs. Sentences that need more
    /// are counted apart, but not if their stacks have no more. From there, and from the middle of each, another way is walked: no mask may be
    /// empty before the end [default: 256].
    #[arg(long, value_name = "FRAMES|least", value_parser = RunDepth::parse)]
    depth: Option<RunDepth>,
    /// Run only every N-th grammar of the file.
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// Write every case that went wrong, and every grammar that was refused, one JSON object a line.
    #[arg(long, value_name = "FILE")]
    failures: Option<PathBuf>,
    /// Succeed though no more than so many verdicts are wrong.
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    allow_wrong: usize,
    /// Write what each grammar cost, one JSON object a line, as soon as it is known.
    #[arg(long, value_name = "FILE")]
    details: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// What went wrong in one case, or why a grammar was refused.
#[derive(Debug, Serialize)]
pub struct Problem {
    /// The line of the file, from 1.
    pub line: usize,
    /// Where the row says it is from.
    pub source: String,
    /// `grammar-refused`, `sentence-refused`, `sentence-refused-order`, `sentence-too-deep`, `non-sentence-accepted` or `token-refused`.
    pub problem: &'static str,
    /// The error's code, the place in the input, or the token.
    pub detail: String,
    /// The grammar.
    pub grammar: String,
    /// The input, if the problem is about one.
    pub input: Option<String>,
}

#[derive(Default, Serialize)]
struct Report {
    grammars: usize,
    grammars_refused: usize,
    refused_by: BTreeMap<String, usize>,
    /// Grammars that compiled with a cap on the number of stacks, since none is proved to be enough.
    grammars_capped: usize,
    /// Schemas that were refused because no value satisfies them, as their instances say.
    #[serde(skip)]
    schemas_unsatisfiable: usize,
    /// Grammars every case of which is right, but for the order of keys.
    grammars_right: usize,
    /// All cases of the file, those of refused grammars included.
    cases: usize,
    /// The cases of grammars that compiled, which were run.
    cases_run: usize,
    sentences: usize,
    sentences_refused: usize,
    /// Sentences that were refused, and are accepted with the keys of their objects in another order.
    sentences_refused_order: usize,
    /// Sentences that need more frames than were asked for.
    sentences_too_deep: usize,
    non_sentences: usize,
    non_sentences_accepted: usize,
    /// Sentences that were walked token by token under the masks.
    sentences_walked: usize,
    /// Sentences that the vocabulary has no tokens for.
    sentences_unspelled: usize,
    tokens: usize,
    /// Tokens of sentences that were missing in the mask, or refused.
    tokens_refused: usize,
    compile_ms: Option<Quantiles>,
    table_bytes: Option<Quantiles>,
    mask_ns: Option<Quantiles>,
    accept_ns: Option<Quantiles>,
}

/// The report under way, and what its quantiles are made from.
#[derive(Default)]
struct Totals {
    report: Report,
    compile_ms: Vec<f64>,
    table_bytes: Vec<f64>,
    problems: Vec<Problem>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Outcome, Failure> {
    let mut groups = rows::read(&args.file)?;
    let every = args.every.max(1);
    groups = groups.into_iter().step_by(every).collect();
    let is_schema = |group: &Group| matches!(group.kind, Kind::Schema { .. });
    let of_schemas = groups.iter().any(is_schema);
    let schema = args.schema.options(&args.limits.limits())?;
    let vocabulary = args.vocabulary.load()?;
    let mut walker = vocabulary.as_ref().map(Walker::new);
    let of_bytes = input::byte_vocabulary();
    let of_cases = vocabulary.as_ref().unwrap_or(&of_bytes);
    let tokens = matcher::vocabulary(of_cases)?;
    let alone = progress::during("sorting the vocabulary", || Compiler::new(of_cases));
    let alone = alone.map_err(Error::from)?;
    // Times of schemas are to be those of a compile by itself: one after the other, if threads are not asked for.
    let threads = match of_schemas {
        true => args.limits.given_threads().max(1),
        false => args.limits.threads(),
    };
    let beside = args.beside.read()?;
    let beside = beside
        .as_ref()
        .map(|beside| beside.load(&alone))
        .transpose()?;
    let setup = Setup {
        beside: beside.as_ref(),
        alone: &alone,
        tokens: &tokens,
        options: args
            .limits
            .options()
            .threads(if threads > 1 {
                1
            } else {
                args.limits.options().threads
            })
            .capped(true),
        depth: args.depth,
        schema: &schema,
    };
    let details = args.details.as_deref().map(Details::create).transpose()?;
    let mut totals = Totals::default();
    progress::counted("cases", groups.len(), |done| {
        for batch in groups.chunks(BATCH) {
            let judgements = judge_all(batch, &setup, details.as_ref(), threads, done);
            for (group, judgement) in batch.iter().zip(judgements) {
                totals.add(group, judgement, &setup, walker.as_mut());
            }
        }
    });
    if let Some(path) = &args.failures {
        write_problems(path, &totals.problems)?;
    }
    let report = totals.finish(walker.as_ref());
    let wrong = report.sentences_refused + report.non_sentences_accepted + report.tokens_refused;
    let no_case = report.why_no_case();
    let good = wrong <= args.allow_wrong && !report.refused_by.contains_key(judge::PANIC);
    show(report, of_schemas, args.json)?;
    match no_case {
        Some(why) => Err(Failure::NoCase(args.file.display().to_string(), why)),
        None => Ok(Outcome::good_if(good)),
    }
}

/// Writes one JSON object a line.
fn write_problems(path: &Path, problems: &[Problem]) -> Result<(), Failure> {
    let lines: Result<Vec<String>, _> = problems.iter().map(serde_json::to_string).collect();
    let lines = lines.map_err(|error| Failure::File(path.display().to_string(), error.into()))?;
    let text: String = lines.into_iter().map(|line| line + "\n").collect();
    output::write_to(Some(path), text.as_bytes())
}

/// Prints the report; that on schemas counts what schemas have.
fn show(report: Report, of_schemas: bool, json: bool) -> Result<(), Failure> {
    match (of_schemas, json) {
        (true, true) => output::print_json(&SchemaReport::new(report)),
        (true, false) => SchemaReport::new(report).print(),
        (false, true) => output::print_json(&report),
        (false, false) => print(&report),
    }
}

/// Judges the groups on all threads; the judgements in the order of the groups.
fn judge_all(
    batch: &[Group],
    setup: &Setup<'_>,
    details: Option<&Details>,
    threads: usize,
    done: &AtomicUsize,
) -> Vec<Judgement> {
    let next = AtomicUsize::new(0);
    let judged = Mutex::new(Vec::new());
    let work = || {
        while let Some((index, group)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, batch.get(i)?)))
        {
            let judgement = judge::judge(group, setup);
            if let Some(details) = details {
                details.write(group, &judgement);
            }
            done.fetch_add(1, Ordering::Relaxed);
            judged
                .lock()
                .unwrap_or_else(|poisoned| poisoned.into_inner())
                .push((index, judgement));
        }
    };
    std::thread::scope(|scope| {
        (1..threads).for_each(|_| {
            scope.spawn(work);
        });
        work();
    });
    let mut judged = judged
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    judged.sort_by_key(|(index, _)| *index);
    judged.into_iter().map(|(_, judgement)| judgement).collect()
}

impl Totals {
    fn add(
        &mut self,
        group: &Group,
        judgement: Judgement,
        setup: &Setup<'_>,
        walker: Option<&mut Walker<'_>>,
    ) {
        let report = &mut self.report;
        report.grammars += 1;
        report.cases += group.case_count;
        match judgement {
            Judgement::Refused { code, message, .. } => {
                report.grammars_refused += 1;
                *report.refused_by.entry(code.clone()).or_default() += 1;
                let detail = format!("{code}: {message}");
                self.problems
                    .push(group.problem("grammar-refused", detail, None));
                let is_right = group.is_unsatisfiable() && code == "schema-unsatisfiable";
                report.schemas_unsatisfiable += usize::from(is_right);
                report.grammars_right += usize::from(is_right);
            }
            Judgement::Compiled(compiled) => {
                report.cases_run += group.cases.len();
                report.grammars_capped += usize::from(compiled.capped);
                report.sentences += group.cases.iter().filter(|case| case.accept).count();
                report.non_sentences += group.cases.iter().filter(|case| !case.accept).count();
                self.compile_ms.push(compiled.compile_ms);
                self.table_bytes.push(compiled.tables.len() as f64);
                let mut problems = compiled.problems;
                for problem in &problems {
                    match problem.problem {
                        judge::SENTENCE_REFUSED => report.sentences_refused += 1,
                        judge::ORDER => report.sentences_refused_order += 1,
                        judge::TOO_DEEP => report.sentences_too_deep += 1,
                        _ => report.non_sentences_accepted += 1,
                    }
                }
                if let Some(walker) = walker {
                    // What was refused as a text is refused as tokens too.
                    let refused: Vec<&str> = match group.kind {
                        Kind::Schema { .. } => {
                            let refused = problems.iter().filter(|p| p.problem != judge::TOO_DEEP);
                            refused.filter_map(|p| p.input.as_deref()).collect()
                        }
                        _ => Vec::new(),
                    };
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

    fn finish(mut self, walker: Option<&Walker<'_>>) -> Report {
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

impl Report {
    /// Why there is no verdict at all, if so.
    fn why_no_case(&self) -> Option<String> {
        let compiled = self.grammars - self.grammars_refused;
        if compiled + self.schemas_unsatisfiable > 0 {
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

fn print(report: &Report) -> Result<(), Failure> {
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
    let refused = report
        .refused_by
        .iter()
        .map(|(code, count)| format!("  {count} by {code}"));
    let capped = (report.grammars_capped > 0).then(|| {
        format!(
            "{} grammars compiled with a cap on the number of stacks",
            report.grammars_capped
        )
    });
    lines.splice(1..1, refused.chain(capped));
    if report.tokens > 0 {
        let Report {
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
