//! Lark grammars: the masks of compiled lexers are those of a slow oracle, written from what a
//! lexer's discipline means. Nothing of the project's automata or readers is in it.
//!
//! | module | what it is |
//! |---|---|
//! | `pattern` | terminals as trees, matched naively |
//! | `rules` | grammars as trees, printed as Lark |
//! | `slow` | whether a whole text is a sentence, by the definition |
//! | `machine`, `parser`, `search` | whether a text can be finished, by search; beside `slow` |
//! | `draw` | random grammars |
//! | `compiled` | grammars compiled |
//! | `masks` | random grammars compared |
//! | `lalr` | Lark's own parser with a lexer of one winner, by its definition |
//! | `one_winner` | random grammars compared with that |
//! | `probes` | texts on which lexers differ, written by hand |
//! | `contexts` | states that contexts need |
//! | `hostile` | grammars that are made to take long |
//!
//! `MASKWRIGHT_LONG=1` compares twenty times as many.

mod compiled;
mod contexts;
mod draw;
mod hostile;
mod lalr;
mod machine;
mod masks;
mod one_winner;
mod parser;
mod pattern;
mod probes;
mod rules;
mod search;
mod slow;
