//! `maskwright conform`: a file of recorded cases, each a grammar, an input and a verdict.
//!
//! ```text
//! rows --cases--> groups, one a grammar --judge--> verdicts and tables (on all threads)
//!                                       --walk---> masks along the sentences, timed (on one thread)
//! ```
//!
//! Valid instances of JSON Schemas that are refused are tried with their keys in other orders
//! (`reorder`). A grammar that is refused is counted under the code of its error, and its cases are
//! not run. Two refusals are themselves verdicts: that no value satisfies a schema is right if all
//! of its instances are invalid, and any is right if the row says that the grammar does not
//! compile.
//! Where no grammar compiles and there is no verdict the command fails:
//! a file of other rows is not one whose cases are all right.
//!
//! Grammars for which no number of stacks is proved to be enough are compiled with a cap, and
//! counted apart.

mod cases;
mod details;
mod height;
mod judge;
mod lark_rows;
mod python;
mod quantiles;
mod reorder;
mod report;
mod rows;
mod schema_rows;
mod schemas;
mod totals;
mod walk;

use crate::beside::BesideArgs;
use crate::depth::RunDepth;
use crate::failure::{Failure, Outcome};
use crate::input::{self, OptionalVocabularyArgs};
use crate::limits::LimitArgs;
use crate::schema::SchemaArgs;
use crate::{matcher, output, progress};
use cases::Group;
use details::Details;
use judge::{Judgement, Setup};
use maskwright_compiler::{Compiler, Error};
use report::{ConformReport, print};
use schemas::SchemaReport;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use totals::Totals;
use walk::Walker;

/// Groups that are compiled before the masks of their sentences are timed: bounds the memory for
/// tables.
const BATCH: usize = 64;

/// `maskwright conform`.
#[derive(clap::Args)]
pub struct ConformArgs {
    /// Cases, one JSON object a line; compressed if the name ends in `.gz`.
    file: PathBuf,
    #[command(flatten)]
    vocabulary: OptionalVocabularyArgs,
    #[command(flatten)]
    beside: BesideArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Frames that texts have room for, from 1 to 65535, or `least`: for each grammar as few as
    /// some text needs. Sentences that need more are counted apart, but not if their stacks have no
    /// more. From there, and from the middle of each, another way is walked: no mask may be empty
    /// before the end [default: 256].
    #[arg(long, value_name = "FRAMES|least", value_parser = RunDepth::parse)]
    depth: Option<RunDepth>,
    /// Run only every N-th grammar of the file.
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// Write every case that went wrong, and every grammar that was refused, one JSON object a
    /// line.
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
    #[command(flatten)]
    schema: SchemaArgs,
}

/// What went wrong in one case, or why a grammar was refused.
#[derive(Debug, Serialize)]
pub struct Problem {
    /// The line of the file, from 1.
    pub line: usize,
    /// Where the row says it is from.
    pub source: String,
    /// `grammar-refused`, `sentence-refused`, `sentence-refused-order`, `sentence-too-deep`,
    /// `non-sentence-accepted`, `token-refused`, `grammar-accepted` or `grammar-refused-wrongly`.
    pub problem: &'static str,
    /// The error's code, the place in the input, or the token.
    pub detail: String,
    /// The grammar.
    pub grammar: String,
    /// The input, if the problem is about one.
    pub input: Option<String>,
}

/// Runs the command.
pub fn run(args: &ConformArgs) -> Result<Outcome, Failure> {
    let mut groups = rows::read(&args.file)?;
    let every = args.every.max(1);
    groups = groups.into_iter().step_by(every).collect();
    let of_schemas = groups.iter().any(Group::is_schema);
    let schema = args.schema.options(&args.limits.limits())?;
    let vocabulary = args.vocabulary.load()?;
    let mut walker = vocabulary.as_ref().map(Walker::new);
    let of_bytes = input::byte_vocabulary();
    let of_cases = vocabulary.as_ref().unwrap_or(&of_bytes);
    let tokens = matcher::vocabulary(of_cases)?;
    let alone = progress::during("sorting the vocabulary", || Compiler::new(of_cases));
    let alone = alone.map_err(Error::from)?;
    // Times of schemas are to be those of a compile by itself: one after the other, if threads are
    // not asked for.
    let threads = match of_schemas {
        true => args.limits.given_threads().max(1),
        false => args.limits.threads(),
    };
    let beside = args.beside.read()?;
    let beside = beside.as_ref().map(|beside| beside.load(&alone));
    let beside = beside.transpose()?;
    let setup = Setup {
        beside: beside.as_ref(),
        alone: &alone,
        tokens: &tokens,
        options: match threads {
            ..=1 => args.limits.options(),
            _ => args.limits.options().threads(1),
        },
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
    let wrong = report.sentences_refused
        + report.non_sentences_accepted
        + report.tokens_refused
        + report.compile_verdicts_wrong;
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
fn show(report: ConformReport, of_schemas: bool, json: bool) -> Result<(), Failure> {
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
