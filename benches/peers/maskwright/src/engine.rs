//! Maskwright: tables with all masks, and a matcher that walks them.

use std::hint::black_box;
use std::time::Instant;

use maskwright::{Grammar, MaskBuffer, MaskPool, MaskRow, Matcher, PoolSlot};
use maskwright_compiler::source::Source as Text;
use maskwright_compiler::syntax::{ParseOptions, ebnf, json_schema, tools};
use maskwright_compiler::{Compiler, Options};
use peers_common::{Engine, Source, Vocabulary, Walker};

use crate::asked::{first_line, text, tool_options};

const JSON: &str = include_str!("../../../../tests/grammars/json.ebnf");
/// Frames of a stack: how deep a text may nest.
const DEPTH: usize = 32;
/// Sequences of a batch.
const BATCH: usize = 1024;
/// Rows of a sequence's pool.
const ROWS: usize = 64;
/// Steps of a batch that are timed together.
const STEPS: usize = 16;

/// The engine. Masks are kept in a pool, or else all of them written anew. Compiles with so many
/// threads; 0 is one for each processor.
pub struct Maskwright<const ANEW: bool, const THREADS: usize> {
    compiler: Compiler,
    /// The tokens' bytes, for the matcher. One process measures one grammar, so this and the
    /// grammars are never freed.
    bytes: &'static [u8],
}

struct Walk<const STACKS: usize> {
    start: Matcher<'static, DEPTH, STACKS>,
    matcher: Matcher<'static, DEPTH, STACKS>,
    masks: Masks,
}

/// Where masks go.
enum Masks {
    /// A pool, and the row that holds the last mask.
    Pool(Box<MaskPool<Vec<u32>, [PoolSlot; ROWS]>>, usize),
    /// A bitmap that each is written to.
    Anew(Vec<u32>),
}

impl Masks {
    fn new(words: usize, anew: bool) -> Self {
        if anew {
            return Masks::Anew(vec![0; words]);
        }
        let pool = MaskPool::new(vec![0; ROWS * words], [PoolSlot::default(); ROWS], words);
        Masks::Pool(Box::new(pool), 0)
    }
}

impl<const ANEW: bool, const THREADS: usize> Engine for Maskwright<ANEW, THREADS> {
    type Compiled = &'static Grammar<'static>;

    fn new(vocabulary: &Vocabulary) -> Result<Self, String> {
        let tokens = vocabulary.tokens.clone();
        let vocabulary =
            maskwright_compiler::vocabulary::Vocabulary::from_tokens(tokens, vec![vocabulary.eos]);
        Ok(Maskwright {
            bytes: vocabulary.pack().map_err(text)?.leak(),
            compiler: Compiler::new(&vocabulary).map_err(text)?,
        })
    }

    fn compile(&mut self, source: &Source) -> Result<Self::Compiled, String> {
        let grammar = match source {
            Source::Json => {
                let source = Text::new("json.ebnf", JSON);
                ebnf::parse(&source, &ParseOptions::default())
            }
            Source::Schema(schema) => {
                let source = Text::new("schema.json", schema.as_str());
                json_schema::parse(&source, &ParseOptions::default())
            }
            Source::Grammar(of) => {
                let source = Text::new("grammar.ebnf", of.ebnf.as_str());
                ebnf::parse(&source, &ParseOptions::default())
            }
            Source::Tools(of) => {
                let source = Text::new("tools.json", of.request.as_str());
                tools::parse(&source, &ParseOptions::default().tools(tool_options()))
            }
        };
        let grammar = grammar.map_err(first_line)?.grammar;
        let options = Options::default().threads(THREADS);
        let compiled = self
            .compiler
            .with_options(options)
            .compile(&grammar)
            .map_err(first_line)?;
        let tables = compiled.into_tables().leak();
        let vocabulary = maskwright::Vocabulary::load(self.bytes).map_err(text)?;
        let grammar = Grammar::load(tables).map_err(text)?;
        let grammar = grammar.with_vocabulary(vocabulary).map_err(text)?;
        Ok(Box::leak(Box::new(grammar)))
    }

    fn walker<'a>(
        &'a self,
        compiled: &'a mut Self::Compiled,
    ) -> Result<Box<dyn Walker + 'a>, String> {
        match compiled.max_stacks() {
            ..=1 => walk::<1>(compiled, ANEW),
            2 => walk::<2>(compiled, ANEW),
            3..=4 => walk::<4>(compiled, ANEW),
            _ => walk::<64>(compiled, ANEW),
        }
    }

    fn artifact(&self, compiled: &Self::Compiled) -> Option<usize> {
        Some(compiled.as_bytes().len())
    }

    fn extras(&self, compiled: &mut Self::Compiled, texts: &[&[u32]]) -> Vec<(String, f64)> {
        if ANEW {
            return Vec::new();
        }
        let proved = f64::from(u8::from(compiled.stacks_are_proved()));
        let mut figures = vec![
            ("stacks".to_owned(), compiled.max_stacks() as f64),
            ("stacks proved".to_owned(), proved),
        ];
        figures.extend(match compiled.max_stacks() {
            ..=1 => batch::<1>(compiled, texts),
            2 => batch::<2>(compiled, texts),
            3..=4 => batch::<4>(compiled, texts),
            _ => batch::<64>(compiled, texts),
        });
        figures
    }
}

fn walk<const STACKS: usize>(
    grammar: &'static Grammar<'static>,
    anew: bool,
) -> Result<Box<dyn Walker>, String> {
    let start = Matcher::<DEPTH, STACKS>::new(grammar).map_err(text)?;
    Ok(Box::new(Walk {
        start,
        matcher: start,
        masks: Masks::new(grammar.mask_words(), anew),
    }))
}

/// A batch of sequences that stand everywhere in the texts, in one thread: a step of masks,
/// borrowed, written out, and kept from earlier steps.
fn batch<const STACKS: usize>(
    grammar: &'static Grammar<'static>,
    texts: &[&[u32]],
) -> Vec<(String, f64)> {
    let Ok(start) = Matcher::<DEPTH, STACKS>::new(grammar) else {
        return Vec::new();
    };
    let mut places = Vec::new();
    for text in texts {
        let mut matcher = start;
        for &token in *text {
            places.push((matcher, token));
            if matcher.accept_token(token).is_err() {
                return Vec::new();
            }
        }
    }
    if places.is_empty() {
        return Vec::new();
    }
    // A stride that shares no factor with most lengths: neighbours in the batch stand at different
    // places.
    let batch: Vec<_> = (0..BATCH)
        .map(|at| places[at * 7919 % places.len()])
        .collect();
    let words = grammar.mask_words();
    let mut rows = vec![0; BATCH * words];
    let fill = least(|| {
        for ((matcher, _), row) in batch.iter().zip(rows.chunks_exact_mut(words)) {
            let _ = black_box(matcher.mask().fill(row));
        }
    });
    let anew = least(|| {
        let row = &mut rows[..words];
        for (matcher, _) in &batch {
            let _ = black_box(black_box(matcher).mask().fill(row));
        }
    });
    let mut kept = MaskBuffer::new(rows, vec![MaskRow::default(); BATCH], words);
    let update = along(&places, |sequence, matcher| {
        let _ = black_box(kept.update(sequence, matcher));
    });
    let (rows, slots) = (vec![0; BATCH * words], vec![PoolSlot::default(); BATCH]);
    let mut shared = MaskPool::new(rows, slots, words);
    let pool = along(&places, |sequence, matcher| {
        if sequence == 0 {
            shared.begin_step();
        }
        let _ = black_box(shared.row_of(matcher));
    });
    let borrow = least(|| {
        for (matcher, _) in &batch {
            black_box(black_box(matcher).mask());
        }
    });
    let contains = least(|| {
        for (matcher, token) in &batch {
            black_box(black_box(matcher).mask().contains(*token));
        }
    });
    let accept = least(|| {
        for (matcher, token) in &batch {
            let mut matcher = *black_box(matcher);
            let _ = black_box(matcher.accept_token(*token));
        }
    });
    vec![
        ("batch of 1024 filled ms".to_owned(), fill / 1e6),
        ("batch of 1024 kept ms".to_owned(), update / 1e6),
        ("batch of 1024 in a pool ms".to_owned(), pool / 1e6),
        ("mask written anew ns".to_owned(), anew / BATCH as f64),
        ("batch of 1024 accepted ms".to_owned(), accept / 1e6),
        ("borrowed mask ns".to_owned(), borrow / BATCH as f64),
        ("contains ns".to_owned(), contains / BATCH as f64),
    ]
}

/// Nanoseconds that the masks of a batch take whose sequences go along the texts token by token:
/// the mean of some steps, the least of many times.
fn along<const STACKS: usize>(
    places: &[(Matcher<'static, DEPTH, STACKS>, u32)],
    mut mask: impl FnMut(usize, &Matcher<'static, DEPTH, STACKS>),
) -> f64 {
    let mut from = 0;
    let time = least(|| {
        for step in from..from + STEPS {
            for sequence in 0..BATCH {
                let (matcher, _) = &places[(sequence * 7919 + step) % places.len()];
                mask(sequence, black_box(matcher));
            }
        }
        from += STEPS;
    });
    time / STEPS as f64
}

/// The least nanoseconds of many times.
fn least(mut work: impl FnMut()) -> f64 {
    let times = (0..50).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed().as_nanos()
    });
    times.min().unwrap_or(0) as f64
}

impl<const STACKS: usize> Walker for Walk<STACKS> {
    fn reset(&mut self) {
        self.matcher = self.start;
    }

    fn mask(&mut self) -> Result<(), String> {
        match &mut self.masks {
            Masks::Pool(pool, row) => {
                pool.begin_step();
                *row = pool.row_of(&self.matcher).map_err(text)?.row;
            }
            Masks::Anew(words) => self.matcher.mask().fill(words).map_err(text)?,
        }
        Ok(())
    }

    fn read(&self, words: &mut [u32]) {
        words.copy_from_slice(match &self.masks {
            Masks::Pool(pool, row) => pool.row(*row),
            Masks::Anew(mask) => mask,
        });
    }

    fn accept(&mut self, token: u32) -> bool {
        self.matcher.accept_token(token).is_ok()
    }

    fn is_complete(&mut self) -> bool {
        self.matcher.is_complete()
    }
}
