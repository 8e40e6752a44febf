/// Stands for a model: a score for each token. Yours goes here.
fn model(text: &[u8], scores: &mut [f32]) {
    for (id, score) in scores.iter_mut().enumerate() {
        *score = ((id + text.len()) * 7919 % 10007) as f32;
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let vocabulary = TRIP.vocabulary().ok_or("the grammar has a vocabulary")?;
    let mut scores = vec![0.0; TRIP.vocab_size() as usize];
    let mut matcher = TripMatcher::<8>::new(&TRIP)?;
    let mut text = Vec::new();
    while !matcher.is_finished() {
        model(&text, &mut scores);
        let token = matcher.mask().argmax(&scores).ok_or("some token is allowed")?;
        matcher.accept_token(token)?;
        text.extend_from_slice(vocabulary.bytes(token));
    }
    println!("{}", String::from_utf8_lossy(&text));
    Ok(())
}
