//! Random grammars with terminals that overlap.

use crate::pattern::{Pattern, class, optional, repeat, text};
use crate::rules::{Expr, Grammar, Productions, Terminal};
use crate::slow::Discipline;
use maskwright_tests::random::Random;

/// Terminals that go together, and an ignored one.
struct Theme {
    /// Characters that terminals are drawn from.
    alphabet: &'static str,
    /// Characters that stand for all others, one for each first byte.
    others: &'static str,
    terminals: Vec<Pattern>,
    ignored: Vec<Pattern>,
}

fn seq(parts: impl IntoIterator<Item = Pattern>) -> Pattern {
    Pattern::Seq(parts.into_iter().collect())
}

fn alt(parts: impl IntoIterator<Item = Pattern>) -> Pattern {
    Pattern::Alt(parts.into_iter().collect())
}

fn some(of: Pattern) -> Pattern {
    repeat(of, 1, None)
}

fn any(of: Pattern) -> Pattern {
    repeat(of, 0, None)
}

/// Any character but `chars`; `alphabet` are all that are told apart, with those that stand for all
/// others.
fn not(chars: &str, alphabet: &str) -> Pattern {
    let excluded: Vec<char> = chars.chars().collect();
    let others = alphabet.chars().filter(|char| !excluded.contains(char));
    Pattern::Not(excluded.clone(), others.collect())
}

fn themes() -> Vec<Theme> {
    vec![
        // Keywords and names.
        Theme {
            alphabet: "if ",
            others: "",
            terminals: vec![
                text("if"),
                text("i"),
                text("fi"),
                some(class("if")),
                seq([class("i"), any(class("if"))]),
                class("if"),
                alt([text("if"), text("iff")]),
            ],
            ignored: vec![text(" "), some(class(" "))],
        },
        // Operators that begin with one another.
        Theme {
            alphabet: "=>a",
            others: "",
            terminals: vec![
                text("="),
                text("=="),
                text(">"),
                text(">="),
                text("=>"),
                text("==="),
                class("a"),
                some(class("a")),
                some(class("=>")),
            ],
            ignored: vec![text(">"), seq([text("="), some(class("a"))])],
        },
        // A terminal that fails after a long try.
        Theme {
            alphabet: "abc",
            others: "z",
            terminals: vec![
                text("a"),
                text("b"),
                seq([
                    text("a"),
                    optional(seq([text("b"), any(not("a", "abcz")), text("c")])),
                ]),
                seq([
                    text("a"),
                    optional(seq([text("b"), any(class("ab")), text("c")])),
                ]),
                text("c"),
                text("ab"),
                some(class("bc")),
                alt([text("a"), text("abc"), text("ab")]),
                alt([seq([any(text("a")), text("b")]), text("a")]),
                optional(text("c")),
                any(class("ab")),
            ],
            ignored: vec![text("b"), some(class("c")), text("ca")],
        },
        // Brackets that close together.
        Theme {
            alphabet: "([)a",
            others: "",
            terminals: vec![
                text("("),
                text("["),
                text(")"),
                text("))"),
                text("(("),
                text("a"),
                text("a)"),
                some(class("a")),
                seq([any(text(")")), text("a")]),
            ],
            ignored: vec![text("a"), text("[)")],
        },
        // Brackets and separators that end whatever follows, and a name.
        Theme {
            alphabet: "([)],a",
            others: "",
            terminals: vec![
                text("("),
                text("["),
                text(")"),
                text("]"),
                text(","),
                some(class("a")),
                text("[a"),
                class("([,"),
            ],
            ignored: vec![text(","), text("a")],
        },
        // Numbers and dots.
        Theme {
            alphabet: "1.-",
            others: "",
            terminals: vec![
                some(class("1")),
                seq([
                    some(class("1")),
                    optional(seq([text("."), some(class("1"))])),
                ]),
                alt([
                    seq([some(class("1")), text("."), any(class("1"))]),
                    some(class("1")),
                ]),
                text(".."),
                text("."),
                text("-"),
                text("1"),
                seq([optional(text("-")), some(class("1"))]),
                text("..."),
            ],
            ignored: vec![text("-"), text(".")],
        },
        // Comments and what begins as they do.
        Theme {
            alphabet: "/*a\n",
            others: "z",
            terminals: vec![
                text("/"),
                text("*"),
                text("//"),
                some(class("a")),
                text("a"),
                text("\n"),
                some(class("*/")),
                seq([text("/"), any(not("/\n", "/*a\nz")), text("/")]),
            ],
            ignored: vec![
                seq([text("//"), any(not("\n", "/*a\nz"))]),
                seq([
                    text("/*"),
                    any(alt([
                        not("*", "/*a\nz"),
                        seq([some(text("*")), not("*/", "/*a\nz")]),
                    ])),
                    some(text("*")),
                    text("/"),
                ]),
                seq([text("/"), some(text("\n"))]),
            ],
        },
        // Characters of two bytes with the same first byte.
        Theme {
            alphabet: "aéê",
            others: "zè",
            terminals: vec![
                text("a"),
                text("é"),
                class("éa"),
                some(class("éê")),
                some(not("a", "aéêzè")),
                seq([text("é"), optional(seq([text("a"), text("ê")]))]),
                text("aé"),
                not("aé", "aéêzè"),
                any(text("é")),
            ],
            ignored: vec![text("é"), not("éê", "aéêzè")],
        },
    ]
}

/// A pattern over these characters.
fn pattern(random: &mut Random, chars: &[char], depth: usize, may_be_lazy: bool) -> Pattern {
    let one = |random: &mut Random| *random.pick(chars).expect("there are characters");
    let below = if depth == 0 { 3 } else { 8 };
    match random.below(below) {
        0 => Pattern::Text(one(random).to_string()),
        1 => Pattern::Text([one(random), one(random)].iter().collect()),
        2 => {
            let mut chars = vec![one(random), one(random)];
            chars.sort_unstable();
            chars.dedup();
            Pattern::Class(chars)
        }
        3 | 4 => {
            let parts = 2 + random.below(2);
            let part = |_| pattern(random, chars, depth - 1, may_be_lazy);
            Pattern::Seq((0..parts).map(part).collect())
        }
        5 => {
            let parts = 2 + random.below(2);
            let part = |_| pattern(random, chars, depth - 1, may_be_lazy);
            Pattern::Alt((0..parts).map(part).collect())
        }
        _ => {
            let of = pattern(random, chars, depth - 1, may_be_lazy);
            if of.is_nullable() {
                return of;
            }
            let bounds = [
                (0, None),
                (1, None),
                (0, Some(1)),
                (1, Some(2)),
                (2, Some(3)),
            ];
            let (min, max) = *random.pick(&bounds).expect("there are bounds");
            Pattern::Repeat {
                of: Box::new(of),
                min,
                max,
                is_lazy: may_be_lazy && random.below(4) == 0,
            }
        }
    }
}

/// What a rule derives: the number of the rule, of all rules and of terminals.
fn expr(random: &mut Random, rule: usize, rules: usize, terminals: usize, depth: usize) -> Expr {
    let below = if depth == 0 { 6 } else { 12 };
    match random.below(below) {
        0..=4 => Expr::Terminal(random.below(terminals)),
        5 => match random.below(rules) {
            // Most that call themselves several times are ambiguous.
            other if other <= rule && random.below(3) > 0 => {
                Expr::Terminal(random.below(terminals))
            }
            other => Expr::Rule(other),
        },
        6..=8 => {
            let parts = 2 + random.below(2);
            let part = |_| expr(random, rule, rules, terminals, depth - 1);
            Expr::Seq((0..parts).map(part).collect())
        }
        9 => {
            let parts = 2 + random.below(2);
            let part = |_| expr(random, rule, rules, terminals, depth - 1);
            Expr::Alt((0..parts).map(part).collect())
        }
        _ => {
            let of = Box::new(expr(random, rule, rules, terminals, depth - 1));
            let bounds = [
                (0, Some(1)),
                (0, Some(1)),
                (0, None),
                (1, None),
                (1, Some(2)),
            ];
            let (min, max) = *random.pick(&bounds).expect("there are bounds");
            Expr::Repeat(of, min, max)
        }
    }
}

/// A grammar that has sentences, and its productions.
pub fn grammar(random: &mut Random, discipline: Discipline) -> (Grammar, Productions) {
    let themes = themes();
    loop {
        let theme = random.pick(&themes).expect("there are themes");
        let alphabet: Vec<char> = theme.alphabet.chars().collect();
        let may_be_lazy = discipline != Discipline::Longest;
        let mut terminals: Vec<Terminal> = Vec::new();
        for _ in 0..2 + random.below(4) {
            let pattern = match random.below(3) {
                0 => pattern(random, &alphabet, 2, may_be_lazy),
                _ => random.pick(&theme.terminals).cloned().unwrap(),
            };
            terminals.push(Terminal {
                pattern,
                is_anonymous: random.below(2) == 0,
            });
        }
        let taken = terminals.len();
        let mut ignored = Vec::new();
        for _ in 0..[0, 1, 1, 2][random.below(4)] {
            let pattern = match random.below(6) {
                0 => {
                    ignored.push(random.below(taken));
                    continue;
                }
                1 => pattern(random, &alphabet, 1, may_be_lazy),
                _ => random.pick(&theme.ignored).cloned().unwrap(),
            };
            ignored.push(terminals.len());
            terminals.push(Terminal {
                pattern,
                is_anonymous: random.below(2) == 0,
            });
        }
        ignored.sort_unstable();
        ignored.dedup();
        let rules = 1 + random.below(3);
        let drawn = (0..rules).map(|rule| {
            let parts = 1 + random.below(3);
            let part = |_| expr(random, rule, rules, taken, 2);
            let mut parts: Vec<Expr> = (0..parts).map(part).collect();
            match random.below(2) {
                _ if parts.len() == 1 => parts.remove(0),
                0 => Expr::Alt(parts),
                _ => Expr::Seq(parts),
            }
        });
        let mut drawn: Vec<Expr> = drawn.collect();
        if rules > 1 && random.below(3) == 0 {
            // A rule in two places, behind which different terminals stand.
            let mut around = || {
                let mut one = || Expr::Terminal(random.below(taken));
                Expr::Seq(vec![one(), Expr::Rule(1), one()])
            };
            drawn[0] = Expr::Alt(vec![around(), around()]);
        }
        let grammar = Grammar {
            rules: drawn,
            terminals: terminals.clone(),
            ignored,
            skips_at_start: discipline == Discipline::Longest && random.below(3) == 0,
            alphabet: alphabet
                .iter()
                .copied()
                .chain(theme.others.chars())
                .collect(),
        };
        if let Some(productions) = Productions::new(&grammar) {
            return (grammar, productions);
        }
    }
}
