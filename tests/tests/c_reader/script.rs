//! What the driver in C is to do, and what it is to print: both are made along a walk of the Rust
//! matcher.

use maskwright::{
    AcceptError, BorrowedMatcher, Grammar, Head, LoadError, MatcherError, Vocabulary, crc32,
};
use maskwright_tests::random::Random;
use std::fmt::Write;
use std::path::Path;

/// Statuses of `maskwright.h` that no error of the Rust library stands for.
const OK: i32 = 0;
const STACKS_NOT_PROVED: i32 = 20;
const DEPTH_TOO_LARGE: i32 = 10;

/// Matchers that take more bytes than this are not made: `MOST` of the driver.
const MOST: usize = 1 << 26;

/// Lines for the driver, and lines that it is to print.
#[derive(Debug, Default)]
pub struct Script {
    pub input: String,
    pub expected: String,
}

/// The status of a load that went wrong.
fn load_status(error: LoadError) -> i32 {
    match error {
        LoadError::Foreign { .. } => 11,
        LoadError::Version { .. } => 12,
        LoadError::Length { .. } => 13,
        LoadError::Checksum { .. } => 14,
        LoadError::Corrupt { .. } => 15,
        LoadError::OtherVocabulary { .. } => 16,
        LoadError::OtherTables { .. } => 17,
        other => panic!("{other}"),
    }
}

fn accept_status(result: Result<(), AcceptError>) -> i32 {
    match result {
        Ok(()) => OK,
        Err(AcceptError::NotAllowed) => 1,
        Err(AcceptError::TooDeep) => 2,
        Err(AcceptError::TooManyStacks) => 3,
        Err(AcceptError::NoVocabulary) => 4,
        Err(other) => panic!("{other}"),
    }
}

fn matcher_status(error: MatcherError) -> i32 {
    match error {
        MatcherError::DepthTooSmall { .. } => 9,
        other => panic!("{other}"),
    }
}

/// FNV-1a.
fn hash(hash: u32, bytes: &[u8]) -> u32 {
    let mix = |hash: u32, &byte: &u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    bytes.iter().fold(hash, mix)
}

const HASH: u32 = 0x811c_9dc5;

/// The logits that the driver gives.
fn logits(vocab_size: u32) -> Vec<f32> {
    let logit = |id: u64| (id * 2_654_435_761 % 1000) as f32;
    (0..u64::from(vocab_size) + 3).map(logit).collect()
}

/// Digits, two for each byte.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

impl Script {
    fn tell(&mut self, line: impl AsRef<str>) {
        self.input.push_str(line.as_ref());
        self.input.push('\n');
    }

    fn expect(&mut self, line: impl AsRef<str>) {
        self.expected.push_str(line.as_ref());
        self.expected.push('\n');
    }

    /// Reads the files that loads are of.
    pub fn read(&mut self, tables: &Path, vocabulary: Option<&Path>) {
        self.tell(format!("t{}", tables.display()));
        if let Some(vocabulary) = vocabulary {
            self.tell(format!("v{}", vocabulary.display()));
        }
    }

    /// Writes over bytes of the tables or of the vocabulary.
    pub fn patch(&mut self, command: char, at: usize, bytes: &[u8]) {
        self.tell(format!("{command}{at} {}", hex(bytes)));
    }

    /// Cuts the tables off.
    pub fn cut(&mut self, len: usize) {
        self.tell(format!("n{len}"));
    }

    /// Loads tables; the grammar, if that goes well.
    pub fn load<'t>(&mut self, tables: &'t [u8], vocabulary: &'t [u8]) -> Option<Grammar<'t>> {
        self.tell("l");
        let grammar = Grammar::load(tables).and_then(|grammar| {
            if !grammar.stacks_are_proved() {
                return Ok(grammar);
            }
            grammar.with_vocabulary(Vocabulary::load(vocabulary)?)
        });
        self.loaded(grammar)
    }

    /// Loads tables beside the grammar that was loaded before.
    pub fn load_beside<'t>(
        &mut self,
        tables: &'t [u8],
        other: &Grammar<'t>,
    ) -> Option<Grammar<'t>> {
        self.tell("b");
        self.loaded(Grammar::load_beside(tables, other))
    }

    fn loaded<'t>(&mut self, grammar: Result<Grammar<'t>, LoadError>) -> Option<Grammar<'t>> {
        let status = match &grammar {
            Err(error) => load_status(*error),
            Ok(grammar) if !grammar.stacks_are_proved() => STACKS_NOT_PROVED,
            Ok(_) => OK,
        };
        self.expect(status.to_string());
        grammar.ok().filter(|_| status == OK)
    }

    /// Asks for what there is to say of a grammar.
    pub fn describe(&mut self, grammar: &Grammar<'_>) {
        let mut texts = HASH;
        for id in 0..=grammar.vocab_size() {
            let vocabulary = grammar.vocabulary();
            let bytes = vocabulary.map_or(&[][..], |vocabulary| vocabulary.bytes(id));
            texts = hash(hash(texts, &[bytes.len() as u8]), bytes);
        }
        let (size, depth) = (grammar.vocab_size(), grammar.least_depth());
        let ends = grammar.eos().len();
        self.tell("x");
        self.expect(format!("{size} {depth} {ends} {texts:08x}"));
    }
}

/// The memory of a matcher.
#[derive(Clone)]
struct Memory {
    live: u16,
    heads: Vec<Head>,
    frames: Vec<u16>,
}

/// A matcher and the lines of its use.
pub struct Walk<'g> {
    script: &'g mut Script,
    grammar: &'g Grammar<'g>,
    depth: usize,
    memory: Memory,
    saved: Memory,
}

impl<'g> Walk<'g> {
    /// A matcher of a depth, if there can be one.
    pub fn new(script: &'g mut Script, grammar: &'g Grammar<'g>, depth: usize) -> Option<Self> {
        script.tell(format!("m{depth}"));
        let stacks = grammar.max_stacks();
        let bytes = 24 + 3 * stacks * (8 + 2 * depth);
        if stacks > usize::from(u16::MAX) || bytes.next_multiple_of(8) >= MOST {
            script.expect(DEPTH_TOO_LARGE.to_string());
            return None;
        }
        let mut memory = Memory {
            live: 0,
            heads: vec![Head::default(); BorrowedMatcher::heads(stacks)],
            frames: vec![0; BorrowedMatcher::frames(depth, stacks)?],
        };
        match BorrowedMatcher::new(grammar, depth, &mut memory.heads, &mut memory.frames) {
            Ok(matcher) => memory.live = matcher.live(),
            Err(error) => {
                script.expect(matcher_status(error).to_string());
                return None;
            }
        }
        script.expect(OK.to_string());
        Some(Walk {
            saved: memory.clone(),
            script,
            grammar,
            depth,
            memory,
        })
    }

    fn with<T>(&mut self, use_it: impl FnOnce(&mut BorrowedMatcher<'_>) -> T) -> T {
        let Memory {
            live,
            heads,
            frames,
        } = &mut self.memory;
        let mut matcher = BorrowedMatcher::resume(self.grammar, self.depth, *live, heads, frames);
        let result = use_it(&mut matcher);
        *live = matcher.live();
        result
    }

    /// Has the driver check that wrong calls are refused.
    pub fn wrong_calls(&mut self) {
        self.script.tell("i");
    }

    /// Asks for the mask; its ids.
    fn mask(&mut self) -> Vec<u32> {
        let logits = logits(self.grammar.vocab_size());
        let mut words = vec![0; self.grammar.mask_words()];
        let (count, is_complete, is_finished, best) = self.with(|matcher| {
            let mask = matcher.mask();
            mask.fill(&mut words).unwrap();
            let best = mask.argmax(&logits).map_or(-1, |id| id as i32);
            let count = mask.count();
            let (complete, finished) = (matcher.is_complete(), matcher.is_finished());
            (count, complete as u32, finished as u32, best)
        });
        let bytes = words
            .iter()
            .fold(HASH, |all, word| hash(all, &word.to_le_bytes()));
        self.script.tell("k");
        self.script.expect(format!(
            "{bytes:08x} {count} {is_complete} {is_finished} {best}"
        ));
        let is_in = |id: &u32| words[*id as usize / 32] >> (id % 32) & 1 == 1;
        (0..self.grammar.vocab_size()).filter(is_in).collect()
    }

    fn accept(&mut self, id: u32) {
        let status = accept_status(self.with(|matcher| matcher.accept_token(id)));
        self.script.tell(format!("a{id}"));
        self.script.expect(status.to_string());
    }

    fn accept_bytes(&mut self, bytes: &[u8]) {
        let status = accept_status(self.with(|matcher| matcher.accept_bytes(bytes)));
        self.script.tell(format!("y{}", hex(bytes)));
        self.script.expect(status.to_string());
    }

    fn draft(&mut self, ids: &[u32]) {
        let checked = self.with(|matcher| matcher.check_draft(ids));
        let taken = self.with(|matcher| matcher.accept_draft(ids));
        let list: Vec<String> = ids.iter().map(u32::to_string).collect();
        self.script.tell(format!("d{}", list.join(" ")));
        self.script.expect(format!("{checked} {taken}"));
    }

    fn forced(&mut self) {
        let (mut bytes, mut ids) = ([0; 24], [0; 12]);
        let len = self.with(|matcher| matcher.forced_bytes(&mut bytes));
        let tokens = self.with(|matcher| matcher.forced_tokens(&mut ids));
        self.script.tell("o");
        let mut line = format!("{len} {:08x}", hash(HASH, &bytes[..len]));
        ids[..tokens]
            .iter()
            .for_each(|id| write!(line, " {id}").unwrap());
        self.script.expect(line);
    }

    fn finish(&mut self) {
        let status = accept_status(self.with(|matcher| matcher.finish()));
        self.script.tell("e");
        self.script.expect(status.to_string());
    }

    /// Keeps where the matcher stands.
    fn save(&mut self) {
        self.script.tell("s");
        self.saved = self.memory.clone();
    }

    /// Goes back there, by the function for it or by a copy.
    fn restore(&mut self, by: &str) {
        self.script.tell(by);
        self.memory = self.saved.clone();
    }

    fn reset(&mut self) {
        self.script.tell("z");
        self.with(|matcher| matcher.reset());
    }

    fn bytes(&self, id: u32) -> &'g [u8] {
        let vocabulary = self.grammar.vocabulary();
        vocabulary.map_or(&[], |vocabulary| vocabulary.bytes(id))
    }

    /// One of the ids: first a first byte, each as likely as another, then a token.
    fn pick(&self, ids: &[u32], random: &mut Random) -> Option<u32> {
        let first = |id: &u32| self.bytes(*id).first().copied();
        let mut firsts: Vec<_> = ids.iter().map(first).collect();
        firsts.sort_unstable();
        firsts.dedup();
        let chosen = *random.pick(&firsts)?;
        let some: Vec<u32> = ids
            .iter()
            .copied()
            .filter(|id| first(id) == chosen)
            .collect();
        random.pick(&some).copied()
    }

    /// Goes on at random, with right and wrong tokens and bytes.
    pub fn go(&mut self, steps: usize, random: &mut Random) {
        for _ in 0..steps {
            let ids = self.mask();
            let any = random.below(self.grammar.vocab_size() as usize + 2) as u32;
            let next = self.pick(&ids, random);
            match (random.below(12), next) {
                (0, _) => self.forced(),
                (1, _) => self.accept(any),
                (2, _) => self.accept_bytes(self.bytes(any)),
                (3, _) => self.save(),
                (4, _) => self.restore(["r", "c"][random.below(2)]),
                (5, Some(next)) => {
                    let last = *random.pick(&ids).unwrap_or(&any);
                    self.draft(&[next, last, any]);
                }
                (6, Some(next)) => self.accept_bytes(self.bytes(next)),
                (_, Some(next)) => self.accept(next),
                (_, None) if random.below(2) == 0 => self.finish(),
                (_, None) => self.reset(),
            }
        }
        self.mask();
        self.forced();
    }
}

/// Walks at several depths.
pub fn walks(script: &mut Script, grammar: &Grammar<'_>, steps: usize, random: &mut Random) {
    let least = grammar.least_depth();
    for depth in [least.saturating_sub(1), least, least.saturating_add(2), 40] {
        if depth > usize::from(u16::MAX) {
            continue;
        }
        if let Some(mut walk) = Walk::new(script, grammar, depth) {
            walk.go(steps, random);
        }
    }
}

/// The checksum that bytes of tables should have, which lies at [`CHECKSUM`].
pub fn checksum(tables: &[u8]) -> [u8; 4] {
    crc32(tables.get(CHECKSUM + 4..).unwrap_or(&[])).to_le_bytes()
}

/// Where the checksum of tables lies.
pub const CHECKSUM: usize = 12;
