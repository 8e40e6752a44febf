//! Random texts: reading them ends, and its errors have places in them.

use crate::{Imports, ReadOptions, read};
use proptest::prelude::*;

/// Pieces of the notation.
const PIECES: [&str; 64] = [
    "start",
    "a",
    "b::_",
    "A",
    "B",
    "x",
    ":",
    ": ",
    "\n",
    "\n\n  | ",
    " ",
    "|",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "?",
    "*",
    "+",
    "~",
    "~2..3",
    "{2,3}",
    "{x, y}",
    "{\"a\"}",
    "\"a\"",
    "\"b\"i",
    "'c'",
    "\"a\"..\"z\"",
    "/x+/",
    "/y/is",
    "%ignore ",
    "%import common.INT",
    "%import .f (a, A)",
    "%import .f.a -> b",
    "%declare _X",
    "%override ",
    "%extend ",
    "%json {\"a\": 1}",
    "%json",
    "%lark { start: \"x\" }",
    "%regex {\"substring_chars\": \"ab\"}",
    "%llguidance {}",
    "%grammar_options {\"ignore_once\": true}",
    "@name",
    "<name>",
    "<[1,2-3]>",
    "[lazy]",
    "[stop=\"x\"]",
    "[suffix=A, capture=\"n\"]",
    "[max_tokens=3]",
    " & ",
    "~A",
    "::incr(_)",
    "::0",
    " %if bit_set(1)",
    ".2",
    ".-1",
    "-> c",
    "// c\n",
    "# d\n",
    "\\\n",
    "é",
];

struct Same(String);

impl Imports for Same {
    fn file(&self, _: &str) -> Option<String> {
        Some(self.0.clone())
    }
}

fn check(text: &str) {
    for lalr_order in [false, true] {
        let options = ReadOptions {
            lalr_order,
            all_terminals: lalr_order,
            ..Default::default()
        };
        let mut looks = 0;
        let mut clock = || {
            looks += 1;
            looks < 100_000
        };
        if let Err(error) = read(text, &options, &Same(text.to_owned()), &mut clock) {
            assert!(text.get(error.span.clone()).is_some(), "{error}");
            assert!(
                error
                    .also
                    .iter()
                    .all(|(span, _)| text.get(span.clone()).is_some()),
                "{error}"
            );
        }
    }
}

/// Grammars that are read, to be changed in places.
const GRAMMARS: [&str; 4] = [
    "%llguidance {\"ignore_once\": true}\n?start: sum -> s\n  | NAME \"=\" sum // c\n\
     sum.2: product\n\
     | sum (\"+\" | \"-\") product\nproduct: atom~1..3 [atom{2,}]\natom: NUMBER | \"(\" sum \")\"\n\
     %import common (NUMBER, WS)\n%import common.CNAME -> NAME\n%ignore WS\n",
    "start: _sep{NUM, \",\"} <tool> <[1,3-5]>\n\
     _sep{x, s}: x (s x)*\nNUM.-1: /[0-9]+(?=x)/i & ~\"0\"\n\
     %declare _I\n%extend NUM: \"x\"..\"z\"\n%override start: t[\"a\"]\nt: @other",
    "start: f p::3 %json {\"type\": \"string\"}\n\
     f[lazy, max_tokens=5]: /.*/ END\nEND: \"</a>\" | '\\''\n\
     p::_: \"a\" p::decr([0:4]) %if and(gt(_, 0), not(bit_set(7))) | \"\" %if is_zeros(_)",
    "start: %lark { start: \"}\" %ignore /[}]/ } %regex {\"substring_words\": \"a b\"}\n",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_text(text in "\\PC*") {
        check(&text);
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_pieces(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40)) {
        check(&format!("start: {}", pieces.concat()));
        check(&pieces.concat());
    }

    #[test]
    fn changed_grammars(
        grammar in prop::sample::select(&GRAMMARS[..]),
        changes in prop::collection::vec(
            (any::<prop::sample::Index>(), 0..3_usize, prop::sample::select(&PIECES[..])),
            0..4,
        ),
    ) {
        let mut text: Vec<char> = grammar.chars().collect();
        for (place, removed, piece) in changes {
            let start = place.index(text.len() + 1);
            let end = (start + removed).min(text.len());
            text.splice(start..end, piece.chars());
        }
        check(&text.into_iter().collect::<String>());
    }
}

#[test]
fn the_grammars_are_read() {
    for grammar in GRAMMARS {
        super::lark(grammar).unwrap();
    }
}
