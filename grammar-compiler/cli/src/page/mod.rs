//! A page that shows a compiled grammar.
//!
//! In: tables, the automaton they were made from, the vocabulary. Out: one HTML document that needs
//! no network. The tables and the vocabulary are in it as the runtime reads them, and its script
//! reads them by the same layout: edges, walks and masks on the page are not a description of the
//! tables but what they say. Beside them it holds what tables do not: names of rules, bytes by
//! state and rule, and the picture, up to a size at which one can be looked at.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use crate::drawing::svg::escape;
use crate::drawing::{Drawing, svg};
use maskwright_compiler::error::{Diagnostic, Error};
use maskwright_compiler::source::Sources;
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_compiler::{Automaton, Compiled};
use maskwright_compiler::{Breakdown, rules_of};
use maskwright_core::layout::{self, TableSection};

/// Automata of more states are shown around one state only.
pub const MAX_PICTURE: usize = 400;

const HTML: &str = include_str!("assets/page.html");
const STYLES: [&str; 2] = [
    include_str!("assets/page.css"),
    include_str!("../drawing/svg.css"),
];
const SCRIPTS: [&str; 6] = [
    include_str!("assets/tables.js"),
    include_str!("assets/text.js"),
    include_str!("assets/automaton.js"),
    include_str!("assets/picture.js"),
    include_str!("assets/panel.js"),
    include_str!("assets/main.js"),
];

/// What a page is made of.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// What the grammar is called.
    pub title: &'a str,
    /// What the vocabulary is called.
    pub vocabulary_name: &'a str,
    /// The grammar's text.
    pub sources: Option<&'a Sources>,
    /// Warnings about it.
    pub warnings: &'a [Diagnostic],
    /// The text that the page walks at first.
    pub text: &'a str,
    /// The frames that it walks it with at first.
    pub depth: usize,
    /// The tables.
    pub compiled: &'a Compiled,
    /// The automaton that they were made from.
    pub automaton: &'a Automaton,
    /// The vocabulary that they were made for.
    pub vocabulary: &'a Vocabulary,
}

/// The document.
///
/// # Errors
///
/// If the vocabulary cannot be packed.
pub fn page(page: &Page<'_>) -> Result<String, Error> {
    let packed = page.vocabulary.pack()?;
    let breakdown = Breakdown::new(page.compiled.tables(), page.automaton);
    let picture = if page.automaton.pda.states.len() <= MAX_PICTURE {
        svg::svg(&Drawing::new(page.automaton))
    } else {
        String::new()
    };
    let data = data(page, &packed, breakdown.as_ref()).to_string();
    let parts = [
        ("title", escape(page.title)),
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("figures", escape(&figures(page))),
        ("depth", page.depth.to_string()),
        ("style", STYLES.concat()),
        ("picture", picture),
        ("grammar", grammar(page)),
        // Within a script nothing may look like its end.
        ("data", data.replace('<', "\\u003c")),
        ("layout", layout().to_string()),
        ("script", SCRIPTS.join("\n")),
    ];
    Ok(fill(HTML, &parts))
}

/// Puts parts in the place of `{{name}}`; what is put in is not looked at again.
fn fill(template: &str, parts: &[(&str, String)]) -> String {
    let mut pieces = template.split("{{");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (name, rest) = piece.split_once("}}").unwrap_or(("", piece));
        let part = parts.iter().find(|part| part.0 == name);
        out.push_str(part.map_or("", |part| part.1.as_str()));
        out.push_str(rest);
    }
    out
}

/// The numbers of the layout that the script reads tables by, under the names that they have there.
fn layout() -> serde_json::Value {
    macro_rules! numbers {
        ($($module:ident: $($name:ident)*;)*) => {
            json!({$(
                stringify!($module): {$(stringify!($name): layout::$module::$name,)*},
            )*})
        };
    }
    macro_rules! sections {
        ($($name:ident)*) => {
            json!({$(stringify!($name): TableSection::$name as usize,)*})
        };
    }
    let mut layout = numbers! {
        header: VOCAB_SIZE STATES FRAMES MAX_STACKS START CLASSES END_CLASS STACKS_PROVED SECTIONS;
        state: STATE_WORDS BASE MASK NEED_SHIFT MASK_OFFSET MAP_SHIFT ROW_OFFSET NEVER;
        edge: PAYLOAD PROGRAM CLASS_SHIFT REFUSE;
        program: LOOK COUNT DEPTH_SHIFT NEXT AGAIN POP_SHIFT FRAME RESERVE_SHIFT;
        mask: SETS CHILDREN_SHIFT MAX_CHILDREN LOOK NO_NODE SET HEADROOM_SHIFT;
        set: BITMAP ACCEPT REJECT LEVELS KIND PLANES_SHIFT PLANES LEAST_SHIFT BLOCK FINE FINE_BLOCK;
        token: LEAD NO_CLASS OTHERS_SHIFT LIMITS LIMITS_SHIFT IS_TEXT ID_SHIFT;
        vocabulary: VOCAB_SIZE HEADER_WORDS BLOCK;
    };
    layout["section"] = sections! { Classes States Edges Programs Masks SetIndex Sets Eos Tokens };
    layout
}

/// What the script reads beside the tables: for each state its bytes and the numbers of its rules.
fn data(page: &Page<'_>, vocabulary: &[u8], breakdown: Option<&Breakdown>) -> serde_json::Value {
    let machines = &page.automaton.network.machines;
    let names: Vec<&str> = machines
        .iter()
        .map(|machine| machine.name.as_str())
        .collect();
    let bytes = |state: usize| breakdown.map_or(0, |breakdown| breakdown.states[state].bytes);
    let states = (0..page.automaton.pda.states.len())
        .map(|state| json!([bytes(state), rules_of(page.automaton, state)]));
    let rules = breakdown.map(|breakdown| breakdown.rules.as_slice());
    let rules = rules.unwrap_or_default().iter();
    let rules = rules.map(|rule| json!([rule.name, rule.states, rule.bytes]));
    json!({
        "text": page.text,
        "names": names,
        "states": states.collect::<Vec<_>>(),
        "rules": rules.collect::<Vec<_>>(),
        "tables": STANDARD.encode(page.compiled.tables()),
        "vocabulary": STANDARD.encode(vocabulary),
    })
}

fn figures(page: &Page<'_>) -> String {
    let report = page.compiled.report();
    let stacks = match (report.max_stacks, report.stacks_proved) {
        (1, true) => "deterministic: one stack".to_owned(),
        (count, true) => format!("at most {count} stacks, proved"),
        (_, false) => "a graph of stacks".to_owned(),
    };
    format!(
        "{}, {} tokens · {} states, {} frames · {stacks} · DEPTH: {} · {} bytes of tables, {} of them masks",
        page.vocabulary_name,
        grouped(page.vocabulary.size() as usize),
        grouped(report.states),
        grouped(report.frames),
        report.depths(),
        grouped(report.table_bytes),
        grouped(report.mask_bytes)
    )
}

/// A number with its digits in groups of three.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The grammar's text and the warnings about it.
fn grammar(page: &Page<'_>) -> String {
    let mut out = String::new();
    let drawn = page
        .warnings
        .iter()
        .map(|warning| warning.render(page.sources, false));
    let drawn: Vec<String> = drawn.collect();
    // Writing to a string cannot fail.
    if !drawn.is_empty() {
        let text = escape(&drawn.join("\n\n"));
        let _ = write!(out, "<section><h2>Warnings</h2><pre>{text}</pre></section>");
    }
    if let Some(source) = page.sources.and_then(Sources::main) {
        let (name, text) = (escape(source.name()), escape(source.text()));
        let _ = write!(
            out,
            "<details><summary>{name}</summary><pre>{text}</pre></details>"
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled_once() {
        let parts = [("a", "{{b}}".to_owned()), ("b", "x".to_owned())];
        assert_eq!(fill("<{{a}} {{b}} {{c}}>", &parts), "<{{b}} x >");
    }

    #[test]
    fn scripts_hold_nothing_that_ends_them() {
        for script in SCRIPTS {
            assert!(!script.contains("</") || script.matches("</script").count() == 0);
        }
        assert!(
            HTML.matches("http").count() == 1,
            "the name of a header only"
        );
    }
}
