//! Decodes calls with the same model in several ways, and prints what each costs.
//!
//! Usage: `RAYON_NUM_THREADS=1 cargo run --release -- [ROUNDS]`

use std::time::{Duration, Instant};

use sparse_output::decode::{Costs, Decoder, Error, Ways};
use sparse_output::model::{Cache, Config, Model};
use sparse_output::spell::Speller;
use sparse_output::{CALL, PROMPTS};

/// Names, and what is done: nothing for decoding without a grammar; rows, prefill, spelling.
const WAYS: [(&str, Option<[bool; 3]>); 7] = [
    ("free", None),
    ("constrained", Some([false, false, false])),
    ("rows", Some([true, false, false])),
    ("prefill", Some([false, true, false])),
    ("rows, prefill", Some([true, true, false])),
    ("spelled", Some([false, false, true])),
    ("spelled, rows, prefill", Some([true, true, true])),
];

fn main() -> Result<(), Error> {
    let rounds = std::env::args().nth(1);
    let rounds: usize = rounds.map_or(Ok(3), |rounds| rounds.parse())?;
    let vocabulary = CALL.vocabulary().ok_or("the grammar has no vocabulary")?;
    let speller = Speller::new(vocabulary, CALL.vocab_size());
    let model = Model::new(Config {
        vocabulary: CALL.vocab_size() as usize,
        hidden: 512,
        layers: 6,
        heads: 8,
        feed_forward: 1408,
        positions: 256,
        seed: 1,
    })?;
    let decoder = Decoder {
        grammar: &CALL,
        model: &model,
        speller: &speller,
    };
    let mut costs = [[None; WAYS.len()]; PROMPTS.len()];
    for round in 0..rounds.max(1) {
        for (words, costs) in PROMPTS.into_iter().zip(&mut costs) {
            let ids = speller.spell(words.as_bytes());
            let texts = decode(&decoder, &ids, costs)?;
            if round == 0 {
                let bytes = |id: &u32| vocabulary.bytes(*id).to_vec();
                let text: Vec<u8> = texts[1].iter().flat_map(bytes).collect();
                println!("{words}\n  {}", String::from_utf8_lossy(&text));
            }
        }
    }
    println!(
        "\n| | tokens/s | bytes/s | ms a token: layers | output | mask | given | passes | all rows | few rows |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (way, (name, _)) in WAYS.iter().enumerate() {
        row(name, costs.iter().filter_map(|costs| costs[way]).sum());
    }
    println!();
    for len in [1, 2, 4, 8, 16] {
        println!("a pass over {len} tokens: {:.1} ms", pass(&model, len)?);
    }
    Ok(())
}

/// The layers' milliseconds for `len` tokens at once: the least of some passes.
fn pass(model: &Model, len: usize) -> Result<f64, Error> {
    let tokens = vec![0; len];
    let mut least = Duration::MAX;
    for _ in 0..20 {
        let start = Instant::now();
        model.forward(&tokens, &mut Cache::default())?;
        least = least.min(start.elapsed());
    }
    Ok(1e3 * least.as_secs_f64())
}

/// Decodes after one prompt in each way, and keeps the costs where they are less than those before.
/// Texts that should be equal are compared.
fn decode(
    decoder: &Decoder,
    prompt: &[u32],
    kept: &mut [Option<Costs>; WAYS.len()],
) -> Result<Vec<Vec<u32>>, Error> {
    // As many tokens without a grammar as with one.
    let len = decoder.decode(prompt, Ways::default())?.0.len();
    let mut texts = Vec::new();
    for ((_, ways), kept) in WAYS.into_iter().zip(kept) {
        let (text, costs) = match ways {
            None => decoder.free(prompt, len)?,
            Some([rows, prefill, spell]) => decoder.decode(
                prompt,
                Ways {
                    rows,
                    prefill,
                    spell,
                },
            )?,
        };
        if kept.is_none_or(|kept| costs.total < kept.total) {
            *kept = Some(costs);
        }
        texts.push(text);
    }
    let equal = texts[2..5].iter().all(|text| *text == texts[1]) && texts[5] == texts[6];
    if equal {
        Ok(texts)
    } else {
        Err("not the same text".into())
    }
}

/// One line of the table.
fn row(name: &str, costs: Costs) {
    let tokens = costs.tokens as f64;
    let seconds = costs.total.as_secs_f64();
    let share = |time: Duration| 1e3 * time.as_secs_f64() / tokens;
    let few = costs.passes - costs.whole;
    println!(
        "| {name} | {:.0} | {:.0} | {:.2} | {:.2} | {:.3} | {} | {} | {} | {} |",
        tokens / seconds,
        costs.bytes as f64 / seconds,
        share(costs.layers),
        share(costs.output),
        share(costs.mask),
        costs.given,
        costs.passes,
        costs.whole,
        if few == 0 {
            "".to_owned()
        } else {
            format!("{few}, of {:.0} rows", costs.rows as f64 / few as f64)
        },
    );
}
