//! The loop: slots are filled with requests, and each step takes all of them on by some tokens.
//!
//! In: requests. Out: their texts. A step of a slot: forced bytes are retokenised and taken without
//! the model; a draft of four tokens is taken as far as the grammar goes, with a row of the pool
//! for the mask at each place; the model says what it would have chosen at each of them; what it
//! does not confirm is rolled back, and its own choice taken.

use std::ops::Range;
use std::time::{Duration, Instant};

use maskwright::{MaskPool, OwnedVocabulary, PoolSlot};
use maskwright_compiler::GrammarText;
use maskwright_compiler::link::registry::{Registry, ServedMatcher};

use crate::figures::Figures;
use crate::model::{Model, mix, pick};
use crate::retokenise::Retokeniser;

/// What anything here fails with.
pub type Error = Box<dyn std::error::Error>;

/// How the server runs.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Sequences that are decoded at once.
    pub slots: usize,
    /// Requests; each has one of the schemas.
    pub requests: usize,
    /// Tokens of a draft.
    pub draft: usize,
    /// Whether forced bytes are taken without the model.
    pub jump: bool,
    /// What the requests and the model's noise come from.
    pub seed: u64,
}

/// What came of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The number of the request.
    pub request: usize,
    /// The number of its schema.
    pub schema: usize,
    /// Its text.
    pub text: Vec<u8>,
}

/// A sequence that is being decoded.
struct Slot {
    request: usize,
    schema: usize,
    seed: u64,
    matcher: ServedMatcher,
    vocabulary: OwnedVocabulary,
    tokens: Vec<u32>,
    text: Vec<u8>,
    draft: Vec<u32>,
    /// The row of the mask at each place of the draft, and the length of the text there.
    places: Vec<(usize, usize)>,
}

/// The rows of masks, as a device would hold them.
type Pool = MaskPool<Vec<u32>, Vec<PoolSlot>>;

/// The server.
pub struct Server<'r> {
    registry: &'r Registry,
    options: Options,
    /// What a request for each schema asks the registry for.
    requests: Vec<GrammarText>,
    /// The requests that have not arrived yet.
    coming: Range<usize>,
    slots: Vec<Slot>,
    shared: Shared,
    outputs: Vec<Output>,
    figures: Figures,
}

/// What all sequences share.
struct Shared {
    pool: Pool,
    model: Model,
    retokeniser: Retokeniser,
    /// The tokens of each schema, which stands in for the prompt.
    prompts: Vec<Vec<u32>>,
}

/// Decodes all requests: the texts in the order of the requests, and what the masks cost. `eos` are
/// the tokens that end a text.
///
/// # Errors
///
/// If a schema is refused.
pub fn serve(
    registry: &Registry,
    eos: &[u32],
    schemas: &[String],
    options: Options,
) -> Result<(Vec<Output>, Figures), Error> {
    let mut server = Server {
        registry,
        options,
        requests: schemas.iter().map(GrammarText::schema).collect(),
        coming: 0..options.requests,
        slots: Vec::new(),
        shared: Shared::new(registry.vocabulary(), eos, schemas, options),
        outputs: Vec::new(),
        figures: Figures::default(),
    };
    while server.fill_slots()? {
        server.step()?;
    }
    let Server {
        mut outputs,
        mut figures,
        ..
    } = server;
    outputs.sort_by_key(|output| output.request);
    let metrics = registry.metrics();
    (figures.compiled, figures.evicted) = (metrics.compiled, metrics.evictions);
    Ok((outputs, figures))
}

impl Server<'_> {
    /// Gives free slots to requests as they come: none waits for its tables. Whether there is
    /// anything to decode.
    fn fill_slots(&mut self) -> Result<bool, Error> {
        let free = self.options.slots.saturating_sub(self.slots.len());
        for request in self.coming.by_ref().take(free) {
            let schema = mix(self.options.seed ^ request as u64) % self.requests.len() as u64;
            let asked = Instant::now();
            let matcher = self
                .registry
                .get(&self.requests[schema as usize])?
                .matcher()?;
            self.figures.begun.push(asked.elapsed());
            self.slots.push(Slot {
                request,
                schema: schema as usize,
                seed: mix(self.options.seed.rotate_left(32) ^ request as u64),
                matcher,
                vocabulary: self.registry.vocabulary().clone(),
                tokens: Vec::new(),
                text: Vec::new(),
                draft: Vec::new(),
                places: Vec::new(),
            });
        }
        let bytes = self.registry.metrics().bytes;
        self.figures.most_bytes = self.figures.most_bytes.max(bytes);
        Ok(!self.slots.is_empty())
    }

    /// Takes each slot on by at least one token.
    fn step(&mut self) -> Result<(), Error> {
        let shared = &mut self.shared;
        let (figures, options) = (&mut self.figures, &self.options);
        let written = figures.rows_written;
        let begun = Instant::now();
        shared.pool.begin_step();
        for slot in &mut self.slots {
            if options.jump {
                slot.jump(&shared.retokeniser, figures)?;
            }
            let prompt = shared.prompts.get(slot.schema);
            slot.make_draft(prompt.map_or(&[], Vec::as_slice), options.draft);
            slot.take_draft(&mut shared.pool, figures)?;
        }
        let mut time = begun.elapsed();
        let mut logits = Vec::new();
        for slot in &mut self.slots {
            time += slot.confirm(shared, &mut logits, figures)?;
        }
        figures.steps.push(time);
        figures.steps_without_writing += u64::from(figures.rows_written == written);
        for slot in self.slots.extract_if(.., |slot| slot.matcher.is_finished()) {
            self.figures.tokens += slot.tokens.len() as u64;
            self.outputs.push(Output {
                request: slot.request,
                schema: slot.schema,
                text: slot.text,
            });
        }
        Ok(())
    }
}

impl Shared {
    fn new(
        vocabulary: &OwnedVocabulary,
        eos: &[u32],
        schemas: &[String],
        options: Options,
    ) -> Self {
        let vocabulary = vocabulary.view();
        let model = Model::new(&vocabulary, eos);
        let (rows, row_words) = (options.slots * (options.draft + 1), model.padded() / 32);
        let slots = vec![PoolSlot::default(); rows];
        let retokeniser = Retokeniser::new(&vocabulary);
        let prompts = schemas
            .iter()
            .map(|text| retokeniser.tokens(text.as_bytes()));
        Shared {
            prompts: prompts.collect(),
            pool: MaskPool::new(vec![0; rows * row_words], slots, row_words),
            model,
            retokeniser,
        }
    }
}

impl Slot {
    /// Takes what must come next.
    fn jump(&mut self, retokeniser: &Retokeniser, figures: &mut Figures) -> Result<(), Error> {
        let mut bytes = [0; 64];
        let len = self.matcher.forced_bytes(&mut bytes)?;
        let tokens = retokeniser.tokens(bytes.get(..len).unwrap_or(&[]));
        for &token in &tokens {
            self.take(token)?;
        }
        figures.tokens_forced += tokens.len() as u64;
        Ok(())
    }

    /// A draft: what came after the last token when it was there before, in the text or in the
    /// prompt; at the beginning that of the prompt.
    fn make_draft(&mut self, prompt: &[u32], len: usize) {
        self.draft.clear();
        let Some((&last, before)) = self.tokens.split_last() else {
            self.draft.extend(prompt.iter().take(len));
            return;
        };
        for tokens in [before, prompt] {
            if let Some(at) = tokens.iter().rposition(|&token| token == last) {
                self.draft.extend(tokens.iter().skip(at + 1).take(len));
                return;
            }
        }
    }

    /// Takes the draft as far as the grammar goes, with the row of the mask at each place and after
    /// it.
    fn take_draft(&mut self, pool: &mut Pool, figures: &mut Figures) -> Result<(), Error> {
        self.places.clear();
        let mut len = self.text.len();
        for at in 0..=self.draft.len() {
            if self.matcher.is_finished() {
                break;
            }
            let found = self.matcher.row_of(pool)?;
            figures.masks += 1;
            figures.rows_written += u64::from(found.is_new);
            self.places.push((found.row, len));
            match self.draft.get(at) {
                Some(&token) if self.matcher.accept_token(token).is_ok() => {
                    len += self.bytes_of(token);
                }
                _ => {
                    self.draft.truncate(at);
                    break;
                }
            }
        }
        figures.tokens_drafted += self.draft.len() as u64;
        Ok(())
    }

    /// Keeps what the model would have chosen, takes back the rest of the draft, and takes its
    /// choice there. The time that the matcher took.
    fn confirm(
        &mut self,
        shared: &Shared,
        logits: &mut Vec<f32>,
        figures: &mut Figures,
    ) -> Result<Duration, Error> {
        let draft = std::mem::take(&mut self.draft);
        let places = std::mem::take(&mut self.places);
        for (at, &(row, len)) in places.iter().enumerate() {
            shared.model.logits(self.seed, len, logits);
            let mask = shared.pool.row(row);
            let token = pick(mask, logits).ok_or("an empty mask")?;
            if draft.get(at) == Some(&token) {
                self.keep(token);
                figures.tokens_confirmed += 1;
                continue;
            }
            let begun = Instant::now();
            self.matcher.rollback(draft.len() - at.min(draft.len()))?;
            self.take(token)?;
            (self.draft, self.places) = (draft, places);
            return Ok(begun.elapsed());
        }
        (self.draft, self.places) = (draft, places);
        Ok(Duration::ZERO)
    }

    /// Takes a token.
    fn take(&mut self, token: u32) -> Result<(), Error> {
        self.matcher.accept_token(token)?;
        self.keep(token);
        Ok(())
    }

    /// Puts a token that was taken to the text.
    fn keep(&mut self, token: u32) {
        let bytes = self.vocabulary.view().bytes(token);
        self.text.extend_from_slice(bytes);
        self.tokens.push(token);
    }

    fn bytes_of(&self, token: u32) -> usize {
        self.vocabulary.view().bytes(token).len()
    }
}
