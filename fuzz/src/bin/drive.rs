//! Runs a target on random and mutated inputs for some time: `drive TARGET SECONDS [SEED]`, or on
//! one input: `drive TARGET FILE`.

use maskwright_fuzz::mutate::{Random, input};
use maskwright_fuzz::{TARGETS, Target};
use std::error::Error;
use std::fs::File;
use std::io::{Seek, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// An input that takes longer is a failure.
const TOO_LONG: Duration = Duration::from_secs(5);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (name, how, seed) = match arguments.as_slice() {
        [name, how] => (name, how, 1),
        [name, how, seed] => (name, how, seed.parse()?),
        _ => {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            return Err(format!("usage: drive {} SECONDS|FILE [SEED]", names.join("|")).into());
        }
    };
    let target = TARGETS
        .iter()
        .find(|target| target.name == name)
        .ok_or("no such target")?;
    match how.parse() {
        Ok(seconds) => drive(target, Duration::from_secs(seconds), seed),
        Err(_) => {
            (target.run)(&std::fs::read(how)?);
            Ok(())
        }
    }
}

fn drive(target: &Target, time: Duration, seed: u64) -> Result<(), Box<dyn Error>> {
    let artifacts = Path::new(env!("CARGO_MANIFEST_DIR")).join("artifacts");
    std::fs::create_dir_all(&artifacts)?;
    let running = artifacts.join(format!("{}.running", target.name));
    let mut current = File::create(&running)?;
    let mut random = Random::new(seed);
    let (mut runs, mut failures) = (0_u64, 0_u64);
    let mut slowest = Duration::ZERO;
    let begin = Instant::now();
    while begin.elapsed() < time {
        let input = input(target, &mut random);
        current.rewind()?;
        current.write_all(&input)?;
        current.set_len(input.len() as u64)?;
        let start = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
        let took = start.elapsed();
        slowest = slowest.max(took);
        if outcome.is_err() || took > TOO_LONG {
            failures += 1;
            let kept = artifacts.join(format!("{}-{seed}-{runs}", target.name));
            std::fs::write(&kept, &input)?;
            eprintln!(
                "{} after {took:?}: {}",
                if outcome.is_err() { "panic" } else { "slow" },
                kept.display()
            );
        }
        runs += 1;
    }
    std::fs::remove_file(&running)?;
    println!(
        "{}: {runs} inputs, {failures} failures, slowest {slowest:?}, seed {seed}",
        target.name
    );
    if failures == 0 {
        Ok(())
    } else {
        Err("there were failures".into())
    }
}
