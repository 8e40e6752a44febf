//! Every level gives the same verdict on the same text: the oracle, the grammar as it was read, the
//! automata of its rules, the item sets, the pushdown automaton, and the packed tables.

use maskwright::{AcceptError, Grammar};
use maskwright_compiler::automata::interpret as automata_level;
use maskwright_compiler::grammar::interpret as grammar_level;
use maskwright_compiler::lr::interpret as lr_level;
use maskwright_compiler::pda::interpret as pda_level;
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_compiler::{Automaton, Options, grammar};
use maskwright_tests::effort;
use maskwright_tests::harness::{
    Built, TestMatcher, Words, compiled_suite, parse, together_and_apart, unhurried,
};
use maskwright_tests::oracle::Chart;
use maskwright_tests::random::Random;
use maskwright_tests::{random_grammar, suite};
use proptest::prelude::*;

/// All levels of one grammar.
struct Levels<'b> {
    built: &'b Built<'b>,
    grammar: grammar::Grammar,
    automaton: Automaton,
    tables: Grammar<'b>,
}

impl<'b> Levels<'b> {
    fn new(built: &'b Built<'b>, options: &Options) -> Self {
        let grammar = parse(&built.name, &built.ebnf).unwrap();
        let automaton = Automaton::new(&grammar, options).unwrap();
        Levels {
            built,
            grammar,
            automaton,
            tables: built.grammar(),
        }
    }

    /// The verdict of each level; that of the tables is `None` where the stacks do not suffice.
    fn verdicts(&self, text: &[u8]) -> [Option<bool>; 6] {
        let mut chart = Chart::new(&self.built.cfg);
        let mut matcher = TestMatcher::new(&self.tables).unwrap();
        let by_tables = match matcher.accept_bytes(text) {
            Ok(()) => Some(matcher.is_complete()),
            Err(AcceptError::TooManyStacks) => None,
            Err(_) => Some(false),
        };
        [
            Some(chart.push_all(text) && chart.is_sentence()),
            Some(grammar_level::accepts_bytes(&self.grammar, text)),
            Some(automata_level::accepts(&self.automaton.network, text)),
            Some(lr_level::accepts(&self.automaton.built.positions, text)),
            Some(pda_level::accepts(&self.automaton.built.pda, text)),
            by_tables,
        ]
    }

    /// Whether the text is a sentence.
    fn agree(&self, text: &[u8]) -> Result<bool, String> {
        let verdicts = self.verdicts(text);
        let first = verdicts[0];
        if verdicts
            .iter()
            .all(|&verdict| verdict.is_none() || verdict == first)
        {
            return Ok(first == Some(true));
        }
        let shown = text.escape_ascii();
        Err(format!(
            "{}: \"{shown}\": oracle, grammar, automata, item sets, automaton, tables: {verdicts:?}\n{}",
            self.built.name, self.built.ebnf
        ))
    }
}

/// The text with one byte changed, dropped, doubled or cut off at.
fn damaged(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut out = text.to_vec();
    if out.is_empty() {
        return b"x".to_vec();
    }
    let at = random.below(out.len());
    match random.below(4) {
        0 => out[at] = out[random.below(text.len())],
        1 => drop(out.remove(at)),
        2 => out.insert(at, text[at]),
        _ => out.truncate(at),
    }
    out
}

#[test]
fn levels_agree_on_the_suite_and_on_damaged_sentences() {
    let mut random = Random::new(41);
    let (mut sentences, mut others) = (0, 0);
    for built in compiled_suite() {
        let entry = suite::entry(&built.name);
        let both = together_and_apart(unhurried());
        let [levels, apart] = both.map(|options| Levels::new(built, &options));
        let mut texts = [entry.sentences.clone(), entry.non_sentences].concat();
        for sentence in &entry.sentences {
            texts.extend((0..8).map(|_| damaged(sentence, &mut random)));
        }
        for text in texts {
            let agree = levels.agree(&text);
            match apart.agree(&text).and(agree) {
                Ok(true) => sentences += 1,
                Ok(false) => others += 1,
                Err(problem) => panic!("{problem}"),
            }
        }
    }
    let whole = std::env::var_os("MASKWRIGHT_SUITE").is_none();
    assert!(
        !whole || (sentences > 150 && others > 300),
        "{sentences} sentences, {others} others"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effort::of(100), failure_persistence: None, ..ProptestConfig::default() })]

    /// All texts over two letters up to a length.
    #[test]
    fn levels_agree_on_random_grammars(ast in random_grammar::grammars()) {
        let tokens = random_grammar::tokens();
        let eos = vec![tokens.len() as u32 - 1];
        let words = Words::all(Vocabulary::from_tokens(tokens, eos));
        let options = Options::default().limits(random_grammar::limits()).threads(1);
        for options in together_and_apart(options) {
            let built = match Built::new("random", &ast.to_string(), &words, &options) {
                Ok(built) => built,
                Err(error) if error.code() == "limit-exceeded" => return Err(TestCaseError::reject("refused")),
                Err(error) => return Err(TestCaseError::fail(error.to_string())),
            };
            let levels = Levels::new(&built, &unhurried().tuning(options.tuning));
            let mut texts = vec![Vec::new()];
            for begin in 0..63 {
                for letter in b"ab" {
                    texts.push([texts[begin].as_slice(), &[*letter]].concat());
                }
            }
            texts.extend(["c", "ac", "ca", "é", "aé", "€", "\u{e8}"].map(|text| text.as_bytes().to_vec()));
            for text in texts {
                if let Err(problem) = levels.agree(&text) {
                    prop_assert!(false, "{problem}");
                }
            }
        }
    }
}
