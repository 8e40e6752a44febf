//! Documents that grammars of a build script name, and files that it names itself.

use super::super::*;
use super::Package;
use std::fs;

/// A package with documents in a folder, and a file beside that folder.
fn package() -> Package {
    let package = Package::new();
    fs::create_dir(package.path("inner")).unwrap();
    package.write("inner/item.ebnf", "root ::= \"i\"");
    package.write("inner/tag.json", TAG);
    package.write("secret.ebnf", "root ::= (secret");
    package
}

const TAG: &str = r#"{"type": "structural_tag", "format": {"type": "tag", "begin": "<", "content": {"type": "grammar", "grammar": "root ::= grammar(\"item.ebnf\")"}, "end": ">"}}"#;

fn refused(package: &Package, builder: Builder) -> String {
    let error = package.run(builder).0.unwrap_err().to_string();
    assert!(!error.contains("(secret"), "{error}");
    error
}

#[test]
fn documents_come_from_the_folder_of_the_file() {
    let package = package();
    package.write("inner/main.ebnf", "root ::= grammar(\"item.ebnf\")");
    let builder = package
        .builder()
        .ebnf_file("MAIN", package.path("inner/main.ebnf"))
        .structural_tag_file("TAG", package.path("inner/tag.json"));
    let (result, directives) = package.run(builder);
    result.unwrap();
    let document = "cargo::rerun-if-changed=inner/item.ebnf".to_owned();
    assert!(directives.contains(&document), "{directives:?}");

    let absolute = package.path("secret.ebnf").display().to_string();
    for name in [
        &absolute,
        "../secret.ebnf",
        "a/../../secret.ebnf",
        "/dev/zero",
    ] {
        package.write("inner/main.ebnf", &format!("root ::= grammar({name:?})"));
        let builder = package
            .builder()
            .ebnf_file("MAIN", package.path("inner/main.ebnf"));
        let error = refused(&package, builder);
        assert!(error.contains("error[unreadable-grammar]"), "{error}");
    }
}

#[test]
fn documents_of_a_text_come_from_the_package() {
    let package = package();
    // Cargo runs a build script in the package; these tests run in that of the compiler.
    for (name, why) in [
        ("Cargo.toml", "--> Cargo.toml:"),
        ("none.ebnf", "there is no such document"),
        ("../Cargo.toml", "leads out of the folder"),
        ("/etc/passwd", "a document is named by its path"),
    ] {
        let text = format!("root ::= grammar({name:?})");
        let error = refused(&package, package.builder().ebnf("TEXT", text));
        assert!(error.contains(why), "{error}");
    }
    // Another folder may be given.
    let text = GrammarText::ebnf("root ::= grammar(\"item.ebnf\")");
    let builder = package.builder();
    let builder = builder.grammar("TEXT", text.folder(package.path("inner")));
    package.run(builder).0.unwrap();
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_file_of_a_build_script() {
    let package = package();
    let made = std::process::Command::new("mkfifo")
        .arg(package.path("pipe"))
        .status();
    assert!(made.unwrap().success());
    let pipe = package.path("pipe");
    let named = || package.builder().vocabulary_file(&pipe);
    let listed = package.vocabulary().special_tokens_file(&pipe);
    for builder in [
        package.builder().ebnf_file("PIPE", &pipe),
        package.builder().schema_file("PIPE", &pipe),
        package.builder().beside_file(&pipe, "crate::PIPE"),
        package.builder().vocabulary(listed),
        named(),
    ] {
        let error = refused(&package, builder);
        assert!(error.contains("no regular file"), "{error}");
    }
}
