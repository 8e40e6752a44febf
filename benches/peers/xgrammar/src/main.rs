//! XGrammar itself, in C++. An Earley parser with masks that are worked out when compiling, but for
//! the tokens that depend on what is around.

use dlpark::traits::TensorView;
use dlpark::versioned::SafeManagedTensorVersioned as Tensor;
use ndarray::{ArrayD, IxDyn};
use peers_common::{Engine, Source, Vocabulary, Walker, run};
use xgrammar::{CompiledGrammar, GrammarCompiler, GrammarMatcher, TokenizerInfo, get_bitmask_size};

struct Xgrammar {
    tokenizer: TokenizerInfo,
    compiler: GrammarCompiler,
}

struct Walk {
    matcher: GrammarMatcher,
    mask: Tensor,
}

impl Engine for Xgrammar {
    type Compiled = CompiledGrammar;

    fn new(vocabulary: &Vocabulary) -> Result<Self, String> {
        let size = vocabulary.tokens.len();
        let eos = vec![vocabulary.eos as i32];
        let tokenizer = tokenizer_json(vocabulary);
        let tokenizer =
            TokenizerInfo::from_backend_str(&tokenizer, Some(size), eos).map_err(text)?;
        let compiler = GrammarCompiler::new(&tokenizer);
        Ok(Xgrammar {
            tokenizer,
            compiler,
        })
    }

    fn forget(&mut self) {
        self.compiler = GrammarCompiler::new(&self.tokenizer);
    }

    fn compile(&mut self, source: &Source) -> Result<CompiledGrammar, String> {
        let compiled = match source {
            Source::Json => self.compiler.compile_builtin_json_grammar(),
            // Blanks anywhere; not strict: properties that the schema does not name are allowed, as
            // it says.
            Source::Schema(schema) => self.compiler.compile_json_schema(
                schema,
                Some(true),
                None,
                None,
                Some(false),
                None,
                None,
            ),
            // Not asked: `xgrammar-rs` is the same engine.
            Source::Grammar(_) => return Err("no grammars".to_owned()),
            Source::Tools(tools) => self.compiler.compile_structural_tag(&tools.structural_tag),
        };
        compiled.map_err(text)
    }

    fn walker<'a>(
        &'a self,
        compiled: &'a mut CompiledGrammar,
    ) -> Result<Box<dyn Walker + 'a>, String> {
        let words = get_bitmask_size(self.tokenizer.get_vocab_size()) as usize;
        let mask = ArrayD::<i32>::zeros(IxDyn(&[1, words]));
        Ok(Box::new(Walk {
            matcher: GrammarMatcher::with(compiled, None, Some(false), None),
            mask: Tensor::new(mask).map_err(text)?,
        }))
    }

    fn artifact(&self, compiled: &CompiledGrammar) -> Option<usize> {
        Some(compiled.serialize_json().len())
    }

    fn extras(&self, compiled: &mut CompiledGrammar, _: &[&[u32]]) -> Vec<(String, f64)> {
        let bytes = compiled.memory_size_bytes();
        vec![("memory bytes".to_owned(), bytes as f64)]
    }
}

impl Walker for Walk {
    fn reset(&mut self) {
        self.matcher.reset();
    }

    fn mask(&mut self) -> Result<(), String> {
        let filled = self
            .matcher
            .fill_next_token_bitmask(&mut self.mask, None, None);
        filled.map(|_| ()).map_err(text)
    }

    fn read(&self, words: &mut [u32]) {
        let (mask, _) = self.mask.as_slice_untyped().as_chunks();
        for (word, &mask) in words.iter_mut().zip(mask) {
            *word = u32::from_ne_bytes(mask);
        }
    }

    fn accept(&mut self, token: u32) -> bool {
        self.matcher.accept_token(token as i32, None)
    }

    fn is_complete(&mut self) -> bool {
        self.matcher.is_completed()
    }
}

/// The vocabulary as the crate wants it: a `tokenizer.json` of byte-level tokens. Ids without bytes
/// are left out.
fn tokenizer_json(vocabulary: &Vocabulary) -> String {
    let tokens = vocabulary.tokens.iter().enumerate();
    let tokens = tokens.filter(|(_, token)| !token.is_empty());
    let tokens: serde_json::Map<String, serde_json::Value> = tokens
        .map(|(id, token)| (token.iter().map(|&byte| letter(byte)).collect(), id.into()))
        .collect();
    let level = serde_json::json!({
        "type": "ByteLevel", "add_prefix_space": false, "trim_offsets": false, "use_regex": false
    });
    let json = serde_json::json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": level, "post_processor": null, "decoder": level,
        "model": { "type": "WordLevel", "vocab": tokens, "unk_token": "!" }
    });
    json.to_string()
}

/// The letter that stands for a byte in byte-level tokens: itself where it is printable, else one
/// of those from 256 on.
fn letter(byte: u8) -> char {
    let printable = |byte: u8| matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff);
    if printable(byte) {
        return byte.into();
    }
    let before = (0..byte).filter(|&byte| !printable(byte)).count() as u32;
    char::from_u32(256 + before).unwrap_or_default()
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn main() {
    run::<Xgrammar>();
}
