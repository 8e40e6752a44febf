//! Compiles the schema for the small vocabulary, and writes down what the masks of a text are on
//! the host.

use std::path::{Path, PathBuf};
use std::{env, fmt::Write, fs};

use maskwright::{Grammar, Matcher};
use maskwright_compiler::build::VocabularySpec;
use maskwright_compiler::syntax::tools::ToolOptions;
use maskwright_compiler::{Builder, vocabulary::Vocabulary};

#[path = "src/hash.rs"]
mod hash;

type Failure = Box<dyn std::error::Error>;

/// What a model might say, and is to be decoded on the controller.
const TEXT: &str = r#"{"tool": "sequence", "arguments": {"repeat": 3, "steps": [{"tool": "light", "arguments": {"room": "hall", "on": true, "brightness": 40}}, {"tool": "sequence", "arguments": {"steps": [{"tool":"timer","arguments":{"seconds":90,"label":"tea \u00e0 la menthe"}}, {"tool": "light", "arguments": {"room": "kitchen", "on": false}}]}}]}}"#;

/// What a model might say that has tools, and is to be decoded and read back.
const TALK: &str = "It is dark in the hall.\n<tool_call>\n{\"name\": \"light\", \"arguments\": {\"room\": \"hall\", \"on\": true}}\n</tool_call>\nAnd the tea:\n<tool_call>\n{\"name\": \"timer\", \"arguments\": {\"seconds\": 90, \"label\": \"tea </tool_call>\"}}\n</tool_call> Done.";

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
    fs::write(
        out.join("expected.rs"),
        expected(&out, "tool.rs.TOOL", TEXT, &[])?,
    )?;

    println!("cargo::rerun-if-changed=vocabulary.tiktoken");
    let tokens = Vocabulary::open("vocabulary.tiktoken")?;
    let tokens = tokens.with_size(end + 3)?.with_eos(vec![end])?;
    let delimiters = [(end + 1, "<tool_call>"), (end + 2, "</tool_call>")];
    let delimiters = delimiters.map(|(id, name)| (id, name.to_owned()));
    Builder::new()
        .vocabulary_made(tokens.clone().with_special(delimiters.clone()))
        .tools_file("TALK", "tools.json", ToolOptions::format("qwen_3"))
        .emit("talk.rs")?;
    // The same tools, each compiled by itself.
    Builder::new()
        .vocabulary_made(tokens.with_special(delimiters.clone()))
        .linked_tools_file("PARTS", "tools.json", ToolOptions::format("qwen_3"))
        .emit("parts.rs")?;
    let spoken = expected(&out, "talk.rs.TALK", TALK, &delimiters)?;
    fs::write(out.join("spoken.rs"), spoken)?;
    Ok(())
}

/// The tokens of a text under the tables of this name, with a hash of the mask before each and a
/// token that may not stand there; and the text of each. `names` are tokens without bytes.
fn expected(
    out: &Path,
    name: &str,
    text: &str,
    names: &[(u32, String)],
) -> Result<String, Failure> {
    let tables = fs::read(out.join(format!("{name}.mask")))?;
    let vocabulary = fs::read(out.join(format!("{name}_VOCABULARY.mask")))?;
    let vocabulary = maskwright::Vocabulary::load(&vocabulary)?;
    let grammar = Grammar::load(&tables)?.with_vocabulary(vocabulary)?;
    let mut matcher = Matcher::<32>::new(&grammar)?;
    let mut words = vec![0; grammar.mask_words()];
    let (mut steps, mut texts, mut count) = (String::new(), String::new(), 0);
    let mut rest = text;
    while !matcher.is_finished() {
        let (token, length) = longest(&matcher, rest, names).ok_or("the text is not a sentence")?;
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
        let (written, behind) = rest
            .split_at_checked(length)
            .ok_or("a token ends in a character")?;
        writeln!(texts, "    {written:?},")?;
        rest = behind;
    }
    let words = grammar.mask_words();
    let mut code = format!(
        "/// Words of a mask.\npub const MASK_WORDS: usize = {words};\n\
         /// The text, token by token.\npub static STEPS: [Step; {count}] = [\n{steps}];\n"
    );
    if !names.is_empty() {
        writeln!(
            code,
            "/// What each token says.\npub static TEXTS: [&str; {count}] = [\n{texts}];"
        )?;
    }
    Ok(code)
}

/// The longest token that may come next and goes on with `rest`, and its length; the end of the
/// text included.
fn longest(matcher: &Matcher<'_, 32>, rest: &str, names: &[(u32, String)]) -> Option<(u32, usize)> {
    let grammar = matcher.grammar();
    let text = |id: u32| {
        let name = names.iter().find(|name| name.0 == id);
        let bytes = grammar.vocabulary().map_or(&[][..], |all| all.bytes(id));
        name.map_or(bytes, |name| name.1.as_bytes())
    };
    let lengths = matcher.mask().iter().map(|id| (id, text(id)));
    let fitting = lengths.filter(|(_, text)| rest.as_bytes().starts_with(text));
    fitting
        .filter(|(_, text)| rest.is_empty() || !text.is_empty())
        .map(|(id, text)| (id, text.len()))
        .max_by_key(|(_, length)| *length)
}
