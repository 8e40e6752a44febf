//! The pictures in docs/pictures are what `maskwright graph --svg` draws, and what it draws is well formed.

use maskwright_compiler::drawing::{Drawing, dot, svg};
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::ebnf;
use maskwright_compiler::{Options, automaton};
use std::path::Path;

fn drawing(text: &str) -> Drawing {
    let source = Source::new("g", text);
    let parsed = ebnf::parse(&source, &ebnf::ParseOptions::default()).unwrap();
    Drawing::new(&automaton(&parsed.grammar, &Options::default()).unwrap())
}

/// `UPDATE_DOCS=1` writes the picture instead.
#[test]
fn the_picture_in_the_readme_is_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pictures");
    let grammar = std::fs::read_to_string(folder.join("lists.ebnf")).unwrap();
    let made = svg::svg(&drawing(&grammar));
    let path = folder.join("lists.svg");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap();
    assert!(
        written == made,
        "docs/pictures/lists.svg is not up to date: run this test with UPDATE_DOCS=1"
    );
}

#[test]
fn every_state_and_arrow_is_drawn_once() {
    let drawing = drawing("root ::= \"<\" root \">\" | \"&\" | \"\\\"\" [^\"]* \"\\\"\"");
    let svg = svg::svg(&drawing);
    assert_eq!(svg.matches("data-state=").count(), drawing.nodes.len());
    let mut pairs: Vec<(u32, u32)> = drawing.arrows.iter().map(|a| (a.from, a.to)).collect();
    pairs.sort_unstable();
    pairs.dedup();
    assert_eq!(svg.matches("data-from=").count(), pairs.len());
    // Every opening tag is closed, and no character of the grammar is one of the language.
    for tag in ["svg", "g", "text", "title"] {
        let (opened, closed) = (format!("<{tag}"), format!("</{tag}>"));
        let opened = svg.match_indices(&opened).filter(|at| {
            !svg[at.0 + opened.len()..].starts_with(|c: char| c.is_ascii_alphabetic())
        });
        assert_eq!(opened.count(), svg.matches(&closed).count(), "{tag}");
    }
    assert!(svg.contains("&lt;") && svg.contains("&amp;") && !svg.contains("\"\"\""));
    assert!(
        !svg.contains("http") || svg.matches("http").count() == 1,
        "the name space only"
    );
    assert_eq!(
        dot::dot(&drawing).matches(" -> ").count(),
        drawing.arrows.len() + 1
    );
}
