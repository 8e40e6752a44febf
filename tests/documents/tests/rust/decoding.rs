//! docs/decoding.md.

use std::error::Error;

use maskwright::{OwnedGrammar, OwnedVocabulary};
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_compiler::{Compiler, GrammarText};

items!("decoding.drafts-on-a-server");

/// An owned grammar of a regular expression, over `tokenizer.json`: the token of a byte is the
/// byte.
pub fn owned(pattern: &str) -> Result<OwnedGrammar, Box<dyn Error>> {
    let vocabulary = Vocabulary::open("tokenizer.json")?;
    let compiled = Compiler::new(&vocabulary)?.compile_text(&GrammarText::regex(pattern))?;
    let vocabulary = OwnedVocabulary::load(vocabulary.pack()?)?;
    Ok(OwnedGrammar::load(compiled.into_tables())?.with_vocabulary(&vocabulary)?)
}

#[test]
fn a_draft_is_confirmed_up_to_the_token_that_differs() -> Result<(), Box<dyn Error>> {
    let mut matcher = OwnedMatcher::new(&owned("a[bc]*")?, 4)?.with_history(8);
    let mut pool = Pool::new(vec![0; 16 * 9], vec![PoolSlot::default(); 16], 9);
    pool.begin_step();
    let model = |at: usize, _: &[u32]| u32::from(b"abcb"[at]);
    let chosen = step(
        &mut matcher,
        &mut pool,
        b"abb".map(u32::from).as_slice(),
        model,
    )?;
    assert_eq!(chosen, b"abc".map(u32::from));
    Ok(())
}

mod text_for_people {
    items!("decoding.text-for-people");

    #[test]
    fn a_character_of_two_tokens() {
        let vocabulary = maskwright_compiler::vocabulary::Vocabulary::open("tokenizer.json");
        let packed = vocabulary.unwrap().pack().unwrap();
        let vocabulary = Vocabulary::load(&packed).unwrap();
        let mut stream = TextStream::default();
        for byte in "é".bytes() {
            show(&mut stream, &vocabulary, byte.into());
        }
        stream.finish(|_| panic!("the character is complete"));
    }
}

mod one_trait_for_engines {
    items!("decoding.one-trait-for-engines");

    #[test]
    fn a_step_takes_the_best_allowed_token() {
        let grammar = super::owned("a[bc]").unwrap();
        let mut matcher = maskwright::OwnedMatcher::new(&grammar, 4).unwrap();
        let size = grammar.view().vocab_size() as usize;
        let (mut words, mut logits) = (vec![0; size.div_ceil(32)], vec![0.0; size]);
        logits[usize::from(b'c')] = 2.0;
        logits[usize::from(b'b')] = 1.0;
        let mut next = || step(&mut matcher, &mut words, &logits);
        assert_eq!([next(), next()], [Some(b'a'.into()), Some(b'c'.into())]);
    }
}
