//! How long a grammar takes to compile with all its masks, and how large its tables are.
//!
//! The vocabulary's trie is built before, as for every further grammar of one vocabulary.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use maskwright_benches::{GRAMMARS, VOCABULARIES, grammar, vocabulary};
use maskwright_compiler::{Options, compile};

fn compile_with_masks(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("compile");
    group.sample_size(10);
    for name in VOCABULARIES {
        let vocabulary = vocabulary(name);
        for (grammar_name, _) in GRAMMARS {
            let grammar = grammar(grammar_name);
            let compiled =
                compile(&grammar, &vocabulary, &Options::default()).expect("it compiles");
            eprintln!(
                "{grammar_name}/{name}: tables of {} bytes",
                compiled.tables().len()
            );
            group.bench_function(BenchmarkId::new(grammar_name, name), |bencher| {
                bencher.iter(|| compile(&grammar, &vocabulary, &Options::default()));
            });
        }
    }
}

criterion_group!(benches, compile_with_masks);
criterion_main!(benches);
