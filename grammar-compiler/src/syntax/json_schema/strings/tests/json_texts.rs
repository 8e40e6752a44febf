//! JSON texts against a decoder.

use super::*;
use crate::grammar::words::Words;
use crate::limits::Deadline;
use crate::syntax::json_schema::strings::{
    Decoder, Escapes, QuotedTexts, json_char, json_text, json_text_of_class,
};

const ALL: [Escapes; 3] = [Escapes::Any, Escapes::Natural, Escapes::Shortest];

fn accepts_bytes(words: &Words, text: &[u8]) -> bool {
    let mut at = vec![0u32];
    for &byte in text {
        at = at.iter().flat_map(|&s| words.step(s, byte)).collect();
    }
    at.iter().any(|&s| words.is_final(s))
}

/// Every way to write a character that JSON has.
fn spellings(c: char) -> Vec<String> {
    let mut all = Vec::new();
    if c >= ' ' && c != '"' && c != '\\' {
        all.push(c.to_string());
    }
    let short = r#""\/bfnrt"#.chars().zip("\"\\/\u{8}\u{c}\n\r\t".chars());
    all.extend(short.filter(|s| s.1 == c).map(|s| format!("\\{}", s.0)));
    let mut units = [0; 2];
    let units = c.encode_utf16(&mut units);
    let lower: String = units.iter().map(|u| format!("\\u{u:04x}")).collect();
    let upper: String = units.iter().map(|u| format!("\\u{u:04X}")).collect();
    let mixed: String = lower
        .chars()
        .enumerate()
        .map(|(at, c)| {
            if at % 2 == 0 && c != 'u' {
                c.to_ascii_uppercase()
            } else {
                c
            }
        })
        .collect();
    all.extend([lower, upper, mixed]);
    all
}

/// Which spellings an option keeps.
fn is_kept(escapes: Escapes, c: char, spelling: &str) -> bool {
    match escapes {
        Escapes::Any => true,
        Escapes::Natural => {
            !(' '..='~').contains(&c) || matches!(c, '"' | '\\') || !spelling.starts_with('\\')
        }
        Escapes::Shortest => {
            // The first way is the shortest, and the first of the equally long ones is in lower
            // case.
            spelling == spellings(c)[0]
        }
    }
}

fn interesting() -> impl Iterator<Item = char> {
    let edges = "\u{7f}\u{80}\u{7ff}\u{800}\u{fff}\u{1000}\u{cfff}\u{d000}\u{d7ff}\u{e000}\u{ffff}\
        \u{10000}\u{103ff}\u{10400}\u{3ffff}\u{40000}\u{fffff}\u{100000}\u{10ffff}é😀ꟿ";
    ('\0'..'\u{180}').chain(edges.chars())
}

#[test]
fn each_character_in_every_way() {
    for escapes in ALL {
        let any = json_char(escapes);
        for c in interesting() {
            let this = json_text_of_class(&[(c, c)], escapes);
            let others = json_text(&Language::class(&[(c, c)]).complement(), escapes);
            for spelling in spellings(c) {
                assert_eq!(
                    serde_json::from_str::<String>(&format!("\"{spelling}\"")).unwrap(),
                    c.to_string()
                );
                let kept = is_kept(escapes, c, &spelling);
                assert_eq!(
                    accepts_bytes(&any, spelling.as_bytes()),
                    kept,
                    "{escapes:?} {spelling}"
                );
                assert_eq!(
                    accepts_bytes(&this, spelling.as_bytes()),
                    kept,
                    "{escapes:?} {spelling}"
                );
                assert!(
                    !accepts_bytes(&others, spelling.as_bytes()),
                    "{escapes:?} {spelling}"
                );
            }
        }
    }
}

fn for_python(language: &Language, escapes: Escapes) -> Words {
    let mut texts = QuotedTexts::new(Decoder::Python);
    texts
        .of(language, escapes, usize::MAX, &Deadline::never())
        .unwrap()
}

/// An emoji takes four bytes, and a control character six.
#[test]
fn texts_of_more_states_than_rules_may_have_are_refused() {
    let language = Language::literal(&"\u{1f600}\0".repeat(200));
    let mut texts = QuotedTexts::new(Decoder::Json);
    let mut of = |most| texts.of(&language, Escapes::Natural, most, &Deadline::never());
    assert_eq!(of(400).unwrap_err().limit, "automaton_states");
    assert_eq!(of(1_999).unwrap_err().limit, "automaton_states");
    let states = of(10_000).unwrap().states.len();
    assert!(states > 2_000, "{states}");
    assert_eq!(of(states).unwrap().states.len(), states);
}

/// Of JSON's spellings Python reads all alike but `\/` and surrogates.
#[test]
fn each_character_for_python() {
    for escapes in ALL {
        let any = for_python(&Language::any(), escapes);
        for c in interesting() {
            let others = Language::class(&[(c, c)]).complement();
            let others = for_python(&others, escapes);
            for spelling in spellings(c) {
                let is_other = spelling == "\\/" || spelling.matches("\\u").count() > 1;
                let kept = is_kept(escapes, c, &spelling) && !is_other;
                let text = spelling.as_bytes();
                assert_eq!(accepts_bytes(&any, text), kept, "{escapes:?} {spelling}");
                assert!(!accepts_bytes(&others, text), "{escapes:?} {spelling}");
            }
        }
        for half in ["\\ud800", "\\uDFFF", "\\ud83d\\ude00"] {
            assert!(!accepts_bytes(&any, half.as_bytes()), "{half}");
        }
    }
}

#[test]
fn nothing_else() {
    let any = json_text(&Language::any(), Escapes::Any);
    for text in [
        r"\ud800",
        r"\udc00",
        r"\ud800\ud800",
        r"\ud800a",
        r"\udc00\ud800",
        r"\ud800\u0041",
        r"\x41",
        r"\u004",
        r"\u{41}",
        r"\U0041",
        r"\'",
        r"\u00g0",
        "\"",
        "\\",
        "\n",
        "\u{1f}",
    ] {
        assert!(
            serde_json::from_str::<String>(&format!("\"{text}\"")).is_err(),
            "{text}"
        );
        assert!(!accepts_bytes(&any, text.as_bytes()), "{text}");
    }
    for bytes in [
        &b"\xff"[..],
        b"\xc0\x80",
        b"\xe0\x80\x80",
        b"\xed\xa0\x80",
        b"\xf4\x90\x80\x80",
        b"\xc3",
    ] {
        assert!(!accepts_bytes(&any, bytes), "{bytes:?}");
    }
}

#[test]
fn sizes() {
    assert!(json_text(&Language::any(), Escapes::Any).states.len() <= 25);
    assert!(json_text(&Language::any(), Escapes::Shortest).states.len() <= 15);
    assert!(json_text(&Language::empty(), Escapes::Any).is_empty());
    let bounded = Language::any()
        .with_length(0, Some(100), &Deadline::never())
        .unwrap();
    assert!(json_text(&bounded, Escapes::Any).states.len() <= 2500);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Random ways through the automaton decode to members; members are accepted however they are
    /// written.
    #[test]
    fn decodes_to_members(a in states(), choices in prop::collection::vec(any::<u32>(), 400)) {
        let l = language(&a);
        for escapes in ALL {
            let words = json_text(&l, escapes);
            // Deterministic: no two edges of a state share a byte.
            for state in &words.states {
                prop_assert!(state.edges.windows(2).all(|w| w[0].1 < w[1].0));
            }
            let (mut at, mut text) = (0u32, Vec::new());
            for &choice in &choices {
                if words.is_final(at) {
                    let json = format!("\"{}\"", std::str::from_utf8(&text).unwrap());
                    let decoded: String = serde_json::from_str(&json).unwrap();
                    prop_assert!(l.contains(&decoded), "{} {:?}", json, l);
                }
                let edges = &words.states[at as usize].edges;
                let Some(&(low, high, to)) = edges.get(choice as usize % edges.len().max(1)) else {
                    break;
                };
                text.push(low + (choice / 97 % (u32::from(high - low) + 1)) as u8);
                at = to;
            }
            for text in short_strings().iter().step_by(7) {
                for pick in 0..3 {
                    let spelled: String = (text.chars().enumerate())
                        .map(|(i, c)| {
                            let ways: Vec<_> = spellings(c).into_iter().filter(|s| is_kept(escapes, c, s)).collect();
                            ways[(pick + i * choices[i] as usize) % ways.len()].clone()
                        })
                        .collect();
                    prop_assert_eq!(accepts_bytes(&words, spelled.as_bytes()), l.contains(text));
                }
            }
        }
    }
}
