//! `check`, `accept` and `graph`: what needs a grammar only.

use crate::support::Folder;
use serde_json::json;

#[test]
fn check_counts_rules_and_shows_warnings() {
    let folder = Folder::new();
    let run = folder.run(&["check", "--ebnf", "lists.ebnf"]);
    assert_eq!(
        (run.code, run.stdout.trim_end()),
        (0, "3 rules, 0 errors, 0 warnings, stacks: 1 (proved)")
    );

    folder.write("unused.ebnf", "root ::= \"a\"\nspare ::= \"b\"\n");
    let run = folder.run(&["check", "--ebnf", "unused.ebnf", "--json"]);
    let report = run.json();
    assert_eq!((run.code, &report["ok"]), (0, &json!(true)));
    assert_eq!(report["warnings"][0]["line"], 2);
    assert!(
        report["warnings"][0]["message"]
            .as_str()
            .unwrap()
            .contains("spare"),
        "{report}"
    );
    assert_eq!(
        folder
            .run(&["check", "--ebnf", "unused.ebnf", "--deny-warnings"])
            .code,
        1
    );
}

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
fn check_shows_where_readings_come_apart() {
    let folder = Folder::new();
    folder.write(
        "even.ebnf",
        "root ::= \"a\" root \"a\" | half\nhalf ::= \"\"\n",
    );
    let run = folder.run(&["check", "--ebnf", "even.ebnf"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stdout.contains("error[unbounded-stacks]")
            && run.stdout.contains("even.ebnf:1:14")
            && run.stdout.contains("opt in with `--capped`")
            && run.stdout.contains("(`--limit-stacks`)"),
        "{}",
        run.stdout
    );
    let accept = ["accept", "--ebnf", "even.ebnf", "aaaa"];
    assert_eq!(folder.run(&accept).code, 1);
    assert_eq!(folder.run(&[&accept[..], &["--capped"]].concat()).code, 0);
    let both = [
        "check",
        "--ebnf",
        "even.ebnf",
        "--capped",
        "--deterministic",
    ];
    assert_eq!(folder.run(&both).code, 2);
    let run = folder.run(&["check", "--ebnf", "even.ebnf", "--capped"]);
    assert_eq!(run.code, 0);
    assert!(
        run.stdout.contains("warning[unbounded-stacks]")
            && run.stdout.contains("even.ebnf:1:14")
            && run
                .stdout
                .contains("one goes on with `root`, another goes on with text")
            && run.stdout.contains("stacks: 8 (a cap)"),
        "{}",
        run.stdout
    );

    folder.write(
        "two.ebnf",
        "root ::= \"a\"* \"c\" | n\nn ::= \"a\" n \"b\" | \"\"\n",
    );
    let run = folder.run(&["check", "--ebnf", "two.ebnf", "--json"]);
    let report = run.json();
    assert_eq!((run.code, &report["max_stacks"]), (0, &json!(2)));
    assert_eq!(report["warnings"], json!([]));
    let run = folder.run(&["check", "--ebnf", "two.ebnf", "--deterministic"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stdout.contains("error[not-deterministic]") && run.stdout.contains("after `aaa`"),
        "{}",
        run.stdout
    );
    let run = folder.run(&["accept", "--ebnf", "two.ebnf", "--deterministic", "c"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("two.ebnf:1:21"), "{}", run.stderr);
}

#[test]
fn check_shows_an_ambiguous_text() {
    let folder = Folder::new();
    folder.write(
        "twice.ebnf",
        "root ::= word | name\nword ::= [a-z]+\nname ::= \"q\" [0-9]* | word \"!\"\n",
    );
    let run = folder.run(&["check", "--ebnf", "twice.ebnf"]);
    assert_eq!(run.code, 0);
    assert!(
        run.stdout
            .contains("warning[ambiguous]: the grammar is ambiguous: `q` has two readings")
            && run.stdout.contains(
                "in rule `root`, from byte 0, one goes on with `word`, another goes on with `name`"
            ),
        "{}",
        run.stdout
    );
}

#[test]
fn check_names_the_place_of_each_error() {
    let folder = Folder::new();
    folder.write("wrong.ebnf", "root ::= \"a\" missing\n  | [z-a]\n");
    let run = folder.run(&["check", "--ebnf", "wrong.ebnf", "--json"]);
    let report = run.json();
    assert_eq!((run.code, &report["ok"]), (1, &json!(false)));
    let errors = report["errors"].as_array().unwrap();
    assert!(
        errors
            .iter()
            .all(|error| error["line"].is_u64() && error["help"].is_string()),
        "{report}"
    );

    let run = folder.run(&["check", "--ebnf", "wrong.ebnf"]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("wrong.ebnf:2:"), "{}", run.stdout);
    let run = folder.run(&["accept", "--ebnf", "wrong.ebnf", "a"]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("wrong.ebnf:2:"), "{}", run.stderr);
}

#[test]
fn check_reads_standard_input_and_chooses_a_root() {
    let folder = Folder::new();
    let grammar = b"start ::= \"a\" start | \"b\"";
    let run = folder.run_with_input(&["check", "--ebnf", "-", "--root", "start"], grammar);
    assert_eq!(
        (run.code, run.stdout.trim_end()),
        (0, "1 rule, 0 errors, 0 warnings, stacks: 1 (proved)")
    );
    let run = folder.run_with_input(&["check", "--ebnf", "-", "--json"], grammar);
    assert_eq!(run.code, 1);
    assert!(
        run.json()["errors"][0]["message"]
            .as_str()
            .unwrap()
            .contains("root")
    );
}

#[test]
fn accept_tells_the_first_refused_byte() {
    let folder = Folder::new();
    let run = folder.run(&[
        "accept",
        "--ebnf",
        "lists.ebnf",
        "[1,[],[[7]]]",
        "[1,,2]",
        "[[1]",
        "é",
    ]);
    let expected = "accepted: \"[1,[],[[7]]]\"\nrefused at byte 3: \"[1,,2]\"\n\
                    incomplete after 4 bytes: \"[[1]\"\nrefused at byte 0: \"é\"\n";
    assert_eq!((run.code, run.stdout.as_str()), (1, expected));
    let run = folder.run(&["accept", "--ebnf", "lists.ebnf", "--json", "[]", "[\"]"]);
    let expected = json!({"depth": 256, "accepted": 1, "refused": 1, "inputs": [
        {"input": "[]", "bytes": 2, "accepted": true, "refused_at": null, "reason": null},
        {"input": "[\"]", "bytes": 3, "accepted": false, "refused_at": 1, "reason": null},
    ]});
    assert_eq!((run.code, run.json()), (1, expected));
    assert_eq!(
        folder.run(&["accept", "--ebnf", "lists.ebnf", "[]"]).code,
        0
    );
}

#[test]
fn accept_reads_files_lines_and_standard_input() {
    let folder = Folder::new();
    folder.write("inputs", b"[1]\n[2\n[\xFF]\n");
    let lines = folder.run(&[
        "accept",
        "--ebnf",
        "lists.ebnf",
        "--file",
        "inputs",
        "--lines",
    ]);
    let expected =
        "accepted: \"[1]\"\nincomplete after 2 bytes: \"[2\"\nrefused at byte 1: \"[\\xff]\"\n";
    assert_eq!(lines.stdout, expected);
    let whole = folder.run(&["accept", "--ebnf", "lists.ebnf", "--file", "inputs"]);
    assert_eq!(
        whole.stdout,
        "refused at byte 3: \"[1]\\n[2\\n[\\xff]\\n\"\n"
    );
    let standard = folder.run_with_input(&["accept", "--ebnf", "lists.ebnf"], b"[3]");
    assert_eq!(
        (standard.code, standard.stdout.as_str()),
        (0, "accepted: \"[3]\"\n")
    );
}

#[test]
fn accept_takes_a_regular_expression() {
    let folder = Folder::new();
    let run = folder.run(&["accept", "--regex", "[a-c]+(x|é)?", "abcé", "ax", "xa"]);
    assert_eq!(
        run.stdout,
        "accepted: \"abcé\"\naccepted: \"ax\"\nrefused at byte 0: \"xa\"\n"
    );
    let run = folder.run(&["accept", "--regex", "a(?=b)", "a"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("look-around"), "{}", run.stderr);
}

#[test]
fn graph_draws_states_and_conditions() {
    let folder = Folder::new();
    let run = folder.run(&["graph", "--ebnf", "lists.ebnf"]);
    assert_eq!(run.code, 0);
    assert!(
        run.stdout.starts_with("digraph automaton {") && run.stdout.ends_with("}\n"),
        "{}",
        run.stdout
    );
    for expected in [
        "start -> s0;",
        "push f",
        "pop 1",
        "if f",
        "0-9",
        "peripheries=2",
    ] {
        assert!(
            run.stdout.contains(expected),
            "{expected} in {}",
            run.stdout
        );
    }
    assert_eq!(
        folder
            .run(&["graph", "--ebnf", "lists.ebnf", "-o", "lists.dot"])
            .stdout,
        ""
    );
    assert_eq!(folder.read("lists.dot"), run.stdout.as_bytes());
}

#[test]
fn graph_draws_svg() {
    let folder = Folder::new();
    let run = folder.run(&["graph", "--ebnf", "lists.ebnf", "--svg", "-"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.starts_with("<svg ") && run.stdout.ends_with("</svg>\n"));
    folder.run(&["graph", "--ebnf", "lists.ebnf", "--svg", "lists.svg"]);
    assert_eq!(folder.read("lists.svg"), run.stdout.as_bytes());
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
    // A warning, by the commands that compile too.
    folder.write(
        "palindromes.ebnf",
        "root ::= [ab] root [ab] | [ab] root | \"a\"",
    );
    let palindromes = ["--ebnf", "palindromes.ebnf"];
    let palindromes = [&palindromes[..], &["--capped"]].concat();
    said(&[&["check"][..], &palindromes].concat(), "--limit-stacks");
    let compile = [&["report"][..], &palindromes, &folder.vocabulary()].concat();
    said(&compile, "--limit-stacks");
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
    let (count, warning) = last(&check("empty.ebnf"), "warnings");
    assert_eq!(
        (count, &warning["column"]),
        (200_000, &json!(10 + 199_999 * 5))
    );
    let (count, warning) = last(&check("equal.ebnf"), "warnings");
    assert_eq!(
        (count, &warning["line"], &warning["column"]),
        (49_999, &json!(50_000), &json!(3))
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
