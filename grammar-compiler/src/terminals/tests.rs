use super::*;
use crate::grammar::RuleId;
use crate::limits::{Deadline, Limits};

/// Tokens a, b, the byte FF, a special one, and an end.
fn vocabulary() -> Vocabulary {
    let tokens = [&b"a"[..], b"b", b"\xFF", b"", b"<x>", b""];
    let tokens = tokens.iter().map(|token| token.to_vec()).collect();
    Vocabulary::from_tokens(tokens, vec![5]).with_special(vec![(3, "<|s|>".to_owned())])
}

fn grammar(expr: Expr) -> Grammar {
    let rule = Rule {
        name: "root".to_owned(),
        expr,
        span: Default::default(),
        places: Vec::new(),
    };
    Grammar {
        rules: vec![rule],
        root: RuleId(0),
        lexer: None,
    }
}

fn resolved(grammar: &Grammar) -> Result<Option<(Grammar, Terminals)>, Error> {
    let vocabulary = vocabulary();
    let long = LongTokenBytes::of(&vocabulary);
    let deadline = Deadline::start(&Limits::default());
    resolve(grammar, (&vocabulary, &long), &[], &deadline)
}

#[test]
fn a_grammar_without_sets_stays_as_it_is() {
    let grammar = grammar(Expr::Literal("a".to_owned()));
    assert_eq!(resolved(&grammar).unwrap(), None);
}

#[test]
fn groups_are_as_few_as_the_sets_tell_apart() {
    let sets = [
        TokenSet::of([3, 4]),
        TokenSet::of([4]),
        TokenSet::all_but([0]),
    ];
    let all = grammar(Expr::Alt(sets.map(Expr::Tokens).to_vec()));
    let (_, terminals) = resolved(&all).unwrap().unwrap();
    let symbol = |id| {
        terminals
            .find(id)
            .map(|token| (token.symbol, token.is_text))
    };
    // 0 is in no set, and text; 3 and 4 are in different ones; 5 ends a sequence.
    assert_eq!(symbol(0), Some((None, true)));
    assert_ne!(symbol(3), symbol(4));
    assert_eq!(symbol(3).map(|found| found.1), Some(false));
    assert_eq!(symbol(5), Some((None, false)));
    let spelled: Vec<u32> = terminals
        .spellings(&vocabulary())
        .iter()
        .map(|s| s.1)
        .collect();
    assert_eq!(spelled, [3, 4, 1, 2]);
    assert!(!terminals.is_text(2, b"\xFF") && terminals.is_text(1, b"b"));
    assert_eq!(terminals.lead, 0xFF);
}

#[test]
fn ids_beyond_the_vocabulary_are_refused() {
    let all = grammar(Expr::Tokens(TokenSet::of([6])));
    assert_eq!(resolved(&all).unwrap_err().code(), "unknown-token");
}
