//! A grammar compiled by the build script, and a decode under it.
//!
//! The scores are random numbers, so that what comes out has the right form only because of the
//! masks.
//!
//! ```text
//! cargo run --release -p build-script
//! ```

use std::error::Error;
use std::time::{Duration, Instant};

include!(concat!(env!("OUT_DIR"), "/grammars.rs"));

/// One step of a decode.
struct Step {
    /// The bytes of the token that was chosen.
    bytes: &'static [u8],
    /// How many tokens were allowed.
    allowed: usize,
    /// How long it took to find the best allowed token and to accept it.
    time: Duration,
}

/// Decodes one text: at each step takes the allowed token with the highest score.
fn decode(seed: u64) -> Result<Vec<Step>, Box<dyn Error>> {
    let mut scores = Scores(seed);
    let mut logits = vec![0.0; PERSON.vocab_size() as usize];
    let mut matcher = PersonMatcher::<8>::new(&PERSON)?;
    let mut steps = Vec::new();
    while !matcher.is_finished() {
        logits.fill_with(|| scores.next());
        let allowed = matcher.mask().count();
        let start = Instant::now();
        let token = matcher
            .mask()
            .argmax(&logits)
            .ok_or("no token is allowed")?;
        matcher.accept_token(token)?;
        steps.push(Step {
            bytes: PERSON_VOCABULARY.bytes(token),
            allowed,
            time: start.elapsed(),
        });
    }
    Ok(steps)
}

/// A stand-in for a model: numbers in -1.0..1.0 from a xorshift generator.
struct Scores(u64);

impl Scores {
    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1 << 23) as f32 - 1.0
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut text = Vec::new();
    println!("{:>10}  {:>10}  text so far", "allowed", "time");
    for step in decode(0x2545_F491_4F6C_DD1D)? {
        text.extend_from_slice(step.bytes);
        let time = format!("{:?}", step.time);
        println!(
            "{:>10}  {time:>10}  {}",
            step.allowed,
            String::from_utf8_lossy(&text)
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_a_person() {
        for seed in 1..20 {
            let text: Vec<u8> = decode(seed)
                .unwrap()
                .iter()
                .flat_map(|step| step.bytes)
                .copied()
                .collect();
            let person: serde_json::Value = serde_json::from_slice(&text).unwrap();
            assert!(person["name"].is_string());
            assert!(person["age"].as_u64().unwrap() < 100);
            assert!(person["tags"].as_array().unwrap().len() <= 4);
        }
    }
}
