//! Queries for the tables of a shop, whose grammar the build script makes and compiles.
//!
//! The scores are random numbers, so that a query has the right form, and names that the database
//! has, only because of the masks.
//!
//! ```text
//! cargo run --release -p sql
//! ```

use std::error::Error;

include!(concat!(env!("OUT_DIR"), "/grammars.rs"));

/// Decodes one query: at each step takes the allowed token with the highest score.
fn decode(seed: u64) -> Result<String, Box<dyn Error>> {
    let mut scores = Scores(seed);
    let mut logits = vec![0.0; QUERY.vocab_size() as usize];
    let mut matcher = QueryMatcher::<16>::new(&QUERY)?;
    let mut text = Vec::new();
    while !matcher.is_finished() {
        logits.fill_with(|| scores.next());
        // A model would want to come to an end, too.
        for end in QUERY.eos() {
            logits[end as usize] += 1.0;
        }
        let token = matcher
            .mask()
            .argmax(&logits)
            .ok_or("no token is allowed")?;
        matcher.accept_token(token)?;
        text.extend_from_slice(QUERY_VOCABULARY.bytes(token));
    }
    Ok(String::from_utf8(text)?)
}

/// A stand-in for a model: numbers in -1.0..1.0 from a xorshift generator.
struct Scores(u64);

impl Scores {
    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1 << 23) as f32 - 1.0
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    for seed in 1..=5 {
        println!("{}", decode(seed)?);
    }
    Ok(())
}

#[cfg(test)]
#[path = "grammar.rs"]
mod grammar;
#[cfg(test)]
#[path = "shop.rs"]
mod shop;

#[cfg(test)]
mod tests {
    use super::grammar::{Kind, Table, grammar};
    use super::*;
    use std::{env, fs};

    /// Parsers of SQL judge this grammar in `languages`.
    #[test]
    fn the_grammar_is_the_one_that_is_judged() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../languages/sql/grammar.ebnf"
        );
        let made = grammar(&shop::TABLES, &shop::JOINS).unwrap();
        if env::var_os("UPDATE_LANGUAGES").is_some() {
            fs::write(path, &made).unwrap();
        }
        let help = "run UPDATE_LANGUAGES=1 cargo test -p sql if the change is meant";
        assert!(fs::read_to_string(path).unwrap() == made, "{help}");
    }

    /// A name that tries to end its literal stays a name.
    #[test]
    fn names_stand_in_literals_only() {
        let columns = [("a\" | \"b", Kind::Number), ("c\n\\-@", Kind::Text)];
        let name = "t\" ; DROP TABLE x; --";
        let tables = [Table {
            name,
            columns: &columns,
        }];
        let made = grammar(&tables, &[]).unwrap();
        let lines: Vec<&str> = made.lines().filter(|line| line.ends_with("-0")).collect();
        assert!(lines.contains(&"column-0 ::= numeric-0 | textual-0"));
        assert!(made.contains(r#"source-0 ::= "\"t\"\" ; DROP TABLE x; --\"""#));
        assert!(made.contains(r#"numeric-0 ::= "\"a\"\" | \"\"b\"""#));
        assert!(made.contains(r#"textual-0 ::= "\"c\u000a\\-@\"""#));
    }

    #[test]
    fn what_is_not_there_is_an_error() {
        assert!(grammar(&[], &shop::JOINS).is_err());
        let tables = [Table {
            name: "",
            columns: &[("a", Kind::Number), ("b", Kind::Text)],
        }];
        assert!(grammar(&tables, &[]).is_err());
    }

    #[test]
    fn every_query_reads_a_table() {
        for seed in 1..20 {
            let query = decode(seed).unwrap();
            let tables = ["customers", "orders", "items"];
            assert!(query.starts_with("SELECT "), "{query}");
            assert!(tables.iter().any(|table| query.contains(table)), "{query}");
        }
    }
}
