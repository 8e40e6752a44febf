//! How soon masks are there for schemas that nobody has seen: times of the first tier over a sample
//! of MaskBench, which is read line by line from the input.
//!
//! ```sh
//! zcat ../shared/data/maskbench.jsonl.gz | cargo run --release -p maskwright-benches --example first_mask -- [EVERY] [check | behind]
//! ```
//!
//! Takes every 12th schema, unless told otherwise. Each text begins anew three times, and the least
//! time of each mask counts. With `check` each mask is compared with that of the tables. With
//! `behind` another thread compiles the tables of the same schemas meanwhile, as a server does, and
//! each text is followed once. The schemas and places of the slowest later masks are printed. Where
//! other programs run, or more threads than there are cores, a mask's time of the processor says
//! what the mask costs.

use maskwright::{OwnedGrammar, OwnedMatcher, OwnedVocabulary};
use maskwright_benches::percentiles::Percentiles;
use maskwright_benches::{tokenize, vocabulary};
use maskwright_compiler::grammar::Grammar;
use maskwright_compiler::lazy::{LazyMatcher, LazyVocabulary};
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::json_schema;
use maskwright_compiler::{Compiler, Options};
use rustix::time::{ClockId, clock_gettime};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::error::Error;
use std::io::BufRead;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

const VOCABULARY: &str = "cl100k_base";
const DEPTH: usize = 64;
/// Times that a text is begun anew.
const ROUNDS: usize = 3;
/// Valid instances of each schema that are followed.
const INSTANCES: usize = 2;
/// Later masks that are printed: those that took most of the processor.
const SLOWEST: usize = 12;

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    schema: &'a RawValue,
    #[serde(borrow)]
    tests: Vec<Test<'a>>,
}

#[derive(Deserialize)]
struct Test<'a> {
    valid: bool,
    #[serde(borrow)]
    data: &'a RawValue,
}

/// A thread that compiles grammars. It takes the newest one and leaves out those that came
/// meanwhile, so that it is always busy.
fn behind(compiler: &Compiler) -> Sender<Arc<Grammar>> {
    let (sender, grammars) = channel::<Arc<Grammar>>();
    let compiler = compiler.with_options(Options::default().threads(1));
    std::thread::spawn(move || {
        while let Ok(next) = grammars.recv() {
            let newest = grammars.try_iter().last().unwrap_or(next);
            let _ = compiler.compile(&newest);
        }
    });
    sender
}

/// Times in milliseconds.
#[derive(Default)]
struct Times {
    read: Vec<f64>,
    /// From the grammar to the first mask.
    first: Vec<f64>,
    /// From the text to the first mask.
    both: Vec<f64>,
    /// The masks after it.
    masks: Vec<f64>,
    /// The same in time of the processor: without what the thread waited because others ran.
    processor: Vec<f64>,
    /// The schema of each of these masks, by its line, and the number of tokens before the mask.
    places: Vec<(usize, usize)>,
    accepts: Vec<f64>,
    /// Times that a text is begun anew.
    rounds: usize,
    /// Where a thread takes grammars from.
    behind: Option<Sender<Arc<Grammar>>>,
    skipped: usize,
    compared: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let every: usize = arguments.next().map_or(Ok(12), |every| every.parse())?;
    let mode = arguments.next();
    let is_mode = |word: &str| mode.as_deref() == Some(word);
    let check = is_mode("check");
    let vocabulary = vocabulary(VOCABULARY);
    let words = LazyVocabulary::new(&Compiler::new(&vocabulary)?)?;
    let packed = OwnedVocabulary::load(vocabulary.pack()?)?;
    let behind = is_mode("behind").then(|| behind(words.compiler()));
    let mut times = Times {
        rounds: if behind.is_some() { 1 } else { ROUNDS },
        behind,
        ..Times::default()
    };
    for (number, line) in (1..)
        .zip(std::io::stdin().lock().lines())
        .step_by(every.max(1))
    {
        times.add((number, &line?), &words, check.then_some(&packed))?;
    }
    println!(
        "{VOCABULARY}, milliseconds; {} schemas not followed",
        times.skipped
    );
    print("schema to grammar", times.read);
    print("grammar to first mask", times.first);
    print("schema to first mask", times.both);
    let masks = times.processor.iter().zip(&times.masks);
    let mut slowest: Vec<_> = masks.zip(&times.places).collect();
    slowest.sort_by(|a, b| b.0.0.total_cmp(a.0.0));
    let slowest: Vec<_> = slowest.into_iter().take(SLOWEST).collect();
    for ((processor, time), (line, tokens)) in slowest {
        println!("line {line}, after {tokens} tokens: {processor:.3} of the processor, {time:.3}");
    }
    print("later masks", times.masks);
    print("later masks, of the processor", times.processor);
    print("tokens taken", times.accepts);
    println!("{} masks compared", times.compared);
    Ok(())
}

impl Times {
    fn add(
        &mut self,
        (number, line): (usize, &str),
        words: &Arc<LazyVocabulary>,
        check: Option<&OwnedVocabulary>,
    ) -> Result<(), Box<dyn Error>> {
        let line: Line = serde_json::from_str(line)?;
        let source = Source::new("schema.json", line.schema.get());
        let mut least = [f64::MAX; 3];
        let mut grammar = None;
        for _ in 0..self.rounds {
            let start = Instant::now();
            let Ok(parsed) = json_schema::parse(&source, &Default::default()) else {
                self.skipped += 1;
                return Ok(());
            };
            let parsed = Arc::new(parsed.grammar);
            let read = millis(start);
            if let Some(behind) = &self.behind {
                behind.send(parsed.clone())?;
            }
            let Ok(mut matcher) = LazyMatcher::new(parsed.clone(), words.clone()) else {
                self.skipped += 1;
                return Ok(());
            };
            if matcher.mask().is_err() {
                self.skipped += 1;
                return Ok(());
            }
            let both = millis(start);
            let all = [read, both - read, both];
            least
                .iter_mut()
                .zip(all)
                .for_each(|(least, time)| *least = least.min(time));
            grammar = Some(parsed);
        }
        self.read.push(least[0]);
        self.first.push(least[1]);
        self.both.push(least[2]);
        let Some(grammar) = grammar else {
            return Ok(());
        };
        let tables = match check {
            Some(vocabulary) => {
                let options = Options::default().threads(1);
                match words.compiler().with_options(options).compile(&grammar) {
                    Ok(compiled) => Some(
                        OwnedGrammar::load(compiled.into_tables())?.with_vocabulary(vocabulary)?,
                    ),
                    Err(_) => None,
                }
            }
            None => None,
        };
        let valid = line.tests.iter().filter(|test| test.valid);
        for test in valid.take(INSTANCES) {
            let tokens = tokenize(VOCABULARY, test.data.get());
            self.follow((number, &grammar), words, &tokens, tables.as_ref())?;
        }
        Ok(())
    }

    fn follow(
        &mut self,
        (number, grammar): (usize, &Arc<Grammar>),
        words: &Arc<LazyVocabulary>,
        tokens: &[u32],
        tables: Option<&OwnedGrammar>,
    ) -> Result<(), Box<dyn Error>> {
        let mut masks = vec![f64::MAX; tokens.len() + 1];
        let mut processor = masks.clone();
        let mut accepts = vec![f64::MAX; tokens.len()];
        for round in 0..self.rounds {
            let Ok(mut matcher) = LazyMatcher::new(grammar.clone(), words.clone()) else {
                return Ok(());
            };
            let mut other = match tables {
                Some(tables) if round == 0 => Some(OwnedMatcher::new(tables, DEPTH)?),
                _ => None,
            };
            for at in 0..=tokens.len() {
                let (began, start) = (processor_time()?, Instant::now());
                let Ok(mask) = matcher.mask() else {
                    println!("a mask beyond the bounds");
                    break;
                };
                masks[at] = masks[at].min(millis(start));
                let taken = processor_time()?.saturating_sub(began);
                processor[at] = processor[at].min(taken.as_secs_f64() * 1e3);
                if let Some(other) = &mut other {
                    let mut row = vec![0; mask.len()];
                    other.with_mask(|mask| mask.fill(&mut row))?;
                    if row[..] != mask[..] {
                        return Err(format!("mask {at} differs").into());
                    }
                    if other.is_complete() != matcher.is_complete() {
                        return Err(format!("the end at {at} differs").into());
                    }
                    self.compared += 1;
                }
                let Some(&token) = tokens.get(at) else { break };
                let start = Instant::now();
                let taken = matcher.accept_token(token).is_ok();
                accepts[at] = accepts[at].min(millis(start));
                if let Some(other) = &mut other
                    && other.accept_token(token).is_ok() != taken
                {
                    return Err(format!("token {at} differs").into());
                }
                if !taken {
                    break;
                }
            }
        }
        let later = (0..).zip(masks).skip(1);
        for (at, time) in later.filter(|&(_, time)| time < f64::MAX) {
            self.masks.push(time);
            self.processor.push(processor[at]);
            self.places.push((number, at));
        }
        self.accepts
            .extend(accepts.into_iter().filter(|&time| time < f64::MAX));
        Ok(())
    }
}

/// What the thread has taken of the processor.
fn processor_time() -> Result<Duration, Box<dyn Error>> {
    Ok(Duration::try_from(clock_gettime(ClockId::ThreadCPUTime))?)
}

fn millis(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

fn print(name: &str, times: Vec<f64>) {
    let count = times.len();
    let Percentiles { p50, p90, p99, max } = Percentiles::of(times);
    println!("{name}  p50 {p50:.3}  p90 {p90:.3}  p99 {p99:.3}  max {max:.3}  of {count}");
}
