//! `test`: a folder of texts.

use crate::support::Folder;
use serde_json::json;

/// A folder `texts` with these files.
fn texts(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    for (path, content) in files {
        let path = folder.path("texts").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    folder
}

const TEST: [&str; 4] = ["test", "--ebnf", "lists.ebnf", "texts"];

#[test]
fn a_folder_whose_texts_are_as_they_must_be() {
    let folder = texts(&[
        ("accept/nested/one.txt", "[[1],[2]]\n"),
        ("accept/many.lines", "[]\n[1]\n"),
        ("accept/.hidden", "?"),
        ("reject/open.txt", "[1"),
    ]);
    let run = folder.run(&TEST);
    assert_eq!(run.stdout, "4 of 4 texts as they must be\n");
    assert_eq!(run.code, 0);
}

#[test]
fn texts_that_fail_are_named_with_the_byte() {
    let folder = texts(&[
        ("accept/comma.txt", "[1,,2]"),
        ("accept/good.txt", "[1]"),
        ("accept/open.txt", "[[1]"),
        ("reject/some.lines", "x\n[7]\n"),
    ]);
    let run = folder.run(&TEST);
    assert_eq!(run.code, 1);
    let expected = "texts/accept/comma.txt: refused at byte 3: \"[1,,2]\"\n\
                    \x20 `0` to `9`, `[` may come here\n\
                    texts/accept/open.txt: incomplete after 4 bytes: \"[[1]\"\n\
                    \x20 `,`, `]` may come here\n\
                    texts/reject/some.lines:2: accepted: \"[7]\"\n\
                    2 of 5 texts as they must be\n";
    assert_eq!(run.stdout.replace('\\', "/"), expected);

    let report = folder.run(&[&TEST[..], &["--json"]].concat()).json();
    assert_eq!(
        (&report["passed"], &report["failed"]),
        (&json!(2), &json!(3))
    );
    let failure = &report["failures"][0];
    assert_eq!(failure["refused_at"], 3);
    assert_eq!(failure["must"], "accept");
    assert_eq!(report["failures"][2]["line"], 2);
}

/// One line feed at the end of a file is the editor's.
#[test]
fn a_line_feed_at_the_end_is_left_out_unless_it_counts() {
    let folder = texts(&[("accept/one.txt", "[1]\n")]);
    assert_eq!(folder.run(&TEST).code, 0);
    let run = folder.run(&[&TEST[..], &["--exact"]].concat());
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("refused at byte 3"), "{}", run.stdout);
}

#[test]
fn nothing_is_passed_over() {
    let folder = texts(&[("accepted/one.txt", "[1]"), ("accept/one.txt", "[1]")]);
    let run = folder.run(&TEST);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.contains("accepted: texts belong into"),
        "{}",
        run.stderr
    );
    let folder = texts(&[("accept/.hidden", "[1]")]);
    let run = folder.run(&TEST);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("no case was run"), "{}", run.stderr);
    assert_eq!(Folder::new().run(&TEST).code, 1);
}
