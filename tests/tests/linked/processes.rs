//! Two processes that share one folder, and two vocabularies in one process.

use std::path::{Path, PathBuf};
use std::process::Command;

use maskwright_compiler::GrammarText;
use maskwright_compiler::link::registry::{Registry, RegistryOptions};

use super::formats::{guides, tools};
use super::pair::{DEPTH, Walked, whole};
use super::registry::{Formats, formats, options, request};
use super::*;

/// Names the folder to a process that a test has begun.
const FOLDER: &str = "MASKWRIGHT_TEST_FOLDER";
/// Formats that each process asks for.
const FORMATS: [&str; 3] = ["qwen_3", "mistral", "glm_4_7"];
/// Tools of each request.
const TOOLS: usize = 12;

fn in_folder(all: &Formats, folder: &Path) -> Registry {
    let options = RegistryOptions::default()
        .depth(DEPTH)
        .folder(Some(folder.to_owned()));
    Registry::new(&all.compiler, options).unwrap()
}

/// Compares the masks of a format that a registry serves with those of the whole.
fn compare(registry: &Registry, all: &Formats, name: &str, random: &mut Random) -> Walked {
    let handle = registry.get(&request(name, &tools(TOOLS))).unwrap();
    handle.wait().unwrap();
    let tables = whole(&tools(TOOLS), &options(name), &all.compiler);
    let pair = Pair::of(handle.linked().unwrap(), &tables, &all.words);
    let format = all.names.iter().position(|known| *known == name).unwrap();
    let mut walked = Walked::default();
    for _ in 0..4 {
        walked += pair.walk(&guides(&all.formats[format]), &all.words, 40, random);
    }
    walked
}

/// Follows texts of all formats with a registry that keeps its parts in this folder.
fn follow_all(folder: &Path) {
    let mut random = Random::new(12);
    let all = formats(false, &mut random);
    let registry = in_folder(&all, folder);
    for name in FORMATS {
        assert!(compare(&registry, &all, name, &mut random).masks > 40);
    }
    assert_eq!(registry.metrics().files_refused, 0);
}

/// What each of the processes does.
#[test]
#[ignore = "the test `processes_share_a_folder` begins it in processes of its own"]
fn one_of_the_processes() {
    let folder = PathBuf::from(std::env::var(FOLDER).unwrap());
    follow_all(&folder);
}

#[test]
fn processes_share_a_folder() {
    let folder = std::env::temp_dir().join(format!("maskwright-shared-{}", std::process::id()));
    let begin = || {
        let mut process = Command::new(std::env::current_exe().unwrap());
        let name = "processes::one_of_the_processes";
        let process = process.args(["--exact", name, "--ignored"]);
        process.env(FOLDER, &folder).spawn().unwrap()
    };
    // Both write the same parts at the same time.
    for mut process in [begin(), begin()] {
        assert!(process.wait().unwrap().success());
    }
    let files = || std::fs::read_dir(&folder).unwrap().count();
    let written = files();
    // An outer part, a base and five pieces for each format, and nothing half written.
    assert_eq!(written, FORMATS.len() * (2 + 5));
    follow_all(&folder);
    assert_eq!(files(), written, "all parts were there");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn two_vocabularies_stand_side_by_side() {
    let mut random = Random::new(13);
    let of = [false, true].map(|special| formats(special, &mut random));
    let folder = std::env::temp_dir().join(format!("maskwright-two-{}", std::process::id()));
    // One folder for both: the key of a part names its vocabulary.
    let registries = of.each_ref().map(|all| in_folder(all, &folder));
    let schema =
        GrammarText::schema(r#"{"type": "object", "properties": {"a": {"type": "integer"}}}"#);
    for name in FORMATS {
        for (registry, all) in registries.iter().zip(&of) {
            assert!(compare(registry, all, name, &mut random).masks > 40);
            registry.get(&schema).unwrap().wait().unwrap();
        }
    }
    let hashes = registries
        .each_ref()
        .map(|registry| registry.vocabulary().view().hash());
    assert_ne!(hashes[0], hashes[1]);
    let metrics = registries.each_ref().map(Registry::metrics);
    assert_eq!(
        metrics[0].misses, metrics[1].misses,
        "each has its own parts"
    );
    for (registry, all) in registries.iter().zip(&of) {
        assert_eq!(
            registry.vocabulary().view().size() as usize,
            all.words.texts.len()
        );
        assert_eq!(registry.metrics().files_refused, 0);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
