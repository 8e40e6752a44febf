//! What a step of decoding costs, over a JSON text of 45 KB in the tokens of its tokenizer.
//!
//! Criterion's figures are for the whole text, divided by its tokens: means. Before them the
//! percentiles over the tokens are printed, each token measured by itself.

use std::hint::black_box;
use std::time::Instant;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use maskwright::{Grammar, MaskBuffer, MaskPool, MaskRow, Matcher, PoolSlot, Vocabulary};
use maskwright_benches::percentiles::Percentiles;
use maskwright_benches::{VOCABULARIES, grammar, text, tokenize, vocabulary};
use maskwright_compiler::Compiler;

type JsonMatcher<'t> = Matcher<'t, 32>;

fn decode(criterion: &mut Criterion) {
    let text = text::json();
    for name in VOCABULARIES {
        let vocabulary = vocabulary(name);
        let packed = vocabulary.pack().expect("it packs");
        let compiler = Compiler::new(&vocabulary).expect("it is within its limits");
        let compiled = compiler.compile(&grammar("json")).expect("it compiles");
        let grammar = Grammar::load(compiled.tables()).expect("it loads");
        let grammar = grammar
            .with_vocabulary(Vocabulary::load(&packed).expect("it loads"))
            .expect("the same vocabulary");
        let tokens = tokenize(name, &text);
        let steps = steps(&grammar, &tokens);
        report(name, &steps);
        measure(criterion, name, &steps);
    }
}

/// The matcher before each token, and the token.
fn steps<'t>(grammar: &'t Grammar<'t>, tokens: &[u32]) -> Vec<(JsonMatcher<'t>, u32)> {
    let mut matcher = JsonMatcher::new(grammar).expect("deterministic, and deep enough");
    let mut step = |&token: &u32| {
        let before = matcher;
        matcher.accept_token(token).expect("the text is a sentence");
        (before, token)
    };
    tokens.iter().map(&mut step).collect()
}

/// Prints percentiles over the text.
fn report(name: &str, steps: &[(JsonMatcher<'_>, u32)]) {
    let grammar = steps[0].0.grammar();
    let mut words = vec![0; grammar.mask_words()];
    let mut logits = vec![0.0; grammar.vocab_size() as usize];
    let few: Vec<_> = steps.iter().step_by(16).copied().collect();
    eprintln!("{name}: {} tokens", steps.len());
    eprintln!(
        "  mask()   {}",
        Percentiles::time(steps, 64, |(matcher, _)| black_box(matcher.mask()).words())
    );
    eprintln!(
        "  contains {}",
        Percentiles::time(steps, 32, |(matcher, token)| matcher
            .mask()
            .contains(*token))
    );
    eprintln!(
        "  fill     {}",
        Percentiles::time(steps, 16, |(matcher, _)| matcher
            .mask()
            .fill(black_box(&mut words)))
    );
    eprintln!("  update   {}", Percentiles::of(updates(steps)));
    eprintln!("  pool     {}", Percentiles::of(pooled(steps)));
    eprintln!(
        "  accept   {}",
        Percentiles::time(steps, 64, |(matcher, token)| accept(*matcher, *token))
    );
    eprintln!(
        "  apply    {}",
        Percentiles::time(&few, 2, |(matcher, _)| matcher
            .mask()
            .apply(black_box(&mut logits)))
    );
    eprintln!(
        "  argmax   {}",
        Percentiles::time(&few, 2, |(matcher, _)| matcher
            .mask()
            .argmax(black_box(&logits)))
    );
    let mut bytes = [0; 64];
    eprintln!(
        "  forced   {}",
        Percentiles::time(&few, 4, |(matcher, _)| matcher
            .forced_bytes(black_box(&mut bytes)))
    );
}

/// What it takes to update a row that holds the mask of the step before: nanoseconds, the least of
/// a few rounds.
fn updates(steps: &[(JsonMatcher<'_>, u32)]) -> Vec<f64> {
    let words = steps[0].0.grammar().mask_words();
    let mut masks = MaskBuffer::new(vec![0; words], [MaskRow::default()], words);
    rounds(steps, |matcher| {
        let _ = black_box(masks.update(0, matcher));
    })
}

/// What it takes to find the row of a pool that holds a mask.
fn pooled(steps: &[(JsonMatcher<'_>, u32)]) -> Vec<f64> {
    let words = steps[0].0.grammar().mask_words();
    let mut masks = MaskPool::new(vec![0; 64 * words], [PoolSlot::default(); 64], words);
    rounds(steps, |matcher| {
        masks.begin_step();
        let _ = black_box(masks.row_of(matcher));
    })
}

/// Nanoseconds that each step's mask takes, the least of a few rounds through all steps.
fn rounds<'t>(
    steps: &[(JsonMatcher<'t>, u32)],
    mut mask: impl FnMut(&JsonMatcher<'t>),
) -> Vec<f64> {
    let mut least = vec![f64::INFINITY; steps.len()];
    for _ in 0..9 {
        for ((matcher, _), least) in steps.iter().zip(&mut least) {
            let start = Instant::now();
            mask(black_box(matcher));
            *least = least.min(start.elapsed().as_nanos() as f64);
        }
    }
    least
}

/// Takes a token on a copy.
fn accept<'t>(mut matcher: JsonMatcher<'t>, token: u32) -> JsonMatcher<'t> {
    let accepted = matcher.accept_token(token);
    debug_assert!(accepted.is_ok());
    matcher
}

fn measure(criterion: &mut Criterion, name: &str, steps: &[(JsonMatcher<'_>, u32)]) {
    let mut words = vec![0; steps[0].0.grammar().mask_words()];
    let mut group = criterion.benchmark_group("decode json");
    group.throughput(Throughput::Elements(steps.len() as u64));
    group.bench_function(BenchmarkId::new("fill", name), |bencher| {
        bencher.iter(|| {
            for (matcher, _) in steps {
                let _ = matcher.mask().fill(black_box(&mut words));
            }
        });
    });
    group.bench_function(BenchmarkId::new("accept", name), |bencher| {
        bencher.iter(|| {
            let mut matcher = steps[0].0;
            for (_, token) in steps {
                let _ = matcher.accept_token(*token);
            }
            matcher
        });
    });
    group.bench_function(BenchmarkId::new("fill and accept", name), |bencher| {
        bencher.iter(|| {
            let mut matcher = steps[0].0;
            for (_, token) in steps {
                let _ = matcher.mask().fill(black_box(&mut words));
                let _ = matcher.accept_token(*token);
            }
            matcher
        });
    });
}

criterion_group!(benches, decode);
criterion_main!(benches);
