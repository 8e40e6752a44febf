//! `compile`, `mask` and `report`: what needs a vocabulary.

use crate::support::{EOS, Folder};
use maskwright_core::{Grammar, Matcher, Vocabulary};

#[test]
fn compile_writes_tables_that_decode() {
    let folder = Folder::new();
    let run = folder.run_on_lists(
        "compile",
        &["-o", "lists.mask", "--vocab-output", "small.mask", "--json"],
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    let (tables, vocabulary) = (folder.read("lists.mask"), folder.read("small.mask"));
    assert_eq!(run.json()["table_bytes"], tables.len());
    assert_eq!(run.json()["vocab_bytes"], vocabulary.len());

    let vocabulary = Vocabulary::load(&vocabulary).unwrap();
    let grammar = Grammar::load(&tables)
        .unwrap()
        .with_vocabulary(vocabulary)
        .unwrap();
    let mut matcher = Matcher::<8>::new(&grammar).unwrap();
    for id in [256, 259, 257, EOS] {
        assert!(matcher.mask().contains(id), "{id}");
        matcher.accept_token(id).unwrap();
    }
    assert!(matcher.is_finished());
}

#[test]
fn compile_writes_rust() {
    let folder = Folder::new();
    let run = folder.run_on_lists(
        "compile",
        &["--format", "rust", "--name", "LISTS", "-o", "lists.rs"],
    );
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    let code = String::from_utf8(folder.read("lists.rs")).unwrap();
    for expected in [
        "pub static LISTS: ::maskwright::Grammar",
        "LISTS_VOCABULARY",
        "pub type ListsMatcher",
        "lists.ebnf",
    ] {
        assert!(
            code.contains(expected),
            "{expected} in {}",
            &code[..1000.min(code.len())]
        );
    }
    let run = folder.run_on_lists(
        "compile",
        &["--format", "rust", "--name", "a-b", "-o", "x.rs"],
    );
    assert_eq!(run.code, 2);
    assert!(!folder.path("x.rs").exists());
}

#[test]
fn a_file_of_rust_is_rust_and_tables_have_no_name() {
    let folder = Folder::new();
    let run = folder.run_on_lists("compile", &["--name", "LISTS", "-o", "lists.rs"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let code = String::from_utf8(folder.read("lists.rs")).unwrap();
    assert!(code.contains("pub static LISTS: ::maskwright::Grammar"));
    let tables = ["--format", "tables", "-o", "tables.rs"];
    let run = folder.run_on_lists("compile", &tables);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(Grammar::load(&folder.read("tables.rs")).is_ok());
    for output in [&["-o", "x"][..], &["-o", "x.rs", "--format", "tables"]] {
        let run = folder.run_on_lists("compile", &[&["--name", "LISTS"][..], output].concat());
        assert_eq!(run.code, 2);
        let why = "--name is about Rust code";
        assert!(run.stderr.contains(why), "{}", run.stderr);
    }
    assert!(!folder.path("x").exists() && !folder.path("x.rs").exists());
}

#[test]
fn mask_lists_what_may_come() {
    let folder = Folder::new();
    let run = folder.run_on_lists("mask", &["--prefix", "[[1", "--json"]);
    let report = run.json();
    assert_eq!(run.code, 0);
    let tokens = report["tokens"].as_array().unwrap();
    let texts: Vec<&str> = tokens
        .iter()
        .map(|token| token["text"].as_str().unwrap())
        .collect();
    let expected = [
        ",", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "]", "]]", "],[", "12",
    ];
    assert_eq!(texts, expected);
    assert_eq!(tokens[13]["id"], 258);
    assert_eq!(
        (&report["allowed"], &report["complete"]),
        (&15.into(), &false.into())
    );

    let run = folder.run_on_lists("mask", &["--prefix", "[]"]);
    assert_eq!(
        run.stdout,
        "1 of 262 tokens allowed; the text may end here\n     261  (end of sequence)\n"
    );
    let run = folder.run_on_lists("mask", &["--limit", "1"]);
    let expected = "2 of 262 tokens allowed; the text may not end here\n      91  \"[\"\n       1  more (--limit)\n";
    assert_eq!(run.stdout, expected);
    let run = folder.run_on_lists("mask", &["--prefix", "[1,]"]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("refused at byte 3"), "{}", run.stderr);
}

#[test]
fn report_has_the_promised_figures() {
    let folder = Folder::new();
    let run = folder.run_on_lists("report", &["--json"]);
    let report = run.json();
    let figure = |name: &str| {
        report[name]
            .as_f64()
            .unwrap_or_else(|| panic!("{name} in {report}"))
    };
    for name in [
        "states",
        "frames",
        "conditional_edges",
        "deepest_condition",
        "max_stacks",
        "compile_ms",
    ] {
        assert!(figure(name) > 0.0, "{name}");
    }
    assert_eq!(
        figure("table_bytes"),
        figure("automaton_bytes") + figure("mask_bytes")
    );
    folder.run_on_lists("compile", &["-o", "lists.mask"]);
    assert_eq!(
        figure("table_bytes") as usize,
        folder.read("lists.mask").len()
    );
    let sections: f64 = report["section_bytes"]
        .as_object()
        .unwrap()
        .values()
        .map(|bytes| bytes.as_f64().unwrap())
        .sum();
    assert_eq!(sections, figure("table_bytes"));
    let run = folder.run_on_lists("report", &[]);
    assert!(run.stdout.contains("conditional edges"), "{}", run.stdout);
}

#[test]
fn vocabularies_that_are_not_there_are_named() {
    let folder = Folder::new();
    let run = folder.run(&[
        "report",
        "--ebnf",
        "lists.ebnf",
        "--vocab",
        "nowhere.tiktoken",
    ]);
    assert_eq!(run.code, 1);
    assert_eq!(run.stderr.matches("nowhere.tiktoken").count(), 1);
    let run = folder.run(&["report", "--ebnf", "lists.ebnf", "--vocab", "cl100kbase"]);
    assert_eq!(run.code, 1);
    let names = "no vocabulary is named `cl100kbase`; known are cl100k_base, o200k_base";
    assert!(run.stderr.contains(names), "{}", run.stderr);
    let run = folder.run(&[
        "report",
        "--ebnf",
        "lists.ebnf",
        "--vocab",
        "small.tiktoken",
        "--eos",
        "9999",
    ]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("9999"), "{}", run.stderr);
}

#[test]
fn refused_grammars_are_told_to_tools() {
    let folder = Folder::new();
    folder.write("lists.ebnf", "root ::= [");
    for command in ["compile", "mask", "report"] {
        let output: &[&str] = if command == "compile" {
            &["-o", "x"]
        } else {
            &[]
        };
        let run = folder.run_on_lists(command, &[output, &["--json"]].concat());
        let report = run.json();
        assert_eq!((run.code, &report["ok"]), (1, &false.into()));
        assert_eq!(report["errors"][0]["code"], "unclosed-class");
        assert!(run.stderr.contains("lists.ebnf:1:10"), "{}", run.stderr);
    }
    let run = folder.run(&["accept", "--ebnf", "lists.ebnf", "--json", "a"]);
    assert_eq!((run.code, &run.json()["ok"]), (1, &false.into()));
    folder.write("lists.ebnf", "root ::= \"a\" \" \"*");
    let run = folder.run_on_lists("compile", &["-o", "x", "--json"]);
    assert_eq!(run.json()["warnings"][0]["code"], "unbounded-whitespace");
}

#[test]
fn report_says_whose_the_bytes_are() {
    let folder = Folder::new();
    let report = folder.run_on_lists("report", &["--json"]).json();
    let rules = report["rules"].as_array().unwrap();
    let bytes: u64 = rules
        .iter()
        .map(|rule| rule["bytes"].as_u64().unwrap())
        .sum();
    assert!(bytes > 0 && bytes < report["table_bytes"].as_u64().unwrap());
    assert!(!report["largest_states"].as_array().unwrap().is_empty());
    assert!(report["worst_mask"].as_u64().unwrap() > 0);
    assert_eq!(report["blocks"], 0);
    let text = folder.run_on_lists("report", &[]).stdout;
    for line in [
        "worst mask",
        "bytes of rules",
        "largest states",
        "for counting",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
}

#[test]
fn report_writes_a_page() {
    let folder = Folder::new();
    let run = folder.run_on_lists("report", &["--html", "lists.html", "--text", "[1</script>"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let page = String::from_utf8(folder.read("lists.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    // What was given cannot end the script that it stands in.
    assert_eq!(page.matches("</script>").count(), 3);
    let run = folder.run_on_lists("report", &["--text", "[1"]);
    assert_eq!(run.code, 2, "--text is about the page");
}

#[test]
fn tables_beside_others_as_rust_and_in_a_report() {
    let folder = Folder::new();
    folder.run_on_lists("compile", &["-o", "other.mask"]);
    let alone = folder.run_on_lists("report", &["--json"]).json();
    let beside = ["--beside", "other.mask"];
    let run = folder.run_on_lists("report", &[&beside[..], &["--json"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let report = run.json();
    let bytes = |report: &serde_json::Value| report["table_bytes"].as_u64().unwrap();
    assert!(bytes(&report) < bytes(&alone));
    // Its sets are those that it has alone.
    assert_eq!(report["worst_mask"], alone["worst_mask"]);
    let run = folder.run_on_lists("report", &[&beside[..], &["--html", "page.html"]].concat());
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("leave out --beside"), "{}", run.stderr);

    let rust = ["--format", "rust", "-o", "lists.rs"];
    let run = folder.run_on_lists("compile", &[&beside[..], &rust].concat());
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("--beside-static"), "{}", run.stderr);
    let path = ["--beside-static", "crate::OTHER"];
    let run = folder.run_on_lists("compile", &[&beside[..], &rust, &path].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let code = String::from_utf8(folder.read("lists.rs")).unwrap();
    assert!(code.contains("from_static_beside") && code.contains("&crate::OTHER"));
    let run = folder.run_on_lists("compile", &[&beside[..], &path, &["-o", "x"]].concat());
    assert_eq!(run.code, 2);

    // None stand beside tables that stand beside others.
    folder.run_on_lists("compile", &[&beside[..], &["-o", "second.mask"]].concat());
    let run = folder.run_on_lists("report", &["--beside", "second.mask"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.contains("stand beside others themselves"),
        "{}",
        run.stderr
    );
}
