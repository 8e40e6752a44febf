//! The example that DESIGN.md carries through every stage is what the code gives.

use maskwright::{Grammar, Matcher};
use maskwright_compiler::syntax::Settings;
use maskwright_compiler::syntax::json_schema::SchemaOptions;
use maskwright_compiler::syntax::structural_tag::TagOptions;
use maskwright_compiler::syntax::tools::ToolOptions;
use maskwright_compiler::{Automaton, Compiled, Options, vocabulary::Vocabulary};
use maskwright_tests::harness::{compile, parse};
use std::fs;
use std::path::Path;

const TOKENS: [&str; 13] = [
    "[", "]", ",", "0", "12", "[[", "[]", "]]", "]]]", "],", "]],[", "1]", ",[",
];
/// The token that ends a text.
const END: u32 = 13;

fn design() -> String {
    fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../DESIGN.md")).unwrap()
}

/// The block of code that holds `line`.
fn block_with<'d>(design: &'d str, line: &str) -> &'d str {
    let blocks = design.split("```");
    let mut found = blocks.filter(|block| block.contains(line));
    found
        .next()
        .unwrap_or_else(|| panic!("DESIGN.md has no block with `{line}`"))
}

/// The cells of the rows of a table that begin with `first`.
fn rows<'d>(design: &'d str, first: &str) -> Vec<Vec<&'d str>> {
    let cells = |line: &'d str| -> Option<Vec<&'d str>> {
        let line = line.strip_prefix('|')?.strip_suffix('|')?;
        Some(line.split('|').map(str::trim).collect())
    };
    let rows = design.lines().filter_map(cells);
    rows.filter(|row| row[0] == first).collect()
}

fn compiled(design: &str) -> Compiled {
    let block = block_with(design, "root  ::= value");
    let (grammar, tokens) = block.split_once("\n\n").unwrap();
    let grammar = grammar.strip_prefix("text\n").unwrap();
    let named: Vec<&str> = tokens.split_whitespace().collect();
    assert_eq!(named, [&TOKENS[..], &["END"]].concat());
    let drawn = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/pictures/lists.ebnf");
    assert_eq!(grammar.trim(), fs::read_to_string(drawn).unwrap().trim());
    let grammar = parse("lists", grammar).unwrap();
    compile(&grammar, &vocabulary(), &Options::default()).unwrap()
}

fn vocabulary() -> Vocabulary {
    let tokens = TOKENS.map(|token| token.as_bytes().to_vec());
    let tokens = tokens.into_iter().chain([Vec::new()]).collect();
    Vocabulary::from_tokens(tokens, vec![END])
}

#[test]
fn the_design_is_read_in_one_sitting() {
    let words = design().split_whitespace().count();
    assert!(words <= 5_000, "DESIGN.md has {words} words");
}

#[test]
fn sizes_are_those_of_the_tables() {
    let design = design();
    let compiled = compiled(&design);
    let report = compiled.report();
    assert!(design.contains("two frames and eight states"));
    assert_eq!((report.frames, report.states, report.max_stacks), (2, 8, 1));
    let said = format!(
        "{} nodes and {} sets",
        report.mask_nodes, report.sets.bitmaps
    );
    assert!(design.contains(&said), "{said}");
    let said = format!("{} words", report.table_bytes / 4);
    assert!(design.contains(&said), "{said}");
    let of_section = |name: &str| {
        let (_, bytes) = report
            .sections
            .iter()
            .find(|section| section.0 == name)
            .unwrap();
        (bytes / 4).to_string()
    };
    for name in ["header", "classes", "states", "edges", "programs", "masks"] {
        let said = rows(&design, name);
        assert!(
            said.iter().any(|row| row[1] == of_section(name)),
            "{name}: {said:?}"
        );
    }
    let sets = format!("{} + {}", of_section("set index"), of_section("sets"));
    assert_eq!(rows(&design, "set index, sets")[0][1], sets);
    assert_eq!(rows(&design, "end tokens")[0][1], of_section("eos"));
}

/// Rows such as `edges[4 + 1] = 00800007   class 1 …` and `12  00810001  00000006 …   look at 0 …`.
#[test]
fn words_are_those_of_the_tables() {
    let design = design();
    let compiled = compiled(&design);
    let words: Vec<u32> = compiled
        .tables()
        .as_chunks()
        .0
        .iter()
        .map(|&word| u32::from_le_bytes(word))
        .collect();
    let section = |index: usize| {
        use maskwright::layout::header::SECTIONS;
        let at = words[SECTIONS + 2 * index] as usize;
        &words[at..at + words[SECTIONS + 2 * index + 1] as usize]
    };
    let (edges, programs) = (section(2), section(3));
    let hex = |word: &str| {
        (word.len() == 8)
            .then(|| u32::from_str_radix(word, 16).ok())
            .flatten()
    };
    let mut compared = 0;
    for line in block_with(&design, "edges[4 + 1]").lines() {
        let Some((place, word)) = line
            .strip_prefix("edges[")
            .and_then(|line| line.split_once("] = "))
        else {
            continue;
        };
        let place: usize = place
            .split(" + ")
            .map(|part| part.parse::<usize>().unwrap())
            .sum();
        assert_eq!(hex(&word[..8]), Some(edges[place]), "{line}");
        compared += 1;
    }
    for line in block_with(&design, "12  00810001").lines() {
        let mut parts = line.split_whitespace();
        let Some(place) = parts.next().and_then(|place| place.parse::<usize>().ok()) else {
            continue;
        };
        let said: Vec<u32> = parts.map_while(hex).collect();
        assert_eq!(programs[place..place + said.len()], said, "{line}");
        compared += said.len();
    }
    assert_eq!(compared, 13);
}

#[test]
fn masks_are_those_of_the_matcher() {
    let design = design();
    let compiled = compiled(&design);
    let vocabulary = vocabulary().pack().unwrap();
    let vocabulary = maskwright::Vocabulary::load(&vocabulary).unwrap();
    let grammar: Grammar<'_> = compiled.grammar().unwrap();
    let grammar = grammar.with_vocabulary(vocabulary).unwrap();
    let mut matcher = Matcher::<4>::new(&grammar).unwrap();
    for text in ["", "`[`", "`12`", "`,[`", "`]]`"] {
        let token = TOKENS.iter().position(|token| format!("`{token}`") == text);
        if let Some(token) = token {
            matcher.accept_token(token as u32).unwrap();
        }
        let named = |id: u32| match id {
            END => "END".to_owned(),
            id => format!("`{}`", TOKENS[id as usize]),
        };
        let mut mask: Vec<String> = matcher.mask().iter().map(named).collect();
        let is_walk = |row: &&Vec<&str>| row.len() == 3 && row[1].starts_with('S');
        let rows = rows(&design, text);
        let row = rows
            .iter()
            .find(is_walk)
            .unwrap_or_else(|| panic!("no row for {text}"));
        let mut said: Vec<&str> = row[2].split(' ').collect();
        said.sort_unstable();
        mask.sort_unstable();
        assert_eq!(said, mask, "{text}");
    }
    matcher.accept_token(END).unwrap();
    assert!(matcher.is_finished());
    let mut matcher = Matcher::<1>::new(&grammar).unwrap();
    matcher.accept_bytes(b"[12").unwrap();
    assert!(!matcher.mask().contains(12));
    assert!(matcher.accept_token(12).is_err());
}

#[test]
fn the_item_sets_are_those_of_the_table() {
    let design = design();
    let grammar = parse(
        "lists",
        &fs::read_to_string(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../docs/pictures/lists.ebnf"
        ))
        .unwrap(),
    )
    .unwrap();
    let automaton = Automaton::new(&grammar, &Options::default()).unwrap();
    for (state, items) in automaton.built.item_sets().enumerate() {
        let items: Vec<String> = items
            .iter()
            .map(|item| format!("{}@{}", item.node, item.depth))
            .collect();
        let said = rows(&design, &format!("S{state}"));
        assert_eq!(said[0][1], items.join(" "), "S{state}");
    }
    let needs = &automaton.headroom;
    assert!(
        needs.states.iter().all(|need| *need == Some(0))
            && needs.frames.iter().all(|reserve| *reserve == 0)
    );
}

/// Whether a path of the compiler's sources, with or without `.rs`, is there; parts of `pda` and
/// `mask` may be named without these.
fn is_there(path: &str) -> bool {
    let folders = [
        "grammar-compiler/src",
        "grammar-compiler/src/pda",
        "grammar-compiler/src/mask",
        "runtime/core/src",
    ];
    folders.iter().any(|folder| {
        let path = format!("{}/../{folder}/{path}", env!("CARGO_MANIFEST_DIR"));
        let file = format!("{path}.rs");
        fs::exists(path).unwrap() || fs::exists(file).unwrap()
    })
}

/// What stands between backquotes outside of blocks of code.
fn quoted(text: &str) -> Vec<&str> {
    let prose = text.split("```").step_by(2);
    prose
        .flat_map(|prose| prose.split('`').skip(1).step_by(2))
        .collect()
}

#[test]
fn modules_that_documents_name_are_there() {
    let is_module = |name: &&str| {
        name.contains("::")
            && name
                .chars()
                .all(|c| c.is_ascii_lowercase() || "_:".contains(c))
    };
    let design = design();
    let modules: Vec<&str> = quoted(&design).into_iter().filter(is_module).collect();
    assert!(modules.len() > 10, "{modules:?}");
    let gone: Vec<&str> = modules
        .into_iter()
        .filter(|module| !is_there(&module.replace("::", "/")))
        .collect();
    assert!(gone.is_empty(), "DESIGN.md names {gone:?}");
    let glossary =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/glossary.md")).unwrap();
    let places = glossary
        .lines()
        .filter_map(|line| line.strip_suffix('|')?.rsplit('|').next());
    let paths = places
        .flat_map(quoted)
        .filter(|path| path.contains('/') || path.ends_with(".rs"));
    let (there, gone): (Vec<&str>, Vec<&str>) = paths.partition(|path| is_there(path));
    assert!(
        there.len() > 40 && gone.is_empty(),
        "docs/glossary.md names {gone:?}"
    );
}

#[test]
fn documents_name_every_option() {
    let options = [
        ("json-schema.md", settings::<SchemaOptions>()),
        ("structural-tags.md", settings::<TagOptions>()),
        ("tool-calls.md", settings::<ToolOptions>()),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let of_macro = fs::read_to_string(folder.join("grammar-macros/src/grammar.md")).unwrap();
    for (file, settings) in options {
        let text = fs::read_to_string(folder.join("docs").join(file)).unwrap();
        for (name, flag) in settings {
            assert!(text.contains(name), "docs/{file} has no `{name}`");
            assert!(
                text.contains(&format!("--{flag}")),
                "docs/{file} has no `--{flag}`"
            );
            assert!(of_macro.contains(name), "grammar.md has no `{name}`");
        }
    }
}

/// The name and the argument of each option.
fn settings<O: Settings>() -> Vec<(&'static str, &'static str)> {
    let settings = O::SETTINGS.iter();
    settings
        .map(|setting| (setting.name, setting.flag))
        .collect()
}
