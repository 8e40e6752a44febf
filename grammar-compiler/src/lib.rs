//! The compiler.
pub mod automata;
pub mod build;
mod compile;
pub mod emit;
pub mod error;
pub mod grammar;
pub mod limits;
pub mod lr;
pub mod mask;
pub mod pack;
pub mod pda;
mod report;
pub mod source;
pub mod syntax;
#[cfg(test)]
mod testing;
pub mod vocabulary;

pub use build::Builder;
pub use compile::{
    Automaton, Compiled, Options, PreparedVocabulary, automaton, compile, compile_prepared,
};
pub use error::{Diagnostic, Error};
pub use report::{Report, Stage};
pub use vocabulary::Vocabulary;

#[cfg(test)]
mod dev {
    use super::*;
    #[test]
    fn json() {
        let v = Vocabulary::named("cl100k_base").unwrap();
        let t = std::time::Instant::now();
        let p = PreparedVocabulary::new(&v);
        println!("trie {:?}", t.elapsed());
        let c = compile_prepared(
            &testing::json(),
            &p,
            &Options {
                threads: 1,
                ..Default::default()
            },
        )
        .unwrap();
        println!("{:#?}", c.report());
        let g = c.grammar().unwrap();
        let m = maskwright_core::Matcher::<32>::new(&g).unwrap();
        println!("{}", m.mask().count());
    }
}
