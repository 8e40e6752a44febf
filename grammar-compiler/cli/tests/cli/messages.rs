//! What the command line says of mistakes: colours, places, limits, and how much of it is shown.

use crate::support::Folder;
use maskwright_compiler::limits::Limits;
use maskwright_compiler::{Automaton, GrammarText, Options};
use serde_json::json;

#[test]
fn twenty_warnings_are_shown_and_the_others_counted() {
    let folder = Folder::new();
    let spare: String = (0..50).map(|n| format!("spare-{n} ::= \"b\"\n")).collect();
    folder.write("unused.ebnf", format!("root ::= \"a\"\n{spare}"));
    let check = folder.run(&["check", "--ebnf", "unused.ebnf"]);
    let accept = folder.run(&["accept", "--ebnf", "unused.ebnf", "a"]);
    for shown in [check.stdout, accept.stderr] {
        assert_eq!(shown.matches("warning[unused-rule]").count(), 20, "{shown}");
        assert!(
            shown.contains("and 30 more; `check --json` lists all"),
            "{shown}"
        );
    }
    let report = folder
        .run(&["check", "--ebnf", "unused.ebnf", "--json"])
        .json();
    assert_eq!(report["warnings"].as_array().map(Vec::len), Some(50));
}

#[test]
fn diagnostics_have_colour_on_demand_and_places_for_tools() {
    let folder = Folder::new();
    folder.write(
        "same.ebnf",
        "root ::= \"a\" | item\nitem ::= \"b\" | \"b\"\n",
    );
    let check = ["check", "--ebnf", "same.ebnf"];
    let plain = folder.run(&check).stdout;
    assert!(!plain.contains('\u{1b}'), "no terminal, no colour: {plain}");
    let coloured = folder
        .run(&[&check[..], &["--color", "always"]].concat())
        .stdout;
    assert!(coloured.contains('\u{1b}'), "{coloured}");

    let report = folder.run(&[&check[..], &["--json"]].concat()).json();
    let expected = json!({
        "severity": "warning",
        "code": "unreachable-alternative",
        "message": "alternative 2 in rule `item` is the same as alternative 1",
        "file": "same.ebnf",
        "line": 2, "column": 16, "end_line": 2, "end_column": 19,
        "labels": [
            {
                "line": 2, "column": 16, "end_line": 2, "end_column": 19,
                "text": "what it matches, the other one matches already",
            },
            {
                "line": 2, "column": 10, "end_line": 2, "end_column": 13,
                "text": "the other one",
            },
        ],
        "help": "remove one of them; if they should differ, one is mistyped",
    });
    assert_eq!(report["warnings"], json!([expected]));
}

#[test]
fn wrong_usage_is_exit_code_2() {
    let folder = Folder::new();
    let wrong: [&[&str]; 7] = [
        &[],
        &["draw"],
        &["check"],
        &["check", "--ebnf", "lists.ebnf", "--regex", "a"],
        &["check", "--regex", "a", "--root", "b"],
        &["mask", "--ebnf", "lists.ebnf"],
        &["check", "--ebnf", "lists.ebnf", "--limit-time=-1"],
    ];
    for args in wrong {
        let run = folder.run(args);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}");
        assert!(!run.stderr.is_empty(), "{args:?}");
    }
    let run = folder.run(&["check", "--ebnf", "nowhere.ebnf"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("nowhere.ebnf"), "{}", run.stderr);
}

/// A grammar that passes the limit that is given with it.
const TOO_MANY_STATES: [&str; 6] = [
    "accept",
    "--regex",
    "[ab]{50}c",
    "--limit-states",
    "20",
    "a",
];

#[test]
fn limits_are_settable() {
    let folder = Folder::new();
    let run = folder.run(&TOO_MANY_STATES);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("`states` = 20"), "{}", run.stderr);
    let run = folder.run(&[
        "check",
        "--ebnf",
        "lists.ebnf",
        "--limit-grammar-bytes",
        "10",
    ]);
    assert_eq!(run.code, 1);
    assert!(
        run.stdout.contains("`grammar_bytes` = 10"),
        "{}",
        run.stdout
    );
}

/// The least limit of work with which `run` ends well.
fn least_work(run: impl Fn(u64) -> bool) -> u64 {
    let (mut below, mut enough) = (0u64, 1 << 30);
    while enough - below > 1 {
        let between = below.midpoint(enough);
        match run(between) {
            true => enough = between,
            false => below = between,
        }
    }
    enough
}

/// Reading has no limit besides that of compiling: what it takes is not left for the rest.
#[test]
fn reading_and_compiling_share_a_limit() {
    let folder = Folder::new();
    let names: Vec<String> = (0..2_000)
        .map(|at| format!("name {}", at * 7_919))
        .collect();
    let schema = json!({ "enum": names }).to_string();
    folder.write("names.json", &schema);
    let limits = |work| Limits::default().work(work);
    let text = GrammarText::schema(schema);
    let reading = least_work(|work| text.parse(&limits(work)).is_ok());
    let parsed = text.parse(&Limits::default()).unwrap();
    let options = Options::default().threads(1);
    let compiling = least_work(|work| {
        Automaton::new(&parsed.grammar, &options.clone().limits(limits(work))).is_ok()
    });
    let check = |work: u64| {
        let work = work.to_string();
        let args = ["check", "--schema", "names.json", "--threads", "1"];
        let run = folder.run(&[&args[..], &["--limit-work", &work]].concat());
        assert_eq!(
            run.code != 0,
            run.stdout.contains("`work`"),
            "{}",
            run.stdout
        );
        run.code
    };
    assert_eq!(check(reading.max(compiling)), 1, "{reading}, {compiling}");
    assert_eq!(
        check(2 * (reading + compiling)),
        0,
        "{reading}, {compiling}"
    );
}

#[test]
fn limits_are_named_by_their_options() {
    let folder = Folder::new();
    let said = |args: &[&str], option: &str| {
        let run = folder.run(args);
        let said = run.stdout + &run.stderr;
        assert!(said.contains(&format!("raise `{option}`")), "{said}");
        assert!(!said.contains("Limits::"), "{said}");
    };
    let lists =
        |command, more: &[&'static str]| [&[command, "--ebnf", "lists.ebnf"], more].concat();
    for more in [&["--limit-time", "0"][..], &["--limit-time", "0", "--json"]] {
        said(&lists("check", more), "--limit-time");
    }
    said(&lists("graph", &["--limit-time", "0"]), "--limit-time");
    said(
        &lists("check", &["--limit-grammar-bytes", "10"]),
        "--limit-grammar-bytes",
    );
    said(&TOO_MANY_STATES, "--limit-states");
}

#[test]
fn one_is_no_plural() {
    let folder = Folder::new();
    folder.write("one.ebnf", "root ::= \"a\"");
    let last = |args: &[&str]| {
        let run = folder.run(&[&["check"][..], args].concat());
        run.stdout.lines().last().unwrap().to_owned()
    };
    let one = last(&["--ebnf", "one.ebnf"]);
    assert_eq!(one, "1 rule, 0 errors, 0 warnings, stacks: 1 (proved)");
    let lists = last(&["--ebnf", "lists.ebnf"]);
    assert_eq!(lists, "3 rules, 0 errors, 0 warnings, stacks: 1 (proved)");
    folder.write("one.ebnf", "root ::= \"a\" \" \"*");
    let warned = last(&["--ebnf", "one.ebnf", "--limit-states", "1"]);
    assert_eq!(warned, "1 rule, 1 error, 1 warning");
}

#[test]
fn very_many_diagnostics_are_placed_at_once() {
    let folder = Folder::new();
    let list = |count: usize, between: &str, part: &dyn Fn(usize) -> String| {
        let parts: Vec<String> = (0..count).map(part).collect();
        format!("root ::= {}", parts.join(between))
    };
    folder.write(
        "undefined.ebnf",
        list(100_000, " ", &|at| format!("undefined-{at}")),
    );
    folder.write("empty.ebnf", list(200_000, " | ", &|_| "\"\"".to_owned()));
    folder.write("equal.ebnf", list(50_000, "\n| ", &|_| "\"a\"".to_owned()));
    let check = |file: &str| {
        folder
            .run(&["check", "--json", "--limit-time", "60", "--ebnf", file])
            .json()
    };
    let last = |report: &serde_json::Value, of: &str| {
        let all = report[of].as_array().unwrap();
        (all.len(), all[all.len() - 1].clone())
    };
    let (count, error) = last(&check("undefined.ebnf"), "errors");
    assert_eq!((count, &error["line"]), (100_000, &json!(1)));
    assert!(error["column"].as_u64() > Some(1_000_000), "{error}");
    // That the rule matches only the empty text, a hundred alternatives, and how many more there
    // are.
    let count = |report: &serde_json::Value, more: &str| {
        let warnings = report["warnings"].as_array().unwrap();
        let says = |warning: &&serde_json::Value| {
            warning["message"] == format!("{more} more alternatives in rule `root` add nothing")
        };
        assert_eq!(warnings.iter().filter(says).count(), 1);
        warnings.len()
    };
    let report = check("empty.ebnf");
    assert_eq!(count(&report, "199899"), 102);
    let (_, warning) = last(&report, "warnings");
    assert_eq!(warning["column"], json!(10 + 100 * 5));
    let report = check("equal.ebnf");
    assert_eq!(count(&report, "49899"), 101);
    let (_, warning) = last(&report, "warnings");
    assert_eq!(
        (&warning["line"], &warning["column"]),
        (&json!(101), &json!(3))
    );
}

#[cfg(unix)]
#[test]
fn files_without_an_end_are_read_up_to_the_limit() {
    let folder = Folder::new();
    for form in ["--ebnf", "--schema"] {
        let limit = ["--limit-grammar-bytes", "1000000"];
        let run = folder.run(&[&["check", form, "/dev/zero"], &limit[..]].concat());
        assert_eq!(run.code, 1);
        assert!(
            run.stdout.contains(
                "/dev/zero is longer than a grammar may be (limit `grammar_bytes` = 1000000)"
            ),
            "{}",
            run.stdout
        );
        assert!(
            run.stdout.contains("--limit-grammar-bytes"),
            "{}",
            run.stdout
        );
    }
    let long = vec![b'#'; 2_000];
    let run = folder.run_with_input(
        &["check", "--ebnf", "-", "--limit-grammar-bytes", "1999"],
        &long,
    );
    assert!(
        run.stdout.contains("limit `grammar_bytes` = 1999"),
        "{}",
        run.stdout
    );
    let document = [
        "--document",
        "http://x/y=/dev/zero",
        "--limit-grammar-bytes",
        "1000",
    ];
    folder.write("s.json", "{}");
    let run = folder.run(&[&["check", "--schema", "s.json"], &document[..]].concat());
    assert!(run.stdout.contains("/dev/zero is longer"), "{}", run.stdout);
    let run = folder.run(&["mask", "--regex", "a", "--vocab", "/dev/zero"]);
    assert!(run.stderr.contains("has 268435457 bytes"), "{}", run.stderr);
}

/// Options of the command itself stand above those of JSON Schemas, tags, Lark and tools.
#[test]
fn help_lists_options_under_their_headings() {
    let folder = Folder::new();
    for command in [
        "accept", "check", "compile", "conform", "mask", "report", "test",
    ] {
        let help = folder.run(&[command, "--help"]).stdout;
        let mut heading = "";
        for line in help.lines() {
            if !line.starts_with(' ') && line.ends_with(':') {
                heading = line;
            }
            if line.trim_start().starts_with("--json") || line.trim_start().starts_with("--vocab ")
            {
                assert_eq!(heading, "Options:", "{command}: {line}");
            }
            if line.trim_start().starts_with("--lexer") {
                assert_eq!(heading, "Lark:", "{command}");
            }
        }
        assert!(help.contains("--json"), "{command}");
    }
}
