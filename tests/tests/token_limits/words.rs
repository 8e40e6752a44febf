//! A vocabulary of pieces of texts, and masks over it.

use super::definition::{OPEN, Tags, Written};
use maskwright_compiler::Compiler;
use maskwright_compiler::syntax::GrammarText;
use maskwright_compiler::vocabulary::Vocabulary;

pub struct Words {
    pub compiler: Compiler,
    pub tokens: Vec<Vec<u8>>,
    pub open: u32,
    pub eos: u32,
}

/// All bytes; tokens that cross a boundary or two; two special ones, and one that ends the text.
pub fn words() -> Words {
    let crossing = [
        "ab",
        "a]",
        "]]",
        "b]>",
        "]>",
        "]><",
        "]><[",
        "<[",
        "[a",
        "<[a",
        "a]><[a",
        "]><[]>",
        "é",
        "aé",
        "é]",
        "é]>",
        "x]>",
        "xx",
        "]x",
        "aab",
        "\u{20AC}\u{20AC}",
        "<[\u{e9}",
    ];
    let mut tokens: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    tokens.extend(crossing.map(|text| text.as_bytes().to_vec()));
    tokens.extend([b"a\xC3".to_vec(), b"\xA9]".to_vec(), b"\xE2\x82".to_vec()]);
    let open = tokens.len() as u32;
    tokens.resize(open as usize + 3, Vec::new());
    let eos = open + 2;
    let named = |(id, name): (u32, &str)| (id, name.to_owned());
    let special = [(open, "<|open|>"), (open + 1, "<|close|>")].map(named);
    let vocabulary = Vocabulary::from_tokens(tokens.clone(), vec![eos]).with_special(special);
    Words {
        compiler: Compiler::new(&vocabulary).unwrap(),
        tokens,
        open,
        eos,
    }
}

impl Words {
    pub fn id(&self, special: u32) -> u32 {
        self.open + special - OPEN
    }

    pub fn written(&self, id: u32) -> Written<'_> {
        match id >= self.open {
            true => Written::Special(OPEN + id - self.open),
            false => Written::Bytes(&self.tokens[id as usize]),
        }
    }

    pub fn compile(&self, tags: &Tags) -> Result<(Vec<u8>, Vec<u8>), &'static str> {
        let text = tags.json(&|id| self.id(id)).to_string();
        let text = GrammarText::structural_tag(text).tokens(self.compiler.tokens());
        let grammar = text
            .parse(&Default::default())
            .map_err(|error| error.code().as_str())?;
        let compiled = self.compiler.compile(&grammar.grammar);
        let compiled = compiled.map_err(|error| error.code().as_str())?;
        Ok((
            compiled.into_tables(),
            self.compiler
                .prepared()
                .unwrap()
                .vocabulary()
                .pack()
                .unwrap(),
        ))
    }
}
