//! Texts near their bounds, at all levels.

use super::*;
use crate::grammar::Grammar;
use crate::grammar::interpret::accepts_bytes;
use crate::limits::{Limits, Tuning};
use crate::pda::stacks::Stacks;
use crate::{Automaton, Options, automata, lr, pda};

/// The least number of characters and the greatest, if there is one.
type Bounds = (usize, Option<usize>);

/// Whether a text is a string between these bounds and then its end.
fn is_ended(text: &str, end: &str, is_trimmed: bool, (min, max): Bounds) -> bool {
    let Some(string) = text.strip_suffix(end) else {
        return false;
    };
    let value = match is_trimmed {
        true => {
            let string = string.strip_prefix('\n').unwrap_or(string);
            string.strip_suffix('\n').unwrap_or(string)
        }
        false => string,
    };
    let is_first = text.find(end) == Some(string.len());
    let count = value.chars().count();
    is_first && min <= count && max.is_none_or(|max| count <= max)
}

fn grammar(end: &str, is_trimmed: bool, (min, max): Bounds) -> Option<Grammar> {
    let texts = texts_to(&Language::any(), (end, end), &[], &Deadline::never());
    let texts = counted(&texts.unwrap(), is_trimmed).unwrap();
    let more = end.chars().count();
    let words = texts.within(min as u32, max.map(|max| max as u32), more as u32)?;
    let behind = Expr::Literal("|".to_owned());
    let body = Expr::Seq(vec![Expr::Bounded(Arc::new(words)), behind]);
    Some(Grammar::new(vec![Rule::new("root", body)], RuleId(0)))
}

/// All texts of these pieces up to a number of them.
fn texts(pieces: &[&str], most: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut from = 0;
    for _ in 0..most {
        let until = all.len();
        for at in from..until {
            let more = pieces.iter().map(|piece| format!("{}{piece}", all[at]));
            let more: Vec<String> = more.collect();
            all.extend(more);
        }
        from = until;
    }
    all
}

/// Compares all levels on each of these texts with the end behind it, and on the text alone.
fn check(end: &str, is_trimmed: bool, bounds: Bounds, block: u32, texts: &[String]) {
    let Some(grammar) = grammar(end, is_trimmed, bounds) else {
        panic!("{end:?} {bounds:?}: no automaton");
    };
    let tuning = Tuning::default().block(block).expansion(0);
    let options = Options::default()
        .limits(Limits::default().automaton_states(400_000))
        .tuning(tuning)
        .threads(1);
    let built = Automaton::new(&grammar, &options).unwrap();
    let what = format!("{end:?}, trimmed {is_trimmed}, {bounds:?}, blocks of {block}");
    assert_eq!(built.stacks, Stacks::Proved(1), "{what}");
    let counted = bounds.1.map_or(bounds.0, |max| max - bounds.0);
    let is_long = counted > 2 * (end.len() + block as usize) + 20;
    assert!(built.network.blocks > 0 || !is_long, "{what}");
    for text in texts {
        for text in [text.clone(), format!("{text}{end}")] {
            let expected = is_ended(&text, end, is_trimmed, bounds);
            let bytes = format!("{text}|").into_bytes();
            let levels = [
                accepts_bytes(&grammar, &bytes),
                automata::interpret::accepts(&built.network, &bytes),
                lr::interpret::accepts(&built.built.positions, &bytes),
                pda::interpret::accepts(&built.pda, &bytes),
            ];
            assert_eq!(levels, [expected; 4], "{what}: {text:?}");
        }
    }
}

#[test]
fn short_texts_are_counted_exactly() {
    for end in ["x", "<x", "<<x", "xyx", "<é"] {
        let pieces: Vec<&str> = vec!["<", "x", "é", "\n"];
        let texts = texts(&pieces, 5);
        for is_trimmed in [false, true] {
            for bounds in [
                (0, Some(0)),
                (0, Some(1)),
                (0, Some(2)),
                (1, Some(1)),
                (1, Some(2)),
                (2, Some(4)),
                (3, Some(3)),
                (0, Some(9)),
                (1, None),
                (2, None),
                (4, None),
            ] {
                check(end, is_trimmed, bounds, 2, &texts);
            }
        }
    }
}

/// Texts about as long as the bounds, which take several blocks of blocks.
#[test]
fn long_texts_are_counted_exactly() {
    let pieces = ["<", "<<", "a", "é", "\n", "</par", "</parameter", "€\n"];
    for (end, is_trimmed) in [
        ("</parameter>", false),
        ("</parameter>", true),
        ("<<x", true),
        ("abab", false),
    ] {
        for bounds in [
            (0, Some(40)),
            (1, Some(41)),
            (7, Some(39)),
            (30, Some(60)),
            (45, Some(45)),
            (44, Some(46)),
            (50, Some(90)),
            (7, None),
            (60, None),
        ] {
            for block in [2, 3, 16] {
                let mut texts = Vec::new();
                for (at, piece) in pieces.iter().enumerate() {
                    for length in [bounds.0, bounds.1.unwrap_or(bounds.0 + 30)] as [usize; 2] {
                        for tail in ["", "\n", "<", "</parameter", "\n\n", "<\n", "aba"] {
                            let other = pieces[(at + 3) % pieces.len()];
                            let unit = format!("{piece}{other}a");
                            for count in length.saturating_sub(15)..length + 3 {
                                let text: String = unit.chars().cycle().take(count).collect();
                                texts.push(format!("{text}{tail}"));
                                texts.push(format!("\n{text}{tail}"));
                            }
                        }
                    }
                }
                // Some of them, and others for other bounds.
                let some = texts.into_iter().skip(bounds.0 % 7).step_by(61);
                check(end, is_trimmed, bounds, block, &some.collect::<Vec<_>>());
            }
        }
    }
}

/// Ten times the bound takes about the square root of ten times the states.
#[test]
fn a_bound_costs_little_whatever_it_is() {
    let states = |bounds| {
        let grammar = grammar("</parameter>", true, bounds).unwrap();
        let limits = Limits::default().time(std::time::Duration::from_secs(3_600));
        let options = Options::default().limits(limits).threads(1);
        let built = Automaton::new(&grammar, &options).unwrap();
        assert_eq!(built.stacks, Stacks::Proved(1));
        assert!(built.network.blocks > 0);
        // Otherwise needs depend on the stack, and states are refined by it.
        let states = built.pda.states.len();
        assert!(states <= built.built.item_sets().count());
        states
    };
    for bound in [|count| (0, Some(count)), |count| (count, None)] {
        let (few, many) = (states(bound(1_000)), states(bound(10_000)));
        assert!(many < 5 * few, "{few} states, {many} states");
    }
}
