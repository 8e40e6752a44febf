//! Hostile grammars in the grammar language.

use super::{Hostile, kind, list, nested};
use maskwright_compiler::GrammarText;

pub(super) const KINDS: &[Hostile] = &[
    kind("ebnf: alternatives of one rule", 5_000, |size, seed| {
        root(&list(size, " | ", |i| format!("\"a{seed}b{i}\"")))
    }),
    kind("ebnf: empty alternatives", 50_000, |size, _| {
        root(&list(size, " | ", |_| "\"\""))
    }),
    kind("ebnf: equal alternatives", 20_000, |size, seed| {
        root(&list(size, " | ", |_| format!("\"x{seed}\"")))
    }),
    kind("ebnf: tokens by number", 5_000, |size, _| {
        root(&list(size, " | ", |i| format!("<[{i}]>")))
    }),
    kind("ebnf: a set of many tokens", 20_000, |size, _| {
        root(&format!("Token({})", list(size, ", ", |i| i)))
    }),
    kind("ebnf: a chain of rules that recur", 2_000, |size, seed| {
        chain(size, seed, |next| format!("\"a\" {next}? \"b\""))
    }),
    kind("ebnf: a cycle of rules", 2_000, |size, seed| {
        let rules = list(size, "\n", |i| {
            format!("c{seed}-{i} ::= \"a\" c{seed}-{}? \"b\"", (i + 1) % size)
        });
        GrammarText::ebnf(format!("root ::= c{seed}-0\n{rules}\n"))
    }),
    kind(
        "ebnf: a chain of rules that call themselves",
        2_000,
        |size, seed| {
            let rule = |i: usize| {
                let (own, next) = (format!("c{seed}-{i}"), format!("c{seed}-{}", i + 1));
                format!("{own} ::= {own} \"a\" | {next} {own}? | \"b\"")
            };
            let rules = list(size, "\n", rule);
            GrammarText::ebnf(format!(
                "root ::= c{seed}-0\n{rules}\nc{seed}-{size} ::= \"c\"\n"
            ))
        },
    ),
    kind("ebnf: regular expressions", 5_000, |size, seed| {
        root(&list(size, " | ", |i| format!("/a{seed}-{i}(b|c)*[^x]+/")))
    }),
    kind("ebnf: rules that one rule uses", 5_000, |size, seed| {
        let uses = list(size, " | ", |i| format!("n{seed}-{i}"));
        let rules = list(size, "\n", |i| format!("n{seed}-{i} ::= \"{i}\""));
        GrammarText::ebnf(format!("root ::= {uses}\n{rules}\n"))
    }),
    kind("ebnf: tokens by name", 500, |size, seed| {
        root(&list(size, " | ", |i| format!("<|t{seed}-{i}|>")))
    }),
    kind("ebnf: a chain of calls", 10_000, |size, seed| {
        chain(size, seed, |next| next.to_owned())
    }),
    kind("ebnf: a chain of tails", 5_000, |size, seed| {
        chain(size, seed, |next| format!("[a-c] {next}"))
    }),
    kind("ebnf: a chain of left ends", 5_000, |size, seed| {
        chain(size, seed, |next| format!("{next} \"a\""))
    }),
    kind("ebnf: a chain of optional rules", 2_000, |size, seed| {
        chain(size, seed, |next| format!("{next}? {next}? \"a\""))
    }),
    kind("ebnf: rules that are never used", 20_000, |size, seed| {
        let rules = list(size, "\n", |i| format!("u{seed}-{i} ::= \"x\""));
        GrammarText::ebnf(format!("root ::= \"a\"\n{rules}\n"))
    }),
    kind("ebnf: rules that are not defined", 10_000, |size, seed| {
        root(&list(size, " ", |i| format!("u{seed}-{i}")))
    }),
    kind("ebnf: one rule defined again", 10_000, |size, seed| {
        let rules = list(size, "\n", |i| format!("twice{seed} ::= \"x{i}\""));
        GrammarText::ebnf(format!("root ::= twice{seed}\n{rules}\n"))
    }),
    kind("ebnf: rules that never finish", 10_000, |size, seed| {
        let rules = list(size, "\n", |i| {
            format!("n{seed}-{i} ::= \"x\" n{seed}-{}", (i + 1) % size)
        });
        GrammarText::ebnf(format!("root ::= n{seed}-0\n{rules}\n"))
    }),
    kind("ebnf: a long literal", 200_000, |size, seed| {
        root(&format!("\"{seed}{}\"", "a".repeat(size)))
    }),
    kind("ebnf: a literal of escapes", 50_000, |size, seed| {
        root(&format!("\"{seed}{}\"", "\\u00e9".repeat(size)))
    }),
    kind("ebnf: comments", 100_000, |size, seed| {
        GrammarText::ebnf("# c\n".repeat(size) + &format!("root ::= \"{seed}\""))
    }),
    kind("ebnf: a class of many ranges", 20_000, |size, _| {
        let place = |i: usize| 0x1_0000 + (2 * i as u32) % 0xf_0000;
        root(&format!(
            "[{}]",
            list(size, "", |i| format!("\\U{:08x}", place(i)))
        ))
    }),
    kind("ebnf: many classes", 2_000, |size, _| {
        root(&list(size, " | ", |i| {
            format!("[\\U{:08x}-\\U{:08x}] \"x\"", 0x100 + i, 0x200 + 2 * i)
        }))
    }),
    kind("ebnf: nested groups", 190, |size, seed| {
        root(&nested(
            size,
            "(\"a\" | ",
            &format!("\"{seed}\""),
            " \"b\")*",
        ))
    }),
    kind("ebnf: groups that nest too deep", 20_000, |size, seed| {
        root(&nested(size, "(", &format!("\"{seed}\""), ")"))
    }),
    kind("ebnf: operators behind an operand", 5_000, |size, seed| {
        root(&format!("\"{seed}\"{}", "?".repeat(size)))
    }),
    kind("ebnf: counted repetitions", 500, |size, seed| {
        root(&list(size, " ", |i| {
            format!("(\"x{seed}\" | [a-y]){{0,{}}}", 50 + i)
        }))
    }),
    kind("ebnf: a counted repetition", 20_000, |size, seed| {
        root(&format!("(\"ab\" | \"c{seed}\"){{2,{size}}} [a-c]{{0,3}}"))
    }),
    kind("ebnf: optional parts in a row", 500, |size, seed| {
        root(&list(size, " ", |i| format!("\"a{seed}b{}\"?", i % 7)))
    }),
    kind("ebnf: neighbouring chunks", 2_000, |size, seed| {
        root(&format!(
            "Substring({})",
            list(size, ", ", |i| format!("\"c{seed}-{i}\""))
        ))
    }),
    kind("ebnf: triggers of a dispatch", 2_000, |size, seed| {
        let rules = list(size, ", ", |i| format!("(\"<t{seed}-{i}>\", x)"));
        GrammarText::ebnf(format!("root ::= TagDispatch({rules})\nx ::= \"x\"\n"))
    }),
    kind("ebnf: ambiguous expressions", 30, |size, seed| {
        let operators = list(size, " | ", |i| format!("e \"{seed}o{i}\" e"));
        GrammarText::ebnf(format!("root ::= e\ne ::= {operators} | [0-9]+\n"))
    }),
    kind("ebnf: texts of which each is a prefix", 500, |size, _| {
        root(&list(size, " | ", |i| format!("\"{}\"", "a".repeat(i + 1))))
    }),
    kind("ebnf: a place n characters back", 12, |size, _| {
        root(&format!("([ab]* \"a\" [ab]{{{size}}} \"c\")+"))
    }),
    kind("ebnf: letters that are no words", 50_000, |size, seed| {
        GrammarText::ebnf(format!("root ::= \"{seed}\" {}", "$ ".repeat(size)))
    }),
    kind("ebnf: embedded schemas", 500, |size, seed| {
        root(&list(size, " | ", |i| {
            format!("json_schema({{\"const\": \"{seed}-{i}\"}})")
        }))
    }),
    kind("ebnf: embedded patterns", 1_000, |size, seed| {
        root(&list(size, " | ", |i| {
            format!("/x{seed}[0-9]{{{i}}}/", i = i % 50)
        }))
    }),
];

fn root(body: &str) -> GrammarText {
    GrammarText::ebnf(format!("root ::= {body}\n"))
}

/// Rules in a row, each of which is made from the name of the next one.
fn chain(count: usize, seed: u64, body: impl Fn(&str) -> String) -> GrammarText {
    let name = |i: usize| format!("r{seed}-{i}");
    let rules = list(count, "\n", |i| {
        format!("{} ::= {}", name(i), body(&name(i + 1)))
    });
    GrammarText::ebnf(format!(
        "root ::= {}\n{rules}\n{} ::= \"x\"\n",
        name(0),
        name(count)
    ))
}
