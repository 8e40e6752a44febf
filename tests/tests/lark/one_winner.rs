//! Random grammars with Lark's LALR(1) parser, cut by lexers of one winner: texts and masks are
//! those of the definition.

use crate::compiled::{TestMatcher, Words};
use crate::lalr::{Competing, NoParser, Optional, Parsed, Parser, Part, Pattern, Rule, Rules};
use maskwright_compiler::limits::Limits;
use maskwright_compiler::syntax::lark::{LarkLexer, LarkOptions, LarkParser};
use maskwright_tests::effort;
use maskwright_tests::random::Random;

/// Texts that are compared in each grammar, besides those of walks.
const TEXTS: usize = 60;
const WALKS: usize = 12;
/// The longest text of a walk.
const LONGEST: usize = 12;

/// How a run went.
#[derive(Debug, Default)]
struct Tally {
    grammars: usize,
    conflicts: usize,
    endless: usize,
    verdicts: usize,
    sentences: usize,
    masks: usize,
    unfinished: usize,
}

fn terminals(random: &mut Random) -> Vec<Pattern> {
    let texts = ["[", "]", ",", "k", "i", "if", ",,"].map(Pattern::Text);
    let mut terminals: Vec<Pattern> = Vec::new();
    for text in texts {
        if random.below(5) < 3 {
            terminals.push(text);
        }
    }
    for many in [Pattern::Many("NUM", "7"), Pattern::Many("NAME", "if")] {
        if random.below(2) == 0 {
            terminals.push(many);
        }
    }
    if terminals.is_empty() {
        terminals.push(Pattern::Text("i"));
    }
    terminals
}

/// A grammar with optional parts, empty alternatives and cycles.
fn drawn(random: &mut Random) -> Rules {
    let mut terminals = terminals(random);
    let rules = 3 + random.below(3);
    let part = |random: &mut Random| match random.below(10) {
        0..5 => Part::Rule(1 + random.below(rules - 1)),
        _ => Part::Terminal(random.below(terminals.len())),
    };
    let optional = |random: &mut Random| -> Optional { (part(random), random.below(5) == 0) };
    let mut all = Vec::new();
    for rule in 0..rules {
        let alternatives = (0..1 + random.below(3)).map(|_| {
            let parts = match rule {
                0 => 1 + random.below(5),
                _ => random.below(4),
            };
            (0..parts).map(|_| optional(random)).collect()
        });
        let alternatives = alternatives.collect();
        let priority = u32::from(rule > 0 && random.below(4) == 0);
        all.push(Rule {
            priority,
            alternatives,
        });
    }
    let ignored = (random.below(4) == 0).then(|| {
        terminals.push(Pattern::Text(" "));
        terminals.len() - 1
    });
    Rules {
        rules: all,
        terminals,
        ignored,
    }
}

/// One byte for each that terminals tell apart.
fn alphabet(of: &Rules) -> Vec<u8> {
    let chars = of.terminals.iter().flat_map(|terminal| match terminal {
        Pattern::Text(of) | Pattern::Many(_, of) => of.bytes(),
    });
    let mut chars: Vec<u8> = chars.collect();
    chars.sort_unstable();
    chars.dedup();
    chars
}

fn options(competing: Competing) -> LarkOptions {
    let lexer = match competing {
        Competing::Contextual => LarkLexer::Contextual,
        Competing::All => LarkLexer::Basic,
    };
    LarkOptions::default().lexer(lexer).parser(LarkParser::Lalr)
}

/// All that is compared in one grammar.
struct Comparison<'c> {
    parser: &'c Parser<'c>,
    words: &'c Words,
    tables: &'c [u8],
    tally: &'c mut Tally,
}

impl Comparison<'_> {
    fn check_text(&mut self, text: &str) -> Result<(), String> {
        let (_, is_sentence) = self.words.verdict(self.tables, text.as_bytes());
        let parsed = self.parser.parse(text);
        self.tally.verdicts += 1;
        self.tally.sentences += usize::from(is_sentence);
        match (parsed, is_sentence) {
            (Parsed::Sentence, true) | (Parsed::Refused, false) => Ok(()),
            _ => Err(format!(
                "`{text}`: a sentence: {is_sentence}, not {parsed:?}"
            )),
        }
    }

    /// Follows masks to the end of a text, byte by byte; the end is preferred where the text is
    /// long.
    fn walk(&mut self, random: &mut Random, bytes: &[u8]) -> Result<(), String> {
        let grammar = self.words.grammar(self.tables);
        let mut matcher = TestMatcher::new(&grammar).unwrap();
        let mut text = String::new();
        while text.len() < LONGEST {
            self.check_text(&text)?;
            let mask = matcher.mask();
            self.tally.masks += 1;
            let end = self.words.tokens.len() as u32 - 1;
            let is_allowed = |id: u32| mask.iter().any(|of| of == id);
            let allowed = bytes
                .iter()
                .copied()
                .filter(|&byte| is_allowed(byte.into()));
            let allowed: Vec<u8> = allowed.collect();
            let may_end = self.parser.parse(&text) == Parsed::Sentence;
            if is_allowed(end) != may_end {
                return Err(format!("`{text}`: may end: {}, not {may_end}", !may_end));
            }
            let Some(&byte) = random.pick(&allowed) else {
                return match may_end {
                    true => Ok(()),
                    false => Err(format!("`{text}`: nothing may follow")),
                };
            };
            text.push(char::from(byte));
            matcher.accept_token(byte.into()).unwrap();
        }
        self.tally.unfinished += 1;
        Ok(())
    }
}

/// Compares one grammar; returns how it differs.
fn check_grammar(
    random: &mut Random,
    (words, of): (&Words, &Rules),
    competing: Competing,
    tally: &mut Tally,
) -> Result<(), String> {
    let parser = match Parser::new(of, competing) {
        Err(NoParser::Twice | NoParser::TooLarge) => return Ok(()),
        parser => parser,
    };
    let compiled = words.compile(&of.to_string(), options(competing), Limits::default());
    let codes = compiled.as_ref().err().map(|error| {
        let codes = error.diagnostics().iter();
        codes.map(|one| one.code().as_str()).collect::<Vec<_>>()
    });
    let bytes = alphabet(of);
    let texts: Vec<String> = (0..TEXTS)
        .map(|_| {
            let length = random.below(8);
            let char = |_| char::from(*random.pick(&bytes).expect("there are bytes"));
            (0..length).map(char).collect()
        })
        .collect();
    let (parser, tables) = match (&parser, compiled) {
        (Ok(parser), Ok(tables)) => (parser, tables),
        (Err(_), Err(_)) if codes.as_deref() == Some(&["lark-unsupported"]) => {
            tally.conflicts += 1;
            return Ok(());
        }
        (Ok(parser), Err(error)) => {
            let is_sentence = |text: &&String| parser.parse(text) == Parsed::Sentence;
            return match codes.as_deref() {
                // Reductions of nothing that go round in a circle.
                Some(["lark-unsupported"]) => {
                    tally.endless += 1;
                    Ok(())
                }
                Some(["never-matches" | "unproductive-rule"]) => {
                    match texts.iter().find(is_sentence) {
                        Some(text) => Err(format!("`{text}` is a sentence, but: {error}")),
                        None => Ok(()),
                    }
                }
                _ => Err(format!("refused: {error}")),
            };
        }
        (Err(_), compiled) => return Err(format!("a conflict, but {:?}", compiled.err())),
    };
    tally.grammars += 1;
    let mut comparison = Comparison {
        parser,
        words,
        tables: &tables,
        tally,
    };
    for text in &texts {
        comparison.check_text(text)?;
    }
    (0..WALKS).try_for_each(|_| comparison.walk(random, &bytes))
}

fn check(competing: Competing) {
    let grammars = if effort::is_long() { 20_000 } else { 1_000 };
    let words = Words::new([]);
    let mut tally = Tally::default();
    let mut failures = Vec::new();
    for seed in 0..grammars {
        let mut random = Random::new(seed);
        let of = drawn(&mut random);
        if let Err(error) = check_grammar(&mut random, (&words, &of), competing, &mut tally) {
            failures.push(format!("seed {seed}, {error}\n{of}"));
        }
    }
    println!("{competing:?}: {tally:?}");
    failures.sort_by_key(String::len);
    failures.iter().take(10).for_each(|one| println!("{one}"));
    assert!(failures.is_empty(), "{} grammars fail", failures.len());
    assert!(tally.grammars * 5 > grammars as usize, "too few are read");
    assert!(tally.sentences * 20 > tally.verdicts, "too few sentences");
    assert!(tally.endless * 10 < tally.grammars, "too many are refused");
}

#[test]
fn contextual() {
    check(Competing::Contextual);
}

#[test]
fn basic() {
    check(Competing::All);
}

#[test]
fn a_text_may_end_with_frames_left() {
    // Behind the first bracket nothing asks for what lies below it.
    let of = "start: (r1)? \"[\" r1 \"]\" r0 r0\nr0: r1\nr1: NUM | r3 \",\"\n\
        r3: (r3)? | \"i\" \"k\" r0\nNUM: /[0-9]+/";
    let words = Words::new([]);
    for competing in [Competing::Contextual, Competing::All] {
        let verdicts = [
            ("[,],,", (true, true)),
            ("1[1]1,", (true, true)),
            (",[ik1,]7,", (true, true)),
            ("[,]", (true, false)),
            ("[,],", (true, false)),
            ("[,],,,", (false, false)),
            ("[1]1", (true, false)),
            ("[1]11", (true, false)),
            ("],,", (false, false)),
        ];
        check_verdicts(&words, (of, competing), &verdicts);
    }
}

/// Whether each text is a beginning of a sentence, and whether it is one.
fn check_verdicts(
    words: &Words,
    (of, competing): (&str, Competing),
    verdicts: &[(&str, (bool, bool))],
) {
    let tables = words.compile(of, options(competing), Limits::default());
    let tables = tables.unwrap();
    for &(text, verdict) in verdicts {
        let found = words.verdict(&tables, text.as_bytes());
        assert_eq!(found, verdict, "{competing:?}: {text}");
    }
}

#[test]
fn a_circle_of_reductions_takes_nothing() {
    // Behind `r1` the parser reduces `r1` for ever, but no text gets there.
    let of = "start: r1 r3 (\"i\")? NUM r1 | NUM \",\" (r0)* \",\" (\"-\" \"[\")?\n\
        r0: \"]\" \",\" (r2)? (r4 NUM)? | NUM | \",\" r0 NUM r2\nr1.2: r1\n\
        r2: \"-\" (NUM r1)? | NUM \"[\"\nr3:  | \"]\" NUM (r4)? \"i\"\n\
        r4: (r3)? \"[\"\nNUM: /[0-9]+/";
    let verdicts = [
        ("1,,", (true, true)),
        ("1,1,", (true, true)),
        ("1,],,", (true, true)),
        ("1,,-[", (true, true)),
        ("1,", (true, false)),
        ("1,],-1,", (false, false)),
        ("]1i1", (false, false)),
    ];
    check_verdicts(&Words::new([]), (of, Competing::Contextual), &verdicts);
}
