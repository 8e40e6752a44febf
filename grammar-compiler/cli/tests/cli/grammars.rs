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
fn accept_says_on_request_what_was_expected() {
    let folder = Folder::new();
    let args = ["accept", "--ebnf", "lists.ebnf", "--explain"];
    let run = folder.run(&[&args[..], &["[1,,2]", "[[1]", "[]"]].concat());
    let expected = "refused at byte 3: \"[1,,2]\"\n  `0` to `9`, `[` may come here\n\
                    incomplete after 4 bytes: \"[[1]\"\n  `,`, `]` may come here\n\
                    accepted: \"[]\"\n";
    assert_eq!(run.stdout, expected);
    let json = folder.run(&[&args[..], &["--json", "x"]].concat()).json();
    assert_eq!(json["inputs"][0]["expected"], "`[` must come here");
}

#[test]
fn check_shows_where_readings_come_apart() {
    let folder = Folder::new();
    folder.write(
        "even.ebnf",
        "root ::= \"a\" root \"a\" | half\nhalf ::= \"\"\n",
    );
    let run = folder.run(&["check", "--ebnf", "even.ebnf"]);
    assert_eq!(run.code, 0);
    assert!(
        run.stdout.contains("stacks: 64 (a graph)"),
        "{}",
        run.stdout
    );
    let accept = ["accept", "--ebnf", "even.ebnf"];
    assert_eq!(folder.run(&[&accept[..], &["aaaa"]].concat()).code, 0);
    assert_eq!(folder.run(&[&accept[..], &["aaa"]].concat()).code, 1);
    let run = folder.run(&["check", "--ebnf", "even.ebnf", "--deterministic"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stdout.contains("error[not-deterministic]")
            && run.stdout.contains("even.ebnf:1:14")
            && run
                .stdout
                .contains("one goes on with `root`, another goes on with text"),
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
