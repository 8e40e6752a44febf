//! Pieces that a text needs before they are compiled: the steps of the thread that decodes. Reads
//! MaskBench line by line from the input.
//!
//! ```sh
//! zcat ../shared/data/maskbench.jsonl.gz | cargo run --release -p maskwright-benches --example missing
//! ```
//!
//! Tools are those of `link`, in the format `qwen_3`. No request has had them: their schemas have
//! another description for each text. A text calls one of them, or it calls six of them behind
//! 1,000 words. The registry has no threads, so no piece is there before a text needs it. A step is
//! a mask through a pool and the token behind it, and counts with the least time of three rounds,
//! each with tools that are new. Of each text the longest step is taken, and of these the median
//! and the longest, once for the registry's matcher, which goes on in the first tier, and once for
//! a matcher of the linked tools, which compiles what it needs.

use maskwright::{MaskPool, OwnedMatcher, PoolSlot};
use maskwright_benches::tools::{Tool, request, tools};
use maskwright_benches::{VOCABULARIES, tokenize, vocabulary};
use maskwright_compiler::Compiler;
use maskwright_compiler::link::registry::{Handle, Registry, RegistryOptions};
use serde_json::json;
use std::error::Error;
use std::time::{Duration, Instant};

const COUNTS: [usize; 3] = [10, 100, 500];
/// Rounds along each text.
const ROUNDS: usize = 3;
/// Texts of each kind.
const TEXTS: usize = 24;
/// Calls of a long text, and words before them.
const CALLS: usize = 6;
const WORDS: usize = 1_000;

type Pool = MaskPool<Vec<u32>, Vec<PoolSlot>>;

fn main() -> Result<(), Box<dyn Error>> {
    let tools = tools(std::io::stdin().lock())?;
    for name in VOCABULARIES {
        println!("## {name}\n");
        println!(
            "| tools | text | longest step, median, ms | of all, ms | masks in the first tier | waiting: longest step, median, ms | of all, ms |"
        );
        println!("|---|---|---|---|---|---|---|");
        let compiler = Compiler::new(&vocabulary(name))?;
        for count in COUNTS {
            for is_long in [false, true] {
                measure(name, &compiler, &tools[..count.min(tools.len())], is_long)?;
            }
        }
        println!();
    }
    Ok(())
}

fn measure(
    vocabulary: &str,
    compiler: &Compiler,
    tools: &[Tool],
    is_long: bool,
) -> Result<(), Box<dyn Error>> {
    let registry = Registry::new(compiler, RegistryOptions::default().threads(0))?;
    registry.get(&request(&tools[..1]))?.wait()?;
    let words = registry.vocabulary().view().size().div_ceil(32) as usize;
    let called: Vec<&Tool> = (tools.iter().filter(|tool| !tool.valid.is_empty())).collect();
    let (mut first, mut waiting) = (Vec::new(), Vec::new());
    for at in 0..TEXTS {
        let text = tokenize(vocabulary, &text(&called, at, is_long));
        let round = |round: usize, of: &str| {
            registry.get(&unseen(tools, &format!("{at} {is_long} {round} {of}")))
        };
        first.push(longest(&text, |times, turn| {
            first_tier(&round(turn, "first")?, &text, words, times)
        })?);
        waiting.push(longest(&text, |times, turn| {
            wait(&round(turn, "wait")?, &text, words, times)
        })?);
    }
    let millis = |time: Duration| time.as_secs_f64() * 1e3;
    let [median, longest, median_wait, longest_wait] = [
        middle(&mut first),
        first[TEXTS - 1],
        middle(&mut waiting),
        waiting[TEXTS - 1],
    ]
    .map(millis);
    println!(
        "| {} | {} | {median:.2} | {longest:.2} | {} | {median_wait:.2} | {longest_wait:.2} |",
        tools.len(),
        if is_long { "long" } else { "short" },
        registry.metrics().first_tier_masks,
    );
    Ok(())
}

/// The tools with schemas that no request has had.
fn unseen(tools: &[Tool], of: &str) -> maskwright_compiler::GrammarText {
    let mut tools = tools.to_vec();
    for tool in &mut tools {
        tool.parameters["description"] = json!(format!("of text {of}"));
    }
    request(&tools)
}

fn text(called: &[&Tool], at: usize, is_long: bool) -> String {
    let call = |of: usize| {
        let tool = called[(at * 7 + of * 3) % called.len()];
        let (name, arguments) = (&tool.name, &tool.valid[of % tool.valid.len()]);
        format!(
            "I look.\n<tool_call>\n{{\"name\": \"{name}\", \"arguments\": {arguments}}}\n</tool_call>\n"
        )
    };
    match is_long {
        false => call(0),
        true => "Then see. ".repeat(WORDS / 2) + &(0..CALLS).map(call).collect::<String>(),
    }
}

fn pool(words: usize) -> Pool {
    MaskPool::new(vec![0; 64 * words], vec![PoolSlot::default(); 64], words)
}

/// The longest of the least times that a text's steps take in some rounds.
fn longest(
    text: &[u32],
    mut round: impl FnMut(&mut [Duration], usize) -> Result<(), Box<dyn Error>>,
) -> Result<Duration, Box<dyn Error>> {
    let mut least = vec![Duration::MAX; text.len()];
    (0..ROUNDS).try_for_each(|turn| round(&mut least, turn))?;
    Ok(least.into_iter().max().unwrap_or_default())
}

/// Takes a text with the registry's matcher.
fn first_tier(
    handle: &Handle,
    text: &[u32],
    words: usize,
    times: &mut [Duration],
) -> Result<(), Box<dyn Error>> {
    let (mut matcher, mut pool) = (handle.matcher()?, pool(words));
    for (&token, time) in text.iter().zip(times) {
        pool.begin_step();
        let start = Instant::now();
        matcher.row_of(&mut pool)?;
        matcher.accept_token(token)?;
        *time = start.elapsed().min(*time);
    }
    Ok(())
}

/// Takes a text with a matcher of the linked tools, which compiles what it needs.
fn wait(
    handle: &Handle,
    text: &[u32],
    words: usize,
    times: &mut [Duration],
) -> Result<(), Box<dyn Error>> {
    let linked = handle.linked().ok_or("the tools are not linked")?.clone();
    let (mut matcher, mut pool) = (OwnedMatcher::linked(linked)?, pool(words));
    for (&token, time) in text.iter().zip(times) {
        pool.begin_step();
        let start = Instant::now();
        pool.row_of_mask(matcher.mask())?;
        matcher.accept_token(token)?;
        *time = start.elapsed().min(*time);
    }
    Ok(())
}

/// The median; the times are in order afterwards.
fn middle(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
