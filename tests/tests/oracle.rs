//! The oracle by itself: against recorded verdicts, and against brute force.

use maskwright_tests::effort;
use maskwright_tests::oracle::{self, Cfg, Chart, Spelling, Trie, allowed_tokens, cfg::Next};
use maskwright_tests::{random::Random, random_grammar, suite};
use proptest::prelude::*;
use std::collections::BTreeSet;

#[test]
fn suite_verdicts() {
    let entries = suite::load();
    assert!(entries.len() >= 35, "{} grammars", entries.len());
    for entry in entries {
        let cfg = oracle::grammar_from_ebnf(&entry.ebnf)
            .unwrap_or_else(|e| panic!("{}: {e}", entry.name));
        let is_sentence = |text: &[u8]| {
            let mut chart = Chart::new(&cfg);
            chart.push_all(text) && chart.is_sentence()
        };
        for (texts, expected) in [(&entry.sentences, true), (&entry.non_sentences, false)] {
            for text in texts {
                let shown = String::from_utf8_lossy(text);
                assert_eq!(is_sentence(text), expected, "{}: {shown:?}", entry.name);
            }
        }
        assert!(
            entry.sentences.len() + entry.non_sentences.len() >= 2,
            "{}",
            entry.name
        );
    }
}

#[test]
fn pop_takes_back_what_push_did() {
    let entry = suite::entry("c_like");
    let cfg = oracle::grammar_from_ebnf(&entry.ebnf).unwrap();
    let text = entry.sentences.last().unwrap();
    let mut chart = Chart::new(&cfg);
    let mut sentences = vec![chart.is_sentence()];
    for &byte in text {
        assert!(chart.push(byte));
        sentences.push(chart.is_sentence());
    }
    let mut random = Random::new(1);
    for _ in 0..200 {
        let length = random.below(text.len() + 1);
        chart.truncate(chart.len().min(length));
        assert_eq!(chart.is_sentence(), sentences[chart.len()]);
        let to = chart.len() + random.below(text.len() - chart.len() + 1);
        assert!(chart.push_all(&text[chart.len()..to]));
        assert_eq!(chart.is_sentence(), sentences[to]);
    }
}

/// All sentences of at most `longest` bytes, by leftmost derivation from the productions; `None` if
/// there are too many forms.
fn enumerate(cfg: &Cfg, longest: usize) -> Option<BTreeSet<Vec<u8>>> {
    // Languages up to a length, one a nonterminal, grown to a fixpoint.
    let mut languages: Vec<BTreeSet<Vec<u8>>> = vec![BTreeSet::new(); cfg.starts.len()];
    loop {
        let mut grown = false;
        for nonterminal in 0..cfg.starts.len() {
            for &start in &cfg.starts[nonterminal] {
                let new = words(cfg, start, &languages, longest)?;
                let before = languages[nonterminal].len();
                languages[nonterminal].extend(new);
                grown |= languages[nonterminal].len() > before;
            }
        }
        if !grown {
            return Some(languages.swap_remove(0));
        }
    }
}

/// The words of the production that begins at `slot`, where nonterminals stand for what is known of
/// them.
fn words(
    cfg: &Cfg,
    slot: u32,
    languages: &[BTreeSet<Vec<u8>>],
    longest: usize,
) -> Option<BTreeSet<Vec<u8>>> {
    let mut words = BTreeSet::from([Vec::new()]);
    for next in &cfg.slots[slot as usize..] {
        let choices: Vec<Vec<u8>> = match *next {
            Next::End(_) => break,
            Next::Bytes(set) => (0..=255)
                .filter(|&byte| cfg.contains(set, byte))
                .map(|byte| vec![byte])
                .collect(),
            Next::Nonterminal(n) => languages[n as usize].iter().cloned().collect(),
        };
        let mut longer = BTreeSet::new();
        for word in &words {
            for choice in &choices {
                if word.len() + choice.len() <= longest {
                    longer.insert([word.as_slice(), choice].concat());
                }
            }
            if longer.len() > 20_000 {
                return None;
            }
        }
        words = longer;
    }
    Some(words)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effort::of(300), failure_persistence: None, ..ProptestConfig::default() })]

    /// The chart accepts exactly the sentences that the productions derive, up to a length.
    #[test]
    fn chart_agrees_with_enumeration(ast in random_grammar::grammars()) {
        let text = ast.to_string();
        prop_assert_eq!(&oracle::ebnf::read(&text).unwrap().to_string(), &text);
        let cfg = oracle::grammar_from_ebnf(&text).unwrap();
        let Some(expected) = enumerate(&cfg, 4) else { return Err(TestCaseError::reject("too many words")) };
        let mut found = BTreeSet::new();
        let mut chart = Chart::new(&cfg);
        collect(&mut chart, &mut Vec::new(), 4, &mut found);
        prop_assert_eq!(found, expected, "{}", text);
    }

    /// A vocabulary of all bytes finishes exactly the viable prefixes; the sets of the two
    /// algorithms agree.
    #[test]
    fn spelling_of_all_letters_is_viability(ast in random_grammar::grammars()) {
        let cfg = oracle::lower::lower(&ast).unwrap();
        let letters: Vec<Vec<u8>> = (0..=255u8).map(|byte| vec![byte]).collect();
        let spelling = Spelling::new(&cfg, letters.iter().map(Vec::as_slice));
        for text in ["", "a", "b", "ab", "ba", "aab", "cab", "é", "abc"] {
            let viable = Chart::new(&cfg).push_all(text.as_bytes());
            prop_assert_eq!(spelling.can_finish(text.as_bytes()), viable, "{:?}\n{}", text, ast);
        }
    }

    /// A vocabulary that cannot spell everything: against all sequences of up to four tokens.
    #[test]
    fn spelling_finds_what_sequences_find(ast in random_grammar::grammars()) {
        let cfg = oracle::lower::lower(&ast).unwrap();
        let tokens: [&[u8]; 3] = [b"ab", b"b", b"ca"];
        let spelling = Spelling::new(&cfg, tokens);
        let mut layer = vec![Vec::new()];
        for _ in 0..5 {
            for text in &layer {
                let mut chart = Chart::new(&cfg);
                if chart.push_all(text) && chart.is_sentence() {
                    for length in 0..=text.len() {
                        if spelled(&text[length..], &tokens) {
                            prop_assert!(spelling.can_finish(&text[..length]), "{:?} of {:?}\n{}", length, text, ast);
                        }
                    }
                }
            }
            layer = layer.iter().flat_map(|text| tokens.iter().map(|token| [text.as_slice(), token].concat())).collect();
        }
    }

    /// The walk of the trie agrees with pushing each token by itself.
    #[test]
    fn mask_agrees_with_each_token(ast in random_grammar::grammars()) {
        let cfg = oracle::lower::lower(&ast).unwrap();
        let tokens = random_grammar::tokens();
        let trie = Trie::new((0..).zip(tokens.iter().map(Vec::as_slice)));
        let mut chart = Chart::new(&cfg);
        chart.push(b'a');
        let allowed = allowed_tokens(&mut chart, &trie);
        for (id, token) in (0u32..).zip(&tokens) {
            let expected = !token.is_empty() && chart.clone().push_all(token);
            prop_assert_eq!(allowed.contains(&id), expected, "{:?}\n{}", token, ast);
        }
    }
}

fn spelled(text: &[u8], tokens: &[&[u8]]) -> bool {
    text.is_empty()
        || tokens.iter().any(|token| {
            text.strip_prefix(*token)
                .is_some_and(|rest| spelled(rest, tokens))
        })
}

fn collect(
    chart: &mut Chart<'_>,
    prefix: &mut Vec<u8>,
    longest: usize,
    found: &mut BTreeSet<Vec<u8>>,
) {
    if chart.is_sentence() {
        found.insert(prefix.clone());
    }
    if prefix.len() == longest {
        return;
    }
    for byte in 0..=255 {
        if chart.push(byte) {
            prefix.push(byte);
            collect(chart, prefix, longest, found);
            prefix.pop();
            chart.pop();
        }
    }
}
