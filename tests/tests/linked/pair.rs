//! The same tools linked and as a whole, followed side by side.

use std::sync::Arc;

use maskwright::{Grammar, LinkedMatcher, Matcher, Parts, StateError, Vocabulary as Attached};
use maskwright_compiler::link::{LinkTarget, LinkedTools, NotLinked, PartStore};
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::ParseOptions;
use maskwright_compiler::syntax::tools::ToolOptions;
use maskwright_compiler::{Compiler, GrammarText};
use maskwright_tests::random::Random;

use crate::vocabulary::Words;

/// Frames of all matchers.
pub const DEPTH: usize = 12;

/// The same tools in both ways.
pub struct Pair {
    pub linked: Arc<LinkedTools>,
    tables: Vec<u8>,
    attached: Vec<u8>,
}

impl Pair {
    /// Links the tools, and compiles them as a whole.
    pub fn new(
        tools: &str,
        options: &ToolOptions,
        compiler: &Compiler,
        words: &Words,
        target: &Arc<LinkTarget>,
        store: &dyn PartStore,
    ) -> Result<Self, NotLinked> {
        let parse = ParseOptions::default().tools(options.clone());
        let linked = target.link(&Source::new("tools", tools), &parse, store, DEPTH)?;
        linked.compile(2)?;
        Ok(Pair {
            linked: Arc::new(linked),
            tables: whole(tools, options, compiler),
            attached: words.vocabulary.pack().unwrap(),
        })
    }

    /// Tools that are linked already, beside tables of the whole.
    pub fn of(linked: &Arc<LinkedTools>, tables: &[u8], words: &Words) -> Self {
        Pair {
            linked: linked.clone(),
            tables: tables.to_vec(),
            attached: words.vocabulary.pack().unwrap(),
        }
    }

    /// Follows random outputs and compares all masks; returns how many, and how many tokens crossed a boundary.
    pub fn walk(
        &self,
        guides: &[String],
        words: &Words,
        steps: usize,
        random: &mut Random,
    ) -> (usize, usize) {
        self.walk_in(&*self.linked, guides, words, steps, random)
    }

    /// The same with other parts in the place of the linked ones.
    pub fn walk_in<P: Parts>(
        &self,
        parts: &P,
        guides: &[String],
        words: &Words,
        steps: usize,
        random: &mut Random,
    ) -> (usize, usize) {
        let attached = Attached::load(&self.attached).unwrap();
        let grammar = Grammar::load(&self.tables)
            .unwrap()
            .with_vocabulary(attached)
            .unwrap();
        let mut whole = Matcher::<DEPTH, 2>::new(&grammar).unwrap();
        let mut linked = LinkedMatcher::<'_, P, DEPTH>::new(parts).unwrap();
        let mut rows = [
            vec![0u32; grammar.mask_words()],
            vec![0u32; grammar.mask_words()],
        ];
        let (mut masks, mut crossed, mut text) = (0, 0, String::new());
        let mut guide = String::new();
        for _ in 0..steps {
            whole.mask().fill(&mut rows[0]).unwrap();
            linked.mask().fill(&mut rows[1]).unwrap();
            self.compare(&rows, words, &text, linked.place());
            masks += 1;
            linked = saved(&linked, parts);
            assert_eq!(whole.is_complete(), linked.is_complete(), "after {text:?}");
            let mut bytes = [[0u8; 24]; 2];
            let forced = [
                whole.forced_bytes(&mut bytes[0]),
                linked.forced_bytes(&mut bytes[1]),
            ];
            assert_eq!(
                bytes[0][..forced[0]],
                bytes[1][..forced[1]],
                "forced after {text:?}"
            );
            if guide.is_empty() {
                guide = random.pick(guides).cloned().unwrap_or_default();
            }
            let Some(id) = choose(&rows[0], words, &guide, random) else {
                break;
            };
            let token = &words.texts[id as usize];
            guide = guide.strip_prefix(token.as_str()).unwrap_or("").to_owned();
            let before = linked.place();
            whole
                .accept_token(id)
                .unwrap_or_else(|error| panic!("{text:?} then {token:?}: {error}"));
            linked
                .accept_token(id)
                .unwrap_or_else(|error| panic!("{text:?} then {token:?}: {error}"));
            text.push_str(token);
            crossed += usize::from(
                std::mem::discriminant(&before) != std::mem::discriminant(&linked.place()),
            );
            if whole.is_finished() {
                assert!(linked.is_finished());
                break;
            }
        }
        (masks, crossed)
    }

    fn compare(&self, rows: &[Vec<u32>; 2], words: &Words, text: &str, place: maskwright::Place) {
        if rows[0] == rows[1] {
            return;
        }
        let ids = 0..words.texts.len() as u32;
        let has = |row: &[u32], id: u32| row[id as usize / 32] >> (id % 32) & 1 == 1;
        let names = |one: usize| -> Vec<(u32, &str)> {
            let ids = ids
                .clone()
                .filter(|&id| has(&rows[one], id) && !has(&rows[1 - one], id));
            ids.map(|id| (id, words.texts[id as usize].as_str()))
                .take(20)
                .collect()
        };
        panic!(
            "after {text:?} at {place:?}: only whole {:?}, only linked {:?}",
            names(0),
            names(1)
        );
    }
}

/// The matcher, written as bytes and read back.
fn saved<'p, P: Parts>(
    matcher: &LinkedMatcher<'p, P, DEPTH>,
    parts: &'p P,
) -> LinkedMatcher<'p, P, DEPTH> {
    let mut bytes = vec![0; LinkedMatcher::<P, DEPTH>::MAX_BYTES];
    let length = matcher.write_to(&mut bytes).unwrap();
    let again = LinkedMatcher::read_from(&bytes[..length], parts).unwrap();
    assert_eq!(again.place(), matcher.place());
    let mut short = vec![0; length - 1];
    assert_eq!(
        matcher.write_to(&mut short),
        Err(StateError::BufferTooShort {
            needed: length,
            found: length - 1
        })
    );
    again
}

/// The tables of tools that are compiled as a whole.
pub fn whole(tools: &str, options: &ToolOptions, compiler: &Compiler) -> Vec<u8> {
    let text = GrammarText::tools(tools).tool_options(options.clone());
    let whole = compiler.compile_text(&text);
    whole
        .unwrap_or_else(|error| panic!("{error}"))
        .into_tables()
}

/// An allowed token: mostly one that goes on with the guide.
pub fn choose(row: &[u32], words: &Words, guide: &str, random: &mut Random) -> Option<u32> {
    let ids = 0..words.texts.len() as u32;
    let allowed: Vec<u32> = ids
        .filter(|&id| row[id as usize / 32] >> (id % 32) & 1 == 1)
        .collect();
    let goes_on = |id: &&u32| {
        let text = &words.texts[**id as usize];
        !text.is_empty() && guide.starts_with(text.as_str())
    };
    let guided: Vec<u32> = allowed.iter().filter(goes_on).copied().collect();
    match random.below(12) {
        0 => random.pick(&allowed).copied(),
        _ => random
            .pick(&guided)
            .or_else(|| random.pick(&allowed))
            .copied(),
    }
}
