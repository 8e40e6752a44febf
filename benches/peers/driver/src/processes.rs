//! Engines run each in a process of their own, ended if they take too long.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use peers_common::{Measured, Task};
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::compare::Place;

/// What the error of a process that took too long begins with.
const LATE: &str = "not done after";
/// What the error of a process that ended by itself, or by the system, begins with.
const ENDED: &str = "ended with";

/// Whether a process was ended before it was done.
pub fn is_ended(error: &str) -> bool {
    error.starts_with(LATE) || error.starts_with(ENDED)
}

/// What a process said, and the masks it wrote.
pub struct Outcome {
    pub measured: Measured,
    pub masks: Vec<u8>,
}

/// What a report is made from.
#[derive(Serialize, Deserialize)]
pub struct Record {
    pub vocabulary: String,
    pub engine: String,
    pub free: bool,
    pub task: String,
    /// Which texts are valid.
    pub valid: Vec<bool>,
    pub measured: Measured,
}

/// Where it was measured.
#[derive(Serialize, Deserialize)]
pub struct Machine {
    pub processor: String,
    pub cores: usize,
    pub compiler: String,
    pub load_before: String,
    pub load_after: String,
}

impl Record {
    pub fn new(place: &Place, task: &Task, measured: Measured) -> Self {
        Record {
            vocabulary: place.vocabulary.to_owned(),
            engine: place.engine.to_owned(),
            free: place.free,
            task: task.name.clone(),
            valid: task.texts.iter().map(|text| text.valid).collect(),
            measured,
        }
    }
}

/// Runs one engine on one task; nothing if its program was not built.
pub fn measure(
    program: &Path,
    task: &Task,
    vocabulary: &Path,
    out: &Path,
    limit: Duration,
) -> Result<Option<Outcome>> {
    if !program.exists() {
        return Ok(None);
    }
    let (task_path, masks) = (out.join("task.json"), out.join("masks.bin"));
    let answer = out.join("answer.json");
    std::fs::write(&task_path, serde_json::to_vec(task)?)?;
    std::fs::write(&masks, [])?;
    let mut child = Command::new(program)
        .args([&task_path, vocabulary, &masks])
        .env("RAYON_NUM_THREADS", "1")
        .stdout(std::fs::File::create(&answer)?)
        .stderr(Stdio::null())
        .spawn()?;
    let start = Instant::now();
    let mut error = None;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > limit {
            error = Some(format!("{LATE} {} s", limit.as_secs()));
            child.kill()?;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let measured = std::fs::read_to_string(&answer)?;
    let measured = measured.lines().last().map(serde_json::from_str);
    let measured = match measured {
        Some(Ok(measured)) if status.success() => measured,
        _ => Measured {
            error: error.or_else(|| Some(format!("{ENDED} {status}"))),
            ..Measured::default()
        },
    };
    Ok(Some(Outcome {
        measured,
        masks: std::fs::read(&masks)?,
    }))
}

/// What an engine measures on a task, with a line for whoever waits; nothing if it was not built.
pub fn measure_and_say(
    (binaries, engine): (&Path, &str),
    task: &Task,
    (name, vocabulary): (&str, &Path),
    out: &Path,
    limit: Duration,
) -> Result<Option<Measured>> {
    let program = binaries.join(format!("peer-{engine}"));
    let Some(Outcome { measured, .. }) = measure(&program, task, vocabulary, out, limit)? else {
        println!("not built: {engine}");
        return Ok(None);
    };
    say(name, engine, task, &measured);
    Ok(Some(measured))
}

/// A line for whoever waits.
pub fn say(vocabulary: &str, engine: &str, task: &Task, measured: &Measured) {
    let steps = measured.texts.iter().filter_map(|text| text.steps.as_ref());
    let mut masks: Vec<u32> = steps.flat_map(|steps| steps.mask_least.clone()).collect();
    masks.sort_unstable();
    let sum: u64 = masks.iter().map(|&mask| u64::from(mask)).sum();
    println!(
        "{vocabulary} {:40} {engine:13} compile {:9.2} ms  masks: {:5} of {:6.2} µs, p50 {:6.2}, most {:8.2}  {}",
        task.name,
        measured.compile_ns as f64 / 1e6,
        masks.len(),
        sum as f64 / 1e3 / masks.len().max(1) as f64,
        masks.get(masks.len() / 2).copied().unwrap_or(0) as f64 / 1e3,
        masks.last().copied().unwrap_or(0) as f64 / 1e3,
        measured
            .error
            .as_deref()
            .unwrap_or("")
            .lines()
            .next()
            .unwrap_or(""),
    );
}

/// The three load averages.
pub fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').take(3).collect::<Vec<_>>().join(" ")
}

pub fn machine(load_before: String) -> Machine {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find(|line| line.starts_with("model name"));
    let processor = model
        .and_then(|line| line.split(": ").nth(1))
        .unwrap_or("unknown");
    let compiler = Command::new("rustc").arg("--version").output();
    let compiler = compiler.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    Machine {
        processor: processor.to_owned(),
        cores: std::thread::available_parallelism().map_or(0, usize::from),
        compiler: compiler.unwrap_or_default(),
        load_before,
        load_after: load(),
    }
}
