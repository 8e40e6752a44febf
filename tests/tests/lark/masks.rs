//! Masks of random grammars are those of the definition.

use crate::compiled::{TestMatcher, Words, with_lexer};
use crate::draw;
use crate::rules::{Grammar, Productions};
use crate::search::{Search, Verdict, bytes};
use crate::slow::{Definition, Discipline};
use maskwright_compiler::limits::Limits;
use maskwright_compiler::syntax::lark::LarkLexer;
use maskwright_tests::effort;
use maskwright_tests::random::Random;
use std::time::{Duration, Instant};

/// How a run went.
#[derive(Debug, Default)]
struct Tally {
    grammars: usize,
    refused: usize,
    texts: usize,
    sentences: usize,
    masks: usize,
    bits: usize,
    allowed: usize,
    by_definition: usize,
    too_many_stacks: usize,
    undecided: usize,
    compiling: Duration,
    defining: Duration,
    searching: Duration,
}

/// What differs, and how long its grammar and text are.
struct Failure {
    size: usize,
    what: String,
}

/// Limits that end what takes seconds, on each machine in the same place.
fn small() -> Limits {
    let limits = Limits::default().time(Duration::from_secs(10));
    limits.automaton_states(5_000).states(1_000).branches(4_000)
}

fn random_text(random: &mut Random, bytes: &[u8], most: usize) -> Vec<u8> {
    let length = 1 + random.below(most);
    let byte = |_| *random.pick(bytes).expect("there are bytes");
    (0..length).map(byte).collect()
}

/// All that is compared in one grammar.
struct Comparison<'g> {
    search: Search<'g>,
    definition: Definition<'g>,
    words: &'g Words,
    tables: &'g [u8],
    tally: &'g mut Tally,
}

impl Comparison<'_> {
    /// The oracle agrees with itself about a text.
    fn check_oracle(&mut self, text: &[u8]) {
        self.tally.by_definition += 1;
        let show = |text: &[u8]| text.escape_ascii().to_string();
        let begun = Instant::now();
        let is_sentence = self.definition.is_sentence(text);
        self.tally.defining += begun.elapsed();
        assert_eq!(
            self.search.is_sentence(text),
            is_sentence,
            "the oracle: {}\n{}",
            show(text),
            self.definition.grammar
        );
        if let Verdict::Viable(rest) = self.search.viable(text) {
            let whole = [text, &rest].concat();
            assert!(
                whole.len() > 14 || self.definition.is_sentence(&whole),
                "the oracle: {}\n{}",
                show(&whole),
                self.definition.grammar
            );
        }
    }

    /// Compares the verdicts on a text.
    fn check_text(&mut self, text: &[u8]) -> Result<(), String> {
        let (is_viable, is_sentence) = self.words.verdict(self.tables, text);
        let begun = Instant::now();
        let expected = self.search.viable(text);
        self.tally.searching += begun.elapsed();
        let expected_sentence = self.search.is_sentence(text);
        self.tally.texts += 1;
        match expected {
            Verdict::Unknown => {
                self.tally.undecided += 1;
                return Ok(());
            }
            Verdict::Viable(rest) if !is_viable => {
                return Err(format!(
                    "refused, but `{}` finishes it",
                    rest.escape_ascii()
                ));
            }
            Verdict::Dead if is_viable => return Err("taken, but nothing finishes it".to_owned()),
            _ => {}
        }
        self.tally.sentences += usize::from(is_sentence);
        match is_sentence == expected_sentence {
            true => Ok(()),
            false => Err(format!(
                "a sentence: {is_sentence}, not {expected_sentence}"
            )),
        }
    }

    /// Compares the mask after a text that is taken.
    fn check_mask(&mut self, matcher: &TestMatcher<'_>, text: &[u8]) -> Result<Vec<u32>, String> {
        let begun = Instant::now();
        let mut mask = vec![0; matcher.mask().words()];
        matcher.mask().fill(&mut mask).unwrap();
        self.tally.masks += 1;
        let is_set = |id: u32| mask[id as usize / 32] >> (id % 32) & 1 == 1;
        let mut allowed = Vec::new();
        let alphabet = bytes(&self.definition.grammar.alphabet);
        for (id, token) in (0u32..).zip(&self.words.tokens) {
            if token.len() == 1 && !alphabet.contains(&token[0]) {
                continue;
            }
            self.tally.bits += 1;
            let whole = [text, token].concat();
            let is_expected = match token.is_empty() {
                true => self.search.is_sentence(text),
                false => match self.search.viable(&whole) {
                    Verdict::Viable(_) => true,
                    Verdict::Dead => false,
                    Verdict::Unknown => {
                        self.tally.undecided += 1;
                        continue;
                    }
                },
            };
            if is_expected != is_set(id) {
                let token = token.escape_ascii();
                return Err(format!(
                    "token `{token}`: {}, not {is_expected}",
                    is_set(id)
                ));
            }
            if is_expected && !token.is_empty() {
                allowed.push(id);
            }
        }
        self.tally.allowed += allowed.len();
        self.tally.searching += begun.elapsed();
        Ok(allowed)
    }
}

/// Compares one grammar; the text at which it differs, and how.
fn check_grammar(
    random: &mut Random,
    grammar: &Grammar,
    productions: &Productions,
    discipline: Discipline,
    tally: &mut Tally,
) -> Result<(), (Vec<u8>, String)> {
    let bytes = bytes(&grammar.alphabet);
    let tokens = (0..20).map(|_| {
        let mut token = random_text(random, &bytes, 3);
        token.push(*random.pick(&bytes).expect("there are bytes"));
        token
    });
    let words = Words::new(tokens.collect::<Vec<_>>());
    let lexer = match discipline {
        Discipline::DynamicComplete => LarkLexer::DynamicComplete,
        Discipline::Dynamic => LarkLexer::Dynamic,
        Discipline::Longest => LarkLexer::Longest,
    };
    tally.grammars += 1;
    let begun = Instant::now();
    let compiled = words.compile(&grammar.to_string(), with_lexer(lexer), small());
    tally.compiling += begun.elapsed();
    let tables = match compiled {
        Ok(tables) => tables,
        Err(error) => {
            let codes = error.diagnostics().iter();
            let codes: Vec<&str> = codes.map(|one| one.code().as_str()).collect();
            if codes == ["never-matches"] {
                // Refused rightly if nothing can be finished.
                return match Search::new(grammar, productions, discipline).viable(&[]) {
                    Verdict::Viable(rest) => {
                        let rest = rest.escape_ascii();
                        Err((Vec::new(), format!("refused, but `{rest}` is a sentence")))
                    }
                    Verdict::Dead | Verdict::Unknown => Ok(()),
                };
            }
            // Terminals that compete in any number of readings.
            if codes
                .iter()
                .any(|code| !["lark-unsupported", "limit-exceeded"].contains(code))
            {
                return Err((Vec::new(), format!("refused: {error}")));
            }
            tally.refused += 1;
            return Ok(());
        }
    };
    let mut comparison = Comparison {
        search: Search::new(grammar, productions, discipline),
        definition: Definition {
            grammar,
            productions,
            discipline,
        },
        words: &words,
        tables: &tables,
        tally,
    };
    for place in 0..12 {
        let text = random_text(random, &bytes, 6);
        if place < 3 {
            comparison.check_oracle(&text);
        }
        let checked = comparison.check_text(&text);
        checked.map_err(|error| (text, error))?;
    }
    let loaded = words.grammar(&tables);
    for _ in 0..2 {
        let mut matcher = TestMatcher::new(&loaded).unwrap();
        let mut text: Vec<u8> = Vec::new();
        for step in 0..5 {
            let checked = comparison.check_text(&text);
            let checked = checked.and_then(|()| comparison.check_mask(&matcher, &text));
            let allowed = checked.map_err(|error| (text.clone(), error))?;
            if step == 2 {
                comparison.check_oracle(&text);
            }
            // One of the short ones more often, so that walks are not over soon.
            let Some(&next) = random.pick(&allowed) else {
                break;
            };
            if text.len() + words.tokens[next as usize].len() > 9 {
                break;
            }
            if matcher.accept_token(next).is_err() {
                comparison.tally.too_many_stacks += 1;
                break;
            }
            text.extend(&words.tokens[next as usize]);
        }
    }
    Ok(())
}

fn check(discipline: Discipline) {
    let grammars = if effort::is_long() { 10_000 } else { 500 };
    let mut tally = Tally::default();
    let mut failures: Vec<Failure> = Vec::new();
    for seed in 0..grammars {
        let mut random = Random::new(seed);
        let (grammar, productions) = draw::grammar(&mut random, discipline);
        let checked = check_grammar(&mut random, &grammar, &productions, discipline, &mut tally);
        if let Err((text, error)) = checked {
            let shown = grammar.to_string();
            failures.push(Failure {
                size: shown.len() + text.len(),
                what: format!("seed {seed}, `{}`: {error}\n{shown}", text.escape_ascii()),
            });
        }
    }
    println!("{discipline:?}: {tally:?}");
    failures.sort_by_key(|failure| failure.size);
    for failure in failures.iter().take(10) {
        println!("{}", failure.what);
    }
    assert!(failures.is_empty(), "{} grammars fail", failures.len());
    assert!(
        tally.refused * 100 < tally.grammars * 15,
        "too many are refused"
    );
    let asked = tally.texts + tally.bits;
    assert!(tally.undecided * 200 < asked, "too many are undecided");
    assert_eq!(tally.too_many_stacks, 0);
}

#[test]
fn dynamic_complete() {
    check(Discipline::DynamicComplete);
}

#[test]
fn dynamic() {
    check(Discipline::Dynamic);
}

#[test]
fn longest() {
    check(Discipline::Longest);
}
