//! Lark grammars whose rules stand for more than is written.

use super::{Hostile, kind, list, nested};
use maskwright_compiler::GrammarText;

pub(super) const KINDS: &[Hostile] = &[
    kind("lark: rules that double", 18, |size, seed| {
        lark(doubled(size, 'r', &format!("\"x{seed}\"")))
    }),
    kind("lark: terminals that double", 18, |size, seed| {
        lark(doubled(size, 'T', &format!("\"x{seed}\"")))
    }),
    kind("lark: templates that double", 18, |size, seed| {
        let rules = list(size, "\n", |i| format!("t{i}{{x}}: t{}{{x x}}", i + 1));
        lark(format!(
            "start: t0{{\"a{seed}\"}}\n{rules}\nt{size}{{x}}: x"
        ))
    }),
    kind("lark: instances of a template", 2_000, |size, seed| {
        let uses = list(size, " | ", |i| format!("t{{\"a{seed}x{i}\", B}}"));
        lark(format!("start: {uses}\nt{{x, s}}: x (s x)*\nB: /[b-d]+/"))
    }),
    kind("lark: a template of many arguments", 1_000, |size, seed| {
        let (names, values) = (
            list(size, ", ", |i| format!("x{i}")),
            list(size, ", ", |i| format!("\"v{seed}x{i}\"")),
        );
        let uses = list(size, " ", |i| format!("x{i}"));
        lark(format!("start: t{{{values}}}\nt{{{names}}}: {uses}"))
    }),
    kind("lark: instances within each other", 100, |size, seed| {
        let inner = nested(size, "t{", &format!("\"a{seed}\""), "}");
        lark(format!("start: {inner}\nt{{x}}: \"(\" x \")\" | x"))
    }),
    kind("lark: counts in counts", 60, |size, seed| {
        lark(format!(
            "start: ((\"a{seed}\"~1..{size} B)~1..{size} \"c\")~1..{size}\nB: \"b\""
        ))
    }),
    kind("lark: counts of rules", 2_000, |size, seed| {
        lark(format!(
            "start: r~0..{size} B~{size}\nr: \"a{seed}\" | B\nB: \"b\""
        ))
    }),
    kind("lark: optional parts in a row", 300, |size, seed| {
        lark(format!(
            "start: {}",
            list(size, " ", |i| format!("[\"a{seed}b{}\"]", i % 7))
        ))
    }),
    kind("lark: groups of rules", 140, |size, seed| {
        let groups = nested(size, "(\"b\" | ", &format!("\"{seed}\""), " \"c\")*");
        lark(format!("start: {groups}"))
    }),
    kind("lark: bits of a parameter", 14, |size, seed| {
        let bits = list(size, "\n | ", |i| {
            format!("\"a{seed}x{i}\" p::set_bit({i}) %if bit_clear({i})")
        });
        lark(format!(
            "start: p::0\np::_: \"\" %if is_ones([0:{size}])\n | {bits}"
        ))
    }),
    kind("lark: parameters of two rules", 200, |size, _| {
        lark(format!(
            "start: a::0\na::_: \"x\" b::incr([0:32]) %if lt([0:32], {size})\n | \"y\"\n\
             b::_: \"z\" a::incr([32:64]) | a::_ \"w\""
        ))
    }),
    kind("lark: a rule extended again", 5_000, |size, seed| {
        let more = list(size, "\n", |i| format!("%extend start: \"e{seed}x{i}\""));
        lark(format!("start: \"a\"\n{more}"))
    }),
    kind("lark: a rule overridden again", 5_000, |size, seed| {
        let more = list(size, "\n", |i| format!("%override start: \"e{seed}x{i}\""));
        lark(format!("start: \"a\"\n{more}"))
    }),
    kind("lark: a nested schema", 60, |size, seed| {
        let schema = nested(
            size,
            "{\"type\": \"object\", \"properties\": {\"a\": ",
            &format!("{{\"const\": {seed}}}"),
            "}}",
        );
        lark(format!("start: \"a\" %json {schema} NAME\nNAME: /[a-z]+/"))
    }),
    kind(
        "lark: definitions of a schema that double",
        14,
        |size, _| {
            let of = |i: usize| format!("{{\"$ref\": \"#/$defs/d{}\"}}", i + 1);
            let definitions = list(size, ",", |i| {
                format!(
                    "\"d{i}\": {{\"type\": \"object\", \
                 \"properties\": {{\"a\": {0}, \"b\": {0}}}}}",
                    of(i)
                )
            });
            lark(format!(
                "start: %json {{\"$ref\": \"#/$defs/d0\", \
                 \"$defs\": {{{definitions}, \"d{size}\": {{\"type\": \"null\"}}}}}}"
            ))
        },
    ),
    kind("lark: nested grammars", 100, |size, seed| {
        lark(format!(
            "start: {}",
            nested(size, "%lark { start: ", &format!("\"a{seed}\""), "\n}")
        ))
    }),
    kind("lark: chunks of %regex", 2_000, |size, seed| {
        let chunks = list(size, ",", |i| format!("\"c{seed}x{i} \""));
        lark(format!(
            "start: A \"!\"\nA: %regex {{\"substring_chunks\": [{chunks}]}}"
        ))
    }),
    kind("lark: look-aheads within each other", 60, |size, seed| {
        let looks = nested(size, "(?=a", &format!("{seed}"), ".*)");
        lark(format!("start: A\nA: /{looks}[a-z0-9]+/"))
    }),
    kind("lark: lazy quantifiers", 60, |size, _| {
        lark(format!(
            "start: A /x/\nA: /{}y/",
            list(size, "", |i| format!("(?:[a-c]|b{i})*?"))
        ))
    }),
    kind("lark: rules up to a stop", 60, |size, seed| {
        let uses = list(size, " | ", |i| format!("r{i}"));
        let rules = list(size, "\n", |i| {
            format!("r{i}[suffix=\"<{seed}x{i}>\"]: /(.|\\n)*/")
        });
        lark(format!("start: ({uses})+\n{rules}"))
    }),
];

fn lark(text: String) -> GrammarText {
    GrammarText::lark(text)
}

/// Rules or terminals, each of which is the next one twice.
fn doubled(size: usize, letter: char, last: &str) -> String {
    let rules = list(size, "\n", |i| {
        format!("{letter}{i}: {letter}{0} {letter}{0}", i + 1)
    });
    format!("start: {letter}0\n{rules}\n{letter}{size}: {last}")
}
