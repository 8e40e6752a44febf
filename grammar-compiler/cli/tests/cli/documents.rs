//! Files that commands read: what the command line names, and the documents that texts name.

use crate::support::Folder;

/// A folder `inner` with a grammar that embeds others, and a secret beside it.
fn folder() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("inner/sub")).unwrap();
    folder.write("secret.json", r#"{"const": "secret"}"#);
    folder.write("inner/sub/item.ebnf", r#"root ::= "i""#);
    folder.write("inner/one.json", r#"{"const": 1}"#);
    folder
}

#[test]
fn a_grammar_embeds_what_lies_in_its_folder() {
    let folder = folder();
    let main = r#"root ::= grammar("sub/item.ebnf") json_schema("one.json")"#;
    folder.write("inner/main.ebnf", main);
    let run = folder.run(&["accept", "--ebnf", "inner/main.ebnf", "i1"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    // What comes from standard input has the current folder.
    let main = br#"root ::= json_schema("inner/one.json")"#;
    let run = folder.run_with_input(&["accept", "--ebnf", "-", "1"], main);
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[test]
fn a_grammar_embeds_nothing_else() {
    let folder = folder();
    let absolute = folder.path("secret.json").display().to_string();
    for name in [
        &absolute,
        "../secret.json",
        "sub/../../secret.json",
        "sub/../one.json",
        "..\\secret.json",
        "C:secret.json",
        "/dev/zero",
        "/proc/self/environ",
        "sub",
    ] {
        let main = format!("root ::= json_schema({name:?})");
        folder.write("inner/main.ebnf", main);
        let run = folder.run(&["check", "--ebnf", "inner/main.ebnf"]);
        let said = format!("{}{}", run.stdout, run.stderr);
        assert_eq!(run.code, 1, "{name}: {said}");
        assert!(said.contains("error[unreadable-grammar]"), "{said}");
        assert!(said.contains("inner/main.ebnf:1:10"), "{said}");
        assert!(!said.contains("const"), "{said}");
    }
}

#[cfg(unix)]
fn pipe(folder: &Folder, name: &str) -> std::path::PathBuf {
    let path = folder.path(name);
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.unwrap().success());
    path
}

#[cfg(unix)]
#[test]
fn a_pipe_or_a_link_that_a_grammar_names_is_refused() {
    let folder = folder();
    pipe(&folder, "inner/pipe");
    std::os::unix::fs::symlink("../secret.json", folder.path("inner/link")).unwrap();
    for (name, why) in [
        ("pipe", "no regular file"),
        ("link", "a link leads out of the folder"),
    ] {
        folder.write("inner/main.ebnf", format!("root ::= json_schema({name:?})"));
        let run = folder.run(&["check", "--ebnf", "inner/main.ebnf"]);
        assert_eq!(run.code, 1);
        assert!(run.stdout.contains(why), "{}", run.stdout);
        assert!(!run.stdout.contains("const"), "{}", run.stdout);
    }
    // A document of a schema, and the format of tool calls.
    folder.write("root.json", r#"{"$ref": "http://a.org/pipe"}"#);
    let documents = "inner=http://a.org/";
    let run = folder.run(&["check", "--schema", "root.json", "--documents", documents]);
    assert!(run.stdout.contains("no regular file"), "{}", run.stdout);
    pipe(&folder, "pipe.json");
    let run = folder.run(&["check", "--tool-format", "pipe.json"]);
    assert!(run.stdout.contains("no regular file"), "{}", run.stdout);
}

/// As a shell's `<(…)` gives one.
#[cfg(unix)]
#[test]
fn a_pipe_on_the_command_line_is_read() {
    let folder = folder();
    let fill = |name: &str, content: Vec<u8>| {
        let path = pipe(&folder, name);
        std::thread::spawn(move || std::fs::write(path, content).unwrap())
    };
    let grammar = fill("grammar", crate::support::LISTS.into());
    let vocabulary = fill("vocabulary.tiktoken", folder.read("small.tiktoken"));
    let mut arguments = vec![
        "mask",
        "--ebnf",
        "grammar",
        "--vocab",
        "./vocabulary.tiktoken",
    ];
    arguments.extend(&folder.vocabulary()[2..]);
    let run = folder.run(&arguments);
    assert_eq!(run.code, 0, "{}", run.stderr);
    grammar.join().unwrap();
    vocabulary.join().unwrap();
}
