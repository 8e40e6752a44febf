//! Hostile regular expressions.

use super::{Hostile, kind, list, nested};
use maskwright_compiler::GrammarText;

pub(super) const KINDS: &[Hostile] = &[
    kind("regex: alternatives", 5_000, |size, seed| {
        GrammarText::regex(list(size, "|", |i| format!("a{seed}b{i}")))
    }),
    kind("regex: a long text", 100_000, |size, seed| {
        GrammarText::regex(format!("{seed}{}", "a".repeat(size)))
    }),
    kind("regex: a large count", 50_000, |size, seed| {
        GrammarText::regex(format!("(x{seed}|[a-w]y?){{0,{size}}}"))
    }),
    kind("regex: counts in counts", 300, |size, seed| {
        GrammarText::regex(format!("((x{seed}[a-c]){{1,{size}}}y){{1,{size}}}"))
    }),
    kind("regex: classes", 2_000, |size, seed| {
        GrammarText::regex(format!(
            "{seed}{}",
            r"[\w--[aeiou]][\p{L}&&\p{Lu}]?".repeat(size)
        ))
    }),
    kind("regex: Unicode classes", 300, |size, seed| {
        GrammarText::regex(format!("{seed}{}", r"\p{L}?\p{N}?".repeat(size)))
    }),
    kind("regex: groups", 20_000, |size, seed| {
        GrammarText::regex(format!("{seed}{}", "(?:a)".repeat(size)))
    }),
    kind("regex: nested groups", 190, |size, seed| {
        GrammarText::regex(nested(size, "(?:a|", &format!("{seed}"), "b?)*"))
    }),
    kind("regex: groups that nest too deep", 20_000, |size, seed| {
        GrammarText::regex(nested(size, "(", &format!("{seed}"), ")"))
    }),
    kind("regex: braces that open nothing", 50_000, |size, seed| {
        GrammarText::regex(format!("{seed}{}", r"{\x{".repeat(size)))
    }),
    kind(
        "regex: optional parts within each other",
        150,
        |size, seed| {
            let inner = "a?".repeat(20 * size);
            GrammarText::regex(nested(size, "(b?", &format!("{seed}{inner}"), ")"))
        },
    ),
    kind("regex: anchors", 20_000, |size, seed| {
        GrammarText::regex(format!("{}{seed}", "^".repeat(size)))
    }),
    kind("regex: blanks without an end", 1_000, |size, seed| {
        GrammarText::regex(format!("{seed}{}", r"\s*,".repeat(size)))
    }),
    kind("regex: a place n characters back", 14, |size, _| {
        GrammarText::regex(format!("[ab]*a[ab]{{{size}}}"))
    }),
    kind("regex: optional parts in a row", 1_000, |size, seed| {
        GrammarText::regex(format!("{seed}{}", "a?".repeat(size)))
    }),
    kind("regex: flags", 10_000, |size, seed| {
        GrammarText::regex(format!("{seed}{}", "(?i:ab)(?-i:c)".repeat(size)))
    }),
];
