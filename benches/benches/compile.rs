//! How long a grammar takes to compile with all its masks, and how large its tables are.
//!
//! The vocabulary's trie is built before, as for every further grammar of one vocabulary.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use maskwright_benches::{GRAMMARS, VOCABULARIES, grammar, vocabulary};
use maskwright_compiler::Compiler;

fn compile_with_masks(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("compile");
    group.sample_size(10);
    for name in VOCABULARIES {
        let vocabulary = vocabulary(name);
        group.bench_function(
            BenchmarkId::new("prepare the vocabulary", name),
            |bencher| {
                bencher.iter(|| Compiler::new(&vocabulary));
            },
        );
        let compiler = Compiler::new(&vocabulary).expect("it is within its limits");
        for (grammar_name, _) in GRAMMARS {
            let grammar = grammar(grammar_name);
            let compile = || compiler.compile(&grammar).expect("it compiles");
            let compiled = compile();
            let report = compiled.report();
            eprintln!(
                "{grammar_name}/{name}: {} bytes ({} automaton, {} masks), {} states, {} frames, {} conditional edges",
                report.table_bytes,
                report.automaton_bytes,
                report.mask_bytes,
                report.states,
                report.frames,
                report.conditional_edges,
            );
            group.bench_function(BenchmarkId::new(grammar_name, name), |bencher| {
                bencher.iter(compile)
            });
        }
    }
}

criterion_group!(benches, compile_with_masks);
criterion_main!(benches);
