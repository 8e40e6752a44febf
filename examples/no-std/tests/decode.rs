//! Whatever the model says, a command comes of it.

use no_std::{COMMANDS, DEPTH, DecodeError, decode};

/// Decodes with noise from a seed; ending is liked more and more.
fn with_noise(seed: u64, text: &mut [u8]) -> Result<usize, DecodeError> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut logits = vec![0.0; COMMANDS.vocab_size() as usize];
    let end = COMMANDS.eos().next().unwrap() as usize;
    let mut step = 0.0;
    decode(text, &mut logits, |_, mask, logits| {
        step += 1.0;
        for id in mask {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            logits[id as usize] = (state >> 40) as f32 / 1e4;
        }
        logits[end] += step * 40.0;
    })
}

/// Reads commands as the controller would; what is left over.
fn commands(text: &str, depth: usize) -> Option<&str> {
    let mut rest = command(text, depth)?;
    while let Some(next) = rest.strip_prefix("; ") {
        rest = command(next, depth)?;
    }
    Some(rest)
}

fn command(text: &str, depth: usize) -> Option<&str> {
    let room = |text| {
        [" kitchen", " bath", " hall", " bedroom"]
            .iter()
            .find_map(|room| str::strip_prefix(text, room))
    };
    if let Some(rest) = text.strip_prefix("light") {
        let rest = room(rest)?;
        return rest.strip_prefix(" on").or(rest.strip_prefix(" off"));
    }
    if let Some(rest) = text.strip_prefix("heat") {
        let rest = room(rest)?.strip_prefix(' ')?;
        let end = rest.find(" C")?;
        let degrees: f32 = rest[..end].parse().ok()?;
        return (10.0..=25.5).contains(&degrees).then_some(&rest[end + 2..]);
    }
    let number = |text: &'_ str| -> Option<usize> {
        let len = text.bytes().take_while(u8::is_ascii_digit).count();
        (1..=3).contains(&len).then_some(len)
    };
    if let Some(rest) = text.strip_prefix("timer ") {
        let rest = &rest[number(rest)?..];
        return rest.strip_prefix(" s").or(rest.strip_prefix(" min"));
    }
    let rest = text.strip_prefix("repeat ")?;
    let rest = rest[number(rest)?..].strip_prefix(" {")?;
    assert!(depth > 0, "nested too deep");
    commands(rest, depth - 1)?.strip_prefix('}')
}

#[test]
fn noise_becomes_commands() {
    let (mut finished, mut nested) = (0, 0);
    for seed in 1..400 {
        let mut text = [0; 400];
        match with_noise(seed, &mut text) {
            Err(error) => assert_eq!(error, DecodeError::BufferFull),
            Ok(len) => {
                let text = std::str::from_utf8(&text[..len]).unwrap();
                assert_eq!(commands(text, DEPTH), Some(""), "{text}");
                finished += 1;
                nested += text.contains('}') as usize;
            }
        }
    }
    assert!(
        finished > 200 && nested > 20,
        "{finished} finished, {nested} of them nested"
    );
}

#[test]
fn short_buffers_are_errors() {
    assert_eq!(with_noise(1, &mut [0; 3]), Err(DecodeError::BufferFull));
    let too_few = decode(&mut [0; 100], &mut [], |_, _, _| {});
    assert_eq!(too_few, Err(DecodeError::TooFewLogits));
}

#[test]
fn the_model_may_score_the_allowed_tokens_only() {
    let mut logits = vec![0.0; COMMANDS.vocab_size() as usize];
    let mut text = [0; 100];
    let mut most = 0;
    let len = decode(&mut text, &mut logits, |_, mask, logits| {
        most = most.max(mask.count());
        mask.iter()
            .for_each(|id| logits[id as usize] = -(id as f32));
        COMMANDS.eos().for_each(|id| logits[id as usize] = 1.0);
    });
    assert!(
        len.is_ok() && most < logits.len() / 2,
        "{len:?}, {most} tokens allowed at most"
    );
}
