//! Compiles the schema for the small vocabulary, and writes down what the masks of a text are on the host.

use std::path::{Path, PathBuf};
use std::{env, fmt::Write, fs};

use maskwright::{Grammar, Matcher, Vocabulary};
use maskwright_compiler::Builder;
use maskwright_compiler::build::VocabularySpec;

#[path = "src/hash.rs"]
mod hash;

type Failure = Box<dyn std::error::Error>;

/// What a model might say, and is to be decoded on the controller.
const TEXT: &str = r#"{"tool": "sequence", "arguments": {"repeat": 3, "steps": [{"tool": "light", "arguments": {"room": "hall", "on": true, "brightness": 40}}, {"tool": "sequence", "arguments": {"steps": [{"tool":"timer","arguments":{"seconds":90,"label":"tea \u00e0 la menthe"}}, {"tool": "light", "arguments": {"room": "kitchen", "on": false}}]}}]}}"#;

fn main() -> Result<(), Failure> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    println!("cargo::rustc-link-search={}", out.display());
    println!("cargo::rerun-if-changed=memory.x");
    println!("cargo::rerun-if-changed=src/hash.rs");
    fs::copy("memory.x", out.join("memory.x"))?;

    // The id after the last token of the file ends a text.
    let end = fs::read_to_string("vocabulary.tiktoken")?.lines().count() as u32;
    let vocabulary = VocabularySpec::file("vocabulary.tiktoken");
    Builder::new()
        .vocabulary(vocabulary.size(end + 1).eos([end]))
        .schema_file("TOOL", "tool.json")
        .emit("tool.rs")?;
    fs::write(out.join("expected.rs"), expected(&out)?)?;
    Ok(())
}

/// The tokens of the text, with a hash of the mask before each and a token that may not stand there.
fn expected(out: &Path) -> Result<String, Failure> {
    let tables = fs::read(out.join("tool.rs.TOOL.mask"))?;
    let vocabulary = fs::read(out.join("tool.rs.TOOL_VOCABULARY.mask"))?;
    let grammar = Grammar::load(&tables)?.with_vocabulary(Vocabulary::load(&vocabulary)?)?;
    let mut matcher = Matcher::<32>::new(&grammar)?;
    let mut words = vec![0; grammar.mask_words()];
    let (mut steps, mut count) = (String::new(), 0);
    let mut rest = TEXT.as_bytes();
    while !matcher.is_finished() {
        let token = longest(&matcher, rest).ok_or("the text is not a sentence")?;
        let refused = (0..grammar.vocab_size())
            .map(|id| (token + 1 + 37 * id) % grammar.vocab_size())
            .find(|&id| !matcher.mask().contains(id))
            .ok_or("every token is allowed")?;
        matcher.mask().fill(&mut words)?;
        let hash = hash::fnv1a(&words);
        writeln!(
            steps,
            "    Step {{ token: {token}, refused: {refused}, hash: {hash:#010x} }},"
        )?;
        count += 1;
        matcher.accept_token(token)?;
        rest = &rest[grammar.vocabulary().map_or(0, |all| all.bytes(token).len())..];
    }
    let words = grammar.mask_words();
    Ok(format!(
        "/// Words of a mask.\npub const MASK_WORDS: usize = {words};\n\
         /// The text, token by token.\npub static STEPS: [Step; {count}] = [\n{steps}];\n"
    ))
}

/// The longest token that may come next and goes on with `rest`, the end of the text included.
fn longest(matcher: &Matcher<'_, 32>, rest: &[u8]) -> Option<u32> {
    let grammar = matcher.grammar();
    let bytes = |id: &u32| grammar.vocabulary().map_or(&[][..], |all| all.bytes(*id));
    let ids = matcher
        .mask()
        .iter()
        .filter(|id| rest.starts_with(bytes(id)));
    ids.filter(|id| rest.is_empty() || !bytes(id).is_empty())
        .max_by_key(|id| bytes(id).len())
}
