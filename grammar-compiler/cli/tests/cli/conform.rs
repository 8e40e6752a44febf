//! `conform`: verdicts, refusals, walks under the masks, and rows of all kinds.

use crate::support::Folder;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::io::Write;

pub(crate) fn row(kind: &str, grammar: &str, input: &str, accept: bool) -> String {
    json!({"source": "test", "kind": kind, "grammar": grammar, "input": input, "accept": accept})
        .to_string()
}

pub(crate) fn write_gz(folder: &Folder, name: &str, rows: &[String]) {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(rows.join("\n").as_bytes()).unwrap();
    folder.write(name, encoder.finish().unwrap());
}

const AB: &str = "root ::= \"a\" root \"b\" | \"\"";

#[test]
fn verdicts_and_refusals_are_counted() {
    let folder = Folder::new();
    let rows = [
        row("ebnf", AB, "aabb", true),
        row("ebnf", AB, "aab", false),
        row("ebnf", AB, "", true),
        row("regex", "[0-9]+", "12é", false),
        row("regex", "[0-9]+", "12", true),
        row("ebnf", "root ::= missing", "x", true),
        row("ebnf", "root ::= missing", "y", true),
        row("structural_tag", "{}", "x", true),
        "{\"kind\": \"ebnf\"}".to_owned(),
        "not JSON".to_owned(),
    ];
    write_gz(&folder, "cases.jsonl.gz", &rows);
    let run = folder.run(&[
        "conform",
        "cases.jsonl.gz",
        "--json",
        "--failures",
        "failures",
    ]);
    let report = run.json();
    assert_eq!(run.code, 0, "{report}");
    let count = |name: &str| {
        report[name]
            .as_u64()
            .unwrap_or_else(|| panic!("{name} in {report}"))
    };
    assert_eq!((count("grammars"), count("grammars_refused")), (6, 4));
    assert_eq!((count("cases"), count("cases_run")), (9, 5));
    assert_eq!((count("sentences"), count("sentences_refused")), (3, 0));
    assert_eq!(
        (count("non_sentences"), count("non_sentences_accepted")),
        (2, 0)
    );
    let refused = json!({
        "row-malformed": 2,
        "tag-malformed": 1,
        "undefined-rule": 1,
    });
    assert_eq!(report["refused_by"], refused);
    assert_eq!(
        (&report["mask_ns"], &report["table_bytes"]),
        (&Value::Null, &Value::Null)
    );
    let failures = String::from_utf8(folder.read("failures")).unwrap();
    let lines: Vec<u64> = failures.lines().map(line_of).collect();
    assert_eq!(lines, [6, 8, 9, 10]);
}

fn line_of(failure: &str) -> u64 {
    serde_json::from_str::<Value>(failure).unwrap()["line"]
        .as_u64()
        .unwrap()
}

#[test]
fn wrong_verdicts_are_listed_and_fail_the_run() {
    let folder = Folder::new();
    let rows = [
        row("ebnf", AB, "ba", true),
        row("ebnf", AB, "ab", false),
        row("ebnf", AB, "a", true),
    ];
    folder.write("cases.jsonl", rows.join("\n"));
    let run = folder.run(&["conform", "cases.jsonl", "--json", "--failures", "failures"]);
    let report = run.json();
    assert_eq!(run.code, 1);
    assert_eq!(
        (
            &report["sentences_refused"],
            &report["non_sentences_accepted"]
        ),
        (&2.into(), &1.into())
    );
    let failures = String::from_utf8(folder.read("failures")).unwrap();
    let problem = |index: usize| -> Value {
        serde_json::from_str(failures.lines().nth(index).unwrap()).unwrap()
    };
    assert_eq!(
        (&problem(0)["problem"], &problem(0)["input"]),
        (&"sentence-refused".into(), &"ba".into())
    );
    assert!(problem(0)["detail"].as_str().unwrap().contains("byte 0"));
    assert_eq!(
        (&problem(1)["problem"], &problem(1)["line"]),
        (&"non-sentence-accepted".into(), &2.into())
    );
    assert!(
        problem(2)["detail"]
            .as_str()
            .unwrap()
            .contains("incomplete")
    );
}

#[test]
fn sentences_are_walked_under_the_masks() {
    let folder = Folder::new();
    let lists = String::from_utf8(folder.read("lists.ebnf")).unwrap();
    let rows = [
        row("ebnf", &lists, "[[12],[3,[]]]", true),
        row("ebnf", &lists, "[1", false),
        row("regex", "é+", "éé", true),
    ];
    folder.write("cases.jsonl", rows.join("\n"));
    let vocabulary = folder.vocabulary();
    let args = [&["conform", "cases.jsonl", "--json"][..], &vocabulary].concat();
    let run = folder.run(&args);
    let report = run.json();
    assert_eq!(run.code, 0, "{report}");
    assert_eq!(
        (&report["sentences_walked"], &report["tokens_refused"]),
        (&2.into(), &0.into())
    );
    // [[ 12 ],[ 3 , [ ]] ] and é é, by longest match.
    assert_eq!(report["tokens"], 10);
    for name in ["mask_ns", "accept_ns", "table_bytes", "compile_ms"] {
        let quantile = |q: &str| {
            report[name][q]
                .as_f64()
                .unwrap_or_else(|| panic!("{name}.{q} in {report}"))
        };
        assert!(
            quantile("max") > 0.0 && quantile("p50") <= quantile("p90"),
            "{name}: {report}"
        );
        assert!(
            quantile("p90") <= quantile("p99") && quantile("p99") <= quantile("max"),
            "{name}"
        );
    }
    assert!(report["table_bytes"]["max"].as_f64().unwrap() > 100.0);
}

#[test]
fn a_file_that_is_not_compressed_as_it_says_is_an_error() {
    let folder = Folder::new();
    folder.write("cases.jsonl.gz", "not gzip");
    let run = folder.run(&["conform", "cases.jsonl.gz"]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("cases.jsonl.gz"), "{}", run.stderr);
}

#[test]
fn a_file_without_a_case_that_runs_is_an_error() {
    let folder = Folder::new();
    let cases = [
        (String::new(), "has no rows"),
        (
            "not JSON\n{\"kind\": \"ebnf\"}\n".into(),
            "no row could be read",
        ),
        (
            row("ebnf", "root ::= missing", "x", true),
            "all grammars were refused",
        ),
        (
            row("structural_tag", "{}", "x", true),
            "all grammars were refused",
        ),
    ];
    for (rows, why) in cases {
        folder.write("cases.jsonl", &rows);
        let run = folder.run(&["conform", "cases.jsonl", "--json"]);
        assert_eq!(run.code, 1, "{rows}");
        assert!(run.json().is_object());
        let message = "error: cases.jsonl: no case was run: ";
        assert!(run.stderr.contains(message), "{}", run.stderr);
        assert!(run.stderr.contains(why), "{}", run.stderr);
    }
    // That no value satisfies a schema is a verdict, and schemas may be there to be compiled only.
    let never = r#"{"schema": false, "tests": [{"valid": false, "data": 1}]}"#;
    let compiled = r#"{"schema": {"type": "null"}, "tests": []}"#;
    for rows in [never, compiled] {
        folder.write("cases.jsonl", rows);
        let run = folder.run(&["conform", "cases.jsonl"]);
        assert_eq!(run.code, 0, "{}", run.stdout + &run.stderr);
    }
}

#[test]
fn grammars_with_a_cap_are_run_and_counted_apart() {
    let folder = Folder::new();
    let even = "root ::= \"a\" root \"a\" | \"b\" root \"b\" | \"\"";
    let rows = [
        row("ebnf", AB, "aabb", true),
        row("ebnf", even, "abba", true),
        row("ebnf", even, "abb", false),
    ];
    write_gz(&folder, "cases.jsonl.gz", &rows);
    let run = folder.run(&[
        "conform",
        "cases.jsonl.gz",
        "--json",
        "--details",
        "details",
    ]);
    let report = run.json();
    let count = |name: &str| report[name].as_u64();
    assert_eq!(run.code, 0, "{report}");
    assert_eq!(
        [
            "grammars",
            "grammars_refused",
            "grammars_on_graphs",
            "cases_run"
        ]
        .map(count),
        [2, 0, 1, 3].map(Some)
    );
    let details = String::from_utf8(folder.read("details")).unwrap();
    assert_eq!(details.matches("\"graph\":true").count(), 1, "{details}");
    let run = folder.run(&["conform", "cases.jsonl.gz"]);
    let line = "1 grammars whose stacks are a graph";
    assert!(run.stdout.contains(line), "{}", run.stdout);
}

#[test]
fn sentences_that_are_too_deep_are_counted_apart_and_walked_on() {
    let folder = Folder::new();
    let lists = crate::support::LISTS;
    let rows = ["[1]", "[[1]]", "[[[12]]]"].map(|text| row("ebnf", lists, text, true));
    write_gz(&folder, "cases.jsonl.gz", &rows);
    let conform = |depth: &str| {
        let args = ["conform", "cases.jsonl.gz", "--json", "--depth", depth];
        let run = folder.run(&[&args[..], &folder.vocabulary()].concat());
        let report = run.json();
        let names = [
            "sentences_too_deep",
            "sentences_refused",
            "sentences_walked",
            "tokens_refused",
        ];
        (run.code, names.map(|name| report[name].as_u64().unwrap()))
    };
    assert_eq!(conform("3"), (0, [0, 0, 3, 0]));
    assert_eq!(conform("2"), (0, [1, 0, 3, 0]));
    assert_eq!(conform("least"), (0, [2, 0, 3, 0]));
    assert_eq!(
        folder
            .run(&["conform", "cases.jsonl.gz", "--depth", "most"])
            .code,
        2
    );
}

/// Keywords are reserved by Lark's LALR lexers, and not without options.
const IF: &str = "start: \"if\" NAME | NAME \"=\" NAME\nNAME: /[a-z]+/\n%ignore \" \"\n";

#[test]
fn rows_of_lark_grammars() {
    let folder = Folder::new();
    let with = |input: Value, accept: bool, options: Value| {
        let mut row = json!({"kind": "lark", "grammar": IF, "accept": accept, "options": options});
        let fields = row.as_object_mut().unwrap();
        fields.extend(input.as_object().unwrap().clone());
        row.to_string()
    };
    let lalr = json!({"parser": "lalr", "lexer": "contextual", "start": "start"});
    let earley = json!({"parser": "earley", "lexer": "dynamic", "start": ["start"]});
    let rows = [
        row("lark", IF, "if = x", true),
        row("lark", IF, "ifx", false),
        with(json!({"input": "if = x"}), false, lalr.clone()),
        with(json!({"input_hex": "6966207820"}), true, lalr.clone()),
        with(json!({"input_hex": "6966ff"}), false, lalr),
        with(json!({"input": "ifx"}), true, earley),
        with(json!({"input": "if"}), true, json!({"lexer": "custom"})),
        with(json!({"input": "if"}), true, json!({"vocab": ["if"]})),
        json!({"kind": "lark", "grammar": IF, "steps": [], "accept": true}).to_string(),
    ];
    folder.write("cases.jsonl", rows.join("\n"));
    let report = folder.run(&["conform", "cases.jsonl", "--json"]);
    assert_eq!(report.code, 0, "{}", report.json());
    let report = report.json();
    let refused = json!({
        "lark-steps-not-supported": 1,
        "lark-vocab-not-supported": 1,
        "lexer-custom-not-supported": 1,
    });
    assert_eq!(report["refused_by"], refused);
    let count = |name: &str| report[name].as_u64().unwrap();
    assert_eq!((count("grammars"), count("cases_run")), (6, 6));
    assert_eq!((count("sentences"), count("non_sentences")), (3, 3));
}

#[test]
fn lark_grammars_in_files_have_their_options_beside_them() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("languages/if")).unwrap();
    folder.write("languages/if/grammar.lark", IF.replace("start", "line"));
    let options = json!({"parser": "lalr", "lexer": "basic", "start": "other"});
    folder.write("languages/if/options.json", options.to_string());
    let row = |file: &str, input: &str, accept: bool| {
        let row = json!({
            "kind": "lark", "grammar_file": file, "start": "line",
            "input": input, "accept": accept,
        });
        row.to_string()
    };
    let grammar = "languages/if/grammar.lark";
    let rows = [
        row(grammar, "if x", true),
        row(grammar, "x = if", false),
        row("languages/if/none.lark", "x", true),
        row("../grammar.lark", "x", true),
    ];
    folder.write("languages/if/cases.jsonl", rows.join("\n"));
    let run = folder.run(&["conform", "languages/if/cases.jsonl", "--json"]);
    let report = run.json();
    assert_eq!(run.code, 0, "{report}");
    let refused = json!({"lark-grammar-file-not-read": 1, "row-malformed": 1});
    assert_eq!(report["refused_by"], refused);
    assert_eq!(report["cases_run"], 2);
}

#[test]
fn a_row_may_say_whether_a_grammar_compiles() {
    let folder = Folder::new();
    let row = |grammar: &str, compiles: bool| {
        json!({"kind": "lark", "grammar": grammar, "compiles": compiles}).to_string()
    };
    let right = [
        row("start: \"a\"", true),
        row("start: a", false),
        row("start: \"a\"\nA: \"x\" A", false),
    ];
    folder.write("cases.jsonl", right.join("\n"));
    let run = folder.run(&["conform", "cases.jsonl", "--json"]);
    let report = run.json();
    assert_eq!(run.code, 0, "{report}");
    assert_eq!(report["compile_verdicts"], 3);
    assert_eq!(
        (&report["cases"], &report["grammars_right"]),
        (&3.into(), &3.into())
    );

    let wrong = [row("start: \"a\"", false), row("start: a", true)];
    folder.write("cases.jsonl", wrong.join("\n"));
    let run = folder.run(&["conform", "cases.jsonl", "--json", "--failures", "failures"]);
    assert_eq!(run.code, 1);
    assert_eq!(run.json()["compile_verdicts_wrong"], 2);
    let failures = String::from_utf8(folder.read("failures")).unwrap();
    let problem = |line: &str| serde_json::from_str::<Value>(line).unwrap()["problem"].clone();
    let problems: Vec<Value> = failures.lines().map(problem).collect();
    assert_eq!(problems, ["grammar-accepted", "grammar-refused-wrongly"]);
    let run = folder.run(&["conform", "cases.jsonl"]);
    let line = "2 of 2 verdicts on whole grammars wrong";
    assert!(run.stdout.contains(line), "{}", run.stdout);
}
