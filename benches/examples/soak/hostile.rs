//! Clients that send what takes long.
//!
//! In: the generators of hostile requests. Out: [`Hostile`], what became of them. What holds: each
//! request is answered in a thread of its client, beside the thread that decodes; its time is the
//! processor's, so that a busy machine does not lengthen it.

use super::figures::print;
use maskwright_benches::random::Random;
use maskwright_compiler::Error;
use maskwright_compiler::lazy::OrRefused;
use maskwright_compiler::link::registry::{Handle, Registry, ServedMatcher};
use maskwright_tests::hostile::{AMBIGUOUS, Hostile as Kind, requests};
use rustix::time::{ClockId, clock_gettime};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Clients, each with one request at a time.
pub const CLIENTS: usize = 4;
/// Tokens of each text.
const TOKENS: usize = 24;
/// Tokens of a text of an ambiguous grammar: what its stacks take grows with the text.
const AMBIGUOUS_TOKENS: usize = 200;
/// Bytes that are asked for where the grammar leaves no choice.
const FORCED: usize = 256;
/// One request in so many is larger than the others by this factor.
const LARGE: (usize, usize) = (16, 8);

/// What became of hostile requests. Times are in microseconds of the processor.
#[derive(Default)]
pub struct Hostile {
    answered: u64,
    refused: u64,
    /// Texts that ended because the request turned out to be refused.
    refused_later: u64,
    /// Texts of ambiguous grammars that began under tables.
    under_tables: u64,
    /// Masks that were not those of the tokens that were taken, and what became of the token.
    wrong: BTreeMap<String, u64>,
    /// Reading a request, up to the handle.
    get: Vec<f64>,
    /// The matcher, the first mask, and each step.
    calls: Vec<f64>,
    /// The longest call of each kind of request.
    longest: BTreeMap<&'static str, f64>,
}

/// The requests that are due.
#[derive(Default)]
pub struct Due {
    count: AtomicU64,
    is_over: AtomicBool,
}

impl Due {
    /// One more is due.
    pub fn add(&self) {
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    /// No more will be.
    pub fn close(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// How many wait for a client.
    pub fn waiting(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    fn take(&self) -> bool {
        let one_less = |count: u64| count.checked_sub(1);
        let taken = self
            .count
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less);
        taken.is_ok()
    }
}

/// The time that this thread has had of a processor, in microseconds.
fn processor() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3
}

/// The kinds of requests in whose names a word stands; all, if none has it.
pub fn kinds(word: &str) -> Vec<Kind> {
    let (with, without): (Vec<_>, Vec<_>) =
        (requests().into_iter()).partition(|kind| kind.name.contains(word));
    if with.is_empty() { without } else { with }
}

/// A client: sends requests as they are due, until there will be no more.
pub fn client((registry, kinds): (&Registry, &[Kind]), seed: u64, due: &Due, all: &Mutex<Hostile>) {
    let mut random = Random(seed);
    while !due.is_over.load(Ordering::Relaxed) {
        if !due.take() {
            std::thread::sleep(Duration::from_millis(2));
            continue;
        }
        let kind = &kinds[random.below(kinds.len())];
        let mut own = Hostile::default();
        own.send(registry, kind, &mut random);
        let mut all = all.lock().unwrap_or_else(|error| error.into_inner());
        all.add(own, kind.name);
    }
}

impl Hostile {
    /// Sends a request and follows a text of it.
    fn send(&mut self, registry: &Registry, kind: &Kind, random: &mut Random) {
        let size = match random.below(LARGE.0) {
            0 => kind.size * LARGE.1,
            _ => 1 + random.below(kind.size),
        };
        let request = (kind.text)(size, random.bits() % 1_000);
        let start = processor();
        let handle = registry.get(&request);
        self.get.push(processor() - start);
        let Ok(handle) = handle else {
            self.refused += 1;
            return;
        };
        self.answered += 1;
        let matcher = self.timed(|| handle.matcher());
        // Half of the ambiguous texts begin under tables, whose stacks are a graph.
        let is_ambiguous = kind.name.starts_with(AMBIGUOUS);
        let matcher = match matcher {
            Ok(_) if is_ambiguous && random.below(2) == 0 => self.waited(&handle),
            matcher => matcher,
        };
        let tokens = match is_ambiguous {
            true => AMBIGUOUS_TOKENS,
            false => TOKENS,
        };
        match matcher {
            Ok(matcher) => self.follow(registry, matcher, tokens, random),
            Err(_) => self.refused_later += 1,
        }
    }

    /// The result of a call, whose time of the processor is kept.
    fn timed<T>(&mut self, call: impl FnOnce() -> T) -> T {
        let start = processor();
        let result = call();
        self.calls.push(processor() - start);
        result
    }

    /// A matcher that begins after everything has been compiled.
    fn waited(&mut self, handle: &Handle) -> Result<ServedMatcher, Error> {
        let waited = self.timed(|| handle.wait());
        waited?;
        self.under_tables += 1;
        handle.matcher()
    }

    /// Takes tokens that the masks allow, and some that they do not.
    fn follow(
        &mut self,
        registry: &Registry,
        mut matcher: ServedMatcher,
        tokens: usize,
        random: &mut Random,
    ) {
        let size = registry.vocabulary().view().size() as usize;
        let mut row = vec![0; size.div_ceil(32)];
        let mut forced = [0; FORCED];
        for at in 0..tokens {
            if at % 8 == 7 {
                let found = self.timed(|| matcher.forced_bytes(&mut forced));
                if found.is_err() {
                    self.refused_later += 1;
                    return;
                }
            }
            let filled = self.timed(|| matcher.fill(&mut row));
            if filled.is_err() {
                self.refused_later += 1;
                return;
            }
            let has = |row: &[u32], id: usize| row[id / 32] >> (id % 32) & 1 != 0;
            let drawn = random.below(size);
            let allowed = (drawn..size).chain(0..drawn).find(|&id| has(&row, id));
            let Some(allowed) = allowed else { return };
            for id in [random.below(size), allowed] {
                let is_probe = id != allowed;
                if is_probe && has(&row, id) {
                    continue;
                }
                let taken = self.timed(|| matcher.accept_token(id as u32));
                match taken {
                    Ok(()) if is_probe => self.count_wrong("taken, though no mask has it".into()),
                    Ok(()) => {}
                    Err(OrRefused::Refused(_)) => {
                        self.refused_later += 1;
                        return;
                    }
                    Err(_) if is_probe => {}
                    Err(error) => self.count_wrong(error.to_string()),
                }
            }
            if matcher.is_finished() {
                return;
            }
        }
    }

    fn count_wrong(&mut self, what: String) {
        *self.wrong.entry(what).or_default() += 1;
    }

    fn add(&mut self, other: Hostile, kind: &'static str) {
        let all = other.get.iter().chain(&other.calls).copied();
        let longest = all.fold(0.0, f64::max);
        let known = self.longest.entry(kind).or_default();
        *known = known.max(longest);
        self.answered += other.answered;
        self.refused += other.refused;
        self.refused_later += other.refused_later;
        self.under_tables += other.under_tables;
        for (what, count) in other.wrong {
            *self.wrong.entry(format!("{kind}: {what}")).or_default() += count;
        }
        self.get.extend(other.get);
        self.calls.extend(other.calls);
    }

    /// Prints the figures for requests that have this much time each.
    pub fn print(self, time: Duration) {
        let sent = self.get.len();
        println!(
            "hostile requests: {sent} of {} kinds; refused {}, refused later {}, \
             ambiguous under tables {}, wrong: {}",
            self.longest.len(),
            self.refused,
            self.refused_later,
            self.under_tables,
            self.wrong.values().sum::<u64>()
        );
        for (what, count) in &self.wrong {
            println!("  wrong {count} times: {what}");
        }
        let mut longest: Vec<_> = self.longest.into_iter().collect();
        longest.sort_by(|one, other| other.1.total_cmp(&one.1));
        let past = longest
            .first()
            .map_or(0.0, |of| of.1 - time.as_secs_f64() * 1e6);
        println!(
            "the longest time past the limit of {time:?}, ms of the processor: {:.1}",
            past.max(0.0) / 1e3
        );
        for (kind, longest) in longest.iter().take(16) {
            println!(
                "  {kind}: a call took {:.1} ms of the processor",
                longest / 1e3
            );
        }
        print("hostile: reading a request, µs of the processor", self.get);
        print("hostile: another call, µs of the processor", self.calls);
    }
}
