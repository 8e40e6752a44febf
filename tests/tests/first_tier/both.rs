//! A matcher of the first tier beside one of the tables.

use super::{DEPTH, ids, tight};
use maskwright::{OwnedGrammar, OwnedMatcher, OwnedVocabulary};
use maskwright_compiler::error::Error;
use maskwright_compiler::grammar::{Expr, Grammar, Rule, RuleId};
use maskwright_compiler::lazy::{LazyMatcher, LazyVocabulary};
use maskwright_tests::harness::unhurried;
use maskwright_tests::random::Random;
use std::sync::Arc;

/// A grammar with its tables, and what both tiers need.
pub struct Both {
    pub grammar: Arc<Grammar>,
    pub tables: OwnedGrammar,
    pub words: Arc<LazyVocabulary>,
}

impl Both {
    pub fn new(grammar: Grammar, words: &Arc<LazyVocabulary>) -> Result<Self, Error> {
        let compiled = words
            .compiler()
            .with_options(unhurried())
            .compile(&grammar)?;
        let packed = words.prepared().vocabulary().pack().unwrap();
        let tables = OwnedGrammar::load(compiled.into_tables()).unwrap();
        Ok(Both {
            grammar: Arc::new(grammar),
            tables: (tables.with_vocabulary(&OwnedVocabulary::load(packed).unwrap())).unwrap(),
            words: words.clone(),
        })
    }

    pub fn first(&self) -> LazyMatcher {
        LazyMatcher::new(self.grammar.clone(), self.words.clone()).expect("the first tier follows")
    }

    /// Follows a text, or random tokens where it is at its end; each mask is that of the tables.
    pub fn walk(&self, text: &[u8], steps: usize, random: &mut Random) {
        let vocabulary = self.words.prepared().vocabulary();
        let mut first = self.first();
        if random.below(2) == 1 {
            first = first.bounds(tight());
        }
        // A graph of stacks is not as deep.
        let depth = match self.tables.view().stacks_are_proved() {
            true => DEPTH,
            false => 1_024,
        };
        let mut tables = OwnedMatcher::new(&self.tables, depth).unwrap();
        let mut rest = text;
        for _ in 0..steps {
            let mask = first.mask().unwrap();
            let mut row = vec![0; mask.len()];
            tables.with_mask(|mask| mask.fill(&mut row)).unwrap();
            assert!(
                row[..] == mask[..],
                "before {:?}",
                String::from_utf8_lossy(rest)
            );
            assert_eq!(first.is_complete(), tables.is_complete());
            let mut forced = [[0; 24]; 2];
            let lens = [
                first.forced_bytes(&mut forced[0]),
                tables.forced_bytes(&mut forced[1]),
            ];
            assert_eq!(forced[0][..lens[0]], forced[1][..lens[1]]);
            let mut forced = [[0; 8]; 2];
            let lens = [
                first.forced_tokens(&mut forced[0]),
                tables.forced_tokens(&mut forced[1]),
            ];
            assert_eq!(forced[0][..lens[0]], forced[1][..lens[1]]);
            let refused = random.below(vocabulary.size() as usize) as u32;
            if mask[refused as usize / 32] >> (refused % 32) & 1 == 0 {
                assert!(first.accept_token(refused).is_err());
            }
            let mut allowed = ids(&mask);
            // A token that ends sequences may be a terminal as well.
            allowed.retain(|id| !first.is_complete() || !vocabulary.eos().contains(id));
            let along = allowed
                .iter()
                .filter(|&&id| rest.starts_with(vocabulary.bytes(id)));
            let along: Vec<u32> = along.copied().collect();
            let Some(&next) = random.pick(&along).or_else(|| random.pick(&allowed)) else {
                break;
            };
            rest = rest
                .strip_prefix(vocabulary.bytes(next))
                .unwrap_or_default();
            assert_eq!(first.accept_token(next), Ok(()));
            assert_eq!(tables.accept_token(next), Ok(()));
        }
    }
}

/// Follows random texts of so many random automata: beside a word, between letters, and repeated.
/// Returns how many have tables.
pub fn walk_around(
    automaton: impl Fn(&mut Random) -> Expr,
    all: u32,
    steps: usize,
    (words, random): (&Arc<LazyVocabulary>, &mut Random),
) -> u32 {
    let mut followed = 0;
    for at in 0..all {
        let automaton = || automaton(&mut Random::new(at.into()));
        let letter = |letter: &str| Expr::Literal(letter.to_owned());
        let expr = match at % 3 {
            0 => Expr::Alt(vec![automaton(), letter("cab")]),
            1 => Expr::Seq(vec![letter("a"), automaton(), letter("(")]),
            _ => Expr::Repeat {
                expr: Box::new(Expr::Seq(vec![automaton(), letter(")")])),
                min: random.below(3) as u32,
                max: Some(20),
            },
        };
        let grammar = Grammar::new(vec![Rule::new("root", expr)], RuleId(0));
        let Ok(both) = Both::new(grammar, words) else {
            continue;
        };
        followed += 1;
        (0..4).for_each(|_| both.walk(b"", steps, random));
    }
    followed
}
