//! docs/vocabularies.md.

use std::error::Error;
use std::path::Path;

use maskwright_compiler::Builder;
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_document_scripts::documents;

#[test]
#[allow(unused_variables)]
fn a_file_is_read() -> Result<(), Box<dyn Error>> {
    block!("vocabularies.vocabularies");
    Ok(())
}

#[test]
#[allow(unused_variables)]
fn a_gguf_in_memory_is_read() -> Result<(), Box<dyn Error>> {
    let map = gguf(&["<unk>", "a", "b"]);
    block!("vocabularies.vocabularies-2");
    Ok(())
}

/// A GGUF with these tokens and no tensor.
fn gguf(tokens: &[&str]) -> Vec<u8> {
    fn string(file: &mut Vec<u8>, text: &str) {
        file.extend_from_slice(&(text.len() as u64).to_le_bytes());
        file.extend_from_slice(text.as_bytes());
    }
    const STRING: u32 = 8;
    const ARRAY: u32 = 9;
    let mut file = b"GGUF\x03\0\0\0".to_vec();
    file.extend_from_slice(&0_u64.to_le_bytes());
    file.extend_from_slice(&2_u64.to_le_bytes());
    string(&mut file, "tokenizer.ggml.model");
    file.extend_from_slice(&STRING.to_le_bytes());
    string(&mut file, "llama");
    string(&mut file, "tokenizer.ggml.tokens");
    file.extend_from_slice(&ARRAY.to_le_bytes());
    file.extend_from_slice(&STRING.to_le_bytes());
    file.extend_from_slice(&(tokens.len() as u64).to_le_bytes());
    for token in tokens {
        string(&mut file, token);
    }
    file
}

#[test]
fn lists_of_special_tokens() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let blocks = documents::all_blocks(&root)?;
    let is_list = |name: &str| name.starts_with("vocabularies.a-list-of-special-tokens");
    let lists = blocks
        .iter()
        .filter(|b| b.info == "json" && is_list(&b.name));
    for list in lists {
        let vocabulary = Vocabulary::from_tokens(vec![b"a".to_vec()], vec![]);
        let vocabulary = vocabulary.with_special_tokens(list.text.as_bytes())?;
        assert_eq!(vocabulary.special().count(), 2, "{}", list.text);
    }
    Ok(())
}
