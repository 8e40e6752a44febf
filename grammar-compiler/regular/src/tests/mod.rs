//! The automata against slow matchers, by hand-written cases, and at their limits.

mod cases;
mod errors;
mod limits;
mod operations;
mod oracle;
mod random;

use crate::{Error, Flags, Matching, Options, Pattern, TerminalDfa, terminal};

/// A regular expression without flags.
fn regex(source: &str) -> Pattern {
    flagged(source, "")
}

fn flagged(source: &str, flags: &str) -> Pattern {
    Pattern::Regex {
        source: source.to_owned(),
        flags: Flags {
            ignore_case: flags.contains('i'),
            multi_line: flags.contains('m'),
            dot_all: flags.contains('s'),
            verbose: flags.contains('x'),
            ascii: flags.contains('a'),
        },
        start: 0,
    }
}

fn text(text: &str) -> Pattern {
    Pattern::Text {
        text: text.to_owned(),
        ignore_case: false,
    }
}

fn compile(pattern: &Pattern, matching: Matching) -> Result<TerminalDfa, Error> {
    let options = Options {
        matching,
        ..Options::default()
    };
    terminal(pattern, &options, &mut || true)
}

/// All lengths at which the automaton matches the start of the text.
fn ends(dfa: &TerminalDfa, text: &[u8]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut state = 0;
    for length in 0..=text.len() {
        let Some(now) = dfa.states.get(state) else {
            break;
        };
        if dfa.holds(now.accept, &text[length..]) {
            found.push(length);
        }
        let byte = text.get(length).copied();
        let range = |&&(low, high, _): &&(u8, u8, u32)| byte.is_some_and(|b| low <= b && b <= high);
        match now.next.iter().find(range) {
            Some(&(_, _, to)) => state = to as usize,
            None => break,
        }
    }
    found
}

/// All texts of up to `length` characters of the alphabet.
fn texts(alphabet: &[char], length: usize) -> Vec<Vec<char>> {
    let mut all = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..length {
        let until = all.len();
        for at in from..until {
            for &c in alphabet {
                let mut longer = all[at].clone();
                longer.push(c);
                all.push(longer);
            }
        }
        from = until;
    }
    all
}
