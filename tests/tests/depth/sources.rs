//! Grammars for tests of depth: written by hand, of the suite, of recorded schemas where they lie
//! beside the checkout, and random ones.

use maskwright_compiler::grammar::Grammar;
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::json_schema;
use maskwright_tests::harness::parse;
use maskwright_tests::{random_grammar, random_schema, suite};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Grammars in EBNF, each with what it is about.
pub const NAMED: [(&str, &str); 8] = [
    ("two children", r#"root ::= "1" ("(" root root)?"#),
    ("three children", r#"root ::= "1" ("(" root root root)?"#),
    ("three calls", r#"root ::= "a" root root root | "a""#),
    ("two spans", "root ::= s s\ns ::= \"(\" s? \")\""),
    (
        "deep or flat at the end",
        r#"root ::= "x" a "y" | "x" b deep
           a ::= "(" a ")" | "."
           b ::= "(" b "]" | "."
           deep ::= "<" deep3 ">"
           deep3 ::= "<" deep4 ">"
           deep4 ::= "<" root ">" | "-""#,
    ),
    (
        "a common frame with continuations that differ",
        r#"root ::= p "!" | q n n
           p ::= "[" p "]" | "a"
           q ::= "[" q "]" "b"? | "a"
           n ::= "<" m ">" | "<" n ">"
           m ::= "(" k ")" | "(" m ")"
           k ::= "{" k "}" | "{" "}""#,
    ),
    (
        "counted",
        r#"root ::= "[" (item ","){3,40} "]"
           item ::= "x"{2,70} | root"#,
    ),
    (
        "palindrome with a centre",
        r#"root ::= "a" root "a" | "b" root "b" | "c""#,
    ),
];

/// JSON Schemas, each with what it is about.
pub const SCHEMAS: [(&str, &str); 6] = [
    ("two strings", include_str!("two_strings.json")),
    ("a filter", include_str!("filter.json")),
    ("arrays of strings", include_str!("arrays_of_strings.json")),
    ("counted strings", include_str!("counted_strings.json")),
    ("open objects", include_str!("open_objects.json")),
    ("a tree", include_str!("tree.json")),
];

/// A grammar that does not nest, and one that does, with brackets.
const BRACKETS: [&str; 8] = [
    r#"root ::= ("(" ("[" ("{" "x"{2,5} "}")? "]"){1,3} ")"){1,4}"#,
    r#"root ::= a a?
       a ::= "(" b b? ")" | "-"
       b ::= "[" c c? "]"
       c ::= "{" d? d "}"
       d ::= "<" [a-z]{3,300} ">""#,
    r#"root ::= row{2,6}
       row ::= "[" cell ("," cell){0,4} "]\n"
       cell ::= [0-9]{1,9} | "(" [0-9]+ " " [0-9]+ ")""#,
    r#"root ::= (tag " "?)*
       tag ::= "<" [a-z]{1,20} (" " [a-z]+ "=\"" [^"<>]{0,40} "\""){0,3} ">""#,
    r#"root ::= value
       value ::= "(" value* ")" | "[" value value "]" | "{" value "}" | "<" value ">" | [a-z]+"#,
    r#"root ::= s
       s ::= "(" s ")" s | "[" s "]" s | """#,
    r#"root ::= expr
       expr ::= term (("+" | "-") term)*
       term ::= factor (("*" | "/") factor)*
       factor ::= [0-9]+ | "(" expr ")" | "f(" expr ("," expr)* ")" | "{" expr ":" expr "}""#,
    r#"root ::= "{" pair ("," pair)* "}"
       pair ::= "\"" [a-z]+ "\":" (root | "[" (root ("," root)*)? "]" | [0-9]+)"#,
];

/// A named grammar.
pub struct Named {
    /// What it is, or its text.
    pub name: String,
    /// The grammar.
    pub grammar: Grammar,
}

fn of_ebnf(name: String, text: &str) -> Option<Named> {
    let grammar = parse(&name, text).ok()?;
    Some(Named { name, grammar })
}

/// The grammar of a schema; none if it is refused.
pub fn of_schema(name: &str, text: &str) -> Option<Named> {
    let made = json_schema::parse(&Source::new("schema", text), &Default::default());
    Some(Named {
        name: format!("{name}: {text}"),
        grammar: made.ok()?.grammar,
    })
}

/// All that are written by hand.
pub fn by_hand() -> impl Iterator<Item = Named> {
    let brackets = BRACKETS.iter().map(|text| (*text, *text));
    let ebnf = NAMED.into_iter().chain(brackets);
    let ebnf = ebnf.filter_map(|(name, text)| of_ebnf(format!("{name}: {text}"), text));
    let schemas = SCHEMAS
        .iter()
        .filter_map(|(name, text)| of_schema(name, text));
    ebnf.chain(schemas)
}

/// Grammars of the suite.
pub fn of_suite() -> impl Iterator<Item = Named> {
    let entries = suite::load().into_iter();
    let wanted = entries.filter(|entry| entry.name != "sql_unreserved");
    wanted.filter_map(|entry| of_ebnf(format!("{}: {}", entry.name, entry.ebnf), &entry.ebnf))
}

/// Of the recorded schemas every `every`-th; none where the file is not there.
pub fn recorded(every: usize) -> impl Iterator<Item = Named> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/maskbench.jsonl.gz");
    let file = std::fs::File::open(path).ok();
    let lines = file.map(|file| BufReader::new(flate2::read::MultiGzDecoder::new(file)).lines());
    let rows = lines.into_iter().flatten().step_by(every);
    rows.filter_map(|line| {
        let row: serde_json::Value = serde_json::from_str(&line.ok()?).ok()?;
        let text = row["schema"].to_string();
        of_schema(row["name"].as_str()?, &text).filter(|_| text.len() < 4_000)
    })
}

/// What draws random grammars and schemas, the same on each run.
pub fn runner(seed: u8) -> TestRunner {
    TestRunner::new_with_rng(
        Config::default(),
        TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]),
    )
}

fn draw<T>(strategy: &impl Strategy<Value = T>, runner: &mut TestRunner) -> Option<T> {
    Some(strategy.new_tree(runner).ok()?.current())
}

/// Random grammars without end.
pub fn random_grammars(mut runner: TestRunner) -> impl Iterator<Item = Named> {
    let strategy = random_grammar::grammars();
    std::iter::repeat_with(move || draw(&strategy, &mut runner)).filter_map(|ast| {
        let text = ast?.to_string();
        of_ebnf(text.clone(), &text)
    })
}

/// Random schemas without end, each other one recursive; `None` for one that is refused.
pub fn random_schemas(mut runner: TestRunner) -> impl Iterator<Item = Option<Named>> {
    let flat = random_schema::schemas();
    let recursive = random_schema::recursive_schemas();
    let drawn =
        std::iter::repeat_with(move || [draw(&flat, &mut runner), draw(&recursive, &mut runner)]);
    drawn
        .flatten()
        .map(|schema| of_schema("random", &schema?.to_string()))
}
