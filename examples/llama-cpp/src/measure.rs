//! All ways to hold a model to a form, with the same prompts and seeds, in one run.

use crate::act::{judge_call, judge_person};
use crate::constraint::{Grammars, Jump, Task, Way};
use crate::decode::{Decoder, Output, Times};
use crate::prompts::{self, Setting};
use crate::sampler::Refused;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Each output is decoded as often; the fastest counts.
const ROUNDS: usize = 5;

const fn maskwright(refused: Refused, pool: bool, jump: Jump) -> Way {
    Way::Maskwright {
        refused,
        pool,
        jump,
    }
}

/// The ways, in the order of the table.
const WAYS: [(&str, Way); 8] = [
    ("free", Way::Free),
    ("llama.cpp's grammar", Way::Gbnf),
    ("llguidance", Way::Llguidance),
    (
        "Maskwright: mask",
        maskwright(Refused::Mask, false, Jump::No),
    ),
    ("drop", maskwright(Refused::Drop, false, Jump::No)),
    ("drop, pool", maskwright(Refused::Drop, true, Jump::No)),
    (
        "drop, pool, forced tokens",
        maskwright(Refused::Drop, true, Jump::Tokens),
    ),
    (
        "drop, pool, forced bytes",
        maskwright(Refused::Drop, true, Jump::Bytes),
    ),
];

/// The ways that must give the same texts: they differ in how a mask is handed on.
const SAME: [usize; 3] = [3, 4, 5];

/// The way that gives the same texts unless a pass over several tokens gives other logits than one
/// pass for each.
const FORCED_TOKENS: usize = 6;

/// What came of a way.
#[derive(Default)]
struct Sum {
    outputs: Vec<Output>,
    valid: usize,
    right: usize,
}

/// Measures, prints the table and writes it into `RESULTS.md`.
pub fn measure(
    decoder: &mut Decoder<'_>,
    grammars: &Grammars,
    threads: i32,
) -> Result<(), Box<dyn Error>> {
    let tools =
        prompts::TOOLS.map(|(user, tool)| (Task::Tools, &prompts::TOOLS_SETTING, user, Some(tool)));
    let people = prompts::PEOPLE.map(|user| (Task::Person, &prompts::PERSON_SETTING, user, None));
    let mut sums: [Sum; WAYS.len()] = Default::default();
    for (seed, (task, setting, user, tool)) in (1..).zip(tools.into_iter().chain(people)) {
        eprintln!("{user}");
        // Ways take turns, so that what else the machine does falls on all of them.
        let mut fastest: [Option<Output>; WAYS.len()] = Default::default();
        for _ in 0..ROUNDS {
            for ((_, way), fastest) in WAYS.iter().zip(&mut fastest) {
                let output = once(decoder, grammars, (task, *way), (setting, user), seed)?;
                let is_faster = |other: &Output| output.times.all < other.times.all;
                if fastest.as_ref().is_none_or(is_faster) {
                    *fastest = Some(output);
                }
            }
        }
        for (sum, output) in sums.iter_mut().zip(fastest.into_iter().flatten()) {
            sum.add(task, tool, output);
        }
    }
    let same = |way: usize| {
        let texts = |way: usize| sums[way].outputs.iter().map(|output| &output.text);
        texts(way)
            .zip(texts(SAME[0]))
            .filter(|(text, other)| text == other)
            .count()
    };
    let count = sums[0].outputs.len();
    if let Some(way) = SAME.into_iter().find(|way| same(*way) < count) {
        return Err(format!("other texts: {}", WAYS[way].0).into());
    }
    let mut table = table(&sums, threads)?;
    let same = same(FORCED_TOKENS);
    writeln!(
        table,
        "\nMask, drop and pool gave the same texts, all {count}; with forced tokens {same} of {count} were the same."
    )?;
    println!("{table}");
    write_results(&table)
}

/// One output.
fn once(
    decoder: &mut Decoder<'_>,
    grammars: &Grammars,
    (task, way): (Task, Way),
    prompt: (&Setting, &str),
    seed: u32,
) -> Result<Output, Box<dyn Error>> {
    let jump = match way {
        Way::Maskwright { jump, .. } => jump,
        _ => Jump::No,
    };
    let constraint = grammars.begin(task, way)?;
    decoder.decode(prompt, constraint, jump, seed, &mut |_| {})
}

impl Sum {
    fn add(&mut self, task: Task, tool: Option<&str>, output: Output) {
        let text = String::from_utf8_lossy(&output.text);
        let judged = match task {
            Task::Tools => judge_call(&text),
            Task::Person => judge_person(&text),
        };
        self.valid += usize::from(judged.is_ok());
        let is_right = tool.is_some() && judged.as_deref().ok() == tool;
        self.right += usize::from(is_right);
        self.outputs.push(output);
    }

    fn of(&self, count: impl Fn(&Output) -> usize) -> usize {
        self.outputs.iter().map(count).sum()
    }

    fn time(&self, part: impl Fn(&Times) -> Duration) -> Duration {
        self.outputs.iter().map(|output| part(&output.times)).sum()
    }
}

/// The table, and what it was measured on.
fn table(sums: &[Sum], threads: i32) -> Result<String, std::fmt::Error> {
    let mut table = format!(
        "{}, {threads} thread{}, {} prompts for a call and {} for a person; for each prompt the fastest of {ROUNDS} rounds.\n\n",
        processor(),
        if threads == 1 { "" } else { "s" },
        prompts::TOOLS.len(),
        prompts::PEOPLE.len(),
    );
    table += "| | tokens/s | tokens | without the model | ms a step: all | model | sampling | mask | mask, share of a step | valid | right tool |\n";
    table += "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";
    for ((name, _), sum) in WAYS.iter().zip(sums) {
        let (tokens, steps) = (
            sum.of(|output| output.tokens),
            sum.of(|output| output.steps),
        );
        let all = sum.time(|times| times.all);
        let step = |time: Duration| time.as_secs_f64() * 1e3 / steps as f64;
        let mask = sum.time(|times| times.mask);
        writeln!(
            table,
            "| {name} | {:.1} | {tokens} | {} | {:.2} | {:.2} | {:.3} | {:.4} | {:.2} % | {} of {} | {} of {} |",
            tokens as f64 / all.as_secs_f64(),
            sum.of(|output| output.forced),
            step(all),
            step(sum.time(|times| times.model)),
            step(sum.time(|times| times.sampling)),
            step(mask),
            100.0 * mask.as_secs_f64() / all.as_secs_f64(),
            sum.valid,
            sum.outputs.len(),
            sum.right,
            prompts::TOOLS.len(),
        )?;
    }
    Ok(table)
}

/// The machine's processor, as it calls itself.
fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    let name = name.map_or("a processor", |name| name.trim_matches([' ', '\t', ':']));
    let flags = text.lines().find(|line| line.starts_with("flags"));
    let vectors = ["avx512f", "avx2"].into_iter();
    let mut vectors = vectors.filter(|name| flags.is_some_and(|flags| flags.contains(name)));
    format!("{name} ({})", vectors.next().unwrap_or("no AVX2"))
}

/// Puts the table between the marks of the file.
fn write_results(table: &str) -> Result<(), Box<dyn Error>> {
    const MARKS: [&str; 2] = ["<!-- figures -->\n", "<!-- end of figures -->"];
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("RESULTS.md");
    let text = fs::read_to_string(&path)?;
    let [begin, end] = MARKS.map(|mark| text.find(mark));
    let (Some(begin), Some(end)) = (begin, end) else {
        return Err("RESULTS.md has no marks".into());
    };
    let begin = begin + MARKS[0].len();
    Ok(fs::write(
        path,
        format!("{}{table}{}", &text[..begin], &text[end..]),
    )?)
}
