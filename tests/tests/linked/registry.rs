//! The registry: parts are shared by requests, and no order of requests changes a mask.

use maskwright_compiler::GrammarText;
use maskwright_compiler::link::registry::{Handle, Registry, RegistryOptions};

use super::formats::{guides, tools};
use super::pair::{DEPTH, Walked, whole};
use super::vocabulary::{Words, names as special_names, of_outputs};
use super::*;

/// Formats, and words that tokens cross their boundaries with.
pub struct Formats {
    pub formats: Vec<ToolFormat>,
    pub names: Vec<&'static str>,
    pub words: Words,
    pub compiler: Compiler,
}

/// All built-in formats, with or without special tokens.
pub fn formats(special: bool, random: &mut Random) -> Formats {
    let names: Vec<&'static str> = ToolFormat::names().collect();
    let named = |name: &&str| {
        ToolFormat::named(name, &Default::default())
            .unwrap()
            .unwrap()
    };
    let formats: Vec<ToolFormat> = names.iter().map(named).collect();
    let outputs: Vec<String> = formats.iter().flat_map(guides).collect();
    let mut special_names: Vec<String> = match special {
        true => formats
            .iter()
            .flat_map(|format| special_names(format.source().text()))
            .collect(),
        false => Vec::new(),
    };
    special_names.sort();
    special_names.dedup();
    let words = of_outputs(&outputs, &special_names, 1_500, random);
    let compiler = Compiler::new(&words.vocabulary)
        .unwrap()
        .with_options(Options::default().threads(1));
    Formats {
        formats,
        names,
        words,
        compiler,
    }
}

pub fn options(name: &str) -> ToolOptions {
    let mut options = ToolOptions::default();
    options.format = Some(FormatSource::Named(name.to_owned()));
    options
}

pub fn request(name: &str, tools: &str) -> GrammarText {
    GrammarText::tools(tools).tool_options(options(name))
}

pub fn registry(compiler: &Compiler, bytes: usize) -> Registry {
    Registry::new(
        compiler,
        RegistryOptions::default().depth(DEPTH).bytes(bytes),
    )
    .unwrap()
}

/// Asks for about `pairs` ordered pairs of formats in turn, and follows texts of the second one: a
/// tenth of them for long. Returns how many masks were compared.
fn check_pairs(
    all: &Formats,
    registry: &Registry,
    tools: &str,
    pairs: usize,
    random: &mut Random,
) -> usize {
    let get = |at: usize| -> Handle { registry.get(&request(all.names[at], tools)).unwrap() };
    let linked: Vec<usize> = (0..all.names.len())
        .filter(|&at| {
            // What is not compiled when its handle is dropped is asked for anew.
            let handle = get(at);
            handle.linked().is_some() && handle.wait().is_ok()
        })
        .collect();
    assert!(linked.len() >= 30, "{} formats are linked", linked.len());
    let tables: Vec<Vec<u8>> = linked
        .iter()
        .map(|&at| whole(tools, &options(all.names[at]), &all.compiler))
        .collect();
    let mut walked = Walked::default();
    let share = (linked.len().pow(2) / pairs).max(1);
    for first in 0..linked.len() {
        for second in 0..linked.len() {
            if first == second || random.below(share) > 0 {
                continue;
            }
            let _before = get(linked[first]);
            let handle = get(linked[second]);
            let pair = Pair::of(handle.linked().unwrap(), &tables[second], &all.words);
            let format = &all.formats[linked[second]];
            let steps = if random.below(10) == 0 { 40 } else { 6 };
            walked += pair.walk(&guides(format), &all.words, steps, random);
        }
    }
    println!("{walked:?}");
    assert!(walked.crossed > pairs / 5, "{walked:?}");
    walked.masks
}

#[test]
fn no_order_of_requests_changes_a_mask() {
    let tools = tools(3);
    for special in [false, true] {
        let mut random = Random::new(3);
        let all = formats(special, &mut random);
        // So few bytes that parts are dropped and made again.
        // Where they are made again for each pair, fewer pairs have to do.
        let fewer = match maskwright_tests::effort::is_full() {
            true => 300,
            false => 100,
        };
        for (bytes, pairs) in [(256 << 20, 1_000), (40 << 10, fewer)] {
            let registry = registry(&all.compiler, bytes);
            let masks = check_pairs(&all, &registry, &tools, pairs, &mut random);
            let metrics = registry.metrics();
            println!("{masks} masks, {metrics:?}");
            assert!(
                metrics.hits > 10 * metrics.misses || metrics.evictions > 0,
                "{metrics:?}"
            );
            assert_eq!(metrics.evictions > 0, bytes < 1 << 20);
        }
    }
}

#[test]
fn a_changed_tool_compiles_one_piece() {
    let mut random = Random::new(4);
    let all = formats(false, &mut random);
    let registry = registry(&all.compiler, 256 << 20);
    let twenty = tools(20);
    registry
        .get(&request("qwen_3", &twenty))
        .unwrap()
        .wait()
        .unwrap();
    let before = registry.metrics();
    // The same schemas, five of them, under other names.
    assert_eq!(before.misses, 1 + 5);
    let (string, short) = (
        r#"{"type": "string"}"#,
        r#"{"type": "string", "maxLength": 9}"#,
    );
    let changed = twenty.replacen(string, short, 1);
    registry
        .get(&request("qwen_3", &changed))
        .unwrap()
        .wait()
        .unwrap();
    let after = registry.metrics();
    assert_eq!(after.misses, before.misses + 1);
    assert_eq!((before.compiled, after.compiled), (5, 6));
}

#[test]
fn what_was_waited_for_is_counted() {
    let mut random = Random::new(6);
    let all = formats(false, &mut random);
    // The registry's thread and the one that waits get hold of compiles in any order.
    for round in 1..=20 {
        let registry = registry(&all.compiler, 256 << 20);
        for asked in 1..=round {
            let schema = format!(r#"{{"type": "integer", "maximum": {asked}}}"#);
            let handle = registry.get(&GrammarText::schema(schema)).unwrap();
            handle.wait().unwrap();
            assert_eq!(registry.metrics().compiled, asked);
        }
    }
}

#[test]
fn a_folder_keeps_parts_for_other_processes() {
    let mut random = Random::new(5);
    let all = formats(false, &mut random);
    let folder = std::env::temp_dir().join(format!("maskwright-parts-{}", std::process::id()));
    let options = RegistryOptions::default()
        .depth(DEPTH)
        .folder(Some(folder.clone()));
    let tools = tools(5);
    let tables = whole(&tools, &self::options("qwen_3"), &all.compiler);
    for round in 0..3 {
        let registry = Registry::new(&all.compiler, options.clone()).unwrap();
        let handle = registry.get(&request("qwen_3", &tools)).unwrap();
        handle.wait().unwrap();
        let pair = Pair::of(handle.linked().unwrap(), &tables, &all.words);
        let walked = pair.walk(&guides(&all.formats[0]), &all.words, 40, &mut random);
        assert!(walked.masks > 0);
        let files: Vec<_> = std::fs::read_dir(&folder)
            .unwrap()
            .map(|file| file.unwrap().path())
            .collect();
        assert!(files.len() >= 5, "{} files", files.len());
        // All files of the round before are damaged.
        let refused = if round == 0 { 0 } else { files.len() };
        assert_eq!(registry.metrics().files_refused, refused as u64);
        assert_eq!(registry.warnings().len(), refused);
        // The next round finds files that are cut off or changed.
        for (at, file) in files.iter().enumerate() {
            let mut bytes = std::fs::read(file).unwrap();
            match at % 3 {
                0 => bytes.truncate(bytes.len() / 2),
                1 => bytes[60] ^= 1,
                _ => bytes.clear(),
            }
            std::fs::write(file, bytes).unwrap();
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
