//! Computing less changes nothing: the same tokens come out, and no choice is so close that
//! rounding could turn it.

use maskwright::Matcher;
use sparse_output::decode::{Decoder, Ways};
use sparse_output::model::{Cache, Config, Model};
use sparse_output::spell::Speller;
use sparse_output::{CALL, PROMPTS, output};

fn model(seed: u64) -> Model {
    let config = Config {
        vocabulary: CALL.vocab_size() as usize,
        hidden: 64,
        layers: 2,
        heads: 4,
        feed_forward: 176,
        positions: 256,
        seed,
    };
    Model::new(config).unwrap()
}

fn speller() -> Speller {
    Speller::new(CALL.vocabulary().unwrap(), CALL.vocab_size())
}

#[test]
fn the_same_tokens_come_out() {
    let speller = speller();
    for seed in 1..=3 {
        let decoder = Decoder {
            grammar: &CALL,
            model: &model(seed),
            speller: &speller,
        };
        for prompt in PROMPTS.map(|text| speller.spell(text.as_bytes())) {
            for spell in [false, true] {
                let decode = |rows, prefill| {
                    let ways = Ways {
                        rows,
                        prefill,
                        spell,
                    };
                    decoder.decode(&prompt, ways).unwrap()
                };
                let (expected, all) = decode(false, false);
                assert!(matches!(expected.last(), Some(id) if CALL.eos().any(|eos| eos == *id)));
                for (rows, prefill) in [(true, false), (false, true), (true, true)] {
                    let (text, costs) = decode(rows, prefill);
                    assert_eq!(text, expected, "rows {rows}, prefill {prefill}");
                    assert_eq!(costs.passes < all.passes, prefill);
                    assert_eq!(costs.whole < all.whole, rows || prefill);
                }
            }
        }
    }
}

/// One pass a token and one pass for all, all rows and some rows: the logits agree up to rounding,
/// and the best token that is allowed leads by more than ten times that.
#[test]
fn rounding_turns_no_choice() {
    let speller = speller();
    let model = model(1);
    let decoder = Decoder {
        grammar: &CALL,
        model: &model,
        speller: &speller,
    };
    let (mut difference, mut lead) = (0f32, f32::INFINITY);
    for prompt in PROMPTS.map(|text| speller.spell(text.as_bytes())) {
        let (text, _) = decoder.decode(&prompt, Ways::default()).unwrap();
        let mut matcher = Matcher::<16>::new(&CALL).unwrap();
        let (mut cache, mut before) = (Cache::default(), prompt);
        let mut state = model.forward(&before, &mut cache).unwrap();
        for token in text {
            let ids: Vec<u32> = matcher.mask().iter().collect();
            let all = output::all(&model.embedding, &state).unwrap();
            let at_once = model.forward(&before, &mut Cache::default()).unwrap();
            let some = output::some(&model.embedding, &at_once, &ids).unwrap();
            for (&id, logit) in ids.iter().zip(some) {
                difference = difference.max((all[id as usize] - logit).abs());
                if id != token {
                    lead = lead.min(all[token as usize] - all[id as usize]);
                }
            }
            matcher.accept_token(token).unwrap();
            before.push(token);
            state = model.forward(&[token], &mut cache).unwrap();
        }
    }
    println!("logits differ by {difference:e} at most, the best leads by {lead:e} at least");
    assert!(10.0 * difference < lead, "{difference:e} {lead:e}");
}
