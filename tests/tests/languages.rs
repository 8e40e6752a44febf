//! The grammars in `languages`: what they compile to is what their page says, and they take the
//! texts beside them. `languages/judge` asks real parsers.
//!
//! ```sh
//! UPDATE_LANGUAGES=1 MASKWRIGHT_TESTS=all cargo test -p maskwright-tests --test languages
//! ```

use std::{env, fs};

use maskwright::Matcher;
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_compiler::{Compiler, GrammarText};
use maskwright_tests::documents::{read, root};
use maskwright_tests::effort;

const UPDATE: &str =
    "UPDATE_LANGUAGES=1 MASKWRIGHT_TESTS=all cargo test -p maskwright-tests --test languages";

const PAGE: &str = "languages/README.md";
/// What stands between the texts of a file.
const SEPARATOR: &str = "\n=====\n";
/// The languages of the sample.
const QUICK: [&str; 3] = ["csv", "dot", "gcode"];
const MOST_BYTES: usize = 2 << 20;
/// As deep as the judge's matchers.
const DEPTH: usize = 64;
const STACKS: usize = 8;

/// The languages, by name.
fn languages() -> Vec<String> {
    let folders = fs::read_dir(root().join("languages")).unwrap();
    let folders = folders.map(Result::unwrap);
    let with_grammar = folders.filter(|folder| folder.path().join("grammar.ebnf").exists());
    let names = with_grammar.map(|folder| folder.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

fn texts(language: &str, file: &str) -> Vec<String> {
    let text = read(&format!("languages/{language}/{file}"));
    let text = text.strip_suffix('\n').unwrap_or(&text);
    text.split(SEPARATOR).map(str::to_owned).collect()
}

/// Compiles a language and follows its texts: its row of the table.
fn row(language: &str, compiler: &Compiler) -> String {
    let path = root().join(format!("languages/{language}/grammar.ebnf"));
    let text = GrammarText::ebnf_file(path);
    let compiled = compiler.compile_text(&text).unwrap();
    let grammar = compiled.grammar().unwrap();
    let is_whole = |text: &String| {
        let mut matcher = Matcher::<DEPTH, STACKS>::new(&grammar).unwrap();
        matcher.accept_bytes(text.as_bytes()).is_ok() && matcher.is_complete()
    };
    for text in texts(language, "real.txt") {
        assert!(is_whole(&text), "{language} refuses {text:?}");
    }
    for text in texts(language, "rejects.txt") {
        assert!(!is_whole(&text), "{language} takes {text:?}");
    }
    let (bytes, states) = (compiled.tables().len(), compiled.report().states);
    assert!(
        bytes <= MOST_BYTES,
        "{language} has tables of {bytes} bytes"
    );
    format!("| [{language}]({language}/README.md) | {states} | {bytes} |")
}

#[test]
fn grammars_are_what_their_page_says() {
    let compiler = Compiler::new(&Vocabulary::named("cl100k_base").unwrap()).unwrap();
    let mut languages = languages();
    if !effort::is_full() {
        languages.retain(|language| QUICK.contains(&language.as_str()));
    }
    let page = read(PAGE);
    let is_update = env::var_os("UPDATE_LANGUAGES").is_some();
    let (mut changed, mut problems) = (page.clone(), Vec::new());
    for language in languages {
        let row = row(&language, &compiler);
        let begin = format!("| [{language}](");
        match page.lines().find(|line| line.starts_with(&begin)) {
            Some(line) if line.starts_with(&row) => {}
            Some(line) => {
                let rest: String = line.split('|').skip(4).collect::<Vec<_>>().join("|");
                changed = changed.replace(line, &format!("{row}{rest}"));
                problems.push(format!("- {line}\n+ {row}"));
            }
            None => panic!("{PAGE} has no row of {language}"),
        }
    }
    if is_update {
        fs::write(root().join(PAGE), changed).unwrap();
        return;
    }
    let problems = problems.join("\n");
    assert!(
        problems.is_empty(),
        "{PAGE} is old; if it is meant, run\n\n    {UPDATE}\n\n{problems}"
    );
}
