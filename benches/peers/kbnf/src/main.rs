//! kbnf: an Earley parser over the vocabulary's bytes, with a cache of the masks of sets that came
//! before. It has no JSON Schema; its JSON is written here in its own language.

use kbnf::{AcceptTokenResult, Engine as Kbnf, EngineLike, Token, Vocabulary as Tokens};
use peers_common::{Engine, Source, Vocabulary, Walker, run};

/// JSON of RFC 8259. kbnf ends a text as soon as it may end, so no blanks follow the outermost
/// value.
const JSON: &str = r##"
start ::= ws (object | array);
value ::= object | array | string | number | "true" | "false" | "null";
object ::= "{" ws "}" | "{" ws member ws {"," ws member ws} "}";
member ::= string ws ":" ws value;
array ::= "[" ws "]" | "[" ws value ws {"," ws value ws} "]";
string ::= #'"([^"\\\\\u0000-\u001f]|\\\\["\\\\/bfnrt]|\\\\u[0-9a-fA-F]{4})*"';
number ::= #'-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?';
ws ::= #'[ \t\n\r]*';
"##;

struct Made {
    tokens: Tokens,
}

struct Walk<'a> {
    engine: &'a mut Kbnf,
    finished: bool,
}

impl Engine for Made {
    type Compiled = Kbnf;

    fn new(vocabulary: &Vocabulary) -> Result<Self, String> {
        let tokens = vocabulary.tokens.iter().enumerate();
        let tokens = tokens.filter(|(_, token)| !token.is_empty());
        let tokens: Vec<_> = tokens
            .map(|(id, token)| (id as u32, token.clone()))
            .collect();
        let bytes = tokens
            .iter()
            .map(|(id, token)| (*id, Token(token.clone().into_boxed_slice())));
        let texts = tokens
            .iter()
            .map(|(id, token)| (*id, String::from_utf8_lossy(token).into_owned()));
        Tokens::new(bytes.collect(), texts.collect())
            .map(|tokens| Made { tokens })
            .map_err(text)
    }

    fn compile(&mut self, source: &Source) -> Result<Kbnf, String> {
        let Source::Json = source else {
            return Err("it reads no JSON Schema".to_owned());
        };
        Kbnf::new(JSON, self.tokens.clone()).map_err(text)
    }

    fn walker<'a>(&'a self, compiled: &'a mut Kbnf) -> Result<Box<dyn Walker + 'a>, String> {
        compiled.reset();
        Ok(Box::new(Walk {
            engine: compiled,
            finished: false,
        }))
    }

    fn artifact(&self, _: &Kbnf) -> Option<usize> {
        None
    }
}

impl Walker for Walk<'_> {
    fn reset(&mut self) {
        self.engine.reset();
        self.finished = false;
    }

    fn mask(&mut self) -> Result<(), String> {
        self.engine.compute_allowed_token_ids();
        Ok(())
    }

    fn read(&self, words: &mut [u32]) {
        for token in self.engine.allowed_token_ids_from_last_computation().ones() {
            words[token / 32] |= 1 << (token % 32);
        }
    }

    fn accept(&mut self, token: u32) -> bool {
        let accepted = self.engine.try_accept_new_token(token);
        self.finished = matches!(accepted, Ok(AcceptTokenResult::Finished));
        accepted.is_ok()
    }

    fn is_complete(&mut self) -> bool {
        self.finished
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn main() {
    run::<Made>();
}
