//! Vocabularies of several files.

use super::*;

impl Package {
    /// A `vocab.json` of the bytes by GPT-2's characters, and empty merges.
    fn write_vocab_json(&self) {
        let characters = (0x21..=0x7E).chain(0xA1..=0xAC).chain(0xAE..=0xFF);
        let characters = characters.chain(0x100..=0x143).filter_map(char::from_u32);
        let map: serde_json::Map<_, _> = (characters.zip(0_u32..))
            .map(|(character, id)| (character.to_string(), id.into()))
            .collect();
        self.write("vocab.json", &serde_json::Value::Object(map).to_string());
        self.write("merges.txt", "#version: 0.2\n");
        self.write("added_tokens.json", r#"{"<|im_end|>":256}"#);
        self.write("special_tokens_map.json", r#"{"eos_token":"<|im_end|>"}"#);
    }
}

#[test]
fn what_lies_beside_a_vocabulary_is_watched_and_part_of_the_key() {
    let package = Package::new();
    package.write_vocab_json();
    let builder = || {
        package
            .builder()
            .vocabulary_file(package.path("vocab.json"))
    };
    let (result, directives) = package.run(builder());
    result.unwrap();
    let watched = |name: &str| directives.contains(&format!("cargo::rerun-if-changed={name}"));
    for name in ["vocab.json", "added_tokens.json", "special_tokens_map.json"] {
        assert!(watched(name), "{name}: {directives:?}");
    }
    assert!(!watched("tokenizer_config.json"));
    assert_eq!(
        directives.len(),
        4,
        "each once, and no warning: {directives:?}"
    );
    assert_eq!(package.run(builder()).1, directives, "the second time too");

    package.write("special_tokens_map.json", "{}");
    let (result, directives) = package.run(builder());
    result.unwrap();
    assert!(
        directives
            .iter()
            .any(|line| line.contains("no token that ends")),
        "{directives:?}"
    );
}

#[test]
fn a_list_of_special_tokens_is_watched_and_part_of_the_key() {
    let package = Package::new();
    let cache = Cache::at(package.path("cache"));
    package.write("s.json", r#"["<|x|>","<|endoftext|>"]"#);
    let spec = |vocabulary: VocabularySpec| vocabulary.special_tokens_file(package.path("s.json"));
    let file = || spec(VocabularySpec::file(package.path("v.tiktoken")));
    let made = || {
        let tokens = vec![b"a".to_vec()];
        spec(VocabularySpec::made(Vocabulary::from_tokens(
            tokens,
            Vec::new(),
        )))
    };
    for _ in 0..2 {
        assert_eq!(file().pack(&cache).unwrap().eos(), [257]);
        assert_eq!(made().pack(&cache).unwrap().eos(), [2]);
    }
    package.write("s.json", r#"["<|endoftext|>"]"#);
    assert_eq!(file().pack(&cache).unwrap().eos(), [256]);
    assert_eq!(made().pack(&cache).unwrap().eos(), [1]);
    let (result, directives) = package.run(package.builder().vocabulary(file()));
    result.unwrap();
    assert!(directives.contains(&"cargo::rerun-if-changed=s.json".to_owned()));
    package.write("s.json", "7");
    let error = file().pack(&cache).unwrap_err().to_string();
    assert!(
        error.contains("s.json") && error.contains("list of names"),
        "{error}"
    );
}

#[test]
fn tokens_that_a_size_leaves_out_are_warned_of_each_time() {
    let package = Package::new();
    let spec = || package.vocabulary().size(250).eos([249]);
    for _ in 0..2 {
        let (result, directives) = package.run(package.builder().vocabulary(spec()));
        result.unwrap();
        let warnings = directives.iter();
        let warnings = warnings.filter(|line| line.contains("left out because only 250 ids"));
        assert_eq!(warnings.count(), 1, "{directives:?}");
    }
}
