// Tables for the examples in the documentation: lists of numbers and `true`, over tokens that are
// mostly single bytes.

/// The tables of a grammar and of its vocabulary.
pub fn tables() -> (Vec<u8>, Vec<u8>) {
    use maskwright_compiler::{Compiler, vocabulary::Vocabulary, source::Source, syntax::ebnf};
    let text = r#"root ::= "[" item ("," item)* "]"
                  item ::= "true" | [0-9]+ | root"#;
    let parsed = ebnf::parse(&Source::new("list.ebnf", text), &Default::default());
    let mut tokens: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
    tokens.extend(["true", "12", "]]", ""].map(|token| token.as_bytes().to_vec()));
    let vocabulary = Vocabulary::from_tokens(tokens, vec![259]);
    let compiled = Compiler::new(&vocabulary)
        .unwrap()
        .compile(&parsed.unwrap().grammar)
        .unwrap();
    (compiled.into_tables(), vocabulary.pack().unwrap())
}
