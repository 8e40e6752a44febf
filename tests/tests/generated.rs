//! Two things are generated and committed, so that users build neither their generators nor what
//! those depend on: the parser of the grammar language, which LALRPOP makes, and the vocabularies
//! of OpenAI, which the crate tiktoken-rs has. Here they are generated again and compared.
//!
//! ```sh
//! UPDATE_PARSER=1 cargo test -p maskwright-tests --test generated
//! UPDATE_VOCABULARIES=1 cargo test -p maskwright-tests --test generated
//! ```

use std::path::{Path, PathBuf};
use std::{env, fs};
use tiktoken_rs::CoreBPE;

const UPDATE_PARSER: &str = "UPDATE_PARSER=1 cargo test -p maskwright-tests --test generated";
const UPDATE_VOCABULARIES: &str =
    "UPDATE_VOCABULARIES=1 cargo test -p maskwright-tests --test generated";

/// The folder of `grammar.lalrpop` and of `generated.rs`, which LALRPOP makes of it.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../grammar-compiler/src/syntax/ebnf")
}

/// What LALRPOP generates.
fn generate() -> String {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("generated");
    lalrpop::Configuration::new()
        .force_build(true)
        .emit_rerun_directives(false)
        .set_out_dir(&out)
        .process_file(folder().join("grammar.lalrpop"))
        .unwrap();
    fs::read_to_string(out.join("grammar.rs")).unwrap()
}

#[test]
fn the_parser_is_the_one_that_lalrpop_generates() {
    let committed = folder().join("generated.rs");
    let found = generate();
    if env::var_os("UPDATE_PARSER").is_some() {
        fs::write(committed, found).unwrap();
        return;
    }
    let expected = fs::read_to_string(committed).unwrap();
    if let Some((line, (found, expected))) = (1..)
        .zip(found.lines().zip(expected.lines()))
        .find(|(_, (found, expected))| found != expected)
    {
        panic!(
            "line {line} of generated.rs is\n\n    {expected}\n\nand LALRPOP generates\n\n    {found}\n\n\
             After a change of grammar.lalrpop run\n\n    {UPDATE_PARSER}\n"
        );
    }
    assert_eq!(found.len(), expected.len(), "run {UPDATE_PARSER}");
}

/// The bytes of the first `count` ids, as `data/*.ranks` has them: their lengths, then all of them.
fn ranks(bpe: &CoreBPE, count: u32) -> Vec<u8> {
    let tokens: Vec<Vec<u8>> = (0..count)
        .map(|id| bpe.decode_bytes(&[id]).unwrap())
        .collect();
    let lengths = tokens
        .iter()
        .map(|token| u8::try_from(token.len()).unwrap());
    lengths.chain(tokens.concat()).collect()
}

#[test]
fn the_ranks_are_those_of_tiktoken() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../grammar-compiler/vocabularies/data");
    for (name, bpe, count) in [
        ("cl100k_base", tiktoken_rs::cl100k_base(), 100_256),
        ("o200k_base", tiktoken_rs::o200k_base(), 199_998),
        ("r50k_base", tiktoken_rs::r50k_base(), 50_256),
    ] {
        let (path, found) = (
            data.join(format!("{name}.ranks")),
            ranks(&bpe.unwrap(), count),
        );
        if env::var_os("UPDATE_VOCABULARIES").is_some() {
            fs::write(path, found).unwrap();
        } else {
            let same = fs::read(path).is_ok_and(|expected| expected == found);
            assert!(
                same,
                "{name}.ranks is not what {UPDATE_VOCABULARIES} writes"
            );
        }
    }
}

#[test]
fn vocabularies_are_those_of_tiktoken() {
    for (name, bpe) in [
        ("cl100k_base", tiktoken_rs::cl100k_base()),
        ("o200k_base", tiktoken_rs::o200k_base()),
        ("o200k_harmony", tiktoken_rs::o200k_harmony()),
        ("p50k_base", tiktoken_rs::p50k_base()),
        ("p50k_edit", tiktoken_rs::p50k_edit()),
        ("r50k_base", tiktoken_rs::r50k_base()),
    ] {
        let (bpe, found) = (bpe.unwrap(), maskwright_vocabularies::named(name).unwrap());
        let mut special: Vec<(u32, String)> = bpe
            .special_tokens()
            .into_iter()
            .flat_map(|name| {
                let ids = bpe.encode_with_special_tokens(name);
                ids.into_iter().map(|id| (id, name.to_owned()))
            })
            .collect();
        special.sort();
        assert_eq!(found.special(), special, "{name}");
        assert_eq!(found.size(), found.tokens().count() as u32);
        // A special token has no bytes; past the last id there is nothing.
        for (id, token) in (0..).zip(found.tokens()) {
            let expected = bpe.decode_bytes(&[id]).unwrap_or_default();
            let is_special = special.binary_search_by_key(&id, |token| token.0).is_ok();
            assert_eq!(
                token.is_empty(),
                is_special || expected.is_empty(),
                "{name}: {id}"
            );
            assert!(is_special || token == expected, "{name}: {id}");
        }
        let after = bpe.decode_bytes(&[found.size()]);
        assert!(after.is_err(), "{name} has more ids");
    }
}
