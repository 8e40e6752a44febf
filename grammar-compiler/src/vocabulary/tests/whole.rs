//! Vocabularies as a whole: sizes, ends, hashes, packed tables, and vocabularies known by name.

use super::super::*;
use super::unpack;

#[test]
fn size_and_end_tokens() {
    let small = || Vocabulary::from_tokens(vec![b"a".to_vec(), b"b".to_vec()], vec![]);
    assert!(matches!(
        small().with_eos([2]),
        Err(VocabularyError::EosOutOfRange { id: 2, size: 2 })
    ));
    assert!(small().with_size(u32::MAX).is_err());
    let padded = small().with_size(5).unwrap().with_eos([4, 0, 4]).unwrap();
    assert_eq!(padded.size(), 5);
    assert_eq!(padded.eos(), [0, 4]);
    assert_eq!(padded.bytes(0), b"", "an end token never matches text");
    assert_eq!(padded.bytes(1), b"b");
    assert_eq!(padded.bytes(u32::MAX), b"");
    assert!(Vocabulary::from_tokens(vec![], vec![0]).check().is_err());
    let long = Vocabulary::from_tokens(vec![vec![0; MAX_TOKEN_BYTES + 1]], vec![]);
    assert!(matches!(
        long.check(),
        Err(VocabularyError::TokenTooLong { id: 0, .. })
    ));
}

/// A tokenizer may have more ids than the model has logits: what the model cannot write is left
/// out.
#[test]
fn a_smaller_size_leaves_tokens_out() {
    let tokens = ["a", "b", "c", "", "<image>", ""].map(|text| text.as_bytes().to_vec());
    let vocabulary = Vocabulary::from_tokens(tokens.to_vec(), vec![3, 5])
        .with_special([(3, "</s>".to_owned()), (5, "<|end|>".to_owned())])
        .with_added([(4, "<image>".to_owned())]);
    let said = |size: u32| {
        let smaller = vocabulary.clone().with_size(size).unwrap();
        assert_eq!(smaller.size(), size);
        assert!(smaller.check().is_ok());
        let names: Vec<u32> = smaller
            .special()
            .chain(smaller.added())
            .map(|token| token.0)
            .collect();
        assert!(names.iter().chain(smaller.eos()).all(|&id| id < size));
        let warnings = smaller.warnings().into_iter();
        warnings
            .map(|warning| warning.message().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(said(6), [""; 0]);
    // A control token that the model has no logit for is no text: nothing to say.
    assert_eq!(said(5), [""; 0]);
    assert_eq!(
        said(4),
        [
            "1 token of the vocabulary is text, and left out because only 4 ids are wanted: 4 (`<image>`)"
        ]
    );
    let none = said(0);
    assert!(
        none[0].contains("no token of the vocabulary is known to end"),
        "{none:?}"
    );
    assert!(
        none[1].ends_with("0 (`a`), 1 (`b`), 2 (`c`), 4 (`<image>`)"),
        "{none:?}"
    );
    let bytes = |size| {
        vocabulary
            .clone()
            .with_size(size)
            .unwrap()
            .bytes(1)
            .to_vec()
    };
    assert_eq!((bytes(1), bytes(2)), (b"".to_vec(), b"b".to_vec()));
    // Ids that were left out do not come back.
    let again = vocabulary
        .clone()
        .with_size(2)
        .unwrap()
        .with_size(6)
        .unwrap();
    assert_eq!((again.bytes(2), again.eos()), (&b""[..], &[][..]));
}

#[test]
fn the_hash_depends_on_everything_and_on_nothing_else() {
    let make = |tokens: [&str; 2], eos| {
        Vocabulary::from_tokens(tokens.map(|token| token.into()).to_vec(), eos)
    };
    let base = make(["ab", "c"], vec![]);
    assert_eq!(base.hash(), make(["ab", "c"], vec![]).hash());
    assert_ne!(base.hash(), make(["a", "bc"], vec![]).hash());
    assert_ne!(base.hash(), make(["ab", "d"], vec![]).hash());
    assert_ne!(base.hash(), base.clone().with_size(3).unwrap().hash());
    assert_ne!(
        make(["ab", ""], vec![]).hash(),
        make(["ab", ""], vec![1]).hash()
    );
    // Files made on one machine are read on others: the value must never change by itself.
    assert_eq!(base.hash(), 5_235_841_188_164_388_852);
}

#[test]
fn packed_tables_hold_the_bytes_of_each_id() {
    for ids in [0, 1, 63, 64, 65, 200] {
        let tokens: Vec<Vec<u8>> = (0..ids).map(|id| vec![id as u8; id % 7]).collect();
        let vocabulary = Vocabulary::from_tokens(tokens.clone(), vec![]);
        let tables = vocabulary.pack().unwrap();
        assert_eq!(unpack(&tables), tokens);
        assert_eq!(
            Vocabulary::from_tables(&tables, vec![]).unwrap(),
            vocabulary
        );
    }
    let long = Vocabulary::from_tokens(vec![vec![0; MAX_TOKEN_BYTES]; 70], vec![]);
    assert!(matches!(
        long.pack(),
        Err(VocabularyError::BlockTooLong { first_id: 0, .. })
    ));
}

#[test]
fn packed_tables_hold_the_names_of_control_tokens() {
    let tokens = ["a", "<t>", "", "", ""].map(|text| text.as_bytes().to_vec());
    let vocabulary = Vocabulary::from_tokens(tokens.to_vec(), vec![4])
        .with_special([(2, "<|é|>".to_owned()), (4, "</s>".to_owned())])
        .with_added([(1, "<t>".to_owned())]);
    let tables = vocabulary.pack().unwrap();
    let packed = maskwright_core::Vocabulary::load(&tables).unwrap();
    let names = [None, None, Some("<|é|>"), None, Some("</s>"), None];
    for (id, name) in (0..).zip(names) {
        assert_eq!(packed.token_name(id), name, "{id}");
        assert_eq!(vocabulary.token_name(id), name, "{id}");
    }
    // The names are not among what a mask depends on.
    assert_eq!(packed.hash(), vocabulary.clone().with_special([]).hash());
    // The rest of the tables is not something else.
    for cut in 1..tables.len() / 4 - 8 {
        let mut cut = tables[..tables.len() - 4 * cut].to_vec();
        let words = (cut.len() / 4) as u32;
        cut[8..12].copy_from_slice(&words.to_le_bytes());
        let checksum = crc32fast::hash(&cut[16..]).to_le_bytes();
        cut[12..16].copy_from_slice(&checksum);
        let is_whole = maskwright_core::Vocabulary::load(&cut).is_ok();
        let bytes = vocabulary.clone().with_special([]).pack().unwrap().len();
        assert_eq!(is_whole, cut.len() == bytes, "{}", cut.len());
    }
}

#[test]
fn what_passes_the_check_can_be_packed() {
    let mut refused = 0;
    for (ids, bytes) in [
        (64, 1040),
        (64, 1041),
        (65, 1040),
        (63, 1041),
        (128, 1041),
        (3, 21_846),
    ] {
        let vocabulary = Vocabulary::from_tokens(vec![vec![b'a'; bytes]; ids], vec![]);
        assert_eq!(
            vocabulary.check().err(),
            vocabulary.pack().err(),
            "{ids} of {bytes}"
        );
        refused += usize::from(vocabulary.check().is_err());
    }
    assert!((1..6).contains(&refused), "{refused}");
}

#[test]
fn a_vocabulary_without_an_end_token_says_what_to_give() {
    let said = |vocabulary: Vocabulary| {
        vocabulary
            .warnings()
            .first()
            .map(|warning| warning.way_out().unwrap().to_owned())
    };
    let plain = Vocabulary::from_tiktoken(b"IQ== 0\nIg== 1\n").unwrap();
    let help = said(plain.clone()).unwrap();
    assert!(
        ["--eos ID", "below 2", "--vocab-size", "--special FILE"]
            .iter()
            .all(|part| help.contains(part)),
        "{help}"
    );
    assert_eq!(
        said(plain.with_size(3).unwrap().with_eos([2]).unwrap()),
        None
    );

    let file = |specials: &str| {
        let text = format!(
            r#"{{"model":{{"type":"BPE","vocab":{{"a":0}},"merges":[]}},"added_tokens":[{specials}]}}"#
        );
        Vocabulary::from_hugging_face(text.as_bytes()).unwrap()
    };
    let eot = r#"{"id":1,"content":"<EOT>","special":true}"#;
    let pad = r#"{"id":2,"content":"<pad>","special":true}"#;
    let vocabulary = file(&format!("{pad},{eot}"));
    assert_eq!(
        vocabulary.special().collect::<Vec<_>>(),
        [(1, "<EOT>"), (2, "<pad>")]
    );
    let help = said(vocabulary).unwrap();
    assert!(
        help.contains("it may be `<EOT>`, whose id is 1") && !help.contains("pad"),
        "{help}"
    );
    assert!(
        said(file(pad))
            .unwrap()
            .contains("it may be `<pad>`, whose id is 2")
    );
    assert_eq!(
        said(file(r#"{"id":1,"content":"</s>","special":true}"#)),
        None
    );
}
