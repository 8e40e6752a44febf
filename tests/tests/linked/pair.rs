//! The same tools linked and as a whole, followed side by side.

use std::ops::AddAssign;
use std::sync::Arc;

use maskwright::link::{LinkedMatcher, Parts, Place};
use maskwright::{Grammar, Matcher, StateError, Vocabulary as Attached};
use maskwright_compiler::link::{LinkTarget, LinkedTools, NotLinked, PartStore};
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::ParseOptions;
use maskwright_compiler::syntax::tools::ToolOptions;
use maskwright_compiler::{Compiler, GrammarText};
use maskwright_tests::random::Random;

use crate::vocabulary::Words;

/// Frames of all matchers: more than texts of walks need. Stacks of the whole are higher than those
/// of parts, so at the limit masks differ: see `depth`.
pub const DEPTH: usize = 64;

/// What a walk has come by.
#[derive(Clone, Copy, Debug, Default)]
pub struct Walked {
    /// Masks that were compared.
    pub masks: usize,
    /// Tokens that crossed a boundary.
    pub crossed: usize,
    /// Tokens that crossed two or more.
    pub twice: usize,
    /// Drafts across boundaries, each taken again from where it began.
    pub drafts: usize,
}

impl AddAssign for Walked {
    fn add_assign(&mut self, other: Self) {
        self.masks += other.masks;
        self.crossed += other.crossed;
        self.twice += other.twice;
        self.drafts += other.drafts;
    }
}

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

    /// Follows random outputs and compares all masks.
    pub fn walk(
        &self,
        guides: &[String],
        words: &Words,
        steps: usize,
        random: &mut Random,
    ) -> Walked {
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
    ) -> Walked {
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
        let (mut walked, mut text) = (Walked::default(), String::new());
        let mut guide = String::new();
        let (mut ids, mut checkpoints) = (Vec::new(), vec![linked]);
        for _ in 0..steps {
            whole.mask().fill(&mut rows[0]).unwrap();
            linked.mask().fill(&mut rows[1]).unwrap();
            self.compare(&rows, words, &text, linked.place());
            walked.masks += 1;
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
            let boundaries = boundaries(&linked, parts.vocabulary().bytes(id));
            let before = linked.place();
            whole
                .accept_token(id)
                .unwrap_or_else(|error| panic!("{text:?} then {token:?}: {error}"));
            linked
                .accept_token(id)
                .unwrap_or_else(|error| panic!("{text:?} then {token:?}: {error}"));
            text.push_str(token);
            walked.crossed += usize::from(is_other(&before, &linked.place()));
            walked.twice += usize::from(boundaries > 1);
            ids.push(id);
            checkpoints.push(linked);
            if whole.is_finished() {
                assert!(linked.is_finished());
                break;
            }
        }
        walked.drafts = drafts(&checkpoints, &ids, random);
        walked
    }

    fn compare(&self, rows: &[Vec<u32>; 2], words: &Words, text: &str, place: Place) {
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

/// Whether two places are of different kinds.
pub fn is_other(one: &Place, other: &Place) -> bool {
    std::mem::discriminant(one) != std::mem::discriminant(other)
}

/// The boundaries that lie within a token's bytes.
pub fn boundaries<P: Parts>(linked: &LinkedMatcher<'_, P, DEPTH>, bytes: &[u8]) -> usize {
    let mut linked = *linked;
    let mut count = 0;
    for byte in bytes {
        let before = linked.place();
        // Within a token, the text may stand where no token of one byte goes on.
        if linked.accept_bytes(&[*byte]).is_err() {
            break;
        }
        count += usize::from(is_other(&before, &linked.place()));
    }
    count
}

/// Goes back to some places of a text and takes the rest again as a draft, whole and with a wrong
/// token in it; how many of the drafts crossed a boundary.
fn drafts<P: Parts>(
    checkpoints: &[LinkedMatcher<'_, P, DEPTH>],
    ids: &[u32],
    random: &mut Random,
) -> usize {
    let Some(last) = checkpoints.last().filter(|_| !ids.is_empty()) else {
        return 0;
    };
    let mut crossed = 0;
    for _ in 0..4 {
        let start = random.below(ids.len());
        let mut matcher = *last;
        matcher.rollback(&checkpoints[start]);
        assert_eq!(matcher.place(), checkpoints[start].place());
        let draft = &ids[start..];
        assert_eq!(matcher.check_draft(draft), draft.len());
        assert_eq!(matcher.place(), checkpoints[start].place(), "only checked");
        let wrong = start + random.below(draft.len());
        let not_next = checkpoints[wrong].mask();
        let refused = (0..256).find(|&id| !not_next.contains(id));
        if let Some(refused) = refused {
            let mut changed = draft.to_vec();
            changed[wrong - start] = refused;
            assert_eq!(matcher.check_draft(&changed), wrong - start);
        }
        assert_eq!(matcher.accept_draft(draft), draft.len());
        assert_eq!(matcher.place(), last.place());
        let places = checkpoints[start..].iter();
        let mut pairs = places.clone().zip(places.skip(1));
        crossed += usize::from(pairs.any(|(one, next)| is_other(&one.place(), &next.place())));
    }
    crossed
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
