//! Needs and reserves beside a search over configurations, on automata that are made of a parser's
//! tables: there a text may end with frames on the stack.

use super::{Headroom, Solved, headroom};
use crate::grammar::Grammar;
use crate::lalr;
use crate::lexing::{over_bytes, over_symbols};
use crate::limits::{Deadline, Limits};
use crate::pda::interpret::{Stack, resolve, step};
use crate::pda::minimize::minimize;
use crate::pda::{Class, Pda};
use crate::syntax::GrammarText;
use crate::syntax::lark::{LarkLexer, LarkOptions, LarkParser};
use std::collections::{BTreeMap, BTreeSet};

/// Configurations of a search, at most; a grammar with more is left out at that depth.
const MOST: usize = 3_000;
/// Texts that are compared at one depth, each of another configuration.
const TEXTS: usize = 300;
const DEPTHS: std::ops::Range<usize> = 0..7;

/// The automaton over bytes that tables make, before its needs are known; `None` if the grammar has
/// no tables, or no sentence.
fn of_tables(text: &str) -> Option<Pda> {
    let limits = Limits::default();
    let deadline = Deadline::start(&limits);
    let options = LarkOptions::default()
        .lexer(LarkLexer::Contextual)
        .parser(LarkParser::Lalr);
    let text = GrammarText::lark(text).lark_options(options);
    let grammar: Grammar = text.parse(&limits).ok()?.grammar;
    let mut of = over_symbols(&grammar, &limits, &deadline).unwrap()?;
    // The grammar of the parser's runs has an automaton without frames of the parser.
    of.split = None;
    let parser = lalr::automaton(of.tables()?, &of.parsed(), &limits, &deadline).ok()?;
    let minimized = minimize(&parser, &deadline).unwrap();
    let found = over_bytes(&minimized.pda, &of, &limits, &deadline);
    found.unwrap().map(|over_bytes| over_bytes.pda)
}

/// The configurations that some text leads to and some text finishes, with at most `depth` frames;
/// `None` if they are too many.
fn finished(pda: &Pda, depth: usize) -> Option<BTreeSet<Stack>> {
    let mut before: BTreeMap<Stack, Vec<Stack>> = BTreeMap::new();
    let mut due = vec![(pda.start, Vec::new())];
    before.insert(due[0].clone(), Vec::new());
    let mut ends = Vec::new();
    while let Some(stack) = due.pop() {
        if before.len() > MOST {
            return None;
        }
        let here = [stack.clone()];
        if !step(pda, &here, pda.classes.end()).is_empty() {
            ends.push(stack.clone());
        }
        for class in 0..pda.classes.end() {
            for next in step(pda, &here, class) {
                if next.1.len() <= depth {
                    let of = before.entry(next.clone()).or_insert_with(|| {
                        due.push(next);
                        Vec::new()
                    });
                    of.push(stack.clone());
                }
            }
        }
    }
    let mut finished = BTreeSet::new();
    while let Some(stack) = ends.pop() {
        ends.extend(before[&stack].iter().cloned());
        if let Some(stacks) = before.get_mut(&stack) {
            stacks.clear();
        }
        finished.insert(stack);
    }
    Some(finished)
}

/// The automaton and the needs that a matcher knows.
struct Known {
    pda: Pda,
    headroom: Headroom,
}

impl Known {
    fn new(text: &str, pda: &Pda) -> Self {
        let limits = Limits::default();
        let solved = headroom(pda, &limits, &Deadline::start(&limits));
        match solved.unwrap_or_else(|limit| panic!("{limit:?}\n{text}")) {
            Solved::Uniform(headroom) => Known {
                pda: pda.clone(),
                headroom,
            },
            Solved::Refined(marked) => Known {
                pda: marked.pda,
                headroom: marked.headroom,
            },
        }
    }

    /// Whether a matcher of this depth keeps a stack.
    fn keeps(&self, (state, frames): &Stack, depth: usize) -> bool {
        let need = self.headroom.states[state.index()];
        need.is_some_and(|need| frames.len() + usize::from(need) <= depth)
    }

    /// The stacks that a matcher of this depth keeps after a symbol.
    fn step(&self, stacks: &[Stack], class: Class, depth: usize) -> Vec<Stack> {
        let (mut pending, mut out) = (stacks.to_vec(), Vec::new());
        while let Some((state, frames)) = pending.pop() {
            let Some(tree) = self.pda.edge(state, class) else {
                continue;
            };
            for alternative in resolve(&self.pda, tree, &frames) {
                let pop = usize::from(alternative.pop);
                let Some(kept) = frames.len().checked_sub(pop) else {
                    continue;
                };
                let mut frames = frames[..kept].to_vec();
                if let Some(frame) = alternative.push {
                    frames.push(frame);
                    let reserve = self.headroom.frames[usize::from(frame)];
                    if frames.len() + usize::from(reserve) > depth {
                        continue;
                    }
                }
                match alternative.again {
                    true => pending.push((alternative.next, frames)),
                    false => out.push((alternative.next, frames)),
                }
            }
        }
        out.sort();
        out.dedup();
        out
    }
}

/// Compares all texts that lead to some configuration at one depth; returns how many, and how many
/// of them are sentences.
fn compare(text: &str, pda: &Pda, known: &Known, depth: usize) -> (usize, usize) {
    let Some(finished) = finished(pda, depth) else {
        return (0, 0);
    };
    let end = pda.classes.end();
    let (mut met, mut due) = (BTreeSet::new(), Vec::new());
    let start: Vec<Stack> = vec![(pda.start, Vec::new())];
    due.push((Vec::new(), start, vec![(known.pda.start, Vec::new())]));
    let (mut texts, mut sentences) = (0, 0);
    while let Some((path, mut stacks, mut kept)) = due.pop() {
        stacks.retain(|stack| finished.contains(stack));
        kept.retain(|stack| known.keeps(stack, depth));
        let place = || format!("at depth {depth} after the classes {path:?}\n{text}");
        assert_eq!(stacks.is_empty(), kept.is_empty(), "{}", place());
        let ends = !step(pda, &stacks, end).is_empty();
        let ends_here = !known.step(&kept, end, depth).is_empty();
        assert_eq!(ends, ends_here, "the end {}", place());
        texts += 1;
        sentences += usize::from(ends);
        if stacks.is_empty() || texts > TEXTS || !met.insert((stacks.clone(), kept.clone())) {
            continue;
        }
        for class in 0..end {
            let next = step(pda, &stacks, class);
            let path = [&path[..], &[class]].concat();
            due.push((path, next, known.step(&kept, class, depth)));
        }
    }
    (texts, sentences)
}

/// A grammar with optional parts, empty alternatives and cycles.
fn drawn(seed: u64) -> String {
    let mut numbers = seed;
    let mut below = move |bound: u64| {
        numbers = numbers
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (numbers >> 33) % bound
    };
    let rules = 3 + below(3);
    let mut text = String::new();
    for rule in 0..rules {
        let alternatives = 1 + below(3);
        let alternatives = (0..alternatives).map(|_| {
            let parts = match rule {
                0 => 1 + below(5),
                _ => below(4),
            };
            let parts = (0..parts).map(|_| {
                let part = match below(10) {
                    0..5 => format!("r{}", 1 + below(rules - 1)),
                    5 => "NUM".to_owned(),
                    _ => format!("\"{}\"", ["[", "]", ",", "i", "k"][below(5) as usize]),
                };
                match below(5) {
                    0 => format!("({part})?"),
                    _ => part,
                }
            });
            parts.collect::<Vec<_>>().join(" ")
        });
        let alternatives: Vec<String> = alternatives.collect();
        let name = match rule {
            0 => "start".to_owned(),
            _ => format!("r{rule}"),
        };
        text += &format!("{name}: {}\n", alternatives.join(" | "));
    }
    text + "NUM: /[0-9]+/\n"
}

/// No text after the first bracket asks for the frame below it.
const ENDS_ABOVE: &str = r#"
start: (r1)? "[" r1 "]" r0 r0
r0: r1
r1: NUM | r3 ","
r3: (r3)? | "i" "k" r0
NUM: /[0-9]+/
"#;

#[test]
fn a_text_may_end_above_a_frame_that_nothing_asks_for() {
    let pda = of_tables(ENDS_ABOVE).unwrap();
    let known = Known::new(ENDS_ABOVE, &pda);
    let sentences: usize = DEPTHS
        .map(|depth| compare(ENDS_ABOVE, &pda, &known, depth).1)
        .sum();
    assert!(sentences > 10, "{sentences}");
    for (text, is_sentence) in [
        ("[,],,", true),
        ("1[1]1,", true),
        ("[ik1,],,", true),
        ("[,],", false),
        ("[1]1,,", false),
        (",],,", false),
    ] {
        let mut stacks = vec![(known.pda.start, Vec::new())];
        for byte in text.bytes().map(Some).chain([None]) {
            let class = byte.map_or(pda.classes.end(), |byte| pda.classes.of(byte));
            stacks = known.step(&stacks, class, 64);
            stacks.retain(|stack| known.keeps(stack, 64));
        }
        assert_eq!(!stacks.is_empty(), is_sentence, "{text}");
    }
}

#[test]
fn automata_of_tables_can_be_finished_where_their_needs_say() {
    let (mut automata, mut refined, mut texts, mut sentences) = (0, 0, 0, 0);
    for seed in 0..1_500 {
        let text = drawn(seed);
        let Some(pda) = of_tables(&text) else {
            continue;
        };
        let start = (pda.start, Vec::new());
        if finished(&pda, DEPTHS.end).is_some_and(|stacks| !stacks.contains(&start)) {
            // A grammar without a sentence is refused before there are tables.
            continue;
        }
        let known = Known::new(&text, &pda);
        automata += 1;
        refined += usize::from(known.pda.states != pda.states);
        for depth in DEPTHS {
            let (of_texts, of_sentences) = compare(&text, &pda, &known, depth);
            texts += of_texts;
            sentences += of_sentences;
        }
    }
    println!("{automata} automata, {refined} refined, {texts} texts, {sentences} sentences");
    assert!(automata > 100 && texts > 10_000 && sentences > 1_000);
}
