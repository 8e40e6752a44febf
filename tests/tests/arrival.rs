//! What a newcomer finds: a README of bearable length, a book that has every page, links that lead
//! somewhere, and examples that say what they show.

use std::collections::BTreeSet;
use std::fs;

use maskwright_tests::documents::{prose, read, root};

/// The words that README.md may have.
const README_WORDS: usize = 1500;

/// Folders with documents, beside those at the root.
const FOLDERS: [&str; 10] = [
    ".github",
    "benches",
    "docs",
    "examples",
    "fuzz",
    "grammar-compiler",
    "grammar-macros",
    "languages",
    "playground",
    "runtime",
];
/// Folders below them that hold no documents of this repository.
const BUILT: [&str; 4] = ["target", ".venv", "node_modules", "artifacts"];

/// The Markdown files below a folder, as paths from the root, without those of builds.
fn pages(folder: &str) -> Vec<String> {
    let mut pages = Vec::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        let entries = fs::read_dir(root().join(&folder)).unwrap();
        for entry in entries.map(Result::unwrap) {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{folder}/{name}");
            if entry.file_type().unwrap().is_dir() {
                if !BUILT.contains(&name.as_str()) {
                    pending.push(path);
                }
            } else if name.ends_with(".md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// All documents whose links are checked.
fn documents() -> Vec<String> {
    let at_root = fs::read_dir(root()).unwrap().map(Result::unwrap);
    let at_root = at_root.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let at_root = at_root.filter(|name| name.ends_with(".md"));
    let below = FOLDERS.iter().flat_map(|folder| pages(folder));
    at_root.chain(below).collect()
}

/// A line without what stands between backticks.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// The targets of the links of a text, each with its line.
fn links(text: &str) -> Vec<(usize, String)> {
    let of_line = |(number, line): (usize, &str)| {
        let line = without_code(line);
        let targets = line.split("](").skip(1);
        let targets = targets.filter_map(|rest| Some(rest.split_once(')')?.0.to_owned()));
        targets
            .map(|target| (number, target))
            .collect::<Vec<(usize, String)>>()
    };
    prose(text).flat_map(of_line).collect()
}

/// The anchors of a page's headings, as hosts of repositories and mdBook make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for (_, line) in prose(text).filter(|(_, line)| line.starts_with('#')) {
        let heading = line.trim_start_matches('#').trim();
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ');
        let slug: String = heading.to_lowercase().chars().filter(kept).collect();
        let slug = slug.replace(' ', "-");
        let numbered = (1..).map(|number| format!("{slug}-{number}"));
        let mut names = std::iter::once(slug.clone()).chain(numbered);
        anchors.extend(names.find(|name| !anchors.contains(name)));
    }
    anchors
}

/// Why a link of a page leads nowhere.
fn problem(page: &str, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let folder = root().join(page).parent()?.to_owned();
    let file = match path {
        "" => root().join(page),
        path => folder.join(path),
    };
    if !file.exists() {
        return Some(format!("there is no {path}"));
    }
    if anchor.is_empty() || file.extension().is_none_or(|ending| ending != "md") {
        return None;
    }
    let text = fs::read_to_string(&file).ok()?;
    let has_it = anchors(&text).contains(anchor);
    (!has_it).then(|| format!("{path} has no heading `{anchor}`"))
}

fn assert_none(problems: &[String]) {
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_link_leads_somewhere() {
    let (mut problems, mut checked) = (Vec::new(), 0);
    for page in documents() {
        for (line, target) in links(&read(&page)) {
            checked += 1;
            let problem = problem(&page, &target);
            problems.extend(problem.map(|problem| format!("{page}:{line}: {problem}")));
        }
    }
    assert_none(&problems);
    assert!(checked > 200, "only {checked} links were found");
}

#[test]
fn a_link_that_leads_nowhere_is_found() {
    assert_eq!(
        links("[a](b.md) and `[c](d)`\n```\n[e](f)\n```\n"),
        [(1, "b.md".to_owned())]
    );
    let headings = anchors("# In `a`: b\n## In a b\n## From C and C++\n");
    assert_eq!(
        headings.into_iter().collect::<Vec<_>>(),
        ["from-c-and-c", "in-a-b", "in-a-b-1"]
    );
    assert!(problem("README.md", "docs/nothing.md").is_some());
    assert!(problem("README.md", "docs/decoding.md#nothing").is_some());
    assert!(problem("README.md", "docs/decoding.md#depth").is_none());
}

#[test]
fn the_book_has_every_page_once() {
    let summary = read("docs/SUMMARY.md");
    let mut listed: Vec<String> = links(&summary).into_iter().map(|link| link.1).collect();
    listed.sort();
    let pages = pages("docs").into_iter();
    let pages = pages.map(|page| page.trim_start_matches("docs/").to_owned());
    let pages: Vec<String> = pages.filter(|page| page != "SUMMARY.md").collect();
    assert_eq!(listed, pages);
}

#[test]
fn the_readme_is_short() {
    let words = read("README.md").split_whitespace().count();
    assert!(words <= README_WORDS, "README.md has {words} words");
}

/// Each example has a README, and the index names it.
#[test]
fn every_example_says_what_it_shows() {
    let index: Vec<String> = links(&read("examples/README.md"))
        .into_iter()
        .map(|link| link.1)
        .collect();
    let mut problems = Vec::new();
    let mut examples = 0;
    for entry in fs::read_dir(root().join("examples")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().to_string_lossy().into_owned();
        if !entry.file_type().unwrap().is_dir() || name == "target" {
            continue;
        }
        examples += 1;
        let page = format!("{name}/README.md");
        if !root().join("examples").join(&page).exists() {
            problems.push(format!("examples/{page} is missing"));
        }
        if !index.contains(&page) {
            problems.push(format!("examples/README.md does not name {page}"));
        }
    }
    assert_none(&problems);
    assert!(examples >= 14);
}

/// The folders of the workspace's packages.
fn members() -> Vec<String> {
    let workspace = read("Cargo.toml");
    let members = workspace.lines().filter_map(|line| {
        let line = line.trim().strip_prefix('"')?;
        line.strip_suffix("\",").map(str::to_owned)
    });
    members.collect()
}

/// Examples of this workspace are packages with the name of their folder.
#[test]
fn examples_are_called_as_their_folders() {
    let members = members();
    let examples = members
        .iter()
        .filter_map(|member| member.strip_prefix("examples/"));
    let examples: Vec<&str> = examples.collect();
    assert!(examples.len() >= 7);
    for name in examples {
        let manifest = read(&format!("examples/{name}/Cargo.toml"));
        let named = format!("[package]\nname = \"{name}\"\n");
        assert!(manifest.starts_with(&named), "examples/{name}/Cargo.toml");
    }
}

/// What crates.io shows of a package.
#[test]
fn published_packages_say_what_they_are() {
    let mut published = 0;
    for member in members() {
        let manifest = read(&format!("{member}/Cargo.toml"));
        if manifest.contains("publish = false") {
            continue;
        }
        published += 1;
        for field in [
            "description = \"",
            "categories = [\"",
            "keywords.workspace = true",
            "license.workspace = true",
            "readme",
            "repository.workspace = true",
            "rust-version.workspace = true",
        ] {
            let has_it = manifest.lines().any(|line| line.starts_with(field));
            assert!(has_it, "{member}/Cargo.toml lacks `{field}`");
        }
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let path = root().join(&member).join(licence);
            assert!(path.exists(), "{member} has no {licence}");
        }
    }
    assert!(published >= 10, "only {published} packages are published");
}

/// The repository's address, which its owner writes into the workspace's Cargo.toml, is the same
/// wherever a document names it.
#[test]
fn the_repository_has_one_address() {
    let workspace = read("Cargo.toml");
    let line = workspace.lines();
    let mut line = line.filter_map(|line| line.strip_prefix("repository = \""));
    let address = line.next().and_then(|rest| rest.strip_suffix('"')).unwrap();
    let (_, project) = address.rsplit_once('/').unwrap();
    let manifests = ["docs/book.toml", "runtime/python/pyproject.toml"];
    let places = documents().into_iter();
    let mut found = 0;
    for place in places.chain(manifests.map(str::to_owned)) {
        for rest in read(&place).split("https://github.com/").skip(1) {
            let end = rest.find(|c: char| !c.is_alphanumeric() && !"-_./".contains(c));
            let named = &rest[..end.unwrap_or(rest.len())];
            if named.split('/').nth(1) == Some(project) {
                found += 1;
                let named = format!("https://github.com/{named}");
                assert!(named.starts_with(address), "{place} says {named}");
            }
        }
    }
    assert!(found >= 6, "the address stands in {found} places");
}
