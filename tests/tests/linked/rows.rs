//! Rows of a pool: a row that several matchers share holds the mask of each.

use maskwright::{MaskPool, PoolSlot};
use maskwright_compiler::link::registry::{Handle, Registry, RegistryOptions, ServedMatcher};
use maskwright_compiler::source::Source;
use maskwright_compiler::{GrammarText, vocabulary::Vocabulary};

use super::formats::{guides, tools};
use super::pair::choose;
use super::registry::{Formats, formats, registry, request};
use super::*;

type Pool = MaskPool<Vec<u32>, Vec<PoolSlot>>;

fn pool(rows: usize, words: usize) -> Pool {
    MaskPool::new(
        vec![0; rows * words],
        vec![PoolSlot::default(); rows],
        words,
    )
}

/// A matcher of a format, and what its text goes on with.
struct Text<'a> {
    format: usize,
    handle: &'a Handle,
    matcher: ServedMatcher,
    guide: String,
}

impl Text<'_> {
    /// Compares the row of the pool with the mask, then takes a token there and back, and as a
    /// draft. Returns whether the row was written.
    fn step(&mut self, pool: &mut Pool, all: &Formats, random: &mut Random) -> bool {
        let name = all.names[self.format];
        let words = all.words.texts.len().div_ceil(32);
        let (mut row, mut after) = (vec![0u32; words], vec![0u32; words]);
        let pooled = self.matcher.row_of(pool).unwrap();
        self.matcher.fill(&mut row).unwrap();
        assert_eq!(pool.row(pooled.row), row, "{name}");
        if self.guide.is_empty() {
            let guides = guides(&all.formats[self.format]);
            self.guide = random.pick(&guides).cloned().unwrap_or_default();
        }
        let Some(id) = choose(&row, &all.words, &self.guide, random) else {
            self.matcher = self.handle.matcher().unwrap();
            self.guide.clear();
            return pooled.is_new;
        };
        let token = all.words.texts[id as usize].as_str();
        self.guide = self.guide.strip_prefix(token).unwrap_or("").to_owned();
        self.matcher.accept_token(id).unwrap();
        self.matcher.fill(&mut after).unwrap();
        self.matcher.rollback(1).unwrap();
        self.matcher.fill(&mut row).unwrap();
        assert_eq!(pool.row(pooled.row), row, "{name}, rolled back");
        assert_eq!(self.matcher.accept_draft(&[id]), Ok(1));
        self.matcher.fill(&mut row).unwrap();
        assert_eq!(after, row, "{name}, as a draft");
        pooled.is_new
    }
}

#[test]
fn rows_of_a_pool_hold_the_masks() {
    for special in [false, true] {
        let mut random = Random::new(6);
        let all = formats(special, &mut random);
        let registry = registry(&all.compiler, 256 << 20);
        let tools = tools(4);
        let handles = all.names.iter().enumerate();
        let handles: Vec<(usize, Handle)> = handles
            .map(|(at, name)| (at, registry.get(&request(name, &tools)).unwrap()))
            .filter(|(_, handle)| handle.linked().is_some())
            .collect();
        assert!(handles.len() >= 30, "{} formats are linked", handles.len());
        let mut texts: Vec<Text<'_>> = handles
            .iter()
            .flat_map(|of| [of; 2])
            .map(|(format, handle)| Text {
                format: *format,
                handle,
                matcher: handle.matcher().unwrap(),
                guide: String::new(),
            })
            .collect();
        let (mut is_new, mut steps) = (0, 0);
        let mut pool = pool(2 * texts.len(), all.words.texts.len().div_ceil(32));
        for _ in 0..60 {
            pool.begin_step();
            for text in &mut texts {
                is_new += usize::from(text.step(&mut pool, &all, &mut random));
                steps += 1;
            }
        }
        assert!(is_new < steps, "{is_new} rows of {steps} were written");
    }
}

/// Two calls whose texts before the name end alike, and whose holes differ.
const TWO_HOLES: &str = r#"{"layout": "anywhere", "call": ["<a>call:{{name}}({{arguments}})</a>", "<b>call:{{name}}[{{arguments}}]</b>"], "trigger": ["<a>", "<b>"]}"#;

#[test]
fn states_before_different_holes_have_different_rows() {
    let bytes = (0..=u8::MAX).map(|byte| vec![byte]);
    let crossing = ["ll:f(", "ll:f[", "ll:g(", "ll:g["].map(|text| text.as_bytes().to_vec());
    let mut tokens: Vec<Vec<u8>> = bytes.chain(crossing).collect();
    let end = tokens.len() as u32;
    tokens.push(Vec::new());
    let compiler = Compiler::new(&Vocabulary::from_tokens(tokens, vec![end])).unwrap();
    let mut options = ToolOptions::default();
    options.format = Some(FormatSource::Text(Source::new("format", TWO_HOLES)));
    let schema = r#"{"type": "object", "properties": {"a": {"type": "integer"}}}"#;
    let tools = ["f", "gg"].map(|name| format!(r#"{{"name": "{name}", "parameters": {schema}}}"#));
    let request = GrammarText::tools(format!("[{}]", tools.join(", "))).tool_options(options);
    let registry = Registry::new(&compiler, RegistryOptions::default().depth(32)).unwrap();
    let handle = registry.get(&request).unwrap();
    assert!(handle.linked().is_some());
    let words = (end as usize + 1).div_ceil(32);
    let mut pool = pool(8, words);
    let rows = ["<a>ca", "<b>ca"].map(|text| {
        let mut matcher = handle.matcher().unwrap();
        matcher.accept_bytes(text.as_bytes()).unwrap();
        pool.begin_step();
        let pooled = matcher.row_of(&mut pool).unwrap();
        let mut row = vec![0; words];
        matcher.fill(&mut row).unwrap();
        assert_eq!(pool.row(pooled.row), row, "{text}");
        row
    });
    assert_ne!(rows[0], rows[1]);
}
