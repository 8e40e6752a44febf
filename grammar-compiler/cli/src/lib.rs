//! What the command line shows of a compiled grammar besides figures: a picture of its automaton
//! and a page to explore it.
//!
//! In: an automaton and the tables made from it. Out: Graphviz text, SVG, HTML. The commands are
//! modules of the binary.

pub mod drawing;
pub mod page;
