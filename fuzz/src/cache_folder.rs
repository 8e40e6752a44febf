//! A registry's folder in which somebody has changed files: masks stay the same.
//!
//! The first byte chooses a file, the second what is done to it, two more where. The rest is
//! content.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use crate::{Target, walked};
use maskwright_compiler::GrammarText;
use maskwright_compiler::link::registry::{Registry, RegistryOptions};
use maskwright_compiler::syntax::tools::ToolOptions;

/// This target.
pub const TARGET: Target = Target {
    name: "cache_folder",
    run,
    seeds: &[
        "\0\0\0\0",
        "\0\u{1}\0\u{8}MSKC",
        "\u{1}\u{2}\0\u{40}",
        "\u{2}\u{3}\0\0",
        "\u{1}\u{4}\0\u{20}abc",
    ],
    words: &[
        "MSKC",
        "MSKP",
        "MSKG",
        "\0\0\0\0",
        "\u{7f}\u{7f}\u{7f}\u{7f}",
        "\u{1}",
        "grammar",
        "piece",
    ],
};

const TOOLS: &str = r#"[{"name": "f", "inputSchema": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}},
    {"name": "g", "inputSchema": {"type": "object", "properties": {"b": {"enum": ["x", "y"]}}, "required": ["b"]}}]"#;

/// A text under the tools, at whose bytes masks are compared.
const TEXT: &str = "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n</tool_call>\n\
                    <tool_call>\n{\"name\": \"g\", \"arguments\": {\"b\": \"x\"}}";

/// What an untouched folder holds, and the masks.
struct Good {
    files: Vec<(String, Vec<u8>)>,
    masks: Vec<Vec<u32>>,
}

fn good() -> &'static Good {
    static GOOD: OnceLock<Good> = OnceLock::new();
    GOOD.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder for temporary files");
        let masks = masks(folder.path());
        let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(folder.path())
            .expect("the registry has written it")
            .flatten()
            .filter_map(|file| {
                let name = file.file_name().into_string().ok()?;
                Some((name, fs::read(file.path()).ok()?))
            })
            .collect();
        files.sort();
        assert!(files.len() > 1, "the outer part and pieces are kept");
        assert_eq!(masks, self::masks(folder.path()), "read back");
        Good { files, masks }
    })
}

/// The masks along the text, of a registry that works with a folder.
fn masks(folder: &Path) -> Vec<Vec<u32>> {
    let options = RegistryOptions::default().threads(0);
    let options = options.folder(Some(folder.to_owned()));
    let registry = Registry::new(walked::compiler(), options).expect("a good vocabulary");
    let request = GrammarText::tools(TOOLS).tool_options(ToolOptions::format("qwen_3"));
    let handle = registry.get(&request).expect("good tools");
    handle.wait().expect("good tools");
    let mut matcher = handle.matcher().expect("deep enough");
    let words = registry.vocabulary().view().size().div_ceil(32) as usize;
    let masks = TEXT.bytes().map(|byte| {
        let mut row = vec![0; words];
        matcher.fill(&mut row).expect("a mask");
        matcher
            .accept_bytes(&[byte])
            .expect("the text is a sentence's beginning");
        row
    });
    masks.collect()
}

/// Changes a file of a good folder, and compares the masks.
///
/// # Panics
///
/// If a mask differs.
pub fn run(data: &[u8]) {
    let (&[file, what, high, low], content) =
        data.split_first_chunk::<4>().unwrap_or((&[0; 4], &[]));
    let good = good();
    let mut files = good.files.clone();
    let (chosen, at) = (
        usize::from(file) % files.len(),
        usize::from(high) << 8 | usize::from(low),
    );
    let next = (chosen + 1) % files.len();
    let bytes = &mut files[chosen].1;
    let at = at % (bytes.len() + 1);
    match what % 6 {
        0 => content.clone_into(bytes),
        1 => bytes
            .iter_mut()
            .skip(at)
            .zip(content)
            .for_each(|(byte, new)| *byte = *new),
        2 => bytes.truncate(at),
        3 => {
            let other = files[next].1.clone();
            files[chosen].1 = other;
        }
        4 => drop(bytes.splice(at..at, content.iter().copied())),
        _ => bytes.extend_from_slice(content),
    }
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    for (name, bytes) in &files {
        fs::write(folder.path().join(name), bytes).expect("it can be written");
    }
    assert!(
        masks(folder.path()) == good.masks,
        "the folder changes a mask"
    );
}
