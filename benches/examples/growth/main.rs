//! How tables and compile times grow with the number of tools, for cl100k_base.
//!
//! In: the most tools to go to; all 400 without it. Out: `benches/results/growth.csv`, and the
//! pictures beside it. Times are those of the run that took the least time of the processor, one
//! thread; `cpu_ms` is that time.
//!
//! ```sh
//! cargo run --release -p maskwright-benches --example growth
//! ```

#[path = "../../peers/driver/src/plot.rs"]
mod plot;
mod tools;

use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::json_schema;
use maskwright_compiler::{Compiled, Compiler, Options};
use plot::{Curve, Frame, curves};
use rustix::time::{ClockId, clock_gettime};
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

const COUNTS: [usize; 9] = [1, 2, 5, 10, 20, 50, 100, 200, 400];

/// Repeated until so much time has gone, and so often at the most.
const ENOUGH: Duration = Duration::from_secs(2);
const RUNS: usize = 10;

const STAGES: [&str; 8] = [
    "automata",
    "item sets",
    "merge states",
    "stacks",
    "stack bounds",
    "proof of stacks",
    "masks",
    "pack",
];

struct Row {
    tools: usize,
    schema_bytes: usize,
    cpu: Duration,
    /// From the schema's text to a grammar.
    schema: Duration,
    compiled: Compiled,
}

fn main() -> Result<(), Box<dyn Error>> {
    let most = std::env::args().nth(1);
    let most: usize = most.map_or(Ok(tools::MOST), |most| most.parse())?;
    let vocabulary = maskwright_benches::vocabulary("cl100k_base");
    let compiler = Compiler::new(&vocabulary)?;
    let mut rows = Vec::new();
    for tools in COUNTS.into_iter().filter(|&tools| tools <= most) {
        let row = measure(tools, &compiler)?;
        println!(
            "{tools} tools: {:?}, {} bytes",
            row.cpu,
            row.compiled.tables().len()
        );
        rows.push(row);
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("growth.csv"), csv(&rows))?;
    fs::write(folder.join("growth-times.svg"), times(&rows))?;
    fs::write(folder.join("growth-sizes.svg"), sizes(&rows))?;
    Ok(())
}

/// Compiles the schema of so many tools a few times.
fn measure(tools: usize, compiler: &Compiler) -> Result<Row, Box<dyn Error>> {
    let text = tools::schema(tools);
    let source = Source::new("tools.json", text.as_str());
    let mut options = Options::default().threads(1);
    options.limits.time = Duration::from_secs(600);
    let (begin, mut best) = (Instant::now(), None::<Row>);
    for _ in 0..RUNS {
        let (start, cpu) = (Instant::now(), cpu_time()?);
        let grammar = json_schema::parse(&source, &Default::default())?.grammar;
        let schema = start.elapsed();
        let compiled = compiler.with_options(options.clone()).compile(&grammar)?;
        let cpu = cpu_time()?.saturating_sub(cpu);
        if best.as_ref().is_none_or(|best| cpu < best.cpu) {
            best = Some(Row {
                tools,
                schema_bytes: text.len(),
                cpu,
                schema,
                compiled,
            });
        }
        if begin.elapsed() > ENOUGH {
            break;
        }
    }
    best.ok_or_else(|| "no run".into())
}

/// What the process has taken of the processor.
fn cpu_time() -> Result<Duration, Box<dyn Error>> {
    Ok(Duration::try_from(clock_gettime(ClockId::ProcessCPUTime))?)
}

impl Row {
    fn stage(&self, name: &str) -> Duration {
        let stages = self.compiled.report().stages.iter();
        stages
            .filter(|stage| stage.name == name)
            .map(|stage| stage.time)
            .sum()
    }
}

fn csv(rows: &[Row]) -> String {
    let mut text = "tools,schema_bytes,states,frames,sets,table_bytes,automaton_bytes,mask_bytes,cpu_ms,schema_ms".to_owned();
    for stage in STAGES {
        let _ = write!(text, ",{}_ms", stage.replace(' ', "_"));
    }
    text.push('\n');
    for row in rows {
        let report = row.compiled.report();
        let kinds = report.sets;
        let sets =
            kinds.bitmaps + kinds.accept_lists + kinds.reject_lists + kinds.deltas + kinds.shared;
        let _ = write!(
            text,
            "{},{},{},{},{sets},{},{},{},{:.3},{:.3}",
            row.tools,
            row.schema_bytes,
            report.states,
            report.frames,
            report.table_bytes,
            report.automaton_bytes,
            report.mask_bytes,
            ms(row.cpu),
            ms(row.schema),
        );
        for stage in STAGES {
            let _ = write!(text, ",{:.3}", ms(row.stage(stage)));
        }
        text.push('\n');
    }
    text
}

fn times(rows: &[Row]) -> String {
    let stages = [
        "automata",
        "item sets",
        "merge states",
        "stack bounds",
        "masks",
        "pack",
    ];
    let mut all = vec![curve("all stages", rows, |row| ms(row.cpu))];
    all.push(curve("schema", rows, |row| ms(row.schema)));
    all.extend(stages.map(|stage| curve(stage, rows, |row| ms(row.stage(stage)))));
    let frame = Frame {
        title: "Compile time by the number of tools, cl100k_base",
        x: "tools",
        y: "time",
        x_names: Some(count),
        y_names: time,
    };
    curves(&frame, &all)
}

fn sizes(rows: &[Row]) -> String {
    let all = [
        curve("schema, bytes", rows, |row| row.schema_bytes as f64),
        curve("tables, bytes", rows, |row| {
            row.compiled.tables().len() as f64
        }),
        curve("masks, bytes", rows, |row| {
            row.compiled.report().mask_bytes as f64
        }),
        curve("states", rows, |row| row.compiled.report().states as f64),
        curve("frames", rows, |row| row.compiled.report().frames as f64),
    ];
    let frame = Frame {
        title: "Sizes by the number of tools, cl100k_base",
        x: "tools",
        y: "",
        x_names: Some(count),
        y_names: count,
    };
    curves(&frame, &all)
}

fn curve(name: &str, rows: &[Row], value: impl Fn(&Row) -> f64) -> Curve {
    Curve {
        name: name.to_owned(),
        points: rows
            .iter()
            .map(|row| (row.tools as f64, value(row)))
            .collect(),
    }
}

fn ms(time: Duration) -> f64 {
    1e3 * time.as_secs_f64()
}

/// 10 to the `exponent` milliseconds.
fn time(exponent: i32) -> String {
    match exponent {
        ..0 => format!("{} µs", 10f64.powi(exponent + 3)),
        0..3 => format!("{} ms", 10f64.powi(exponent)),
        _ => format!("{} s", 10f64.powi(exponent - 3)),
    }
}

/// 10 to the `exponent`.
fn count(exponent: i32) -> String {
    match exponent {
        6.. => format!("{} M", 10f64.powi(exponent - 6)),
        3.. => format!("{} k", 10f64.powi(exponent - 3)),
        _ => format!("{}", 10f64.powi(exponent)),
    }
}
