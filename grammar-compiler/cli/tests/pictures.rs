//! The pictures in docs/pictures are what `maskwright graph --svg` draws, and what it draws is well
//! formed.

use maskwright_cli::drawing::{Drawing, dot, svg};
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::ebnf;
use maskwright_compiler::{Automaton, Options};
use std::path::Path;

fn drawing(text: &str) -> Drawing {
    let source = Source::new("g", text);
    let parsed = ebnf::parse(&source, &Default::default()).unwrap();
    Drawing::new(&Automaton::new(&parsed.grammar, &Options::default()).unwrap())
}

/// `UPDATE_DOCS=1` writes the picture instead.
#[test]
fn the_picture_in_the_readme_is_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures");
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
    let mut pairs: Vec<_> = drawing.arrows.iter().map(|a| (a.from, a.to)).collect();
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

/// The numbers of an attribute of all elements of a kind, in order.
fn numbers(svg: &str, element: &str, attribute: &str) -> Vec<f64> {
    let opened = format!("<{element} ");
    let elements = svg.split(&opened).skip(1);
    let values = elements.filter_map(|rest| {
        let value = rest
            .split('>')
            .next()?
            .split(&format!("{attribute}=\""))
            .nth(1)?;
        value.split('"').next()?.parse().ok()
    });
    values.collect()
}

#[test]
fn labels_keep_off_boxes() {
    let drawing =
        drawing("root ::= \"[\" root (\",\" root)* \"]\" | \"a-long-word\" | \"語語\" [a-z]+");
    let svg = svg::svg(&drawing);
    let of = |attribute| numbers(&svg, "rect", attribute);
    let (lefts, tops, widths) = (of("x"), of("y"), of("width"));
    let arrows = svg.split("<g class=\"arrow").skip(1);
    for arrow in arrows {
        let arrow = arrow.split("</g>").next().unwrap();
        let at = numbers(arrow, "text", "x")
            .into_iter()
            .zip(numbers(arrow, "text", "y"));
        for (x, y) in at {
            for ((&left, &top), &width) in lefts.iter().zip(&tops).zip(&widths) {
                let inside =
                    (left..left + width).contains(&x) && (top..top + 38.0).contains(&(y - 4.0));
                assert!(!inside, "a label lies on a box: {arrow}");
            }
        }
    }
}
