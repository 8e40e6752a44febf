use maskwright_compiler::grammar::{self, Grammar, RuleId};
use maskwright_compiler::*;
use maskwright_tests::oracle::{self, *};
use maskwright_tests::*;

fn conv(ast: &Ast) -> Grammar {
    let names: Vec<&str> = ast.rules.iter().map(|r| r.name.as_str()).collect();
    fn e(x: &Expr, names: &[&str]) -> grammar::Expr {
        match x {
            Expr::Text(t) => grammar::Expr::Literal(t.clone()),
            Expr::Class { negated, ranges } => {
                let mut r = if *negated {
                    oracle::utf8::complement(ranges)
                } else {
                    ranges.clone()
                };
                r.sort();
                grammar::Expr::Class(r)
            }
            Expr::Any => grammar::Expr::Class(vec![('\0', char::MAX)]),
            Expr::Seq(v) => grammar::Expr::Seq(v.iter().map(|i| e(i, names)).collect()),
            Expr::Alt(v) => grammar::Expr::Alt(v.iter().map(|i| e(i, names)).collect()),
            Expr::Repeat(x, a, b) => grammar::Expr::Repeat {
                expr: Box::new(e(x, names)),
                min: *a,
                max: *b,
            },
            Expr::Name(n) => {
                grammar::Expr::Ref(RuleId(names.iter().position(|m| m == n).unwrap() as u32))
            }
        }
    }
    let root = names.iter().position(|m| *m == "root").unwrap() as u32;
    Grammar {
        rules: ast
            .rules
            .iter()
            .map(|r| grammar::Rule {
                name: r.name.clone(),
                expr: e(&r.expr, &names),
                span: Default::default(),
            })
            .collect(),
        root: RuleId(root),
    }
}

fn walk(
    name: &str,
    ast: &Ast,
    vocab: &Vocabulary,
    prepared: &PreparedVocabulary,
    trie: &oracle::Trie,
    seed: u64,
    steps: usize,
) -> Result<String, String> {
    let g = conv(ast);
    let t = std::time::Instant::now();
    let opts = Options {
        threads: 1,
        limits: limits::Limits {
            time: std::time::Duration::from_secs(20),
            ..Default::default()
        },
    };
    let c = match compile_prepared(&g, prepared, &opts) {
        Ok(c) => c,
        Err(e) => return Ok(format!("{name}: REFUSED {e}")),
    };
    let dt = t.elapsed();
    let r = c.report();
    let vt = vocab.pack().unwrap();
    let gr = c
        .grammar()
        .map_err(|e| format!("{name} load {e}"))?
        .with_vocabulary(maskwright::Vocabulary::load(&vt).unwrap())
        .map_err(|e| format!("{e}"))?;
    let cfg = oracle::lower::lower(ast).unwrap();
    let mut rng = random::Random::new(seed);
    let mut over = 0;
    for w in 0..2 {
        let mut m = maskwright::Matcher::<64, 8>::new(&gr).map_err(|e| format!("{name} {e}"))?;
        let mut chart = Chart::new(&cfg);
        for step in 0..steps {
            let mut want = oracle::allowed_tokens(&mut chart, trie);
            want.sort();
            let eos = chart.is_sentence();
            let got_all: Vec<u32> = m.mask().iter().collect();
            let got: Vec<u32> = got_all
                .iter()
                .copied()
                .filter(|t| !vocab.eos().contains(t))
                .collect();
            let got_eos = got_all.iter().any(|t| vocab.eos().contains(t));
            if got != want || eos != got_eos {
                let missing: Vec<_> = want
                    .iter()
                    .filter(|t| !got.contains(t))
                    .take(5)
                    .map(|t| String::from_utf8_lossy(vocab.bytes(*t)).into_owned())
                    .collect();
                let extra: Vec<_> = got
                    .iter()
                    .filter(|t| !want.contains(t))
                    .take(5)
                    .map(|t| String::from_utf8_lossy(vocab.bytes(*t)).into_owned())
                    .collect();
                return Err(format!(
                    "{name}: walk {w} step {step} got {} want {} eos {eos}/{got_eos} missing {missing:?} extra {extra:?}\n{ast}",
                    got.len(),
                    want.len()
                ));
            }
            let Some(&t) = rng.pick(&got) else { break };
            match m.accept_token(t) {
                Ok(()) => {}
                Err(maskwright::AcceptError::TooManyStacks { .. }) => {
                    over += 1;
                    break;
                }
                Err(e) => {
                    return Err(format!(
                        "{name}: accept {e:?} token {:?}\n{ast}",
                        String::from_utf8_lossy(vocab.bytes(t))
                    ));
                }
            }
            assert!(chart.push_all(vocab.bytes(t)));
        }
    }
    Ok(format!(
        "{name}: states {} frames {} cond {} deep {}{} K {}{} need {} bytes {} over {over} {dt:?}",
        r.states,
        r.frames,
        r.conditional_edges,
        r.deepest_condition,
        if r.looks_to_the_bottom { "*" } else { "" },
        r.max_stacks,
        if r.stacks_proved { "" } else { "?" },
        r.least_depth,
        r.table_bytes
    ))
}

#[test]
fn zz_suite() {
    let tok = tokenizer::Tokenizer::train();
    let vocab = tok.vocabulary();
    let p = PreparedVocabulary::new(&vocab);
    let trie = oracle::Trie::new(
        tok.pairs()
            .filter(|(id, b)| !b.is_empty() && !vocab.eos().contains(id)),
    );
    let mut bad = 0;
    for e in suite::load() {
        if let Ok(only) = std::env::var("ONLY") {
            if e.name != only {
                continue;
            }
        }
        let ast = oracle::ebnf::read(&e.ebnf).unwrap();
        match walk(&e.name, &ast, &vocab, &p, &trie, 7, 25) {
            Ok(s) => println!("{s}"),
            Err(s) => {
                bad += 1;
                println!("FAIL {s}")
            }
        }
    }
    assert_eq!(bad, 0);
}

#[test]
fn zz_random() {
    use proptest::strategy::{Strategy, ValueTree};
    let toks = random_grammar::tokens();
    let eos = vec![toks.len() as u32 - 1];
    let vocab = Vocabulary::from_tokens(toks.clone(), eos.clone());
    let p = PreparedVocabulary::new(&vocab);
    let trie = oracle::Trie::new(
        (0u32..)
            .zip(toks.iter().map(|t| t.as_slice()))
            .filter(|(_, b)| !b.is_empty()),
    );
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let n: usize = std::env::var("N")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(300);
    let (mut bad, mut refused, mut over) = (0, 0, 0);
    for i in 0..n {
        let ast = random_grammar::grammars()
            .new_tree(&mut runner)
            .unwrap()
            .current();
        if oracle::lower::lower(&ast).is_err() {
            continue;
        }
        match walk(&format!("r{i}"), &ast, &vocab, &p, &trie, i as u64, 12) {
            Ok(s) => {
                if s.contains("REFUSED") {
                    refused += 1;
                    println!("{}\n{ast}", s.chars().take(200).collect::<String>())
                } else if !s.contains("over 0") {
                    over += 1
                }
            }
            Err(s) => {
                bad += 1;
                if bad < 4 {
                    println!("FAIL {s}")
                }
            }
        }
    }
    println!("n {n} bad {bad} refused {refused} over {over}");
    assert_eq!(bad, 0);
}
