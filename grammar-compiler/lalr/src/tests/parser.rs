//! A parser that follows tables, and what must hold of any tables.

use crate::{Symbol, Tables};

/// Whether the tables accept a text.
pub(super) fn accepts(tables: &Tables, text: &[u32]) -> bool {
    let mut stack = vec![tables.start];
    for &terminal in text {
        reduce(tables, &mut stack, Symbol::Terminal(terminal));
        let shifts = &tables.states[*stack.last().unwrap() as usize].shifts;
        match shifts.binary_search_by_key(&terminal, |&(other, _)| other) {
            Ok(place) => stack.push(shifts[place].1),
            Err(_) => return false,
        }
    }
    reduce(tables, &mut stack, Symbol::End);
    tables.states[*stack.last().unwrap() as usize].accepts
}

/// Reduces while the look-ahead asks for it, which must end.
fn reduce(tables: &Tables, stack: &mut Vec<u32>, lookahead: Symbol) {
    for _ in 0..100_000 {
        let reductions = &tables.states[*stack.last().unwrap() as usize].reductions;
        let Ok(place) = reductions.binary_search_by_key(&lookahead, |&(other, _)| other) else {
            return;
        };
        let production = tables.productions[reductions[place].1 as usize];
        stack.truncate(stack.len() - production.length as usize);
        let gotos = &tables.states[*stack.last().unwrap() as usize].gotos;
        let place = gotos.binary_search_by_key(&production.nonterminal, |&(other, _)| other);
        stack.push(gotos[place.unwrap()].1);
    }
    panic!("the parser reduces for ever");
}

/// Checks that lists are sorted, indices in range and actions unique.
pub(super) fn check(tables: &Tables) {
    let states = tables.states.len() as u32;
    assert!(tables.start < states);
    assert_eq!(
        tables.states.iter().filter(|state| state.accepts).count(),
        1
    );
    for state in &tables.states {
        assert!(state.shifts.is_sorted_by(|a, b| a.0 < b.0));
        assert!(state.gotos.is_sorted_by(|a, b| a.0 < b.0));
        assert!(state.reductions.is_sorted_by(|a, b| a.0 < b.0));
        let mut targets = state.shifts.iter().chain(&state.gotos);
        assert!(targets.all(|&(_, after)| after < states));
        for &(symbol, production) in &state.reductions {
            assert!((production as usize) < tables.productions.len());
            match symbol {
                Symbol::End => assert!(!state.accepts),
                Symbol::Terminal(terminal) => {
                    assert!(state.shifts.iter().all(|&(other, _)| other != terminal));
                }
            }
        }
    }
}

/// All texts over `terminals` terminals that are at most `length` long, shortest first.
pub(super) fn texts(terminals: u32, length: usize) -> Vec<Vec<u32>> {
    let mut texts = vec![Vec::new()];
    let mut begin = 0;
    for _ in 0..length {
        let end = texts.len();
        for start in begin..end {
            for terminal in 0..terminals {
                let longer = [texts[start].as_slice(), &[terminal]].concat();
                texts.push(longer);
            }
        }
        begin = end;
    }
    texts
}
