//! The page of `maskwright report --html`, in a real browser: its script must say of each prefix of
//! each text what the runtime says, bit for bit. Where there is no chromium, the test says so and
//! passes.

mod browser;

use maskwright_cli::page::{Page, page};
use maskwright_compiler::source::{Source, Sources};
use maskwright_compiler::syntax::{ParseOptions, ebnf};
use maskwright_compiler::vocabulary::{TokenNames, Vocabulary};
use maskwright_compiler::{Automaton, Compiled, Compiler, Options};
use maskwright_core::{Grammar, Matcher};
use std::sync::Arc;

const JSON: &str = include_str!("../../../../tests/grammars/json_compact.ebnf");
const DEPTH: usize = 32;
const STACKS: usize = 8;

/// A grammar compiled for a vocabulary, and texts to walk.
struct Case {
    sources: Sources,
    vocabulary: Vocabulary,
    compiled: Compiled,
    automaton: Automaton,
    texts: Vec<String>,
}

impl Case {
    fn new(grammar: &str, vocabulary: Vocabulary, texts: &[&str]) -> Self {
        let source = Source::new("grammar.ebnf", grammar);
        let tokens = TokenNames::of(Arc::new(vocabulary.clone()));
        let parsed = ebnf::parse(&source, &ParseOptions::default().tokens(tokens)).unwrap();
        let compiler = Compiler::new(&vocabulary).unwrap();
        let options = Options::default();
        let (compiled, automaton) = compiler
            .with_options(options.clone())
            .compile_and_keep(&parsed.grammar)
            .unwrap();
        let texts = texts.iter().map(|text| (*text).to_owned()).collect();
        Case {
            sources: parsed.sources,
            vocabulary,
            compiled,
            automaton,
            texts,
        }
    }

    fn page(&self) -> String {
        let made = page(&Page {
            depth: 32,
            title: "a <page> & its \"tables\"",
            vocabulary_name: "test",
            sources: Some(&self.sources),
            warnings: self.compiled.warnings(),
            text: self.texts.first().map_or("", String::as_str),
            compiled: &self.compiled,
            automaton: &self.automaton,
            vocabulary: &self.vocabulary,
        });
        made.unwrap()
    }

    /// For each text: the number of tokens and the hash of the mask after each prefix, or none
    /// where the matcher refuses it.
    fn expected(&self) -> Vec<Vec<Option<(u64, u64)>>> {
        let vocabulary = self.vocabulary.pack().unwrap();
        let vocabulary = maskwright_core::Vocabulary::load(&vocabulary).unwrap();
        let grammar = self.compiled.grammar().unwrap();
        let grammar = grammar.with_vocabulary(vocabulary).unwrap();
        self.texts
            .iter()
            .map(|text| prefixes(&grammar, text.as_bytes()))
            .collect()
    }
}

fn prefixes(grammar: &Grammar<'_>, text: &[u8]) -> Vec<Option<(u64, u64)>> {
    let mask_of = |prefix: &[u8]| {
        let mut matcher = Matcher::<DEPTH, STACKS>::new(grammar).unwrap();
        matcher.accept_bytes(prefix).ok()?;
        let mut words = vec![0u32; grammar.mask_words()];
        matcher.mask().fill(&mut words).unwrap();
        Some((matcher.mask().count() as u64, u64::from(fnv(&words))))
    };
    (0..=text.len()).map(|end| mask_of(&text[..end])).collect()
}

/// FNV-1a, as on the page.
fn fnv(words: &[u32]) -> u32 {
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    bytes.fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// Single bytes but for some, words, and an end token.
fn vocabulary(lacks: &[u8], words: &[&str]) -> Vocabulary {
    let bytes = (0..=255u8).filter(|byte| !lacks.contains(byte));
    let mut tokens: Vec<Vec<u8>> = bytes.map(|byte| vec![byte]).collect();
    tokens.extend(words.iter().map(|word| word.as_bytes().to_vec()));
    let end = tokens.len() as u32;
    tokens.push(Vec::new());
    Vocabulary::from_tokens(tokens, vec![end])
}

/// More ids than lists hold in one block: all words of one to four of sixteen letters, and some
/// that JSON needs.
fn large_vocabulary() -> Vocabulary {
    let letters: Vec<char> = "abcdefnrstul012\"".chars().collect();
    let mut words = vec![String::new()];
    let mut from = 0;
    for _ in 0..4 {
        let until = words.len();
        for at in from..until {
            let longer: Vec<String> = letters
                .iter()
                .map(|c| format!("{}{c}", words[at]))
                .collect();
            words.extend(longer);
        }
        from = until;
    }
    let more = ["{\"", "\":", "\",\"", "]}", "}}", "[[", "true", "é", "\"]}"];
    let words: Vec<&str> = words
        .iter()
        .skip(1)
        .map(String::as_str)
        .chain(more)
        .collect();
    vocabulary(&[], &words)
}

fn cases() -> Vec<Case> {
    let words = [
        "[[", "]]", "],[", "12", "é", "true", "{\"", "\":", "\"}", "]}",
    ];
    let deep = format!("{}1{}", "[".repeat(31), "]".repeat(31));
    let too_deep = "[".repeat(40);
    let json = [
        "{\"key\":[12,true],\"ä\":{\"x\":null}}",
        "[1,2",
        "[1,,2]",
        "\"\\u00e9é\"",
        &deep,
        &too_deep,
    ];
    let palindrome = "root ::= \"a\" root \"a\" | \"b\" root \"b\" | \"c\"";
    let split = "root ::= x \"c\" | y \"d\"\nx ::= \"(\" x \")\" | \"e\"\ny ::= \"(\" y \")\" | \"e\" | \"f\"";
    // No number of stacks is enough for every text: past a cap readings are dropped, and masks
    // leave out tokens that only those take.
    let even = "root ::= \"a\" root \"a\" | \"b\" root \"b\" | \"\"";
    // Beside these, the tokens `abba` and 265, which has no text, are terminals.
    let terminals =
        "root ::= \"a\" root \"a\" | \"b\" root \"b\" | \"\" | <[260]> \"bab\" | <[265]> root";
    let hidden = "root ::= [ab]* root \"c\" | \"d\"";
    let pieces = vocabulary(
        &[],
        &["ab", "ba", "aab", "bbb", "abba", "babababa", "bc", "dc"],
    );
    let angles = "root ::= list\nlist ::= \"[\" (list | \"x\")* \"]\" | \"<\" list* \">\"";
    vec![
        Case::new(JSON, vocabulary(&[], &words), &json),
        Case::new(JSON, large_vocabulary(), &json),
        Case::new(
            palindrome,
            vocabulary(&[], &["aa", "ab", "abcba"]),
            &["abcba", "aaacaaa", "abc"],
        ),
        Case::new(
            split,
            vocabulary(&[], &["((", "))", ")c", "e)"]),
            &["((e))c", "((f))c", "(e)d"],
        ),
        Case::new(
            even,
            pieces.clone(),
            &[
                "aaaaaaaaaaaabbaaaaaaaaaaaa",
                "abbaabbaabbaabba",
                // The stack that takes `aab` is dropped after `aa`: the union of the sets has it,
                // the mask does not.
                "aaaaabbabbbbbbaaaaaaaaaaaaaaaaaaaa",
            ],
        ),
        Case::new(
            terminals,
            pieces.clone().with_size(266).unwrap(),
            &["aaaaaaabbaaa", "abbaabbaabbaab", "aaaaabbabbbbbbaaaaaaa"],
        ),
        Case::new(hidden, pieces, &["ababababdcccc", "aadc", "bbbbbabd"]),
        // No token for a closing bracket alone: some states can only be passed through.
        Case::new(
            angles,
            vocabulary(b"]", &["]>", "[x", "<["]),
            &["<[x]>", "<[x]", "<<>[[]>", "[x]"],
        ),
    ]
}

#[test]
fn the_page_says_what_the_runtime_says() {
    let Some(browser) = browser::find() else {
        println!("skipped: no chromium on PATH");
        return;
    };
    for case in cases() {
        let texts = serde_json::to_string(&case.texts)
            .unwrap()
            .replace('<', "\\u003c");
        let script = format!(
            "<script>const made = document.createElement('pre'); made.id = 'made'; \
             made.textContent = JSON.stringify(check({texts})); document.body.append(made);</script>"
        );
        let document = case.page().replace("</body>", &format!("{script}</body>"));
        let dom = browser::dom(&browser, &document);
        let made = dom
            .split("<pre id=\"made\">")
            .nth(1)
            .unwrap_or_else(|| panic!("{}", &dom[..2000]));
        let made = made.split("</pre>").next().unwrap_or_default();
        let made: Vec<Vec<Option<(u64, u64)>>> = serde_json::from_str(made).unwrap();
        for ((text, made), expected) in case.texts.iter().zip(made).zip(case.expected()) {
            // The page stops where a byte is refused.
            assert!(
                expected[made.len()..].iter().all(Option::is_none),
                "{text}: {made:?} {expected:?}"
            );
            assert_eq!(
                made,
                expected[..made.len()],
                "{text} of {}",
                case.sources.main().unwrap().text()
            );
        }
    }
}

#[test]
fn what_the_page_shows() {
    let Some(browser) = browser::find() else {
        println!("skipped: no chromium on PATH");
        return;
    };
    let case = Case::new(JSON, vocabulary(&[], &["[[", "]]"]), &["[1,[]"]);
    let dom = browser::dom(&browser, &case.page());
    let body = dom
        .split("<script type=\"application/json\"")
        .next()
        .unwrap_or_default();
    for expected in [
        "<h2>State ",
        "after 5 bytes: the beginning of a sentence",
        "a &lt;page&gt; &amp; its \"tables\"",
        "data-state=\"3\"",
        "Bytes by rule",
        "bytes ↓",
        "push f",
    ] {
        assert!(body.contains(expected), "{expected}");
    }
    // The panel stands where the walk does.
    assert!(!body.contains("(start)</h2>"));
    let begun = Case::new(JSON, vocabulary(&[], &[]), &[""]);
    let dom = browser::dom(&browser, &begun.page());
    let start = begun.automaton.pda.start.number();
    assert!(dom.contains(&format!("<h2>State {start} (start)</h2>")));
    let refused = Case::new(JSON, vocabulary(&[], &[]), &["[1,]"]);
    let dom = browser::dom(&browser, &refused.page());
    assert!(dom.contains("byte 3 is refused: not allowed by the grammar"));
}

/// Measures in the browser: how far text of a node goes over its box, in pixels; how many labels of
/// the surroundings of a state run over a box; how far a table is wider than what it lies in; and
/// how far the last column lies from the edge where a scrollbar may be drawn.
const MEASURE: &str = r#"
const over = [], crossing = [], wider = [], free = [];
const boxes = () => [...document.querySelectorAll('#canvas .node rect')].map(rect => rect.getBoundingClientRect());
const measure = () => {
  for (const node of document.querySelectorAll('#canvas .node')) {
    const box = node.querySelector('rect').getBoundingClientRect();
    for (const text of node.querySelectorAll('text')) over.push(text.getBoundingClientRect().width - box.width);
  }
};
measure();
document.getElementById('around').click();
for (let state = 0; state < data.states.length; state++) {
  choose(state);
  measure();
  const all = boxes();
  for (const label of document.querySelectorAll('#canvas .arrow text')) {
    const text = label.getBoundingClientRect();
    crossing.push(all.filter(b => b.left < text.right && text.left < b.right && b.top < text.bottom && text.top < b.bottom).length);
  }
}
for (const id of ['rules', 'states']) {
  const box = document.getElementById(id).parentElement, cell = document.querySelector(`#${id} tbody td:last-child`);
  wider.push(box.scrollWidth - box.clientWidth);
  free.push(box.getBoundingClientRect().right - cell.getBoundingClientRect().right);
}
[Math.max(...over), Math.max(...crossing), Math.max(...wider), Math.min(...free)]
"#;

#[test]
fn labels_stay_in_their_boxes_and_no_column_is_hidden() {
    let Some(browser) = browser::find() else {
        println!("skipped: no chromium on PATH");
        return;
    };
    let grammar = "root ::= a-rule-whose-name-is-longer-than-any-box | \"x\" root \"x\"\n\
        a-rule-whose-name-is-longer-than-any-box ::= \"(\" [a-cf-hk-mp-ru-wy] [0-9]* a-rule-whose-name-is-longer-than-any-box? \")\"";
    let case = Case::new(grammar, vocabulary(&[], &["x("]), &["x(a"]);
    let script = format!(
        "<script>{{ const made = document.createElement('pre'); made.id = 'made'; \
         made.textContent = JSON.stringify(eval({})); document.body.append(made); }}</script>",
        serde_json::to_string(MEASURE)
            .unwrap()
            .replace('<', "\\u003c")
    );
    // The page itself forbids `eval`.
    let page = case.page().replace(
        "script-src 'unsafe-inline'",
        "script-src 'unsafe-inline' 'unsafe-eval'",
    );
    let dom = browser::dom(
        &browser,
        &page.replace("</body>", &format!("{script}</body>")),
    );
    let made = dom.split("<pre id=\"made\">").nth(1).unwrap_or_default();
    let made: [f64; 4] = serde_json::from_str(made.split('<').next().unwrap_or_default()).unwrap();
    let [over, crossing, wider, free] = made;
    assert!(over < 0.0 && crossing == 0.0, "{made:?}");
    assert!(wider <= 0.0 && free >= 12.0, "{made:?}");
}

#[test]
fn the_page_needs_no_network_and_is_the_same_each_time() {
    let case = Case::new(JSON, vocabulary(&[], &["[["]), &["[1]"]);
    let made = case.page();
    assert_eq!(made, case.page());
    let names = ["http-equiv", "http://www.w3.org/2000/svg"];
    let rest = names.iter().fold(made, |page, name| page.replace(name, ""));
    for forbidden in [
        "http",
        "src=",
        "url(/",
        "@import",
        "fetch(",
        "XMLHttpRequest",
        "<link",
    ] {
        assert!(!rest.contains(forbidden), "{forbidden}");
    }
}
