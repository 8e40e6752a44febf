//! Grammars that are made to take long: refused within their limits, or compiled, in time.
//!
//! `MASKWRIGHT_TESTS=all` asks all lexers, with limits of two seconds.

use crate::compiled::{Words, with_lexer};
use maskwright_compiler::limits::Limits;
use maskwright_compiler::syntax::lark::LarkLexer;
use maskwright_tests::effort;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// How much later it may end: tests are built without much optimisation, and machines are busy.
const LATE: Duration = Duration::from_secs(15);

/// How they may be refused.
const REFUSALS: [&str; 3] = ["limit-exceeded", "lark-invalid", "lark-unsupported"];

fn check(name: &str, grammar: &str) {
    let words = Words::new([]);
    // A sample takes two of the lexers, and less time.
    let (lexers, time) = match effort::is_full() {
        true => (LarkLexer::ALL.to_vec(), Duration::from_secs(2)),
        false => {
            let other = LarkLexer::ALL[1 + grammar.len() % 4];
            (vec![LarkLexer::Longest, other], Duration::from_secs(1))
        }
    };
    for lexer in lexers {
        let begun = Instant::now();
        let compiled = words.compile(grammar, with_lexer(lexer), Limits::default().time(time));
        let took = begun.elapsed();
        let outcome = match compiled {
            Ok(tables) => format!("{} bytes", tables.len()),
            Err(error) => error.code().as_str().to_owned(),
        };
        let is_known = REFUSALS.contains(&&*outcome) || outcome.ends_with("bytes");
        assert!(is_known, "{name}, {lexer:?}: {outcome}");
        println!("{name}, {lexer:?}: {outcome}, {took:?}");
        assert!(took < time + LATE, "{name}, {lexer:?}: {took:?}");
    }
}

/// Rules with these alternatives, and this at the end.
fn grammar(alternatives: impl Iterator<Item = String>, rest: &str) -> String {
    let all: Vec<String> = alternatives.collect();
    format!("start: {}\n{rest}", all.join(" | "))
}

#[test]
fn many_terminals() {
    let strings = grammar((0..5_000).map(|at| format!("\"k{at}\"")), "");
    check("5,000 strings", &strings);
    let names = grammar((0..5_000).map(|at| format!("T{at}")), "");
    let defined = (0..5_000).fold(names, |mut text, at| {
        writeln!(text, "T{at}: /k[0-9]*{at}/").unwrap();
        text
    });
    check("5,000 patterns", &defined);
    let keywords = (0..200).map(|at| format!("\"k{at}\" NAME"));
    check(
        "200 keywords",
        &grammar(keywords, "NAME: /[a-z0-9]+/\n%ignore / +/"),
    );
}

#[test]
fn terminals_that_overlap() {
    // Each set of them matches some text.
    let sets = (0..16).fold(
        grammar((0..16).map(|at| format!("T{at} \"{at};\"")), ""),
        |mut text, at| {
            writeln!(text, "T{at}: /([ab]{{{at}}}a[ab]*)?!/").unwrap();
            text
        },
    );
    check("all sets", &sets);
    let counters = (0..12).fold(
        grammar((0..12).map(|at| format!("T{at} \"{at};\"")), ""),
        |mut text, at| {
            let prime = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37][at];
            writeln!(text, "T{at}: /(a{{{prime}}})+/").unwrap();
            text
        },
    );
    check("counters that agree seldom", &counters);
    let tries = (0..24).fold("start: T*\nT: /a/\n".to_owned(), |mut text, at| {
        let ignored = format!("/a{{{}}}b{{{}}}c/", at + 2, at + 1);
        writeln!(text, "%ignore {ignored}").unwrap();
        text
    });
    check("tries that fail late", &tries);
    // Each of them may match or not, whatever the others do.
    let conditions = (0..40).fold(
        grammar((0..40).map(|at| format!("T{at} \"{at};\"")), ""),
        |mut text, at| {
            writeln!(text, "T{at}: /a(?=[a-z]*{at};)/").unwrap();
            text
        },
    );
    check("look-aheads at the end of one text", &conditions);
    check(
        "tries within tries",
        "start: (A | B | C | D)*\nA: /a(b*c)?/\nB: /b(a*c)?/\nC: /ab(ba)*(c|b*a{9}c)?/\n\
         D: /a(a|b){0,30}c/",
    );
    check(
        "a place from the end",
        "start: (A | B)* C\nA: /[ab]*a[ab]{20}/\nB: /[ab]/\nC: /[ab]*b[ab]{19}c/",
    );
}

#[test]
fn huge_counts() {
    let counts = [
        "start: /a{0,100000}b/ /c{0,100000}d/",
        "start: /(a{1000}){1000}/",
        "start: /((((a{99}){99}){99}){99}){99}/",
        "start: A~100000\nA: \"a\"",
        "start: (A~0..1000)~0..1000 \"b\"\nA: /a/",
        "start: r~100000\nr: s~100000\ns: \"a\"~100000",
        "start: \"a\"~0..4294967295",
        "start: \"a\"~0..99999999999999999999",
        "start: /[^a]{0,5000}a/ /[^b]{0,5000}b/\n%ignore /[ab]{7,5000}/",
        "start: A\nA: (\"a\" | \"ab\")~5000",
    ];
    for grammar in counts {
        check(grammar, grammar);
    }
}

#[test]
fn deep_nesting() {
    let deep = |count: usize, open: &str, middle: &str, close: &str| {
        format!("{}{middle}{}", open.repeat(count), close.repeat(count))
    };
    for count in [150, 5_000, 100_000] {
        check(
            "groups",
            &format!("start: {}", deep(count, "(", "\"a\"", ")")),
        );
        check(
            "options",
            &format!("start: {}", deep(count, "[", "\"a\"", "]")),
        );
        check(
            "in a pattern",
            &format!("start: /{}/", deep(count, "(", "a", ")*")),
        );
        check(
            "in a terminal",
            &format!("start: A\nA: {}", deep(count, "(", "\"a\"", ")+")),
        );
        check(
            "look-aheads",
            &format!("start: /{}/ \"b\"", deep(count, "(?=", "a", ")")),
        );
    }
    let chain = (0..2_000).fold("start: T0\nT2000: \"a\"\n".to_owned(), |mut text, at| {
        writeln!(text, "T{at}: T{next} T{next}", next = at + 1).unwrap();
        text
    });
    check("doubled", &chain);
    let chain = (0..5_000).fold("start: r0\nr5000: \"a\"\n".to_owned(), |mut text, at| {
        writeln!(text, "r{at}: r{next} | \"(\" r{next} \")\"", next = at + 1).unwrap();
        text
    });
    check("rules", &chain);
    let template = "start: t0{\"a\"}\nt0{x}: x\n".to_owned();
    let templates = (1..60).fold(template, |mut text, at| {
        writeln!(
            text,
            "t{at}{{x}}: t{before}{{x}} t{before}{{x}}",
            before = at - 1
        )
        .unwrap();
        text
    });
    check("templates", &templates.replace("start: t0", "start: t59"));
}
