//! A Rust struct whose schema is compiled into masks by the build script, so that whatever a model
//! writes deserializes into it.
//!
//! ```text
//! cargo run --release -p rust-types
//! ```

// An application would act on its fields; here they are printed.
#[allow(dead_code)]
mod booking;
mod sample;

use booking::Booking;
use std::error::Error;

// `static BOOKING: maskwright::Grammar` and `type BookingMatcher`.
include!(concat!(env!("OUT_DIR"), "/grammars.rs"));

fn main() -> Result<(), Box<dyn Error>> {
    println!("tables: {} KB\n", BOOKING.as_bytes().len() / 1000);
    for seed in 1..=3 {
        let text = sample::decode(&BOOKING, seed)?;
        let booking: Booking = serde_json::from_str(&text)?;
        println!("{text}\n{booking:#?}\n");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_a_booking() {
        for seed in 0..300 {
            let text = sample::decode(&BOOKING, seed).unwrap();
            let booking: Booking = serde_json::from_str(&text)
                .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
            assert!((1..=4).contains(&booking.travellers.len()));
            assert!(
                booking
                    .price_limit
                    .is_none_or(|limit| (0.0..=10_000.0).contains(&limit))
            );
        }
    }
}
