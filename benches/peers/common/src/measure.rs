//! The walk: the same for every engine.

use std::hint::black_box;
use std::time::Instant;

use crate::task::{Measured, Steps, Task, TextResult, Vocabulary};
use crate::{Engine, Walker, memory};

/// Compiling is repeated at the most so often.
const COMPILES: usize = 5;

/// Measures one engine on one task and prints what came out.
pub fn run<E: Engine>() {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().expect("usage: TASK VOCABULARY MASKS");
    let task = std::fs::read(next()).expect("the task is there");
    let task: Task = serde_json::from_slice(&task).expect("the task is one");
    let vocabulary = std::fs::read(next()).expect("the vocabulary is there");
    let vocabulary = Vocabulary::read(&vocabulary);
    let masks = next();
    let mut measured = Measured {
        clock_ns: clock(),
        ..Measured::default()
    };
    let mut kept = Vec::new();
    if let Err(error) = measure::<E>(&task, &vocabulary, &mut measured, &mut kept) {
        (measured.compile_ns, measured.first_mask_ns) = (0, 0);
        measured.error = Some(error);
    }
    std::fs::write(masks, kept).expect("the masks can be written");
    println!("{}", serde_json::to_string(&measured).expect("it is JSON"));
}

fn measure<E: Engine>(
    task: &Task,
    vocabulary: &Vocabulary,
    measured: &mut Measured,
    kept: &mut Vec<u8>,
) -> Result<(), String> {
    let before = memory::start_kb();
    let start = Instant::now();
    let mut engine = E::new(vocabulary)?;
    measured.vocabulary_ns = since(start);
    let mut compiled = compile(&mut engine, task, measured)?;
    let mut walker = engine.walker(&mut compiled)?;
    for text in &task.texts {
        let mut result = TextResult::default();
        // The first walk: cold, and timed as such. What is refused has no times.
        let first = first(&mut *walker, &text.tokens, &mut result);
        if text.valid && result.accepted {
            result.steps = Some(rounds(&mut *walker, &text.tokens, task.rounds, first));
            result.accept_alone = alone(&mut *walker, &text.tokens, task.rounds, false);
            let both = alone(&mut *walker, &text.tokens, task.rounds, true);
            result.mask_alone = both - result.accept_alone;
        }
        measured.texts.push(result);
    }
    measured.peak_kb = memory::peak_kb().saturating_sub(before);
    // Apart from the timed walks: the masks themselves.
    let mut words = vec![0; vocabulary.words()];
    for (text, result) in task.texts.iter().zip(&mut measured.texts) {
        let end = result.refused_at.map_or(text.tokens.len(), |at| at + 1);
        look(
            &mut *walker,
            &text.tokens[..end],
            result,
            &mut words,
            |words| {
                if text.valid && kept.len() < task.kept_masks * words.len() * 4 {
                    kept.extend(words.iter().flat_map(|word| word.to_le_bytes()));
                }
            },
        );
    }
    drop(walker);
    let valid = task.texts.iter().zip(&measured.texts);
    let valid: Vec<&[u32]> = valid
        .filter(|(text, result)| text.valid && result.accepted)
        .map(|(text, _)| &text.tokens[..])
        .collect();
    measured.artifact = engine.artifact(&compiled);
    measured.extras = engine.extras(&mut compiled, &valid);
    Ok(())
}

/// Compiles a few times; keeps the last.
fn compile<E: Engine>(
    engine: &mut E,
    task: &Task,
    measured: &mut Measured,
) -> Result<E::Compiled, String> {
    let (mut spent, mut compiled, mut times) = (0, None, Vec::new());
    (measured.compile_ns, measured.first_mask_ns) = (u64::MAX, u64::MAX);
    for _ in 0..COMPILES {
        drop(compiled.take());
        engine.forget();
        let start = Instant::now();
        let mut made = engine.compile(&task.source)?;
        let compile = since(start);
        engine.walker(&mut made)?.mask()?;
        let first_mask = since(start);
        if times.is_empty() {
            measured.first_mask_first_ns = first_mask;
        }
        times.push(compile);
        measured.compile_ns = measured.compile_ns.min(compile);
        measured.first_mask_ns = measured.first_mask_ns.min(first_mask);
        compiled = Some(made);
        spent += first_mask;
        if spent > task.enough_ns {
            break;
        }
    }
    measured.compile_first_ns = times.first().copied().unwrap_or(0);
    times.sort_unstable();
    measured.compile_median_ns = times.get(times.len() / 2).copied().unwrap_or(0);
    compiled.ok_or_else(|| "never compiled".to_owned())
}

/// The first walk: the masks' times, and whether the text is accepted.
fn first(walker: &mut dyn Walker, tokens: &[u32], result: &mut TextResult) -> Vec<u32> {
    let mut times = Vec::with_capacity(tokens.len());
    walker.reset();
    for (at, &token) in tokens.iter().enumerate() {
        let start = Instant::now();
        let masked = walker.mask();
        times.push(since(start) as u32);
        if masked.is_err() || !walker.accept(token) {
            result.refused_at = Some(at);
            return times;
        }
    }
    result.accepted = walker.is_complete();
    times
}

/// The later walks: for each step the least and the most.
fn rounds(walker: &mut dyn Walker, tokens: &[u32], rounds: usize, first: Vec<u32>) -> Steps {
    let least = vec![u32::MAX; tokens.len()];
    let most = vec![0; tokens.len()];
    let mut steps = Steps {
        mask_first: first,
        mask_least: least.clone(),
        mask_most: most.clone(),
        accept_least: least,
        accept_most: most,
    };
    for _ in 0..rounds {
        walker.reset();
        for (at, &token) in tokens.iter().enumerate() {
            let start = Instant::now();
            let _ = black_box(walker.mask());
            let mask = since(start) as u32;
            let start = Instant::now();
            black_box(walker.accept(token));
            let accept = since(start) as u32;
            steps.mask_least[at] = steps.mask_least[at].min(mask);
            steps.mask_most[at] = steps.mask_most[at].max(mask);
            steps.accept_least[at] = steps.accept_least[at].min(accept);
            steps.accept_most[at] = steps.accept_most[at].max(accept);
        }
    }
    steps
}

/// Accepting all tokens, with masks in between or without, but with no reading of the clock:
/// nanoseconds a token.
fn alone(walker: &mut dyn Walker, tokens: &[u32], rounds: usize, masks: bool) -> f64 {
    let mut least = u64::MAX;
    for _ in 0..rounds {
        walker.reset();
        let start = Instant::now();
        for &token in tokens {
            if masks {
                let _ = black_box(walker.mask());
            }
            black_box(walker.accept(token));
        }
        least = least.min(since(start));
    }
    least as f64 / tokens.len().max(1) as f64
}

/// Looks at the masks: whether they agree with what is accepted.
fn look(
    walker: &mut dyn Walker,
    tokens: &[u32],
    result: &mut TextResult,
    words: &mut [u32],
    mut keep: impl FnMut(&[u32]),
) {
    walker.reset();
    for &token in tokens {
        if walker.mask().is_err() {
            return;
        }
        words.fill(0);
        walker.read(words);
        keep(words);
        let offered = words[token as usize / 32] >> (token % 32) & 1 == 1;
        let accepted = walker.accept(token);
        result.inconsistent += usize::from(offered != accepted);
        if !accepted {
            return;
        }
    }
}

/// What two readings of the clock take: the median.
fn clock() -> u32 {
    let mut times: Vec<u64> = (0..10_001).map(|_| since(Instant::now())).collect();
    times.sort_unstable();
    times[times.len() / 2] as u32
}

fn since(start: Instant) -> u64 {
    start.elapsed().as_nanos() as u64
}
