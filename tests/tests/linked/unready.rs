//! Pieces that are not compiled when a text comes to them: masks are those of the whole all the
//! same, and nobody who decodes compiles.
//!
//! The registries have no threads, so a piece is there only once the test has compiled it.

use std::ops::AddAssign;

use maskwright::link::Parts;
use maskwright::{MaskPool, OwnedGrammar, OwnedMatcher, PoolSlot};
use maskwright_compiler::GrammarText;
use maskwright_compiler::link::LinkedTools;
use maskwright_compiler::link::registry::{
    Handle, MaskSource, Registry, RegistryOptions, ServedMatcher,
};

use super::formats::{guides, tools};
use super::pair::{DEPTH, boundaries, choose, is_other, whole};
use super::registry::{formats, options, request};
use super::vocabulary::{Words, names, of_outputs};
use super::*;

/// When pieces are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ready {
    Never,
    /// One after the other, at drawn tokens.
    InTime,
}

/// What texts have come by.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// Masks that were compared.
    pub masks: usize,
    /// Those of them that came from the first tier.
    pub first: usize,
    /// How often a text went over to the first tier.
    pub left: usize,
    /// How often it came back.
    pub back: usize,
    /// Times that a text was gone back in and taken again.
    pub drafts: usize,
    /// Tokens that the first tier took across a boundary.
    pub crossed: usize,
    /// Those of them that crossed two or more.
    pub twice: usize,
    /// Texts that went over to the whole grammar.
    pub whole: usize,
}

impl AddAssign for Seen {
    fn add_assign(&mut self, other: Self) {
        self.masks += other.masks;
        self.first += other.first;
        self.left += other.left;
        self.back += other.back;
        self.drafts += other.drafts;
        self.crossed += other.crossed;
        self.twice += other.twice;
        self.whole += other.whole;
    }
}

pub fn registry(compiler: &Compiler) -> Registry {
    let options = RegistryOptions::default().depth(DEPTH).threads(0);
    Registry::new(compiler, options).unwrap()
}

fn is_first(matcher: &ServedMatcher) -> bool {
    matcher.is_linked() && matcher.source() == MaskSource::FirstTier
}

type Pool = MaskPool<Vec<u32>, Vec<PoolSlot>>;

/// A text beside the same text in the whole grammar.
pub struct Text<'a> {
    words: &'a Words,
    handle: &'a Handle,
    matcher: ServedMatcher,
    whole: OwnedMatcher,
    pool: &'a mut Pool,
    /// The tokens, and whether the first tier took them.
    ids: Vec<(u32, bool)>,
    text: String,
    seen: Seen,
}

impl<'a> Text<'a> {
    pub fn new(
        (registry, handle): (&Registry, &'a Handle),
        whole: &OwnedGrammar,
        words: &'a Words,
        pool: &'a mut Pool,
    ) -> Self {
        let whole = whole.clone().with_vocabulary(registry.vocabulary());
        Text {
            words,
            handle,
            matcher: handle.matcher().unwrap(),
            whole: OwnedMatcher::new(&whole.unwrap(), DEPTH).unwrap(),
            pool,
            ids: Vec::new(),
            text: String::new(),
            seen: Seen::default(),
        }
    }

    /// Follows a random text and compares all masks.
    pub fn walk(
        mut self,
        guides: &[String],
        steps: usize,
        ready: Ready,
        random: &mut Random,
    ) -> (Seen, Vec<(u32, bool)>) {
        let mut guide = String::new();
        for _ in 0..steps {
            if ready == Ready::InTime && random.below(12) == 0 {
                let pieces = self.handle.linked().unwrap().pieces();
                // It may turn out to be no part.
                let _ = random.pick(pieces).unwrap().get();
            }
            let was_first = is_first(&self.matcher);
            let row = self.compare();
            self.compare_forced();
            if guide.is_empty() {
                guide = random.pick(guides).cloned().unwrap_or_default();
            }
            let Some(id) = choose(&row, self.words, &guide, random) else {
                break;
            };
            let token = &self.words.texts[id as usize];
            guide = guide.strip_prefix(token.as_str()).unwrap_or("").to_owned();
            self.take(id);
            let is_first = is_first(&self.matcher);
            self.seen.left += usize::from(!was_first && is_first);
            self.seen.back += usize::from(was_first && !is_first);
            if self.whole.is_finished() {
                assert!(self.matcher.is_finished());
                break;
            }
            if random.below(8) == 0 {
                self.go_back(random);
            }
        }
        self.seen.whole += usize::from(!self.matcher.is_linked());
        (self.seen, self.ids)
    }

    /// Compares the mask, as a row of a pool and by itself.
    fn compare(&mut self) -> Vec<u32> {
        let words = self.words.texts.len().div_ceil(32);
        let (mut expected, mut row) = (vec![0; words], vec![0; words]);
        (self.whole.with_mask(|mask| mask.fill(&mut expected))).unwrap();
        self.pool.begin_step();
        let pooled = self.matcher.row_of(self.pool).unwrap();
        self.same(&expected, self.pool.row(pooled.row));
        self.matcher.fill(&mut row).unwrap();
        self.same(&expected, &row);
        assert_eq!(self.matcher.is_complete(), self.whole.is_complete());
        self.seen.masks += 1;
        self.seen.first += usize::from(is_first(&self.matcher));
        row
    }

    fn same(&self, expected: &[u32], row: &[u32]) {
        if expected == row {
            return;
        }
        let has = |row: &[u32], id: usize| row[id / 32] >> (id % 32) & 1 == 1;
        let texts = self.words.texts.iter().enumerate();
        let other = texts.filter(|(id, _)| has(expected, *id) != has(row, *id));
        let other: Vec<_> = other.take(20).collect();
        panic!(
            "after {:?}, {:?}: {other:?} differ from the whole",
            self.text, self.matcher
        );
    }

    fn compare_forced(&mut self) {
        let mut bytes = [[0u8; 24]; 2];
        let whole = self.whole.forced_bytes(&mut bytes[0]);
        let own = self.matcher.forced_bytes(&mut bytes[1]).unwrap();
        assert_eq!(
            bytes[0][..whole],
            bytes[1][..own],
            "forced after {:?}, {:?}",
            self.text,
            self.matcher
        );
    }

    fn take(&mut self, id: u32) {
        let token = &self.words.texts[id as usize];
        self.whole.accept_token(id).unwrap();
        if let Err(error) = self.matcher.accept_token(id) {
            panic!(
                "{:?} then {token:?}, {:?}: {error}",
                self.text, self.matcher
            );
        }
        self.text.push_str(token);
        self.ids.push((id, is_first(&self.matcher)));
    }

    /// Goes back, looks, and takes the rest again as a draft, once with a token in it that is not
    /// allowed; a clone does the same.
    fn go_back(&mut self, random: &mut Random) {
        let tokens = random.below(self.ids.len().min(40)) + 1;
        let left = self.ids.len() - tokens;
        let text = self.text.clone();
        let mut clone = self.matcher.clone();
        for _ in 0..2 {
            self.matcher.rollback(tokens).unwrap();
            self.whole.rollback(tokens).unwrap();
            let row = self.compare();
            let wrong = (0..256).find(|&id| row[id as usize / 32] >> (id % 32) & 1 == 0);
            if let Some(wrong) = wrong {
                assert!(self.matcher.accept_token(wrong).is_err());
            }
            let draft: Vec<u32> = self.ids[left..].iter().map(|&(id, _)| id).collect();
            let draft = &draft[..];
            assert_eq!(self.matcher.accept_draft(draft), Ok(tokens), "{text:?}");
            assert_eq!(self.whole.accept_draft(draft), tokens);
            self.compare();
            std::mem::swap(&mut self.matcher, &mut clone);
        }
        self.seen.drafts += 2;
    }
}

pub fn pool(words: &Words) -> Pool {
    let row = words.texts.len().div_ceil(32);
    MaskPool::new(vec![0; 16 * row], vec![PoolSlot::default(); 16], row)
}

/// Follows texts of one request; a registry has what one text has compiled and no more. `None` if
/// the request is not linked.
pub fn check(
    compiler: &Compiler,
    request: &GrammarText,
    tables: &[u8],
    (words, guides): (&Words, &[String]),
    (ready, random): (Ready, &mut Random),
) -> Option<Seen> {
    let grammar = OwnedGrammar::load(tables.to_vec()).unwrap();
    let mut seen = Seen::default();
    let (registry, mut pool) = (registry(compiler), pool(words));
    let mut texts = Vec::new();
    for _ in 0..3 {
        let handle = registry.get(request).unwrap();
        handle.linked()?;
        let text = Text::new((&registry, &handle), &grammar, words, &mut pool);
        let (of_text, ids) = text.walk(guides, 60, ready, random);
        seen += of_text;
        texts.push(ids);
    }
    let metrics = registry.metrics();
    if ready == Ready::Never {
        assert_eq!(metrics.compiled, 0, "somebody compiled");
    }
    assert!(
        metrics.first_tier_masks as usize >= seen.first,
        "{metrics:?}, {seen:?}"
    );
    let handle = registry.get(request).unwrap();
    handle.wait().unwrap();
    if let Some(tools) = handle.linked().filter(|tools| tools.check().is_ok()) {
        texts
            .iter()
            .for_each(|ids| count_crossed(tools, ids, &mut seen));
    }
    Some(seen)
}

/// Counts tokens of a text that the first tier took across boundaries.
fn count_crossed(tools: &LinkedTools, ids: &[(u32, bool)], seen: &mut Seen) {
    let mut linked = tools.matcher::<DEPTH>().unwrap();
    for &(id, by_first) in ids {
        let (before, all) = (
            linked.place(),
            boundaries(&linked, tools.vocabulary().bytes(id)),
        );
        // Linked parts need fewer frames than the whole.
        linked.accept_token(id).unwrap();
        seen.crossed += usize::from(by_first && is_other(&before, &linked.place()));
        seen.twice += usize::from(by_first && all > 1);
    }
}

/// Checks all formats of tools.
fn check_formats(special: bool, counts: &[usize], ready: Ready, seed: u64) -> Seen {
    let mut random = Random::new(seed);
    let all = formats(special, &mut random);
    let only = std::env::var("MASKWRIGHT_FORMAT").ok();
    let (mut sum, mut linked) = (Seen::default(), 0);
    for (format, name) in all.formats.iter().zip(&all.names) {
        if only.as_deref().is_some_and(|only| only != *name) {
            continue;
        }
        for &count in counts {
            let tools = tools(count);
            let tables = whole(&tools, &options(name), &all.compiler);
            let guides = guides(format);
            let texts = (&all.words, &guides[..]);
            let drawn = (ready, &mut random);
            let request = request(name, &tools);
            let seen = check(&all.compiler, &request, &tables, texts, drawn);
            linked += usize::from(seen.is_some());
            sum += seen.unwrap_or_default();
        }
    }
    println!("special {special}, {ready:?}, {linked} linked: {sum:?}");
    sum
}

/// Checks structural tags.
fn check_tags(ready: Ready, seed: u64) -> Seen {
    let all = tags::all();
    let guides: Vec<String> = all.iter().flat_map(|of| of.guides.clone()).collect();
    let (mut sum, mut linked) = (Seen::default(), 0);
    for special in [false, true] {
        let mut random = Random::new(seed);
        let mut special_names = match special {
            true => guides.iter().flat_map(|guide| names(guide)).collect(),
            false => Vec::new(),
        };
        special_names.sort();
        special_names.dedup();
        let words = of_outputs(&guides, &special_names, 900, &mut random);
        let compiler = Compiler::new(&words.vocabulary).unwrap();
        let compiler = compiler.with_options(Options::default().threads(1));
        for of in &all {
            let request = GrammarText::structural_tag(tags::text(&of.format));
            let tables = compiler.compile_text(&request).unwrap().into_tables();
            let texts = (&words, &of.guides[..]);
            for _ in 0..2 {
                let seen = check(&compiler, &request, &tables, texts, (ready, &mut random));
                linked += usize::from(seen.is_some());
                sum += seen.unwrap_or_default();
            }
        }
    }
    println!("{ready:?}, {linked} linked: {sum:?}");
    assert!(linked > 40, "{linked}");
    sum
}

#[test]
fn masks_without_pieces_are_those_of_the_whole() {
    let mut sum = Seen::default();
    for special in [false, true] {
        sum += check_formats(special, &[2, 20], Ready::Never, 41);
    }
    if std::env::var("MASKWRIGHT_FORMAT").is_err() {
        assert!(sum.masks > 10_000 && sum.first > 3_000, "{sum:?}");
        assert!(sum.left > 300 && sum.drafts > 1_000, "{sum:?}");
        assert!(sum.crossed > 300 && sum.twice > 5, "{sum:?}");
        assert_eq!((sum.back, sum.whole), (0, 0));
    }
}

#[test]
fn masks_of_tags_without_pieces_are_those_of_the_whole() {
    let sum = check_tags(Ready::Never, 43);
    assert!(sum.masks > 3_000 && sum.first > 1_000, "{sum:?}");
    assert!(sum.crossed > 100 && sum.twice > 5, "{sum:?}");
    assert_eq!((sum.back, sum.whole), (0, 0));
}

#[test]
fn texts_of_tags_come_back_when_pieces_are_there() {
    let sum = check_tags(Ready::InTime, 44);
    assert!(sum.first > 500 && sum.left > 50 && sum.back > 15, "{sum:?}");
}

#[test]
fn texts_come_back_when_pieces_are_there() {
    let mut sum = Seen::default();
    for special in [false, true] {
        sum += check_formats(special, &[4], Ready::InTime, 42);
    }
    if std::env::var("MASKWRIGHT_FORMAT").is_err() {
        assert!(
            sum.first > 500 && sum.left > 100 && sum.back > 30,
            "{sum:?}"
        );
        assert_eq!(sum.whole, 0);
    }
}
