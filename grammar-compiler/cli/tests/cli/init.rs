//! `init`: projects that build, and folders that it leaves alone.

use crate::support::Folder;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::canonicalize(root).unwrap()
}

/// A project in the folder `trip`, which depends on this checkout.
fn project(kind: &str) -> Folder {
    let folder = Folder::new();
    let checkout = root().display().to_string();
    let run = folder.run(&["init", kind, "--checkout", &checkout, "trip"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.starts_with("trip is ready: cd trip && "));
    folder
}

/// Builds a project with the dependencies that this workspace has locked, and runs it.
fn output_of(folder: &Folder) -> String {
    let project = folder.path("trip");
    std::fs::copy(root().join("Cargo.lock"), project.join("Cargo.lock")).unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet"])
        .current_dir(&project)
        // Both projects need the same packages.
        .env("CARGO_TARGET_DIR", env!("CARGO_TARGET_TMPDIR"))
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
    String::from_utf8(output.stdout).unwrap()
}

fn assert_a_trip(text: &str) {
    let trip: serde_json::Value = serde_json::from_str(text).unwrap();
    assert!(trip["city"].is_string(), "{text}");
    assert!((1..=7).contains(&trip["days"].as_u64().unwrap()), "{text}");
}

/// Compiling the compiler for a build takes most of a minute, so only the full suite does it.
#[test]
fn projects_in_rust_build_and_run() {
    let is_full = std::env::var("MASKWRIGHT_TESTS").is_ok_and(|value| value == "all");
    for kind in ["--macro", "--build-script"] {
        let folder = project(kind);
        let manifest = String::from_utf8(folder.read("trip/Cargo.toml")).unwrap();
        let runtime = root().join("runtime").display().to_string();
        assert!(manifest.contains("name = \"trip\""), "{manifest}");
        assert!(manifest.contains(&runtime), "{manifest}");
        if is_full {
            assert_a_trip(&output_of(&folder));
        }
    }
}

/// A test of the package for Python runs the script.
#[test]
fn a_project_in_python_is_written() {
    let folder = project("--python");
    let requirements = String::from_utf8(folder.read("trip/requirements.txt")).unwrap();
    let package = root().join("runtime/python");
    assert_eq!(requirements.trim_end(), package.display().to_string());
    assert!(folder.path("trip/main.py").exists());
    assert!(folder.path("trip/schemas/trip.json").exists());
}

#[test]
fn a_project_depends_on_the_repository_unless_a_checkout_is_named() {
    let folder = Folder::new();
    let address = env!("CARGO_PKG_REPOSITORY");
    assert_eq!(folder.run(&["init", "My Trip"]).code, 0);
    let manifest = String::from_utf8(folder.read("My Trip/Cargo.toml")).unwrap();
    assert!(manifest.contains("name = \"my-trip\""), "{manifest}");
    assert!(manifest.contains(&format!("git = \"{address}\"")));
    assert_eq!(folder.run(&["init", "--python", "script"]).code, 0);
    let requirements = String::from_utf8(folder.read("script/requirements.txt")).unwrap();
    assert!(requirements.contains(address), "{requirements}");
}

#[test]
fn what_cannot_be_is_said() {
    let folder = Folder::new();
    let run = folder.run(&["init", "--macro", "--python", "trip"]);
    assert_eq!(run.code, 2);
    let run = folder.run(&["init", "."]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("begin with a letter"), "{}", run.stderr);
    let run = folder.run(&["init", "--checkout", ".", "trip"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("no checkout"), "{}", run.stderr);
    assert!(!folder.path("trip").exists());

    std::fs::create_dir(folder.path("full")).unwrap();
    folder.write("full/notes.txt", "mine");
    let run = folder.run(&["init", "full"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("not empty"), "{}", run.stderr);
    assert_eq!(std::fs::read_dir(folder.path("full")).unwrap().count(), 1);
}
