//! Where the time of compiling real schemas goes, stage by stage: percentiles over a sample of
//! MaskBench, which is read line by line from the input, as a table in Markdown.
//!
//! ```sh
//! zcat ../shared/data/maskbench.jsonl.gz | cargo run --release -p maskwright-benches --example stages -- [EVERY] [THREADS]
//! ```
//!
//! Takes every 12th schema on one thread, unless told otherwise. All are compiled three times, each
//! time by a new compiler, which has met no schema but those before, and the least wall-clock time
//! of each stage counts. The last row is the time of the whole compile, with what lies between
//! stages.

use maskwright_benches::percentiles::Percentiles;
use maskwright_benches::vocabulary;
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::json_schema;
use maskwright_compiler::{Compiler, Options};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::error::Error;
use std::io::BufRead;
use std::time::{Duration, Instant};

const VOCABULARY: &str = "cl100k_base";
const COMPILES: usize = 3;
/// What reading the schema is called, the stage before those of the compiler.
const FRONT: &str = "schema to grammar";
/// What the whole is called.
const ALL: &str = "all";

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    schema: &'a RawValue,
}

/// Milliseconds of each stage, for one schema.
type StageTimes = Vec<(&'static str, f64)>;

/// Milliseconds of one stage, for each schema.
struct Times {
    name: &'static str,
    all: Vec<f64>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let every: usize = arguments.next().map_or(Ok(12), |every| every.parse())?;
    let threads: usize = arguments.next().map_or(Ok(1), |threads| threads.parse())?;
    let vocabulary = vocabulary(VOCABULARY);
    let options = Options::default().threads(threads);
    let lines: Vec<String> = std::io::stdin()
        .lock()
        .lines()
        .step_by(every.max(1))
        .collect::<Result<_, _>>()?;
    let mut least: Vec<Option<StageTimes>> = vec![Some(Vec::new()); lines.len()];
    for _ in 0..COMPILES {
        let compiler = Compiler::new(&vocabulary)?.with_options(options.clone());
        for (line, least) in lines.iter().zip(&mut least) {
            let line: Line = serde_json::from_str(line)?;
            let times = times(line.schema.get(), &compiler);
            *least = least
                .take()
                .zip(times)
                .map(|(known, times)| lesser(known, times));
        }
    }
    let (stages, compiled) = by_stage(least.into_iter().flatten());
    println!("{compiled} schemas, {VOCABULARY}, {threads} threads\n");
    println!("| stage | p50, ms | p90 | p99 | max | sum |\n|---|---|---|---|---|---|");
    for Times { name, mut all } in stages {
        all.resize(compiled, 0.0);
        row(name, all);
    }
    Ok(())
}

/// The milliseconds of each stage of one compile; nothing if the schema does not compile.
fn times(schema: &str, compiler: &Compiler) -> Option<StageTimes> {
    let source = Source::new("schema.json", schema);
    let start = Instant::now();
    let parsed = json_schema::parse(&source, &Default::default()).ok()?;
    let mut times = vec![(FRONT, start.elapsed())];
    let compiled = compiler.compile(&parsed.grammar).ok()?;
    times.extend(compiled.report().stages.iter().map(|s| (s.name, s.time)));
    times.push((ALL, start.elapsed()));
    let milliseconds = |(name, time): (_, Duration)| (name, time.as_secs_f64() * 1e3);
    Some(times.into_iter().map(milliseconds).collect())
}

/// The lesser time of each stage.
fn lesser(mut known: StageTimes, times: StageTimes) -> StageTimes {
    for (name, time) in times {
        match known.iter_mut().find(|known| known.0 == name) {
            Some(known) => known.1 = known.1.min(time),
            None => known.push((name, time)),
        }
    }
    known
}

/// The times of all schemas by stage, the whole last, and the number of schemas.
fn by_stage(schemas: impl Iterator<Item = StageTimes>) -> (Vec<Times>, usize) {
    let mut stages: Vec<Times> = Vec::new();
    let mut compiled = 0;
    for times in schemas {
        for (name, time) in times {
            let at = stages.iter().position(|stage| stage.name == name);
            let at = at.unwrap_or_else(|| {
                let all = Vec::new();
                stages.push(Times { name, all });
                stages.len() - 1
            });
            stages[at].all.resize(compiled, 0.0);
            stages[at].all.push(time);
        }
        compiled += 1;
    }
    // Stages that the first schemas do not have were found after the whole.
    stages.sort_by_key(|stage| stage.name == ALL);
    (stages, compiled)
}

fn row(name: &str, times: Vec<f64>) {
    let sum: f64 = times.iter().sum();
    let Percentiles { p50, p90, p99, max } = Percentiles::of(times);
    println!("| {name} | {p50:.2} | {p90:.2} | {p99:.2} | {max:.2} | {sum:.0} |");
}
