//! A figure stands in one place. What README, DESIGN.md, docs and the crates' documentation say of
//! it is what the results say.
//!
//! The results are [`HOMES`]. A document that quotes one of their figures says which, in a comment
//! that no reader sees; [`quoted`] has the form:
//!
//! ```text
//! Compiling it takes 2.8 ms<!--= results json cl100k_base time -->.
//! ```
//!
//! The words are those of the file (`results`), of the heading above the table, of its first cell,
//! of the row and of the column: as many of them as name one figure. What is quoted may be rounded,
//! and in another unit. A figure with a unit of time or bytes and without a reference is an error.

#[path = "figures/machines.rs"]
mod machines;
#[path = "figures/measured.rs"]
mod measured;
#[path = "figures/quoted.rs"]
mod quoted;

use maskwright_compiler::{Options, vocabulary::Vocabulary};
use maskwright_tests::documents::{read, root};
use maskwright_tests::harness::{compile, parse};
use maskwright_tests::suite;
use measured::{Cell, Value, figures};
use quoted::{Quote, bare, quotes};
use std::fs;

/// Where figures stand, and the word that names the file in a reference.
const HOMES: [(&str, &str); 8] = [
    ("results", "benches/RESULTS.md"),
    ("peers", "benches/peers/RESULTS.md"),
    ("calls", "benches/peers/results/tools.md"),
    ("sizes", "tests/sizes.md"),
    ("embedded", "docs/embedded.md"),
    ("ablation", "docs/ablation.md"),
    ("building", "CONTRIBUTING.md"),
    ("python", "runtime/python/bench/results/peers.md"),
];

/// Documents in which each figure says where it comes from, beside those in `docs`.
const DOCUMENTS: [&str; 5] = [
    "README.md",
    "DESIGN.md",
    "CHANGELOG.md",
    "fuzz/README.md",
    "grammar-compiler/src/lr/README.md",
];

/// The one that a test writes.
const GENERATED: &str = "docs/diagnostics.md";

/// Folders whose sources' documentation is read as such a document.
const SOURCES: [&str; 4] = [
    "grammar-compiler/src",
    "grammar-compiler/cli/src",
    "grammar-macros/src",
    "runtime",
];

fn results() -> Vec<Cell> {
    let homes = HOMES.iter();
    homes
        .flat_map(|(name, path)| figures(name, path, &read(path)))
        .collect()
}

/// The one figure that a quote names, or why there is none.
fn resolve<'r>(quote: &Quote, results: &'r [Cell]) -> Result<&'r Cell, String> {
    let is_named = |cell: &&Cell| {
        let of_cell = quote.words.iter().all(|word| cell.words.contains(word));
        of_cell
            && quote.row_and_column.as_ref().is_none_or(|(row, column)| {
                *row == cell.row && column.iter().all(|word| cell.column.contains(word))
            })
    };
    let found: Vec<&Cell> = results.iter().filter(is_named).collect();
    match found.as_slice() {
        [one] => Ok(one),
        [] => Err("no figure of the results has all of these words".to_owned()),
        several => Err(format!(
            "several figures have these words: {}",
            several
                .iter()
                .take(4)
                .map(|cell| format!("{} ({})", cell.place, cell.column.join(" ")))
                .collect::<Vec<_>>()
                .join(", ")
        )),
    }
}

/// What is wrong with the quotes of a text.
fn wrong_quotes(path: &str, text: &str, results: &[Cell]) -> Vec<String> {
    let quotes = match quotes(text) {
        Ok(quotes) => quotes,
        Err(error) => return vec![format!("{path}: {error}")],
    };
    let wrong = quotes.iter().filter_map(|quote| {
        let problem = match resolve(quote, results) {
            Ok(cell) if quote.value.is_rounded(cell.value) => return None,
            Ok(cell) => format!("{} says {}", cell.place, shown(cell.value)),
            Err(problem) => problem,
        };
        let named = quote.words.join(" ");
        Some(format!(
            "{path}:{}: `{}` ({named}): {problem}",
            quote.line, quote.text
        ))
    });
    wrong.collect()
}

fn shown(value: Value) -> String {
    format!(
        "{} ({:?}, in seconds, bytes or a plain number)",
        value.number, value.dimension
    )
}

fn assert_none(problems: &[String], way_out: &str) {
    assert!(problems.is_empty(), "{}\n\n{way_out}", problems.join("\n"));
}

/// The documentation in a source, line by line; other lines are empty, so that places are right.
fn documentation(source: &str) -> String {
    let lines = source.lines().map(|line| {
        let line = line.trim_start();
        let text = line.strip_prefix("//!").or(line.strip_prefix("///"));
        text.unwrap_or("")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// All files below a folder with this ending, as paths from the root.
fn files(folder: &str, ending: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        let entries = fs::read_dir(root().join(&folder)).unwrap();
        for entry in entries.map(Result::unwrap) {
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            match entry.file_type().unwrap().is_dir() {
                true => pending.push(path),
                false if path.ends_with(ending) => out.push(path),
                false => {}
            }
        }
    }
    out.sort();
    out
}

fn documents() -> Vec<(String, String)> {
    let is_home = |path: &str| HOMES.iter().any(|home| home.1 == path);
    let docs = files("docs", ".md").into_iter();
    let docs = docs.filter(|path| path != GENERATED && !is_home(path));
    let documents = DOCUMENTS.map(str::to_owned).into_iter().chain(docs);
    let documents = documents.map(|path| (path.clone(), read(&path)));
    let sources = SOURCES.iter().flat_map(|folder| files(folder, ".rs"));
    let sources = sources.map(|path| (path.clone(), documentation(&read(&path))));
    documents.chain(sources).collect()
}

#[test]
fn documents_say_what_the_results_say() {
    let results = results();
    let homes = HOMES.map(|(_, path)| (path.to_owned(), read(path)));
    let all = documents().into_iter().chain(homes);
    let problems: Vec<String> = all
        .flat_map(|(path, text)| wrong_quotes(&path, &text, &results))
        .collect();
    assert_none(
        &problems,
        "Write what the results say, rounded as you like.",
    );
}

#[test]
fn each_figure_says_where_it_comes_from() {
    let problem = |path: &str, (line, figure): (usize, String)| format!("{path}:{line}: {figure}");
    let problems: Vec<String> = documents()
        .iter()
        .flat_map(|(path, text)| bare(text).into_iter().map(|found| problem(path, found)))
        .collect();
    assert_none(
        &problems,
        "Behind each of them write `<!--= WORDS -->`, words that name the figure in the results (see tests/tests/figures.rs), or \
         `<!-- not measured -->`; or do without the figure.",
    );
}

/// The percentages in a text, without signs: `+79 %` is 79.
fn percentages(text: &str) -> Vec<f64> {
    let before = text.split(" %");
    let number = |part: &str| {
        let digits = part
            .rsplit(|c: char| !c.is_ascii_digit() && c != '.')
            .next();
        digits.and_then(|digits| digits.parse().ok())
    };
    let count = text.matches(" %").count();
    before.take(count).filter_map(number).collect()
}

/// The paragraphs of a source's documentation.
fn paragraphs(source: &str) -> Vec<String> {
    let documentation = documentation(source);
    let paragraphs = documentation.split("\n\n").map(|paragraph| {
        let words: Vec<&str> = paragraph.split_whitespace().collect();
        words.join(" ")
    });
    paragraphs.collect()
}

/// A pass that says at its head what it is worth says what a row of docs/ablation.md for its module
/// says.
#[test]
fn passes_are_worth_what_the_ablation_says() {
    let ablation = read("docs/ablation.md");
    let folders = ["mask", "pack"].map(|stage| format!("grammar-compiler/src/{stage}"));
    let mut compared = 0;
    let mut problems = Vec::new();
    for path in folders.iter().flat_map(|folder| files(folder, ".rs")) {
        let module = path.trim_start_matches("grammar-compiler/src/");
        let module = module.trim_start_matches("mask/");
        let module = module.trim_end_matches(".rs").trim_end_matches("/mod");
        let rows = ablation
            .lines()
            .filter(|row| row.contains(&format!("`{module}`")));
        let known: Vec<f64> = rows.flat_map(percentages).collect();
        let source = read(&path);
        let says = |paragraph: &&String| paragraph.contains("`docs/ablation.md`");
        for paragraph in paragraphs(&source).iter().filter(says) {
            for said in percentages(paragraph) {
                compared += 1;
                if !known.contains(&said) {
                    problems.push(format!("{path}: {said} %"));
                }
            }
        }
    }
    assert!(compared >= 20, "{compared} percentages were found");
    assert_none(
        &problems,
        "Write what docs/ablation.md says of this module.",
    );
}

/// Tables, and rows of CSV by their first column, that say the same.
#[test]
fn growth_is_that_of_its_csv() {
    let csv = read("benches/results/growth.csv");
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let rows: Vec<_> = lines.collect();
    let columns = [
        ("states", "states", 1.0),
        ("tables", "table_bytes", 1.0),
        ("compile", "cpu_ms", 1e-3),
    ];
    let results = figures("results", "benches/RESULTS.md", &read("benches/RESULTS.md"));
    let mut compared = 0;
    for cell in results
        .iter()
        .filter(|cell| cell.words.contains(&"growth".to_owned()))
    {
        let of_column = columns.iter().find(|of| cell.column == [of.0]);
        let (Some(&(_, column, worth)), [tools]) = (of_column, cell.row.as_slice()) else {
            continue;
        };
        let row = rows.iter().find(|row| row[0] == tools);
        let row = row.unwrap_or_else(|| panic!("{}: not in growth.csv", cell.place));
        let at = head.iter().position(|name| *name == column).unwrap();
        let number = worth * row[at].parse::<f64>().unwrap();
        let figure = Value {
            number,
            ..cell.value
        };
        assert!(
            cell.value.is_rounded(figure),
            "{}: {column} is {number}",
            cell.place
        );
        compared += 1;
    }
    assert!(compared >= 3, "no table of growth was found");
}

/// What the results say of automata, which does not depend on the machine.
#[test]
fn automata_are_as_large_as_the_results_say() {
    let text = read("benches/RESULTS.md");
    let results = figures("results", "benches/RESULTS.md", &text);
    let text: Vec<&str> = text.split_whitespace().collect();
    let text = text.join(" ");
    let vocabulary = Vocabulary::named("cl100k_base").unwrap();
    for (name, called) in [("json", "JSON"), ("sql", "SQL-like")] {
        let grammar = parse(name, &suite::entry(name).ebnf).unwrap();
        let compiled = compile(&grammar, &vocabulary, &Options::default()).unwrap();
        let report = compiled.report();
        let said = format!(
            "{called} (`tests/grammars/{name}.ebnf`): {} states, {} frames, {} conditional edges",
            report.states, report.frames, report.conditional_edges
        );
        assert!(
            text.contains(&said),
            "benches/RESULTS.md should say: {said}"
        );
        let reference = format!(
            "{}<!--= results {called} cl100k_base automaton -->",
            report.automaton_bytes
        );
        let reference = reference.replacen("<", " bytes<", 1);
        assert_none(
            &wrong_quotes("the compiler", &reference, &results),
            "Write what compiling gives.",
        );
    }
}

#[test]
fn what_differs_is_found() {
    let table = "## Compiling\n\n| grammar | time | tables, bytes |\n|---|---|---|\n| JSON | 2.8 ms | 45,476 |\n| SQL | 0.041 s | 160,124 |\n";
    let results = figures("results", "R.md", table);
    let wrong = |text: &str| wrong_quotes("D.md", text, &results).len();
    assert_eq!(
        wrong("takes 2.8 ms<!--= json time -->, **45 KB**<!--= results json tables -->"),
        0
    );
    assert_eq!(
        wrong("takes 41 ms<!--= sql time --> or 0.04 s<!--= sql time -->"),
        0
    );
    assert_eq!(wrong("takes 2.9 ms<!--= json time -->"), 1);
    assert_eq!(wrong("takes 2.8 s<!--= json time -->"), 1);
    assert_eq!(wrong("takes 2.8 KB<!--= json time -->"), 1);
    assert_eq!(wrong("takes 46 KB<!--= json tables -->"), 1);
    assert_eq!(
        wrong("takes 45 KB<!--= json -->"),
        1,
        "two figures are named"
    );
    assert_eq!(
        wrong("takes 45 KB<!--= yaml tables -->"),
        1,
        "no figure is named"
    );
    assert_eq!(
        wrong("takes long<!--= json time -->"),
        1,
        "no figure is quoted"
    );
    let quoted =
        "<!--= table compiling -->\n| | time |\n|---|---|\n| JSON | 2.8 ms |\n| SQL | 42 ms |\n";
    assert_eq!(wrong(quoted), 1);
    let found = bare(
        "12 ms, 3 KB<!--= a -->, 60 s<!-- not measured -->, 16 MiB, 7 states\n```\n1 ms\n```\n5 µs\n",
    );
    assert_eq!(found, [(1, "12 ms".to_owned()), (5, "5 µs".to_owned())]);
}
