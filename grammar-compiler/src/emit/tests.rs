//! What the emitted code looks like.

use super::*;
use crate::pda::height::{Depths, Height};
use proc_macro2::Span;
use quote::format_ident;
use syn::Ident;

fn grammar(name: &str, stacks: usize, tables: Embedding) -> GrammarItem {
    GrammarItem {
        name: Ident::new(name, Span::call_site()),
        visibility: quote!(pub),
        attributes: TokenStream::new(),
        origin: "of `grammars/json.ebnf`".into(),
        facts: TableFacts {
            states: 75,
            frames: 10,
            stacks,
            depths: Depths {
                least: 0,
                height: Height::Grows { by: 1 },
            },
            vocab_size: 100_277,
            bytes: 132_064,
            grammar_hash: 0x0123_4567_89ab_cdef,
            vocabulary_hash: 0x0854_2424_1269_881e,
            stands_beside: None,
        },
        tables,
        depth: None,
        calls: None,
        beside: None,
    }
}

fn vocabulary(tables: Embedding) -> VocabularyItem {
    VocabularyItem {
        name: format_ident!("JSON_VOCABULARY"),
        visibility: quote!(pub),
        origin: "`cl100k_base`".into(),
        size: 100_277,
        tables,
    }
}

#[test]
fn a_file_for_a_build_script() {
    let file = file(
        &[grammar("JSON", 1, Embedding::OutDir("JSON.mask".into()))],
        &[],
        &vocabulary(Embedding::OutDir("JSON_VOCABULARY.mask".into())),
    );
    insta::assert_snapshot!(file.unwrap());
}

#[test]
fn a_grammar_beside_another() {
    let beside = |name, path, checksum| {
        let mut item = grammar(name, 1, Embedding::OutDir(format!("{name}.mask")));
        item.facts.stands_beside = checksum;
        item.beside = syn::parse_str(path).ok();
        item
    };
    let grammars = [
        grammar("JSON", 1, Embedding::OutDir("JSON.mask".into())),
        beside("SEARCH", "JSON", Some(0xfeed_beef)),
        beside("MAIL", "crate::tools::OBJECT", Some(17)),
        // It shares nothing.
        beside("ALONE", "JSON", None),
    ];
    let vocabulary = vocabulary(Embedding::OutDir("JSON_VOCABULARY.mask".into()));
    let code: Vec<String> = file(&grammars, &[], &vocabulary)
        .unwrap()
        .lines()
        .skip_while(|line| !line.starts_with("pub static JSON"))
        .filter(|line| !line.starts_with("/// |"))
        .map(str::to_owned)
        .collect();
    insta::assert_snapshot!(code.join("\n"));
}

#[test]
fn items_for_a_macro() {
    let mut sql = grammar("SQL_QUERY", 4, Embedding::Literal(b"\0\x01\"\\".to_vec()));
    sql.attributes = quote!(#[doc = " Queries."]);
    let items = items(
        &[sql],
        &[],
        &vocabulary(Embedding::Literal(b"\xFFab".to_vec())),
    );
    insta::assert_snapshot!(prettyplease::unparse(&syn::parse2(items).unwrap()));
}

#[test]
fn a_matcher_of_a_fixed_depth() {
    let mut item = grammar("JSON", 2, Embedding::OutDir("JSON.mask".into()));
    item.facts.depths = Depths {
        least: 3,
        height: Height::AtMost(1200),
    };
    item.depth = Some(12);
    let vocabulary = vocabulary(Embedding::OutDir("JSON_VOCABULARY.mask".into()));
    let file = file(&[item], &[], &vocabulary).unwrap();
    let code = |line: &&str| {
        line.contains("DEPTH") || line.contains("atcher f") || line.contains("Matcher")
    };
    let lines: Vec<&str> = file.lines().filter(code).collect();
    let expected = [
        "/// | least `DEPTH` | 3 |",
        "/// | `DEPTH` that is enough for every text | 1,200 |",
        "/// let mut matcher = JsonMatcher::new(&JSON)?;",
        "/// A matcher for [`JSON`], which needs 2 stacks and texts that nest at most 12 frames deep.",
        "pub type JsonMatcher = ::maskwright::Matcher<'static, 12, 2>;",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn attributes_that_are_none_are_an_error() {
    let mut broken = grammar("JSON", 1, Embedding::Literal(Vec::new()));
    broken.attributes = quote!(#);
    assert!(file(&[broken], &[], &vocabulary(Embedding::Literal(Vec::new()))).is_err());
}
