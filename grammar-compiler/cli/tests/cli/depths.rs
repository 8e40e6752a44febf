//! The depths that a grammar needs, and the depth that is asked for.

use crate::support::Folder;
use serde_json::json;

/// At least two frames; two more for each further level.
const PAIRS: &str =
    "root ::= list\nlist ::= \"[\" pair \"]\"\npair ::= \"(\" (list | \"x\") \")\"\n";
/// No more than two.
const BOUNDED: &str = r#"{"type": "array", "maxItems": 20, "items": {"type": "array", "maxItems": 20, "items": {"type": "string", "maxLength": 40}}}"#;

/// Runs a command on a file and the small vocabulary.
fn run(folder: &Folder, command: &[&str], more: &[&str]) -> crate::support::Run {
    folder.run(&[command, &folder.vocabulary(), more].concat())
}

#[test]
fn report_and_compile_say_what_texts_need() {
    let folder = Folder::new();
    folder.write("pairs.ebnf", PAIRS);
    folder.write("bounded.json", BOUNDED);
    let pairs = ["report", "--ebnf", "pairs.ebnf"];
    let report = run(&folder, &pairs, &["--json"]).json();
    let depths = |report: &serde_json::Value| {
        let names = ["least_depth", "greatest_depth", "depth_per_level"];
        names.map(|name| report[name].clone())
    };
    assert_eq!(depths(&report), [json!(2), json!(null), json!(2)]);
    let said = run(&folder, &pairs, &[]).stdout;
    let line = said.lines().find(|line| line.starts_with("least DEPTH"));
    let line = line.unwrap_or_default();
    assert!(
        line.ends_with(" 2  (grows with nesting, by 2 a level)"),
        "{said}"
    );

    let schema = ["--schema", "bounded.json", "--whitespace", "compact"];
    let report = [&["report"], &schema[..]].concat();
    let report = run(&folder, &report, &["--json"]).json();
    let [least, greatest, grows] = depths(&report);
    assert_eq!((least, &grows), (json!(0), &json!(null)));
    let greatest = greatest.as_u64().unwrap_or_else(|| panic!("{report}"));
    let compile = [&["compile"], &schema[..], &["-o", "bounded.mskg"]].concat();
    let said = run(&folder, &compile, &[]);
    let expected = format!("DEPTH: at least 0; no text needs more than {greatest}");
    assert!(said.stderr.contains(&expected), "{}", said.stderr);
    assert_eq!((said.code, said.stdout.as_str()), (0, ""));
    let written = run(&folder, &compile, &["--json"]).json();
    assert_eq!(depths(&written), [json!(0), json!(greatest), json!(null)]);
}

#[test]
fn report_says_what_a_depth_costs_and_refuses_one_that_is_too_small() {
    let folder = Folder::new();
    folder.write("pairs.ebnf", PAIRS);
    folder.write("bounded.json", BOUNDED);
    let pairs = ["report", "--ebnf", "pairs.ebnf"];
    let report = run(&folder, &pairs, &["--depth", "12", "--json"]).json();
    let expected = json!({"frames": 12, "frame_bytes": 24, "is_enough_for_every_text": false});
    assert_eq!(report["depth"], expected);
    let said = run(&folder, &pairs, &["--depth", "65535"]).stdout;
    assert!(
        said.contains("asked about DEPTH        65535  (131070 bytes of frames)"),
        "{said}"
    );
    let bounded = ["report", "--schema", "bounded.json"];
    let said = run(&folder, &bounded, &["--depth", "64"]).stdout;
    assert!(
        said.contains("(128 bytes of frames; enough for every text)"),
        "{said}"
    );
    let html = run(&folder, &pairs, &["--depth", "77", "--html", "page.html"]);
    assert_eq!(html.code, 0, "{}", html.stderr);
    let page = String::from_utf8(folder.read("page.html")).unwrap();
    assert!(page.contains("max=\"65535\" value=\"77\""));
    assert!(page.contains("DEPTH: at least 2; grows with nesting, by 2 a level"));

    let wrong = run(&folder, &pairs, &["--depth", "1"]);
    assert_eq!(wrong.code, 1);
    let says = [
        "error[wrong-depth]",
        "fewer than 2 frames",
        "grows with nesting, by 2 a level",
    ];
    assert!(
        says.iter().all(|part| wrong.stderr.contains(part)),
        "{}",
        wrong.stderr
    );
    for none in ["0", "65536", "-1", "deep"] {
        assert_eq!(run(&folder, &pairs, &["--depth", none]).code, 2, "{none}");
    }
}

#[test]
fn rust_code_has_the_depth_that_is_asked_for() {
    let folder = Folder::new();
    folder.write("pairs.ebnf", PAIRS);
    let compile = [
        "compile",
        "--ebnf",
        "pairs.ebnf",
        "--name",
        "PAIRS",
        "-o",
        "pairs.rs",
    ];
    assert_eq!(run(&folder, &compile, &["--depth", "12"]).code, 0);
    let code = String::from_utf8(folder.read("pairs.rs")).unwrap();
    let expected = "pub type PairsMatcher = ::maskwright::Matcher<'static, 12, 1>;";
    assert!(code.contains(expected), "{code}");
    let wrong = run(&folder, &compile, &["--depth", "1", "--json"]);
    assert_eq!(
        (wrong.code, &wrong.json()["errors"][0]["code"]),
        (1, &json!("wrong-depth"))
    );
    let tables = [
        "compile",
        "--ebnf",
        "pairs.ebnf",
        "-o",
        "pairs.mskg",
        "--depth",
        "12",
    ];
    assert_eq!(run(&folder, &tables, &[]).code, 2);
}

#[test]
fn accept_and_mask_have_the_room_that_is_asked_for() {
    let folder = Folder::new();
    let accept = |depth: &str, text: &str| {
        folder.run(&["accept", "--ebnf", "lists.ebnf", "--depth", depth, text])
    };
    // The outermost list takes a frame, too, and each further level one more.
    let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    for depth in [1, 3, 17, 300] {
        let text = nested(depth);
        assert_eq!(accept(&depth.to_string(), &text).code, 0, "{depth}");
        let run = accept(&(depth - 1).max(1).to_string(), &nested(depth + 1));
        assert_eq!(run.code, 1, "{depth}");
        let why = format!("DEPTH, {}: see --depth", (depth - 1).max(1));
        assert!(run.stdout.contains(&why), "{}", run.stdout);
    }
    assert_eq!(accept("65535", &nested(3_000)).code, 0);
    let json = [
        "accept",
        "--ebnf",
        "lists.ebnf",
        "--json",
        "--depth",
        "9",
        "[]",
    ];
    assert_eq!(folder.run(&json).json()["depth"], 9);
    assert_eq!(
        folder
            .run(&["accept", "--ebnf", "lists.ebnf", &nested(256)])
            .code,
        0
    );
    assert_eq!(
        folder
            .run(&["accept", "--ebnf", "lists.ebnf", &nested(257)])
            .code,
        1
    );

    // With room for two frames, `[[` fits and nothing can be opened after it.
    let mask = |depth: &str, prefix: &str, more: &[&str]| {
        folder.run_on_lists(
            "mask",
            &[&["--depth", depth, "--prefix", prefix], more].concat(),
        )
    };
    let tokens = |depth: &str, prefix: &str| {
        let report = mask(depth, prefix, &["--json"]).json();
        let tokens = report["tokens"].as_array().unwrap().iter();
        let tokens: Vec<String> = tokens
            .map(|token| token["text"].as_str().unwrap().to_owned())
            .collect();
        (tokens, report["left_out_by_depth"].as_u64().unwrap())
    };
    assert_eq!(tokens("2", ""), (vec!["[".to_owned(), "[[".to_owned()], 0));
    assert_eq!(tokens("1", ""), (vec!["[".to_owned()], 1));
    let (inner, left_out) = tokens("2", "[[");
    assert!(
        !inner.contains(&"[".to_owned()) && left_out == 2,
        "{inner:?}, {left_out}"
    );
    assert_eq!(tokens("256", "[[").1, 0);
    let drawn = mask("2", "[[", &[]).stdout;
    assert!(
        drawn.contains("2 more with room for more than 2 frames: see --depth"),
        "{drawn}"
    );
    let refused = mask("2", "[[[", &[]);
    assert!(
        refused.stderr.contains("DEPTH, 2: see --depth"),
        "{}",
        refused.stderr
    );
}

#[test]
fn commands_refuse_a_depth_that_is_too_small() {
    let folder = Folder::new();
    folder.write("pairs.ebnf", PAIRS);
    let accept = [
        "accept",
        "--ebnf",
        "pairs.ebnf",
        "--depth",
        "1",
        "[(x)]",
        "--json",
    ];
    let mask = [
        &["mask", "--ebnf", "pairs.ebnf", "--depth", "1", "--json"],
        &folder.vocabulary()[..],
    ]
    .concat();
    for command in [&accept[..], &mask] {
        let run = folder.run(command);
        assert_eq!(run.code, 1);
        assert_eq!(run.json()["errors"][0]["code"], "wrong-depth");
        assert!(run.stderr.contains("fewer than 2 frames"), "{}", run.stderr);
    }
}
