//! What linked tools cost: linking, the first mask, one tool replaced, memory, and masks along
//! texts with calls; and what pieces cost in other formats. Reads MaskBench line by line from the
//! input.
//!
//! ```sh
//! zcat ../shared/data/maskbench.jsonl.gz | cargo run --release -p maskwright-benches --example link
//! zcat ../shared/data/maskbench.jsonl.gz | cargo run --release -p maskwright-benches --example link -- formats
//! ```
//!
//! Tools are the schemas of MaskBench that are parameters of functions (BFCL and Glaive); beyond
//! their number they come again under other names. The format is `qwen_3`, the choice `auto`. The
//! registry has two threads. Links are of tools that the registry knows, in another order each
//! time: the median of 21. Masks go through a pool of 64 rows; each step counts with the least time
//! of five rounds, a reading of the clock (some 20 ns) in it. For the last column each round is of
//! a request that has just been linked, with an empty pool: its steps find out which tokens may
//! follow within names, and write all rows.
//!
//! With `formats` it prints the second table alone: for each of some formats the time of the first
//! tool, which has what stands around calls and the base in it, and the time of each of 60 further
//! tools. With numbers of tools it prints the first table alone, for these numbers.

use maskwright::{MaskPool, PoolSlot};
use maskwright_benches::tools::{Tool, request, request_in, tools};
use maskwright_benches::{VOCABULARIES, tokenize, vocabulary};
use maskwright_compiler::Compiler;
use maskwright_compiler::link::registry::{Handle, Registry, RegistryOptions};
use serde_json::json;
use std::error::Error;
use std::time::{Duration, Instant};

const COUNTS: [usize; 4] = [10, 100, 500, 1_000];
/// Links of each number of tools.
const LINKS: usize = 21;
/// Rounds along each text.
const ROUNDS: usize = 5;
/// Texts of each number of tools.
const TEXTS: usize = 16;
/// Formats whose pieces are timed.
const FORMATS: [&str; 16] = [
    "qwen_3",
    "cohere",
    "command_r",
    "mistral",
    "mistral_v11",
    "llama",
    "deepseek_v3_1",
    "glm_4_7",
    "granite",
    "harmony",
    "hunyuan",
    "internlm",
    "jamba",
    "kimi",
    "phi_4_mini",
    "xlam",
];
/// Tools whose pieces are timed.
const PIECES: usize = 60;

fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let tools = tools(std::io::stdin().lock())?;
    eprintln!("{} tools", tools.len());
    if tools.is_empty() {
        return Err(
            "the input has no tools: it is to be MaskBench's file, a schema on each line".into(),
        );
    }
    match given.first().map(String::as_str) {
        Some("formats") => {}
        None => links(&tools, &COUNTS)?,
        Some(_) => {
            let counts: Result<Vec<usize>, _> = given.iter().map(|count| count.parse()).collect();
            return links(&tools, &counts?);
        }
    }
    for name in VOCABULARIES {
        formats(name, &tools)?;
    }
    Ok(())
}

/// Prints a table of links for each vocabulary.
fn links(tools: &[Tool], counts: &[usize]) -> Result<(), Box<dyn Error>> {
    for name in VOCABULARIES {
        println!("## {name}\n");
        println!(
            "| tools | first mask, none known, ms | all compiled, ms | KB | link, ms | first mask then, µs | one replaced, ms | mask mean, µs | p99, µs | max, µs | max just linked, µs |"
        );
        println!("|---|---|---|---|---|---|---|---|---|---|---|");
        let compiler = Compiler::new(&vocabulary(name))?;
        for &count in counts {
            measure(name, &compiler, tools, count)?;
        }
        println!();
    }
    Ok(())
}

fn measure(
    vocabulary: &str,
    compiler: &Compiler,
    tools: &[Tool],
    count: usize,
) -> Result<(), Box<dyn Error>> {
    let options = RegistryOptions::default().threads(2);
    let registry = Registry::new(compiler, options)?;
    // What stands around calls is compiled once for each format, when a server starts.
    registry.get(&request(&tools[..1]))?.wait()?;
    let mut chosen = choose(tools, count);
    let words = registry.vocabulary().view().size().div_ceil(32) as usize;
    let mut row = vec![0; words];

    let start = Instant::now();
    let handle = registry.get(&request(&chosen))?;
    handle.matcher()?.fill(&mut row)?;
    let first_mask = start.elapsed();
    while !handle.is_ready() {
        std::thread::sleep(Duration::from_micros(200));
    }
    let all = start.elapsed();
    handle.wait()?;
    let bytes = registry.metrics().bytes;

    let (mut links, mut masks) = (Vec::new(), Vec::new());
    for turn in 0..LINKS {
        chosen.rotate_left(1 + turn % count.max(2) / 2);
        let request = request(&chosen);
        let start = Instant::now();
        let handle = registry.get(&request)?;
        let linked = start.elapsed();
        handle.matcher()?.fill(&mut row)?;
        links.push(linked);
        masks.push(start.elapsed() - linked);
    }
    let replaced = replaced(&registry, &chosen)?;
    let texts = texts(&chosen, vocabulary);
    let (mut steps, mut shared) = (Vec::new(), pool(words));
    for text in &texts {
        steps.extend(walk(text, &mut shared, false, || Ok(handle.clone()))?);
    }
    steps.sort_unstable();
    let mut first = Vec::new();
    for text in &texts {
        let linked = || registry.get(&request(&chosen));
        first.extend(walk(text, &mut pool(words), true, linked)?);
    }
    let first = first.into_iter().max().unwrap_or_default();
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    println!(
        "| {count} | {:.2} | {:.1} | {:.0} | {:.3} | {:.1} | {:.1} | {:.3} | {:.2} | {:.2} | {:.2} |",
        micros(first_mask) / 1e3,
        micros(all) / 1e3,
        bytes as f64 / 1e3,
        micros(median(&mut links)) / 1e3,
        micros(median(&mut masks)),
        micros(replaced) / 1e3,
        micros(steps.iter().sum::<Duration>()) / steps.len().max(1) as f64,
        micros(steps[steps.len() * 99 / 100]),
        micros(steps[steps.len() - 1]),
        micros(first),
    );
    Ok(())
}

/// The time until a request is compiled in which one tool has changed: the median over some tools.
fn replaced(registry: &Registry, chosen: &[Tool]) -> Result<Duration, Box<dyn Error>> {
    let mut times = Vec::new();
    for at in 0..chosen.len().min(9) {
        let mut changed = chosen.to_vec();
        let at = at * chosen.len() / 9.min(chosen.len());
        let Some(properties) = changed[at].parameters["properties"].as_object_mut() else {
            continue;
        };
        properties.insert("one_more".to_owned(), json!({"type": "string"}));
        let request = request(&changed);
        let start = Instant::now();
        let handle = registry.get(&request)?;
        while !handle.is_ready() {
            std::thread::sleep(Duration::from_micros(50));
        }
        handle.wait()?;
        times.push(start.elapsed());
    }
    Ok(median(&mut times))
}

type Pool = MaskPool<Vec<u32>, Vec<PoolSlot>>;

fn pool(words: usize) -> Pool {
    MaskPool::new(vec![0; 64 * words], vec![PoolSlot::default(); 64], words)
}

/// Texts with calls, as tokens.
fn texts(chosen: &[Tool], vocabulary: &str) -> Vec<Vec<u32>> {
    let called = chosen.iter().filter(|tool| !tool.valid.is_empty());
    let called: Vec<&Tool> = called.collect();
    let call = |at: usize, call: usize| {
        let tool = called[(at * 7 + call * 3) % called.len()];
        let arguments = &tool.valid[call % tool.valid.len()];
        format!(
            "Let me look: if a < b, then <b>é</b>.\n<tool_call>\n{{\"name\": \"{}\", \"arguments\": {arguments}}}\n</tool_call>\n",
            tool.name
        )
    };
    (0..TEXTS)
        .map(|at| (0..3).map(|of| call(at, of)).collect::<String>())
        .map(|text| tokenize(vocabulary, &text))
        .collect()
}

/// The least time of the mask before each token of a text, over some rounds, each with a matcher of
/// what `handle` gives. The rows of the pool are forgotten before each round, if asked.
fn walk(
    text: &[u32],
    masks: &mut Pool,
    forget: bool,
    handle: impl Fn() -> Result<Handle, maskwright_compiler::Error>,
) -> Result<Vec<Duration>, Box<dyn Error>> {
    let mut least = vec![Duration::MAX; text.len()];
    for _ in 0..ROUNDS {
        let handle = handle()?;
        let mut matcher = handle.matcher()?;
        if forget {
            *masks = pool(masks.words().len() / 64);
        }
        for (&token, least) in text.iter().zip(&mut least) {
            masks.begin_step();
            let start = Instant::now();
            matcher.row_of(masks)?;
            *least = start.elapsed().min(*least);
            if matcher.accept_token(token).is_err() {
                break;
            }
        }
    }
    least.retain(|&time| time < Duration::MAX);
    Ok(least)
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// Prints what pieces cost in some formats. Tools are asked for one by one.
fn formats(name: &str, tools: &[Tool]) -> Result<(), Box<dyn Error>> {
    println!("## {name}, by format\n");
    println!("| format | first tool, ms | a tool, median, ms | p90, ms | longest, ms |");
    println!("|---|---|---|---|---|");
    let compiler = Compiler::new(&vocabulary(name))?;
    let chosen = choose(tools, PIECES + 1);
    for format in FORMATS {
        let registry = Registry::new(&compiler, RegistryOptions::default().threads(1))?;
        let start = Instant::now();
        registry.get(&request_in(format, &chosen[..1]))?.wait()?;
        let first = start.elapsed();
        let mut times = Vec::new();
        for tool in &chosen[1..] {
            let before = registry.metrics().compile_time;
            let handle = registry.get(&request_in(format, std::slice::from_ref(tool)))?;
            if handle.linked().is_none() {
                return Err(format!("{format} is not linked").into());
            }
            handle.wait()?;
            times.push(registry.metrics().compile_time - before);
        }
        times.sort_unstable();
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
        let [first, median, most, longest] =
            [first, at(0.5), at(0.9), at(1.0)].map(|time| time.as_secs_f64() * 1e3);
        println!("| {format} | {first:.0} | {median:.1} | {most:.1} | {longest:.1} |");
    }
    println!();
    Ok(())
}

/// So many tools, spread over all; beyond their number they come again under other names.
fn choose(tools: &[Tool], count: usize) -> Vec<Tool> {
    let step = (tools.len() / count).max(1);
    let numbered = |at: usize| {
        let tool = tools[at * step % tools.len()].clone();
        match at * step / tools.len() {
            0 => tool,
            turn => Tool {
                name: format!("{}_{turn}", tool.name),
                ..tool
            },
        }
    };
    (0..count).map(numbered).collect()
}
